"""The certificate of a judge: how far it agrees with people, on rows nobody tuned it by, and what its probes came to.

One half of the labels, chosen by hash, tunes the threshold; the other half certifies. A judge is trusted with a kind
of question when the lower ends of sensitivity and specificity are at least 0.85 and its probes hold; else it advises.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from math import fsum, sqrt
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec
from msgspec import NODEFAULT, Struct, structs

from ragstone.core.errors import SettingError
from ragstone.core.types import Interval, Question, RuleCheck, RuleVerdict
from ragstone.judging.decisions import BAND, RULES, JudgeTerms, checked, outcome_of, why_open
from ragstone.judging.estimates.estimate import Checked
from ragstone.judging.judgements import Judgement
from ragstone.judging.labels import agreement
from ragstone.judging.probes import MOST, Probe, Probed, lacking

FILE = "judge.json"
FEWEST = 20
"""Questions with labels without which nothing is certified."""
LOWEST = 0.85
"""The least that the lower ends of sensitivity and specificity may be for a judge to be trusted."""
MOST_ANCHORS = 200
NEAR = 0.1
"""How near the threshold a margin decides nothing, as a share of the way from a usual no to a usual yes."""


BLIND = 0.1
"""How little better than chance a judge may be (in AUC) to be called blind, however many labels there are."""
_STALE = frozenset({"kind", "rules", "prompt", "version", "alarm", "missed", "edited"})
"""What a certificate may be of instead of this judge as it is."""
_PARTS = ("endpoint", "model", "way", "tongue", "parameters")
"""What judges of one name may differ in, the weightiest first."""
_WIDE = frozenset({"few_labels", "sensitivity", "specificity"})
"""What more labels may mend."""
MOST_LABELS = 2000
"""More labels than that are not asked for: a better judge is."""


class Item(NamedTuple):
    """A labelled question and what the judge said of it."""

    question: Question
    stated: bool
    said: Judgement
    group: str = ""
    cluster: str = ""
    """The question that was answered: labels on one question are not independent, and have one vote."""

    @property
    def tunes(self) -> bool:
        """Whether it belongs to the half that tunes, by the question that was answered."""
        told = f"{self.question.kind}\0{self.cluster}"
        return sha256(told.encode("utf-8", "replace")).digest()[0] % 2 == 0


class Rate(Struct, frozen=True):
    """How often a judge was right about cases of one kind, with its interval; every question has one vote."""

    # A whole number stays one in the file, or seals of earlier versions would break.
    right: int | float
    """The sum of the questions' shares of right verdicts."""
    n: int
    """Questions."""
    interval: Interval | None

    @property
    def low(self) -> float:
        """The lower end of the interval; 0 where nothing was decided."""
        return self.interval.low if self.interval else 0.0


def rate_of(right: float, n: int) -> Rate:
    """Return a rate with its interval, which a share that cannot be has not."""
    return Rate(right, n, Checked(right, n).interval() if 0 <= right <= n else None)


class Standing(Struct, frozen=True, kw_only=True):
    """A judge's certificate for one kind of question."""

    labels: int
    labels_sha256: str
    certified: int
    """Labels of the half that certifies."""
    threshold: float
    band: float = BAND
    """Nats round the threshold within which it is unsure."""
    sensitivity: Rate
    specificity: Rate
    auc: float | None
    kappa: float | None
    unsure: int
    flips: int
    """Verdicts that changed when the same was asked twice."""
    groups: dict[str, tuple[int, int]]
    """Language or group to how many decided verdicts were right, of how many."""
    probes: dict[str, tuple[int, int]]
    """Kind of probe to misses, of how many."""
    few_probes: dict[str, int] = {}
    """Kind of probe to how many there are, where these are too few to tell."""
    unsure_probes: dict[str, int] = {}
    """Kind of probe to how many more were answered with nothing that decides."""
    caught_probes: dict[str, int] = {}
    """Kind of probe to how many of the misses the value check takes back."""
    possible_probes: dict[str, int] = {}
    """Kind of probe to how many the rows allow, where these are fewer than are needed elsewhere."""
    wanted_probes: int = MOST
    """Probes of each kind that were asked for."""
    whys: dict[str, int] = {}
    """Why replies to the certifying labels decide nothing, by code."""
    more: tuple[int, int] = (0, 0)
    """Labels that would be needed besides, stated and others, if it went on being right as often; none where labels
    are not what lacks."""
    margins: tuple[tuple[float, bool], ...] = ()
    """Margins of the half that tunes, and whether people call them stated: threshold and band are made of these."""
    rules: dict[str, Rate] = {}
    """How often people hold what the rules decided, `yes` and `no`: no judge is asked these."""
    why: str
    """Code of what keeps it from being trusted; empty when nothing does."""


