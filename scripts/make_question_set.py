"""Draft a question set over a folder of documents, with its dev subset: the flow at its real size.

They come offline from headings and their text alone: drafts for a person to go over.

python scripts/make_question_set.py FOLDER [--out docs/question_v2.json] [--size 1000] [--dev 100]
"""

import argparse
import json
import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from ragstone.core.types import JSON
from ragstone.datasets.check import load_cases, open_contract
from ragstone.datasets.subset import cut, draw
from ragstone.documents.folder import read_folder

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


def main() -> int:
    """Write both files."""
    parser = argparse.ArgumentParser(description="Draft a question set over a folder of documents.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/question_v2.json"))
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--dev", type=int, default=100)
    flags = parser.parse_args()
    pages = ((doc.name, page.number, page.text) for doc in read_folder(flags.folder) for page in doc.pages)
    drafts = question_set(sections(pages), flags.size)
    if not drafts:
        sys.stderr.write(f"{flags.folder}: no section is long enough for a question\n")
        return 2
    dev = flags.out.parent / "eval_sets" / f"{flags.out.stem}_dev{flags.dev}.json"
    dev.parent.mkdir(parents=True, exist_ok=True)
    flags.out.write_text(json.dumps(drafts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    drawn = draw(load_cases(open_contract(flags.out, name="eval_json_v2")), flags.dev)
    dev.write_bytes(cut(flags.out.read_bytes(), drawn.cases))
    sys.stdout.write(f"{len(drafts)} questions in {flags.out}, {len(drawn.cases)} in {dev}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
