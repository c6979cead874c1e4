"""ragas: an experiment over a data set kept in memory, with a discrete metric of our own."""

import asyncio
import os
from typing import Any

os.environ["RAGAS_DO_NOT_TRACK"] = "true"

from ragas import Dataset, experiment  # type: ignore[import-not-found,unused-ignore]
from ragas.metrics import discrete_metric  # type: ignore[import-not-found,unused-ignore]

from perf.peers.given import Given, asking, measure


@discrete_metric(name="contains", allowed_values=["pass", "fail"])  # type: ignore[misc,unused-ignore,untyped-decorator]
def contains(answer: str, expected: str) -> str:
    """Tell whether the answer holds what was expected."""
    return "pass" if expected in answer else "fail"


async def evaluate(options: Given) -> int:
    """Evaluate the cases and count those that passed."""
    rows = [row._asdict() for row in options.rows]
    async with asking(options) as ask:

        @experiment()  # type: ignore[misc,unused-ignore,untyped-decorator]
        async def work(row: dict[str, Any]) -> dict[str, Any]:
            answer = await ask(row["question"])
            score = await contains.ascore(answer=answer, expected=row["expected"])
            return {**row, "answer": answer, "score": score.value}

        found = await work.arun(Dataset(name="perf", backend="inmemory", data=rows))
    return sum(row["score"] == "pass" for row in found)


if __name__ == "__main__":
    measure(lambda options: asyncio.run(evaluate(options)))
