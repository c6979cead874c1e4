"""The review page's server: verdicts are kept before they are told, rule and judge stay hidden before."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.settings import ReviewEntry, Settings
from ragstone.judging.label_file import read_labels
from tests.conftest import Cli
from tests.reviewing.runs import rows_of
from tests.web.site import Site, furnish, serving

SYSTEMS = {"recorded": {"system": "replay:answers.jsonl"}, "second": {"system": "replay:answers2.jsonl"}}


def _settings(**more: Any) -> Settings:
    return Settings(systems=SYSTEMS, review=ReviewEntry(**more.pop("review", {})), **more)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A dataset of thirty cases, and two systems' answers."""
    rows, answers = rows_of(30)
    furnish(tmp_path, rows, answers)
    other = [{**one, "output": "关于灯没有说明。"} if n % 2 else one for n, one in enumerate(answers)]
    lines = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in other)
    (tmp_path / "answers2.jsonl").write_text(lines, encoding="utf-8")
    return tmp_path


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    """A server on loopback without people."""
    with serving(_settings()) as found:
        yield found


def _next(site: Site, run: str, queue: str = "open", **more: Any) -> dict[str, Any]:
    query = "".join(f"&{name}={value}" for name, value in more.items())
    reply = site.get(f"/api/v1/review/{run}/next?queue={queue}{query}")
    assert reply.status == 200, reply.text
    found: dict[str, Any] = reply.json
    return found


def _say(site: Site, run: str, item: int, verdict: str = "stated", **more: Any) -> dict[str, Any]:
    reply = site.change("POST", f"/api/v1/review/{run}/labels", {"item": item, "verdict": verdict, **more})
    assert reply.status == 200, reply.text
    found: dict[str, Any] = reply.json
    return found


def test_a_verdict_is_on_disk_before_it_is_told(site: Site) -> None:
    """With everything the format asks for; rule and judge are shown only then."""
    run = site.run()
    item = _next(site, run)["item"]
    assert not {"rule", "judge", "own"} & item.keys()

    saved = _say(site, run, item["number"], comment=" 换了说法 ", seconds=2.5, quote=[0, 3], synonyms=["拧", "调节"])

    (label,) = read_labels(Path("runs/labels.jsonl"))
    assert (saved["rule"], saved["saved"]) == ("open", "stated")
    assert saved["item"]["number"] != item["number"]
    assert (label.case, label.verdict, label.reviewer, label.comment) == (item["case"], "stated", "local", "换了说法")
    assert (label.blind, label.seconds, label.quote, label.synonyms) == (True, 2.5, (0, 3), ("拧", "调节"))
    assert label.probability and label.round == 1 and label.run == run and label.at


def test_undo_withdraws_and_keeps_the_history(site: Site) -> None:
    """What is decided again was seen before, and says so."""
    run = site.run()
    item = _next(site, run)["item"]["number"]
    _say(site, run, item)

    undone = site.change("POST", f"/api/v1/review/{run}/undo", {}).json
    _say(site, run, item, "absent")

    labels = read_labels(Path("runs/labels.jsonl"))
    assert undone["item"]["number"] == item
    assert [(one.verdict, one.blind) for one in labels] == [("stated", True), ("withdrawn", True), ("absent", False)]
    assert site.change("POST", f"/api/v1/review/{run}/undo", {}).json["item"]["number"] == item
    assert site.change("POST", f"/api/v1/review/{run}/undo", {}).json["item"] is None


def test_undo_counts_anew(site: Site) -> None:
    """What was taken back is left again, in every queue it is in; the label of a queue of questions says so."""
    run = site.run()
    before = _next(site, run, "sample")
    after = _say(site, run, before["item"]["number"], queue="sample")["progress"]
    undone = site.change("POST", f"/api/v1/review/{run}/undo", {"queue": "sample"}).json["progress"]

    assert (after["done"], undone["done"], undone["own"]) == (1, 0, 0)
    assert undone == before["progress"] and undone["left"]["open"] == after["left"]["open"] + 1
    page = site.get(f"/eval/review/{run}?lang=en").text
    assert "Questions on failed cases" in page and f'data-left="open">{undone["left"]["open"]}<' in page


def test_unsure_is_open_in_review_as_in_the_run(site: Site) -> None:
    """Nobody has decided what one was unsure of, and it is counted apart."""
    run = site.run()
    item = _next(site, run)["item"]["number"]
    told = _say(site, run, item, "unsure")["progress"]

    assert (told["done"], told["unsure"], told["left"]["open"]) == (0, 1, told["total"])


