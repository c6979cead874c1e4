"""The system: retrieve, then quote the documents or let a chat model answer from them."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from time import perf_counter

from msgspec.structs import replace

from ragstone.errors import ConnectError
from ragstone.interfaces import System
from ragstone.parsing.context_slot import fill_contexts
from ragstone.systems.builtin.chunks import CHUNK_SIZE
from ragstone.systems.builtin.extract import MIN_COVER, Passage, choose_passages
from ragstone.systems.builtin.generate import cite, prompt
from ragstone.systems.builtin.index import Hit, Index, open_index
from ragstone.systems.builtin.terms import question_terms, rare_terms
from ragstone.systems.builtin.wording import Wording, name_sources, wording_for
from ragstone.types import JSON, Answer, Citation, Context, Request

TOP_K = 5
SENTENCES = 3

_NUMBERS: dict[str, tuple[int, int, int]] = {
    "top_k": (TOP_K, 1, 50),
    "sentences": (SENTENCES, 1, 20),
    "chunk_size": (CHUNK_SIZE, 50, 4000),
}
"""Option to its default, least and greatest value."""


class Builtin:
    """Answers from a folder of documents; with a chat system it retrieves and lets that one answer."""

    def __init__(
        self, index: Index, *, top_k: int = TOP_K, sentences: int = SENTENCES, chat: System | None = None
    ) -> None:
        self._index = index
        self._top_k = top_k
        self._sentences = sentences
        self._chat = chat
        self.model_id = f"builtin+{chat.model_id}" if chat else "builtin"

    def identity(self) -> Mapping[str, JSON]:
        """Describe the index and the settings; no paths, so that equal documents are equal systems."""
        known: dict[str, JSON] = {
            "system": "builtin",
            "index_version": self._index.version,
            "documents": self._index.documents,
            "chunks": self._index.chunks,
            "top_k": self._top_k,
            "sentences": self._sentences,
        }
        return known | {"chat": dict(self._chat.identity())} if self._chat else known

    async def ask(self, request: Request) -> Answer:
        """Answer from the documents, or say that they do not tell."""
        start = perf_counter()
        wording = wording_for(request.question)
        terms = question_terms(request.question)
        hits = self._index.search(rare_terms(terms), self._top_k)
        contexts = tuple(_context(hit) for hit in hits)
        if self._chat and "prompt" in request.params:
            return replace(await self._chat.ask(fill_contexts(request, contexts)), contexts=contexts)
        if self._chat and hits:
            reply = cite(await self._chat.ask(prompt(request, hits, wording)), hits, wording)
            return replace(reply, contexts=contexts)
        passages = choose_passages(hits, self._index.weigh(terms), self._sentences)
        fits = any(passage.cover >= MIN_COVER for passage in passages)
        answer = _quote(passages, wording) if fits else Answer(text=wording.decline, finish_reason="stop")
        return replace(answer, contexts=contexts, latency_ms=(perf_counter() - start) * 1000)

    async def close(self) -> None:
        """Close the index and the chat system."""
        self._index.close()
        if self._chat:
            await self._chat.close()


def connect(argument: str, options: Mapping[str, JSON]) -> Builtin:
    """Make the system of `builtin:FOLDER`; reads the documents at once, so that a fault shows before a run.

    Options: top_k, sentences, chunk_size, cache (a folder that keeps indexes), chat (a System that writes the answers).
    """
    numbers = {name: _number(name, options.get(name)) for name in _NUMBERS}
    unknown = sorted(set(options) - {*_NUMBERS, "cache", "chat"})
    if unknown:
        raise ConnectError("builtin.option", name=unknown[0], found=str(options[unknown[0]]), allowed=_allowed())
    cache, chat = options.get("cache"), options.get("chat")
    if chat is not None and not isinstance(chat, System):
        raise ConnectError("builtin.option", name="chat", found=str(chat), allowed="a System")
    index = open_index(Path(argument), Path(str(cache)) if cache else None, size=numbers["chunk_size"])
    return Builtin(index, top_k=numbers["top_k"], sentences=numbers["sentences"], chat=chat)


def _number(name: str, value: JSON) -> int:
    """Read a whole number within its bounds; flags arrive as writing."""
    default, least, most = _NUMBERS[name]
    if value is None:
        return default
    text = str(value).strip()
    if text.isascii() and text.isdigit() and least <= int(text[:9]) <= most:
        return int(text)
    raise ConnectError("builtin.option", name=name, found=text, allowed=f"{least}-{most}")


def _allowed() -> str:
    return ", ".join([*_NUMBERS, "cache", "chat"])


def _context(hit: Hit) -> Context:
    return Context(hit.chunk.source_path, hit.chunk.page, hit.chunk.text, hit.score)


def _quote(passages: Sequence[Passage], wording: Wording) -> Answer:
    """Answer with passages and their sources."""
    text = "\n".join(passage.text for passage in passages)
    named = name_sources(wording, [passage.chunk for passage in passages])
    citations = tuple(Citation(one.chunk.source_path, one.chunk.page, one.quote) for one in passages)
    return Answer(text=text + named, citations=citations, finish_reason="stop")
