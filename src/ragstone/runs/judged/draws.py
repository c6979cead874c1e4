"""Cases drawn at random for people to label, and what they are drawn from: its frame, as a digest.

A label makes an estimate only of what it was drawn from. One that follows an answer's text into another run is a
person's verdict there, too, but nobody had a chance to draw the answers that are new in it.
"""

from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import groupby
from typing import NamedTuple

from msgspec.json import Encoder

from ragstone.core.interfaces import Decidable
from ragstone.core.types import JSON, Question
from ragstone.judging.decisions import SURE, Decisions, Terms
from ragstone.judging.estimates.draw_tokens import WholeDraw, token_of
from ragstone.judging.estimates.estimate import deal, draw
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.judgements import Judgements
from ragstone.judging.labels import Labels, hash_of
from ragstone.runs.judged.questions import AskedRow, every_row
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, plan_of
from ragstone.runs.store.folder import RunFolder

SAME = "same"
"""The stratum of cases to which two runs gave the same answer: of their difference a label tells nothing."""


class _Drawable(NamedTuple):
    """A case: what people are asked about all its answers, if anything, and what rule and judge made of them."""

    numbers: tuple[int, ...]
    """The first row of each different answer: equal answers are drawn and labelled once."""
    name: str
    case: str
    asked: str
    questions: tuple[Question, ...]
    stratum: str

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the case: its id and what was asked."""
        return self.case, self.asked


_Pair = Sequence[_Drawable]
"""A case in one run, or in two."""


def draw_rows(folder: RunFolder, count: int, beside: RunFolder | None = None) -> list[dict[str, JSON]]:
    """Draw cases for people to label, more of those that rules and judge are unsure of; each row knows its chance.

    The verdict is left empty, and what rule and judge said is not shown: it would bias those who label. With a run
    `beside` it, the same cases are drawn of both, so that their difference can be estimated.
    """
    own = list(_drawable(folder))
    pairs, frames = [[one] for one in own], [run_frame(folder)]
    of = list(frames)
    if beside is not None:
        theirs = list(_drawable(beside))
        others = {one.key: one for one in theirs}
        pairs = [[one, others[one.key]] for one in own if one.key in others]
        of.append(run_frame(beside))
        # What the runs do not have in common had no chance: then the draw tells of their difference alone.
        alone = of if len(own) == len(pairs) == len(theirs) == len(others) else []
        frames = [pair_of(*of), *alone]
    drawn = list(_drawn(pairs, count, of[0]))
    told = _told(drawn, of)
    # The same answer in both runs is labelled once.
    rows = {
        (one.case, question): _blank(one.case, question, chance, frames, told)
        for pair, chance in drawn
        for one in pair
        for question in one.questions
    }
    return list(rows.values())


def _drawn(pairs: Sequence[_Pair], count: int, seed: str) -> Iterator[tuple[_Pair, float]]:
    """Draw cases by what they are drawn from, whatever the run is called; each comes with its chance."""
    strata: dict[str, dict[str, _Pair]] = {}
    for pair in pairs:
        if any(one.questions for one in pair):
            strata.setdefault(_joined(pair), {})[pair[0].name] = pair
    dealt = first_deal({name: len(members) for name, members in strata.items()}, count)
    for stratum, members in strata.items():
        for name in draw(list(members), dealt[stratum], seed):
            yield members[name], round(dealt[stratum] / len(members), 6)


def _told(drawn: Sequence[tuple[_Pair, float]], of: Sequence[str]) -> list[str]:
    """Tell of every run what was drawn of it."""
    rows = [{number: chance for pair, chance in drawn for number in pair[place].numbers} for place in range(len(of))]
    tokens = [token_of(WholeDraw(frame, one)) for frame, one in zip(of, rows, strict=True)]
    return list(dict.fromkeys(token for token in tokens if token))


def run_frame(folder: RunFolder) -> str:
    """Return what cases of a stored run are drawn from."""
    with Answers(folder) as answers:
        return frame_of(plan_of(folder), answers)


def _drawable(folder: RunFolder) -> Iterator[_Drawable]:
    """Yield each case once, however often and of however many models it was asked."""
    for _, rows in groupby(with_strata(folder, plan_of(folder)), lambda found: found[1].case.id):
        answers: dict[tuple[Question, ...], tuple[str, AskedRow]] = {}
        for stratum, one in rows:
            answers.setdefault(tuple(question for question, _ in one.asked), (stratum, one))
        first = next(iter(answers.values()))[1]
        asked = {questions: found for questions, found in answers.items() if questions}
        yield _Drawable(
            numbers=tuple(one.number for _, one in asked.values()),
            name=unit_name(first),
            case=first.case.id,
            asked=first.case.question,
            questions=tuple(dict.fromkeys(question for questions in answers for question in questions)),
            stratum=" + ".join(dict.fromkeys(stratum for stratum, _ in asked.values())) or SURE,
        )


def _joined(pair: _Pair) -> str:
    """Name the stratum of a case in one run, or in two."""
    if len(pair) > 1 and pair[0].questions == pair[1].questions:
        return SAME
    return " | ".join(one.stratum for one in pair)


def unit_name(one: AskedRow) -> str:
    """Name a row for a draw; a case asked twice has two."""
    return f"{one.number}\0{one.case.id}"


def with_strata(folder: RunFolder, plan: Plan) -> Iterator[tuple[str, AskedRow]]:
    """Yield the rows that judges and people decide, each with what rule and judge made of its first judged metric.

    Those that leave nothing to decide are `SURE`.
    """
    contract = plan.contract
    if not isinstance(contract, Decidable):
        return
    nobody = Decisions(Terms(), Judgements(folder.path / JUDGEMENTS, read_only=True), Labels())
    decisions, metric = plan.decisions or nobody, contract.judged[0]
    with Answers(folder) as answers:
        for one in every_row(plan, answers):
            if not one.asked:
                yield SURE, one
                continue
            found = decisions.strata(contract, one.case, one.reading, one.row.scorecard, one.asked)
            yield found.get(metric, next(iter(found.values()), "")), one


def first_deal(sizes: Mapping[str, int], count: int) -> dict[str, int]:
    """Allot cases to strata before any is labelled: more to those that rules left open."""
    return deal(sizes, {name: size * guessed_spread(name) for name, size in sizes.items()}, count)


def guessed_spread(stratum: str) -> float:
    """Guess how much the cases of a stratum differ before any is labelled."""
    if stratum == SAME:
        return 0.05
    return 0.5 if stratum.endswith(("?", "!")) else 0.25


def _blank(
    case: str, question: Question, probability: float, frames: Sequence[str], told: Sequence[str]
) -> dict[str, JSON]:
    return {
        "case": case,
        "kind": question.kind,
        "question": question.question,
        "point": question.point,
        "answer_text": question.answer,
        "answer": hash_of(question.answer),
        "verdict": "",
        "reviewer": "",
        "probability": probability,
        "drawn": " ".join([*(f"{frame}:{probability}" for frame in frames), *told]),
    }


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
