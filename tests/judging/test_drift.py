"""A judge that is not the one any more: turned to one side, in both directions, undecided, or by its probes."""

import json
import random
from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import pytest

from ragstone.core.types import RuleVerdict
from ragstone.judging.drift import ALARM, Drift, Turned, drift, missed_since, more_often
from ragstone.judging.label_file import append_labels
from ragstone.judging.probes import Probed
from ragstone.runs.judged.asking import CANARY_LEVEL, MOST_CANARIES
from tests.conftest import Cli
from tests.judging.bench import judging
from tests.judging.lights import COUNT, Endpoint, always, asking, knows, label_of
from tests.loopback import Reply

_RULE = ("--rule", "accuracy_judged >= 0.3")
_TWICE = {"states": Probed(50, 0)}


def _anchors(*pairs: tuple[RuleVerdict, RuleVerdict, int], kind: str = "states") -> list[Turned]:
    return [Turned(kind, then, now) for then, now, n in pairs for _ in range(n)]


def test_each_way_to_turn_has_its_exact_test() -> None:
    """One side by McNemar, both by Fisher beside the repeats, undecided by McNemar; three tests share the level."""
    assert drift([], {}) == Drift(0, 0, 1.0)
    assert drift(_anchors(("yes", "no", 8), ("yes", "yes", 90)), {}) == Drift(8, 0, 3 * 2 / 256)
    assert drift(_anchors(("yes", "open", 9), ("no", "no", 90)), _TWICE).alarms
    assert not drift(_anchors(("yes", "open", 9), ("open", "no", 7), ("no", "no", 90)), _TWICE).alarms
    assert more_often(2, 2, 0, 2) == pytest.approx(1 / 6) and more_often(0, 0, 0, 0) == 1.0


def test_flips_in_both_directions_are_an_alarm_where_repeats_do_not_flip() -> None:
    """78 of 200 with as many to yes as to no; not where the certificate saw as much when it asked twice."""
    turned = _anchors(("yes", "no", 39), ("no", "yes", 39), ("yes", "yes", 61), ("no", "no", 61))

    assert drift(turned, _TWICE).p < 1e-6
    assert drift(turned, {"states": Probed(50, 1)}).p < 1e-5
    assert not drift(turned, {"states": Probed(50, 19)}).alarms


def test_each_kind_of_question_has_its_own_repeats() -> None:
    """One that flips anyway does not hide one that did not."""
    turned = _anchors(("yes", "no", 30), ("no", "yes", 30), ("no", "no", 40))
    steady = _anchors(("yes", "yes", 100), kind="meets")
    known = {"states": Probed(50, 0), "meets": Probed(50, 30)}

    assert drift(turned + steady, known).alarms
    assert not drift(steady + turned[60:], known).alarms


def _verdicts(flip: float, unsure: float, rng: random.Random) -> Sequence[Any]:
    """Make rows of a judge that changes its mind about some more than about others."""
    rows = []
    for _ in range(300):
        usual, odd = rng.random() < 0.5, rng.betavariate(0.3, 0.3 * (1 - flip) / flip)
        rows.append((usual, odd, unsure * (rng.random() < 0.5)))
    return rows


def _say(row: tuple[bool, float, float], rng: random.Random) -> RuleVerdict:
    usual, odd, unsure = row
    if rng.random() < unsure:
        return "open"
    return "yes" if usual ^ (rng.random() < odd) else "no"


def _chance(flip: float, unsure: float, rng: random.Random, anchors: int = 200) -> float:
    rows = _verdicts(flip, unsure, rng)
    first = [_say(row, rng) for row in rows]
    twice = [(a, _say(row, rng)) for a, row in list(zip(first, rows, strict=True))[::6]]
    decided = [pair for pair in twice if "open" not in pair]
    repeats = {"states": Probed(len(decided), sum(a != b for a, b in decided))}
    turned = (Turned("states", a, _say(row, rng)) for a, row in zip(first[:anchors], rows, strict=False))
    return drift(turned, repeats).p


@pytest.mark.parametrize("unsure", [0.0, 0.2])
@pytest.mark.parametrize("flip", [0.01, 0.05, 0.2])
def test_a_judge_that_flips_as_it_always_did_is_left_alone(flip: float, unsure: float) -> None:
    """Simulated: at most one in twenty is called drifted, and one in a hundred by the few anchors of every pass."""
    rng = random.Random(f"{flip} {unsure}")

    assert sum(_chance(flip, unsure, rng) < ALARM for _ in range(200)) <= 10
    assert sum(_chance(flip, unsure, rng, MOST_CANARIES) < CANARY_LEVEL for _ in range(200)) <= 2


