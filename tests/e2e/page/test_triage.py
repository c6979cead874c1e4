"""Issue by issue through a run: from the list to a case, on to the next that fits, and back."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ragstone import evaluate
from ragstone.core.settings import Settings
from tests.e2e.page.access import Open
from tests.web.site import ANSWERS, Site

pytestmark = pytest.mark.long


def test_failures_are_walked_through_in_the_order_of_the_list(site: Site, page_of: Open) -> None:
    """Filter, sort by a column, open, next, next: the cases of the list and no other; the way back keeps the filter."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}", "en-US")
    rows = page.locator("#table tbody tr")
    page.select_option("select[name=state]", "missed")
    expect(rows).to_have_count(2)
    page.click("[data-sort=score]")
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("score")
    expect(rows.locator("a").first).to_have_text("Q3")
    page.click("[data-sort=score]")
    expect(page.locator("th[aria-sort=descending]")).to_have_text("score")
    expect(rows.locator("a").first).to_have_text("Q2")
    rows.locator("a").first.click()
    expect(page.locator("h1")).to_contain_text("Q2")
    expect(page.locator(".actions")).to_contain_text("1 of 2")
    assert not page.locator("a[rel=prev]").count()

    page.wait_for_load_state()
    page.keyboard.press("j")
    expect(page.locator("h1")).to_contain_text("Q3")
    assert not page.locator("a[rel=next]").count()
    page.click("text=filtered list")

    expect(page.locator("select[name=state]")).to_have_value("missed")
    expect(page.locator("select[name=sort]")).to_have_value("-score")
    expect(rows).to_have_count(2)


def test_open_verdicts_and_reasons_are_filters_with_an_address(site: Site, page_of: Open) -> None:
    """Each filter stands in the address, and the address brings it back."""
    run = site.run()
    page = page_of(f"{site.url}/eval/runs/{run}?open=true", "en-US")
    rows = page.locator("#table tbody tr")

    expect(rows.locator("a")).to_have_text(["Q3"])
    expect(page.locator("input[name=open]")).to_be_checked()
    page.click("#filter button[type=reset]")
    expect(rows).to_have_count(3)
    page.select_option("select[name=reason]", "wrong_document")
    expect(rows.locator("a")).to_have_text(["Q2"])
    page.wait_for_url("**reason=wrong_document**")
    again = page_of(page.url, "en-US")
    expect(again.locator("#table tbody tr a")).to_have_text(["Q2"])


def test_long_answers_fold(site: Site, page_of: Open, tmp_path: Path) -> None:
    """A very long answer is shown in part, with a button that says how much there is."""
    long = [{**ANSWERS[0], "output": "八点开门。\n" * 400}, *ANSWERS[1:]]
    (tmp_path / "answers.jsonl").write_text("".join(json.dumps(one) + "\n" for one in long))
    evaluate("datasets/library.jsonl", "replay:answers.jsonl", run_id="long", settings=Settings())
    page = page_of(f"{site.url}/eval/runs/long/cases/1", "en-US")
    answer, button = page.locator("section[aria-labelledby=answer] .prose"), page.locator("button.fold").first
    expect(button).to_have_text("Show all (2400 characters)")
    short = answer.bounding_box()

    button.click()

    expect(button).to_have_attribute("aria-expanded", "true")
    full = answer.bounding_box()
    assert short and full and short["height"] < 400 < full["height"]


def test_failures_are_asked_again_and_taken_away(site: Site, page_of: Open) -> None:
    """One button makes a new run of them, another a file."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}?state=missed", "en-US")
    expect(page.locator("#table tbody tr")).to_have_count(2)
    with page.expect_download() as download:
        page.click("#take")
    page.click("#again")
    page.wait_for_url(lambda url: "state=missed" not in url)

    assert download.value.suggested_filename == "library-2.jsonl"
    expect(page.locator("#run[data-state=complete]")).to_be_visible()
    expect(page.locator("h1")).to_contain_text("library-2.jsonl")
    expect(page.locator("#table tbody tr")).to_have_count(2)


def test_groups_filter_and_any_metric_sorts(site: Site, page_of: Open) -> None:
    """A group's name in its table filters the cases; the head of a metric's column sorts by it, either way."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}", "en-US")
    rows = page.locator("#table tbody tr")
    expect(rows).to_have_count(3)
    page.click("[data-filter-group='category=借阅']")
    expect(rows.locator("a")).to_have_text(["Q2"])
    expect(page.locator("select[name=group]")).to_have_value("category=借阅")
    page.click("#filter button[type=reset]")
    expect(rows).to_have_count(3)

    page.click("[data-sort=citation]")
    expect(page.locator("th[aria-sort=ascending]")).to_have_text("citation rate")
    expect(rows.locator("a").last).to_have_text("Q1")
    page.click("[data-sort=citation]")
    expect(rows.locator("a").first).to_have_text("Q1")
    assert "sort=-citation" in page.url
