"""What a visitor tries: odd requests, guesses, slow connections, planted run folders, addresses leading elsewhere."""

import base64
import json
import os
import shutil
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.core.errors import SettingError
from ragstone.core.registry import lies_in_run, load_module
from ragstone.core.settings import Settings
from ragstone.web import places, security, server
from ragstone.web.app import create_app
from ragstone.web.errors import PageError, say_error
from ragstone.web.places import Places, require_allowed
from ragstone.web.security import COOKIE, HTTPS_COOKIE, MOST_WRONG, Lock, Tries
from tests.loopback.server import Loopback, Reply
from tests.web.site import ROWS, SYSTEMS, Site, furnish, serving

TOKEN = "correct-horse-battery"
ORDER = {"dataset": "library.jsonl", "system": "recorded"}
LINE = json.dumps(ROWS[0]).encode() + b"\n"


def _cursor(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode()


# --- paths and parameters ---

STEPS = [
    "..",
    "%2e%2e",
    "..%2f..",
    "..%5c..",
    "%2fetc%2fpasswd",
    "%00",
    "a%00b",
    "~",
    ".",
    "%c0%ae%c0%ae",
    "C:%5c",
    "*",
]


PATHS = ["/api/v1/runs/{}", "/api/v1/runs/{}/cases", "/api/v1/runs/{}/artefacts/config.json", "/eval/runs/{}"]


def test_no_path_leads_out(site: Site) -> None:
    """Steps upwards, zero bytes, drive letters and their escapes name nothing in any place of any path."""
    run_id = site.run()
    paths = [*PATHS, "/static/x/{}/app.py", f"/api/v1/runs/{run_id}/artefacts/{{}}"]
    found = {(path, step): site.get(path.format(step)) for path in paths for step in STEPS}

    assert {at: reply.status for at, reply in found.items() if reply.status not in {307, 404, 422}} == {}
    assert not any("root:" in reply.text for reply in found.values())


ODD = [
    "cases/99999999999999999999999999",
    "cases/-9223372036854775809",
    f"cases?after={_cursor('[1, 18446744073709551615]')}",
    f"cases?after={_cursor('[1, -1]')}",
    f"cases?after={_cursor('{}')}",
    f"cases?after={_cursor('[1e999, 1]')}",
    "cases?after=%ff%fe",
    "cases?limit=1e9",
    "cases?sort=score;drop%20table%20cases",
    "cases?metric=1)%20OR%20(1=1",
    "cases?state=0%20OR%201=1",
]


def test_odd_numbers_and_injections_are_refused(site: Site) -> None:
    """Numbers too large to count, cursors made up, words of SQL: a reason, never a fault of ours."""
    run_id = site.run()
    found = {query: site.get(f"/api/v1/runs/{run_id}/{query}").status for query in ODD}

    assert {query: status for query, status in found.items() if status not in {404, 422}} == {}
    assert site.get(f"/api/v1/runs/{run_id}/cases").json["total"] == 3


WORDS = ["%27%20OR%20%271%27=%271", "%22;%20DROP%20TABLE%20cases;%20--", "%25", "%00", "%ed%a0%80", "%E2%80%AE"]


def test_words_looked_for_are_only_looked_for(site: Site) -> None:
    """What is searched is bound, never part of a query."""
    run_id = site.run()
    fields = ("q", "tag", "group", "model")
    found = {(f, w): site.get(f"/api/v1/runs/{run_id}/cases?{f}={w}").status for f in fields for w in WORDS}

    assert set(found.values()) == {200}
    assert site.get(f"/api/v1/runs/{run_id}/cases").json["total"] == 3


@pytest.mark.parametrize("origin", ["http://[", "http://[::1", "//", "http://127.0.0.1:1@evil.example", "\xff"])
def test_an_origin_that_cannot_be_read_is_foreign(site: Site, origin: str) -> None:
    """It is refused, and is no fault of ours."""
    token = site.get("/api/v1/session").json["token"]

    reply = site.ask("POST", "/api/v1/runs", ORDER, {"X-Ragstone-Token": token, "Origin": origin})

    assert reply.status == 403


@pytest.mark.parametrize(
    ("mode", "dest", "status"),
    [("no-cors", "image", 403), ("cors", "empty", 403), ("navigate", "iframe", 403), ("navigate", "document", 200)],
)
@pytest.mark.parametrize("origin", ["cross-site", "same-site"])
def test_other_sites_may_link_and_no_more(site: Site, origin: str, mode: str, dest: str, status: int) -> None:
    """An image, a script or a frame of another site makes us do no work; a link opens the page."""
    headers = {"Sec-Fetch-Site": origin, "Sec-Fetch-Mode": mode, "Sec-Fetch-Dest": dest}

    assert site.ask("GET", "/api/v1/check?dataset=demo-zh", headers=headers).status == status
    assert site.ask("GET", "/eval", headers=headers).status == status


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"GET /eval HTTP/1.1\r\nHost: 127.0.0.1\r\nHost: evil.example\r\n\r\n", b"400"),
        (b"GET http://evil.example/eval HTTP/1.1\r\nHost: evil.example\r\n\r\n", b"421"),
        (b"GET /eval HTTP/1.0\r\n\r\n", b"421"),
        (b"POST /eval/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n", b"400"),
        (b"GET /eval HTTP/1.1\r\nHost: 127.0.0.1\r\nX: " + b"a" * (1 << 17), b"400"),
        (b"GET /eval HTTP/1.1\r\nHost: 127.0.0.1\r\nX : a\r\n\r\n", b"400"),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc", b"400"),
    ],
)
def test_requests_that_can_be_read_in_two_ways_are_refused(site: Site, head: bytes, status: bytes) -> None:
    """Two hosts, two lengths, spaces before colons, endless headers: a proxy and we must never differ about them."""
    with _connected(site) as stream:
        stream.sendall(head)

        assert stream.recv(200).split(b" ")[1] == status


