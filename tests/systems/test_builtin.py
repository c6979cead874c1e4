"""The built-in RAG: finds the right document, quotes it, names it, and declines when nothing fits."""

import json
from importlib.resources import files
from pathlib import Path

import pytest

from ragstone.errors import ConnectError
from ragstone.interfaces import Connect, System
from ragstone.systems.builtin import Builtin, build_index, connect
from ragstone.text.fold import bare
from ragstone.types import Answer, Request

DATA = Path(str(files("ragstone"))) / "data"


def rows(name: str) -> list[dict[str, object]]:
    """Read the questions of a bundled set."""
    lines = (DATA / name / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


async def answer(system: System, question: str) -> Answer:
    """Ask one question."""
    return await system.ask(Request(id="Q1", question=question))


@pytest.fixture
def manual(tmp_path: Path) -> Path:
    """A folder with two short documents."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "leave.md").write_text("# 休假制度\n\n## 年假\n\n年假为每年十二天，须提前五天申请。\n", encoding="utf-8")
    (folder / "tools.md").write_text("# 工具借用\n\n电钻可借用三天。\n\n押金二百元。\n", encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["key_points", "key_points_en"])
async def test_bundled_questions(name: str) -> None:
    """Every bundled question finds its document first, states a key point and names the document."""
    system = connect(str(DATA / name / "documents"), {})

    for row in rows(name):
        reply = await answer(system, str(row["q"]))
        golds, hints = row["gold"], row["doc_hint"]
        assert isinstance(golds, list)
        assert isinstance(hints, list)
        assert reply.contexts[0].source_path in hints
        assert any(bare(gold) in bare(reply.text) for gold in golds)
        assert any(hint in reply.text for hint in hints)
    await system.close()


async def test_declines_when_nothing_fits(manual: Path) -> None:
    """A question that no document speaks of is declined, in the language of the question."""
    system = connect(str(manual), {})

    assert (await answer(system, "火星上的氧气含量是多少？")).text == "资料中没有提到，无法回答。"
    assert (await answer(system, "火星上的氧氣濃度過低嗎？")).text == "資料中沒有提到，無法回答。"
    assert (await answer(system, "How tall is the lighthouse?")).text.startswith("The documents do not mention")
    await system.close()


async def test_cites_a_quote_that_stands_in_the_document(manual: Path) -> None:
    """The structured citation names the file and quotes it to the letter."""
    system = connect(str(manual), {"top_k": 1})

    reply = await answer(system, "年假有几天？")

    assert reply.citations[0].file == "leave.md"
    assert reply.citations[0].quote == "年假为每年十二天，须提前五天申请。"
    assert reply.text == "年假为每年十二天，须提前五天申请。（来源：leave.md）"
    await system.close()


def test_missing_folder_fails_at_once(tmp_path: Path) -> None:
    """A folder that is not there is an error when connecting, not when asking."""
    with pytest.raises(ConnectError) as caught:
        connect(str(tmp_path / "none"), {})

    assert caught.value.code == "documents.missing"


def test_empty_folder_is_an_error(tmp_path: Path) -> None:
    """A folder without documents says which kinds are read."""
    with pytest.raises(ConnectError) as caught:
        connect(str(tmp_path), {})

    assert caught.value.code == "documents.empty"
    assert ".pdf" in caught.value.say("en")


@pytest.mark.parametrize("options", [{"top_k": 0}, {"top_k": "many"}, {"sentences": -1}, {"colour": "red"}])
def test_bad_options(manual: Path, options: dict[str, object]) -> None:
    """A wrong or unknown option is named."""
    with pytest.raises(ConnectError) as caught:
        connect(str(manual), options)

    assert caught.value.code == "builtin.option"
    assert next(iter(options)) in str(caught.value)


def test_identity_names_the_content(manual: Path) -> None:
    """The same documents have the same index version; a changed one another."""
    before = connect(str(manual), {}).identity()["index_version"]
    again = connect(str(manual), {}).identity()["index_version"]
    (manual / "leave.md").write_text("年假为每年十五天。", encoding="utf-8")
    after = connect(str(manual), {}).identity()["index_version"]

    assert before == again != after


def test_index_file_is_named_by_content_and_found_again(manual: Path, tmp_path: Path) -> None:
    """An index kept in a folder is built once and opened the second time."""
    first = build_index(manual, tmp_path / "cache")
    stamp = first.stat().st_mtime_ns
    system = connect(str(manual), {"cache": str(tmp_path / "cache")})

    assert first.stem == system.identity()["index_version"]
    assert first.stat().st_mtime_ns == stamp


def test_fits_the_interfaces(manual: Path) -> None:
    """The system and its connect function are what the house expects."""
    make: Connect = connect
    system = make(str(manual), {})

    assert isinstance(system, System)
    assert isinstance(system, Builtin)
