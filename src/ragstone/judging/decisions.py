"""Rule, then judge, then person: who decided what, and what the contract's figures come to by their verdicts.

Figures by rule never change. `…_judged` stands beside them: the same formula over verdicts of which people overrule
judges, and judges decide only what rules left open.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct, structs

from ragstone.core.interfaces import Contract, Decidable
from ragstone.core.language import Text
from ragstone.core.types import JSON, Case, JudgedBy, KindDoubt, MetricSpec, Question, Reading, RuleVerdict, Scorecard
from ragstone.judging.checks import keeps_values, under_review
from ragstone.judging.judgements import Judgement, Judgements, key_of
from ragstone.judging.labels import Key, Labels, hash_of

JUDGED, ESTIMATED = "_judged", "_estimated"
BAND = 0.5
"""Nats round the threshold within which a margin decides nothing, unless a certificate says otherwise."""
RULES = "6"
"""Version of how replies become verdicts (quotes, thresholds, band, checks, juries): another one, another figure."""
Author = Literal["rule", "judge", "person", "open"]
DETAIL = "judged"
"""Where a scorecard's details say who decided what."""
UNASKED = "unasked"
"""How many of a row's open questions no judge was asked."""
VALUES = "values"
"""Why a verdict is open: the text lacks a number or a name of the point, whatever the judge says."""
AT_MOST = "at_most"
SURE = "="
"""The stratum of answers that leave nothing to decide, such as failed ones: their value is what the rules say."""
_JUDGED_LABEL = Text("{label}, judged", "{label}（含裁判）")
_PEOPLE_LABEL = Text("{label}, with people", "{label}（含人工）")
_ESTIMATED_LABEL = Text("{label}, estimated", "{label}（估计）")


class JudgeTerms(Struct, frozen=True, kw_only=True):
    """One judge of a run, as config.json keeps it: enough to find again what it said and what follows from it."""

    name: str
    spec: str = ""
    options: dict[str, JSON] = {}
    identity: str
    """Hash of who it is."""
    way: str
    tongue: str
    prompts: dict[str, str] = {}
    """Kind of question to the hash of what is said besides the case."""
    thresholds: dict[str, float] = {}
    """Kind of question to the margin from which on it is a yes; 0 where nobody tuned one."""
    band: float = BAND
    bands: dict[str, float] = {}
    """Kind of question to the band that its labels tuned."""
    rates: dict[str, tuple[int | float, int, int | float, int]] = {}
    """Kind of question to what its certificate counted: stated points it found, of how many; others left out, of how
    many."""
    version: str = ""
    """What the endpoint called itself when the run was judged: what another version said is not this judge's word."""
    parts: dict[str, str] = {}
    """Hashes of what it is made of, part by part."""
    standing: dict[str, str] = {}
    """Kind of question to what keeps this judge from being trusted with it, as a code."""
    failed: tuple[str, ...] = ()
    """Kinds of probe that it failed."""
    certificate: dict[str, JSON] = {}
    """Its certificate when the run was judged, without its anchors; empty where it had none."""
    place: str = ""
    """Where the certificate was looked for."""
    epoch: str = ""
    """Since when it has been the same by its certificate; what it said in another epoch is not its word any more."""

    def key(self, question: Question) -> str:
        """Say under which key its opinion is kept."""
        return key_of(question, self.who_now, self.prompts.get(question.kind, ""))

    @property
    def who_now(self) -> str:
        """Who it is in this epoch."""
        return f"{self.identity}@{self.epoch}" if self.epoch else self.identity

    def cuts(self) -> tuple[JSON, ...]:
        """Return what its certificate makes of its replies: what it said in another epoch is another judge's word."""
        return self.epoch, self.thresholds, self.band, self.bands

    def who(self) -> tuple[JSON, ...]:
        """Return what tells this judge from others: itself, its version, and what it is told."""
        return self.identity, self.version, self.prompts


class Checked(Struct, frozen=True):
    """The replies before a check for drift that held: the beginning of judgements.jsonl."""

    bytes: int
    sha256: str


