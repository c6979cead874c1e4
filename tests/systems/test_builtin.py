"""The built-in RAG: finds the right document, quotes it, names it, and declines when nothing fits."""

import asyncio
import contextlib
import json
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import Connect, System
from ragstone.core.types import Answer, Citation, Failure, Request, Usage
from ragstone.documents import Document, Page
from ragstone.systems.builtin import Builtin, build_index, connect
from ragstone.systems.builtin.chunks import split_document
from ragstone.systems.builtin.generate import refer
from ragstone.systems.builtin.index import open_index, version_of
from ragstone.systems.builtin.terms import question_terms
from ragstone.systems.builtin.units import split_units
from ragstone.systems.builtin.wording import tongue_of
from ragstone.text.fold import bare

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


@pytest.mark.parametrize(
    "options", [{"top_k": 0}, {"top_k": "many"}, {"sentences": -1}, {"colour": "red"}, {"chat": "gpt"}]
)
def test_bad_options(manual: Path, options: dict[str, object]) -> None:
    """A wrong or unknown option is named."""
    with pytest.raises(ConnectError) as caught:
        connect(str(manual), options)

    assert caught.value.code == ("ask.option_unknown" if "colour" in options else "builtin.option")
    assert next(iter(options)) in str(caught.value)


def test_identity_names_the_content(manual: Path) -> None:
    """The same documents have the same index version; a changed one another."""
    before = version_of(manual, 300)
    again = version_of(manual, 300)
    (manual / "leave.md").write_text("年假为每年十五天。", encoding="utf-8")
    after = version_of(manual, 300)

    assert before == again != after


async def test_index_file_is_named_by_content_and_found_again(manual: Path, tmp_path: Path) -> None:
    """An index kept in a folder is built once and opened the second time."""
    first = build_index(manual, tmp_path / "cache")
    stamp = first.stat().st_mtime_ns
    system = connect(str(manual), {"cache": str(tmp_path / "cache")})

    assert first.stem == system.identity()["index_version"]
    assert first.stat().st_mtime_ns == stamp
    await system.close()


async def test_fits_the_interfaces(manual: Path) -> None:
    """The system and its connect function are what Ragstone expects."""
    make: Connect = connect
    system = make(str(manual), {})

    assert isinstance(system, System)
    assert isinstance(system, Builtin)
    await system.close()


class Parrot:
    """A chat system that says one thing and remembers what it was shown."""

    model_id = "parrot-1"

    def __init__(self, reply: Answer) -> None:
        self.reply = reply
        self.seen: list[Request] = []
        self.closed = False

    def identity(self) -> dict[str, object]:
        """Describe the parrot."""
        return {"system": "parrot"}

    async def ask(self, request: Request) -> Answer:
        """Say it."""
        self.seen.append(request)
        return self.reply

    async def close(self) -> None:
        """Remember that it was closed."""
        self.closed = True


async def test_chat_sees_numbered_passages_and_is_cited(manual: Path) -> None:
    """A chat model gets the passages; its numbers become citations with the nearest sentence, and names at the end."""
    parrot = Parrot(Answer(text="押金是二百元[1]。", usage=Usage(10, 5, 15)))
    system = connect(str(manual), {"chat": parrot, "top_k": 1})

    reply = await answer(system, "借用电钻的押金是多少？")
    shown = parrot.seen[0].messages[-1].content

    assert "[1] tools.md › 工具借用\n" in shown
    assert shown.endswith("借用电钻的押金是多少？")
    assert reply.text == "押金是二百元[1]。（来源：tools.md）"
    assert reply.citations == (Citation("tools.md", 1, "押金二百元。"),)
    assert reply.contexts[0].source_path == "tools.md"
    assert reply.usage == Usage(10, 5, 15)
    await system.close()
    assert parrot.closed


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("甲[1]乙[2]", [1, 2]),
        ("甲【2】［1］〔3〕", [2, 1, 3]),
        ("甲[1, 3]乙[1]", [1, 3]),
        ("甲[１]", [1]),
        ("[a] [] [1234] arr[i]", []),
    ],
)
def test_references(text: str, numbers: list[int]) -> None:
    """Numbers in any kind of brackets are references, each once, in order."""
    assert list(refer(text)) == numbers


