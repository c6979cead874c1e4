"""Retrieval for a chat model: numbered passages go in, numbered references come out."""

import re
from collections.abc import Sequence

from msgspec.structs import replace

from ragstone.core.types import Answer, Citation, Message, Request
from ragstone.systems.builtin.extract import Finder
from ragstone.systems.builtin.index import Hit
from ragstone.systems.builtin.question import ReadQuestion
from ragstone.systems.builtin.terms import index_terms, rare_terms
from ragstone.systems.builtin.wording import AnswerWords, name_sources

_REFERENCE = re.compile(r"[\[【［〔]\s?([0-9０-９]{1,3}(?:\s?[,，、]\s?[0-9０-９]{1,3}){0,9})\s?[\]】］〕]")
_COMMA = re.compile(r"[,，、]")
_STATEMENT = 200
"""Characters before a reference that may belong to what it supports."""


def prompt(request: Request, hits: Sequence[Hit], wording: AnswerWords) -> Request:
    """Return the request that shows a model the passages and the question."""
    passages = "\n\n".join(_passage(number, hit) for number, hit in enumerate(hits, 1))
    rules = wording.rules.format(decline=wording.decline)
    messages = (Message("system", rules), Message("user", f"{passages}\n\n{request.question}"))
    return replace(request, messages=messages)


def cite(answer: Answer, hits: Sequence[Hit], wording: AnswerWords) -> Answer:
    """Turn the numbers in a model's answer into citations, and name the documents at its end."""
    if answer.failure:
        return answer
    referred = {number: said for number, said in refer(answer.text).items() if 1 <= number <= len(hits)}
    if not referred:
        return answer
    citations = tuple(_citation(hits[number - 1], said) for number, said in referred.items())
    named = name_sources(wording, [hits[number - 1].chunk for number in referred])
    return replace(answer, text=answer.text.rstrip() + named, citations=citations)


def refer(text: str) -> dict[int, str]:
    """Map each passage number a text refers to, in order, to the words before its first reference."""
    referred: dict[int, str] = {}
    here = 0
    for found in _REFERENCE.finditer(text):
        said = text[max(here, found.start() - _STATEMENT) : found.start()]
        for number in _COMMA.split(found[1]):
            referred.setdefault(int(number), said)
        here = found.end()
    return referred


def _passage(number: int, hit: Hit) -> str:
    """Show one passage with its number, its document and the headings above it."""
    return f"[{number}] {hit.chunk.source_path} › {hit.chunk.heading}\n{hit.chunk.text}"


def _citation(hit: Hit, said: str) -> Citation:
    """Cite the sentence of a passage that is nearest to what was said, or else the whole passage."""
    weights = dict.fromkeys(rare_terms(index_terms(said)), 1.0)
    wanted = ReadQuestion(tuple(weights), (), several=False)
    nearest = Finder(wanted, weights).choose([hit], {}, 1) if weights else []
    quote = nearest[0].quote if nearest else hit.chunk.text
    return Citation(hit.chunk.source_path, hit.chunk.page, quote)
