"""Overlap of two lists: precision, recall, F1, what is missing, what is too much, and order."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, NamedTuple

from ragstone.metrics.canon import canon, value_of
from ragstone.text.rouge import lcs_length

_NUMBER_FIRST = re.compile("[-+.0-9〇零一二三四五六七八九十百千万亿两壹贰叁肆伍陆柒捌玖拾半$€£¥]").match
"""How the key of a number begins."""


class Overlap(NamedTuple):
    """How two sets of items overlap."""

    precision: float
    recall: float
    f1: float
    missing: list[str]
    """Wanted and not given, as the label writes it."""
    extra: list[str]
    """Given and not wanted, as the answer writes it."""


def item_keys(values: Any, aliases: Mapping[str, str] | None = None, *, normalize: bool = True) -> dict[str, str]:
    """Map the key of each distinct item to its writing; an object counts by its `id`, a lone value is a list of one."""
    if not isinstance(values, (list, tuple)):
        values = () if values is None else (values,)
    found: dict[str, str] = {}
    for item in values:
        if isinstance(item, dict):
            item = item.get("id", item)  # noqa: PLW2901 - an object stands for its id
        if item is None or item == "":
            continue
        name = canon(item) if normalize else f"{type(item).__name__}:{item}"
        if aliases:
            name = aliases.get(name, name)
        if name not in found:
            found[name] = item if isinstance(item, str) else str(item)
    return found


WHOLE = Overlap(1.0, 1.0, 1.0, [], [])
"""Two lists that hold the same."""


def overlap(given: Mapping[str, str], wanted: Mapping[str, str]) -> Overlap:
    """Compare two sets of keys; empty against empty is 1."""
    if given.keys() == wanted.keys():
        return WHOLE
    given = _by_value(given, wanted)
    hits = len(given.keys() & wanted.keys())
    missing = [text for name, text in wanted.items() if name not in given]
    extra = [text for name, text in given.items() if name not in wanted]
    if not hits:
        return Overlap(0.0, 0.0, 0.0, missing, extra)
    precision, recall = hits / len(given), hits / len(wanted)
    return Overlap(precision, recall, 2 * hits / (len(given) + len(wanted)), missing, extra)


def _by_value(given: Mapping[str, str], wanted: Mapping[str, str]) -> Mapping[str, str]:
    """Rename given items whose value is that of a wanted one: 12,000 and 1.2万 are one item."""
    left = [name for name in wanted if name not in given and _NUMBER_FIRST(name)]
    spare = [name for name in given if name not in wanted and _NUMBER_FIRST(name)]
    if not left or not spare:
        return given
    values: dict[Decimal | None, str] = {value_of(wanted[name]): name for name in left}
    values.pop(None, None)
    renamed = {name: values.get(value_of(given[name]), name) for name in spare}
    return {renamed.get(name, name): text for name, text in given.items()}


def order_score(given: Sequence[str], wanted: Sequence[str]) -> float:
    """Share of the longer list that stands in the wanted order; equal lists are 1, empty against empty too."""
    longest = max(len(given), len(wanted))
    return lcs_length(given, wanted) / longest if longest else 1.0
