"""What cases are drawn from: a run's own cases and the answers it got to them, as a digest.

A label makes an estimate only of what it was drawn from. One that follows an answer's text into another run is a
person's verdict there, too, but nobody had a chance to draw the answers that are new in it.
"""

from collections.abc import Iterator
from hashlib import sha256

from msgspec.json import Encoder

from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers

_DIGITS = 16
_ENCODE = Encoder(order="sorted", enc_hook=lambda value: type(value).__name__).encode


def frame_of(plan: Plan, answers: Answers) -> str:
    """Hash the cases of a run and its answers, in the order of the dataset; equal runs have equal frames."""
    told = sha256()
    for part in _parts(plan, answers):
        told.update(part)
    return told.hexdigest()[:_DIGITS]


def _parts(plan: Plan, answers: Answers) -> Iterator[bytes]:
    for unit in plan.units():
        answer = answers.find(unit)
        case, place = unit.case, (unit.system, unit.repeat)
        said = None if answer is None else (answer.text, answer.failure is None, [one.text for one in answer.contexts])
        try:
            yield _ENCODE((case.id, case.question, case.gold, place, said))
        except (UnicodeEncodeError, TypeError):
            yield repr((case.id, case.question, place, said)).encode("utf-8", "backslashreplace")


def pair_of(one: str, other: str) -> str:
    """Name what is drawn from two runs together."""
    return "+".join(sorted((one, other)))
