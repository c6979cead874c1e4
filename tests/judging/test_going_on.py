"""A judged run that ends early, in every way it can: what is on disk, what is said, and who goes on with it."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone import api
from ragstone.core.errors import ConnectError
from ragstone.judging.label_file import append_labels
from ragstone.judging.labels import Label, Verdict, hash_of
from ragstone.runs.judged.judge_order import NAME, is_due, read_order
from ragstone.runs.store.folder import JOURNAL, RunFolder
from ragstone.runs.store.seal import seal
from tests.conftest import Cli, PlugIn
from tests.judging.bench import ANSWERS, ROWS, Say, by_chances, judging, quoting
from tests.loopback import Loopback, Reply, completion

Write = Callable[..., Path]
KEY = "sk-abcdef0123456789abcdef"


@pytest.fixture
def dataset(write_rows: Write) -> tuple[Path, str]:
    """A dataset, and recorded answers to it as a system."""
    return write_rows("q.jsonl", *ROWS), f"replay:{write_rows('a.jsonl', *ANSWERS)}"


class Turning:
    """A judge that can be given another mind."""

    def __init__(self, say: Say) -> None:
        self.say = say

    def __call__(self, body: Any, number: int) -> Reply:
        return self.say(body, number)


def _judge(server: Loopback, *more: str) -> tuple[str, ...]:
    return ("--judge", "chat:j", "-J", f"base_url={server.url}/v1", *more)


def _authors(run: str) -> dict[str, int]:
    found: dict[str, Any] = json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))
    return dict(found["models"]["a"]["authors"])


def _killed(words: list[str], until: Callable[[], bool]) -> None:
    """Start a command and end it like a power cut as soon as something holds."""
    environment = {**os.environ, "J_KEY": KEY}
    with subprocess.Popen([sys.executable, "-m", "ragstone", *words], env=environment) as process:
        end = time.monotonic() + 30
        while not until() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.02)
        process.send_signal(signal.SIGKILL)


def _lines(path: Path) -> int:
    return path.read_bytes().count(b"\n") if path.exists() else 0


def _slowly(body: Any, number: int) -> Reply:
    reply = by_chances()(body, number)
    return Reply(body=reply.body, delay=0.0 if number < 3 else 1.0)


@pytest.mark.parametrize("goes_on", ["resume", "judge"])
def test_a_kill_while_judging_forgets_no_judge(cli: Cli, dataset: tuple[Path, str], goes_on: str) -> None:
    """The judge stands in the run before it is asked; both commands ask the rest of it, and no key is kept."""
    path, system = dataset
    said = Path("runs/kk/judgements.jsonl")
    mind = Turning(_slowly)
    with judging(mind) as server:
        words = ["run", str(path), "-s", system, "--run-id", "kk", *_judge(server, "-J", "api_key_env=J_KEY")]
        words += ["-J", "concurrency=1", "-q"]
        _killed(words, lambda: _lines(said) >= 1)
        kept, order = _lines(said), read_order(RunFolder(Path("runs/kk")))
        mind.say = by_chances()
        calls = server.calls
        done = cli(goes_on, "kk", env={"J_KEY": KEY})
        asked = server.calls - calls

    assert 0 < kept < 4
    assert order is not None and order.judges == ("chat:j",) and order.due
    assert KEY not in Path("runs/kk/run_meta.json").read_text(encoding="utf-8")
    assert done.returncode == 0, done.stderr
    assert asked == 1 + 4 - kept
    assert _authors("kk") == {"judge": 4, "rule": 1}
    assert not is_due(RunFolder(Path("runs/kk")))
    assert "nothing was asked" not in done.stdout
    assert cli("verify", "kk").returncode == 0


def test_a_kill_while_judging_a_stored_run_forgets_no_judge(cli: Cli, dataset: tuple[Path, str]) -> None:
    """`judge` writes down whom it asks before it asks, too."""
    path, system = dataset
    cli("run", path, "-s", system, "--run-id", "kk", "-q")
    said, mind = Path("runs/kk/judgements.jsonl"), Turning(_slowly)
    with judging(mind) as server:
        _killed(["judge", "kk", *_judge(server, "-J", "concurrency=1")], lambda: _lines(said) > 0)
        mind.say = by_chances()
        done = cli("judge", "kk")

    assert done.returncode == 0, done.stderr
    assert _authors("kk") == {"judge": 4, "rule": 1}


def test_a_kill_while_asking_is_judged_in_the_end(cli: Cli, dataset: tuple[Path, str]) -> None:
    """`resume` asks the rest of the system, then the judge."""
    path, _ = dataset
    mind = Turning(lambda body, number: Reply(body=completion("周日照常营业"), delay=0.0 if number < 2 else 1.0))
    journal = Path("runs/kk") / JOURNAL
    with judging(mind) as asked, judging(by_chances()) as server:
        words = ["run", str(path), "-s", "chat:m", "-O", f"base_url={asked.url}/v1", "-c", "1", "--run-id", "kk"]
        _killed([*words, *_judge(server)], lambda: _lines(journal) >= 1)
        mind.say = lambda body, number: Reply(body=completion("周日照常营业"))
        done = cli("resume", "kk", "-q")
        assert done.returncode == 0, done.stderr
        again = cli("resume", "kk")

    summary = json.loads(Path("runs/kk/summary.json").read_text(encoding="utf-8"))
    assert summary["status"] == "complete"
    assert summary["models"]["m"]["authors"].get("judge", 0) > 0
    assert "nothing was asked" in again.stdout or "没有提问" in again.stdout


@pytest.mark.parametrize("options", [("-J", "max_calls=3"), ("-J", "breaker_after=0")], ids=["budget", "down"])
def test_a_run_whose_judge_stops_ends_as_judge_does(
    cli: Cli, dataset: tuple[Path, str], options: tuple[str, ...]
) -> None:
    """Exit code 3, how many were not asked, why, and how to go on; `resume` goes on, too."""
    path, system = dataset
    healthy = by_chances()
    mind = Turning(healthy)
    if "breaker" in options[1]:
        mind.say = lambda body, number: Reply(status=503, body={}) if number > 2 else healthy(body, number)
    with judging(mind) as server:
        more = (*options, "-J", "max_retries=0", "-J", "concurrency=1")
        done = cli("run", path, "-s", system, "--run-id", "one", *_judge(server, *more))
        mind.say = healthy
        again = cli("resume", "one", "-J", "max_calls=30")

    assert done.returncode == 3
    assert "2 个未能提问" in done.stdout or "2 could not be asked" in done.stdout
    assert "ragstone judge" in done.stderr
    assert ("max_calls=" if "max_calls" in options[1] else "503") in done.stderr
    assert again.returncode == 0, again.stderr
    assert _authors("one") == {"judge": 4, "rule": 1}


@pytest.mark.parametrize("listen", ["margin", "quote", None])
def test_a_dead_judge_is_noticed_before_anything_is_asked(
    cli: Cli, dataset: tuple[Path, str], listen: str | None
) -> None:
    """It is tried once; no run is begun without it."""
    path, _ = dataset
    with judging(by_chances()) as asked, judging(lambda body, number: Reply(status=500, body={})) as server:
        where = ("-s", "chat:m", "-O", f"base_url={asked.url}/v1")
        way = ("--judge-listen", listen) if listen else ()
        done = cli("run", path, *where, *_judge(server, "-J", "max_retries=0"), *way)
        assert asked.calls == 0

    assert done.returncode == 2
    assert "chat:j" in done.stderr or "j" in done.stderr
    assert not Path("runs").exists() or not list(Path("runs").glob("*/run_meta.json"))


def test_a_key_that_was_not_kept_is_asked_for(cli: Cli, dataset: tuple[Path, str]) -> None:
    """A key given as such is not written down; nobody is asked with stars instead."""
    path, system = dataset
    with judging(by_chances()) as server:
        where = f"base_url={server.url.replace('//', f'//me:{KEY}@')}/v1"
        cli("run", path, "-s", system, "--run-id", "one", "--judge", "chat:j", "-J", where, "-J", "max_calls=2")
        calls = server.calls
        without = cli("judge", "one", "-J", "max_calls=9")
        assert calls == server.calls
        with_key = cli("judge", "one", "-J", "max_calls=9", "-J", where)

    assert without.returncode == 2 and "base_url" in without.stderr
    assert with_key.returncode == 0, with_key.stderr
    kept = [file.read_text(encoding="utf-8") for file in Path("runs/one").glob("*.json*")]
    assert not any(KEY in text for text in kept)


def test_a_gate_set_is_not_judged_and_its_run_is(cli: Cli, dataset: tuple[Path, str]) -> None:
    """`run --gate-on … --judge` puts the full run before the judge."""
    path, system = dataset
    with judging(by_chances()) as server:
        done = cli(
            "run",
            path,
            "-s",
            system,
            "--gate-on",
            path,
            "--gate-rule",
            "pass_rate >= 0",
            "--run-id",
            "two",
            *_judge(server),
        )

    assert done.returncode == 0, done.stderr
    assert _authors("two") == {"judge": 4, "rule": 1}
    assert not Path("runs/two-gate/judging.json").exists()


def test_an_option_for_no_judge_is_refused(cli: Cli, dataset: tuple[Path, str]) -> None:
    """-J without --judge would do nothing."""
    path, system = dataset
    done = cli("run", path, "-s", system, "-J", "max_cost=3")

    assert done.returncode == 2 and "--judge" in done.stderr


def test_judge_alone_is_that_of_the_settings(cli: Cli, dataset: tuple[Path, str]) -> None:
    """`judge RUN --judge` asks [judge] of ragstone.toml, whoever judged the run before."""
    path, system = dataset
    with judging(by_chances()) as old, judging(by_chances(lambda point, answer: True)) as new:
        cli("run", path, "-s", system, "--run-id", "one", *_judge(old))
        table = f'[judge]\njudge = ["chat:new"]\n[judge.options]\nbase_url = "{new.url}/v1"\n'
        Path("ragstone.toml").write_text(table, encoding="utf-8")
        calls = old.calls
        kept = cli("judge", "one")
        assert old.calls == calls + 1
        done = cli("judge", "one", "--judge")

    assert (kept.returncode, done.returncode) == (0, 0), done.stderr
    found = json.loads(Path("runs/one/judging.json").read_text(encoding="utf-8"))
    assert [one["name"] for one in found["terms"]["judges"]] == ["new"]


def test_python_names_a_jury_its_options_and_nobody(dataset: tuple[Path, str]) -> None:
    """`judge="chat:a,chat:b"` is a jury as on the command line, `judge_options` are the judges', None is no judge."""
    path, system = dataset
    with judging(by_chances()) as server:
        given = {"base_url": f"{server.url}/v1", "max_calls": 40}
        run = api.evaluate(path, system, judge="chat:a, chat:b", judge_options=given)
        none = api.evaluate(path, system, judge=None)
        again = api.judge_run(none.folder, "chat:a", judge_options=given)

    assert run.summary.judged_by is not None and run.summary.judged_by.names == ("a", "b")
    assert run.judging is not None and run.judging.asked.unasked == 0
    assert none.summary.judged_by is None
    assert again.asked.asked == 4


