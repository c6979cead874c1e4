"""The whole way from a folder of documents to a test set, by templates or with a model that proposes."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import repeat
from pathlib import Path
from typing import TypedDict, Unpack

from msgspec import Struct, structs

from ragstone.core.errors import SettingError
from ragstone.core.registry import connect
from ragstone.core.types import JSON
from ragstone.drafting.corpus import Corpus, Paper, bare_title, read_corpus
from ragstone.drafting.draft import Draft, Place
from ragstone.drafting.draw import Drawn, draw, order
from ragstone.drafting.files.earlier import NOTHING, Earlier, add_rows, read_earlier
from ragstone.drafting.files.lock import alone
from ragstone.drafting.model.propose import Journal, Proposer, propose, run
from ragstone.drafting.model.reply import Passage
from ragstone.drafting.proof import holds
from ragstone.drafting.proving.frame import framed
from ragstone.drafting.rows import ABSTAINING, WRITERS, fits, require_target
from ragstone.drafting.unanswerable import Missed, is_told, left_out, misplaced, swapped
from ragstone.text.fold import squeeze


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

    A file that is there is added to if the chat's journal is that of its drafts; any other is refused.

    >>> ragstone.draft("docs/", 100, contract="key_points", out="drafts.jsonl").drafts[0].question  # doctest: +SKIP
    """
    chat = plan.pop("chat", None)
    if chat is not None and not isinstance(chat, Chat):
        raise SettingError("draft.chat", wanted=f"Chat(model={str(chat)!r})", value=str(chat))
    wished = Plan(size=size, **plan)  # type: ignore[misc]
    require_sound(wished)
    if not Path(documents).exists():
        raise SettingError("documents.missing", folder=str(documents))
    if out is None:
        return make(read_corpus(documents), wished, chat)
    target, journal = Path(out), chat.journal if chat else None
    require_target(target, wished.contract)
    with alone(target):
        earlier = read_earlier([target], journal, wished.contract)
        drawn = make(read_corpus(documents), wished, chat, earlier)
        add_rows(target, drawn.drafts, wished.contract, journal)
    return drawn


def _drawn(corpus: Corpus, size: int, plan: Plan, chat: Chat | None) -> Drawn:
    if chat is None:
        return draw(corpus, size, seed=plan.seed, accepts=lambda draft: fits(draft, plan.contract))
    return propose_from(corpus, size, plan, chat)


def propose_from(
    corpus: Corpus,
    size: int,
    plan: Plan,
    chat: Chat,
    choose: Callable[[list[Passage]], list[Passage]] = list,
) -> Drawn:
    """Take what a model proposes; `choose` says which passages it is shown, and in what order."""

    async def work() -> Drawn:
        system = connect(f"chat:{chat.model}", chat.options)
        try:
            asked = Proposer(system, Journal(chat.journal), chat.at_once, choose)
            return await propose(corpus, size, asked, seed=plan.seed, accepts=lambda draft: fits(draft, plan.contract))
        finally:
            await system.close()

    return run(work)


def make(corpus: Corpus, plan: Plan, chat: Chat | None = None, earlier: Earlier = NOTHING) -> Drawn:
    """Draft a set, of a model's proposals if there is one; of one that was begun, what is missing.

    Every quotation is compared with its document once more before it is handed out.
    """
    require_sound(plan)
    every, corpus = corpus, corpus.distinct()
    out = frozenset(_left_out(every, plan))
    wished = round(plan.size * plan.abstain)
    absent, wanted = (earlier.to_ask(n, gaps=gaps) for n, gaps in ((wished, True), (plan.size - wished, False)))
    kept = Corpus(tuple(paper for paper in corpus.papers if paper.name not in out))
    if out and not kept.papers:
        raise SettingError("draft.leave_out_all", n=plan.leave_out, documents=len(corpus.papers))
    drawn = _drawn(kept, wanted, plan, chat)
    missed = Missed()
    gaps = _gaps(drawn, corpus, kept, absent, plan, missed) if absent else []
    if chat is None and absent:
        # Documents of which no question is left are given after all: what they tell otherwise is not asked.
        drawn = _drawn(_given(gaps, corpus), plan.size - len(gaps), plan, chat)
    if absent and chat is None:
        drawn = structs.replace(drawn, documents=len(corpus.papers), read=drawn.read + len(out))
    drafts = [*drawn.drafts, *gaps]
    if earlier.offered:
        drafts, repeats = earlier.new(drafts, plan.size, wished)
        drawn = structs.replace(drawn, refused=dict(Counter(drawn.refused) + Counter({"repeats": repeats})))
    kept_before, gaps_before = len(earlier.rows), earlier.count(gaps=True)
    drawn = structs.replace(drawn, absent_wished=wished, kept=kept_before, absent_kept=gaps_before)
    drawn = _proved(drawn, drafts, corpus, plan)
    return structs.replace(drawn, missed=missed.counted()) if drawn.absent < wished else drawn


