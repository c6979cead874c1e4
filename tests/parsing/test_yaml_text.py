"""YAML that means no good is refused, YAML that is merely clever is read."""

import pytest
import yaml

from ragstone.parsing.yaml_text import MAX_DEPTH, load_yaml


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
