"""The system: retrieve, then quote the documents or let a chat model answer from them."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from time import perf_counter

from msgspec.structs import replace

from ragstone.core.errors import ConnectError
from ragstone.core.interfaces import System
from ragstone.core.masking import Secrets
from ragstone.core.types import JSON, Answer, Citation, Context, Request
from ragstone.systems.builtin.chunks import CHUNK_SIZE
from ragstone.systems.builtin.extract import Finder, Passage
from ragstone.systems.builtin.generate import cite, prompt
from ragstone.systems.builtin.index import Hit, Index, open_index
from ragstone.systems.builtin.pieces import leans_back
from ragstone.systems.builtin.question import ReadQuestion, read_question
from ragstone.systems.builtin.terms import rare_terms
from ragstone.systems.builtin.wording import AnswerWords, name_sources, wording_for
from ragstone.systems.context_slot import fill_contexts
from ragstone.systems.options import refuse_unknown
from ragstone.systems.wrappers.wrapper import secrets_of

TOP_K = 5
SENTENCES = 3
MAX_CONTEXT_CHARS = 6000
_WIDER = 4
"""How many times as many chunks of the documents found are looked at for a quotation as are returned."""

_NUMBERS: dict[str, tuple[int, int, int]] = {
    "top_k": (TOP_K, 1, 50),
    "sentences": (SENTENCES, 1, 20),
    "chunk_size": (CHUNK_SIZE, 50, 4000),
    "max_context_chars": (MAX_CONTEXT_CHARS, 100, 1_000_000),
}
"""Option to its default, least and greatest value."""


class Builtin:
    """Answers from a folder of documents; with a chat system it retrieves and lets that one answer."""

    def __init__(
        self,
        index: Index,
        *,
        top_k: int = TOP_K,
        sentences: int = SENTENCES,
        max_context_chars: int = MAX_CONTEXT_CHARS,
        chat: System | None = None,
    ) -> None:
        self._index = index
        self._top_k = top_k
        self._sentences = sentences
        self._max_context_chars = max_context_chars
        self._chat = chat
        self.model_id = f"builtin+{chat.model_id}" if chat else "builtin"

    @property
    def asks(self) -> System | None:
        """The chat system that writes the answers, if there is one."""
        return self._chat

    @property
    def keeps_time(self) -> bool:
        """Whether time is counted attempt by attempt, by the chat system."""
        return bool(getattr(self._chat, "keeps_time", False))

    @property
    def makes_calls(self) -> bool:
        """Whether another system is asked: quoting documents costs nothing."""
        return bool(getattr(self._chat, "makes_calls", self._chat is not None))

    @property
    def secrets(self) -> Secrets:
        """What must not be shown: the chat system's."""
        return secrets_of(self._chat) if self._chat else Secrets()

    def identity(self) -> Mapping[str, JSON]:
        """Describe the index and the settings; no paths, so that equal documents are equal systems."""
        known: dict[str, JSON] = {
            "kind": "builtin",
            "index_version": self._index.version,
            "documents": self._index.documents,
            "chunks": self._index.chunks,
            "top_k": self._top_k,
            "sentences": self._sentences,
            "max_context_chars": self._max_context_chars,
        }
        return known | {"chat": dict(self._chat.identity())} if self._chat else known

    async def ask(self, request: Request) -> Answer:
        """Answer from the documents, or say that they do not tell."""
        start = perf_counter()
        wanted = read_question(request.question)
        found = self._index.search(rare_terms(wanted.terms), self._top_k * _WIDER)
        if self._chat:
            hits = cut_hits(found[: self._top_k], self._max_context_chars)
            if hits or "prompt" in request.params:
                return await self._let_answer(self._chat, request, hits)
        passages = self._passages(wanted, found)
        wording = wording_for(request.question)
        answer = _quote(passages, wording) if passages else Answer(text=wording.decline, finish_reason="stop")
        hits = cut_hits(_returned(found, self._top_k, passages), self._max_context_chars)
        return replace(answer, contexts=_contexts(hits), latency_ms=(perf_counter() - start) * 1000)

    async def _let_answer(self, chat: System, request: Request, hits: Sequence[Hit]) -> Answer:
        """Ask the chat system with the hits: in the request's own prompt, or as numbered passages."""
        reply = await chat.ask(_with_hits(request, hits))
        if "prompt" not in request.params:
            reply = cite(reply, hits, wording_for(request.question))
        return replace(reply, contexts=_contexts(hits))

    def sent_as(self, request: Request) -> Request | None:
        """Return the request to the chat system, or None when there is none."""
        if self._chat is None:
            return None
        terms = rare_terms(read_question(request.question).terms)
        found = self._index.search(terms, self._top_k * _WIDER)
        hits = cut_hits(found[: self._top_k], self._max_context_chars)
        return _with_hits(request, hits) if hits or "prompt" in request.params else None

    def _passages(self, wanted: ReadQuestion, found: Sequence[Hit]) -> list[Passage]:
        """Choose what to quote, from all chunks found of the documents found first; nothing when nothing fits."""
        named = {hit.chunk.source_path for hit in found[: self._top_k]}
        hits = [hit for hit in found if hit.chunk.source_path in named]
        before = self._index.before([hit for hit in hits if leans_back(hit.chunk)])
        finder = Finder(wanted, self._index.weigh(wanted.terms))
        passages = finder.choose(hits, before, self._sentences)
        return passages if finder.fits(passages) else []

    async def close(self) -> None:
        """Close the index and the chat system."""
        self._index.close()
        if self._chat:
            await self._chat.close()


