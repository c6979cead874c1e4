"""Tests of what the contract's pages say."""

from pathlib import Path

import pytest

from ragstone.contracts.prompt_task import taskfile as tf
from ragstone.contracts.prompt_task.measures.profiles import PASS_AT
from ragstone.reading.json.fields import FIELD_TYPES

DOCS = Path(__file__).parents[3] / "docs" / "contracts"


@pytest.mark.parametrize("page", ["prompt_task.md", "prompt_task.zh.md"])
def test_the_page_names_every_key_type_and_metric(page: str) -> None:
    """Nothing a task file may hold is left out."""
    text = (DOCS / page).read_text(encoding="utf-8")
    own = {key for model in tf.METRIC_TYPES.values() for key in model.model_fields} - {"name", "type", "primary"}
    names = {*tf.Task.model_fields, *tf.METRIC_TYPES, *FIELD_TYPES, *own, *tf.AnswerSpec.model_fields}

    assert {name for name in names if f"`{name}" not in text and f".{name}`" not in text} == set()


@pytest.mark.parametrize("page", ["prompt_task.md", "prompt_task.zh.md"])
def test_the_page_names_every_bar(page: str) -> None:
    """The thresholds on the page are those of the code."""
    text = (DOCS / page).read_text(encoding="utf-8")

    assert all(f"{name} {bar}" in text for name, bar in PASS_AT.items() if name)
