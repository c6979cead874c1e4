"""The built-in RAG on talks written down: turns stay together, who speaks is known, evidence comes in pieces."""

from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.types import Answer, Request
from ragstone.documents import Document, Page
from ragstone.systems.builtin import Builtin, connect
from ragstone.systems.builtin.chunks import split_document
from ragstone.systems.builtin.pieces import prepare
from ragstone.systems.builtin.question import DATE, MONEY, NUMBER, read_question
from ragstone.systems.builtin.speaker import speaker_of
from ragstone.systems.builtin.terms import question_runs, question_terms
from ragstone.systems.builtin.units import split_units
from tests.needs import sweep

RECORD = """<!-- page 1 -->
# 谈话记录

被谈话人：柳映岚，女，青石镇供水站仓库管理员

问：请介绍一下你的工作。

答：我从2027年6月起在供水站管仓库，主要负责水表和管件的进出登记。

问：你认识程望舒吗？

答：认识，他是安装队的队长，每个月都来领水表。

问：他领水表要办什么手续？

答：按规定要填领料单，由站长签字。他有时候嫌麻烦，先领走再补单子。

<!-- page 2 -->

问：程望舒给过你好处吗？

答：给过。2030年12月他送过我一张1500元的购物卡，还请我吃过一次饭。

问：站长知道这件事吗？

答：站长一直到盘点的时候才知道，盘点是2031年2月20日做的。

问：盘点的结果怎么样？

答：账上应该有312只，实际只有266只，正好差46只。

<!-- page 3 -->

问：麦冬青给程望舒拉过几趟货？

答：他说拉过三趟，每趟程望舒给他200元。

问：程望舒私下卖水表的价钱你知道吗？

答：卖多少钱我不知道，他没有跟我说过。

问：你愿意退还购物卡吗？

答：愿意，我把剩下的卡交出来，用掉的750元我补现金。
"""

INTERVIEW = """Interviewee: Ada Quill, harbour clerk

Q: How many crates did you count on Monday?

A: I counted 31 crates. Two of them were open.

Q: Who opened the crates?

A: I do not know. The seals were already broken.

Q: When did the crane stop?

A: The crane stopped on 4 March 2031, just before noon.
"""


@pytest.fixture
def talk(tmp_path: Path) -> Builtin:
    """The system over one record of a talk."""
    (tmp_path / "record.md").write_text(RECORD, encoding="utf-8")
    return connect(str(tmp_path), {})


async def answer(system: Builtin, question: str) -> Answer:
    """Ask one question."""
    return await system.ask(Request(id="Q1", question=question))


@pytest.mark.parametrize(
    ("question", "words", "page"),
    [
        ("柳映岚从什么时候开始管仓库？", "我从2027年6月起在供水站管仓库", 1),
        ("程望舒送给柳映岚的购物卡是多少钱？", "一张1500元的购物卡", 2),
        ("盘点是哪一天做的？", "盘点是2031年2月20日做的", 2),
        ("麦冬青拉过几趟货？", "拉过三趟", 3),
        ("柳映岚愿意退还购物卡吗？", "用掉的750元我补现金", 3),
        ("程望舒卖水表卖了多少钱？", "卖多少钱我不知道", 3),
    ],
)
async def test_facts_with_their_page(talk: Builtin, question: str, words: str, page: int) -> None:
    """The reply to the matching question is quoted whole, with its page."""
    reply = await answer(talk, question)

    assert any(words in (one.quote or "") and one.page == page for one in reply.citations)
    assert f"record.md 第{page}页" in reply.text
    assert all((one.quote or "") in RECORD for one in reply.citations)
    await talk.close()


@pytest.mark.parametrize(
    "question", ["程望舒的身份证号码是多少？", "柳映岚的丈夫叫什么名字？", "供水站去年的营业收入是多少？"]
)
async def test_what_was_not_talked_about_is_declined(talk: Builtin, question: str) -> None:
    """Knowing the person is not knowing the answer."""
    reply = await answer(talk, question)

    assert reply.text == "资料中没有提到，无法回答。"
    assert reply.citations == ()
    await talk.close()


