"""Click's own words in the reader's language: usage lines, headings, and what is wrong with a command line.

English is left to click itself. A sentence that is not known here is shown as click says it.
"""

import re
from collections.abc import Iterable
from typing import Any

import click

from ragstone.cli.front import choose

CHINESE = choose("", "zh") == "zh"

_WORDS = {
    "Options": choose("Options", "选项"),
    "Commands": choose("Commands", "命令"),
    "Positional arguments": choose("Positional arguments", "参数"),
    "Show this message and exit.": choose("Show this message and exit.", "显示本说明并退出。"),
    "Show the version and exit.": choose("Show the version and exit.", "显示版本并退出。"),
}
_USAGE = {
    "[OPTIONS]": choose("[OPTIONS]", "[选项]"),
    "COMMAND": choose("COMMAND", "命令"),
    "[ARGS]": choose("[ARGS]", "[参数]"),
}
_MARKS = (
    (re.compile(r"(?<=[\[ ])default: (?=[^\[\]]*\]$)"), choose("default: ", "默认：")),
    (re.compile(r"(?<=[\[ ])required\]$"), choose("required]", "必填]")),
)
_NUMBERS = {"integer": choose("integer", "整数"), "float": choose("float", "数")}
_SENTENCES = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (r"(.+) is not in the range (.+)\.", choose("", "{0} 不在范围 {1} 之内。")),
        (r"(.+) is not a valid (integer|float)(?: range)?\.", choose("", "{0} 不是{1}。")),
        (r"(.+) is not one of (.+)\.", choose("", "{0} 不在可选值之中：{1}。")),
        (r"Option (.+) requires an argument\.", choose("", "选项 {0} 需要一个值。")),
        (r"Option (.+) does not take a value\.", choose("", "选项 {0} 不带值。")),
        (r"Got unexpected extra arguments? \((.+)\)", choose("", "多余的参数：{0}。")),
        (r"Missing command\.", choose("", "缺少命令。")),
        (r"Choose from:\s*(.+)", choose("", "可选：{0}。")),
        (r"\w+ ('.+') does not exist\.", choose("", "{0} 不存在。")),
        (r"\w+ ('.+') is a directory\.", choose("", "{0} 是文件夹。")),
        (r"\w+ ('.+') is a file\.", choose("", "{0} 是文件。")),
        (r"\w+ ('.+') is not readable\.", choose("", "{0} 不可读。")),
        (r"\w+ ('.+') is not writable\.", choose("", "{0} 不可写。")),
    )
)


class _Formatter(click.HelpFormatter):
    """Writes a help page with Chinese headings and marks."""

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        """Write the usage line."""
        for word, ours in _USAGE.items():
            args = args.replace(word, ours)
        super().write_usage(prog, args, choose("", "用法：") if prefix is None else prefix)

    def write_heading(self, heading: str) -> None:
        """Write a heading, with the colon its language has."""
        self.write(f"{'':>{self.current_indent}}{_WORDS.get(heading, heading)}：\n")

    def write_dl(self, rows: Iterable[tuple[str, str]], *sizes: Any, **named: Any) -> None:
        """Write the options and what they are for."""
        super().write_dl([(term, _mark(text)) for term, text in rows], *sizes, **named)


def _mark(text: str) -> str:
    text = _WORDS.get(text, text)
    for pattern, ours in _MARKS:
        text = pattern.sub(ours, text)
    return text


class _Context(click.Context):
    formatter_class = _Formatter


def speak(command: click.Command) -> click.Command:
    """Make a command's help follow the reader's language."""
    if CHINESE:
        command.context_class = _Context
    return command


def show_misuse(error: click.ClickException) -> None:
    """Print what is wrong with a command line, and what is easily forgotten."""
    _show(error)
    extra = re.search(r"unexpected extra arguments? \((\w+:\S+)", error.format_message())
    if extra:
        hint = f"--system {extra[1].rstrip(')')}"
        words = choose("Systems go after --system:", "系统写在 --system 之后：")
        click.echo(f"{words} {hint}", err=True)


def _show(error: click.ClickException) -> None:
    if not CHINESE or isinstance(error, click.exceptions.NoArgsIsHelpError):
        error.show()
        return
    if isinstance(error, click.UsageError) and error.ctx is not None:
        path = error.ctx.command_path
        click.echo(error.ctx.get_usage(), err=True)
        click.echo(choose("", f"试试 '{path} --help'。\n", f"試試 '{path} --help'。\n"), err=True)
    click.echo(f"{choose('', '错误')}：{_say(error)}", err=True)


def _say(error: click.ClickException) -> str:
    """Translate an error by its class, and the sentence inside it by its pattern."""
    if isinstance(error, click.NoSuchOption):
        return choose("", f"没有选项 '{error.option_name}'。", f"沒有選項 '{error.option_name}'。") + _near(error)
    if isinstance(error, click.exceptions.NoSuchCommand):
        return choose("", f"没有命令 '{error.command_name}'。", f"沒有命令 '{error.command_name}'。") + _near(error)
    if isinstance(error, click.MissingParameter):
        return _missing(error)
    if isinstance(error, click.BadParameter):
        return choose("", f"{_hint(error)} 的值有误：", f"{_hint(error)} 的值有誤：") + _sentence(error.message)
    return _sentence(error.format_message())


def _near(error: "click.NoSuchOption | click.exceptions.NoSuchCommand") -> str:
    if not error.possibilities:
        return ""
    names = "、".join(f"'{name}'" for name in sorted(error.possibilities))
    return choose("", f"是否指 {names}？", f"是否指 {names}？")


def _missing(error: click.MissingParameter) -> str:
    kind = error.param_type or (error.param.param_type_name if error.param else "")
    noun = choose("", "选项") if kind == "option" else choose("", "参数")
    more = error.param.type.get_missing_message(param=error.param, ctx=error.ctx) if error.param else None
    return choose("", "缺少") + f"{noun} {_hint(error)}。" + (_sentence(more) if more else "")


def _hint(error: click.BadParameter) -> str:
    hint = error.param_hint or (error.param.get_error_hint(error.ctx) if error.param else "")
    return hint if isinstance(hint, str) else " / ".join(f"'{name}'" for name in hint)


def _sentence(text: str) -> str:
    """Translate one of click's sentences; leave any other as it is."""
    for pattern, ours in _SENTENCES:
        if found := pattern.fullmatch(text):
            pieces = (re.sub(r",\s+", "、", piece) for piece in found.groups())
            return ours.format(*(_NUMBERS.get(piece, piece) for piece in pieces))
    return text
