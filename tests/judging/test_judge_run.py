"""A run before its judge: what is asked, what the figures become, and what stays as it was."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

from ragstone import api
from ragstone.core.errors import ConnectError, RunError, SettingError
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import Question
from ragstone.judging.judge import Heard
from ragstone.judging.label_file import append_labels
from ragstone.judging.labels import Label, hash_of
from ragstone.judging.listen import Opinion
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import seal
from tests.conftest import Cli, PlugIn
from tests.judging.bench import ANSWERS, ROWS, Say, by_chances, by_words, drawn_from, judging, quoting, weighed
from tests.loopback import Loopback, Reply
from tests.web.site import serving

Write = Callable[..., Path]


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run of four cases: one is stated by rule, the points of the others are open."""
    answers = write_rows("a.jsonl", *ANSWERS)
    done = cli("score", write_rows("q.jsonl", *ROWS), answers, "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/one")


def _verdicts(run: Path) -> dict[str, list[dict[str, Any]]]:
    """Return what was decided, and by whom, case by case."""
    rows = [json.loads(line) for line in (run / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    return {row["sample_id"]: row["scorecard"]["details"]["judged"]["verdicts"] for row in rows}


def _words(server: Loopback) -> tuple[str, ...]:
    return ("--judge", "chat:m", "-J", f"base_url={server.url}/v1", "-J", "max_retries=0")


def _summary(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "summary.json").read_text(encoding="utf-8"))["models"]["a"])


def _files(run: Path) -> dict[str, bytes]:
    return {name: (run / name).read_bytes() for name in ("results.jsonl", "summary.json", "summary.csv", "report.md")}


def test_judged_figures_stand_beside_those_by_rule(cli: Cli, run: Path) -> None:
    """Only what was open is asked, once; accuracy by rule does not move, and every verdict has its author."""
    before = _summary(run)
    with judging(by_chances()) as server:
        done = cli("judge", "one", *_words(server))

    after = _summary(run)
    assert done.returncode == 0, done.stderr
    assert server.calls == 1 + 4  # one to learn how it can be heard, then four open points
    assert after["all"]["metrics"]["accuracy"] == before["all"]["metrics"]["accuracy"]
    assert after["all"]["metrics"]["accuracy_judged"]["mean"] == pytest.approx(0.75)
    assert after["all"]["metrics"]["key_point_recall_judged"]["mean"] == pytest.approx((1 + 0.5 + 1 + 0) / 4)
    assert after["authors"] == {"judge": 4, "rule": 1}
    assert "75.0%" in done.stdout
    assert "no certificate" in done.stdout
    assert "准确率（含裁判）" in (run / "report.md").read_text(encoding="utf-8")


