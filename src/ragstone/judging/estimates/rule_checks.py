"""Whether people hold what the rules decided: a judged figure rests on verdicts of rules, too, and nobody checks these.

Rules are contradicted where the lower end of Wilson's interval is clearly below the bar of a judge, of all labelled
verdicts or of those of one kind; with few labels, where the upper end is.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Literal, NamedTuple

from ragstone.core.types import JSON, RuleCheck, RuleVerdict
from ragstone.judging.decisions import verdicts_of
from ragstone.judging.estimates.estimate import Checked

LOWEST = 0.75
"""The least that the lower end may be: the bar of a judge less 0.1, because people label few of such points."""
Side = Literal["both", "yes", "no"]


class Contradicted(NamedTuple):
    """Verdicts of rules that people do not hold."""

    side: Side
    right: float
    n: int
    low: float


def check_of(pairs: Iterable[tuple[RuleVerdict, bool]]) -> RuleCheck:
    """Count verdicts of rules with what people say; what rules leave open does not count."""
    said = Counter(pairs)
    (yes_right, yes_wrong), (no_wrong, no_right) = (
        [said[rule, one] for one in (True, False)] for rule in ("yes", "no")
    )
    return RuleCheck(yes_right=yes_right, yes=yes_right + yes_wrong, no_right=no_right, no=no_right + no_wrong)


def rates_of(check: RuleCheck) -> dict[Side, Checked]:
    """Return how many verdicts people hold, in all and of those for and against."""
    return {
        "both": Checked(check.right, check.n),
        "yes": Checked(check.yes_right, check.yes),
        "no": Checked(check.no_right, check.no),
    }


def contradicted(check: RuleCheck) -> Contradicted | None:
    """Return the verdicts of rules that people do not hold often enough; None where that is not known."""
    for side, rate in rates_of(check).items():
        found = rate.interval() if rate.of else None
        # Few labels say nothing for the rules, but they may say enough against them.
        if found and (found.low if rate.of >= RuleCheck.FEWEST else found.high) < LOWEST:
            return Contradicted(side, rate.right, rate.of, found.low)
    return None


def overruled(details: Mapping[str, JSON]) -> Iterator[tuple[str, str, RuleVerdict, bool]]:
    """Yield kind and point of what people labelled although a rule decides it, with both verdicts."""
    for one in verdicts_of(details):
        if one["by"] == "person" and one.get("rule") in ("yes", "no"):
            yield one["kind"], one["point"], one["rule"], one["verdict"] == "yes"
