"""YAML that means no good is refused, YAML that is merely clever is read."""

import pytest
import yaml

from ragstone.datasets.syntax.yaml_text import MAX_DEPTH, load_yaml, problem_of


def test_aliases_and_merges_are_read() -> None:
    """What people use to say a thing once stays allowed."""
    text = "base: &base {model: m, timeout: 5}\nmodels:\n  a: {<<: *base, timeout: 9}\n  b: *base\n"

    assert load_yaml(text)["models"] == {"a": {"model": "m", "timeout": 9}, "b": {"model": "m", "timeout": 5}}
    assert load_yaml("") is None


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (
            "a: &a [x,x,x,x,x,x,x,x,x]\n"
            + "".join(f"b{n}: &{'abcdefgh'[n]} [{','.join(['*' + 'abcdefgh'[n - 1]] * 9)}]\n" for n in range(1, 8)),
            "unfolds into more",
        ),
        (
            "a: &a {x: 1}\n"
            + "".join(
                f"b{n}: &{'abcdefghijklmnopqrst'[n]} {{<<: [{','.join(['*' + 'abcdefghijklmnopqrst'[n - 1]] * 4)}]}}\n"
                for n in range(1, 16)
            ),
            "unfolds into more",
        ),
        ("a: &a [*a]\n", "holds itself"),
        ("[" * (MAX_DEPTH + 5) + "]" * (MAX_DEPTH + 5), "nested deeper"),
        ("!!python/object/apply:os.system [true]", "could not determine a constructor"),
    ],
)
def test_what_swells_or_runs_is_refused(text: str, why: str) -> None:
    """A few lines can neither fill the memory nor name code."""
    with pytest.raises(yaml.YAMLError, match=why):
        load_yaml(text)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("a: [1\nb: 2", "expected ',' or ']', but got ':' (at line 2, column 2)"),
        ("a: b: c", "mapping values are not allowed here (at line 1, column 5)"),
        ("a: *x", "found undefined alias 'x' (at line 1, column 4)"),
        ("a: \x00", "special characters are not allowed (at character 4)"),
        ("[" * 3000, "nested too deeply"),
    ],
)
def test_a_fault_is_one_line_with_its_place(text: str, problem: str) -> None:
    """Neither the library's name for the text nor its excerpt is in it."""
    with pytest.raises((yaml.YAMLError, RecursionError)) as caught:
        load_yaml(text)

    assert problem_of(caught.value) == problem


def test_other_faults_are_told_too() -> None:
    """Bytes that are no UTF-8, and whatever else a reader raises."""
    with pytest.raises(UnicodeDecodeError) as caught:
        b"a\xff".decode()

    assert problem_of(caught.value) == "not UTF-8 at byte 2"
    assert problem_of(ValueError("month must be in 1..12")) == "month must be in 1..12"
