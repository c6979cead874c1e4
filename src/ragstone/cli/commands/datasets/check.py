"""`check`: looks a dataset over before a call is spent."""

from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path

import click
from msgspec import structs, to_builtins

from ragstone.cli import flags
from ragstone.cli.output import print_json
from ragstone.cli.wording import choose, show_findings
from ragstone.core.interfaces import Contract
from ragstone.core.language import counted
from ragstone.core.settings import read_settings
from ragstone.core.types import JSON, Finding
from ragstone.datasets.check import Survey, open_contract, survey, with_usual
from ragstone.datasets.glossary import OPTION as GLOSSARY
from ragstone.datasets.glossary import oddities


@click.command(
    help=choose(
        "Check DATASET before spending a call: faults with lines, duplicates, missing documents, "
        "drafts whose quotation is gone.",
        "在发出请求之前检查 DATASET：逐行错误、重复问题与有效样本数、缺失的文档，以及草稿的引文是否仍在原处。",
    )
)
@click.argument("datasets", metavar="DATASET...", type=flags.PLACE, nargs=-1, required=True)
@flags.contract
@flags.documents
@flags.option
@flags.as_json
def check(datasets: tuple[Path, ...], pairs: tuple[str, ...], as_json: bool, **given: JSON) -> None:
    """Check datasets, one after the other."""
    options, usual = flags.contract_options(pairs), {GLOSSARY: read_settings().reading.glossary}
    told, faulty = [], False
    for dataset in datasets:
        found, opened = _look_over(dataset, options, usual, **given)
        faulty |= bool(found.errors)
        if as_json:
            told.append({"contract": opened.name, **to_builtins(found)})
        else:
            show_findings(found.findings, opened.phrases, err=False)
            _show(found, opened.name, dataset)
    if as_json:
        print_json(told[0] if len(told) == 1 else told)
    if faulty:
        raise click.exceptions.Exit(2)


def _look_over(
    dataset: Path,
    options: dict[str, JSON],
    usual: Mapping[str, JSON],
    *,
    contract: str | None,
    documents: Path | None,
) -> tuple[Survey, Contract]:
    opened = open_contract(dataset, name=contract, documents=documents, options=options, usual=usual)
    beside = chain(oddities(with_usual(opened, options, usual)), _proved(dataset, documents))
    return _told_once(survey(opened, dataset, thorough=True, beside=beside)), opened


def _told_once(found: Survey) -> Survey:
    from ragstone.drafting.proof import told_once  # noqa: PLC0415 - few datasets are drafts

    if not any(one.code == "draft.document_gone" for one in found.findings):
        return found
    kept = told_once(found.findings)
    twice = Counter(one.level for one in found.findings)
    twice.subtract(one.level for one in kept)
    fewer = {"errors": found.errors - twice["error"], "warnings": found.warnings - twice["warning"]}
    return structs.replace(found, findings=tuple(kept), **fewer)


def _proved(dataset: Path, documents: Path | None) -> Iterator[Finding]:
    """Compare drafted rows with the documents; rows that cannot be read are reported by the survey."""
    from ragstone.drafting.proof import documents_of, stale  # noqa: PLC0415 - few datasets are drafts

    yield from stale(dataset, documents_of(dataset, documents))


def _show(found: Survey, contract: str, dataset: Path) -> None:
    english = (
        f"{dataset}: {contract}, {counted(found.cases, 'case')}, "
        f"{counted(found.distinct_questions, 'distinct question')}, "
        f"{counted(found.errors, 'error')}, {counted(found.warnings, 'warning')}"
    )
    chinese = (
        f"{dataset}：契约 {contract}，用例 {found.cases}，不同问题 {found.distinct_questions}，"
        f"错误 {found.errors}，警告 {found.warnings}"
    )
    traditional = (
        f"{dataset}：契約 {contract}，用例 {found.cases}，不同問題 {found.distinct_questions}，"
        f"錯誤 {found.errors}，警告 {found.warnings}"
    )
    click.echo(choose(english, chinese, traditional))
