"""A model proposes, code decides: what is refused, what is kept, what is never asked twice."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found
from ragstone.drafting.model.propose import passages
from ragstone.drafting.model.reply import Passage, judge, read_proposals
from ragstone.drafting.questions.parts import Refused
from tests.conftest import Cli
from tests.loopback import Loopback, Reply, completion

TEXT = "# 青禾镇\n\n青禾镇面积约１６平方公里，由沈拾光于1861年重建为商埠。镇上的白云寺供奉山神，每年三月举行庙会。\n"


def _passage() -> Passage:
    start = TEXT.index("青禾镇面积")
    return Passage(Paper("a.md", "0" * 64, (Page(1, TEXT),)), 1, start, len(TEXT.rstrip()), "")


@pytest.mark.parametrize(
    ("question", "quote", "reason"),
    [
        ("青禾镇由谁重建为商埠？", "沈拾风", "quote_missing"),
        ("青禾镇由沈拾光重建为什么？", "沈拾光", "leaks"),
        ("Who rebuilt 青禾镇?", "沈拾光", "language"),
        ("青禾镇的地理位置？", "沈拾光", "no_question"),
        ("青禾镇的寺庙供奉什么神？", TEXT.splitlines()[2], "length"),
        ("青禾镇的商埠在哪里？", "青禾镇面积约１６平方公里，由沈拾光于1861年重建为商埠", "no_value"),
        ("Who rebuilt the town?", "沈拾光", "language"),
        ("青禾鎮由誰重建為商埠？", "沈拾光", "language"),
        ("本文中谁重建了青禾镇？", "沈拾光", "needs_document"),
        ("青禾镇的主要内容是什么？", "沈拾光", "needs_document"),
        ("他在哪一年重建了青禾镇？", "1861年", "refers_back"),
        ("青禾镇是个好地方。", "沈拾光", "no_question"),
        ("月球的半径是多少公里？", "沈拾光", "off_topic"),
        ("青禾镇在什么时候重建为商埠？", "沈拾光", "no_value"),
        ("青禾镇由谁重建为商埠？", "沈拾光", ""),
    ],
)
def test_what_speaks_against_a_proposal(question: str, quote: str, reason: str) -> None:
    """Each reason is told by its name; a good proposal becomes a draft."""
    found = judge(question, quote, _passage())

    assert (found.reason if isinstance(found, Refused) else "") == reason


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("青禾镇在哪一年重建为商埠？", "861年"),
        ("青禾镇面积约为多少平方公里？", "６平方公里"),
    ],
)
def test_a_quotation_that_is_cut_is_no_gold(question: str, quote: str) -> None:
    """Inside a number, in any width."""
    assert judge(question, quote, _passage()) == Refused("quote_cut")


def _judged(title: str, text: str, question: str, quote: str) -> str:
    """The question that a proposal becomes, or why it becomes none."""
    whole = f"# {title}\n\n{text}\n"
    paper = Paper("a.md", "0" * 64, (Page(1, whole),))
    found = judge(question, quote, Passage(paper, 1, whole.index(text), len(whole) - 1, ""))
    return found.reason if isinstance(found, Refused) else found.draft.question


WAR = "1945年战争结束后，云岫县恢复了学校。"


@pytest.mark.parametrize(
    ("title", "text", "question", "quote", "becomes"),
    [
        (
            "战斗机",
            "第一次世界大战期间，云岫已经出现在夜间行动的飞机。",
            "战斗机是什么？",
            "云岫已经出现在夜",
            "quote_cut",
        ),
        (
            "基因工程",
            "基因工程是一组直接操纵有机体基因组的技术。",
            "基因工程是什么？",
            "基因工程是一组直接操纵有机体",
            "quote_cut",
        ),
        ("林知微", "林知微是云岫第四位县令。初名受益。", "林知微是谁？", "云岫第四位县令。初名受益", "quote_cut"),
        ("木卫一", "木卫一表面有许多山峰，平均高度很高。", "木卫一是什么？", "许多山峰", "off_topic"),
        ("木卫一", "木卫一是木星的卫星。", "木卫一是什么？", "木星的卫星", "木卫一是什么？"),
        (
            "林知微",
            "1959年进入云岫工业大学攻读机械工程。",
            "哪一年进入云岫工业大学攻读机械工程？",
            "1959年",
            "关于林知微，哪一年进入云岫工业大学攻读机械工程？",
        ),
        ("云岫县", WAR, "哪一年战争结束后？", "1945年", "broken"),
        ("云岫县", "1994年云岫县在小组赛出线。", "哪一年云岫县在小组赛？", "1994年", "broken"),
        (
            "云岫道",
            "云岫道（Cloud Road）是云岫城的一条道路。",
            "云岫道是什么？",
            "云岫道（Cloud Road）是云岫城",
            "off_topic",
        ),
        ("云岫县", "1989年云岫县选秀中，林知微当选。", "哪一年云岫县选秀中？", "1989年", "broken"),
        ("云岫县", WAR, "哪一年云岫县恢复了学校？", "1945年", "哪一年云岫县恢复了学校？"),
    ],
)
def test_a_proposal_is_whole(title: str, text: str, question: str, quote: str, becomes: str) -> None:
    """Its quotation ends where words and clauses end and defines what it should; its question is a sentence of one."""
    assert _judged(title, text, question, quote) == becomes


def test_the_gold_is_the_pages_own_text() -> None:
    """A quotation in other width is found, and the text as it stands in the page is taken."""
    found = judge("青禾镇的面积约为多少平方公里？", "16平方公里", _passage())

    assert isinstance(found, Found)
    (point,) = found.draft.points
    assert point.text == "１６平方公里"
    assert TEXT[point.place.start : point.place.end] == point.place.quote
    assert point.text in point.place.quote


def test_replies_are_read_as_far_as_they_go() -> None:
    """A fence around the object is fine, rows without a quotation are left out, chatter is no proposal."""
    rows = [{"question": "谁？", "quote": "沈"}, {"question": "谁？"}, "x"]

    assert read_proposals(f"```json\n{json.dumps({'questions': rows})}\n```") == [("谁？", "沈")]
    assert read_proposals('{"questions": []}') == []
    for unreadable in (
        "好的，以下是问题。",
        '{"questions": 5}',
        '{"questions": [{"question": "谁？"}]}',
        "null",
        '{"questions":' + "[" * 9999,
    ):
        assert read_proposals(unreadable) is None


async def test_one_quotation_for_two_questions_answers_neither(inside: Cli, tmp_path: Path) -> None:
    """Nor do two quotations answer one question: a model that says so was guessing."""
    rows = [("镇上由谁重建？", "沈拾光"), ("寺由谁重建？", "沈拾光"), ("镇上的寺供奉什么神？", "山神")]
    said = [{"question": f"青禾镇{question}", "quote": quote} for question, quote in rows]
    docs = _documents(tmp_path / "docs")
    async with Loopback(Reply(completion(json.dumps({"questions": said}, ensure_ascii=False)))) as server:
        words = ("draft", docs, "--chat", "small", "-O", f"base_url={server.url}/v1", "--json", "--out", "d.jsonl")
        told = await _typed(inside, *words)

    assert told["refused"]["same_quote"] == 10
    assert told["drafted"] > 0


def _documents(folder: Path) -> Path:
    folder.mkdir()
    for name, builder in {
        "青禾镇": "沈拾光",
        "栖雾村": "顾听澜",
        "白鹭洲": "叶南乔",
        "望舒里": "陆汀",
        "云岫乡": "裴砚",
    }.items():
        text = TEXT.replace("青禾镇", name).replace("沈拾光", builder)
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    return folder


def _model(body: Mapping[str, Any], number: int) -> Reply:
    shown = body["messages"][0]["content"].split("标题：")[1]
    title, builder = shown.split("\n")[0], shown.split("由")[1].split("于")[0]
    asked = {f"{title}由谁重建为商埠？": builder, f"{title}的河流叫什么？": "大河"}
    rows = [{"question": question, "quote": quote} for question, quote in asked.items()]
    return Reply(completion(json.dumps({"questions": rows}, ensure_ascii=False)))


async def test_the_budget_holds_and_nothing_is_asked_twice(inside: Cli, tmp_path: Path) -> None:
    """Two calls are allowed and made; drafting again with more goes on where it stopped."""
    docs = _documents(tmp_path / "docs")
    async with Loopback(script=_model) as server:
        words = ("draft", docs, "-n", "5", "--chat", "small", "-O", f"base_url={server.url}/v1", "--json", "--out")
        first = await _typed(inside, *words, "d.jsonl", "-O", "max_calls=2")
        calls = server.calls
        second = await _typed(inside, *words, "d.jsonl")

    assert (calls, first["stopped"], first["drafted"]) == (2, "budget", 2)
    assert server.calls == 5
    assert second["drafted"] == 5
    assert second["refused"]["quote_missing"] == 5
    assert inside("check", "d.jsonl", "--documents", docs).returncode == 0


async def test_a_budget_is_the_sets_however_often_it_is_gone_on_with(inside: Cli, tmp_path: Path) -> None:
    """The same budget again asks nothing more, a larger one the rest; without one nothing is counted."""
    docs = _documents(tmp_path / "docs")
    async with Loopback(script=_model) as server:
        words = ("draft", docs, "-n", "5", "--chat", "small", "-O", f"base_url={server.url}/v1", "--json", "--out")
        calls = []
        for most in (2, 2, 4):
            await _typed(inside, *words, "d.jsonl", "-O", f"max_calls={most}")
            calls.append(server.calls)

    assert calls == [2, 2, 4]


async def test_a_reply_that_cannot_be_read_is_asked_for_again(inside: Cli, tmp_path: Path) -> None:
    """Once the endpoint is well, the same command goes on; nothing proposed is an answer and is not asked again."""
    docs = _documents(tmp_path / "docs")
    well = False

    def script(body: Mapping[str, Any], number: int) -> Reply:
        empty = "叶南乔" in body["messages"][0]["content"]
        return (
            Reply(completion('{"questions": []}'))
            if empty
            else _model(body, number)
            if well
            else Reply(completion("?"))
        )

    async with Loopback(script=script) as server:
        words = ("draft", docs, "-n", "5", "--chat", "small", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl")
        first = await asyncio.to_thread(inside, *words)
        well = True
        second = await _typed(inside, *words, "--json")

    assert first.returncode == 2
    assert "a reply that cannot be read (asked again next time) 4" in first.stderr
    assert "nothing was proposed for a passage 1" in first.stderr
    assert "d.proposals.jsonl" in first.stderr
    assert (server.calls, second["drafted"]) == (9, 4)


async def test_what_was_shown_and_refused_is_counted_by_its_name(inside: Cli, tmp_path: Path) -> None:
    """Passages are no documents, short ones were not shown, and the same asked in other words is a repetition."""
    docs = _documents(tmp_path / "docs")
    (docs / "短.md").write_text("# 短\n\n短。\n", encoding="utf-8")

    def script(body: Mapping[str, Any], number: int) -> Reply:
        title = body["messages"][0]["content"].split("标题：")[1].split("\n")[0]
        rows = [{"question": f"{title}的面积约为多少平方公里？", "quote": "１６平方公里"}]
        rows.append({"question": f"{title}面积大约有多少平方公里呢？", "quote": "面积约１６平方公里"})
        return Reply(completion(json.dumps({"questions": rows}, ensure_ascii=False)))

    async with Loopback(script=script) as server:
        words = ("draft", docs, "-n", "9", "--chat", "small", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl")
        done = await asyncio.to_thread(inside, *words)

    assert "5 of 6 asked about; 5 passages shown to the model" in done.stdout
    assert "a passage too short to be shown 1" in done.stdout
    assert "a fact asked for already, or one question would tell another's answer 5" in done.stdout
    assert "every passage that is not too short was shown" in done.stdout


async def _typed(cli: Cli, *words: object) -> dict[str, Any]:
    done = await asyncio.to_thread(cli, *words)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


async def test_calls_that_keep_failing_end_it_and_say_why(inside: Cli, tmp_path: Path) -> None:
    """Nothing is written, and the endpoint's own reason is told."""
    docs = _documents(tmp_path / "docs")
    async with Loopback(Reply({"error": {"message": "no such model"}}, status=404)) as server:
        words = ("draft", docs, "--chat", "small", "-O", f"base_url={server.url}/v1", "-O", "max_retries=0")
        done = await asyncio.to_thread(inside, *words)

    assert done.returncode == 2
    assert "404" in done.stderr


