"""The page docs/performance.md, made of what was measured."""

import os
import platform
import subprocess
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from perf.chart import Bar, Kind, Panel, chart
from perf.contestants import ALL, BARE, BARE_ORJSON, BARE_UVLOOP, RAGSTONE
from perf.environments import Environment
from perf.held_loop import Held
from perf.measure import ROOT
from perf.scenarios import Figures, Pace, Size, Waiting
from perf.scoring import Cost
from perf.stages import WHAT, Profile

NOTHING = "–"


class Report(NamedTuple):
    """All that the page is made of."""

    size: Size
    environments: Mapping[str, Environment]
    figures: Figures
    costs: Sequence[Cost] = ()
    profile: Profile | None = None
    held: Sequence[Held] = ()


def page(report: Report, picture: str) -> str:
    """Write the page; `picture` is the chart's place beside it."""
    parts = (
        _head(report, picture),
        _aims(report),
        _calls(report),
        _words(report),
        _long(report),
        _held(report.held),
        _start(report),
        _scoring(report.costs),
        _stages(report.profile),
        _sizes(report),
        _missing(report),
        _again(),
    )
    return "\n".join(line for part in parts for line in part) + "\n"


def picture_of(report: Report) -> str:
    """Draw the chart of the table."""
    found, kinds = report.figures, _kinds()
    panels = (
        Panel("CPU, ms a case", "no latency; less is better; log scale", (0.1, 1, 10, 100), log=True),
        Panel("Of the ideal pace", "50 ms, 64 in flight; more is better", (0, 0.5, 1)),
        Panel("First call, s", "after a cold start; less is better", _ticks(one.first for one in found.pace.values())),
    )
    bars = [
        Bar(
            name,
            kinds[name],
            (
                found.pace[name].cpu if name in found.pace else None,
                found.waiting[name].efficiency if name in found.waiting else None,
                found.pace[name].first if name in found.pace else None,
            ),
        )
        for name in _order(found)
    ]
    return chart("What a case costs: Ragstone and its peers", panels, bars)


def _ticks(values: Iterable[float]) -> tuple[float, ...]:
    """Choose a scale from 0 on that holds the values."""
    most = max(values, default=0.0)
    end = next((end for end in (2.0, 5.0, 10.0, 20.0, 40.0) if end >= most), 80.0)
    return (0.0, end / 2, end)


def _kinds() -> dict[str, Kind]:
    kinds: dict[str, Kind] = {one.name: "peer" if one.peer else "plain" for one in ALL}
    return kinds | {RAGSTONE: "own"}


def _order(found: Figures) -> list[str]:
    """The bare loops first, then by CPU."""
    names = [one.name for one in ALL if one.name in found.pace or one.name in found.waiting]
    cpu = {name: found.pace[name].cpu if name in found.pace else 1e9 for name in names}
    first = (BARE, BARE_UVLOOP, BARE_ORJSON)
    return sorted(names, key=lambda name: (first.index(name), 0.0) if name in first else (len(first), cpu[name]))


def machine() -> str:
    """Say how large the machine is, and nothing else of it."""
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return f"{os.cpu_count()} cores, {memory:.0f} GB of memory, {platform.system()}, Python {platform.python_version()}"


def commit() -> str:
    """Name the commit, and whether the tree was changed since by anything but this page."""
    name = _git("rev-parse", "--short=12", "HEAD") or "unknown"
    changed = _git("status", "--porcelain", "--", ".", ":!docs/performance.md", ":!docs/images/performance.svg")
    return f"{name}-dirty" if changed else name


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    return done.stdout.strip()


