"""promptfoo's configuration as a dataset: what its tests state is read, the rest is named with its line."""

import json
from pathlib import Path

import pytest

from ragstone.contracts.key_points.cases import Gold, load
from ragstone.core.types import JSON, Case, Finding
from ragstone.datasets.promptfoo import is_promptfoo, read_tests, stated
from ragstone.datasets.syntax.yaml_text import load_marked
from tests.conftest import Cli

CONFIG = """\
prompts:
  - 'Answer briefly: {{question}}'
providers:
  - openai:gpt-4o-mini
defaultTest:
  vars: {price: five euros}
  assert:
    - type: latency
      threshold: 3000
tests:
  - description: opening
    vars:
      question: When does the pool open?
    assert:
      - type: contains
        value: 7:30
      - type: llm-rubric
        value: is polite
  - vars:
      question: What does a ticket cost?
    metadata: {category: prices}
    assert:
      - type: contains-all
        value: ['{{price}}', adults]
      - type: regex
        value: '[0-9]+ euros'
  - vars:
      question: ['May dogs swim?', 'May cats swim?']
    assert:
      - {type: icontains-any, value: 'no, not allowed'}
      - {type: similar, value: Animals stay outside., threshold: 0.8}
      - {type: not-contains, value: yes}
"""


def _write(folder: Path, text: str = CONFIG, name: str = "promptfooconfig.yaml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def _findings(text: str) -> list[tuple[str, int | None, JSON]]:
    found = read_tests(load_marked(text), "c.yaml")
    return [(one.code, one.position.line, one.params.get("name")) for one in found if isinstance(one, Finding)]


def test_tests_become_cases(tmp_path: Path) -> None:
    """The prompt filled in is the question; lists of variables multiply; 7:30 and `yes` are texts as in JavaScript."""
    cases = [case for case in load(_write(tmp_path)) if isinstance(case, Case)]

    assert [case.question for case in cases] == [
        "Answer briefly: When does the pool open?",
        "Answer briefly: What does a ticket cost?",
        "Answer briefly: May dogs swim?",
        "Answer briefly: May cats swim?",
    ]
    assert [case.gold for case in cases][:3] == [
        Gold(("7:30",), ()),
        Gold(("five euros", "adults"), ()),
        Gold(("no", "not allowed", "Animals stay outside."), ()),
    ]
    assert cases[1].groups == {"category": ("prices",)} and cases[1].position.line == 19


def test_what_is_not_measured_is_named_with_its_line() -> None:
    """Each once, though a default assertion holds for every test."""
    assert _findings(CONFIG) == [
        ("promptfoo.left_out", 8, "latency"),
        ("promptfoo.left_out", 17, "llm-rubric"),
        ("promptfoo.left_out", 25, "regex"),
        ("promptfoo.reference", 31, "similar"),
        ("promptfoo.left_out", 32, "not-contains"),
        ("promptfoo.several", 11, None),
        ("promptfoo.providers", 4, "providers"),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("prompts: [a]\ntests: file://t.csv\n", "promptfoo.file"),
        ("prompts: [a]\ntests: [file://t.csv]\n", "promptfoo.file"),
        ("prompts: [a, b]\ntests: []\n", "promptfoo.prompts"),
        ("prompts: file://p.txt\ntests: []\n", "promptfoo.prompts"),
        ("prompts: [a]\nscenarios: []\ntests: []\n", "promptfoo.left_out"),
        ("prompts: [a]\ndefaultTest: file://d.yaml\ntests: []\n", "promptfoo.file"),
        ("- vars: {q: file://q.txt}\n", "promptfoo.variable"),
        ("- vars: {q: a}\n  options: {transform: output.x}\n", "promptfoo.left_out"),
        ("- vars: {q: a}\n  assert: [{type: equals, value: a, transform: x}]\n", "promptfoo.left_out"),
        ("- vars: {q: a}\n  assert: [{type: assert-set, threshold: 0.5, assert: []}]\n", "promptfoo.left_out"),
        ("- vars: {q: a}\n  assert: [{$ref: '#/assertionTemplates/x'}]\n", "promptfoo.left_out"),
    ],
)
def test_what_lies_elsewhere_is_said(text: str, code: str) -> None:
    """Files, several prompts, scenarios, transformations and thresholds of sets."""
    assert [found for found, _, _ in _findings(text)] == [code]


