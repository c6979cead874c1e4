"""Word files: paragraphs, headings, lists, tables, pages; hostile files are refused."""

import io
import zipfile

import pytest

from ragstone.documents import DocumentError
from ragstone.documents.docx import read_docx

W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
MC = 'xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
STYLES = f'<w:styles {W}><w:style w:styleId="2"><w:name w:val="heading 2"/></w:style></w:styles>'


def make_docx(body: str, *, styles: str = STYLES, head: str = "", part: str = "word/document.xml") -> bytes:
    """Pack a body into a Word file."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(part, f'<?xml version="1.0"?>{head}<w:document {W} {MC}><w:body>{body}</w:body></w:document>')
        archive.writestr("word/styles.xml", styles)
    return out.getvalue()


def paragraph(text: str, properties: str = "") -> str:
    """Write one paragraph."""
    return f"<w:p><w:pPr>{properties}</w:pPr><w:r>{text}</w:r></w:p>"


def run(text: str) -> str:
    """Write one run's text."""
    return f"<w:t>{text}</w:t>"


def text_of(body: str) -> str:
    """Read a body back as one text."""
    return "\n\f".join(page.text for page in read_docx(make_docx(body), "a.docx"))


def test_paragraphs_headings_lists() -> None:
    """Headings get their marks through the style table, items a dash."""
    body = (
        paragraph(run("费用"), '<w:pStyle w:val="2"/>')
        + paragraph(run("包括："))
        + paragraph(run("水费"), '<w:numPr><w:ilvl w:val="0"/></w:numPr>')
        + paragraph(run("电") + "</w:r><w:r>" + run("费"), "<w:numPr/>")
    )

    assert text_of(body) == "## 费用\n\n包括：\n\n- 水费\n- 电费"


TITLED = STYLES.replace("</w:styles>", '<w:style w:styleId="T"><w:name w:val="Title"/></w:style></w:styles>')


def test_the_title_stands_above_the_headings() -> None:
    """Its style makes it the first heading, and what follows goes one level down; an empty one is none."""
    title, heading = '<w:pStyle w:val="T"/>', '<w:pStyle w:val="2"/>'
    body = paragraph(run("Larkspur guide"), title) + paragraph(run("Fees"), heading)
    texts = [
        read_docx(make_docx(whole, styles=TITLED), "a.docx")[0].text
        for whole in (body, paragraph(run(" "), title) + body.partition("</w:p>")[2])
    ]
    assert [text.split() for text in texts] == [["#", "Larkspur", "guide", "###", "Fees"], ["##", "Fees"]]


def test_table_rows() -> None:
    """A table row is one line, its cells parted."""
    row = "<w:tr>" + "".join(f"<w:tc>{paragraph(run(cell))}</w:tc>" for cell in ("项目", "金额")) + "</w:tr>"

    assert text_of(f"<w:tbl>{row}{row}</w:tbl>") == "项目 | 金额\n项目 | 金额"


def test_breaks_and_tabs() -> None:
    """A line break and a tab stay white space."""
    assert text_of(paragraph(run("甲") + "<w:br/>" + run("乙") + "<w:tab/>" + run("丙"))) == "甲\n乙\t丙"


def test_pages_by_the_writer() -> None:
    """Page breaks that the writer set begin pages."""
    body = paragraph(run("甲") + '<w:br w:type="page"/>') + paragraph(run("乙"), "<w:pageBreakBefore/>")
    pages = read_docx(make_docx(body), "a.docx")

    assert [(page.number, page.text.strip()) for page in pages] == [(1, "甲"), (3, "乙")]


def test_pages_as_drawn() -> None:
    """Where Word noted the ends of pages, only those count."""
    body = paragraph(run("甲") + '<w:br w:type="page"/>') + paragraph("<w:lastRenderedPageBreak/>" + run("乙"))
    pages = read_docx(make_docx(body), "a.docx")

    assert [(page.number, page.text.strip()) for page in pages] == [(1, "甲"), (2, "乙")]


def test_text_boxes_once_and_deleted_text_never() -> None:
    """The fallback copy of a text box and text that was deleted are left out."""
    choices = f"<mc:Choice>{run('盒')}</mc:Choice><mc:Fallback>{run('盒')}</mc:Fallback>"
    box = f"<mc:AlternateContent>{choices}</mc:AlternateContent>"
    deleted = "<w:delText>删</w:delText>"

    assert text_of(paragraph(box + deleted + run("文"))) == "盒文"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"PK\x03\x04 broken",
        make_docx("<w:p>"),
        make_docx("", part="word/other.xml"),
        make_docx("", head='<!DOCTYPE a [<!ENTITY b "c">]>'),
        make_docx("", styles='<!DOCTYPE a SYSTEM "file:///etc/passwd"><a/>'),
        make_docx(paragraph(run("甲"))).replace(b"PK\x01\x02", b"PK\x01\x00"),
    ],
)
def test_refuses_what_it_cannot_trust(data: bytes) -> None:
    """Broken archives, broken XML and declared entities are errors with a message."""
    with pytest.raises(DocumentError) as caught:
        read_docx(data, "a.docx")

    assert caught.value.code == "documents.unreadable"


def test_entities_hidden_by_an_encoding_are_refused() -> None:
    """A body that is not UTF-8 is refused, so no encoding can hide a declaration."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr("word/document.xml", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>'.encode("utf-16"))

    with pytest.raises(DocumentError):
        read_docx(out.getvalue(), "a.docx")


def test_bomb_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    """What unpacks beyond the limit is refused, whatever its directory says."""
    monkeypatch.setattr("ragstone.documents.docx.MAX_BYTES", 100_000)

    with pytest.raises(DocumentError) as caught:
        read_docx(make_docx(paragraph(run("零" * 500_000))), "a.docx")

    assert caught.value.code == "documents.too_large"


def test_depth_costs_no_recursion() -> None:
    """Deeply nested elements are read or refused, never a crash."""
    deep = "<w:sdt>" * 20_000 + run("深") + "</w:sdt>" * 20_000

    assert "深" in text_of(paragraph(deep))


def test_what_is_struck_out_or_hidden_is_not_read() -> None:
    """In its run alone; a mark that is switched off strikes nothing."""
    struck = "<w:rPr><w:strike/></w:rPr>" + run("旧价60元。") + "</w:r><w:r>"
    hidden = '<w:rPr><w:vanish w:val="true"/></w:rPr>' + run("内部。") + "</w:r><w:r>"
    shown = '<w:rPr><w:strike w:val="0"/></w:rPr>' + run("票价70元。")
    assert text_of(paragraph(struck + hidden + shown)) == "票价70元。"