def _head(report: Report, picture: str) -> Iterator[str]:
    yield "# How fast"
    yield ""
    yield "Made by `uv run python -m perf`; do not edit. Take the ratios: absolute figures belong to the machine."
    yield ""
    yield (
        "本页由 `uv run python -m perf` 生成，请勿手工修改。内容：Ragstone 与裸循环及同类工具在同一台机器上、"
        "同一轮测量中的速度；"
        "绝对数值取决于机器，请看比值。**of bare** 为裸循环的耗时除以该工具的耗时，1.00 即与裸循环一样快；"
        "**aim** 为目标值，**reached** 为是否达到。"
    )
    yield ""
    yield f"- Machine: {machine()}. Commit `{commit()}`."
    names = ", ".join(f"{name} {env.version}" for name, env in _packages(report))
    yield f"- Versions: {names}."
    yield (
        f"- Figures are medians of {report.size.rounds} rounds ({report.size.peer_rounds} for the peers) in which all"
        " took turns, each time in a new process. In brackets: the least and the most of single rounds."
    )
    if report.size.share < 1:
        yield "- **A quick run: far too few cases to conclude anything from.**"
    yield (
        "- Everybody gets the same fictional cases, the same loopback server in a process of its own, one call a case,"
        " 64 in flight, telemetry off, and the simplest metric that needs no model. Answers are 60 to 260 characters in"
        " Chinese and English; each case has three key points, said in other words, 15 % of them missing. Peers look"
        " for the first point alone, which stands in every answer word for word."
    )
    yield (
        "- Ragstone does more than the others are asked for: it keeps every answer in a journal on disk, scores key"
        " points, and writes results, summary and reports."
    )
    yield ""
    if report.figures.pace:
        yield f"![CPU a case, share of the ideal pace and first call, for Ragstone and its peers]({picture})"
        yield ""


def _packages(report: Report) -> list[tuple[str, Environment]]:
    """Each package once, not the bare loops nor second ways to use one."""
    return [
        (name, env)
        for name, env in report.environments.items()
        if name not in (BARE, BARE_UVLOOP, BARE_ORJSON) and not name.endswith("+ aiohttp")
    ]


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|---|" + "---:|" * (len(head) - 1)
    for row in rows:
        yield "| " + " | ".join(row) + " |"
    yield ""


def _ratio(base: float | None, value: float) -> str:
    return NOTHING if base is None or base <= 0 or value <= 0 else f"{base / value:.2f}"


def _calls(report: Report) -> Iterator[str]:
    found = report.figures
    if not (found.pace or found.waiting):
        return
    yield "## Calls"
    yield ""
    yield (
        "CPU and wall are milliseconds a case without latency: a run of 64 cases is taken off a longer one, so that"
        " starting up is not in them. *Of bare* is the bare loop's figure by theirs, on asyncio and on uvloop: 1.00 is"
        " as quick as the bare loop."
    )
    if count := next((one.cases for one in found.waiting.values()), 0):
        yield (
            f"*Ideal* is the time that {count} calls of 50 ms with 64 in flight take at best, by the time from the"
            " first call to the last reply in a new process."
        )
    yield ""
    head = ("", "CPU", "of bare", "on uvloop", "wall", "of bare on uvloop", "ideal", "of bare on uvloop", "first call")
    yield from _table(head, (_call_row(found, name) for name in _order(found)))
    notes = {one.name: one.note for one in ALL}
    yield from (f"- {name}: {notes[name]}." for name in _order(found) if notes[name])
    yield ""


def _aims(report: Report) -> Iterator[str]:
    """Say which of the aims were reached; the bare loop is the one on uvloop, the quicker one."""
    rows = [row for row in _aim_rows(report.figures) if row]
    if not rows:
        return
    yield "## Aims"
    yield ""
    yield from _table(("Ragstone, beside the bare loop on uvloop", "measured", "aim", "reached"), rows)


def _aim_rows(found: Figures) -> Iterator[list[str]]:
    for title, kind, aim in (("sentences", found.pace, 0.6), ("one word", found.words, 0.85)):
        if RAGSTONE in kind and BARE_UVLOOP in kind:
            own, bare = kind[RAGSTONE], kind[BARE_UVLOOP]
            yield _at_least(f"no latency, {title}: CPU", bare.cpu / own.cpu, aim, _ratios(bare.rounds, own.rounds))
    for title, waits, aim in (
        ("50 ms, 64 in flight", found.endurance, 0.95),
        ("with 429s and slow replies", found.storm, 0.9),
    ):
        if RAGSTONE in waits and BARE_UVLOOP in waits:
            ours, base = waits[RAGSTONE], waits[BARE_UVLOOP]
            yield _at_least(title, ours.efficiency / base.efficiency, aim, _ratios(ours.rounds, base.rounds))
    if (starts := found.starts) is not None:
        yield _at_most("`ragstone --help` by `python -c pass`", starts.help / starts.python, 1.5)
        yield _at_most("one case by a bare aiohttp script", starts.one / starts.bare, 1.5)