def test_a_length_beside_chunks_is_refused(site: Site) -> None:
    """The classic way to smuggle a second request past a proxy."""
    with _connected(site) as stream:
        stream.sendall(
            b"POST /eval/login HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 4\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /eval HTTP/1.1\r\n"
        )

        assert b" 400 " in stream.recv(200)


def _connected(site: Site) -> socket.socket:
    return socket.create_connection(("127.0.0.1", site.port), timeout=10)


# --- the token ---


@pytest.mark.parametrize("token", ["a" * 40, "12" * 20, "abcabcabcabcabcabc"])
def test_a_token_of_few_characters_is_none(token: str) -> None:
    """Long and empty of content is weak, too."""
    with pytest.raises(SettingError):
        create_app(Settings(host="0.0.0.0", token=token))


def test_who_guesses_waits(locked: Site) -> None:
    """After twenty wrong tokens in a minute even the right one is not looked at; sessions go on."""
    cookie = _login(locked).split(";")[0]
    wrong = [locked.get("/api/v1/runs", Authorization=f"Bearer guess-{n}").status for n in range(MOST_WRONG)]

    reply = locked.get("/api/v1/runs", Authorization=f"Bearer {TOKEN}")

    assert set(wrong) == {401}
    assert (reply.status, reply.headers["retry-after"]) == (429, "60")
    assert locked.ask("POST", "/eval/login", f"token={TOKEN}".encode()).status == 429
    assert locked.get("/api/v1/runs", Cookie=cookie).status == 200


def test_guesses_are_counted_by_network_and_forgotten() -> None:
    """One address does not wait for another; a minute later all is well; memory stays small."""
    tries = Tries()
    for n in range(MOST_WRONG):
        tries.note("2001:db8::1" if n % 2 else "2001:db8::2", now=1000.0 + n)

    with pytest.raises(PageError):
        tries.check("2001:db8::3", now=1030.0)
    tries.check("2001:db8:1::1", now=1030.0)
    tries.check("2001:db8::1", now=1061.0)
    for n in range(10_000):
        tries.note(f"10.0.{n % 256}.{n // 256}", now=2000.0)
    assert len(tries._wrong) <= security.MOST_ADDRESSES


def _login(site: Site, **headers: str) -> str:
    form = f"token={TOKEN}&next=/eval".encode()
    return site.ask("POST", "/eval/login", form, headers).headers["set-cookie"]


