"""Everything the command line, the page and Python programs can ask Ragstone to do.

import ragstone
run = ragstone.evaluate("questions.jsonl", my_rag.query)
print(run.summary.models["my_rag.query"].all.metrics["accuracy"].mean)
"""

from importlib import import_module
from typing import TYPE_CHECKING

from ragstone.api.evaluation import aevaluate, evaluate, opened_engine, plan_run
from ragstone.api.event_loop import run_blocking
from ragstone.api.judging import Judging, complete_judging
from ragstone.api.resumption import aresume, reopen, resume
from ragstone.api.run import Run
from ragstone.api.systems import CACHED_KINDS, connect_system, keep_offline

if TYPE_CHECKING:
    from ragstone.api.certification import certify, probe_judge
    from ragstone.api.gate_first import evaluate_behind_gate
    from ragstone.api.judgement import ajudge_run, judge_run
    from ragstone.api.judges import named_judge

_JUDGED = {
    **dict.fromkeys(("certify", "probe_judge"), "certification"),
    "evaluate_behind_gate": "gate_first",
    **dict.fromkeys(("ajudge_run", "judge_run"), "judgement"),
    "named_judge": "judges",
}
"""Names whose modules are imported when first used: most runs have neither a judge nor a gate."""

__all__ = [
    "CACHED_KINDS",
    "Judging",
    "Run",
    "aevaluate",
    "ajudge_run",
    "aresume",
    "certify",
    "complete_judging",
    "connect_system",
    "evaluate",
    "evaluate_behind_gate",
    "judge_run",
    "keep_offline",
    "named_judge",
    "opened_engine",
    "plan_run",
    "probe_judge",
    "reopen",
    "resume",
    "run_blocking",
]


def __getattr__(name: str) -> object:
    if name not in _JUDGED:
        raise AttributeError(f"module 'ragstone.api' has no attribute {name!r}")
    return getattr(import_module(f"ragstone.api.{_JUDGED[name]}"), name)
