"""Measuring a program against the loopback server, with the bare loop as the program."""

import sys
from itertools import islice
from pathlib import Path

import pytest

from perf.contestants import BARE, Contestant, _bare, _said
from perf.environments import Environment
from perf.loads import SENTENCES, WORD, Load, write_cases
from perf.measure import median, server, use
from perf.scenarios import Sample, Size, Turns, _pace, measure


class Here(Environment):
    """The environment the tests run in."""

    @property
    def python(self) -> str:
        return sys.executable


LOOP = Contestant(BARE, lambda folder: Here(folder, "0", 0.0), _bare(), _said)


@pytest.mark.parametrize(("values", "middle"), [([3.0, 1.0, 2.0], 2.0), ([4.0, 1.0], 2.5), ([7.0], 7.0)])
def test_the_median_is_the_middle(values: list[float], middle: float) -> None:
    """Of an even number it is the mean of two."""
    assert median(values) == middle


def test_a_program_is_measured_with_what_the_server_saw(tmp_path: Path) -> None:
    """CPU, wall, first call, and every case passed, though some calls were turned away."""
    with server("--latency", "0.01", "--refuse-every", "4", "--slow-every", "4", "--slow-by", "0.01") as at:
        found = measure((LOOP, Here(tmp_path, "0", 0.0)), at, 6, again=True)

    assert found.problem == ""
    assert found.calls in (7, 8)
    assert 0 < found.first < found.wall
    assert 0.02 <= found.span < found.wall
    assert found.cpu > 0


def test_a_program_that_fails_says_why(tmp_path: Path) -> None:
    """An exit code and the last line of what it said; no figure is made of it."""
    broken = LOOP._replace(words=lambda env, call: [env.python, "-c", "raise SystemExit('no such thing')"])
    with server() as at:
        found = measure((broken, Here(tmp_path, "0", 0.0)), at, 1)
    turns, kept = Turns(lambda text: None), list[Sample]()
    turns.take("x", broken, found, kept)

    assert turns.problems == {BARE: "exit code 1: no such thing"}
    assert kept == []


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    """After its time it is killed, and the code says so."""
    assert use([sys.executable, "-c", "import time; time.sleep(60)"], tmp_path, limit=0.3).code == -9


def test_a_short_run_is_taken_off_a_long_one() -> None:
    """What is left is for a thousand cases."""
    short, long = Sample(1.0, 2.0, 0.5, 0.1, 64), Sample(2.0, 4.0, 0.6, 1.1, 564)
    found = _pace([short], [long], 564, 64)

    assert (found.cpu, found.wall, found.first, found.cases) == (2.0, 4.0, 0.5, 500)


@pytest.mark.parametrize("load", [SENTENCES, WORD], ids=lambda load: str(load.name))
def test_every_answer_holds_its_first_point(tmp_path: Path, load: Load) -> None:
    """No two cases are the same, whoever looks for the first point passes all, and 15 % of the points are missing."""
    turns = list(islice(load.turns(), 800))
    write_cases(tmp_path / "cases.jsonl", 5, load)

    assert len({turn.question for turn in turns}) == 800
    assert all(turn.gold[0] in turn.answer for turn in turns)
    assert len((tmp_path / "cases.jsonl").read_text(encoding="utf-8").splitlines()) == 5
    assert Size(few=10, share=0.5).many(LOOP) == 10 + 256


def test_answers_are_sentences_with_gaps() -> None:
    """60 to 270 characters, and 15 % of the points missing."""
    turns = list(islice(SENTENCES.turns(), 800))
    lengths = sorted(len(turn.answer) for turn in turns)

    assert lengths[0] >= 60 and lengths[-1] <= 270
    assert sum(turn.missing for turn in turns) / (3 * 800) == pytest.approx(0.15, abs=0.02)
