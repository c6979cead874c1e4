"""A prompt file into messages: Jinja2 in a metered sandbox; a variable the row lacks is an error that names it."""

import json
from collections.abc import Iterable, Mapping
from functools import partial

from jinja2 import StrictUndefined, Template, TemplateError, UndefinedError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from ragstone.contracts.prompt_task.metered import MeteredEnvironment, metered
from ragstone.contracts.prompt_task.taskfile import Loaded, PromptFile
from ragstone.core.errors import SettingError
from ragstone.core.types import JSON, Message

_JSON_END = "_json"
# What can only fail, or only be optional, when it is rendered.
_RISKY = (nodes.Getattr, nodes.Getitem, nodes.Call, nodes.Filter, nodes.Test, nodes.If, nodes.For, nodes.BinExpr)


class PromptError(SettingError):
    """A prompt that cannot be rendered for a row; `missing` names the variable, when one is missing."""

    def __init__(self, text: str, missing: str | None = None) -> None:
        self.missing = missing
        super().__init__("plain", text=text)


class Prompt:
    """A prompt file, compiled once."""

    def __init__(self, loaded: Loaded) -> None:
        file: PromptFile = loaded.model
        self.path = loaded.path
        self.version = file.version
        self.sha256 = loaded.sha256
        self._templates = [(role, text) for role, text in (("system", file.system), ("user", file.user)) if text]
        trees = [_parse(text, str(self.path), role) for role, text in self._templates]
        self.names = _in_order(trees)
        """The variables the templates name, in the order of the text."""
        self.plain = not any(True for tree in trees for _ in tree.find_all(_RISKY))
        """Whether it does nothing but put variables into their places."""
        self._metered = not all(map(_is_bare, trees))
        self._compiled: list[tuple[str, Template | Message]] = [
            (role, _compile(role, text, tree)) for (role, text), tree in zip(self._templates, trees, strict=True)
        ]

    def render(self, values: Mapping[str, JSON]) -> tuple[Message, ...]:
        """Fill the templates."""
        return tuple(
            part if isinstance(part, Message) else Message(role, self._fill(part, values))
            for role, part in self._compiled
        )

    def _fill(self, template: Template, values: Mapping[str, JSON]) -> str:
        try:
            return metered(lambda: template.render(values)) if self._metered else template.render(values)
        except UndefinedError as error:
            there = ", ".join(values) or "none"
            missing = next((name for name in self.names if name not in values), None)
            text = f"{self.path}: {error.message}. The row gives: {there}."
            raise PromptError(text, missing) from error
        except _MISHAPS as error:
            raise PromptError(f"{self.path}: the prompt cannot be rendered: {type(error).__name__}: {error}") from error


def _environment() -> ImmutableSandboxedEnvironment:
    made = ImmutableSandboxedEnvironment(undefined=StrictUndefined, keep_trailing_newline=True, autoescape=False)
    # The same row must make the same prompt.
    del made.globals["lipsum"], made.filters["random"]
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False}
    return made


_ENV = _environment()
_METERED = MeteredEnvironment()
_MISHAPS = (
    TemplateError,
    TypeError,
    ValueError,
    ArithmeticError,
    LookupError,
    AttributeError,
    RuntimeError,
    MemoryError,
)
"""What a template that is wrong can raise, in rendering."""


def _parse(text: str, file: str, role: str) -> nodes.Template:
    try:
        # A filter that does not exist is noticed only by compiling.
        metered(lambda: _METERED.compile(text))
        return _METERED.parse(text)
    except (SyntaxError, *_MISHAPS) as error:
        line = getattr(error, "lineno", "?")
        raise SettingError("plain", text=f"{file}: {role}, line {line}: not a template: {error}") from error


def _compile(role: str, text: str, tree: nodes.Template) -> Template | Message:
    """A template without places is the same message for every row."""
    template = (_ENV if _is_bare(tree) else _METERED).from_string(text)
    bare = all(isinstance(node, nodes.Output) for node in tree.body) and not any(tree.find_all(nodes.Name))
    return Message(role, template.render()) if bare and not any(tree.find_all(_RISKY)) else template


def _is_bare(tree: nodes.Template) -> bool:
    """Return whether a template only puts variables into their places: there is nothing to pay for."""
    return all(isinstance(node, nodes.Output | nodes.TemplateData | nodes.Name) for node in tree.find_all(nodes.Node))


def _in_order(trees: Iterable[nodes.Template]) -> tuple[str, ...]:
    names: dict[str, None] = {}
    for tree in trees:
        wanted = metered(partial(meta.find_undeclared_variables, tree))
        names.update((node.name, None) for node in tree.find_all(nodes.Name) if node.name in wanted)
        names.update(dict.fromkeys(sorted(wanted)))
    return tuple(names)


def variables(
    prompt: Prompt, row: Mapping[str, JSON], serialize: Iterable[str], given: Mapping[str, JSON] | None = None
) -> dict[str, JSON]:
    """Pick from a row what a prompt names and nothing else; `news_items_json` is the field news_items as JSON.

    `given` stands before the row: what an earlier step came to. It is there as a whole, too, under the name `input`.
    """
    values = {**row, **given, "input": dict(given)} if given else row
    picked = {name: values[name] for name in prompt.names if name in values}
    for field in serialize:
        name = field + _JSON_END
        if name in prompt.names and field in values:
            picked[name] = json.dumps(values[field], ensure_ascii=False)
    return picked


def fields_of(prompt: Prompt, serialize: Iterable[str]) -> tuple[str, ...]:
    """Name the fields of a row that a prompt needs."""
    serialized = {field + _JSON_END: field for field in serialize}
    return tuple(dict.fromkeys(serialized.get(name, name) for name in prompt.names))
