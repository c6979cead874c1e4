"""Several people: tokens that are kept hashed, roles on every route, an audit line for every change."""

import json
import re
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.routing import APIRoute

from ragstone.core.errors import SettingError
from ragstone.core.settings import Settings
from ragstone.web.app import create_app
from ragstone.web.people import AUDIT, ROLES, People, Person, Role, add_person, needed, read_book, remove_person
from tests.conftest import Cli
from tests.web.site import SYSTEMS, Reply, Site, furnish, serving

BOOK = Path("people.toml")


@pytest.fixture
def tokens(tmp_path: Path) -> dict[str, str]:
    """One person of each role, named by it."""
    furnish(tmp_path)
    return {role: add_person(BOOK, role, role) for role in ROLES}


@pytest.fixture
def site(tokens: dict[str, str]) -> Iterator[Site]:
    """A server for several people."""
    with serving(Settings(systems=SYSTEMS, people=str(BOOK))) as found:
        yield found


def _bearer(site: Site, token: str, method: str, path: str, body: object = None) -> Reply:
    return site.ask(method, path, body, {"Authorization": f"Bearer {token}"})


EXPECTED: dict[tuple[str, str], Role | None] = {
    ("GET", "/"): "viewer",
    ("GET", "/eval/login"): None,
    ("POST", "/eval/login"): None,
    ("POST", "/eval/logout"): None,
    ("GET", "/api/v1/review/{run_id}/next"): "reviewer",
    ("POST", "/api/v1/review/{run_id}/labels"): "reviewer",
    ("POST", "/api/v1/review/{run_id}/undo"): "reviewer",
    ("POST", "/api/v1/review/{run_id}/settle"): "runner",
    ("POST", "/api/v1/review/{run_id}/withdraw"): "runner",
    ("POST", "/api/v1/review/{run_id}/figures"): "runner",
    ("POST", "/api/v1/review-drafts"): "runner",
    ("POST", "/api/v1/runs"): "runner",
    ("DELETE", "/api/v1/runs/{run_id}"): "admin",
    ("POST", "/api/v1/runs/{run_id}/restore"): "admin",
}
"""Who may do what; what is not named is for viewers when it reads, and for runners when it changes something."""


def _routes() -> list[tuple[str, str]]:
    """Return every route there is, those of routers inside routers too."""
    found: list[tuple[str, str]] = []
    todo = list(create_app(Settings()).routes)
    while todo:
        route = todo.pop()
        todo += getattr(getattr(route, "original_router", None), "routes", [])
        if isinstance(route, APIRoute):
            found += [(method, route.path) for method in sorted(route.methods or ())]
    return sorted(set(found))


def test_every_route_has_the_role_it_needs(site: Site, tokens: dict[str, str]) -> None:
    """Each role over each route: who is below is refused, who is not gets past the guard."""
    routes = _routes()
    assert EXPECTED.keys() <= set(routes)
    assert len(routes) > 40
    for method, path in routes:
        standard: Role = "viewer" if method == "GET" else "admin" if method == "DELETE" else "runner"
        role = EXPECTED.get((method, path), standard)
        assert needed(method, path) == role, (method, path)
        filled = re.sub(r"\{[^}]+\}", "nothing-1", path)
        for person in ROLES:
            if role is None or filled.endswith("/events"):
                continue
            reply = _bearer(site, tokens[person], method, filled, b"{}" if method not in {"GET", "DELETE"} else None)
            refused = reply.status == 403 and reply.json["error"]["code"] == "page.role"
            assert refused == (ROLES.index(person) < ROLES.index(role)), (person, method, path, reply.status)


def test_nobody_comes_in_without_a_token(site: Site) -> None:
    """Neither without one, nor with a wrong one, nor with somebody's hash."""
    assert site.get("/api/v1/runs").status == 401
    assert site.get("/eval").status == 303
    for wrong in ("", "x" * 43, read_book(BOOK).people["admin"].token_sha256):
        assert _bearer(site, wrong, "GET", "/api/v1/runs").status == 401


def test_people_are_told_which_token_is_theirs(site: Site) -> None:
    """The page to log in does not send them to the server's own token."""
    for path in ("/eval/login?lang=en", "/eval/login?lang=zh-Hant"):
        page = site.get(path).text
        assert "ragstone people add" in page
        assert "RAGSTONE_TOKEN" not in page


