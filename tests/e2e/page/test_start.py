"""Starting without a terminal: tables, documents, recorded answers, services, several systems, rows."""

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import FilePayload, Page, expect

from tests.documents.test_docx import make_docx
from tests.documents.test_pdf import make_pdf
from tests.e2e.page.access import Open
from tests.web.site import ROWS, Site, answering
from tests.web.test_bring import KINDS, packed, workbook

pytestmark = pytest.mark.long
WIDE = {"width": 1440, "height": 900}


def opened(page_of: Open, site: Site) -> Page:
    """Open the start page with everything unfolded."""
    page = page_of(f"{site.url}/eval", "en-US", viewport=WIDE)
    expect(page.locator("#check .verdict")).to_be_visible()
    page.locator("details.more").evaluate_all("all => all.forEach((one) => { one.open = true; })")
    return page


def test_a_table_is_mapped_gets_documents_and_is_asked(
    site: Site, page_of: Open, complaints: list[str], tmp_path: Path
) -> None:
    """CSV with strange columns, documents from files, the built-in RAG: from nothing to a run by the browser alone."""
    table, document = tmp_path / "faq.csv", tmp_path / "hours.md"
    table.write_text("题干,要点,出处\n图书馆几点开门？,八点开门,hours.md\n")
    document.write_text("图书馆每天八点开门。")
    page = opened(page_of, site)
    page.set_input_files("#file", table)
    expect(page.locator("#map")).to_be_visible()
    for field, column in (("question", "题干"), ("gold", "要点"), ("documents", "出处")):
        page.select_option(f"select[name='map.{field}']", column)
    page.click("text=Use these columns")
    expect(page.locator("input[name=dataset]:checked")).to_have_value("faq.csv")
    page.set_input_files("#files", document)
    expect(page.locator("#documents")).to_have_text("1 document")
    page.reload()
    expect(page.locator("#documents")).to_have_text("1 document")
    page.check("input[name=system][value=builtin]")
    page.click("#go")
    page.wait_for_url("**/eval/runs/**")

    expect(page.locator("#run[data-state=complete]")).to_be_visible()
    expect(page.locator("[data-figure=accuracy] [data-value]")).to_have_text("100.0%")
    complaints[:] = [one for one in complaints if "422" not in one]


def test_a_service_is_entered_tried_and_asked_beside_recorded_answers(
    site: Site, page_of: Open, tmp_path: Path
) -> None:
    """RAGFlow by its form, one question to try it, recorded answers from a file: two systems in one run with a name."""
    recorded = tmp_path / "spring.jsonl"
    recorded.write_text(json.dumps({"id": "Q1", "output": "九点开门"}) + "\n")
    with answering({"code": 0, "data": {"answer": "八点开门 hours.md"}}) as service:
        page = opened(page_of, site)
        page.check("input[name=system][value=endpoint]")
        page.select_option("select[name=kind]", "ragflow")
        page.fill("input[name=url]", service.url)
        page.fill("input[name=chat_id]", "c1")
        page.fill("input[name=key]", "sk-typed-for-now")
        page.fill("input[name=system_name]", "flow")
        page.click("#try")
        expect(page.locator("#tried .prose")).to_have_text("八点开门 hours.md")
        expect(page.locator("input[name=system]:checked")).to_have_value("flow")
        expect(page.locator("input[name=key]")).to_have_value("")
        page.click("#also")
        page.set_input_files("#answers", recorded)
        expect(page.locator("input[name=system]:checked")).to_have_value("spring")
        page.fill("input[name=run_name]", "Flow against spring")
        page.click("#go")
        page.wait_for_url("**/eval/runs/**")
        expect(page.locator("#run[data-state=complete]")).to_be_visible()

    expect(page.locator("h1")).to_contain_text("Flow against spring")
    expect(page.locator("select#model option")).to_have_text(["flow", "spring"])
    assert any("sk-typed-for-now" in str(one.headers) for one in service.seen)


def test_the_button_is_in_view(site: Site, page_of: Open) -> None:
    """At 1440 by 900, whatever is unfolded, and on a phone."""
    for size in (WIDE, {"width": 375, "height": 740}):
        page = page_of(f"{site.url}/eval", "en-US", viewport=size)
        page.check("input[name=system][value=endpoint]")
        page.locator("details.more").evaluate_all("all => all.forEach((one) => { one.open = true; })")
        place = page.locator("#go").bounding_box()
        assert place and 0 < place["y"] + place["height"] <= size["height"]


def test_recorded_answers_say_how_many_cases_they_know(site: Site, page_of: Open, tmp_path: Path) -> None:
    """Before anything is started."""
    recorded = tmp_path / "other.jsonl"
    recorded.write_text(json.dumps({"id": "X1", "output": "九点开门"}) + "\n")
    page = opened(page_of, site)
    page.set_input_files("#answers", recorded)
    expect(page.locator("#matched")).to_have_text("0 of the first 3 cases have a recorded answer.")


def test_another_language_keeps_what_was_entered(site: Site, page_of: Open) -> None:
    """All but a key, also where everything is folded."""
    page = opened(page_of, site)
    page.check("input[name=system][value=endpoint]")
    page.fill("input[name=url]", f"{site.url}/one/ask")
    page.fill("input[name=key]", "secret")
    page.fill("input[name=run_name]", "Spring")
    page.select_option("#language", "zh-Hans")
    page.wait_for_selector("html[lang=zh-Hans]")

    expect(page.locator("input[name=run_name]")).to_be_visible()
    values = [page.input_value(f"input[name={name}]") for name in ("run_name", "url", "key")]
    assert values == ["Spring", f"{site.url}/one/ask", ""]
    expect(page.locator("input[name=system]:checked")).to_have_value("endpoint")


