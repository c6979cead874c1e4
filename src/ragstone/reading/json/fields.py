"""parse_schema: the fields of an answer's JSON object, each with its type, bounds and default (contract 3, R3.3).

A value is never changed silently: what was clamped, cut, replaced or missing is tagged `word:field`.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from math import isfinite
from typing import Any, Literal, NamedTuple, get_args

import msgspec

from ragstone.text.fold import fold, key
from ragstone.text.numbers.find import find_numbers, read_number

FieldType = Literal["str", "int", "float", "bool", "enum", "list", "list_raw", "object"]
FIELD_TYPES: tuple[FieldType, ...] = get_args(FieldType)
Tag = Literal[
    "missing_field",
    "empty_field",
    "wrong_type",
    "not_text",
    "out_of_range",
    "not_allowed",
    "not_integer",
    "too_long",
    "wrong_unit",
]
REPLACED = frozenset({"missing_field", "empty_field", "wrong_type", "wrong_unit"})
"""Tags of a field whose default stands for what the answer did not give; `not_allowed` is not among them (R3.3)."""
MAX_INT = 2**53
"""Whole numbers beyond this are not the same in every JSON reader."""


class FieldRule(msgspec.Struct, frozen=True, kw_only=True):
    """What one field of an answer should be."""

    field: str
    type: FieldType = "str"
    default: Any = None
    """Taken when the field is missing or unusable; an empty text or list when left out, else null."""
    values: tuple[Any, ...] = ()
    """The values of an enum."""
    aliases: Mapping[str, Sequence[str]] = {}
    """Other words for a value of an enum: {"positive": ["利好"]}."""
    lo: float | None = None
    hi: float | None = None
    max_len: int | None = None
    """Longest list or text; the rest is cut."""
    unit: str | None = None
    """The unit a number counts in: 12.5 stands for 12.5 % with unit "%"; what is written in another is converted."""


class Fields(NamedTuple):
    """The fields of one answer, and what had to be done to them."""

    values: dict[str, Any]
    tags: tuple[str, ...]


class Value(NamedTuple):
    """One value, and what had to be done to it."""

    value: Any
    tag: Tag | None = None


Reader = Callable[[Any], Value]
_EMPTY: Mapping[str, Any] = {"str": "", "list": (), "list_raw": ()}
_UNUSABLE = Value(None, "wrong_type")


class Schema:
    """A parse_schema, read once and applied to every answer."""

    def __init__(self, rules: Iterable[FieldRule]) -> None:
        self.rules = tuple(rules)
        self._readers = [(rule.field, _default(rule), _reader(rule)) for rule in self.rules]

    def read(self, value: Mapping[str, Any]) -> Fields:
        """Read the fields of an object; never raises, and every field of the schema is there afterwards."""
        fields: dict[str, Any] = {}
        tags: list[str] = []
        for name, default, reader in self._readers:
            given = value.get(name)
            if given is None:
                fields[name] = copy(default)
                tags.append(f"missing_field:{name}")
                continue
            found, tag = reader(given)
            fields[name] = copy(default) if found is None else found
            if tag is not None:
                tags.append(f"{tag}:{name}")
        return Fields(fields, tuple(tags))


def _default(rule: FieldRule) -> Any:
    if rule.default is not None:
        return rule.default
    empty = _EMPTY.get(rule.type)
    return list(empty) if isinstance(empty, tuple) else empty


def _reader(rule: FieldRule) -> Reader:
    return _READERS[rule.type](rule)


def _text_reader(rule: FieldRule) -> Reader:
    longest, has_default = rule.max_len, bool(rule.default)

    def read(value: Any) -> Value:
        text, tag = (value, None) if isinstance(value, str) else _as_text(value)
        if has_default and not text.strip():
            return Value(None, "empty_field")
        if longest is not None and len(text) > longest:
            return Value(text[:longest], "too_long")
        return Value(text, tag)

    return read


def _as_text(value: Any) -> Value:
    """Write a number or a flag as text; a list or an object is kept as JSON and tagged."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return Value(text, "not_text" if isinstance(value, (list, dict)) else None)


