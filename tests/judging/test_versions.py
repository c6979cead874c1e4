"""An endpoint that becomes another version: what each of them said is told apart, and never comes to one figure."""

import json
import shlex
from pathlib import Path
from typing import Any

import pytest

from ragstone import api
from ragstone.core.settings import read_settings
from ragstone.core.types import Answer
from ragstone.judging.judge import ChatJudge, holding, versions_in
from ragstone.judging.label_file import append_labels
from ragstone.runs.judged.judge_order import is_due
from ragstone.runs.store.folder import RunFolder
from tests.conftest import Cli, PlugIn
from tests.judging.bench import case_of, judging, weighed
from tests.judging.lights import COUNT, Endpoint, always, asking, knows, label_of
from tests.loopback import Reply

_RULE = ("--rule", "accuracy_judged >= 0.45")


def _model(run: str) -> dict[str, Any]:
    return dict(json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))["models"]["a"])


def _mean(run: str) -> float:
    return float(_model(run)["all"]["metrics"]["accuracy_judged"]["mean"])


def _versions(run: str) -> set[str]:
    lines = Path("runs", run, "judgements.jsonl").read_text(encoding="utf-8").splitlines()
    return {json.loads(line).get("version", "") for line in lines}


@pytest.mark.long
def test_a_version_that_changes_midway_measures_nothing(cli: Cli, lights: Path) -> None:
    """Exit code 3, both versions named, the rest counted as not asked; no gate goes by what is left, either way."""
    judge = Endpoint()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        whole = cli("judge", "two", *asking(server))
        judge.last, judge.then = server.calls + 40, ("v9", knows)
        done = cli("judge", "one", *asking(server))
    gates = [cli("gate", "one", *_RULE), cli("gate", "one", "-b", "two", "--rule", "drop(accuracy_judged) <= 0.02")]
    gates.append(cli("gate", "two", "-b", "one", "--rule", "drop(accuracy_judged) <= 0.02"))

    assert whole.returncode == 0, whole.stderr
    assert done.returncode == 3
    assert "'m v9' now, not 'm v1' as when judging began" in done.stderr
    assert [gate.returncode for gate in gates] == [3, 3, 3], [gate.stdout for gate in gates]
    assert all("ragstone judge RUN" in gate.stdout for gate in gates)


def test_the_rest_is_counted_and_the_figure_says_how_high_it_could_be(cli: Cli, lights: Path) -> None:
    """`unasked` in the summary, in reports and in the API; the run stays due, and verify finds the same."""
    judge = Endpoint()
    with judging(judge) as server:
        judge.last, judge.then = 41, ("v9", always)
        done = cli("judge", "one", *asking(server), "--json")
    found = json.loads(done.stdout)
    model = _model("one")

    assert done.returncode == 3
    assert model["authors"] == {"judge": 40, "open": 80} and model["unasked"] == 80
    assert found["asked"]["asked"] == 40 and "v9" in found["asked"]["reasons"]["en"]
    assert "现在自称" in found["asked"]["reasons"]["zh-Hans"]
    assert "or only to another version of it" in cli("report", "one", "--lang", "en").stdout
    assert is_due(RunFolder(Path("runs/one")))
    assert cli("verify", "one").returncode == 0


@pytest.mark.parametrize("cached", [(), ("-J", "cache=said.db")], ids=["plain", "cache"])
def test_judging_again_asks_everything_of_one_version(cli: Cli, lights: Path, cached: tuple[str, ...]) -> None:
    """What the other one said is not taken in, also where nothing is certified; going back costs no call."""
    judge = Endpoint()
    with judging(judge) as server:
        judge.last, judge.then = 41, ("v9", always)
        first, before = cli("judge", "one", *asking(server, *cached)), server.calls
        again = cli("judge", "one", *asking(server, *cached))
        asked, mean = server.calls - before, _mean("one")
        judge.version = "v1"
        back = cli("judge", "one", *asking(server))
        judge.mind = knows
        cli("judge", "one", *asking(server))

    assert (first.returncode, again.returncode, back.returncode) == (3, 0, 0), again.stderr
    # What v9 said the first time is known; v1 had said 40.
    assert COUNT <= before - 40 + asked <= COUNT + 4
    assert mean == 1.0
    assert _versions("one") == {"m v1", "m v9"}