def test_logging_out_ends_the_session_itself(locked: Site) -> None:
    """A cookie that somebody kept is worth nothing afterwards; another session goes on."""
    first, second = (_login(locked).split(";")[0] for _ in range(2))
    csrf = locked.ask("GET", "/api/v1/session", headers={"Cookie": first}).json["token"]

    done = locked.ask("POST", "/eval/logout", headers={"Cookie": first, "X-Ragstone-Token": csrf})

    assert done.status == 303
    assert first != second
    assert locked.get("/api/v1/runs", Cookie=first).status == 401
    assert locked.get("/api/v1/runs", Cookie=second).status == 200


def test_behind_https_the_cookie_is_for_https_only(tmp_path: Path) -> None:
    """A proxy speaks HTTPS to the browser: the cookie is Secure and bound to its host."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, token=TOKEN, allowed_hosts=("eval.example",))) as site:
        given = {"Host": "eval.example", "Origin": "https://eval.example"}
        cookie = _login(site, **given)

        assert cookie.startswith(f"{HTTPS_COOKIE}=")
        assert "Secure" in cookie
        assert "Path=/" in cookie
        assert "Domain" not in cookie
        assert site.get("/api/v1/runs", Host="eval.example", Cookie=cookie.split(";")[0]).status == 200


def test_a_session_given_from_outside_is_not_taken(locked: Site) -> None:
    """No session fixation: what a browser brings is believed only when we made it, and logging in makes a new one."""
    planted = f"{COOKIE}=9999999999.deadbeef.{'0' * 64}"

    assert locked.get("/api/v1/runs", Cookie=planted).status == 401
    assert planted not in _login(locked, Cookie=planted)


def test_ended_sessions_take_little_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """The oldest are forgotten first; only sessions of ours are remembered at all."""
    monkeypatch.setattr(security, "MOST_ENDED", 3)
    lock = Lock(TOKEN)
    sessions = [lock.session() for _ in range(5)]
    for session in (*sessions, "made.up"):
        lock.end(session)

    assert [lock.knows(session) for session in sessions] == [True, True, False, False, False]


def test_logging_out_survives_a_restart(tmp_path: Path) -> None:
    """A server that comes up again knows who has logged out; what it keeps is its owner's and opens nothing."""
    file = tmp_path / "runs" / "logouts"
    lock = Lock(TOKEN, file)
    ended, other = lock.session(), lock.session()
    lock.end(ended)
    again = Lock(TOKEN, file)

    assert (again.knows(ended), again.knows(other)) == (False, True)
    assert ended not in file.read_text() and file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("kept", [b"\xff\xfe", b"no line\n" * 10, b"9" * 5000])
def test_a_damaged_list_of_logouts_is_none(tmp_path: Path, kept: bytes) -> None:
    """The server comes up whatever stands in the file."""
    (tmp_path / "logouts").write_bytes(kept)
    lock = Lock(TOKEN, tmp_path / "logouts")

    assert lock.knows(lock.session())


@pytest.mark.parametrize("form", [b"&".join([b"a=1"] * 50), b"token=%ff%fe", b"\xff\xfe", b"token", b"=" * 1000])
def test_an_odd_form_is_a_wrong_token(locked: Site, form: bytes) -> None:
    """Visitors reach the login; nothing they send there is a fault of ours."""
    assert locked.ask("POST", "/eval/login", form).status == 401


def test_a_visitor_cannot_fill_the_memory(locked: Site) -> None:
    """A body without an announced length ends after a megabyte, also at the one door that is open to all."""
    sent = 0
    with _connected(locked) as stream:
        stream.sendall(b"POST /eval/login HTTP/1.1\r\nHost: 127.0.0.1\r\nTransfer-Encoding: chunked\r\n\r\n")
        try:
            while sent < 64:
                stream.sendall(b"40000\r\n" + b"x" * (1 << 18) + b"\r\n")
                sent += 1
            answer = stream.recv(100)
        except OSError:
            answer = b" 413 "

    assert b" 413 " in answer
    assert sent < 64


# --- slow connections ---