def test_nothing_is_asked_twice_and_bytes_stay_equal(cli: Cli, run: Path) -> None:
    """A second pass, rescore and verify replay what the judge said, without a call."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))
        first, calls = _files(run), server.calls
        again = cli("judge", "one", *_words(server))
        assert server.calls == calls + 1  # only how it can be heard
    assert again.returncode == 0, again.stderr
    assert _files(run) == first
    assert cli("verify", "one").returncode == 0
    rescored = cli("rescore", "one", "--out", "runs/two")
    assert rescored.returncode == 0, rescored.stderr
    rows = [(folder / "results.jsonl").read_text(encoding="utf-8") for folder in (run, Path("runs/two"))]
    assert rows[1].replace('"run_id":"two"', '"run_id":"one"') == rows[0]
    assert cli("verify", "two").returncode == 0


def _point_labels(count: int) -> Path:
    """Write what a person says of so many points of the rows."""
    labels = [
        {"case": said["id"], "point": point, "answer_text": said["output"], "verdict": "stated", "reviewer": "lin"}
        for row, said in zip(ROWS, ANSWERS, strict=True)
        for point in row["gold"]
    ]
    path = Path(f"{count}.jsonl")
    path.write_text("".join(json.dumps(one) + "\n" for one in labels[:count]), encoding="utf-8")
    return path


def test_no_judge_is_tried_where_people_decided_everything(cli: Cli, run: Path) -> None:
    """Not by labels that come with the command, nor by those the run has; it is where one takes their place."""
    with judging(by_chances()) as server:
        first = cli("judge", "one", *_words(server), "--labels", _point_labels(5))
        again = cli("judge", "one", *_words(server))
        assert server.calls == 0
        figures = _summary(run)
        fewer = cli("judge", "one", *_words(server), "--labels", _point_labels(1), "--replace-labels")
        assert server.calls == 1 + 3

    assert (first.returncode, again.returncode, fewer.returncode) == (0, 0, 0), first.stderr + again.stderr
    assert figures["authors"] == {"person": 5}
    assert _summary(run)["authors"] == {"judge": 3, "person": 1, "rule": 1}


def test_no_judge_is_tried_where_rules_decided_everything(cli: Cli, write_rows: Write) -> None:
    """The run is judged all the same: its figures say so, and a gate goes by them."""
    files = write_rows("q.jsonl", ROWS[2]), write_rows("a.jsonl", ANSWERS[2] | {"id": "Q1"})
    cli("score", *files, "--run-id", "sure", "-q")
    with judging(by_chances()) as server:
        done = cli("judge", "sure", *_words(server))
        assert server.calls == 0

    assert done.returncode == 0, done.stderr
    assert _summary(Path("runs/sure"))["authors"] == {"rule": 1}
    assert cli("gate", "sure", "--rule", "accuracy_judged >= 1").returncode == 0


def test_workers_make_the_same_rows(cli: Cli, run: Path) -> None:
    """What judges decided is found again in other processes, too."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))

    assert cli("verify", "one", "--workers", "2").returncode == 0


def test_an_endpoint_without_chances_must_quote(cli: Cli, run: Path) -> None:
    """A verdict with a quotation that stands in the answer counts, and the run remembers how it listened."""
    with judging(quoting()) as server:
        done = cli("judge", "one", *_words(server))

    assert done.returncode == 0, done.stderr
    assert _summary(run)["all"]["metrics"]["accuracy_judged"]["mean"] == pytest.approx(0.75)
    assert json.loads((run / "judging.json").read_text(encoding="utf-8"))["terms"]["judges"][0]["way"] == "quote"
    by_judge = [one for one in _verdicts(run)["Q1"] if one["by"] == "judge"]
    assert [(one["who"], one["quotes"]) for one in by_judge] == [(["m"], ["到手一星期之内不喜欢都能寄回来"])]


