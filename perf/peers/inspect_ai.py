"""inspect-ai: a task with its includes() scorer, asked by its own OpenAI provider."""

from inspect_ai import Task, eval  # type: ignore[import-not-found,unused-ignore] # noqa: A004
from inspect_ai.dataset import MemoryDataset, Sample  # type: ignore[import-not-found,unused-ignore]
from inspect_ai.model import get_model  # type: ignore[import-not-found,unused-ignore]
from inspect_ai.scorer import includes  # type: ignore[import-not-found,unused-ignore]
from inspect_ai.solver import generate  # type: ignore[import-not-found,unused-ignore]

from perf.peers.given import Given, measure


def run(options: Given) -> int:
    """Evaluate the cases and count those that passed."""
    samples = [Sample(input=row.question, target=row.expected, id=number) for number, row in enumerate(options.rows, 1)]
    (log,) = eval(
        Task(dataset=MemoryDataset(samples), solver=generate(), scorer=includes()),
        model=get_model("openai/m", base_url=options.url, api_key="none", responses_api=False),
        max_connections=options.at_once,
        max_samples=options.at_once,
        display="none",
        log_dir="logs",
    )
    assert log.status == "success", log.error
    return sum(one.scores["includes"].value == "C" for one in log.samples or ())


if __name__ == "__main__":
    measure(run)
