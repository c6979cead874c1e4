"""What a report says a run was made of; contract 4, section 6 wants them in every one, known or not."""

from collections.abc import Mapping

from ragstone.core.types import JSON

DEMANDED = (
    "model_id",
    "base_model",
    "adapter_id",
    "prompt_version",
    "prompt_sha256",
    "index_version",
    "eval_set_version",
)
"""Without these nobody could make the run again."""
ALWAYS = ("contract", "created", *DEMANDED, "scorer_version")
SOMETIMES = ("imported_from", "tool_means")
"""Said of runs that have them."""
NONE = "–"


def run_facts(meta: Mapping[str, JSON]) -> dict[str, JSON]:
    """Pick the facts out of run_meta.json; a dash stands where there is none."""
    told = {name: NONE if meta.get(name) in (None, "") else meta[name] for name in ALWAYS}
    return told | {name: meta[name] for name in SOMETIMES if meta.get(name) is not None}
