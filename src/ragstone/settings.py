"""Environment, file and flags into one frozen value, read once.

Flags win over `RAGSTONE_*` variables, these over `ragstone.toml`, this over the defaults.
"""

import os
import tomllib
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ragstone.errors import SettingError
from ragstone.language import Lang, pick_language
from ragstone.types import JSON

SETTINGS_FILE = "ragstone.toml"
PREFIX = "RAGSTONE_"


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set without naming a dataset or a system."""

    runs_dir: str = "runs"
    """Folder that holds the run folders."""
    language: Lang | None = None
    """Language of messages and verdicts; left out, messages follow the locale, verdicts the dataset."""
    concurrency: int = 8
    """Requests in flight."""
    timeout: float = 120.0
    """Seconds one case may take, all attempts together."""


def read_settings(flags: Mapping[str, JSON] | None = None, *, folder: Path | None = None) -> Settings:
    """Gather the settings for this process."""
    path = (folder or Path()) / SETTINGS_FILE
    values = _from_file(path)
    values |= _from_environment(os.environ)
    values |= {name: value for name, value in (flags or {}).items() if value is not None}
    return _convert(values, path)


def _from_file(path: Path) -> dict[str, JSON]:
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SettingError("setting.file", file=str(path), problem=str(error)) from error
    # Tables belong to rooms that read their own part ([systems.…]); single values are settings.
    return {name: value for name, value in values.items() if not isinstance(value, dict)}


def _from_environment(environ: Mapping[str, str]) -> dict[str, JSON]:
    names = {PREFIX + name.upper(): name for name in Settings.__struct_fields__}
    return {name: environ[key] for key, name in names.items() if environ.get(key)}


def _convert(values: dict[str, JSON], path: Path) -> Settings:
    if str(values.get("language", "")).lower().startswith(("en", "zh")):
        values["language"] = pick_language(str(values["language"]))
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        names = ", ".join(Settings.__struct_fields__)
        raise SettingError("setting.value", file=str(path), problem=str(error), names=names) from error
    if settings.concurrency < 1 or not settings.timeout > 0:
        raise SettingError("setting.range")
    return settings