class Terms(Struct, frozen=True, kw_only=True):
    """All that decides besides the rules."""

    judges: tuple[JudgeTerms, ...] = ()
    labels: int = 0
    """Labels the run holds."""
    standing: dict[str, str] = {}
    """Kind of question to what keeps the judges from being trusted with it, as a code; empty when nothing does."""
    frame: str = ""
    """Digest of the cases and answers of the run: labels drawn from it make an estimate."""
    foreign: int = 0
    """Labels that were drawn from something else."""
    rules: str = ""
    """Version of the rules by which replies became verdicts; empty before they had one."""
    itself: tuple[str, ...] = ()
    """Judges that were asked about their own answers."""
    checked: dict[str, Checked] = {}
    """Judge (`JudgeTerms.who_now`) to those of its replies after which it was found not to have drifted."""
    drifted: tuple[str, ...] = ()
    """Epochs of judges that drifted while they judged the run, whatever their certificates say today."""

    def renewed(self) -> "Terms":
        """Return the terms under today's rules: judges that were certified under others only advise."""
        if self.rules == RULES:
            return self
        return structs.replace(
            self, rules=RULES, standing={kind: why or "rules" for kind, why in self.standing.items()}
        )

    def framed(self, frame: str, labels: Labels) -> "Terms":
        """Return the terms for the cases and answers that labels were drawn from, or were not."""
        return structs.replace(self, labels=len(labels), frame=frame, foreign=labels.foreign(frame))

    def unlike(self, other: "Terms") -> Iterator[str]:
        """Name what makes judged figures of two runs differ besides their answers; nothing where one has no judge."""
        if not self.judges or not other.judges:
            return
        if self.rules != other.rules:
            yield "judging_rules"
        if [judge.who() for judge in self.judges] != [judge.who() for judge in other.judges]:
            yield "judges"
        cuts = [[judge.cuts() for judge in terms.judges] for terms in (self, other)]
        if self.standing != other.standing or cuts[0] != cuts[1]:
            yield "certificates"

    def judged_by(self) -> JudgedBy:
        """Say who decides and how far that is to be believed: as far as the worst kind of question."""
        why = next((code for code in self.standing.values() if code), "" if self.standing else "none")
        names = tuple(judge.name for judge in self.judges)
        return JudgedBy(
            names=names,
            standing="advisory" if names and why else "trusted",
            why=why if names else "",
            labels=self.labels,
            foreign=self.foreign,
            doubted=tuple(judge.name for judge in self.judges if why in judge.standing.values()) if why else (),
            failed=tuple(dict.fromkeys(name for judge in self.judges for name in judge.failed)),
            itself=self.itself,
            doubts=tuple(self._doubt(kind, code) for kind, code in self.standing.items() if code and names),
        )

    def _doubt(self, kind: str, why: str) -> KindDoubt:
        doubted = [judge for judge in self.judges if judge.standing.get(kind) == why]
        failed = dict.fromkeys(name for judge in doubted for name in judge.failed)
        names = tuple(judge.name for judge in doubted or self.judges)
        return KindDoubt(kind=kind, why=why, judges=names, failed=tuple(failed))


def outcome_of(one: Judgement, terms: JudgeTerms) -> RuleVerdict:
    """Return what a judge's opinion decides under the terms of a run."""
    if one.margin is None:
        return "open" if one.verdict == "unsure" else one.verdict
    off = one.margin - terms.thresholds.get(one.kind, 0.0)
    if abs(off) < terms.bands.get(one.kind, terms.band):
        return "open"
    return "yes" if off > 0 else "no"


def checked(verdict: RuleVerdict, question: Question) -> RuleVerdict:
    """Return what is left of a judge's verdict when numbers and names were looked at."""
    return "open" if verdict == "yes" and not keeps_values(question) else verdict


def why_open(said: Judgement | None, terms: JudgeTerms, question: Question) -> str:
    """Say why what a judge said decides nothing, as a code; "" where it decides.

    Codes of replies that cannot be used are those of `listen`; besides these a judge was not asked, is unsure by its
    own word, lies near the threshold, or said a yes whose numbers or names the text does not have.
    """
    if said is None or said.why:
        return said.why if said else "not_asked"
    verdict = outcome_of(said, terms)
    if verdict == "open":
        return "unsure" if said.margin is None else "near"
    return "" if checked(verdict, question) == verdict else VALUES


