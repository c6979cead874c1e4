"""The state of one pytest process: the datasets it opened, the systems it asks, and which cases are asked next."""

import json
import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import NoReturn

import pytest

from ragstone.api import connect_system
from ragstone.core.errors import BudgetSpent, SettingError, UserError
from ragstone.core.language import Lang, pick_language
from ragstone.core.messages import message
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import Answer, Result
from ragstone.runs.plan import Plan
from ragstone.runs.store.folder import new_run_id
from ragstone.testing.ask import Asker, Background
from ragstone.testing.explain import add_case, case_text, cover_traceback, error_text
from ragstone.testing.mark import Mark, read_mark
from ragstone.testing.store import HANDED, Sender, SentAnswer, near
from ragstone.testing.suite import Place, Suite, open_suite, places_of, suite_key
from ragstone.text.visible import visible_line
from ragstone.trust.rules import PRIMARY

RESULT = "ragstone_result"
SYSTEM = "ragstone_system"
CASE = "ragstone_case"


class AskedCase:
    """A case that was asked for a test, with its result."""

    def __init__(self, place: Place, asker: Asker, answer: Answer, home: Path) -> None:
        self.place = place
        self.asker = asker
        self.answer = answer
        self.result: Result = asker.judge(place, answer)
        self.handed: SentAnswer | None = None
        """The answer to be stored; goes with the next report."""
        self._home = home

    def require_answer(self) -> None:
        """Fail the test when the case could not be asked or scored."""
        if self.result.error_stage in {"ask", "score"}:
            pytest.fail(visible_line(self._shown.scorecard.explain), pytrace=False)

    @property
    def _shown(self) -> Result:
        """The result as readers may see it."""
        return self.asker.plan.wording().cover(self.result)

    def require_limits(self) -> None:
        """Fail the test when a metric misses a limit of the mark."""
        if missed := list(_missed(self.place.mark, self.result)):
            pytest.fail("; ".join(missed), pytrace=False)

    def tell(self, report: pytest.TestReport) -> None:
        """Show the case when the test failed; hand the answer on, once."""
        if report.failed:
            words, shown = self.asker.plan.wording(), self._shown
            where = near(str(self.place.case.position), self._home)
            text = case_text(self.place, self.result, words, where)
            cover_traceback(report, words)
            add_case(report, shown.sample_id, text, shown.scorecard.explain)
        if self.handed is not None:
            vars(report)[HANDED], self.handed = self.handed, None


def _missed(mark: Mark, result: Result) -> Iterator[str]:
    scores = {**result.scorecard.sub_scores, PRIMARY: result.scorecard.primary_score}
    for name, limit in mark.min.items():
        if (value := scores.get(name)) is not None and value < limit:
            yield f"{name} {value:.4g} < {limit:g}"
    for name, limit in mark.max.items():
        if (value := scores.get(name)) is not None and value > limit:
            yield f"{name} {value:.4g} > {limit:g}"


