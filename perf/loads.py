"""What contestants are asked and told: fictional questions with their key points, and what the server answers to each.

`SENTENCES` is what users have: three key points, answers of 60 to 260 characters in two languages that say them in
other words, and 15 % of the points missing. The first point stands word for word in every answer, so that contestants
who look for a substring pass the same cases. `WORD` is the lightest load there can be: the answer is its key point.
"""

import json
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple


class Topic(NamedTuple):
    """A question, its key points, and a sentence that says each; `{n}`, `{a}` and `{b}` are numbers of the case."""

    question: str
    points: tuple[str, str, str]
    sentences: tuple[str, str, str]
    close: str
    """Said at the end of every answer."""


class Turn(NamedTuple):
    """One case of a load, and the server's answer to it."""

    question: str
    gold: list[str]
    answer: str
    missing: int = 0
    """Points the answer leaves out."""


class Load(NamedTuple):
    """A way to be busy."""

    name: str
    turns: Callable[[], Iterator[Turn]]


ZH = (
    Topic(
        "#{n} 云桥仓库的租约对押金和退租是怎么规定的？",
        ("押金为{a}元", "提前退租须书面通知", "钥匙交还后{b}个工作日内退还押金"),
        (
            "按照租约，押金为{a}元，签约当天由承租方一次付清。",
            "承租方如果打算提前退租，应当以书面形式通知出租方。",
            "交还钥匙以后，出租方会在{b}个工作日之内把押金退回原账户。",
        ),
        "另外，水电费按照实际用量由承租方承担。",
    ),
    Topic(
        "#{n} 松果账户的登录和密码有哪些要求？",
        ("密码至少{b}位", "支持单点登录", "连续输错{b}次后账户锁定"),
        (
            "管理员手册写明，密码至少{b}位，并且要同时包含字母和数字。",
            "企业版用户可以使用单点登录，不必另外记住一个密码。",
            "要注意的是，如果连续{b}次输错密码，账户就会被锁定。",
        ),
        "解锁需要联系本单位的管理员办理。",
    ),
    Topic(
        "#{n} 蓝鲸列车的退票和行李是怎么安排的？",
        ("退票手续费为{a}元", "发车前{b}小时可以免费改签", "每位乘客可携带两件行李"),
        (
            "根据乘车须知，退票手续费为{a}元，从退款中直接扣除。",
            "发车{b}小时以前办理改签的，不收取任何费用。",
            "行李方面，一名乘客最多可以带两件行李上车。",
        ),
        "超重的行李需要到服务台办理托运。",
    ),
    Topic(
        "#{n} 青藤医院的体检报告什么时候能拿到？",
        ("报告在{b}个工作日后出具", "可以在手机上查看", "加急费用为{a}元"),
        (
            "体检中心说明，报告在{b}个工作日后出具，节假日顺延。",
            "报告出来以后，您用手机就能查看和下载电子版。",
            "赶时间的话可以申请加急，需要另付{a}元。",
        ),
        "纸质报告请凭身份证到三楼窗口领取。",
    ),
)
EN = (
    Topic(
        "#{n} What does the Harbor plan cost and how is it billed?",
        (
            "the plan costs {a} dollars a month",
            "billing happens on the first day of the month",
            "annual plans save 10 %",
        ),
        (
            "According to the price list, the plan costs {a} dollars a month for a team of up to {b} people.",
            "Customers are billed on the first day of each month by card or by bank transfer.",
            "If you choose to pay for a year, you save 10 percent.",
        ),
        "Taxes are shown on the invoice.",
    ),
    Topic(
        "#{n} How long are backups kept and where are they stored?",
        ("backups are kept for {b} days", "backups are encrypted", "backups are stored in two regions"),
        (
            "The operations guide says that backups are kept for {b} days and are then removed.",
            "Every backup is encrypted before it leaves the server.",
            "Copies are stored in two regions, so that one of them can fail.",
        ),
        "A restore takes about {a} seconds.",
    ),
    Topic(
        "#{n} When does the Quillford museum open and what is the fee?",
        ("the ticket costs {a} crowns", "the museum is closed on Mondays", "guided tours start at 10 am"),
        (
            "As the leaflet of the museum tells, the ticket costs {a} crowns for adults.",
            "Please note that on Mondays the museum stays closed.",
            "Tours with a guide begin at ten o'clock in the morning.",
        ),
        "Groups of more than {b} visitors should book ahead.",
    ),
    Topic(
        "#{n} What are the rules for working from home at Larkspur?",
        ("up to {b} days a month at home", "the manager has to approve", "a laptop is provided by the company"),
        (
            "Employees work up to {b} days a month at home under the handbook of this year.",
            "Before that, approval of the manager is needed.",
            "The company provides a laptop, and it pays {a} crowns towards a desk.",
        ),
        "Core hours stay the same everywhere.",
    ),
)
_MISSING = 22
"""Per cent of the second and third points that an answer leaves out: 15 % of all."""


def _sentences() -> Iterator[Turn]:
    n = 0
    while True:
        topic = (ZH if n % 2 else EN)[n // 2 % len(ZH)]
        numbers = {"n": n, "a": 1000 + n * 37 % 90_000, "b": 3 + n % 27}
        said = [one for at, one in enumerate(topic.sentences) if not at or (n * 37 + at * 53) % 100 >= _MISSING]
        text = ("" if n % 2 else " ").join((*said, topic.close)).format(**numbers)
        points = [point.format(**numbers) for point in topic.points]
        yield Turn(topic.question.format(**numbers), points, text, len(points) - len(said))
        n += 1


def _words() -> Iterator[Turn]:
    n = 0
    while True:
        yield Turn(f"#{n} 这份合同的押金是多少元？", ["42000元"], "42000元")
        n += 1


SENTENCES, WORD = Load("sentences", _sentences), Load("one word", _words)


def write_cases(path: Path, count: int, load: Load = SENTENCES) -> None:
    """Write the first cases of a load as a dataset."""
    rows = ({"q": turn.question, "gold": turn.gold, "doc_hint": []} for turn in islice(load.turns(), count))
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def write_answers(path: Path, count: int, load: Load = SENTENCES) -> None:
    """Write what the server answers to the first cases of a load, a JSON string a line."""
    turns = islice(load.turns(), count)
    path.write_text("".join(json.dumps(turn.answer, ensure_ascii=False) + "\n" for turn in turns), encoding="utf-8")
