"""Encodes and decodes JSON, tolerating what real endpoints send."""

import json
import re

import msgspec

from ragstone.core.language import excerpt
from ragstone.core.masking import Secrets
from ragstone.core.types import JSON, Failure
from ragstone.systems.failures import fail

_PAGE = re.compile(rb"(?i)\s*(?:\xef\xbb\xbf)?\s{0,64}<(?:!doctype html|html|head|body)")
_SURROGATE = re.compile("[\ud800-\udfff]")


def decode(raw: bytes) -> JSON:
    """Decode JSON; lone surrogates become a replacement character; ValueError is raised for no JSON and no UTF-8."""
    try:
        return msgspec.json.decode(raw)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError):
        pass
    try:
        value = json.loads(text_of(raw), parse_constant=_no_number)
        text = json.dumps(value, ensure_ascii=False)
        return json.loads(clean(text)) if _SURROGATE.search(text) else value
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def text_of(raw: bytes) -> str:
    """Return a reply as text; JSON is UTF-8, and a reply that is not is refused before half-read words are scored."""
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ValueError(f"not UTF-8 at byte {error.start + 1} (0x{raw[error.start]:02x})") from error


def encode(value: object) -> bytes:
    """Encode what is sent; a lone surrogate, which no JSON can hold, becomes a question mark."""
    try:
        return _ENCODE(value)
    except UnicodeEncodeError:
        return json.dumps(msgspec.to_builtins(value), ensure_ascii=False).encode("utf-8", "replace")


def clean(text: str) -> str:
    """Return a text that can be written as UTF-8."""
    return _SURROGATE.sub("\ufffd", text)


def why_not_json(raw: bytes, problem: str, where: str, secrets: Secrets) -> Failure:
    """Return the failure of a reply that cannot be decoded; an HTML page has a kind of its own."""
    if _PAGE.match(raw[:512]):
        return fail("html_page", where=where)
    begins = excerpt(secrets.hide(raw[:200].decode("utf-8", "replace")), 80)
    said = f"{excerpt(secrets.hide(problem), 120)}; it begins with: {begins}" if begins else "it is empty"
    return fail("not_json", where=where, problem=said)


def _no_number(name: str) -> None:
    """Read NaN and Infinity as null: no figure is ever made of them."""


_ENCODE = msgspec.json.Encoder(enc_hook=str).encode
