"""The page says what is so: one model a view, every change reachable, the server's console, the reader's example."""

import json
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ragstone import evaluate
from ragstone.core.settings import Settings
from tests.e2e.page.access import Open
from tests.web.site import SYSTEMS, Site, furnish, serving

pytestmark = pytest.mark.long


def test_each_view_is_about_one_model(site: Site, page_of: Open) -> None:
    """Cards, distribution and cases follow the model that is chosen, and every case names it."""
    specs = ["replay:answers.jsonl", "replay:answers2.jsonl"]
    evaluate("datasets/library.jsonl", specs, run_id="two", settings=Settings())
    page = page_of(f"{site.url}/eval/runs/two", "en-US")
    rows = page.locator("#table tbody tr")
    expect(rows).to_have_count(3)
    expect(rows.first).to_contain_text("@answers")
    expect(page.locator("[data-figure=pass_rate] [data-value]")).to_have_text("33.3%")

    page.select_option("#model", "answers2")

    expect(page.locator("[data-figure=pass_rate] [data-value]")).to_have_text("66.7%")
    expect(rows.first).to_contain_text("@answers2")
    rows.locator("a").first.click()
    expect(page.locator(".under").first).to_have_text("Model: answers2")


def test_every_change_is_reached_page_by_page(tmp_path: Path, page_of: Open) -> None:
    """Regressions, improvements and scores that moved are counted, and all of them can be paged to."""
    asked = [{"q": f"问题{n}？", "gold": [f"第{n}项"], "doc_hint": ["a.md"]} for n in range(1, 181)]
    said = [{"id": f"Q{n}", "output": f"第{n}项 a.md" if n <= 60 else "不知道"} for n in range(1, 181)]
    turned = [
        {"id": f"Q{n}", "output": "不知道" if n <= 60 else f"第{n}项 a.md" if n <= 120 else "不知道 a.md"}
        for n in range(1, 181)
    ]
    furnish(tmp_path, asked, said)
    (tmp_path / "turned.jsonl").write_text("".join(json.dumps(one) + "\n" for one in turned))
    for name, answers in (("one", "answers"), ("two", "turned")):
        evaluate("datasets/library.jsonl", f"replay:{answers}.jsonl", run_id=name, settings=Settings())
    with serving(Settings()) as site:
        page = page_of(f"{site.url}/eval/compare?a=one&b=two", "en-US")
        for kind in ("broken", "fixed", "moved"):
            page.click(f".kinds a[href*='kind={kind}']")
            expect(page.locator(f".changes > li.{kind}")).to_have_count(50)
            page.click("a[rel=next]")
            expect(page.locator(f".changes > li.{kind}")).to_have_count(10)
            expect(page.locator("section[aria-labelledby=changed]")).to_contain_text("51–60 of 60")
        flips = page.locator(".deltas tbody tr", has_text="pass rate")
        expect(flips).to_contain_text("+60 / −60")


def test_the_console_has_the_lines_and_the_reader_the_example(tmp_path: Path, page_of: Open) -> None:
    """An English browser gets the English example; where the server was started its run's lines appear."""
    lines: list[str] = []
    with serving(Settings(systems=SYSTEMS), lines.append) as site:
        page = page_of(f"{site.url}/eval", "en-US")
        expect(page.locator("input[name=dataset]:checked")).to_have_value("demo-en")
        page.check("input[name=system][value=builtin]")
        page.click("#go")
        page.wait_for_url("**/eval/runs/**")
        expect(page.locator("#run[data-state=complete]")).to_be_visible()

    assert lines[0].startswith("[EVAL]") and lines[-1].startswith("[EVAL]") and len(lines) > 3