@pytest.fixture
def hasty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A server that loses patience soon."""
    monkeypatch.setattr(server, "HEAD_SECONDS", 0.5)
    monkeypatch.setattr(server, "STUCK_SECONDS", 0.5)
    monkeypatch.setattr(security, "BODY_SECONDS", 0.5)
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS)) as found:
        yield found


@pytest.mark.parametrize(
    "start", [b"", b"GET /eval HTTP/1.1\r\nX: ", b"GET /eval HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\nG"]
)
def test_who_says_nothing_is_let_go(hasty: Site, start: bytes) -> None:
    """Silence, a header that never ends, or a second request that does not: half a second, not for ever."""
    began = time.monotonic()
    with _connected(hasty) as stream:
        stream.sendall(start)
        assert _drip(stream) < 60

    assert time.monotonic() - began < 20


def _drip(stream: socket.socket) -> int:
    """Send a byte every tenth of a second until the other side has had enough."""
    stream.settimeout(0.1)
    for sent in range(60):
        try:
            stream.sendall(b"a")
            if not stream.recv(65536):
                return sent
        except TimeoutError:
            continue
        except OSError:
            return sent
    return 60


def test_a_body_that_drips_is_given_up(hasty: Site) -> None:
    """A promised megabyte that comes a byte at a time is answered with 408."""
    token = hasty.get("/api/v1/session").json["token"].encode()
    head = b"PUT /api/v1/datasets/x.jsonl HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 1000000\r\nX-Ragstone-Token: "
    with _connected(hasty) as stream:
        stream.sendall(head + token + b"\r\n\r\n{")
        stream.settimeout(5)
        answer = stream.recv(200)

    assert b" 408 " in answer
    assert hasty.get("/api/v1/datasets").json[0]["name"] == "library.jsonl"


def test_who_takes_nothing_is_let_go(hasty: Site, tmp_path: Path) -> None:
    """A browser that asks for a long file and does not read it holds no connection."""
    run_id = hasty.run()
    (tmp_path / "runs" / run_id / "results.jsonl").write_bytes(b"x" * (64 << 20))
    with _connected(hasty) as stream:
        stream.sendall(
            f"GET /api/v1/runs/{run_id}/artefacts/results.jsonl HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
        time.sleep(2)
        taken = _take_all(stream)

    assert taken < 64 << 20


def _take_all(stream: socket.socket) -> int:
    taken = 0
    try:
        while block := stream.recv(1 << 20):
            taken += len(block)
    except OSError:
        pass
    return taken


def test_a_slow_reader_is_served(hasty: Site, tmp_path: Path) -> None:
    """Whoever takes something now and then gets all of it, longer than the patience for those who do not."""
    run_id = hasty.run()
    (tmp_path / "runs" / run_id / "results.jsonl").write_bytes(b"x" * (24 << 20))
    taken = 0
    with _connected(hasty) as stream:
        stream.sendall(
            f"GET /api/v1/runs/{run_id}/artefacts/results.jsonl HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode()
        )
        while taken < 24 << 20:
            block = stream.recv(4 << 20)
            assert block
            taken += len(block)
            time.sleep(0.05)

    assert taken > 24 << 20


def test_there_are_not_too_many_connections(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Those above the limit are dropped at once; when others leave there is room again."""
    monkeypatch.setattr(server.Connection, "_most", 20)
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS)) as site:
        held = [_connected(site) for _ in range(20)]
        time.sleep(0.2)
        with _connected(site) as late:
            assert _drip(late) < 5
        for stream in held:
            stream.close()
        time.sleep(0.2)

        assert site.get("/eval").status == 200


def test_the_limit_leaves_files_for_others() -> None:
    """Connections take at most half of what the process may open."""
    assert 16 <= server.most_connections() <= server.MOST_CONNECTIONS


