"""Labelled questions and where their texts come from: the labels themselves, or the runs they are about."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Decidable
from ragstone.core.types import JSON, Question, RuleVerdict
from ragstone.judging.certificate import FEWEST
from ragstone.judging.decisions import Decisions, Terms
from ragstone.judging.estimates.estimate import deal, draw
from ragstone.judging.examine import Row
from ragstone.judging.people import Key, Label, Labels, hash_of, key_of
from ragstone.judging.replies import FILE as JUDGEMENTS
from ragstone.judging.replies import Judgements
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.runs.judged.decide import AskedRow, asked_of, asked_rows
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, plan_of
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.catalogue import runs
from ragstone.runs.store.folder import RunFolder
from ragstone.text.fold import fold

MOST_NAMED = 5
"""Labels that are named of those that do not count."""
SAME = "same"
"""The stratum of cases to which two runs gave the same answer: of their difference a label tells nothing."""


def questions_of(folder: RunFolder) -> Iterator[tuple[Key, Question, RuleVerdict]]:
    """Yield every closed question of a run, under the key of its label, with what the rules made of it."""
    plan = plan_of(folder)
    with Answers(folder) as answers:
        for case, question, rule in asked_of(plan, answers):
            yield Decisions.label_key(case, question), question, rule


def runs_named(labels: Sequence[Label], place: Path) -> list[RunFolder]:
    """Open the runs of a folder that labels say they are from; a run from elsewhere must be named by the user."""
    names = {label.run for label in labels if not label.answer_text} - {""}
    found = (RunFolder.open(entry.path) for entry in runs(place) if entry.path.name in names) if names else ()
    return [folder for folder in found if is_own(folder)]


class Labelled(NamedTuple):
    """Labels as far as a judge can be certified by them, and what is wrong with the others."""

    rows: list[Row]
    labels: int
    """Questions that people decided."""
    no_text: Sequence[Key]
    """Labels about answers whose text is nowhere."""
    elsewhere: Mapping[str, Sequence[Key]]
    """Labels about what is not in the runs that were named, by what of them is not: cases, points, answers."""
    equal: int
    """Labels on the same question, point and answer as another one: they prove nothing twice."""
    contrary: Sequence[Key]
    """Those of them that say otherwise; then none of these counts."""
    disputed: Sequence[Key]
    """Questions about which reviewers disagree."""

    @property
    def strays(self) -> int:
        """How many labels are about answers that are not there."""
        return len(self.no_text) + sum(map(len, self.elsewhere.values()))

    def notes(self) -> Iterator[tuple[str, dict[str, JSON]]]:
        """Yield what a user must know of labels that do not count, as codes of messages with what they name."""
        named = {
            "no_text": self.no_text,
            **{f"no_{name}": keys for name, keys in self.elsewhere.items()},
            "contrary": self.contrary,
            "disagree": self.disputed,
        }
        for name, keys in named.items():
            if keys:
                yield f"labels.{name}", {"n": len(keys)}
                yield "labels.named", {"names": _named(keys, "point" if name == "no_points" else "case")}
        if self.equal:
            yield "labels.equal", {"n": self.equal}

    def require(self) -> None:
        """Refuse labels of which too few can be used, with the reason."""
        if len(self.rows) < FEWEST and len(self.rows) < self.labels + len(self.disputed):
            counts = {"strays": self.strays, "equal": self.equal, "disputed": len(self.contrary) + len(self.disputed)}
            of = self.labels + len(self.disputed)
            raise SettingError("certify.few_of", n=len(self.rows), of=of, least=FEWEST, **counts)


def _named(keys: Sequence[Key], field: str) -> str:
    """Name the first few, each once."""
    names = list(dict.fromkeys(getattr(key, field) for key in keys))
    return ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def labelled_rows(labels: Sequence[Label], folders: Sequence[RunFolder], *, named: bool = False) -> Labelled:
    """Return the questions people decided, with their texts, each once, and what is wrong with other labels.

    A judge is asked only what rules leave open: where enough labels are about such questions, only those count. Where
    a user has `named` the runs, labels about anything else do not count, whatever text they bring.
    """
    decided, found = Labels(labels), dict[Key, Question]()
    for run in folders:
        found |= {key: question for key, question, _ in questions_of(run)}
    known = {key: verdict for key in decided if (verdict := decided.decided(key)) is not None}
    lacking = [key for key in known if key not in found]
    elsewhere = _elsewhere(lacking, found) if named else {}
    if not named:
        found |= _with_texts(labels, lacking)
    rows = {key: Row(found[key], verdict, _script(found[key])) for key, verdict in known.items() if key in found}
    once, contrary = _once(rows)
    return Labelled(
        rows=_left_open(once),
        labels=len(known),
        no_text=[] if named else [key for key in known if key not in found],
        elsewhere=elsewhere,
        equal=len(rows) - len(contrary) - len(once),
        contrary=contrary,
        disputed=decided.disagreements(),
    )


def _with_texts(labels: Sequence[Label], wanted: Sequence[Key]) -> dict[Key, Question]:
    """Return the questions of labels that bring their answer's text."""
    texts = {key_of(label): label for label in labels if label.answer_text}
    return {
        key: Question(kind=one.kind, question=one.question, point=one.point, answer=one.answer_text)
        for key in wanted
        if (one := texts.get(key)) is not None
    }