def test_a_set_that_wants_all_is_read() -> None:
    """Its assertions count like the others."""
    text = "- vars: {q: a}\n  assert: [{type: assert-set, assert: [{type: equals, value: b}]}]\n"
    tests = [one.value["assert"] for one in read_tests(load_marked(text), "c") if not isinstance(one, Finding)]

    assert tests == [["b"]]


@pytest.mark.parametrize(
    ("assertion", "texts"),
    [
        ({"type": "equals", "value": 42}, ["42"]),
        ({"type": "equals", "value": True}, ["true"]),
        ({"type": "equals", "value": {"a": 1}}, None),
        ({"type": "contains-any", "value": "a, b"}, ["a", "b"]),
        ({"type": "contains", "value": "a, b"}, ["a, b"]),
        ({"type": "is-json"}, None),
        ({"type": "contains"}, None),
    ],
)
def test_an_assertion_states_texts_or_none(assertion: dict[str, JSON], texts: list[JSON] | None) -> None:
    """A list may be written with commas, a number stands for its digits, an object is no text."""
    assert stated(assertion) == texts


@pytest.mark.parametrize(
    ("value", "ours"),
    [
        ({"tests": [], "prompts": []}, True),
        ([{"vars": {}}], True),
        ({"tests": []}, False),
        ([], False),
        ([{"question": "a"}], False),
        (None, False),
    ],
)
def test_a_configuration_is_known_by_its_names(value: JSON, ours: bool) -> None:
    """Tests beside prompts or providers, or a list of tests."""
    assert is_promptfoo(value) is ours


def test_a_run_says_what_it_does_not_measure(cli: Cli, tmp_path: Path) -> None:
    """The user's file is asked and scored as it is, in YAML and in JSON."""
    _write(tmp_path)
    _write(tmp_path, json.dumps(load_marked(CONFIG).value, indent="\t"), "promptfooconfig.json")

    for name, where in (("promptfooconfig.yaml", ":17"), ("promptfooconfig.json", "#/tests/0/assert/1")):
        done = cli("run", name, "--mock")
        assert done.returncode == 0 and "accuracy: 100.0%" in done.stdout
        assert f"{name}{where}: warning: promptfoo's 'llm-rubric'" in done.stderr


def test_a_test_without_a_text_is_a_fault_that_new_leaves_out(cli: Cli, tmp_path: Path) -> None:
    """`check` refuses it with its line, `new --from` writes the others and says so."""
    _write(tmp_path, CONFIG + "  - vars: {question: Give JSON}\n    assert: [{type: is-json}]\n")

    checked = cli("check", "promptfooconfig.yaml")
    made = cli("new", "key_points", "mine", "--from", "promptfooconfig.yaml")

    assert checked.returncode == 2 and "promptfooconfig.yaml:33: case Q5: error" in checked.stdout
    assert made.returncode == 0 and "promptfooconfig.yaml:34: warning: promptfoo's 'is-json'" in made.stderr
    assert "gold ← assert" in made.stdout and "questions 4" in made.stdout
    assert len((tmp_path / "mine" / "questions.jsonl").read_text(encoding="utf-8").splitlines()) == 4


def test_a_list_of_objects_is_a_table(cli: Cli, tmp_path: Path) -> None:
    """YAML by hand needs no other form; an item that is no object is named."""
    _write(tmp_path, "- question: Open?\n  answer: 7 am\n- 3\n", "t.yaml")

    done = cli("check", "t.yaml")

    assert (
        done.returncode == 2
        and "t.yaml:3: error: expected a JSON object" in done.stdout
        and "key_points" in done.stdout
    )


def test_tests_in_another_file_are_named(cli: Cli, tmp_path: Path) -> None:
    """Instead of a table that nobody recognises."""
    _write(tmp_path, "prompts: [a]\nproviders: [x]\ntests: file://t.csv\n")

    done = cli("check", "promptfooconfig.yaml")

    assert done.returncode == 2 and "promptfooconfig.yaml:3: error: expected tests, found 'file://t.csv'" in done.stderr
