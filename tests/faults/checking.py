"""What must hold of every row of the fault table, whatever the fault."""

from collections.abc import Iterator

from tests.faults.place import Outcome
from tests.faults.rows import Fault


def faults_of(fault: Fault, outcome: Outcome, lang: str = "en") -> list[str]:
    """Say what is not as it must be; an empty list is a row that holds."""
    return [*_accounts(fault, outcome), *_expected(fault, outcome), *_words(fault, outcome, lang)]


def _accounts(fault: Fault, outcome: Outcome) -> Iterator[str]:
    """Every case is somewhere, every answer is its own, every call is counted."""
    total = outcome.scored + outcome.errored + outcome.unparsed + outcome.unasked
    if total != outcome.cases:
        yield f"{outcome.cases} cases, {total} accounted for"
    if outcome.right > outcome.scored:
        yield f"{outcome.right} right of {outcome.scored}"
    untold = outcome.seen - outcome.counted
    if untold > fault.untold:
        yield f"the server saw {outcome.seen} calls, the run tells of {outcome.counted}"


def _expected(fault: Fault, outcome: Outcome) -> Iterator[str]:
    for name in ("exit", "scored", "errored", "unasked"):
        if getattr(fault, name) not in (None, getattr(outcome, name)):
            yield f"{name} is {getattr(outcome, name)}, expected {getattr(fault, name)}"
    if fault.afterwards not in outcome.afterwards:
        yield f"afterwards: {outcome.afterwards!r}, expected {fault.afterwards!r}"


def _words(fault: Fault, outcome: Outcome, lang: str) -> Iterator[str]:
    said = fault.says if lang == "en" else fault.says_chinese
    if said not in outcome.says:
        yield f"says {outcome.says!r}, expected {said!r}"
    if "Traceback" in outcome.says or "Error:" in outcome.says:
        yield f"a bug, not a message: {outcome.says!r}"
