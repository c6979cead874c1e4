"""The certificate of a judge: how far it agrees with people, on rows nobody tuned it by, and what its probes came to.

One half of the labels, chosen by hash, tunes the threshold; the other half certifies. A judge is trusted with a kind
of question when the lower ends of sensitivity and specificity are at least 0.85 and its probes hold; else it advises.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from math import comb
from pathlib import Path
from statistics import median
from typing import NamedTuple

import msgspec
from msgspec import Struct, structs

from ragstone.core.errors import SettingError
from ragstone.core.types import Interval, Question, RuleVerdict
from ragstone.judging.decisions import BAND, RULES, JudgeTerms, checked, outcome_of
from ragstone.judging.estimates.estimate import Checked
from ragstone.judging.people import agreement
from ragstone.judging.probes import Probe, Probed, lacking
from ragstone.judging.replies import Judgement

FILE = "judge.json"
FEWEST = 20
"""Labels without which nothing is certified."""
LOWEST = 0.85
"""The least that the lower ends of sensitivity and specificity may be for a judge to be trusted."""
MOST_ANCHORS = 200
NEAR = 0.1
"""How near the threshold a margin decides nothing, as a share of the way from a usual no to a usual yes."""


_STALE = frozenset({"kind", "rules", "prompt", "version"})
"""What a certificate may be of instead of this judge as it is."""


class Item(NamedTuple):
    """A labelled question and what the judge said of it."""

    question: Question
    stated: bool
    said: Judgement
    group: str = ""

    @property
    def tunes(self) -> bool:
        """Whether it belongs to the half that tunes, by its content."""
        told = f"{self.question.kind}\0{self.question.point}\0{self.question.answer}"
        return sha256(told.encode("utf-8", "replace")).digest()[0] % 2 == 0


class Rate(Struct, frozen=True):
    """How often a judge was right about cases of one kind, with its interval."""

    right: int
    n: int
    interval: Interval | None


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
    why: str
    """Code of what keeps it from being trusted; empty when nothing does."""


class Anchor(Struct, frozen=True):
    """A frozen question with the judge's verdict at the time."""

    question: Question
    verdict: RuleVerdict


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


def tune(items: Sequence[Item]) -> float:
    """Return the margin that parts yes from no best; in the middle of the gap it falls into."""
    margins = sorted({item.said.margin for item in items if item.said.margin is not None})
    if not margins:
        return 0.0
    cuts = [(a + b) / 2 for a, b in pairwise(margins)] or [0.0]
    known = [(item.said.margin, item.stated) for item in items if item.said.margin is not None]
    yes = sum(stated for _, stated in known) or 1
    no = len(known) - sum(stated for _, stated in known) or 1

    def worth(cut: float) -> tuple[float, float]:
        right = sum(m > cut for m, s in known if s) / yes + sum(m <= cut for m, s in known if not s) / no
        return round(right, 9), -abs(cut)

    best: float = max(cuts, key=worth)
    return round(best, 6)


def tune_band(items: Sequence[Item]) -> float:
    """Return how near the threshold a judge is unsure: a judge whose yes and no lie near each other has a narrow band.

    Half a nat at most, and where the labels cannot tell.
    """
    known = [(item.said.margin, item.stated) for item in items if item.said.margin is not None]
    sides = [[margin for margin, stated in known if stated is side] for side in (True, False)]
    if not all(sides) or (gap := median(sides[0]) - median(sides[1])) <= 0:
        return BAND
    return min(BAND, round(NEAR * gap, 6))


def certify(items: Sequence[Item], terms: JudgeTerms, probed: Mapping[str, Probed], flips: int) -> Standing:
    """Certify a judge for the kind of question that some labelled items are of."""
    require_labels(items)
    kind = items[0].question.kind
    tuning = [item for item in items if item.tunes] if terms.way == "margin" else []
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
        few_probes=lacking(kind, probed),
        why="",
    )
    return structs.replace(standing, why=_why(standing, probed))


def tuned(terms: JudgeTerms, kind: str, threshold: float, band: float) -> JudgeTerms:
    """Return a judge's terms with what labels made of one kind of question."""
    thresholds, bands = {**terms.thresholds, kind: threshold}, {**terms.bands, kind: band}
    return structs.replace(terms, thresholds=thresholds, bands=bands)


def require_labels(items: Sequence[Item | tuple[Question, bool]]) -> None:
    """Refuse labels that can certify nothing: too few, or all of one kind."""
    if len(items) < FEWEST:
        raise SettingError("certify.few", n=len(items), least=FEWEST)
    if len({bool(item[1]) for item in items}) < 2:
        raise SettingError("certify.one_kind", n=len(items), kind="stated" if items[0][1] else "absent")


