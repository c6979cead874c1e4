"""The list of runs: names, tags, search, archive, delete and undo, trends; and the matrix over several."""

import time
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.e2e.page.access import Open
from tests.web.site import Site

pytestmark = pytest.mark.long


def manage(page: Page, row: int, button: str) -> None:
    """Open the menu of a row and press one of its buttons."""
    page.locator("tr[data-run] details.menu summary").nth(row).click()
    page.locator("tr[data-run]").nth(row).locator(button).click()


def test_a_run_is_named_tagged_found_archived_deleted_and_brought_back(site: Site, page_of: Open) -> None:
    """All of it from the list, with the filter in the address."""
    site.run()
    site.run("second")
    page = page_of(f"{site.url}/eval/history", "en-US")
    rows = page.locator("tr[data-run]")
    manage(page, 0, "[data-rename]")
    page.fill("dialog input[name=name]", "Spring release")
    page.fill("dialog input[name=tags]", "weekly, v2")
    page.click("dialog button[value=save]")
    expect(rows.first.locator("a")).to_have_text("Spring release")
    expect(rows.first.locator(".tag")).to_have_text(["weekly", "v2"])
    page.fill("input[name=q]", "spring")
    page.keyboard.press("Enter")
    page.wait_for_url("**q=spring**")
    expect(rows).to_have_count(1)

    manage(page, 0, "[data-archive]")
    expect(rows).to_have_count(0)
    page.check("input[name=archived]")
    expect(rows).to_have_count(1)
    expect(rows.first).to_contain_text("archived")
    manage(page, 0, "[data-remove]")
    expect(rows).to_have_count(0)
    expect(page.locator("#total")).to_have_text("0 runs")
    page.click("#undo button")
    expect(rows).to_have_count(1)
    page.goto(f"{site.url}/eval/history?archived=true")
    expect(rows).to_have_count(2)


def test_the_run_page_names_and_deletes(site: Site, page_of: Open) -> None:
    """The same menu stands on a run's own page; after deleting, the list offers the way back."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}", "en-US")
    page.click("text=Manage")
    page.click("[data-rename]")
    page.fill("dialog input[name=name]", "Nightly")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text("Nightly")
    page.click("text=Manage")
    page.click("[data-remove]")
    page.wait_for_url("**/eval/history?removed=**")

    page.click("#undo button")

    expect(page.locator("tr[data-run] a").first).to_have_text("Nightly")


def test_times_are_the_readers_own(site: Site, page_of: Open) -> None:
    """UTC without a script, the reader's zone with one."""
    site.run()
    there = page_of(f"{site.url}/eval/history", "en-US", timezone_id="Asia/Shanghai")
    stamp = there.locator("tr[data-run] time")
    told = stamp.get_attribute("datetime") or ""
    expected = there.evaluate("t => new Date(new Date(t).getTime() + 8 * 3600e3).toISOString()", told)

    expect(stamp).to_have_text(expected[:16].replace("T", " "))
    expect(stamp).to_have_attribute("title", f"{told[:16].replace('T', ' ')} UTC")


def test_trends_do_not_hold_up_the_keyboard(site: Site, page_of: Open) -> None:
    """From the top of the page to its end in few steps, however many points there are; a pointer opens a run."""
    for system in ("recorded", "second", "recorded", "recorded"):
        site.run(system)
        time.sleep(1.05)  # the order of runs is told in seconds
    page = page_of(f"{site.url}/eval/history", "en-US")
    chart = page.locator("svg.trend")

    expect(chart).to_have_count(1)
    expect(chart).to_have_attribute(
        "aria-label",
        "library.jsonl · recorded, 3 runs: pass rate 33.3% → 33.3%; accuracy 66.7% → 66.7%; "
        "citation rate 33.3% → 33.3%",
    )
    assert chart.locator("a, [tabindex]").count() == 0
    chart.locator("circle").first.click()
    page.wait_for_url("**/eval/runs/**")


def test_several_runs_are_a_matrix(site: Site, page_of: Open, tmp_path: Path) -> None:
    """Pick runs, see where they differ, move by arrows, open the answers side by side with what differs marked."""
    site.run()
    time.sleep(1.05)
    site.run("second")
    page = page_of(f"{site.url}/eval/history", "en-US")
    for box in page.locator("input[name=pick]").all():
        box.check()
    page.click("#matrix")
    page.wait_for_url("**/eval/matrix?**")
    expect(page.locator("#matrix tbody tr")).to_have_count(3)
    page.click("text=where they differ")
    expect(page.locator("#matrix tbody tr")).to_have_count(1)
    page.locator("#matrix td a").first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Home")
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.wait_for_url("**/eval/matrix/case?**")

    expect(page.locator(".answers > section")).to_have_count(2)
    expect(page.locator(".answers mark.diff").first).to_be_visible()
    expect(page.locator(".answers h3")).to_have_text(["Retrieved contexts"] * 2)


def test_a_name_stands_wherever_the_run_is_offered_and_tags_filter(site: Site, page_of: Open) -> None:
    """Recent runs and the comparison call it by its name; the history shows what has a tag, and nothing else."""
    named, other = site.run(), site.run("second")
    site.change("PATCH", f"/api/v1/runs/{named}/label", {"name": "Spring", "tags": ["weekly"]})
    site.change("PATCH", f"/api/v1/runs/{other}/label", {"tags": ["v2"]})
    page = page_of(f"{site.url}/eval", "en-US")
    expect(page.locator("aside .run-name", has_text="Spring")).to_have_count(1)
    page.goto(f"{site.url}/eval/compare?a={named}&b={other}")
    expect(page.locator("select[name=first] option:checked")).to_contain_text("Spring")
    expect(page.locator("select[name=second] option:checked")).not_to_contain_text("Spring")
    page.goto(f"{site.url}/eval/history")
    page.select_option("select[name=tag]", "weekly")
    page.wait_for_url("**tag=weekly**")
    expect(page.locator("tr[data-run]")).to_have_count(1)
    expect(page.locator("tr[data-run] a").first).to_have_text("Spring")
    page.select_option("select[name=tag]", "")
    expect(page.locator("tr[data-run]")).to_have_count(2)
