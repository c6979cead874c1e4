"""Secrets stay secret, in texts, trees and addresses."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.systems.masking import MASK, Secrets, names_secret, safe_url


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://me:pw@host:8/v1?api_key=abc&mode=mix", f"https://host:8/v1?api_key={MASK}&mode=mix"),
        ("http://host/v1", "http://host/v1"),
        ("/relative?token=x", f"/relative?token={MASK}"),
    ],
)
def test_safe_url(url: str, shown: str) -> None:
    """Users, passwords and secret query values are not shown."""
    assert safe_url(url) == shown


@pytest.mark.parametrize("name", ["Authorization", "X-API-Key", "api_key", "OPENAI_API_KEY", "access_token", "Cookie"])
def test_names_that_speak_of_secrets(name: str) -> None:
    """Names of keys, tokens, passwords and cookies are known."""
    assert names_secret(name) and not names_secret("mode")


@pytest.mark.parametrize("text", ["Bearer abcdef123", "key sk-0123456789abc", "Basic dXNlcjpwdw==", "app-AbCdEfGh1234"])
def test_shapes(text: str) -> None:
    """What looks like a key is hidden although nobody named it."""
    assert MASK in Secrets().hide(text)


def test_control_characters_go() -> None:
    """A reply cannot colour, move or turn round what a terminal shows."""
    assert Secrets().hide("a\x1b[31mb\u202ec\x07") == "a [31mb c "


def test_trees() -> None:
    """Values under secret names are hidden, and known secrets anywhere."""
    secrets = Secrets(["hush-hush"])

    tree = secrets.hide_tree({"api_key": "x1", "a": ["hush-hush", 1, None], "b": {"c": "say hush-hush"}})

    assert tree == {"api_key": MASK, "a": [MASK, 1, None], "b": {"c": f"say {MASK}"}}
    assert repr(secrets) == "Secrets(1)"


@settings(max_examples=100, deadline=None)
@given(secret=st.text(min_size=3, max_size=30).filter(lambda s: s.strip(" *")), before=st.text(), after=st.text())
def test_hidden_wherever_it_stands(secret: str, before: str, after: str) -> None:
    """A known secret is in no text that is shown."""
    shown = Secrets([secret]).hide(before + secret + after)

    assert secret not in shown or secret in MASK * 3 or secret in before + MASK + after
