"""Reads environment, file and flags once into one frozen value.

Flags win over `RAGSTONE_*` variables, these over `ragstone.toml`, this over the defaults.
"""

import math
import os
import re
from collections.abc import Mapping
from pathlib import Path

import msgspec

from ragstone.core.errors import SettingError
from ragstone.core.language import LANGS, Lang, pick_language
from ragstone.core.types import JSON

SETTINGS_FILE = "ragstone.toml"
PREFIX = "RAGSTONE_"
TABLES = ("systems", "datasets", "reading", "judge", "review")
LISTS = ("allowed_hosts", "allowed_endpoints", "metric_modules", "offline_allow")
"""Settings that are lists; in the environment their items stand apart by commas."""


MAX_CHARACTERS = 1 << 16
"""Python's reader of TOML takes the square of a long dotted key's length; no settings file is this long."""


DEFAULT_TIMEOUT = 120.0
"""Seconds an attempt may take by default."""


class DatasetEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A dataset with what it needs besides its own file."""

    path: str
    label: str = ""
    contract: str | None = None
    documents: str | None = None
    options: dict[str, JSON] = {}


class ReadingEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the reader of answers."""

    glossary: str = ""
    """File of words that mean the same."""


class JudgeEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the judge that decides what rules leave open."""

    judge: str | tuple[str, ...] = ()
    """`chat:MODEL`, a name of a [systems] table, or several of them: a jury."""
    options: dict[str, JSON] = {}
    """Options of the judges, such as base_url and max_cost."""
    listen: str = ""
    """`margin` or `quote`; left out, whichever the endpoint can give."""
    certificate: str = "judge.json"
    """Where its certificate lies."""
    labels: str = ""
    """File of labels; left out, labels.jsonl beside the runs."""


class ReviewEntry(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Settings of the review of runs in the page."""

    share: float | None = None
    """Share of the questions that two people decide; left out, 0.2 where there are several people, else none."""
    lock_seconds: float = 300.0
    """Seconds for which a question is reserved for the reviewer it was shown to."""
    half_width: float = 0.04
    """Half the width that the interval of an estimate shall have."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Everything that can be set without naming a dataset or a system."""

    runs_dir: str = "runs"
    """Folder that holds the run folders."""
    language: Lang | None = None
    """Language of messages and verdicts; left out, messages follow the locale, verdicts the dataset."""
    concurrency: int = 8
    """Requests in flight, for each system."""
    timeout: float = DEFAULT_TIMEOUT
    """Seconds one attempt at a case may take; waits before an attempt and between two do not count."""
    mask_private: bool = False
    """Hide id numbers, phones, addresses and accounts in lines and reports."""
    metric_modules: tuple[str, ...] = ()
    """Modules whose functions a task file may name as metrics; without them a task file runs no code."""
    offline: bool = False
    """Refuse every connection but to this machine and to what `offline_allow` names."""
    offline_allow: tuple[str, ...] = ()
    """Addresses, networks (10.0.0.0/8) and names (host.name, .example.org) that may be connected to all the same."""
    reading: ReadingEntry = ReadingEntry()
    """How answers are read, as the table [reading] of ragstone.toml."""
    judge: JudgeEntry = JudgeEntry()
    """Who decides what rules leave open, as the table [judge] of ragstone.toml."""
    review: ReviewEntry = ReviewEntry()
    """How people review runs, as the table [review] of ragstone.toml."""
    systems: dict[str, dict[str, JSON]] = {}
    """Systems by name, as [systems.NAME] tables of ragstone.toml: `system` names it, the rest are its options."""
    datasets: dict[str, DatasetEntry] = {}
    """Datasets the page offers by name, as [datasets.NAME] tables of ragstone.toml."""
    datasets_dir: str = "datasets"
    """Folder of the datasets the page offers; files dropped on the page are kept there."""
    host: str = "127.0.0.1"
    """Address the page listens on; any but this machine's own needs a token."""
    port: int = 8000
    """Port the page listens on."""
    token: str = ""
    """What a browser must give to log in, and a program as bearer."""
    people: str = ""
    """File of the people who may come in, each with a token and a role of their own (people.toml)."""
    max_jobs: int = 2
    """Runs the page works on at once; others wait their turn."""
    max_upload_mb: int = 64
    """Largest dataset that can be dropped on the page."""
    allowed_hosts: tuple[str, ...] = ()
    """Names the page may be reached by, besides this machine's own."""
    allowed_endpoints: tuple[str, ...] = ()
    """Addresses a browser user may enter (https://rag.example.com), besides this machine's own."""


