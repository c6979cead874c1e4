"""Questions without an answer: that nothing answers them, that they make sense, and that there are enough."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draft import MISSED
from ragstone.drafting.draw import draw
from ragstone.drafting.find import Found, find
from ragstone.drafting.make import Plan, make
from ragstone.drafting.unanswerable import left_out, misplaced, swapped

THEATRE = "# Halden Theatre\n\nHalden Theatre was founded in 1956 by Nadia Voss. Halden Theatre employs 71 people.\n"
COUNTY = "# 松岭县\n\n松岭县设立于1974年。松岭县的首任市长为邓启贤。松岭县人口为27万人。\n"


def _corpus(*texts: str) -> Corpus:
    papers = (Paper(f"{at}.md", f"{at}" * 64, (Page(1, text),)) for at, text in enumerate(texts))
    return Corpus(tuple(papers))


FOUNDED, STAFF = "When was Halden Theatre founded by Nadia Voss?", "How many people does Halden Theatre employ?"
SET_UP, MAYOR, PEOPLE = "松岭县设立于哪一年？", "松岭县的首任市长是谁？", "松岭县人口为多少人？"


@pytest.mark.parametrize(
    ("gone", "kept", "left"),
    [
        (THEATRE, "# Guide\n\nA staff of 71 works at Halden Theatre.\n", {FOUNDED}),
        (THEATRE, "# Guide\n\nNadia Voss set up Halden Theatre. That was back in 1956.\n", {STAFF}),
        (THEATRE, "# Guide\n\nThe house in Halden opened in 1956.\n", {STAFF}),
        (THEATRE, "# Guide\n\nHarrow Theatre opened in 1956 and has 71 seats.\n", {FOUNDED, STAFF}),
        (COUNTY, "# 概况\n\n松岭县1974年设县。\n", {PEOPLE}),
        (COUNTY, "# 概况\n\n松岭1974年设县，邓启贤任首任市长，全县有二十七万居民。\n", set()),
        (COUNTY, "# 松岭风物\n\n县里住着三十万人。\n", {SET_UP}),
    ],
)
def test_what_is_told_in_other_words_is_no_gap(gone: str, kept: str, left: set[str]) -> None:
    """A kept document that names the thing beside a value of the kind asked for may answer."""
    (paper,) = _corpus(gone).papers
    drafts = [one.draft for one in find(paper) if isinstance(one, Found)]

    missing = {draft.question for draft in left_out(drafts, _corpus(kept))}

    assert missing - {"Who founded Halden Theatre?"} == left
    assert {draft.question for draft in drafts} > left


def test_what_no_value_tells_is_no_gap_where_its_subject_is_named() -> None:
    """Anything said of it may tell what it is."""
    (draft,) = draw(_corpus("# 青岭山\n\n青岭山是云州北部的一座火山。\n"), 5).drafts

    assert list(left_out([draft], _corpus("# 游记\n\n我们爬上了青岭山。\n"))) == []
    assert list(left_out([draft], _corpus("# 游记\n\n我们爬上了北山。\n")))


def test_a_swapped_name_is_of_the_same_sort() -> None:
    """The last word stays; what is no name of its own is not swapped."""
    corpus = _corpus(THEATRE, COUNTY, "# 装配线\n\n装配线长300米。\n")

    names = {draft.question for draft in swapped((), corpus)}

    assert names and all(" Theatre " in one or " Theatre?" in one or "县" in one for one in names)
    assert not any("线" in one or "Nadia" in one for one in names)


@pytest.mark.parametrize(
    "text",
    [
        "# 澄湖市\n\n1988年，澄湖市建成澄湖大桥。\n",
        "# 青嶺市\n\n2011年3月11日，青嶺市外海發生8.9級地震。\n",
        "# 青岭市\n\n青岭市与松江县于1988年签署协定。\n",
    ],
)
def test_what_another_name_or_day_tells_is_not_swapped(text: str) -> None:
    """With the bridge, the day or the other party left in, the question still asks for what happened."""
    assert list(swapped((), _corpus(text))) == []


def test_an_attribute_told_of_one_is_asked_of_another() -> None:
    """Of two things of one sort, and only where nothing tells it of the other in other words."""
    towns = (
        "# 松岭县\n\n松岭县人口为27万人。松岭县面积为300平方公里。\n",
        "# 云台县\n\n云台县山多田少。\n",
        "# 柏溪县\n\n柏溪县面积为90平方公里。柏溪县有居民三十万。\n",
    )

    asked = {draft.question for draft in misplaced((), _corpus(*towns))}

    assert asked == {"云台县人口为多少人？", "云台县面积为多少平方公里？"}


def test_english_attributes_are_asked_of_another() -> None:
    """Only where nothing of the kind is told of the other, whose document has a staff of so many, and no year."""
    texts = (
        "# Halden Museum\n\nHalden Museum was renovated in 2009. Halden Museum employs 71 people.\n",
        "# Brook Museum\n\nBrook Museum shows clocks. A staff of 30 works at Brook Museum.\n",
    )

    asked = {draft.question for draft in misplaced((), _corpus(*texts))}

    assert asked == {"When was Brook Museum renovated?"}


ASKED = {
    "# 松岭县\n\n松岭县人口为27万人。\n": "云台县人口为多少人？",
    "# 松岭县\n\n松岭县面积为300平方公里。\n": "云台县面积为多少平方公里？",
    "# 松岭中学\n\n松岭中学创办于1974年5月1日。\n": "云台中学创办于什么时候？",
    "# 松岭中学\n\n松岭中学校长为梁汉章。\n": "云台中学校长是谁？",
    "# Orrin College\n\nOrrin College was founded by Ada Quill.\n": "Who founded Selby College?",
    "# Orrin College\n\nOrrin College was founded in 1923.\n": "When was Selby College founded?",
    "# 松岭物流有限公司\n\n松岭物流有限公司共有员工350人。\n": "云台物流有限公司共有员工多少人？",
}


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("松岭县人口", "# 云台县\n\n云台县辖六个镇。境内生活着十九万人。\n"),
        ("松岭县人口", "# 云台县\n\n云台县辖六个镇。户籍人数为8.2万。\n"),
        ("松岭县面积", "# 云台县\n\n云台县山多田少。地域广大，有两千平方千米。\n"),
        ("松岭中学创办", "# 云台中学\n\n云台中学临河。乾隆年间始有学堂。\n"),
        ("松岭中学校长", "# 云台中学\n\n云台中学临河。由沈立群主持校务。\n"),
        ("Orrin College was founded by", "# Selby College\n\nSelby College teaches law. Maud Ferrow began it all.\n"),
        ("Orrin College was founded in", "# Selby College\n\nIts beginnings go back to 1911.\n"),
        ("松岭物流有限公司共有", "# 云台物流有限公司\n\n云台物流有限公司设在海港。麾下已有三千多号人。\n"),
        ("松岭物流有限公司共有", "# 云台物流有限公司\n\n云台物流有限公司设在海港。\n\n> 队伍达900名。\n"),
    ],
)
def test_a_value_of_its_kind_anywhere_is_an_answer(text: str, other: str) -> None:
    """In whatever words a document tells it of what it is about, in whatever paragraph."""
    ((whole, question),) = ((whole, question) for whole, question in ASKED.items() if text in whole)

    asked = {draft.question for draft in misplaced((), _corpus(whole, other))}
    free = {draft.question for draft in misplaced((), _corpus(whole, other.partition("\n")[0] + "\n\n风。\n"))}

    assert question in free
    assert question not in asked


def test_another_document_that_names_it_in_short_may_tell() -> None:
    """By the name it is given, or without the word for its sort."""
    texts = (
        "# 松岭县\n\n松岭县人口为27万人。\n",
        "# 云台县\n\n云台县（简称云县）风光好。\n",
        "# 年鉴\n\n{}有八万人。\n",
    )

    for name in ("云台", "云县"):
        papers = _corpus(*(text.format(name) for text in texts))
        assert list(misplaced((), papers)) == []
    assert list(misplaced((), _corpus(*(text.format("柏溪") for text in texts))))


@pytest.mark.parametrize("share", [0.5, 1.0])
def test_the_share_is_not_bound_to_what_was_drawn(share: float) -> None:
    """A few answered questions are not all that names can be swapped in."""
    corpus = _corpus(THEATRE, COUNTY)

    drawn = make(corpus, Plan(size=6, contract="legal_rag", abstain=share))

    assert sum(draft.absent is not None for draft in drawn.drafts) >= 3


@pytest.mark.parametrize("seed", range(1, 7))
def test_a_document_that_is_given_after_all_may_tell(seed: int) -> None:
    """What is left out but gives no question goes to the system: it must not hold the answer either."""
    corpus = _corpus(
        "# Orrin Museum\n\nOrrin Museum was founded in 1923 by Ada Quill. Orrin Museum employs 52 people.\n",
        "# Guide\n\nAda Quill set up Orrin Museum in 1923.\n",
        "# Selby Library\n\nSelby Library was founded in 1956.\n",
    )

    drawn = make(corpus, Plan(size=6, contract="legal_rag", seed=seed, abstain=0.5, leave_out=2))

    gaps = [one for one in drawn.drafts if one.absent and one.absent.kind == "left_out"]
    out = {name for gap in gaps for name in gap.documents}
    given = [paper for paper in corpus.papers if paper.name not in out]
    told = any("Ada Quill" in page.text for paper in given for page in paper.pages)
    assert not (told and any("Orrin Museum founded" in gap.question for gap in gaps))


def test_what_could_not_be_turned_into_a_gap_is_counted_by_its_reason() -> None:
    """Only where there are fewer than wished for; Python programs read it, too."""
    plan = Plan(size=20, contract="legal_rag", abstain=1.0)
    drawn = make(_corpus(THEATRE, COUNTY, "# Notes\n\nThe fee is £5.\n"), plan)
    enough = make(_corpus(THEATRE, COUNTY), Plan(size=4, contract="legal_rag", abstain=0.25))

    assert (drawn.absent_wished, drawn.absent < 20, set(drawn.missed) <= set(MISSED)) == (20, True, True)
    assert sum(drawn.missed.values()) > 0
    assert (enough.absent_wished, enough.absent, enough.missed) == (1, 1, {})


HANDBOOK = """# 云杉科技员工手册

