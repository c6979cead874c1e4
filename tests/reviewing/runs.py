"""A run with questions that rules leave open, and the truth about them."""

import json
from pathlib import Path

from msgspec import structs

from ragstone import evaluate
from ragstone.core.settings import Settings
from ragstone.judging.labels import Label, Verdict
from ragstone.reviewing.review import RunReview
from ragstone.reviewing.worksheet import Item


def answer(n: int) -> str:
    """Say it in other words, in two of three cases."""
    return f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 3 else f"{n}号那间屋里最近换了新的地毯。"


def rows_of(cases: int) -> tuple[list[dict[str, object]], list[dict[str, object]]]:
    """Return the rows of a dataset and recorded answers to them; every tenth is stated word for word."""
    rows: list[dict[str, object]] = []
    answers: list[dict[str, object]] = []
    for n in range(cases):
        point = f"第{n}号展厅的灯光由馆员手动调节"
        rows.append({"q": f"{n}号展厅的灯怎么调？", "gold": [point]})
        answers.append({"id": f"Q{n + 1}", "output": point if n % 10 == 9 else answer(n)})
    return rows, answers


def truth(item: Item) -> Verdict:
    """Know what is stated."""
    return "stated" if "亮度" in item.answer or "手动" in item.answer else "absent"


def make_run(cases: int = 30, run_id: str = "one", repeats: int = 1) -> Path:
    """Record a run of so many cases in the folder at hand; each is answered alike as often as it is asked."""
    rows, answers = rows_of(cases)
    again = [one | {"repeat": k} for one in answers for k in range(repeats)]
    for name, items in (("q.jsonl", rows), ("a.jsonl", again if repeats > 1 else answers)):
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in items)
        Path(name).write_text(text, encoding="utf-8")
    return evaluate("q.jsonl", "replay:a.jsonl", run_id=run_id, repeats=repeats, settings=Settings()).folder


def label(review: RunReview, item: Item, reviewer: str, verdict: Verdict) -> Label:
    """Write what a reviewer says of a question as the page does."""
    key = item.key
    said = Label(case=key.case, point=key.point, answer=key.answer, verdict=verdict, reviewer=reviewer, blind=True)
    number = item.number
    return structs.replace(
        said, probability=review.chance(number), drawn=review.drawn(number), round=review.design.round
    )
