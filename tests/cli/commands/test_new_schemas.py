"""Schemas for editors: starter files name theirs, and they say of a row what the loader says."""

import json
import re
from pathlib import Path

import pytest
import yaml

from ragstone.cli.commands.new import SCHEMAS, TEMPLATES
from ragstone.contracts.key_points.cases import load
from ragstone.core.types import JSON, Case
from ragstone.systems.replay import Replay
from tests.conftest import Cli

jsonschema = pytest.importorskip("jsonschema")

ROW: dict[str, JSON] = {"q": "几点开门？", "gold": ["九点"]}
ROWS: list[dict[str, JSON]] = [
    ROW,
    ROW | {"doc_hint": ["a.md"], "id": "x", "category": "c", "note": 1},
    ROW | {"doc_hint": None, "id": 7},
    ROW | {"doc_hint": "a.md"},
    ROW | {"gold": []},
    ROW | {"gold": "九点"},
    ROW | {"gold": [" "]},
    ROW | {"q": " "},
    ROW | {"q": 3},
    {"q": "几点开门？"},
    {"gold": ["九点"]},
]


def _allows(name: str, value: JSON) -> bool:
    schema = json.loads(SCHEMAS[f"{name}.schema.json"].read_text(encoding="utf-8"))
    return bool(jsonschema.Draft202012Validator(schema).is_valid(value))


@pytest.mark.parametrize("row", ROWS)
def test_the_schema_of_key_points_says_what_the_loader_says(tmp_path: Path, row: dict[str, JSON]) -> None:
    """A row is allowed by both or by neither."""
    (tmp_path / "q.jsonl").write_text(json.dumps(row), encoding="utf-8")

    loaded = all(isinstance(item, Case) for item in load(tmp_path / "q.jsonl"))

    assert _allows("key_points", row) is loaded


@pytest.mark.parametrize(("kind", "name"), [("key_points", "key_points"), ("system", "key_points")])
def test_starter_datasets_keep_to_their_schemas(kind: str, name: str) -> None:
    """Every row of them, and of their recorded answers."""
    for file, schema in (("questions.jsonl", name), ("answers.jsonl", "answers")):
        path = TEMPLATES / kind / file
        lines = path.read_text(encoding="utf-8").splitlines() if path.is_file() else []
        assert all(_allows(schema, json.loads(line)) for line in lines)
    if (TEMPLATES / kind / "answers.jsonl").is_file():
        Replay(TEMPLATES / kind / "answers.jsonl")


def test_starter_files_in_yaml_name_their_schema_and_keep_to_it(cli: Cli, tmp_path: Path) -> None:
    """The first line leads to a file that is written with them."""
    assert cli("new", "task", "mine").returncode == 0
    files = list((tmp_path / "mine").rglob("*.yaml"))

    assert len(files) == 5
    for path in files:
        line, _, _ = path.read_text(encoding="utf-8").partition("\n")
        found = re.fullmatch(r"# yaml-language-server: \$schema=(\S+)", line)
        assert found, path
        schema = json.loads((path.parent / found[1]).read_text(encoding="utf-8"))
        jsonschema.validate(yaml.safe_load(path.read_text(encoding="utf-8")), schema)
    models = json.loads((tmp_path / "mine/configs/llm_providers.json").read_text(encoding="utf-8"))
    assert _allows("models", models) and not _allows("models", {"models": {"a": {"timeout": "long"}}})


def test_all_schemas_can_be_had(cli: Cli, tmp_path: Path) -> None:
    """Each is a schema, and the page that comes with them names each."""
    assert cli("new", "schemas", "schemas").returncode == 0
    page = (tmp_path / "schemas" / "README.md").read_text(encoding="utf-8")

    written = {path.name for path in (tmp_path / "schemas").glob("*.json")}
    assert written == set(SCHEMAS) and len(written) == 12
    for name in written:
        jsonschema.Draft202012Validator.check_schema(json.loads((tmp_path / "schemas" / name).read_text("utf-8")))
        assert f"`{name.partition('.')[0]}`" in page