def test_probes_are_missed_since_only_when_that_is_more_than_before() -> None:
    """A strict one at all; two of fifty repeats are chance where one was, ten are not."""
    then = {"twice": Probed(50, 1), "padding": Probed(50, 0)}

    assert missed_since({"negation": Probed(50, 1)}, then) == ("negation",)
    assert missed_since({"twice": Probed(50, 2), "padding": Probed(50, 10)}, then) == ("padding",)
    assert missed_since({"wide": Probed(50, 2), "nothing": Probed(50, 1)}, then) == ("wide",)


def _turning(point: str, answer: str) -> bool:
    """Turn two verdicts of five round, by the text."""
    turns = sha256(f"{point}\0{answer}".encode()).digest()[0] < 0.4 * 256
    return knows(point, answer) ^ turns


@pytest.mark.long
@pytest.mark.parametrize(
    ("mind", "says", "why"),
    [
        (_turning, "the judge has drifted", "it has drifted since it was certified"),
        (
            lambda point, answer: knows(point, answer) or "错误" in answer,
            "negation",
            "missed probes (negation) that it passed",
        ),
    ],
    ids=["both_ways", "probes"],
)
def test_a_judge_that_turned_takes_the_trust_of_all_it_judged(
    cli: Cli, lights: Path, mind: Any, says: str, why: str
) -> None:
    """Exit code 1 with the reason, noted in judge.json; gates and later judgings say so until it is certified again."""
    judge = Endpoint()
    with judging(judge) as server:
        certified = cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
        well, passed = cli("judge", "one", *asking(server), "--probe"), cli("gate", "one", *_RULE)
        judge.mind = mind
        ill = cli("judge", "one", *asking(server), "--probe")
        gate, shown = cli("gate", "one", *_RULE), cli("report", "one", "--lang", "en")
        people = cli("judge", "one", "--people", "--labels", lights)
        later, after = cli("judge", "two", *asking(server)), cli("gate", "two", *_RULE)

    assert "TRUSTED" in certified.stdout
    assert (well.returncode, passed.returncode, ill.returncode) == (0, 0, 1), well.stdout + passed.stdout
    assert says in ill.stdout and "gates say NOT MEASURED until it is certified again" in ill.stdout
    assert json.loads(Path("judge.json").read_text("utf-8")).popitem()[1]["alarm"]
    assert (gate.returncode, after.returncode) == (3, 3)
    assert all(why in one.stdout for one in (gate, shown, later, after)), shown.stdout
    assert "120 by people" in people.stdout and "advisory" not in people.stdout


def _probes(done: CompletedProcess[str]) -> dict[str, list[int]]:
    return dict(json.loads(done.stdout)[0]["probes"])


def test_probing_uses_the_rows_of_the_certificate(cli: Cli, lights: Path) -> None:
    """The same judge, answering the same, misses exactly what it missed then, of every kind of probe."""
    with judging(Endpoint()) as server:
        certified = cli("certify", lights, *asking(server), "--run", "one", "--json")
        probed = cli("judge", "one", *asking(server), "--probe", "--json")

    told = json.loads(certified.stdout)[0]["kinds"]["states"]["probes"]
    assert probed.returncode == 0, probed.stderr
    assert _probes(probed) == told
    assert not json.loads(probed.stdout)[0]["other_rows"]


def test_other_rows_are_not_held_against_the_certificate(
    cli: Cli, lights: Path, write_rows: Callable[..., Path]
) -> None:
    """A judge that idle words confuse on other data is told of; it has not drifted, and the certificate holds."""
    rows = [{"q": f"{n}号门几点关？", "gold": [f"{n}号门晚上关闭"], "doc_hint": []} for n in range(60)]
    answers = [{"id": f"Q{n + 1}", "output": f"{n}号门晚上关闭。"} for n in range(60)]
    cli("score", write_rows("o.jsonl", *rows), write_rows("b.jsonl", *answers), "--run-id", "other", "-q")

    def mind(point: str, answer: str) -> bool:
        doors = "号门晚上关闭。" in answer and point in answer and "错误" not in answer
        return knows(point, answer) or (doors and "感谢" not in answer and "最近更新" not in answer)

    judge = Endpoint()
    judge.mind = mind
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        probed = cli("judge", "other", *asking(server), "--probe")

    assert "missed more probes than a trusted judge may: padding" in probed.stdout
    assert "these are other rows than those of the certificate" in probed.stdout
    assert "NOT MEASURED" not in probed.stdout
    assert not json.loads(Path("judge.json").read_text("utf-8")).popitem()[1]["alarm"]


def test_probing_another_version_says_so(cli: Cli, lights: Path) -> None:
    """All is well but the version: exit code 3, what to do, and the certificate of the other one stays as it is."""
    judge = Endpoint()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one", "--probes", "2")
        judge.version = "v2"
        probed = cli("judge", "one", *asking(server), "--probe")
        told = cli("judge", "one", *asking(server), "--probe", "--lang", "zh-Hans")

    assert probed.returncode == 3
    assert "it calls itself 'm v2' now, another version than at its certificate: certify it again" in probed.stdout
    assert "与认证时的版本不同：请重新认证" in told.stdout
    assert not json.loads(Path("judge.json").read_text("utf-8")).popitem()[1]["alarm"]


