"""A run under review: who gets what, what is held, what two people decide, what the labels tell."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from ragstone.judging.labels import Labels, Verdict
from ragstone.reviewing.review import Name, Rules, RunReview
from ragstone.reviewing.sample import read_design, write_design
from ragstone.reviewing.worksheet import Item
from ragstone.runs.reopen import plan_of
from ragstone.runs.store.folder import RunFolder
from tests.reviewing.runs import label, make_run, truth

OpenDesk = Callable[..., RunReview]


@pytest.fixture
def open_desk(tmp_path: Path) -> OpenDesk:
    """A review over a run of thirty cases."""
    folder = RunFolder(make_run(30))

    def make(labels: Labels | None = None, **rules: float) -> RunReview:
        return RunReview(folder, plan_of(folder), Labels() if labels is None else labels, rules=Rules(**rules))

    return make


def _next(review: RunReview, queue: Name, reviewer: str, **more: Any) -> Item:
    item = review.next(queue, reviewer, **more)
    assert item is not None
    return item


def _say(review: RunReview, labels: Labels, reviewer: str, queue: Name = "open", verdict: Verdict | None = None) -> int:
    item = _next(review, queue, reviewer)
    said = label(review, item, reviewer, verdict or truth(item))
    labels.add(said)
    review.take(said)
    return item.number


def test_the_queues_hold_what_they_say(open_desk: OpenDesk) -> None:
    """Open verdicts are those rules left open; a rule's proved yes is not among them."""
    review = open_desk()

    assert len(review.sheet) == 30
    assert len(review.queue("open")) == 27
    assert len(review.queue("against")) == 0
    assert len(review.queue("sample")) == 30


def test_nobody_gets_what_another_holds(open_desk: OpenDesk) -> None:
    """Until it is decided, let go, or held too long."""
    review = open_desk(share=0.0, lock_seconds=300)
    first = _next(review, "open", "lin", now=0.0)

    assert _next(review, "open", "wang", now=1.0).number != first.number
    assert _next(review, "open", "lin", now=2.0).number == first.number
    assert _next(review, "open", "zhao", now=303.0).number == first.number


def test_a_question_is_passed_over_and_comes_again(open_desk: OpenDesk) -> None:
    """Passing over leaves it in the queue; at the end the first is shown again."""
    review = open_desk(share=0.0)
    first = _next(review, "open", "lin")

    second = _next(review, "open", "lin", after=first.number)
    last = review.queue("open")[-1]

    assert second.number != first.number
    assert _next(review, "open", "lin", after=last).number == first.number


def test_a_share_goes_to_two(open_desk: OpenDesk) -> None:
    """Never to the same person twice; what somebody was unsure of goes to another, too."""
    labels = Labels()
    review = open_desk(labels, share=0.5)
    seen = [_say(review, labels, "lin") for _ in range(27)]
    twice = [n for n in seen if review.is_double(n)]

    assert 5 <= len(twice) <= 22
    assert review.next("open", "lin") is None
    assert review.progress("open")[:2] == (27 - len(twice), 27)
    assert [_say(review, labels, "wang", verdict="absent") for _ in twice] == twice
    assert review.next("open", "wang") is None
    assert set(review.queue("settle")) <= set(twice)


def test_what_somebody_was_unsure_of_goes_to_another(open_desk: OpenDesk) -> None:
    """One reviewer's doubt is a question for the next."""
    labels = Labels()
    review = open_desk(labels, share=0.0001)
    number = _say(review, labels, "lin", verdict="unsure")

    assert review.progress("open").done == 0
    assert _next(review, "open", "wang").number == number


def test_the_settling_word_ends_a_disagreement(open_desk: OpenDesk) -> None:
    """Then it is in the queue to settle no more."""
    labels = Labels()
    review = open_desk(labels, share=1.0)
    number = _say(review, labels, "lin", verdict="stated")
    _say(review, labels, "wang", verdict="absent")
    assert review.queue("settle") == [number]

    item = _next(review, "settle", "chen")
    last = structs.replace(label(review, item, "chen", "stated"), settles=True)
    labels.add(last)
    review.take(last)

    assert review.queue("settle") == []
    assert labels.decided(item.key) is True


def test_a_withdrawn_label_leaves_the_question_open(open_desk: OpenDesk) -> None:
    """It is asked again, of anybody."""
    labels = Labels()
    review = open_desk(labels, share=0.0)
    number = _say(review, labels, "lin")
    item = review.sheet.item(number)
    assert item is not None
    gone = label(review, item, "lin", "withdrawn")
    labels.add(gone)
    review.take(gone)

    assert _next(review, "open", "wang").number == number


