"""Every question of the benchmark as a test of the RAG system it is asked of."""

from pathlib import Path
from typing import Any

import pytest

from benchmark.test_runner import BenchmarkRunner
from ragstone.interfaces import System
from ragstone.registry import connect

HERE = Path(__file__).parent
RUNNER = BenchmarkRunner(HERE)
QUESTIONS = RUNNER.load_questions()


@pytest.fixture(scope="session")
def rag_system(request: pytest.FixtureRequest) -> System:
    """The system under test."""
    return connect(request.config.getoption("--rag-system") or f"builtin:{HERE / 'documents'}")


@pytest.mark.parametrize("question", QUESTIONS, ids=[f"{row['type']}-{row['id']}" for row in QUESTIONS])
def test_question(question: dict[str, Any], rag_system: System) -> None:
    """The answer to this question passes."""
    row = RUNNER.run_test(question, rag_system)

    assert row["passed"], row["explain"]
