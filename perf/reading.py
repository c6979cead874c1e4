"""The reader beside labelled rows: python -m perf.reading DATA_DIR [ROWS_DIR] [--errors].

ROWS_DIR (DATA_DIR/blind unless told) holds any of points.jsonl {q, points[{text, stated}], answer}, refusals.jsonl
{question, answer, abstain} and legal.jsonl {type, question, expected, answer, exact} or {…, abstained, invented}; the
labels may be called gold_exact, gold_abstained and gold_invented. DATA_DIR/judged has the judged sets.
"""

import json
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from perf.legal import agreement
from ragstone.contracts.legal_rag.cases import cases_of
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Source
from ragstone.core.types import Answer, Case, Context, Scorecard
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.refusals.declines import declines
from ragstone.reading.statements import Statements

Row = dict[str, Any]
OWN = Path(__file__).parents[1] / "tests" / "data"
_ROUNDS = 5
_POINTS = 3


class Table:
    """Prints one line a figure, and keeps the rows that were read wrongly."""

    def __init__(self) -> None:
        self.wrong: list[tuple[object, ...]] = []

    def line(self, name: str, figure: str, aim: str) -> None:
        """Print one figure."""
        print(f"{name:<52} {figure:<58} {aim}", flush=True)


def read(path: Path) -> list[Row]:
    """Read a JSONL file; none where there is none."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()] if path.exists() else []


def label(row: Row, name: str) -> bool | None:
    """Return a label by either of its names."""
    value = row.get(name, row.get(f"gold_{name}"))
    return None if value is None else bool(value)


def points(rows: Sequence[Row]) -> Iterator[tuple[str, str, str, bool]]:
    """Yield question, answer, point and label."""
    for row in rows:
        question = str(row.get("q") or row.get("question") or "")
        if "points" in row:
            yield from ((question, row["answer"], one["text"], bool(one["stated"])) for one in row["points"])
        else:
            stated = row["stated"] if "stated" in row else row["covered"]
            yield question, row["answer"], row["point"], bool(stated)


def show_points(name: str, rows: Sequence[Row], table: Table) -> None:
    """Print how many points are decided, how many of these rightly, and how many are credited wrongly."""
    seen: Counter[tuple[bool, str]] = Counter()
    for question, answer, point, stated in points(rows):
        verdict = states(Point(point), Statements(answer), question)
        seen[stated, verdict.outcome] += 1
        if (verdict.outcome == "yes") != stated:
            table.wrong.append((name, stated, verdict.outcome, verdict.rule, point, answer))
    n = seen.total()
    decided = n - seen[True, "open"] - seen[False, "open"]
    denied = sum(count for (stated, _), count in seen.items() if not stated)
    if n:
        right = (seen[True, "yes"] + seen[False, "no"]) / max(1, decided)
        figure = f"right {right:.3f} of decided, decided {decided / n:.3f} (n {n})"
        table.line(f"{name}: points", figure, "right >= 0.95, decided >= 0.65")
        credited = f"{seen[False, 'yes']} of {denied} = {seen[False, 'yes'] / max(1, denied):.3f}"
        table.line(f"{name}: not stated, credited", credited, "<= 0.06")
        found = f"{seen[True, 'yes']} of {n - denied}; right with open as no "
        share = (seen[True, "yes"] + denied - seen[False, "yes"]) / n
        table.line(f"{name}: stated, found", f"{found}{share:.3f}", "")


def show_refusals(name: str, rows: Sequence[Row], table: Table) -> None:
    """Print refusals that were missed and answers taken for one, by language."""
    seen: Counter[tuple[str, bool, bool]] = Counter()
    for row in rows:
        wanted = label(row, "abstain")
        if wanted is None:
            continue
        made_up = "lang" not in row or "made" in str(row.get("cat", ""))
        verdict = declines(row["question"], Statements(row["answer"]))
        seen["made up" if made_up and not wanted else row.get("lang", "?"), wanted, verdict.outcome == "yes"] += 1
        if (verdict.outcome == "yes") != wanted:
            table.wrong.append((name, wanted, verdict.outcome, verdict.rule, row["question"], row["answer"]))
    if not seen:
        return
    invented = sum(count for (group, _, _), count in seen.items() if group == "made up")
    table.line(f"{name}: made-up answers taken for refusals", f"{seen['made up', False, True]} of {invented}", "<= 1")
    missed = {group: count for (group, wanted, said), count in seen.items() if wanted and not said}
    wanted_all = sum(count for (_, wanted, _), count in seen.items() if wanted)
    by_language = ", ".join(f"{group} {count}" for group, count in sorted(missed.items()))
    table.line(f"{name}: refusals missed", f"{sum(missed.values())} of {wanted_all} ({by_language or '–'})", "<= 3")
    others = [(said, count) for (group, wanted, said), count in seen.items() if not wanted and group != "made up"]
    wrongly = sum(count for said, count in others if said)
    table.line(f"{name}: answers taken for refusals", f"{wrongly} of {sum(count for _, count in others)}", "")


def judge(contract: LegalRag, row: Row) -> Scorecard:
    """Score one legal row through the contract."""
    question: Row = {"id": row.get("id", "1"), "question": row["question"]}
    kind = row["type"]
    question |= (
        {"expected": row["expected"]} if kind == "fact_exact" else {"should_abstain": row.get("should_abstain", True)}
    )
    (case,) = cases_of({"benchmark_type": kind, "questions": [question]}, Path("row.json"))
    assert isinstance(case, Case), case
    contexts = (Context(text=row["context"]),) if row.get("context") else ()
    return contract.score(case, contract.read(case, Answer(text=row["answer"], contexts=contexts)))


def show_legal(name: str, rows: Sequence[Row], table: Table) -> None:
    """Print how often the contract's verdicts are the labels."""
    contract = LegalRag(Source(path=Path("nowhere.json")))
    seen: Counter[tuple[str, bool]] = Counter()
    for row in rows:
        card = judge(contract, row)
        said = {
            "exact": card.sub_scores.get("exact_match") == 1,
            "abstained": card.details["abstention"].startswith("abstained"),
            "invented": card.sub_scores.get("no_hallucination") == 0,
        }
        for which, verdict in said.items():
            wanted = label(row, which)
            if wanted is not None and (which != "invented" or row.get("context")):
                seen[which, verdict == wanted] += 1
                if verdict != wanted:
                    table.wrong.append((name, which, wanted, row["question"], row["answer"]))
    for which in ("exact", "abstained", "invented"):
        n = seen[which, True] + seen[which, False]
        if n:
            table.line(f"{name}: legal {which}", f"{seen[which, True]} of {n} right", "")


