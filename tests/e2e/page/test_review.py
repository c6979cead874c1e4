"""The review page in a real browser: keys alone, two people at once, a server that dies, a phone, three languages."""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ragstone.core.settings import ReviewEntry, Settings
from ragstone.judging.label_file import read_labels
from ragstone.web.people import Role, add_person
from tests.e2e.page.access import Open, faults
from tests.e2e.page.test_access import violations
from tests.reviewing.runs import rows_of
from tests.web.site import Site, furnish, serving

pytestmark = pytest.mark.long
SYSTEMS = {"recorded": {"system": "replay:answers.jsonl"}}
LABELS = Path("runs/labels.jsonl")
SAVED = {"zh-CN": "已保存", "zh-TW": "已儲存", "en-US": "saved"}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server with thirty cases that rules leave open."""
    furnish(tmp_path, *rows_of(30))
    with serving(Settings(systems=SYSTEMS)) as found:
        yield found


def _ready(page: Page) -> None:
    expect(page.locator("#one")).to_be_visible()
    expect(page.locator("#review")).not_to_have_attribute("aria-busy", "true")


def _case(page: Page) -> str:
    return (page.locator("#where").text_content() or "").partition(" ")[0]


def _press(page: Page, key: str) -> None:
    page.keyboard.press(key)
    expect(page.locator("#review")).not_to_have_attribute("aria-busy", "true")


@pytest.mark.parametrize("locale", sorted(SAVED))
def test_verdicts_are_given_with_keys_alone(site: Site, page_of: Open, locale: str) -> None:
    """Decide, comment, undo, pass over, go back: no mouse, in three languages, rule and judge hidden before."""
    run = site.run()
    page = page_of(f"{site.url}/eval/review/{run}?queue=open", locale)
    _ready(page)
    first = _case(page)
    assert page.locator("#saved").text_content() == ""
    _press(page, "1")
    expect(page.locator("#saved")).to_contain_text(SAVED[locale])
    expect(page.locator("#saved")).to_contain_text(first)
    assert _case(page) != first

    left = page.locator("[data-left=open]")
    after = int(left.inner_text())
    _press(page, "z")
    assert _case(page) == first
    expect(left).to_have_text(str(after + 1))
    page.keyboard.press("c")
    page.keyboard.type("123 换了说法")
    page.keyboard.press("Escape")
    _press(page, "2")
    second = _case(page)
    _press(page, "j")
    assert _case(page) not in {first, second}
    _press(page, "k")
    assert _case(page) == second
    _press(page, "u")

    labels = [(one.case, one.verdict, one.comment, one.blind) for one in read_labels(LABELS)]
    assert labels == [
        (first, "stated", "", True),
        (first, "withdrawn", "", True),
        (first, "absent", "123 换了说法", False),
        (second, "unsure", "", True),
    ]


def test_what_is_marked_is_kept_as_a_quotation(site: Site, page_of: Open) -> None:
    """In characters of the answer, also behind signs that browsers count twice."""
    run = site.run()
    page = page_of(f"{site.url}/eval/review/{run}?queue=open")
    _ready(page)
    answer = page.locator("#answer").text_content() or ""
    page.evaluate(
        """() => { const text = document.getElementById("answer").firstChild;
        getSelection().setBaseAndExtent(text, 2, text, 6); }"""
    )

    _press(page, "1")

    (label,) = read_labels(LABELS)
    assert label.quote == (2, 6)
    assert len(answer) > 6


def test_two_people_never_decide_the_same_at_once(tmp_path: Path, page_of: Open) -> None:
    """Both decide until nothing is left; what both decided was given to both on purpose, and a lead settles it."""
    furnish(tmp_path, *rows_of(12))
    tokens = {name: add_person(Path("people.toml"), name, role) for name, role in PEOPLE.items()}
    settings = Settings(systems=SYSTEMS, people="people.toml", review=ReviewEntry(share=0.8))
    with serving(settings) as site:
        run = _start(site, tokens["chen"])
        pages = {name: _enter(page_of, site, run, token) for name, token in tokens.items() if name != "chen"}
        for _ in range(12):
            for name, page in pages.items():
                if page.locator("#one").is_visible():
                    _press(page, "1" if name == "lin" else "2")
        for page in pages.values():
            expect(page.locator("#empty")).to_be_visible()
        labels = read_labels(LABELS)
        by = {name: {one.case for one in labels if one.reviewer == name} for name in ("lin", "wang")}
        twice = by["lin"] & by["wang"]
        assert len(labels) == 11 + len(twice)  # one of twelve is proved by rule
        assert twice

        lead = _enter(page_of, site, run, tokens["chen"], "settle")
        expect(lead.locator("#others li")).to_have_count(2)
        for _ in twice:
            _press(lead, "1")
        expect(lead.locator("#empty")).to_be_visible()
        lead.goto(f"{site.url}/eval/review/{run}/lead")
        expect(lead.locator("#figure-table tbody tr")).to_have_count(2)
        expect(lead.locator("main")).to_contain_text("Cohen")


PEOPLE: dict[str, Role] = {"lin": "reviewer", "wang": "reviewer", "chen": "admin"}


def _start(site: Site, token: str) -> str:
    given = {"Authorization": f"Bearer {token}"}
    reply = site.ask("POST", "/api/v1/runs", {"dataset": "library.jsonl", "system": "recorded"}, given)
    run = str(reply.json["run_id"])
    while site.ask("GET", f"/api/v1/runs/{run}", headers=given).json["live"]["state"] != "complete":
        time.sleep(0.05)
    return run


def _enter(page_of: Open, site: Site, run: str, token: str, queue: str = "open") -> Page:
    page = page_of(f"{site.url}/eval/login")
    page.fill("input[name=token]", token)
    page.keyboard.press("Enter")
    page.wait_for_url(f"{site.url}/eval")
    page.goto(f"{site.url}/eval/review/{run}?queue={queue}")
    _ready(page)
    return page


@contextmanager
def _process(port: int) -> Iterator[tuple[Callable[[], None], Callable[[], None]]]:
    """Run a server in a process of its own; what is given back kills it, and starts it again."""
    alive: list[subprocess.Popen[bytes]] = []

    def begin() -> None:
        alive.append(subprocess.Popen([sys.executable, "-m", "ragstone", "serve", "-p", str(port)]))
        for _ in range(400):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    return
            time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill() -> None:
        os.kill(alive[-1].pid, signal.SIGKILL)
        alive[-1].wait(10)

    begin()
    try:
        yield kill, begin
    finally:
        kill()


def test_a_killed_server_loses_no_verdict(tmp_path: Path, page_of: Open, complaints: list[str]) -> None:
    """Killed in the middle: what was told as saved is there, what was under way is sent again, the page goes on."""
    furnish(tmp_path, *rows_of(12))
    Path("ragstone.toml").write_text('[systems.recorded]\nsystem = "replay:answers.jsonl"\n', encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    with _process(port) as (kill, begin):
        site = Site(port)
        run = site.run()
        page = page_of(f"{site.url}/eval/review/{run}?queue=open")
        _ready(page)
        told = []
        for n in range(8):
            told.append(_case(page))
            if n == 4:
                kill()
                page.keyboard.press("1")
                expect(page.locator("#problem")).to_be_visible()
                expect(page.locator("#where")).to_contain_text(told[-1])
                begin()
            else:
                _press(page, "1")
            expect(page.locator("#saved")).to_contain_text(told[-1])

    labels = read_labels(LABELS)
    assert [one.case for one in labels] == told
    assert len(set(told)) == 8
    complaints[:] = [one for one in complaints if not re.search("403|ERR_|Failed to load", one)]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
def test_everybody_can_review(site: Site, page_of: Open, scheme: str, width: int) -> None:
    """Axe finds nothing, nothing runs out of a phone's screen, and the verdicts are in sight."""
    run = site.run()
    size = {"width": width, "height": 800}
    for path in ("/eval/review", f"/eval/review/{run}?queue=open", f"/eval/review/{run}/lead"):
        page = page_of(site.url + path, viewport=size, color_scheme=scheme)
        page.wait_for_load_state("networkidle")
        if "queue" in path:
            _ready(page)
            for verdict in page.locator("[data-verdict]").all():
                expect(verdict).to_be_in_viewport()
            page.click("[data-move=comment]")
        if shots := os.environ.get("REVIEW_SHOTS"):
            name = path.strip("/").split("?")[0].replace("/", "-").replace(run, "run")
            page.screenshot(path=f"{shots}/{name}-{width}-{scheme}.png")
        assert violations(page) == []
        assert faults(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_verdict_takes_little_more_than_a_key(site: Site, page_of: Open) -> None:
    """Twenty verdicts by a script that presses a key as soon as the next question stands there."""
    run = site.run()
    page = page_of(f"{site.url}/eval/review/{run}?queue=open")
    _ready(page)
    begin = time.perf_counter()
    for _ in range(20):
        _press(page, "1")
    each = (time.perf_counter() - begin) / 20

    assert len(read_labels(LABELS)) == 20
    assert each < 2.0, each


def test_a_run_leads_here_and_a_draft_is_accepted(site: Site, page_of: Open) -> None:
    """From the run's page by its button; drafts have a page like it."""
    run = site.run()
    page = page_of(f"{site.url}/eval/runs/{run}", "en-US")
    page.click("text=open verdicts")
    _ready(page)
    proof = {"point": "周一", "quote": "周一", "document": "a.md", "sha256": "", "page": 1, "start": 0, "end": 2}
    rows = [{"id": f"D{n}", "q": "何时？", "gold": ["周一"], "provenance": [proof]} for n in range(2)]
    Path("datasets/mine.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    page.goto(f"{site.url}/eval/review")
    page.click("text=mine.jsonl")
    expect(page.locator("#question")).to_have_text("何时？")
    page.keyboard.press("1")
    expect(page.locator("#stand")).to_contain_text("1 of 2")
    page.keyboard.press("2")
    expect(page.locator("#empty")).to_be_visible()
    page.keyboard.press("z")
    expect(page.locator("#empty")).to_be_hidden()
    expect(page.locator("#stand")).to_contain_text("1 of 2")
    page.keyboard.press("2")
    expect(page.locator("#empty a[href*='/eval?dataset=mine.jsonl']")).to_be_visible()

    kept = [json.loads(line) for line in Path("datasets/mine.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [(row["id"], row["reviewed"]) for row in kept] == [("D0", True)]
