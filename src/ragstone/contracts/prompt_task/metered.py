"""A sandbox that counts the steps of a template: each render has a budget, and the render ends when it is used up.

Jinja's sandbox keeps a template from Python's insides; it does not keep `{{ 'a' * 10**9 }}` from the memory or loops in
loops from the clock. Here every loop step, call, filter, operator and new list pays for its size before it is done.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sized
from contextvars import ContextVar
from functools import wraps
from typing import Any, TypeVar, cast

from jinja2 import Environment, StrictUndefined, nodes, pass_eval_context
from jinja2.exceptions import SecurityError
from jinja2.nodes import EvalContext
from jinja2.runtime import Context
from jinja2.sandbox import ImmutableSandboxedEnvironment
from jinja2.visitor import NodeTransformer

T = TypeVar("T")

BUDGET = 500_000
"""Steps of one render."""
PER_STEP = 128
"""Characters that are made or written for one step."""
PER_PIECE = 16
"""Characters that are cut into pieces for one step."""
MOST_CHARACTERS = 16_000_000
"""Characters of one value."""
MOST_BITS = 4096
"""Bits of a whole number."""
LARGEST_WIDTH = 10_000
"""Numbers beyond are no width."""

MOST_SQUARED = 100_000
"""Characters for one step where the work grows with the square of a text."""

_DIGITS = re.compile(r"\d+")
_NESTED = re.compile(r"\{[^{}]*\{")
_BUDGET: ContextVar[list[int]] = ContextVar("budget")


class TooMuchError(SecurityError):
    """A template that wants more than a prompt needs."""


def pay(steps: float) -> None:
    """Take steps from the current render's budget."""
    budget = _BUDGET.get(None)
    if budget is None:
        return
    budget[0] -= int(steps) + 1
    if budget[0] < 0:
        raise TooMuchError(f"it takes more than {BUDGET} steps")


def weigh(value: Any) -> int:
    """Count the characters a value would be written with, about; paid for as it is counted."""
    if isinstance(value, str | bytes):
        size = len(value)
    elif isinstance(value, Mapping):
        pay(len(value))
        size = sum(weigh(key) + weigh(item) for key, item in value.items())
    elif isinstance(value, list | tuple | set | frozenset):
        pay(len(value))
        size = sum(map(weigh, value)) + len(value)
    else:
        size = 8
    _require(size)
    return size


def _made(value: Any) -> Any:
    """Pay for a value that was made."""
    pay(weigh(value) / PER_STEP)
    return value


def _number(value: Any) -> int:
    return value.bit_length() if isinstance(value, int) else 64


def _times(left: Any, right: Any) -> None:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, str | bytes | list | tuple) and isinstance(other, int):
            _require(max(weigh(one), 1) * max(other, 0))
            return
    if _number(left) + _number(right) > MOST_BITS:
        raise TooMuchError("a number is too long")


def _power(left: Any, right: Any) -> None:
    if isinstance(right, int) and isinstance(left, int) and _number(left) * abs(right) > MOST_BITS:
        raise TooMuchError("a number is too long")


def _format(left: Any, right: Any) -> None:
    if isinstance(left, str | bytes):
        text = left if isinstance(left, str) else left.decode("latin-1")
        if "*" in text:
            raise TooMuchError("a width is not written out")
        _require(weigh(left) + _widths(text) + text.count("%") * (weigh(right) + 8))


def _widths(text: str) -> int:
    """Add up the numbers in a format: no field can be wider than one of them."""
    found = _DIGITS.findall(text)
    if any(len(number) > 4 for number in found):
        raise TooMuchError("a width is too large")
    return sum(map(int, found))


_BEFORE: Mapping[str, Callable[[Any, Any], None]] = {"*": _times, "**": _power, "%": _format}


def _require(size: int) -> None:
    """Refuse a value before it is made."""
    if size > MOST_CHARACTERS:
        raise TooMuchError(f"it makes a value of more than {MOST_CHARACTERS} characters")


def _require_width(*values: Any) -> None:
    for value in values:
        if isinstance(value, int) and abs(value) > LARGEST_WIDTH:
            raise TooMuchError(f"a width is larger than {LARGEST_WIDTH}")


def _replaced(text: str, old: Any = "", new: Any = "", *_: Any) -> None:
    count = text.count(str(old)) if str(old) else len(text) + 1
    _require(len(text) + count * len(str(new)))


def _joined(separator: Any, items: Any = (), *_: Any) -> None:
    if isinstance(items, Sized):
        _require(len(items) * len(str(separator)))


