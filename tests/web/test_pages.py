"""The pages, as the server writes them: every contract, every language, every state a run can be in."""

import json
import re
from itertools import product
from pathlib import Path

import pytest

import ragstone
from ragstone.core.language import LANGS
from ragstone.core.settings import DatasetEntry, Settings
from ragstone.web.pages.render import LANGUAGE_NAMES, _tree
from ragstone.web.words import say
from tests.reviewing.runs import rows_of
from tests.web.site import SYSTEMS, Site, furnish, serving

DATA = Path(ragstone.__file__).parent / "data"
ROOT = Path(__file__).parents[2]
TASK = DATA / "prompt_task"


def _datasets() -> dict[str, DatasetEntry]:
    """Name a dataset of each contract."""
    named = {
        "key_points": DatasetEntry(path=str(DATA / "key_points" / "questions.jsonl")),
        "eval_json_v2": DatasetEntry(path=str(DATA / "eval_json_v2" / "question_v2_gate.json")),
        "legal_rag": DatasetEntry(path=str(ROOT / "benchmark" / "questions")),
    }
    options = {"task": str(TASK / "tasks" / "event_eval.yaml")}
    rows = str(TASK / "datasets" / "event_eval.jsonl")
    return named | {"prompt_task": DatasetEntry(path=rows, contract="prompt_task", options=options)}


@pytest.mark.parametrize("contract", ["key_points", "eval_json_v2", "legal_rag", "prompt_task"])
def test_every_contract_is_shown_by_what_it_declares(tmp_path: Path, contract: str) -> None:
    """No page knows a contract; all of them come out with their metrics, cases and gold."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, datasets=_datasets())) as site:
        run_id = site.run("mock", dataset=contract, max_samples=5)
        live = site.get(f"/api/v1/runs/{run_id}").json
        page = site.get(f"/eval/runs/{run_id}?lang=zh-Hans")
        case = site.get(f"/eval/runs/{run_id}/cases/1")
        detail = site.get(f"/api/v1/runs/{run_id}/cases/1").json

    assert live["live"]["state"] == "complete"
    assert (page.status, case.status) == (200, 200)
    assert live["metrics"][0]["label"][1] in page.text
    assert detail["gold"]
    assert detail["reasons"][0]["text"]


def test_every_page_is_there_in_every_language(site: Site) -> None:
    """The language is named, and no word of another slips in as a raw code."""
    site.run()
    for path, lang in product(("/eval", "/eval/history", "/eval/compare", "/eval/api", "/eval/runs/none"), LANGS):
        reply = site.get(f"{path}?lang={lang}")

        assert f'<html lang="{lang}"' in reply.text, (path, lang)
        assert say("nav.history", lang) in reply.text, (path, lang)
        assert "ragstone_lang=" in reply.headers["set-cookie"], (path, lang)


@pytest.mark.parametrize(
    ("header", "lang"),
    [("zh-CN,zh;q=0.9", "zh-Hans"), ("zh-TW", "zh-Hant"), ("en-GB", "en"), ("fr-FR", "en"), ("", "en")],
)
def test_the_browsers_language_is_the_first_guess(site: Site, header: str, lang: str) -> None:
    """Nobody has to choose who has chosen already."""
    assert f'<html lang="{lang}"' in site.get("/eval", **{"Accept-Language": header}).text
    assert set(LANGUAGE_NAMES) == set(LANGS)


def test_a_wrong_request_is_told_in_the_readers_language(site: Site) -> None:
    """What the checker of requests says is said in Chinese as well."""
    reply = site.get("/api/v1/runs?limit=many", **{"Accept-Language": "zh-CN"})

    assert reply.status == 422
    assert "limit：应为整数" in reply.text


def test_several_models_stand_side_by_side(tmp_path: Path) -> None:
    """A run made elsewhere with two systems: both are shown, either can be chosen."""
    furnish(tmp_path)
    (tmp_path / "other.jsonl").write_text(json.dumps({"id": "Q1", "output": "不知道"}) + "\n")
    specs = ["replay:answers.jsonl", "replay:other.jsonl"]
    ragstone.evaluate("datasets/library.jsonl", specs, run_id="two", settings=Settings())
    with serving(Settings()) as site:
        page = site.get("/eval/runs/two?model=other&lang=en").text
        rows = site.get("/api/v1/runs/two/cases?model=other").json["rows"]
        case = site.get("/api/v1/runs/two/cases/2").json

    assert "<option selected>other</option>" in page
    assert [f"{title} · other" in page for title in ("Overall", "All metrics", "Errors")] == [True] * 3
    assert [row["model"] for row in rows] == ["other"] * 3
    assert case["raw"] == "不知道"


def test_repeats_are_told_apart(site: Site) -> None:
    """Each asking of a case is a row of its own, with its own answer."""
    run_id = site.run("slow", repeats=2, max_samples=1)

    rows = site.get(f"/api/v1/runs/{run_id}/cases").json["rows"]

    assert [(row["id"], row["repeat"]) for row in rows] == [("Q1", 0), ("Q1", 1)]
    assert site.get(f"/api/v1/runs/{run_id}/cases/2").json["raw"]


def test_the_first_cases_need_no_script(site: Site) -> None:
    """They stand in the page as it is sent; how often a case was asked is said."""
    run_id = site.run("recorded", repeats=2)
    page = site.get(f"/eval/runs/{run_id}?lang=en").text

    assert f"/eval/runs/{run_id}/cases/6" in page
    assert "The first 6 of 6 cases" in page and "each case asked 2 times" in page and "最多十册" in page


def test_an_open_verdict_is_said_to_be_open(tmp_path: Path) -> None:
    """Beside the outcome, and with its point and rule among the reasons."""
    rows, answers = rows_of(4)
    furnish(tmp_path, rows, answers)
    with serving(Settings(systems=SYSTEMS)) as site:
        run_id = site.run()
        number = site.get(f"/api/v1/runs/{run_id}/cases?open=true").json["rows"][0]["number"]
        case = site.get(f"/eval/runs/{run_id}/cases/{number}?lang=zh-Hans").text

    assert '<span class="badge state-partial">未定</span>' in case
    assert "<li>未定：" in case and "按“否”计入" in case


def test_a_partial_run_says_so_and_offers_to_go_on(tmp_path: Path) -> None:
    """A run that was killed elsewhere is shown as what it is, and not continued unasked."""
    furnish(tmp_path)
    ragstone.evaluate("datasets/library.jsonl", "replay:answers.jsonl", run_id="dead", settings=Settings())
    meta = tmp_path / "runs" / "dead" / "run_meta.json"
    meta.write_text(meta.read_text().replace('"status": "complete"', '"status": "running"'))
    with serving(Settings()) as site:
        page = site.get("/eval/runs/dead?lang=en").text
        going = site.get("/api/v1/runs").json["going"]

    assert say("run.interrupted", "en") in page
    assert "data-resume" in page
    assert going == []


def test_no_message_tells_where_files_lie(tmp_path: Path) -> None:
    """Names of files, not the folders of the server's disk."""
    furnish(tmp_path)
    gone = DatasetEntry(path=str(tmp_path / "deep" / "gone.jsonl"))
    with serving(Settings(systems=SYSTEMS, datasets={"gone": gone}, runs_dir=str(tmp_path / "runs"))) as site:
        check = site.get("/api/v1/check?dataset=gone").text
        start = site.change("POST", "/api/v1/runs", {"dataset": "gone", "system": "mock"}).text

    for told in (check, start):
        assert "gone.jsonl" in told
        assert str(tmp_path) not in told


