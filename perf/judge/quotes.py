"""Are forged quotations believed? True ones and forged ones of the answers in perf/rows.

uv run python -m perf.judge.quotes [COUNT]        COUNT forged quotations, 1,000 when left out
"""

import json
import re
import sys
from collections import Counter
from pathlib import Path
from random import Random

from ragstone.core.types import Question
from ragstone.judging.checks import bears_on, find_quote

ROWS = Path(__file__).parents[1] / "rows"


def pieces(dice: Random, answer: str) -> str:
    """Cut a piece of 8 to 30 characters out of an answer, at the ends of words."""
    start = dice.randrange(max(1, len(answer) - 12))
    piece = answer[start : start + dice.randint(8, 30)]
    return piece if not piece[:1].isascii() else piece.partition(" ")[2].rpartition(" ")[0]


def forged(dice: Random, quote: str) -> str:
    """Change a quotation so that the answer never said it: a number, a word left out, a denial, words turned round."""
    if re.search("[0-9]", quote) and dice.random() < 0.4:
        return re.sub("[0-9]", lambda digit: str((int(digit[0]) + 1 + dice.randrange(8)) % 10), quote, count=1)
    middle = len(quote) // 2
    return dice.choice(
        (
            quote[: middle - 1] + quote[middle + 1 :],
            quote[:middle] + ("不" if quote[0] > "\u2e80" else " not ") + quote[middle:],
            quote[middle:] + quote[:middle],
            quote[:middle] + "……" + quote[-3:],
        )
    )


def believed(quote: str, question: Question) -> bool:
    """Say whether a yes with this quotation counts."""
    span = find_quote(quote, question.answer)
    return span is not None and bears_on(question.answer[slice(*span)], question)


def main(count: int) -> None:
    """Print how many quotations of each kind were believed."""
    dice, found = Random(7), Counter[str]()
    rows = [json.loads(line) for path in sorted(ROWS.glob("*/points.jsonl")) for line in path.open()]
    points = {row["answer"]: " ".join(point["text"] for point in row["points"]) for row in rows}
    answers = [row["answer"] for row in rows]
    while found["forged"] < count:
        answer = dice.choice(answers)
        quote = pieces(dice, answer)
        if len(quote) < 6 or quote.strip() != quote:
            continue
        fake = forged(dice, quote)
        squeezed = ["".join(char for char in text if char.isalnum()) for text in (fake, answer)]
        if squeezed[0] in squeezed[1]:
            continue
        found["forged"] += 1
        question = Question(kind="states", point=points[answer], answer=answer)
        found["forged, believed"] += believed(fake, question)
        found["true"] += 1
        found["true, believed"] += believed(quote, question)
        found["one word"] += 1
        found["one word, believed"] += believed(answer.split()[0] if " " in answer else answer[:2], question)
    print(", ".join(f"{name} {n}" for name, n in found.items()))


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 1000)