def _int_reader(rule: FieldRule) -> Reader:
    lo = -MAX_INT if rule.lo is None else int(rule.lo)
    hi = MAX_INT if rule.hi is None else int(rule.hi)

    def read(value: Any) -> Value:
        if not isinstance(value, int) or isinstance(value, bool):
            number, tag = quantity(value, rule.unit)
            if number is None:
                return Value(None, tag or "wrong_type")
            whole = int(number)
            if whole != number:
                return Value(min(max(whole, lo), hi), "not_integer")
            value = whole
        clamped = min(max(value, lo), hi)
        return Value(clamped, None if clamped == value else "out_of_range")

    return read


def _float_reader(rule: FieldRule) -> Reader:
    lo, hi = rule.lo, rule.hi

    def read(value: Any) -> Value:
        number, tag = quantity(value, rule.unit)
        if number is None:
            return Value(None, tag or "wrong_type")
        if lo is not None and number < lo:
            return Value(float(lo), "out_of_range")
        if hi is not None and number > hi:
            return Value(float(hi), "out_of_range")
        return Value(number)

    return read


_YES = frozenset(map(key, ("true", "yes", "y", "1", "是", "对", "有", "真", "正确")))
_NO = frozenset(map(key, ("false", "no", "n", "0", "否", "不", "不是", "错", "没有", "无", "假", "错误")))


def _bool_reader(rule: FieldRule) -> Reader:
    def read(value: Any) -> Value:
        if isinstance(value, bool):
            return Value(value)
        word = _key(value) if isinstance(value, (str, int)) else ""
        if word in _YES or word in _NO:
            return Value(word in _YES)
        return _UNUSABLE

    return read


def _enum_reader(rule: FieldRule) -> Reader:
    """Map a value to the one of `values` it is in another form; any other falls to the default (R3.3)."""
    table = {_key(value): value for value in reversed(rule.values)}
    for name, others in rule.aliases.items():
        if _key(name) in table:
            table = {_key(other): table[_key(name)] for other in others} | table
    exact = {value for value in rule.values if isinstance(value, str)}

    def read(value: Any) -> Value:
        if isinstance(value, str) and value in exact:
            return Value(value)
        if isinstance(value, (list, dict)):
            return Value(None, "not_allowed")
        found = table.get(_key(value))
        return Value(found, "not_allowed" if found is None else None)

    return read


def _list_reader(rule: FieldRule) -> Reader:
    longest = rule.max_len

    def read(value: Any) -> Value:
        if not isinstance(value, list):
            return _UNUSABLE
        items = [item if isinstance(item, str) else _as_text(item).value for item in value if item is not None]
        return Value(items[:longest], "too_long" if longest is not None and len(items) > longest else None)

    return read


def _raw_list_reader(rule: FieldRule) -> Reader:
    longest = rule.max_len

    def read(value: Any) -> Value:
        if not isinstance(value, list):
            return _UNUSABLE
        return Value(value[:longest], "too_long" if longest is not None and len(value) > longest else None)

    return read


def _object_reader(rule: FieldRule) -> Reader:
    return lambda value: Value(value) if isinstance(value, dict) else _UNUSABLE


_READERS: Mapping[FieldType, Callable[[FieldRule], Reader]] = {
    "str": _text_reader,
    "int": _int_reader,
    "float": _float_reader,
    "bool": _bool_reader,
    "enum": _enum_reader,
    "list": _list_reader,
    "list_raw": _raw_list_reader,
    "object": _object_reader,
}


def _key(value: Any) -> str:
    if isinstance(value, str):
        return value.lower() if value.isascii() and value.isalnum() else key(value)
    return key(json.dumps(value))


# numbers, bare or with a unit


class Unit(NamedTuple):
    """What a unit measures, and how many of the plain ones it is."""

    kind: str
    factor: float


