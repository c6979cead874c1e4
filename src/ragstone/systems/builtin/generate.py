"""Retrieval for a chat model: numbered passages go in, numbered references come out."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from ragstone.systems.builtin.index import Hit
from ragstone.systems.builtin.wording import Wording, name_sources
from ragstone.types import Answer, Citation, Message, Request

_REFERENCE = re.compile(r"[\[【［〔]\s?([0-9０-９]{1,3}(?:\s?[,，、]\s?[0-9０-９]{1,3}){0,9})\s?[\]】］〕]")
_COMMA = re.compile(r"[,，、]")


def prompt(request: Request, hits: Sequence[Hit], wording: Wording) -> Request:
    """Return the request that shows a model the passages and the question."""
    passages = "\n\n".join(
        f"[{number}] {hit.chunk.source_path} › {hit.chunk.heading}\n{hit.chunk.text}"
        for number, hit in enumerate(hits, 1)
    )
    rules = wording.rules.format(decline=wording.decline)
    messages = (Message("system", rules), Message("user", f"{passages}\n\n{request.question}"))
    return replace(request, messages=messages)


def cite(answer: Answer, hits: Sequence[Hit], wording: Wording) -> Answer:
    """Turn the numbers in a model's answer into citations, and name the documents at its end."""
    used = [hits[number - 1].chunk for number in referred(answer.text) if 1 <= number <= len(hits)]
    if answer.failure or not used:
        return answer
    citations = tuple(Citation(chunk.source_path, chunk.page, chunk.text) for chunk in used)
    return replace(answer, text=answer.text.rstrip() + name_sources(wording, used), citations=citations)


def referred(text: str) -> list[int]:
    """List the passage numbers a text refers to, each once, in order."""
    numbers = (int(number) for found in _REFERENCE.finditer(text) for number in _COMMA.split(found[1]))
    return list(dict.fromkeys(numbers))
