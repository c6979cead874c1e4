"""What a user wrote behind a system's name, sorted into the typed options of each part."""

from collections.abc import Mapping
from typing import TypeVar

import msgspec

from ragstone.errors import ConnectError
from ragstone.types import JSON

S = TypeVar("S", bound=msgspec.Struct)


def take(options: Mapping[str, JSON], struct: type[S], system: str) -> S:
    """Make one part's options of those that carry its names; numbers and JSON may be written as text."""
    own = {name: _plain(value) for name, value in options.items() if name in struct.__struct_fields__}
    try:
        return msgspec.convert(own, struct, strict=False)
    except msgspec.ValidationError as error:
        raise ConnectError("ask.option_value", system=system, problem=str(error)) from error


def refuse_unknown(options: Mapping[str, JSON], known: set[str], system: str) -> None:
    """Refuse an option that no part knows, and list those there are."""
    unknown = sorted(set(options) - known)
    if unknown:
        raise ConnectError("ask.option_unknown", system=system, names=unknown, known=sorted(known))


def fields(*structs: type[msgspec.Struct]) -> set[str]:
    """Return the option names of some parts."""
    return {name for struct in structs for name in struct.__struct_fields__}


def _plain(value: JSON) -> JSON:
    if isinstance(value, str) and value[:1] in {"{", "["}:
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return value
    return value
