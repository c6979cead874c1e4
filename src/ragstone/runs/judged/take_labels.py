"""Labels taken into a run: those about its answers, and blank ones for what was drawn and not handed back.

What somebody drew and left out counts as undecided, like rows that were left blank.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from ragstone.core.errors import SettingError
from ragstone.judging.estimates.draw_tokens import draws_of, is_draw
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.labels import Key, Label, Labels, chances_of, with_kinds
from ragstone.judging.labels import key_of as label_key
from ragstone.runs.judged.draws import frame_of
from ragstone.runs.judged.questions import asked_keys
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder


def take_labels(
    folder: RunFolder,
    labels: Sequence[Label],
    plan: Plan,
    answers: Answers,
    *,
    replace: bool = False,
    beside: Sequence[Label] = (),
) -> "Taken":
    """Keep those labels in the run that are about its answers, and blank ones for what was drawn and is in none.

    With `replace` those it had are forgotten. What was drawn and is in none of the `labels` may be `beside` the runs.
    """
    kept = read_labels(folder.path / LABELS) if is_plain(folder.path / LABELS) else []
    about = list(asked_keys(plan, answers)) if labels else []
    keys = {key for _, key in about}
    labels = with_kinds(labels, keys)
    fitting = [label for label in labels if label_key(label) in keys]
    strays = len(labels) - len(fitting)
    if replace:
        (folder.path / LABELS).unlink(missing_ok=True)
        kept = []
    elif more := _drawn_beside([*kept, *fitting], beside, frame_of(plan, answers) if beside else "", about):
        fitting = [*more, *fitting]
    known = set(kept)
    fresh = [label for label in fitting if label not in known]
    # Who came back to an earlier verdict said it again in the same words: the last word must be the last here, too.
    now = _last([*kept, *fresh])
    again = [label for place, label in _last(fitting).items() if now[place] != label]
    here = [*kept, *fresh, *again]
    lacking = list(blanks(here, frame_of(plan, answers), about)) if any(is_draw(one.drawn) for one in fitting) else []
    append_labels(folder.path / LABELS, [*fresh, *again, *lacking])
    return Taken(Labels([*here, *lacking]), strays, len(lacking))


def require_deciding(folder: RunFolder, given: Sequence[Label], plan: Plan) -> None:
    """Refuse to forget a run's labels for a file that says nothing of it: the wrong one, or one nobody filled in."""
    path = folder.path / LABELS
    known = Labels(read_labels(path) if is_plain(path) else [])
    if not given or all(known.decided(key) is None for key in known):
        return
    with Answers(folder) as answers:
        keys = {key for _, key in asked_keys(plan, answers)}
    if not any(_is_deciding(label) and label_key(label) in keys for label in given):
        raise SettingError("labels.replace_nothing", n=len(given), run=str(folder.path), known=len(known))


def _is_deciding(label: Label) -> bool:
    return label.verdict not in ("unsure", "withdrawn")


def _drawn_beside(
    here: Sequence[Label], beside: Sequence[Label], frame: str, about: Sequence[tuple[int, Key]]
) -> list[Label]:
    """Return those labels beside the runs that are about what was drawn and is in no table: these leave it out."""
    lacking = {label_key(blank) for blank in blanks(here, frame, about)} if beside else set()
    return [label for label in beside if label_key(label) in lacking]


class Taken(NamedTuple):
    """The labels a run has, and what is to be said of those that were given."""

    labels: Labels
    strays: int
    """Labels about answers that are not in the run."""
    lacking: int
    """What was drawn with them and was not handed back."""


def _last(labels: Sequence[Label]) -> dict[tuple[Key, str], Label]:
    """Return what each reviewer said last of everything."""
    return {(label_key(label), label.reviewer): label for label in labels}


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