def _ratios(first: Sequence[float], second: Sequence[float]) -> list[float]:
    """Compare round by round; a round in which one failed is left out with its neighbour."""
    return [a / b for a, b in zip(first, second, strict=False) if b > 0]


def _spread(values: Sequence[float]) -> str:
    return f" ({min(values):.2f}–{max(values):.2f})" if len(values) > 1 else ""


def _at_least(title: str, value: float, aim: float, rounds: Sequence[float]) -> list[str]:
    return [title, f"{value:.2f}{_spread(rounds)}", f"at least {aim:g}", "yes" if value >= aim else "no"]


def _at_most(title: str, value: float, aim: float) -> list[str]:
    return [title, f"{value:.2f}", f"at most {aim:g}", "yes" if value <= aim else "no"]


def _words(report: Report) -> Iterator[str]:
    """Tell what the lightest load costs: each answer is its one key point."""
    found = report.figures.words
    base = found.get(BARE_UVLOOP)
    if not found or base is None:
        return
    yield "The lightest load: one key point, and every answer is just that."
    yield ""
    yield from _table(("", "CPU", "on uvloop"), (_word_row(name, one, base) for name, one in found.items()))


def _word_row(name: str, one: Pace, base: Pace) -> list[str]:
    return [name, f"{one.cpu:.2f} ms", f"{_ratio(base.cpu, one.cpu)}{_spread(_ratios(base.rounds, one.rounds))}"]


def _held(found: Sequence[Held]) -> Iterator[str]:
    if not found:
        return
    yield "## How long the event loop is held"
    yield ""
    yield (
        "A task that asks to be woken every millisecond, beside a run with 64 calls in flight: by how much it was late."
        " While the loop is held, no reply is read and no call is begun. The bare loop, on the same kind of loop, has"
        " only its calls to do: 64 replies come at the same moment."
    )
    yield ""
    yield from _table(
        ("", "latency", "cases", "median", "99 %", "most"),
        ([o.who, f"{o.latency_ms:g} ms", f"{o.cases}", *map(_late, (o.middle, o.high, o.most))] for o in found),
    )


def _late(milliseconds: float) -> str:
    return f"{milliseconds:.1f} ms"


def _call_row(found: Figures, name: str) -> list[str]:
    pace, waiting = found.pace.get(name), found.waiting.get(name)
    plain, quick, still = found.pace.get(BARE), found.pace.get(BARE_UVLOOP), found.waiting.get(BARE_UVLOOP)
    row = [f"**{name}**" if name == RAGSTONE else name, *[NOTHING] * 8]
    if pace:
        row[1:6] = [
            f"{pace.cpu:.2f} ms",
            _ratio(plain.cpu if plain else None, pace.cpu),
            _ratio(quick.cpu if quick else None, pace.cpu)
            + (_spread(_ratios(quick.rounds, pace.rounds)) if quick and name != BARE_UVLOOP else ""),
            f"{pace.wall:.2f} ms",
            _ratio(quick.wall if quick else None, pace.wall),
        ]
        row[8] = f"{pace.first:.2f} s"
    if waiting:
        row[6] = f"{waiting.efficiency:.2f}"
        row[7] = f"{waiting.efficiency / still.efficiency:.2f}" if still else NOTHING
    return row


def _long(report: Report) -> Iterator[str]:
    calm, storm = report.figures.endurance, report.figures.storm
    if not (calm or storm):
        return
    yield "## Longer runs, 429s and slow replies"
    yield ""
    yield (
        "The same 50 ms with more cases; then with 5 % of the calls turned away with 429 and 5 % slower by half a"
        " second, where the bare loop asks again after the same waits as Ragstone. Peers are left out: each has its own"
        " idea of when to ask again."
    )
    yield ""
    rows = [*_waiting_rows("50 ms", calm), *_waiting_rows("429s and slow replies", storm)]
    yield from _table(("", "cases", "calls made again", "ideal", "of bare on uvloop"), rows)


