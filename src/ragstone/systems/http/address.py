"""A parsed URL: what to connect to, what to request, and what may be shown."""

from base64 import b64encode
from collections.abc import Mapping
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit, urlunsplit

from msgspec import Struct, structs

from ragstone.core.masking import MASK, Secrets, names_secret

_PORTS = {"http": 80, "https": 443}
PROXY_PORTS = {**_PORTS, "socks5": 1080, "socks5h": 1080}
"""The schemes a proxy's address may have."""
_PATH = "%/:@!$&'()*+,;=~-._"
_QUERY = _PATH + "?"


class Address(Struct, frozen=True):
    """An absolute address, encoded as it goes over the wire."""

    scheme: str
    host: str
    """A name in ASCII or an IP address, without brackets."""
    port: int
    path: str = "/"
    query: str = ""
    user: str | None = None
    password: str = ""

    def __str__(self) -> str:
        return f"{self.scheme}://{self.authority}{self.target}"

    @property
    def authority(self) -> str:
        """Host and port as the Host header names them."""
        return self.place.rpartition(":")[0] if self.port == PROXY_PORTS[self.scheme] else self.place

    @property
    def place(self) -> str:
        """Host and port in the form a proxy expects."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"

    @property
    def target(self) -> str:
        """Path and query."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def basic(self) -> str | None:
        """The header value that user and password make."""
        if self.user is None:
            return None
        return f"Basic {b64encode(f'{self.user}:{self.password}'.encode()).decode()}"

    def pairs(self) -> list[tuple[str, str]]:
        """The query's names and values."""
        return parse_qsl(self.query, keep_blank_values=True)

    def with_query(self, values: Mapping[str, str]) -> "Address":
        """Return the address with these query values in place of those of the same names."""
        kept = [pair for pair in self.pairs() if pair[0] not in values]
        return structs.replace(self, query=urlencode([*kept, *values.items()], quote_via=quote))


def read_address(text: str, ports: Mapping[str, int] = _PORTS) -> Address:
    """Parse an address of one of these schemes; raise ValueError for anything else."""
    parts = urlsplit(text.strip())
    host = parts.hostname
    if parts.scheme not in ports or not host:
        raise ValueError(f"not an absolute address of {', '.join(ports)}")
    if not host.isascii():
        host = host.encode("idna").decode()
    if any(char <= " " or char in '<>"\\^`{|}' for char in host):
        raise ValueError("the host's name holds a character that no name can hold")
    return Address(
        scheme=parts.scheme,
        host=host,
        port=ports[parts.scheme] if parts.port is None else parts.port,
        path=quote(parts.path, safe=_PATH) or "/",
        query=quote(parts.query, safe=_QUERY),
        user=None if parts.username is None else unquote(parts.username),
        password=unquote(parts.password or ""),
    )


def without_secrets(text: str) -> tuple[str, list[tuple[str, str]]]:
    """Return an address, absolute or not, without user, password, query and fragment; and the query's pairs."""
    parts = urlsplit(text)
    place = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, place, parts.path, "", "")), parse_qsl(parts.query, keep_blank_values=True)


def safe_url(url: Address | str, secrets: Secrets | None = None) -> str:
    """Return an address without user, password and the values of secret-looking query names.

    >>> safe_url("https://me:pw@host/v1?api_key=abc&mode=mix")
    'https://host/v1?api_key=***&mode=mix'
    """
    try:
        shown, query = without_secrets(str(url))
    except ValueError:
        shown, query = MASK, []
    pairs = [f"{k}={MASK if names_secret(k) else v}" for k, v in query]
    text = f"{shown}?{'&'.join(pairs)}" if pairs else shown
    return secrets.hide(text) if secrets else text
