"""The reviews of one server: everybody's labels, and a review for each run that somebody reviews."""

import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path

from msgspec import Struct, structs

from ragstone.core.interfaces import Decidable
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.judging.label_file import FILE, LabelFile
from ragstone.judging.labels import Key, Label, Labels, Verdict, key_of
from ragstone.reading.private import mask_private_in
from ragstone.reviewing.agreement import Agreed, agreed, units_of
from ragstone.reviewing.review import QUEUES, SHARE, Name, Rules, RunReview
from ragstone.reviewing.sample import Design, read_design, write_design
from ragstone.reviewing.worksheet import Item, shown
from ragstone.runs.judged.decide import figures_with
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import plan_of
from ragstone.runs.store.admission import Guard
from ragstone.runs.store.folder import RunFolder
from ragstone.text.visible import visible_block
from ragstone.web.errors import PageError, reading
from ragstone.web.people import Person

KEPT = 4
"""Reviews kept; each holds a database on disk."""
_STAMPED = ("results.jsonl", "judgements.jsonl", "run_meta.json", "gate.json")


class Said(Struct, frozen=True, kw_only=True):
    """What a reviewer says of a question."""

    number: int
    verdict: Verdict
    comment: str = ""
    quote: tuple[int, int] | None = None
    seconds: float | None = None
    gold: str = ""
    synonyms: tuple[str, ...] = ()
    settles: bool = False


class Open(Struct):
    """A run under review."""

    review: RunReview
    plan: Plan
    folder: RunFolder
    stamp: tuple[object, ...]
    mask: bool
    compared: str = ""


