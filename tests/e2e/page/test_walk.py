"""The page in a real browser: the five things a user does, in two languages; and whether everybody can."""

import json
import re
import time
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from ragstone import evaluate
from ragstone.core.settings import Settings
from tests.e2e.page.access import Open, faults, walk_by_keyboard
from tests.web.site import ANSWERS, ROWS, SYSTEMS, Site, furnish, holding, refused, serving

pytestmark = pytest.mark.long

WORDS = {
    "zh-CN": {
        "start": "开始评测",
        "drop": "放弃已发出的请求",
        "overall": "整体指标",
        "cases": "单例结果",
        "errors": "错误汇总",
    },
    "en-US": {
        "start": "Start evaluation",
        "drop": "Drop what is in flight",
        "overall": "Overall",
        "cases": "Cases",
        "errors": "Errors",
    },
}
LOCALES = sorted(WORDS)
HOSTILE = (
    """<script>document.title="owned"</script><img src=x onerror="document.title='owned'"> [a](javascript:1) \x1b[1m"""
)


def _start(page: Page, system: str) -> None:
    expect(page.locator("#check .verdict")).to_be_visible()
    page.check(f"input[name=system][value={system}]")
    page.click("#go")
    page.wait_for_url("**/eval/runs/**")


def _finished(page: Page) -> None:
    expect(page.locator("#run[data-state=complete]")).to_be_visible()
    expect(page.locator("#table tbody tr").first).to_be_visible()


# --- 1: the dataset is loaded, or dropped ---


@pytest.mark.parametrize("locale", LOCALES)
def test_the_dataset_in_the_folder_is_loaded_and_looked_over(site: Site, page_of: Open, locale: str) -> None:
    """Opening /eval is all it takes; the button is there to be pressed."""
    page = page_of(f"{site.url}/eval", locale)

    expect(page.locator("input[name=dataset]:checked")).to_have_value("library.jsonl")
    expect(page.locator("#check")).to_contain_text("3")
    expect(page.locator("#go")).to_have_text(WORDS[locale]["start"])


@pytest.mark.parametrize("locale", LOCALES)
def test_a_dropped_file_shows_its_faults_with_lines(
    site: Site, page_of: Open, complaints: list[str], tmp_path: Path, locale: str
) -> None:
    """Faults at once, with line numbers; a fixed file is chosen."""
    page = page_of(f"{site.url}/eval", locale)
    expect(page.locator("#check .verdict")).to_be_visible()
    bad, good = tmp_path / "mine.jsonl", tmp_path / "good.jsonl"
    bad.write_text(json.dumps(ROWS[0]) + '\n{"q": 5, "gold": []}\n')
    good.write_text(json.dumps(ROWS[0]) + "\n")

    page.set_input_files("#file", bad)
    expect(page.locator("#check .findings li.error").first).to_contain_text("2")
    page.set_input_files("#file", good)

    expect(page.locator("input[name=dataset]:checked")).to_have_value("good.jsonl")
    expect(page.locator("#check .verdict.fine")).to_be_visible()
    complaints[:] = [one for one in complaints if "422" not in one]


def test_a_file_can_be_dropped_anywhere(site: Site, page_of: Open) -> None:
    """The drop itself, as a mouse does it."""
    page = page_of(f"{site.url}/eval")
    expect(page.locator("#check .verdict")).to_be_visible()
    line = json.dumps(ROWS[1], ensure_ascii=False)

    page.evaluate(
        """(line) => {
          const carried = new DataTransfer();
          carried.items.add(new File([line + "\\n"], "dropped.jsonl"));
          document.dispatchEvent(new DragEvent("drop", { dataTransfer: carried, bubbles: true, cancelable: true }));
        }""",
        line,
    )

    expect(page.locator("input[name=dataset]:checked")).to_have_value("dropped.jsonl")


