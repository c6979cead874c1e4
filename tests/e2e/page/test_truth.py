"""The page says what is so: one model a view, every change reachable, the server's console, the reader's example."""

import json
import socket
from pathlib import Path

import pytest
from playwright.sync_api import expect

from ragstone import evaluate
from ragstone.core.settings import Settings
from tests.e2e.page.access import Open
from tests.web.site import SYSTEMS, Site, furnish, refused, serving

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


def test_an_endpoint_that_is_down_is_told_of_as_it_is(site: Site, page_of: Open) -> None:
    """Entered and tried by the browser, and in a run, its page and the list: the reason stands, and no figure."""
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
    page = page_of(f"{site.url}/eval", "en-US")
    page.check("input[name=system][value=endpoint]")
    page.fill("input[name=url]", f"http://127.0.0.1:{port}/ask")
    page.fill("input[name=system_name]", "away")
    page.click("#more > summary")
    page.click("#try")
    expect(page.locator("#tried .problem")).to_contain_text("refused")
    refused("down")
    page.goto(f"{site.url}/eval/runs/down")
    expect(page.locator(".banner.warn", has_text="refused")).to_be_visible()
    assert set(page.locator(".figure .value").all_inner_texts()) == {"–"}
    expect(page.locator("section[aria-labelledby=errors]")).to_contain_text("No case was asked")
    page.goto(f"{site.url}/eval/history")
    expect(page.locator("tr[data-run=down]")).to_contain_text("not measured")
    expect(page.locator("svg.trend")).to_have_count(0)


def test_nothing_is_configured_and_the_page_asks(tmp_path: Path, page_of: Open) -> None:
    """In an empty folder the built-in RAG is offered; where there are no documents a system must be chosen first."""
    with serving(Settings()) as site:
        page = page_of(f"{site.url}/eval", "en-US", viewport={"width": 1440, "height": 900})
        expect(page.locator("input[name=system]:checked")).to_have_value("builtin")
        line = '{"q": "When?", "gold": ["at eight"], "doc_hint": ["hours.md"]}\n'
        page.set_input_files("#file", {"name": "own.jsonl", "mimeType": "application/json", "buffer": line.encode()})
        expect(page.locator("input[name=dataset]:checked")).to_have_value("own.jsonl")
        expect(page.locator("input[name=system]:checked")).to_have_count(0)
        expect(page.locator("#go")).to_be_disabled()
        expect(page.locator("#missing")).not_to_be_empty()
        page.check("input[name=dataset][value=demo-en]")
        page.check("input[name=system][value=builtin]")
        page.click("#go")
        page.wait_for_url("**/eval/runs/**")
        expect(page.locator("#run[data-state=complete]")).to_be_visible()
        expect(page.locator(".state-dry")).to_have_count(0)


def test_dry_runs_are_marked_in_every_list_and_absent_from_trends(site: Site, page_of: Open) -> None:
    """History, recent runs, comparison and matrix carry the mark; three dry runs draw no trend."""
    dry = [evaluate("datasets/library.jsonl", mock=True, run_id=f"dry{n}", settings=Settings()) for n in range(3)]
    asked = site.run()
    page = page_of(f"{site.url}/eval/history", "en-US")
    expect(page.locator("tr[data-run] .state-dry")).to_have_count(len(dry))
    expect(page.locator("svg.trend")).to_have_count(0)
    page.goto(f"{site.url}/eval")
    expect(page.locator("aside .state-dry")).to_have_count(len(dry))
    page.goto(f"{site.url}/eval/compare?a=dry0&b={asked}")
    expect(page.locator(".banner.dry")).to_be_visible()
    page.goto(f"{site.url}/eval/matrix?run=dry0&run={asked}")
    expect(page.locator("#matrix thead .state-dry")).to_have_count(1)
    page.goto(f"{site.url}/eval/review/dry0/lead?lang=zh-Hans")
    expect(page.locator("h1 .state-dry")).to_be_visible()
    expect(page.locator("#figure-table tbody th").first).to_have_text("准确率 · mock")


def test_equal_rows_of_a_comparison_have_equal_p(site: Site, page_of: Open) -> None:
    """Figures that changed alike are told alike."""
    first, second = site.run(), site.run("second")
    page = page_of(f"{site.url}/eval/compare?a={first}&b={second}", "en-US")
    rows = page.locator(".deltas tbody tr")
    expect(rows.first).to_be_visible()
    told = [[cell.inner_text() for cell in row.locator("td").all()] for row in rows.all()]
    alike: dict[tuple[str, ...], set[str]] = {}
    for before, after, difference, interval, p, flips in told:
        alike.setdefault((before, after, difference, interval, flips), set()).add(p)

    assert len(alike) < len(told)
    assert {len(values) for values in alike.values()} == {1}


def test_a_server_that_went_away_is_named(tmp_path: Path, page_of: Open, complaints: list[str]) -> None:
    """Start says that nobody answers, and can be pressed again."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS)) as site:
        page = page_of(f"{site.url}/eval", "en-US")
        expect(page.locator("#check .verdict")).to_be_visible()
    page.click("#go")

    expect(page.locator("#problem")).to_contain_text("cannot be reached")
    expect(page.locator("#go")).to_be_enabled()
    expect(page.locator("#go")).to_have_text("Start evaluation")
    complaints.clear()


@pytest.mark.parametrize(("width", "path"), [(1440, "/eval/runs/{run}"), (1440, "/eval/history"), (375, "/eval/api")])
def test_no_table_is_cut(site: Site, page_of: Open, width: int, path: str) -> None:
    """On a wide screen every column stands in its card; on a phone the routes have their words under them."""
    page = page_of(f"{site.url}{path.format(run=site.run())}", "en-US", viewport={"width": width, "height": 900})
    expect(page.locator("main table tbody tr").first).to_be_visible()

    wide = "all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.outerHTML.slice(0, 99))"
    assert page.locator("main .scroll").evaluate_all(wide) == []