def _elsewhere(keys: Sequence[Key], found: Mapping[Key, Question]) -> dict[str, list[Key]]:
    """Sort labels that fit nothing in a run by what of them is not there."""
    cases, points = {key.case for key in found}, {(key.case, key.kind, key.point) for key in found}
    sorted_: dict[str, list[Key]] = {"cases": [], "points": [], "answers": []}
    for key in keys:
        known = "answers" if (key.case, key.kind, key.point) in points else "points"
        sorted_[known if key.case in cases else "cases"].append(key)
    return sorted_


def _once(rows: Mapping[Key, Row]) -> tuple[list[Row], list[Key]]:
    """Return each question, point and answer once, and the labels that contradict each other about one."""
    alike: dict[tuple[str, ...], list[Key]] = {}
    for key, row in rows.items():
        one = row.question
        texts = (one.question, one.point, one.answer, one.source)
        alike.setdefault((one.kind, *(" ".join(fold(text).split()) for text in texts)), []).append(key)
    groups = [(keys, {rows[key].stated for key in keys}) for keys in alike.values()]
    contrary = [key for keys, said in groups if len(said) > 1 for key in keys]
    return [rows[keys[0]] for keys, said in groups if len(said) == 1], contrary


def _left_open(rows: list[Row]) -> list[Row]:
    undecided = [row for row in rows if row.question.kind != "states" or _rule(row.question) == "open"]
    enough = len(undecided) >= FEWEST and len({row.stated for row in undecided}) == 2
    return undecided if enough else rows


def _rule(question: Question) -> RuleVerdict:
    return states(Point(question.point), Statements(question.answer), question.question).outcome


def _script(question: Question) -> str:
    return "zh" if any(char >= "\u2e80" for char in question.point + question.answer) else "en"


class _Drawable(NamedTuple):
    """One answer that can be drawn: what people are asked about it, and what rule and judge made of it."""

    name: str
    case: str
    questions: tuple[Question, ...]
    stratum: str

    @property
    def key(self) -> tuple[str, str]:
        """What identifies the case: its id and what was asked."""
        return self.case, self.questions[0].question


def draw_rows(folder: RunFolder, count: int, beside: RunFolder | None = None) -> list[dict[str, JSON]]:
    """Draw cases for people to label, more of those that rules and judge are unsure of; each row knows its chance.

    The verdict is left empty, and what rule and judge said is not shown: it would bias those who label. With a run
    `beside` it, the same cases are drawn of both, so that their difference can be estimated.
    """
    pairs = [[one] for one in _drawable(folder)]
    if beside is not None:
        others = {one.key: one for one in _drawable(beside)}
        pairs = [[one, others[one.key]] for (one,) in pairs if one.key in others]
    strata: dict[str, dict[str, list[_Drawable]]] = {}
    for pair in pairs:
        strata.setdefault(_joined(pair), {})[pair[0].name] = pair
    dealt = first_deal({name: len(members) for name, members in strata.items()}, count)
    drawn = [
        (one.case, question, dealt[stratum] / len(members))
        for stratum, members in strata.items()
        for name in draw(list(members), dealt[stratum], folder.path.name)
        for one in members[name]
        for question in one.questions
    ]
    # The same answer in both runs is labelled once.
    return list({(case, question): _blank(case, question, chance) for case, question, chance in drawn}.values())


def _drawable(folder: RunFolder) -> Iterator[_Drawable]:
    for stratum, one in with_strata(folder, plan_of(folder)):
        yield _Drawable(unit_name(one), one.case.id, tuple(question for question, _ in one.asked), stratum)


def _joined(pair: Sequence[_Drawable]) -> str:
    """Name the stratum of a case in one run, or in two."""
    if len(pair) > 1 and pair[0].questions == pair[1].questions:
        return SAME
    return " | ".join(one.stratum for one in pair)


def unit_name(one: AskedRow) -> str:
    """Name a row for a draw; a case asked twice has two."""
    return f"{one.number}\0{one.case.id}"


def with_strata(folder: RunFolder, plan: Plan) -> Iterator[tuple[str, AskedRow]]:
    """Yield the rows that rest on closed questions, each with what rule and judge made of its first judged metric."""
    contract = plan.contract
    if not isinstance(contract, Decidable):
        return
    nobody = Decisions(Terms(), Judgements(folder.path / JUDGEMENTS, read_only=True), Labels())
    decisions, metric = plan.decisions or nobody, contract.judged[0]
    with Answers(folder) as answers:
        for one in asked_rows(plan, answers):
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


def _blank(case: str, question: Question, probability: float) -> dict[str, JSON]:
    return {
        "case": case,
        "kind": question.kind,
        "question": question.question,
        "point": question.point,
        "answer_text": question.answer,
        "answer": hash_of(question.answer),
        "verdict": "",
        "reviewer": "",
        "probability": round(probability, 6),
    }
