"""Ragstone and its peers side by side, in one run on one machine: uv run python -m perf."""

import argparse
from collections.abc import Sequence
from pathlib import Path

from perf.contestants import ALL, BARE, BARE_ORJSON, BARE_UVLOOP, RAGSTONE, Contestant
from perf.environments import Environment, NotInstalledError, default_folder
from perf.held_loop import held
from perf.measure import ROOT
from perf.performance import Report, page, picture_of
from perf.scenarios import Entry, Figures, Size, Starts, Turns, endurance, pace, say, starts, storm, waiting, words
from perf.scoring import costs
from perf.stages import profile

PAGE = ROOT / "docs" / "performance.md"
SCENARIOS = ("pace", "waiting", "storm", "start", "held", "scoring", "stages")
QUICK = Size(rounds=1, peer_rounds=1, few=16, share=0.06, starts=3)
OWN = (BARE, BARE_UVLOOP, BARE_ORJSON, RAGSTONE)


def options(words: Sequence[str] | None = None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(prog="python -m perf", description=__doc__)
    parser.add_argument("--only", choices=SCENARIOS, action="append", help="only this scenario; may be repeated")
    parser.add_argument("--peers", help="only these peers, with commas; none for no peer at all")
    parser.add_argument("--rounds", type=int, help="rounds, 10 when left out; peers take part in at most 3")
    parser.add_argument("--quick", action="store_true", help="one round with few cases")
    parser.add_argument("--envs", type=Path, default=default_folder(), help="folder that keeps the peers' environments")
    parser.add_argument("--out", type=Path, help="page to write; docs/performance.md in a full run, else none")
    return parser.parse_args(words)


def chosen(peers: str | None) -> list[Contestant]:
    """Return the bare loops, Ragstone and the peers that were named, in all their ways."""
    if peers is None:
        return list(ALL)
    wanted = [name.strip() for name in peers.split(",") if name.strip() not in ("", "none")]
    known = {one.name.partition(" + ")[0] for one in ALL if one.peer}
    if unknown := set(wanted) - known:
        raise SystemExit(f"no such peer: {', '.join(sorted(unknown))}; there are {', '.join(sorted(known))}")
    return [one for one in ALL if not one.peer or one.name.partition(" + ")[0] in wanted]


def installed(contestants: Sequence[Contestant], folder: Path, turns: Turns) -> list[Entry]:
    """Install whoever is not; say why somebody cannot be."""
    entries: list[Entry] = []
    for one in contestants:
        try:
            env = one.install(folder)
        except NotInstalledError as error:
            turns.problems[one.name] = f"not installed: {error}"
            continue
        turns.say(f"installed: {one.name} {env.version}, {env.megabytes:.0f} MB")
        entries.append((one, env))
    return entries


def measured(entries: Sequence[Entry], size: Size, wanted: Sequence[str], turns: Turns) -> Figures:
    """Measure the scenarios that need programs."""
    own = [entry for entry in entries if entry[0].name in OWN]
    both = {BARE, RAGSTONE} <= {one.name for one, _ in own}
    begun: Starts | None = starts(own, size, turns, BARE) if both and "start" in wanted else None
    return Figures(
        pace=pace(entries, size, turns) if "pace" in wanted else {},
        words=words(own, size, turns) if "pace" in wanted else {},
        waiting=waiting([entry for entry in entries if entry[0].waits], size, turns) if "waiting" in wanted else {},
        endurance=endurance(own, size, turns) if "storm" in wanted else {},
        storm=storm(own, size, turns) if "storm" in wanted else {},
        starts=begun,
        problems=turns.problems,
    )


def write(out: Path, report: Report) -> None:
    """Write the page and its picture."""
    picture = out.parent / "images" / f"{out.stem}.svg"
    picture.parent.mkdir(parents=True, exist_ok=True)
    picture.write_text(picture_of(report), encoding="utf-8")
    out.write_text(page(report, f"images/{picture.name}"), encoding="utf-8")


def main() -> None:
    """Measure, print the page, and write it after a full run."""
    given = options()
    size = QUICK if given.quick else Size()
    size = size._replace(rounds=given.rounds, peer_rounds=min(given.rounds, size.peer_rounds)) if given.rounds else size
    wanted = given.only or SCENARIOS
    turns = Turns(say)
    programs = {"pace", "waiting", "storm", "start"} & set(wanted)
    entries = installed(chosen(given.peers), given.envs, turns) if programs else []
    environments: dict[str, Environment] = {one.name: env for one, env in entries}
    report = Report(
        size,
        environments,
        measured(entries, size, wanted, turns),
        tuple(costs()) if "scoring" in wanted else (),
        profile(500 if given.quick else 5000) if "stages" in wanted else None,
        tuple(held(256 if given.quick else 2560)) if "held" in wanted else (),
    )
    print(page(report, "images/performance.svg"))
    full = not (given.only or given.quick or given.peers)
    if out := given.out or (PAGE if full else None):
        write(out, report)


if __name__ == "__main__":
    main()