def test_each_verdict_names_its_judge_and_margin(cli: Cli, run: Path) -> None:
    """Who decided, and how sure it was, stands beside the verdict; what a rule decided names nobody."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))

    told = _verdicts(run)
    assert [(one["who"], one["margins"]) for one in told["Q1"]] == [(["m"], [4.0])]
    assert all("who" not in one for one in told["Q3"])


@pytest.mark.parametrize(
    ("reply", "told"),
    [
        ("I think it does, yes.", "JSON object"),
        ('{"verdict": "yes", "quote": "收货后七天内可以退货"}', "copies word for word"),
        ('{"verdict": "yes"}', "copies word for word"),
        ('{"verdict": "oui", "quote": ""}', "verdict (yes, no, unsure)"),
        ("{" * 100_000 + "x" * 100_000, "JSON object"),
        ("", "JSON object"),
        ("这个问题我不能回答。", "JSON object"),
    ],
    ids=["prose", "forged", "unquoted", "other_language", "200_kb", "empty", "refusal"],
)
def test_what_proves_nothing_decides_nothing(cli: Cli, run: Path, reply: str, told: str) -> None:
    """Prose, forged and missing quotations, other words, 200 KB, silence: all stay open, none is a no or a zero."""
    with judging(by_words(lambda point, answer: reply)) as server:
        done = cli("judge", "one", *_words(server), "--judge-listen", "quote")

    assert done.returncode == 0, done.stderr
    assert _summary(run)["authors"] == {"open": 4, "rule": 1}
    figure = _summary(run)["all"]["metrics"]["accuracy_judged"]
    assert (figure["mean"], figure["mean_high"], figure["open"]) == (0.25, 1.0, 3)
    assert "4 of the replies cannot be used" in done.stdout
    assert told in done.stdout


def _first_word(word: str, text: str) -> Reply:
    reply = weighed(True)
    reply["choices"][0]["message"]["content"] = text
    chances = [{"token": word, "logprob": -0.01}, {"token": "…", "logprob": -6.0}]
    reply["choices"][0]["logprobs"] = {"content": [{**chances[0], "top_logprobs": chances}]}
    return Reply(body=reply)


@pytest.mark.parametrize(
    ("word", "text"),
    [("oui", "oui"), ("I", "I think it does."), ("x", "x" * 200_000)],
    ids=["other_language", "prose", "200_kb"],
)
def test_a_first_word_that_is_neither_decides_nothing(cli: Cli, run: Path, word: str, text: str) -> None:
    """A judge that is to be heard by its chances and says neither leaves all open; the other way is named."""
    with judging(lambda body, _: _first_word(word, text)) as server:
        done = cli("judge", "one", *_words(server), "--judge-listen", "margin")

    assert done.returncode == 0, done.stderr
    assert _summary(run)["authors"] == {"open": 4, "rule": 1}
    assert "4 began with neither yes nor no" in done.stdout
    assert "--judge-listen quote" in done.stdout


def test_a_trial_that_says_neither_is_asked_for_quotations(cli: Cli, run: Path) -> None:
    """The endpoint gives chances, and its model has no word for them: it says so, and quotes."""

    def say(body: Mapping[str, Any], _: int) -> Reply:
        return _first_word("I", "I think it does.") if "logprobs" in body else quoting()(body, 0)

    with judging(say) as server:
        done = cli("judge", "one", *_words(server))
        assert server.calls == 5

    assert done.returncode == 0, done.stderr
    assert "neither with yes nor with no, so it is asked for quotations" in done.stderr
    assert _summary(run)["authors"] == {"judge": 4, "rule": 1}


def _after_the_trial(logprob: str) -> Say:
    """Give chances to the trial, and after it one that is no chance."""

    def say(body: Mapping[str, Any], _: int) -> Reply:
        trial = "1 + 1" in body["messages"][-1]["content"]
        told = json.dumps(weighed(True), ensure_ascii=False)
        return Reply(body=told.replace("-4.02", "-4.02" if trial else logprob).encode())

    return say


@pytest.mark.parametrize("logprob", ["NaN", "-Infinity", "null", "0.5"])
def test_chances_that_are_none_are_named_and_are_no_other_version(cli: Cli, run: Path, logprob: str) -> None:
    """Everything stays open for that reason, and the version of the reply is known."""
    with judging(_after_the_trial(logprob)) as server:
        done = cli("judge", "one", *_words(server))

    assert done.returncode == 0, done.stderr
    assert "4 came without usable probabilities (logprobs)" in done.stdout
    said = [json.loads(line) for line in (run / "judgements.jsonl").read_text(encoding="utf-8").splitlines()]
    assert {(one["why"], one["version"]) for one in said} == {("no_chances", "m v1")}


@pytest.mark.parametrize(("command", "options"), [("judge", ()), ("certify", ()), ("judge", ("-J", "timeout=0.4"))])
def test_a_judge_that_hangs_is_waited_for_once_and_aloud(
    cli: Cli, run: Path, monkeypatch: pytest.MonkeyPatch, command: str, options: tuple[str, ...]
) -> None:
    """One attempt, a line while it lasts, and advice that fits a reply of one word."""
    monkeypatch.setattr("ragstone.systems.chat.TRIAL_SECONDS", 9.0 if options else 0.4)
    monkeypatch.setattr("ragstone.judging.judge.QUIET", 0.1)
    labels = [
        {"case": f"Q{n}", "point": f"p{n}", "answer_text": f"a{n}", "verdict": "yes" if n % 2 else "no"}
        for n in range(30)
    ]
    Path("labels.jsonl").write_text("\n".join(map(json.dumps, labels)), encoding="utf-8")
    with judging(lambda body, number: Reply(delay=3.0)) as server:
        named = ("labels.jsonl",) if command == "certify" else (run.name,)
        done = cli(command, *named, "--judge", "chat:m", "-J", f"base_url={server.url}/v1", *options)
        assert server.calls == 1

    assert done.returncode == 2
    assert "waiting for the first reply of the judge m" in done.stderr
    assert " 0.4" in done.stderr and "still loading its model" in done.stderr
    assert "shorter answers" not in done.stderr


def test_what_came_of_judging_is_shown_in_a_line(cli: Cli, run: Path) -> None:
    """In a notebook nobody wants the whole summary again."""
    with judging(by_chances()) as server:
        judge = api.connect_system("chat:m", {"base_url": f"{server.url}/v1"}, read_settings())
        done = api.judge_run(run, judge)

    assert repr(done) == "Deciding(open=4, asked=4, known=0, unasked=0, labels=0)"


def test_margins_are_refused_where_there_are_none(cli: Cli, run: Path) -> None:
    """The message names the other way to listen."""
    with judging(quoting()) as server:
        done = cli("judge", "one", *_words(server), "--judge-listen", "margin")

    assert done.returncode == 2
    assert "--judge-listen quote" in done.stderr


def test_a_margin_near_the_middle_is_unsure(cli: Cli, run: Path) -> None:
    """A judge that cannot tell yes from no decides nothing."""
    with judging(lambda body, _: Reply(body=weighed(True, gap=0.2))) as server:
        cli("judge", "one", *_words(server))

    assert _summary(run)["authors"]["open"] == 4


def test_a_judge_that_goes_down_leaves_the_rest_open(cli: Cli, run: Path) -> None:
    """The exit code is 3, what it said is kept, and the next time only the rest is asked."""
    healthy = by_chances()
    state = {"down": True}

    def say(body: Any, number: int) -> Reply:
        return Reply(status=503, body={}) if state["down"] and number > 2 else healthy(body, number)

    with judging(say) as server:
        first = cli("judge", "one", *_words(server), "-J", "breaker_after=0")
        kept = len((run / "judgements.jsonl").read_text(encoding="utf-8").splitlines())
        state["down"], calls = False, server.calls
        second = cli("judge", "one", "-J", f"base_url={server.url}/v1")
        asked = server.calls - calls
    assert (first.returncode, second.returncode) == (3, 0)
    assert 0 < kept < 4
    assert asked == 1 + 4 - kept
    assert _summary(run)["authors"] == {"judge": 4, "rule": 1}


def test_a_budget_holds_and_can_grow(cli: Cli, run: Path) -> None:
    """max_calls stops the judging cleanly."""
    with judging(by_chances()) as server:
        first = cli("judge", "one", *_words(server), "-J", "max_calls=3")
        assert server.calls == 3
        second = cli("judge", "one", *_words(server), "-J", "max_calls=30")

    assert first.returncode == 3
    assert "ragstone judge" in first.stderr
    assert "-J max_calls=" in first.stderr
    assert "4 open questions: 2 asked" in first.stdout
    assert "2 could not be asked" in first.stdout
    assert second.returncode == 0


def test_people_overrule_judge_and_rule(cli: Cli, run: Path) -> None:
    """Labels beside the runs are found by themselves and follow the answer's text."""
    answer = hash_of(ANSWERS[2]["output"])
    wrong = Label(case="Q3", point="押金为300元", answer=answer, verdict="absent", reviewer="lin")
    stray = Label(case="Q9", point="x", answer=answer, verdict="stated", reviewer="lin")
    append_labels(Path("runs/labels.jsonl"), [wrong, stray])

    done = cli("judge", "one", "--labels", "runs/labels.jsonl")

    assert done.returncode == 0, done.stderr
    assert _summary(run)["authors"] == {"open": 4, "person": 1}
    assert _summary(run)["all"]["metrics"]["accuracy_judged"]["mean"] == 0.0
    assert _summary(run)["all"]["metrics"]["accuracy"]["mean"] == 0.25
    assert "1 label" in done.stdout
    assert cli("verify", "one").returncode == 0
    told = _verdicts(run)
    person = {"verdict": "no", "by": "person", "rule": "yes", "who": ["lin"]}
    assert told["Q3"] == [{"kind": "states", "point": "押金为300元", **person}]
    assert all("who" not in one for id_, verdicts in told.items() if id_ != "Q3" for one in verdicts)


