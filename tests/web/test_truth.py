"""What the page, the reports and the JSON say of runs that measured nothing, measured no system, or several."""

import json
import re
from pathlib import Path

import pytest

import ragstone
from ragstone.core.settings import Settings
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.status import read_summary
from tests.web.site import ROWS, SYSTEMS, Site, furnish, refused, serving


@pytest.fixture
def down(tmp_path: Path) -> Path:
    """A run whose endpoint refused every connection."""
    furnish(tmp_path)
    return refused("down")


def test_a_run_that_measured_nothing_has_no_figures(down: Path) -> None:
    """JSON says null, the reports and the console a dash; the reason of the stop is kept and told everywhere."""
    summary = json.loads((down / "summary.json").read_text())
    meta = json.loads((down / "run_meta.json").read_text())
    (figures,) = summary["models"].values()

    assert (figures["all"]["cases"], figures["all"]["pass_rate"], figures["all"]["primary_score"]) == (0, None, None)
    assert "refused" in meta["stop_reason"]["en"] and "中断" in meta["stop_reason"]["zh-Hans"]
    for name in ("report.md", "report.html"):
        text = (down / name).read_text()
        assert "0/3" in text and "未测得" in text and meta["stop_reason"]["zh-Hans"][:8] in text
        assert "0.0%" not in text and "0.0000" not in text


def test_the_page_says_that_nothing_was_measured_and_why(down: Path) -> None:
    """No share of nothing, nobody passed, and the reason stands at the top."""
    with serving(Settings()) as site:
        page = site.get("/eval/runs/down?lang=en").text
        start = site.get("/eval?lang=en").text
        history = site.get("/eval/history?lang=en").text

    assert "Not measured: 0 of 3 answers" in page and "refused" in page
    assert "No case was asked" in page
    assert "0.0%" not in page and "0.000" not in page and "passed." not in page
    assert "not measured" in start and "not measured" in history


def test_passed_is_said_only_of_what_was_asked(site: Site, tmp_path: Path) -> None:
    """A run that was stopped after one right answer does not say that every case passed."""
    run_id = site.run("slow", max_samples=1)
    for name in ("summary.json", "run_meta.json"):
        path = tmp_path / "runs" / run_id / name
        path.write_text(path.read_text().replace('"complete"', '"partial"').replace('"expected": 1', '"expected": 3'))
    with serving(Settings(systems=SYSTEMS)) as other:
        page = other.get(f"/eval/runs/{run_id}?lang=en").text

    assert "The 1 case answered so far passed" in page
    assert "PARTIAL: 1 of 3" in page


def test_an_old_summary_still_opens(down: Path) -> None:
    """Runs of older versions have 0 where nothing was measured, and say nothing of reasons and dry runs."""
    path = down / "summary.json"
    old = json.loads(path.read_text())
    for name in ("dry_run", "stop_reason"):
        del old[name]
    old["models"] = {}
    path.write_text(json.dumps(old))

    assert read_summary(RunFolder(down)).models == {}
    with serving(Settings()) as site:
        assert "not measured" in site.get("/eval/runs/down?lang=en").text


def _main(site: Site, path: str) -> str:
    """Return what a page shows besides its frame; the choice of a system is not a figure."""
    shown = site.get(path).text.split("<main")[1].split("</main>")[0]
    return shown.split("<aside")[-1] if path.startswith("/eval?") else shown


def test_a_dry_run_is_marked_wherever_a_figure_stands(site: Site, tmp_path: Path) -> None:
    """Page, case, history, start, comparison, both reports and summary.json; it stays out of trends."""
    first, second, asked = site.run("mock"), site.run("mock"), site.run("recorded")
    folder = tmp_path / "runs" / first
    paths = [f"/eval/runs/{first}", f"/eval/runs/{first}/cases/1", f"/eval/compare?first={first}&second={asked}"]
    paths += [f"/eval/matrix?run={first}&run={asked}", f"/eval/matrix/case?run={first}&run={asked}&place=1"]
    paths += [f"/eval/runs/{first}/matrix", f"/eval/review/{first}", f"/eval/review/{first}/lead"]

    for path in [*paths, "/eval", "/eval/history", "/eval/review"]:
        assert "dry run" in _main(site, f"{path}{'&' if '?' in path else '?'}lang=en"), path
    assert all("试运行" in (folder / name).read_text() for name in ("report.md", "report.html"))
    assert json.loads((folder / "summary.json").read_text())["dry_run"] is True
    assert "chart trend" not in site.get("/eval/history").text
    assert "dry run" not in _main(site, f"/eval/runs/{asked}?lang=en")
    assert second in site.get("/eval/history").text


