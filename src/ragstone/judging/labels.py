"""What people said of answers: one verdict each, following the answer's content.

A later label of the same reviewer replaces an earlier one; reviewers who disagree decide nothing until one of them, or
somebody who settles it, says otherwise.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple

from msgspec import Struct, structs

from ragstone.core.types import QuestionKind
from ragstone.judging.estimates.draw_tokens import is_draw

_USUAL: QuestionKind = "states"
"""What a label is about that does not say it."""
Verdict = Literal["stated", "absent", "denied", "unsure", "withdrawn"]
_VALUES: Mapping[str, bool | None] = {"stated": True, "absent": False, "denied": False, "unsure": None}


class Label(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One verdict of one person on one question about one answer."""

    case: str
    point: str = ""
    """What was asked for: a key point, a sentence, a reference or a rubric, by the kind of question."""
    answer: str
    """`hash_of` the answer's text."""
    verdict: Verdict
    reviewer: str = ""
    kind: QuestionKind = _USUAL
    comment: str = ""
    quote: tuple[int, int] | None = None
    seconds: float | None = None
    blind: bool | None = None
    """Whether rule and judge were hidden when it was decided."""
    probability: float | None = None
    """How likely this case was to be drawn; None when somebody picked it, and then it enters no rate."""
    drawn: str = ""
    """What it was drawn from, and how likely: frames with chances (`4f0c…:0.25`); it makes an estimate of these.

    Behind them all that was drawn with it (`4f0c…~eNpr…`), so that rows which do not come back are known.
    """
    round: int = 0
    """Which draw of the sample it belongs to; 0 when somebody picked it."""
    settles: bool = False
    """Ends a disagreement of others."""
    question: str = ""
    answer_text: str = ""
    """The answer itself, where the label must be understood without its run."""
    gold: str = ""
    """How the point should read instead, where the reviewer found the dataset wrong."""
    synonyms: tuple[str, ...] = ()
    """Words that mean the same here, for the glossary."""
    run: str = ""
    """The run it was given in."""
    at: str = ""
    """When it was given, in UTC."""


class Key(NamedTuple):
    """What a label is about."""

    kind: str
    case: str
    point: str
    answer: str


def hash_of(answer: str) -> str:
    """Hash an answer's text, as labels and judgements name it."""
    return sha256(answer.encode("utf-8", "surrogatepass")).hexdigest()[:32]


def key_of(label: Label) -> Key:
    """Say what a label is about."""
    return Key(label.kind, label.case, label.point, label.answer)


def with_kinds(labels: Sequence[Label], asked: Iterable[Key]) -> list[Label]:
    """Return labels with the kind of question that a run asks, where they name none and only one is meant.

    A label without a kind is about a point that is stated, where there is such a point.
    """
    found: dict[tuple[str, str, str], set[str]] = {}
    for key in asked:
        found.setdefault((key.case, key.point, key.answer), set()).add(key.kind)
    return [_of_kind(label, found.get((label.case, label.point, label.answer), set())) for label in labels]


def _of_kind(label: Label, kinds: set[str]) -> Label:
    if label.kind != _USUAL or _USUAL in kinds or len(kinds) != 1:
        return label
    return structs.replace(label, kind=next(iter(kinds)))


class Labels:
    """All labels of a file by what they are about."""

    def __init__(self, labels: Iterable[Label] = ()) -> None:
        self._found: dict[Key, dict[str, Label]] = {}
        self._drawn: dict[Key, dict[str, float]] = {}
        """What each was drawn from and how likely: a verdict that is taken back leaves it drawn."""
        for label in labels:
            self.add(label)

    def add(self, label: Label) -> None:
        """Take one more label; it replaces what the same reviewer said before."""
        key = key_of(label)
        said = self._found.setdefault(key, {})
        if chances := chances_of(label):
            self._drawn.setdefault(key, {}).update(chances)
        said.pop(label.reviewer, None)
        if label.verdict != "withdrawn":
            said[label.reviewer] = label

    def by(self, key: Key) -> Mapping[str, Label]:
        """Return what stands of each reviewer, also where somebody settled it."""
        return self._found.get(key, {})

    def __len__(self) -> int:
        return sum(1 for said in self._found.values() if said)

    def __iter__(self) -> Iterator[Key]:
        return (key for key, said in self._found.items() if said)

    def of(self, key: Key) -> Sequence[Label]:
        """Return what every reviewer said of something, the settling word alone where there is one."""
        said = list(self._found.get(key, {}).values())
        settling = [label for label in said if label.settles]
        return settling[-1:] or said

    def decided(self, key: Key) -> bool | None:
        """Return what people decided; None when nobody did, or when they disagree."""
        values = {_VALUES[label.verdict] for label in self.of(key)} - {None}
        return values.pop() if len(values) == 1 else None

    def chances(self, key: Key) -> Mapping[str, float]:
        """Return from which frames something was drawn, and how likely that was."""
        return self._drawn.get(key, {})

    def is_drawn(self, frame: str) -> bool:
        """Return whether anything that people decided was drawn from a frame."""
        drawn = (key for key, known in self._drawn.items() if any(frame in name.split("+") for name in known))
        return any(self.decided(key) is not None for key in drawn)

    def foreign(self, frame: str) -> int:
        """Count what people decided of draws from elsewhere: it makes no estimate of this frame."""
        drawn = (key for key, known in self._drawn.items() if not any(frame in name.split("+") for name in known))
        return sum(self.decided(key) is not None for key in drawn)

    def disagreements(self) -> list[Key]:
        """Name what reviewers disagree about and nobody has settled."""
        return [key for key in self if len({_VALUES[label.verdict] for label in self.of(key)} - {None}) > 1]

    def agreement(self) -> "Agreement":
        """Compare the first two verdicts on everything that two people labelled."""
        pairs = [(first, second) for key in self for first, second in [_first_two(self._found[key])] if second]
        return agreement([(_VALUES[a.verdict], _VALUES[b.verdict]) for a, b in pairs if a and b])


def chances_of(label: Label) -> dict[str, float]:
    """Return from which frames a label was drawn; "" is one that nobody knows. Raises ValueError.

    >>> chances_of(Label(case="Q1", answer="", verdict="stated", drawn="4f0c:0.25 4f0c+77aa:0.1"))
    {'4f0c': 0.25, '4f0c+77aa': 0.1}
    """
    told = [token.rpartition(":") for token in label.drawn.split() if not is_draw(token)]
    known = {name: float(chance) for name, _, chance in told}
    return known or ({"": label.probability} if label.probability else {})


def _first_two(said: Mapping[str, Label]) -> tuple[Label | None, Label | None]:
    ordered = [said[name] for name in sorted(said) if _VALUES[said[name].verdict] is not None]
    return (ordered[0], ordered[1]) if len(ordered) > 1 else (None, None)


class Agreement(NamedTuple):
    """How far two ways to decide agree."""

    n: int
    share: float | None
    kappa: float | None
    """Cohen's; None when there is nothing to compare or both always say the same."""


def agreement(pairs: Iterable[tuple[bool | None, bool | None]]) -> Agreement:
    """Compare two ways to decide, beyond what chance would give."""
    both = [(a, b) for a, b in pairs if a is not None and b is not None]
    n = len(both)
    if not n:
        return Agreement(0, None, None)
    share = sum(a == b for a, b in both) / n
    first, second = sum(a for a, _ in both) / n, sum(b for _, b in both) / n
    chance = first * second + (1 - first) * (1 - second)
    return Agreement(n, share, (share - chance) / (1 - chance) if chance < 1 else None)
