"""The plugin as its users meet it: real runs of pytest over a small project."""

import asyncio
import json
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from fnmatch import fnmatch

import pytest
import rjieba  # noqa: F401 - a run inside this process forgets what it imported; this cannot be loaded twice

from ragstone.core.registry import CONTRACTS, contract_type
from tests.loopback import Loopback, Reply
from tests.testing.project import TEST, Project

pytest_plugins = ["pytester"]
LOADED = [contract_type(name) for name in CONTRACTS]
"""For the same reason."""


@pytest.fixture
def project(pytester: pytest.Pytester) -> Project:
    """A user's project."""
    return Project(pytester)


@pytest.fixture
def broken_endpoint() -> Iterator[str]:
    """The address of an endpoint that answers nothing but errors."""
    server, loop = Loopback(Reply({"error": {"message": "overloaded"}}, status=500)), asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()
    asyncio.run_coroutine_threadsafe(server.listen(), loop).result(10)
    yield server.url
    asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(10)
    loop.call_soon_threadsafe(loop.stop)
    thread.join(10)
    loop.close()


def test_every_case_is_a_test(project: Project) -> None:
    """Three lines are enough; tests are named by case, in the dataset's order."""
    done = project.run("-v")

    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(["*test_bot[[]Q1[]] PASSED*", "*test_bot[[]Q2[]] FAILED*", "*test_bot[[]Q4[]] PASSED*"])


def test_a_failing_case_is_shown(project: Project) -> None:
    """Question, expectation, answer and reason, in the dataset's language; the reason also in the closing line."""
    done = project.run("--show-capture=no")

    done.stdout.fnmatch_lines(
        [
            "*- ragstone Q2 -*",
            "用例：Q2 (cases.jsonl:2)",
            "问题：借书期限是多少天？",
            "标准答案：*三十天*",
            "回答：期限为十四天。*",
            "得分：准确率 ×*",
            "原因：*三十天*",
            "FAILED test_bot.py::test_bot[[]Q2[]] - 未覆盖*",
        ]
    )


@pytest.mark.parametrize("known", ["return '没有提到13987654321'", "raise RuntimeError('no 13987654321')"])
def test_private_numbers_are_hidden_on_request(project: Project, monkeypatch: pytest.MonkeyPatch, known: str) -> None:
    """Neither the case nor the line that sums it up shows a number, of the question, the gold or the answer."""
    monkeypatch.setenv("RAGSTONE_MASK_PRIVATE", "1")
    case = {"q": "13812345678是谁的？", "gold": ["13812345678属于王五"], "doc_hint": ["guide.md"]}
    project.write(cases=[case], bot=f"def answer(question):\n    {known}\n")

    shown = "\n".join(project.run().outlines)

    assert "是谁的" in shown and "*********21" in shown
    assert "1381234" not in shown and "1398765" not in shown


def test_an_answer_cannot_play_with_the_terminal(project: Project) -> None:
    """Control characters of an answer are shown, not sent."""
    project.write(bot="def answer(question):\n    return '\\x1b[31m\\u202e红'")

    done = project.run()

    assert "␛[31m�红" in done.stdout.str()
    assert "\x1b[31m" not in done.stdout.str()


def test_a_bad_dataset_is_told_with_all_its_faults(project: Project) -> None:
    """A collection error with file and line, and no traceback."""
    project.write(cases=[{"q": "几点？", "gold": [], "doc_hint": ["a.md"]}, {"q": 3, "gold": ["九点"]}])

    done = project.run()

    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines(["*cases.jsonl:1: Q1 error: *gold*", "*cases.jsonl:2: Q2 error:*"])
    done.stdout.no_fnmatch_line("*Traceback*")
    done.stdout.no_fnmatch_line("*checking.py*")