def test_an_endpoint_off_the_list_is_refused_on_the_page(site: Site, page_of: Open, complaints: list[str]) -> None:
    """The reason stands beside the button."""
    page = page_of(f"{site.url}/eval")
    expect(page.locator("#check .verdict")).to_be_visible()
    page.check("input[name=system][value=endpoint]")
    page.fill("input[name=url]", "http://10.0.0.5/ask")
    page.click("#go")

    expect(page.locator("#problem")).to_contain_text("allowed_endpoints")
    assert all("403" in one for one in complaints)
    complaints.clear()


# --- 2: press the button and watch ---


@pytest.mark.parametrize("locale", LOCALES)
def test_a_run_is_watched_left_found_again_stopped_and_continued(
    site: Site, page_of: Open, locale: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Live progress; closing the tab stops nothing; cancel and continue do what they say."""
    monkeypatch.setenv("SLOW", "1.5 60")
    page = page_of(f"{site.url}/eval", locale)
    _start(page, "slow")
    expect(page.locator("#done")).to_have_text("1")
    expect(page.locator("[data-figure=accuracy] [data-value]")).to_have_text("100.0%")
    address = page.url
    page.close()

    again = page_of(f"{site.url}/eval", locale)
    again.click(f'.runs a[href*="{address.rsplit("/", 1)[1]}"]')
    again.click("[data-cancel]")
    expect(again.locator("[data-cancel]")).to_have_text(WORDS[locale]["drop"])
    expect(again.locator("#notices")).not_to_contain_text("Ctrl")
    again.click("[data-cancel]")
    expect(again.locator("#run[data-state=partial]")).to_be_visible()
    monkeypatch.setenv("SLOW", "0.01")
    again.click("[data-resume]")
    _finished(again)

    expect(again.locator("#table tbody tr")).to_have_count(3)


def test_numbers_move_while_cases_arrive(site: Site, page_of: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    """Done, rate and time left are told by the server, not guessed."""
    monkeypatch.setenv("SLOW", "0.5 60")  # the first answer comes, the second is still awaited when all was seen
    page = page_of(f"{site.url}/eval")
    _start(page, "slow")

    expect(page.locator("#done")).to_have_text("1")
    expect(page.locator("#left")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(page.locator("#rate")).to_have_text(re.compile(r"^\d+\.\d+$"))
    page.click("[data-cancel]")
    page.click("[data-cancel]")
    expect(page.locator("#run[data-state=partial]")).to_be_visible()


def test_what_is_open_moves_with_the_figure(site: Site, page_of: Open, tmp_path: Path) -> None:
    """The ceiling under a figure is that of the cases so far, and gone with the last open verdict."""
    with holding(tmp_path):
        run = site.start("slow")
        page = page_of(f"{site.url}/eval/runs/{run}", "en-US")
        page.wait_for_selector("#table")
        live = site.get(f"/api/v1/runs/{run}").json["live"]
        note = page.locator("[data-figure=accuracy] [data-note]")
        for n, still, told in ((4, 1, "1 open, 75.0% at most"), (5, 0, "")):
            figure = {"mean": 0.5, "n": n, "not_applicable": 0, "total": 2.0, "open": still, "mean_high": 0.75}
            block: dict[str, Any] = {
                "cases": n,
                "scored": n,
                "errored": 0,
                "unparsed": 0,
                "passed": 2,
                "pass_rate": 0.5,
            }
            block |= {"primary_score": 0.5, "metrics": {"accuracy": figure}}
            body = f"event: progress\ndata: {json.dumps({**live, 'blocks': {'slow': block}})}\n\n"
            page.route(
                "**/events", lambda route, *, body=body: route.fulfill(content_type="text/event-stream", body=body)
            )
            page.reload()
            expect(page.locator("[data-figure=accuracy] [data-n]")).to_have_text(str(n))
            expect(note).to_have_text(told)


def test_a_continued_run_does_not_show_the_old_interval(
    site: Site, page_of: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While figures move, what was sure of the earlier ones is not shown beside them; at the end the new one is."""
    monkeypatch.setenv("SLOW", "0.01 60")
    page = page_of(f"{site.url}/eval")
    _start(page, "slow")
    expect(page.locator("#done")).to_have_text("1")
    page.click("[data-cancel]")
    page.click("[data-cancel]")
    expect(page.locator("#run[data-state=partial]")).to_be_visible()
    interval = page.locator("[data-figure=pass_rate] [data-interval]")
    expect(interval).to_contain_text("–")
    monkeypatch.setenv("SLOW", "2.5")
    page.click("[data-resume]")

    expect(page.locator("#done")).to_have_text("2")
    expect(page.locator("[data-figure=pass_rate] [data-n]")).to_have_text("2")
    assert not page.locator("[data-figure=pass_rate] .small").inner_text().count("–")
    _finished(page)
    expect(interval).to_contain_text("–")


# --- 3: what it came to ---


@pytest.mark.parametrize("locale", LOCALES)
def test_results_are_shown_filtered_searched_and_sorted(site: Site, page_of: Open, locale: str) -> None:
    """整体指标, 得分分布, groups, 单例结果, 错误汇总, Notes; and finding among them."""
    words = WORDS[locale]
    page = page_of(f"{site.url}/eval/runs/{site.run()}", locale)
    rows = page.locator("#table tbody tr")

    for name in ("overall", "cases", "errors"):
        expect(page.locator("h2", has_text=words[name]).first).to_be_visible()
    expect(page.locator("[data-figure=accuracy]")).to_contain_text("66.7%")
    expect(page.locator("svg.distribution")).to_be_visible()
    expect(rows).to_have_count(3)
    expect(rows.first.locator("td.mark-cell")).to_have_text(["1.000", "√", "√"])
    expect(page.locator(".errors li")).to_have_count(2)
    expect(page.locator("#notes-text")).to_contain_text("1. Q2")
    page.select_option("select[name=state]", "missed")
    expect(rows).to_have_count(2)
    page.fill("input[name=q]", "停车")
    expect(rows).to_have_count(1)
    expect(rows.locator("a")).to_have_text("Q3")
    page.click("#filter button[type=reset]")
    page.select_option("select[name=sort]", "score")
    expect(rows.locator("a").first).to_have_text("Q3")


def test_a_filter_stays_in_the_address(site: Site, page_of: Open) -> None:
    """A link to what one looks at can be sent to somebody."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}?state=missed")

    expect(page.locator("#table tbody tr")).to_have_count(2)
    page.click("[data-filter-tag=no_citation]")
    expect(page.locator("#table tbody tr")).to_have_count(1)
    assert "tag=no_citation" in page.url


def test_files_can_be_taken_away(site: Site, page_of: Open, tmp_path: Path, browser: Browser) -> None:
    """report.html comes as a file that opens without a server and asks for nothing."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}")
    page.click("details.menu summary")
    with page.expect_download() as download:
        page.click("text=report.html")
    saved = tmp_path / "saved.html"
    download.value.save_as(saved)
    asked: list[str] = []
    context = browser.new_context(offline=True)
    report = context.new_page()
    report.on("request", lambda request: asked.append(request.url))
    report.goto(saved.as_uri())

    assert asked == [saved.as_uri()]
    expect(report.locator("svg.distribution")).to_be_visible()
    expect(report.locator("body")).to_contain_text("66.7%")
    context.close()