class Decisions:
    """Looks up who decided what about an answer."""

    def __init__(self, terms: Terms, said: Judgements, labels: Labels) -> None:
        self.terms = terms
        self._said = said
        self.labels = labels

    def keys(self, question: Question) -> Iterator[tuple[JudgeTerms, str]]:
        """Yield under which key each judge's opinion is kept."""
        for judge in self.terms.judges:
            yield judge, judge.key(question)

    def by_person(self, case: Case, question: Question) -> bool | None:
        """Return what people decided of a question; None when nobody did."""
        return self.labels.decided(self.label_key(case, question))

    def makes_estimate(self) -> bool:
        """Return whether labels were drawn from this run."""
        return bool(self.terms.frame) and self.labels.is_drawn(self.terms.frame)

    def is_unasked(self, question: Question) -> bool:
        """Return whether a judge there is has said nothing to a question, because it could not be asked."""
        return any(self._said.find(key, judge.version) is None for judge, key in self.keys(question))

    def by_judge(self, question: Question) -> RuleVerdict:
        """Return what the judges decided together: those who disagree, or are not all heard, decide nothing."""
        said = [(judge, self._said.find(key, judge.version)) for judge, key in self.keys(question)]
        votes = {outcome_of(one, judge) if one else "open" for judge, one in said}
        return checked(votes.pop() if len(votes) == 1 else "open", question)

    def metrics(self, contract: Contract) -> tuple[MetricSpec, ...]:
        """Return the contract's metrics, and those that judges and people add."""
        if not isinstance(contract, Decidable):
            return tuple(contract.metrics)
        judged = _JUDGED_LABEL if self.terms.judges else _PEOPLE_LABEL
        more = [(JUDGED, judged)] + ([(ESTIMATED, _ESTIMATED_LABEL)] if self.terms.labels else [])
        added = (
            structs.replace(spec, name=spec.name + ending, label=_named(label, spec.label), headline=False, also=())
            for ending, label in more
            for spec in contract.metrics
            if spec.name in contract.judged
        )
        return (*contract.metrics, *added)

    def add(self, contract: Contract, case: Case, reading: Reading, card: Scorecard) -> Scorecard:
        """Set beside a scorecard what judges and people make of the same answer."""
        if not isinstance(contract, Decidable):
            return card
        asked = contract.asked(case, reading, card)
        found = [self._decide(case, question, rule) for question, rule in asked]
        verdicts = [verdict for verdict, _ in found]
        never = sum(
            author == "open" and self.is_unasked(question)
            for (question, _), (_, author) in zip(asked, found, strict=True)
        )
        values = _given(contract, card) | contract.decide(case, reading, card, verdicts)
        high = contract.decide(case, reading, card, ["yes" if verdict == "open" else verdict for verdict in verdicts])
        judged = {name + JUDGED: value for name, value in values.items()}
        detail = self._detail(contract, case, reading, card, asked, found, values) | ({UNASKED: never} if never else {})
        details = card.details | {DETAIL: detail}
        if "open" in verdicts:
            most = {name + JUDGED: value for name, value in high.items()}
            details |= {AT_MOST: {**card.details.get(AT_MOST, {}), **most}}
        return structs.replace(card, sub_scores=card.sub_scores | judged, details=details)

    @staticmethod
    def without(card: Scorecard) -> Scorecard:
        """Return a scorecard as the rules made it."""
        if DETAIL not in card.details and not any(name.endswith(JUDGED) for name in card.sub_scores):
            return card
        values = {name: value for name, value in card.sub_scores.items() if not name.endswith(JUDGED)}
        details = {name: value for name, value in card.details.items() if name != DETAIL}
        most = {name: value for name, value in details.pop(AT_MOST, {}).items() if not name.endswith(JUDGED)}
        kept = {name: details.get(name, most) for name in card.details if name in details or (name == AT_MOST and most)}
        return structs.replace(card, sub_scores=values, details=kept)

    def repeat(self, contract: Contract, card: Scorecard) -> Scorecard:
        """Give the judged figures of an answer that failed: those the rules give."""
        if not isinstance(contract, Decidable):
            return card
        values = _given(contract, card)
        judged = {name + JUDGED: value for name, value in values.items()}
        told = {DETAIL: {"verdicts": [], **_sure(values)}} if self.terms.labels else {}
        return structs.replace(card, sub_scores=card.sub_scores | judged, details=card.details | told)

    @staticmethod
    def label_key(case: Case, question: Question) -> Key:
        """Say under what a label on a question about a case's answer is found."""
        return Key(question.kind, case.id, question.point, hash_of(question.answer))

    def _decide(self, case: Case, question: Question, rule: RuleVerdict) -> tuple[RuleVerdict, Author]:
        person = self.by_person(case, question)
        if person is not None:
            return ("yes" if person else "no"), "person"
        if rule != "open":
            return rule, "rule"
        judged = self.by_judge(question)
        return judged, "open" if judged == "open" else "judge"

    def _detail(
        self,
        contract: Decidable,
        case: Case,
        reading: Reading,
        card: Scorecard,
        asked: Sequence[tuple[Question, RuleVerdict]],
        found: Sequence[tuple[RuleVerdict, Author]],
        values: Mapping[str, float | None],
    ) -> dict[str, JSON]:
        """Say who decided each question, and, for estimates, which stratum the case is in and what people say of it."""
        detail: dict[str, JSON] = {
            "verdicts": [
                {"kind": question.kind, "point": question.point, "verdict": verdict, "by": author}
                | ({"rule": rule} if author == "person" and rule != "open" else {})
                | self._why(case, question, author)
                for (question, rule), (verdict, author) in zip(asked, found, strict=True)
            ]
        }
        if not self.terms.labels:
            return detail
        strata = self.strata(contract, case, reading, card, asked) if asked else {}
        known = _sure({name: value for name, value in values.items() if name not in strata})
        applied = {name: stratum for name, stratum in strata.items() if values[name] is not None}
        detail |= known | {"strata": known["strata"] | applied}
        drawn = self._drawn(case, asked)
        if drawn:
            detail["people"] = by_people(self.labels, contract, case, reading, card, asked)
        if likely := drawn.pop(self.terms.frame, None):
            detail["probability"] = likely
        return detail | ({"pairs": drawn} if drawn else {})

    def _why(self, case: Case, question: Question, author: Author) -> dict[str, JSON]:
        """Name the people or judges behind a verdict, with the words a judge quoted or the margin it had."""
        if author == "person":
            people = (label.reviewer for label in self.labels.of(self.label_key(case, question)))
            return {"who": sorted({name for name in people if name})}
        if author == "rule":
            return {}
        said = [(judge.name, self._said.find(key, judge.version)) for judge, key in self.keys(question)]
        quotes = [under_review(question)[slice(*one.quote)] for _, one in said if one and one.quote]
        margins = [round(one.margin, 3) for _, one in said if one and one.margin is not None]
        told = {"who": [name for name, _ in said], "quotes": quotes, "margins": margins}
        told |= self._why_open(question) if author == "open" else {}
        return {name: value for name, value in told.items() if value}

    def _why_open(self, question: Question) -> dict[str, JSON]:
        """Say why judges leave a question open and which of them do, or how a jury that is not of one mind voted."""
        said = [(judge, self._said.find(key, judge.version)) for judge, key in self.keys(question)]
        whys = [(judge.name, why_open(one, judge, question)) for judge, one in said]
        if lacking := [code for _, code in whys if code not in {"", VALUES}]:
            return {"why": lacking[0], "who": [name for name, code in whys if code == lacking[0]]}
        votes = [outcome_of(one, judge) for judge, one in said if one]
        if len(set(votes)) > 1:
            return {"why": "disagree", "votes": votes}
        return {"why": VALUES} if votes else {}

    def strata(
        self,
        contract: Decidable,
        case: Case,
        reading: Reading,
        card: Scorecard,
        asked: Sequence[tuple[Question, RuleVerdict]],
    ) -> dict[str, str]:
        """Name, for each metric, what rule and judge made of an answer."""
        plain = [rule for _, rule in asked]
        machine = [rule if rule != "open" else self.by_judge(question) for question, rule in asked]
        rules, judges = contract.decide(case, reading, card, plain), contract.decide(case, reading, card, machine)
        return {name: _stratum(rules[name], judges[name], plain, machine) for name in rules}

    def _drawn(self, case: Case, asked: Sequence[tuple[Question, RuleVerdict]]) -> dict[str, float]:
        """Return how likely an answer was to be drawn from this run, and from pairs it belongs to."""
        found: dict[str, float] = {}
        for question, _ in asked:
            for name, chance in self.labels.chances(self.label_key(case, question)).items():
                if self.terms.frame and self.terms.frame in name.split("+"):
                    found[name] = max(chance, found.get(name, 0.0))
        return found

    def framed(self, frame: str) -> "Decisions":
        """Return the same for other answers: labels drawn from the former ones make no estimate of these."""
        terms = self.terms if frame == self.terms.frame else self.terms.framed(frame, self.labels)
        return Decisions(terms, self._said, self.labels)