@pytest.mark.parametrize(("wish", "asked"), [("Q2 or Q4", ["借", "在"]), ("not Q1 and not Q2", ["逾", "在"])])
def test_only_the_cases_picked_by_k_are_asked(project: Project, wish: str, asked: list[str]) -> None:
    """What is not selected costs nothing, also when cases are asked ahead."""
    project.run("-k", wish, "--ragstone-concurrency", "8")

    assert sorted(project.asked()) == sorted(asked)


def test_k_finds_ids_and_groups_as_they_are_written(project: Project) -> None:
    """Chinese ids are escaped in the names of tests, not for -k."""
    project.write(
        'import pytest\n@pytest.mark.ragstone(dataset="bench", documents=None, contract="legal_rag")\n'
        "def test_one(ragstone_case):\n    assert ragstone_case.question"
    )
    folder = project.path / "bench" / "questions"
    folder.mkdir(parents=True)
    common = {"type": "fact_exact", "question": "几点开门？", "expected": {"text_answer": "九点"}}
    rows = [{"id": "事实-1", **common}, {"id": "事实-2", **common}]
    (folder / "fact_exact.json").write_text(json.dumps({"questions": rows}), encoding="utf-8")

    project.run("-k", "事实-2").assert_outcomes(passed=1, deselected=1)
    project.run("-k", "fact_exact").assert_outcomes(passed=2)


def test_x_stops_asking(project: Project) -> None:
    """The second case fails: what comes after is not asked."""
    project.run("-x").assert_outcomes(passed=1, failed=1)

    assert project.asked() == ["海", "借"]


def test_x_with_concurrency_stops_within_the_window(project: Project) -> None:
    """No more cases are asked in vain than were asked ahead of the failing one."""
    project.run("-x", "--ragstone-concurrency", "2").assert_outcomes(passed=1, failed=1)

    # The third has begun or not by the time the second has failed.
    assert len(project.asked()) in (2, 3)


def test_cases_are_asked_at_once(project: Project) -> None:
    """As many as wished for, and no more."""
    bot = """
        import asyncio, pathlib
        now = most = 0

        async def answer(question):
            global now, most
            now += 1
            most = max(most, now)
            pathlib.Path("most.txt").write_text(str(most))
            await asyncio.sleep(0.05)
            now -= 1
            return "上午九点、三十天、每天一角、一楼服务台（来源：guide.md）"
    """
    project.write(bot=bot)

    project.run("--ragstone-concurrency", "3").assert_outcomes(passed=4)

    assert (project.path / "most.txt").read_text() == "3"


def test_a_case_is_asked_once_for_all_its_tests(project: Project) -> None:
    """Two tests about the same cases and the same system share the answers."""
    project.write(TEST + "\n" + TEST.replace("test_bot", "test_again").replace("import pytest", ""))

    project.run().assert_outcomes(passed=6, failed=2)

    assert len(project.asked()) == 4


def test_a_broken_endpoint_fails_the_test(project: Project, broken_endpoint: str) -> None:
    """With kind and message, even when the test asserts nothing that an empty answer would break."""
    options = f'system_options={{"base_url": "{broken_endpoint}/v1", "max_retries": 0}}'
    project.mark(f'dataset="cases.jsonl", system="chat:m", limit=2, {options}', 'assert "密码" not in "x"')

    done = project.run()

    done.assert_outcomes(failed=2)
    done.stdout.fnmatch_lines(["*http_5xx*overloaded*", "问题：海棠图书馆几点开门？", "FAILED *http_5xx*"])


def test_a_spent_budget_fails_what_was_not_asked(project: Project, broken_endpoint: str) -> None:
    """A case that may not be asked is not passed over in silence."""
    given = f'"base_url": "{broken_endpoint}/v1", "max_retries": 0, "max_calls": 1'
    project.mark(f'dataset="cases.jsonl", system="chat:m", system_options={{{given}}}')

    done = project.run("--tb=short")

    assert done.stdout.str().count("http_5xx") >= 1
    done.stdout.fnmatch_lines(["*ERROR at setup of test_bot[[]Q2[]]*", "1 of 1 calls spent (the run's budget)*"])


