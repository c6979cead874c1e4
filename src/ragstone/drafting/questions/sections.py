"""Questions about the sections of documents, in the shape of Eval JSON v2; offline, from headings and their text alone.

They are drafts: good for walking a flow at its real size, and for a person to go over.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from ragstone.core.types import JSON

SHORTEST = 40
"""Characters a section must have before anything is asked about it."""
AUDIENCE = "讀者"
_HEADING = re.compile(r"#{1,6}\s+(.+?)\s*#*$")
_SENTENCE = re.compile(r"[^。！？!?\n]+[。！？!?]?")
_ASK = (
    "{topic}的「{section}」說了什麼？",
    "「{section}」裡關於「{point}」是怎麼規定的？",
    "依「{section}」，{point}之後呢？",
)


class Section(NamedTuple):
    """A heading and what stands under it."""

    file: str
    page: int
    topic: str
    """The document's first heading, or its name."""
    title: str
    sentences: tuple[str, ...]


def sections(pages: Iterable[tuple[str, int, str]]) -> Iterator[Section]:
    """Cut pages (file, number, text) into sections; what is too short for a question is passed over."""
    topics: dict[str, str] = {}
    for file, number, text in pages:
        title = topics.get(file, file.rpartition("/")[2].rpartition(".")[0] or file)
        body: list[str] = []
        for line in [*text.splitlines(), "# "]:
            heading = _HEADING.match(line.strip()) if line.strip() != "#" else None
            if heading is None and line != "# ":
                body.append(line)
                continue
            sentences = tuple(one.strip() for one in _SENTENCE.findall("\n".join(body)) if any(map(str.isalnum, one)))
            if sum(map(len, sentences)) >= SHORTEST:
                yield Section(file, number, topics.get(file, title), title, sentences)
            title, body = (heading[1] if heading else title), []
            topics.setdefault(file, title)


def question_set(found: Iterable[Section], size: int) -> list[dict[str, JSON]]:
    """Draft at most `size` questions, one of each kind a sentence until there are enough."""
    places = [(section, at) for section in found for at in range(len(section.sentences))]
    drafts = (_question(section, at, ask) for ask in range(len(_ASK)) for section, at in places if ask or not at)
    distinct = {draft["question"]: draft for draft in drafts}
    return [{"id": f"draft-{number}", **draft} for number, draft in enumerate(islice(distinct.values(), size), 1)]


def _question(section: Section, at: int, ask: int) -> dict[str, JSON]:
    sentences = section.sentences
    point = sentences[at].rstrip("。！？!?")[:20]
    evidence = "".join(sentences[at : at + 3] if at + 3 <= len(sentences) else sentences[-3:])
    ref = {"file": section.file, "page": section.page, "anchors": [sentences[at]]}
    return {
        "question": _ASK[ask].format(topic=section.topic, section=section.title, point=point),
        "expected": {
            "answer_example": {
                "target_audience": AUDIENCE,
                "main_topic": section.topic,
                "sub_topic": section.title,
                "detailed_description": list(sentences[at : at + 3]),
                "original_evidence": evidence,
                "predicted_questions": [_ASK[0].format(topic=section.topic, section=section.title)],
            },
            "source_map": [{"part": "original_evidence", "refs": [ref]}],
        },
    }
