"""A model proposes questions and quotations, passage by passage, until there are enough or the budget is spent."""

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import Struct

from ragstone.core.errors import BudgetSpent
from ragstone.core.interfaces import System
from ragstone.core.types import Failure, Message, Request
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.draw import Accepts, Drawn, Taking, order
from ragstone.drafting.files.lock import append
from ragstone.drafting.model.fitting import answered_elsewhere
from ragstone.drafting.model.reply import Passage, judge, read_proposals
from ragstone.drafting.questions.parts import Refused, is_unseen
from ragstone.systems.wrappers.budget import Ledger, budget_of
from ragstone.text.fold import squeeze

T = TypeVar("T")
PROMPT_VERSION = "draft.v1"
MOST_FAILURES = 5
"""Calls that may fail one behind the other."""
_LEAST, _MOST = 30, 900
"""Letters of a passage that is shown."""
_ASK = {
    "zh-Hans": (
        "根据下面的文字提出最多{n}个简体中文问题。每个问题只问一件事，写明所问的人、物或机构的名称，不看文字也能读懂，"
        "不得包含答案，不得提到“本文”。quote 必须从文字中逐字抄录，尽量短，只含答案本身。"
        '只输出 JSON：{{"questions": [{{"question": "…", "quote": "…"}}]}}\n\n标题：{title}\n文字：\n{text}'
    ),
    "zh-Hant": (
        "根據下面的文字提出最多{n}個繁體中文問題。每個問題只問一件事，寫明所問的人、物或機構的名稱，不看文字也能讀懂，"
        "不得包含答案，不得提到「本文」。quote 必須從文字中逐字抄錄，盡量短，只含答案本身。"
        '只輸出 JSON：{{"questions": [{{"question": "…", "quote": "…"}}]}}\n\n標題：{title}\n文字：\n{text}'
    ),
    "ja": (
        "次の文章から日本語の質問を最大{n}個作ってください。一つの質問は一つのことだけを尋ね、対象の名前を書き、答えを含めないこと。"
        "quote は文章から一字一句そのまま、答えだけを短く抜き出すこと。"
        'JSON だけを出力：{{"questions": [{{"question": "…", "quote": "…"}}]}}\n\n題：{title}\n文章：\n{text}'
    ),
    "ko": (
        "아래 글을 바탕으로 한국어 질문을 최대 {n}개 만드십시오. "
        "질문마다 한 가지만 묻고, 대상의 이름을 쓰고, 답을 포함하지 마십시오. "
        "quote는 글에서 글자 그대로, 답만 짧게 옮기십시오. "
        'JSON만 출력: {{"questions": [{{"question": "…", "quote": "…"}}]}}\n\n제목: {title}\n글:\n{text}'
    ),
    "en": (
        "Write up to {n} questions in English that the text below answers. Each asks for one thing, names what it "
        "is about, makes sense without the text, does not hold its answer and does not mention the text. "
        "`quote` is copied from the text letter by letter, as short as can be: the answer alone. "
        'Print JSON only: {{"questions": [{{"question": "…", "quote": "…"}}]}}\n\nTitle: {title}\nText:\n{text}'
    ),
}
AT_ONCE = 3
"""Questions asked for in one call."""


class _Kept(Struct, frozen=True, omit_defaults=True):
    """One line of the journal: which passage was shown and what the model said, or what was spent by then."""

    passage: str = ""
    answer: str = ""
    spent: Ledger | None = None
    offered: str = ""
    """A draft that was written; see drafting/files/earlier.py."""


