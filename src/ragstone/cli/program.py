"""How this process was started, so that the next command we print can be typed as printed.

`uv run ragstone` in a clone, `ragstone` on the PATH, `python -m ragstone`, a script that is not on the PATH.
Only what every Python has loaded is imported at once: the front page names a next command, too.
"""

import os
import sys

NAME = "ragstone"
_PLAIN = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_")
"""What no shell takes for anything else."""


def program() -> str:
    """Return what is typed before a command: `ragstone`, or what takes its place here."""
    return _quoted(_started())


def command(*words: object) -> str:
    """Return a command as it can be typed, its words quoted where a shell needs it."""
    return f"{program()} {_quoted([str(word) for word in words])}"


def as_typed(sentence: str) -> str:
    """Write the commands that a sentence names as they can be typed."""
    if (start := program()) == NAME:
        return sentence
    import re  # noqa: PLC0415 - the front page does without it

    from ragstone.cli.front import COMMANDS  # noqa: PLC0415 - it needs this file

    return re.sub(rf"(?<![\w./-]){NAME}(?= (?:{'|'.join(COMMANDS)})\b)", lambda _: start, sentence)


def _started() -> list[str]:
    """Return the words that start us, as the user typed them where that can be known."""
    uv, (folder, name) = _line_of_uv(), os.path.split(sys.argv[0])
    if os.path.basename(folder) == NAME and name == "__main__.py":
        return _before_ours(uv) or _before_ours([_short(sys.orig_argv[0]), *sys.orig_argv[1:]])
    if name.removesuffix(".exe") == NAME:
        return _before_ours(uv) or [_short(sys.argv[0])]
    # Another program that shows our hints, such as `python -m bench.cli.runner`.
    return ["uv", "run", NAME] if uv else [NAME] if _on_path(NAME) else [_short(sys.executable), "-m", NAME]


def _before_ours(line: list[str]) -> list[str]:
    """Return a command line without the arguments that are ours, or nothing where it does not end with them."""
    end = len(line) - len(sys.argv) + 1
    return line[:end] if line[end:] == sys.argv[1:] else []


def _line_of_uv() -> list[str]:
    """Return the command line of the `uv run` that started us, or nothing."""
    if "UV" not in os.environ:
        return []
    try:
        with open(f"/proc/{os.getppid()}/cmdline", "rb") as file:
            first, *others = (os.fsdecode(word) for word in file.read().split(b"\0")[:-1])
    except (OSError, ValueError):
        return ["uv", "run", NAME, *sys.argv[1:]] if "UV_RUN_RECURSION_DEPTH" in os.environ else []
    return [_short(first), *others] if os.path.basename(first) in {"uv", "uvx"} else []


def _short(path: str) -> str:
    """Return a program's name where the PATH leads to it, else its path."""
    name = os.path.basename(path)
    found = _on_path(name)
    return name if found and os.path.exists(path) and os.path.samefile(found, path) else path


def _on_path(name: str) -> str:
    places = (os.path.join(folder, name) for folder in os.get_exec_path())
    return next((place for place in places if os.access(place, os.X_OK) and os.path.isfile(place)), "")


def _quoted(words: list[str]) -> str:
    if all(word and _PLAIN.issuperset(word) for word in words):
        return " ".join(words)
    from shlex import join  # noqa: PLC0415 - the front page does without it

    return join(words)
