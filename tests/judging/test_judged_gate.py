"""Attacks on a gate over judged figures: ill judges in caches, planted runs, certificates edited by hand."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs, to_builtins

from ragstone.core.types import Block, Costs, Figure, JudgedBy, KindDoubt, ModelSummary, Summary
from ragstone.judging.certificate import Certificate, fault_of, read_certificates, sealed
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.runs.judged.asking import MOST_CANARIES
from ragstone.runs.judged.certificates import raise_alarm
from ragstone.runs.store.codec import pretty
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import seal
from ragstone.trust.rules import Facts, decide, parse_rule
from tests.conftest import Cli
from tests.judging.bench import judging, weighed
from tests.judging.lights import Endpoint, always, asking, label_of
from tests.loopback import Reply, completion

HIGH, LOW = ("--rule", "accuracy_judged >= 0.9"), ("--rule", "accuracy_judged >= 0.45")
JUDGE = Path("judge.json")


@pytest.fixture
def away(cli: Cli, lights: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Run a command as somebody else on another machine."""

    def run(*words: Any) -> Any:
        with monkeypatch.context() as there:
            there.setenv("XDG_STATE_HOME", str(Path("another machine").resolve()))
            return cli(*words)

    return run


def test_what_an_ill_judge_said_does_not_come_back_out_of_its_cache(cli: Cli, lights: Path) -> None:
    """Alarm, repair, a fresh certificate: the cache of the time in between answers nothing, also for new runs."""
    judge = Endpoint()
    with judging(judge) as server:
        asked = asking(server, "-J", "cache=kept.db")
        cli("certify", lights, *asked, "--run", "one")
        judge.mind = always
        cli("judge", "one", *asked)
        assert cli("judge", "one", *asked, "--probe").returncode == 1
        judge.mind = Endpoint().mind
        cli("certify", lights, *asked, "--run", "one")
        calls = server.calls
        again = cli("judge", "one", *asked)
        fresh, calls = server.calls - calls, server.calls
        other = cli("judge", "two", *asked)
        gates = [cli("gate", name, *rule).returncode for name in ("one", "two") for rule in (HIGH, LOW)]

    assert "120 asked, 0 asked before" in again.stdout and fresh >= 120
    assert "0 asked, 120 asked before" in other.stdout and server.calls - calls == MOST_CANARIES
    assert gates == [1, 0, 1, 0]


def test_a_certificate_that_was_removed_revives_nothing(cli: Cli, lights: Path) -> None:
    """Who removes an alarm with its file starts anew: what was said before the first certificate is asked again."""
    judge = Endpoint()
    with judging(judge) as server:
        asked = asking(server, "-J", "cache=kept.db")
        judge.mind = always
        cli("judge", "one", *asked)
        judge.mind = Endpoint().mind
        cli("certify", lights, *asked, "--run", "one")
        again, gate = cli("judge", "one", *asked), cli("gate", "one", *HIGH)

    assert "120 asked, 0 asked before" in again.stdout
    assert gate.returncode == 1


def _seal(run: Path) -> None:
    """Have the seal of a run fit its files, as anybody can."""
    (run / "run_meta.json").write_text(json.dumps(seal(RunFolder(run), RunFolder(run).meta())), encoding="utf-8")


def _plant(away: Callable[..., Any], *words: Any) -> None:
    """Have a run made and judged elsewhere."""
    assert away("score", "q.jsonl", "a.jsonl", "--run-id", "sent", "-q").returncode == 0
    if words:
        done = away("judge", "sent", *words)
        assert done.returncode == 0, done.stderr


