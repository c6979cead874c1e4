"""What a file of drafts holds and what was offered in it before: drafting again keeps both and only adds."""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec
from msgspec import Struct

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON
from ragstone.drafting.draft import Draft
from ragstone.drafting.draw import order
from ragstone.drafting.faults import Asked
from ragstone.drafting.files.accept import DraftFile, draft_rows, encoded
from ragstone.drafting.files.lock import append
from ragstone.drafting.rows import ABSENT, PROVENANCE, WRITERS, contract_of, draft_id, encode_rows, save

REPLIES = ".proposals.jsonl"
"""How the file ends that keeps a model's replies, and what was offered."""
_HALF = re.compile(r"-(?:dev|test)$")
_NUMBER = re.compile(r"draft-([0-9]+)")


class Offer(Struct, frozen=True):
    """One line of the file of replies: a draft that was written; one that is gone from its file was rejected."""

    offered: str = ""
    """Its key."""
    id: str = ""
    file: str = ""
    gap: bool = False
    """Whether it has no answer."""


class Earlier(Struct, frozen=True):
    """The rows that are there, and every draft that was ever offered."""

    rows: tuple[dict[str, JSON], ...] = ()
    offered: Mapping[str, bool] = {}
    """Keys of drafts, and whether each has no answer."""
    files: Mapping[str, int] = {}
    """How many rows each file holds."""

    @property
    def documents(self) -> frozenset[str]:
        """The documents the rows rest on."""
        return frozenset(str(proof.get("document")) for row in self.rows for proof in proofs_in(row))

    def count(self, *, gaps: bool) -> int:
        """Count the rows with, or without, an answer."""
        return sum((ABSENT in row) is gaps for row in self.rows)

    def to_ask(self, wished: int, *, gaps: bool) -> int:
        """How many must be drafted so that so many are there: what was offered is drafted again, and left out."""
        missing = wished - self.count(gaps=gaps)
        return missing + sum(gap is gaps for gap in self.offered.values()) if missing > 0 else 0

    def new(self, drafts: Iterable[Draft], wished: int, absent: int) -> tuple[list[Draft], int]:
        """Keep drafts that were never offered and are wished for; says how many repeat what is there."""
        room = {gaps: n - self.count(gaps=gaps) for gaps, n in ((True, absent), (False, wished - absent))}
        asked, kept, repeats = asked_in(self.rows), [], 0
        for draft in drafts:
            gap = draft.absent is not None
            if key_of(draft) in self.offered or room[gap] <= 0:
                continue
            if asked.repeats(draft.question):
                repeats += 1
                continue
            room[gap] -= 1
            kept.append(draft)
        return kept, repeats


NOTHING = Earlier()


def asked_in(rows: Iterable[Mapping[str, JSON]]) -> Asked:
    """What the rows ask, to tell what nearly repeats it."""
    asked = Asked()
    for row in rows:
        asked.take(question_of(row))
    return asked


def question_of(row: Mapping[str, JSON]) -> str:
    """The question of a row, of whatever contract."""
    return str(row.get("q") or row.get("question") or "")


def proofs_in(row: Mapping[str, JSON]) -> list[dict[str, JSON]]:
    """The entries of a row's provenance, as far as they are any."""
    proofs = row.get(PROVENANCE)
    return [one for one in proofs if isinstance(one, dict)] if isinstance(proofs, list) else []


def left_out_in(rows: Iterable[Mapping[str, JSON]]) -> set[str]:
    """The documents that rows ask about because the system is not given them."""
    absents = [row[ABSENT] for row in rows if isinstance(row.get(ABSENT), dict)]
    return {str(name) for one in absents if one.get("kind") == "left_out" for name in one.get("words") or ()}


Fact = tuple[str, str, str]
"""A document, a quotation and the point that it proves."""


def facts_of(draft: Draft) -> list[Fact]:
    """What a draft rests on."""
    return [(one.place.document, one.place.quote, one.text) for one in draft.points]


