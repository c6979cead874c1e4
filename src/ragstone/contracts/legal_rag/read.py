"""An answer, structured or plain text, into its fields, citations and pieces of evidence (R1.3)."""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import isfinite

from ragstone.contracts.legal_rag.cases import EvidenceSet, Gold, gold_of
from ragstone.contracts.legal_rag.sources.quotes import quote_key
from ragstone.core.types import JSON, Answer, Case, Citation, Reading, Rung
from ragstone.reading.citations.document_names import DocumentName, name_parts
from ragstone.reading.citations.find import FoundCitation, find_citations
from ragstone.reading.json.ladder import read_json
from ragstone.reading.sentences import Piece, sentences

NAMES: dict[str, tuple[str, ...]] = {
    "amount": ("amount", "amount_total"),
    "amount_breakdown": ("amount_breakdown", "breakdown"),
    "date": ("date",),
    "date_range": ("date_range",),
    "count": ("count",),
    "boolean": ("boolean", "boolean_answer"),
    "text": ("text", "text_answer"),
    "entity": ("entity",),
    "abstained": ("abstained",),
}
"""A field of the reading and the names a structured answer may give it."""

_OBJECT_KEYS = frozenset(name for names in NAMES.values() for name in names) | {
    "answer",
    "evidence",
    "citation",
    "citations",
}
_FILE_KEYS = ("file", "document", "source", "source_path", "doc", "name")
_TEXT_KEYS = ("quote", "text", "content", "must_include", "snippet", "evidence")
_OBJECT = re.compile(rf'"(?:{"|".join(sorted(_OBJECT_KEYS))})"\s*:')
_THINK = re.compile(r"\A\s*<think>.*?</think>\s*", re.DOTALL)
_WORD = re.compile(r"\w")
_PAGE = re.compile(r"\s*[pP]?(?:age)?[.:\s]*(\d{1,6})\s*")
_PLACE_ONLY = re.compile(r"\s*[（(【\[][^（(【\[）)】\]]*[）)】\]]\W*")
_AROUND = " \t\r\n:：,，。.;；()（）[]【】-—"
_BULLET = re.compile(r"^[^\S\n]*(?:[-*•·●]|[(（]?[0-9一二三四五六七八九十]{1,3}[)）.、．:：])\s*", re.MULTILINE)
_FRAME = re.compile(r"^\W*(?:综上|总之|以上|上述|因此|所以|由此|总的来说|in (?:summary|conclusion)|overall|therefore)")
_MOST = 500
"""Citations of one answer that are looked at."""
LONGEST = 30_000
"""Characters of an answer that are read, fifteen pages; what stands behind them is not, and the row says so."""
CUT = "answer_cut"
_LONGEST_SENTENCE = 4000
"""Characters of a sentence that are kept for the place it names."""


def read(case: Case, answer: Answer) -> Reading:
    """Understand an answer; a text that is a JSON object with the contract's keys is a structured answer."""
    gold = gold_of(case)
    thought = _THINK.match(answer.text)
    spoken = answer.text[thought.end() :] if thought else answer.text
    data, rung = _object(answer, spoken)
    whole = _THINK.sub("", _text(spoken, data), count=1)
    text = whole[:LONGEST]
    known = (gold.document,) if gold.document else ()
    found = find_citations(text, known)
    given = [*_given(data, known), *answer.citations]
    pieces = list(_pieces_given(data, known))
    told = [Citation(c.file, c.page, c.quote) for c in found]
    placed = [Citation(piece.file, piece.page, piece.quote) for piece in pieces if piece.page is not None or piece.file]
    citations = _once([*given, *placed, *told])
    fields = _fields(data)
    if isinstance(gold.part, EvidenceSet):
        fields["evidence"] = _evidence(gold, text, pieces, given, found)
    if sentences_cited := _cited_sentences(text, found):
        fields["cited"] = sentences_cited
    tags = (*(["think"] if thought else ()), *([CUT] if len(whole) > LONGEST else ()))
    return Reading(text=text, fields=fields, rung=rung, citations=citations, contexts=answer.contexts, tags=tags)


# --- the object and its text ---