def test_a_judge_that_was_ill_while_it_judged_passes_no_gate(cli: Cli, lights: Path) -> None:
    """Under the same version, and well again when it is certified anew: what it said meanwhile is asked again."""
    judge = Endpoint()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        judge.mind = always
        ill = cli("judge", "one", *asking(server))
        gates = [cli("gate", "one", *_RULE)]
        judge.mind = knows
        cli("certify", lights, *asking(server), "--run", "one")
        gates.append(cli("gate", "one", *_RULE))
        calls = server.calls
        well = cli("judge", "one", *asking(server))
        asked = server.calls - calls
        gates.append(cli("gate", "one", *_RULE))

    assert "drifted since it was certified" in ill.stdout
    assert [gate.returncode for gate in gates] == [3, 3, 0], [gate.stdout for gate in gates]
    assert well.returncode == 0, well.stderr
    assert COUNT + MOST_CANARIES <= asked <= COUNT + MOST_CANARIES + 1


def test_a_few_questions_more_cost_few_anchors(cli: Cli, lights: Path) -> None:
    """As many as it was asked questions, counted as what judging took; none when nothing is asked."""
    judge = Endpoint()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        append_labels(Path("most.jsonl"), map(label_of, range(6, COUNT + 1)))
        calls = server.calls
        few = json.loads(cli("judge", "two", *asking(server), "--labels", "most.jsonl", "--json").stdout)
        nothing = json.loads(cli("judge", "two", *asking(server), "--json").stdout)

    assert few["asked"]["asked"] == 5 and few["asked"]["calls"] == 5 + 5
    assert nothing["asked"]["calls"] == 0
    assert server.calls - calls <= 10 + 2


_OWED = "not checked for drift after its last"


class _Fails(Endpoint):
    """A judge whose endpoint refuses everybody from some question on."""

    until = 10**9

    def __call__(self, body: Any, number: int) -> Reply:
        return super().__call__(body, number) if number < self.until else Reply(status=401, body={})


@pytest.mark.parametrize("how", ["budget", "down", "version"])
def test_a_check_that_could_not_be_made_is_owed(cli: Cli, lights: Path, how: str) -> None:
    """No gate goes by replies that nothing was asked after; the next pass asks the anchors, though nothing is open."""
    judge = _Fails()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        end = server.calls + COUNT + 2
        judge.last, judge.then = (end, ("v2", knows)) if how == "version" else (10**9, ("v1", knows))
        judge.until = end if how == "down" else 10**9
        more = ("-J", f"max_calls={COUNT + 1}") if how == "budget" else ()
        done, gate = cli("judge", "one", *asking(server, *more)), cli("gate", "one", *_RULE)
        judge.version, judge.until, calls = "v1", 10**9, server.calls
        again, after = cli("judge", "one", *asking(server)), cli("gate", "one", *_RULE)

    assert (done.returncode, gate.returncode) == (3, 3), done.stdout + gate.stdout
    assert _OWED in done.stderr and _OWED in gate.stdout
    assert "0 asked, 120 asked before" in again.stdout
    assert MOST_CANARIES <= server.calls - calls <= MOST_CANARIES + 1
    assert (again.returncode, after.returncode) == (0, 0), again.stderr + after.stdout


def test_what_small_passes_left_unchecked_is_checked_together(cli: Cli, lights: Path) -> None:
    """A judge that falls ill over a few questions at a time is found by as many anchors as all of them."""
    judge = Endpoint()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        judge.mind = always
        for calls in (4, 8, 12):
            cli("judge", "one", *asking(server, "-J", f"max_calls={calls}"))
        found = cli("judge", "one", *asking(server, "-J", "max_calls=999"))

    assert "drifted since it was certified" in found.stdout


def test_a_certificate_that_is_put_back_clears_no_alarm(cli: Cli, lights: Path) -> None:
    """The run knows of it; certified again as another judge, its questions are asked again, and the gate passes."""
    judge, certificate = Endpoint(), Path("judge.json")
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        before = certificate.read_bytes()
        judge.mind = always
        cli("judge", "one", *asking(server))
        judge.mind = knows
        certificate.write_bytes(before)
        cli("judge", "one", *asking(server))
        certificate.write_bytes(before)
        gate = cli("gate", "one", *_RULE)
        cli("judge", "one", *asking(server))
        cli("certify", lights, *asking(server), "--run", "one")
        again, after = cli("judge", "one", *asking(server)), cli("gate", "one", *_RULE)

    assert gate.returncode == 3 and "it has drifted since it was certified" in gate.stdout
    assert "120 asked, 0 asked before" in again.stdout
    assert after.returncode == 0, after.stdout
