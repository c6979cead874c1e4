"""Sorts the options a user gave a system into the typed options of each part.

A part declares with its types what each option may be; a value outside is refused before anything is asked.
"""

import math
from collections.abc import Collection, Iterator, Mapping
from typing import Annotated, TypeVar

import msgspec
from msgspec import Meta

from ragstone.core.errors import ConnectError
from ragstone.core.masking import MASK, names_secret
from ragstone.core.types import FACTS, JSON
from ragstone.text.nearest import nearest

S = TypeVar("S", bound=msgspec.Struct)

LONGEST = 1e9
"""Seconds; beyond it no clock can be set."""

Count = Annotated[int, Meta(ge=0)]
"""A whole number; often 0 means no limit."""
Number = Annotated[int, Meta(ge=1)]
"""A whole number of which there is at least one."""
Amount = Annotated[float, Meta(ge=0)]
"""A quantity; often 0 means no limit."""
Wait = Annotated[float, Meta(ge=0, le=LONGEST)]
"""Seconds that may be none."""
Limit = Annotated[float, Meta(gt=0, le=LONGEST)]
"""Seconds of which there must be some."""


class FactOptions(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Facts about a system of any kind, for run_meta.json."""

    model_id: str = ""
    """Its name in the rows; without it the kind's own."""
    index_version: str = ""
    adapter_id: str = ""
    base_model: str = ""

    @property
    def given(self) -> dict[str, str]:
        """The facts that were given."""
        return {name: value for name in FACTS if (value := getattr(self, name))}


NO_FACTS = FactOptions()


def with_text_facts(table: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return options in which names and versions are texts: an index may have the version 7."""
    return {name: _text(value) if name in FactOptions.__struct_fields__ else value for name, value in table.items()}


def _text(value: JSON) -> JSON:
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else value


def take(options: Mapping[str, JSON], struct: type[S], system: str) -> S:
    """Make one part's options of those that carry its names; numbers and JSON may be written as text."""
    options = with_text_facts(options)
    fields_ = {field.name: field.type for field in msgspec.structs.fields(struct) if field.name in options}
    return struct(**{name: _take(name, options[name], type_, system) for name, type_ in fields_.items()})


def refuse_unknown(
    options: Mapping[str, JSON], known: Collection[str], system: str, *, also: Collection[str] = ()
) -> None:
    """Refuse an option that no part knows, and list those there are; `also` names those other parts take."""
    unknown = sorted(set(options).difference(known))
    if unknown:
        names = sorted({*known, *also})
        near = nearest(unknown[0], tuple(names), 0.7)
        is_key = names_secret(unknown[0]) and not names_secret(near)
        code = "ask.option_key" if is_key else "ask.option_unknown"
        raise ConnectError(code, system=system, names=unknown, known=names, near=near)


def fields(*structs: type[msgspec.Struct]) -> set[str]:
    """Return the option names of some parts."""
    return {name for struct in structs for name in struct.__struct_fields__}


def _take(name: str, value: JSON, type_: object, system: str) -> JSON:
    try:
        taken: JSON = msgspec.convert(_plain(value), type_, strict=False)
    except msgspec.ValidationError:
        taken = math.nan
    # Every comparison with it being false, a NaN slips through any bounds.
    if isinstance(taken, float) and not math.isfinite(taken):
        said = allowed(type_)
        # A number such as max_tokens is no secret, whatever its name says.
        shown = MASK if isinstance(value, dict | list) or (names_secret(name) and '"' in said) else str(value)
        raise ConnectError("ask.option_value", system=system, name=name, value=shown, allowed=said)
    return taken


def _plain(value: JSON) -> JSON:
    if isinstance(value, str) and value[:1] in {"{", "["}:
        try:
            return msgspec.json.decode(value)
        except (msgspec.DecodeError, UnicodeError, RecursionError):
            return value
    return value


def allowed(type_: object) -> str:
    """Return what a type allows in language-neutral signs.

    >>> allowed(Count), allowed(Limit), allowed(bool)
    ('0, 1, 2, …', '> 0, ≤ 1e+09', 'true, false')
    """
    from msgspec import inspect  # noqa: PLC0415 - only a mistake needs it

    info = inspect.type_info(type_)
    kinds = info.types if isinstance(info, inspect.UnionType) else (info,)
    return " | ".join(said for kind in kinds if (said := _signs(kind)))


def _signs(kind: object) -> str:
    from msgspec import inspect  # noqa: PLC0415 - only a mistake needs it

    match kind:
        case inspect.LiteralType(values=values):
            return ", ".join(str(value) for value in values)
        case inspect.BoolType():
            return "true, false"
        case inspect.IntType(ge=least):
            return "…, -1, 0, 1, …" if least is None else f"{least}, {least + 1}, {least + 2}, …"
        case inspect.FloatType():
            return ", ".join(_bounds(kind)) or "0.0, 0.5, -1.5, …"
        case inspect.NoneType():
            return ""
        case inspect.DictType():
            return '{"…": …}'
        case _:
            return '"…"'


def _bounds(kind: object) -> Iterator[str]:
    for name, sign in (("ge", "≥"), ("gt", ">"), ("le", "≤"), ("lt", "<")):
        bound = getattr(kind, name)
        if bound is not None:
            yield f"{sign} {bound:g}"
