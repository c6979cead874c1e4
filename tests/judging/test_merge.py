"""Parts of a split run that were judged, joined: the figures of a run never split, and nothing is asked again."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.judging.label_file import append_labels
from tests.conftest import Cli
from tests.judging.bench import judging
from tests.judging.lights import Endpoint, asking, label_of

GATE = ("--rule", "accuracy_judged >= 0.45")


@pytest.fixture
def parts(cli: Cli, lights: Path) -> tuple[str, ...]:
    """The run `one` in three parts."""
    names = tuple(f"p{number}" for number in (1, 2, 3))
    for number, name in enumerate(names, 1):
        words = ("-s", "replay:a.jsonl", "--shard", f"{number}/3", "--run-id", name, "-q")
        done = cli("run", "q.jsonl", *words)
        assert done.returncode == 0, done.stderr
    return names


def _summary(run: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path("runs", run, "summary.json").read_text(encoding="utf-8"))
    return found


def _figures(run: str) -> list[Any]:
    return [
        {name: model[name] for name in ("authors", "unasked", "judged_kinds")} | {"metrics": model["all"]["metrics"]}
        for model in _summary(run)["models"].values()
    ]


def _judged(run: str) -> list[Any]:
    lines = Path("runs", run, "results.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["scorecard"] for line in lines]


def test_judged_parts_make_the_run_that_was_never_split(cli: Cli, lights: Path, parts: tuple[str, ...]) -> None:
    """Replies, labels, figures, payment and the owner's mark come along; verify is clean and nothing is asked twice."""
    append_labels(Path("some.jsonl"), map(label_of, (1, 2, 50, 119)))
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        for run in ("one", *parts):
            assert cli("judge", run, *asking(server)).returncode == 0
            cli("judge", run, "--people", "--labels", "some.jsonl")
        merged, calls = cli("merge", *parts, "--out", "runs/M"), server.calls
        verified, gate = cli("verify", "M"), cli("gate", "M", *GATE)
        again, more = cli("judge", "M"), server.calls - calls
        paid = json.loads(Path("runs/M/run_meta.json").read_text(encoding="utf-8"))["judging"]

    assert merged.returncode == 0, merged.stderr
    assert "裁判判定 116 项，人工判定 4 项" in merged.stdout
    assert _figures("M") == _figures("one") and _judged("M") == _judged("one")
    assert len(Path("runs/M/judgements.jsonl").read_bytes().splitlines()) == 120
    assert len(Path("runs/M/labels.jsonl").read_bytes().splitlines()) == 4
    assert verified.returncode == 0, verified.stdout
    assert gate.returncode == 0, gate.stdout
    assert "0 asked" in again.stdout and more <= 1
    assert paid["lines"] == 120 and paid["calls"] >= 120


def test_a_part_that_nobody_judged_is_asked_alone(cli: Cli, lights: Path, parts: tuple[str, ...]) -> None:
    """Its questions count as not asked, the gate waits, and `judge` goes on with these."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        for run in parts[:2]:
            cli("judge", run, *asking(server))
        assert cli("merge", *parts, "--out", "runs/M").returncode == 0
        waits, lacking = cli("gate", "M", *GATE), _figures("M")[0]["unasked"]
        again, gate = cli("judge", "M"), cli("gate", "M", *GATE)

    assert lacking == 40 and waits.returncode == 3
    assert "40 asked, 0 asked before" in again.stdout or "40 asked, 80 asked before" in again.stdout
    assert gate.returncode == 0 and cli("verify", "M").returncode == 0


def test_parts_of_other_judges_are_refused(cli: Cli, lights: Path, parts: tuple[str, ...]) -> None:
    """Two judges, or one under two certificates, make no one figure: both parts are named, and nothing is written."""
    with judging(Endpoint()) as server, judging(Endpoint()) as other:
        cli("judge", parts[0], *asking(server))
        cli("judge", parts[1], *asking(other))
        judges = cli("merge", *parts, "--out", "runs/M")
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", parts[1], *asking(server))
        certificates = cli("merge", *parts, "--out", "runs/M")

    assert (judges.returncode, certificates.returncode) == (2, 2)
    assert "(judges" in judges.stderr and "p1" in judges.stderr and "p2" in judges.stderr
    assert "(certificates)" in certificates.stderr
    assert not Path("runs/M").exists()


def test_a_part_that_was_judged_elsewhere_stays_so(
    cli: Cli, lights: Path, parts: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The whole carries the owner's mark only where all parts carry it."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        for run in parts:
            cli("judge", run, *asking(server))
    meta = Path("runs", parts[1], "run_meta.json")
    told = json.loads(meta.read_text(encoding="utf-8"))
    with monkeypatch.context() as there:
        there.setenv("XDG_STATE_HOME", str(Path("another machine").resolve()))
        merged = cli("merge", *parts, "--out", "runs/M", "--trust-run")
    gate = cli("gate", "M", *GATE)

    assert merged.returncode == 0, merged.stderr
    assert told["verdicts_mark"]
    assert gate.returncode == 3 and "was not written by you on this machine" in gate.stdout


def test_parts_in_two_languages_have_one_judge(cli: Cli, write_rows: Callable[..., Path]) -> None:
    """A part of English questions is asked in the language of the whole run, so that its parts can be joined."""
    rows = [{"q": "How long do we keep it?", "gold": [f"Copies of room {n} are kept for a week"]} for n in range(4)]
    rows += [{"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]} for n in range(4)]
    texts = [f"What you lose in room {n} can be brought back up to seven days later." for n in range(4)]
    texts += [f"{n}号那间屋里亮度靠工作人员自己拧。" for n in range(4)]
    said = [{"id": f"Q{n}", "output": text} for n, text in enumerate(texts, 1)]
    files = write_rows("mixed.jsonl", *rows), write_rows("said.jsonl", *said)
    with judging(Endpoint()) as server:
        for number in (1, 2):
            part = ("--shard", f"{number}/2", "--run-id", f"m{number}")
            done = cli("run", files[0], "-s", f"replay:{files[1]}", *part, *asking(server), "-q")
            assert done.returncode == 0, done.stderr
        merged, calls = cli("merge", "m1", "m2", "--out", "runs/M"), server.calls
        again = cli("judge", "M")

    assert merged.returncode == 0, merged.stderr
    assert "8 open questions: 0 asked, 8 asked before" in again.stdout and server.calls - calls <= 1
    assert cli("verify", "M").returncode == 0


def test_compare_names_certificates_of_two_epochs(cli: Cli, lights: Path) -> None:
    """The same judge certified anew is another one: what differs may come from that."""
    with judging(Endpoint()) as server:
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "one", *asking(server))
        alike = cli("judge", "two", *asking(server)), cli("compare", "one", "two")
        Path("judge.json").unlink()
        cli("certify", lights, *asking(server), "--run", "one")
        cli("judge", "two", *asking(server))
        apart = cli("compare", "one", "two")

    assert "certificate" not in alike[1].stdout
    assert "certificate" in apart.stdout