def test_resume_of_a_program_can_leave_judges_out(dataset: tuple[Path, str]) -> None:
    """`judge=None` only asks the system; left out, the judges of then go on, with options of now."""
    path, system = dataset
    with judging(by_chances()) as server:
        given = {"base_url": f"{server.url}/v1", "max_calls": 2, "concurrency": 1}
        run = api.evaluate(path, system, judge="chat:a", judge_options=given)
        assert run.judging is not None and run.judging.asked.unasked == 3
        calls = server.calls
        assert api.resume(run.folder, judge=None).judging is None and server.calls == calls
        done = api.resume(run.folder, judge_options={"max_calls": 50})

    assert done.judging is not None and done.judging.asked.unasked == 0


def test_an_endpoint_that_refuses_logprobs_is_heard_by_quotations(cli: Cli, dataset: tuple[Path, str]) -> None:
    """A 400 to the request for chances is no reason to ask nobody; who insists is told what else there is."""
    path, system = dataset
    words = quoting()

    def say(body: Any, number: int) -> Reply:
        refused = {"error": {"message": "logprobs is not supported by this model"}}
        return Reply(status=400, body=refused) if body.get("logprobs") else words(body, number)

    with judging(say) as server:
        done = cli("run", path, "-s", system, "--run-id", "one", *_judge(server))
        insisting = cli("judge", "one", *_judge(server), "--judge-listen", "margin")

    assert done.returncode == 0, done.stderr
    assert json.loads(Path("runs/one/judging.json").read_text("utf-8"))["terms"]["judges"][0]["way"] == "quote"
    assert insisting.returncode == 2 and "--judge-listen quote" in insisting.stderr