def test_labels_that_disagree_are_named(cli: Cli, run: Path) -> None:
    """Two reviewers, two verdicts: the question stays with the rule, and somebody must settle it."""
    answer = hash_of(ANSWERS[0]["output"])
    one = Label(case="Q1", point="收货后七天内可以退货", answer=answer, verdict="stated", reviewer="lin")
    other = Label(case="Q1", point="收货后七天内可以退货", answer=answer, verdict="absent", reviewer="wang")
    append_labels(Path("runs/labels.jsonl"), [one, other])

    done = cli("judge", "one")

    assert "settles" in done.stdout
    assert _summary(run)["authors"] == {"open": 4, "rule": 1}


def test_drawn_labels_give_an_estimate(cli: Cli, run: Path) -> None:
    """Labels with a probability make `accuracy_estimated` with an interval; picked ones do not."""
    labels = [
        Label(
            case=row["id"],
            point=point,
            answer=hash_of(row["output"]),
            verdict="stated",
            reviewer="lin",
            **drawn_from(run),
        )
        for row, point in zip(ANSWERS, ("收货后七天内可以退货", "每年一次", "押金为300元", "周日照常营业"), strict=True)
    ]
    append_labels(Path("runs/labels.jsonl"), labels)

    done = cli("judge", "one")

    figure = _summary(run)["all"]["metrics"]["accuracy_estimated"]
    assert figure["n"] == 4
    assert figure["interval"]["method"] == "strata"
    assert 0.3 < figure["interval"]["low"] < figure["mean"] < figure["interval"]["high"] <= 1
    assert "estimated" in done.stdout


