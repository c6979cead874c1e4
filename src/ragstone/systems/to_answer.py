"""Converts what a system returns (text, an object, a recorded row) into an Answer."""

from collections.abc import Mapping

import msgspec

from ragstone.core.types import FACTS, JSON, Answer, Citation, Context, Failure, Usage

_TEXT_KEYS = ("answer", "output", "text", "response", "result", "content")
_FILE_KEYS = (
    *("file", "source_path", "source", "file_path", "filename", "file_name", "document", "document_name", "path"),
    *("name", "doc", "doc_name", "url", "title"),
)
_CONTEXT_KEYS = ("contexts", "context", "retrieved_contexts", "source_documents")
_CITATION_KEYS = ("citations", "citation", "references", "sources")
_PIECES, _REFERENCES = frozenset((*_CONTEXT_KEYS, "sources")), frozenset(_CITATION_KEYS)
_TOLD = frozenset((*FACTS, "model_id"))
_PIECE_KEYS = ("text", "content", "page_content", "chunk", "quote", "snippet")


def to_answer(value: object) -> Answer:
    """Turn what a callable returned into an answer; None and foreign objects become a failure.

    >>> to_answer({"answer": "42000元", "citations": [{"file": "a.md", "page": 2}]}).citations[0].page
    2
    """
    if isinstance(value, Answer):
        return value
    if isinstance(value, str):
        return Answer(text=value)
    plain = _plain(value)
    if not isinstance(plain, dict | list):
        kind = type(value).__name__
        forgotten = " (does the function return its answer?)" if value is None else ""
        return Answer(failure=Failure("bad_reply", f"expected text, an object or an Answer; got {kind}{forgotten}"))
    if isinstance(plain, list):
        return Answer(text=msgspec.json.encode(plain).decode(), data=plain)
    return from_parts(plain, plain)


def from_parts(output: JSON, row: Mapping[str, JSON]) -> Answer:
    """Make an answer of an output (text or object) and what stands beside it in a row."""
    text = "" if output is None else output if isinstance(output, str) else _text_of(output)
    # A recorded object may hold its references itself, as a live reply does.
    row = {**output, **row} if isinstance(output, dict) else row
    return Answer(
        text=text,
        data=None if isinstance(output, str) else output,
        contexts=() if _PIECES.isdisjoint(row) else contexts_of(row),
        citations=() if _REFERENCES.isdisjoint(row) else citations_of(row),
        usage=_usage(row.get("usage")),
        latency_ms=_number(row.get("latency_ms")),
        finish_reason=row["finish_reason"] if isinstance(row.get("finish_reason"), str) else None,
        cost=_number(row.get("cost")),
        failure=_failure(row.get("error")),
        facts={} if _TOLD.isdisjoint(row) else _facts(row),
    )


def _facts(row: Mapping[str, JSON]) -> dict[str, str]:
    """Pick out the facts a reply states about its system; `model_id` is an alias of the base model."""
    told = {name: row.get(name) for name in FACTS}
    told["base_model"] = told["base_model"] or row.get("model_id")
    return {name: str(value) for name, value in told.items() if value and isinstance(value, str | int)}


def contexts_of(row: Mapping[str, JSON]) -> tuple[Context, ...]:
    """Find the retrieved pieces of an object by the names such things have."""
    items = _items(row, *_CONTEXT_KEYS) or [item for item in _items(row, "sources") if _has_text(item)]
    return tuple(_context(item) for item in items)


def citations_of(row: Mapping[str, JSON]) -> tuple[Citation, ...]:
    """Find the references of an object by the names such things have; what it calls its sources, it names."""
    found = (_citation(item) for item in _items(row, *_CITATION_KEYS))
    return tuple(one for one in found if one.file or one.quote or one.page)


def _has_text(item: JSON) -> bool:
    """Return whether a source is a retrieved piece, too, and no mere reference."""
    return isinstance(item, dict) and _first(item, _PIECE_KEYS) is not None


def _plain(value: object) -> JSON:
    """Turn dataclasses, structs, pydantic models and the like into plain JSON data, or give the value back."""
    if hasattr(value, "model_dump"):
        return value.model_dump()
    try:
        return msgspec.to_builtins(value)
    except (TypeError, ValueError, RecursionError):
        return value


def _text_of(output: JSON) -> str:
    if isinstance(output, dict):
        for key in _TEXT_KEYS:
            if isinstance(output.get(key), str):
                return str(output[key])
    try:
        return msgspec.json.encode(output).decode()
    except (TypeError, ValueError, UnicodeError, RecursionError):
        return str(output)


def _items(row: Mapping[str, JSON], *names: str) -> list[JSON]:
    for name in names:
        value = row.get(name)
        if isinstance(value, list):
            return value
        if value:
            return [value]
    return []


def _context(item: JSON) -> Context:
    if not isinstance(item, dict):
        return Context(text=str(item))
    beside = _with_metadata(item)
    return Context(
        _first(beside, _FILE_KEYS) or "", _page(beside), _first(item, _PIECE_KEYS) or "", _number(beside.get("score"))
    )


def _citation(item: JSON) -> Citation:
    if not isinstance(item, dict):
        return Citation(file=str(item))
    beside = _with_metadata(item)
    return Citation(_first(beside, _FILE_KEYS), _page(beside), _first(item, ("quote", *_PIECE_KEYS)))


def _with_metadata(item: Mapping[str, JSON]) -> Mapping[str, JSON]:
    """Return a piece with what LangChain and others keep beside its text."""
    found = item.get("metadata")
    return {**item, **found} if isinstance(found, dict) else item


def _first(item: Mapping[str, JSON], names: tuple[str, ...]) -> str | None:
    return next((item[name] for name in names if isinstance(item.get(name), str) and item[name]), None)


def _page(item: Mapping[str, JSON]) -> int | None:
    page = item.get("page", item.get("page_number"))
    if isinstance(page, str) and page.strip().isdecimal() and len(page) < 10:
        return int(page)
    return page if isinstance(page, int) and not isinstance(page, bool) else None


def _number(value: JSON) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) and value == value else None  # noqa: PLR0124 - NaN differs from itself


def _usage(value: JSON) -> Usage | None:
    if not isinstance(value, dict):
        return None
    counts = {name: value[name] for name in Usage.__struct_fields__ if isinstance(value.get(name), int)}
    usage = Usage(**counts)
    total = usage.total_tokens or usage.prompt_tokens + usage.completion_tokens
    return Usage(usage.prompt_tokens, usage.completion_tokens, total)


def _failure(value: JSON) -> Failure | None:
    if not value:
        return None
    if isinstance(value, dict):
        return Failure(str(value.get("kind") or "recorded_error"), str(value.get("message", "")))
    return Failure("recorded_error", str(value))