def test_a_cache_does_not_bring_a_former_version_under_a_certificate(cli: Cli, lights: Path) -> None:
    """Its yeses are asked again; the run says and shows what its certified version said."""
    judge = Endpoint()
    judge.mind = always
    with judging(judge) as server:
        cache = ("-J", "cache=said.db")
        cli("judge", "one", *asking(server, *cache))
        judge.version, judge.mind = "v2", knows
        few = Path("few.jsonl")
        append_labels(few, map(label_of, range(1, 61)))
        certified = cli("certify", few, *asking(server, *cache), "--run", "one", "--probes", "2")
        done = cli("judge", "two", *asking(server, *cache))
        calls = server.calls
        third = cli("judge", "two", *asking(server, *cache))

    assert (certified.returncode, done.returncode, third.returncode) == (0, 0, 0), done.stderr
    assert _versions("one") == {"m v1"} and _versions("two") == {"m v2"}
    assert _mean("two") == pytest.approx(0.5)
    assert server.calls == calls


def test_a_second_run_out_of_the_cache_is_equal_to_the_byte(cli: Cli, lights: Path) -> None:
    """Without a call, with the version of each reply; what was kept without one is asked again."""
    with judging(Endpoint()) as server:
        cli("judge", "one", *asking(server, "-J", "cache=said.db"))
        calls = server.calls
        cli("judge", "two", *asking(server, "-J", "cache=said.db"))
        assert server.calls == calls

    files = [Path("runs", name, "judgements.jsonl").read_text(encoding="utf-8") for name in ("one", "two")]
    assert sorted(files[0].splitlines()) == sorted(files[1].splitlines())
    assert _versions("two") == {"m v1"}


def test_judge_and_gate_agree_about_another_version(cli: Cli, lights: Path) -> None:
    """What a judge of another version decided is advisory for both, with advice that works."""
    judge = Endpoint()
    with judging(judge) as server:
        cli("certify", lights, *asking(server), "--run", "one", "--probes", "2")
        judge.version = "v2"
        judged = cli("judge", "one", *asking(server))
        gate = cli("gate", "one", *_RULE)
        cli("certify", lights, *asking(server), "--run", "one", "--probes", "2")
        cli("judge", "one", *asking(server))
        after = cli("gate", "one", *_RULE)

    for told in (judged, gate):
        assert "another version than when it was certified; certify it again" in told.stdout
        assert "--probe" not in told.stdout
    assert "another version" not in after.stdout


_PLUGIN = """
from ragstone.judging.judge import Heard
from ragstone.judging.listen import Opinion

class Words:
    name, way, tongue = "words", "quote", "zh"
    said = 0
    def identity(self):
        return {"kind": "words"}
    def prompt(self, kind):
        return ""
    async def decide(self, question):
        self.said += 1
        version = "w1" if self.said <= self.most else "w2"
        return Heard(opinion=Opinion(verdict="yes", quote=(0, 1)), version=version)
    async def close(self):
        pass

def connect(argument, options):
    made = Words()
    made.most = int(argument)
    return made
"""


def test_a_plugin_tells_its_version_with_its_replies(cli: Cli, lights: Path, plug_in: PlugIn) -> None:
    """The first reply says which version is judging; it is held to that like an endpoint."""
    (plug_in("ragstone.judges", "words", "words_judge:connect") / "words_judge.py").write_text(_PLUGIN)

    changed = cli("judge", "one", "--judge", "words:30")
    steady = cli("judge", "two", "--judge", "words:999")

    assert changed.returncode == 3 and "w2" in changed.stderr
    assert _model("one")["unasked"] == COUNT - 30
    assert steady.returncode == 0 and _model("two")["unasked"] == 0


def test_each_judge_of_a_jury_is_held_to_its_own_version(cli: Cli, lights: Path) -> None:
    """One that changes leaves its questions open; the other one's version is none of its business."""
    steady, changing = Endpoint(), Endpoint()
    steady.version, changing.last, changing.then = "s1", 41, ("v9", knows)
    with judging(steady) as one, judging(changing) as other:
        judges = [
            api.connect_system("chat:m", {"base_url": f"{server.url}/v1", "model_id": name}, read_settings())
            for server, name in ((one, "steady"), (other, "changing"))
        ]
        done = api.judge_run("runs/one", judges)

    assert done.asked.unasked and "changing" in done.asked.reasons["en"]
    assert done.summary.models["a"].authors["judge"] <= 40
    assert done.summary.models["a"].unasked == COUNT - done.summary.models["a"].authors["judge"]


class _Alternating:
    """One model behind several names, by turns."""

    def __init__(self, *names: str) -> None:
        self._names = names or ("fp_a", "fp_b")

    def __call__(self, body: Any, number: int) -> Reply:
        version = self._names[number % len(self._names)]
        return Reply(body={**weighed(knows(*case_of(body))), "system_fingerprint": version})