class Anchor(Struct, frozen=True, omit_defaults=True):
    """A frozen question with the judge's verdict at the time."""

    question: Question
    verdict: RuleVerdict
    stated: bool | None = None
    """What people said of it; None in certificates of earlier versions."""


class Certificate(Struct, frozen=True, kw_only=True):
    """What judge.json says of one judge."""

    name: str
    identity: str
    way: str
    tongue: str
    version: str
    prompts: dict[str, str]
    band: float
    kinds: dict[str, Standing]
    anchors: tuple[Anchor, ...]
    created: str
    rules: str = ""
    """Version of the rules by which its replies became verdicts."""
    parts: dict[str, str] = {}
    """Hashes of what the judge is made of, part by part."""
    asked: int = 0
    """Questions put to it for this certificate."""
    taken: int = 0
    """Replies taken over from an examination that was interrupted."""
    epoch: str = ""
    """Since when the judge has been the same: it is another one after a drift, whatever it calls itself."""
    versions: tuple[str, ...] = ()
    """All versions that were reported during the examination."""
    alarm: str = ""
    """When a drift was found since, or probes were missed; nothing is trusted from then on."""
    missed: tuple[str, ...] = ()
    """Kinds of probe that were missed since and had been held."""
    anchors_sha256: str = ""
    """The digest of the anchors, which the copy in a run goes without."""
    seal: str = ""
    """The digest of all this: what was changed since is no certificate. Empty in one of before there were seals."""
    mark: str = ""
    """The mark of whoever made it over its seal."""

    @property
    def repeats(self) -> dict[str, Probed]:
        """What came of asking twice, by kind of question."""
        return {kind: probes_of(one).get("twice", Probed(0, 0)) for kind, one in self.kinds.items()}

    @property
    def probed(self) -> dict[str, Probed]:
        """What came of its probes, over all kinds of question."""
        found: dict[str, Probed] = {}
        for one in self.kinds.values():
            for name, probed in probes_of(one).items():
                found[name] = Probed(*map(sum, zip(probed, found.get(name, Probed(0, 0)), strict=True)))
        return found


_UNSEALED = frozenset({"anchors", "seal", "mark"})
"""What a seal does not cover by itself; of the anchors there is a digest."""


def sealed(one: Certificate) -> Certificate:
    """Return a certificate with its digest."""
    one = structs.replace(one, anchors_sha256=_sha256(one.anchors))
    return structs.replace(one, seal=_seal_of(one), mark="")


def fault_of(one: Certificate, identity: str) -> str:
    """Say what makes an entry no certificate of a judge: it was changed by hand, or has no seal; "" for a sound one."""
    if not one.seal:
        return "unsealed"
    whole = not one.anchors or one.anchors_sha256 == _sha256(one.anchors)
    return "" if whole and one.identity == identity and one.seal == _seal_of(one) else "edited"


def _seal_of(one: Certificate) -> str:
    kinds = {kind: _told(standing) for kind, standing in one.kinds.items()}
    return _sha256({name: value for name, value in _told(one).items() if name not in _UNSEALED} | {"kinds": kinds})


def _told(one: Struct) -> dict[str, object]:
    """Return what a struct says besides its defaults: a field that a later version adds breaks no seal."""
    usual = {
        field.name: field.default if field.default_factory is NODEFAULT else field.default_factory()
        for field in structs.fields(one)
    }
    return {name: value for name, value in structs.asdict(one).items() if value != usual[name]}


