"""Specifics and their support: labelled answers, keyword verdicts on news, alarms on verbatim text, and speed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, hostile, records, speed
from ragstone.reading.values.specifics import find_specifics
from ragstone.reading.values.support import Evidence, SpecificVerdict, check_specifics, unsupported
from ragstone.text.fold import squeeze

OWN = Path(__file__).parents[2] / "tests/data/specifics.jsonl"
HOSTILE = ("张伟", "有限公司", "王", "的", "1年", "1元", "1 ", "a1 ", "Ab Cd. ", "路1号", "(0", "没有提到", "a@b.c ")
Table = Counter[tuple[bool, bool]]
"""How often (flagged, wrong) came out."""


def _hits(wanted: Sequence[str], told: Sequence[str]) -> list[bool]:
    return [any(one in other or other in one for other in told) for one in wanted]


def _labelled(items: Iterable[dict[str, Any]]) -> Table:
    """Count, over labelled rows, details found, missed and wrongly reported."""
    table: Table = Counter()
    for row in items:
        found = unsupported(row["answer"], Evidence.prepare(row["context"]), row["question"])
        told, wanted = [squeeze(one.specific.text) for one in found], [squeeze(text) for text in row["unsupported"]]
        table.update((hit, True) for hit in _hits(wanted, told))
        table.update((True, False) for hit in _hits(told, wanted) if not hit)
    return table


def _keywords(row: dict[str, Any], verdicts: Sequence[SpecificVerdict]) -> Iterator[tuple[bool, bool]]:
    """Judge those keywords of a row that hold a specific: (flagged, wrong)."""
    for keyword in row["label_detail"].get("keywords", ()):
        start = row["answer"].find(keyword["keyword"])
        end = start + len(keyword["keyword"])
        over = [one for one in verdicts if start >= 0 and one.specific.start < end and start < one.specific.end]
        if over:
            yield any(not one.supported for one in over), not keyword["reasonable"]


def _kappa(table: Table) -> float:
    n = sum(table.values())
    agreed = (table[True, True] + table[False, False]) / n
    flagged, wrong = (table[True, True] + table[True, False]) / n, (table[True, True] + table[False, True]) / n
    chance = flagged * wrong + (1 - flagged) * (1 - wrong)
    return (agreed - chance) / (1 - chance) if chance < 1 else 1.0


def _rates(data: str, table: Table, aim: float) -> Iterator[Row]:
    flagged, wrong = table[True, True] + table[True, False], table[True, True] + table[False, True]
    for name, value in (
        ("precision", table[True, True] / flagged if flagged else 0.0),
        ("recall", table[True, True] / wrong if wrong else 0.0),
    ):
        yield Row("specifics", f"{data} {name}", wrong, f"{value:.3f}", f">= {aim}", value >= aim)


def rows(data: Path) -> Iterator[Row]:
    """Precision, recall and agreement, false alarms, and answers a second."""
    yield from _rates("own rows", _labelled(records(OWN)), 1.0)
    yield from _rates("t7_specifics", _labelled(records(data / "careful_reading/t7_specifics.jsonl")), 0.93)
    yield hostile("specifics", find_specifics, HOSTILE)
    news = [*records(data / "judged/hallucination/uhgeval_zh.jsonl")]
    if not news:
        return
    prepared = [(row, Evidence.prepare(row["context"])) for row in news]
    judged = [(row, check_specifics(row["answer"], evidence, row["question"])) for row, evidence in prepared]
    table: Table = Counter(pair for row, verdicts in judged for pair in _keywords(row, verdicts))
    yield from _rates("uhgeval_zh keywords", table, 0.8)
    kappa = _kappa(table)
    yield Row("specifics", "uhgeval_zh keywords kappa", sum(table.values()), f"{kappa:.3f}", ">= 0.7", kappa >= 0.7)
    true = [verdicts for row, verdicts in judged if row["label_hallucinated"] is False]
    alarms = sum(any(not one.supported for one in verdicts) for verdicts in true)
    yield Row("specifics", "uhgeval_zh verbatim news alarms", len(true), f"{alarms} alarms", "<= 5", alarms <= 5)
    yield speed(
        "specifics", "answers, evidence ready", lambda pair: unsupported(pair[0]["answer"], pair[1]), prepared, 500
    )
    yield speed("specifics", "articles as evidence", lambda pair: _fresh(pair[0]["context"]), prepared[:200], 100)


def _fresh(text: str) -> object:
    evidence = Evidence.prepare(text)
    return evidence.squeezed, evidence.measures, evidence.days, evidence.derived, evidence.shares