class Session:
    """Opens each dataset once, connects each system once, and asks `ahead` cases at a time."""

    def __init__(self, home: Path, *, ahead: int = 1, keep: bool = False, rules: Sequence[str] = ()) -> None:
        self._home = home
        self._rules = rules
        self._ahead = ahead
        self._keep = keep
        self._suites: dict[str, Suite] = {}
        self._askers: dict[tuple[str, str, str], Asker] = {}
        self._held: dict[str, object] = {}
        """Systems given as objects, so that none of their ids is used again."""
        self._sender = Sender()
        self._variants: dict[tuple[str, int], int] = {}
        self._order: dict[str, tuple[list[Place], int]] = {}

    @cached_property
    def _settings(self) -> Settings:
        return read_settings(folder=self._home)

    @cached_property
    def _background(self) -> Background:
        return Background()

    def places(self, definition: pytest.Item) -> list[Place]:
        """Return the cases a marked test is about; errors in mark or dataset are shown without a traceback."""
        try:
            mark = read_mark(definition, self._home)
            key = suite_key(mark)
            if key not in self._suites:
                self._suites[key] = open_suite(mark, self._settings.reading.glossary)
            if CASE not in getattr(definition, "fixturenames", ()):
                raise SettingError("pytest.unused", test=definition.name)
            return places_of(self._suites[key], mark, self._rules)
        except UserError as error:
            raise pytest.Collector.CollectError(near(error_text(error, self._reader), self._home)) from None

    @property
    def _reader(self) -> Lang:
        """The language of messages: the settings' or the locale's."""
        names = ("RAGSTONE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
        return pick_language(*(os.environ.get(name) for name in names))

    def ask(self, item: pytest.Function, given: object) -> AskedCase:
        """Ask the case of a test; `given` is what the fixture for the system returned."""
        place = _place(item)
        system = place.mark.system if place.mark.system is not None else given
        if system is None:
            self._fail("pytest.system")
        if place.mark.system is not None and SYSTEM in item.callspec.params:
            self._fail("pytest.two_systems")
        try:
            known, asker = self._asker(place, system)
            if self._ahead > 1 and (known or place.mark.system is not None):
                asker.begin(self._upcoming(item))
            answer = asker.answer(place)
        except BudgetSpent as signal:
            problem = str(signal)
        except UserError as error:
            problem = error_text(error, self._reader)
        else:
            asked = AskedCase(place, asker, answer, self._home)
            if self._keep or place.mark.gate:
                asked.handed = self._sender.prepare(self._run_name(item, system), asker, place, answer)
            return asked
        # Outside the handlers, so that nothing is said to have happened "during handling of" what is told here.
        pytest.fail(problem, pytrace=False)

    def _fail(self, code: str) -> NoReturn:
        pytest.fail(message(code).say(self._reader), pytrace=False)

    def _asker(self, place: Place, system: object) -> tuple[bool, Asker]:
        """Return who asks a system about a dataset, and whether it did so before."""
        name = system if isinstance(system, str) else str(id(system))
        key = (suite_key(place.mark), name, json.dumps(place.mark.system_options, sort_keys=True, default=str))
        if key in self._askers:
            return True, self._askers[key]
        self._held[name] = system
        self._askers[key] = Asker(self._plan(place, system), self._background)
        return False, self._askers[key]

    def _plan(self, place: Place, system: object) -> Plan:
        mark, suite, settings = place.mark, place.suite, self._settings
        return Plan(
            run_id=new_run_id(suite.contract.name),
            dataset=mark.dataset,
            contract=suite.contract,
            contract_name=mark.contract or suite.contract.name,
            systems=(connect_system(system, mark.system_options, settings),),
            system_specs=(system if isinstance(system, str) else "",),
            system_options=mark.system_options,
            documents=mark.documents,
            options=suite.options,
            lang=settings.language or suite.found.lang,
            concurrency=self._ahead,
            timeout=settings.timeout,
            max_samples=mark.limit,
            mask_private=settings.mask_private,
        )

    def _upcoming(self, item: pytest.Function) -> Sequence[Place]:
        """Return the cases of this test and of the next ones that ask the same."""
        if not self._order:
            queues: dict[tuple[object, ...], list[Place]] = {}
            for one in filter(_asks, item.session.items):
                queue = queues.setdefault(_queue_key(one), [])
                self._order[one.nodeid] = (queue, len(queue))
                queue.append(_place(one))
        # A test may ask for its result while it runs; not known before.
        queue, at = self._order.get(item.nodeid, ([_place(item)], 0))
        return queue[at : at + self._ahead]

    def _run_name(self, item: pytest.Function, system: object) -> str:
        """Name the run an answer belongs to, in all of xdist's workers alike.

        A text says who was asked. Objects are told apart by their tests: two may go by one name.
        """
        mark = _place(item).mark
        if isinstance(system, str):
            return json.dumps((suite_key(mark), system, mark.system_options), sort_keys=True, default=str)
        if not self._variants:
            # In the order of names, which is the same in every process, whatever the order of the tests.
            for one in sorted(filter(_asks, item.session.items), key=lambda one: one.nodeid):
                self._variants.setdefault((_function(one), _system_param(one)), len(self._variants))
        variant = self._variants.get((_function(item), _system_param(item)))
        return json.dumps((suite_key(mark), _function(item), variant))

    def close(self) -> None:
        """Stop asking and close what was connected."""
        for asker in self._askers.values():
            asker.close()
        if self._askers:
            self._background.close()


def _place(item: pytest.Item) -> Place:
    place: Place = item.callspec.params[CASE]  # type: ignore[attr-defined]
    return place


def _asks(item: pytest.Item) -> bool:
    """Return whether a test will need an answer, as far as is known before it runs."""
    is_marked = hasattr(item, "callspec") and CASE in item.callspec.params
    return is_marked and RESULT in getattr(item, "fixturenames", ()) and item.get_closest_marker("skip") is None


def _function(item: pytest.Item) -> str:
    return item.nodeid.partition("[")[0]


def _system_param(item: pytest.Item) -> int:
    """Distinguish the values a test's system is parametrised with."""
    return id(item.callspec.params.get(SYSTEM))  # type: ignore[attr-defined]


def _queue_key(item: pytest.Item) -> tuple[object, ...]:
    """Return a key that tests of one system share: named by their marks, or the same fixture of one parent."""
    mark = _place(item).mark
    if mark.system is not None:
        who = mark.system if isinstance(mark.system, str) else id(mark.system)
        return (suite_key(mark), who, json.dumps(mark.system_options, sort_keys=True, default=str))
    parent = item.parent.nodeid if item.parent else ""
    return (suite_key(mark), parent, _system_param(item))
