"""A judge on loopback whose mind a test makes up, and a run with points that rules leave open."""

import csv
import json
import re
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from ragstone.runs.judged.draws import run_frame
from ragstone.runs.store.folder import RunFolder
from tests.loopback import Loopback, Reply, completion, in_a_thread

Mind = Callable[[str, str], bool]
"""Point and answer to yes or no."""
Say = Callable[[Mapping[str, Any], int], Reply]
ROWS = [
    {"q": "退货要几天？", "gold": ["收货后七天内可以退货"], "doc_hint": []},
    {"q": "谁能申请？", "gold": ["只有正式员工可以申请", "每年一次"], "doc_hint": []},
    {"q": "押金多少？", "gold": ["押金为300元"], "doc_hint": []},
    {"q": "周日开门吗？", "gold": ["周日照常营业"], "doc_hint": []},
]
ANSWERS = [
    {"id": "Q1", "output": "到手一星期之内不喜欢都能寄回来。"},
    {"id": "Q2", "output": "签了长期合同的同事才有资格提出，十二个月里只能提一回。"},
    {"id": "Q3", "output": "押金为300元，退卡时返还。"},
    {"id": "Q4", "output": "关于这一点没有更多说明。"},
]
STATED = ("收货后七天内可以退货", "只有正式员工可以申请")


def is_stated(point: str, answer: str) -> bool:
    """Know the truth about the rows above."""
    return point in STATED


def weighed(yes: bool, gap: float = 4.0) -> dict[str, Any]:
    """Return a completion with the chances of its first word."""
    words = ("是", "否") if yes else ("否", "是")
    chances = [{"token": words[0], "logprob": -0.02}, {"token": words[1], "logprob": -0.02 - gap}]
    reply = completion(words[0])
    reply["choices"][0]["logprobs"] = {"content": [{**chances[0], "top_logprobs": chances}]}
    return {**reply, "system_fingerprint": "v1"}


def case_of(body: Mapping[str, Any]) -> tuple[str, str]:
    """Take point and answer out of what a judge was sent."""
    case = body["messages"][-1]["content"]
    point = re.search(r"^(?:要点|Point)：(.*)$", case, re.MULTILINE)
    answer = re.search(r"<{3,}\n(.*)\n>{3,}", case, re.DOTALL)
    return point[1] if point else "", answer[1] if answer else ""


def by_chances(mind: Mind = is_stated) -> Say:
    """Answer with chances, as an endpoint with logprobs does."""
    return lambda body, _: Reply(body=weighed(mind(*case_of(body))))


def by_words(say: Callable[[str, str], str]) -> Say:
    """Answer with words alone, as an endpoint without logprobs does."""
    return lambda body, _: Reply(body=completion(say(*case_of(body))))


def quoting(mind: Mind = is_stated) -> Say:
    """Answer with a verdict and the whole answer as its quotation."""
    return by_words(lambda p, a: json.dumps({"verdict": "yes" if mind(p, a) else "no", "quote": a}, ensure_ascii=False))


def judging(say: Say) -> AbstractContextManager[Loopback]:
    """Run a judge that commands can ask."""
    return in_a_thread(Loopback(script=say))


def drawn_from(run: Path | str, probability: float = 1.0) -> dict[str, Any]:
    """Say of labels that they were drawn from a run."""
    return {"probability": probability, "drawn": f"{run_frame(RunFolder(Path(run)))}:{probability}"}


def label_as_people_do(path: Path) -> int:
    """Fill in the verdicts of the galleries' lights, as a person would who knows the truth; say of how many cases."""
    with path.open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.DictReader(file))
    for row in rows:
        row |= {"verdict": "stated" if "亮度" in row["answer_text"] else "absent", "reviewer": "lin"}
    with path.open("w", encoding="utf-8-sig", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return len({row["case"] for row in rows})