# --- 4: one case ---


@pytest.mark.parametrize("locale", LOCALES)
def test_a_case_shows_what_its_verdict_rests_on(site: Site, page_of: Open, locale: str) -> None:
    """Marks in the answer, gold beside it, anchors in the contexts, why; j and k walk on."""
    page = page_of(f"{site.url}/eval/runs/{site.run()}", locale)
    page.locator("#table tbody tr a").first.click()

    expect(page.locator("section[aria-labelledby=answer] mark.good").first).to_have_text("八点开门")
    expect(page.locator("section[aria-labelledby=answer] mark.cite").first).to_have_text("hours.md")
    expect(page.locator("section[aria-labelledby=gold]")).to_contain_text("八点开门")
    expect(page.locator(".context mark.anchor")).to_have_text("八点开门")
    page.wait_for_load_state()  # the keys' script runs once the whole page is there
    page.keyboard.press("j")
    page.wait_for_url("**/cases/2")
    page.wait_for_load_state()
    expect(page.locator("section[aria-labelledby=answer] mark.wrong").first).to_have_text("guide.md")
    expect(page.locator(".why")).to_contain_text("guide.md")
    page.keyboard.press("k")
    page.wait_for_url("**/cases/1")


def test_hostile_answers_stay_writing(tmp_path: Path, page_of: Open) -> None:
    """Tags, scripts, links and escapes in questions, answers and contexts do nothing in a browser."""
    rows = [{**ROWS[0], "q": HOSTILE, "category": HOSTILE}]
    furnish(tmp_path, rows, [{"id": "Q1", "output": HOSTILE, "contexts": [{"source_path": HOSTILE, "text": HOSTILE}]}])
    with serving(Settings(systems=SYSTEMS)) as site:
        run_id = site.run()
        for path in (f"/eval/runs/{run_id}", f"/eval/runs/{run_id}/cases/1", "/eval", "/eval/history"):
            page = page_of(site.url + path)
            page.wait_for_load_state("networkidle")
            assert "owned" not in page.title()
            assert page.locator("main img").count() == 0
            assert page.locator('a[href^="javascript"]').count() == 0
        page = page_of(f"{site.url}/eval/runs/{run_id}/cases/1")
        expect(page.locator("section[aria-labelledby=answer] .prose")).to_contain_text("<script>document.title")


