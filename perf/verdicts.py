"""All verdicts on all data in one file, so that a change for speed can be shown to change none of them.

uv run python -m perf.verdicts OUT [DATA_DIR]        then compare two such files with cmp

Bundled data, realistic answers and perf/rows; with DATA_DIR also blind, careful_reading, keypoint, evalv2_drcd, judged.
One line an item: its set, its name, and what the reader or the contract made of it.
"""

import json
import sys
import tempfile
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec

from perf import eval_json_v2, scoring
from perf.legal import judge as judge_gap
from perf.loads import SENTENCES
from perf.reading import judge as judge_legal
from perf.reading import points, read
from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.contracts.key_points.cases import Gold, gold_of
from ragstone.contracts.key_points.contract import KeyPoints
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Contract, Source
from ragstone.core.types import Answer, Case, Position
from ragstone.reading.citations.find import find_citations
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.refusals.declines import declines
from ragstone.reading.statements import Statements
from ragstone.reading.values.support import Evidence, unsupported
from ragstone.reading.values.values import values

ROWS = Path(__file__).parent / "rows"
OWN = Path(__file__).parents[1] / "tests" / "data"
SENTENCES_READ = 1500
_LONGEST_SOURCE = 600
Item = tuple[str, str, object]


def items(data: Path | None) -> Iterator[Item]:
    """Yield everything that is decided: a set, a name in it, and the outcome."""
    yield from _bundled()
    yield from _sentences()
    for folder in [*sorted(one for one in ROWS.iterdir() if one.is_dir()), *([data / "blind"] if data else [])]:
        yield from _rows(folder)
    for path in sorted(OWN.glob("*.jsonl")):
        yield from _texts(f"own {path.stem}", read(path))
    if data:
        yield from _shared(data)


def _bundled() -> Iterator[Item]:
    with tempfile.TemporaryDirectory() as folder:
        for contract, pairs in (
            scoring._eval_json_v2(),
            scoring._prompt_task(Path(folder)),
            scoring._key_points(),
            scoring._legal_rag(),
        ):
            yield from _scored(f"bundled {contract.name}", contract, pairs)


def _scored(name: str, contract: Contract, pairs: Sequence[tuple[Case, Answer]]) -> Iterator[Item]:
    for at, (case, answer) in enumerate(pairs):
        reading = contract.read(case, answer)
        yield name, f"{case.id}#{at}", [reading, contract.score(case, reading)]


def _sentences() -> Iterator[Item]:
    contract = KeyPoints(Source(path=Path("nowhere.jsonl")))
    for at, turn in enumerate(islice(SENTENCES.turns(), SENTENCES_READ)):
        gold = Gold(tuple(turn.gold), ())
        case = Case(id=str(at), question=turn.question, gold=gold, position=Position("load"))
        yield from _scored("sentences", contract, [(case, Answer(text=turn.answer))])


def _rows(folder: Path) -> Iterator[Item]:
    for at, (question, answer, point, _) in enumerate(points(read(folder / "points.jsonl"))):
        yield f"{folder.name} points", str(at), states(Point(point), Statements(answer), question)
    for at, row in enumerate(read(folder / "refusals.jsonl")):
        yield f"{folder.name} refusals", str(at), declines(row["question"], Statements(row["answer"]))
    contract = LegalRag(Source(path=Path("nowhere.json")))
    for at, row in enumerate(read(folder / "legal.jsonl")):
        yield f"{folder.name} legal", str(at), judge_legal(contract, row)
    for name in ("points", "refusals", "legal"):
        yield from _texts(f"{folder.name} {name}", read(folder / f"{name}.jsonl"))


def _texts(name: str, rows: Sequence[dict[str, Any]]) -> Iterator[Item]:
    """What is found in every text of some rows: values, citations, refusals, and points of short ones in others."""
    for at, row in enumerate(rows):
        for field, text in row.items():
            if isinstance(text, str) and len(text) > 1 and field not in _LABELS:
                yield f"{name} {field}", str(at), [values(text), find_citations(text)]
        point, answer = row.get("point") or row.get("question") or row.get("q"), row.get("answer")
        if isinstance(point, str) and isinstance(answer, str):
            said = Statements(answer)
            yield f"{name} asked", str(at), [states(Point(point), said), declines(point, said)]


_LABELS = frozenset(("id", "cat", "lang", "source", "model", "licence", "label_by", "group", "note", "task", "ctx"))


def _shared(data: Path) -> Iterator[Item]:
    for path in sorted((data / "careful_reading").glob("*.jsonl")):
        yield from _texts(path.stem, read(path))
    for row in read(data / "careful_reading" / "t7_specifics.jsonl"):
        found = unsupported(row["answer"], Evidence.prepare(row["context"]), row["question"])
        yield "t7 unsupported", row["id"], found
    yield from _keypoint(data / "keypoint")
    documents = data / "evalv2_drcd" / "documents"
    contract = EvalJsonV2(Source(path=data / "evalv2_drcd" / "question_v2_drcd.json", documents=documents))
    cases = [case for case in contract.load() if isinstance(case, Case)]
    pieces = eval_json_v2.pieces_of(documents)
    given = [eval_json_v2.realistic(contract.model_answer(case), pieces, at) for at, case in enumerate(cases)]
    yield from _scored("evalv2_drcd", contract, list(zip(cases, given, strict=True)))
    yield from _judged(data / "judged")


def _keypoint(folder: Path) -> Iterator[Item]:
    """Score perfect answers, and passages of the documents as answers."""
    contract = KeyPoints(Source(path=folder / "cases.jsonl", documents=folder / "documents"))
    for case in contract.load():
        assert isinstance(case, Case)
        gold = gold_of(case)
        page = (folder / "documents" / gold.documents[0]).read_text("utf-8")
        at = max(0, page.find(gold.points[0]) - _LONGEST_SOURCE // 2)
        passage = Answer(text=f"{page[at : at + _LONGEST_SOURCE]}（{gold.documents[0]}）")
        yield from _scored("keypoint", contract, [(case, contract.model_answer(case)), (case, passage)])


def _judged(folder: Path) -> Iterator[Item]:
    contract = LegalRag(Source(path=Path("nowhere.json")))
    for path in sorted(folder.glob("*/*.jsonl")):
        for row in read(path):
            said, name = Statements(row["answer"]), f"judged {path.stem}"
            yield f"{name} declines", row["id"], declines(row["question"], said)
            yield f"{name} states", row["id"], [states(Point(gold), said, row["question"]) for gold in row["gold"]]
            if path.parent.name != "correctness":
                yield f"{name} legal", row["id"], judge_gap(contract, row, should_abstain=len(row["id"]) % 2 == 0)
            yield f"{name} found", row["id"], [values(row["answer"]), find_citations(row["answer"])]


def main() -> int:
    """Write the file."""
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    data = Path(sys.argv[2]) if len(sys.argv) == 3 else None
    with Path(sys.argv[1]).open("w", encoding="utf-8") as out:
        for name, item, outcome in items(data):
            plain = msgspec.to_builtins(outcome, order="sorted", enc_hook=repr)
            out.write(json.dumps([name, item, plain], ensure_ascii=False, sort_keys=True) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