@pytest.mark.parametrize("damage", ["config.json", "model_snapshot.json", "summary.json"])
def test_a_damaged_run_hides_no_other(site: Site, tmp_path: Path, damage: str) -> None:
    """A broken folder is passed over in lists and told on its own page."""
    broken, fine = site.run(), site.run()
    (tmp_path / "runs" / broken / damage).write_text("{")

    assert site.get("/eval/history").status == 200
    assert fine in site.get("/eval/history").text
    assert site.get(f"/eval/runs/{broken}").status in {200, 409}


def test_comparing_says_what_cannot_be_compared(site: Site) -> None:
    """The same run twice, a run that is not there, and nothing chosen at all."""
    run_id = site.run()

    same = site.get(f"/eval/compare?first={run_id}&second={run_id}&lang=en")
    assert say("compare.same", "en") in same.text
    assert site.get(f"/eval/compare?first={run_id}&second=none").status == 404
    assert site.get("/eval/compare").status == 200


def test_what_a_comparison_can_find_is_in_points(site: Site) -> None:
    """A difference of shares is no share."""
    page = site.get(f"/eval/compare?first={site.run()}&second={site.run('slow')}&lang=en").text

    assert re.search(r"difference in pass rate of \d+\.\d pp is found", page)


def test_a_value_of_any_shape_can_be_shown() -> None:
    """Tables, lists, leaves and nothing."""
    assert _tree({"a": 1})["kind"] == "table"
    assert _tree(["a"])["kind"] == "list"
    assert _tree(None) == {"kind": "leaf", "items": "–"}
    assert _tree(False) == {"kind": "leaf", "items": "False"}
