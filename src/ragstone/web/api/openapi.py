"""The OpenAPI description: the schema of every response and every error, for /api/v1/openapi.json."""

from typing import Any

import msgspec
from fastapi import FastAPI

from ragstone.core.types import JSON, Comparison, MetricSpec, Summary
from ragstone.runs.store.label import Label
from ragstone.web.history.lines import RunLine
from ragstone.web.jobs import Live

_AT = "#/components/schemas/{name}"
_TEXT: JSON = {"type": "string"}
_WHOLE: JSON = {"type": "integer"}
_TEXTS: JSON = {"type": "array", "items": _TEXT}
_NUMBER: JSON = {"type": ["number", "null"]}


def _object(needed: dict[str, JSON], **more: JSON) -> JSON:
    return {"type": "object", "properties": {**needed, **more}, "required": list(needed)}


def _list(item: JSON) -> JSON:
    return {"type": "array", "items": item}


def at(name: str) -> JSON:
    """Point at a shape by its name."""
    return {"$ref": _AT.format(name=name)}


_FINDING = _object({"level": _TEXT, "code": _TEXT, "file": _TEXT, "text": _TEXT})
_CASE = {
    "number": _WHOLE,
    "id": _TEXT,
    "model": _TEXT,
    "repeat": _WHOLE,
    "state": {"enum": ["passed", "failed", "errored", "unparsed"]},
    "question": _TEXT,
    "answer": _TEXT,
    "score": {"type": "number", "minimum": 0, "maximum": 1},
    "marks": _TEXTS,
    "why": _TEXT,
    "latency_ms": _NUMBER,
    "tags": _TEXTS,
}
_CHECKED = {
    "contract": _TEXT,
    "cases": _WHOLE,
    "distinct": _WHOLE,
    "errors": _WHOLE,
    "warnings": _WHOLE,
    "problem": _TEXT,
    "findings": _list(_FINDING),
    "more": _WHOLE,
}
SHAPES: dict[str, JSON] = {
    "Problem": _object(
        {"error": _object({"code": _TEXT, "message": _TEXT})},
        findings=_list(_FINDING),
    ),
    "Session": _object({"header": _TEXT, "token": _TEXT}),
    "Names": _TEXTS,
    "Dataset": _object(
        {
            "name": _TEXT,
            "label": _TEXT,
            "contract": {"type": ["string", "null"]},
            "bytes": {"type": ["integer", "null"]},
            "documents": {"type": "boolean"},
            "bundled": {"type": "boolean"},
        }
    ),
    "System": _object({"name": _TEXT, "label": _TEXT, "kind": _TEXT, "system": _TEXT}),
    "Judge": _object({"name": _TEXT, "label": _TEXT}),
    "Checked": _object(_CHECKED),
    "Upload": _object(
        {"dataset": {"type": ["string", "null"]}, **_CHECKED},
        columns=_TEXTS,
        guessed={"type": "object"},
        sha256=_TEXT,
    ),
    "Documents": _object({"documents": _WHOLE}),
    "Draft": _object(
        {"id": _TEXT, "state": {"enum": ["queued", "running", "complete", "failed"]}, "dataset": _TEXT},
        drafted=_WHOLE,
        wished=_WHOLE,
        kinds={"type": "object"},
        documents=_WHOLE,
        used=_WHOLE,
        absent=_WHOLE,
        absent_wished=_WHOLE,
        missed={"type": "object"},
        difficulties={"type": "object"},
        refused={"type": "object"},
        passed_over=_TEXTS,
        stopped=_TEXT,
        error=_TEXT,
    ),
    "Matched": _object({"found": _WHOLE, "of": _WHOLE}),
    "Tried": _object({"question": _TEXT, "answer": _TEXT, "contexts": _WHOLE, "problem": _TEXT, "ms": _WHOLE}),
    "Rows": _object({"rows": {"type": "array"}, "more": {"type": "boolean"}, "sha256": _TEXT}),
    "Runs": _object({"runs": _list(at("RunLine")), "going": _list(at("Live"))}),
    "Run": _object(
        {"live": at("Live")},
        meta={"type": "object"},
        summary={"anyOf": [at("Summary"), {"type": "null"}]},
        metrics=_list(at("MetricSpec")),
    ),
    "Altered": _object({"files": _TEXTS, "text": _TEXT}),
    "Removed": _object({"run_id": _TEXT, "days": _WHOLE}),
    "Review": _object({"run": _TEXT, "queues": {"type": "object"}, "reviewers": {"type": "object"}}),
    "NextItem": _object({"item": {"type": ["object", "null"]}}, progress={"type": "object"}),
    "Saved": _object({"saved": _TEXT, "rule": _TEXT, "judge": _TEXT, "item": {"type": ["object", "null"]}}),
    "Figures": _object({"figures": {"type": "array"}}),
    "NextDraft": _object({"draft": {"type": ["object", "null"]}, "left": _WHOLE, "total": _WHOLE}, undone=_TEXT),
    "CaseRow": _object(_CASE),
    "Cases": _object({"rows": _list(at("CaseRow")), "total": _WHOLE, "next": {"type": ["string", "null"]}}),
    "Case": _object(
        _CASE | {"passed": {"type": "boolean"}, "pieces": {"type": "array"}, "contexts": {"type": "array"}}
    ),
}
_REFUSALS = {
    400: "The request cannot be read.",
    401: "Log in, or send the token as bearer.",
    403: "The request comes from another site, carries no valid X-Ragstone-Token, or asks for what is not allowed.",
    404: "There is no such thing.",
    408: "The body came too slowly.",
    409: "It cannot be done now: the run goes on already, is damaged, or asks for code.",
    413: "The body is too long.",
    421: "This is not a name of this server.",
    422: "Something in the request is wrong; the message says what.",
    429: "Too many wrong tokens, or too many runs waiting.",
    500: "Something went wrong in Ragstone itself.",
}
Responses = dict[int | str, dict[str, Any]]


