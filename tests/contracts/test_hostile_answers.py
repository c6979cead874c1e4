"""Hostile answers cost as much as their length, whatever is repeated in them."""

import time
from pathlib import Path

import pytest

from perf.hostile_answers import PATTERNS, contracts
from ragstone.contracts.legal_rag.sources import citing
from ragstone.contracts.legal_rag.sources.quotes import quote_key
from ragstone.core.interfaces import Contract
from ragstone.core.types import Answer, Case
from ragstone.reading.citations.find import find_citations

SHORT = 4_000
"""Characters of the shorter answer; the longer has four times as many."""
BOUND = 10.0
"""Four times the text takes four times as long where the work is linear, sixteen times where it is squared."""
AT_LEAST = 0.02
"""Seconds below which nothing is compared."""


def seconds(contract: Contract, case: Case, text: str) -> float:
    """Read and score once."""
    began = time.process_time()
    contract.score(case, contract.read(case, Answer(text=text)))
    return time.process_time() - began


def grows(contract: Contract, case: Case, pattern: str) -> float:
    """Return how much more four times the text takes; the best of some tries, for others use the machine too."""
    short, long = (pattern * (size // len(pattern)) for size in (SHORT, 4 * SHORT))
    least = float("inf")
    for _ in range(4):
        least = min(least, seconds(contract, case, long) / max(AT_LEAST, seconds(contract, case, short)))
        if least < BOUND:
            break
    return least


@pytest.mark.parametrize(
    "name",
    [
        "prompt_task",
        *(pytest.param(name, marks=pytest.mark.long) for name in ("legal_rag", "key_points", "eval_json_v2")),
    ],
)
def test_the_work_is_linear(name: str, tmp_path: Path) -> None:
    """No pattern makes a contract's work grow with the square of the text."""
    (contract, cases), *_ = [found for found in contracts(tmp_path) if found[0].name == name]

    squared = {pattern for pattern in PATTERNS for case in cases if grows(contract, case, pattern) > BOUND}

    assert not squared


def test_a_sentence_is_read_once_however_often_it_names_a_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of places in one endless sentence do not fold that sentence hundreds of times."""
    (contract, (case, *_)), *_ = contracts(tmp_path)
    folded: list[int] = []

    def counting(text: str) -> str:
        folded.append(len(text))
        return quote_key(text)

    monkeypatch.setattr(citing, "quote_key", counting)
    text = "".join(f"第{page % 600}页" for page in range(20_000))
    contract.score(case, contract.read(case, Answer(text=text)))

    assert sum(folded) < 2 * len(text)


def test_ranges_of_pages_do_not_swell() -> None:
    """Fifty pages for six characters add up to a thousand pages at most; later ranges are their two ends."""
    found = find_citations("第1-50页、" * 5000)

    assert [citation.page for citation in found[:50]] == list(range(1, 51))
    assert len(found) <= 2 * 5000 + 1000
