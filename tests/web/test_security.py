"""What a visitor may not do, one test for each promise."""

import json
import re
from pathlib import Path

import pytest

from ragstone.core.errors import SettingError
from ragstone.core.settings import Settings
from ragstone.web.app import create_app
from ragstone.web.errors import PageError
from ragstone.web.places import require_allowed
from ragstone.web.security import COOKIE, Lock, Names, is_loopback
from tests.web.site import ROWS, SYSTEMS, Reply, Site, furnish, serving

TOKEN = "correct-horse-battery"
ORDER = {"dataset": "library.jsonl", "system": "recorded"}


# --- listening ---


def test_a_weak_token_is_told_by_what_it_lacks() -> None:
    """Twenty characters that are all the same are long enough, and no token."""
    with pytest.raises(SettingError) as caught:
        create_app(Settings(host="127.0.0.1", token="a" * 20))

    assert "20 character(s), 1 of them different" in caught.value.say("en")
    assert "其中至少 6 个不同" in caught.value.say("zh-Hans")


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.com"])
@pytest.mark.parametrize("token", ["", "short"])
def test_listening_beyond_this_machine_needs_a_token(host: str, token: str) -> None:
    """No token, no server; a short one is none."""
    with pytest.raises(SettingError, match="token"):
        create_app(Settings(host=host, token=token))


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.1.2.3"])
def test_this_machine_needs_none(host: str) -> None:
    """On one's own machine the page just opens."""
    assert is_loopback(host)
    assert create_app(Settings(host=host))


def test_the_default_is_this_machine_only() -> None:
    """Nothing has to be set to be safe."""
    assert Settings().host == "127.0.0.1"


# --- names of this server ---


HOSTS = {
    "127.0.0.1:{port}": 200,
    "localhost:{port}": 200,
    "[::1]:{port}": 200,
    "evil.example:{port}": 421,
    "127.0.0.1.evil.example": 421,
    "localhost.evil.example": 421,
    "": 421,
    "[": 421,
    "10.0.0.1": 421,
}


def test_a_foreign_name_is_turned_away(site: Site) -> None:
    """A site that points its own name at us (DNS rebinding) gets nothing."""
    found = {host: site.get("/api/v1/datasets", Host=host.format(port=site.port)).status for host in HOSTS}

    assert found == HOSTS


def test_names_can_be_allowed() -> None:
    """A server for others answers to its name, and to bare addresses when it listens on all of them."""
    names = Names(Settings(host="0.0.0.0", allowed_hosts=("eval.example",)))

    assert names.allow("EVAL.example:8000")
    assert names.allow("192.168.1.5:8000")
    assert not names.allow("other.example")


# --- logging in ---


def test_a_visitor_sees_the_login_page_only(locked: Site) -> None:
    """Pages lead to the login, the API says 401, files are not given."""
    assert locked.get("/eval").headers["location"] == "/eval/login?next=/eval"
    for path in ("/api/v1/datasets", "/api/v1/runs", "/api/v1/openapi.json", "/api/v1/runs/x/artefacts/report.html"):
        assert locked.get(path).status == 401
    assert locked.get("/eval/login").status == 200
    assert locked.ask("POST", "/api/v1/runs", ORDER).status == 401


def test_the_token_gives_a_cookie_scripts_cannot_read(locked: Site) -> None:
    """HttpOnly, SameSite=Strict, and not the token itself."""
    reply = _login(locked, TOKEN)

    cookie = reply.headers["set-cookie"]
    assert reply.status == 303
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert TOKEN not in cookie
    assert locked.get("/eval", Cookie=cookie.split(";")[0]).status == 200


def _login(site: Site, token: str, following: str = "/eval") -> Reply:
    form = f"token={token}&next={following}".encode()
    return site.ask("POST", "/eval/login", form, {"Content-Type": "application/x-www-form-urlencoded"})


@pytest.mark.parametrize("token", ["", "wrong", "correct-horse-batterx", "correct-horse-battery "])
def test_a_wrong_token_gives_nothing(locked: Site, token: str) -> None:
    """No cookie, no hint how near it was."""
    reply = _login(locked, token.replace(" ", "%20"))

    assert reply.status == 401
    assert "set-cookie" not in reply.headers