def require_sound(plan: Plan) -> None:
    """Refuse a plan that cannot be kept."""
    for name, wanted in Plan.__annotations__.items():
        value = getattr(plan, name)
        if isinstance(value, bool) or not isinstance(value, (int, float) if wanted is float else wanted):
            raise SettingError("draft.type", name=name, wanted=wanted.__name__, value=repr(value))
    if plan.size < 1 or not 0 <= plan.abstain <= 1 or plan.leave_out < 0:
        raise SettingError("draft.plan", size=plan.size, abstain=plan.abstain, leave_out=plan.leave_out)
    if plan.contract not in WRITERS:
        raise SettingError("draft.contract", name=plan.contract, known=", ".join(WRITERS))
    if (plan.abstain or plan.leave_out) and plan.contract not in ABSTAINING:
        raise SettingError("draft.no_abstaining", name=plan.contract, known=", ".join(sorted(ABSTAINING)))
    if plan.leave_out and not plan.abstain:
        raise SettingError("draft.leave_out_alone")


def _left_out(corpus: Corpus, plan: Plan) -> list[str]:
    """Choose documents to leave out; one that has a copy, or another edition, would still be there."""
    copies = Counter(paper.sha256 for paper in corpus.papers)
    titles = Counter(squeeze(bare_title(paper.title)) for paper in corpus.papers)
    alone = (one for one in corpus.papers if copies[one.sha256] == titles[squeeze(bare_title(one.title))] == 1)
    names = (paper.name for paper in alone)
    return sorted(names, key=lambda name: order(plan.seed, "out", name))[: plan.leave_out]


def _gaps(drawn: Drawn, corpus: Corpus, kept: Corpus, most: int, plan: Plan, missed: Missed) -> list[Draft]:
    """Take the kinds of unanswerable questions in turn."""
    gone = Corpus(tuple(paper for paper in corpus.papers if paper.name not in kept.by_name))
    facts = draw(gone, most, seed=plan.seed, accepts=_is_fact).drafts
    missing = map(_named, left_out(facts, kept, missed), repeat(gone))
    others = (way(drawn.drafts, corpus, missed) for way in (swapped, misplaced))
    ways: list[Iterator[Draft]] = [missing, *others]
    told = {one.points[0].place: one for one in facts}
    taken: list[Draft] = []
    while True:
        taken += _in_turn(ways, most - len(taken), {one.question for one in taken})
        left = _withheld(taken, told, corpus)
        if len(left) == len(taken):
            return left
        taken = left


def _in_turn(ways: list[Iterator[Draft]], wanted: int, asked: set[str]) -> list[Draft]:
    """Take questions of each kind in turn, until there are so many or no more."""
    found: list[Draft] = []
    while ways and len(found) < wanted:
        for way in list(ways):
            draft = next(way, None)
            if draft is None:
                ways.remove(way)
            elif len(found) < wanted and draft.question not in asked:
                asked.add(draft.question)
                found.append(draft)
    return found


def _given(gaps: Iterable[Draft], corpus: Corpus) -> Corpus:
    """The documents a system is given: all but those whose questions have no answer because they are left out."""
    gone = {name for gap in gaps if gap.absent and gap.absent.kind == "left_out" for name in gap.documents}
    return Corpus(tuple(paper for paper in corpus.papers if paper.name not in gone))


def _withheld(gaps: list[Draft], facts: Mapping[Place, Draft], corpus: Corpus) -> list[Draft]:
    """Keep what is still untold when the system is given every document of which no question is left."""
    out = [gap for gap in gaps if gap.absent and gap.absent.kind == "left_out"]
    given = _given(gaps, corpus)
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
    told = tuple(framed(draft, corpus) for draft in sound)
    return structs.replace(drawn, drafts=told, refused=dict(refused), wished=plan.size)


def _stands(draft: Draft, paper: Paper) -> bool:
    return all(holds(paper, point.place) for point in draft.points if point.place.document == paper.name)