@pytest.mark.parametrize("scope", ["session", "module", "function"])
def test_the_system_may_be_a_fixture(project: Project, scope: str) -> None:
    """An object with .query() in any scope; a fresh one for every test is asked about that test's case only."""
    project.write(f"""
        import mybot
        import pytest

        class Bot:
            def query(self, question):
                return mybot.answer(question)

        @pytest.fixture(scope="{scope}")
        def ragstone_system():
            return Bot()

        @pytest.mark.ragstone(dataset="cases.jsonl")
        def test_bot(ragstone_result):
            assert ragstone_result.scorecard.passed
    """)

    project.run("--ragstone-concurrency", "3").assert_outcomes(passed=3, failed=1)

    assert len(project.asked()) == 4


def test_systems_can_be_held_side_by_side(project: Project) -> None:
    """`ragstone_system` can be parametrised like any argument."""
    project.write("""
        import mybot
        import pytest

        def silent(question):
            return ""

        @pytest.mark.parametrize("ragstone_system", [mybot.answer, silent])
        @pytest.mark.ragstone(dataset="cases.jsonl")
        def test_bot(ragstone_result):
            assert ragstone_result.scorecard.passed
    """)

    project.run("--ragstone-concurrency", "2").assert_outcomes(passed=3, failed=5)


def test_a_result_may_be_asked_for_late(project: Project) -> None:
    """`request.getfixturevalue` works, with cases asked ahead or not."""
    project.write("""
        import pytest

        @pytest.mark.ragstone(dataset="cases.jsonl", system="python:mybot:answer")
        def test_bot(ragstone_case, request):
            if ragstone_case.id != "Q2":
                assert request.getfixturevalue("ragstone_result").scorecard.passed
    """)

    project.run("--ragstone-concurrency", "3").assert_outcomes(passed=4)

    assert project.asked() == ["海", "逾", "在"]


def test_marks_add_up(project: Project) -> None:
    """A module's mark names dataset and system, a class's and a test's say more."""
    project.write("""
        import pytest

        pytestmark = pytest.mark.ragstone(dataset="cases.jsonl", system="python:mybot:answer", limit=3)

        @pytest.mark.ragstone(limit=2)
        class TestBot:
            def test_two(self, ragstone_result):
                assert ragstone_result.scorecard.primary_score >= 0

            @pytest.mark.ragstone(ids=["Q1"])
            def test_one(self, ragstone_result):
                assert ragstone_result.scorecard.passed

        def test_three(ragstone_case):
            assert ragstone_case.question
    """)

    project.run().assert_outcomes(passed=6)


MISTAKES = [
    ("'cases.jsonl'", "*name every argument*"),
    ("data='cases.jsonl'", "*unknown: data; known: dataset, system,*"),
    ("system='python:mybot:answer'", "*a dataset is missing*"),
    ("dataset='nothing.jsonl'", "*nothing.jsonl: no such file*"),
    ("dataset='cases.jsonl', min={'acuracy': 1}", "*no metric 'acuracy'*accuracy*"),
    ("dataset='cases.jsonl', ids=['Q9']", "*cases.jsonl has no case 'Q9'*"),
    ("dataset='cases.jsonl', limit=0", "*limit is a whole number*"),
    ("dataset='cases.jsonl', gate='accuracy > 1'", "*accuracy > 1*"),
    ("dataset='cases.jsonl', gate='citations >= 0.9'", "*no figure 'citations'*"),
    ("dataset='cases.jsonl', gate='accuracy >= 0.9 for kind=x'", "*no group 'kind'*"),
    ("dataset='cases.jsonl', gate='no_new_failures'", "*compares with a baseline*"),
    ("dataset='cases.jsonl', min=3", "*min is a dict, not int*"),
    ("dataset='cases.jsonl', min={'accuracy': float('nan')}", "*min holds finite numbers*"),
    ("dataset='cases.jsonl', max={'accuracy': float('inf')}", "*max holds finite numbers*"),
    ("dataset='cases.jsonl', max={'accuracy': 5}", "*lies between 0 and 1*"),
    ("dataset='cases.jsonl', contract='no_such'", "*no contract named 'no_such'*"),
]


