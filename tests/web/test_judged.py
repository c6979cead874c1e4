"""A judge on the page: chosen when a run starts, or for a run there is; only today's settings say who may be asked."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone import evaluate
from ragstone.core.settings import JudgeEntry, Settings
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging
from tests.loopback import Loopback, Reply
from tests.web.site import Site, furnish, serving


@pytest.fixture
def judge() -> Iterator[Loopback]:
    """A judge on this machine that knows the truth."""
    with judging(by_chances()) as server:
        yield server


@pytest.fixture
def site(tmp_path: Path, judge: Loopback) -> Iterator[Site]:
    """A server whose settings name a judge and a chat endpoint, and rows of which rules leave much open."""
    furnish(tmp_path, ROWS, ANSWERS)
    table = {"system": "chat:m", "base_url": f"{judge.url}/v1", "label": "Second opinion"}
    entry = JudgeEntry(judge="chat:m", options={"base_url": f"{judge.url}/v1", "max_retries": 0})
    systems = {"recorded": {"system": "replay:answers.jsonl"}, "opinion": table}
    with serving(Settings(systems=systems, judge=entry)) as found:
        yield found


def test_a_run_is_judged_as_it_is_started(site: Site) -> None:
    """Rules, then the judge: both figures stand on the page, and what the certificate is worth in words."""
    run = site.run(judge="[judge]")
    page = site.get(f"/eval/runs/{run}?lang=en").text
    case = site.get(f"/eval/runs/{run}/cases/2?lang=en").text
    listed = site.get(f"/api/v1/runs/{run}/cases?author=judge&sort=-accuracy_judged").json

    assert site.get(f"/api/v1/runs/{run}").json["live"]["judged"] == 4
    assert "with the judge <b>75.0%</b>" in page and "data-value>25.0%" in page
    assert ">advisory<" in page and "no certificate" in page
    # Nothing is open any more; another judge may decide anew.
    assert "only open verdicts" not in page and 'data-judge="opinion"' in page
    assert case.count("<td>judge: m<br>") == 2 and case.count("margin ") == 2
    assert ">yes<" in case and ">no<" in case
    assert [row["id"] for row in listed["rows"]] == ["Q2", "Q1", "Q4"]


def test_a_run_there_is_can_be_judged(site: Site, judge: Loopback) -> None:
    """By any chat endpoint that has a name; its answers stay, and no system is asked again."""
    run = site.run()
    before = site.get(f"/api/v1/runs/{run}/cases?open=true").json["total"]
    offered = site.get(f"/eval/runs/{run}?lang=en").text
    told = site.change("POST", f"/api/v1/runs/{run}/judge", {"judge": "opinion"})
    site.wait(run)

    assert (told.status, before, judge.calls) == (202, 3, 5)
    assert 'data-judge="[judge]">chat:m<' in offered and 'data-judge="opinion">Second opinion<' in offered
    assert site.get(f"/api/v1/runs/{run}").json["live"]["state"] == "complete"
    assert site.get(f"/api/v1/runs/{run}/cases?open=true").json["total"] == 0
    assert "with the judge <b>75.0%</b>" in site.get(f"/eval/runs/{run}?lang=en").text


def test_only_the_settings_say_who_judges(site: Site, tmp_path: Path, judge: Loopback) -> None:
    """A name they do not have is refused; so is a run that another system's judge is written into."""
    run = site.run()
    path = tmp_path / "runs" / run / "judging.json"
    path.write_text(json.dumps({"terms": {"judges": [{"name": "x", "spec": "chat:evil"}]}, "metrics": []}))

    assert site.change("POST", f"/api/v1/runs/{run}/judge", {"judge": "chat:evil"}).status == 404
    assert site.change("POST", f"/api/v1/runs/{run}/judge", {"judge": "recorded"}).status == 404
    started = {"dataset": "library.jsonl", "system": "recorded", "judge": "nobody"}
    assert site.change("POST", "/api/v1/runs", started).status == 404
    assert [one["name"] for one in site.get("/api/v1/judges").json] == ["[judge]", "opinion"]
    assert judge.calls == 0


def test_a_judge_that_is_down_leaves_the_run_as_it_is(tmp_path: Path) -> None:
    """The figures by rule stay, the page says what happened, and the run can be judged later."""
    furnish(tmp_path, ROWS, ANSWERS)
    with judging(lambda body, _: Reply({"error": "down"}, 500)) as server:
        entry = JudgeEntry(judge="chat:m", options={"base_url": f"{server.url}/v1", "max_retries": 0})
        with serving(Settings(systems={"recorded": {"system": "replay:answers.jsonl"}}, judge=entry)) as site:
            run = site.run(judge="[judge]")
            live = site.get(f"/api/v1/runs/{run}").json["live"]
            page = site.get(f"/eval/runs/{run}?lang=en").text

    assert live["state"] == "complete" and live["error"]
    assert "data-value>25.0%" in page and "with the judge" not in page and "data-judge" in page


def test_a_judge_that_has_a_name_stands_there_once(tmp_path: Path, judge: Loopback) -> None:
    """[judge] may name one of the systems."""
    furnish(tmp_path, ROWS, ANSWERS)
    table = {"system": "chat:m", "base_url": f"{judge.url}/v1"}
    with serving(Settings(systems={"opinion": table}, judge=JudgeEntry(judge="opinion"))) as site:
        assert [one["label"] for one in site.get("/api/v1/judges").json] == ["opinion"]


def test_without_a_judge_none_is_offered(tmp_path: Path) -> None:
    """Nothing to choose, and nothing to press."""
    furnish(tmp_path, ROWS, ANSWERS)
    evaluate("datasets/library.jsonl", "replay:answers.jsonl", run_id="one", settings=Settings())
    with serving(Settings()) as site:
        assert 'name="judge"' not in site.get("/eval").text
        assert "data-judge" not in site.get("/eval/runs/one").text