@pytest.mark.parametrize(
    ("documents", "proposed"), [(True, 'value="builtin" data-kind="builtin" checked'), (False, "")]
)
def test_a_dry_run_is_never_proposed(tmp_path: Path, documents: bool, proposed: str) -> None:
    """With nothing configured the built-in RAG is offered where there are documents; elsewhere the user is asked."""
    furnish(tmp_path)
    if documents:
        (tmp_path / "datasets" / "documents").mkdir()
    with serving(Settings()) as site:
        page = site.get("/eval").text

    assert 'data-kind="mock" checked' not in page
    assert page.count('name="system"') - page.count("checked") == (3 - 2 if documents else 3 - 1)
    assert proposed in page


def test_one_population_a_view(tmp_path: Path) -> None:
    """With several models the cards, the distribution, the errors and the cases are those of one of them."""
    furnish(tmp_path)
    right = [{"id": f"Q{n}", "output": "".join([*row["gold"], *row["doc_hint"]])} for n, row in enumerate(ROWS, 1)]
    (tmp_path / "right.jsonl").write_text("".join(json.dumps(one) + "\n" for one in right))
    specs = ["replay:right.jsonl", "replay:answers.jsonl"]
    ragstone.evaluate("datasets/library.jsonl", specs, run_id="two", settings=Settings())
    with serving(Settings()) as site:
        default = site.get("/eval/runs/two?lang=en").text
        other = site.get("/eval/runs/two?lang=en&model=answers").text
        case = site.get("/eval/runs/two/cases/2?lang=en").text
        history = site.get("/eval/history?lang=en").text

    assert "All 3 cases passed." in default and 'data-model="right"' in default
    assert "How many of 3 cases" in default and "How many of 3 cases" in other
    assert "Q3 @answers" in other and "@right" not in other.split('id="errors"')[1]
    assert "Model: <b>answers</b>" in case
    assert "right: accuracy 100.0%" in history and "answers: accuracy" in history


def test_the_servers_console_has_the_lines_of_a_run(tmp_path: Path) -> None:
    """As contract 2 shows them: the beginning, a line a case, the end."""
    furnish(tmp_path)
    lines: list[str] = []
    with serving(Settings(systems=SYSTEMS), lines.append) as site:
        site.run()

    assert lines[0] == "[EVAL] 评测开始，总用例数：3"
    assert lines[1] == "[EVAL] Q1 - 准确率：√ | 引用率：√"
    assert lines[-1].startswith("[EVAL] 评测完成 - 整体准确率：66.7% | 整体引用率：")


@pytest.mark.parametrize(("language", "example"), [("en-GB", "demo-en"), ("zh-CN", "demo-zh")])
def test_the_first_example_is_in_the_readers_language(language: str, example: str) -> None:
    """With no dataset of one's own the example one can read is chosen."""
    with serving(Settings()) as site:
        page = site.get("/eval", **{"Accept-Language": language}).text

    assert f'value="{example}" data-documents="1" checked' in page


def _many(count: int, right: int) -> list[dict[str, str]]:
    return [{"id": f"Q{n}", "output": f"第{n}项 a.md" if n <= right else "不知道"} for n in range(1, count + 1)]