@pytest.mark.parametrize("following", ["https://evil.example", "//evil.example", "/\\evil.example", "/eval%0d%0aX:1"])
def test_logging_in_leads_to_our_own_pages_only(locked: Site, following: str) -> None:
    """No open redirect."""
    reply = _login(locked, TOKEN, following)

    assert reply.headers["location"] == "/eval"


def test_programs_send_the_token_as_bearer(locked: Site) -> None:
    """And need no cookie and no other value then."""
    bearer = {"Authorization": f"Bearer {TOKEN}"}

    assert locked.ask("GET", "/api/v1/datasets", headers=bearer).status == 200
    assert locked.ask("POST", "/api/v1/runs", ORDER, bearer).status == 202
    assert locked.ask("GET", "/api/v1/datasets", headers={"Authorization": "Bearer wrong"}).status == 401


def test_sessions_end_and_cannot_be_made_up() -> None:
    """A cookie is believed when we wrote it, for a week."""
    lock, other = Lock(TOKEN), Lock("another-token-altogether")
    session = lock.session(now=1000)

    assert lock.knows(session, now=1001)
    assert Lock(TOKEN).knows(session, now=1001)
    assert not lock.knows(session, now=1000 + 8 * 86400)
    assert not other.knows(session, now=1001)
    for forged in ("", ".", "9999999999.", "9" * 500, "٣.x", session.replace(".", "1.", 1), f"9{session}"):
        assert not lock.knows(forged, now=1001)


# --- requests other sites make a browser send ---


