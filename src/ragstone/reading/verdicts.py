"""What a question to a text comes to: proved yes, proved no, or open, with the rule and the place."""

from typing import Literal

from msgspec import Struct

Outcome = Literal["yes", "no", "open"]


class Verdict(Struct, frozen=True, gc=False):
    """One question answered: yes and no only with proof in hand; what was not found is open."""

    outcome: Outcome
    rule: str
    """Code of the rule that decided, e.g. verbatim, negated, number_changed, not_found."""
    span: tuple[int, int] | None = None
    """Where in the text."""
    params: dict[str, str] = {}
    """What the rule speaks of, e.g. {"expected": "42000元", "found": "24000元"}; for a sentence in any language."""
