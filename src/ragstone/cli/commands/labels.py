"""`labels` and `review`: what people said of answers, in and out, and where they say it."""

from collections.abc import Callable
from pathlib import Path
from urllib.parse import quote

import click

from ragstone.cli import flags
from ragstone.cli.output import print_lines
from ragstone.cli.stored_runs import open_run, reader, write_file
from ragstone.cli.wording import choose
from ragstone.core.errors import SettingError
from ragstone.core.language import counted
from ragstone.core.messages import message
from ragstone.judging.label_file import FILE, FORMATS, append_labels, encode_labels, read_labels, read_with_end
from ragstone.judging.labels import Label
from ragstone.reviewing.fixes import fix_dataset, fix_glossary, gold_fixes, known_groups, synonyms
from ragstone.text.visible import visible_line
from ragstone.web.review.serving import served_at

_file = click.Path(path_type=Path, dir_okay=False)


@click.command(
    help=choose(
        "Labels of people. `import FILE` takes them in, `export FILE` writes all of them (.csv, .jsonl, .xlsx), "
        "`apply DATASET` writes a copy of a dataset with the points that reviewers fixed, and with --glossary a copy "
        "of a glossary with the words they found to mean the same.",
        "人工标注。`import FILE` 导入，`export FILE` 导出全部标注（.csv、.jsonl、.xlsx），"
        "`apply DATASET` 写出样例集的副本，其中的要点已按评审人的修正改写；"
        "加 --glossary 时还写出补充了同义词的词表副本。",
    )
)
@click.argument("verb", type=click.Choice(["import", "export", "apply"]))
@click.argument("file", type=_file)
@click.option(
    "--labels",
    "store",
    type=_file,
    help=choose(
        "The labels; labels.jsonl beside the runs when left out.", "标注文件；默认为运行目录旁的 labels.jsonl。"
    ),
)
@click.option("--glossary", type=_file, help=choose("Glossary to add words to.", "要补充的同义词表。"))
@click.option("--out", type=_file, help=choose("File of the fixed dataset.", "修正后样例集的文件。"))
@click.option("--glossary-out", type=_file, help=choose("File of the new glossary.", "新同义词表的文件。"))
@click.option("--yes", is_flag=True, help=choose("Do not ask.", "不再询问。"))
@flags.runs_dir
def labels(
    verb: str,
    file: Path,
    store: Path | None,
    glossary: Path | None,
    out: Path | None,
    glossary_out: Path | None,
    yes: bool,
    runs_dir: str | None,
) -> None:
    """Import labels, export them, or apply their corrections."""
    kept = store or Path(flags.settings_of({"runs_dir": runs_dir}).runs_dir) / FILE
    if verb == "import":
        _import(file, kept)
    elif verb == "export":
        _export(kept, file)
    else:
        _apply(file, read_labels(kept), glossary, out, glossary_out, yes=yes)


def _import(source: Path, kept: Path) -> None:
    """Import labels that are not there yet."""
    found, cut = read_with_end(source)
    if cut:
        click.echo(visible_line(message("labels.cut").say(reader(None), {"file": source, "line": cut})), err=True)
    known = set(read_labels(kept)) if kept.exists() else set()
    fresh = [label for label in dict.fromkeys(found) if label not in known]
    kept.parent.mkdir(parents=True, exist_ok=True)
    append_labels(kept, fresh)
    there = len(found) - len(fresh)
    click.echo(
        choose(
            f"{counted(len(fresh), 'label')} taken in, {there} there already: {kept}",
            f"导入标注 {len(fresh)} 条，已有 {there} 条：{kept}",
            f"匯入標註 {len(fresh)} 條，已有 {there} 條：{kept}",
        )
    )


def _export(kept: Path, target: Path) -> None:
    if target.suffix.lower() not in FORMATS:
        raise SettingError("labels.format", file=str(target), formats=", ".join(FORMATS))
    if target.exists():
        raise SettingError("import.taken", file=str(target))
    found = read_labels(kept)
    write_file(target, encode_labels(found, target.suffix.lower()))
    told = len(found)
    click.echo(choose(f"{counted(told, 'label')}: {target}", f"标注 {told} 条：{target}", f"標註 {told} 條：{target}"))


def _apply(
    dataset: Path, found: list[Label], glossary: Path | None, out: Path | None, words: Path | None, *, yes: bool
) -> None:
    """Show what would change, ask, and write new files; what is there stays as it is."""
    fixed = fix_dataset(dataset, gold_fixes(found))
    groups = synonyms(found, known_groups(glossary))
    print_lines(visible_line(f"{fix.case}: {fix.before} → {fix.after} ({fix.reviewer or '–'})") for fix in fixed.done)
    print_lines(visible_line(" = ".join(group)) for group in groups)
    for fix in fixed.missing:
        told = choose("not in this dataset", "不在该样例集中")
        click.echo(visible_line(f"{fix.case}: {fix.before} ({told})"), err=True)
    files: dict[Path, Callable[[], bytes]] = {}
    if fixed.done:
        # The rows of a table or a packed file are written as JSON lines.
        ending = ".json" if dataset.suffix.lower() == ".json" else ".jsonl"
        files[out or dataset.with_name(f"{dataset.name.split('.')[0]}-fixed{ending}")] = lambda: fixed.content
    if groups:
        source = glossary or Path("glossary.txt")
        target = words or (source.with_stem(f"{source.stem}-more") if glossary else source)
        files[target] = lambda: fix_glossary(glossary, groups)
    _write(files, yes=yes)


def _write(files: dict[Path, Callable[[], bytes]], *, yes: bool) -> None:
    if not files:
        click.echo(choose("Nothing to apply.", "没有可应用的修正。", "沒有可套用的修正。"))
        return
    for path in files:
        if path.exists():
            raise SettingError("import.taken", file=str(path))
    names = ", ".join(map(str, files))
    if not yes and not click.confirm(choose(f"Write {names}?", f"写入 {names}？", f"寫入 {names}？")):
        return
    for path, content in files.items():
        write_file(path, content())
        click.echo(path)


@click.command(
    help=choose(
        "Print the address at which people review RUN. The page must be served: ragstone serve.",
        "输出人工评审 RUN 的网址。页面需已启动：ragstone serve。",
    )
)
@click.argument("run_name", metavar="RUN", default="latest")
@flags.runs_dir
def review(run_name: str, runs_dir: str | None) -> None:
    """Print where a run is reviewed."""
    settings = flags.settings_of({"runs_dir": runs_dir})
    folder = open_run(run_name, runs_dir)
    port = served_at(folder.path.parent, settings.host) or settings.port
    host = "127.0.0.1" if settings.host in {"0.0.0.0", "::"} else settings.host  # noqa: S104 - shown, not listened on
    shown = f"[{host}]" if ":" in host else host
    click.echo(f"http://{shown}:{port}/eval/review/{quote(folder.path.name)}")
