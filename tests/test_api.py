"""The Python door, and what holds for every run."""

import asyncio
import json
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from ragstone.api import plan_run, reopen
from ragstone.core.errors import DatasetError, RunError, SettingError
from ragstone.core.settings import Settings
from ragstone.core.types import Answer
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.verify import verify
from tests.runs.stopped import leave

Write = Callable[..., Path]
ROWS = [{"q": f"问题 {n}", "gold": [f"要点{n}"], "doc_hint": [f"d{n}.md"]} for n in range(40)]


async def _answer(question: str) -> Answer:
    number = int(question.split()[1])
    await asyncio.sleep((number * 7 % 5) / 1000)
    return Answer(text=f"要点{number}，见 d{number % 30}.md", latency_ms=1.0)


@pytest.mark.parametrize("concurrency", [1, 3, 64])
def test_r0_3_equal_bytes_with_any_concurrency(write_rows: Write, tmp_path: Path, concurrency: int) -> None:
    """R0.3: the order of arrival leaves no trace in results.jsonl."""
    path = write_rows("q.jsonl", *ROWS)

    def run(name: str, width: int) -> bytes:
        settings = Settings(runs_dir=str(tmp_path / name), concurrency=width)
        return (ragstone.evaluate(path, _answer, run_id="r", settings=settings).folder / "results.jsonl").read_bytes()

    assert run("one", 1) == run("many", concurrency)


async def test_aevaluate_runs_in_a_programs_own_loop(write_rows: Write) -> None:
    """An async program need not give up its loop."""
    run = await ragstone.aevaluate(write_rows("q.jsonl", *ROWS[:3]), _answer)

    assert [result.sample_id for result in run.results()] == ["Q1", "Q2", "Q3"]


def test_several_systems_and_repeats_share_a_run(write_rows: Write) -> None:
    """Each model has its own figures; rows come case by case."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:2]), [_answer, str.upper], repeats=2)

    rows = [(r.sample_id, r.model_id, r.repeat) for r in run.results()]
    assert (
        rows[:4] == [("Q1", "_answer", 0), ("Q1", "_answer", 1), ("Q1", "upper", 0), ("Q1", "upper", 1)]
        or rows[2][1] == "str.upper"
    )
    assert len(rows) == 8
    assert {figures.all.cases for figures in run.summary.models.values()} == {4}


def test_mock_is_a_perfect_dry_run(write_rows: Write) -> None:
    """The contract's own answers stand in; nothing is asked."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:3]), mock=True)

    assert run.summary.models["mock"].all.pass_rate == 1.0


def test_max_samples_takes_the_first(write_rows: Write) -> None:
    """A short run is the beginning of the long one."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS), _answer, max_samples=2)

    assert run.summary.expected == 2
    assert run.summary.status == "complete"


def test_nothing_to_ask_is_refused(write_rows: Write) -> None:
    """A run without a system names the ways to give one."""
    with pytest.raises(SettingError, match="--system"):
        ragstone.evaluate(write_rows("q.jsonl", *ROWS))


def test_a_run_needs_its_object_back_to_resume(write_rows: Write) -> None:
    """What cannot be made again from its name must be passed again."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:2]), _answer)

    with pytest.raises(SettingError, match="pass it again"):
        ragstone.resume(run.folder)
    assert ragstone.resume(run.folder, _answer).summary.results_digest == run.summary.results_digest


def test_a_taken_run_id_is_refused(write_rows: Write) -> None:
    """Two runs do not share a folder."""
    path = write_rows("q.jsonl", *ROWS[:2])
    ragstone.evaluate(path, _answer, run_id="r")

    with pytest.raises(RunError, match="exists already"):
        ragstone.evaluate(path, _answer, run_id="r")


def test_duplicate_ids_are_refused(write_rows: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    """A contract whose rows carry ids is held to their being different."""
    data = Path(ragstone.__file__).parent / "data" / "new" / "contract"
    monkeypatch.syspath_prepend(str(data))
    row = {"id": "1", "question": "?", "expected": "x"}

    with pytest.raises(DatasetError) as caught:
        ragstone.evaluate(write_rows("q.jsonl", row, row), _answer, contract="my_contract:SameText")

    assert [finding.code for finding in caught.value.findings] == ["row.duplicate_id"]


def test_secrets_stay_out_of_the_folder(write_rows: Write) -> None:
    """A key given as an option is masked in every file."""
    options = {"api_key": "sk-canary", "headers": {"Authorization": "Bearer sk-canary"}}
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:1]), mock=True, system_options=options)

    for path in run.folder.iterdir():
        assert b"sk-canary" not in path.read_bytes(), path.name


