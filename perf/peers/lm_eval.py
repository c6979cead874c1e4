"""lm-eval: a generate_until task over our file, asked by its own chat model with so many requests at once."""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

os.environ |= {
    "HF_HUB_OFFLINE": "1",
    "HF_DATASETS_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "OPENAI_API_KEY": "none",
}
os.environ["HF_HOME"] = str(Path("hf").absolute())

from lm_eval import simple_evaluate  # type: ignore[import-not-found,unused-ignore]
from lm_eval.api.task import ConfigurableTask  # type: ignore[import-not-found,unused-ignore]
from lm_eval.tasks import TaskManager  # type: ignore[import-not-found,unused-ignore]

from perf.peers.given import Given, measure


@cache
def manager() -> Any:
    """Index the tasks that come with it, as every run from its command line does; once a process."""
    return TaskManager()


def contains(doc: dict[str, str], results: list[str]) -> dict[str, float]:
    """Tell whether the answer holds what was expected."""
    return {"contains": float(doc["expected"] in results[0])}


def run(options: Given) -> int:
    """Evaluate the cases and count those that passed."""
    path = Path(f"of_{len(options.rows)}.jsonl").absolute()
    path.write_text("".join(json.dumps(row._asdict()) + "\n" for row in options.rows), encoding="utf-8")
    task = ConfigurableTask(
        config={
            "task": "perf",
            "dataset_path": "json",
            "dataset_kwargs": {"data_files": {"test": str(path)}},
            "test_split": "test",
            "output_type": "generate_until",
            "doc_to_text": "{{question}}",
            "doc_to_target": "{{expected}}",
            "generation_kwargs": {"until": ["\n\n"], "max_gen_toks": 64},
            "process_results": contains,
            "metric_list": [{"metric": "contains", "aggregation": "mean", "higher_is_better": True}],
        }
    )
    found = simple_evaluate(
        model="local-chat-completions",
        model_args={
            "model": "m",
            "base_url": f"{options.url}/chat/completions",
            "num_concurrent": options.at_once,
            "tokenizer_backend": None,
            "tokenized_requests": False,
        },
        tasks=[task],
        apply_chat_template=True,
        bootstrap_iters=0,
        task_manager=manager(),
    )
    assert found is not None
    return round(float(found["results"]["perf"]["contains,none"]) * len(options.rows))


if __name__ == "__main__":
    measure(run)
