"""Rows of a draw that nobody handed back: they count as undecided, like rows that were left blank."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from ragstone.judging.estimates.draw_tokens import draws_of
from ragstone.judging.labels import Key, Label, Labels, chances_of


def drawn_here(labels: Iterable[Label], frame: str) -> list[tuple[frozenset[str], Mapping[int, float]]]:
    """Return the draws from a run that labels tell of: under which names, and which of its rows."""
    told: dict[str, set[str]] = {}
    for label in labels:
        if frame and frame in label.drawn:
            told.setdefault(label.drawn, set()).update(name for name in chances_of(label) if frame in name.split("+"))
    drawn = [(frozenset(names), one) for text, names in told.items() for one in draws_of([text]) if one.frame == frame]
    return list({(names, tuple(one.rows)): (names, one.rows) for names, one in drawn}.values())


def blanks(labels: Sequence[Label], frame: str, rows: Iterable[tuple[int, Key]]) -> Iterator[Label]:
    """Yield a blank label for everything that was drawn and stands in none of the labels; `rows` are the run's."""
    draws, known = drawn_here(labels, frame), Labels(labels)
    for number, key in rows if draws else ():
        for names, drawn in draws:
            lacks = sorted(names - known.chances(key).keys())
            if lacks and (chance := drawn.get(number)):
                blank = Label(**key._asdict(), verdict="unsure", drawn=" ".join(f"{name}:{chance}" for name in lacks))
                known.add(blank)
                yield blank