def test_people_alone_are_no_judge(site: Site, cli: Cli) -> None:
    """Written into a run, their figures bear their name and no standing; an estimate says what it speaks of."""
    run = site.run()
    item = _next(site, run, "sample")["item"]
    while item:
        item = _say(site, run, item["number"], "absent", queue="sample")["item"]
    assert site.change("POST", f"/api/v1/review/{run}/figures").status == 200
    page = site.get(f"/eval/runs/{run}?lang=en").text
    lead = site.get(f"/eval/review/{run}/lead?lang=en").text
    report = (Path("runs") / run / "report.md").read_text()

    assert "with people <b>" in page and "with the judge" not in page and ">trusted<" not in page
    assert "Figures with people&#39;s verdicts stand beside" in page and "accuracy, with people" in page
    assert page.count("An estimate is for all questions like these") == lead.count("An estimate is for all") == 1
    assert 'data-judged="review.figures.people"' in lead
    assert "计入人工判定的数值" in report and "准确率（含人工）" in report and "估计值针对的是这类问题的总体" in report
    said = cli("report", run).stdout
    assert "计入人工判定 - " in said and "估计值针对的是" in said and "裁判后" not in said + report


def test_a_server_that_starts_again_knows_everything(folder: Path) -> None:
    """Nothing that was told as saved is asked again, also when others have written into the file."""
    with serving(_settings()) as site:
        run = site.run()
        seen = []
        item = _next(site, run)["item"]
        for _ in range(5):
            seen.append(item["number"])
            item = _say(site, run, item["number"])["item"]
    with serving(_settings()) as site:
        assert _next(site, run)["item"]["number"] not in seen
        assert site.get(f"/api/v1/review/{run}").json["reviewers"] == {"local": 5}


def test_labels_follow_the_answer_into_another_run(site: Site) -> None:
    """The same answers asked again need no verdict again."""
    first = site.run()
    item = _next(site, first)["item"]["number"]
    _say(site, first, item)
    second = site.run()

    assert site.get(f"/api/v1/review/{second}").json["queues"]["open"]["done"] == 1
    assert _next(site, second)["item"]["number"] != item


def test_labels_follow_the_answer_into_a_rescored_run(site: Site, cli: Cli) -> None:
    """What people decided is decided there, too."""
    run = site.run()
    item = _next(site, run)["item"]["number"]
    _say(site, run, item)
    assert cli("rescore", run).returncode == 0

    found = site.get(f"/api/v1/review/{run}-rescored-1").json

    assert found["queues"]["open"]["done"] == 1
    assert found["reviewers"] == {"local": 1}


def test_the_sample_tells_how_many_labels_are_missing(site: Site) -> None:
    """Until every case is labelled, and then the lead sees what the figures become."""
    run = site.run()
    found = _next(site, run, "sample")
    assert found["progress"]["wanted"] == 30
    while item := found["item"]:
        found = _say(site, run, item["number"], "stated" if "亮度" in item["answer"] else "absent", queue="sample")

    written = site.change("POST", f"/api/v1/review/{run}/figures")

    assert found["progress"]["wanted"] == 0
    assert written.status == 200, written.text
    figure = next(one for one in written.json["figures"] if one["metric"] == "accuracy")
    assert figure["judged"]["mean"] == pytest.approx(18 / 30, abs=0.04)
    assert figure["estimated"]["low"] < 18 / 30 < figure["estimated"]["high"]
    summary = json.loads(Path(f"runs/{run}/summary.json").read_text(encoding="utf-8"))
    metrics = next(iter(summary["models"].values()))["all"]["metrics"]
    assert metrics["accuracy_estimated"]["n"] == 30


def test_cases_that_came_out_otherwise_are_a_queue(site: Site) -> None:
    """Only those whose verdict changed against the other run."""
    before, after = site.run(), site.run("second")

    found = _next(site, after, "flipped", against=before)

    assert found["item"]["answer"] == "关于灯没有说明。"
    assert 0 < found["progress"]["total"] <= 15


def test_what_failed_the_gate_is_a_queue_that_names_the_rule(site: Site, cli: Cli) -> None:
    """Also for somebody who had the page open while the gate was asked."""
    run = site.run()
    assert _next(site, run, "failed")["item"]["failed"] == []

    assert cli("gate", run, "-r", "pass_rate >= 0.9").returncode == 1
    found, page = _next(site, run, "failed"), site.get(f"/eval/review/{run}?queue=failed&lang=en").text

    assert found["item"]["failed"] == ["pass_rate >= 0.9"]
    assert found["progress"]["total"] == 27
    assert "Failed the gate" in page and "not met: pass_rate &gt;= 0.9" in page
    assert "failed" not in _next(site, run, "open")["item"]