_UNIT_NAMES: tuple[tuple[str, float, str], ...] = (
    ("ratio", 0.01, "% pct percent percentage 百分比 个百分点 百分点"),
    ("ratio", 0.001, "‰ 千分比"),
    ("ratio", 0.0001, "bp bps 个基点 基点"),
    ("CNY", 1, "元 圆 块 人民币 rmb cny yuan"),
    ("CNY", 1e3, "千元"),
    ("CNY", 1e4, "万元"),
    ("CNY", 1e6, "百万元"),
    ("CNY", 1e8, "亿元"),
    ("USD", 1, "美元 美金 usd"),
    ("USD", 1e4, "万美元"),
    ("USD", 1e6, "百万美元"),
    ("USD", 1e8, "亿美元"),
    ("HKD", 1, "港元 港币 hkd"),
    ("HKD", 1e4, "万港元"),
    ("HKD", 1e8, "亿港元"),
    ("TWD", 1, "新台币 台币 twd"),
    ("TWD", 1e4, "万新台币"),
    ("TWD", 1e8, "亿新台币"),
    ("", 1e3, "千 thousand k"),
    ("", 1e4, "万"),
    ("", 1e6, "百万 million"),
    ("", 1e8, "亿"),
    ("", 1e9, "billion"),
)
UNITS = {key(name): Unit(kind, factor) for kind, factor, names in _UNIT_NAMES for name in names.split()}
"""Units that are understood; any other is compared by its writing."""
_BARE = re.compile(r"\s*([+-]?(?:[0-9]+(?:,[0-9]{3})*(?:\.[0-9]+)?|\.[0-9]+)(?:e[+-]?[0-9]{1,3})?)\s*")
_LONGEST = 80


def quantity(value: Any, unit: str | None = None) -> tuple[float | None, Tag | None]:
    """Read a number in a unit: quantity("42000元", "万元")[0] == 4.2, quantity(4.2, "万元")[0] == 4.2.

    A bare number counts in the unit asked for. What is written in a unit that cannot be converted is no number.
    """
    if isinstance(value, bool):
        return None, None
    if isinstance(value, (int, float)):
        return _finite(value), None
    if not isinstance(value, str) or len(value) > _LONGEST:
        return None, None
    line = fold(value)
    bare = _BARE.match(line)
    if bare is None:
        return _spelt(value, unit)
    number, rest = _finite(float(bare[1].replace(",", ""))), key(line[bare.end() :])
    if not rest or (unit is not None and rest == key(unit)):
        return number, None
    if rest in UNITS and number is not None:
        return _converted(number, UNITS[rest], unit)
    return _spelt(value, unit)


def _finite(value: float) -> float | None:
    try:
        number = float(value)
    except OverflowError:
        return None
    return number if isfinite(number) else None


def _converted(number: float, written: Unit, unit: str | None) -> tuple[float | None, Tag | None]:
    """Take a number from the unit it is written in to the one asked for; without one, to the plain unit."""
    wanted = UNITS.get(key(unit)) if unit else Unit(written.kind, 1)
    if wanted is None or (written.kind and wanted.kind != written.kind):
        return None, "wrong_unit"
    return _divided(number * written.factor, wanted.factor), None


def _divided(number: float, factor: float) -> float:
    # 12.5 % is 0.01 × 12.5; fifteen digits hide what binary fractions add.
    return float(f"{number / factor:.15g}")


_SCALED = re.compile("[%‰千万亿百成折元圆块$€£¥角分]|percent|pct|thousand|million|billion|usd|rmb|cny|hkd|twd")


def _spelt(text: str, unit: str | None) -> tuple[float | None, Tag | None]:
    """Read a number in words, with a currency before it or a unit behind."""
    value = read_number(text)
    number = None if value is None else _finite(float(value))
    if number is None:
        return None, None
    line = fold(text)
    if not _SCALED.search(line):
        return number, None
    found = find_numbers(text)
    kind = "ratio" if found and found[0].kind == "percent" else (found[0].currency or "") if found else ""
    return _converted(number, Unit(kind, 1), unit)