class Journal:
    """Replies on disk, so that what was paid for is never asked again, and what was spent stays spent."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[str, str] = {}
        self.spent = Ledger()
        """What earlier commands spent; of one that was killed, a call for each reply."""
        if path is not None and path.exists():
            for line in path.read_bytes().splitlines():
                if one := _kept(line):
                    self._learn(one)

    def _learn(self, one: _Kept) -> None:
        if one.offered:
            return
        if one.spent is not None:
            self.spent = one.spent
        else:
            self._known[one.passage] = one.answer
            self.spent.calls += 1

    def find(self, passage: str) -> str | None:
        """Return what was said to a passage."""
        return self._known.get(passage)

    def add(self, passage: str, answer: str) -> None:
        """Keep a reply before anything is made of it."""
        self._write(_Kept(passage, answer))

    def close(self, spent: Ledger) -> None:
        """Keep what was spent by now."""
        if spent != self.spent:
            self._write(_Kept(spent=spent))

    def _write(self, one: _Kept) -> None:
        if self._path is not None:
            append(self._path, [msgspec.json.encode(one)])


def _kept(line: bytes) -> _Kept | None:
    """Read a line; the last one may have been cut off."""
    try:
        return msgspec.json.decode(line, type=_Kept)
    except (msgspec.DecodeError, UnicodeDecodeError):
        return None


def passages(paper: Paper) -> Iterator[Passage]:
    """Cut a document into stretches that a model can be shown: neighbouring lines of a section."""
    waiting: Passage | None = None
    for block in paper.blocks:
        one = Passage(paper, block.page, block.start, min(block.end, block.start + _MOST), block.section)
        joined = waiting and (waiting.page, waiting.section) == (one.page, one.section)
        if waiting and joined and one.end - waiting.start <= _MOST:
            waiting = waiting._replace(end=one.end)
            continue
        if waiting:
            yield waiting
        waiting = one
    if waiting:
        yield waiting


def is_shown(passage: Passage) -> bool:
    """Say whether a stretch is long enough to ask a model for questions; a Han character is worth two letters."""
    return sum(1 + (char >= "\u2e80") for char in passage.text) >= _LEAST


class Proposer(NamedTuple):
    """The model, what it said before, and how many calls may be in flight."""

    system: System
    journal: Journal
    at_once: int
    choose: Callable[[list[Passage]], list[Passage]] = list
    """Which passages are shown, and which first."""


async def propose(corpus: Corpus, size: int, asked: Proposer, *, seed: int, accepts: Accepts) -> Drawn:
    """Ask a model for questions until `size` are good, all passages were shown, or nothing more may be spent.

    A budget is the set's, however many commands work on it: what was spent before counts, as in a run.
    """
    budget = budget_of(asked.system)
    if budget is not None:
        budget.before = asked.journal.spent
    try:
        return await _propose(corpus, size, asked, seed=seed, accepts=accepts)
    finally:
        if budget is not None:
            asked.journal.close(budget.spent())


async def _propose(corpus: Corpus, size: int, asked: Proposer, *, seed: int, accepts: Accepts) -> Drawn:
    taking = Taking(corpus, size, len(corpus.papers), answered_elsewhere)
    shown, failed, stopped = 0, 0, ""
    failure: Failure | None = None
    ranked = asked.choose(_ranked(corpus, seed))
    ranked, unseen = [one for one in ranked if not _is_unseen(one)], [one for one in ranked if _is_unseen(one)]
    taking.refused.update({"hostile": len(unseen)} if unseen else {})
    ranked, short = [one for one in ranked if is_shown(one)], [one for one in ranked if not is_shown(one)]
    taking.refused.update({"short": len(short)} if short else {})
    for first in range(0, len(ranked), asked.at_once):
        if taking.full() or stopped:
            break
        batch = ranked[first : first + asked.at_once]
        for passage, answer in zip(batch, await _ask_all(batch, asked), strict=True):
            shown += not isinstance(answer, BudgetSpent)
            if isinstance(answer, BudgetSpent):
                stopped, failure = _why_spent(answer, asked.system, failure)
            elif isinstance(answer, Failure):
                taking.refused["failed"] += 1
                failed, failure = failed + 1, answer
                stopped = "failures" if failed >= MOST_FAILURES else stopped
            else:
                failed = 0
                _take(taking, passage, answer, accepts)
    reason = stopped or ("" if taking.full() else "passages")
    return taking.drawn(size, seed, read=shown, stopped=reason, failure=failure)


def _why_spent(signal: BudgetSpent, system: System, failure: Failure | None) -> tuple[str, Failure | None]:
    """Say why nothing more is asked: a budget that went into calls that all failed is no reason of its own."""
    budget = budget_of(system)
    in_vain = budget is not None and budget.ledger.failed > 0 and not budget.answered
    stopped = "failures" if signal.what == "outage" or in_vain else "budget"
    return stopped, signal.problem or (budget.failure if budget else None) or failure


def _is_unseen(passage: Passage) -> bool:
    """Say whether a stretch is shown to no model, because every question about it would be refused."""
    return is_unseen(passage.text, passage.paper.title)


def _ranked(corpus: Corpus, seed: int) -> list[Passage]:
    """Order all passages: the first of every document before any second one."""
    waiting = [passage for paper in corpus.papers for passage in passages(paper)]
    waiting.sort(key=lambda one: order(seed, one.paper.name, one.text))
    rank: Counter[str] = Counter()
    ranks = []
    for passage in waiting:
        ranks.append(rank[passage.paper.name])
        rank[passage.paper.name] += 1
    return [waiting[at] for at in sorted(range(len(waiting)), key=lambda at: ranks[at])]


async def _ask_all(batch: list[Passage], asked: Proposer) -> list[str | BudgetSpent | Failure]:
    work = (_ask(passage, asked.system, asked.journal) for passage in batch)
    answers = await asyncio.gather(*work, return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, BudgetSpent):
            raise answer
    return [answer for answer in answers if not isinstance(answer, BaseException) or isinstance(answer, BudgetSpent)]


async def _ask(passage: Passage, system: System, journal: Journal) -> str | Failure:
    """Show a passage, unless it was shown before and the reply could be read."""
    paper = passage.paper
    shown = [PROMPT_VERSION, system.model_id, paper.sha256, str(passage.page), str(passage.start), passage.text]
    key = order(0, *shown)
    known = journal.find(key)
    if known is not None and read_proposals(known) is not None:
        return known
    answer = await system.ask(_request(key[:16], passage))
    if answer.failure is not None:
        return answer.failure
    journal.add(key, answer.text)
    return answer.text


def _request(name: str, passage: Passage) -> Request:
    words = _ASK[passage.paper.writing].format(n=AT_ONCE, title=passage.paper.title, text=passage.text)
    return Request(id=name, question=words, messages=(Message("user", words),))


def _take(taking: Taking, passage: Passage, answer: str, accepts: Accepts) -> None:
    """Take what is good of a reply."""
    proposals = read_proposals(answer)
    if not proposals:
        taking.refused["unreadable" if proposals is None else "none_proposed"] += 1
        return
    times = Counter(part for proposal in proposals for part in {squeeze(one) for one in proposal})
    for question, quote in proposals[:AT_ONCE]:
        twice = times[squeeze(question)] > 1 or times[squeeze(quote)] > 1
        found = Refused("same_quote") if twice else judge(question, quote, passage)
        if isinstance(found, Refused):
            taking.refused[found.reason] += 1
        elif not accepts(found.draft):
            taking.refused["no_form"] += 1
        elif taking.asked.repeats(found.draft.question):
            taking.refused["repeats"] += 1
        elif taking.facts.clash(found.draft):
            taking.refused["clashes"] += 1
        elif not taking.full() and taking.has_room(found.draft):
            taking.take(found.draft, found.subject)
        else:
            taking.refused["spread"] += 1


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run to the end, in a notebook too, where an event loop is running already."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(lambda: asyncio.run(work())).result()