def test_verdicts_from_elsewhere_count_only_where_the_user_says_so(
    cli: Cli, lights: Path, away: Callable[..., Any]
) -> None:
    """The same judge is trusted here; what it said there is somebody's word. With the flag, the verdict tells so."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        _plant(away, *asking(server))
    refused, told = cli("gate", "sent", *LOW), cli("gate", "sent", *LOW, "--lang", "zh-Hans")
    shown, plain = cli("report", "sent", "--lang", "en"), cli("gate", "sent", "--rule", "accuracy >= 0")
    taken = cli("gate", "sent", *LOW, "--trust-run")
    kept = json.loads(Path("runs/sent/gate.json").read_text(encoding="utf-8"))

    assert refused.returncode == 3 and "'judgements.jsonl'" in refused.stdout and "--trust-run" in refused.stdout
    assert "并非由您在本机写入" in told.stdout and "made elsewhere" in shown.stdout
    assert plain.returncode == 0 and "elsewhere" not in plain.stdout
    assert taken.returncode == 0 and "were made elsewhere and count" in taken.stdout, taken.stdout
    assert [one["params"]["run"] for one in kept["rulings"] if one["code"] == "gate.elsewhere_agreed"] == ["sent"]


def test_labels_from_elsewhere_count_only_where_the_user_says_so(
    cli: Cli, lights: Path, away: Callable[..., Any]
) -> None:
    """People's verdicts need no certificate, so whoever writes labels into a run would write its figures."""
    forged = [structs.replace(label_of(n), verdict="stated") for n in range(1, 121)]
    append_labels(Path("forged.jsonl"), forged)
    _plant(away, "--people", "--labels", "forged.jsonl")
    refused, taken = cli("gate", "sent", *HIGH), cli("gate", "sent", *HIGH, "--trust-run")
    judged = cli("judge", "sent")

    assert (refused.returncode, taken.returncode) == (3, 0)
    assert "labels.jsonl" in refused.stdout and "labels.jsonl" in taken.stdout
    assert judged.returncode == 2 and "was not made by you" in judged.stderr and "--trust-run" in judged.stderr


def test_a_run_that_comes_back_with_other_verdicts_is_not_ones_own(cli: Cli, lights: Path) -> None:
    """Its questions and answers still carry the mark; what was decided does not, and judging it here gives it none."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
        well, run = cli("gate", "one", *LOW), Path("runs/one")
        labels = [structs.replace(label, verdict="stated", run="") for label in read_labels(lights)]
        (run / "labels.jsonl").unlink(missing_ok=True)
        append_labels(run / "labels.jsonl", labels)
        _seal(run)
        gate, again = cli("gate", "one", *LOW), cli("judge", "one", *asking(server))

    assert well.returncode == 0, well.stdout
    assert gate.returncode == 3 and "labels.jsonl" in gate.stdout
    assert again.returncode == 2 and "labels.jsonl" in again.stderr


def test_a_run_from_elsewhere_that_was_judged_here_counts(cli: Cli, lights: Path, away: Callable[..., Any]) -> None:
    """Its answers are somebody's, its verdicts one's own judge's; they may be asked for again and scored again."""
    _plant(away)
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        first, second = (cli("judge", "sent", *asking(server)) for _ in range(2))
    done = cli("rescore", "sent", "--out", "runs/three")
    gates = [cli("gate", name, *LOW) for name in ("sent", "three")]

    assert (first.returncode, second.returncode, done.returncode) == (0, 0, 0), second.stderr
    assert [gate.returncode for gate in gates] == [0, 0], gates[1].stdout


def test_figures_without_verdicts_are_somebodys_word(cli: Cli, lights: Path) -> None:
    """A summary that speaks of judges, in a run without a line of theirs."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
    run = Path("runs/one")
    for name in ("judging.json", "judgements.jsonl", "labels.jsonl"):
        (run / name).unlink(missing_ok=True)
    _seal(run)

    gate = cli("gate", "one", *LOW)

    assert gate.returncode == 3 and "summary.json" in gate.stdout


def test_a_run_brings_no_certificate_past_ones_own(cli: Cli, lights: Path, away: Callable[..., Any]) -> None:
    """It names a forged one inside itself; the user's own entry for that judge is advisory, and stays what counts."""
    judge = Endpoint()
    with judging(judge) as server:
        forged = Path("runs/sent/j.json")
        _plant(away)
        away("certify", lights, *asking(server), "--run", "sent", "--out", forged)
        judge.mind = always
        cli("certify", lights, *asking(server), "--run", "one")
        judge.mind = Endpoint().mind
        Path("ragstone.toml").write_text(f'[judge]\ncertificate = "{forged}"\n', encoding="utf-8")
        assert away("judge", "sent", *asking(server)).returncode == 0
        Path("ragstone.toml").unlink()
    refused, taken = cli("gate", "sent", *LOW), cli("gate", "sent", *LOW, "--trust-run")

    assert json.loads(Path("runs/sent/judging.json").read_text("utf-8"))["terms"]["judges"][0]["place"] == str(forged)
    assert (refused.returncode, taken.returncode) == (3, 3)
    assert "said yes to everything" in taken.stdout, taken.stdout