def test_every_regression_and_improvement_can_be_reached(tmp_path: Path) -> None:
    """All are counted, and paged through; `a` and `b` name the runs as well."""
    rows = [{"q": f"问题{n}？", "gold": [f"第{n}项"], "doc_hint": ["a.md"]} for n in range(1, 261)]
    furnish(tmp_path, rows, _many(260, 130))
    turned = [
        {"id": one["id"], "output": "不知道" if n < 120 else f"第{n + 1}项 a.md"} for n, one in enumerate(_many(260, 0))
    ]
    (tmp_path / "turned.jsonl").write_text("".join(json.dumps(one) + "\n" for one in turned))
    for name, answers in (("one", "answers"), ("two", "turned")):
        ragstone.evaluate("datasets/library.jsonl", f"replay:{answers}.jsonl", run_id=name, settings=Settings())
    with serving(Settings()) as site:
        page = site.get("/eval/compare?a=one&b=two&lang=en").text
        fixed = site.get("/eval/compare?first=one&second=two&kind=fixed&start=100&lang=en").text
        api = site.get("/api/v1/compare?first=one&second=two").json

    assert "1–50 of 120" in page and page.count('<li class="broken">') == 50 and "start=50" in page
    assert "101–130 of 130" in fixed and fixed.count('<li class="fixed">') == 30
    assert (api["broken"], api["fixed"], len(api["changes"])) == (120, 130, 250)


def test_every_score_that_moved_can_be_reached(tmp_path: Path) -> None:
    """Cases that fail as before, with another score: more than a report lists, and all are paged through."""
    rows = [{"q": f"问题{n}？", "gold": [f"第{n}项"], "doc_hint": ["a.md"]} for n in range(1, 261)]
    furnish(tmp_path, rows, _many(260, 0))
    (tmp_path / "cited.jsonl").write_text(
        "".join(json.dumps({"id": f"Q{n}", "output": "不知道 a.md"}) + "\n" for n in range(1, 261))
    )
    for name, answers in (("one", "answers"), ("two", "cited")):
        ragstone.evaluate("datasets/library.jsonl", f"replay:{answers}.jsonl", run_id=name, settings=Settings())
    with serving(Settings()) as site:
        page = site.get("/eval/compare?a=one&b=two&kind=moved&start=250&lang=en").text

    assert "251–260 of 260" in page and page.count('<li class="moved">') == 10
    assert page.count("citation rate × → √") == 10 and "0.000 → 0.000" not in page


def test_what_measured_no_system_is_not_proposed_for_comparison(site: Site, down: Path) -> None:
    """The newest two that were measured are chosen, unless a link names another; nothing is there to review."""
    asked = [site.run(), site.run()]
    site.run("mock")
    refused("later")
    page = site.get("/eval/compare?lang=en").text
    named = site.get("/eval/compare?first=later&lang=en").text

    chosen = [re.findall(r'value="([^"]+)"[^>]*selected', text.split("<main")[1]) for text in (page, named)]
    assert sorted(chosen[0]) == sorted(asked)
    assert chosen[1][1] == "later"
    assert "/eval/review/down" not in site.get("/eval/review").text


def test_a_case_that_is_not_in_the_list_of_its_link_says_so(site: Site) -> None:
    """A filter in the address that does not fit is not passed over in silence."""
    run = site.run()

    assert "not in the list of this link" in site.get(f"/eval/runs/{run}/cases/1?state=missed&lang=en").text
    assert "not in the list" not in site.get(f"/eval/runs/{run}/cases/2?state=missed&lang=en").text
    assert "not in the list" not in site.get(f"/eval/runs/{run}/cases/1?lang=en").text


def test_the_two_examples_are_told_apart(tmp_path: Path) -> None:
    """Their files have one name; a single run is not called none where two are compared."""
    with serving(Settings()) as site:
        none = site.get("/eval/compare?lang=en").text
        site.run("builtin", dataset="demo-en")
        one = site.get("/eval/compare?lang=en").text
        site.run("builtin", dataset="demo-zh")
        history = site.get("/eval/history?lang=en").text

    assert "No runs yet" in none and "No runs yet" not in one and "comparing takes two" in one
    assert ">demo-en</a>" in history and ">demo-zh</a>" in history and "questions.jsonl" not in history
