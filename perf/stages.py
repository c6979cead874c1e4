"""Where the time of a run goes, stage by stage: a timer looks at the stack every millisecond of CPU.

uv run python -m perf.stages [CASES]        against our own loopback server, 64 in flight, no latency
"""

import re
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import ragstone.api
from perf.contestants import AT_ONCE
from perf.loads import write_cases
from perf.measure import server
from ragstone.core.settings import Settings

EVERY = 0.001
HOME = str(Path(ragstone.__file__).parent) + "/"
STEPS = {"load": "load", "request": "request", "read": "read", "score": "score"}
"""Functions of a contract, by the stage they are."""
PACKAGES = {
    "runs/store/journal": "journal",
    "runs/store/": "write",
    "report/": "write",
    "runs/finish": "write",
    "runs/summary": "summary",
    "statistics/": "summary",
    "systems/": "call",
    "datasets/": "load",
    "runs/plan": "load",
    "runs/": "schedule",
}
"""Files, by the stage that is in them when no contract is on top."""
STAGES = ("load", "request", "call", "journal", "read", "score", "summary", "write", "schedule", "import")
WHAT = {
    "load": "reading and checking the dataset, twice: once to survey it, once to ask",
    "request": "making the request of a case",
    "call": "the HTTP call: event loop, retries, limits and reading the reply",
    "journal": "putting the answer on disk before anything is made of it",
    "read": "what the contract understands of the answer",
    "score": "the scorecard",
    "summary": "means, groups, intervals",
    "write": "results.jsonl, reports, fingerprints and seal",
    "schedule": "workers, order, the row of a result",
    "import": "modules loaded on the way",
}


class Profile(NamedTuple):
    """Microseconds of CPU a case by stage, and the functions most often found at work."""

    cases: int
    stages: dict[str, float]
    functions: list[tuple[str, float]]
    """Where, and its share."""

    @property
    def total(self) -> float:
        """Microseconds a case."""
        return sum(self.stages.values())


def stage_of(frame: FrameType | None) -> str:
    """Say which stage a stack is in: the outermost contract function, else the innermost package of ours."""
    package = contract = ""
    while frame is not None:
        name = frame.f_code.co_filename
        if name.startswith(HOME):
            inside = name.removeprefix(HOME)
            if inside.startswith("contracts/"):
                contract = STEPS.get(frame.f_code.co_name, contract)
            package = package or next((stage for start, stage in PACKAGES.items() if inside.startswith(start)), "")
        elif name.startswith("<frozen importlib"):
            return "import"
        frame = frame.f_back
    return contract or package or "call"


class Sampler:
    """Counts stages and functions while it is on."""

    def __init__(self) -> None:
        self.stages: Counter[str] = Counter()
        self.functions: Counter[str] = Counter()

    def _look(self, _: int, frame: FrameType | None) -> None:
        self.stages[stage_of(frame)] += 1
        if frame is not None:
            code = frame.f_code
            self.functions[f"{_short(code.co_filename)}: {code.co_qualname}"] += 1

    def __enter__(self) -> "Sampler":
        signal.signal(signal.SIGPROF, self._look)
        signal.setitimer(signal.ITIMER_PROF, EVERY, EVERY)
        return self

    def __exit__(self, *_: object) -> None:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, signal.SIG_DFL)


def _short(name: str) -> str:
    """Name a file without the folders before its package."""
    for mark in ("site-packages/", "/src/"):
        name = name.rpartition(mark)[2]
    return re.sub(r"^.*/python3\.\d+/", "", name)


def profile(cases: int = 5000) -> Profile:
    """Run so many key-point cases and look where the time goes."""
    with tempfile.TemporaryDirectory() as name, server() as at:
        folder = Path(name)
        write_cases(folder / "few.jsonl", AT_ONCE)
        write_cases(folder / "many.jsonl", cases)
        _run(at.url, folder, "few.jsonl")
        begin = time.process_time()
        with Sampler() as sampler:
            _run(at.url, folder, "many.jsonl")
        spent = (time.process_time() - begin) / cases * 1e6
    total = sum(sampler.stages.values()) or 1
    stages = {stage: sampler.stages[stage] / total * spent for stage in STAGES if sampler.stages[stage]}
    return Profile(cases, stages, [(name, count / total) for name, count in sampler.functions.most_common(15)])


def _run(url: str, folder: Path, dataset: str) -> None:
    settings = Settings(runs_dir=str(folder / "runs"), concurrency=AT_ONCE)
    options = {"base_url": f"{url}/v1"}
    run = ragstone.api.evaluate(folder / dataset, "chat:m", settings=settings, system_options=options)
    assert run.summary.status == "complete"


def main() -> None:
    """Print one line a stage, then the functions."""
    found = profile(int(sys.argv[1]) if len(sys.argv) > 1 else 5000)
    for stage, spent in found.stages.items():
        print(f"{stage:<9} {spent:7.1f} µs a case {spent / found.total:6.1%}  {WHAT[stage]}")
    print(f"{'all':<9} {found.total:7.1f} µs a case")
    for name, share in found.functions:
        print(f"{share:6.1%}  {name}")


if __name__ == "__main__":
    main()