def _given(contract: Decidable, card: Scorecard) -> dict[str, float | None]:
    """Return what the figures of a contract come to where nobody has anything to decide: no figure loses a case."""
    alone = getattr(contract, "rubrics", ())
    return {
        name: 0.0 if name in alone else card.sub_scores[name]
        for name in contract.judged
        if name in alone or name in card.sub_scores
    }


def sure_value(contract: Contract, card: Scorecard) -> list[float]:
    """Return what an answer that leaves nothing to decide comes to; nothing where no judged figure applies to it."""
    found = _given(contract, card).values() if isinstance(contract, Decidable) else ()
    return [value for value in found if value is not None][:1]


def _sure(values: Mapping[str, float | None]) -> dict[str, JSON]:
    """Tell an estimate of values that no label can change."""
    sure = {name: value for name, value in values.items() if value is not None}
    return {"strata": dict.fromkeys(sure, SURE), **({"sure": sure} if sure else {})}


def by_people(
    labels: Labels,
    contract: Decidable,
    case: Case,
    reading: Reading,
    card: Scorecard,
    asked: Sequence[tuple[Question, RuleVerdict]],
) -> dict[str, float | None]:
    """Return the metrics that people's verdicts alone settle: some points may be enough, such as one stated."""
    said = [labels.decided(Decisions.label_key(case, question)) for question, _ in asked]
    low = contract.decide(case, reading, card, ["yes" if one else "no" for one in said])
    high = contract.decide(case, reading, card, ["no" if one is False else "yes" for one in said])
    return {name: low[name] for name in low if low[name] == high[name]}


