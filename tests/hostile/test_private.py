"""A person's own numbers are shown to no reader of a run that hides them, in no report and on no page."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ragstone.core.settings import Settings
from tests.conftest import Cli
from tests.web.site import Site, serving

PHONE, CARD = "13812345678", "110101199003078515"
OTHER, FOREIGN = "13987654321", "440301198502036627"
BOTH = f"电话{PHONE}，证件{CARD}"
KEPT = {"q.jsonl", "a.jsonl", "b.jsonl", "results.jsonl", "answers.jsonl", "summary.json"}
"""What the user wrote, the two files that keep everything by design, and the one that names groups by their values."""
FORMS = [number[:8] for number in (PHONE, CARD, OTHER, FOREIGN)]
ROWS = [
    {
        "q": f"联系{BOTH}的是谁（{number}）？",
        "gold": [f"{BOTH}属于王五"],
        "doc_hint": [f"{CARD}.md"],
        "tags": [f"组{PHONE}"],
    }
    for number in range(3)
]


def _answer(number: int, text: str) -> dict[str, object]:
    context = {"source_path": f"{PHONE}.md", "page": 1, "text": f"{'前' * 60}{BOTH}"}
    citation = {"file": f"{CARD}.md", "page": 2, "quote": BOTH}
    return {"id": f"Q{number + 1}", "output": text, "contexts": [context], "citations": [citation]}


RIGHT = [_answer(number, f"{BOTH}属于王五（{CARD}.md）") for number in range(3)]
WRONG = [
    _answer(0, f"材料没有提到{OTHER}，参见 https://x.example/?t={OTHER}（{FOREIGN}.md）"),
    _answer(1, json.dumps({"phone": int(OTHER), "id": FOREIGN, "wrong": f"q-{FOREIGN}"})),
    _answer(2, "字" * 3995 + OTHER),
    {"id": f"客户{PHONE}", "output": "谁的也不是"},
]


@pytest.fixture
def runs(inside: Cli, write_rows: Callable[..., Path]) -> Iterator[list[str]]:
    """Two masked runs, and all that was shown while they were made."""
    questions = write_rows("q.jsonl", *ROWS)
    shown = []
    for name, answers in (("a", RIGHT), ("b", WRONG)):
        file = write_rows(f"{name}.jsonl", *answers)
        done = inside("score", questions, file, "--mask-private", "--run-id", name)
        assert "Traceback" not in done.stderr
        shown.append(done.stdout + done.stderr)
    yield shown


def _leaks(*shown: str) -> list[str]:
    return [text[max(0, text.find(form) - 90) :][:160] for text in shown for form in FORMS if form in text]


def _written(folder: Path) -> list[str]:
    files = (path for path in folder.rglob("*") if path.is_file() and path.name not in KEPT)
    return [leak for path in files for leak in _leaks(f"{path.name}: {path.read_text('utf-8', 'replace')}")]


def test_a_run_that_hides_shows_nothing_private(runs: list[str], tmp_path: Path) -> None:
    """Lines, Notes, both reports and the table hide; results.jsonl and answers.jsonl keep everything."""
    assert _leaks(*runs) == []
    assert _written(tmp_path) == []
    assert PHONE in (tmp_path / "runs/b/results.jsonl").read_text("utf-8")
    assert CARD in (tmp_path / "runs/b/answers.jsonl").read_text("utf-8")


COMMANDS: list[list[str]] = [
    ["report", "b"],
    ["report", "b", "--lang", "en"],
    ["report", "b", "--format", "markdown", "--lang", "en"],
    ["report", "b", "--format", "csv"],
    ["runs"],
    ["compare", "a", "b", "--markdown", "compared.md"],
    ["compare", "a", "b", "--lang", "en"],
    ["compare", "a", "b", "--json"],
    ["gate", "b", "-b", "a", "-r", "no_new_failures", "--junit", "j.xml", "--markdown", "g.md", "--github"],
    ["gate", "b", "-b", "a", "-r", "no_new_failures", "--json"],
    ["verify", "b"],
    ["rescore", "b", "--out", "runs/c"],
]


def test_what_comes_after_a_run_hides_too(
    inside: Cli, runs: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """report, compare, gate with all it writes, verify and rescore."""
    monkeypatch.setenv("GITHUB_STEP_SUMMARY", str(tmp_path / "step.md"))
    done = [inside(*words) for words in COMMANDS]

    assert _leaks(*(one.stdout + one.stderr for one in done)) == []
    assert _written(tmp_path) == []
    assert not any("Traceback" in one.stderr for one in done)
    assert all("*78" in Path(name).read_text("utf-8") for name in ("j.xml", "g.md", "step.md", "compared.md"))


PAGES = [
    "/eval/runs/b",
    "/eval/runs/b/cases/1",
    "/eval/runs/b/cases/2",
    "/eval/compare?first=a&second=b",
    "/api/v1/runs/b/cases?limit=50",
    "/api/v1/runs/b/cases/1",
    "/api/v1/runs/b/cases/3",
    "/api/v1/compare?first=a&second=b",
    "/api/v1/runs/b/artefacts/report.html?view=true",
    "/api/v1/runs/b/artefacts/cases.csv",
]


@pytest.mark.usefixtures("runs")
def test_the_page_hides_too(tmp_path: Path) -> None:
    """The run, its cases, the comparison, the API behind them and what can be taken away."""
    with serving(Settings(runs_dir=str(tmp_path / "runs"))) as site:
        replies = {path: site.get(path) for path in PAGES}

    assert {path: leaks for path, one in replies.items() if (leaks := _leaks(one.text))} == {}
    assert {one.status for one in replies.values()} == {200}
    assert all("***78" in replies[path].text for path in PAGES[:-2])


def _shows(site: Site, path: str) -> bool:
    return OTHER in site.get(path).text


def test_settings_hide_what_a_run_did_not(
    inside: Cli, write_rows: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A reader who wants it hidden sees nothing of a run that was made without."""
    inside("score", write_rows("q.jsonl", *ROWS), write_rows("b.jsonl", *WRONG), "--run-id", "b")
    open_text = inside("report", "b").stdout
    monkeypatch.setenv("RAGSTONE_MASK_PRIVATE", "1")

    assert _leaks(open_text) != []
    assert _leaks(inside("report", "b").stdout, inside("report", "b", "--format", "markdown").stdout) == []
    runs = str(tmp_path / "runs")
    with serving(Settings(runs_dir=runs)) as site, serving(Settings(runs_dir=runs, mask_private=True)) as hiding:
        assert _shows(site, "/eval/runs/b/cases/1") and not _shows(hiding, "/eval/runs/b/cases/1")


def test_ping_hides_what_the_settings_hide(inside: Cli, write_rows: Callable[..., Path]) -> None:
    """One question asked by hand is hidden like a run's."""
    answers = write_rows("b.jsonl", *WRONG)
    done = inside("ping", write_rows("q.jsonl", *ROWS), "-s", f"replay:{answers}", env={"RAGSTONE_MASK_PRIVATE": "1"})

    assert "*78" in done.stdout and _leaks(done.stdout + done.stderr) == []


def test_a_field_that_holds_no_number_is_told(inside: Cli, write_rows: Callable[..., Path]) -> None:
    """A latency that is a word is left out, and that is said."""
    answers = write_rows("a.jsonl", *({**row, "latency_ms": "fast"} for row in RIGHT))
    done = inside("score", write_rows("q.jsonl", *ROWS), answers)

    assert "a.jsonl:1: 'latency_ms' is 'fast'" in done.stderr and "3 such" in done.stderr
