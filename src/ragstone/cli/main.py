"""`ragstone`: the list of commands, how errors are shown, and the exit codes.

0 fine · 1 a gate failed · 2 the user must fix something · 3 not measured or partial · 130 stopped
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from itertools import pairwise
from typing import NoReturn

import click

from ragstone.cli.front import COMMANDS, choose, front_page
from ragstone.cli.usage import show_misuse, speak


class LazyGroup(click.Group):
    """Knows its commands by name and imports one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        found: click.Command = getattr(import_module(module), attribute)
        found.epilog = import_module("ragstone.cli.examples").epilog(name)
        return speak(found)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Find the command that is meant, or name those it may have been."""
        try:
            return super().resolve_command(ctx, args)
        except click.exceptions.NoSuchCommand as error:
            raise click.exceptions.NoSuchCommand(error.command_name, possibilities=COMMANDS, ctx=ctx) from None

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Give the command the options that stand before it."""
        early, args = _before_command(args)
        known = self.get_command(ctx, args[0]) if early and args else None
        if known is not None:
            ours = {name for param in known.params for name in param.opts}
            # Every command speaks a language, though few have the option: their words follow the environment.
            given = (part for word in early if word[0] != "--lang" or "--lang" in ours for part in word)
            args = [args[0], *given, *args[1:]]
        return super().parse_args(ctx, args)

    def get_help(self, ctx: click.Context) -> str:
        """Show the front page."""
        return front_page().rstrip("\n")


_EARLY = {"--lang": 1, "--log-file": 1, "--verbose": 0, "-v": 0, "--quiet": 0, "-q": 0, "--offline": 0}
"""Options of commands that may also stand before the command, and whether a value follows."""


def _before_command(args: list[str]) -> tuple[list[tuple[str, ...]], list[str]]:
    """Part the options before the command from the rest; the language counts from here on."""
    early: list[tuple[str, ...]] = []
    while args and (name := args[0].partition("=")[0]) in _EARLY:
        size = 1 + (_EARLY[name] if "=" not in args[0] else 0)
        word = tuple(args[0].split("=", 1)) if "=" in args[0] else tuple(args[:size])
        if name == "--lang" and len(word) == 2:
            os.environ["RAGSTONE_LANGUAGE"] = word[1]
        early.append(word)
        args = args[size:]
    return early, args


def _tell_version(ctx: click.Context, parameter: click.Parameter, given: bool) -> None:
    if given:
        from ragstone.version import full_version  # noqa: PLC0415 - a clone asks git

        click.echo(f"ragstone {full_version()}")
        ctx.exit()


@click.command(
    cls=LazyGroup,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(*("-V", "--version"), is_flag=True, expose_value=False, is_eager=True, callback=_tell_version)
def cli() -> None:
    """Stand for all commands."""


def _keep_offline() -> None:
    wish = os.environ.get("RAGSTONE_OFFLINE", "")
    if wish.lower() in {"", "0", "false"}:
        return
    from ragstone.cli.flags import go_offline  # noqa: PLC0415 - only where it is asked for
    from ragstone.core.errors import SettingError  # noqa: PLC0415

    go_offline()
    if wish.lower() not in {"1", "true"}:
        raise SettingError("setting.switch", name="RAGSTONE_OFFLINE", value=wish)


def _tell_refusals() -> None:
    """Print which connections offline mode refused, as a library may have swallowed the error."""
    if (offline := sys.modules.get("ragstone.core.offline")) is None:
        return
    from ragstone.core.language import pick_language  # noqa: PLC0415
    from ragstone.core.messages import message  # noqa: PLC0415
    from ragstone.text.visible import visible_line  # noqa: PLC0415

    lang = pick_language(choose("en", "zh-Hans", "zh-Hant"))
    for refusal, n in offline.refusals().items():
        click.echo(visible_line(message("offline.told").say(lang, {"n": n, **refusal._asdict()})), err=True)


def _show_bug() -> None:
    """Print the traceback of a mistake of ours, without the keys that a message in it may name."""
    import traceback  # noqa: PLC0415 - only for what should not happen

    from ragstone.core.masking import hide_foreign  # noqa: PLC0415
    from ragstone.text.visible import visible_block  # noqa: PLC0415

    click.echo(visible_block(hide_foreign(traceback.format_exc())), err=True, nl=False)


@contextmanager
def _speaking_as_asked(words: list[str]) -> Iterator[None]:
    """Let an error follow the language that was asked for behind the command."""
    before = dict(os.environ)
    for word, value in pairwise([*words, ""]):
        if word == "--lang" or word.startswith("--lang="):
            os.environ["RAGSTONE_LANGUAGE"] = word.partition("=")[2] or value
    try:
        yield
    finally:
        os.environ.pop("RAGSTONE_LANGUAGE", None)
        os.environ.update(before)


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        _keep_offline()
        code = speak(cli).main(prog_name="ragstone", standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        show_misuse(error)
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:  # noqa: BLE001 - the last handler: every error is shown
        from ragstone.cli.wording import show_error  # noqa: PLC0415 - errors need modules that --help does not

        with _speaking_as_asked(sys.argv[1:]):
            shown = show_error(error)
        if shown:
            sys.exit(2)
        _show_bug()
        sys.exit(1)
    finally:
        _tell_refusals()
    sys.exit(code if isinstance(code, int) else 0)
