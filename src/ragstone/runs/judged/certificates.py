"""Whether the certificates that a judged run was believed by still hold.

A run carries the certificates of its judges, and says where they lay. The certificates of today decide: one that is
gone, that no longer trusts its judge, or that makes other verdicts of the same replies takes the run's trust away.
What a run says of its certificates is believed only where this user's own process wrote it; else the user's own file
decides about every judge that it knows.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs, to_builtins

from ragstone.core.errors import SettingError
from ragstone.core.settings import read_settings
from ragstone.core.types import JudgedBy, KindDoubt, RuleCheck, Summary
from ragstone.judging.certificate import (
    Certificate,
    carried,
    fault_of,
    hold,
    read_certificates,
    rule_check,
    sealed,
    stand,
)
from ragstone.judging.decisions import Checked, JudgeTerms, Terms
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.runs.judged.files import read_judging
from ragstone.runs.store.codec import is_plain, pretty, write_whole
from ragstone.runs.store.fingerprint import file_sha256
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.owner import foreign_verdicts, is_signed, sign

SUMMARY = "summary.json"


class Held(NamedTuple):
    """A judge of a stored run with the certificates that decide about it today."""

    judge: JudgeTerms
    known: Mapping[str, Certificate]
    why: str = ""
    """What keeps it from being trusted with anything."""
    unchecked: str = ""
    """What the run itself says against its replies, whatever the certificates say."""

    def doubt(self, kind: str) -> KindDoubt | None:
        """Return what keeps it from being trusted with a kind of question; None where nothing does."""
        judge, why = (self.judge, self.why) if self.why else hold(self.judge, self.known, (kind,))
        why = why or self.unchecked
        return KindDoubt(kind=kind, why=why, judges=(judge.name,), failed=judge.failed) if why else None


def believed(folder: RunFolder, summary: Summary) -> Summary:
    """Return a run's figures with the trust its judges have today, and what of its verdicts was written elsewhere."""
    by = summary.judged_by
    if by is None:
        return summary
    judging = read_judging(folder.path)
    # Figures that nobody's verdicts are there for are somebody's word alone.
    by = structs.replace(by, elsewhere=foreign_verdicts(folder) if judging else (SUMMARY,))
    if by.names and judging:
        terms = judging.terms
        held = [
            _held(judge, folder, foreign=bool(by.elsewhere))._replace(unchecked=_unchecked(terms, judge, folder))
            for judge in terms.judges
        ]
        decided = (kind for one in summary.models.values() for kind in one.judged_kinds)
        by = _doubted(by, judging.terms, dict.fromkeys([*judging.terms.standing, *decided]), held)
        by = structs.replace(by, rule_checks=_rule_checks(held))
    return structs.replace(summary, judged_by=by)


def _unchecked(terms: Terms, judge: JudgeTerms, folder: RunFolder) -> str:
    """Return what a run says against a judge: it drifted while it judged, or was not looked at after its last reply."""
    if judge.epoch and judge.epoch in terms.drifted:
        return "alarm"
    return "owed" if replies_of(judge, terms, folder).owed else ""


class Replies(NamedTuple):
    """How many replies of a judge a run has."""

    owed: int
    """Those after which it was not checked for drift."""
    all: int


class _Line(Struct, frozen=True):
    judge: str


def replies_of(judge: JudgeTerms, terms: Terms, folder: RunFolder) -> Replies:
    """Count a judge's replies in a run, whoever asked for them and however that ended."""
    path, known = folder.path / JUDGEMENTS, terms.checked.get(judge.who_now)
    if not is_plain(path):
        return Replies(0, 0)
    covered = known.bytes if known and file_sha256(path, known.bytes) == known.sha256 else 0
    place, owed, every = 0, 0, 0
    with path.open("rb") as file:
        for line in file:
            own = line.endswith(b"\n") and _judge_in(line) == judge.name
            every += own
            owed += own and place >= covered
            place += len(line)
    return Replies(owed, every)


def _judge_in(line: bytes) -> str:
    try:
        return msgspec.json.decode(line, type=_Line).judge
    except (msgspec.DecodeError, ValueError, RecursionError):
        return ""


def cover(folder: RunFolder) -> Checked:
    """Return that all replies a run has by now are checked."""
    path = folder.path / JUDGEMENTS
    return Checked(path.stat().st_size, file_sha256(path))


