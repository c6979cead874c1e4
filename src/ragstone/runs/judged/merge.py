"""What judges and people decided in the parts of a split run, joined: nothing is asked again, and no figure is lost."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import reduce

from msgspec import Struct, structs

from ragstone.core.errors import RunError
from ragstone.core.types import JSON
from ragstone.judging.decisions import Checked, Decisions, Terms
from ragstone.judging.judgements import FILE as JUDGEMENTS
from ragstone.judging.judgements import Judgements
from ragstone.judging.label_file import FILE as LABELS
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.labels import Label, Labels
from ragstone.runs.judged.certificates import cover, replies_of
from ragstone.runs.judged.costs import read_paid
from ragstone.runs.judged.decide import Counted, rewrite
from ragstone.runs.judged.draws import frame_of
from ragstone.runs.judged.files import read_judging, write_judging
from ragstone.runs.judged.judge_order import read_order
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers
from ragstone.runs.store.codec import is_plain
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.owner import foreign_verdicts, open_verdicts
from ragstone.runs.summary import Summarizer


class Joined(Struct, frozen=True):
    """What was decided in some parts."""

    parts: tuple[RunFolder, ...]
    terms: Terms

    def facts(self, meta: Mapping[str, JSON]) -> dict[str, JSON]:
        """Return what run_meta.json says of the whole: what all parts paid, who is still to ask, whose verdicts."""
        paid = reduce(lambda one, other: one.plus(other), map(read_paid, self.parts))
        orders = [order for part in self.parts if (order := read_order(part))]
        undone = any(order.due for order in orders) or any(read_judging(part.path) is None for part in self.parts)
        due = structs.replace(orders[0], due=undone).facts() if orders else {}
        own = not any(foreign_verdicts(part) for part in self.parts)
        return paid.facts() | due | (open_verdicts(meta) if own else {})


def join(parts: Sequence[RunFolder]) -> Joined | None:
    """Return what was decided in parts of a run, None where nobody decided anything; refuse judges that differ.

    A part that nobody judged is one whose questions were not asked yet.
    """
    known = [(part, judging.terms) for part in parts if (judging := read_judging(part.path))]
    known.sort(key=lambda one: not one[1].judges)
    for part, terms in known[1:]:
        if names := ", ".join(known[0][1].unlike(terms)):
            raise RunError("merge.judged", first=str(known[0][0].path), second=str(part.path), names=names)
    if not known:
        return None
    itself = tuple(dict.fromkeys(name for _, terms in known for name in terms.itself))
    drifted = tuple(dict.fromkeys(epoch for _, terms in known for epoch in terms.drifted))
    checked = {
        judge.who_now: Checked(0, "")
        for judge in known[0][1].judges
        if not any(replies_of(judge, terms, part).owed for part, terms in known)
    }
    return Joined(tuple(parts), structs.replace(known[0][1], itself=itself, drifted=drifted, checked=checked))


def decide_whole(joined: Joined, plan: Plan, new: RunFolder) -> tuple[Plan, Summarizer]:
    """Make the rows of a merged run by what was decided in its parts; return its plan with that, and its figures."""
    (new.path / JUDGEMENTS).write_bytes(b"".join(_lines(joined.parts)))
    labels = _labels(joined.parts)
    append_labels(new.path / LABELS, labels)
    with Answers(new) as answers, closing(Judgements(new.path / JUDGEMENTS, read_only=True)) as said:
        known = Labels(labels)
        terms = joined.terms.renewed().framed(frame_of(plan, answers) if len(known) else "", known)
        terms = structs.replace(terms, checked=dict.fromkeys(terms.checked, cover(new)))
        plan = structs.replace(plan, decisions=Decisions(terms, said, known))
        own = {spec.name for spec in plan.contract.metrics}
        write_judging(new, terms, [spec for spec in plan.metrics if spec.name not in own])
        return plan, rewrite(plan, new, answers, Counted())


def _lines(parts: Sequence[RunFolder]) -> Iterator[bytes]:
    for path in (part.path / JUDGEMENTS for part in parts):
        if is_plain(path):
            with path.open("rb") as file:
                yield from (line for line in file if line.endswith(b"\n"))


def _labels(parts: Sequence[RunFolder]) -> list[Label]:
    paths = (part.path / LABELS for part in parts)
    return list(dict.fromkeys(label for path in paths if is_plain(path) for label in read_labels(path)))