def _sha256(value: object) -> str:
    return sha256(msgspec.json.encode(value, order="sorted")).hexdigest()


Margins = Sequence[tuple[float, bool]]
"""Margins with what people say of them."""


def margins_of(items: Sequence[Item]) -> tuple[tuple[float, bool], ...]:
    """Return the margins there are, each with what people say."""
    return tuple((item.said.margin, item.stated) for item in items if item.said.margin is not None)


def tune(known: Margins) -> float:
    """Return the margin that parts yes from no best; in the middle of the gap it falls into."""
    margins = sorted({margin for margin, _ in known})
    if not margins:
        return 0.0
    cuts = [(a + b) / 2 for a, b in pairwise(margins)] or [0.0]
    yes = sum(stated for _, stated in known) or 1
    no = len(known) - sum(stated for _, stated in known) or 1

    def worth(cut: float) -> tuple[float, float]:
        right = sum(m > cut for m, s in known if s) / yes + sum(m <= cut for m, s in known if not s) / no
        return round(right, 9), -abs(cut)

    best: float = max(cuts, key=worth)
    return round(best, 6)


def tune_band(known: Margins) -> float:
    """Return how near the threshold a judge is unsure: a judge whose yes and no lie near each other has a narrow band.

    Half a nat at most, and where the labels cannot tell.
    """
    sides = [[margin for margin, stated in known if stated is side] for side in (True, False)]
    if not all(sides) or (gap := median(sides[0]) - median(sides[1])) <= 0:
        return BAND
    return min(BAND, round(NEAR * gap, 6))


def certify(
    items: Sequence[Item],
    terms: JudgeTerms,
    probed: Mapping[str, Probed],
    flips: int,
    wanted: int = MOST,
    possible: Mapping[str, int] | None = None,
) -> Standing:
    """Certify a judge for the kind of question that some labelled items are of."""
    require_labels([(item.cluster, item.stated) for item in items])
    kind = items[0].question.kind
    tuning = margins_of([item for item in items if item.tunes] if terms.way == "margin" else [])
    threshold, band = tune(tuning), tune_band(tuning)
    terms = tuned(terms, kind, threshold, band)
    rest = [item for item in items if not item.tunes]
    verdicts = [checked(outcome_of(item.said, terms), item.question) for item in rest]
    pairs = list(zip(rest, verdicts, strict=True))
    rates = [_rate(pairs, stated) for stated in (True, False)]
    decided = [(item.stated, verdict == "yes") for item, verdict in pairs if verdict != "open"]
    standing = Standing(
        labels=len(items),
        labels_sha256=sha256(
            msgspec.json.encode([[msgspec.to_builtins(i.question), i.stated] for i in items])
        ).hexdigest(),
        certified=len(rest),
        threshold=threshold,
        band=band,
        sensitivity=rates[0],
        specificity=rates[1],
        auc=_auc(rest),
        kappa=agreement(decided).kappa,
        unsure=sum(verdict == "open" for verdict in verdicts),
        flips=flips,
        groups=_groups(pairs),
        probes={name: (one.misses, one.n) for name, one in probed.items()},
        few_probes=lacking(kind, probed, possible),
        unsure_probes={name: one.unsure for name, one in probed.items() if one.unsure},
        caught_probes={name: one.caught for name, one in probed.items() if one.caught},
        possible_probes=dict(possible or {}),
        wanted_probes=wanted,
        whys=dict(sorted(Counter(filter(None, (why_open(one.said, terms, one.question) for one in rest))).items())),
        margins=tuning,
        why="",
    )
    why = _why(standing, probed)
    why = (_by_labels(standing) and _blind(items, rates)) or why
    return structs.replace(standing, why=why, more=more_labels(rates) if why in _WIDE else (0, 0))


def rule_rates(check: RuleCheck) -> dict[str, Rate]:
    """Return how often people hold what the rules decided, as a certificate keeps it."""
    counts = {"yes": (check.yes_right, check.yes), "no": (check.no_right, check.no)}
    return {side: rate_of(right, n) for side, (right, n) in counts.items() if n}