def _object(answer: Answer, text: str) -> tuple[Mapping[str, JSON], Rung]:
    """Find the structured answer: what the system gave, or the JSON object the text holds."""
    if isinstance(answer.data, dict) and answer.data.keys() & _OBJECT_KEYS:
        return _opened(answer.data), "direct"
    if "{" not in text or not _OBJECT.search(text):
        return {}, "direct"
    found = read_json(text)
    if isinstance(found.value, dict) and found.value.keys() & _OBJECT_KEYS:
        return _opened(found.value), found.rung
    return {}, "direct"


def _opened(data: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Take the fields of an `answer` that is itself an object."""
    inner = data.get("answer")
    return {**data, **inner, "answer": inner} if isinstance(inner, dict) else data


def _text(spoken: str, data: Mapping[str, JSON]) -> str:
    if not data:
        return spoken
    if data.get("answer") is not None:
        return "\n".join(_leaves(data["answer"]))
    if isinstance(data.get("text"), str):
        return str(data["text"])
    return "" if _OBJECT.search(spoken) else spoken


def _leaves(value: JSON, depth: int = 0) -> Iterator[str]:
    """Write down every string and number in a value."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, bool):
        yield "是" if value else "否"
    elif isinstance(value, int | float):
        yield str(value)
    elif depth < 8 and isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _leaves(item, depth + 1)


def _fields(data: Mapping[str, JSON]) -> dict[str, JSON]:
    fields: dict[str, JSON] = {}
    for field, names in NAMES.items():
        value = next((data[name] for name in names if data.get(name) is not None), None)
        if value is not None and not (isinstance(value, float) and not isfinite(value)):
            fields[field] = value[:LONGEST] if isinstance(value, str) else value
    return fields


def is_silent(reading: Reading) -> bool:
    """Return whether an answer says nothing at all: no words, no value, no evidence, no declared refusal."""
    return not _WORD.search(reading.text) and not any(_says(name, value) for name, value in reading.fields.items())


def _says(field: str, value: JSON) -> bool:
    if field == "abstained":
        return value is True
    return bool(value) if isinstance(value, list | dict) else value != ""


# --- citations ---


def _given(data: Mapping[str, JSON], known: Sequence[str]) -> Iterator[Citation]:
    for name in ("citations", "citation"):
        for item in _items(data.get(name)):
            yield from _citation(item, known)


def _items(value: JSON) -> Sequence[JSON]:
    if isinstance(value, list):
        return value[:1000]
    return [] if value in (None, "", {}) else [value]


def _citation(item: JSON, known: Sequence[str]) -> Iterable[Citation]:
    """Read one citation: an object, or words such as 第3页：“…”."""
    if isinstance(item, dict):
        return [Citation(_first(item, _FILE_KEYS), _page(item), _first(item, _TEXT_KEYS))]
    if isinstance(item, int) and not isinstance(item, bool):
        return [Citation(page=item)]
    if not isinstance(item, str):
        return []
    found = find_citations(item[:LONGEST], known)
    if len(found) == 1 and found[0].quote is None:
        return [Citation(found[0].file, found[0].page, _rest(item, found[0]))]
    return [Citation(c.file, c.page, c.quote) for c in found] or [Citation(quote=item)]


def _rest(item: str, found: FoundCitation) -> str | None:
    """Return the words beside a place: 第3页：一共付了318000元."""
    words = (item[: found.start] + " " + item[found.end :]).strip(_AROUND)
    return words if _WORD.search(words) else None


def _first(item: Mapping[str, JSON], names: Iterable[str]) -> str | None:
    return next((item[name] for name in names if isinstance(item.get(name), str) and item[name].strip()), None)


def _page(item: Mapping[str, JSON]) -> int | None:
    page = item.get("page", item.get("page_number"))
    if isinstance(page, bool):
        return None
    if isinstance(page, float) and page.is_integer():
        return int(page)
    if isinstance(page, str):
        plain = _PAGE.fullmatch(page)
        if plain:
            return int(plain[1])
        return next((found.page for found in find_citations(page[:100]) if found.page is not None), None)
    return page if isinstance(page, int) else None


def _once(citations: Iterable[Citation]) -> tuple[Citation, ...]:
    """Leave out repetitions, and a place without words when the same place is given with them."""
    kept: dict[tuple[DocumentName, int | None, str], Citation] = {}
    for citation in citations:
        key = (name_parts(citation.file or ""), citation.page, quote_key(citation.quote or ""))
        if citation.file or citation.page is not None or citation.quote:
            kept.setdefault(key, citation)
    spoken = {(file, page) for file, page, words in kept if words}
    last = [one for (file, page, words), one in kept.items() if words or (file, page) not in spoken]
    return tuple(last[:_MOST])


def _cited_sentences(text: str, found: Sequence[FoundCitation]) -> list[JSON]:
    """Give each place without a quote the sentence it stands behind."""
    bare = [citation for citation in found if citation.page is not None and citation.quote is None][:_MOST]
    if not bare:
        return []
    spans = sentences(text)
    starts = [span.start for span in spans]
    told = dict.fromkeys((c.page, span) for c in bare for span in _around(spans, starts, c.start))
    words = {span: text[span.start : min(span.end, span.start + _LONGEST_SENTENCE)] for _, span in told}
    return [{"page": page, "text": words[span]} for page, span in told]


def _around(spans: Sequence[Piece], starts: Sequence[int], place: int) -> Iterator[Piece]:
    at = bisect_right(starts, place) - 1
    if at < 0:
        return
    yield spans[at]
    # （第3页） often stands behind the full stop of what it proves.
    if at and place - spans[at].start < 4:
        yield spans[at - 1]


# --- pieces of evidence ---


def _pieces_given(data: Mapping[str, JSON], known: Sequence[str]) -> Iterator[Citation]:
    for item in _items(data.get("evidence")):
        if isinstance(item, str):
            found = [c for c in find_citations(item[:LONGEST], known) if c.page is not None]
            yield Citation(found[0].file if found else None, found[0].page if found else None, item)
        elif isinstance(item, dict):
            words = _first(item, _TEXT_KEYS)
            if words:
                yield Citation(_first(item, _FILE_KEYS), _page(item), words)


def _evidence(
    gold: Gold, text: str, pieces: Sequence[Citation], given: Sequence[Citation], found: Sequence[FoundCitation]
) -> list[JSON]:
    """List what the answer brings forward: its evidence, or else its quotes, or else its statements."""
    quoted = list(pieces) or [citation for citation in given if citation.quote]
    if quoted:
        return [_piece(citation.quote or "", [citation.page], citation.file) for citation in quoted]
    return list(_statements(text, found))


def _piece(text: str, pages: Iterable[int | None], file: str | None = None) -> dict[str, JSON]:
    piece: dict[str, JSON] = {"text": text, "pages": [page for page in pages if page is not None]}
    return piece | {"file": file} if file else piece


def _statements(text: str, found: Sequence[FoundCitation]) -> Iterator[JSON]:
    """Cut a plain answer into its list items, or else its sentences; frame sentences are no evidence."""
    items = _list_items(text)
    spans = items if len(items) > 1 else _joined(text, sentences(text))
    starts = [citation.start for citation in found]
    for span in spans:
        words = text[span.start : span.end]
        if words.rstrip().endswith((":", "：")) or _FRAME.match(words) or len(quote_key(words)) < 4:
            continue
        inside = found[bisect_left(starts, span.start) : bisect_left(starts, span.end)]
        yield _piece(words.strip(), dict.fromkeys(citation.page for citation in inside)) | {"told": True}


def _list_items(text: str) -> list[Piece]:
    starts = [found.start() for found in _BULLET.finditer(text)]
    return [Piece(start, end) for start, end in zip(starts, [*starts[1:], len(text)], strict=False)]


def _joined(text: str, spans: Sequence[Piece]) -> list[Piece]:
    """Join a place in brackets to the sentence before it."""
    joined: list[Piece] = []
    for span in spans:
        if joined and _PLACE_ONLY.fullmatch(text, span.start, span.end):
            joined[-1] = Piece(joined[-1].start, span.end)
        else:
            joined.append(span)
    return joined
