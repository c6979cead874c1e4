"""The environment, `.env` files and the places they fill."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import ConnectError
from ragstone.core.masking import Secrets
from ragstone.systems.environment import Filler, read_environment, variables_in


def test_env_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`.env` gives what the environment lacks and never overrides it."""
    text = "# keys\nexport A_KEY='a b'\nB_KEY=b # why\nC_KEY=from file\nnonsense\nD_KEY=\"x=y\"\nE_KEY=\n"
    (tmp_path / ".env").write_text(text, encoding="utf-8")
    monkeypatch.setenv("C_KEY", "from environment")

    values = read_environment(tmp_path)

    found = [values.get(name) for name in ("A_KEY", "B_KEY", "C_KEY", "D_KEY", "E_KEY")]
    assert found == ["a b", "b", "from environment", "x=y", ""]
    assert variables_in("Bearer ${A_KEY} ${B:-x}") == ("A_KEY", "B")


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ('K="abc def" # comment', "abc def"),
        ("K='abc # def'", "abc # def"),
        ("export K = abc  # comment", "abc"),
        ("K=abc#def", "abc#def"),
        ("K=# comment", ""),
        ("K=", ""),
        ("K=$HOME ${A}", "$HOME ${A}"),
        ('K="a\\nb \\"c\\" \\\\d $E"', 'a\nb "c" \\d $E'),
        ("K='a\\nb'", "a\\nb"),
        ("K=a'b\"c", "a'b\"c"),
        ('K="密 钥"', "密 钥"),
    ],
)
def test_what_a_line_means(tmp_path: Path, line: str, value: str) -> None:
    """Quotes, comments and `export` mean what they mean in other `.env` files; nothing is expanded."""
    (tmp_path / ".env").write_text(f"\ufeff# keys\r\n\r\n{line}\r\n", encoding="utf-8")

    values = read_environment(tmp_path)

    assert (values["K"], values.news) == (value, ())


@pytest.mark.parametrize("line", ["BAD LINE", 'K="abc', "K='abc' def", "1K=a", "=a", "K"])
def test_a_line_that_means_nothing_is_told(tmp_path: Path, line: str) -> None:
    """A mistake in the file is passed over, and said together with its place."""
    (tmp_path / ".env").write_text(f"A=1\n{line}\n", encoding="utf-8")

    values = read_environment(tmp_path, tmp_path)

    assert "K" not in values
    assert [notice.say("en") for notice in values.news] == [f"{tmp_path / '.env'}:2: not a NAME=VALUE line, ignored"]


def filler(secrets: Secrets, **values: str) -> Filler:
    """Make a filler of some values."""
    return Filler(values, file="f.yaml", owner="the service", secrets=secrets)


def test_fill() -> None:
    """Places take values, then defaults; a default may be empty."""
    fill = filler(Secrets(), A="1", EMPTY="").fill

    assert fill("${A}-${B:-b}-${EMPTY:-e}-${C:-}-$A-{A}") == "1-b-e--$A-{A}"


@pytest.mark.parametrize(("text", "said"), [("${GONE}", "not set"), ("${EMPTY}", "empty")])
def test_unset_and_empty(text: str, said: str) -> None:
    """An unset or empty variable is told with its name, who needs it and the file."""
    with pytest.raises(ConnectError) as caught:
        filler(Secrets(), EMPTY="").fill(text)

    assert all(part in str(caught.value) for part in (text[2:-1], said, "the service", "f.yaml"))


def test_which_values_are_secret() -> None:
    """Values of variables that speak of a secret are hidden from then on, and those put where secrets go."""
    secrets = Secrets()
    fill = filler(secrets, MY_KEY="hush1", MODE="mixed", HOST="there")

    fill.fill_tree({"a": ["${MY_KEY}", "${HOST}"]})
    fill.fill("${MODE}", secret=True)

    assert secrets.hide("hush1 mixed there") == "*** *** there"


@settings(deadline=None)
@given(text=st.text(max_size=60))
def test_any_env_file(text: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Whatever stands in the file, reading it never breaks."""
    folder = tmp_path_factory.getbasetemp()
    (folder / ".env").write_bytes(text.encode("utf-8", "replace"))

    assert isinstance(read_environment(folder), dict)