def rule_check(standing: Standing) -> RuleCheck:
    """Return what the labels of a certificate say of the rules."""
    yes, no = (standing.rules.get(side, Rate(0, 0, None)) for side in ("yes", "no"))
    return RuleCheck(yes_right=int(yes.right), yes=yes.n, no_right=int(no.right), no=no.n)


def more_labels(rates: Sequence[Rate]) -> tuple[int, int]:
    """Say how many labels more would lift both lower ends high enough, if the judge went on being right as often."""
    # Half of the labels tune; where a judge is wrong too often no number of them helps.
    stated, others = (2 * max(0, _needed(rate) - rate.n) for rate in rates)
    return (stated, others) if stated + others <= MOST_LABELS else (0, 0)


def _needed(rate: Rate) -> int:
    share = rate.right / rate.n if rate.n else 1.0
    fits = (n for n in range(max(1, rate.n), MOST_LABELS) if rate_of(round(share * n), n).low >= LOWEST)
    return next(fits, 2 * MOST_LABELS)


def tuned(terms: JudgeTerms, kind: str, threshold: float, band: float) -> JudgeTerms:
    """Return a judge's terms with what labels made of one kind of question."""
    thresholds, bands = {**terms.thresholds, kind: threshold}, {**terms.bands, kind: band}
    return structs.replace(terms, thresholds=thresholds, bands=bands)


def require_labels(labels: Sequence[tuple[str, bool]]) -> None:
    """Refuse labels that can certify nothing: on too few questions, or all of one kind."""
    if (n := len({cluster for cluster, _ in labels})) < FEWEST:
        raise SettingError("certify.few", n=n, least=FEWEST)
    if len({stated for _, stated in labels}) < 2:
        raise SettingError("certify.one_kind", n=len(labels), kind="stated" if labels[0][1] else "absent")


def _rate(pairs: Iterable[tuple[Item, RuleVerdict]], stated: bool) -> Rate:
    votes: dict[str, list[bool]] = {}
    for item, verdict in pairs:
        if item.stated is stated and verdict != "open":
            votes.setdefault(item.cluster, []).append((verdict == "yes") is stated)
    right, n = round(fsum(sum(said) / len(said) for said in votes.values()), 6), len(votes)
    return rate_of(int(right) if right.is_integer() else right, n)


def _auc(items: Sequence[Item]) -> float | None:
    """Return the chance that a stated case has the larger margin."""
    known = margins_of(items)
    yes, no = [m for m, stated in known if stated], [m for m, stated in known if not stated]
    if not yes or not no:
        return None
    return round(sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / (len(yes) * len(no)), 4)


def _groups(pairs: Sequence[tuple[Item, RuleVerdict]]) -> dict[str, tuple[int, int]]:
    found: dict[str, tuple[int, int]] = {}
    for item, verdict in pairs:
        if verdict != "open":
            right, n = found.get(item.group, (0, 0))
            found[item.group] = (right + ((verdict == "yes") == item.stated), n + 1)
    return dict(sorted(found.items()))


def _why(standing: Standing, probed: Mapping[str, Probed]) -> str:
    why = _by_labels(standing)
    # Who is told to label more must not find out afterwards that no label would have helped.
    return "probes" if why == "few_labels" and failed(probed) else why or _by_probes(standing, probed)


def _by_labels(standing: Standing) -> str:
    """Say what its verdicts on the certifying labels tell against a judge."""
    yes, no = standing.sensitivity, standing.specificity
    ends = [yes.low, no.low]
    if min(ends) >= LOWEST:
        return ""
    if 2 * standing.unsure > standing.certified:
        return "undecided"
    if yes.n and no.n and (yes.right, no.right) in {(yes.n, 0), (0, no.n)}:
        return "always_yes" if yes.right else "always_no"
    if (yes.right, no.right) == (yes.n, no.n):
        return "few_labels"
    return "sensitivity" if ends[0] <= ends[1] else "specificity"


