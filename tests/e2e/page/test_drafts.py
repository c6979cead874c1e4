"""Drafting by the browser alone: a document in, a set out, evaluated."""

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.e2e.page.access import Open
from tests.web.site import Site
from tests.web.test_drafts import RULES

pytestmark = pytest.mark.long


def test_a_document_becomes_a_run(site: Site, page_of: Open, complaints: list[str], tmp_path: Path) -> None:
    """From the start page to drafts, with what was drafted to read and take away, and on to a run."""
    document = tmp_path / "rules.md"
    document.write_text(RULES, encoding="utf-8")
    page = page_of(f"{site.url}/eval", "en-US")
    page.click("text=Draft some")
    page.fill("input[name=name]", "clinic")
    page.set_input_files("#files", document)
    expect(page.locator("#there")).to_have_text("1 document")
    page.click("#go")
    expect(page.locator("#made h2")).to_have_text("clinic.jsonl")
    expect(page.locator("#made")).not_to_contain_text("null")
    expect(page.locator("#made th", has_text="amount")).to_be_visible()
    page.click("text=Review them")
    expect(page.locator("#question")).not_to_be_empty()
    page.keyboard.press("1")
    expect(page.locator("#stand")).to_contain_text("2")
    page.goto(f"{site.url}/eval?dataset=clinic.jsonl")
    expect(page.locator("input[name=dataset]:checked")).to_have_value("clinic.jsonl")
    page.check("input[name=system][value=builtin]")
    page.click("#go")

    page.wait_for_url("**/eval/runs/**")
    expect(page.locator("#run[data-state=complete]")).to_be_visible()


def test_one_upload_gives_a_second_set_and_names_what_failed(
    site: Site, page_of: Open, complaints: list[str], tmp_path: Path
) -> None:
    """The second has the same documents and the next name; a visit without documents drafts nothing."""
    for name, content in {"rules.md": RULES, "broken.pdf": "no pdf", "odd[1].md": RULES}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    page = page_of(f"{site.url}/eval/drafts", "en-US")
    page.click("#go")
    expect(page.locator("#problem")).to_have_text("Add documents first.")
    page.set_input_files("#files", [tmp_path / name for name in ("rules.md", "broken.pdf", "odd[1].md")])
    expect(page.locator("#problem")).to_contain_text("odd[1].md:")
    assert ["422" in one for one in complaints] == [True]
    complaints.clear()
    page.click("#go")
    expect(page.locator("#made h2")).to_have_text("drafts.jsonl")
    expect(page.locator("#made")).to_contain_text("of 100 drafts")
    expect(page.locator("#made li")).to_contain_text(["broken.pdf", "odd[1].md"])
    page.click("#go")

    expect(page.locator("#made h2")).to_have_text("drafts-2.jsonl")
    expect(page.locator("#problem")).to_be_hidden()


def test_the_name_may_come_last_and_documents_are_taken_up_again(
    site: Site, page_of: Open, complaints: list[str], tmp_path: Path
) -> None:
    """Documents first, then a look at another source, then the page is left; the next visit names the set."""
    for name, content in {"rules.md": RULES, "none.md": ""}.items():
        (tmp_path / name).write_text(content, encoding="utf-8")
    page = page_of(f"{site.url}/eval/drafts", "en-US")
    page.set_input_files("#files", [tmp_path / name for name in ("rules.md", "none.md")])
    expect(page.locator("#problem")).to_have_text("none.md: the document is empty. Fill, replace or remove it.")
    expect(page.locator("#there")).to_have_text("1 document")
    page.select_option("select[name=documents_of]", "demo-zh")
    page.select_option("select[name=documents_of]", index=0)
    expect(page.locator("#there")).to_have_text("1 document")
    page.goto(f"{site.url}/eval/drafts")
    page.select_option("select[name=documents_of]", label="drafts: 1 document added earlier, not drafted from yet")
    expect(page.locator("#there")).to_have_text("1 document")
    page.set_input_files("#files", [tmp_path / "none.md"])
    expect(page.locator("#problem")).to_contain_text("none.md:")
    page.fill("input[name=name]", "clinic")
    page.select_option("select[name=contract]", "legal_rag")
    page.fill("input[name=abstain]", "80")
    page.click("#go")

    expect(page.locator("#made h2")).to_have_text("clinic.json")
    expect(page.locator("#made li")).to_contain_text("none.md:")
    expect(page.locator("#made")).to_contain_text("of 80 without an answer")
    expect(page.locator("option[data-left]")).to_have_count(0)
    expect(page.locator("#made h3", has_text="Could not be turned into such")).to_be_visible()
    expect(page.locator("#problem")).to_be_hidden()
    complaints[:] = [one for one in complaints if "415" not in one]


def test_a_draft_that_cannot_be_accepted_names_its_fault(
    site: Site, page_of: Open, complaints: list[str], tmp_path: Path
) -> None:
    """Under the message, without a flag of the terminal; rejecting it goes on."""
    document = tmp_path / "rules.md"
    document.write_text(RULES, encoding="utf-8")
    page = page_of(f"{site.url}/eval/drafts", "zh-CN")
    page.set_input_files("#files", document)
    page.click("#go")
    expect(page.locator("#made h2")).to_have_text("drafts.jsonl")
    Path("datasets/drafts.documents/rules.md").write_text("# 松鹤诊所就诊须知\n\n今日休息。\n", encoding="utf-8")
    page.click("text=逐题审阅")
    expect(page.locator("#question")).not_to_be_empty()
    page.keyboard.press("1")
    expect(page.locator("#problem")).to_contain_text("已不在文中")
    expect(page.locator("#problem")).not_to_contain_text("--")
    complaints[:] = [one for one in complaints if "422" not in one]
    page.keyboard.press("2")
    expect(page.locator("#problem")).to_be_hidden()