# --- 5: two runs ---


@pytest.mark.parametrize("locale", LOCALES)
def test_two_runs_are_picked_and_compared(site: Site, page_of: Open, locale: str) -> None:
    """From the history: differences, flips both ways with their cause, side by side, and a trend."""
    for system in ("recorded", "second", "recorded"):
        site.run(system)
        time.sleep(1.1)  # the names of runs tell seconds, and their order is the names'
    page = page_of(f"{site.url}/eval/history", locale)
    expect(page.locator("svg.trend")).to_be_visible()
    boxes = page.locator("input[name=pick]")
    boxes.nth(1).check()
    boxes.nth(2).check()
    page.click("#compare")

    expect(page.locator(".deltas tbody tr").first).to_be_visible()
    expect(page.locator(".changes > li.fixed")).to_have_count(1)
    expect(page.locator(".changes > li.fixed")).to_contain_text("Q2")
    expect(page.locator(".changes > li.fixed .sides .prose")).to_have_count(2)


# --- for everybody ---

PATHS = ["/eval", "/eval/history", "/eval/compare", "/eval/runs/{run}", "/eval/runs/{run}/cases/2", "/eval/api", "/no"]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_every_page_can_be_read_and_operated_by_everybody(
    site: Site, page_of: Open, complaints: list[str], scheme: str
) -> None:
    """Contrast, names, labels, roles, headings, ids, keyboard: nothing serious on any page, light or dark."""
    run = site.run()
    site.run("second")
    found = {}
    for path in PATHS:
        page = page_of(site.url + path.format(run=run), color_scheme=scheme)
        page.wait_for_load_state("networkidle")
        for menu in page.locator("details").all():
            menu.evaluate("node => { node.open = true; }")
        found[path] = faults(page)

    assert {path: faults for path, faults in found.items() if faults} == {}
    complaints[:] = [one for one in complaints if "404" not in one]


