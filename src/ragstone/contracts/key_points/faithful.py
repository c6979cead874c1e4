"""Faithfulness: does what was retrieved say what the answer says, sentence by sentence? Only where it is asked for."""

from collections.abc import Sequence

from ragstone.core.types import JSON, Question, Reading, RuleVerdict
from ragstone.reading.lexicon import Lexicon
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.sentences import sentences
from ragstone.reading.statements import Statements
from ragstone.text.fold import bare

FEWEST = 6
"""Letters and digits of a sentence that claims something; shorter ones are headings and courtesies."""
MOST = 40
"""Sentences of an answer that are looked at."""
MOST_SOURCE = 20_000
"""Characters of what was retrieved."""


def claims(reading: Reading, lexicon: Lexicon) -> list[dict[str, JSON]]:
    """Say of each sentence whether the retrieved contexts prove it, contradict it, or leave it open."""
    source = source_of(reading)
    if not source.strip():
        return []
    said, text = Statements(source), reading.text
    found = [text[piece.start : piece.end].strip() for piece in sentences(text)]
    kept = [claim for claim in found if len(bare(claim)) >= FEWEST][:MOST]
    verdicts = [states(Point(claim, lexicon), said) for claim in kept]
    return [
        {"claim": claim, "verdict": one.outcome, "rule": one.rule} for claim, one in zip(kept, verdicts, strict=True)
    ]


def source_of(reading: Reading) -> str:
    """Return what an answer had to rest on."""
    return "\n\n".join(context.text for context in reading.contexts)[:MOST_SOURCE]


def asked(reading: Reading, found: Sequence[dict[str, JSON]]) -> list[tuple[Question, RuleVerdict]]:
    """Ask of each sentence whether the source says what it says."""
    source = source_of(reading)
    return [
        (Question(kind="supported", point=one["claim"], answer=reading.text, source=source), one["verdict"])
        for one in found
    ]


def share(verdicts: Sequence[RuleVerdict]) -> float | None:
    """Return the share of sentences that are supported; what is open counts as not supported."""
    return sum(verdict == "yes" for verdict in verdicts) / len(verdicts) if verdicts else None
