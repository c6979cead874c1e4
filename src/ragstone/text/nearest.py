"""Finds the known name that a misspelt one was probably meant for."""

from functools import lru_cache


@lru_cache(maxsize=4096)
def nearest(written: str, known: tuple[str, ...], alike: float = 0.75) -> str:
    """Return the known name that a text is nearest to, "" when it is near none.

    >>> nearest("doc_hints", ("q", "gold", "doc_hint"))
    'doc_hint'
    """
    from difflib import get_close_matches  # noqa: PLC0415 - only for what is misspelt

    return next(iter(get_close_matches(written, known, 1, alike)), "")