def test_certify_stops_where_versions_take_turns(cli: Cli, lights: Path) -> None:
    """At the fifth reply of another version, and says how to hold both as one; no certificate is written."""
    with judging(_Alternating()) as server:
        done = cli("certify", lights, *asking(server), "--run", "one")
        calls = server.calls

    assert done.returncode == 2
    assert "alternates between" in done.stderr and "-J versions=fp_a,fp_b" in done.stderr
    assert calls < 30
    assert not Path("judge.json").exists()


def test_a_certificate_of_some_replies_of_another_version_trusts_nobody(cli: Cli, lights: Path) -> None:
    """What certify says is what the gate says: one or two strays are enough."""
    with judging(_Alternating("fp_a", "fp_b", *["fp_a"] * 198)) as server:
        done = cli("certify", lights, *asking(server), "--run", "one")

    assert done.returncode == 0, done.stderr
    assert "TRUSTED" not in done.stdout
    assert "reported several versions" in done.stdout


@pytest.mark.parametrize("cached", [(), ("-J", "cache=said.db")], ids=["plain", "cache"])
def test_versions_that_are_held_as_one_are_one_judge(cli: Cli, lights: Path, cached: tuple[str, ...]) -> None:
    """They certify and judge under their joined name, and the run knows it when it goes on."""
    with judging(_Alternating()) as server:
        plain = cli("judge", "two", *asking(server))
        held = asking(server, "-J", "versions=fp_b, fp_a", *cached)
        certified = cli("certify", lights, *held, "--run", "one")
        done = cli("judge", "one", *held)
        calls = server.calls
        again = cli("judge", "one")
        gate = cli("gate", "one", *_RULE)

    assert plain.returncode == 3 and "-J versions=fp_a,fp_b" in plain.stderr
    assert certified.returncode == 0 and "TRUSTED" in certified.stdout, certified.stderr + certified.stdout
    assert (done.returncode, again.returncode, gate.returncode) == (0, 0, 0), done.stderr + gate.stdout
    assert server.calls - calls <= 1
    assert _versions("one") == {"m fp_a+fp_b"}


@pytest.mark.parametrize("names", [("fp_a", "fp_b", "fp_c"), ("a", "b", "c", "d", "e", "")], ids=["three", "six"])
def test_who_follows_the_hint_has_a_certificate_in_the_end(cli: Cli, lights: Path, names: tuple[str, ...]) -> None:
    """However many versions take turns: what a hint names holds those of the hint before, too."""
    held: tuple[str, ...] = ()
    with judging(_Alternating(*names)) as server:
        for _ in names:
            done = cli("certify", lights, *asking(server, *held), "--run", "one", "--probes", "2")
            if done.returncode == 0:
                break
            held = tuple(shlex.split(done.stderr.strip().rpartition("treat them as one, ")[2].partition(": ")[2]))
        judged = cli("judge", "one", *asking(server, *held))

    assert done.returncode == 0, done.stderr
    assert "reported several versions" not in done.stdout
    assert judged.returncode == 0, judged.stderr


def test_replies_that_tell_no_version_can_be_held_with_others() -> None:
    """The hint calls them by a name that the option understands."""
    system = api.connect_system("chat:m", {"base_url": "http://127.0.0.1:9/v1"}, read_settings())
    judge = ChatJudge(system, "margin", "zh")
    option = shlex.split(holding(judge, {"", "m fp_a"}))[0].partition("=")[2]
    held = ChatJudge(system, "margin", "zh", versions_in({"versions": option}))

    assert (
        held.named(Answer(version="")) == held.named(Answer(version="m fp_a")) != held.named(Answer(version="m fp_b"))
    )


def test_a_refusal_is_no_other_version(cli: Cli, lights: Path) -> None:
    """An error of the content filter tells no version; the question stays open for its own reason."""

    def say(body: Any, number: int) -> Reply:
        if number % 3 == 2:
            return Reply(status=400, body={"error": {"code": "content_filter", "message": "filtered"}})
        return Reply(body={**weighed(knows(*case_of(body))), "system_fingerprint": "v1"})

    with judging(say) as server:
        done = cli("judge", "one", *asking(server))

    assert done.returncode == 0, done.stderr
    assert "were refused by the endpoint's content filter" in done.stdout
    assert _versions("one") == {"m v1"}


def test_a_plugin_that_raises_is_no_other_version(cli: Cli, lights: Path, plug_in: PlugIn) -> None:
    """Its certificate says that it raised."""
    code = _PLUGIN.replace(
        "        version =", "        if self.said % 2:\n            raise ValueError('no')\n        version ="
    )
    (plug_in("ragstone.judges", "words", "words_judge:connect") / "words_judge.py").write_text(code)

    done = cli("certify", lights, "--judge", "words:99999", "--run", "one", "--probes", "2")

    assert done.returncode == 0, done.stderr
    assert "ended in an error of the judge" in done.stdout
