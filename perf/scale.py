"""What a run takes as it grows: seconds and memory of every command, from a thousand cases to a million.

uv run python -m perf.scale /tmp/scale                          1,000 to 100,000 cases of a prompt task
uv run python -m perf.scale /tmp/scale --sizes 1000 1000000     as many as you like
uv run python -m perf.scale /tmp/scale --kind key_points --workers 2
uv run python -m perf.scale /tmp/scale --kind sentences --sizes 20000 --only score verify      realistic answers
uv run python -m perf.scale /tmp/scale2 --kind sentences --sizes 20000 --only score --workers 2

Every case is made here and is fictional. Each command runs as a process of its own; its seconds are those of the
processor (of all its processes), its memory is the most it held (of the largest process, where there are several).
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple, TextIO

from perf.loads import SENTENCES, write_cases

LIMIT_MB = 150
ROOMS = ["一号", "二号", "三号", "四号", "五号", "六号", "七号"]
THINGS = ["阀门", "水泵", "电机", "风机", "滤网", "仪表", "管道", "轴承", "开关", "线缆", "支架"]
STATES = ["正常", "泄漏", "过热", "停机"]
TASK = """
name: patrol
prompt_template: patrol.yaml
parse_schema:
  - {field: state, type: enum, values: [正常, 泄漏, 过热, 停机], default: 正常}
  - {field: degrees, type: int, lo: 0, hi: 200, default: 0}
metrics:
  - {type: exact_match, name: state, pred_field: state, label_field: gt_state}
  - {type: numeric_error, name: degrees, pred_field: degrees, label_field: gt_degrees, tolerance: 2}
"""
PROMPT = 'version: v1\nsystem: 只输出 JSON。\nuser: "巡检记录：{{ record }}"\n'
PAGE = """
import sys, pathlib
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import Query
index = Index(pathlib.Path(sys.argv[1]))
index.refresh()
for query in (Query(), Query(state="missed"), Query(sort="-score"), Query(text="水泵"), Query(sort="-latency")):
    page = index.page(query)
    index.page(Query(after=page.next or "")) if page.next and query == Query() else None