async def test_chat_that_cites_nothing_real(manual: Path) -> None:
    """A number without a passage names no document."""
    system = connect(str(manual), {"chat": Parrot(Answer(text="不知道[9]。"))})

    reply = await answer(system, "年假有几天？")

    assert reply.text == "不知道[9]。"
    assert reply.citations == ()
    await system.close()


async def test_chat_failure_stays_a_failure(manual: Path) -> None:
    """What went wrong with the model is passed on, with the contexts."""
    failure = Failure("timeout")
    system = connect(str(manual), {"chat": Parrot(Answer(failure=failure))})

    reply = await answer(system, "年假有几天？")

    assert reply.failure == failure
    assert reply.contexts
    await system.close()


async def test_chat_is_not_asked_when_nothing_was_found(manual: Path) -> None:
    """Without a single passage the model costs nothing."""
    parrot = Parrot(Answer(text="编造的回答"))
    system = connect(str(manual), {"chat": parrot})

    reply = await answer(system, "zebra?")

    assert parrot.seen == []
    assert reply.text.startswith("The documents do not mention")
    assert system.identity()["chat"] == {"system": "parrot"}
    assert system.model_id == "builtin+parrot-1"
    await system.close()


async def test_pages_are_named(tmp_path: Path) -> None:
    """A document of several pages is cited with its page."""
    (tmp_path / "note.txt").write_text("[page 1]\n甲方为某商店。\n[page 2]\n租期为十八个月。\n", encoding="utf-8")
    system = connect(str(tmp_path), {})

    reply = await answer(system, "租期有多少个月？")

    assert reply.text == "租期为十八个月。（来源：note.txt 第2页）"
    assert reply.citations == (Citation("note.txt", 2, "租期为十八个月。"),)
    await system.close()


async def test_list_item_that_answers_alone(tmp_path: Path) -> None:
    """A question about one item gets that item; a question about the list gets the list."""
    items = "- 甲型：三十瓦\n- 乙型：五十瓦\n- 丙型：八十瓦\n"
    (tmp_path / "lamps.md").write_text(f"# 灯具\n\n可选的规格如下：\n\n{items}", encoding="utf-8")
    system = connect(str(tmp_path), {})

    assert (await answer(system, "乙型是多少瓦？")).text == "- 乙型：五十瓦（来源：lamps.md）"
    assert "丙型" in (await answer(system, "灯具可选的规格有哪些？")).text
    await system.close()


def test_chunks_hold_every_word_once() -> None:
    """Chunks stand in order, at their offsets, about as long as wanted, under their headings."""
    text = "# 手册\n\n## 甲\n\n" + "这是一个用来凑足长度的句子。" * 60 + "\n\n## 乙\n\n短。\n"
    chunks = list(split_document(Document("m.md", (Page(1, text),)), 300))

    assert all(text[chunk.start : chunk.end] == chunk.text for chunk in chunks)
    assert "".join(chunk.text for chunk in chunks).count("句子") == 60
    assert all(len(chunk.text) <= 400 for chunk in chunks)
    assert [chunk.heading for chunk in chunks][-2:] == ["手册 › 甲", "手册 › 乙"]


@settings(deadline=None)
@given(st.text(alphabet="# -1.。：:\n\t甲乙ab|>*`", max_size=120))
def test_units_are_in_order_and_inside(text: str) -> None:
    """Whatever the text, units follow each other and are not empty."""
    units = split_units(text)

    assert all(unit.start < unit.end for unit in units)
    assert all(one.end <= other.start for one, other in pairwise(units))


@settings(deadline=None)
@given(st.text(max_size=60))
def test_any_question_gets_an_answer(question: str) -> None:
    """No question breaks the search, and equal questions get equal answers."""
    with contextlib.closing(open_index(DATA / "key_points_en" / "documents")) as index:
        system = Builtin(index)
        replies = [asyncio.run(answer(system, question)) for _ in range(2)]

    assert replies[0].text == replies[1].text != ""
    assert replies[0].contexts == replies[1].contexts