def _edit(change: Callable[[dict[str, Any]], Any]) -> None:
    held = json.loads(JUDGE.read_text(encoding="utf-8"))
    for one in held.values():
        change(one)
    JUDGE.write_text(json.dumps(held), encoding="utf-8")


@pytest.mark.parametrize(
    ("change", "why", "chinese"),
    [
        (lambda one: one["kinds"]["states"].update(threshold=-5.0), "changed by hand", "手工改动"),
        (lambda one: one.update(anchors=[]), "changed by hand", "手工改动"),
        (lambda one: one.update(identity="f" * 64), "changed by hand", "手工改动"),
        (lambda one: one.update(epoch="2001-01-01"), "changed by hand", "手工改动"),
        (lambda one: one.pop("seal"), "has no seal", "没有封印"),
    ],
    ids=["threshold", "anchors", "identity", "epoch", "unsealed"],
)
def test_a_certificate_that_was_edited_is_none(
    cli: Cli, lights: Path, change: Callable[[dict[str, Any]], Any], why: str, chinese: str
) -> None:
    """The gate names it and says to certify again; judging again launders nothing, certifying does."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
        well = cli("gate", "one", *LOW)
        _edit(change)
        gate, told = cli("gate", "one", *LOW), cli("gate", "one", *LOW, "--lang", "zh-Hans")
        again, later = cli("judge", "one", *asking(server)), cli("gate", "one", *LOW)
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
        mended = cli("gate", "one", *LOW)

    assert (well.returncode, gate.returncode, later.returncode, mended.returncode) == (0, 3, 3, 0), mended.stdout
    for said in (gate.stdout, again.stdout, later.stdout):
        assert why in said and "certify it again" in said, said
    assert chinese in told.stdout and "重新认证" in told.stdout


def _certificate(cli: Cli, lights: Path) -> Certificate:
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
    return next(iter(read_certificates(JUDGE).values()))


def test_a_seal_that_anybody_can_make_saves_no_threshold(cli: Cli, lights: Path) -> None:
    """Forged with a fitting seal: the margins it was tuned by say another threshold."""
    one = _certificate(cli, lights)
    kinds = {"states": structs.replace(one.kinds["states"], threshold=-5.0)}
    forged = sealed(structs.replace(one, kinds=kinds))
    assert fault_of(forged, one.identity) == ""
    JUDGE.write_bytes(pretty(to_builtins({one.identity: forged})))
    gate = cli("gate", "one", *LOW)

    assert gate.returncode == 3 and "certify it again" in gate.stdout


def test_a_certificate_of_the_team_counts_and_is_named(cli: Cli, lights: Path, away: Callable[..., Any]) -> None:
    """Committed to a repository and used under another key: the seal is enough, and the verdict tells."""
    with judging(Endpoint()) as server:
        _plant(away)
        away("certify", lights, *asking(server), "--run", "sent")
        cli("judge", "one", *asking(server))
    gate = cli("gate", "one", *LOW)

    assert gate.returncode == 0, gate.stdout
    assert "the certificate of 'm' was made by somebody else, or on another machine" in gate.stdout


def test_an_alarm_seals_nothing_that_was_edited(cli: Cli, lights: Path) -> None:
    """A note in an entry that was changed by hand does not make a certificate of it; in a sound one it does."""
    one = _certificate(cli, lights)
    raise_alarm(JUDGE, one.identity)
    noted = read_certificates(JUDGE)[one.identity]
    _edit(lambda entry: entry["kinds"]["states"].update(threshold=-5.0))
    raise_alarm(JUDGE, one.identity)

    assert noted.alarm and fault_of(noted, one.identity) == ""
    assert fault_of(read_certificates(JUDGE)[one.identity], one.identity) == "edited"


def _facts(by: JudgedBy, kinds: dict[str, int], judged: int) -> Facts:
    figure = Figure(mean=0.9, n=100, not_applicable=0, total=90.0)
    names = ("accuracy", "accuracy_judged", "faithfulness", "faithfulness_judged")
    block = Block(
        cases=100, scored=100, errored=0, unparsed=0, passed=90, pass_rate=0.9, primary_score=0.9,
        metrics=dict.fromkeys(names, figure),
    )  # fmt: skip
    costs = Costs(
        answered=100, latency_ms_mean=None, latency_ms_p50=None, latency_ms_p95=None, total_tokens=0,
        tokens_mean=None, tokens_p95=None, retries=0, cached=0, cost=None,
    )  # fmt: skip
    authors = {"rule": 50, "judge": judged}
    model = ModelSummary(all=block, costs=costs, groups={}, authors=authors, judged_kinds=kinds)
    summary = Summary(
        run_id="r", task_name="", status="complete", scorer_version="", expected=100, finished=100,
        results_digest="", models={"a": model}, judged_by=by,
    )  # fmt: skip
    return Facts(summary=summary)


_BY = JudgedBy(
    names=("j",),
    why="kind",
    doubts=(KindDoubt(kind="supported", why="kind", judges=("j",)),),
    figures={"accuracy": ("states",), "faithfulness": ("supported",)},
)


@pytest.mark.parametrize(
    ("figure", "kinds", "judged", "outcome"),
    [
        ("accuracy", {"states": 40, "supported": 60}, 100, "PASS"),
        ("faithfulness", {"states": 40, "supported": 60}, 100, "NOT MEASURED"),
        ("faithfulness", {"states": 40}, 40, "PASS"),
        ("accuracy", {}, 0, "PASS"),
        ("accuracy", {}, 100, "NOT MEASURED"),
        ("accuracy", {"states": 40}, 100, "NOT MEASURED"),
    ],
    ids=["trusted", "kind", "unused", "rules", "untold", "half_told"],
)
def test_a_figure_needs_certificates_of_its_own_kinds_alone(
    figure: str, kinds: dict[str, int], judged: int, outcome: str
) -> None:
    """Of those whose verdicts by judge went into it; where these are not told, of all. The kind is named."""
    verdict = decide([parse_rule(f"{figure}_judged >= 0.5")], _facts(_BY, kinds, judged))

    assert verdict.outcome == outcome
    assert outcome == "PASS" or verdict.rulings[-1].params["kind"] == "supported"


def test_what_rules_alone_decided_needs_no_certificate(cli: Cli, lights: Path, write_rows: Callable[..., Path]) -> None:
    """A judge without a certificate that was asked nothing made nothing."""
    rows = [{"q": f"第{n}号展厅几点开门？", "gold": [f"第{n}号展厅九点开门"], "doc_hint": []} for n in range(1, 9)]
    said = [{"id": f"Q{n}", "output": f"第{n}号展厅九点开门。"} for n in range(1, 9)]
    cli("score", write_rows("q2.jsonl", *rows), write_rows("a2.jsonl", *said), "--run-id", "plain", "-q")
    with judging(Endpoint()) as server:
        cli("judge", "plain", *asking(server))
        cli("judge", "one", *asking(server))
    plain, one = cli("gate", "plain", *HIGH), cli("gate", "one", *LOW)

    assert plain.returncode == 0, plain.stdout
    assert one.returncode == 3 and "on questions of kind 'states' only advise" in one.stdout


@pytest.mark.parametrize("reply", ["prose", "near"])
def test_a_judge_nobody_trusts_that_decides_nothing_passes_no_drop(cli: Cli, lights: Path, reply: str) -> None:
    """What it leaves open might be anything: a difference is not measured, nor a figure whose two ends differ."""

    def say(body: Any, number: int) -> Reply:
        return Reply(body=completion("Well, it depends.") if reply == "prose" else weighed(True, gap=0.1))

    with judging(say) as server:
        cli("judge", "one", *asking(server))
        cli("judge", "two", *asking(server))
    drop = cli("gate", "two", "-b", "one", "--rule", "drop(accuracy_judged) <= 0.02")
    wide = cli("gate", "one", "--rule", "accuracy_judged <= 0.1")
    sure = cli("gate", "one", "--rule", "accuracy_judged >= 0")

    assert (drop.returncode, wide.returncode) == (3, 3), drop.stdout + wide.stdout
    assert "no certificate" in drop.stdout and "no certificate" in wide.stdout
    assert sure.returncode == 0, sure.stdout
