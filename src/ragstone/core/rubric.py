"""A rubric of the user's own beside whatever a contract measures: only a judge or a person can decide it.

The option `rubric` works with every contract. Rules give its figure no value; `rubric_judged` is what judges made of
it.
"""

from collections.abc import Sequence

from msgspec import structs

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Contract
from ragstone.core.language import Text
from ragstone.core.types import JSON, Case, MetricSpec, Question, Reading, RuleVerdict, Scorecard

OPTION = "rubric"
SPEC = MetricSpec(name=OPTION, label=Text("meets the rubric", "符合自定要求"), kind="flag")
Asked = Sequence[tuple[Question, RuleVerdict]]


def with_rubric(contract: Contract, rubric: JSON) -> Contract:
    """Have a contract ask of every answer, besides its own questions, whether it meets a rubric."""
    if not isinstance(rubric, str) or not rubric.strip():
        raise SettingError("option.rubric")
    kind = type(contract)
    # A subclass is the contract in all that asks for its class, its module or its terms.
    contract.__class__ = type(kind.__name__, (_WithRubric, kind), {"__module__": kind.__module__})
    vars(contract).update(
        rubric=rubric.strip(),
        metrics=(*contract.metrics, SPEC),
        judged=(*getattr(contract, "judged", ()), OPTION),
        rubrics=(*getattr(contract, "rubrics", ()), OPTION),
        question_kinds=(*getattr(contract, "question_kinds", ()), "meets"),
        judged_kinds={**getattr(contract, "judged_kinds", {}), OPTION: ("meets",)},
    )
    return contract


class _WithRubric:
    """What a contract does besides when it has a rubric; the contract's own class stands behind it."""

    rubric: str

    def score(self, case: Case, reading: Reading) -> Scorecard:
        """Leave the rubric open, for a judge or a person."""
        card: Scorecard = super().score(case, reading)  # type: ignore[misc]
        return structs.replace(card, sub_scores=card.sub_scores | {OPTION: None})

    def asked(self, case: Case, reading: Reading, card: Scorecard) -> Asked:
        """Ask about the rubric behind the contract's own questions; what cannot be read meets none."""
        return [*self._own(case, reading, card), *self._rubric(case, reading)]

    def decide(
        self, case: Case, reading: Reading, card: Scorecard, verdicts: Sequence[RuleVerdict]
    ) -> dict[str, float | None]:
        """Return the contract's metrics, and whether the rubric is met."""
        own = len(verdicts) - len(self._rubric(case, reading))
        met = {OPTION: float(verdicts[-1] == "yes")} if len(verdicts) > own else {}
        return ({**super().decide(case, reading, card, verdicts[:own])} if self._decides else {}) | met  # type: ignore[misc]

    @property
    def _decides(self) -> bool:
        """Whether the contract has questions of its own."""
        return hasattr(super(), "decide")

    def _own(self, case: Case, reading: Reading, card: Scorecard) -> Asked:
        return super().asked(case, reading, card) if self._decides else ()  # type: ignore[misc]

    def _rubric(self, case: Case, reading: Reading) -> Asked:
        if reading.rung == "failed" or not reading.text.strip():
            return ()
        return ((Question(kind="meets", question=case.question, point=self.rubric, answer=reading.text), "open"),)