async def test_evidence_comes_in_pieces(talk: Builtin) -> None:
    """A question for evidence gets one piece a turn, each with its own page and quote."""
    reply = await answer(talk, "有哪些证据涉及购物卡？")

    assert [one.page for one in reply.citations] == [2, 3]
    assert all((one.quote or "").startswith("问：") for one in reply.citations)
    assert reply.text.count("（来源：record.md") == 2
    await talk.close()


async def test_contexts_hold_what_is_quoted(tmp_path: Path) -> None:
    """Whatever is quoted stands in a returned context, also beyond the first ones."""
    (tmp_path / "record.md").write_text(RECORD, encoding="utf-8")
    system = connect(str(tmp_path), {"top_k": 1})

    reply = await answer(system, "有哪些证据涉及购物卡？")

    assert len(reply.citations) == 2
    assert all(any((one.quote or "") in context.text for context in reply.contexts) for one in reply.citations)
    await system.close()


async def test_pronoun_leans_on_the_turn_before(tmp_path: Path) -> None:
    """Of two equal questions the one is taken whose 他 was named in the question before it."""
    turns = [
        "你认识孟晚桐吗？",
        "认识。",
        "他付了多少？",
        "付了300元。",
        "你认识石敬岩吗？",
        "认识。",
        "他付了多少？",
        "付了800元。",
    ]
    lines = [f"{'答' if number % 2 else '问'}：{turn}" for number, turn in enumerate(turns)]
    (tmp_path / "talk.txt").write_text("\n".join(lines), encoding="utf-8")
    system = connect(str(tmp_path), {})

    assert "300元" in (await answer(system, "孟晚桐付了多少？")).text
    assert "800元" in (await answer(system, "石敬岩付了多少？")).text
    await system.close()


async def test_reply_on_the_next_page(tmp_path: Path) -> None:
    """A question at the foot of a page lends its words to the reply at the head of the next."""
    text = "[page 1]\n问：仓库的门是谁锁的？\n[page 2]\n答：老郭。\n问：几点锁的？\n答：八点。\n"
    (tmp_path / "talk.txt").write_text(text, encoding="utf-8")
    system = connect(str(tmp_path), {})

    reply = await answer(system, "仓库的门是谁锁的？")

    assert ("老郭" in reply.text, reply.citations[0].page) == (True, 2)
    await system.close()


async def test_english_talk(tmp_path: Path) -> None:
    """Q: and A: are turns too, and the interviewee is who says I."""
    (tmp_path / "interview.md").write_text(INTERVIEW, encoding="utf-8")
    system = connect(str(tmp_path), {})

    assert "31 crates" in (await answer(system, "How many crates did Ada Quill count on Monday?")).text
    assert "4 March 2031" in (await answer(system, "When did the crane stop?")).text
    assert (await answer(system, "What is the salary of Ada Quill?")).citations == ()
    await system.close()


@pytest.mark.parametrize(
    ("head", "name"),
    [
        ("被讯问人：贺某某，男", "贺某某"),
        ("被詢問人姓名：  林曉  ", "林曉"),
        ("> **证人**：柯远（化名）", "柯远"),
        ("Witness: Ada Quill, clerk", "Ada Quill"),
        ("讯问人：柏某", ""),
        ("没有人", ""),
    ],
)
def test_who_speaks(head: str, name: str) -> None:
    """The head of a talk names who replies; who asks is somebody else."""
    talk = Document("a.md", (Page(1, head + "\n\n问：在？\n答：在。\n问：好？\n答：好。"),))
    note = Document("b.md", (Page(1, head),))

    assert (speaker_of(talk), speaker_of(note)) == (name, "")