def test_a_jury_must_agree(run: Path) -> None:
    """Two judges of two minds leave open what they disagree about."""
    with judging(by_chances()) as one, judging(by_chances(lambda point, answer: True)) as other:
        systems = [
            api.connect_system("chat:m", {"base_url": f"{server.url}/v1", "model_id": name}, read_settings())
            for server, name in ((one, "strict"), (other, "mild"))
        ]
        done = api.judge_run(run, systems)

    assert done.summary.models["a"].authors == {"judge": 2, "open": 2, "rule": 1}
    assert done.summary.judged_by is not None
    assert done.summary.judged_by.names == ("strict", "mild")


def test_a_run_can_be_judged_at_once(cli: Cli, write_rows: Write) -> None:
    """`run --judge` asks the judge after the last answer; `[judge]` in ragstone.toml names it."""
    path, answers = write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS)
    with judging(by_chances()) as server:
        table = f'[judge]\njudge = "chat:m"\n[judge.options]\nbase_url = "{server.url}/v1"\n'
        Path("ragstone.toml").write_text(table, encoding="utf-8")
        done = cli("run", path, "-s", f"replay:{answers}", "--run-id", "two", "--judge")

    assert done.returncode == 0, done.stderr
    assert "75.0%" in done.stdout
    assert (
        json.loads(Path("runs/two/run_meta.json").read_text(encoding="utf-8"))["judging"]["calls"] == server.calls == 5
    )


def test_resume_keeps_what_was_decided(cli: Cli, run: Path) -> None:
    """A judged run that goes on makes its judged figures again."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))
    first = _summary(run)["all"]["metrics"]

    assert cli("resume", "one", "-q").returncode == 0

    assert _summary(run)["all"]["metrics"] == first
    assert cli("verify", "one").returncode == 0


def test_nobody_to_decide_is_said(cli: Cli, run: Path) -> None:
    """Neither a judge nor a label: the message names both."""
    done = cli("judge", "one")

    assert done.returncode == 2
    assert "--judge" in done.stderr
    assert "--labels" in done.stderr
    assert cli("run", "q.jsonl", "-s", "replay:a.jsonl", "--judge").returncode == 2


def test_a_judge_that_is_the_system_is_warned_of(cli: Cli, write_rows: Write) -> None:
    """Models prefer their own words."""
    path = write_rows("q.jsonl", *ROWS)
    with judging(by_chances()) as server:
        where = ("-O", f"base_url={server.url}/v1")
        judge = ("--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        done = cli("run", path, "-s", "chat:m", *where, *judge)

    assert "评判自己的回答" in done.stderr


def test_a_changed_line_is_noticed(cli: Cli, run: Path) -> None:
    """A verdict that was changed behind the run's back is refused by its checksum, and verify says so."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))
    path = run / "judgements.jsonl"
    path.write_text(path.read_text(encoding="utf-8").replace('"no"', '"yes"'), encoding="utf-8")

    assert cli("verify", "one").returncode == 1
    with pytest.raises(RunError):
        api.judge_run(run)


