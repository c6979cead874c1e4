"""PDF files: pages keep their numbers, Chinese is read, locked and broken files say so."""

import io
from collections.abc import Sequence

import pytest
from pypdf import PdfWriter

from ragstone.documents import DocumentError, Page
from ragstone.documents.pdf import _whole_lines, read_pdf

_TO_UNICODE = b"""/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /A def /CMapType 2 def
1 begincodespacerange <0000> <FFFF> endcodespacerange 1 beginbfrange <0000> <FFFF> <0000> endbfrange
endcmap CMapName currentdict /CMap defineresource pop end end"""


def make_pdf(pages: Sequence[str]) -> bytes:
    """Write a small PDF whose character codes are Unicode itself; an empty text makes an empty page."""
    kids = " ".join(f"{6 + 2 * number} 0 R" for number in range(len(pages)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>".encode(),
        b"<< /Type /Font /Subtype /Type0 /BaseFont /A /Encoding /Identity-H"
        b" /DescendantFonts [4 0 R] /ToUnicode 5 0 R >>",
        b"<< /Type /Font /Subtype /CIDFontType2 /BaseFont /A"
        b" /CIDSystemInfo << /Registry (A) /Ordering (B) /Supplement 0 >> >>",
        _stream(_TO_UNICODE),
    ]
    for number, text in enumerate(pages):
        page = f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {7 + 2 * number} 0 R"
        objects.append(f"{page} /Resources << /Font << /F 3 0 R >> >> >>".encode())
        lines = " ".join(f"<{line.encode('utf-16-be').hex()}> Tj 0 -20 Td" for line in text.split("\n"))
        objects.append(_stream(f"BT /F 12 Tf 50 700 Td {lines} ET".encode() if text else b""))
    return _file(objects)


def _stream(data: bytes) -> bytes:
    return b"<< /Length %d >> stream\n" % len(data) + data + b"\nendstream"


def _file(objects: list[bytes]) -> bytes:
    out = io.BytesIO(b"%PDF-1.4\n")
    out.seek(0, io.SEEK_END)
    places = []
    for number, body in enumerate(objects, 1):
        places.append(out.tell())
        out.write(b"%d 0 obj " % number + body + b" endobj\n")
    table = out.tell()
    out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
    out.writelines(b"%010d 00000 n \n" % place for place in places)
    out.write(b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, table))
    return out.getvalue()


def lock(data: bytes, password: str) -> bytes:
    """Encrypt a PDF; with an empty password everybody may open it."""
    writer = PdfWriter(clone_from=io.BytesIO(data))
    writer.encrypt(password, owner_password="owner", algorithm="RC4-128")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


def test_pages_and_chinese() -> None:
    """Each page keeps its number, also behind an empty one."""
    pages = read_pdf(make_pdf(["第一页的内容", "", "Third page"]), "a.pdf")

    assert [(page.number, page.text.strip()) for page in pages] == [(1, "第一页的内容"), (2, ""), (3, "Third page")]


def test_broken_lines_are_joined() -> None:
    """A Chinese sentence that the page breaks is whole again; paragraphs and Latin lines stay."""
    pages = read_pdf(make_pdf(["押金为两个月的租\n金，退房时返还。\n第二条 水电费。\nline one\nline two"]), "a.pdf")

    assert pages[0].text.split("\n")[0] == "押金为两个月的租金，退房时返还。"
    assert "line one\nline two" in pages[0].text


def test_open_encryption_is_read() -> None:
    """A document that only restricts printing is read."""
    assert read_pdf(lock(make_pdf(["甲"]), ""), "a.pdf") == (Page(1, "甲"),)


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (lock(make_pdf(["甲"]), "secret"), "documents.locked"),
        (b"", "documents.unreadable"),
        (b"%PDF-1.7\n" + b"\xff" * 100, "documents.unreadable"),
        (make_pdf(["", ""]), "documents.no_text"),
    ],
)
def test_says_what_is_wrong(data: bytes, code: str) -> None:
    """Locked, empty, broken and scanned documents each have their message."""
    with pytest.raises(DocumentError) as caught:
        read_pdf(data, "a.pdf")

    assert caught.value.code == code


@pytest.mark.parametrize("cut", [20, 200, 500, 800])
def test_truncated_files_never_raise_anything_else(cut: int) -> None:
    """A file cut short is read as far as it goes, or is a DocumentError."""
    data = make_pdf(["第一页", "第二页"])[:cut]

    try:
        pages = read_pdf(data, "a.pdf")
    except DocumentError as error:
        pages = ()
        assert error.code.startswith("documents.")
    assert len(pages) <= 2


def test_a_numbered_heading_is_not_joined_to_the_text_below_it() -> None:
    """Other lines are, where a sentence goes on."""
    text = "样。\n2 开机准备\n流动相须经过\n过滤。"
    assert _whole_lines(text) == "样。\n2 开机准备\n流动相须经过过滤。"
