"""Document names: one document under many names is one, and a similar name is another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragstone.reading.citations.document_names import document_key, same_document

SAME = [
    ("orchid_faq.md", "orchid_faq"),
    ("docs/guide/orchid_faq.md", "orchid_faq.md"),
    ("C:\\docs\\orchid_faq.md", "orchid_faq.md"),
    ("./orchid_faq.md", "/data/orchid_faq.md"),
    ("ORCHID_FAQ.MD", "orchid_faq.md"),
    ("orchid\\_faq.md", "orchid_faq.md"),
    ("orchid\\[_faq.md](_faq.md)", "orchid_faq.md"),
    ("orchid[_faq.md](_faq.md)", "orchid_faq"),
    ("[常见问题](docs/orchid_faq.md#top)", "orchid_faq.md"),
    ("[orchid_faq.md](#top)", "orchid_faq.md"),
    ("https://example.com/docs/orchid_faq.html?v=2#top", "orchid_faq"),
    ("%E5%90%88%E5%90%8C.pdf", "合同.pdf"),
    ("ｏｒｃｈｉｄ＿ｆａｑ．ｍｄ", "orchid_faq.md"),
    ("採購合同.pdf", "采购合同"),
    ("《采购合同》", "采购合同.pdf"),
    ("`orchid_faq.md`", "**orchid_faq.md**"),
    ("orchid_faq.md#page=3", "orchid_faq.md"),
    (" orchid_faq.md。", "orchid_faq.md"),
    ("(orchid_faq.md)", "orchid_faq.md"),
    ("docs/report_(final).md", "report_(final)"),
    ("employee  handbook.docx", "Employee Handbook"),
    ("guide", "docs/a/guide.md"),
    ("guide.md", "docs/a/guide.md"),
    ("a/guide.md", "docs/a/guide.md"),
    ("/data/docs/a/guide.md", "docs/a/guide.md"),
    ("https://example.com/docs/a/guide.md", "a/guide.md"),
    ("guide.markdown", "guide.md"),
]
OTHER = [
    ("01_intro.md", "11_intro.md"),
    ("faq", "orchid_faq"),
    ("orchid_faq.md", "orchid_faq2.md"),
    ("v1.2", "v1.3"),
    ("intro", "introduction"),
    ("采购合同.pdf", "采购合同补充.pdf"),
    ("a/b.md", "b/a.md"),
    ("report_(final).md", "report_(draft).md"),
    ("orchid_faq.md", "orchidfaq.md"),
    ("docs/b/guide.md", "docs/a/guide.md"),
    ("b/guide", "docs/a/guide.md"),
    ("https://example.com/b/guide.md", "docs/a/guide.md"),
    ("[x](docs/b/guide.md)", "docs/a/guide.md"),
    ("guide.pdf", "guide.md"),
    ("docs/guide.pdf", "guide.md"),
    ("", ""),
    ("///", ""),
]


@pytest.mark.parametrize(("one", "other"), SAME)
def test_ruling_2_2_same_document(one: str, other: str) -> None:
    """R2.2: path, ending, link, escapes, case, width and script do not make another document."""
    assert same_document(one, other)
    assert same_document(other, one)


@pytest.mark.parametrize(("one", "other"), OTHER)
def test_ruling_2_2_other_document(one: str, other: str) -> None:
    """R2.2: a name that only resembles or contains the other is another document, and no name is none."""
    assert not same_document(one, other)


@given(st.text(max_size=60))
def test_any_name_has_a_key(name: str) -> None:
    """Nothing raises, and a key is its own key's stem at most."""
    assert document_key(name) == document_key(f" {name} ")


def test_similar_long_names_are_told_apart() -> None:
    """A long unfinished link is read without delay."""
    assert document_key("[" * 100_000) == ""