def test_contracts_without_questions_say_so(cli: Cli, tmp_path: Path) -> None:
    """A judge has nothing to decide where nothing is open."""
    with pytest.raises((SettingError, RunError, ConnectError)):
        api.judge_run(tmp_path, "chat:m")


def test_a_plan_says_what_judging_takes_at_most(cli: Cli, write_rows: Write) -> None:
    """Every question that could be left open, as many anchors and two trials count for each judge; none is asked."""
    path = write_rows("q.jsonl", *ROWS)
    with judging(by_chances()) as server:
        where = ("-O", f"base_url={server.url}/v1", "-J", f"base_url={server.url}/v1")
        done = cli("plan", path, "-s", "chat:m", "--judge", "chat:a,chat:b", *where, "--json")
        told = cli("plan", path, "-s", "chat:m", "--judge", "chat:a,chat:b", *where)
        assert server.calls == 0

    assert "全部裁判：请求 24" in told.stdout or "all judges: 24 calls" in told.stdout
    assert [(one["model_id"], one["calls"]) for one in json.loads(done.stdout)] == [("m", 4), ("a", 12), ("b", 12)]


def test_a_judge_may_be_anything_that_decides(run: Path) -> None:
    """A plug-in that is no chat endpoint: here a classifier that looks for one word."""
    done = api.judge_run(run, [Classifier()])

    assert done.summary.models["a"].authors == {"judge": 4, "rule": 1}
    assert done.summary.models["a"].all.metrics["accuracy_judged"].mean == 0.5


class Classifier:
    """Says yes where the answer speaks of a contract."""

    name, way, tongue = "words", "quote", "zh"

    def identity(self) -> dict[str, str]:
        return {"kind": "words"}

    def prompt(self, kind: str) -> str:
        return ""

    async def decide(self, question: Question) -> Heard:
        return Heard(opinion=Opinion(verdict="yes" if "合同" in question.answer else "no"))

    async def close(self) -> None:
        pass


_PLUGIN = """
from ragstone.judging.judge import Heard
from ragstone.judging.listen import Opinion


class Words:
    way, tongue = "quote", "zh"

    def __init__(self, word):
        self.name, self.word = "words", word

    def identity(self):
        return {"word": self.word}

    def prompt(self, kind):
        return ""

    async def decide(self, question):
        return Heard(opinion=Opinion(verdict="yes" if self.word in question.answer else "no"))

    async def close(self):
        pass


def connect(argument, options):
    return Words(argument)
"""


def test_an_installed_judge_is_named_like_any_other(cli: Cli, run: Path, plug_in: PlugIn) -> None:
    """By its entry point; the run remembers it, and a second pass asks nothing anew."""
    site = plug_in("ragstone.judges", "words", "words_judge:connect")
    (site / "words_judge.py").write_text(_PLUGIN, encoding="utf-8")

    first, again = cli("judge", "one", "--judge", "words:合同"), cli("judge", "one")

    assert first.returncode == 0, first.stderr
    assert _summary(run)["authors"] == {"judge": 4, "rule": 1}
    assert "4 asked" in first.stdout and "0 asked, 4 asked before" in again.stdout


def test_page_and_reports_say_who_decided(cli: Cli, run: Path) -> None:
    """The figures stand beside each other, with their authors and how far they are to be believed."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))
    with serving(Settings()) as site:
        page = site.get("/eval/runs/one?lang=en").text
        found = site.get("/eval/runs/one?lang=en&author=judge").text

    for text in (page, (run / "report.html").read_text(encoding="utf-8"), (run / "report.md").read_text("utf-8")):
        assert "4 by judge" in text or "裁判判定 4 项" in text
    assert "accuracy, judged" in page
    assert "advisory only" in page
    table = page[page.index('id="all-metrics"') :]
    assert "advisory" in table[table.index("accuracy, judged") : table.index("accuracy, judged") + 120]
    assert "Q1" in found


def test_a_run_that_somebody_sent_names_no_judge(cli: Cli, run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The judge of a foreign folder is not asked, for its address may be anybody's; labels still count."""
    with judging(by_chances()) as server:
        cli("judge", "one", *_words(server))
        monkeypatch.setenv("XDG_STATE_HOME", str(Path("elsewhere").resolve()))
        calls = server.calls
        done = cli("judge", "one")
        assert server.calls == calls

    assert done.returncode == 2
    assert "was not made by you" in done.stderr and "--trust-run" in done.stderr


