"""Which questions are taken, and those that have no answer."""

from collections import Counter
from pathlib import Path

import msgspec
import pytest

from ragstone.core.errors import SettingError
from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper, read_corpus
from ragstone.drafting.draw import draw, split
from ragstone.drafting.faults import Asked, fits_elsewhere, leaks
from ragstone.drafting.find import Found, find
from ragstone.drafting.make import Plan, make
from ragstone.drafting.rows import write_rows
from ragstone.drafting.unanswerable import left_out, misplaced, swapped

_FILLING = "海风很大。渔船归来。山路难行。茶树成行。庙会热闹。河水上涨。"


def _corpus(**texts: str) -> Corpus:
    return Corpus(tuple(Paper(f"{name}.md", "0" * 64, (Page(1, text),)) for name, text in texts.items()))


def test_the_same_seed_draws_the_same_set(documents: Path) -> None:
    """Nothing depends on the machine; another seed is another order."""
    corpus = read_corpus(documents)

    assert draw(corpus, 8, seed=7).drafts == draw(corpus, 8, seed=7).drafts
    assert draw(corpus, 8, seed=7).drafts != draw(corpus, 8, seed=8).drafts


def test_a_value_that_fits_two_places_is_refused() -> None:
    """Two documents that tell different years of the same thing make the question ambiguous."""
    one = _corpus(a="# 白云寺\n\n白云寺重建于1861年。\n")
    two = _corpus(a="# 白云寺\n\n白云寺重建于1861年。\n", b="# 白云寺\n\n白云寺重建于1902年。\n")

    assert "白云寺重建于哪一年？" in [draft.question for draft in draw(one, 9).drafts]
    assert draw(two, 9).refused["two_places"] == 2


def test_copies_of_a_document_are_one() -> None:
    """They do not make every question fit two places, and none of them is left out alone."""
    text = (Page(1, "# 白云寺\n\n白云寺重建于1861年。\n"),)
    corpus = Corpus(tuple(Paper(f"{name}.md", "0" * 64, text) for name in "abc"))

    drawn = make(corpus, Plan(size=5, contract="legal_rag", abstain=0.2, leave_out=1))

    assert [draft.documents for draft in drawn.drafts if draft.absent is None] == [("a.md",)]
    assert not any(draft.absent and draft.absent.kind == "left_out" for draft in drawn.drafts)


def test_a_document_in_korean_is_told_apart() -> None:
    """Without a model nothing is asked about it, and the reason is said."""
    drawn = draw(_corpus(a="# 푸른 도서관\n\n푸른 도서관은 1996년에 개관했다.\n"), 5)

    assert (drawn.drafts, drawn.refused) == ((), {"no_language": 1})


def test_a_document_of_one_table_is_asked_about() -> None:
    """Its heading says what the table is about."""
    drawn = draw(_corpus(a="# 休假表\n\n| 假别 | 天数 |\n|---|---|\n| 婚假 | 10天 |\n"), 5)

    assert [draft.question for draft in drawn.drafts] == ["休假表中，婚假的天数是多少？"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("林知微于1944年出生在云岫城。", 1),
        ("林知微自1920年起在三年中每星期朗读七篇诗文。", 1),
        ("林知微于1953年由顾听澜推荐入会，会费为80元。", 2),
    ],
)
def test_no_question_tells_the_answer_of_another(text: str, asked: int) -> None:
    """Of one sentence only what leaves the other answers open is asked, however many are wished for."""
    drafts = draw(_corpus(a=f"# 林知微\n\n{text}\n"), 1000).drafts

    assert len(drafts) <= asked
    assert not any(leaks(one.question, [two.points[0].text]) for one in drafts for two in drafts if one is not two)


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        (
            "# 云栖民宿价目表\n\n| 房型 | 淡季（元/晚） |\n|---|---|\n| 竹间 | 480 |\n| 松间 | 560 |\n",
            "松间和竹间淡季的价格哪个更高？",
            "松间",
        ),
        (
            "# Larch Ferry price list\n\n| Ticket | Adult |\n|---|---|\n| Single | £9 |\n| Return | £15 |\n",
            "which ticket has the higher “Adult” price, “Return” or “Single”?",
            "Return",
        ),
        ("# 云栖民宿价目表\n\n| 项目 | 费用 |\n|---|---|\n| 加床 | 每晚80元 |\n| 接送 | 每次60元 |\n", "", ""),
    ],
)
def test_two_rows_of_a_column_of_prices_are_compared(text: str, question: str, answer: str) -> None:
    """Sums for different things are not."""
    drafts = [one for one in draw(_corpus(a=text), 10).drafts if one.kind == "comparison"]

    assert [(one.question.endswith(question), one.points[0].text) for one in drafts] == [(True, answer)] * bool(answer)


