"""A small exact language for places in a JSON reply.

    data.answer                     keys, one inside the other
    choices[0].message.content      a place in a list; [-1] is the last
    docs[*].name                    every item of a list
    ["odd.key"].value               a key with dots or brackets in it

Nothing is guessed: what is not there is reported, with the keys that were there.
"""

import re
from typing import TypeAlias

from ragstone.core.errors import ConnectError
from ragstone.core.types import JSON

Step: TypeAlias = str | int | None
"""A key, a place in a list, or None for every item."""

_STEP = re.compile(r"""\.?([^\s.\[\]"']+)|\[(-?\d{1,9}|\*)\]|\.?\[("[^"]+"|'[^']+')\]""")
SHOWN_KEYS = 20


class Missing(LookupError):  # noqa: N818 - what it says is what it is
    """There is nothing at a path."""

    def __init__(self, path: str, problem: str) -> None:
        self.path = path
        self.problem = problem
        super().__init__(f"{path}: {problem}")

    @property
    def told(self) -> tuple[str, str]:
        """What it was made from: an error that is kept would keep its frames, and with them the whole reply."""
        return self.path, self.problem


class Path:
    """A path that was read once and can be followed many times."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.steps = _parse(text)
        self.many = None in self.steps
        """Whether it can lead to several values."""

    def __repr__(self) -> str:
        return f"Path({self.text!r})"

    def one(self, value: JSON) -> JSON:
        """Return the value at the path; with [*] the list of all of them."""
        found = self.all(value)
        return found if self.many else found[0]

    def all(self, value: JSON) -> list[JSON]:
        """Return every value at the path; null before [*] is an empty list, anything else absent raises Missing."""
        values = [value]
        for number, step in enumerate(self.steps):
            values = self._follow(values, step, number)
            if not values and None in self.steps[: number + 1]:
                return []
        return values

    def _follow(self, values: list[JSON], step: Step, number: int) -> list[JSON]:
        """Take one step from each value; items that lack it are passed over as long as one has it."""
        found: list[JSON] = []
        hit = not values
        for value in values:
            taken = _take(value, step)
            if taken is not None:
                found.extend(taken)
                hit = True
        if not hit:
            raise Missing(self.text, _what_was_there(values[0], self.steps[:number], step))
        return found


def _take(value: JSON, step: Step) -> list[JSON] | None:
    """Take one step from one value; None when it cannot be taken."""
    if step is None:
        return (value or []) if value is None or isinstance(value, list) else None
    if isinstance(step, str):
        return [value[step]] if isinstance(value, dict) and step in value else None
    return [value[step]] if isinstance(value, list) and -len(value) <= step < len(value) else None


def _parse(text: str) -> tuple[Step, ...]:
    steps: list[Step] = []
    position = 0
    while position < len(text):
        match = _STEP.match(text, position)
        if match is None or (position == 0 and text.startswith(".")):
            raise ConnectError(
                "ask.mapping", file=f"path '{text}'", problem=f"not understood from character {position + 1}"
            )
        key, place, quoted = match.groups()
        steps.append(key or (quoted[1:-1] if quoted else None if place == "*" else int(place)))
        position = match.end()
    if not steps:
        raise ConnectError("ask.mapping", file="path ''", problem="a path is empty")
    return tuple(steps)


def _what_was_there(value: JSON, walked: tuple[Step, ...], step: Step) -> str:
    place = "".join(f"[{'*' if s is None else s}]" if not isinstance(s, str) else f".{s}" for s in walked).lstrip(".")
    at = f"at '{place}'" if place else "at the top"
    if isinstance(value, dict):
        keys = [str(key)[:60] for key in list(value)[:SHOWN_KEYS]]
        return f"{at} the keys are {', '.join(keys) or 'none'}"
    if isinstance(value, list):
        return f"{at} is a list of {len(value)}, asked for {'every item' if step is None else repr(step)}"
    return f"{at} is {_KINDS.get(type(value), type(value).__name__)}"


_KINDS: dict[type, str] = {str: "text", int: "a number", float: "a number", bool: "true or false", type(None): "null"}