def _named(template: Text, label: Text) -> Text:
    hant = template.say("zh-Hant").replace("{label}", label.hant) if label.hant else ""
    return Text(template.en.replace("{label}", label.en), template.hans.replace("{label}", label.hans), hant)


def _stratum(rule: float | None, judge: float | None, plain: Sequence[str], machine: Sequence[str]) -> str:
    """Name what rule and judge made of a case; values between 0 and 1 go by halves."""
    marks = ("–" if value is None else "low" if value < 0.5 else "high" for value in (rule, judge))
    left = "?" if "open" in machine else "" if "open" not in plain else "!"
    return "/".join(marks) + left


def verdicts_of(details: Mapping[str, JSON]) -> Sequence[Mapping[str, JSON]]:
    """Return what was decided about a case and by whom, in a scorecard's details; nothing before it was judged."""
    judged = details.get(DETAIL)
    return judged["verdicts"] if isinstance(judged, dict) else ()


def author_counts(details: Mapping[str, JSON]) -> Counter[str]:
    """Count who decided, in a scorecard's details."""
    return Counter(one["by"] for one in verdicts_of(details))


def unasked_count(details: Mapping[str, JSON]) -> int:
    """Count the questions that could not be put to the judges, in a scorecard's details."""
    judged = details.get(DETAIL)
    found = judged.get(UNASKED) if isinstance(judged, dict) else None
    return found if isinstance(found, int) else 0


def judge_votes(details: Mapping[str, JSON]) -> Iterator[tuple[str, str]]:
    """Yield kind and verdict of what judges decided, in a scorecard's details."""
    yield from ((one["kind"], one["verdict"]) for one in verdicts_of(details) if one["by"] == "judge")


def open_whys(details: Mapping[str, JSON]) -> Iterator[str]:
    """Yield why judges left questions open, as codes, in a scorecard's details."""
    yield from (one["why"] for one in verdicts_of(details) if one["by"] == "open" and "why" in one)