def test_run_meta_holds_what_makes_a_run_repeatable(write_rows: Write) -> None:
    """The names contract 4 demands are there for every run."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:1]), _answer)
    meta = json.loads((run.folder / "run_meta.json").read_bytes())

    names = {"prompt_sha256", "prompt_version", "index_version", "model_id", "adapter_id", "eval_set_version"}
    assert names <= meta.keys()
    assert meta["eval_set_version"].startswith("q@")
    assert meta["status"] == "complete"
    assert len(meta["scorer_sha256"]) == 64


def _folders(tmp_path: Path) -> tuple[str, str]:
    for name, text in (("d1", "要点0在此。"), ("d2", "别的内容。")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "d0.md").write_text(f"# 问题 0\n\n{text}\n", encoding="utf-8")
    return f"builtin:{tmp_path / 'd1'}", f"builtin:{tmp_path / 'd2'}"


def test_systems_of_one_model_are_told_apart_by_what_they_were_asked_for_as(write_rows: Write, tmp_path: Path) -> None:
    """Each has figures of its own, and the run can be verified."""
    specs = _folders(tmp_path)
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:2]), list(specs))

    assert {name: figures.all.cases for name, figures in run.summary.models.items()} == dict.fromkeys(specs, 2)
    assert verify(RunFolder.open(run.folder)).status == "identical"
    assert ragstone.resume(run.folder).summary.results_digest == run.summary.results_digest


def test_systems_of_one_model_go_by_the_names_of_their_tables(write_rows: Write, tmp_path: Path) -> None:
    """[systems.prod] and [systems.staging] ask the same model elsewhere."""
    tables = [{"system": "chat:m", "base_url": f"http://127.0.0.1:{port}/v1"} for port in (1, 2)]
    settings = Settings(systems=dict(zip(("prod", "staging"), tables, strict=True)))
    plan, _ = plan_run(write_rows("q.jsonl", *ROWS[:2]), ["prod", "staging"], settings=settings)

    assert plan.model_ids == ("prod", "staging")
    assert len({str(system.identity()) for system in plan.systems}) == 2


def test_systems_that_cannot_be_told_apart_are_refused(write_rows: Write, tmp_path: Path) -> None:
    """Nothing is asked and no folder is made."""
    asked: list[str] = []
    with pytest.raises(SettingError, match="2 systems are called"):
        ragstone.evaluate(write_rows("q.jsonl", *ROWS[:2]), [asked.append, asked.append])
    with pytest.raises(SettingError, match="could not be told apart"):
        ragstone.evaluate(write_rows("q.jsonl", *ROWS[:2]), [_folders(tmp_path)[0]] * 2)

    assert not asked
    assert not list(tmp_path.glob("runs/*"))


@pytest.mark.parametrize(("given", "expected"), [(None, 2), (5, 5)])
def test_resume_asks_as_many_at_once_as_the_run_did(write_rows: Write, given: int | None, expected: int) -> None:
    """The width and the time limit a run began with are kept unless others are given."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS), _answer, settings=Settings(concurrency=2, timeout=7.0))
    leave(run.folder, slice(0))
    flying = most = 0

    async def counted(question: str) -> Answer:
        nonlocal flying, most
        flying += 1
        most = max(most, flying)
        answer = await _answer(question)
        flying -= 1
        return answer

    ragstone.resume(run.folder, counted, concurrency=given)

    assert most == expected
    assert reopen(RunFolder.open(run.folder), [counted], Settings()).timeout == 7.0


async def test_evaluate_works_where_a_loop_is_running(write_rows: Write) -> None:
    """A notebook has a loop of its own; the plain call works there, too."""
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:3]), _answer)

    assert [result.sample_id for result in run.results()] == ["Q1", "Q2", "Q3"]


def test_a_run_shows_itself_in_a_notebook(write_rows: Write) -> None:
    """Figures, chart and failures, escaped; what failed can be taken out."""
    rows = [*ROWS[:2], {"q": "问题 9", "gold": ["<b>要点</b>"], "doc_hint": []}]
    run = ragstone.evaluate(write_rows("q.jsonl", *rows), _answer)

    shown = run._repr_html_()

    assert '<svg class="chart distribution"' in shown and "准确率" in shown and "<b>要点</b>" not in shown
    assert [result.sample_id for result in run.failures()] == ["Q3"]


def test_a_run_is_compared_with_another(write_rows: Write) -> None:
    """The newer run's `compare` takes a run or a folder."""
    path = write_rows("q.jsonl", *ROWS[:2])
    first = ragstone.evaluate(path, _answer, run_id="a")
    second = ragstone.evaluate(path, str.upper, run_id="b")

    compared = second.compare(first)
    assert compared.broken == second.compare(first.folder).broken == 2
    assert str(compared).splitlines()[-1] in compared._repr_html_()
    assert "2" in str(compared).splitlines()[-1] and "Comparison(" not in str(compared)
    assert str(first).startswith("[EVAL]") and str(first).endswith(str(first.folder))


@pytest.mark.parametrize(("library", "method"), [("pandas", "to_pandas"), ("polars", "to_polars")])
def test_results_become_a_table(write_rows: Write, library: str, method: str) -> None:
    """A row a result, a column a metric, for either library."""
    pytest.importorskip(library)
    run = ragstone.evaluate(write_rows("q.jsonl", *ROWS[:2]), _answer)

    table = getattr(run, method)()

    assert list(table["sample_id"]) == ["Q1", "Q2"] and list(table["accuracy"]) == [1.0, 1.0]
