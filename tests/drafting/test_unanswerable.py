"""Questions without an answer: that nothing answers them, that they make sense, and that there are enough."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draw import draw
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
    drafts = draw(_corpus(gone), 9).drafts

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
        "# 云台县\n\n云台县面积为410平方公里。\n",
        "# 柏溪县\n\n柏溪县面积为90平方公里。柏溪县有居民三十万。\n",
    )

    asked = {draft.question for draft in misplaced((), _corpus(*towns))}

    assert asked == {"云台县人口为多少人？"}


def test_english_attributes_are_asked_of_another() -> None:
    """A verb told of one museum; the other has a staff of so many, and is not asked for it."""
    texts = (
        "# Halden Museum\n\nHalden Museum was renovated in 2009. Halden Museum employs 71 people.\n",
        "# Brook Museum\n\nBrook Museum was founded in 1911. A staff of 30 works at Brook Museum.\n",
    )

    asked = {draft.question for draft in misplaced((), _corpus(*texts))}

    assert asked == {"When was Brook Museum renovated?", "When was Halden Museum founded?"}


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
