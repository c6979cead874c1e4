"""Judges of plug-ins and programs that go wrong: they decide nothing, the reason is named, no run is poisoned."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.core.errors import ConnectError
from ragstone.core.types import Question
from ragstone.judging.judge import Heard
from ragstone.judging.listen import Opinion
from tests.conftest import Cli, PlugIn
from tests.judging.bench import ANSWERS, ROWS, STATED

Write = Callable[..., Path]


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run of four cases with four open points."""
    done = cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/one")


def _summary(run: Path) -> dict[str, Any]:
    return dict(json.loads((run / "summary.json").read_text(encoding="utf-8"))["models"]["a"])


_PLUGIN = """
from ragstone.judging.judge import Heard
from ragstone.judging.listen import Opinion

ODD = {
    "text": "yes", "verdict": Heard(opinion=Opinion(verdict="perhaps")),
    "opinion": Heard(opinion="yes"), "margin": Heard(opinion=Opinion(margin=float("nan"))),
    "word": Heard(opinion=Opinion(margin="2")), "tokens": Heard(opinion=Opinion(verdict="no"), tokens=1.5),
}


class Words:
    way, tongue, name = "quote", "zh", "words"

    def __init__(self, how):
        self.how = how

    def identity(self):
        return {"kind": "words"} if self.how != "identity" else {"kind": object()}

    def prompt(self, kind):
        return "" if self.how != "prompt" else 1 / 0

    async def decide(self, question):
        if self.how == "raise":
            raise ValueError("kaboom")
        return ODD.get(self.how) or Heard(opinion=Opinion(verdict="yes" if "合同" in question.answer else "no"))

    async def close(self):
        if self.how == "close":
            raise OSError("no longer there")


def connect(argument, options):
    judge = Words(options.get("how", ""))
    if judge.how == "way":
        judge.way = "loud"
    return judge
"""


@pytest.fixture
def words(plug_in: PlugIn) -> None:
    """A judge that can go wrong in many ways."""
    site = plug_in("ragstone.judges", "words", "words_judge:connect")
    (site / "words_judge.py").write_text(_PLUGIN, encoding="utf-8")


@pytest.mark.parametrize(
    ("how", "told"),
    [
        ("raise", "ValueError: kaboom"),
        ("text", "'yes'"),
        ("verdict", "perhaps"),
        ("opinion", "str"),
        ("margin", "nan"),
        ("word", "margin"),
        ("tokens", "tokens"),
    ],
)
def test_what_is_no_verdict_decides_nothing(cli: Cli, run: Path, words: None, how: str, told: str) -> None:
    """It is unsure with its reason, never a no; the run goes on, and a judge that was mended is asked again."""
    broken = cli("judge", "one", "--judge", "words:x", "-J", f"how={how}")

    assert broken.returncode == 0, broken.stderr
    assert _summary(run)["authors"] == {"open": 4, "rule": 1}
    assert "4 of the replies cannot be used" in broken.stdout and told in broken.stdout
    assert cli("verify", "one").returncode == 0
    assert cli("judge", "one", "--people", "--labels", _label()).returncode == 0
    mended = cli("judge", "one", "--judge", "words:x")
    assert "3 asked, 0 asked before" in mended.stdout
    assert _summary(run)["authors"]["judge"] == 3


def _label() -> str:
    one = {"case": "Q4", "point": "周日照常营业", "answer_text": ANSWERS[3]["output"], "verdict": "absent"}
    Path("l.jsonl").write_text(json.dumps(one, ensure_ascii=False) + "\n", encoding="utf-8")
    return "l.jsonl"


@pytest.mark.parametrize("how", ["identity", "prompt", "way"])
def test_who_cannot_say_who_it_is_is_not_asked(cli: Cli, run: Path, words: None, how: str) -> None:
    """The plug-in is named, without a traceback."""
    done = cli("judge", "one", "--judge", "words:x", "-J", f"how={how}")

    assert done.returncode == 2
    assert "words could not be connected" in done.stderr
    assert not (run / "judgements.jsonl").exists()


def test_a_judge_that_cannot_be_closed_has_decided_all_the_same(cli: Cli, run: Path, words: None) -> None:
    """What was decided stands."""
    done = cli("judge", "one", "--judge", "words:x", "-J", "how=close")

    assert done.returncode == 0, done.stderr
    assert _summary(run)["authors"] == {"judge": 4, "rule": 1}


def test_a_certificate_of_a_judge_that_raises_says_so(cli: Cli, run: Path, words: None) -> None:
    """It decides nothing, which is no traceback."""
    rows = [(f"第{n}号展厅有灯", f"第{n}间屋里亮着", n % 2) for n in range(40)]
    labels = [
        {"case": f"C{n}", "point": point, "answer_text": text, "verdict": "stated" if yes else "absent"}
        for n, (point, text, yes) in enumerate(rows)
    ]
    Path("l.jsonl").write_text("".join(json.dumps(one) + "\n" for one in labels), encoding="utf-8")
    done = cli("certify", "l.jsonl", "--judge", "words:x", "-J", "how=raise", "--probes", "2")

    assert done.returncode == 0, done.stderr
    assert "ended in an error of the judge" in done.stdout and "less than half" in done.stdout


class Knows:
    """Knows which points are stated."""

    name, way, tongue = "knows", "quote", "zh"

    def identity(self) -> dict[str, str]:
        return {"kind": "knows"}

    def prompt(self, kind: str) -> str:
        return ""

    async def decide(self, question: Question) -> Heard:
        return Heard(opinion=Opinion(verdict="yes" if question.point in STATED else "no"))

    async def close(self) -> None:
        pass


def test_a_program_judges_a_recorded_run(run: Path) -> None:
    """As the documentation shows it: by a path, or by the run itself."""
    done = ragstone.judge_run(run, Knows())
    again = ragstone.judge_run(ragstone.Run(run, done.summary), Knows())

    assert done.summary.models["a"].authors == {"judge": 4, "rule": 1}
    assert (done.asked.asked, again.asked.asked) == (4, 0)


def test_a_program_is_told_what_its_object_lacks(run: Path) -> None:
    """A way to listen that does not exist is refused by name."""

    class Loud(Knows):
        way = "loud"

    with pytest.raises(ConnectError, match="way is 'loud'"):
        ragstone.judge_run(run, Loud())


def test_a_module_of_the_folder_is_a_judge_by_its_function(cli: Cli, run: Path) -> None:
    """`module:function:argument` needs no entry point; the run goes on with it."""
    Path("near_words.py").write_text(_PLUGIN, encoding="utf-8")

    done = cli("judge", "one", "--judge", "near_words:connect:x")
    again = cli("judge", "one")
    wrong = cli("judge", "one", "--judge", "near_words:admin")

    assert (done.returncode, again.returncode) == (0, 0), done.stderr + again.stderr
    assert _summary(run)["authors"] == {"judge": 4, "rule": 1}
    assert "0 asked, 4 asked before" in again.stdout
    assert wrong.returncode == 2 and "the judge 'near_words:admin' cannot be loaded" in wrong.stderr
    assert "near_words:connect:x" in wrong.stderr and "system" not in wrong.stderr
