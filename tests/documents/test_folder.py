"""Folders of documents: order, subfolders, links, what is skipped and what is said about it."""

import os
from pathlib import Path

import pytest

from ragstone.core.messages import codes
from ragstone.core.types import Finding
from ragstone.documents import Document, DocumentError, Page, find_files, read_document, read_folder

DATA = Path(__file__).parent.parent / "data" / "documents"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with documents in subfolders, one hidden, one of a foreign kind."""
    root = tmp_path / "docs"
    for name in ["b.md", "a/z.txt", "a/b.md", "B.TXT", ".hidden.md", ".git/x.md", "picture.png"]:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"{name} 的内容。", encoding="utf-8")
    return root


def test_stable_order_and_names(folder: Path) -> None:
    """Documents come sorted by path, named relative to the folder; hidden ones stay hidden."""
    names = [document.name for document in read_folder(folder)]

    assert names == ["B.TXT", "a/b.md", "a/z.txt", "b.md"]


def test_foreign_kinds_are_noted(folder: Path) -> None:
    """A file that cannot be read is skipped with a note that names what can."""
    notes: list[Finding] = []
    list(read_folder(folder, notes.append))

    assert [(note.code, note.position.file) for note in notes] == [("documents.kind", "picture.png")]
    assert ".docx" in notes[0].params["kinds"]


def test_links_never_lead_out(folder: Path, tmp_path: Path) -> None:
    """A link to a file outside, or to a folder, is not followed; a link inside is."""
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "s.md").write_text("秘密。", encoding="utf-8")
    (folder / "out.md").symlink_to(secret / "s.md")
    (folder / "way").symlink_to(secret, target_is_directory=True)
    (folder / "in.md").symlink_to(folder / "b.md")
    notes: list[Finding] = []

    names = [document.name for document in read_folder(folder, notes.append)]

    assert "in.md" in names
    assert not {"out.md", "way/s.md"} & set(names)
    assert "documents.outside" in {note.code for note in notes}


def test_pipes_and_broken_links_are_left_alone(folder: Path) -> None:
    """A pipe is not waited for, and a link to nothing is noted."""
    os.mkfifo(folder / "pipe.txt")
    (folder / "nowhere.md").symlink_to(folder / "none.md")
    notes: list[Finding] = []

    names = [document.name for document in read_folder(folder, notes.append)]

    assert not {"pipe.txt", "nowhere.md"} & set(names)
    assert {"pipe.txt", "nowhere.md"} <= {note.position.file for note in notes}


def test_names_that_are_no_utf8(folder: Path) -> None:
    """A file name in another encoding is shown with replacement characters, so that it can be written down."""
    Path(os.fsdecode(os.fsencode(folder) + b"/\xc4\xe3.md")).write_text("你。", encoding="utf-8")

    assert "\ufffd\ufffd.md" in [document.name for document in read_folder(folder)]


def test_broken_documents_are_skipped_and_noted(tmp_path: Path) -> None:
    """One bad file does not hide the good ones."""
    (tmp_path / "bad.pdf").write_bytes(b"%PDF-1.4 nothing here")
    (tmp_path / "bad.docx").write_bytes(b"PK nothing here")
    (tmp_path / "bad.txt").write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8)
    (tmp_path / "good.md").write_text("好。", encoding="utf-8")
    (tmp_path / "old.txt").write_bytes("旧编码的文本。".encode("gb18030"))
    notes: list[Finding] = []

    names = [document.name for document in read_folder(tmp_path, notes.append)]

    assert names == ["good.md", "old.txt"]
    found = {note.position.file: note.code for note in notes}
    assert found == {
        "bad.docx": "documents.unreadable",
        "bad.pdf": "documents.unreadable",
        "bad.txt": "documents.binary",
        "old.txt": "documents.encoding",
    }
    assert set(found.values()) <= codes()


def test_reads_one_file(folder: Path) -> None:
    """A path to a file reads that file alone."""
    assert [name for _, name in find_files(folder / "b.md")] == ["b.md"]
    assert read_document(folder / "b.md") == Document("b.md", (Page(1, "b.md 的内容。"),))


def test_pages_of_a_transcript() -> None:
    """A marked transcript has its pages, and what was said on each."""
    document = read_document(DATA / "transcript.md")

    assert [page.number for page in document.pages] == [1, 2, 3]
    second = document.page(2)
    assert second is not None
    assert "三百二十元" in second.text
    assert document.page(9) is None
    assert "三百二十元" in document.text


@pytest.mark.parametrize("ends", ["\r\n", "\r", "\n"])
def test_line_ends_are_one_kind(tmp_path: Path, ends: str) -> None:
    """Windows and old line ends become line feeds."""
    path = tmp_path / "a.txt"
    path.write_bytes(ends.join(["甲", "乙"]).encode())

    assert read_document(path).text == "甲\n乙"


def test_empty_file_is_one_empty_page(tmp_path: Path) -> None:
    """An empty document is a document."""
    (tmp_path / "a.txt").touch()

    assert read_document(tmp_path / "a.txt").pages == (Page(1, ""),)


@pytest.mark.parametrize(
    ("name", "code"),
    [("none.md", "documents.unreadable"), ("a.xyz", "documents.kind"), ("dir.md", "documents.unreadable")],
)
def test_says_what_is_wrong(tmp_path: Path, name: str, code: str) -> None:
    """A missing file, a foreign kind and a folder each have their message."""
    (tmp_path / "dir.md").mkdir()

    with pytest.raises(DocumentError) as caught:
        read_document(tmp_path / name)

    assert caught.value.code == code
    assert name in caught.value.say("zh-Hans")


def test_too_large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A file beyond the limit is refused before it fills the memory."""
    monkeypatch.setattr("ragstone.documents.folder.MAX_BYTES", 10)
    (tmp_path / "a.txt").write_text("x" * 11, encoding="utf-8")

    with pytest.raises(DocumentError) as caught:
        read_document(tmp_path / "a.txt")

    assert caught.value.code == "documents.too_large"