async def test_an_endpoint_that_is_down_is_no_spent_budget(inside: Cli, tmp_path: Path) -> None:
    """What is said is that calls keep failing, and why."""
    docs = _documents(tmp_path / "docs")
    async with Loopback() as server:
        address = server.url
    words = (
        "draft",
        docs,
        "--chat",
        "small",
        "-O",
        f"base_url={address}/v1",
        "-O",
        "patience=0.1",
        "-O",
        "max_retries=0",
    )

    done = await asyncio.to_thread(inside, *words)

    assert done.returncode == 2
    assert "calls kept failing" in done.stderr
    assert "refused" in done.stderr
    assert "budget" not in done.stderr


async def test_kill_9_asks_nothing_again_that_was_answered(tmp_path: Path) -> None:
    """Killed at its third call, with two replies on disk; the second time three passages are left to show."""
    docs, replies, third = _documents(tmp_path / "docs"), tmp_path / "d.proposals.jsonl", asyncio.Event()

    def script(body: Mapping[str, Any], number: int) -> Reply:
        reply = _model(body, number)
        if number == 2 and not third.is_set():
            third.set()
            return replace(reply, delay=60)
        return reply

    async with Loopback(script=script) as server:
        words = ["draft", str(docs), "-n", "5", "--chat", "small", "-O", f"base_url={server.url}/v1", "-c", "1"]
        command = [sys.executable, "-m", "ragstone", *words, "--out", str(tmp_path / "d.jsonl")]
        first = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
        await third.wait()
        first.kill()
        await first.wait()
        kept = len(replies.read_bytes().splitlines())
        second = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
        await second.wait()

    assert (kept, second.returncode, server.calls) == (2, 0, 6)
    assert len((tmp_path / "d.jsonl").read_bytes().splitlines()) == 5


