"""The built-in RAG on real files: PDF and Word are cited with the right page, and contexts keep to their room."""

from pathlib import Path

import pytest

from ragstone.core.errors import ConnectError
from ragstone.core.types import Answer, Citation, Message, Request
from ragstone.systems.builtin import Builtin, connect
from ragstone.systems.builtin.chunks import Chunk
from ragstone.systems.builtin.index import Hit
from ragstone.systems.builtin.system import cut_hits
from tests.documents.test_docx import make_docx, paragraph, run
from tests.documents.test_pdf import make_pdf

PAGES = [
    "灯塔建于1931年。\n塔高二十二米。",
    "守塔人每天巡查两次。",
    "问：灯油多少钱？\n答：每桶八十元。\n问：谁送来的？\n答：渔船。",
]


def docx() -> bytes:
    """Write the pages as a Word file with page breaks."""
    rows = ['<w:br w:type="page"/>'.join(["", run(line)]) if at else run(line) for at, line in enumerate(PAGES)]
    return make_docx("".join(paragraph(row.replace("\n", "</w:t><w:br/><w:t>")) for row in rows))


async def answer(system: Builtin, question: str) -> Answer:
    """Ask one question."""
    return await system.ask(Request(id="Q1", question=question))


@pytest.mark.parametrize(
    ("question", "page", "quote"),
    [
        ("灯塔建于哪一年？", 1, "灯塔建于1931年。"),
        ("守塔人每天巡查几次？", 2, "守塔人每天巡查两次。"),
        ("灯油多少钱？", 3, "问：灯油多少钱？\n答：每桶八十元。"),
    ],
)
@pytest.mark.parametrize("name", ["tower.pdf", "tower.docx"])
async def test_pages_of_real_files(tmp_path: Path, name: str, question: str, page: int, quote: str) -> None:
    """A PDF and a Word file are cited with file, page and quote."""
    (tmp_path / name).write_bytes(make_pdf(PAGES) if name.endswith("pdf") else docx())
    system = connect(str(tmp_path), {"sentences": 1})

    reply = await answer(system, question)

    assert reply.citations == (Citation(name, page, quote),)
    assert f"（来源：{name} 第{page}页）" in reply.text
    assert reply.contexts[0].page == page
    await system.close()


@pytest.fixture
def long(tmp_path: Path) -> Path:
    """A folder with much to say about one thing."""
    folder = tmp_path / "docs"
    folder.mkdir()
    for number in range(6):
        text = f"# 渡口{number}\n\n" + f"渡口{number}的船票很便宜，渡口{number}的船每天都开。" * 12
        (folder / f"{number}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.parametrize("room", [100, 350, 6000])
async def test_contexts_keep_to_their_room(long: Path, room: int) -> None:
    """What is returned has no more characters in all than allowed; the best comes first."""
    system = connect(str(long), {"max_context_chars": room})

    reply = await answer(system, "渡口3的船票怎么样？")

    assert 0 < sum(len(context.text) for context in reply.contexts) <= room
    assert reply.contexts[0].source_path == "3.md"
    assert system.identity()["max_context_chars"] == room
    await system.close()


class Listener:
    """A chat system that remembers what it was shown."""

    model_id = "listener"

    def __init__(self) -> None:
        self.seen: list[Request] = []

    def identity(self) -> dict[str, object]:
        """Describe the listener."""
        return {"kind": "listener"}

    async def ask(self, request: Request) -> Answer:
        """Cite the first passage."""
        self.seen.append(request)
        return Answer(text="很便宜[1]。")

    async def close(self) -> None:
        """Hold nothing."""


@pytest.mark.parametrize("params", [{}, {"prompt": {"slot": "<<>>", "piece": "{text}", "none": "-"}}])
async def test_chat_is_shown_no_more(long: Path, params: dict[str, object]) -> None:
    """A chat model sees the cut contexts, whether the prompt is ours or the request's own."""
    listener = Listener()
    system = connect(str(long), {"max_context_chars": 150, "chat": listener})
    request = Request(id="1", question="渡口3的船票？", messages=(Message("user", "<<>>"),), params=params)

    reply = await system.ask(request)
    shown = listener.seen[0].messages[-1].content

    assert sum(len(context.text) for context in reply.contexts) == 150
    assert reply.contexts[0].text in shown
    assert shown.count("渡口") < 20
    await system.close()


async def test_chat_citations_carry_page_and_quote(long: Path) -> None:
    """The number a chat model gives becomes file, page and quote."""
    system = connect(str(long), {"chat": Listener()})

    (citation,) = (await answer(system, "渡口3的船票？")).citations

    assert (citation.file, citation.page) == ("3.md", 1)
    assert "很便宜" in (citation.quote or "")
    await system.close()


def test_cut_hits() -> None:
    """Hits are kept from the first; the last loses its end, with its offsets; the rest are left out."""
    hits = [Hit(Chunk("a.md", 1, 1, "", 10, 15, "甲乙丙丁戊"), 1.0, number) for number in range(3)]

    assert [hit.chunk.text for hit in cut_hits(hits, 7)] == ["甲乙丙丁戊", "甲乙"]
    assert [hit.chunk.end for hit in cut_hits(hits, 7)] == [15, 12]
    assert [hit.number for hit in cut_hits(hits, 10)] == [0, 1]


@pytest.mark.parametrize("value", [99, "0", "much", 10_000_000])
def test_bad_room(long: Path, value: object) -> None:
    """Room for contexts that is no sensible number is refused."""
    with pytest.raises(ConnectError) as caught:
        connect(str(long), {"max_context_chars": value})

    assert "max_context_chars" in caught.value.say("en")


async def test_identity_says_what_it_is(long: Path) -> None:
    """The system names its kind, like all others."""
    system = connect(str(long), {})

    assert system.identity()["kind"] == "builtin"
    await system.close()
