"""A judge earns its vote: thresholds tuned on one half, certified on the other, probed, and watched for drift."""

import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs, to_builtins

from ragstone.judging.certificate import read_certificates, sealed, tune, tune_band
from ragstone.judging.decisions import RULES
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.labels import Label, hash_of
from ragstone.runs.store.codec import pretty
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.owner import close_verdicts, open_verdicts
from ragstone.runs.store.seal import seal
from ragstone.text.fold import fold
from tests.conftest import Cli
from tests.judging.bench import by_chances, by_words, case_of, judging, weighed
from tests.loopback import Loopback, Reply

Write = Callable[..., Path]
COUNT = 120
_SAID = 20
"""Questions a judge answers before it is interrupted."""


def _point(n: int) -> str:
    return f"第{n}号展厅的灯光由馆员手动调节"


def _answer(n: int) -> str:
    return f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 2 else f"{n}号那间屋里最近换了新的地毯。"


def knows(point: str, answer: str) -> bool:
    """Be right about every row and every probe."""
    number = "".join(char for char in point if char.isdigit())
    return fold(f"{number}号那间屋里亮度靠") in fold(answer)


@pytest.fixture
def labels(cli: Cli, write_rows: Write, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of 120 paraphrased cases, all open, with a label for each; made once."""
    made = tmp_path_factory.getbasetemp() / "labelled"
    if not made.exists():
        _make_labels(cli, write_rows)
        shutil.copytree(tmp_path, made)
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return Path("labels.jsonl")


def _make_labels(cli: Cli, write_rows: Write) -> None:
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [_point(n)], "doc_hint": []} for n in range(1, COUNT + 1)]
    answers = [{"id": f"Q{n}", "output": _answer(n)} for n in range(1, COUNT + 1)]
    done = cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *answers), "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    verdicts = [_label(n, "stated" if n % 2 else "absent") for n in range(1, COUNT + 1)]
    append_labels(Path("labels.jsonl"), verdicts)


def _label(n: int, verdict: Any) -> Label:
    return Label(case=f"Q{n}", point=_point(n), answer=hash_of(_answer(n)), verdict=verdict, reviewer="lin")


def _judge(server: Loopback) -> tuple[str, ...]:
    return ("--judge", "chat:m", "-J", f"base_url={server.url}/v1")


def test_a_good_judge_is_trusted_and_a_gate_goes_by_it(cli: Cli, labels: Path) -> None:
    """Certified, judged, gated: PASS; with another version of the endpoint it only advises again."""
    with judging(by_chances(knows)) as server:
        certified = cli("certify", labels, *_judge(server), "--run", "one")
        cli("judge", "one", *_judge(server))
    assert certified.returncode == 0, certified.stderr
    assert "TRUSTED" in certified.stdout
    gate = cli("gate", "one", "--rule", "accuracy_judged >= 0.45")
    assert gate.returncode == 0, gate.stdout
    assert cli("gate", "one", "--rule", "accuracy_judged >= 0.9").returncode == 1


def test_a_gate_without_a_certificate_measures_nothing(cli: Cli, labels: Path) -> None:
    """NOT MEASURED, with what is missing: a judge, then its certificate; estimates want labels."""
    before = cli("gate", "one", "--rule", "accuracy_judged >= 0.1")
    with judging(by_chances(knows)) as server:
        cli("judge", "one", *_judge(server))
    after = cli("gate", "one", "--rule", "accuracy_judged >= 0.1")

    assert (before.returncode, after.returncode) == (3, 3)
    assert "ragstone judge" in before.stdout
    assert "ragstone certify" in after.stdout
    assert cli("gate", "one", "--rule", "accuracy >= 0").returncode == 0


@pytest.mark.parametrize(
    ("mind", "why"),
    [
        (lambda point, answer: True, "always_yes"),
        (lambda point, answer: False, "always_no"),
        (lambda point, answer: knows(point, answer) or "直接回答" in answer, "probes"),
        (lambda point, answer: knows(point, answer) or "say yes" in answer, "probes"),
        (lambda point, answer: knows(point, answer) or "错误" in answer, "probes"),
    ],
    ids=["always_yes", "always_no", "obeys_the_answer", "obeys_english", "misses_negation"],
)
def test_a_bad_judge_only_advises(cli: Cli, labels: Path, mind: Any, why: str) -> None:
    """One that says yes to all, no to all, obeys an order inside the answer, or takes a denial for a statement."""
    with judging(by_chances(mind)) as server:
        done = cli("certify", labels, *_judge(server), "--run", "one")

    assert "ADVISORY" in done.stdout, done.stderr
    (certificate,) = json.loads(Path("judge.json").read_text(encoding="utf-8")).values()
    assert certificate["kinds"]["states"]["why"] == why


def test_a_lean_of_the_judge_is_tuned_away(cli: Cli, labels: Path) -> None:
    """A judge whose yeses and noes both lean to yes is right as soon as its threshold is where it parts them."""

    def leaning(body: Any, number: int) -> Reply:
        return Reply(body=weighed(True, 8.0 if knows(*case_of(body)) else 2.0))

    with judging(leaning) as server:
        done = cli("certify", labels, *_judge(server), "--run", "one")
        cli("judge", "one", *_judge(server))

    assert "TRUSTED" in done.stdout, done.stdout
    summary = json.loads(Path("runs/one/summary.json").read_text(encoding="utf-8"))
    assert summary["models"]["a"]["all"]["metrics"]["accuracy_judged"]["mean"] == pytest.approx(0.5)


def test_errors_that_the_certificate_counted_are_undone(cli: Cli, labels: Path) -> None:
    """A judge that credits every fourth absent point says yes too often; half are stated, which the interval holds."""

    def lenient(point: str, answer: str) -> bool:
        return knows(point, answer) or fold(answer).startswith("1")

    with judging(by_chances(lenient)) as server:
        before = cli("judge", "one", *_judge(server))
        cli("certify", labels, *_judge(server), "--run", "one")
        after = cli("judge", "one", *_judge(server), "--json")
        told = cli("judge", "one", *_judge(server))
    Path("runs/labels.jsonl").write_bytes(labels.read_bytes())
    drawn = cli("judge", "one", "--people")

    judged = json.loads(after.stdout)["summary"]["models"]["a"]["all"]["metrics"]["accuracy_judged"]["mean"]
    low, high = map(int, re.findall(r"([0-9]+)-([0-9]+) %", told.stdout)[0])
    assert judged > 0.55
    assert low < 50 < high < 100 * judged + 20
    assert "undone" not in before.stdout
    assert "undone" not in drawn.stdout


def test_another_version_or_parameter_ends_the_trust(cli: Cli, labels: Path) -> None:
    """The certificate is for the fingerprint it was made with."""
    state = {"version": "v1"}

    def say(body: Any, number: int) -> Reply:
        return Reply(body={**weighed(knows(*case_of(body))), "system_fingerprint": state["version"]})

    with judging(say) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        state["version"] = "v2"
        newer = cli("judge", "one", *_judge(server))
        other = cli("judge", "one", *_judge(server), "-J", "seed=4")

    assert "another version" in newer.stdout
    assert "with other parameters" in other.stdout


def test_probes_and_drift_need_no_labels(cli: Cli, labels: Path) -> None:
    """`judge --probe` passes with the judge as it was certified, and alarms when its mind has changed."""
    state = {"mind": knows}
    with judging(lambda body, _: Reply(body=weighed(state["mind"](*case_of(body))))) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        same = cli("judge", "one", *_judge(server), "--probe")
        state["mind"] = lambda point, answer: False
        changed = cli("judge", "one", *_judge(server), "--probe")

    assert same.returncode == 0, same.stdout
    assert changed.returncode == 1
    assert "drifted" in changed.stdout


@pytest.mark.parametrize(
    ("lines", "told"), [(slice(0, 10), "20 are needed"), (slice(0, COUNT, 2), "all 60 labels say stated")]
)
def test_labels_that_certify_nothing_are_refused(cli: Cli, labels: Path, lines: slice, told: str) -> None:
    """Fewer than 20, or all of one kind: the message says what to do."""
    some = labels.read_text(encoding="utf-8").splitlines()[lines]
    Path("some.jsonl").write_text("\n".join(some) + "\n", encoding="utf-8")
    with judging(by_chances(knows)) as server:
        done = cli("certify", "some.jsonl", *_judge(server), "--run", "one")

    assert done.returncode == 2
    assert told in done.stderr


def test_labels_without_their_answers_are_named(cli: Cli, labels: Path) -> None:
    """Without the run, or with the texts in the labels."""
    with judging(by_chances(knows)) as server:
        done = cli("certify", labels, *_judge(server))
        texts = [
            {"case": f"Q{n}", "point": _point(n), "answer_text": _answer(n), "verdict": "stated" if n % 2 else "absent"}
            for n in range(1, 61)
        ]
        Path("t.jsonl").write_text("\n".join(map(json.dumps, texts)), encoding="utf-8")
        whole = cli("certify", "t.jsonl", *_judge(server))

    assert done.returncode == 2
    assert "--run" in done.stderr
    assert whole.returncode == 0, whole.stderr


def test_labels_beside_the_runs_are_found_with_their_run(cli: Cli, labels: Path) -> None:
    """As people leave them on the page: neither file nor run need be named; a name that leads elsewhere is no run."""
    with judging(by_chances(knows)) as server:
        nothing = cli("certify", *_judge(server))
        named = [structs.replace(label, run="one") for label in read_labels(labels)]
        append_labels(Path("runs/labels.jsonl"), [*named, structs.replace(named[0], case="Q999", run="../runs/one")])
        done = cli("certify", *_judge(server))

    assert (nothing.returncode, "ragstone review" in nothing.stderr) == (2, True)
    assert "TRUSTED" in done.stdout, done.stderr
    assert "1 label is about answers whose text was not found" in done.stdout


def test_a_threshold_lies_in_the_gap() -> None:
    """Halfway between the highest no and the lowest yes."""
    assert tune([(-3, False), (1, False), (2, True), (5, True)]) == 1.5
    assert tune([]) == 0.0


def test_the_band_is_as_wide_as_the_judge_speaks_loud() -> None:
    """A tenth of the way from a usual no to a usual yes, half a nat at most, and where nothing can be told."""
    assert tune_band([(-1, False), (0, False), (2, True)]) == 0.25
    assert tune_band([(-9, False), (9, True)]) == 0.5
    assert tune_band([(2, False), (1, True)]) == tune_band([(1, True)]) == tune_band([]) == 0.5


def test_other_rules_of_judging_are_named_and_end_the_trust(cli: Cli, labels: Path) -> None:
    """A change in how replies become verdicts is drift, and neither run nor certificate is trusted across it."""
    with judging(by_chances(knows)) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        cli("judge", "one", *_judge(server))
        assert cli("verify", "one").returncode == 0
        _age()
        old = cli("verify", "one")
        cli("rescore", "one", "--out", "runs/two")
        gate = cli("gate", "two", "--rule", "accuracy_judged >= 0.1")
        again = cli("judge", "two", *_judge(server))

    assert "judging rules" in old.stdout
    assert json.loads(Path("runs/two/judging.json").read_text(encoding="utf-8"))["terms"]["rules"] == RULES
    assert gate.returncode == 3
    assert "under other rules" in gate.stdout
    assert "under other rules" in again.stdout


def test_a_budget_that_is_spent_in_the_middle_is_said_and_goes_on(cli: Cli, labels: Path) -> None:
    """The examination ends with a message; what the judge said is kept and not asked again."""
    with judging(by_chances(knows)) as server:
        stopped = cli("certify", labels, *_judge(server), "--run", "one", "--probes", "2", "-J", "max_calls=9")
        kept, calls = len(Path("judge.part.jsonl").read_text(encoding="utf-8").splitlines()), server.calls
        done = cli("certify", labels, *_judge(server), "--run", "one", "--probes", "2", "-J", "max_calls=900")
    said = len(Path("judge.jsonl").read_text(encoding="utf-8").splitlines())

    assert "the judge m cannot be asked" in stopped.stderr and "Traceback" not in stopped.stderr
    assert stopped.returncode not in (0, 1) and 0 < kept < COUNT
    assert done.returncode == 0 and server.calls - calls == said - kept + 1


def test_a_judge_that_goes_down_is_not_waited_for(cli: Cli, labels: Path) -> None:
    """It answered once, so a run would be patient; an examination ends, keeps what was said and goes on later."""
    healthy, state = by_chances(knows), {"down": True}

    def say(body: Any, number: int) -> Reply:
        return Reply(status=503, body={}) if state["down"] and number > 9 else healthy(body, number)

    quick = ("-J", "patience_at_start=0.2", "-J", "breaker_pause=0.1", "-J", "max_retries=0")
    with judging(say) as server:
        began = time.monotonic()
        stopped = cli("certify", labels, *_judge(server), *quick, "--run", "one", "--probes", "2")
        probed = cli("judge", "one", *_judge(server), *quick, "--probe")
        took = time.monotonic() - began
        kept, calls = len(Path("judge.part.jsonl").read_text(encoding="utf-8").splitlines()), server.calls
        state["down"] = False
        done = cli("certify", labels, *_judge(server), "--run", "one", "--probes", "2")
    said = len(Path("judge.jsonl").read_text(encoding="utf-8").splitlines())

    assert (stopped.returncode, probed.returncode, done.returncode) == (2, 2, 0), stopped.stderr
    assert "the judge m cannot be asked" in stopped.stderr and "the judge m cannot be asked" in probed.stderr
    assert took < 60
    assert 0 < kept < COUNT and server.calls - calls == said - kept + 1


def test_an_examination_can_be_interrupted(labels: Path) -> None:
    """The first Ctrl-C ends it; what was said is kept."""

    ended = threading.Event()

    def held(body: Any, number: int) -> Reply:
        if number > _SAID:
            ended.wait(60)
        return by_chances(knows)(body, number)

    with judging(held) as server:
        words = [sys.executable, "-m", "ragstone", "certify", str(labels), *_judge(server), "--run", "one"]
        with subprocess.Popen(words, stderr=subprocess.PIPE, encoding="utf-8") as process:
            while server.calls <= _SAID and process.poll() is None:
                time.sleep(0.05)
            process.send_signal(signal.SIGINT)
            _, told = process.communicate(timeout=60)
        ended.set()

    assert process.returncode == 130 and "Traceback" not in told
    assert 0 < len(Path("judge.part.jsonl").read_text(encoding="utf-8").splitlines()) < COUNT


def _text_labels(count: int, answers: int) -> list[dict[str, Any]]:
    return [
        {"case": f"Q{n}", "point": _point(m), "answer_text": _answer(m), "verdict": "stated" if m % 2 else "absent"}
        for n in range(1, count + 1)
        for m in [n % answers + 1]
    ]


def _write(name: str, rows: list[dict[str, Any]]) -> str:
    Path(name).write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return name


def test_labels_on_equal_answers_count_once(cli: Cli, labels: Path) -> None:
    """Two hundred labels on four answers are four; where they contradict each other, none."""
    with judging(by_chances(knows)) as server:
        few = cli("certify", _write("few.jsonl", _text_labels(200, 4)), *_judge(server))
        rows = _text_labels(120, 60)
        rows[-1] |= {"verdict": "absent" if rows[-1]["verdict"] == "stated" else "stated"}
        done = cli("certify", _write("some.jsonl", rows), *_judge(server), "--probes", "1")

    assert few.returncode == 2
    assert "only 4 of 200 labels" in few.stderr and "196 repeat" in few.stderr
    assert "59 labels repeat" in done.stdout and "2 labels contradict another one" in done.stdout
    assert json.loads(Path("judge.json").read_text("utf-8")).popitem()[1]["kinds"]["states"]["labels"] == 59


def test_labels_that_fit_nothing_in_the_run_are_counted_and_named(cli: Cli, labels: Path) -> None:
    """Other cases, points that are spelt otherwise, edited answers, reviewers who disagree; the others certify."""
    rows = _text_labels(COUNT, COUNT)
    rows = [row | {"case": f"Q{int(row['case'][1:]) % COUNT + 1}", "reviewer": "lin"} for row in rows]
    rows[0] |= {"case": "room-9"}
    rows[1] |= {"point": "no such point"}
    rows[2] |= {"answer_text": "edited"}
    rows.append(rows[9] | {"reviewer": "wang", "verdict": "stated" if rows[9]["verdict"] == "absent" else "absent"})
    with judging(by_chances(knows)) as server:
        done = cli("certify", _write("t.jsonl", rows), *_judge(server), "--run", "one", "--probes", "1")
        wrong = [row | {"case": "nowhere"} for row in rows]
        none = cli("certify", _write("none.jsonl", wrong), *_judge(server), "--run", "one")

    told = done.stdout
    assert "1 label is about cases that are not in the run" in told and "room-9" in told
    assert "1 label is about points" in told and "no such point" in told
    assert "1 label is about answers that are not in the run" in told and rows[2]["case"] in told
    assert "disagree about 1 question" in told and rows[-1]["case"] in told
    assert json.loads(Path("judge.json").read_text("utf-8")).popitem()[1]["kinds"]["states"]["labels"] == COUNT - 4
    assert none.returncode == 2 and "about answers that are not there" in none.stderr


@pytest.mark.parametrize(
    ("said", "hint"),
    [
        (lambda point, answer: "Well, one could argue.", "not a JSON object"),
        (lambda point, answer: "", "not a JSON object"),
        (lambda point, answer: '{"verdict": "yes", "quote": "it is surely so 9731"}', "with a quotation that is not"),
        (lambda point, answer: '{"verdict": "yes", "quote": "那间"}', "says nothing about the point"),
    ],
    ids=["prose", "empty", "forged", "idle"],
)
def test_replies_that_cannot_be_read_are_called_that(cli: Cli, labels: Path, said: Any, hint: str) -> None:
    """Neither "misses too much" nor held probes: the hint of `judge`, with the count, and exit code 3 for --probe."""
    with judging(by_words(said)) as server:
        done = cli("certify", labels, *_judge(server), "--run", "one")
        probed = cli("judge", "one", *_judge(server), "--probe")

    (certificate,) = json.loads(Path("judge.json").read_text(encoding="utf-8")).values()
    standing = certificate["kinds"]["states"]
    assert standing["why"] == "undecided" and standing["unsure"] == standing["certified"]
    assert "decide anything" in done.stdout and f"{standing['certified']} " in done.stdout and hint in done.stdout
    assert "more labels" not in done.stdout
    assert "negation 0/0" in probed.stdout and "decided nothing: " in probed.stdout
    assert probed.returncode == 3


def test_a_perfect_judge_with_few_labels_is_told_how_many_more(cli: Cli, labels: Path) -> None:
    """Twelve of twelve is no reason to look for another judge."""
    Path("some.jsonl").write_text("".join(labels.read_text("utf-8").splitlines(keepends=True)[:24]), encoding="utf-8")
    with judging(by_chances(knows)) as server:
        done = cli("certify", "some.jsonl", *_judge(server), "--run", "one", "--probes", "1")
        few = cli("certify", labels, *_judge(server), "--run", "one", "--probes", "5")

    (more,) = re.findall(r"about ([0-9]+) stated and ([0-9]+) others", done.stdout)
    assert "right about every label" in done.stdout
    assert all(20 < int(n) < 44 for n in more), more
    assert "leave --probes out" in few.stdout and "label more rows" not in few.stdout


def test_only_the_probes_that_failed_are_named(cli: Cli, labels: Path) -> None:
    """By certify, by judge and by the gate."""
    with judging(by_chances(lambda point, answer: knows(point, answer) or "错误" in answer)) as server:
        done = cli("certify", labels, *_judge(server), "--run", "one")
        judged = cli("judge", "one", *_judge(server))
    gate = cli("gate", "one", "--rule", "accuracy_judged >= 0.1")

    for told in (done, judged, gate):
        assert "it failed probes (negation), which" in told.stdout


def test_a_jury_says_which_judge_is_not_trusted(cli: Cli, labels: Path) -> None:
    """Two judges, one of them certified."""
    both = ("--judge", "chat:n")
    with judging(by_chances(knows)) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        judged = cli("judge", "one", *_judge(server), *both)
    gate = cli("gate", "one", "--rule", "accuracy_judged >= 0.1")

    assert "advisory only: n: " in judged.stdout
    assert (
        "was made by n, whose verdicts on questions of kind 'states' only advise" in gate.stdout
        and "another model at this endpoint" in gate.stdout
    )


class _Changing:
    """A judge whose mind and version a test changes while it runs."""

    def __init__(self) -> None:
        self.mind: Any = knows
        self.version = "v1"

    def __call__(self, body: Any, number: int) -> Reply:
        return Reply(body={**weighed(self.mind(*case_of(body))), "system_fingerprint": self.version})


def _always(point: str, answer: str) -> bool:
    return True


def test_a_certificate_is_made_of_fresh_replies(cli: Cli, labels: Path) -> None:
    """A judge that changed since, another version of it, and one that was repaired are asked everything anew."""
    judge = _Changing()
    with judging(judge) as server:
        first = cli("certify", labels, *_judge(server), "--run", "one")
        calls, judge.mind = server.calls, _always
        ill = cli("certify", labels, *_judge(server), "--run", "one")
        asked, judge.mind, judge.version = server.calls - calls, knows, "v2"
        well = cli("certify", labels, *_judge(server), "--run", "one", "--lang", "zh-Hans")

    assert "TRUSTED" in first.stdout and "all of them now" in first.stdout
    assert asked > 4 * COUNT and "said yes to everything" in ill.stdout
    assert "可信" in well.stdout and "全部为本次提问" in well.stdout
    assert not Path("judge.part.jsonl").exists()


def test_an_interrupted_examination_is_gone_on_with_by_the_same_version_and_day(cli: Cli, labels: Path) -> None:
    """What was said before is taken over and counted; neither from another version nor from the day before."""
    judge = _Changing()
    part = Path("judge.part.jsonl")
    with judging(judge) as server:
        begin = ("certify", labels, *_judge(server), "--run", "one", "--probes", "1")
        stopped = cli(*begin, "-J", "max_calls=40")
        kept = part.read_bytes()
        on = cli(*begin)
        part.write_bytes(kept)
        judge.version = "v2"
        other = cli(*begin)
        judge.version = "v1"
        part.write_bytes(kept)
        os.utime(part, (0, 0))
        late = cli(*begin)

    assert f"{len(kept.splitlines())} replies are kept" in stopped.stderr
    assert f"{len(kept.splitlines())} taken from an interrupted examination" in on.stdout
    assert "all of them now" in other.stdout and "all of them now" in late.stdout


def test_a_cache_says_nothing_for_a_certificate(cli: Cli, labels: Path) -> None:
    """What a judge's cache holds is what it said before."""
    judge = _Changing()
    with judging(judge) as server:
        options = (*_judge(server), "-J", "cache=said.db")
        cli("certify", labels, *options, "--run", "one", "--probes", "1")
        judge.mind = _always
        probed = cli("judge", "one", *options, "--probe")
        again = cli("certify", labels, *options, "--run", "one", "--probes", "1")

    assert "drifted" in probed.stdout
    assert "said yes to everything" in again.stdout


def test_what_an_ill_judge_said_is_asked_again_when_it_is_well(cli: Cli, labels: Path) -> None:
    """Its verdicts on a run do not get the stamp of a certificate that was made after it was repaired."""
    judge = _Changing()
    with judging(judge) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        judge.mind = _always
        cli("judge", "one", *_judge(server))
        cli("certify", labels, *_judge(server), "--run", "one")
        judge.mind = knows
        cli("certify", labels, *_judge(server), "--run", "one")
        stale = cli("gate", "one", "--rule", "accuracy_judged >= 0.9")
        cli("judge", "one", *_judge(server))
        wrong = cli("gate", "one", "--rule", "accuracy_judged >= 0.9")
        right = cli("gate", "one", "--rule", "accuracy_judged >= 0.45")

    assert (stale.returncode, wrong.returncode, right.returncode) == (3, 1, 0), right.stdout
    assert "drifted since it was certified" in stale.stdout


def test_what_another_version_said_is_not_certified_with_this_one(cli: Cli, labels: Path) -> None:
    """Verdicts of an uncertified version are asked again once another one is certified."""
    judge = _Changing()
    judge.mind = _always
    with judging(judge) as server:
        cli("judge", "one", *_judge(server))
        judge.mind, judge.version = knows, "v2"
        cli("certify", labels, *_judge(server), "--run", "one")
        cli("judge", "one", *_judge(server))

    summary = json.loads(Path("runs/one/summary.json").read_text(encoding="utf-8"))
    assert summary["models"]["a"]["all"]["metrics"]["accuracy_judged"]["mean"] == pytest.approx(0.5)


def _gated(cli: Cli) -> tuple[int, str]:
    done = cli("gate", "one", "--rule", "accuracy_judged >= 0.45")
    return done.returncode, done.stdout


def test_a_gate_goes_by_the_certificate_of_today(cli: Cli, labels: Path) -> None:
    """Drifted, made anew as advisory, gone, unreadable: NOT MEASURED with the reason, each time."""
    judge, file = _Changing(), Path("judge.json")
    with judging(judge) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        cli("judge", "one", *_judge(server))
        trusted, content = _gated(cli), file.read_bytes()
        judge.mind = _always
        cli("judge", "one", *_judge(server), "--probe")
        alarmed = _gated(cli)
        cli("certify", labels, *_judge(server), "--run", "one")
        advisory = _gated(cli)
    file.write_bytes(content)
    healed = _gated(cli)
    file.write_text("{", encoding="utf-8")
    broken = _gated(cli)
    file.unlink()
    gone = _gated(cli)

    assert (trusted[0], healed[0]) == (0, 0), trusted[1]
    for (code, told), why in zip(
        (alarmed, advisory, broken, gone),
        ("has drifted", "yes to everything", "cannot be read", "no longer there"),
        strict=True,
    ):
        assert (code, why in told) == (3, True), told


def test_a_run_from_elsewhere_brings_its_certificate(
    cli: Cli, labels: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moved alone to another machine it is gated by what it carries, which is held against its own counts."""
    with judging(by_chances(knows)) as server:
        cli("certify", labels, *_judge(server), "--run", "one")
        cli("judge", "one", *_judge(server))
    Path("judge.json").unlink()
    here = _gated(cli)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another machine"))
    refused, there = _gated(cli), cli("gate", "one", "--rule", "accuracy_judged >= 0.45", "--trust-run")

    assert here[0] == 3
    assert refused[0] == 3 and "was not written by you" in refused[1] and "--trust-run" in refused[1]
    assert (there.returncode, "were made elsewhere and count" in there.stdout) == (0, True), there.stdout
    assert "elsewhere_agreed" in Path("runs/one/gate.json").read_text(encoding="utf-8")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize("command", [("judge", "one"), ("certify", "labels.jsonl", "--run", "one")])
def test_a_judge_that_hangs_at_first_is_left_at_the_first_signal(
    labels: Path, command: tuple[str, ...], number: signal.Signals
) -> None:
    """It accepts and says nothing: Ctrl-C and SIGTERM end the command within seconds."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        url = f"http://127.0.0.1:{server.getsockname()[1]}/v1"
        words = [sys.executable, "-m", "ragstone", *command, "--judge", "chat:m", "-J", f"base_url={url}"]
        with subprocess.Popen(words, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, encoding="utf-8") as process:
            server.settimeout(60)
            connection, _ = server.accept()
            connection.recv(1)
            process.send_signal(number)
            _, told = process.communicate(timeout=10)
            connection.close()

    assert process.returncode in (130, -signal.SIGTERM) and "Traceback" not in told


def _age() -> None:
    """Have run and certificate be as they were when replies became verdicts by earlier rules."""
    run, file = RunFolder(Path("runs/one")), Path("judge.json")
    old = {who: sealed(structs.replace(one, rules="0")) for who, one in read_certificates(file).items()}
    file.write_bytes(pretty(to_builtins(old)))
    text = (run.path / "judging.json").read_text(encoding="utf-8")
    assert f'"rules": "{RULES}"' in text
    (run.path / "judging.json").write_text(text.replace(f'"rules": "{RULES}"', '"rules": "0"'), encoding="utf-8")
    meta = run.meta() | open_verdicts(run.meta())
    run.write("run_meta.json", seal(run, meta | close_verdicts(run, meta)))


def _noisy(yes: bool | None) -> Callable[[Any, int], Reply]:
    """Answer with margins of 3.0 to 4.0 that tell nothing, always on one side or by the hash of what is asked."""

    def say(body: Any, _: int) -> Reply:
        dice = zlib.crc32("".join(case_of(body)).encode())
        return Reply(body=weighed(bool(dice % 2) if yes is None else yes, gap=3.0 + dice % 100 / 100))

    return say


@pytest.mark.parametrize(
    ("yes", "english", "chinese"),
    [
        (True, "it said yes to everything", "都判“是”"),
        (False, "it said no to everything", "都判“否”"),
        (None, "no better than chance", "不高于随机"),
    ],
    ids=["always_yes", "always_no", "chance"],
)
def test_a_judge_that_tells_nothing_is_not_helped_by_labels(
    cli: Cli, labels: Path, yes: bool | None, english: str, chinese: str
) -> None:
    """Margins that vary a little, or replies at random: the reason is what it is, not a lack of labels."""
    with judging(_noisy(yes)) as server:
        done = cli("certify", labels, "--run", "one", "--probes", "1", *_judge(server))
        told = cli("certify", labels, "--run", "one", "--probes", "1", *_judge(server), "--lang", "zh-Hans")

    assert english in done.stdout and chinese in told.stdout
    assert "more labels" not in done.stdout


def test_a_certificate_under_another_name_is_called_that(cli: Cli, labels: Path) -> None:
    """The endpoint and model are the same: nothing is said of another endpoint."""
    with judging(by_chances(knows)) as server:
        cli("certify", labels, "--run", "one", "--probes", "1", *_judge(server))
        done = cli("judge", "one", *_judge(server), "-J", "model_id=alias")

    assert "the same judge under another name" in done.stdout


def test_labels_that_contradict_each_other_are_named_as_the_reason(cli: Cli, labels: Path) -> None:
    """What is left is of one kind because the others are disputed: that is said, and which they are."""
    said = read_labels(labels)
    against = [structs.replace(one, reviewer="mo", verdict="absent") for one in said]
    append_labels(labels, against)
    with judging(by_chances(knows)) as server:
        done = cli("certify", labels, "--run", "one", *_judge(server))
        assert server.calls == 0
    people = cli("judge", "one", "--people", "--labels", labels)

    assert done.returncode == 2
    assert "60 more contradict each other" in done.stderr and "Q1, Q3" in done.stderr
    assert "the verdict of rule or judge stands" in people.stdout and "Q1, Q3" in people.stdout


def test_labels_that_decide_nothing_are_counted(cli: Cli, labels: Path) -> None:
    """The hard ones left unsure make a judge look better: that is said."""
    append_labels(labels, [structs.replace(one, verdict="unsure") for one in read_labels(labels)[:7]])
    with judging(by_chances(knows)) as server:
        done = cli("certify", labels, "--run", "one", "--probes", "1", *_judge(server))

    assert "7 questions are labelled unsure or blank" in done.stdout
