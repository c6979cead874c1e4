"""kill -9 at random moments over every contract and every way to run one; resumed runs must equal undisturbed ones.

uv run python -m perf.kill_sweep --moments 500 --seed 1

Each way of running has a server of its own that counts what it is asked. A run is killed and resumed a few times, then
let go to its end, and its rows are held against those of a run nobody disturbed (without what tells the time).
"""

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.faults.server import Asked, Faulty, Wire
from tests.loopback import completion
from tests.web.site import Site

CASES = 40
CONCURRENCY = 4
MOST_KILLS = 6
"""Kills one run suffers before it may finish."""
LIMIT = 120.0
"""Seconds after which something is wrong with the sweep itself."""
WORKFLOW = """
name: twice
steps:
  - {name: first, task: event_eval}
  - {name: again, task: event_eval, input_from: first}
"""


@dataclass(frozen=True)
class Way:
    """One way to run one contract."""

    name: str
    rows: Callable[[int], dict[str, Any]]
    answer: Callable[[int], str]
    begin: tuple[str, ...] = ()
    """Words for a first process; empty where the run is started over the page."""
    go_on: tuple[str, ...] = ()
    calls: int = 1
    """Calls a case takes."""
    files: dict[str, str] = field(default_factory=dict)


@dataclass
class Tally:
    """What the kills of one way came to."""

    killed: int = 0
    early: int = 0
    """Before the run's folder was a run."""
    runs: int = 0
    lost: int = 0
    """Answers on disk that were asked for again."""
    twice: int = 0
    """Questions in flight at a kill that were asked a second time."""
    untold: int = 0
    """Runs that had questions asked twice and did not say that they were interrupted."""
    unequal: int = 0


RUN = ("-m", "ragstone", "run", "{data}", "-s", "chat:m", "-O", "base_url={url}", "--run-id", "r", "-q", "-c", "4")
RESUME = ("-m", "ragstone", "resume", "r", "-q", "-c", "4")
BENCH = ("-m", "bench.cli.runner", "--no-cache", "--quiet", "--concurrency", "4", "--workflow-concurrency", "4")
REGISTRY = '{{"active": "m", "models": {{"m": {{"model": "m", "base_url": "{url}"}}}}}}'


def _key_points(number: int) -> dict[str, Any]:
    return {"q": f"题{number}：第 {number} 号柜的押金？", "gold": [f"{number}00元"], "doc_hint": ["柜.md"]}


def _legal(number: int) -> dict[str, Any]:
    evidence = {"page": 2, "must_include": f"{number}00元", "section": "qa_pair", "speaker": "answer"}
    more = {"expected": {"amount_total": number * 100}, "required_evidence": [evidence], "document": "笔录.md"}
    return {"id": f"F{number}", "type": "fact_exact", "question": f"题{number}：一共给了多少钱？", **more}


def _task(number: int) -> dict[str, Any]:
    labels = {"gt_sentiment": "negative", "gt_impact_score": number % 5, "gt_keywords": ["召回"]}
    return {"sample_id": f"S{number}", "ticker": f"题{number}", "news_items": [{"title": "召回"}], **labels}


def _json_v2(number: int) -> dict[str, Any]:
    reference = [{"file": "a.md", "page": 1, "anchors": ["服務台"]}]
    parts = [{"part": part, "refs": reference} for part in ("detailed_description", "original_evidence")]
    return {
        "id": f"J{number}",
        "question": f"题{number}：借書證要多少錢？",
        "expected": {"answer_example": _example(number), "source_map": parts},
    }


def _example(number: int) -> dict[str, Any]:
    return {
        "target_audience": "鎮民",
        "main_topic": "借閱",
        "sub_topic": f"借書證{number}",
        "detailed_description": [f"於一樓服務台申辦，工本費{number}元。"],
        "original_evidence": f"於一樓服務台申辦，工本費{number}元。",
        "predicted_questions": ["遺失怎麼辦？"],
    }


def _task_answer(number: int) -> str:
    return json.dumps({"sentiment": "negative", "impact_score": number % 4, "keywords": ["召回"]}, ensure_ascii=False)


def _plain(number: int) -> str:
    return f"{number}00元（柜.md），第2页"


def _json_answer(number: int) -> str:
    return json.dumps(_example(number if number % 3 else 0), ensure_ascii=False)