class Reviews:
    """What reviewers of all runs share; used from several threads."""

    def __init__(self, settings: Settings, runs: Path, guard: Guard, *, several: bool) -> None:
        self._runs, self._guard, self._mask = runs, guard, settings.mask_private
        wish = settings.review
        share = wish.share if wish.share is not None else SHARE if several else 0.0
        self._rules = Rules(share=share, lock_seconds=wish.lock_seconds)
        self._half = wish.half_width
        self._file = LabelFile(runs / FILE)
        self._labels = Labels()
        self._spoken: set[tuple[Key, str]] = set()
        self._history: dict[tuple[str, str], list[Label]] = {}
        self._open: OrderedDict[str, Open] = OrderedDict()
        self._lock = threading.RLock()

    def close(self) -> None:
        """Close everything."""
        with self._lock:
            for one in self._open.values():
                one.review.sheet.close()
            self._open.clear()

    # labels

    def _sync(self) -> None:
        """Read what was added to the file since the last call, by any process."""
        fresh = self._file.fresh()
        if fresh is None:
            self._labels, self._spoken, self._history = Labels(), set(), {}
            self.close()
            fresh = self._file.fresh() or []
        for label in fresh:
            self._labels.add(label)
            self._spoken.add((key_of(label), label.reviewer))
            if label.run:
                self._history.setdefault((label.run, label.reviewer), []).append(label)
            for one in self._open.values():
                one.review.take(label)

    def _keep(self, labels: Sequence[Label]) -> None:
        self._file.path.parent.mkdir(parents=True, exist_ok=True)
        self._file.append(labels)
        self._sync()

    def save(self, run: str, person: Person, said: Said) -> dict[str, JSON]:
        """Keep a verdict, and say what rule and judge made of the question."""
        with self._lock:
            one = self.open(run)
            item = self._item(one, said.number)
            label = self._label(one, item, person, said)
            self._keep([label])
            self._grow(one, run)
            return {"saved": said.verdict, "item": item.number, **self._revealed(one, item)}

    def _label(self, one: Open, item: Item, person: Person, said: Said) -> Label:
        key, review = item.key, one.review
        chance = review.chance(item.number)
        quote = said.quote
        if quote is not None and not (not one.mask and 0 <= quote[0] < quote[1] <= len(item.answer)):
            raise PageError(422, "page.query", field="quote", problem=str(quote))
        return Label(
            case=key.case,
            point=key.point,
            answer=key.answer,
            kind=key.kind,  # type: ignore[arg-type]
            verdict=said.verdict,
            reviewer=person.name,
            comment=said.comment.strip(),
            quote=quote,
            seconds=said.seconds,
            blind=(key, person.name) not in self._spoken and not said.settles,
            probability=chance,
            drawn=review.drawn(item.number),
            round=review.design.round if chance else 0,
            settles=said.settles,
            question=item.question,
            gold=said.gold.strip(),
            synonyms=tuple(word.strip() for word in said.synonyms if word.strip()),
            run=review.sheet.run,
            at=_now(),
        )

    def _grow(self, one: Open, run: str) -> None:
        """Draw more cases where the sample is used up; what was said before is said again with its new chance."""
        self._pass(one)
        before = one.review.design
        again = one.review.grow()
        if one.review.design is not before:
            write_design(self._runs, run, one.review.design)
            self._keep(again)

    def _pass(self, one: Open) -> None:
        """Add labels from elsewhere to the sample where it drew their questions."""
        if passed := one.review.passed():
            self._keep(passed)

    def undo(self, run: str, person: Person, queue: Name = "open") -> dict[str, JSON]:
        """Withdraw the last verdict of a reviewer in a run, and show its question again."""
        with self._lock:
            one = self.open(run)
            history = self._history.get((run, person.name), [])
            for label in reversed(history):
                if label.verdict != "withdrawn" and self._labels.by(key_of(label)).get(person.name) is label:
                    undone = self._withdraw(one, label, person)
                    return undone | {"progress": self.progress(self.open(run), queue, person)}
            return {"item": None, "progress": self.progress(one, queue, person)}

    def withdraw(self, run: str, number: int, reviewer: str, person: Person) -> dict[str, JSON]:
        """Withdraw a verdict that turned out to be wrong; the file keeps that it was given."""
        with self._lock:
            one = self.open(run)
            label = self._labels.by(self._item(one, number).key).get(reviewer)
            if label is None:
                raise PageError(404, "page.label", name=reviewer)
            return self._withdraw(one, label, person)

    def _withdraw(self, one: Open, label: Label, person: Person) -> dict[str, JSON]:
        comment = "" if person.name == label.reviewer else f"({person.name})"
        gone = structs.replace(label, verdict="withdrawn", at=_now(), comment=comment, seconds=None)
        self._keep([gone])
        number = one.review.sheet.find(key_of(label))
        item = one.review.sheet.item(number) if number is not None else None
        return {"item": self._shown(one, item) if item else None, "withdrawn": label.verdict}

    # runs

    def open(self, run: str) -> Open:
        """Return the review of a run, in step with its files and with everybody's labels."""
        with self._lock:
            self._sync()
            path = self._runs / run
            stamp = tuple(_stamp(path / name) for name in _STAMPED)
            found = self._open.get(run)
            if found is None or found.stamp != stamp:
                self._drop(run)
                found = self._open[run] = self._begin(run, path, stamp)
            self._open.move_to_end(run)
            while len(self._open) > KEPT:
                self._drop(next(iter(self._open)))
            self._pass(found)
            return found

    def _drop(self, run: str) -> None:
        if found := self._open.pop(run, None):
            found.review.sheet.close()

    def _begin(self, run: str, path: Path, stamp: tuple[object, ...]) -> Open:
        folder = RunFolder(path)
        with reading(run):
            plan = plan_of(folder, guard=self._guard)
            if not isinstance(plan.contract, Decidable) or not plan.contract.judged:
                raise PageError(409, "page.no_review", run=run)
            if folder.meta().get("status") == "running":
                raise PageError(409, "page.going", run=run)
            design = read_design(self._runs, run)
            review = RunReview(folder, plan, self._labels, self._wished(design), self._rules, half=self._half)
        write_design(self._runs, run, review.design)
        return Open(review=review, plan=plan, folder=folder, stamp=stamp, mask=self._mask or plan.mask_private)

    def _wished(self, design: Design | None) -> Design | None:
        return structs.replace(design, half=self._half) if design else None

    def flipped(self, run: str, against: str, rows: Sequence[int]) -> None:
        """Set the rows whose outcome differs from another run's."""
        with self._lock:
            one = self.open(run)
            one.review.set_flipped(rows)
            one.compared = against

    def _item(self, one: Open, number: int) -> Item:
        item = one.review.sheet.item(number) if number >= 0 else None
        if item is None:
            raise PageError(404, "page.case", run=one.review.sheet.run, number=number)
        return item

    # what is shown

    def next(self, run: str, queue: Name, person: Person, after: int | None = None) -> dict[str, JSON]:
        """Give a reviewer the next question of a queue."""
        with self._lock:
            one = self.open(run)
            item = one.review.next(queue, person.name, after)
            found = self._seen(one, item, person, settling=queue == "settle") if item else None
            if found and item and queue == "failed":
                found["failed"] = visible_in(one.review.sheet.rules_of(item.number))
            return {"item": found, "progress": self.progress(one, queue, person)}

    def item(self, run: str, number: int, person: Person) -> dict[str, JSON]:
        """Return one question as a reviewer may see it."""
        with self._lock:
            one = self.open(run)
            return {"item": self._seen(one, self._item(one, number), person)}

    def _shown(self, one: Open, item: Item) -> dict[str, JSON]:
        found = shown(item)
        found = mask_private_in(found) if one.mask else found
        seen: dict[str, JSON] = visible_in(found)
        # A place in the answer counts only where the reviewer saw the answer itself.
        return seen | {"quotable": seen["answer"] == item.answer}

    def _seen(self, one: Open, item: Item, person: Person, *, settling: bool = False) -> dict[str, JSON]:
        """Show rule and judge only to who has decided; what others said only to who settles it."""
        found = self._shown(one, item)
        said = one.review.said(item.number)
        if own := said.get(person.name):
            found |= {"own": own.verdict, "comment": own.comment, **self._revealed(one, item)}
        if settling:
            found["said"] = visible_in([_told(label) for label in said.values()])
        return found

    def _revealed(self, one: Open, item: Item) -> dict[str, JSON]:
        return {"rule": item.rule, "judge": item.judge if one.plan.decisions else ""}

    def progress(self, one: Open, queue: Name, person: Person) -> dict[str, JSON]:
        """Return how far a queue and the estimate are."""
        review = one.review
        done, total, unsure = review.progress(queue)
        wanted = review.wanted()
        return {
            "done": done,
            "total": total,
            "unsure": unsure,
            "left": {name: review.progress(name).left for name in QUEUES},
            "own": review.reviewers().get(person.name, 0),
            "wanted": wanted.labels,
            "half": wanted.half,
            "now": wanted.now,
            "mean": wanted.mean,
        }

    def overview(self, run: str, person: Person) -> dict[str, JSON]:
        """Return how a review stands."""
        with self._lock:
            one = self.open(run)
            queues = {name: one.review.progress(name)._asdict() for name in QUEUES}
            return {
                "run": run,
                "queues": queues,
                "compared": one.compared,
                "gate": visible_in(one.review.sheet.gate),
                "reviewers": one.review.reviewers(),
                "progress": self.progress(one, "sample", person),
                "round": one.review.design.round,
                "settle": [self._disagreement(one, number) for number in one.review.queue("settle")[:200]],
            }

    def _disagreement(self, one: Open, number: int) -> dict[str, JSON]:
        item = self._item(one, number)
        said = {who: label.verdict for who, label in one.review.said(number).items()}
        found = {"number": number, "case": item.key.case, "point": item.key.point, "question": item.question}
        seen: dict[str, JSON] = visible_in(mask_private_in(found) if one.mask else found)
        return seen | {"said": said}

    def agreement(self, run: str) -> Agreed:
        """Return how far the reviewers of a run agree."""
        with self._lock:
            one = self.open(run)
            units = units_of(self._labels, one.review.labelled())
        return agreed(units)

    def figures(self, run: str) -> list[dict[str, JSON]]:
        """Return what the judged figures of a run are, and what they become with everybody's labels."""
        with self._lock:
            one = self.open(run)
            labels = Labels(label for key in one.review.labelled() for label in self._labels.by(key).values())
        with reading(run):
            after = figures_with(one.plan, one.folder, labels)
        names = one.plan.contract.judged if isinstance(one.plan.contract, Decidable) else ()
        return [
            {"model": model, "metric": name} | {end: _figure(found.all.metrics.get(name + tail)) for end, tail in ENDS}
            for model, found in after.items()
            for name in names
        ]


ENDS = (("rule", ""), ("judged", "_judged"), ("estimated", "_estimated"))
"""What the page calls figures by who decided, and how their names end."""


def _told(label: Label) -> dict[str, JSON]:
    return {"reviewer": label.reviewer, "verdict": label.verdict, "comment": label.comment}


def visible_in(value: JSON) -> JSON:
    """Remove characters that move a cursor or change text direction from all texts of a value."""
    if isinstance(value, str):
        return visible_block(value)
    if isinstance(value, dict):
        return {name: visible_in(item) for name, item in value.items()}
    return [visible_in(item) for item in value] if isinstance(value, list | tuple) else value


def _figure(figure: object) -> JSON:
    if figure is None:
        return None
    interval = getattr(figure, "interval", None)
    ends = {"low": interval.low, "high": interval.high} if interval else {}
    return {"mean": getattr(figure, "mean", None), "n": getattr(figure, "n", 0), **ends}


def _now() -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _stamp(path: Path) -> tuple[int, int]:
    try:
        stat = path.stat()
    except OSError:
        return 0, 0
    return stat.st_mtime_ns, stat.st_size
