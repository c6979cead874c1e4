"""The scenarios: every contestant in turn, round by round, and the medians of what came out."""

import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from perf.contestants import AT_ONCE, RAGSTONE, Call, Contestant, environ, spent
from perf.environments import Environment
from perf.loads import SENTENCES, WORD, Load, write_cases
from perf.measure import Server, Used, median, server, use

LATENCY = 0.05
STORM = ("--latency", "0.05", "--refuse-every", "20", "--slow-every", "20", "--slow-by", "0.5")
"""5 % of the calls turned away with 429, 5 % slower by half a second."""
Say = Callable[[str], None]
Entry = tuple[Contestant, Environment]


class Sample(NamedTuple):
    """One measurement; `problem` says why it does not count."""

    cpu: float
    wall: float
    first: float
    """Seconds from the start of the program to its first call."""
    span: float
    """Seconds from the first call to the last reply."""
    calls: int
    problem: str = ""


class Size(NamedTuple):
    """How much is measured."""

    rounds: int = 10
    """Rounds of the bare loops and of Ragstone."""
    peer_rounds: int = 3
    """Rounds of the peers, whose figures are far apart."""
    few: int = AT_ONCE
    share: float = 1.0
    """Share of the cases a full measurement has."""
    starts: int = 20

    def many(self, one: Contestant) -> int:
        """Cases of the long run."""
        return self.few + max(1, int(one.cases * self.share))


class Pace(NamedTuple):
    """Zero latency: seconds a thousand cases cost beyond the start, and the start itself."""

    cpu: float
    wall: float
    first: float
    cases: int
    rounds: tuple[float, ...] = ()
    """CPU of each round."""


class Waiting(NamedTuple):
    """Latency: ideal time by the time it took, and calls beyond one a case."""

    efficiency: float
    cases: int
    more: int = 0
    rounds: tuple[float, ...] = ()
    """Efficiency of each round."""


class Starts(NamedTuple):
    """Cold starts in seconds."""

    python: float
    help: float
    bare: float
    one: float


class Figures(NamedTuple):
    """What was measured, by contestant; a problem says why a figure is missing."""

    pace: dict[str, Pace]
    words: dict[str, Pace]
    """The same with the lightest load."""
    waiting: dict[str, Waiting]
    endurance: dict[str, Waiting]
    storm: dict[str, Waiting]
    starts: Starts | None
    problems: dict[str, str]


def measure(
    entry: Entry, at: Server, count: int, *, few: int = 0, again: bool = False, load: Load = SENTENCES
) -> Sample:
    """Let a contestant work on so many cases in an empty folder; with `few` to warm up, only the rest is measured."""
    one, env = entry
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_cases(folder / "cases.jsonl", count, load)
        at.reset()
        words = one.words(env, Call(at.url, folder / "cases.jsonl", folder, few, again))
        used, seen = use(words, folder, environ(folder)), at.seen()
        problem = _problem(one, folder, used, count)
        if few and not problem:
            cpu, wall = spent(folder)
            used = used._replace(cpu=cpu, wall=wall)
    return Sample(used.cpu, used.wall, seen.first - used.begun, seen.last - seen.first, seen.calls, problem)


def _problem(one: Contestant, folder: Path, used: Used, count: int) -> str:
    """Say what is wrong with a measurement; nothing when every case passed."""
    if used.code:
        lines = (folder / "err.txt").read_text(encoding="utf-8", errors="replace").strip().splitlines()
        return f"exit code {used.code}: {lines[-1][:160] if lines else 'no message'}"
    passed = one.passed(folder)
    return "" if passed == count else f"{passed} of {count} cases passed"


class Turns:
    """Runs things turn by turn, keeps their samples, and leaves out whoever fails."""

    def __init__(self, say: Say) -> None:
        self.say = say
        self.problems: dict[str, str] = {}

    def take(self, label: str, one: Contestant, sample: Sample, kept: list[Sample]) -> None:
        """Keep a sample, or the reason why there is none."""
        if sample.problem:
            self.problems[one.name] = sample.problem
        else:
            kept.append(sample)
        figures = f"cpu {sample.cpu:.2f} s, wall {sample.wall:.2f} s, first call at {sample.first:.2f} s"
        self.say(f"{label}: {one.name}: {sample.problem or figures}, {sample.calls} calls in {sample.span:.2f} s")


