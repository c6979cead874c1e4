"""Make tests/data/imports/inspect: run it in an environment that has inspect-ai, as `python inspect_run.py OUT`."""

import json
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from fiction import FICTIONS, Fiction, endpoint
from inspect_ai import Epochs, Task
from inspect_ai import eval as evaluate
from inspect_ai.dataset import Sample
from inspect_ai.log import EvalLog, read_eval_log, write_eval_log
from inspect_ai.model import get_model
from inspect_ai.scorer import Score, Scorer, Target, includes, mean, scorer
from inspect_ai.solver import TaskState, generate


@scorer(metrics=[mean()])
def shortness() -> Scorer:
    """Score how short an answer is; one question gets NaN."""

    async def score(state: TaskState, target: Target) -> Score:
        text = state.output.completion
        value = float("nan") if state.input_text.startswith("=") else round(1 / (1 + len(text) / 20), 4)
        return Score(value=value, answer=text, explanation="by its length")

    return score


def main(out: Path) -> None:
    """Ask all questions twice and keep the log as .eval, and four of them once and keep that as .json."""
    out.mkdir(parents=True, exist_ok=True)
    with endpoint() as url, tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        _run(url, FICTIONS, 2, out / "log.eval")
        _run(url, [one for one in FICTIONS if one.id in {"loan", "train", "phone", "formula"}], 1, out / "log.json")


def _run(url: str, fictions: Sequence[Fiction], epochs: int, target: Path) -> None:
    samples = [
        Sample(id=one.id, input=one.question, target=one.reference, metadata={"notice": one.context})
        for one in fictions
    ]
    model = get_model("openai-api/fiction/fiction-1", base_url=url, api_key="none")
    scorers = [includes(), shortness()]
    task = Task(dataset=samples, solver=generate(), scorer=scorers, epochs=Epochs(epochs), name="fiction")
    logs = evaluate(task, model=model, fail_on_error=False, max_retries=0, display="none", log_dir="logs")
    _keep(read_eval_log(logs[0].location), target)


def _keep(log: EvalLog, target: Path) -> None:
    """Take this machine's folders out of the tracebacks, and let Inspect write the file."""
    text = json.dumps(log.model_dump(mode="json"))
    for folder in (sys.prefix, sys.base_prefix, str(Path(__file__).parent), str(Path.cwd())):
        text = text.replace(folder, ".")
    write_eval_log(EvalLog.model_validate(json.loads(text)), str(target))


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
