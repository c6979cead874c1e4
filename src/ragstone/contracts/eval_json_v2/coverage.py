"""The older form: how many of the wanted strings an answer holds. Its score is not comparable to that of ExpectedV2."""

from typing import NamedTuple

from ragstone.contracts.eval_json_v2.gold import Wanted
from ragstone.contracts.eval_json_v2.terms import FIELDS
from ragstone.core.types import JSON
from ragstone.text.fold import squeeze


class CoverageScore(NamedTuple):
    """The share of wanted strings that were found, and those that were not."""

    value: float
    total: int
    missing: list[str]


def score_coverage(wanted: Wanted, fields: dict[str, JSON]) -> CoverageScore:
    """Look for every wanted string in what the answer says; where the sources are named does not count."""
    pieces = [squeeze(piece) for piece in _texts(fields)]
    strings = wanted.all
    missing = [text for text in strings if not _held(squeeze(text), pieces)]
    return CoverageScore((len(strings) - len(missing)) / len(strings) if strings else 0.0, len(strings), missing)


def _held(text: str, pieces: list[str]) -> bool:
    return bool(text) and any(text in piece for piece in pieces)


def _texts(fields: dict[str, JSON]) -> list[str]:
    found: list[str] = []
    for name in FIELDS:
        value = fields.get(name)
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list) and name != "source_map":
            found += [item for item in value if isinstance(item, str)]
    return found