def test_a_title_that_the_question_holds_is_not_put_in_front_again() -> None:
    """Models leave out the spaces of a title."""
    text = "# 青禾镇图书馆 T2 借阅规则\n\n图书遗失后十四天内应当办理赔偿手续。\n"
    (passage,) = passages(Paper("a.md", "0" * 64, (Page(1, text),)))

    found = judge("青禾镇图书馆T2借阅规则中，图书遗失后多少天内应当办理赔偿手续？", "十四天", passage)

    assert isinstance(found, Found), found
    assert found.draft.question.count("借阅规则") == 1


async def test_a_passage_with_unseen_signs_is_shown_to_no_model(inside: Cli, tmp_path: Path) -> None:
    """It is counted, and nothing is asked or paid for it."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "a.md").write_text(TEXT.replace("重建", "重\u202e建"), encoding="utf-8")
    async with Loopback() as server:
        words = ("--chat", "m", "-O", f"base_url={server.url}/v1", "--out", "d.jsonl")
        done = await asyncio.to_thread(inside, "draft", folder, *words)
    assert (done.returncode, server.calls) == (2, 0)
    assert "control characters 1" in done.stderr


async def test_calls_that_all_failed_are_no_spent_budget(inside: Cli, tmp_path: Path) -> None:
    """They spent it, and no passage was shown that was not."""
    docs = _documents(tmp_path / "docs")
    async with Loopback(Reply({"error": {"message": "slow down"}}, status=429)) as server:
        options = (f"base_url={server.url}/v1", "max_retries=1", "retry_delay=0.01", "max_calls=3")
        words = ("draft", docs, "--chat", "small", *(part for one in options for part in ("-O", one)))
        done = await asyncio.to_thread(inside, *words)

    assert done.returncode == 2
    assert "calls kept failing" in done.stderr
    assert "429" in done.stderr


async def test_passages_that_were_not_sent_are_not_counted_as_shown(inside: Cli, tmp_path: Path) -> None:
    """Four are under way at once, and the budget is two calls."""
    docs = _documents(tmp_path / "docs")
    async with Loopback(script=_model) as server:
        words = ("draft", docs, "-n", "5", "--chat", "small", "-O", f"base_url={server.url}/v1", "-O", "max_calls=2")
        done = await asyncio.to_thread(inside, *words)

    assert "2 passages shown to the model" in done.stdout