def test_an_endpoint_that_refuses_everything_is_down(dataset: tuple[Path, str]) -> None:
    """A 400 that has another reason is told as it is."""
    path, system = dataset
    refusing = judging(lambda body, number: Reply(status=400, body={"error": {"message": "no such model"}}))
    with refusing as server, pytest.raises(ConnectError) as told:
        api.evaluate(path, system, judge="chat:a", judge_options={"base_url": f"{server.url}/v1"})

    assert told.value.code == "judge.down" and "400" in str(told.value)


def test_a_downed_judge_is_told_in_one_voice(cli: Cli, dataset: tuple[Path, str]) -> None:
    """Where there are no labels either, the judge that cannot be asked is the one thing that is said."""
    path, system = dataset
    mind = Turning(by_chances())
    with judging(mind) as server:
        cli("run", path, "-s", system, "--run-id", "one", *_judge(server, "-J", "max_retries=0"))
        mind.say = lambda body, number: Reply(status=500, body={})
        done = cli("judge", "one")

    assert done.returncode == 2
    assert len(done.stderr.strip().splitlines()) == 1
    assert "既没有裁判" not in done.stderr and "neither" not in done.stderr


def test_what_stands_there_for_an_order_is_looked_at(cli: Cli, dataset: tuple[Path, str]) -> None:
    """A run folder may come from anywhere."""
    path, system = dataset
    cli("run", path, "-s", system, "--run-id", "one", "-q")
    folder = RunFolder(Path("runs/one"))
    folder.write("run_meta.json", seal(folder, {**folder.meta(), NAME: {"judges": 7}}))
    done = cli("judge", "one")
    assert done.returncode == 2 and "Traceback" not in done.stderr