def _blind(items: Sequence[Item], rates: Sequence[Rate]) -> str:
    """Say that a judge tells stated from other points no better than chance would; "" where it does, or said little.

    A threshold in the noise of its margins makes it look as if more labels could help: they cannot.
    """
    voiced = {item.said.verdict for item in items if item.said.why == ""}
    if 2 * sum(item.said.why == "" for item in items) < len(items):
        return ""
    yes = sum(item.stated for item in items)
    error = sqrt((len(items) + 1) / (12 * yes * (len(items) - yes)))
    auc, shares = _auc(items), [rate.right / rate.n for rate in rates if rate.n]
    better = sum(shares) / 2 if auc is None and len(shares) == 2 else auc
    if better is None or better - 0.5 >= min(BLIND, 2 * error):
        return ""
    return f"always_{voiced.pop()}" if len(voiced) == 1 else "chance"


def _by_probes(standing: Standing, probed: Mapping[str, Probed]) -> str:
    if failed(probed):
        return "probes"
    if not standing.few_probes:
        return ""
    if standing.wanted_probes < MOST:
        return "few_asked"
    return "unsure_probes" if set(standing.few_probes) & set(standing.unsure_probes) else "few_probes"


def failed(probed: Mapping[str, Probed]) -> tuple[str, ...]:
    """Name the kinds of probe of which too many were missed."""
    return tuple(name for name, one in probed.items() if one.fails(name))


def probes_of(standing: Standing) -> dict[str, Probed]:
    """Return what came of the probes of a certificate."""
    unsure, caught = standing.unsure_probes, standing.caught_probes
    return {
        name: Probed(n, misses, unsure.get(name, 0), caught.get(name, 0))
        for name, (misses, n) in standing.probes.items()
    }


def probe_results(probes: Sequence[tuple[Probe, RuleVerdict, RuleVerdict | None]]) -> dict[str, Probed]:
    """Count misses; each probe comes with its verdict and that of the case it must be like.

    A verdict that is open was neither missed nor held: it is counted apart.
    """
    found: dict[str, Probed] = {}
    for probe, verdict, like in probes:
        missed = verdict == "yes" if probe.wanted == "no" else {verdict, like} == {"yes", "no"}
        unsure = "open" in {verdict, like}
        n, misses, open_, _ = found.get(probe.name, Probed(0, 0))
        found[probe.name] = Probed(n + (not unsure), misses + missed, open_ + unsure)
    return found


def read_certificates(path: Path) -> dict[str, Certificate]:
    """Read judge.json: identity of a judge to its certificate; nothing where there is no file."""
    if not path.is_file():
        return {}
    try:
        found = msgspec.json.decode(path.read_bytes(), type=dict[str, Certificate])
    except (OSError, ValueError, RecursionError) as error:
        raise SettingError("certify.file", file=str(path), problem=str(error)) from error
    return {identity: _with_anchors(one) for identity, one in found.items()}


def _with_anchors(one: Certificate) -> Certificate:
    """Break the seal of a certificate that lost its anchors: no drift could be found by it."""
    whole = not one.seal or one.anchors_sha256 == _sha256(one.anchors)
    return one if whole else structs.replace(one, seal="anchors")


def apply(
    terms: JudgeTerms, known: Mapping[str, Certificate], kinds: Iterable[str], place: Path | str = ""
) -> tuple[JudgeTerms, dict[str, str]]:
    """Take the thresholds of a judge's certificate, and say for each kind what keeps the judge from being trusted.

    What is taken goes with the terms, so that it can be held against the certificate of another day; `place` is where
    the certificate was looked for.
    """
    found = known.get(terms.identity)
    if found is None:
        standing = dict.fromkeys(kinds, _unlike(terms, known))
        return structs.replace(terms, standing=standing, place=Path(place).as_posix()), standing
    if fault := fault_of(found, terms.identity):
        standing = dict.fromkeys(kinds, fault)
        return structs.replace(terms, standing=standing, place=Path(place).as_posix(), epoch=found.epoch), standing
    standing = {kind: _current(found, terms, kind) for kind in kinds}
    for kind, one in found.kinds.items():
        terms = tuned(terms, kind, one.threshold, one.band)
    rates = {
        kind: (one.sensitivity.right, one.sensitivity.n, one.specificity.right, one.specificity.n)
        for kind, one in found.kinds.items()
        if standing.get(kind) not in _STALE
    }
    missed = dict.fromkeys(
        name for kind in standing if kind in found.kinds for name in failed(probes_of(found.kinds[kind]))
    )
    told = structs.replace(
        terms,
        band=found.band,
        rates=rates,
        standing=standing,
        failed=tuple(missed) or found.missed,
        certificate=msgspec.to_builtins(structs.replace(found, anchors=())),
        place=Path(place).as_posix(),
        epoch=found.epoch,
    )
    return told, standing


