"""The shapes of a run's JSON files, checked before use, as a run folder may come from anywhere."""

from typing import Annotated, NotRequired, TypedDict

import msgspec
from msgspec import Meta

from ragstone.core.types import JSON, MetricSpec

Whole = Annotated[int, Meta(ge=0, lt=1 << 53)]
Some = Annotated[int, Meta(ge=1, lt=1 << 53)]
Seconds = Annotated[float, Meta(gt=0, le=1e9)]


class Config(TypedDict):
    """config.json: what was asked for."""

    dataset: str
    contract: str
    documents: str | None
    options: dict[str, JSON]
    systems: list[str]
    system_options: dict[str, JSON]
    mock: bool
    names: NotRequired[list[str]]
    language: str
    mask_private: NotRequired[bool]
    concurrency: Some
    timeout: Seconds
    repeats: Some
    max_samples: Some | None
    shard: NotRequired[str]
    span: NotRequired[tuple[Whole, Whole]]
    metrics: list[MetricSpec]


class _File(TypedDict):
    path: str
    sha256: str


class Snapshot(TypedDict):
    """model_snapshot.json: how the systems describe themselves."""

    models: dict[str, dict[str, JSON]]
    files: NotRequired[dict[str, _File] | None]


class Fingerprint(TypedDict):
    """dataset_fingerprint.json: what the dataset was."""

    sha256: NotRequired[str]
    cases: NotRequired[Whole]
    files: NotRequired[dict[str, str]]
    documents: NotRequired[dict[str, JSON] | None]
    option_files: NotRequired[dict[str, str] | None]


class Before(TypedDict):
    """How much of a journal was sealed when its run was continued, and its hash."""

    bytes: Whole
    sha256: str


class RunMeta(TypedDict):
    """run_meta.json: what the run was made of, and how it stands."""

    format_version: int
    run_id: str
    status: NotRequired[str]
    expected: NotRequired[Whole | None]
    interrupted: NotRequired[Whole | None]
    calls: NotRequired[Whole | None]
    scorer_parts: NotRequired[dict[str, str] | None]
    files_sha256: NotRequired[dict[str, str] | None]
    altered: NotRequired[list[str]]
    answers_before: NotRequired[Before]
    judge_order: NotRequired[dict[str, JSON]]


SHAPES: dict[str, type] = {
    "config.json": Config,
    "model_snapshot.json": Snapshot,
    "dataset_fingerprint.json": Fingerprint,
    "run_meta.json": RunMeta,
}


MOST_LEVELS = 100
"""Levels of a JSON file of a run: what is nested deeper cannot be walked through everywhere."""


def check_shape(name: str, value: JSON) -> None:
    """Refuse a value that is not what a file of this name holds; raises ValidationError or ValueError."""
    _refuse_depth(value)
    if (shape := SHAPES.get(name)) is not None:
        msgspec.convert(value, shape)


def _refuse_depth(value: JSON) -> None:
    level = [value]
    for _ in range(MOST_LEVELS):
        inner = [one for one in level if isinstance(one, dict | list)]
        level = [item for one in inner for item in (one.values() if isinstance(one, dict) else one)]
        if not level:
            return
    raise ValueError(f"nested more than {MOST_LEVELS} levels deep")
