"""Every question of the benchmark as a test of the RAG system it is asked of."""

from pathlib import Path

import pytest

from ragstone.core.types import Case, Result

HERE = Path(__file__).parent


def by_type(case: Case) -> str:
    """Name a question's test by its type and id."""
    return f"{case.groups['type'][0]}-{case.id}"


@pytest.fixture(scope="session")
def ragstone_system(request: pytest.FixtureRequest) -> str:
    """The system under test."""
    return request.config.getoption("--rag-system") or f"builtin:{HERE / 'documents'}"


@pytest.mark.ragstone(dataset=HERE, documents=HERE / "documents", contract="legal_rag", label=by_type)
def test_question(ragstone_result: Result) -> None:
    """The answer to this question passes."""
    assert ragstone_result.scorecard.passed
