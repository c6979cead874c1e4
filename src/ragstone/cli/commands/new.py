"""`new`: starter files that run as they are."""

import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import click
from msgspec.json import encode

from ragstone.cli import flags
from ragstone.cli.front import is_english
from ragstone.cli.program import command
from ragstone.cli.wording import choose, show_findings
from ragstone.core.errors import SettingError
from ragstone.core.registry import contract_names
from ragstone.core.types import JSON, Case
from ragstone.datasets.columns import FIELDS, Columns, cell, find_columns, row_id
from ragstone.datasets.formats import form_of
from ragstone.datasets.rows import Row, read_rows
from ragstone.text.nearest import nearest
from ragstone.text.visible import visible_line

PACKAGE = Path(__file__).parents[2]
TEMPLATES = PACKAGE / "data" / "new"
IN_ENGLISH = PACKAGE / "data" / "new_en"
"""Sample data in English; a file here replaces the one of the same path in TEMPLATES."""
SCHEMAS = {
    **{path.name: path for path in (PACKAGE / "data" / "schemas").glob("*.schema.json")},
    "task.schema.json": PACKAGE / "contracts" / "prompt_task" / "task.schema.json",
    "prompt.schema.json": PACKAGE / "contracts" / "prompt_task" / "prompt.schema.json",
    "eval_json_v2.schema.json": PACKAGE / "contracts" / "eval_json_v2" / "question.schema.json",
    "legal_rag.schema.json": PACKAGE / "contracts" / "legal_rag" / "schema.json",
}
"""JSON Schemas of the files users write; starter files name theirs in the first line, for editors."""
_NAMED = re.compile(r"yaml-language-server: \$schema=(?:\.\./)*schemas/([\w.]+)")
KINDS = sorted(path.name for path in TEMPLATES.iterdir() if path.is_dir())
_ALSO = {"prompt_task": "task"}
"""Kinds by the name of their contract."""


class Kind(click.Choice[str]):
    """A kind of starter files; a misspelt one is answered with the nearest."""

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the kind, or say which one was meant."""
        value = _ALSO.get(value, value)
        if value not in self.choices:
            raise SettingError("new.kind", kind=value, known=KINDS, near=nearest(value, tuple(KINDS)))
        return value


@click.command(
    help=choose(
        "Write starter files of a KIND into FOLDER; they run as they are, and their README says how. "
        "`new ci github` (gitlab, pre-commit) writes a pipeline here, `new docker FOLDER` the files of an image.",
        "将 KIND 的起步文件写入 FOLDER；可直接运行，用法见其中的 README。"
        "`new ci github`（gitlab、pre-commit）在当前文件夹写入流水线，`new docker FOLDER` 写入服务镜像的文件。",
    )
    + f"\n\nKIND: {', '.join(KINDS)}, prompt_task (task)"
)
@click.argument("kind", type=Kind(KINDS), metavar="KIND")
@click.argument("folder", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "table",
    type=flags.PLACE,
    help=choose(
        "Table (CSV, Excel, JSON lines, promptfoo's YAML …) to write as questions.jsonl, and as answers.jsonl if "
        "it has answers.",
        "将你的表格（CSV、Excel、JSONL、promptfoo 的 YAML 等）写成 questions.jsonl；若含回答列，另写 answers.jsonl。",
    ),
)
@flags.columns
@click.option(
    "--force",
    is_flag=True,
    help=choose("Write into a folder that holds documents.", "写入已有文档的文件夹。"),
)
def new(kind: str, folder: Path, table: Path | None, *, force: bool) -> None:
    """Copy a template or convert a table, leaving files that exist alone."""
    try:
        if kind == "ci":
            _pipeline(str(folder))
        elif table is None:
            if kind in {*contract_names(), *_ALSO.values()} and not force:
                _refuse_documents(folder)
            _start(kind, folder)
        elif kind == "key_points":
            _convert(table, folder)
        else:
            raise SettingError("new.from", kind=kind, file=str(table))
    except OSError as error:
        raise SettingError("new.folder", folder=str(folder), problem=error.strerror or str(error)) from error


def _refuse_documents(folder: Path) -> None:
    """Refuse a folder of the user's documents: the samples among them would become part of what is asked."""
    from ragstone.documents.folder import KINDS as DOCUMENTS  # noqa: PLC0415 - only where samples are written

    there = folder.iterdir() if folder.is_dir() else ()
    others = [one.name for one in there if one.suffix.lower() in DOCUMENTS and one.stem.lower() != "readme"]
    if others:
        raise SettingError("new.documents", folder=str(folder), file=min(others))


def _start(kind: str, folder: Path) -> None:
    _copy_all(TEMPLATES / kind, folder)
    readme = folder / "README.md"
    if (TEMPLATES / kind / readme.name).is_file():
        click.echo(choose(f"Next: read {readme}", f"下一步：阅读 {readme}", f"下一步：閱讀 {readme}"))


def _pipeline(provider: str) -> None:
    """Write the files of a build server where it looks for them: in the folder one stands in."""
    known = sorted(path.name for path in (TEMPLATES / "ci").iterdir())
    if provider not in known:
        raise SettingError("new.ci", name=provider, known=", ".join(known))
    _copy_all(TEMPLATES / "ci" / provider, Path())