TASK = ("-o", "task=event_eval")
WAYS = (
    Way("key_points", _key_points, _plain, RUN, RESUME),
    Way("legal_rag", _legal, _plain, RUN, RESUME),
    Way("prompt_task", _task, _task_answer, (*RUN, *TASK), RESUME),
    Way("eval_json_v2", _json_v2, _json_answer, RUN, RESUME),
    Way("engine process:2", _key_points, _plain, (*RUN, "--engine", "process:2"), (*RESUME, "--engine", "process:2")),
    Way(
        "workflow",
        _task,
        _task_answer,
        (*BENCH, "--workflow", "flow.yaml", "--dataset", "{data}", "--model-registry", "models.json", "--run-id", "r"),
        (*BENCH, "--resume-run-dir", "runs/r", "--model-registry", "models.json"),
        calls=2,
        files={"flow.yaml": WORKFLOW, "models.json": REGISTRY},
    ),
    Way("page", _key_points, _plain),
)


class Trial:
    """One run of one way: its folder, its processes, its server."""

    def __init__(self, way: Way, folder: Path, server: Faulty) -> None:
        self.way, self.folder, self.server = way, folder, server
        self.kills = 0
        self._began: Counter[str] = Counter()
        folder.mkdir(parents=True)
        self._furnish()

    def _furnish(self) -> None:
        way, rows = self.way, [self.way.rows(n) for n in range(1, CASES + 1)]
        self._data = self.folder / "datasets" / ("q.json" if way.name == "legal_rag" else "q.jsonl")
        self._data.parent.mkdir()
        lines = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        whole = json.dumps({"document": "笔录.md", "questions": rows}, ensure_ascii=False)
        self._data.write_text(whole if way.name == "legal_rag" else lines, encoding="utf-8")
        for name, text in way.files.items():
            (self.folder / name).write_text(text.format(url=self.server.url) if "{url}" in text else text)
        settings = f'[systems.m]\nsystem = "chat:m"\nbase_url = "{self.server.url}"\n'
        (self.folder / "ragstone.toml").write_text(settings)

    @property
    def run(self) -> Path | None:
        """The folder of the run, once it is one."""
        return next((path.parent for path in self.folder.glob("runs/*/run_meta.json")), None)

    def answered(self) -> set[int]:
        """Return the numbers of the cases that need not be asked any more."""
        path = self.run / "answers.jsonl" if self.run else None
        lines = path.read_bytes().split(b"\n")[:-1] if path and path.exists() else []
        counts = Counter(int(re.sub(r"\D", "", json.loads(line)["id"])) for line in lines)
        return {number for number, count in counts.items() if count >= self.way.calls}

    def start(self) -> subprocess.Popen[str]:
        """Begin the run or go on with it."""
        way = self.way
        words = way.go_on if self.run else way.begin
        if not words:
            return self._serve()
        named = {"data": str(self._data.relative_to(self.folder)), "url": self.server.url}
        return self._process([word.format(**named) for word in words])

    def _process(self, words: list[str]) -> subprocess.Popen[str]:
        env = {**os.environ, "RAGSTONE_LANGUAGE": "zh-Hans", "PYTHONUNBUFFERED": "1"}
        quiet = subprocess.DEVNULL
        return subprocess.Popen(
            [sys.executable, *words],
            cwd=self.folder,
            stdout=subprocess.PIPE,
            stderr=quiet,
            env=env,
            encoding="utf-8",
            start_new_session=True,
        )

    def _serve(self) -> subprocess.Popen[str]:
        process = self._process(["-m", "ragstone", "serve", "--port", "0", "-c", "4"])
        assert process.stdout is not None
        line = process.stdout.readline()
        if self.run is None and not (self.folder / "runs" / ".page-jobs.json").exists():
            _started(Site(int(line.rsplit(":", 1)[1].split("/")[0])))
        return process

    def over(self, process: subprocess.Popen[str]) -> bool:
        """Say whether the work is done; a page's server goes on for ever."""
        if self.way.begin:
            return process.poll() is not None
        return self.run is not None and json.loads((self.run / "run_meta.json").read_bytes())["status"] == "complete"

    def kill(self, process: subprocess.Popen[str]) -> None:
        """End a process and all it started, without a word."""
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        if process.stdout:
            process.stdout.close()

    def rows(self) -> list[dict[str, Any]]:
        """Return the rows without what tells the time."""
        assert self.run is not None
        lines = (self.run / "results.jsonl").read_bytes().splitlines()
        return [{k: v for k, v in json.loads(line).items() if k not in {"latency_ms", "run_id"}} for line in lines]


def _started(site: Site) -> None:
    until = time.monotonic() + LIMIT
    while time.monotonic() < until:
        try:
            site.start("m", dataset="q.jsonl")
        except OSError:
            time.sleep(0.02)
        else:
            return


def sweep(way: Way, moments: int, dice: random.Random, folder: Path) -> Tally:
    """Kill runs of one way until there were enough moments."""
    tally = Tally()
    with Faulty() as server:
        server.manner = _manner(way, 0.0)
        calm = Trial(way, folder / "calm", server)
        _finish(calm, calm.start())
        expected = calm.rows()
        assert len(expected) >= CASES, expected
        while tally.killed < moments:
            server.asked.clear()
            server.manner = _manner(way, dice.choice([0.0, 0.005, 0.02]))
            trial = Trial(way, folder / str(tally.runs), server)
            _torment(trial, tally, moments, dice)
            tally.unequal += trial.rows() != expected
            tally.runs += 1
    return tally