def _sent(run: Path) -> None:
    """Make a run somebody else's: the marks of its maker are gone, and the seal fits."""
    meta = {name: value for name, value in RunFolder(run).meta().items() if name not in {"mark", "verdicts_mark"}}
    (run / "run_meta.json").write_text(json.dumps(seal(RunFolder(run), meta)))


def test_verdicts_that_were_sent_with_a_run_are_not_ones_own_judges(cli: Cli, run: Path) -> None:
    """Planted judgements and labels would count as what a certified judge said; they are named, and need a yes."""
    with judging(by_chances(lambda point, answer: True)) as server:
        assert cli("judge", "one", *_words(server)).returncode == 0
        _sent(run)
        for name in ("judgements.jsonl", "labels.jsonl"):
            (run / "labels.jsonl").write_bytes(b'{"case":"Q4","answer":"x","verdict":"stated"}\n' * (name[0] == "l"))
            _sent(run)
            done = cli("judge", "one", *_words(server))
            assert (done.returncode, name in done.stderr, "--trust-run" in done.stderr) == (2, True, True)

        assert cli("judge", "one", "--trust-run", *_words(server)).returncode == 0


@pytest.mark.parametrize("name", ["judging.json", "judgements.jsonl", "labels.jsonl"])
def test_what_is_put_beside_a_sealed_run_is_an_alteration(cli: Cli, run: Path, name: str) -> None:
    """No judge was asked here: whoever adds a verdict, or a judge that is code, alters the run."""
    evil = {"name": "j", "spec": "python:evil:f", "identity": "x", "way": "margin", "tongue": "zh"}
    Path("evil.py").write_text("open('owned', 'w').close()\ndef f(q): return q\n")
    (run / name).write_text(json.dumps({"terms": {"judges": [evil]}, "metrics": []}) if name == "judging.json" else "")

    judged, gated = cli("judge", "one"), cli("gate", "one", "-r", "pass_rate >= 0")

    assert (judged.returncode, gated.returncode) == (2, 3) and name in judged.stderr + gated.stdout
    assert not Path("owned").exists()


@pytest.mark.parametrize("name", ["judgements.jsonl", "labels.jsonl"])
def test_a_verdict_that_is_nested_too_deeply_is_named(cli: Cli, run: Path, name: str) -> None:
    """By its line, without a traceback."""
    with judging(by_chances()) as server:
        assert cli("judge", "one", *_words(server)).returncode == 0
    head = b'{"key":"k","judge":"j","kind":"states","case":"Q1","answer":"a","verdict":"%b","x":%b' % (
        b"yes" if name[0] == "j" else b"stated",
        b"[" * 5000 + b"]" * 5000,
    )
    (run / name).write_bytes(head + b',"crc":"%08x"}\n' % crc32(head) * 2)
    _sent(run)

    for words in (("report", "one"), ("verify", "one"), ("rescore", "one", "--out", "again"), ("runs",)):
        done = cli(*words)
        assert "Traceback" not in done.stderr and done.returncode in {0, 2, 3}, (words, done.stderr)


def test_sent_verdicts_do_not_count_beside_ones_own_labels(cli: Cli, run: Path) -> None:
    """Labels that lie beside the runs are taken in without a flag; those in a sent folder still need a yes."""
    append_labels(run / "labels.jsonl", [Label(case="Q4", answer="x", verdict="stated")])
    append_labels(run.parent / "labels.jsonl", [Label(case="Q3", answer="y", verdict="stated")])
    _sent(run)

    done = cli("judge", "one")

    assert (done.returncode, "labels.jsonl" in done.stderr, "--trust-run" in done.stderr) == (2, True, True)