def _rule_checks(held: Iterable[Held]) -> dict[str, RuleCheck]:
    """Return what the labels of the certificates say of the rules, by kind of question; most labels count."""
    found: dict[str, RuleCheck] = {}
    for one in held:
        certificate = one.known.get(one.judge.identity)
        for kind, standing in certificate.kinds.items() if certificate else ():
            if (check := rule_check(standing)).n > found.get(kind, RuleCheck()).n:
                found[kind] = check
    return found


def _doubted(by: JudgedBy, terms: Terms, kinds: Iterable[str], held: Sequence[Held]) -> JudgedBy:
    """Add what keeps the judges from being trusted with some kinds of question."""
    # What kept a judge from being trusted when it judged is not mended by a certificate that it was not judged by.
    old = {doubt.kind: doubt for doubt in terms.judged_by().doubts}
    found = (old.get(kind) or next(filter(None, (one.doubt(kind) for one in held)), None) for kind in kinds)
    doubts = tuple(filter(None, found))
    by = structs.replace(by, doubts=doubts)
    if by.standing != "trusted" or not doubts:
        return by
    first = doubts[0]
    return structs.replace(by, standing="advisory", why=first.why, doubted=first.judges, failed=first.failed)


def _held(judge: JudgeTerms, folder: RunFolder, *, foreign: bool) -> Held:
    brought = carried(judge)
    if not brought:
        return Held(judge, {}, "uncarried")
    try:
        today = _today(judge, folder, foreign=foreign)
    except SettingError:
        return Held(judge, {}, "broken")
    if judge.identity in today:
        return Held(judge, today)
    # A run from elsewhere comes without the place it was judged in; what it carries is held against its own counts.
    return Held(judge, brought) if foreign else Held(judge, {}, "gone")


def made_elsewhere(folder: RunFolder) -> tuple[str, ...]:
    """Name the judges of a run whose certificates of today do not carry this user's mark."""
    judging, foreign = read_judging(folder.path), bool(foreign_verdicts(folder))
    held = [_held(judge, folder, foreign=foreign) for judge in judging.terms.judges] if judging else []
    known = [(one.judge.name, one.known.get(one.judge.identity)) for one in held]
    return tuple(name for name, one in known if one and not is_signed(one.seal.encode(), one.mark))


def stand_today(terms: Terms, versions: Sequence[str], folder: RunFolder) -> Terms:
    """Return the terms with the versions that spoke and how far they are to be believed by today's certificates.

    The judges were connected just now: the place of their certificates is the user's.
    """
    spoke = [structs.replace(one, version=version) for one, version in zip(terms.judges, versions, strict=True)]
    judges, standing = stand(spoke, lambda one: _first(one, _places(one, folder)), tuple(terms.standing))
    return structs.replace(terms, judges=judges, standing=standing)


def _today(judge: JudgeTerms, folder: RunFolder, *, foreign: bool) -> dict[str, Certificate]:
    """Read the certificates that decide about a judge of a stored run; what a `foreign` one names is not read."""
    own = Path(read_settings().judge.certificate)
    return _first(judge, [own] if foreign else [*_places(judge, folder), own])


def _places(judge: JudgeTerms, folder: RunFolder) -> list[Path]:
    """Say where certificates lie by the judging's own word: from the current folder, else beside the folder of runs."""
    return [Path(judge.place), folder.path.resolve().parent.parent / judge.place]


def place_of(judge: JudgeTerms, folder: RunFolder) -> Path | None:
    """Return the file of the certificate that decides about a judge of a run; None where none knows it."""
    places = (place for place in _places(judge, folder) if place.is_file())
    return next((place for place in places if judge.identity in read_certificates(place)), None)


def _first(judge: JudgeTerms, places: Sequence[Path]) -> dict[str, Certificate]:
    """Return the certificates of the first file that knows a judge, else of the first there is."""
    known = [read_certificates(place) for place in places if place.is_file()]
    return next((one for one in known if judge.identity in one), known[0] if known else {})


def raise_alarm(path: Path, identity: str, missed: Sequence[str] = ()) -> None:
    """Note in a judge's certificate that the judge has drifted, or missed probes: no gate goes by it any more."""
    known = read_certificates(path)
    when = datetime.now(UTC).isoformat(timespec="seconds")
    marked = structs.replace(known[identity], alarm=when, missed=tuple(missed))
    # What was changed by hand stays so: a note makes no certificate of it.
    marked = marked if fault_of(known[identity], identity) else signed(sealed(marked))
    write_whole(path, pretty(to_builtins(known | {identity: marked})))


def signed(one: Certificate) -> Certificate:
    """Return a certificate with this user's mark over its seal."""
    return structs.replace(one, mark=sign(one.seal.encode()))