def test_what_could_not_be_asked_is_counted_wherever_it_is_read(cli: Cli, dataset: tuple[Path, str]) -> None:
    """In the summary, the text, the reports; also after `rescore`, and no more once it was asked."""
    path, system = dataset
    with judging(by_chances()) as server:
        more = ("-J", "max_calls=3", "-J", "concurrency=1")
        cli("run", path, "-s", system, "--run-id", "one", *_judge(server, *more))
        shown = [cli("report", "one", "--lang", "en", "--format", form).stdout for form in ("text", "markdown")]
        cli("rescore", "one", "--out", "runs/two")
        cli("judge", "one", "-J", "max_calls=30")

    assert all("2 of the open ones could not be put to the judge" in text for text in shown)
    assert "accuracy, judged" in shown[0]
    unasked = [
        json.loads(Path("runs", run, "summary.json").read_text("utf-8"))["models"]["a"]["unasked"]
        for run in ("one", "two")
    ]
    assert unasked == [0, 2]
    assert "could not be put" not in cli("report", "one", "--lang", "en").stdout


@pytest.mark.parametrize(("asked", "judge"), [("127.0.0.1", "localhost"), ("localhost", "127.0.0.1")])
def test_a_judge_of_its_own_answers_is_known_by_any_address(
    cli: Cli, write_rows: Write, asked: str, judge: str
) -> None:
    """However its endpoint is written, and with other parameters; the reports say so, too."""
    path = write_rows("q.jsonl", *ROWS)
    with judging(by_chances()) as server:
        here = f"{server.url}/v1".replace("127.0.0.1", asked)
        there = f"{server.url}/v1/".replace("127.0.0.1", judge)
        done = cli("run", path, "-s", "chat:m", "-O", f"base_url={here}", "-O", "temperature=1", "--run-id", "one",
            "--judge", "chat:m", "-J", f"base_url={there}")  # fmt: skip

    assert "评判自己的回答" in done.stderr
    assert "评判了自己的回答" in Path("runs/one/report.md").read_text(encoding="utf-8")
    summary = json.loads(Path("runs/one/summary.json").read_text(encoding="utf-8"))
    assert summary["judged_by"]["itself"] == ["m"]


