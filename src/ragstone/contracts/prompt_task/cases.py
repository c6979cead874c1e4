"""JSONL rows into cases: the user's fields as they are, labels apart from what the prompt may show."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path

from msgspec import Struct

from ragstone.contracts.prompt_task.prompts import Prompt, PromptError, fields_of, variables
from ragstone.core.types import JSON, Case, Finding
from ragstone.datasets.rows import Row, read_rows

LABEL_START = "gt_"
IDS = ("sample_id", "id")
GROUPS = ("type", "category", "difficulty", "tags")


class Gold(Struct, frozen=True):
    """A row with its field_mapping applied: labels and inputs by the names the task uses."""

    row: dict[str, JSON]


def row_of(case: Case) -> dict[str, JSON]:
    """Return the row this contract put into a case."""
    assert isinstance(case.gold, Gold)
    return case.gold.row


class Reader(Struct, frozen=True, kw_only=True):
    """What is needed to turn the rows of one dataset into cases."""

    path: Path
    prompt: Prompt
    mapping: Mapping[str, str]
    serialize: tuple[str, ...]
    labels: frozenset[str]
    """Fields that hold what is wanted, beside those that begin with gt_."""
    later: frozenset[str] = frozenset()
    """Fields that come from an earlier step and not from the row; `*` stands for any."""

    def load(self) -> Iterator[Case | Finding]:
        """Stream the cases, and a finding for every row that is none."""
        needs = fields_of(self.prompt, self.serialize)
        for item in read_rows(self.path):
            if isinstance(item, Finding):
                yield item
            else:
                yield self._case(item, needs)

    def _case(self, row: Row, needs: tuple[str, ...]) -> Case | Finding:
        mapped = mapped_row(row.value, self.mapping)
        case_id = _id(row)
        fault = self._fault(row, mapped, needs, case_id)
        if fault:
            return fault
        shown = [name for name in needs if name in mapped]
        return Case(
            id=case_id,
            question=_question(mapped, shown),
            gold=Gold(mapped),
            inputs={name: mapped[name] for name in shown},
            groups=_groups(row.value),
            position=row.position,
            extra={name: value for name, value in row.value.items() if name not in shown and not self.is_label(name)},
        )

    def is_label(self, name: str) -> bool:
        """Whether a field holds what is wanted of the answer."""
        return name.startswith(LABEL_START) or name in self.labels

    def _fault(self, row: Row, mapped: dict[str, JSON], needs: tuple[str, ...], case_id: str) -> Finding | None:
        """Return why the prompt cannot be made from a row; quick where nothing is missing and nothing can fail."""
        missing = [name for name in needs if name not in mapped and name not in self.later]
        if (not missing and self.prompt.plain) or "*" in self.later or self.later & set(needs):
            return None
        try:
            self.prompt.render(variables(self.prompt, mapped, self.serialize))
        except PromptError as error:
            own = [name for name in row.value if not self.is_label(name)]
            params: dict[str, JSON] = {"fields": ", ".join(own)}
            params |= {"field": missing, "hint": _hint(missing, own)} if missing else {"problem": error.params["text"]}
            code = "check.prompt_field" if missing else "check.prompt"
            return Finding(level="error", code=code, position=row.position, case_id=case_id, params=params)
        return None


def _hint(missing: Sequence[str], own: Sequence[str]) -> str:
    """Write the mapping that would give the missing fields; what resembles nothing is left open.

    >>> _hint(["news_items", "x"], ["news_item"])
    'field_mapping: {news_item: news_items, …: x}'
    """
    near = [next(iter(get_close_matches(name, own, 1, 0.6)), "…") for name in missing]
    pairs = (f"{source}: {name}" for source, name in zip(near, missing, strict=True))
    return f"field_mapping: {{{', '.join(pairs)}}}"


def mapped_row(row: dict[str, JSON], mapping: Mapping[str, str]) -> dict[str, JSON]:
    """Give fields the names the task knows them by, beside their own."""
    if not mapping:
        return row
    return row | {name: row[source] for source, name in mapping.items() if source in row}


def _id(row: Row) -> str:
    for name in IDS:
        value = row.value.get(name)
        if isinstance(value, str | int) and not isinstance(value, bool) and str(value).strip():
            return str(value)
    return f"L{row.position.line}"


def _question(row: Mapping[str, JSON], names: Iterable[str]) -> str:
    """What tells a row from others: its own question, or what the prompt shows of it."""
    own = row.get("question")
    if isinstance(own, str) and own.strip():
        return own
    texts = [(name, row[name]) for name in names]
    if len(texts) == 1:
        return _shown(texts[0][1])
    return "\n".join(f"{name}: {_shown(value)}" for name, value in texts)


def _shown(value: JSON) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return "; ".join(map(_shown, value))
    if isinstance(value, dict):
        return ", ".join(map(_shown, value.values()))
    return "" if value is None else str(value)


def _groups(row: Mapping[str, JSON]) -> dict[str, tuple[str, ...]]:
    found = {}
    for name in GROUPS:
        value = row.get(name)
        values = value if isinstance(value, list) else [value]
        if names := tuple(item for item in values if isinstance(item, str) and item):
            found[name] = names
    return found