def test_halves_share_no_document(documents: Path) -> None:
    """A document that one half asks about is not in the other."""
    drafts = draw(read_corpus(documents), 20).drafts

    dev, test = split(drafts, 7, 0.4)

    assert dev and test and len(dev) + len(test) == len(drafts)
    assert not {name for one in dev for name in one.documents} & {name for one in test for name in one.documents}


def test_what_is_asked_of_nobody_is_absent() -> None:
    """A swapped name is in no document; what is asked of the wrong one stands with it in none."""
    corpus = _corpus(
        a="# 青禾镇\n\n青禾镇面积约16平方公里。青禾镇由沈拾光于1861年重建为商埠。\n",
        b="# 栖雾镇\n\n栖雾镇位于北山脚下。\n",
    )
    drafts = draw(corpus, 20).drafts

    gone = list(swapped(drafts, corpus))
    wrong = list(misplaced(drafts, corpus))

    assert gone and all(not corpus.holding(*draft.absent.words) for draft in gone if draft.absent)
    assert wrong and all(not corpus.holding(*draft.absent.words) for draft in wrong if draft.absent)
    assert all(draft.topic not in draft.question for draft in gone + wrong)


def test_leaks_and_repetitions() -> None:
    """The answer in another dress still leaks; a question with one word changed is the same."""
    asked = Asked()
    asked.take("青禾镇的面积约多少平方公里？")

    assert leaks("五十五元的票价为多少元？", ["55元"])
    assert not leaks("全程票价为多少元？", ["55元"])
    assert asked.repeats("青禾镇的面积约多少平方公里")
    assert not asked.repeats("青禾镇由谁重建？")


def test_a_long_document_is_drafted_from() -> None:
    """Hundreds of sentences and of table rows, and a line of 200,000 characters that is no sentence."""
    towns = "".join(f"\n\n## 第{n}节\n\n青禾{n}镇于{1800 + n % 200}年设立。{_FILLING}" for n in range(35))
    rows = "".join(f"\n| 云岫{n}号营位 | {n}元 |" for n in range(500))
    line = "栖雾县于1990年设立，" * 20_000
    table = f"# 收费标准\n\n| 营位 | 费用 |\n|---|---|{rows}\n"
    corpus = _corpus(a=f"# 青禾志\n{towns}\n", b=table, c=f"# 栖雾志\n\n{line}")

    drawn = draw(corpus, 10)

    assert {draft.documents[0] for draft in drawn.drafts} == {"a.md", "b.md"}
    assert drawn.refused["length"] == 1


def test_an_index_finds_what_reading_everything_finds() -> None:
    """A second place is found wherever it stands in a long document, and none is made up."""
    begun = f"# 白云寺\n\n白云寺重建于1861年。{_FILLING * 40}"
    found = []
    for text in (begun, f"{begun}白云寺于1902年重建。{_FILLING}"):
        corpus = _corpus(a=text)
        one = next(one for one in find(corpus.papers[0]) if isinstance(one, Found))
        found.append(fits_elsewhere(one.draft, one.subject, corpus))

    assert found == [False, True]


def test_left_out_documents_are_counted(documents: Path) -> None:
    """No more documents are asked about than there are."""
    drawn = make(read_corpus(documents), Plan(size=10, contract="legal_rag", abstain=0.5, leave_out=1))

    assert (drawn.documents, drawn.used <= drawn.read <= drawn.documents) == (4, True)
    assert drawn.sections >= drawn.used


def test_a_list_in_one_sentence_is_one_piece_of_evidence() -> None:
    """Whoever quotes the sentence has quoted all of it."""
    corpus = _corpus(a="# 借阅办法\n\n馆藏资料分为公开、内部和机密三级。\n")
    (draft,) = draw(corpus, 5).drafts

    (row,) = msgspec.json.decode(write_rows([draft], "legal_rag"))["questions"]

    assert (row["type"], row["expected"]["evidence_count_min"], len(row["required_evidence"])) == ("evidence_set", 1, 3)


def test_a_whole_section_is_no_gap(documents: Path) -> None:
    """What a left out document says under a heading is not asked for where nothing is to be said."""
    drawn = make(read_corpus(documents), Plan(size=10, contract="legal_rag", abstain=0.9, leave_out=3))

    assert any(draft.absent for draft in drawn.drafts)
    assert not any("有哪些内容" in draft.question or "say about" in draft.question for draft in drawn.drafts)