def test_a_lead_withdraws_what_was_wrong(site: Site) -> None:
    """The question is open again, and the file tells who did it."""
    run = site.run()
    item = _next(site, run)["item"]["number"]
    _say(site, run, item)

    site.change("POST", f"/api/v1/review/{run}/withdraw", {"item": item, "reviewer": "local"})

    assert site.get(f"/api/v1/review/{run}").json["queues"]["open"]["done"] == 0
    gone = site.change("POST", f"/api/v1/review/{run}/withdraw", {"item": item, "reviewer": "nobody"})
    assert gone.status == 404


@pytest.mark.parametrize(
    "body",
    [
        {"item": 99999, "verdict": "stated"},
        {"item": 0, "verdict": "maybe"},
        {"item": 0, "verdict": "stated", "quote": [5, 2]},
        {"item": 0, "verdict": "stated", "quote": [0, 99999]},
        {"item": 0, "verdict": "stated", "reviewer": "somebody else"},
        {"item": 0, "verdict": "stated", "settles": True},
    ],
)
def test_what_is_no_verdict_is_refused(site: Site, body: dict[str, Any]) -> None:
    """Nothing is written, and nobody speaks for somebody else."""
    run = site.run()

    assert site.change("POST", f"/api/v1/review/{run}/labels", body).status in {404, 422}
    assert not Path("runs/labels.jsonl").exists()


def test_hostile_text_is_text(site: Site) -> None:
    """A comment with markup and control signs comes back as words, and no page runs it."""
    run = site.run()
    item = _next(site, run)["item"]["number"]
    _say(site, run, item, comment="<script>alert(1)</script>\u202e\x1b[31m")

    own = site.get(f"/api/v1/review/{run}/items/{item}").json["item"]
    page = site.get(f"/eval/review/{run}/lead").text

    assert own["own"] == "stated"
    assert "<script>alert" not in page


def test_a_damaged_file_of_labels_is_told(site: Site) -> None:
    """No label is lost silently: the line is named, and nothing more is written."""
    run = site.run()
    item = _next(site, run)["item"]["number"]
    _say(site, run, item)
    path = Path("runs/labels.jsonl")
    path.write_bytes(path.read_bytes().replace(b"stated", b"absent"))
    with serving(_settings()) as other:
        reply = other.get(f"/api/v1/review/{run}")

    assert reply.status == 422
    assert "labels.jsonl:1" in reply.text
    assert not reply.json["error"]["message"].startswith("/")


def test_a_run_of_the_command_line_is_reviewed_where_its_dataset_lies(site: Site, folder: Path, cli: Cli) -> None:
    """The user's own run may name any dataset; one whose files were changed since may not."""
    (folder / "elsewhere").mkdir()
    (folder / "datasets" / "library.jsonl").rename("elsewhere/mine.jsonl")
    for run in ("own", "changed"):
        cli("score", "elsewhere/mine.jsonl", "answers.jsonl", "--run-id", run, "-q")
    config = folder / "runs" / "changed" / "config.json"
    config.write_text(config.read_text() + " ")

    assert [site.get(f"/eval/review/{run}").status for run in ("own", "changed")] == [200, 409]


def test_a_run_that_nobody_can_review_says_so(site: Site) -> None:
    """There is no such run, or it asks nothing."""
    assert site.get("/api/v1/review/no-such-run").status == 404
    assert site.get("/eval/review/no-such-run").status == 404


def test_pages_are_there_in_three_languages(site: Site) -> None:
    """What is reviewed, one question, and what a lead sees."""
    run = site.run()
    for path in (
        "/eval/review",
        f"/eval/review/{run}",
        f"/eval/review/{run}/lead",
        f"/eval/review/{run}?queue=flipped",
    ):
        for lang, word in (("en", "Review"), ("zh-Hans", "评审"), ("zh-Hant", "評審")):
            page = site.get(f"{path}{'&' if '?' in path else '?'}lang={lang}")
            assert page.status == 200, page.text
            assert word in page.text


def test_a_run_leads_to_its_review(site: Site) -> None:
    """A run with open verdicts says how many cases wait."""
    run = site.run()

    assert f'href="/eval/review/{run}?queue=open"' in site.get(f"/eval/runs/{run}").text
