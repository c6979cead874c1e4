"""The system: retrieve, then quote the documents or let a chat model answer from them."""

from collections.abc import Mapping
from pathlib import Path
from time import perf_counter

from msgspec.structs import replace

from ragstone.errors import ConnectError
from ragstone.interfaces import System
from ragstone.systems.builtin.chunks import CHUNK_SIZE
from ragstone.systems.builtin.extract import MIN_COVER, Passage, best_passage
from ragstone.systems.builtin.generate import cite, prompt
from ragstone.systems.builtin.index import Hit, Index, open_index
from ragstone.systems.builtin.terms import question_terms
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
        hits = self._index.search(terms, self._top_k)
        passage = best_passage(hits, self._index.weigh(terms), self._sentences)
        contexts = tuple(_context(hit) for hit in hits)
        if self._chat and hits:
            reply = cite(await self._chat.ask(prompt(request, hits, wording)), hits, wording)
            return replace(reply, contexts=contexts)
        answer = _decline(wording) if passage is None or passage.cover < MIN_COVER else _quote(passage, wording)
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
    cache = options.get("cache")
    index = open_index(Path(argument), Path(str(cache)) if cache else None, size=numbers["chunk_size"])
    return Builtin(index, top_k=numbers["top_k"], sentences=numbers["sentences"], chat=options.get("chat"))


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


def _quote(passage: Passage, wording: Wording) -> Answer:
    """Answer with a passage and its source."""
    chunk = passage.chunk
    text = passage.text + name_sources(wording, [chunk])
    return Answer(text=text, citations=(Citation(chunk.source_path, chunk.page, passage.quote),), finish_reason="stop")


def _decline(wording: Wording) -> Answer:
    return Answer(text=wording.decline, finish_reason="stop")
