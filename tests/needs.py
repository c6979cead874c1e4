"""What some tests need and not every machine has: a browser, a real model, a library of a group of its own."""

import os
from typing import NoReturn

import pytest

REQUIRED = frozenset(os.environ.get("RAGSTONE_REQUIRE", "").replace(",", " ").split())
"""What must be there: browser, model, api-fuzz, notebook; read at import, before a test's environment is cleaned."""


def lacks(what: str, why: str) -> NoReturn:
    """Skip a test that lacks what it needs; fail it where RAGSTONE_REQUIRE names that."""
    if what in REQUIRED:
        pytest.fail(f"RAGSTONE_REQUIRE demands {what}: {why}")
    pytest.skip(why, allow_module_level=True)