FOREIGN: list[dict[str, str]] = [
    {},
    {"X-Ragstone-Token": "guess"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
]


def test_nothing_is_changed_for_another_site(site: Site) -> None:
    """Without our own page's value, or from another origin, nothing happens, token or not."""
    token = site.get("/api/v1/session").json["token"]
    for headers in FOREIGN:
        foreign = {"Origin", "Sec-Fetch-Site"} & headers.keys()
        sent = {"X-Ragstone-Token": token, **headers} if foreign else headers

        for method, path in (("POST", "/api/v1/runs"), ("PUT", "/api/v1/datasets/x.jsonl")):
            assert site.ask(method, path, ORDER, sent).status == 403, (method, headers)
            assert site.get("/api/v1/runs").json == {"runs": [], "going": []}, (method, headers)


def test_a_cookie_alone_changes_nothing(locked: Site) -> None:
    """The session's own value is needed besides, and another session's does not do."""
    cookie = _login(locked, TOKEN).headers["set-cookie"].split(";")[0]
    session = {"Cookie": cookie, "Origin": locked.url}
    token = locked.ask("GET", "/api/v1/session", headers=session).json["token"]

    assert locked.ask("POST", "/api/v1/runs", ORDER, session).status == 403
    wrong = Lock(TOKEN).csrf("other")
    assert locked.ask("POST", "/api/v1/runs", ORDER, {**session, "X-Ragstone-Token": wrong}).status == 403
    assert locked.ask("POST", "/api/v1/runs", ORDER, {**session, "X-Ragstone-Token": token}).status == 202
    assert COOKIE in cookie


def test_no_other_site_may_read(site: Site) -> None:
    """No CORS header is ever sent."""
    reply = site.get("/api/v1/datasets", Origin="https://evil.example")

    assert not [name for name in reply.headers if name.startswith("access-control")]


# --- sizes and types ---


def test_too_large_a_file_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """By its announced length, and by what really comes when none is announced."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, max_upload_mb=1)) as site:
        token = site.get("/api/v1/session").json["token"]
        announced = site.ask("PUT", "/api/v1/datasets/x.jsonl", b"{" * (2 << 20), {"X-Ragstone-Token": token})

        assert announced.status == 413
        assert _chunked(site, token) == 413
    assert [path.name for path in (tmp_path / "datasets").iterdir()] == ["library.jsonl"]


def _chunked(site: Site, token: str) -> int:
    import http.client  # noqa: PLC0415 - only here

    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=30)
    blocks = (b'{"q": "' + b"x" * 65536 for _ in range(40))
    headers = {"X-Ragstone-Token": token}
    try:
        connection.request("PUT", "/api/v1/datasets/x.jsonl", blocks, headers, encode_chunked=True)
        return connection.getresponse().status
    finally:
        connection.close()


def test_a_body_that_is_no_upload_is_short(site: Site) -> None:
    """An order of a megabyte is no order."""
    token = site.get("/api/v1/session").json["token"]

    assert site.ask("POST", "/api/v1/runs", b"x" * (2 << 20), {"X-Ragstone-Token": token}).status == 413


# --- paths ---


NO_RUNS = ["..", ".", "%2e%2e", "..%2f..%2fetc", "%2fetc", ".page-jobs.json", "a%00b", "x%5c..", "outside", "~"]


def test_no_run_lies_outside_the_runs(site: Site, tmp_path: Path) -> None:
    """Names that lead elsewhere, also through a link, are no runs."""
    outside = tmp_path / "elsewhere"
    (tmp_path / "runs").mkdir(exist_ok=True)
    outside.mkdir()
    (outside / "run_meta.json").write_text('{"format_version": 1}')
    (tmp_path / "runs" / "outside").symlink_to(outside)

    for name in NO_RUNS:
        for path in (f"/api/v1/runs/{name}", f"/api/v1/runs/{name}/artefacts/config.json", f"/eval/runs/{name}"):
            assert site.get(path).status in {307, 404}, path


NO_FILES = ["../config.json", "..%2fconfig.json", "cases.sqlite", "run.lock", "%2fetc%2fpasswd", "x", "report.md%00"]


def test_no_file_but_a_runs_own_is_given(site: Site) -> None:
    """Only the files a run is known to have."""
    run_id = site.run()
    found = {name: site.get(f"/api/v1/runs/{run_id}/artefacts/{name}").status for name in NO_FILES}

    assert found == dict.fromkeys(NO_FILES, 404)


@pytest.mark.parametrize("name", ["../ragstone.toml", "/etc/passwd", "..", "", "datasets/../x.jsonl"])
def test_no_dataset_lies_outside_the_folder(site: Site, name: str) -> None:
    """A dataset is one of those listed."""
    body = {"dataset": name, "system": "mock"}

    assert site.change("POST", "/api/v1/runs", body).status == 404


# --- endpoints ---


@pytest.mark.parametrize(
    "url",
    [
        "http://10.0.0.5/ask",
        "http://169.254.169.254/latest/meta-data",
        "http://metadata.internal/",
        "http://127.0.0.1.evil.example/",
        "http://127.0.0.1@evil.example/",
        "http://localhost@evil.example/",
        "http://evil.example#@127.0.0.1/",
        "http://0x7f000001/",
        "http://2130706433/",
        "http://127.1/",
        "http://localhost.localdomain/",
        "http://[::ffff:10.0.0.1]/",
        "http://0.0.0.0/",
        "file:///etc/passwd",
        "gopher://127.0.0.1/",
        "python:os:system",
        "//127.0.0.1/",
        "http://",
        "http://127.0.0.1:99999/",
        "http://127.0.0.1/\r\nHost: evil",
        "",
    ],
)
def test_an_endpoint_off_the_list_is_not_asked(url: str) -> None:
    """No request is forged on a browser's behalf (SSRF)."""
    with pytest.raises(PageError) as told:
        require_allowed(url, ("https://rag.example:8443", "http://plain.example"))

    assert told.value.status == 403


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9000/ask",
        "http://localhost/v1",
        "http://[::1]:8080/",
        "https://rag.example:8443/any/path",
        "http://plain.example:80/x",
    ],
)
def test_endpoints_on_the_list_are(url: str) -> None:
    """This machine, and what the settings allow, to the port."""
    require_allowed(url, ("https://rag.example:8443", "http://plain.example"))


@pytest.mark.parametrize(
    ("url", "rule"),
    [
        ("https://rag.example/", "https://rag.example:8443"),
        ("http://rag.example:8443/", "https://rag.example:8443"),
        ("https://sub.rag.example/", "rag.example"),
    ],
)
def test_a_rule_allows_no_more_than_it_says(url: str, rule: str) -> None:
    """Another port, another scheme or another name is another address."""
    with pytest.raises(PageError):
        require_allowed(url, (rule,))