def _copy_all(source: Path, folder: Path) -> None:
    files = [path for path in sorted(source.rglob("*")) if path.is_file() and "__pycache__" not in path.parts]
    named = [name for path in files if path.suffix == ".yaml" for name in _NAMED.findall(path.read_text("utf-8"))]
    schemas = {folder / name: path for name, path in SCHEMAS.items()} if source.name == "schemas" else {}
    schemas |= {folder / "schemas" / name: SCHEMAS[name] for name in named}
    _copy({folder / path.relative_to(source): _sample(path) for path in files} | schemas)


def _sample(path: Path) -> Path:
    """Return a template's file in English where the language is set to English and there is one, as for `demo`."""
    english = IN_ENGLISH / path.relative_to(TEMPLATES)
    return english if is_english() and english.is_file() else path


def _convert(table: Path, folder: Path) -> None:
    """Write a user's table in the dataset's own form, and say which column became what."""
    from ragstone.datasets.check import load_cases, open_contract, require_sound, survey  # noqa: PLC0415

    contract = open_contract(table, name="key_points", options=flags.contract_options(()))
    found = survey(contract, table)
    if form_of(table).kind == "yaml" and found.cases:
        # Of a tool's tests some can never be rows: those are named, and the others written.
        show_findings(found.findings, contract.phrases)
    else:
        require_sound(found, contract, table)
    questions, answers = folder / "questions.jsonl", folder / "answers.jsonl"
    _refuse(questions, answers)
    folder.mkdir(parents=True, exist_ok=True)
    cases = _write(questions, map(_row, load_cases(contract)))
    columns = _columns(table)
    recorded = _write(answers, _recorded(table)) if columns.answer else 0
    for field in FIELDS:
        if column := getattr(columns, field):
            click.echo(f"  {field} ← {column}")
    _tell_rest(table, columns, cases, recorded)
    words = ("score", questions, answers) if recorded else ("check", questions)
    typed = command(*words)
    click.echo(choose(f"Next: {typed}", f"下一步：{typed}", f"下一步：{typed}"))


def _row(case: Case) -> dict[str, JSON]:
    """Return a case as a row of the dataset's own form, with what it is grouped by."""
    from ragstone.contracts.key_points.cases import gold_of  # noqa: PLC0415 - only where a table is converted

    gold = gold_of(case)
    groups = {name: list(values) if len(values) > 1 else values[0] for name, values in case.groups.items()}
    return {"id": case.id, "q": case.question, "gold": gold.points, "doc_hint": gold.documents, **groups}


def _tell_rest(table: Path, columns: Columns, cases: int, recorded: int) -> None:
    """Print how many rows were written, and which columns of the first row were not used."""
    from ragstone.contracts.key_points.cases import GROUPS  # noqa: PLC0415 - only where a table is converted

    used = {getattr(columns, field).partition(".")[0] for field in FIELDS} | {*GROUPS}
    used |= {getattr(columns, field) for field in FIELDS}
    row, _ = next(_rows(table))
    unused = ", ".join(name for name in row.value if name not in used)
    rest = choose(f"; not used: {unused}", f"；未使用：{unused}", f"；未使用：{unused}") if unused else ""
    counted = choose(
        f"questions {cases}, answers {recorded}", f"问题 {cases}，回答 {recorded}", f"問題 {cases}，回答 {recorded}"
    )
    click.echo(visible_line(f"  {counted}{rest}"))


def _rows(table: Path) -> Iterator[tuple[Row, Columns]]:
    """Stream the rows of a table, each with what its columns hold."""
    given = flags.column_map()
    return ((row, find_columns(row.value, given)) for row in read_rows(table) if isinstance(row, Row))


def _columns(table: Path) -> Columns:
    """Return the columns of the first row that has an answer, or of the first one."""
    _, first = next(_rows(table))
    return next((columns for _, columns in _rows(table) if columns.answer), first)


def _recorded(table: Path) -> Iterator[dict[str, JSON]]:
    """Stream a table's answers as recorded ones; the ids are those of the cases."""
    for row, columns in _rows(table):
        if columns.answer:
            contexts = cell(row.value, columns.contexts)
            record = {"id": row_id(row, columns), "output": cell(row.value, columns.answer)}
            yield record if contexts is None else record | {"contexts": contexts}


def _write(path: Path, rows: Iterable[Mapping[str, JSON]]) -> int:
    """Write rows, and return how many there were."""
    count = 0
    with path.open("xb") as file:
        for count, row in enumerate(rows, start=1):  # noqa: B007 - the last is what is wanted
            file.write(encode(row) + b"\n")
    click.echo(str(path))
    return count


def _refuse(*targets: Path) -> None:
    for target in targets:
        if target.exists():
            raise SettingError("new.exists", file=str(target))


def _copy(files: Mapping[Path, Path]) -> None:
    """Copy each file to its place, or none when one of them is there already."""
    _refuse(*files)
    for target, source in files.items():
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
        click.echo(str(target))
