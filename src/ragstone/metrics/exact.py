"""Exact match: is it the value that was wanted?"""

from collections.abc import Mapping
from typing import Any

from ragstone.metrics.canon import canon, choice_key, same


def exact_match(prediction: Any, label: Any, *, normalize: bool = True) -> float:
    """1 when the values are the same in any form, else 0; an absent one matches nothing (R3.3)."""
    if prediction is None or label is None:
        return 0.0
    if normalize:
        return float(same(prediction, label))
    return float(type(prediction) is type(label) and prediction == label)


def alias_table(aliases: Mapping[str, Any]) -> dict[str, str]:
    """Map the key of every alias to the key of what it stands for: {"positive": ["利好"]} to {"利好": "positive"}."""
    table: dict[str, str] = {}
    for name, others in aliases.items():
        for other in (name, *(others if isinstance(others, list | tuple) else (others,))):
            table[choice_key(other)] = choice_key(name)
    return table


def choice_match(prediction: Any, label: Any, aliases: Mapping[str, str] | None = None) -> float:
    """1 when two options are the same, by name or by an alias of the table; marks around them do not count."""
    if prediction is None or label is None:
        return 0.0
    if not aliases:
        return float(choice_key(prediction) == choice_key(label) or same(prediction, label))
    given, wanted = choice_key(prediction), choice_key(label)
    return float(aliases.get(given, given) == aliases.get(wanted, wanted) or canon(prediction) == canon(label))