@pytest.mark.parametrize(
    "text",
    ["甲" * 200_000, "- " * 50_000, "a." * 50_000, "（" * 50_000, "1、" * 50_000, "|" * 50_000, " " * 50_000 + "x"],
)
def test_hostile_documents_are_quick(text: str) -> None:
    """No document makes cutting slow."""
    start = process_time()
    chunks = list(split_document(Document("a.md", (Page(1, text),))))

    assert process_time() - start < 30
    assert all(len(chunk.text) <= 1300 for chunk in chunks)


async def test_half_characters_in_a_question(manual: Path) -> None:
    """Half of a surrogate pair, as JSON may hold, is passed over."""
    system = connect(str(manual), {})

    assert (await answer(system, "年假\ud800有几天\0？")).citations[0].file == "leave.md"
    await system.close()


async def test_table_rows_are_said_without_the_rule(tmp_path: Path) -> None:
    """A table is answered from by its rows; the line that only draws is left out."""
    (tmp_path / "t.md").write_text("# 灯具\n\n| 型号 | 功率 |\n|---|---|\n| 乙型 | 五十瓦 |\n", encoding="utf-8")
    system = connect(str(tmp_path), {})

    reply = await answer(system, "灯具的型号和功率有哪些？")

    assert reply.text == "| 型号 | 功率 |\n| 乙型 | 五十瓦 |（来源：t.md）"
    await system.close()


async def test_endless_question(manual: Path) -> None:
    """A question of many thousand different words is searched for as far as it goes."""
    system = connect(str(manual), {})

    reply = await answer(system, "年假有几天？" + " ".join(f"word{number}" for number in range(50_000)))

    assert reply.contexts[0].source_path == "leave.md"
    await system.close()


def test_damaged_index_is_built_again(manual: Path, tmp_path: Path) -> None:
    """A kept index that is no index is replaced."""
    path = build_index(manual, tmp_path / "cache")
    path.write_bytes(b"not a database")

    assert build_index(manual, tmp_path / "cache") == path
    assert path.read_bytes().startswith(b"SQLite format 3")


def test_unwritable_cache_is_an_error(manual: Path, tmp_path: Path) -> None:
    """A cache that is no folder says so."""
    (tmp_path / "file").touch()

    with pytest.raises(ConnectError) as caught:
        build_index(manual, tmp_path / "file")

    assert caught.value.code == "builtin.index"


@pytest.mark.parametrize(
    ("question", "tongue"),
    [("本文选自哪部著作？", "zh-Hans"), ("發明者是誰？", "zh-Hant"), ("いつですか", "ja"), ("Why?", "en"), ("", "en")],
)
def test_language_of_a_question(question: str, tongue: str) -> None:
    """The writing of a question tells in which language to answer."""
    assert tongue_of(question) == tongue


def test_question_terms_leave_small_words_out() -> None:
    """Question words, particles and English stop words are no content."""
    assert question_terms("LightRAG支持哪些数据库？")[:4] == ["lightrag", "支", "持", "支持"]
    assert question_terms("Which ports are there?") == ["port"]
    assert question_terms("什么？") != []


async def test_question_in_a_transcript_brings_its_answer(tmp_path: Path) -> None:
    """Where the document itself asks, the answer below is said too, across an empty line."""
    text = "问：天花板修了多少钱？\n\n答：三百二十元。\n\n问：谁付的？\n\n答：我付的。\n"
    (tmp_path / "talk.txt").write_text(text, encoding="utf-8")
    system = connect(str(tmp_path), {})

    reply = await answer(system, "修天花板用了多少钱？")

    assert reply.text == "问：天花板修了多少钱？\n答：三百二十元。（来源：talk.txt）"
    await system.close()


@pytest.mark.parametrize(("name", "words"), [("key_points", "虚构"), ("key_points_en", "invented for demonstration")])
def test_bundled_documents_say_that_they_are_invented(name: str, words: str) -> None:
    """Nobody can take the sample documents for a real manual."""
    documents = sorted((DATA / name / "documents").glob("*.md"))

    assert len(documents) >= 3
    assert all(words in document.read_text(encoding="utf-8")[:200] for document in documents)