def test_the_keyboard_alone_is_enough(site: Site, page_of: Open) -> None:
    """Tab leads from top to bottom, every step can be seen, and Enter starts a run."""
    page = page_of(f"{site.url}/eval")
    expect(page.locator("#check .verdict")).to_be_visible()

    places = walk_by_keyboard(page, 12)

    assert all(place["outline"] for place in places), places
    order = [(place["where"], place["top"]) for place in places[1:] if place["tag"] != "BODY"]
    assert [where for where, _ in order] == sorted(where for where, _ in order)
    tops = [top for where, top in order if where == 1]
    assert tops == sorted(tops)
    page.focus("#go")
    page.keyboard.press("Enter")
    page.wait_for_url("**/eval/runs/**")
    _finished(page)


@pytest.mark.parametrize("path", PATHS)
def test_nothing_is_cut_off_on_a_phone(site: Site, page_of: Open, complaints: list[str], path: str) -> None:
    """At 375 pixels no page is wider than the screen."""
    run = site.run()
    page = page_of(site.url + path.format(run=run), viewport={"width": 375, "height": 740})
    page.wait_for_load_state("networkidle")

    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    complaints[:] = [one for one in complaints if "404" not in one]


def test_a_comparison_can_be_read_on_a_phone(site: Site, page_of: Open, tmp_path: Path) -> None:
    """Every figure is there with its name, none stacked letter by letter, and no answer makes the page wider."""
    (tmp_path / "answers2.jsonl").write_text(
        "".join(json.dumps({**one, "output": "x" * 600}) + "\n" for one in ANSWERS)
    )
    first = site.run("recorded")
    second = site.run("second")
    page = page_of(f"{site.url}/eval/compare?first={first}&second={second}", viewport={"width": 375, "height": 740})

    row = page.locator(".deltas tbody tr").first
    places = [cell.bounding_box() for cell in row.locator("th, td").all()]

    assert page.evaluate("document.documentElement.scrollWidth") <= 375
    assert len(places) == 7
    assert all(place and place["x"] + place["width"] <= 375 for place in places)
    assert places[0] and places[0]["height"] < 40
    assert [cell.get_attribute("data-label") for cell in row.locator("td").all()][:3] == ["之前", "之后", "差值"]


def test_language_and_theme_are_chosen_and_kept(site: Site, page_of: Open) -> None:
    """Three languages, light and dark; the choice stays with the next page."""
    page = page_of(f"{site.url}/eval")
    page.select_option("#language", "zh-Hant")
    page.wait_for_url("**lang=zh-Hant**")
    expect(page.locator("#go")).to_have_text("開始評測")
    page.click("[data-theme-switch]")

    page.goto(f"{site.url}/eval/history")

    expect(page.locator("html")).to_have_attribute("lang", "zh-Hant")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    expect(page.locator("h1")).to_have_text("評測歷史")