def test_two_addresses_without_a_name_are_two_systems(site: Site, page_of: Open, tmp_path: Path) -> None:
    """One machine, two paths."""
    with answering({"answer": "八点开门 hours.md"}) as service:
        page = opened(page_of, site)
        for path in ("/ask", "/html/ask"):
            page.check("input[name=system][value=endpoint]")
            page.fill("input[name=url]", f"{service.url}{path}")
            page.click("#also")
            expect(page.locator(f"#several [data-system$='{path.replace('/', '-')}']").first).to_be_visible()
    expect(page.locator("#several li")).to_have_count(2)


def test_documents_make_the_built_in_rag_the_system(site: Site, page_of: Open, tmp_path: Path) -> None:
    """Where no other was chosen, it answers from what was brought."""
    document, data = tmp_path / "hours.md", tmp_path / "mine.jsonl"
    document.write_text("图书馆每天八点开门。")
    data.write_text(json.dumps(ROWS[0], ensure_ascii=False) + "\n")
    page = opened(page_of, site)
    page.evaluate("document.querySelectorAll('[name=system]').forEach((one) => { one.checked = false; })")
    page.set_input_files("#file", data)
    expect(page.locator("input[name=dataset]:checked")).to_have_value("mine.jsonl")
    expect(page.locator("#go")).to_be_disabled()
    page.set_input_files("#files", document)

    expect(page.locator("input[name=system]:checked")).to_have_value("builtin")
    expect(page.locator("#go")).to_be_enabled()


def test_a_contract_that_does_not_fit_starts_nothing(site: Site, page_of: Open) -> None:
    """The button says why."""
    page = opened(page_of, site)
    page.select_option("select[name=contract]", "legal_rag")
    expect(page.locator("#missing")).to_contain_text("choose another contract")
    expect(page.locator("#go")).to_be_disabled()
    page.select_option("select[name=contract]", "")
    expect(page.locator("#go")).to_be_enabled()


def test_rows_are_looked_at_and_changed(site: Site, page_of: Open, complaints: list[str]) -> None:
    """A row is changed in place; the version before stays, the new one has its hash and can be evaluated."""
    page = opened(page_of, site)
    page.click("#rows")
    page.wait_for_url("**/eval/dataset?**")
    before = page.locator(".under code").inner_text()
    page.click("#r2 summary")
    page.fill("#r2 textarea", "{")
    page.click("#r2 [data-save]")
    expect(page.locator("#r2 #problem")).to_contain_text("no JSON")
    expect(page.locator("#problem")).to_be_in_viewport()
    page.fill("#r2 textarea", json.dumps({"q": 5}))
    page.click("#r2 [data-save]")
    expect(page.locator("#findings li").first).to_be_visible()
    page.fill("#r2 textarea", json.dumps({**ROWS[1], "gold": ["最多十二册"]}, ensure_ascii=False))
    page.click("#r2 [data-save]")
    page.wait_for_url("**library-v2.jsonl**")

    expect(page.locator("#r2 textarea")).to_have_value(re.compile("最多十二册"))
    assert page.locator(".under code").inner_text() != before
    expect(page.locator(".under a")).to_have_text("library.jsonl")
    page.click(".crumb a")
    expect(page.locator("input[name=dataset]:checked")).to_have_value("library-v2.jsonl")
    complaints[:] = [one for one in complaints if "422" not in one]


def test_a_workbook_and_every_kind_of_document_are_brought(site: Site, page_of: Open, tmp_path: Path) -> None:
    """Excel as a dataset; Markdown, PDF, Word, a zip and a folder as its documents."""
    folder = tmp_path / "more"
    folder.mkdir()
    (folder / "notes.txt").write_text("周日闭馆。")
    files = {
        "hours.md": "图书馆每天八点开门。".encode(),
        "rules.pdf": make_pdf(["The library opens at eight."]),
        "rules.docx": make_docx("<w:p><w:r><w:t>八点开门</w:t></w:r></w:p>"),
        "rest.zip": packed({"loans.md": "最多十册。"}),
    }
    page = opened(page_of, site)
    page.set_input_files("#file", {"name": "book.xlsx", "mimeType": "application/octet-stream", "buffer": workbook()})
    expect(page.locator("input[name=dataset]:checked")).to_have_value("book.xlsx")
    sent: list[FilePayload] = [
        {"name": name, "mimeType": "application/octet-stream", "buffer": data} for name, data in files.items()
    ]
    page.set_input_files("#files", sent)
    expect(page.locator("#documents")).to_have_text("4 documents")
    page.set_input_files("#folder", folder)
    expect(page.locator("#documents")).to_have_text("5 documents")
    page.check("input[name=system][value=builtin]")
    page.click("#go")
    page.wait_for_url("**/eval/runs/**")

    expect(page.locator("[data-figure=accuracy] [data-value]")).to_have_text("100.0%")


def test_every_kind_of_service_has_a_form(site: Site, page_of: Open) -> None:
    """Each is entered by its fields and answers the one question; what it said stands there."""
    for kind, (path, reply) in KINDS.items():
        with answering(reply) as service:
            page = opened(page_of, site)
            page.check("input[name=system][value=endpoint]")
            page.select_option("select[name=kind]", kind)
            page.fill("input[name=url]", service.url + path)
            for field in ("model", "chat_id"):
                if page.locator(f"input[name={field}]").is_visible():
                    page.fill(f"input[name={field}]", "m")
            page.fill("input[name=key]", "sk-typed-for-now")
            page.fill("input[name=system_name]", f"my {kind}")
            page.click("#try")
            expect(page.locator("#tried .prose")).to_have_text("八点开门 hours.md")
            expect(page.locator("input[name=system]:checked")).to_have_value(f"my {kind}")
            page.context.close()