def connect(argument: str, options: Mapping[str, JSON]) -> Builtin:
    """Make the system of `builtin:FOLDER`; reads the documents at once, so that a fault shows before a run.

    Options: top_k and max_context_chars (how much is retrieved), sentences, chunk_size, cache (a folder that keeps
    indexes), chat (a System that writes the answers).
    """
    numbers = {name: _number(name, options.get(name)) for name in _NUMBERS}
    refuse_unknown(options, {*_NUMBERS, "cache", "chat", "chat_options"}, f"builtin:{argument}")
    if "chat_options" in options:
        # Connecting the chat system removes them; any left over belong to nothing.
        raise ConnectError("builtin.option", name="chat_options", found="…", allowed="chat=KIND:ARGUMENT")
    cache, chat = options.get("cache"), options.get("chat")
    if chat is not None and not isinstance(chat, System):
        raise ConnectError("builtin.option", name="chat", found=str(chat), allowed="a System")
    index = open_index(Path(argument), Path(str(cache)) if cache else None, size=numbers["chunk_size"])
    del numbers["chunk_size"]
    return Builtin(index, chat=chat, **numbers)


def _number(name: str, value: JSON) -> int:
    """Read a whole number within its bounds; flags arrive as writing."""
    default, least, most = _NUMBERS[name]
    if value is None:
        return default
    text = str(value).strip()
    if text.isascii() and text.isdigit() and least <= int(text[:9]) <= most:
        return int(text)
    raise ConnectError("builtin.option", name=name, found=text, allowed=f"{least}-{most}")


def cut_hits(hits: Iterable[Hit], room: int) -> list[Hit]:
    """Keep as many characters as fit, the best hits first; the last one may be cut."""
    kept = []
    for hit in hits:
        chunk = hit.chunk
        if len(chunk.text) > room:
            chunk = replace(chunk, text=chunk.text[:room], end=chunk.start + room)
        if room > 0:
            kept.append(hit._replace(chunk=chunk))
        room -= len(chunk.text)
    return kept


def _with_hits(request: Request, hits: Sequence[Hit]) -> Request:
    """Add the hits to a request: where its own prompt has a slot, or as numbered passages."""
    if "prompt" in request.params:
        return fill_contexts(request, _contexts(hits))
    return prompt(request, hits, wording_for(request.question))


def _returned(found: Sequence[Hit], top_k: int, passages: Sequence[Passage]) -> list[Hit]:
    """List the best hits, and whatever else is quoted."""
    quoted = {passage.chunk for passage in passages}
    return [hit for place, hit in enumerate(found) if place < top_k or hit.chunk in quoted]


def _contexts(hits: Iterable[Hit]) -> tuple[Context, ...]:
    return tuple(Context(hit.chunk.source_path, hit.chunk.page, hit.chunk.text, hit.score) for hit in hits)


def _quote(passages: Sequence[Passage], wording: AnswerWords) -> Answer:
    """Answer with passages, each followed by its source; those of one page are followed by it once."""
    parts = []
    for _, group in groupby(passages, key=lambda passage: (passage.chunk.source_path, passage.chunk.page)):
        near = list(group)
        parts.append("\n".join(passage.text for passage in near) + name_sources(wording, [near[0].chunk]))
    citations = tuple(Citation(one.chunk.source_path, one.chunk.page, one.quote) for one in passages)
    return Answer(text="\n".join(parts), citations=citations, finish_reason="stop")
