"""The whole way from a folder of documents to a test set, by templates or with a model that proposes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TypedDict, Unpack

from msgspec import Struct, structs

from ragstone.core.errors import SettingError
from ragstone.core.registry import connect
from ragstone.core.types import JSON
from ragstone.drafting.corpus import Corpus, Paper, read_corpus
from ragstone.drafting.draft import Draft, Place
from ragstone.drafting.draw import Drawn, draw, order
from ragstone.drafting.model.propose import Asked, Journal, propose, run
from ragstone.drafting.proof import holds
from ragstone.drafting.rows import ABSTAINING, WRITERS, fits, keep_rows, require_target
from ragstone.drafting.unanswerable import is_told, left_out, misplaced, swapped


class Plan(Struct, frozen=True, kw_only=True):
    """How many questions, for which contract, and how many of them without an answer."""

    size: int = 100
    contract: str = "key_points"
    seed: int = 7
    abstain: float = 0.0
    """Share of questions that have no answer."""
    leave_out: int = 0
    """Documents that the system will not be given; questions about them have no answer then."""


class Chat(Struct, frozen=True, kw_only=True):
    """The model that proposes, its options as for any chat system, and where its replies are kept."""

    model: str
    options: dict[str, JSON] = {}
    journal: Path | None = None
    at_once: int = 4
    """Calls in flight."""
    small: bool = False
    """Whether the model only words questions for what code chose, one sentence a call."""


class PlanOptions(TypedDict, total=False):
    """What `draft` takes besides documents and size; `Plan` says what each is."""

    contract: str
    seed: int
    abstain: float
    leave_out: int
    chat: Chat | None


def draft(
    documents: str | Path, size: int = 100, *, out: str | Path | None = None, **plan: Unpack[PlanOptions]
) -> Drawn:
    """Draft at most `size` questions from a folder of documents, and write them where `out` says.

    >>> ragstone.draft("docs/", 100, contract="key_points", out="drafts.jsonl").drafts[0].question  # doctest: +SKIP
    """
    chat = plan.pop("chat", None)
    wished = Plan(size=size, **plan)  # type: ignore[misc]
    require_sound(wished)
    if out is not None:
        require_target(Path(out), wished.contract)
    drawn = make(read_corpus(documents), wished, chat)
    if out is not None:
        keep_rows(Path(out), drawn.drafts, wished.contract)
    return drawn


def _drawn(corpus: Corpus, size: int, plan: Plan, chat: Chat | None) -> Drawn:
    def accepts(draft: Draft) -> bool:
        return fits(draft, plan.contract)

    if chat is None:
        return draw(corpus, size, seed=plan.seed, accepts=accepts)

    async def work() -> Drawn:
        system = connect(f"chat:{chat.model}", chat.options)
        try:
            asked = Asked(system, Journal(chat.journal), chat.at_once, chat.small)
            return await propose(corpus, size, asked, seed=plan.seed, accepts=accepts)
        finally:
            await system.close()

    return run(work)


def make(corpus: Corpus, plan: Plan, chat: Chat | None = None) -> Drawn:
    """Draft a set, of a model's proposals if there is one.

    Every quotation is compared with its document once more before it is handed out.
    """
    require_sound(plan)
    every, corpus = corpus, corpus.distinct()
    out = frozenset(_left_out(every, plan))
    absent = round(plan.size * plan.abstain)
    wanted = plan.size - absent
    kept = Corpus(tuple(paper for paper in corpus.papers if paper.name not in out))
    if out and not kept.papers:
        raise SettingError("draft.leave_out_all", n=plan.leave_out, documents=len(corpus.papers))
    drawn = _drawn(kept, wanted, plan, chat)
    gaps = _gaps(drawn, corpus, kept, absent, plan) if absent else []
    if chat is None and len(gaps) < absent:
        drawn = _drawn(kept, plan.size - len(gaps), plan, chat)  # what has no answer is missing: more that has one
    if absent and chat is None:
        drawn = structs.replace(drawn, documents=len(corpus.papers), read=drawn.read + len(out))
    return _proved(drawn, [*drawn.drafts, *gaps], corpus, plan)


def require_sound(plan: Plan) -> None:
    """Refuse a plan that cannot be kept."""
    if plan.size < 1 or not 0 <= plan.abstain <= 1 or plan.leave_out < 0:
        raise SettingError("draft.plan", size=plan.size, abstain=plan.abstain, leave_out=plan.leave_out)
    if plan.contract not in WRITERS:
        raise SettingError("draft.contract", name=plan.contract, known=", ".join(WRITERS))
    if (plan.abstain or plan.leave_out) and plan.contract not in ABSTAINING:
        raise SettingError("draft.no_abstaining", name=plan.contract, known=", ".join(sorted(ABSTAINING)))
    if plan.leave_out and not plan.abstain:
        raise SettingError("draft.leave_out_alone")


def _left_out(corpus: Corpus, plan: Plan) -> list[str]:
    """Choose documents to leave out; one that has a copy would still be there."""
    copies = Counter(paper.sha256 for paper in corpus.papers)
    names = (paper.name for paper in corpus.papers if copies[paper.sha256] == 1)
    return sorted(names, key=lambda name: order(plan.seed, "out", name))[: plan.leave_out]


def _gaps(drawn: Drawn, corpus: Corpus, kept: Corpus, most: int, plan: Plan) -> list[Draft]:
    """Take the kinds of unanswerable questions in turn."""
    gone = Corpus(tuple(paper for paper in corpus.papers if paper.name not in kept.by_name))
    facts = draw(gone, most, seed=plan.seed, accepts=_is_fact).drafts
    missing = map(_named, left_out(facts, kept), repeat(gone))
    ways: list[Iterator[Draft]] = [missing, swapped(drawn.drafts, corpus), misplaced(drawn.drafts, corpus)]
    taken: dict[str, Draft] = {}
    while ways and len(taken) < most:
        for way in list(ways):
            draft = next(way, None)
            if draft is None:
                ways.remove(way)
            elif len(taken) < most:
                taken.setdefault(draft.question, draft)
    return _withheld(list(taken.values()), {one.points[0].place: one for one in facts}, corpus)


def _withheld(gaps: list[Draft], facts: Mapping[Place, Draft], corpus: Corpus) -> list[Draft]:
    """Keep what is still untold when the system is given every document of which no question is left."""
    out = [gap for gap in gaps if gap.absent and gap.absent.kind == "left_out"]
    gone = {name for gap in out for name in gap.documents}
    given = Corpus(tuple(paper for paper in corpus.papers if paper.name not in gone))
    told = [gap for gap in out if is_told(facts[gap.points[0].place], given)]
    return _withheld([gap for gap in gaps if gap not in told], facts, corpus) if told else gaps


def _named(draft: Draft, gone: Corpus) -> Draft:
    """Write down the contents of the documents that were left out, too: one may come back under another name."""
    if draft.absent is None:
        return draft
    digests = tuple(paper.sha256 for paper in gone.papers_of(draft.absent.words))
    return structs.replace(draft, absent=structs.replace(draft.absent, digests=digests))


def _is_fact(draft: Draft) -> bool:
    """Say whether one thing is asked for; a whole section is no gap."""
    return draft.kind != "section"


def _proved(drawn: Drawn, drafts: list[Draft], corpus: Corpus, plan: Plan) -> Drawn:
    """Drop what cannot be proved; that is a fault of ours, and counted."""
    sound = [draft for draft in drafts if all(_stands(draft, paper) for paper in corpus.papers_of(draft.documents))]
    refused = Counter(drawn.refused) + Counter({"unproved": len(drafts) - len(sound)})
    return structs.replace(drawn, drafts=tuple(sound), refused=dict(refused), wished=plan.size)


def _stands(draft: Draft, paper: Paper) -> bool:
    return all(holds(paper, point.place) for point in draft.points if point.place.document == paper.name)