@pytest.mark.parametrize("system", ["python:os:getcwd", "replay:answers.jsonl", "http_json:http://127.0.0.1/"])
def test_a_browser_user_names_no_system_by_its_spec(site: Site, system: str) -> None:
    """Code on this machine is run only when the settings name it."""
    body = {"dataset": "library.jsonl", "system": system}

    assert site.change("POST", "/api/v1/runs", body).status == 404


@pytest.mark.parametrize("contract", ["os:system", "slow_rag:answer", "no_such", "../x"])
def test_a_browser_user_names_no_code_as_a_contract(site: Site, contract: str) -> None:
    """`module:Class` is for the command line; here only registered contracts can be chosen."""
    row = json.dumps(ROWS[0]).encode() + b"\n"

    assert site.get(f"/api/v1/check?dataset=library.jsonl&contract={contract}").status == 422
    assert site.change("PUT", f"/api/v1/datasets/x.jsonl?contract={contract}", row).status == 422
    assert site.change("POST", "/api/v1/runs", {**ORDER, "contract": contract}).status == 422


def test_an_entered_endpoint_is_refused_before_anything_is_asked(site: Site) -> None:
    """The refusal names what is allowed."""
    endpoint = {"url": "http://10.0.0.5/ask"}

    reply = site.change("POST", "/api/v1/runs", {**ORDER, "system": "endpoint", "endpoint": endpoint})

    assert reply.status == 403
    assert "127.0.0.1" in reply.json["error"]["message"]


# --- headers and pages ---


@pytest.mark.parametrize("path", ["/eval", "/eval/history", "/api/v1/datasets", "/nothing", "/eval/runs/none"])
def test_every_answer_carries_the_headers(site: Site, path: str) -> None:
    """Also errors."""
    headers = site.get(path).headers

    assert "script-src 'self'" in headers["content-security-policy"]
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["x-frame-options"] == "DENY"
    assert headers["referrer-policy"] == "same-origin"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers or "uvicorn" in headers["server"]


HOSTILE = (
    '<script>document.title="owned"</script><img src=x onerror=alert(1)>[a](javascript:1)\x1b[31m\u202e{{7*7}}=1+1'
)


def test_answers_are_shown_as_text(tmp_path: Path) -> None:
    """HTML, script, Markdown, ANSI, bidi marks, template braces and formulas stay what they are: writing."""
    rows = [{**ROWS[0], "q": HOSTILE, "category": HOSTILE}]
    answers = [{"id": "Q1", "output": HOSTILE, "contexts": [{"source_path": HOSTILE, "text": HOSTILE}]}]
    furnish(tmp_path, rows, answers)
    with serving(Settings(systems=SYSTEMS)) as site:
        run_id = site.run()
        pages = [site.get(f"/eval/runs/{run_id}{more}").text for more in ("", "/cases/1")]
        report = site.get(f"/api/v1/runs/{run_id}/artefacts/report.html").text
        table = site.get(f"/api/v1/runs/{run_id}/artefacts/cases.csv").text

    for page in (*pages, report):
        assert "<script>document" not in page
        assert "<img src=x" not in page
        assert "\x1b" not in page
        assert "\u202e" not in page
        assert "49" not in re.findall(r"onerror.{0,60}", page)
    assert "&lt;script&gt;" in pages[1]
    assert "{{7*7}}" in pages[1]
    assert not re.search(r'(?m)(^|,)"?[=+@]', table)


def test_pages_hold_no_inline_script_or_style(site: Site) -> None:
    """The policy would block it; so there is none, and no script writes markup."""
    run_id = site.run()
    for path in ("/eval", f"/eval/runs/{run_id}", f"/eval/runs/{run_id}/cases/1", "/eval/history", "/eval/compare"):
        page = site.get(path).text
        assert not re.search(r"<script(?![^>]*(src=|application/json))", page)
        assert not re.search(r"<style|\sstyle=|\son\w+=", page)
        assert not re.search(r'(?:src|href)="(?:https?:)?//', page)
    static = Path(__file__).parents[2] / "src" / "ragstone" / "web" / "static"
    scripts = "".join(path.read_text() for path in static.glob("*.js"))
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|https?://", scripts)
