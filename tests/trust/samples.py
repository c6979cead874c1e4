"""A small contract and a workbench for tests about stored runs: the code that scores is a set of knobs to turn."""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from ragstone import api
from ragstone.core.interfaces import Source
from ragstone.core.language import Text
from ragstone.core.types import JSON, Answer, Case, Finding, MetricSpec, Reading, Reason, Request, Scorecard
from ragstone.datasets.rows import read_rows
from ragstone.runs.store.folder import RunFolder

KNOBS = {"trim": True, "bar": 1.0}
"""What the parser and the scorer below do; a test turns them to stand for a change of code."""


class Graded:
    """The answer must equal the expected text; how much of it is right counts too."""

    name = task_name = "graded"
    scorer_version = "1"
    prompt_version: str | None = None
    options = frozenset({"bar", "prompt"})
    metrics = (
        MetricSpec(name="exact", label=Text("exact", "一致"), kind="flag", headline=True),
        MetricSpec(name="overlap", label=Text("overlap", "重合"), kind="ratio"),
        MetricSpec(name="missing", label=Text("missing", "缺少"), kind="error", better="lower"),
    )
    phrases: Mapping[str, Text] = {
        "graded": Text("expected {expected:q}, got {got:q}", "预期 {expected:q}，实际 {got:q}")
    }

    def __init__(self, source: Source) -> None:
        self._source = source

    @staticmethod
    def recognises(source: Source) -> bool:
        """Claim nothing: tests name the contract."""
        return False

    def terms(self) -> Mapping[str, JSON]:
        """Record the bar, and a prompt when one is given."""
        prompt = self._source.options.get("prompt")
        return {
            "bar": self._source.options.get("bar"),
            "prompt_sha256": Path(prompt).read_text(encoding="utf-8")[:8] if prompt else None,
        }

    def load(self) -> Iterator[Case | Finding]:
        """Take rows as they are."""
        for row in read_rows(self._source.path):
            if isinstance(row, Finding):
                yield row
                continue
            value = row.value
            if not {"id", "question", "expected"} <= value.keys():
                yield Finding(level="error", code="row.missing", position=row.position, params={"field": "id"})
                continue
            yield Case(
                id=str(value["id"]),
                question=str(value["question"]),
                gold=value["expected"],
                groups={name: (value[name],) for name in ("type", "doc") if name in value},
                position=row.position,
                weight=float(value.get("weight", 1)),
            )

    def check(self, case: Case) -> Iterator[Finding]:
        """Find nothing."""
        return iter(())

    def request(self, case: Case) -> Request:
        """Ask the question."""
        return Request(id=case.id, question=case.question)

    def read(self, case: Case, answer: Answer) -> Reading:
        """Strip the text, or not."""
        if answer.text.startswith("{"):
            return Reading(text=answer.text, rung="failed", problem="brace")
        text = answer.text.strip() if KNOBS["trim"] else answer.text
        return Reading(text=text, fields={"answer": text})

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Compare, and let a near miss pass when the bar is low."""
        expected = str(case.gold)
        same = sum(a == b for a, b in zip(reading.text, expected, strict=False))
        share = same / max(len(expected), len(reading.text), 1)
        scores = {"exact": float(share >= KNOBS["bar"]), "overlap": share, "missing": float(len(expected) - same)}
        reasons = (Reason("exact", "graded", {"expected": expected, "got": reading.text}),)
        passed = share >= float(self._source.options.get("bar", KNOBS["bar"]))
        return Scorecard(primary_score=share, passed=passed, sub_scores=dict(scores), reasons=reasons)

    def model_answer(self, case: Case) -> Answer:
        """Give the expected text."""
        return Answer(text=str(case.gold))


class Lab:
    """Makes runs in a test's folder; `code` stands for the hashes of the code that scores."""

    def __init__(self, folder: Path, patch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.patch = patch
        self.code = {"text": "t1", "reading": "p1", "metrics": "m1", "documents": "d1", "contract": "c1"}
        patch.setattr("ragstone.runs.store.seal.code_sha256", self._hash)

    def _hash(self, folders: Sequence[Path]) -> str:
        (path,) = folders
        return self.code.get(path.name, self.code["contract"])

    def turn(self, package: str, **knobs: JSON) -> None:
        """Change the code of one package."""
        self.code[package] += "+"
        for name, value in knobs.items():
            self.patch.setitem(KNOBS, name, value)

    def rows(self, n: int = 6, **more: JSON) -> list[dict[str, JSON]]:
        """Make rows whose expected answers are all different."""
        kinds = ("fact", "gap")
        return [
            {"id": f"c{i}", "question": f"问{i}？", "expected": f"答案{i:03}", "type": kinds[i % 2], **more}
            for i in range(n)
        ]

    def write(self, name: str, rows: Sequence[JSON]) -> Path:
        """Write a JSONL file."""
        path = self.folder / name
        path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
        return path

    def run(
        self,
        name: str,
        texts: Mapping[str, str | None] | None = None,
        *,
        rows: list[dict[str, JSON]] | None = None,
        **more: JSON,
    ) -> RunFolder:
        """Score the right answers with some of them replaced; None as a text leaves an answer out."""
        cases = rows if rows is not None else self.rows()
        dataset = self.write(more.pop("file", "q.jsonl"), cases)
        given = {row["id"]: row["expected"] for row in cases} | dict(texts or {})
        answers = [{"id": case, "output": text, "latency_ms": 10.0} for case, text in given.items() if text is not None]
        answers += more.pop("more", [])
        replay = self.write(f"{more.pop('model', 'sut')}.jsonl", answers)
        done = api.evaluate(dataset, [f"replay:{replay}"], contract="tests.trust.samples:Graded", run_id=name, **more)
        return RunFolder(done.folder)
