"""The fault table as a page, made from a real run of it."""

import re
from collections.abc import Sequence

from ragstone.version import VERSION
from tests.faults.place import Outcome
from tests.faults.rows import Fault

Played = list[tuple[Fault, Outcome]]

_HEAD = {
    "en": (
        "# What happens when something goes wrong\n\n"
        "Made by `uv run python -m tests.faults --write` with Ragstone {version}: every row was played for real, "
        "through the command line, against a server on this machine that counts what it sees.\n"
        "Do not edit it by hand; `tests/faults` asserts the same rows. 中文：[faults.zh.md](faults.zh.md).\n\n"
        "- Cases = scored + failed + not asked. Behind the scored stands how many answers were right: the server gives "
        "each question an answer of its own, so a mixed-up one is wrong.\n"
        "- Calls: what the server saw / what the run says it made (`calls` in `run_meta.json`). "
        "Attempts that reached no server are counted as well.\n"
        "- A case is asked twice only when its row counts the retry (`attempts`), or when a process ended with the "
        "question in flight, which `resume` tells.\n"
        "- Retries, pauses and patience are shortened here; [systems.md](systems.md) has their defaults.\n"
        "- Exit codes: 0 fine, 2 something to fix, 3 not measured or partial, -9 killed.\n\n"
    ),
    "zh": (
        "# 出错时会发生什么\n\n"
        "由 `uv run python -m tests.faults --write` 生成（Ragstone {version}）："
        "每一行都通过命令行真实运行，服务器在本机，并统计收到的请求。\n"
        "请勿手工修改；`tests/faults` 断言相同的内容。English: [faults.md](faults.md).\n\n"
        "- 用例 = 已评分 + 失败 + 未提问。已评分之后为回答正确数：服务器对每个问题给出不同的回答，错配即为错误。\n"
        "- 请求：服务器收到的 / 运行自述的（`run_meta.json` 的 `calls`）。未到达服务器的尝试也计入。\n"
        "- 一个用例只有在两种情况下会被问两次：重试（计入该行的 `attempts`），"
        "或进程结束时问题尚未得到回答（`resume` 会说明）。\n"
        "- 此处缩短了重试、暂停和等待的时间；默认值见 [systems.md](systems.md)。\n"
        "- 退出码：0 正常，2 需要修正，3 未测得或不完整，-9 被杀死。\n\n"
    ),
}
_COLUMNS = {
    "en": "fault|what is done|cases|scored (right)|failed|not asked|calls|exit|the user is told|afterwards",
    "zh": "故障|说明|用例|已评分（正确）|失败|未提问|请求|退出码|用户看到|之后",
}


def page(played: Played, lang: str) -> str:
    """Return the page."""
    names = _COLUMNS[lang].split("|")
    rows: list[Sequence[object]] = [
        names,
        ["---"] * len(names),
        *(_cells(fault, outcome, lang) for fault, outcome in played),
    ]
    return _HEAD[lang].format(version=VERSION) + "".join(_row(row) + "\n" for row in rows)


def _row(cells: Sequence[object]) -> str:
    return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"


def _cells(fault: Fault, outcome: Outcome, lang: str) -> list[object]:
    return [
        fault.name,
        fault.what if lang == "en" else fault.chinese,
        outcome.cases,
        f"{outcome.scored} ({outcome.right})",
        outcome.errored,
        outcome.unasked,
        f"{outcome.seen} / {outcome.counted}",
        outcome.exit,
        steady(outcome.says),
        outcome.afterwards,
    ]


def steady(text: str) -> str:
    """Take out what differs from one run to the next, and how the rows start us."""
    text = re.sub(r"[^\s`]*python[\w.]* -m ragstone\b", "ragstone", text)
    text = re.sub(r"(\d\.\d)\d+ (s|秒)", r"\1 \2", text)
    return re.sub(r"\+[0-9a-f]{12}\b", "", re.sub(r"127\.0\.0\.1:\d+", "127.0.0.1:PORT", text.strip()))


def short(fault: Fault, outcome: Outcome) -> str:
    """Return a row as a line for the terminal."""
    counts = f"{outcome.scored}+{outcome.errored}+{outcome.unasked}={outcome.cases}"
    calls = f"{outcome.seen}/{outcome.counted} calls, {outcome.twice} twice"
    return f"{fault.name}: {counts}, {calls}, exit {outcome.exit}; {outcome.says[:160]} {outcome.afterwards}"
