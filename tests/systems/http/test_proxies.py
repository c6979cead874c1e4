"""Which proxy is chosen, and what the variables may say."""

import pytest

from ragstone.core.errors import ConnectError
from ragstone.systems.http.address import read_address
from ragstone.systems.http.proxies import bypasses, choose_proxy


@pytest.mark.parametrize(
    ("url", "listed", "expected"),
    [
        ("http://inside.example/", "inside.example", True),
        ("http://a.inside.example/", "inside.example", True),
        ("http://a.inside.example/", ".inside.example", True),
        ("http://beinside.example/", "inside.example", False),
        ("http://INSIDE.example/", "Inside.Example", True),
        ("http://inside.example:8000/", "other, inside.example:8000", True),
        ("http://inside.example:8001/", "inside.example:8000", False),
        ("https://inside.example/", "inside.example:443", True),
        ("http://10.1.2.3/", "10.0.0.0/8", True),
        ("http://11.1.2.3/", "10.0.0.0/8", False),
        ("http://inside.example/", "10.0.0.0/8", False),
        ("http://10.1.2.3/", "10.1.2.3", True),
        ("http://110.1.2.3/", "10.1.2.3", False),
        ("http://10.1.2.3:80/", "10.1.2.3:81", False),
        ("http://[fd00::7]:8000/", "fd00::/8", True),
        ("http://[fd00::7]:8000/", "[fd00::7]:8000", True),
        ("http://[fd00::7]:8000/", "fd00:0::7", True),
        ("http://[fd00::7]:8001/", "[fd00::7]:8000", False),
        ("http://anything.example/", "*", True),
        ("http://a.inside.example/", "*.inside.example", True),
        ("http://10.1.2.3/", "10.1.*", True),
        ("http://anything.example/", "", False),
        ("http://anything.example/", " , ,,", False),
        ("http://10.1.2.3/", "10.0.0.0/99", False),
    ],
)
def test_no_proxy(url: str, listed: str, expected: bool) -> None:
    """Names and what is below them, ports, networks, patterns."""
    assert bypasses(read_address(url), listed) is expected


@pytest.mark.parametrize(
    ("variables", "url", "proxy"),
    [
        ({"ALL_PROXY": "socks5://p.invalid"}, "http://far.invalid/", "socks5://p.invalid/"),
        ({"all_proxy": "http://p.invalid:1"}, "https://far.invalid/", "http://p.invalid:1/"),
        ({"ALL_PROXY": "http://p.invalid:1", "HTTPS_PROXY": "http://q.invalid:2"}, "https://far.invalid/", "http://q.invalid:2/"),
        ({"HTTP_PROXY": "http://p.invalid:1"}, "https://far.invalid/", None),
        ({"HTTP_PROXY": "http://p.invalid:1", "http_proxy": "http://q.invalid:2"}, "http://far.invalid/", "http://q.invalid:2/"),
        ({"HTTP_PROXY": "http://p.invalid:1", "NO_PROXY": "far.invalid:80"}, "http://far.invalid/", None),
        ({"ALL_PROXY": "http://p.invalid:1", "NO_PROXY": "*"}, "http://far.invalid/", None),
        ({"ALL_PROXY": "http://p.invalid:1"}, "http://localhost:8000/", None),
    ],
)  # fmt: skip
def test_variables(monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], url: str, proxy: str | None) -> None:
    """The scheme's own variable comes before ALL_PROXY, lower case before upper."""
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    chosen = choose_proxy(read_address(url), "env")

    assert (chosen and str(chosen)) == proxy


@pytest.mark.parametrize(
    ("name", "value"),
    [("HTTP_PROXY", "proxy.corp:3128"), ("http_proxy", "me:pass-word@proxy.corp:3128"), ("ALL_PROXY", "socks4://proxy.corp:3128")],
)  # fmt: skip
def test_a_proxy_without_a_scheme(monkeypatch: pytest.MonkeyPatch, name: str, value: str) -> None:
    """The message names the variable and how to write it, and no password."""
    monkeypatch.setenv(name, value)

    with pytest.raises(ConnectError) as caught:
        choose_proxy(read_address("http://far.invalid/"), "env")

    assert name in str(caught.value) and "http://proxy.corp:3128" in str(caught.value)
    assert "pass-word" not in str(caught.value)


def test_a_wish_without_a_scheme() -> None:
    """What the option says is held to the same."""
    with pytest.raises(ConnectError, match=r"^proxy: .*http://proxy\.corp:3128"):
        choose_proxy(read_address("http://far.invalid/"), "proxy.corp:3128")