@pytest.mark.parametrize(
    ("question", "terms"),
    [
        ("有哪些证据表明屋顶漏水？", "屋顶漏水"),
        ("请具体说明屋顶漏水的依据。", "屋顶漏水"),
        ("請列出屋頂漏水的證據", "屋顶漏水"),
        ("屋顶漏水大约是什么时候？", "屋顶漏水"),
        ("What evidence shows that the roof leaks?", "roof leaks"),
        ("Please list the roof leaks", "roof leaks"),
    ],
)
def test_frame_of_a_question_is_no_content(question: str, terms: str) -> None:
    """Asking for evidence, a list or details adds no words to look for."""
    assert question_terms(question) == question_terms(terms)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("他何时离开？", [DATE]),
        ("是哪一天、花了多少钱？", [DATE, MONEY]),
        ("一共付了多少购车款？", [MONEY]),
        ("買了幾輛車？", [frozenset({"辆"})]),
        ("有多少只水表？", [frozenset({"只"})]),
        ("退了多少？", [NUMBER]),
        ("How much was paid, and when?", [DATE, MONEY]),
        ("How many crates?", [NUMBER]),
        ("几乎没有人吗？", []),
        ("为什么？", []),
    ],
)
def test_kinds_of_value(question: str, values: list[frozenset[str]]) -> None:
    """A question tells whether it wants a date, money or a count of something."""
    assert list(read_question(question).values) == values


@pytest.mark.parametrize(
    ("question", "several"),
    [("有哪些？", True), ("分别是什么？", True), ("What evidence is there?", True), ("是谁？", False), ("Who?", False)],
)
def test_one_or_several(question: str, several: bool) -> None:
    """A question tells whether it wants one thing or several."""
    assert read_question(question).several is several


async def test_value_asked_for_goes_first(tmp_path: Path) -> None:
    """Of two sentences with the same words the one with a date answers when."""
    text = "门禁卡由前台发放，很轻。\n\n门禁卡发放于2030年5月，很轻。\n\n门禁卡发放费10元，很轻。\n"
    (tmp_path / "card.md").write_text(text, encoding="utf-8")
    system = connect(str(tmp_path), {})

    assert "2030年5月" in (await answer(system, "门禁卡什么时候发放？")).text
    assert "10元" in (await answer(system, "门禁卡发放要多少钱？")).text
    await system.close()


def test_long_reply_is_cut(tmp_path: Path) -> None:
    """Of an endless reply the later sentences stand for themselves, and no word is lost."""
    text = "问：经过怎么样？\n答：" + "后来我们去了河边又走回来。" * 60
    chunk = next(split_document(Document("a.md", (Page(1, text),)), 4000))
    pieces = prepare(chunk).pieces

    assert pieces[0].turn
    assert pieces[0].end < 450
    assert pieces[-1].end == len(text)


@settings(deadline=None)
@given(st.text(alphabet="问答QA:：？。 \n甲乙他1元-#", max_size=120))
def test_pieces_are_in_order_and_inside(text: str) -> None:
    """Whatever the text, pieces lie in their chunk, and each unit knows its turn."""
    for chunk in split_document(Document("a.md", (Page(1, text),))):
        pieces = prepare(chunk).pieces
        assert all(0 <= piece.start < piece.end <= len(chunk.text) for piece in pieces)
        assert [piece.start for piece in pieces] == sorted(piece.start for piece in pieces)
    assert all(unit.turn in ("", "ask", "reply") for unit in split_units(text))


@settings(deadline=None)
@given(st.text(max_size=80))
def test_any_question_can_be_read(question: str) -> None:
    """No question breaks the reading, and every run is made of the question's terms."""
    wanted = read_question(question)

    assert {term for run in wanted.runs for term in run} <= set(wanted.terms)
    assert all(run for run in question_runs(question))


TALKS = ["问：" * 40_000, "答：\n" * 40_000, "问：他？\n答：1元。\n" * 10_000, "被" * 90_000]


@pytest.mark.parametrize("text", sweep(TALKS, 4))
def test_hostile_talks_are_quick(text: str) -> None:
    """No talk makes cutting or reading slow."""
    start = process_time()
    document = Document("a.md", (Page(1, text),))
    speaker_of(document)
    for chunk in split_document(document):
        prepare(chunk)
    read_question(text)

    assert process_time() - start < 30
