"""A browser, the tabs a test opens in it, and a server to look at; at the end the browser must not have complained."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, expect, sync_playwright

from ragstone.core.settings import Settings
from tests.e2e.page.access import Open
from tests.needs import lacks
from tests.web.site import ANSWERS, SYSTEMS, Site, furnish, serving

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
LATE = "Transition was aborted because of invalid state"
"""What a browser says that was too slow to blend one page into the next."""
expect.set_options(timeout=60_000)  # a busy machine is slow, not wrong


@pytest.fixture(scope="module")  # while it is open, Playwright's loop runs, and no other test can have one
def browser() -> Iterator[Browser]:
    """Chromium as the system has it; without one these tests are passed over, or fail where one is required."""
    if CHROMIUM is None:
        lacks("browser", "the page's tests need chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained of; blocked scripts and styles are among it."""
    return []


@pytest.fixture
def page_of(browser: Browser, complaints: list[str]) -> Iterator[Open]:
    """Open tabs; at the end of a test the browser must not have complained."""
    contexts = []

    def note(text: str) -> None:
        if LATE not in text:
            complaints.append(text)

    def hear(message: ConsoleMessage) -> None:
        if message.type in {"error", "warning"}:
            note(message.text)

    def open_page(url: str, locale: str = "zh-CN", **more: Any) -> Page:
        size = more.pop("viewport", {"width": 1280, "height": 900})
        context = browser.new_context(locale=locale, viewport=size, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.on("console", hear)
        page.on("pageerror", lambda error: note(str(error)))
        page.goto(url)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert complaints == []


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server with a small library to be evaluated."""
    furnish(tmp_path)
    (tmp_path / "answers2.jsonl").write_text(
        "".join(json.dumps({**one, "output": "八点开门 最多十册 hours.md loans.md"}) + "\n" for one in ANSWERS)
    )
    systems = {**SYSTEMS, "second": {"system": "replay:answers2.jsonl", "label": "第二版"}}
    with serving(Settings(systems=systems, concurrency=1)) as found:
        yield found
