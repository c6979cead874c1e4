"""Fills a request's open slot with retrieved pieces and candidates for anchors; uses nothing but the request."""

import re
from collections.abc import Sequence

from msgspec import structs

from ragstone.core.language import fill
from ragstone.core.types import Context, Message, Request

MAX_ANCHORS = 6
_CLAUSE = re.compile(r"[^\s，。；：、！？,;:!?()（）「」『』《》|#>*]{4,20}")


def fill_contexts(request: Request, contexts: Sequence[Context]) -> Request:
    """Put the retrieved pieces where the prompt wants them, and drop the instructions that said so.

    The first slot of the last message is the prompt's own; one in the question stays as it was asked.
    """
    about = request.params.get("prompt")
    params = {name: value for name, value in request.params.items() if name != "prompt"}
    if not isinstance(about, dict) or not request.messages:
        return structs.replace(request, params=params)
    pieces = [_show(about["piece"], number, context) for number, context in enumerate(contexts, start=1)]
    *before, last = request.messages
    content = last.content.replace(about["slot"], "\n\n".join(pieces) or about["none"], 1)
    return structs.replace(request, messages=(*before, Message(last.role, content)), params=params)


def anchor_candidates(text: str) -> list[str]:
    """Pick short phrases that stand in a text word for word, in order, once each."""
    found: dict[str, None] = {}
    for clause in _CLAUSE.finditer(text):
        found[clause[0]] = None
        if len(found) == MAX_ANCHORS:
            break
    return list(found)


def _show(piece: str, number: int, context: Context) -> str:
    values = {
        "number": number,
        "source_path": context.source_path,
        "page": "" if context.page is None else context.page,
        "anchors": "、".join(anchor_candidates(context.text)),
        "text": context.text,
    }
    return fill(piece, values)
