"""The parts of calling an address that need no whole conversation."""

import gzip
import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.systems.failures import AskError
from ragstone.systems.http.endpoint import CallOptions, Endpoint, _complaint, _inflate, _retry_after, join_url
from ragstone.systems.masking import Secrets


def endpoint(url: str, **options: object) -> Endpoint:
    """Make an endpoint."""
    return Endpoint(url, headers={}, secrets=Secrets(), options=CallOptions(**options))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("url", "wish", "proxy"),
    [
        ("http://far.invalid/v1", "env", "http://proxy.invalid:1/"),
        ("https://far.invalid/v1", "env", None),
        ("http://127.0.0.1:8000/v1", "env", None),
        ("http://localhost/v1", "env", None),
        ("http://inside.invalid/v1", "env", None),
        ("http://far.invalid/v1", "none", None),
        ("http://far.invalid/v1", "http://other.invalid:2", "http://other.invalid:2/"),
    ],
)
def test_proxy(monkeypatch: pytest.MonkeyPatch, url: str, wish: str, proxy: str | None) -> None:
    """The environment's proxy is used for what is far away, unless the user says otherwise."""
    monkeypatch.setenv("http_proxy", "http://proxy.invalid:1")
    monkeypatch.setenv("no_proxy", "inside.invalid")

    chosen = endpoint(url, proxy=wish)._proxy

    assert (chosen and str(chosen)) == proxy


@pytest.mark.parametrize("base", ["http://h.invalid/v1", "http://h.invalid/v1/", "http://h.invalid/v1//"])
def test_join_url(base: str) -> None:
    """Slashes at the end do not matter, queries stay at the end."""
    assert join_url(base, "chat") == "http://h.invalid/v1/chat"
    assert join_url(base + "?v=1", "chat") == "http://h.invalid/v1/chat?v=1"


def test_repr_and_beside() -> None:
    """An endpoint shows its address without what is secret, and so does one beside it."""
    one = endpoint("http://me:pass-word@h.invalid/v1?key=abc")

    assert repr(one) == "Endpoint('http://h.invalid/v1?key=***')"
    assert "pass-word" not in repr(one.beside("http://h.invalid/pass-word"))


def test_bombs_are_bounded() -> None:
    """However much a body would swell, one byte beyond the limit is enough to know."""
    bomb = gzip.compress(b"0" * 10_000_000)

    assert len(_inflate(bomb, "gzip", 1000)) == 1001


@pytest.mark.parametrize("encoding", ["gzip", "deflate", "br", "GZIP", None, ""])
def test_what_cannot_be_inflated_stays(encoding: str | None) -> None:
    """A wrong or unknown encoding leaves the body as it is, for the decoder to complain about."""
    assert _inflate(b"not compressed", encoding, 100) == b"not compressed"


@settings(max_examples=100, deadline=None)
@given(raw=st.binary(max_size=200))
def test_complaints_never_break(raw: bytes) -> None:
    """Any error body gives a sentence or none."""
    said, named = _complaint(raw)

    assert isinstance(said, str) and isinstance(named, frozenset)


@settings(max_examples=100, deadline=None)
@given(value=st.text(max_size=30), name=st.sampled_from(["retry-after", "retry-after-ms"]))
def test_any_retry_after(value: str, name: str) -> None:
    """Any header is a wait within bounds, or none."""
    wait = _retry_after({name: value})

    assert wait is None or 0 <= wait <= 1e6


def make_certificate(folder: Path) -> tuple[Path, ssl.SSLContext]:
    """Make a certificate nobody vouches for, and a server's side of it."""
    key, certificate = folder / "key.pem", folder / "cert.pem"
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    return certificate, context


@pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl to make a certificate")
async def test_certificates(tmp_path: Path) -> None:
    """A certificate nobody vouches for is refused, and accepted when its file is named."""
    certificate, context = make_certificate(tmp_path)

    async def hello(request: web.BaseRequest) -> web.Response:
        return web.Response(body=b"{}")

    runner = web.ServerRunner(web.Server(hello))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    url = f"https://127.0.0.1:{runner.addresses[0][1]}/"
    strict, named = endpoint(url), endpoint(url, ca_file=str(certificate))

    with pytest.raises(AskError) as caught:
        await strict.call(b"{}")
    body = await named.call(b"{}")
    for one in (strict, named):
        await one.close()
    await runner.cleanup()

    assert caught.value.failure.kind == "tls" and "ca_file" in caught.value.failure.message
    assert body == b"{}"
