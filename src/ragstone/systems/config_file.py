"""A user's JSON or YAML file as plain data; what cannot be read is an error that names the file."""

from pathlib import Path

import msgspec

from ragstone.core.errors import ConnectError
from ragstone.core.types import JSON

MAX_BYTES = 4 << 20


def read_config(path: Path) -> dict[str, JSON]:
    """Read a file that holds one mapping; `.json` as JSON, anything else as YAML."""
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise ConnectError("ask.file", file=str(path), problem=error.strerror or str(error)) from error
    if len(raw) > MAX_BYTES:
        raise ConnectError("ask.file", file=str(path), problem=f"longer than {MAX_BYTES} bytes")
    try:
        value: JSON = _parse(path, raw.removeprefix(b"\xef\xbb\xbf"))
    except (msgspec.DecodeError, ValueError, RecursionError) as error:
        raise ConnectError("ask.file", file=str(path), problem=" ".join(str(error).split())) from error
    if not isinstance(value, dict):
        raise ConnectError("ask.file", file=str(path), problem="expected a mapping at the top")
    return value


def _parse(path: Path, raw: bytes) -> JSON:
    if path.suffix.lower() == ".json":
        return msgspec.json.decode(raw)
    import yaml  # noqa: PLC0415 - slow to import, and most systems are described without it

    from ragstone.datasets.yaml_text import load_yaml, problem_of  # noqa: PLC0415

    try:
        return load_yaml(raw.decode("utf-8"))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(problem_of(error)) from error
