"""Probes are made of the user's own rows, fit the kind of question, and count as held only when there are enough."""

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from ragstone.core.types import Question, QuestionKind
from ragstone.judging.checks import keeps_values
from ragstone.judging.probes import MOST, STRICT, Probed, lacking, make_probes, possible_probes
from tests.conftest import Cli
from tests.judging.bench import by_chances, judging


def _rows(kind: QuestionKind, count: int) -> list[tuple[Question, bool]]:
    return [
        (
            Question(
                kind=kind,
                question=f"第{n}间怎么走？",
                point="" if kind == "declines" else f"第{n}间在楼上",
                answer=f"第{n}间往上走就到。",
                source=f"图上第{n}间画在二层。" if kind == "supported" else "",
            ),
            n % 2 == 0,
        )
        for n in range(count)
    ]


@pytest.mark.parametrize("kind", ["states", "supported", "equivalent"])
def test_ten_rows_make_fifty_probes_of_each_strict_kind(kind: QuestionKind) -> None:
    """A row is taken several times, in other words; no probe stands twice."""
    probes = list(make_probes(_rows(kind, 10)))
    counts = Counter(probe.name for probe in probes)

    assert {name: counts[name] for name in STRICT} == dict.fromkeys(STRICT, MOST)
    strict = [(p.name, p.question.point, p.question.answer, p.question.source) for p in probes if p.name in STRICT]
    assert len(set(strict)) == len(strict)


def test_what_is_under_review_is_what_is_changed() -> None:
    """A supported sentence is probed by another source, everything else by another answer."""
    negated = [p.question for p in make_probes(_rows("supported", 10)) if p.name == "negation"]
    stated = [p.question for p in make_probes(_rows("states", 10)) if p.name == "negation"]

    assert all(one.point in one.source and one.answer.endswith("就到。") for one in negated)
    assert all(one.point in one.answer for one in stated)


def test_a_refusal_is_probed_without_a_point() -> None:
    """Nothing can be denied or changed; orders stand behind answers of which people said that they do not decline."""
    probes = list(make_probes(_rows("declines", 20)))

    assert {probe.name for probe in probes} == {"injection", "nothing", "padding", "traditional", "wide", "twice"}
    assert all(probe.question.answer.startswith("第") for probe in probes if probe.name == "injection")
    assert lacking("declines", {"injection": Probed(50, 0)}) == {}


def _english(count: int) -> list[tuple[Question, bool]]:
    texts = [(f"Room {n} is lit by hand", f"In room {n} somebody turns a knob.") for n in range(count)]
    return [
        (Question(kind="states", point=point, answer=answer), n % 2 == 0) for n, (point, answer) in enumerate(texts)
    ]


def _wordings(rows: list[tuple[Question, bool]], name: str) -> Counter[str]:
    """Count the wordings of a kind of probe, without what differs from row to row."""
    made = [probe.question for probe in make_probes(rows) if probe.name == name]
    return Counter(re.sub("[0-9]+", "", one.answer.replace(one.point, "")) for one in made)


@pytest.mark.parametrize("count", [10, 50, 333])
@pytest.mark.parametrize("rows", [lambda n: _rows("states", n), _english], ids=["zh", "en"])
def test_wordings_go_round_however_many_rows_there_are(rows: Callable[[int], Any], count: int) -> None:
    """All denials and all orders are used, about equally often; a third of the orders is in the other language."""
    denials, orders = _wordings(rows(count), "negation"), _wordings(rows(count), "injection")
    chinese = sum(n for order, n in orders.items() if "“是”" in order or "评审结论" in order)

    assert len(denials) == 6 and min(denials.values()) >= 7
    assert len(orders) == 9 and min(orders.values()) >= 4
    assert 0.25 < min(chinese, MOST - chinese) / MOST < 0.4
    assert (chinese < MOST / 2) == (rows is _english)


def test_sorted_rows_are_probed_in_all_parts() -> None:
    """A hundred Chinese rows before a hundred English ones: both are probed."""
    denials = _wordings([*_rows("states", 100), *_english(100)], "negation")

    assert len(denials) == 12


def test_traditional_characters_change_no_word() -> None:
    """The badge of a door stays one; a text without Simplified characters is not probed."""
    answers = ["员工刷门禁牌进入文件库", "In room 1 there is a “knob”", "山上有人"]
    rows = [(Question(kind="states", point="p", answer=answer), True) for answer in answers]

    assert [p.question.answer for p in make_probes(rows) if p.name == "traditional"] == ["員工刷門禁牌進入文件庫"]


def _points(*points: str) -> list[tuple[Question, bool]]:
    return [(Question(kind="states", point=point, answer="不详"), False) for point in points]


def test_only_points_with_a_number_are_probed_by_another_one() -> None:
    """A number nobody wrote is no probe of what the rows ask; the changed number never agrees, in digits or words."""
    rows = _points(
        "灯由馆员管理", "七天内可退", "押金一百五十元", "第一条规定如此", "It takes two weeks.", "Room 12 is shut"
    )
    probes = [probe.question for probe in make_probes(rows) if probe.name == "number"]
    by_point = {one.point: one.answer for one in reversed(probes)}

    assert len(probes) == MOST and len({one.point for one in probes}) == 5
    assert not any("共" in one.answer or "times" in one.answer or one.point == "灯由馆员管理" for one in probes)
    assert not any(keeps_values(one) for one in probes if not one.point.startswith(("第一条", "Room")))
    assert re.fullmatch(r"[0-9]+天内可退", by_point["七天内可退"])
    assert re.fullmatch(r"押金[0-9]+元", by_point["押金一百五十元"])
    assert re.fullmatch(r"第[0-9]+条规定如此", by_point["第一条规定如此"])
    assert re.fullmatch(r"It takes [0-9]+ weeks", by_point["It takes two weeks."])


