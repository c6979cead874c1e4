"""A dataset opened for pytest, and the place of each case in it."""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec import Struct

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Contract, Staged
from ragstone.core.types import JSON, Case
from ragstone.datasets.check import Survey, load_cases, open_contract, require_sound, survey, with_usual
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.datasets.glossary import with_content
from ragstone.testing.mark import Mark
from ragstone.trust.rules import PRIMARY, check_groups, check_rules, parse_rule, require_reach, tops_of


class Suite(Struct, frozen=True, eq=False):
    """A sound dataset: its contract, its cases, and what a look at it found."""

    path: Path
    contract: Contract
    found: Survey
    cases: tuple[Case, ...]
    options: dict[str, JSON] = {}


class Place(Struct, frozen=True, eq=False):
    """One case as a test knows it."""

    suite: Suite
    mark: Mark
    case: Case
    number: int
    """Where the case stands in its dataset, from 0."""
    name: str

    def words(self) -> Iterator[str]:
        """Yield what -k may pick it by."""
        yield self.case.id
        for values in self.case.groups.values():
            yield from values


def suite_key(mark: Mark) -> str:
    """Return a key that marks share which open the same dataset in the same way."""
    parts = (str(mark.dataset), mark.contract, str(mark.documents), mark.options, mark.limit)
    return json.dumps(parts, sort_keys=True, default=str)


def open_suite(mark: Mark, glossary: str = "") -> Suite:
    """Open a dataset, with the settings' glossary, and refuse it with all its faults when it has any."""
    usual = {GLOSSARY: glossary}
    contract = open_contract(
        mark.dataset, name=mark.contract, documents=mark.documents, options=mark.options, usual=usual
    )
    if isinstance(contract, Staged):
        raise SettingError("pytest.staged", file=str(mark.dataset))
    found = survey(contract, mark.dataset, most=mark.limit)
    require_sound(found, contract, mark.dataset)
    options = with_content(with_usual(contract, mark.options, usual))
    return Suite(mark.dataset, contract, found, tuple(load_cases(contract, mark.limit)), options)


def places_of(suite: Suite, mark: Mark, rules: Sequence[str] = ()) -> list[Place]:
    """Return the places of the cases a mark is about, in the dataset's order; `rules` are those of the session."""
    _check_names(suite, mark, rules)
    label = mark.label or (lambda case: case.id)
    wanted = None if mark.ids is None else set(mark.ids)
    return [
        Place(suite, mark, case, number, str(label(case)))
        for number, case in enumerate(suite.cases)
        if wanted is None or case.id in wanted
    ]


def _check_names(suite: Suite, mark: Mark, rules: Sequence[str]) -> None:
    """Refuse names the dataset does not have, and limits beyond all scales: a misspelt limit would hold for ever."""
    gate = [parse_rule(rule) for rule in (*mark.gate, *rules)]
    check_rules(gate, suite.contract.metrics)
    check_groups(gate, suite.cases)
    metrics = [PRIMARY, *(spec.name for spec in suite.contract.metrics)]
    if unknown := [name for name in (*mark.min, *mark.max) if name not in metrics]:
        raise SettingError("pytest.metric", names=unknown, known=", ".join(metrics))
    tops = tops_of(suite.contract.metrics)
    for sign, limits in ((">=", mark.min), ("<=", mark.max)):
        for name, limit in limits.items():
            require_reach(f"{name} {sign} {limit:g}", name, limit, tops)
    known = {case.id for case in suite.cases}
    if missing := [one for one in mark.ids or () if one not in known]:
        raise SettingError("pytest.ids", names=missing, file=str(suite.path))