def test_a_plan_is_never_too_low(cli: Cli, write_rows: Write) -> None:
    """How many sentences answers have is not known before: as many are counted as are looked at."""
    rows = write_rows("q.jsonl", *ROWS)
    where = ("--judge", "chat:j", "-J", "base_url=http://127.0.0.1:9/v1")
    plain, faithful = (
        cli("plan", rows, "-s", "chat:m", "-O", "base_url=http://127.0.0.1:9/v1", *where, *more, "--json")
        for more in ((), ("-o", "faithfulness=true"))
    )
    counts = [json.loads(done.stdout)[-1]["calls"] for done in (plain, faithful)]

    assert counts == [12, 7 + 4 * 40 + 30]
    told = cli(
        "plan", rows, "-s", "chat:m", "-O", "base_url=http://127.0.0.1:9/v1", *where, "-o", "faithfulness=true"
    ).stdout
    assert "40" in told


@pytest.mark.parametrize("limit", ["max_calls=2", "max_cost=0.0001", "max_tokens_spent=900"])
def test_a_plan_keeps_to_a_judges_budget(cli: Cli, write_rows: Write, limit: str) -> None:
    """What it will not come to is not planned, and the budget is named."""
    rows = write_rows("q.jsonl", *ROWS)
    prices = "-J", 'price_config={"input_per_1k": 0.001, "output_per_1k": 0.002}'
    where = ("--judge", "chat:j", "-J", "base_url=http://127.0.0.1:9/v1", "-J", limit, *prices)
    done = cli("plan", rows, "-s", "chat:m", "-O", "base_url=http://127.0.0.1:9/v1", *where, "--json")
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)[-1]

    assert 0 <= found["calls"] < 12 and found["calls"] + found["unasked"] == 12
    assert found["stopped_by"] == [limit.partition("=")[0].removeprefix("max_").removesuffix("_spent")]
    if "cost" in limit:
        assert found["cost"] <= 0.0001 + 1e-9


@pytest.fixture
def words_judge(plug_in: PlugIn) -> Path:
    """A plug-in of judges whose code a test writes."""
    return plug_in("ragstone.judges", "words", "words_judge:connect") / "words_judge.py"


def test_a_plan_knows_plug_ins(cli: Cli, dataset: tuple[Path, str], words_judge: Path) -> None:
    """Whatever can judge can be planned."""
    path, system = dataset
    words_judge.write_text(_example(), encoding="utf-8")
    done = cli("plan", path, "-s", system, "--judge", "words:合同", "--json")

    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)[-1]["calls"] == 10


@pytest.mark.parametrize("command", [("judge", "one"), ("plan", "q.jsonl"), ("run", "q.jsonl")])
@pytest.mark.parametrize(
    ("code", "needle"),
    [
        ("def connect(argument, options):\n    raise RuntimeError('no model file')\n", "no model file"),
        ("def connect(argument, options):\n    return 7\n", "int"),
    ],
    ids=["raises", "no_judge"],
)
def test_a_broken_plug_in_is_named(
    cli: Cli, dataset: tuple[Path, str], words_judge: Path, command: tuple[str, ...], code: str, needle: str
) -> None:
    """What it raised, and which plug-in it was; no traceback, and no run is begun."""
    path, system = dataset
    if command[0] == "judge":
        cli("run", path, "-s", system, "--run-id", "one", "-q")
    words_judge.write_text(code, encoding="utf-8")
    words = (*command, "--judge", "words:x", *(() if command[0] == "judge" else ("-s", system)))
    done = cli(*words)

    assert done.returncode == 2, done.stderr
    assert needle in done.stderr and "words" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("name", ["nobody", "nobody:x"])
