"""Make tests/data/imports/evalscope: run it in an environment that has evalscope, as `python evalscope_run.py OUT`."""

import json
import os
import shutil
import sys
import tempfile
from pathlib import Path

os.environ["EVALSCOPE_LOG_LEVEL"] = "ERROR"

from evalscope import TaskConfig, run_task
from fiction import FICTIONS, endpoint

CHOICES = (
    {"id": "1", "question": "星河图书馆的借书期限是？", "A": "7天", "B": "30天", "answer": "B"},
    {"id": "2", "question": "Which town hosts the Lantern Fair?", "A": "Port Ellery", "B": "Marrow", "answer": "A"},
)


def main(out: Path) -> None:
    """Ask the invented questions as free text and as choices, and keep the folder of the run."""
    with endpoint() as url, tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        rows = [{"query": one.question, "response": one.reference} for one in FICTIONS]
        _write(Path("qa/fiction.jsonl"), rows)
        _write(Path("mcq/choices_val.jsonl"), list(CHOICES))
        run_task(
            TaskConfig(
                model="fiction-1",
                api_url=url,
                api_key="none",
                eval_type="openai_api",
                datasets=["general_qa", "general_mcq"],
                dataset_args={
                    "general_qa": {"local_path": f"{folder}/qa", "subset_list": ["fiction"]},
                    "general_mcq": {"local_path": f"{folder}/mcq", "subset_list": ["choices"]},
                },
                generation_config={"retries": 1, "max_tokens": 64, "temperature": 0.0},
                eval_batch_size=1,
                ignore_errors=True,
                no_timestamp=True,
                work_dir=f"{folder}/work",
            )
        )
        shutil.rmtree(out, ignore_errors=True)
        shutil.copytree("work", out)
        _without_paths(out, folder)


def _write(path: Path, rows: list[dict[str, str]]) -> None:
    path.parent.mkdir(parents=True)
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")


def _without_paths(out: Path, folder: str) -> None:
    """Keep reports, predictions and reviews; take this machine's folder out of them."""
    for path in sorted(out.rglob("*")):
        if path.is_file() and path.suffix in {".json", ".jsonl", ".yaml"}:
            text = (
                path.read_text(encoding="utf-8")
                .replace(folder, ".")
                .replace(sys.prefix, ".")
                .replace(str(Path.home()), "~")
            )
            path.write_text(text, encoding="utf-8")
        elif path.is_file():
            path.unlink()


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve())
