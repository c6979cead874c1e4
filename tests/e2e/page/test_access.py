"""Everybody can use the page: axe finds nothing on any page, few steps lead to the first run, charts have names."""

import json
from importlib.util import find_spec
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from ragstone import evaluate
from ragstone.core.settings import Settings
from tests.e2e.page.access import Open
from tests.needs import lacks
from tests.web.site import ANSWERS, SYSTEMS, Site, furnish, refused, serving

pytestmark = pytest.mark.long
if find_spec("axe_playwright_python") is None:
    lacks("browser", "axe-playwright-python is not installed")
PATHS = [
    "/eval",
    "/eval/history?archived=true",
    "/eval/compare?first={first}&second={second}",
    "/eval/runs/{first}",
    "/eval/runs/two",
    "/eval/runs/down",
    "/eval/runs/{first}/cases/2?state=missed",
    "/eval/runs/two/matrix",
    "/eval/matrix?run={first}&run={second}",
    "/eval/matrix/case?run={first}&run={second}&place=2",
    "/eval/dataset?name=library.jsonl",
    "/eval/drafts",
    "/eval/review",
    "/eval/review/{first}/lead",
    "/eval/api",
    "/no",
]


def violations(page: Page) -> list[str]:
    """List what axe finds wrong, with everything unfolded."""
    from axe_playwright_python.sync_playwright import Axe  # noqa: PLC0415 - only where it is installed

    page.wait_for_load_state("networkidle")
    for one in page.locator("details").all():
        one.evaluate("node => { node.open = true; }")
    found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['id']}: {node['html'][:120]} {node.get('failureSummary', '')}" for one in found for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(site: Site, page_of: Open, complaints: list[str], scheme: str) -> None:
    """On every page, in both schemes, with every rule axe has; a phone sees the same pages."""
    first, second = site.run(), site.run("second")
    site.change("PATCH", f"/api/v1/runs/{first}/label", {"name": "Spring", "tags": ["weekly"], "archived": True})
    evaluate(
        "datasets/library.jsonl", ["replay:answers.jsonl", "replay:answers2.jsonl"], run_id="two", settings=Settings()
    )
    refused("down")
    found = {}
    for path in PATHS:
        page = page_of(site.url + path.format(first=first, second=second), color_scheme=scheme)
        if path == "/eval":
            page.check("input[name=system][value=endpoint]")
        if wrong := violations(page):
            found[path] = wrong
        page.context.close()

    assert found == {}
    complaints[:] = [one for one in complaints if "404" not in one]


def test_axe_finds_nothing_at_the_door(tmp_path: Path, page_of: Open, complaints: list[str]) -> None:
    """The login, and an open dialog."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, token="correct-horse-battery")) as site:
        site.headers["Authorization"] = "Bearer correct-horse-battery"
        run = site.run()
        page = page_of(f"{site.url}/eval", "en-US")
        assert violations(page) == []
        page.fill("#token", "correct-horse-battery")
        page.keyboard.press("Enter")
        expect(page.locator("#token")).to_have_count(0)
        page.goto(f"{site.url}/eval/runs/{run}")
        page.click("text=Manage")
        page.click("[data-rename]")
        assert violations(page) == []
    complaints[:] = [one for one in complaints if "401" not in one]


def test_few_steps_lead_to_the_first_run(site: Site, page_of: Open) -> None:
    """At most twelve times Tab, then Enter."""
    page = page_of(f"{site.url}/eval", "en-US")
    expect(page.locator("#check .verdict")).to_be_visible()
    steps = 0
    while page.evaluate("document.activeElement.id") != "go":
        page.keyboard.press("Tab")
        steps += 1
        assert steps <= 12
    page.keyboard.press("Enter")
    page.wait_for_url("**/eval/runs/**")


def test_the_list_of_runs_is_reached_in_few_steps(site: Site, page_of: Open) -> None:
    """Trends stand below the list and hold up nobody: what can be focused grows with the runs only."""
    for _ in range(3):
        site.run()
    page = page_of(f"{site.url}/eval/history", "en-US")
    stops = page.locator(
        "main a:visible, main button:visible, main input:visible, main summary:visible, main select:visible"
    )

    assert stops.count() <= 8 + 3 * 3


def test_charts_say_what_they_show(site: Site, page_of: Open, tmp_path: Path) -> None:
    """Every drawing has a name a screen reader says, or is none of its business."""
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in ANSWERS))
    page = page_of(f"{site.url}/eval/runs/{site.run()}", "en-US")

    expect(page.locator("svg.distribution")).to_have_attribute(
        "aria-label", "How many of 3 cases got which score: 0.0–0.1: 1, 0.5–0.6: 1, 0.9–1.0: 1"
    )
    assert page.locator("svg:not([role=img]):not([aria-hidden=true])").count() == 0