def test_what_another_document_tells_too_is_no_gap() -> None:
    """Leaving one document out leaves the answer in; only what no other tells is asked."""
    gone = _corpus(a="# 白云寺\n\n白云寺重建于1861年。白云寺由王重阳创立。\n")
    kept = _corpus(b="# 青禾志\n\n据县志，1861年有白云寺。\n", c="# 栖雾志\n\n白云寺由顾听澜创立。\n")
    drafts = draw(gone, 9).drafts

    assert {draft.kind for draft in drafts} == {"date", "person"}
    assert list(left_out(drafts, kept)) == []
    assert len(list(left_out(drafts, _corpus(d="# 云岫志\n\n云岫多雾。\n")))) == 2


@pytest.mark.parametrize("plan", [Plan(size=0), Plan(abstain=1.5, contract="legal_rag"), Plan(leave_out=-1)])
def test_what_cannot_be_drafted_is_refused(plan: Plan) -> None:
    """Nothing is drafted from a plan that makes no sense."""
    with pytest.raises(SettingError):
        make(_corpus(a="# 白云寺\n\n白云寺重建于1861年。\n"), plan)


def test_one_thing_told_in_fewer_words_is_not_asked_beside_itself() -> None:
    """沈拾光届龄退休 and 沈拾光退休 would be asked as if they were two things."""
    text = "# 沈拾光\n\n2016年1月16日，沈拾光届龄退休。\n\n2006年9月1日，沈拾光退休。\n"
    drafts = draw(_corpus(one=text), 10).drafts

    assert not [draft.question for draft in drafts if draft.difficulty != "easy"]


def _towns() -> Corpus:
    return _corpus(
        **{
            f"t{at}": f"# {name}县\n\n{name}县成立于{1900 + at}年。\n\n{name}县面积为{90 + at}平方公里。\n\n## 历史\n\n"
            f"{name}县于{1950 + at}年通车。\n"
            for at, name in enumerate(("松岭", "云台", "柏溪", "青禾", "栖霞", "望江"))
        }
    )


def test_one_kind_is_not_most_while_there_are_others() -> None:
    """Documents with many dates do not fill up a set that other documents have other kinds for."""
    dates = "".join(f"\n\n## 第{n}节\n\n栖雾镇在{1800 + n}年举办了第{n}号展览。" for n in range(30))
    corpus = _corpus(a=f"# 栖雾镇志\n{dates}\n", **{one.name[:-3]: one.pages[0].text for one in _towns().papers})

    drafts = draw(corpus, 12).drafts

    kinds = Counter(draft.kind for draft in drafts)
    assert kinds["date"] <= kinds["count"]


def test_limits_loosen_before_fewer_are_drawn() -> None:
    """All that is good is taken of a few documents, however many of one kind or section."""
    rows = "".join(
        f"\n\n{name}费为{at + 20}元。" for at, name in enumerate(("入场", "停车场清洁", "船票改签", "行李寄存"))
    )

    drawn = draw(_corpus(a=f"# 收费办法\n{rows}\n"), 20)

    assert len(drawn.drafts) == 4
    assert "spread" not in drawn.refused


def test_a_fact_is_asked_once() -> None:
    """Not twice in a set."""
    drafts = draw(_towns(), 60).drafts
    facts = [(one.place, one.text) for draft in drafts for one in draft.compared or draft.points]

    assert len(facts) == len(set(facts))


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("# Alba pool tariff\n\n| Ticket | Price |\n|---|---|\n| Adult | {} |\n", ("£5", "£6")),
        ("# 云塔公司价目表\n\n| 品名 | 单价 |\n|---|---|\n| 竹刨 | {} |\n", ("15元", "30元")),
        ("# 云塔公司员工手册\n\n员工离职须提前{}书面通知公司。\n", ("15日", "30日")),
    ],
)
def test_what_a_namesake_tells_otherwise_is_not_asked(text: str, values: tuple[str, str]) -> None:
    """A title of two documents does not say which of them is meant; the year behind it does."""
    same = {f"a{at}": text.format(value) for at, value in enumerate(values)}
    editions = {name: one.replace("\n", f"（202{name[1]}年版）\n", 1) for name, one in same.items()}

    newer = _corpus(a0=same["a0"], a1=same["a1"].replace("\n", " 2031\n", 1))

    assert draw(_corpus(a0=same["a0"]), 5).drafts
    assert {one.documents for one in draw(newer, 5).drafts} <= {("a1.md",)}
    assert not draw(_corpus(**same), 5).drafts
    told = draw(_corpus(**editions), 5).drafts
    assert told and all("年版）" in one.question for one in told)