def _waiting_rows(title: str, found: Mapping[str, Waiting]) -> Iterator[list[str]]:
    base = found.get(BARE_UVLOOP)
    for name, one in found.items():
        share = _ratio(one.efficiency, base.efficiency) + _spread(_ratios(one.rounds, base.rounds)) if base else NOTHING
        yield [f"{title}: {name}", f"{one.cases}", f"{one.more}", f"{one.efficiency:.2f}", share]


def _start(report: Report) -> Iterator[str]:
    starts = report.figures.starts
    if starts is None:
        return
    yield "## Start"
    yield ""
    yield f"Wall time, median of {report.size.starts}, one after the other."
    yield ""
    yield from _table(
        ("", "time", "ratio"),
        (
            ("`python -c pass`", f"{starts.python * 1000:.0f} ms", ""),
            ("`ragstone --help`", f"{starts.help * 1000:.0f} ms", f"{starts.help / starts.python:.2f} of python"),
            ("one case, bare aiohttp script", f"{starts.bare * 1000:.0f} ms", ""),
            ("one case, `ragstone run`", f"{starts.one * 1000:.0f} ms", f"{starts.one / starts.bare:.2f} of bare"),
        ),
    )


def _scoring(costs: Sequence[Cost]) -> Iterator[str]:
    if not costs:
        return
    yield "## Scoring"
    yield ""
    yield "Microseconds of CPU an answer in one process, the best of ten rounds."
    yield ""
    yield from _table(
        ("contract", "read", "score", "measured for the aim", "aim", "answers"),
        (
            (
                f"{cost.contract}: {cost.what}",
                f"{cost.read:.0f}",
                f"{cost.score:.0f}",
                f"{cost.aimed:.0f}",
                f"{cost.aim:.0f}",
                f"{cost.answers}",
            )
            for cost in costs
        ),
    )


def _stages(found: Profile | None) -> Iterator[str]:
    if found is None:
        return
    yield "## Where Ragstone's time goes"
    yield ""
    yield (
        f"A run of {found.cases} key-point cases without latency, looked at every millisecond of CPU; work inside the"
        " event loop is booked on the Python function that follows it, so take single figures as near ones."
    )
    yield ""
    yield from _table(
        ("stage", "µs a case", "share"),
        (
            *(
                (f"{stage}: {WHAT[stage]}", f"{spent:.0f}", f"{spent / found.total:.0%}")
                for stage, spent in found.stages.items()
            ),
            ("all", f"{found.total:.0f}", "100%"),
        ),
    )
    yield "The functions most often found at work:"
    yield ""
    yield from (f"- {share:.1%} `{name}`" for name, share in found.functions)
    yield ""


def _sizes(report: Report) -> Iterator[str]:
    if not report.environments:
        return
    yield "## Installed size"
    yield ""
    yield "The files of a new environment with all dependencies and nothing else, without Python or Node themselves."
    yield ""
    ordered = sorted(_packages(report), key=lambda pair: pair[1].megabytes)
    yield from _table(("", "MB"), ((f"{name} {env.version}", f"{env.megabytes:.0f}") for name, env in ordered))


def _missing(report: Report) -> Iterator[str]:
    if not report.figures.problems:
        return
    yield "## Not measured"
    yield ""
    yield from (f"- {name}: {problem}" for name, problem in report.figures.problems.items())
    yield ""


def _again() -> Iterator[str]:
    yield "## Measure it yourself"
    yield ""
    yield "```"
    yield "uv run python -m perf                       # everything, about fifteen minutes; peers are installed once"
    yield "uv run python -m perf --quick               # one round with few cases, to see that it works"
    yield "uv run python -m perf --only pace --peers deepeval,ragas"
    yield "```"
    yield ""
    yield "[perf/README.md](../perf/README.md) lists what else can be measured, each with its one command."