def test_a_session_is_one_persons(site: Site, tokens: dict[str, str]) -> None:
    """Logging in gives a session with the role of that person; a person who is taken out is out at once."""
    reply = site.ask("POST", "/eval/login", f"token={tokens['viewer']}".encode())
    cookie = {"Cookie": reply.headers["set-cookie"].partition(";")[0]}
    assert reply.status == 303
    assert site.ask("GET", "/api/v1/runs", headers=cookie).status == 200
    token = site.ask("GET", "/api/v1/session", headers=cookie).json["token"]
    sent = {**cookie, "X-Ragstone-Token": token, "Origin": site.url}

    order = site.ask("POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "recorded"}, sent)
    remove_person(BOOK, "viewer")

    assert order.json["error"]["code"] == "page.role"
    assert site.ask("GET", "/api/v1/runs", headers=cookie).status == 401


def test_a_session_cannot_be_made_somebody_elses(site: Site, tokens: dict[str, str]) -> None:
    """The name in the cookie is signed."""
    reply = site.ask("POST", "/eval/login", f"token={tokens['viewer']}".encode())
    value = reply.headers["set-cookie"].partition(";")[0]
    forged = value.replace(b"viewer".hex(), b"admin".hex())

    assert forged != value
    assert site.ask("GET", "/api/v1/runs", headers={"Cookie": forged}).status == 401


def test_every_change_is_written_down(site: Site, tokens: dict[str, str]) -> None:
    """Who, what, when, and what came of it; reading leaves no line, and no token stands there."""
    _bearer(site, tokens["viewer"], "GET", "/api/v1/runs")
    _bearer(site, tokens["viewer"], "POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "recorded"})
    made = _bearer(site, tokens["runner"], "POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "recorded"})
    assert made.status == 202

    path = Path("runs") / AUDIT
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(one["who"], one["method"], one["path"], one["status"]) for one in lines] == [
        ("viewer", "POST", "/api/v1/runs", 403),
        ("runner", "POST", "/api/v1/runs", 202),
    ]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert not any(token in path.read_text() for token in tokens.values())


def test_tokens_are_kept_hashed(tokens: dict[str, str]) -> None:
    """The file opens nothing, and only its owner reads it."""
    text = BOOK.read_text(encoding="utf-8")

    assert not any(token in text for token in tokens.values())
    assert stat.S_IMODE(BOOK.stat().st_mode) == 0o600
    assert People(BOOK).by_token(tokens["runner"]) == Person("runner", "runner")


PROXY = 'proxy_header = "X-User"\ntrusted_proxies = ["{proxy}"]\n{more}\n[people.lin]\nrole = "reviewer"\n'


@pytest.mark.parametrize(
    ("proxy", "name", "more", "status"),
    [
        ("127.0.0.1", "lin", "", 200),
        ("10.0.0.0/8", "lin", "", 401),
        ("127.0.0.1", "wang", "", 401),
        ("127.0.0.1", "wang", 'proxy_role = "viewer"', 200),
        ("127.0.0.1", "lin\x01", 'proxy_role = "viewer"', 401),
        ("127.0.0.1", "", 'proxy_role = "viewer"', 401),
    ],
)
def test_a_proxy_names_people(tmp_path: Path, proxy: str, name: str, more: str, status: int) -> None:
    """Only from an address that is trusted, only people of the file or with the role for others."""
    furnish(tmp_path)
    BOOK.write_text(PROXY.format(proxy=proxy, more=more), encoding="utf-8")
    with serving(Settings(systems=SYSTEMS, people=str(BOOK))) as site:
        given = {"X-User": name} if name else {}

        assert site.ask("GET", "/api/v1/runs", headers=given).status == status


def test_what_a_proxys_person_changes_comes_from_our_page(tmp_path: Path) -> None:
    """The value that changes carry is theirs alone."""
    furnish(tmp_path)
    BOOK.write_text(PROXY.format(proxy="127.0.0.1", more="").replace("reviewer", "runner"), encoding="utf-8")
    with serving(Settings(systems=SYSTEMS, people=str(BOOK))) as site:
        given = {"X-User": "lin", "Origin": site.url}
        order = {"dataset": "library.jsonl", "system": "recorded"}
        token = site.ask("GET", "/api/v1/session", headers=given).json["token"]

        assert site.ask("POST", "/api/v1/runs", order, given).json["error"]["code"] == "page.csrf"
        assert site.ask("POST", "/api/v1/runs", order, {**given, "X-Ragstone-Token": token}).status == 202


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[people.lin]\nrole = 'boss'\n",
        "[people.lin]\nrole = 'admin'\ntoken = 'plain'\n",
        "[people.\"<b>\"]\nrole = 'admin'\n",
        "trusted_proxies = ['anywhere']\n[people.lin]\nrole = 'admin'\n",
    ],
)
def test_a_wrong_file_of_people_is_refused(text: str) -> None:
    """Nobody is let in by a slip of the pen."""
    BOOK.write_text(text, encoding="utf-8")

    with pytest.raises(SettingError, match=r"people\.toml"):
        create_app(Settings(people=str(BOOK)))


def test_people_are_added_on_the_command_line(cli: Cli) -> None:
    """The token is printed once, and opens the page."""
    token = cli("people", "add", "林", "--role", "reviewer").stdout.strip()

    assert People(BOOK).by_token(token) == Person("林", "reviewer")
    assert cli("people", "remove", "林").returncode == 0
    assert cli("people", "remove", "林").returncode == 2
