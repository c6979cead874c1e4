"""Recorded answers judged in shards: the same bytes whatever the engine."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path

import pytest

import ragstone
import ragstone.runs.shards as module
from ragstone.api import evaluate, resume
from ragstone.core.errors import RunError, SettingError
from ragstone.core.interfaces import Engine, Shard, Work
from ragstone.core.registry import connect_engine
from ragstone.runs.shards import part_of
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.compare import compare
from ragstone.trust.rescore import rescore
from ragstone.trust.verify import verify
from tests.runs.stopped import leave
from tests.trust.samples import Lab

DATA = Path(ragstone.__file__).parent / "data"
TASK = """
name: mood
prompt_template: mood.yaml
parse_schema:
  - {field: mood, type: enum, values: [good, bad], default: bad}
metrics:
  - {type: exact_match, name: mood, pred_field: mood, label_field: gt_mood}
"""


@pytest.fixture(scope="module", params=["inproc", "process:2"])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine, made once for all tests here."""
    with closing(connect_engine(request.param)) as made:
        yield made


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a few cases make several shards."""
    monkeypatch.setattr(module, "SIZE", 3)


def _key_points(folder: Path, count: int = 11) -> tuple[Path, Path]:
    rows = [{"q": f"第{n}问", "gold": [f"要点{n}"], "doc_hint": [f"d{n % 3}.md"]} for n in range(1, count + 1)]
    said = [
        {"id": f"Q{n}", "output": f"答：要点{n if n % 4 else 0}。（d{n % 2}.md）", "latency_ms": n / 7}
        for n in range(1, count + 1)
        if n != 5
    ]
    return _write(folder / "q.jsonl", rows), _write(folder / "sut.jsonl", said)


def _write(path: Path, rows: Sequence[Mapping[str, object]]) -> Path:
    path.write_text("\n\n".join(json.dumps(row, ensure_ascii=False) for row in rows), encoding="utf-8")
    return path


def _files(folder: Path) -> dict[str, bytes]:
    names = ("answers.jsonl", "results.jsonl", "summary.json", "summary.csv")
    return {name: (folder / name).read_bytes() for name in names}


def test_scoring_gives_the_same_bytes(tmp_path: Path, engine: Engine) -> None:
    """A run that is judged in shards is the run that is judged at once, file for file."""
    dataset, answers = _key_points(tmp_path)
    once = evaluate(dataset, f"replay:{answers}", run_id="r", repeats=2)
    (tmp_path / "runs").rename(tmp_path / "once")
    again = evaluate(dataset, f"replay:{answers}", run_id="r", repeats=2, engine=engine)

    assert _files(tmp_path / "once" / "r") == _files(again.folder)
    assert once.summary == again.summary
    assert once.summary.models["sut"].all.errored == 2


def _eval_json(folder: Path) -> dict[str, object]:
    return {"dataset": DATA / "eval_json_v2" / "question_v2_gate.json", "mock": True, "max_samples": 7}


def _eval_rows(folder: Path) -> dict[str, object]:
    rows = json.loads((DATA / "eval_json_v2" / "question_v2_gate.json").read_bytes())
    return {"dataset": _write(folder / "q.jsonl", rows[:7]), "mock": True}


def _prompt_task(folder: Path) -> dict[str, object]:
    (folder / "mood.task.yaml").write_text(TASK, encoding="utf-8")
    (folder / "mood.yaml").write_text('version: v1\nuser: "{{ text }}"\n', encoding="utf-8")
    rows: list[dict[str, object]] = [{"text": f"字{n}", "gt_mood": "good"} for n in range(7)]
    return {"dataset": _write(folder / "rows.jsonl", rows), "options": {"task": "mood.task.yaml"}, "mock": True}


def _legal(folder: Path) -> dict[str, object]:
    return {"dataset": DATA.parents[2] / "benchmark" / "questions", "mock": True}


@pytest.mark.parametrize("make", [_eval_json, _eval_rows, _prompt_task, _legal])
def test_every_contract_can_be_cut(tmp_path: Path, engine: Engine, make: object) -> None:
    """By bytes where rows are lines, with the cases themselves elsewhere."""
    choice = make(tmp_path)  # type: ignore[operator]
    once = evaluate(**choice, run_id="r")
    (tmp_path / "runs").rename(tmp_path / "once")
    again = evaluate(**choice, run_id="r", engine=engine)

    assert _files(tmp_path / "once" / "r") == _files(again.folder)
    assert once.summary.finished > 3


def test_rescoring_and_verifying_come_to_the_same(tmp_path: Path, engine: Engine) -> None:
    """New journal, new rows and what has drifted are equal with and without an engine."""
    dataset, answers = _key_points(tmp_path)
    folder = RunFolder(evaluate(dataset, f"replay:{answers}", run_id="r").folder)
    first = rescore(folder, tmp_path / "a" / "new").folder
    second = rescore(folder, tmp_path / "b" / "new", engine=engine).folder

    assert _files(first.path) == _files(second.path)
    assert verify(folder, engine) == verify(folder)
    assert verify(folder, engine).status == "identical"


def test_a_changed_row_is_found_by_any_engine(tmp_path: Path, engine: Engine) -> None:
    """Verifying in shards names the row that was tampered with."""
    dataset, answers = _key_points(tmp_path)
    folder = RunFolder(evaluate(dataset, f"replay:{answers}", run_id="r").folder)
    path = folder.path / "results.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"pass":false', b'"pass":true ', 1))

    assert verify(folder, engine).cases == verify(folder).cases
    assert verify(folder, engine).drifted == 1


def test_a_dataset_in_another_order_finds_its_answers(tmp_path: Path, lab: Lab) -> None:
    """Answers are looked up by case where they no longer stand at their number."""
    engine = connect_engine("inproc")
    folder = lab.run("a", {"c1": "错"})
    rows = lab.folder.joinpath("q.jsonl").read_text(encoding="utf-8").splitlines()
    turned = lab.folder / "turned.jsonl"
    turned.write_text("\n".join(reversed(rows)), encoding="utf-8")
    first = rescore(folder, tmp_path / "x" / "new", dataset=turned).folder
    second = rescore(folder, tmp_path / "y" / "new", dataset=turned, engine=engine).folder

    assert _files(first.path) == _files(second.path)
    assert compare(folder, second).paired == len(rows)


@pytest.fixture
def lab(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Lab:
    """Make runs of a small contract in the test's folder."""
    return Lab(tmp_path, monkeypatch)