def stand(
    judges: Iterable[JudgeTerms], known: Callable[[JudgeTerms], Mapping[str, Certificate]], kinds: Iterable[str]
) -> tuple[tuple[JudgeTerms, ...], dict[str, str]]:
    """Hold judges against their certificates; a jury is trusted with a kind of question when all of it is."""
    found = [apply(one, known(one), kinds, one.place) for one in judges]
    standing = {kind: next((why[kind] for _, why in found if why[kind]), "") for kind in kinds}
    return tuple(one for one, _ in found), standing


def _unlike(terms: JudgeTerms, known: Mapping[str, Certificate]) -> str:
    """Say in what a judge without a certificate differs from the most similar one that has one."""
    apart = [
        ([part for part in _PARTS if one.parts.get(part) != terms.parts.get(part)] if one.parts else [])
        or ([] if one.name == terms.name else ["name"])
        for one in known.values()
        if one.name == terms.name or (one.parts and one.parts.get("endpoint") == terms.parts.get("endpoint"))
    ]
    if not apart:
        return "none"
    nearest = min(apart, key=len)
    return f"other_{nearest[0]}" if nearest else "other"


def hold(terms: JudgeTerms, known: Mapping[str, Certificate], kinds: Iterable[str]) -> tuple[JudgeTerms, str]:
    """Return a judge of a stored run by the certificates of today, and what keeps it from being trusted."""
    kinds = tuple(kinds)
    now, standing = apply(terms, known, kinds, terms.place)
    if why := next((one for one in standing.values() if one), ""):
        return now, why
    return now, "" if _cuts(now, kinds) == _cuts(terms, kinds) else "changed"


def _cuts(terms: JudgeTerms, kinds: Iterable[str]) -> list[object]:
    """Return what makes verdicts of a judge's replies to some kinds of question."""
    return [terms.epoch, terms.band, *((terms.thresholds.get(kind), terms.bands.get(kind)) for kind in kinds)]


def carried(terms: JudgeTerms) -> dict[str, Certificate]:
    """Return the certificate that a judge of a stored run brings along."""
    try:
        return {terms.identity: msgspec.convert(terms.certificate, Certificate)} if terms.certificate else {}
    except msgspec.ValidationError:
        return {}


def _current(found: Certificate, terms: JudgeTerms, kind: str) -> str:
    if kind not in found.kinds:
        return "kind"
    if found.rules != RULES:
        return "rules"
    if found.alarm:
        return "missed" if found.missed else "alarm"
    if found.prompts.get(kind) != terms.prompts.get(kind):
        return "prompt"
    if len(found.versions) > 1:
        return "versions"
    if terms.version != found.version:
        return "version"
    return found.kinds[kind].why or _doubt(kind, found.kinds[kind])


def _doubt(kind: str, standing: Standing) -> str:
    """Hold a certificate that calls its judge trusted against its own counts: the word alone is worth nothing."""
    probed = probes_of(standing)
    yes, no = (rate_of(rate.right, rate.n) for rate in (standing.sensitivity, standing.specificity))
    if (standing.threshold, standing.band) != (tune(standing.margins), tune_band(standing.margins)):
        return "edited"
    lacks = lacking(kind, probed, standing.possible_probes)
    return _why(structs.replace(standing, sensitivity=yes, specificity=no, few_probes=lacks), probed)
