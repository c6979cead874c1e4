"""Ragstone: a touchstone for RAG and LLM applications.

Public names, fetched when first used, so that importing Ragstone costs next to nothing.
"""

from importlib import import_module

from ragstone.version import VERSION

__version__ = VERSION

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ragstone.api import (
        Run,
        aevaluate,
        ajudge_run,
        aresume,
        certify,
        evaluate,
        evaluate_behind_gate,
        judge_run,
        resume,
    )
    from ragstone.core.errors import RagstoneError, UserError
    from ragstone.core.interfaces import Contract, System
    from ragstone.core.types import Answer, Case, Citation, Context, Reading, Request, Result, Scorecard
    from ragstone.drafting.make import draft

_HOMES = {
    "ragstone.api": (
        *("Run", "aevaluate", "ajudge_run", "aresume", "certify", "evaluate", "evaluate_behind_gate", "judge_run"),
        "resume",
    ),
    "ragstone.core.errors": ("RagstoneError", "UserError"),
    "ragstone.core.interfaces": ("Contract", "System"),
    "ragstone.core.types": ("Answer", "Case", "Citation", "Context", "Reading", "Request", "Result", "Scorecard"),
    "ragstone.drafting.make": ("draft",),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = [
    "Answer",
    "Case",
    "Citation",
    "Context",
    "Contract",
    "RagstoneError",
    "Reading",
    "Request",
    "Result",
    "Run",
    "Scorecard",
    "System",
    "UserError",
    "aevaluate",
    "ajudge_run",
    "aresume",
    "certify",
    "draft",
    "evaluate",
    "evaluate_behind_gate",
    "judge_run",
    "resume",
]


def __getattr__(name: str) -> object:
    home = _HOME_OF.get(name)
    if home is None:
        raise AttributeError(f"module 'ragstone' has no attribute {name!r}")
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    return __all__