def test_a_stopped_run_goes_on_with_an_engine(tmp_path: Path, engine: Engine) -> None:
    """What has no answer yet is left out in shards as it is elsewhere, and asked by resume."""
    dataset, answers = _key_points(tmp_path)
    run = evaluate(dataset, f"replay:{answers}", run_id="r", engine=engine)
    whole = _files(run.folder)
    leave(run.folder, slice(2, 7))
    again = resume(run.folder, engine=engine)

    assert again.summary.status == "complete"
    assert _files(again.folder)["results.jsonl"] == whole["results.jsonl"]


def test_workers_with_another_scorer_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Scores of two versions never stand in one run."""
    dataset, answers = _key_points(tmp_path)

    class Elsewhere:
        name = "elsewhere"

        def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
            setup = work.setup.replace(b'"scorer":"', b'"scorer":"0')
            return (module.judge_shard(setup, shard.content) for shard in shards)

        def close(self) -> None:
            pass

    with pytest.raises(RunError, match="another scorer"):
        evaluate(dataset, f"replay:{answers}", engine=Elsewhere())


def test_a_path_the_workers_do_not_see_is_named(tmp_path: Path) -> None:
    """The message says which, and that paths must be shared."""
    dataset, answers = _key_points(tmp_path)
    run = evaluate(dataset, f"replay:{answers}", run_id="r")

    class Far:
        name = "far"

        def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
            setup = work.setup.replace(b"q.jsonl", b"elsewhere.jsonl")
            return (module.judge_shard(setup, shard.content) for shard in shards)

        def close(self) -> None:
            pass

    with pytest.raises(RunError, match=r"does not see .*elsewhere\.jsonl"):
        rescore(RunFolder(run.folder), engine=Far())


@pytest.mark.parametrize(
    ("shard", "cases", "span"),
    [("", 5, (0, 5)), ("1/1", 5, (0, 5)), ("1/3", 10, (0, 3)), ("2/3", 10, (3, 6)), ("3/3", 10, (6, 10))],
)
def test_a_part_is_read(shard: str, cases: int, span: tuple[int, int]) -> None:
    """Parts stand next to each other and make up the whole."""
    assert part_of(shard, cases).span == span


@pytest.mark.parametrize(
    "shard", ["0/0", "0/2", "3/2", "1", "1/", "/2", "a/b", "1/2/3", "-1/2", "1.5/2", "１/２", "6/6"]
)
def test_what_is_no_part_is_refused(shard: str) -> None:
    """Before anything is asked."""
    with pytest.raises(SettingError, match="--shard"):
        part_of(shard, 5)
