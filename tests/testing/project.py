"""A user's project: a dataset about a library that does not exist, a bot, and a test file."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

CASES: tuple[dict[str, Any], ...] = (
    {"q": "海棠图书馆几点开门？", "gold": ["上午九点"], "doc_hint": ["guide.md"]},
    {"q": "借书期限是多少天？", "gold": ["三十天"], "doc_hint": ["guide.md"]},
    {"q": "逾期怎么收费？", "gold": ["每天一角"], "doc_hint": ["guide.md"]},
    {"q": "在哪里办理借书证？", "gold": ["一楼服务台"], "doc_hint": ["guide.md"]},
)
"""The bot knows the answers to all but the second."""

BOT = """
    import pathlib

    KNOWN = {"几点": "上午九点开门。", "期限": "期限为十四天。", "逾期": "逾期每天一角。", "哪里": "在一楼服务台办理。"}

    def answer(question):
        with pathlib.Path(__file__).with_name("asked.txt").open("a", encoding="utf-8") as file:
            file.write(question + "\\n")
        return next(text for word, text in KNOWN.items() if word in question) + "（来源：guide.md）"
"""
TEST = """
    import pytest

    @pytest.mark.ragstone(dataset="cases.jsonl", system="python:mybot:answer")
    def test_bot(ragstone_result):
        assert ragstone_result.scorecard.passed
"""
INI = "[pytest]\nasyncio_default_fixture_loop_scope = function\nfilterwarnings = error\n"


LEAN = ("-p", "no:hypothesispytest", "-p", "no:schemathesis", "-p", "no:cacheprovider")
"""Plug-ins a small project does not need, and that are slow to load."""


class Project:
    """The files of a project, and what a run of pytest over them said."""

    def __init__(self, pytester: pytest.Pytester) -> None:
        self.pytester = pytester
        self.path = pytester.path
        pytester.makeini(INI)
        self.write()

    def write(self, test: str = TEST, *, cases: Sequence[Mapping[str, Any]] = CASES, bot: str = BOT) -> None:
        """Write the files anew."""
        self.pytester.makefile(".jsonl", cases="\n".join(json.dumps(row, ensure_ascii=False) for row in cases))
        self.pytester.makepyfile(mybot=bot, test_bot=test)

    def mark(self, given: str, body: str = "assert ragstone_result.scorecard.passed") -> None:
        """Write a test file whose mark holds what is given."""
        self.write(
            f"import pytest\n\n@pytest.mark.ragstone({given})\ndef test_bot(ragstone_result):\n    {body}\n",
        )

    def run(self, *words: str) -> pytest.RunResult:
        """Run pytest in this process, in file order."""
        return self.pytester.runpytest_inprocess("-p", "no:randomly", *LEAN, *words)

    def run_apart(self, *words: str) -> pytest.RunResult:
        """Run pytest as a process of its own."""
        return self.pytester.runpytest_subprocess(*LEAN, *words)

    def asked(self) -> list[str]:
        """Return the first character of every question the bot was asked, in order."""
        path = self.path / "asked.txt"
        return [line[0] for line in path.read_text(encoding="utf-8").splitlines()] if path.exists() else []