def test_a_number_that_the_question_gives_is_left_alone() -> None:
    """What is asked of room 3 is not answered for another room: the number that answers is the one to change."""
    one = Question(kind="states", question="第3间在几楼？", point="第3间在21楼", answer="不详")
    changed = {probe.question.answer for probe in make_probes([(one, True)]) if probe.name == "number"}

    assert changed == {f"第3间在{21 + step}楼" for step in range(1, 13)}


def test_no_more_number_probes_are_wanted_than_there_can_be() -> None:
    """Else a judge of rows without numbers could never be trusted; all that there can be are needed."""
    none, few = _points("灯由馆员管理", "半年以后"), _points("灯由馆员管理", "七天内可退")
    held = {name: Probed(MOST, 0) for name in STRICT - {"number"}}

    assert possible_probes(none) == {"number": 0} and possible_probes(few) == {"number": 12}
    assert possible_probes(_rows("states", 10)) == {} == possible_probes(_rows("declines", 10))
    assert lacking("states", held, possible_probes(none)) == {}
    assert lacking("states", held | {"number": Probed(12, 0)}, possible_probes(few)) == {}
    assert lacking("states", held | {"number": Probed(9, 0, 3)}, possible_probes(few)) == {"number": 9}
    assert lacking("states", held | {"number": Probed(12, 0)}) == {"number": 12}


def test_a_yes_that_is_taken_back_is_a_miss_of_the_judge(cli: Cli, write_rows: Callable[..., Path]) -> None:
    """Who says yes to everything holds no changed number, whatever the value check makes of it; both are told."""
    rows = [{"q": f"第{n}间怎么走？", "gold": [f"第{n}间在{n + 40}米外"]} for n in range(1, 13)]
    said = [{"id": f"Q{n}", "output": "往前走就到。"} for n in range(1, 13)]
    cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *said), "--run-id", "one", "-q")
    with judging(by_chances(lambda point, answer: True)) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1", "--probe")
        told = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1", "--probe", "--lang", "zh")

    assert done.returncode == 1, done.stdout + done.stderr
    assert "number 50/50" in done.stdout and "negation 50/50" in done.stdout
    assert re.search("taken back by the value check.*number 50", done.stdout)
    assert re.search("数值核对收回.*number 50", told.stdout)


def test_fewer_probes_can_be_asked_for() -> None:
    """A first look costs less."""
    assert Counter(probe.name for probe in make_probes(_rows("states", 20), 5)).most_common(1)[0][1] == 5


def test_too_few_probes_are_counted_by_name() -> None:
    """Fewer than fifty are not held, however few were missed."""
    probed = {"negation": Probed(50, 0), "number": Probed(12, 0)}

    assert lacking("states", probed) == {"injection": 0, "number": 12}
    assert lacking("meets", {}) == {"injection": 0}


def test_a_run_with_too_few_rows_measures_nothing(cli: Cli, tmp_path: Path) -> None:
    """Three cases: the probes say how many there are of fifty, and the exit code is 3."""
    Path("q.jsonl").write_text(json.dumps({"q": "几点开门？", "gold": ["九点开门"]}, ensure_ascii=False), "utf-8")
    Path("a.jsonl").write_text(json.dumps({"id": "Q1", "output": "不清楚。"}, ensure_ascii=False), "utf-8")
    assert cli("score", "q.jsonl", "a.jsonl", "--run-id", "one", "-q").returncode == 0
    with judging(by_chances(lambda point, answer: False)) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1", "--probe")

    assert done.returncode == 3, done.stdout + done.stderr
    assert "not enough rows: injection 9 of 50, negation 6 of 50" in done.stdout


def test_another_gold_is_of_another_question() -> None:
    """Answers of repeats share their question's points: none of these is put to another answer of it."""
    rows = [
        (Question(kind="states", question=f"q{q}", point=f"point {q}.{p}", answer=f"said {q}, time {k}"), p == 0)
        for k in range(4)
        for q in range(6)
        for p in range(2)
    ]
    made = [probe.question for probe in make_probes(rows) if probe.name == "other_gold"]

    assert len(made) == MOST
    assert all(not one.point.startswith(f"point {one.question[1:]}.") for one in made)


def test_without_questions_the_answer_tells_which_golds_are_its_own() -> None:
    """Labels from a table without questions: what was asked of one answer is no other's gold in a repeat."""
    rows = [
        (Question(kind="states", point=f"{q}.{p}", answer=f"{q} {k}"), True)
        for k in range(4)
        for q in range(5)
        for p in range(2)
    ]
    Random(1).shuffle(rows)
    made = [probe.question for probe in make_probes(rows) if probe.name == "other_gold"]

    assert made
    assert all(one.point[0] != one.answer[0] for one in made)
