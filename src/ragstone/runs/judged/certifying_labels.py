"""Labels that can certify a judge, with their texts: those they bring, or those of the runs they are about."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Question, RuleCheck, RuleVerdict
from ragstone.judging.certificate import FEWEST, require_labels
from ragstone.judging.estimates.rule_checks import check_of
from ragstone.judging.examine import Row
from ragstone.judging.labels import Key, Label, Labels, key_of, with_kinds
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements
from ragstone.runs.judged.questions import questions_of
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.catalogue import runs
from ragstone.runs.store.folder import RunFolder
from ragstone.text.fold import fold

MOST_NAMED = 5
"""Labels that are named of those that do not count."""


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