def test_a_mistake_in_the_mark_is_told(project: Project) -> None:
    """Before anything is asked, and without a traceback; every mark in a file of its own."""
    for number, (given, _) in enumerate(MISTAKES):
        project.mark(given)
        (project.path / "test_bot.py").rename(project.path / f"test_{number}.py")

    done = project.run()

    done.assert_outcomes(errors=len(MISTAKES))
    done.stdout.no_fnmatch_line("*Traceback*")
    _, *parts = re.split(r"(?m)^_+ ERROR .*?test_(\d+)\.py.* _+$", done.stdout.str())
    said = dict(zip(map(int, parts[::2]), parts[1::2], strict=True))
    assert [mistake for number, mistake in enumerate(MISTAKES) if not fnmatch(said[number], mistake[1])] == []
    assert project.asked() == []


@pytest.mark.parametrize(
    ("rule", "problem"),
    [
        ("nonsense", "*'nonsense' is not a rule*"),
        ("foo >= 1", "*no figure 'foo'*"),
        ("accuracy <= 5", "*Did you mean 5%*"),
    ],
)
def test_a_mistake_in_the_gate_costs_no_call(project: Project, rule: str, problem: str) -> None:
    """The rules of the session are looked at before the first case is asked."""
    done = project.run("--ragstone-gate", rule)

    done.assert_outcomes(errors=1)
    done.stdout.fnmatch_lines([problem])
    assert project.asked() == []


@pytest.mark.parametrize(
    ("test", "problem"),
    [
        ("def test_one(ragstone_result):\n    pass", "*has no @pytest.mark.ragstone*"),
        ("@pytest.mark.ragstone(dataset='cases.jsonl')\ndef test_one():\n    pass", "*nothing would be tested*"),
        ("@pytest.mark.ragstone(dataset='cases.jsonl')\ndef test_one(ragstone_result):\n    pass", "*system=*"),
        (
            "@pytest.mark.ragstone(dataset='cases.jsonl', system='python:no:thing')\n"
            "def test_one(ragstone_result):\n    pass",
            "*no:thing*ModuleNotFoundError*",
        ),
        (
            "import unittest\nclass TestOld(unittest.TestCase):\n"
            "    @pytest.mark.ragstone(dataset='cases.jsonl')\n    def test_one(self):\n        pass",
            "*methods of plain classes only*",
        ),
    ],
)
def test_a_test_that_would_test_nothing_does_not_pass(project: Project, test: str, problem: str) -> None:
    """What is missing is told."""
    project.write("import pytest\n" + test)

    done = project.run("--tb=short")

    assert done.parseoutcomes().get("passed", 0) == 0
    done.stdout.fnmatch_lines([problem])


def test_limits_hold_besides_what_a_test_asserts(project: Project) -> None:
    """A metric below the mark's limit fails the test and says by how much."""
    project.mark("dataset='cases.jsonl', system='python:mybot:answer', min={'key_point_recall': 0.5}", "pass")

    done = project.run()

    done.assert_outcomes(passed=3, failed=1)
    done.stdout.fnmatch_lines(["*key_point_recall 0 < 0.5*"])


def test_the_plugin_is_light() -> None:
    """Every run of pytest loads it; nothing of Ragstone comes along before a test is marked."""
    heavy = ("aiohttp", "pydantic", "msgspec", "rjieba", "yaml", "ragstone.api", "ragstone.core.types")
    code = f"import sys, ragstone.testing.plugin; print([m for m in {heavy} if m in sys.modules])"

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, encoding="utf-8", check=True)

    assert done.stdout.strip() == "[]"


def test_a_concurrency_below_one_is_refused(project: Project) -> None:
    """A usage error."""
    done = project.run("--ragstone-concurrency", "0")

    assert done.ret == pytest.ExitCode.USAGE_ERROR
