"""deepeval: test cases from answers we fetched, judged by a metric of our own without a model."""

import asyncio
import os
from typing import Any

os.environ |= {
    "DEEPEVAL_TELEMETRY_OPT_OUT": "1",
    "DEEPEVAL_UPDATE_WARNING_OPT_IN": "0",
    "DEEPEVAL_NO_INSPECT_PROMPT": "1",
    "DEEPEVAL_DISABLE_DOTENV": "1",
}

from deepeval import evaluate  # type: ignore[import-not-found,unused-ignore]
from deepeval.evaluate.configs import (  # type: ignore[import-not-found,unused-ignore]
    AsyncConfig,
    CacheConfig,
    DisplayConfig,
)
from deepeval.metrics import BaseMetric  # type: ignore[import-not-found,unused-ignore]
from deepeval.test_case import LLMTestCase  # type: ignore[import-not-found,unused-ignore]

from perf.peers.given import Given, asking, measure


class Contains(BaseMetric):  # type: ignore[misc,unused-ignore]
    """Whether the answer holds what was expected."""

    def __init__(self) -> None:
        self.threshold = 0.5
        self.async_mode = True

    def measure(self, test_case: Any, *args: Any, **options: Any) -> float:
        """Judge one test case."""
        self.score = float(test_case.expected_output in test_case.actual_output)
        self.success = self.score >= self.threshold
        self.reason = "contains"
        return self.score

    async def a_measure(self, test_case: Any, *args: Any, **options: Any) -> float:
        """Judge one test case."""
        return self.measure(test_case)

    def is_successful(self) -> bool:
        """Tell whether the last one passed."""
        return bool(self.success)

    @property
    def __name__(self) -> str:
        return "contains"


async def answers(options: Given) -> list[str]:
    """Fetch all answers; deepeval wants them before it begins."""
    async with asking(options) as ask:
        return await asyncio.gather(*(ask(row.question) for row in options.rows))


def run(options: Given) -> int:
    """Evaluate the cases and count those that passed."""
    cases = [
        LLMTestCase(input=row.question, actual_output=answer, expected_output=row.expected)
        for row, answer in zip(options.rows, asyncio.run(answers(options)), strict=True)
    ]
    found = evaluate(
        cases,
        [Contains()],
        async_config=AsyncConfig(max_concurrent=options.at_once, throttle_value=0),
        display_config=DisplayConfig(show_indicator=False, print_results=False, inspect_after_run=False),
        cache_config=CacheConfig(write_cache=False),
    )
    return sum(bool(one.success) for one in found.test_results)


if __name__ == "__main__":
    measure(run)