print(len(index), index.counts())
"""


class Row(NamedTuple):
    """What one command took."""

    command: str
    cases: int
    seconds: float
    cpu: float
    megabytes: float
    code: int


def record(n: int) -> tuple[str, str, int]:
    """Make the n-th fictional patrol: what was written down, the state, the degrees."""
    room, thing, state = ROOMS[n % 7], THINGS[n % 11], STATES[n * n % 4]
    degrees = 20 + n * 7919 % 90
    return f"第{n}次巡检，{room}车间的{thing}温度为{degrees}度，状态{state}，其余无异常。", state, degrees


def prompt_task(folder: Path, size: int) -> None:
    """Write a task, its rows and two recordings of answers, the second a little better."""
    (folder / "patrol.task.yaml").write_text(TASK, encoding="utf-8")
    (folder / "patrol.yaml").write_text(PROMPT, encoding="utf-8")
    with (folder / "rows.jsonl").open("w", encoding="utf-8") as rows, _open(folder, "a") as a, _open(folder, "b") as b:
        for n in range(size):
            text, state, degrees = record(n)
            row = {"sample_id": f"p{n}", "record": text, "gt_state": state, "gt_degrees": degrees, "type": ROOMS[n % 7]}
            rows.write(json.dumps(row, ensure_ascii=False) + "\n")
            for file, wrong in ((a, n % 10 == 0), (b, n % 12 == 0)):
                said = json.dumps({"state": "停机" if wrong else state, "degrees": degrees + n % 3}, ensure_ascii=False)
                file.write(_answer(f"p{n}", said, n))


def key_points(folder: Path, size: int) -> None:
    """Write questions with key points, and two recordings of answers."""
    with (folder / "rows.jsonl").open("w", encoding="utf-8") as rows, _open(folder, "a") as a, _open(folder, "b") as b:
        for n in range(size):
            text, state, degrees = record(n)
            gold = [f"温度为{degrees}度", f"状态{state}"]
            row = {"q": f"第{n}次巡检的结果如何？", "gold": gold, "doc_hint": [f"patrol_{n % 50}.md"]}
            rows.write(json.dumps(row, ensure_ascii=False) + "\n")
            for file, wrong in ((a, n % 10 == 0), (b, n % 12 == 0)):
                said = f"记录没有写明（patrol_{n % 49}.md）" if wrong else f"{text}（patrol_{n % 50}.md）"
                file.write(_answer(f"Q{n + 1}", said, n))


def sentences(folder: Path, size: int) -> None:
    """Write realistic questions with three key points each, and recordings of answers in sentences."""
    write_cases(folder / "rows.jsonl", size, SENTENCES)
    with _open(folder, "a") as a, _open(folder, "b") as b:
        for n, turn in enumerate(islice(SENTENCES.turns(), size)):
            for file, wrong in ((a, n % 10 == 0), (b, n % 12 == 0)):
                file.write(_answer(f"Q{n + 1}", turn.answer[: len(turn.answer) // (1 + wrong)], n))


def legal_rag(folder: Path, size: int) -> None:
    """Write files of a thousand questions, each about a document of its own, and two recordings of answers."""
    questions, documents = folder / "rows.jsonl" / "questions", folder / "rows.jsonl" / "documents"
    questions.mkdir(parents=True)
    documents.mkdir()
    with _open(folder, "a") as a, _open(folder, "b") as b:
        for first in range(0, size, 1000):
            numbers, name = range(first, min(size, first + 1000)), f"patrol_{first}"
            texts = [record(n)[0] for n in numbers]
            pages = ["\n".join(texts[at : at + 20]) for at in range(0, len(texts), 20)]
            (documents / f"{name}.md").write_text("\f".join(pages), encoding="utf-8")
            asked = [_legal_question(n, n % 1000 // 20 + 1) for n in numbers]
            whole = {"benchmark_type": "fact_exact", "document": f"{name}.md", "questions": asked}
            (questions / f"{name}.json").write_text(json.dumps(whole, ensure_ascii=False), encoding="utf-8")
            for n in numbers:
                for file, wrong in ((a, n % 10 == 0), (b, n % 12 == 0)):
                    said = f"记录的温度是{record(n)[2] + wrong}度。（第{n % 1000 // 20 + 1}页：“{record(n)[0][:20]}”）"
                    file.write(_answer(f"fact_{n}", said, n))


def _legal_question(n: int, page: int) -> dict[str, object]:
    text, _, degrees = record(n)
    return {
        "id": f"fact_{n}",
        "type": "fact_exact",
        "question": f"第{n}次巡检记录的温度是多少度？",
        "expected": {"count": degrees},
        "required_evidence": [{"page": page, "must_include": text[:12]}],
        "scoring": {"numeric_exact": True, "citation_required": True},
        "metadata": {"difficulty": "easy", "category": "monetary", "tags": [ROOMS[n % 7]]},
    }


def _open(folder: Path, name: str) -> TextIO:
    return (folder / f"{name}.jsonl").open("w", encoding="utf-8")


def _answer(case: str, said: str, n: int) -> str:
    usage = {"prompt_tokens": 60, "completion_tokens": 20 + n % 9, "total_tokens": 80 + n % 9}
    row = {"id": case, "output": said, "latency_ms": 200 + n % 997, "usage": usage}
    return json.dumps(row, ensure_ascii=False) + "\n"


KINDS = {"prompt_task": prompt_task, "key_points": key_points, "sentences": sentences, "legal_rag": legal_rag}


def commands(kind: str, workers: list[str]) -> Iterator[tuple[str, list[str]]]:
    """Name the commands and their words, in an order in which each finds what it needs."""
    options = ["-o", "task=patrol.task.yaml"] if kind == "prompt_task" else []
    ragstone = [sys.executable, "-m", "ragstone"]
    for run in ("a", "b"):
        words = ["score", "rows.jsonl", f"{run}.jsonl", "--run-id", run, "-q", *options, *workers]
        yield f"score {run}", [*ragstone, *words]
    yield "check", [*ragstone, "check", "rows.jsonl", *options]
    yield "report", [*ragstone, "report", "a"]
    yield "report markdown", [*ragstone, "report", "a", "--format", "markdown"]
    yield "compare", [*ragstone, "compare", "a", "b"]
    yield "gate", [*ragstone, "gate", "b", "--baseline", "a", "-r", "pass_rate >= 0.5"]
    yield "verify", [*ragstone, "verify", "a", *workers]
    yield "rescore", [*ragstone, "rescore", "a", "--out", "runs/again", *workers]
    yield "page", [sys.executable, "-c", PAGE, "runs/a"]


def measure(name: str, words: list[str], folder: Path, size: int) -> Row:
    """Run one command and take its time and its memory."""
    begin = time.perf_counter()
    with (folder / "said.txt").open("ab") as said:
        child = subprocess.Popen(words, cwd=folder, stdout=said, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.perf_counter() - begin
    return Row(name, size, seconds, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024, child.returncode)


def show(rows: list[Row]) -> None:
    """Print a table: a line for each command, CPU seconds and megabytes for each size, wall time for the largest."""
    sizes = sorted({row.cases for row in rows})
    print("| command |" + "".join(f" {size:,}: CPU s | MB |" for size in sizes) + " CPU µs a case | wall s |")
    print("|---|" + "---:|---:|" * len(sizes) + "---:|---:|")
    for name in dict.fromkeys(row.command for row in rows):
        mine = {row.cases: row for row in rows if row.command == name}
        cells = "".join(f" {mine[s].cpu:.1f} | {mine[s].megabytes:.0f} |" if s in mine else " | |" for s in sizes)
        last = mine[max(mine)]
        print(f"| {name} |{cells} {last.cpu / last.cases * 1e6:.0f} | {last.seconds:.1f} |")
    worst = max(rows, key=lambda row: row.megabytes)
    verdict = "ok" if worst.megabytes <= LIMIT_MB else "too much"
    print(
        f"most memory: {worst.megabytes:.0f} MB ({worst.command}, {worst.cases:,} cases), limit {LIMIT_MB}: {verdict}"
    )


def main() -> None:
    """Make the cases, run the commands, print the table and keep the figures for a chart."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000, 100_000])
    parser.add_argument("--kind", choices=KINDS, default="prompt_task")
    parser.add_argument("--workers", default="")
    parser.add_argument("--only", nargs="*", default=[], help="commands to run, by their first word")
    flags = parser.parse_args()
    workers = ["--workers", flags.workers] if flags.workers else []
    rows: list[Row] = []
    for size in flags.sizes:
        folder = flags.folder / f"{flags.kind}-{size}{'-w' + flags.workers if workers else ''}"
        folder.mkdir(parents=True)
        KINDS[flags.kind](folder, size)
        for name, words in commands(flags.kind, workers):
            if flags.only and name.split()[0] not in flags.only:
                continue
            rows.append(measure(name, words, folder, size))
            print(json.dumps(rows[-1]._asdict()), file=sys.stderr, flush=True)
    (flags.folder / f"{flags.kind}.json").write_text(json.dumps([row._asdict() for row in rows], indent=1))
    show(rows)


if __name__ == "__main__":
    main()