def test_a_token_is_asked_for_once(tmp_path: Path, page_of: Open, complaints: list[str]) -> None:
    """Login, a wrong token, the right one, and out again."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, token="correct-horse-battery")) as site:
        page = page_of(f"{site.url}/eval/history")
        page.fill("#token", "wrong-wrong-wrong-wrong")
        page.keyboard.press("Enter")
        expect(page.locator("#wrong")).to_be_visible()
        page.fill("#token", "correct-horse-battery")
        page.keyboard.press("Enter")
        page.wait_for_url("**/eval/history")
        page.goto(f"{site.url}/eval")
        _start(page, "recorded")
        _finished(page)
        page.click("[data-logout]")
        page.wait_for_url("**/eval/login")
        page.goto(f"{site.url}/eval")
        expect(page.locator("#token")).to_be_visible()
    assert all("401" in one for one in complaints)
    complaints.clear()


def test_the_first_paint_is_light(site: Site, page_of: Open, browser: Browser) -> None:
    """Page, style and scripts together stay below 60 KB on the wire."""
    page = browser.new_context().new_page()
    sizes: list[int] = []
    page.on("requestfinished", lambda request: sizes.append(request.sizes()["responseBodySize"]))
    page.goto(f"{site.url}/eval")
    page.wait_for_load_state("networkidle")

    assert 0 < sum(sizes) < 60_000
    page.context.close()


FAULTY = """<!doctype html><html><head><title></title></head><body><main><h1>x</h1><h3>y</h3>
<p style="color:#999;background:#fff">pale</p><button></button><input><img src="data:,"><a href="#" tabindex="3">z</a>
<i id="a"></i><i id="a"></i><p aria-labelledby="none">p</p></main></body></html>"""


def test_the_look_over_finds_what_is_wrong(browser: Browser) -> None:
    """A page full of faults is told of each, so that silence means something."""
    page = browser.new_context().new_page()
    page.set_content(FAULTY)

    found = " ".join(faults(page))

    for word in ("contrast", "no name", "no label", "no alt", "no language", "no title", "skips", "twice", "tabindex"):
        assert word in found
    assert "points at nothing" in found
    page.context.close()


# --- truth ---


def test_a_broken_upload_leaves_nothing_to_start(site: Site, page_of: Open, complaints: list[str]) -> None:
    """After a file with faults nothing is chosen: the dataset chosen before is not run in its place."""
    page = page_of(f"{site.url}/eval", locale="en-US")
    expect(page.locator("#check .verdict")).to_be_visible()
    expect(page.locator("#go")).to_be_enabled()

    page.set_input_files("#file", {"name": "bad.jsonl", "mimeType": "application/json", "buffer": b'{"q": 1}\n'})

    expect(page.locator("#check .error").first).to_be_visible()
    expect(page.locator("#go")).to_be_disabled()
    expect(page.locator("#missing")).to_contain_text("Choose a dataset")
    page.check("input[name=dataset][value='library.jsonl']")
    expect(page.locator("#go")).to_be_enabled()
    complaints.clear()  # the refusal of the file is told in the console


def test_enter_on_a_choice_starts_nothing(site: Site, page_of: Open) -> None:
    """Only the button starts a run."""
    page = page_of(f"{site.url}/eval")
    expect(page.locator("#check .verdict")).to_be_visible()

    for name in ("dataset", "system"):
        page.focus(f"input[name={name}]:checked")
        page.keyboard.press("Enter")
    page.wait_for_timeout(300)

    assert page.url == f"{site.url}/eval"
    assert site.get("/api/v1/runs").json == {"runs": [], "going": []}


def test_a_dry_run_and_an_endpoint_that_is_down_say_so(site: Site, page_of: Open) -> None:
    """The banner of a dry run; the reason of a run that came to nothing, and no figure."""
    page = page_of(f"{site.url}/eval", locale="en-US")
    _start(page, "mock")
    _finished(page)
    expect(page.locator(".banner.dry")).to_contain_text("measure no system")
    expect(page.locator(".figure .state-dry")).to_have_count(page.locator(".figure").count())

    refused("down")
    page.goto(f"{site.url}/eval/runs/down")

    expect(page.locator(".banner.warn", has_text="refused")).to_be_visible()
    expect(page.locator(".banner.warn", has_text="Not measured: 0 of 3")).to_be_visible()
    assert set(page.locator(".figure .value").all_inner_texts()) == {"–"}


def test_the_matrix_is_walked_by_arrow_keys(site: Site, page_of: Open) -> None:
    """One step of Tab enters it, arrows lead from cell to cell, Enter opens the answers side by side."""
    specs = ["replay:answers.jsonl", "replay:answers2.jsonl"]
    evaluate("datasets/library.jsonl", specs, run_id="two", settings=Settings())
    page = page_of(f"{site.url}/eval/runs/two/matrix", locale="en-US")
    cells = page.locator("#matrix td a")
    expect(cells.nth(5)).to_have_attribute("tabindex", "-1")
    expect(cells.first).to_have_attribute("tabindex", "0")

    cells.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(cells.nth(3)).to_be_focused()
    page.keyboard.press("Enter")

    page.wait_for_url("**/matrix/case?run=two&column=0&place=2#a0-4")
    expect(page.locator(".answers .card")).to_have_count(2)
    expect(page.locator(".answers mark.diff").first).to_be_visible()
    assert faults(page) == []