def _manner(way: Way, seconds: float) -> Callable[[Wire, Asked], None]:
    def manner(wire: Wire, asked: Asked) -> None:
        if seconds:
            wire.rest(seconds)
        number = _number(asked.question)
        if number % 11 == 0:
            wire.reply({"error": {"message": "not this one"}}, status="400 Bad Request")
        else:
            wire.reply(completion(way.answer(number)))

    return manner


def _number(question: str) -> int:
    found = re.search(r"题(\d+)", question)
    return int(found[1]) if found else 0


def _torment(trial: Trial, tally: Tally, moments: int, dice: random.Random) -> None:
    """Kill one run a few times at random moments, then let it finish."""
    for _ in range(min(MOST_KILLS, moments - tally.killed)):
        if not _kill_once(trial, tally, dice):
            break
    else:
        before, answered = trial.server.counts(), trial.answered()
        _finish(trial, trial.start())
        tally.lost += _asked_again(trial, before, answered)
    counts = Counter[int]()
    for question, count in trial.server.counts().items():
        counts[_number(question)] += count
    twice = sum(max(0, count - trial.way.calls) for count in counts.values())
    tally.twice += twice
    assert trial.run is not None
    told = json.loads((trial.run / "run_meta.json").read_bytes()).get("interrupted", 0)
    tally.untold += bool(twice and not told)


def _kill_once(trial: Trial, tally: Tally, dice: random.Random) -> bool:
    """Start a process and kill it at a random moment; say whether it was still at work."""
    before, answered = trial.server.counts(), trial.answered()
    process = trial.start()
    _wait_for_a_moment(trial, process, before.total(), dice)
    if trial.over(process):
        trial.kill(process) if process.poll() is None else process.communicate()
        return False
    trial.kill(process)
    tally.killed += 1
    tally.early += trial.run is None
    tally.lost += _asked_again(trial, before, answered)
    return True


def _wait_for_a_moment(trial: Trial, process: subprocess.Popen[str], before: int, dice: random.Random) -> None:
    """Let a process be young, be asking, or be writing its reports."""
    kind = dice.random()
    if kind < 0.2:
        time.sleep(dice.uniform(0.0, 0.6))
        return
    left = CASES * trial.way.calls - before
    wanted = before + (left if kind > 0.8 else dice.randint(1, max(1, left)))
    until = time.monotonic() + LIMIT
    while trial.server.calls < wanted and not trial.over(process) and time.monotonic() < until:
        time.sleep(0.002)
    time.sleep(dice.uniform(0.0, 0.25 if kind > 0.8 else 0.03))


def _asked_again(trial: Trial, before: Counter[str], answered: set[int]) -> int:
    again = trial.server.counts() - before
    return sum(_number(question) in answered for question in again)


def _finish(trial: Trial, process: subprocess.Popen[str]) -> None:
    until = time.monotonic() + LIMIT
    while not trial.over(process):
        assert time.monotonic() < until, f"{trial.way.name}: no end in {trial.folder}"
        time.sleep(0.01)
    trial.kill(process) if process.poll() is None else process.communicate()


def main() -> int:
    """Sweep over all ways and print what came of it."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--moments", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    ways = [way for way in WAYS if given.only in way.name]
    shares = [given.moments // len(ways) + (place < given.moments % len(ways)) for place in range(len(ways))]
    with tempfile.TemporaryDirectory() as name, ThreadPoolExecutor(given.jobs) as pool:
        work = [
            pool.submit(sweep, way, share, random.Random(f"{given.seed} {way.name}"), Path(name) / str(place))
            for place, (way, share) in enumerate(zip(ways, shares, strict=True))
        ]
        tallies = []
        for way, job in zip(ways, work, strict=True):
            tallies.append(job.result())
            print(f"{way.name}: {_line(tallies[-1])}", flush=True)
    total = Tally(*(sum(values) for values in zip(*(vars(tally).values() for tally in tallies), strict=True)))
    print(f"all: {_line(total)}")
    return 1 if total.lost or total.untold or total.unequal else 0


def _line(tally: Tally) -> str:
    return (
        f"{tally.killed} kills ({tally.early} before there was a run) in {tally.runs} runs, "
        f"{tally.lost} answers lost, {tally.twice} asked twice (in flight), {tally.untold} untold, "
        f"{tally.runs - tally.unequal} of {tally.runs} equal"
    )


if __name__ == "__main__":
    sys.exit(main())
