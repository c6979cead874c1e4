"""Drafting single questions again, in their place in the file: the same one of a changed document, or another one."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Position
from ragstone.datasets.rows import Row
from ragstone.drafting.comparisons import compared
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draft import Draft
from ragstone.drafting.faults import fits_elsewhere, trigrams
from ragstone.drafting.files.accept import dropped_from, encoded, remember_dropped
from ragstone.drafting.files.earlier import (
    asked_in,
    facts_in,
    facts_of,
    journal_of,
    key_in,
    key_of,
    offer,
    offered_in,
    proofs_in,
    question_of,
    read_drafts,
)
from ragstone.drafting.find import Found, find
from ragstone.drafting.make import Chat, Plan, propose_from
from ragstone.drafting.model.reply import Passage
from ragstone.drafting.proof import wrong_in
from ragstone.drafting.proving.elsewhere import told_by_namesake
from ragstone.drafting.proving.frame import framed
from ragstone.drafting.rows import ABSENT, PROVENANCE, REVIEWED, WRITERS, contract_of, draft_id, fits, save
from ragstone.drafting.unanswerable import misplaced, swapped

_MOST = 50
"""Questions without an answer among which the nearest is chosen."""
_ENOUGH = 3
"""Proposals of a model among which the nearest is chosen."""


class Redrafted(NamedTuple):
    """What came of it: the new question of each id, and the ids for which there is none."""

    drafted: dict[str, str]
    left: tuple[str, ...]
    kept: tuple[str, ...]
    """Those of a person, accepted or worded anew, whose document is as it was: they are not thrown away."""


def draft_again(file: Path, ids: Collection[str], corpus: Corpus, chat: Chat | None = None) -> Redrafted:
    """Draft questions of a file again; the others, and what cannot be drafted, stay as they stand."""
    if not file.is_file():
        raise SettingError("draft.no_file", file=str(file))
    there = read_drafts(file)
    mine = {draft_id(row): row for row in there.rows if draft_id(row) in ids and PROVENANCE in row}
    if unknown := sorted({*ids} - mine.keys()):
        raise SettingError("draft.id", file=str(file), names=", ".join(unknown))
    journal = journal_of(file)
    found: dict[str, Draft] = {}
    replaced: list[dict[str, JSON]] = []
    kept = [name for name, row in mine.items() if _is_somebodys(row, corpus)]
    gone = offered_in(journal, file) | {*map(key_in, dropped_from(file))}
    for name, row in mine.items():
        if name in kept:
            continue
        rest = [one for one in there.rows if one is not row]
        draft = _nearest(row, rest, corpus, chat, gone - {key_in(row)})
        if draft:
            replaced.append(row)
            found[name] = draft
            there.rows[there.rows.index(row)] = WRITERS[contract_of(row)](framed(draft, corpus), name)
    if found:
        save(file, encoded(*there))
        offer(journal, file, found.items())
        remember_dropped(file, replaced)
    left = mine.keys() - found.keys() - {*kept}
    return Redrafted({name: draft.question for name, draft in found.items()}, tuple(sorted(left)), tuple(sorted(kept)))


def _is_somebodys(row: dict[str, JSON], corpus: Corpus) -> bool:
    """Say whether a sound row was accepted, or has another wording than was drafted."""
    if not _stands(row, corpus):
        return False
    names = {str(one.get("document")) for one in proofs_in(row)}
    again = (
        one.draft
        for name in names & corpus.by_name.keys()
        for one in find(corpus.by_name[name])
        if isinstance(one, Found)
    )
    asked = {draft.question for draft in again if key_of(draft) == key_in(row)} if ABSENT not in row else set()
    return row.get(REVIEWED) is True or bool(asked and question_of(row) not in asked)


def _stands(row: dict[str, JSON], corpus: Corpus) -> bool:
    return not any(one.level == "error" for one in wrong_in([Row(row, Position(""), 0)], corpus))


def _nearest(
    row: dict[str, JSON], rest: Sequence[Mapping[str, JSON]], corpus: Corpus, chat: Chat | None, gone: Collection[str]
) -> Draft | None:
    """Of what may be asked in a row's place, the question nearest to its own; another one where it stands as it is."""
    stands = _stands(row, corpus)
    asked = asked_in([*rest, row] if stands else rest)
    facts = {fact for one in (*rest, *([row] if stands else [])) for fact in facts_in(one)}

    def is_free(draft: Draft) -> bool:
        known = key_of(draft) in gone or (draft.absent is None and not facts.isdisjoint(facts_of(draft)))
        return not (known or asked.repeats(draft.question))

    said = trigrams(question_of(row))
    free = filter(is_free, _candidates(row, corpus, chat))
    return max(free, key=lambda draft: _alike(trigrams(draft.question), said), default=None)


def _alike(one: frozenset[str], other: frozenset[str]) -> float:
    return len(one & other) / len(one | other)


def _candidates(row: Mapping[str, JSON], corpus: Corpus, chat: Chat | None) -> Iterator[Draft]:
    """What the documents of a row give, for its contract."""
    contract = contract_of(row)
    names = dict.fromkeys(str(one.get("document")) for one in proofs_in(row))
    papers = [corpus.by_name[name] for name in names if name in corpus.by_name]
    # Copies of these are left out, and not these as copies of others.
    corpus = Corpus((*papers, *(paper for paper in corpus.papers if paper.name not in names))).distinct()
    if chat is not None and ABSENT not in row:
        yield from _proposed(row, papers, corpus, chat)
        return
    found = [one for paper in papers for one in find(paper) if isinstance(one, Found)]
    clear = (one.draft for one in found if not fits_elsewhere(one.draft, one.subject, corpus))
    easy = (draft for draft in clear if not told_by_namesake(draft, corpus))
    if ABSENT in row:
        drafts = list(easy)
        yield from chain(*(islice(way(drafts, corpus), _MOST) for way in (swapped, misplaced)))
        return
    yield from (draft for draft in chain(easy, compared(found)) if fits(draft, contract))


def _proposed(row: Mapping[str, JSON], papers: list[Paper], corpus: Corpus, chat: Chat) -> Iterator[Draft]:
    """What a model proposes of the passages nearest to a row's quotations and question."""
    said = trigrams(" ".join([question_of(row), *(str(one.get("quote")) for one in proofs_in(row))]))
    names = {paper.name for paper in papers}

    def choose(passages: list[Passage]) -> list[Passage]:
        near = [one for one in passages if one.paper.name in names]
        return sorted(near, key=lambda one: -len(trigrams(one.text) & said))

    yield from propose_from(
        corpus, _ENOUGH, Plan(contract=contract_of(row)), structs.replace(chat, at_once=1), choose
    ).drafts
