"""What some tests need and not every machine has, and how much of a sweep the default command walks."""

import os
from collections.abc import Sequence
from typing import NoReturn, TypeVar

import hypothesis
import pytest

T = TypeVar("T")

REQUIRED = frozenset(os.environ.get("RAGSTONE_REQUIRE", "").replace(",", " ").split())
"""What must be there: browser, model, api-fuzz, notebook; read at import, before a test's environment is cleaned."""


def lacks(what: str, why: str) -> NoReturn:
    """Skip a test that lacks what it needs; fail it where RAGSTONE_REQUIRE names that."""
    if what in REQUIRED:
        pytest.fail(f"RAGSTONE_REQUIRE demands {what}: {why}")
    pytest.skip(why, allow_module_level=True)


def sweep(rows: Sequence[T], every: int) -> list[object]:
    """Return the rows of a sweep: one in so many for the default command, the others long."""
    return [row if place % every == 0 else pytest.param(row, marks=pytest.mark.long) for place, row in enumerate(rows)]


def many(examples: int) -> int:
    """Return how many generated examples to try: half of them with `--long`, a quarter without."""
    return examples * hypothesis.settings().max_examples // 100
