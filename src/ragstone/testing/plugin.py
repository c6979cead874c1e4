"""What pytest sees: options, fixtures and hooks. Every pytest run loads this file, so nothing else is loaded here.

@pytest.mark.ragstone(dataset="cases.jsonl", system="python:mybot:answer")
def test_bot(ragstone_result):
    assert ragstone_result.scorecard.passed
"""

from collections.abc import Generator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from ragstone.core.types import Case, Result
    from ragstone.testing.session import AskedCase, Session
    from ragstone.testing.store import Keeper
    from ragstone.testing.suite import Place

CASE = "ragstone_case"
MARKERS = (
    "ragstone(*, dataset, system, documents, contract, options, system_options, limit, ids, label, min, max, gate): "
    "one test for each case of a dataset; marks on a module, a class and a test add up."
)
_SESSION = pytest.StashKey["Session"]()
_ASKED = pytest.StashKey["AskedCase"]()


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options."""
    group = parser.getgroup("ragstone", "cases of a dataset as tests (ragstone)")
    group.addoption(
        "--ragstone-run", metavar="DIR", help="keep a run folder below DIR for every dataset and system that is asked"
    )
    group.addoption(
        "--ragstone-concurrency",
        metavar="N",
        type=int,
        default=1,
        help="cases asked at once: the running test's and the next ones' (default: 1; xdist's workers ask one each)",
    )
    group.addoption(
        "--ragstone-gate",
        metavar="RULE",
        action="append",
        default=[],
        help="a rule all cases together must meet, such as 'accuracy >= 0.9'; may be repeated",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Announce the mark."""
    config.addinivalue_line("markers", MARKERS)
    if config.getoption("--ragstone-concurrency") < 1:
        raise pytest.UsageError("--ragstone-concurrency must be at least 1")
    if not _is_worker(config):
        config.pluginmanager.register(Listener(config), "ragstone-listener")


def _is_worker(config: pytest.Config) -> bool:
    """Return whether this is one of xdist's workers: those ask, the process that started them stores the answers."""
    return hasattr(config, "workerinput")


def _session(config: pytest.Config) -> "Session":
    """Return what is known of the datasets; loads Ragstone."""
    if _SESSION not in config.stash:
        from ragstone.testing.session import Session  # noqa: PLC0415 - only a marked test needs it

        ahead = 1 if _is_worker(config) else config.getoption("--ragstone-concurrency")
        rules = config.getoption("--ragstone-gate")
        keep = bool(config.getoption("--ragstone-run") or rules)
        config.stash[_SESSION] = Session(config.invocation_params.dir, ahead=ahead, keep=keep, rules=rules)
    return config.stash[_SESSION]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Make one test of every case."""
    if metafunc.definition.get_closest_marker("ragstone") is not None:
        places = _session(metafunc.config).places(metafunc.definition)
        metafunc.parametrize(CASE, places, ids=[place.name for place in places], indirect=True)


def pytest_itemcollected(item: pytest.Item) -> None:
    """Let -k pick cases by their ids and groups as they are written in the dataset."""
    if isinstance(item, pytest.Function) and hasattr(item, "callspec") and CASE in item.callspec.params:
        place: Place = item.callspec.params[CASE]  # type: ignore[assignment]
        item.extra_keyword_matches.update(place.words())


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Fail what is marked and has no case, such as a method of a unittest class: it would pass without being asked."""
    if item.get_closest_marker("ragstone") is not None and CASE not in getattr(item, "fixturenames", ()):
        pytest.fail("@pytest.mark.ragstone works on functions and on methods of plain classes only", pytrace=False)


@pytest.fixture
def ragstone_case(request: pytest.FixtureRequest) -> "Case":
    """The case this test is about."""
    if not hasattr(request, "param"):
        pytest.fail("this test is about a case, but has no @pytest.mark.ragstone(dataset=…)", pytrace=False)
    case: Case = request.param.case
    return case


@pytest.fixture
def ragstone_system() -> object:
    """The system to ask when the mark names none: override it, in whatever scope, to give your own."""
    return None


@pytest.fixture
def ragstone_result(request: pytest.FixtureRequest, ragstone_case: "Case", ragstone_system: object) -> "Result":
    """What the system answered to this test's case, and what that is worth."""
    asked = _session(request.config).ask(request.node, ragstone_system)
    request.node.stash[_ASKED] = asked
    return asked.result


@pytest.hookimpl(wrapper=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> Generator[None, object, object]:
    """A case without an answer passes no test, whatever is asserted; the mark's limits hold besides the test's own."""
    asked: AskedCase | None = pyfuncitem.stash.get(_ASKED, None)
    if asked is not None:
        asked.require_answer()
    outcome = yield
    if asked is not None:
        asked.require_limits()
    return outcome


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the case with a failing test, and attach the answer to the report."""
    report = yield
    asked: AskedCase | None = item.stash.get(_ASKED, None)
    if asked is not None:
        asked.tell(report)
    return report


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Close what was opened."""
    if _SESSION in session.config.stash:
        session.config.stash[_SESSION].close()


class Listener:
    """Collects every answer in the main process and writes the runs; xdist's workers have none."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self._keeper: Keeper | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep an answer."""
        handed = getattr(report, "ragstone", None)
        if handed is not None:
            self._open().add(handed)

    def _open(self) -> "Keeper":
        if self._keeper is None:
            from ragstone.testing.store import Keeper  # noqa: PLC0415 - only a run that is kept needs it

            folder, rules = self._config.getoption("--ragstone-run"), self._config.getoption("--ragstone-gate")
            self._keeper = Keeper(self._config.invocation_params.dir, folder, rules)
        return self._keeper

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Write the run folders and let the gates decide."""
        if self._keeper is not None:
            self._keeper.finish()
            if self._keeper.failed and session.exitstatus == pytest.ExitCode.OK:
                session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Print where the runs are and what the gates decided."""
        if self._keeper is not None:
            bad = self._keeper.failed
            terminalreporter.write_sep("=", "ragstone", red=bad, green=not bad)
            for line in self._keeper.lines:
                terminalreporter.write_line(line)