def read_settings(flags: Mapping[str, JSON] | None = None, *, folder: Path | None = None) -> Settings:
    """Gather the settings for this process."""
    path = (folder or Path()) / SETTINGS_FILE
    kept, told = _from_file(path), _from_environment(os.environ)
    typed = {name: value for name, value in (flags or {}).items() if value is not None}
    origins = {name: f"{path}: {name}" for name in kept} | {name: PREFIX + name.upper() for name in told}
    return _convert(kept | told | typed, path, origins | dict(zip(typed, typed, strict=True)))


def _from_file(path: Path) -> dict[str, JSON]:
    try:
        text = path.read_text(encoding="utf-8")
        import tomllib  # noqa: PLC0415 - most folders have no such file

        if len(text) > MAX_CHARACTERS:
            raise ValueError(f"longer than {MAX_CHARACTERS} characters")
        values = tomllib.loads(text)
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, RecursionError) as error:
        raise SettingError("setting.file", file=str(path), problem=str(error)) from error
    # Other tables belong to modules that read their own part; single values and these are settings.
    return {name: value for name, value in values.items() if name in TABLES or not isinstance(value, dict)}


def _from_environment(environ: Mapping[str, str]) -> dict[str, JSON]:
    names = {PREFIX + name.upper(): name for name in Settings.__struct_fields__ if name not in TABLES}
    return {name: environ[key] for key, name in names.items() if environ.get(key)}


def _convert(values: dict[str, JSON], path: Path, origins: Mapping[str, str]) -> Settings:
    if (wish := values.get("language")) is not None:
        if not str(wish).lower().startswith(("en", "zh")):
            raise SettingError("setting.language", found=str(wish), known=", ".join(LANGS))
        values["language"] = pick_language(str(wish))
    for name in LISTS:
        if isinstance(values.get(name), str):
            values[name] = [item.strip() for item in values[name].split(",") if item.strip()]
    try:
        settings = msgspec.convert(values, Settings, strict=False)
    except msgspec.ValidationError as error:
        _name_the_wrong_one(values, origins)
        raise SettingError("setting.value", file=str(path), problem=str(error), names=_names(str(error))) from error
    if settings.concurrency < 1:
        raise SettingError("setting.concurrency", name=origins["concurrency"], value=str(values["concurrency"]))
    if not 0 < settings.timeout < math.inf:
        raise SettingError("setting.timeout", name=origins["timeout"], value=str(values["timeout"]))
    return settings


def _names(problem: str) -> str:
    """List what may be set where something is wrong: in a table of its own, or at the top."""
    tables = {"reading": ReadingEntry, "judge": JudgeEntry, "review": ReviewEntry, "datasets": DatasetEntry}
    found = _TABLE.search(problem)
    kind = tables.get(found[1], Settings) if found else Settings
    return ", ".join(kind.__struct_fields__)


def _name_the_wrong_one(values: Mapping[str, JSON], origins: Mapping[str, str]) -> None:
    """Raise SettingError for the first single value of a wrong type, naming its origin."""
    for field in msgspec.structs.fields(Settings):
        if field.type not in _KINDS or field.name not in values:
            continue
        try:
            msgspec.convert(values[field.name], field.type, strict=False)
        except msgspec.ValidationError as error:
            name, value = origins[field.name], values[field.name]
            raise SettingError(_KINDS[field.type], name=name, value=str(value)) from error


_TABLE = re.compile(r"at `\$\.(\w+)")
"""Where msgspec says what a problem is about."""
_KINDS = {int: "setting.whole", float: "setting.number", bool: "setting.switch", str: "setting.text"}
"""What is said of a value that is none of its kind."""
