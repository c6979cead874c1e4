"""Runs that tests leave behind, and the gates over them."""

from pathlib import Path

import pytest

import ragstone
from ragstone.runs.store.folder import RunFolder
from ragstone.testing.store import near
from ragstone.trust.compare import compare
from ragstone.trust.verify import verify
from tests.conftest import Cli
from tests.testing.project import Project

pytest_plugins = ["pytester"]
GATE = "dataset='cases.jsonl', system='python:mybot:answer', gate={!r}"


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """A user's project."""
    return Project(pytester)


def _only_run(project: Project) -> RunFolder:
    (path,) = (project.path / "out").iterdir()
    return RunFolder(path)


def test_a_run_is_kept_as_usual(project: Project, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same rows as `ragstone run` makes, named from the project's folder; gate and verify work on it."""
    project.run("--ragstone-run", "out").assert_outcomes(passed=3, failed=1)
    folder = _only_run(project)
    monkeypatch.syspath_prepend(project.path)

    other = ragstone.evaluate("cases.jsonl", "python:mybot:answer", run_id="other")

    assert folder.read("summary.json")["results_digest"] == other.summary.results_digest
    assert folder.read("config.json")["dataset"] == "cases.jsonl"
    assert verify(folder).status == "identical"
    assert compare(RunFolder(other.folder), folder).paired == 4
    assert cli("gate", folder.path, "-r", "accuracy >= 0.75").returncode == 0


def test_a_part_of_the_cases_makes_a_partial_run(project: Project, cli: Cli) -> None:
    """It says so, and can be resumed: only what is missing is asked."""
    project.run("--ragstone-run", "out", "-k", "Q1 or Q3")
    folder = _only_run(project)

    assert folder.meta()["status"] == "partial"
    assert cli("resume", folder.path, "-q").returncode == 0
    assert folder.meta()["status"] == "complete"
    assert project.asked() == ["海", "逾", "借", "在"]


@pytest.mark.long
def test_the_workers_of_xdist_fill_one_run(project: Project) -> None:
    """Each case is asked once, by whichever worker, in random order; names of tests agree between workers."""
    done = project.run_apart("-n", "2", "--ragstone-run", "out", "--ragstone-gate", "pass_rate >= 0.7")

    done.assert_outcomes(passed=3, failed=1)
    folder = _only_run(project)
    assert sorted(project.asked()) == ["借", "在", "海", "逾"]
    assert [row.sample_id for row in folder.results()] == ["Q1", "Q2", "Q3", "Q4"]
    assert folder.meta()["status"] == "complete"
    done.stdout.fnmatch_lines(["*out/*4/4*", "*PASS*pass_rate >= 0.7*"])


def test_systems_of_one_name_have_runs_of_their_own(project: Project) -> None:
    """Two objects of one class are two systems; answers of one are never kept as the other's."""
    project.write("""
        import mybot
        import pytest

        class Bot:
            def __init__(self, works):
                self.works = works

            def query(self, question):
                return mybot.answer(question) if self.works else ""

        @pytest.mark.parametrize("ragstone_system", [Bot(True), Bot(False)])
        @pytest.mark.ragstone(dataset="cases.jsonl")
        def test_bot(ragstone_result):
            pass
    """)

    project.run("--ragstone-run", "out", "--ragstone-concurrency", "2").assert_outcomes(passed=8)

    runs = [RunFolder(path) for path in (project.path / "out").iterdir()]
    assert sorted(sum(row.scorecard.passed for row in run.results()) for run in runs) == [0, 3]


@pytest.mark.parametrize(
    ("rule", "words", "code", "said"),
    [
        ("pass_rate >= 0.7", (), 0, "*PASS*pass_rate >= 0.7*"),
        ("pass_rate >= 0.9", (), 1, "*FAIL*pass_rate >= 0.9*"),
        ("pass_rate >= 0.9", ("-k", "Q1"), 0, "*NOT MEASURED*complete*"),
    ],
)
def test_all_cases_together_must_pass_the_gate(
    project: Project, rule: str, words: tuple[str, ...], code: int, said: str
) -> None:
    """Rules of the mark decide at the end; who picks some cases gets no verdict, but no failure either."""
    project.mark(GATE.format(rule), "pass")

    done = project.run(*words)

    assert done.ret == code
    done.stdout.fnmatch_lines([said])
    assert not (project.path / "runs").exists()


def test_a_gate_without_answers_is_not_passed(project: Project) -> None:
    """Nothing answered means nothing measured, although no rule was missed."""
    project.write(bot="def answer(question):\n    raise RuntimeError('down')")

    done = project.run("--ragstone-gate", "latency_ms_p95 <= 100000")

    done.assert_outcomes(failed=4)
    done.stdout.fnmatch_lines(["*NOT MEASURED*coverage*"])


def test_a_folder_that_cannot_be_written_fails_the_session(project: Project) -> None:
    """The tests pass, but what was to be kept is not: that is told once, and is no success."""
    (project.path / "out").write_text("in the way")
    project.mark("dataset='cases.jsonl', system='python:mybot:answer'", "pass")

    done = project.run("--ragstone-run", "out")

    done.assert_outcomes(passed=4)
    assert done.ret == pytest.ExitCode.TESTS_FAILED
    assert done.stdout.str().count("cannot be made") == 1


def test_names_are_those_seen_from_the_project() -> None:
    """Paths below the project's folder lose its name, others keep theirs."""
    home = Path("/home/a/project")

    assert near({"a": ["builtin:/home/a/project/docs", "/home/a/project2"], "b": 1}, home) == {
        "a": ["builtin:docs", "/home/a/project2"],
        "b": 1,
    }
