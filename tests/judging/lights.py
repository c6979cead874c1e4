"""Two runs of paraphrases about the lights of galleries, with labels, and an endpoint that knows them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from ragstone.judging.labels import Label, hash_of
from ragstone.text.fold import fold
from tests.conftest import Cli
from tests.judging.bench import case_of, weighed
from tests.loopback import Loopback, Reply

COUNT = 120


def _point(n: int) -> str:
    return f"第{n}号展厅的灯光由馆员手动调节"


def _answer(n: int) -> str:
    return f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 2 else f"{n}号那间屋里最近换了新的地毯。"


def knows(point: str, answer: str) -> bool:
    """Be right about every row and every probe."""
    number = "".join(char for char in point if char.isdigit())
    return fold(f"{number}号那间屋里亮度靠") in fold(answer)


class Endpoint:
    """A judge that becomes another version, of another mind, after some questions."""

    def __init__(self) -> None:
        self.version, self.mind = "v1", knows
        self.last, self.then = 10**9, ("v1", knows)

    def __call__(self, body: Any, number: int) -> Reply:
        if number >= self.last:
            self.version, self.mind = self.then
            self.last = 10**9
        return Reply(body={**weighed(self.mind(*case_of(body))), "system_fingerprint": self.version})


def always(point: str, answer: str) -> bool:
    """Say yes to all."""
    return True


def asking(server: Loopback, *more: str) -> tuple[str, ...]:
    """Name an endpoint as the judge."""
    return ("--judge", "chat:m", "-J", f"base_url={server.url}/v1", *more)


def make_runs(cli: Cli, write_rows: Callable[..., Path]) -> None:
    """Make runs one and two of the same 120 cases, all open, half of them stated."""
    rows = [{"q": f"{n}号展厅的灯怎么调？", "gold": [_point(n)], "doc_hint": []} for n in range(1, COUNT + 1)]
    answers = [{"id": f"Q{n}", "output": _answer(n)} for n in range(1, COUNT + 1)]
    questions, said = write_rows("q.jsonl", *rows), write_rows("a.jsonl", *answers)
    for name in ("one", "two"):
        done = cli("score", questions, said, "--run-id", name, "-q")
        assert done.returncode == 0, done.stderr


def label_of(n: int) -> Label:
    """Label a case as somebody does who knows the truth."""
    verdict: Any = "stated" if n % 2 else "absent"
    return Label(case=f"Q{n}", point=_point(n), answer=hash_of(_answer(n)), verdict=verdict, reviewer="lin")
