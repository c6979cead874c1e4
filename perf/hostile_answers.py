"""What a hostile answer costs: each pattern repeated, through every contract: python -m perf.hostile_answers.

A line a contract and pattern: seconds of CPU a megabyte, and how much more twice the text takes; the slowest first.
"""

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from perf import prompt_task
from perf.legal import BENCHMARK
from perf.scoring import DATA
from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.contracts.key_points.contract import KeyPoints
from ragstone.contracts.legal_rag.contract import LegalRag
from ragstone.core.interfaces import Contract, Source
from ragstone.core.types import Answer, Case

PATTERNS = (
    "第1页",
    "第1-50页、",
    "第一页，",
    "p.1 ",
    "pages 1-50, ",
    "guide.md ",
    "a/b/guide.md",
    "a\\_b.md",
    "[1]",
    "[1,2,3]",
    "[1-99]",
    "[x](a.md)",
    "[x](",
    "](a.md",
    "《a》",
    "《",
    "》",
    "“ab”",
    "“",
    '"ab"',
    '"',
    "「",
    "「ab」",
    "『",
    "‘abcd’",
    "来源：a_b ",
    "来源：",
    "见",
    "http://a.b/c ",
    "http://",
    "\n",
    "\n[1] a",
    "\n1. a.md",
    "参考资料：\n1. x\n",
    "。",
    "，",
    "、",
    "_",
    ".md",
    "./",
    "a/",
    "\\",
    "页",
    "第",
    "第一",
    "1页",
    "P1",
    "(",
    "（",
    "(a)",
    ")",
    "【",
    "】",
    "【1】",
    "…",
    "——",
    "...",
    "是",
    "否",
    "不",
    "没有",
    "不是",
    "但是",
    "如果",
    "据说",
    "42000",
    "42000元",
    "1,",
    "1 ",
    "四万二千元",
    "一",
    "零",
    "万",
    "2024年1月1日",
    "2024-01-01 ",
    "1月",
    "张三",
    "李某某",
    "13800138000 ",
    "a",
    "a ",
    "abc ",
    "ab. ",
    "No. ",
    "not ",
    "if ",
    "{",
    "}",
    "[",
    "]",
    '{"answer":',
    '{"a":1}',
    "```json\n",
    "<think>",
    "</think>",
    "\\u0000",
    "\x00",
    "a.md第1页",
    "第1页“ab”",
    "“ab”第1页",
    "第1页。",
    "a.md，第1页，“甲乙”。",
    "问：",
    "答：",
    "- a\n",
    "# a\n",
    "**",
    "抱歉，无法回答。",
    "根据材料，",
    "材料中没有提到",
    "😀",
    "é",
    "ﷺ",
    "\u202e",
    # Tables, lists, links.
    "| a | 1 |\n",
    "|---|---|\n",
    "| a |\n|---|\n| 1 |\n",
    "结果：\n- 1元\n",
    "1、甲；",
    "(1)甲",
    "①",
    "[^1]",
    "[1](http://a.b/1.pdf)",
    "www.a.com/b?c=1&d=2 ",
    "a@b.com ",
    "《甲》第三条",
    "（见a.md）",
    "<a href='x.md'>",
    # Dates, times and numbers of every form.
    "2024/1/1 ",
    "01/02/2024 ",
    "20240101 ",
    "二〇二四年一月一日",
    "民国113年1月",
    "令和6年1月1日",
    "Jan 1, 2024 ",
    "1st of May 2024 to ",
    "去年8月",
    "下周三",
    "三天前",
    "3 days ago ",
    "上午9点到下午5点",
    "9:30-10:30 ",
    "3-5万元",
    "不超过100元",
    "百分之三十至四十",
    "两百多个",
    "three hundred and five ",
    "half a million ",
    "从10元调整为20元，",
    # Full width, Japanese, Korean.
    "１２３４円",
    "２０２４年１月",
    "ａ．ｍｄ",
    "三時間半です",
    "午前九時",
    "다섯 권",
    "7천 원",
    "오전 9시 반",
    "2024년 1월 1일",
)
"""What is repeated: each mark alone, marks beside each other, marks that are never closed."""


class Cost(NamedTuple):
    """One pattern through one contract."""

    contract: str
    pattern: str
    seconds: float
    """A megabyte."""
    ratio: float
    """How much more twice the text takes."""


def contracts(folder: Path) -> Iterator[tuple[Contract, list[Case]]]:
    """Yield the four contracts on bundled data, each with a case of every type."""
    documents = DATA / "eval_json_v2" / "documents"
    yield _with_cases(LegalRag(Source(path=BENCHMARK)))
    yield _with_cases(KeyPoints(Source(path=DATA / "key_points" / "questions.jsonl")))
    yield _with_cases(prompt_task.contract_in(folder))
    yield _with_cases(EvalJsonV2(Source(path=DATA / "eval_json_v2" / "question_v2.json", documents=documents)))


def _with_cases(contract: Contract) -> tuple[Contract, list[Case]]:
    cases = [case for case in contract.load() if isinstance(case, Case)]
    return contract, list({case.groups.get("type", ""): case for case in reversed(cases)}.values())


def cost(contract: Contract, case: Case, pattern: str, size: int) -> Cost:
    """Read and score an answer of so many bytes, and one of twice as many; best of two each."""
    once, twice = (_seconds(contract, case, _repeated(pattern, n)) for n in (size, 2 * size))
    return Cost(contract.name, pattern, twice / (2 * size) * 1e6, twice / max(once, 1e-3))


def _repeated(pattern: str, size: int) -> str:
    return pattern * (size // len(pattern.encode()) + 1)


def _seconds(contract: Contract, case: Case, text: str) -> float:
    answer = Answer(text=text)
    return min(_spent(lambda: contract.score(case, contract.read(case, answer))) for _ in range(2))


def _spent(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def main(words: Sequence[str] | None = None) -> None:
    """Print the slowest patterns of each contract."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", type=int, default=100_000, help="bytes of the shorter answer")
    parser.add_argument("--most", type=int, default=5, help="lines a contract")
    parser.add_argument("--only", help="one contract")
    given = parser.parse_args(words)
    with tempfile.TemporaryDirectory() as folder:
        for contract, cases in contracts(Path(folder)):
            if given.only in (None, contract.name):
                found = [cost(contract, case, pattern, given.size) for case in cases for pattern in PATTERNS]
                for one in sorted(found, key=lambda cost: -cost.seconds)[: given.most]:
                    ratio = f"{one.ratio:.2f} times for twice the text"
                    print(f"{one.contract}: {one.pattern!r} {one.seconds:.2f} s/MB, {ratio}", flush=True)


if __name__ == "__main__":
    main()
