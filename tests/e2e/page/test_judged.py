"""A judge in the browser: chosen at the start, watched, asked about a run there is; links say what they leave out."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ragstone.core.settings import JudgeEntry, Settings
from tests.e2e.page.access import Open
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging
from tests.web.site import Site, furnish, serving

pytestmark = pytest.mark.long


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server with a judge in its settings."""
    furnish(tmp_path, ROWS, ANSWERS)
    with judging(by_chances()) as judge:
        entry = JudgeEntry(judge="chat:m", options={"base_url": f"{judge.url}/v1"})
        with serving(Settings(systems={"recorded": {"system": "replay:answers.jsonl"}}, judge=entry)) as found:
            yield found


def test_a_run_is_started_with_a_judge(site: Site, page_of: Open) -> None:
    """Choose it, start, and see both figures; a case says who decided."""
    page = page_of(f"{site.url}/eval", "en-US")
    page.select_option("select[name=judge]", label="chat:m")
    page.click("#go")
    page.wait_for_url("**/eval/runs/**")
    card = page.locator("[data-figure=accuracy]")
    expect(card.locator(".beside")).to_contain_text("with the judge 75.0%")
    expect(card.locator(".beside .badge")).to_have_text("advisory")
    expect(card.locator("[data-value]")).to_have_text("25.0%")
    page.click("#table tbody a >> nth=0")

    expect(page.locator("#verdicts + table")).to_contain_text("judge")


def test_a_run_there_is_is_judged_from_its_page(site: Site, page_of: Open) -> None:
    """One button; the run stands there with its judged figures afterwards, and nothing is open."""
    run = site.run()
    page = page_of(f"{site.url}/eval/runs/{run}", "en-US", viewport={"width": 375, "height": 800})
    expect(page.locator("input[name=open]")).to_be_visible()
    page.click("summary:has-text('Judge')")
    page.click("[data-judge='[judge]']")

    expect(page.locator("[data-figure=accuracy] .beside")).to_contain_text("75.0%")
    expect(page.locator("input[name=open]")).to_have_count(0)
    page.select_option("select[name=author]", "judge")
    expect(page.locator("#total")).to_have_text("3 cases")
    page.select_option("select[name=author]", "rule")
    expect(page.locator("#table tbody tr a")).to_have_text(["Q3"])
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_link_says_what_it_asks_for_in_vain(site: Site, page_of: Open) -> None:
    """A filter that is not here is named, not passed over; a filter nothing fits has nothing to export."""
    run = site.run()
    page = page_of(f"{site.url}/eval/runs/{run}?reason=nosuch&sort=nosuch", "en-US")
    expect(page.locator("#problem")).to_have_text(
        "This link asks for reason=nosuch, sort=nosuch, which is not here; it was left out."
    )
    page.fill("input[name=q]", "no such words")

    expect(page.locator("#total")).to_have_text("No case fits.")
    expect(page.locator("#take")).to_be_hidden()
    page.fill("input[name=q]", "押金")
    expect(page.locator("#total")).to_have_text("1 case")
    assert "q=" in str(page.get_attribute("#rows", "href"))


def test_no_route_is_written_letter_by_letter(site: Site, page_of: Open) -> None:
    """On a phone the list of the API scrolls in its box, and its words stay whole."""
    page = page_of(f"{site.url}/eval/api", "en-US", viewport={"width": 375, "height": 800})
    tall = page.locator(".routes tr td:first-child code").first.bounding_box()

    assert tall is not None and tall["height"] < 30
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
