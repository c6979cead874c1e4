"""The parts of calling an address that need no whole conversation."""

import shutil
import ssl
import subprocess
from pathlib import Path

import pytest
from aiohttp import web
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import ConnectError
from ragstone.core.masking import Secrets
from ragstone.systems.failures import AskError
from ragstone.systems.http.endpoint import CallOptions, Endpoint, _complaint, _retry_after, join_url
from tests.loopback.secure import NEW_KEY


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


def test_repr() -> None:
    """An endpoint shows its address without what is secret."""
    one = endpoint("http://me:pass-word@h.invalid/v1?key=abc")

    assert repr(one) == "Endpoint('http://h.invalid/v1?key=***')"


@settings(deadline=None)
@given(raw=st.binary(max_size=200))
def test_complaints_never_break(raw: bytes) -> None:
    """Any error body gives a sentence or none."""
    said, named = _complaint(raw)

    assert isinstance(said, str) and isinstance(named, frozenset)


@settings(deadline=None)
@given(value=st.text(max_size=30), name=st.sampled_from(["retry-after", "retry-after-ms"]))
def test_any_retry_after(value: str, name: str) -> None:
    """Any header is a wait within bounds, or none."""
    wait = _retry_after({name: value})

    assert wait is None or 0 <= wait <= 1e6


def make_certificate(folder: Path, name: str = "cert", *words: str) -> tuple[Path, ssl.SSLContext]:
    """Make a certificate nobody vouches for, and a server's side of it; its key is in `key.pem` or the like."""
    key, certificate = folder / f"{name}.key.pem", folder / f"{name}.pem"
    command = ["openssl", "req", "-x509", *NEW_KEY, "-nodes", "-days", "2", "-subj", "/CN=localhost"]
    command += ["-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    command = [word for word in command if word != "-nodes" or not words] + [*words]
    subprocess.run(command, check=True, capture_output=True)
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key, password="pass-word")
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


async def served(context: ssl.SSLContext, **options: object) -> bytes:
    """Ask a server of this context once."""

    async def hello(request: web.BaseRequest) -> web.Response:
        return web.Response(body=b"{}")

    runner = web.ServerRunner(web.Server(hello))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0, ssl_context=context).start()
    one = endpoint(f"https://127.0.0.1:{runner.addresses[0][1]}/", **options)
    try:
        return await one.call(b"{}")
    finally:
        await one.close()
        await runner.cleanup()


@pytest.mark.parametrize("locked", [False, True])
async def test_client_certificates(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, locked: bool) -> None:
    """A server that wants to know who asks is shown a certificate; its key may be locked."""
    certificate, context = make_certificate(tmp_path)
    own, _ = make_certificate(tmp_path, "own", *(["-passout", "pass:pass-word"] if locked else []))
    context.verify_mode = ssl.CERT_REQUIRED
    context.load_verify_locations(own)
    monkeypatch.setenv("KEY_PASS", "pass-word")
    options: dict[str, object] = {"ca_file": str(certificate)}
    shown = {
        "client_cert": str(own),
        "client_key": str(tmp_path / "own.key.pem"),
        "client_key_password_env": "KEY_PASS",
    }

    with pytest.raises(AskError) as caught:
        await served(context, **options)

    assert caught.value.failure.kind in {"tls", "reset"}
    assert await served(context, **options, **shown) == b"{}"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "client certificate cannot be used"),
        ({"client_key": "own.key.pem"}, "client_key_password_env"),
        ({"client_key": "own.key.pem", "client_key_password_env": "NO_SUCH"}, "NO_SUCH"),
        ({"client_cert": "nowhere.pem"}, "nowhere.pem"),
    ],
)
def test_a_certificate_that_cannot_be_used(tmp_path: Path, given: dict[str, str], said: str) -> None:
    """A key that is missing, locked or elsewhere is told of before anything is asked, and nobody is prompted."""
    make_certificate(tmp_path, "own", "-passout", "pass:pass-word")
    named = {"client_cert": "own.pem", **given}
    files = {name: value if name.endswith("env") else str(tmp_path / value) for name, value in named.items()}

    with pytest.raises(ConnectError, match=said):
        endpoint("https://far.invalid/", **files)