def pace(entries: Sequence[Entry], size: Size, turns: Turns, load: Load = SENTENCES) -> dict[str, Pace]:
    """Zero latency: what cases cost when the start is left out."""
    short: dict[str, list[Sample]] = {one.name: [] for one, _ in entries}
    long: dict[str, list[Sample]] = {one.name: [] for one, _ in entries}
    with server(load=load) as at:
        for turn, one, env in _in_turn(entries, size):
            label, few = f"no latency, {load.name} {turn + 1}", size.few if one.warms else 0
            if not few:
                turns.take(f"{label}, few", one, measure((one, env), at, size.few, load=load), short[one.name])
            sample = measure((one, env), at, size.many(one), few=few, load=load)
            turns.take(label, one, sample, long[one.name])
    return {
        one.name: _pace(short[one.name], long[one.name], size.many(one), size.few)
        for one, _ in entries
        if long[one.name] and (short[one.name] or one.warms)
    }


def _in_turn(entries: Sequence[Entry], size: Size) -> Iterator[tuple[int, Contestant, Environment]]:
    """Name who is next, round by round; peers leave earlier."""
    for turn in range(max(size.rounds, size.peer_rounds)):
        yield from ((turn, one, env) for one, env in entries if turn < (size.peer_rounds if one.peer else size.rounds))


def words(entries: Sequence[Entry], size: Size, turns: Turns) -> dict[str, Pace]:
    """Zero latency with the lightest load."""
    return pace(entries, size, turns, WORD)


def _pace(short: list[Sample], long: list[Sample], many: int, few: int) -> Pace:
    """Take the short runs, if there are any, off the long ones, for a thousand cases."""
    cpu, wall = (median([getattr(one, name) for one in long]) for name in ("cpu", "wall"))
    each, less = 1000 / (many - few), median([one.cpu for one in short]) if short else 0.0
    if short:
        cpu, wall = cpu - less, wall - median([one.wall for one in short])
    rounds = tuple((one.cpu - less) * each for one in long)
    return Pace(cpu * each, wall * each, median([one.first for one in short or long]), many - few, rounds)


def waiting(entries: Sequence[Entry], size: Size, turns: Turns) -> dict[str, Waiting]:
    """50 ms a call, 64 in flight."""
    return _waiting("50 ms", entries, size, turns, ("--latency", str(LATENCY)), LATENCY, 10)


def endurance(entries: Sequence[Entry], size: Size, turns: Turns) -> dict[str, Waiting]:
    """The same for longer, where the first moments count less."""
    return _waiting("50 ms, long", entries, size, turns, ("--latency", str(LATENCY)), LATENCY, 40)


def storm(entries: Sequence[Entry], size: Size, turns: Turns) -> dict[str, Waiting]:
    """The same with 429s and slow replies; whoever takes part asks again."""
    mean = LATENCY + 0.5 / 20
    return _waiting("429s", entries, size, turns, STORM, mean, 20, again=True)


def _waiting(
    label: str,
    entries: Sequence[Entry],
    size: Size,
    turns: Turns,
    flags: Sequence[str],
    seconds: float,
    waves: int,
    *,
    again: bool = False,
) -> dict[str, Waiting]:
    kept: dict[str, list[Sample]] = {one.name: [] for one, _ in entries}
    count = max(2, int(waves * size.share)) * AT_ONCE
    with server(*flags) as at:
        for turn, one, env in _in_turn(entries, size):
            turns.take(f"{label} {turn + 1}", one, measure((one, env), at, count, again=again), kept[one.name])
    return {
        name: Waiting(
            count * seconds / AT_ONCE / median([one.span for one in samples]),
            count,
            int(median([one.calls for one in samples])) - count,
            tuple(count * seconds / AT_ONCE / one.span for one in samples),
        )
        for name, samples in kept.items()
        if samples
    }


def starts(entries: Sequence[Entry], size: Size, turns: Turns, bare: str) -> Starts:
    """Cold starts: Python, our help, and one case end to end, bare and ours."""
    by_name = {one.name: (one, env) for one, env in entries}
    _, env = by_name[RAGSTONE]
    words = {"python": [env.python, "-c", "pass"], "help": [str(env.folder / "bin" / "ragstone"), "--help"]}
    found: dict[str, list[float]] = {"python": [], "help": [], "bare": [], "one": []}
    with server() as at, tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for _ in range(size.starts):
            for name, command in words.items():
                found[name].append(use(command, folder, environ(folder)).wall)
            for name, entry in (("bare", by_name[bare]), ("one", by_name[RAGSTONE])):
                sample = measure(entry, at, 1)
                assert not sample.problem, f"{entry[0].name}: {sample.problem}"
                found[name].append(sample.wall)
    result = Starts(**{name: median(values) for name, values in found.items()})
    turns.say("start: " + ", ".join(f"{name} {value:.3f} s" for name, value in result._asdict().items()))
    return result


def say(text: str) -> None:
    """Tell how far it is."""
    print(text, file=sys.stderr, flush=True)
