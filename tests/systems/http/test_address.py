"""Addresses are taken apart and put together without losing anything."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.systems.http.address import read_address, without_secrets


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


@settings(max_examples=100, deadline=None)
@given(text=st.text(max_size=60))
def test_nothing_but_value_errors(text: str) -> None:
    """Whatever is given is an address or a ValueError; no line break survives into it."""
    for read in (read_address, without_secrets):
        try:
            found = read(text if read is without_secrets else f"http://{text}")
        except ValueError:
            continue
        assert "\n" not in str(found) and "\r" not in str(found)