## 请假

婚假为13天。员工离职须提前30日书面通知公司。

## 设备

| 参数 | 数值 |
|---|---|
| 额定功率 | 52W |
"""
STAFF_RULES = "# Larkfield Trust staff handbook\n\nClaims must be submitted within 60 days.\n"
LEAVE, NOTICE = (
    "根据《云杉科技员工手册》中「请假」，婚假为多少天？",
    "根据《云杉科技员工手册》中「请假」，员工离职须提前多少日书面通知公司？",
)
POWER = "根据《云杉科技员工手册》中「设备」，额定功率是多少？"
CLAIMS = "According to “Larkfield Trust staff handbook”, within how many days must claims be submitted?"


@pytest.mark.parametrize(
    ("gone", "kept", "told"),
    [
        (HANDBOOK, "# 云杉科技人事问答\n\n**问：婚假有几天？**\n答：婚假13天。\n", {LEAVE, NOTICE}),
        (HANDBOOK, "# 人事问答\n\n> 婚假一共是十天。\n", {LEAVE}),
        (HANDBOOK, "# 人事问答\n\n## 离职要提前多久？\n\n提前30日书面通知公司即可。\n", {NOTICE}),
        (HANDBOOK, "# 通知\n\n员工离职须提前30日书面通知公司，婚假另行通知。\n", {NOTICE, LEAVE}),
        (HANDBOOK, "# 选购\n\n机器的额定功率为52瓦。\n", {POWER}),
        (HANDBOOK, "# 选购\n\n| 型号 | 额定功率 |\n|---|---|\n| 甲 | 60W |\n", {POWER}),
        (HANDBOOK, "# 选购\n\n机器重52斤，婚假与离职另行规定。\n", set()),
        (STAFF_RULES, "# Questions\n\nClaims must be submitted within 60 days.\n", {CLAIMS}),
        (STAFF_RULES, "# Questions\n\nSubmit your claim within two months, that is 61 days.\n", {CLAIMS}),
        (STAFF_RULES, "# Questions\n\nSend your claim inside sixty days.\n", {CLAIMS}),
        (STAFF_RULES, "# Questions\n\nLarkfield gives you sixty days for it.\n", {CLAIMS}),
        (STAFF_RULES, "# Questions\n\nThe house was built in 60 days.\n", set()),
    ],
)
def test_what_a_document_of_another_title_tells_is_no_gap(gone: str, kept: str, told: set[str]) -> None:
    """Its own clause, or the question's own words beside a value of the kind; its title does not matter."""
    (paper,) = _corpus(gone).papers
    drafts = [one.draft for one in find(paper) if isinstance(one, Found)]

    missing = {draft.question for draft in left_out(drafts, _corpus("", kept))}

    assert {draft.question for draft in drafts} - missing == told


POLICY = "# Harrow travel policy\n\nEdition of {0}\n\nClaims must be submitted within {1} days.\n"


@pytest.mark.parametrize("seed", range(1, 5))
def test_of_two_editions_none_is_left_out_and_none_asked_about(seed: int) -> None:
    """The one that is given after all says otherwise."""
    corpus = _corpus(POLICY.format(2024, 60), POLICY.format(2025, 30), THEATRE, COUNTY)

    drawn = make(corpus, Plan(size=12, contract="legal_rag", seed=seed, abstain=0.3, leave_out=2))

    assert drawn.drafts
    assert not [draft.question for draft in drawn.drafts if "laims" in draft.question]
