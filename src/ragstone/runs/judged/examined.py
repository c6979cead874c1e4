"""Labelled questions and where their texts come from: the labels themselves, or the runs they are about."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Decidable
from ragstone.core.types import JSON, Question, RuleCheck, RuleVerdict
from ragstone.judging.certificate import FEWEST, require_labels
from ragstone.judging.decisions import SURE, Decisions, Terms
from ragstone.judging.estimates.draw_tokens import WholeDraw, token_of
from ragstone.judging.estimates.estimate import deal, draw
from ragstone.judging.estimates.rule_checks import check_of
from ragstone.judging.examine import Row
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.judgements import Judgements
from ragstone.judging.labels import Key, Label, Labels, hash_of, key_of, with_kinds
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.runs.judged.decide import AskedRow, asked_of, every_row
from ragstone.runs.judged.frame import frame_of, pair_of
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
    undecided: Sequence[Key] = ()
    """Questions that nobody decided: labelled unsure, or left blank."""
    ruled: int = 0
    """Labels on what a rule decides, which a judge is not asked, where enough others certify."""
    rules: Mapping[str, RuleCheck] = MappingProxyType({})
    """Kind of question to what people say of what the rules decided."""
    against: Sequence[Key] = ()
    """Labels that contradict a rule."""

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
            "undecided": self.undecided,
        }
        for name, keys in named.items():
            if keys:
                yield f"labels.{name}", {"n": len(keys)}
                yield "labels.named", {"names": named_keys(keys, "point" if name == "no_points" else "case")}
        if self.equal:
            yield "labels.equal", {"n": self.equal}
        if self.ruled:
            yield "labels.ruled", {"n": self.ruled}
        if self.against:
            checks = self.rules.values()
            params: dict[str, JSON] = {"of": sum(one.n for one in checks), "right": sum(one.right for one in checks)}
            yield "labels.against_rules", params | {"n": params["of"] - params["right"]}
            yield "labels.named", {"names": named_keys(self.against, "case")}

    def require(self) -> None:
        """Refuse labels of which too few can be used, or those that say the same, with the reason."""
        against, kinds = [*self.contrary, *self.disputed], {row.stated for row in self.rows}
        told: dict[str, JSON] = {"n": len(self.rows), "disputed": len(against)}
        told |= {"names": f" ({named_keys(against, 'case')})" if against else ""}
        if len(self.rows) < FEWEST and len(self.rows) < self.labels + len(self.disputed):
            of = self.labels + len(self.disputed)
            told |= {"strays": self.strays, "equal": self.equal}
            raise SettingError("certify.few_of", of=of, least=FEWEST, **told)
        if against and len(kinds) == 1:
            raise SettingError("certify.one_kind_of", kind="stated" if kinds.pop() else "absent", **told)
        for kind in _kinds(self.rows) or [""]:
            require_labels([(row.cluster, row.stated) for row in self.rows if row.question.kind == kind])


def named_keys(keys: Sequence[Key], field: str) -> str:
    """Name the first few, each once."""
    names = list(dict.fromkeys(getattr(key, field) for key in keys))
    return ", ".join(names[:MOST_NAMED]) + (" …" if len(names) > MOST_NAMED else "")


def labelled_rows(labels: Sequence[Label], folders: Sequence[RunFolder], *, named: bool = False) -> Labelled:
    """Return the questions people decided, with their texts, each once, and what is wrong with other labels.

    A judge is asked only what rules leave open: where enough labels are about such questions, only those count. Where
    a user has `named` the runs, labels about anything else do not count, whatever text they bring.
    """
    found, rules = dict[Key, Question](), dict[Key, RuleVerdict]()
    for run in folders:
        for key, question, rule in questions_of(run):
            found[key], rules[key] = question, rule
    labels = with_kinds(labels, found)
    decided = Labels(labels)
    known = {key: verdict for key in decided if (verdict := decided.decided(key)) is not None}
    lacking = [key for key in known if key not in found]
    elsewhere = _elsewhere(lacking, found) if named else {}
    if not named:
        found |= _with_texts(labels, lacking)
    rows = {
        key: Row(
            found[key],
            verdict,
            _script(found[key]),
            rules.get(key) or _rule(found[key]),
            found[key].question or key.case,
        )
        for key, verdict in known.items()
        if key in found
    }
    once, contrary = _once(rows)
    disputed, kept = decided.disagreements(), _left_open(once)
    return Labelled(
        rows=kept,
        labels=len(known),
        no_text=[] if named else [key for key in known if key not in found],
        elsewhere=elsewhere,
        equal=len(rows) - len(contrary) - len(once),
        contrary=contrary,
        disputed=disputed,
        undecided=list(dict.fromkeys(decided).keys() - known.keys() - set(disputed)),
        ruled=len(once) - len(kept),
        rules=_checks(once),
        against=[key for key, row in rows.items() if key not in contrary and _contradicts(row)],
    )


def _contradicts(row: Row) -> bool:
    return row.rule != "open" and (row.rule == "yes") is not row.stated


def _checks(rows: Sequence[Row]) -> dict[str, RuleCheck]:
    """Count, by kind of question, what people say of what the rules decided."""
    found = {
        kind: check_of((row.rule, row.stated) for row in rows if row.question.kind == kind) for kind in _kinds(rows)
    }
    return {kind: check for kind, check in found.items() if check.n}


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
    texts = {(key.case, key.point) for key in found}
    sorted_: dict[str, list[Key]] = {"cases": [], "kinds": [], "points": [], "answers": []}
    for key in keys:
        other = "kinds" if (key.case, key.point) in texts else "points"
        known = "answers" if (key.case, key.kind, key.point) in points else other
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


def _left_open(rows: Sequence[Row]) -> list[Row]:
    """Return, kind by kind, what the rules leave open where that is enough, and else everything."""
    kinds = {kind: [row for row in rows if row.question.kind == kind] for kind in _kinds(rows)}
    return [row for of in kinds.values() for row in (_enough_open(of) or of)]


def _kinds(rows: Sequence[Row]) -> list[str]:
    return list(dict.fromkeys(row.question.kind for row in rows))


def _enough_open(rows: Sequence[Row]) -> list[Row]:
    undecided = [row for row in rows if row.rule == "open"]
    enough = len({row.cluster for row in undecided}) >= FEWEST and len({row.stated for row in undecided}) == 2
    return undecided if enough else []


def _rule(question: Question) -> RuleVerdict:
    """Return what the rules make of a question whose run is not there."""
    if question.kind != "states":
        return "open"
    return states(Point(question.point), Statements(question.answer), question.question).outcome


def _script(question: Question) -> str:
    return "zh" if any(char >= "\u2e80" for char in question.point + question.answer) else "en"


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
