"""Addresses are taken apart and put together without losing anything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.masking import MASK, Secrets, names_secret
from ragstone.systems.http.address import read_address, safe_url, without_secrets


@pytest.mark.parametrize(
    ("text", "shown", "authority"),
    [
        ("http://h", "http://h/", "h"),
        ("http://h:80/a?b=1", "http://h/a?b=1", "h"),
        ("https://H.example:84/路?q=中 文", "https://h.example:84/%E8%B7%AF?q=%E4%B8%AD%20%E6%96%87", "h.example:84"),
        ("http://[::1]:9/x%20y", "http://[::1]:9/x%20y", "[::1]:9"),
        ("https://bücher.example/", "https://xn--bcher-kva.example/", "xn--bcher-kva.example"),
    ],
)  # fmt: skip
def test_reading(text: str, shown: str, authority: str) -> None:
    """What is encoded stays so, what is not becomes so, default ports are left out."""
    address = read_address(text)

    assert (str(address), address.authority) == (shown, authority)


@pytest.mark.parametrize(
    "text", ["", "h", "ftp://h", "http://", "http://h:port/", "http://h:99999/", "//h/a", "http://a b/"]
)
def test_what_is_no_address(text: str) -> None:
    """Anything but an absolute http or https address is refused."""
    with pytest.raises(ValueError):
        read_address(text)


def test_user_and_password() -> None:
    """User and password become a header, and stand in no text."""
    address = read_address("http://me:p%40ss@h/")

    assert address.basic == "Basic bWU6cEBzcw==" and "me" not in str(address)


def test_with_query() -> None:
    """New values replace those of the same name."""
    address = read_address("http://h/a?x=1&y=2").with_query({"y": "新 值", "z": ""})

    assert address.query == "x=1&y=%E6%96%B0%20%E5%80%BC&z=" and address.pairs()[1] == ("y", "新 值")


@settings(deadline=None)
@given(text=st.text(max_size=60))
def test_nothing_but_value_errors(text: str) -> None:
    """Whatever is given is an address or a ValueError; no line break survives into it."""
    for read in (read_address, without_secrets):
        try:
            found = read(text if read is without_secrets else f"http://{text}")
        except ValueError:
            continue
        assert "\n" not in str(found) and "\r" not in str(found)


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


@settings(deadline=None)
@given(secret=st.text(min_size=3, max_size=30).filter(lambda s: s.strip(" *")), before=st.text(), after=st.text())
def test_hidden_wherever_it_stands(secret: str, before: str, after: str) -> None:
    """A known secret is in no text that is shown."""
    shown = Secrets([secret]).hide(before + secret + after)

    assert secret not in shown or secret in MASK * 3 or secret in before + MASK + after
