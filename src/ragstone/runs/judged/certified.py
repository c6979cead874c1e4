"""Whether the certificates that a judged run was believed by still hold.

A run carries the certificates of its judges. Where these were made, the certificates of today decide: one that is
gone, that no longer trusts its judge, or that makes other verdicts of the same replies takes the run's trust away.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from msgspec import structs, to_builtins

from ragstone.core.errors import SettingError
from ragstone.judging.certificate import Certificate, carried, hold, read_certificates
from ragstone.judging.decisions import JudgeTerms
from ragstone.runs.judged.files import read_judging
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.codec import pretty, write_whole
from ragstone.runs.store.folder import RunFolder


class Doubt(NamedTuple):
    """What a judge of a run is not trusted for any more."""

    judge: JudgeTerms
    why: str


def doubt_of(folder: RunFolder) -> Doubt | None:
    """Return what takes a run's trust in its judges away today; None where nothing does."""
    judging = read_judging(folder.path)
    if judging is None:
        return None
    for judge in judging.terms.judges:
        if why := _why(judge, tuple(judging.terms.standing), folder):
            return Doubt(judge, why)
    return None


def _why(judge: JudgeTerms, kinds: tuple[str, ...], folder: RunFolder) -> str:
    brought = carried(judge)
    if not brought:
        return "uncarried"
    try:
        today = _today(judge, folder)
    except SettingError:
        return "broken"
    if judge.identity in today:
        return hold(judge, today, kinds)
    # A run from elsewhere comes without the place it was judged in; what it carries is held against its own counts.
    return "gone" if is_own(folder) else hold(judge, brought, kinds)


def _today(judge: JudgeTerms, folder: RunFolder) -> dict[str, Certificate]:
    """Read the certificates where the judging did: from the current folder, else from beside the folder of runs."""
    beside = folder.path.resolve().parent.parent
    places = [Path(judge.place), beside / judge.place]
    return next((read_certificates(place) for place in places if place.is_file()), {})


def raise_alarm(path: Path, identity: str) -> None:
    """Note in a judge's certificate that the judge has drifted: no gate goes by it until it is made anew."""
    known = read_certificates(path)
    when = datetime.now(UTC).isoformat(timespec="seconds")
    marked = {identity: structs.replace(known[identity], alarm=when)}
    write_whole(path, pretty(to_builtins(known | marked)))
