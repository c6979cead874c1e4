"""The rows a report shows, limited in number and length however long the run."""

from collections.abc import Iterable

from msgspec import structs, to_builtins

from ragstone.core.types import JSON, Case, Result

MOST_CASES = 200
"""Cases shown in full; the rest is in results.jsonl."""
MOST_TEXT = 4000
"""Characters of an answer that are shown."""
BEYOND = 64
PARTS = 10


class ReportRows:
    """Collects from the rows of a run, in order, what its reports show."""

    def __init__(self, results: Iterable[Result] = ()) -> None:
        self.columns = [[0, 0] for _ in range(PARTS)]
        """How many passed and how many did not, by tenths of the primary score."""
        self.first: list[Result] = []
        self.missed: list[Result] = []
        self.passed: list[Result] = []
        self.total = 0
        for result in results:
            self.take(result)

    def take(self, result: Result) -> None:
        """Add one row."""
        card = result.scorecard
        passed = card.passed
        self.total += 1
        place = min(PARTS - 1, max(0, int(card.primary_score * PARTS)))
        self.columns[place][0 if passed else 1] += 1
        kept = self.passed if passed else self.missed
        if len(kept) < MOST_CASES:
            kept.append(_cut(result))
            if self.total <= MOST_CASES:
                self.first.append(kept[-1])

    @property
    def foremost(self) -> list[Result]:
        """Those that did not pass, then those that did, as far as they are shown."""
        return [*self.missed, *self.passed][:MOST_CASES]


def _cut(result: Result) -> Result:
    """Keep no more of an endless answer than is shown, and a little to know a number by that stands at the cut."""
    if len(result.output_text) <= MOST_TEXT:
        return result
    return structs.replace(result, output_text=result.output_text[: MOST_TEXT + BEYOND], parsed=None)


def gold_of(case: Case) -> JSON:
    """Return what a contract expects, as plain values; nothing that is empty."""
    try:
        return _trim(to_builtins(case.gold))
    except (TypeError, ValueError):
        return str(case.gold)


def _trim(value: JSON) -> JSON:
    if isinstance(value, dict):
        return {str(name): _trim(item) for name, item in value.items() if item not in (None, "", [], {}, ())}
    if isinstance(value, list | tuple):
        return [_trim(item) for item in value]
    return value