def _padded(text: str, *given: Any) -> None:
    _require_width(*given)
    _require((text.count("\t") + 1) * LARGEST_WIDTH if "\t" in text else len(text))


def _fielded(text: str, *given: Any) -> None:
    if _NESTED.search(text.replace("{{", "").replace("}}", "")):
        raise TooMuchError("a width is not written out")
    _require(len(text) + _widths(text) + text.count("{") * (sum(map(weigh, given)) + 8))


def _divided(text: str, *_: Any) -> None:
    """Pay for the pieces of a text before they are made: each takes far more memory than its characters."""
    pay(len(text) / PER_PIECE)


def _not_at_all(*_: Any) -> None:
    raise TooMuchError("this method is not for prompts")


_METHODS: Mapping[str, Callable[..., None]] = {
    "replace": _replaced,
    "join": _joined,
    "format": _fielded,
    **dict.fromkeys(("ljust", "rjust", "center", "zfill", "expandtabs"), _padded),
    **dict.fromkeys(("split", "rsplit", "splitlines"), _divided),
    **dict.fromkeys(("translate", "maketrans", "format_map"), _not_at_all),
}
"""A text's methods that can make more than they are given, and who looks at that first."""


def _indented(text: str, width: Any = 4, *_: Any) -> None:
    _require_width(width)
    size = width if isinstance(width, int) else len(str(width))
    _require(len(text) + (text.count("\n") + 1) * size)


def _squared(text: str, *_: Any) -> None:
    pay(len(text) * len(text) / MOST_SQUARED)


def _summed(_: Any, *given: Any) -> None:
    if any(isinstance(value, list | tuple) for value in given):
        raise TooMuchError("lists are not summed up")


def _rounded(_: Any, *given: Any) -> None:
    if any(isinstance(value, int) and abs(value) > 300 for value in given):
        raise TooMuchError("a precision is too large")


def _wrapped(text: str, *given: Any) -> None:
    _squared(text)
    _require(len(text) * max((len(value) for value in given if isinstance(value, str)), default=1))


def _tabulated(_: Any, *given: Any) -> None:
    if any(isinstance(value, int) and value > 16 for value in given):
        raise TooMuchError("an indent is too large")


_FILTERS: Mapping[str, Callable[..., None]] = {
    "replace": _replaced,
    "join": lambda items, separator="", *_: _joined(separator, items),
    "format": lambda text, *given: _format(str(text), given),
    "indent": _indented,
    "wordwrap": _wrapped,
    "urlize": _squared,
    "sum": _summed,
    "round": _rounded,
    "tojson": _tabulated,
    **dict.fromkeys(("title", "wordcount"), lambda text, *_: _divided(str(text))),
    **dict.fromkeys(("center", "batch", "slice"), lambda _, *given: _require_width(*given)),
}
"""The same for filters."""


def _steps(items: Iterable[Any], written: int) -> Iterator[Any]:
    """Pay for each step of a loop, and for what stands in its body."""
    for item in items:
        pay(1 + written / PER_STEP)
        yield item


class _Meter(NodeTransformer):
    """Puts a till before what Jinja's sandbox lets pass: joined texts, new lists, the steps of loops."""

    def visit_Concat(self, node: nodes.Concat) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        self.generic_visit(node)
        return _paid(nodes.Concat(node.nodes, lineno=node.lineno), "metered_concat")

    def _literal(self, node: nodes.Node) -> nodes.Node:
        self.generic_visit(node)
        return _paid(node, "metered_value") if getattr(node, "ctx", "load") == "load" else node

    visit_List = visit_Dict = visit_Tuple = _literal  # noqa: N815 - Jinja calls them so

    def visit_Getitem(self, node: nodes.Getitem) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        self.generic_visit(node)
        return _paid(node, "metered_value") if isinstance(node.arg, nodes.Slice) else node

    def visit_Compare(self, node: nodes.Compare) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        self.generic_visit(node)
        node.expr = _weighed(node.expr)
        for operand in node.ops:
            operand.expr = _weighed(operand.expr)
        return node

    def visit_For(self, node: nodes.For) -> nodes.Node:  # noqa: N802 - Jinja calls it so
        self.generic_visit(node)
        written = nodes.Const(sum(len(data.data) for data in node.find_all(nodes.TemplateData)))
        node.iter = nodes.Filter(node.iter, "metered_steps", [written], [], None, None, lineno=node.lineno)
        return node


