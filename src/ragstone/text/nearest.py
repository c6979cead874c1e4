"""The known name that a misspelt one was meant for."""

from difflib import get_close_matches
from functools import lru_cache


@lru_cache(maxsize=4096)
def nearest(written: str, known: tuple[str, ...], alike: float = 0.75) -> str:
    """Return the known name that a text is nearest to, or the one it is a word of; "" when there is none.

    >>> nearest("doc_hints", ("q", "gold", "doc_hint")), nearest("penalty", ("type", "hallucination_penalty"))
    ('doc_hint', 'hallucination_penalty')
    """
    whole = [name for name in known if written in name.split("_") and written != name]
    return next(iter(get_close_matches(written, known, 1, alike)), whole[0] if len(whole) == 1 else "")