def facts_in(row: Mapping[str, JSON]) -> list[Fact]:
    """What a row rests on."""
    return [(str(one.get("document")), str(one.get("quote")), str(one.get("point"))) for one in proofs_in(row)]


def key_of(draft: Draft) -> str:
    """What stays of a draft however it is worded: its facts; of one without an answer its question."""
    return _key(facts_of(draft), draft.question if draft.absent else "")


def key_in(row: Mapping[str, JSON]) -> str:
    """The key of a row, as it stands now."""
    return _key(facts_in(row), question_of(row) if ABSENT in row else "")


def _key(facts: Iterable[Fact], question: str) -> str:
    return order(0, question, *("\n".join(fact) for fact in sorted(facts)))[:20]


def journal_of(target: Path) -> Path:
    """Where a model's replies to a set are kept; both parts of a set have one file."""
    own = target.with_suffix(REPLIES)
    whole = target.with_stem(_HALF.sub("", target.stem)).with_suffix(REPLIES)
    return whole if whole.exists() and not own.exists() else own


def read_earlier(files: Sequence[Path], journal: Path | None, contract: str) -> Earlier:
    """Read what is there; a file that was not drafted with these replies is refused, as is another contract's."""
    there = [file for file in files if file.exists()]
    if not there:
        return NOTHING
    if journal is None or not journal.exists():
        raise SettingError("import.taken", file=str(there[0]))
    held = {file.name: [row for row in read_drafts(file).rows if PROVENANCE in row] for file in there}
    rows = [row for found in held.values() for row in found]
    if other := next((name for row in rows if (name := contract_of(row)) != contract), None):
        raise SettingError("draft.other_contract", file=str(there[0]), there=other, contract=contract)
    names = {file.name for file in files}
    offered = {one.offered: one.gap for one in _offers(journal) if one.file in names}
    known = {**{key_in(row): ABSENT in row for row in rows}, **offered}
    return Earlier(tuple(rows), known, {name: len(found) for name, found in held.items()})


def offered_in(journal: Path, file: Path) -> set[str]:
    """The keys of all drafts that were ever written to a file, where they were kept."""
    return {one.offered for one in _offers(journal) if one.file == file.name}


def read_drafts(file: Path) -> DraftFile:
    """Read a file of drafts, or say that it cannot be read."""
    try:
        return draft_rows(file.read_bytes())
    except (ValueError, RecursionError) as error:
        raise SettingError("draft.broken", file=str(file)) from error


def _offers(journal: Path) -> list[Offer]:
    found = []
    for line in journal.read_bytes().splitlines() if journal.exists() else ():
        try:
            found.append(msgspec.json.decode(line, type=Offer))
        except (msgspec.DecodeError, UnicodeDecodeError):
            continue  # the last line may have been cut off
    return [one for one in found if one.offered]


def offer(journal: Path | None, file: Path, named: Iterable[tuple[str, Draft]]) -> None:
    """Remember drafts that were written, under their ids."""
    if journal is None or not journal.exists():
        return
    lines = [Offer(key_of(draft), name, file.name, draft.absent is not None) for name, draft in named]
    append(journal, map(msgspec.json.encode, lines))


def add_rows(file: Path, drafts: Sequence[Draft], contract: str, journal: Path | None = None) -> None:
    """Write drafts behind what stands in a file, under ids that were never used in it."""
    known = [one.id for one in _offers(journal) if one.file == file.name] if journal else []
    there = read_drafts(file) if file.exists() else None
    known += [draft_id(row) for row in there.rows] if there else []
    last = max((int(number[1]) for name in known if there and (number := _NUMBER.fullmatch(name))), default=0)
    named = [(f"draft-{at:04d}", draft) for at, draft in enumerate(drafts, last + 1)]
    rows = [WRITERS[contract](draft, name) for name, draft in named]
    if there is None:
        save(file, encode_rows(rows, contract))
    elif rows:
        there.rows.extend(rows)
        save(file, encoded(*there))
    offer(journal, file, named)