# --- addresses typed into the page ---


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1:9/${OPENAI_API_KEY}",
        "http://127.0.0.1:9/{{question}}",
        "http://127.0.0.1:9/?q=${HOME}",
        "http://127.0.0.1\\@evil.example/",
        "http://127.0.0.1%2eevil.example/",
        "http://127.0.0.1:80:80/",
        "http://127.0.0.1:99999999/",
        "http://[::1%25lo]/",
        "http://[::ffff:10.0.0.1]/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://0.0.0.0/",
        "http://localhost.evil.example/",
        "http://169.254.169.254/latest/meta-data/",
        "http://ⓛocalhost/",
        "gopher://127.0.0.1/",
        "file:///etc/passwd",
        "http:127.0.0.1/",
        "http://127.0.0.1:9/\r\nX: 1",
    ],
)
def test_an_address_that_leads_elsewhere_is_refused(url: str) -> None:
    """No secret of the environment is filled in, no other reader sees another host in it."""
    with pytest.raises(PageError):
        require_allowed(url, ())


async def test_no_secret_is_sent_where_a_visitor_points(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The server's keys stay with it, whichever kind of endpoint is typed in."""
    import asyncio  # noqa: PLC0415 - only here

    canary = "sk-canary-3141592653589793"
    for name in ("OPENAI_API_KEY", "RAGSTONE_API_KEY", "API_KEY"):
        monkeypatch.setenv(name, canary)
    furnish(tmp_path)
    async with Loopback(Reply()) as service:
        with serving(Settings(systems=SYSTEMS)) as site:
            for kind in ("chat", "http_json"):
                endpoint = {"url": f"{service.url}/v1", "kind": kind, "model": "${OPENAI_API_KEY}"}
                await asyncio.to_thread(site.run, "endpoint", endpoint=endpoint)
    sent = b"".join(repr((one.path, dict(one.headers), one.body)).encode() for one in service.seen)
    written = b"".join(path.read_bytes() for path in (tmp_path / "runs").rglob("*") if path.is_file())

    assert service.calls == 6
    assert canary.encode() not in sent + written


def test_a_page_for_others_asks_only_what_is_listed(tmp_path: Path) -> None:
    """Services of the server's own machine are not its visitors'."""
    furnish(tmp_path)
    own = "http://127.0.0.1:9/ask"
    open_places = Places(Settings(host="0.0.0.0", token=TOKEN))
    listed = Places(Settings(host="0.0.0.0", token=TOKEN, allowed_endpoints=("http://127.0.0.1:9",)))
    dataset = open_places.dataset("library.jsonl")

    with pytest.raises(PageError):
        open_places.asked("endpoint", dataset, places.Endpoint(url=own))
    assert listed.asked("endpoint", dataset, places.Endpoint(url=own)).systems == (f"http_json:{own}",)
    assert open_places.endpoints() == []


# --- files ---


@pytest.mark.parametrize(
    "name", ["%E5%9B%BE" * 100 + ".jsonl", "a" * 200 + ".jsonl", "x.jsonl%2f..", "CON%3a.jsonl", "%E2%80%AEx.jsonl"]
)
def test_a_name_no_disk_can_hold_is_refused(site: Site, name: str) -> None:
    """Too long in bytes, or with what turns writing round."""
    assert site.change("PUT", f"/api/v1/datasets/{name}", LINE).status in {404, 422}


def test_a_folder_full_of_datasets_takes_no_more(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page cannot be used to fill a disk with files one by one."""
    monkeypatch.setattr(places, "MOST_DATASETS", 1)

    assert site.change("PUT", "/api/v1/datasets/x.jsonl", LINE).status == 409


def test_what_a_killed_server_left_is_cleared(tmp_path: Path) -> None:
    """Half a file is removed a day later; one that is still coming to another server is not."""
    furnish(tmp_path)
    old, new = (tmp_path / "datasets" / f".upload-{name}.jsonl" for name in ("old", "new"))
    for path in (old, new):
        path.write_bytes(b"{")
    os.utime(old, (1, 1))
    with serving(Settings(systems=SYSTEMS)):
        pass

    assert (old.exists(), new.exists()) == (False, True)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="permissions as Unix knows them")
def test_a_dropped_file_is_its_owners(site: Site, tmp_path: Path) -> None:
    """Nobody else on the machine may read it."""
    site.change("PUT", "/api/v1/datasets/mine.jsonl", LINE)

    assert (tmp_path / "datasets" / "mine.jsonl").stat().st_mode & 0o077 == 0


BOMBS = {
    "deep.json": b"[" * 300_000,
    "deep.jsonl": b'{"q":' * 100_000 + b"\n",
    "wide.jsonl": b'{"q": "' + b"x" * 3_000_000 + b'"}\n',
    "many.jsonl": b"{}\n" * 200_000,
    "number.jsonl": b'{"q": 1e' + b"9" * 4000 + b"}\n",
    "long.jsonl": b'{"q": ' + b"9" * 100_000 + b"}\n",
}


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_does_not_go_off(site: Site, name: str) -> None:
    """Nesting, width, rows, exponents: refused with a reason, within seconds, and the page is still there."""
    began = time.monotonic()

    reply = site.change("PUT", f"/api/v1/datasets/{name}", BOMBS[name])

    assert reply.status == 422
    assert time.monotonic() - began < 15
    assert site.get("/eval").status == 200


# --- run folders that somebody else has made ---


def _plant(tmp_path: Path, run_id: str, **config: object) -> Path:
    """Copy a run as it might come by mail, its config.json changed."""
    planted = tmp_path / "runs" / "planted"
    shutil.copytree(tmp_path / "runs" / run_id, planted, ignore=shutil.ignore_patterns("cases.sqlite*"))
    path = planted / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | config))
    (planted / "evil.py").write_text("open('owned', 'w').close()\nclass X: pass\ndef f(q): return q\n")
    return planted


VIEWS = [
    "/eval/runs/planted",
    "/eval/runs/planted/cases/1",
    "/api/v1/runs/planted",
    "/api/v1/runs/planted/cases",
    "/eval/history",
]


@pytest.mark.parametrize("config", [{"contract": "runs.planted.evil:X"}, {"systems": ["python:runs.planted.evil:f"]}])
def test_looking_at_a_planted_run_runs_nothing(site: Site, tmp_path: Path, config: dict[str, object]) -> None:
    """A run folder names code; neither opening nor continuing it on the page runs any."""
    _plant(tmp_path, site.run(), **config)
    statuses = {view: site.get(view).status for view in VIEWS}
    resumed = site.change("POST", "/api/v1/runs/planted/resume")
    if resumed.status == 202:
        site.wait("planted")

    assert set(statuses.values()) == {200}
    assert not (tmp_path / "owned").exists()


def test_only_the_settings_say_which_code_the_page_continues(site: Site, tmp_path: Path) -> None:
    """A run over `python:` made elsewhere is refused by name; one that ragstone.toml names goes on."""
    _plant(tmp_path, site.run(), systems=["python:os:getcwd"])
    refused = site.change("POST", "/api/v1/runs/planted/resume")

    assert (refused.status, refused.json["error"]["code"]) == (409, "page.code")


def test_no_code_is_taken_from_a_run_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not through the folder of runs, not beside a run in it, and not from within the run itself."""
    (tmp_path / "runs" / "one").mkdir(parents=True)
    (tmp_path / "runs" / "one" / "run_meta.json").write_text("{}")
    for place in ("runs/one", "runs/two", "runs", "."):
        (tmp_path / place).mkdir(exist_ok=True)
        (tmp_path / place / "planted_code.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(str(tmp_path))

    assert lies_in_run("runs.one.planted_code")
    assert lies_in_run("runs.two.planted_code")
    assert lies_in_run("runs.planted_code")
    assert not lies_in_run("planted_code")
    monkeypatch.syspath_prepend(str(tmp_path / "runs" / "one"))
    assert lies_in_run("planted_code")
    with pytest.raises(SettingError, match="run folder"):
        load_module("runs.one.planted_code")


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("results.jsonl", b"nonsense\n"),
        ("results.jsonl", b"[" * 100_000 + b"\n"),
        ("config.json", b"[]"),
        ("config.json", b"{}"),
        ("config.json", b"\xff"),
        ("run_meta.json", b"[]"),
        ("run_meta.json", b'{"format_version": 1}'),
        ("summary.json", b'{"models": 1}'),
        ("model_snapshot.json", b"[]"),
        ("answers.jsonl", b"nonsense\n"),
    ],
)
def test_a_damaged_run_harms_only_itself(site: Site, tmp_path: Path, name: str, content: bytes) -> None:
    """Its own page says so; the lists and other runs are as they were."""
    run_id = site.run()
    (_plant(tmp_path, run_id) / name).write_bytes(content)
    answers = {view: site.get(view) for view in (*VIEWS, f"/eval/compare?first=planted&second={run_id}")}

    assert {view: reply.status for view, reply in answers.items() if reply.status >= 500} == {}
    assert not any(str(tmp_path) in reply.text for view, reply in answers.items() if "/api/" not in view)
    assert site.get("/eval").status == site.get("/eval/history").status == 200
    assert site.get(f"/eval/runs/{run_id}").status == 200


@pytest.mark.parametrize("name", ["cases.sqlite", "cases.sqlite-wal", "run.lock", "results.jsonl"])
def test_a_link_in_a_run_is_not_written_through(site: Site, tmp_path: Path, name: str) -> None:
    """A file of a run that points at somebody's own leaves it as it was."""
    import sqlite3  # noqa: PLC0415 - only here

    run_id = site.run()
    planted = _plant(tmp_path, run_id)
    with sqlite3.connect(tmp_path / "precious.sqlite") as database:
        database.execute("CREATE TABLE kept (x)")
    database.close()
    before = (tmp_path / "precious.sqlite").read_bytes()
    (planted / name).unlink(missing_ok=True)
    (planted / name).symlink_to(tmp_path / "precious.sqlite")

    assert site.get("/api/v1/runs/planted/cases").status == (409 if name == "results.jsonl" else 200)
    site.change("POST", "/api/v1/runs/planted/resume")
    site.wait("planted")
    assert (tmp_path / "precious.sqlite").read_bytes() == before


def test_an_index_that_somebody_sent_is_not_believed(site: Site, tmp_path: Path) -> None:
    """A run that failed is shown as failed, whatever a database in its folder says."""
    import sqlite3  # noqa: PLC0415 - only here

    run_id = site.run()
    planted = _plant(tmp_path, run_id)
    passed = site.get(f"/api/v1/runs/{run_id}/cases?state=passed").json["total"]
    made = next((tmp_path / "runs" / ".page-index").glob("*.sqlite"))
    with sqlite3.connect(made) as database, sqlite3.connect(planted / "cases.sqlite") as lying:
        database.backup(lying)
        lying.execute("UPDATE cases SET state = 0, score = 1")
    database.close()
    lying.close()

    assert passed < 3
    assert site.get("/api/v1/runs/planted/cases?state=passed").json["total"] == passed


def test_a_link_is_no_file_of_a_run(site: Site, tmp_path: Path) -> None:
    """Neither a linked artefact nor a linked run shows what lies elsewhere."""
    run_id = site.run()
    planted = _plant(tmp_path, run_id)
    (tmp_path / "secret.txt").write_text("secret")
    (planted / "report.md").unlink()
    (planted / "report.md").symlink_to(tmp_path / "secret.txt")
    (tmp_path / "elsewhere").mkdir()
    shutil.copytree(tmp_path / "runs" / run_id, tmp_path / "elsewhere" / "run")
    (tmp_path / "runs" / "linked").symlink_to(tmp_path / "elsewhere" / "run")

    assert site.get("/api/v1/runs/planted/artefacts/report.md").status == 404
    assert site.get("/api/v1/runs/linked").status == 404


# --- what errors tell ---


def test_errors_tell_no_folder(tmp_path: Path) -> None:
    """Where files lie on the server's disk is not told, also when a library put it into its words."""
    error = PageError(500, "page.disk", problem=f"[Errno 13] denied: '{tmp_path}/runs/x.json' and http://127.0.0.1/a/b")

    said = say_error(error, "en")

    assert str(tmp_path) not in said
    assert "'x.json'" in said
    assert "http://127.0.0.1/a/b" in said


def test_a_run_that_breaks_tells_its_kind_only(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of ours in a run is named; its text, which may hold anything, is for the log."""
    from ragstone.api import evaluation  # noqa: PLC0415 - only here

    def broken(*words: object, **more: object) -> object:
        raise RuntimeError("/home/somebody/secret-key")

    monkeypatch.setattr(evaluation, "plan_run", broken)
    live = site.wait(site.start())

    assert live["state"] == "failed"
    assert "RuntimeError" in live["error"]
    assert "secret" not in live["error"]