def show_judged(data: Path, table: Table) -> None:
    """Print agreement with people on the judged sets."""
    for path in sorted((data / "judged" / "abstention").glob("*.jsonl")):
        rows = [row for row in read(path) if row["label_abstained"] is not None]
        pairs = (
            (declines(r["question"], Statements(r["answer"])).outcome == "yes", r["label_abstained"]) for r in rows
        )
        found = agreement(pairs)
        f1 = 2 * found.both / max(1, 2 * found.both + found.verdict_only + found.label_only)
        table.line(f"{path.stem}: declines", f"F1 {f1:.3f}, kappa {found.kappa:.3f} (n {found.n})", "F1 >= 0.95")
    for path in sorted((data / "judged" / "correctness").glob("evouna*.jsonl")):
        rows = [row for row in read(path) if row["label_correct"] is not None]
        found = agreement((_any_stated(row), bool(row["label_correct"])) for row in rows)
        table.line(f"{path.stem}: states", f"kappa {found.kappa:.3f} (n {found.n})", "NQ >= 0.74, TQ >= 0.80")


def _any_stated(row: Row) -> bool:
    said = Statements(row["answer"])
    return any(states(Point(gold), said, row["question"]).outcome == "yes" for gold in row["gold"])


def show_speed(table: Table) -> None:
    """Print the CPU of reading an answer of some 130 characters for three points, both made from the bundled rows."""
    rows = [row for row in read(OWN / "mention.jsonl") if not row["answer"].isascii()]
    work = []
    for at in range(300):
        parts = [rows[(at * 7 + step * 13) % len(rows)] for step in range(9)]
        answer = "".join(part["answer"] for part in parts)[:133]
        work.append((answer, [Point(part["point"]) for part in parts[:_POINTS]]))
    least = float("inf")
    for _ in range(_ROUNDS):
        begin = time.process_time()
        for answer, prepared in work:
            said = Statements(answer)
            for point in prepared:
                states(point, said)
        least = min(least, time.process_time() - begin)
    table.line("speed: three points", f"{least / len(work) * 1e6:.0f} µs CPU an answer", "<= 400 µs")


def main() -> int:
    """Print the table."""
    folders = [Path(one) for one in sys.argv[1:] if not one.startswith("--")]
    if not folders:
        print(__doc__, file=sys.stderr)
        return 2
    data, rows = folders[0], folders[1] if len(folders) > 1 else folders[0] / "blind"
    table = Table()
    show_points(rows.name, read(rows / "points.jsonl"), table)
    show_refusals(rows.name, read(rows / "refusals.jsonl"), table)
    show_legal(rows.name, read(rows / "legal.jsonl"), table)
    show_points("bundled", read(OWN / "mention.jsonl"), table)
    show_points("t5", read(data / "careful_reading" / "t5_keypoint.jsonl"), table)
    show_judged(data, table)
    show_speed(table)
    for row in table.wrong if "--errors" in sys.argv else ():
        print(*row, sep=" | ")
    return 0


if __name__ == "__main__":
    sys.exit(main())