def _weighed(node: nodes.Expr) -> nodes.Expr:
    """Have what is compared paid for, unless it was written down."""
    return node if isinstance(node, nodes.Const) else _paid(node, "metered_value")


def _paid(node: nodes.Node, name: str) -> nodes.Expr:
    if isinstance(node, nodes.Concat):
        items = nodes.List(node.nodes, lineno=node.lineno)
        return nodes.Filter(items, name, [], [], None, None, lineno=node.lineno)
    return nodes.Filter(node, name, [], [], None, None, lineno=node.lineno)


def _concat(items: list[Any]) -> str:
    weigh(items)
    return str(_made("".join(map(str, items))))


def _metered(name: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """Make a filter pay for what it is given and for what it makes."""
    look = _FILTERS.get(name)

    @wraps(function)
    def paying(*lazy: Any, **kwargs: Any) -> Any:
        # What other filters make step by step is gathered first: its length decides what it may become.
        args = [list(_steps(value, 0)) if isinstance(value, Iterator) else value for value in lazy]
        given = [value for value in (*args, *kwargs.values()) if not isinstance(value, _INSIDES)]
        pay(1 + sum(map(weigh, given)) / PER_STEP)
        if look is not None:
            subject, *rest = given
            look(str(subject) if isinstance(subject, str) else subject, *rest)
        made = function(*args, **kwargs)
        return made if isinstance(made, Iterator) else _made(made)

    return paying


_INSIDES = (Context, EvalContext, Environment)
"""What Jinja itself hands to some filters."""


class MeteredEnvironment(ImmutableSandboxedEnvironment):
    """Jinja's strictest sandbox, metered; the same row makes the same prompt."""

    intercepted_binops = frozenset({"+", "-", "*", "/", "//", "%", "**"})

    def __init__(self) -> None:
        # What is folded is worked out while a template is compiled, by whoever only looks at it.
        super().__init__(
            undefined=StrictUndefined,
            keep_trailing_newline=True,
            autoescape=False,
            finalize=_finalize,
            optimized=False,
        )
        for name in ("lipsum", "cycler", "joiner"):
            del self.globals[name]
        del self.filters["random"]
        self.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
        self.filters = {name: _metered(name, function) for name, function in self.filters.items()}
        tests = cast("Mapping[str, Callable[..., Any]]", self.tests)
        self.tests = {name: _metered("", function) for name, function in tests.items()}
        self.filters |= {"metered_concat": _concat, "metered_value": _made, "metered_steps": _steps}

    def _generate(self, source: nodes.Template, *args: Any, **kwargs: Any) -> str:
        return str(super()._generate(_Meter().visit(source), *args, **kwargs))

    def call_binop(self, context: Context, operator: str, left: Any, right: Any) -> Any:
        """Pay for an operator, before it is worked out where it could swell."""
        pay(1)
        if max(_number(left), _number(right)) > MOST_BITS:
            raise TooMuchError("a number is too long")
        if operator in _BEFORE:
            _BEFORE[operator](left, right)
        return _made(super().call_binop(context, operator, left, right))

    def call(self, context: Context, obj: Any, *args: Any, **kwargs: Any) -> Any:
        """Pay for a call; what a text's own methods would make is looked at first."""
        given = [*args, *kwargs.values()]
        pay(1 + sum(map(weigh, given)) / PER_STEP)
        _look_at_method(getattr(obj, "__wrapped__", obj), given)
        made = super().call(context, obj, *args, **kwargs)
        return made if isinstance(made, Iterator | range) else _made(made)


def _look_at_method(obj: Any, given: list[Any]) -> None:
    """Refuse a method whose result would be too long, and pay for what it looks through."""
    owner, name = getattr(obj, "__self__", None), getattr(obj, "__name__", "")
    if isinstance(owner, str | list | tuple):
        # It may be looked through from end to end, whatever comes of it.
        pay(weigh(owner) / PER_STEP)
    if isinstance(owner, str) and name in _METHODS:
        _METHODS[name](owner, *given)
    elif isinstance(owner, bytes | bytearray | int | float):
        _not_at_all()


@pass_eval_context
def _finalize(_: EvalContext, value: Any) -> Any:
    """Pay for what is written out; that it asks for a context keeps Jinja from working out constants beforehand."""
    pay(weigh(value) / PER_STEP)
    return value


def metered(render: Callable[[], T]) -> T:
    """Compile, look at or render a template with a new budget."""
    token = _BUDGET.set([BUDGET])
    try:
        return render()
    finally:
        _BUDGET.reset(token)
