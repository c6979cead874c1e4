"""Renders templates with the values that every page needs."""

import hashlib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from fastapi import Request
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup
from starlette.responses import HTMLResponse, Response

from ragstone.core.language import LANGS, Lang
from ragstone.core.types import JSON
from ragstone.report.console import show_value
from ragstone.runs.store.codec import encode
from ragstone.text.visible import visible_block
from ragstone.web.display_names import NAME_FIELDS, display_name
from ragstone.web.security import csrf_of
from ragstone.web.state import LANG_COOKIE, THEME_COOKIE, AppState
from ragstone.web.words import say, script_words

HERE = Path(__file__).parent.parent
STATIC = HERE / "static"
DEEPEST = 40
"""Levels of a nested value that are shown."""
LANGUAGE_NAMES: dict[Lang, str] = {"zh-Hans": "简体中文", "zh-Hant": "繁體中文", "en": "English"}


def assets_version() -> str:
    """Hash what is served beside the pages, so that a browser keeps it until it changes."""
    content = b"".join(path.read_bytes() for path in sorted(STATIC.iterdir()) if path.is_file())
    return hashlib.sha256(content).hexdigest()[:12]


@cache
def _environment() -> Environment:
    """Make what fills templates; each is compiled once for all servers of a process."""
    made = Environment(
        loader=FileSystemLoader(HERE / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_seen,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {"chart": Markup, "number": "{:,}".format, "tree": _tree, "json": _json}
    made.globals["name_fields"] = NAME_FIELDS
    return made


class Renderer:
    """Fills templates."""

    def __init__(self, state: AppState) -> None:
        self._state = state
        self._assets = assets_version()
        self._environment = _environment()

    def page(self, request: Request, template: str, values: Mapping[str, object], status: int = 200) -> Response:
        """Fill a template and remember the language that was chosen."""
        lang = self._state.lang(request)
        theme = request.cookies.get(THEME_COOKIE, "")
        content = self._environment.get_template(template).render(
            lang=lang,
            languages=LANGUAGE_NAMES,
            theme=theme if theme in {"light", "dark"} else "",
            t=lambda name, **places: say(name, lang, **places),
            display_name=lambda name, more=None: display_name(name, lang, more),
            asset=lambda name: f"/static/{self._assets}/{name}",
            csrf=csrf_of(request, self._state.lock),
            locked=not self._state.lock.open,
            here=request.url.path,
            script_words=script_words(lang),
            show_value=show_value,
            **values,
        )
        response = HTMLResponse(content.encode("utf-8", "replace"), status)
        if request.query_params.get("lang") in LANGS:
            response.set_cookie(LANG_COOKIE, lang, max_age=365 * 86400, samesite="strict")
        return response


def _seen(value: object) -> object:
    """Remove control and bidirectional characters from text before it is escaped."""
    return value if not isinstance(value, str) or isinstance(value, Markup) else visible_block(value)


def _json(value: object) -> str:
    return encode(value).decode()


def _tree(value: JSON, depth: int = 0) -> JSON:
    """Turn a value into a node that a template can show; what is nested too deep is left out."""
    if depth >= DEEPEST and isinstance(value, dict | list | tuple):
        return {"kind": "leaf", "items": "…"}
    if isinstance(value, dict):
        return {"kind": "table", "items": value.items()}
    if isinstance(value, list | tuple):
        return {"kind": "list", "items": value}
    return {"kind": "leaf", "items": "–" if value is None else str(value)}