def _json(schema: JSON, description: str) -> dict[str, Any]:
    return {"description": description, "content": {"application/json": {"schema": schema}}}


REFUSALS: Responses = {status: _json(at("Problem"), text) for status, text in _REFUSALS.items()}


def gives(shape: str, *, status: int = 200, many: bool = False) -> Responses:
    """Return the responses of a route."""
    schema = _list(at(shape)) if many else at(shape)
    return {status: _json(schema, "What was asked for.")}


UPLOAD: Responses = {
    201: _json(at("Upload"), "The dataset was kept, under this name."),
    415: _json(at("Problem"), "The body is no dataset."),
    422: _json({"anyOf": [at("Upload"), at("Problem")]}, "The dataset has faults and was not kept."),
    507: _json(at("Problem"), "The disk takes no more."),
}
SYSTEM: Responses = {
    201: _json(at("System"), "The system is offered now."),
    415: UPLOAD[415],
    507: UPLOAD[507],
}
DOCUMENTS: Responses = {
    201: _json(at("Documents"), "The document was kept."),
    415: UPLOAD[415],
    507: UPLOAD[507],
}
ANY_BODY: dict[str, JSON] = {
    "requestBody": {"required": True, "content": {"application/octet-stream": {"schema": _TEXT}}}
}
_EVENT = _object(
    {"event": {"enum": ["progress", "end"]}, "data": {"type": "string", "contentMediaType": "application/json"}}
)
EVENTS: Responses = {
    200: {"description": "Progress, then the end.", "content": {"text/event-stream": {"schema": _EVENT}}}
}
_FILE = {"schema": {"type": "string", "format": "binary"}}
FILES: Responses = {
    200: {
        "description": "The file.",
        "content": dict.fromkeys(
            [
                "application/json",
                "application/octet-stream",
                "application/x-ndjson",
                "text/csv",
                "text/html",
                "text/markdown",
            ],
            _FILE,
        ),
    }
}


def describe(app: FastAPI) -> None:
    """Let the app's description hold our shapes, and no shape of answers that we never give."""
    plain = app.openapi

    def openapi() -> dict[str, Any]:
        schema = plain()
        shapes = schema.setdefault("components", {}).setdefault("schemas", {})
        if "Problem" not in shapes:
            kinds = (Live, RunLine, Label, Summary, MetricSpec, Comparison)
            shapes |= SHAPES | msgspec.json.schema_components(kinds, ref_template=_AT)[1]
            shapes.pop("HTTPValidationError", None)
            shapes.pop("ValidationError", None)
        return schema

    app.openapi = openapi  # type: ignore[method-assign]
