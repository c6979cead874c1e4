"""What the command line says: help in the user's language, errors without a traceback."""

import os
from errno import EACCES, EEXIST, EISDIR, ELOOP, ENAMETOOLONG, ENOSPC, ENOTDIR, EPERM, EROFS
from typing import TYPE_CHECKING

import click

from ragstone.cli.front import choose
from ragstone.cli.program import as_typed

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ragstone.core.errors import UserError
    from ragstone.core.language import Lang, Text
    from ragstone.core.types import Finding

__all__ = ["choose", "show_error", "show_findings", "show_warning"]

MOST_SHOWN = 50
"""Findings printed; the rest is counted."""
MOST_ALIKE = 3
"""Warnings of the same words that are printed; the rest is counted."""
MOST_OF_A_NAME = 80
_OF_A_PATH = frozenset({ENAMETOOLONG, ENOTDIR, EISDIR, EEXIST, EACCES, EPERM, EROFS, ENOSPC, ELOOP})
"""Errors of a path the user gave, wherever it is first used."""


def show_error(error: Exception, renamed: "Mapping[str, str] | None" = None) -> bool:
    """Print an error the user can fix; return whether it was one. `renamed` are flags a program has by other names."""
    from ragstone.core.errors import DatasetError, SettingError, UserError  # noqa: PLC0415 - `--help` must stay quick
    from ragstone.core.language import pick_language  # noqa: PLC0415
    from ragstone.core.masking import hide_addresses  # noqa: PLC0415
    from ragstone.text.visible import visible_block  # noqa: PLC0415

    if isinstance(error, OSError) and error.errno in _OF_A_PATH and error.filename:
        error = SettingError("path.unusable", file=_shown(error.filename), problem=error.strerror)
    if not isinstance(error, UserError):
        return False
    lang = pick_language(choose("en", "zh-Hans", "zh-Hant"))
    said = error.say(lang)
    for flag, other in (renamed or {}).items():
        said = said.replace(flag, other)
    click.echo(f"{_level('error')}{visible_block(hide_addresses(as_typed(said)))}", err=True)
    if isinstance(error, DatasetError):
        show_findings(error.findings, error.phrases)
    return True


def _shown(name: str | bytes) -> str:
    """Show a file's name, cut where it is too long to be one."""
    text = os.fsdecode(name)
    return text if len(text) <= MOST_OF_A_NAME else f"{text[:MOST_OF_A_NAME]}…"


def show_warning(error: "UserError", lang: "Lang") -> None:
    """Print what went wrong beside a result that stands."""
    from ragstone.text.visible import visible_line  # noqa: PLC0415 - `--help` must stay quick

    word = "warning: " if lang == "en" else "警告："
    click.echo(visible_line(f"{word}{as_typed(error.say(lang))}"), err=True)


def show_findings(findings: "tuple[Finding, ...]", phrases: "Mapping[str, Text]", *, err: bool = True) -> None:
    """Print findings one a line: place, case, what."""
    from ragstone.core.language import pick_language  # noqa: PLC0415
    from ragstone.core.messages import phrase  # noqa: PLC0415
    from ragstone.text.visible import visible_line  # noqa: PLC0415

    lang = pick_language(choose("en", "zh-Hans", "zh-Hant"))
    findings, alike = _folded(findings)
    for finding in findings[:MOST_SHOWN]:
        named = choose(f"case {finding.case_id}: ", f"用例 {finding.case_id}：", f"用例 {finding.case_id}：")
        case = named if finding.case_id else ""
        words = phrase(phrases, finding.code, finding.params, lang)
        click.echo(visible_line(f"  {finding.position}: {case}{_level(finding.level)}{words}"), err=err)
        if more := alike.get(id(finding)):
            same = choose(f"the same for {more} more", f"另有 {more} 处相同", f"另有 {more} 處相同")
            click.echo(f"    {same}", err=err)
    if len(findings) > MOST_SHOWN:
        rest = len(findings) - MOST_SHOWN
        click.echo("  " + choose(f"… and {rest} more", f"……另有 {rest} 处", f"……另有 {rest} 處"), err=err)


def _level(level: str) -> str:
    """Return what a line begins with: how much its finding matters."""
    return {
        "error": choose("error: ", "错误："),
        "warning": choose("warning: ", "警告："),
        "note": choose("note: ", "提示："),
    }[level]


def _folded(findings: "tuple[Finding, ...]") -> "tuple[tuple[Finding, ...], dict[int, int]]":
    """Leave out warnings that say word for word what MOST_ALIKE before them said; count them by the last one shown."""
    kept: list[Finding] = []
    seen: dict[str, list[Finding]] = {}
    alike: dict[int, int] = {}
    for finding in findings:
        others = seen.setdefault(f"{finding.code}{finding.params}", [])
        if finding.level == "warning" and len(others) == MOST_ALIKE:
            alike[id(others[-1])] = alike.get(id(others[-1]), 0) + 1
        else:
            kept.append(finding)
            others.append(finding)
    return tuple(kept), alike
