"""pydantic-evals: a data set with its Contains evaluator; it brings no client, so ours is one of two."""

import asyncio

from pydantic_evals import Case, Dataset  # type: ignore[import-not-found,unused-ignore]
from pydantic_evals.evaluators import Contains  # type: ignore[import-not-found,unused-ignore]

from perf.peers.given import Given, asking, measure


async def evaluate(options: Given) -> int:
    """Evaluate the cases and count those that passed."""
    cases = [
        Case(name=f"c{number}", inputs=row.question, evaluators=(Contains(row.expected),))
        for number, row in enumerate(options.rows)
    ]
    async with asking(options) as ask:
        report = await Dataset(name="perf", cases=cases).evaluate(
            ask, max_concurrency=options.at_once, progress=False, name="perf", task_name="ask"
        )
    return sum(all(found.value for found in case.assertions.values()) for case in report.cases)


if __name__ == "__main__":
    measure(lambda options: asyncio.run(evaluate(options)))
