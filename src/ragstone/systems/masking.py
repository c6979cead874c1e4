"""Addresses as they may be shown; what hides secrets everywhere else stands in `ragstone.core.masking`."""

from ragstone.core.masking import MASK, Secrets, names_secret
from ragstone.systems.http.address import Address, without_secrets

__all__ = ["MASK", "Secrets", "names_secret", "safe_url"]


def safe_url(url: Address | str, secrets: Secrets | None = None) -> str:
    """Return an address without user, password and the values of secret-looking query names.

    >>> safe_url("https://me:pw@host/v1?api_key=abc&mode=mix")
    'https://host/v1?api_key=***&mode=mix'
    """
    try:
        shown, query = without_secrets(str(url))
    except ValueError:
        shown, query = MASK, []
    pairs = [f"{k}={MASK if names_secret(k) else v}" for k, v in query]
    text = f"{shown}?{'&'.join(pairs)}" if pairs else shown
    return secrets.hide(text) if secrets else text
