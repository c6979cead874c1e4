"""What the page may touch, and how it is named."""

from pathlib import Path

import pytest

from ragstone.core.settings import DatasetEntry, Settings
from ragstone.web.errors import PageError
from ragstone.web.places import Dataset, Endpoint, Places, with_contract

ROW = '{"q": "x", "gold": ["y"], "doc_hint": []}\n'


def _write(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(ROW)


def test_datasets_are_found_by_kind_and_place(tmp_path: Path) -> None:
    """JSON files down to a depth; no hidden file, no link, nothing inside a document folder."""
    _write(tmp_path / "datasets", "a.jsonl", "b/c.json", "b/d/e.jsonl", "b/d/f/deep.jsonl")
    _write(tmp_path / "datasets", ".hidden.jsonl", "notes.md", "documents/x.json")
    _write(tmp_path / "elsewhere", "secret.jsonl")
    (tmp_path / "datasets" / "link.jsonl").symlink_to(tmp_path / "elsewhere" / "secret.jsonl")

    names = [dataset.name for dataset in Places(Settings()).datasets()]

    assert names == ["a.jsonl", "b/c.json", "b/d/e.jsonl", "demo-zh", "demo-en"]


def test_the_datasets_where_it_was_started_are_offered(tmp_path: Path) -> None:
    """What a contract recognises, behind those of the folder; answers, other JSON and links are none."""
    _write(tmp_path, "questions.jsonl", "documents/d.md", "below/other.jsonl", ".hidden.jsonl")
    _write(tmp_path / "datasets", "a.jsonl")
    (tmp_path / "answers.jsonl").write_text('{"id": "Q1", "output": "y"}\n')
    (tmp_path / "package.json").write_text('{"name": "x"}')
    (tmp_path / "broken.json").write_text("{")
    (tmp_path / "compose.yaml").write_text("services: {}\n")
    (tmp_path / "tests.yaml").write_text("- vars: {question: x}\n  assert: [{type: equals, value: y}]\n")
    (tmp_path / "link.jsonl").symlink_to(tmp_path / "questions.jsonl")
    places = Places(Settings())

    names = [dataset.name for dataset in places.datasets()]

    assert names == ["a.jsonl", "questions.jsonl", "tests.yaml", "demo-zh", "demo-en"]
    found = places.dataset("questions.jsonl")
    assert found.documents == Path("documents") and not places.is_own(found)


@pytest.mark.parametrize(
    "settings",
    [
        Settings(datasets_dir="sets"),
        Settings(host="0.0.0.0", token="sixteen-characters"),
        Settings(people="people.toml"),
    ],
)
def test_a_page_for_others_offers_nothing_from_where_it_was_started(tmp_path: Path, settings: Settings) -> None:
    """Nor does one whose folder of datasets is named."""
    _write(tmp_path, "questions.jsonl")

    assert [dataset.name for dataset in Places(settings).datasets()] == ["demo-zh", "demo-en"]


def test_a_name_that_both_folders_have_is_the_folders(tmp_path: Path) -> None:
    """A name stands for one dataset only."""
    _write(tmp_path, "a.jsonl", "datasets/a.jsonl")

    found = [dataset.path for dataset in Places(Settings()).datasets() if dataset.name == "a.jsonl"]

    assert found == [Path("datasets/a.jsonl")]


def test_documents_beside_a_dataset_belong_to_it(tmp_path: Path) -> None:
    """Beside it or one step up, never outside the folder."""
    _write(tmp_path / "datasets", "a.jsonl", "legal/questions/q.json", "legal/documents/d.md")
    _write(tmp_path, "documents/outside.md")
    places = Places(Settings())

    assert places.dataset("a.jsonl").documents is None
    assert places.dataset("legal/questions/q.json").documents == Path("datasets/legal/documents")


def test_named_datasets_come_first_and_once(tmp_path: Path) -> None:
    """A table of the settings names a dataset better than its file does."""
    _write(tmp_path / "datasets", "a.jsonl")
    entry = DatasetEntry(path="datasets/a.jsonl", label="A", contract="key_points")

    found = Places(Settings(datasets={"mine": entry})).datasets()

    assert [(one.name, one.label) for one in found][:1] == [("mine", "A")]
    assert "a.jsonl" not in [one.name for one in found]


def test_choices_become_what_the_api_is_told(tmp_path: Path) -> None:
    """A configured name, the built-in RAG over its documents, model answers, an endpoint without a key."""
    places = Places(Settings(systems={"mine": {"system": "python:my_rag:query"}}))
    dataset = Dataset(name="d", path=tmp_path, documents=tmp_path / "documents")
    chat = Endpoint(url="http://127.0.0.1:1/v1", kind="chat", model="m")

    assert places.asked("mine", dataset).systems == ("mine",)
    assert places.asked("builtin", dataset).systems == (f"builtin:{tmp_path / 'documents'}",)
    assert places.asked("mock", dataset).mock
    assert places.asked("endpoint", dataset, chat).options == {"base_url": "http://127.0.0.1:1/v1"}
    assert [one.kind for one in places.systems()] == ["configured", "builtin", "endpoint", "mock"]


def test_a_contract_that_is_none_is_refused(tmp_path: Path) -> None:
    """Code cannot be named as a contract from a browser either."""
    dataset = Dataset(name="d", path=tmp_path)

    assert with_contract(dataset, "key_points").contract == "key_points"
    assert with_contract(dataset, None) is dataset
    with pytest.raises(PageError):
        with_contract(dataset, "os:system")
