"""Documents at hand: few in memory, many in a temporary file, and nobody can tell which."""

import pytest

from ragstone.documents import Document, Page
from ragstone.documents.store import DocumentStore, characters

DOCUMENTS = [Document(f"{n}.md", (Page(1, "甲" * n), Page(3, f"half a pair: \ud83d {n}"))) for n in range(1, 8)]


@pytest.mark.parametrize("most", [0, 60, 1000])
def test_a_document_comes_back_as_it_was_laid_by(most: int) -> None:
    """Whether it is held or lies in a file, in any order and as often as it is wanted."""
    shelf = DocumentStore(iter(DOCUMENTS), most)

    assert list(shelf) == [document.name for document in DOCUMENTS]
    assert len(shelf) == 7
    for document in (*reversed(DOCUMENTS), *DOCUMENTS):
        assert shelf[document.name] == document
    with pytest.raises(KeyError):
        shelf["8.md"]


def test_characters_are_those_of_all_pages() -> None:
    """What a document weighs is its text."""
    assert characters(DOCUMENTS[1]) == 2 + len("half a pair: _ 2")
