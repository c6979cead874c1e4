"""`pytest benchmark/`: every question is a test; `-k fact_exact` picks a type, `--rag-system` another system."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the system to ask."""
    parser.addoption("--rag-system", help="kind:argument; the built-in RAG over documents/ when left out")