def _rate(pairs: Iterable[tuple[Item, RuleVerdict]], stated: bool) -> Rate:
    votes = Counter(verdict for item, verdict in pairs if item.stated is stated and verdict != "open")
    right, n = votes["yes" if stated else "no"], sum(votes.values())
    return Rate(right, n, Checked(right, n).interval())


def _auc(items: Sequence[Item]) -> float | None:
    """Return the chance that a stated case has the larger margin."""
    known = [(item.said.margin, item.stated) for item in items if item.said.margin is not None]
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
    ends = [rate.interval.low if rate.interval else 0.0 for rate in (standing.sensitivity, standing.specificity)]
    if min(ends) < LOWEST:
        return "sensitivity" if ends[0] <= ends[1] else "specificity"
    if any(one.fails(name) for name, one in probed.items()):
        return "probes"
    return "few_probes" if standing.few_probes else ""


def probe_results(probes: Sequence[tuple[Probe, RuleVerdict, RuleVerdict | None]]) -> dict[str, Probed]:
    """Count misses; each probe comes with its verdict and that of the case it must be like."""
    found: dict[str, Probed] = {}
    for probe, verdict, like in probes:
        missed = verdict == "yes" if probe.wanted == "no" else {verdict, like} == {"yes", "no"}
        n, misses = found.get(probe.name, Probed(0, 0))
        found[probe.name] = Probed(n + 1, misses + missed)
    return found


def read_certificates(path: Path) -> dict[str, Certificate]:
    """Read judge.json: identity of a judge to its certificate; nothing where there is no file."""
    if not path.is_file():
        return {}
    try:
        return msgspec.json.decode(path.read_bytes(), type=dict[str, Certificate])
    except (OSError, ValueError, RecursionError) as error:
        raise SettingError("certify.file", file=str(path), problem=str(error)) from error


def apply(
    terms: JudgeTerms, known: Mapping[str, Certificate], kinds: Iterable[str]
) -> tuple[JudgeTerms, dict[str, str]]:
    """Take the thresholds of a judge's certificate, and say for each kind what keeps the judge from being trusted."""
    found = known.get(terms.identity)
    if found is None:
        why = "other" if any(one.name == terms.name for one in known.values()) else "none"
        return terms, dict.fromkeys(kinds, why)
    standing = {kind: _current(found, terms, kind) for kind in kinds}
    for kind, one in found.kinds.items():
        terms = tuned(terms, kind, one.threshold, one.band)
    rates = {
        kind: (one.sensitivity.right, one.sensitivity.n, one.specificity.right, one.specificity.n)
        for kind, one in found.kinds.items()
        if standing.get(kind) not in _STALE
    }
    return structs.replace(terms, band=found.band, rates=rates), standing


def _current(found: Certificate, terms: JudgeTerms, kind: str) -> str:
    if kind not in found.kinds:
        return "kind"
    if found.rules != RULES:
        return "rules"
    if found.prompts.get(kind) != terms.prompts.get(kind):
        return "prompt"
    if terms.version and found.version and terms.version != found.version:
        return "version"
    return found.kinds[kind].why or _doubt(kind, found.kinds[kind])


def _doubt(kind: str, standing: Standing) -> str:
    """Hold a certificate that calls its judge trusted against its own counts: the word alone is worth nothing."""
    probed = {name: Probed(n, misses) for name, (misses, n) in standing.probes.items()}
    yes, no = (_counted(rate) for rate in (standing.sensitivity, standing.specificity))
    lacks = lacking(kind, probed)
    return _why(structs.replace(standing, sensitivity=yes, specificity=no, few_probes=lacks), probed)


def _counted(rate: Rate) -> Rate:
    fits = 0 <= rate.right <= rate.n
    return Rate(rate.right, rate.n, Checked(rate.right, rate.n).interval() if fits else None)


def drift(pairs: Iterable[tuple[RuleVerdict, RuleVerdict]]) -> tuple[int, int, float]:
    """Return how many anchors turned from yes to no, from no to yes, and the chance of it by exact McNemar."""
    turned = Counter((a, b) for a, b in pairs if a != b)
    lost, gained = turned["yes", "no"], turned["no", "yes"]
    n = lost + gained
    tail = sum(comb(n, k) for k in range(min(lost, gained) + 1)) / 2**n if n else 1.0
    return lost, gained, min(1.0, 2 * tail)