def test_an_unknown_judge_points_to_judges(cli: Cli, dataset: tuple[Path, str], name: str) -> None:
    """Its group of entry points, and what is installed."""
    path, system = dataset
    cli("run", path, "-s", system, "--run-id", "one", "-q")
    done = cli("judge", "one", "--judge", name)

    assert done.returncode == 2
    assert "ragstone.judges" in done.stderr and "ragstone.systems" not in done.stderr and "nobody" in done.stderr


def _example(page: str = "plugins.md") -> str:
    """Return the judge that the documentation shows."""
    text = (Path(__file__).parents[2] / "docs" / page).read_text(encoding="utf-8")
    (found,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class Words" in block]
    return str(found)


@pytest.mark.parametrize("page", ["plugins.md", "plugins.zh.md"])
def test_the_documented_judge_works(cli: Cli, dataset: tuple[Path, str], words_judge: Path, page: str) -> None:
    """As it stands there: it decides, and is found again without being asked."""
    path, system = dataset
    words_judge.write_text(_example(page), encoding="utf-8")
    done = cli("run", path, "-s", system, "--run-id", "one", "--judge", "words:合同")

    assert done.returncode == 0, done.stderr
    assert _authors("one") == {"judge": 4, "rule": 1}
    assert cli("verify", "one").returncode == 0


@pytest.mark.parametrize("before", [True, False])
def test_judge_has_the_flags_of_whoever_asks(cli: Cli, dataset: tuple[Path, str], before: bool) -> None:
    """Before the command and behind it: quiet, a log, and no connection elsewhere."""
    path, system = dataset
    cli("run", path, "-s", system, "--run-id", "one", "-q")
    words = ("--quiet", "--offline", "--log-file", "log.txt")
    with judging(by_chances()) as server:
        ask = ("judge", "one", *_judge(server))
        done = cli(*words, *ask) if before else cli(*ask, *words)

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
    assert " judged questions=4" in Path("log.txt").read_text(encoding="utf-8")


def test_nobody_sits_in_a_jury_twice(cli: Cli, dataset: tuple[Path, str]) -> None:
    """A judge that agrees with itself is no jury; the same model elsewhere is another judge."""
    path, system = dataset
    with judging(by_chances()) as server:
        where = ("-J", f"base_url={server.url}/v1")
        done = cli("run", path, "-s", system, "--run-id", "one", "--judge", "chat:good,chat:good", *where)

    assert done.returncode == 2 and "good" in done.stderr
    assert not Path("runs/one").exists()


def test_another_name_makes_no_other_judge(cli: Cli, dataset: tuple[Path, str]) -> None:
    """The same endpoint and model called otherwise, or its address written otherwise, would agree with itself."""
    path, system = dataset
    with judging(by_chances()) as server:
        here = f"{server.url}/v1"
        tables = [("one", "m1", here), ("two", "m2", here.replace("127.0.0.1", "localhost"))]
        lines = [
            f'[systems.{name}]\nsystem = "chat:good"\nmodel_id = "{id_}"\nbase_url = "{url}"\n'
            for name, id_, url in tables
        ]
        Path("ragstone.toml").write_text("".join(lines), encoding="utf-8")
        done = cli("run", path, "-s", system, "--run-id", "one", "--judge", "one,two")

    assert done.returncode == 2, done.stderr
    assert "m1" in done.stderr and "m2" in done.stderr
    assert not Path("runs/one").exists()


def test_a_cache_that_answers_keeps_the_version(cli: Cli, dataset: tuple[Path, str]) -> None:
    """The version the endpoint told first stays with its judge."""
    path, system = dataset
    with judging(by_chances()) as server:
        cli("run", path, "-s", system, "--run-id", "one", *_judge(server, "-J", "cache=kept.db"))
        calls = server.calls
        again = cli("judge", "one")
        assert server.calls == calls

    assert again.returncode == 0, again.stderr
    found = json.loads(Path("runs/one/judging.json").read_text(encoding="utf-8"))
    assert "v1" in found["terms"]["judges"][0]["version"]


def test_a_wrong_key_of_the_judge_table_names_what_it_has(cli: Cli, dataset: tuple[Path, str]) -> None:
    """The settings of [judge], and not those of the top."""
    Path("ragstone.toml").write_text('[judge]\njuge = "chat:m"\n', encoding="utf-8")
    done = cli("runs")

    assert done.returncode == 2
    assert "certificate" in done.stderr and "runs_dir" not in done.stderr


def test_a_lost_judgement_is_told_by_its_figures(cli: Cli, dataset: tuple[Path, str]) -> None:
    """What was judged changes, the score by rule does not: no `0 → 0`."""
    path, system = dataset
    with judging(by_chances()) as server:
        cli("run", path, "-s", system, "--run-id", "one", *_judge(server))
    said = Path("runs/one/judgements.jsonl")
    said.write_bytes(b"".join(said.read_bytes().splitlines(keepends=True)[1:]))
    done = cli("verify", "one", "--lang", "en")

    assert done.returncode == 1
    assert "accuracy_judged 1.0 → 0.0" in done.stdout and "0 → 0)" not in done.stdout


def test_another_judge_is_the_cause_of_what_it_changed(cli: Cli, dataset: tuple[Path, str]) -> None:
    """The same answers before a milder judge: `compare` does not say that the cause cannot be told."""
    path, system = dataset
    for run, mind in (("old", by_chances()), ("new", by_chances(lambda point, answer: True))):
        with judging(mind) as server:
            cli("run", path, "-s", system, "--run-id", run, *_judge(server))
    found = json.loads(cli("compare", "old", "new", "--json").stdout)

    assert {one["cause"] for one in found["changes"]} == {"judge"}
    assert "cannot be told" not in cli("compare", "old", "new", "--lang", "en").stdout


def test_a_wrong_file_of_labels_can_be_taken_back(cli: Cli, dataset: tuple[Path, str]) -> None:
    """Labels are kept with the run; --replace-labels forgets those that came before."""
    path, system = dataset
    cli("run", path, "-s", system, "--run-id", "one", "-q")
    said: tuple[tuple[str, Verdict], ...] = (("wrong", "absent"), ("right", "stated"))
    for name, verdict in said:
        answer = hash_of(ANSWERS[0]["output"])
        label = Label(case="Q1", point="收货后七天内可以退货", answer=answer, verdict=verdict, reviewer=name)
        append_labels(Path(f"{name}.jsonl"), [label])
    cli("judge", "one", "--people", "--labels", "wrong.jsonl")
    both = cli("judge", "one", "--people", "--labels", "right.jsonl", "--lang", "en")
    only = cli("judge", "one", "--people", "--labels", "right.jsonl", "--replace-labels", "--lang", "en")

    assert "settles" in both.stdout and "settles" not in only.stdout
    assert only.returncode == 0 and _authors("one") == {"open": 3, "person": 1, "rule": 1}
    assert cli("judge", "one", "--people", "--replace-labels").returncode == 0
    assert _authors("one") == {"open": 4, "rule": 1}
    assert cli("verify", "one").returncode == 0


def test_a_pause_of_the_judge_is_told(cli: Cli, dataset: tuple[Path, str]) -> None:
    """An endpoint that is down is waited for; nobody should have to guess what for."""
    path, system = dataset
    healthy = by_chances()
    mind = Turning(lambda body, number: Reply(status=503, body={}) if number > 1 else healthy(body, number))
    with judging(mind) as server:
        options = ("breaker_after=1", "breaker_pause=0.1", "patience=0.3", "max_retries=0", "concurrency=1")
        more = [word for option in options for word in ("-J", option)]
        done = cli("run", path, "-s", system, "--run-id", "one", *_judge(server, *more))

    assert done.returncode == 3
    assert "0.1" in done.stderr and "503" in done.stderr