def test_the_sample_says_how_many_labels_are_missing(open_desk: OpenDesk) -> None:
    """Every label brings the interval nearer to what was asked for; all cases labelled, none is missing."""
    labels = Labels()
    review = open_desk(labels, share=0.0)
    before = review.wanted()
    for _ in range(30):
        _say(review, labels, "lin", "sample")

    after = review.wanted()

    assert (before.labels, before.now) == (30, None)
    assert after.labels == 0
    assert after.mean == pytest.approx(21 / 30, abs=0.05)


def test_repeats_add_nothing_to_a_sample(tmp_path: Path) -> None:
    """Cases asked four times with equal answers are reviewed once each, and tell what they tell of one answer."""
    found = []
    for repeats in (1, 4):
        folder, labels = RunFolder(make_run(120, f"r{repeats}", repeats)), Labels()
        review = RunReview(folder, plan_of(folder), labels, rules=Rules(share=0.0))
        for _ in range(30):
            _say(review, labels, "lin", "sample")
        found.append((review, review.standing()))
    (_, once), (review, often) = found

    assert len(review.sheet) == 120 and sum(review.sheet.times) == 480
    assert sum(review.sheet.sizes.values()) == 480
    assert sorted(review.sheet.of_rows([1, 2, 5])) == [0, 1]
    assert once.labelled == often.labelled == 30
    assert once.half and often.half == pytest.approx(once.half, rel=0.1)


def test_what_nobody_could_decide_widens_the_interval(open_desk: OpenDesk) -> None:
    """Answers that somebody was unsure of are not left out: what is shown holds whatever they would be."""
    labels = Labels()
    review = open_desk(labels, share=0.0)
    for turn in range(24):
        _say(review, labels, "lin", "sample", "unsure" if turn % 2 else None)
    sure = review.standing()
    wide = review.wanted().now

    assert sure.half is not None and wide is not None
    assert sure.labelled == 12
    assert wide > sure.half + 0.1


def test_a_grown_sample_says_its_labels_again_with_their_new_chance(tmp_path: Path) -> None:
    """A second round holds the first; what was labelled before knows that it is likelier to be drawn now."""
    folder, labels = RunFolder(make_run(400)), Labels()
    review = RunReview(folder, plan_of(folder), labels, rules=Rules(share=0.0))
    first = set(review.queue("sample"))
    for _ in first:
        _say(review, labels, "lin", "sample")
    wanted = review.wanted().labels

    again = review.grow()

    assert review.design.round == 2
    assert first < set(review.queue("sample"))
    assert len(review.queue("sample")) - len(first) == wanted
    assert {one.round for one in again} == {2}
    assert {one.probability for one in again} <= {review.chance(number) for number in first}
    write_design(Path("runs"), "one", review.design)
    assert read_design(Path("runs"), "one") == review.design


def test_labels_are_found_again_by_another_run_of_the_same_answers(open_desk: OpenDesk) -> None:
    """They follow the answer's content, not the run."""
    labels = Labels()
    review = open_desk(labels, share=0.0)
    number = _say(review, labels, "lin")
    folder = RunFolder(make_run(30, "two"))

    other = RunReview(folder, plan_of(folder), labels, rules=Rules(share=0.0))

    assert other.said(number).keys() == {"lin"}


def test_labels_from_elsewhere_enter_the_sample_when_it_comes_to_them(tmp_path: Path) -> None:
    """They tell nothing of this run's rate by themselves; walked through in its order, the sample takes them in."""
    folder, labels = RunFolder(make_run(120)), Labels()
    review = RunReview(folder, plan_of(folder), labels, rules=Rules(share=0.0))
    for number in review.queue("sample")[:20:2]:
        item = review.sheet.item(number)
        assert item is not None
        said = structs.replace(label(review, item, "wang", truth(item)), drawn="77aa:0.5")
        labels.add(said)
        review.take(said)
    before = review.standing().labelled
    _say(review, labels, "lin", "sample")
    again = review.passed()
    for one in again:
        labels.add(one)
        review.take(one)

    assert before == 0
    assert len(again) == 2 and all(one.drawn.startswith(f"{review.frame}:") for one in again)
    assert review.standing().labelled == 3 and review.passed() == []
