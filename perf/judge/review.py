"""A review of a known truth: does the printed interval hold it? And the real server with 10,000 labels in a run.

uv run python -m perf.judge.review [ROUNDS [PART …]]   1,000 rounds when left out; parts: coverage pace; all without one

`pace` tells what requests take of the server, what it holds, and how long a reviewer with the keyboard waits after
each verdict until the next question stands there (in the browser, from the key to the painted page).
"""

import json
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import chdir
from pathlib import Path
from random import Random
from statistics import median

from perf.page import Server
from ragstone import evaluate
from ragstone.core.settings import Settings
from ragstone.judging.estimates.strata import Weighed
from ragstone.judging.label_file import FILE, LabelFile
from ragstone.judging.labels import Label
from ragstone.reviewing.sample import Design, first_design, grown, standing
from ragstone.runs.judged.questions import questions_of
from ragstone.runs.store.folder import RunFolder

CASES = 600
STRATA = {"high/high": (0.42, 0.98), "low/low": (0.10, 0.03), "low/high!": (0.28, 0.88), "low/low?": (0.20, 0.25)}
"""What rule and judge made of a case: its share of all cases, and how many of them people find stated."""

RUN, TURNS = "one", 40
PATHS = {
    "page of a queue": f"/eval/review/{RUN}?queue=open",
    "next question": f"/api/v1/review/{RUN}/next?queue=open",
    "how it stands": f"/api/v1/review/{RUN}",
}
WATCH = """() => {
  window.waits = [];
  let begin = 0;
  document.addEventListener("keydown", () => { begin = performance.now(); }, true);
  new MutationObserver(() => {
    if (document.getElementById("review").hasAttribute("aria-busy")) return;
    requestAnimationFrame(() => setTimeout(() => window.waits.push(performance.now() - begin)));
  }).observe(document.getElementById("review"), { attributeFilter: ["aria-busy"] });
}"""
"""Notes milliseconds from a key until what it brought is painted and the next key is taken."""
RATE = sum(share * stated for share, stated in STRATA.values())


class Population:
    """A run of a known truth, with the parts of a worksheet that a sample is drawn from."""

    def __init__(self, dice: Random) -> None:
        names = dice.choices(list(STRATA), [share for share, _ in STRATA.values()], k=CASES)
        self.truth = [dice.random() < STRATA[name][1] for name in names]
        self.strata: dict[str, list[int]] = {name: [] for name in STRATA}
        for unit, name in enumerate(names):
            self.strata[name].append(unit)
        for units in self.strata.values():
            dice.shuffle(units)
        self.strata = {name: units for name, units in self.strata.items() if units}

    def review(self) -> tuple[bool, bool, int, float, int]:
        """Label round by round as the page asks for it.

        Returns whether the interval holds the rate the cases were drawn from, and the rate among just these cases;
        labels, width and rounds.
        """
        sizes = {name: len(units) for name, units in self.strata.items()}
        design = first_design(sizes, 0.04)
        while True:
            now = standing(sizes, self._labels(design, sizes))
            more = grown(design, now, sizes)
            if more is design:
                break
            design = more
        assert now.interval is not None
        low, high = now.interval.low, now.interval.high
        held = [low <= rate <= high for rate in (RATE, sum(self.truth) / CASES)]
        return held[0], held[1], now.labelled, high - low, design.round

    def _labels(self, design: Design, sizes: dict[str, int]) -> dict[str, list[Weighed]]:
        return {
            name: [
                Weighed(1 / design.chance(name, sizes[name]), self.truth[unit] * 1.0, unit)
                for unit in units[: design.dealt[name]]
            ]
            for name, units in self.strata.items()
        }


def coverage(rounds: int) -> None:
    """Print how often the printed interval held the truth, and what it took."""
    seen = [Population(Random(seed)).review() for seed in range(rounds)]
    drawn, here = (sum(one[k] for one in seen) / rounds for k in (0, 1))
    labels, width = sum(one[2] for one in seen) / rounds, sum(one[3] for one in seen) / rounds
    most = max(one[4] for one in seen)
    print(
        f"{rounds} reviews of {CASES} cases to ± 4 points: the interval held the rate they were drawn from in", end=" "
    )
    print(f"{drawn:.1%}, that among just these cases in {here:.1%};", end=" ")
    print(f"{labels:.0f} labels and ± {50 * width:.1f} points on average, at most {most} rounds", flush=True)


def _rows(count: int) -> Iterator[tuple[dict[str, object], dict[str, object]]]:
    for n in range(count):
        said = f"{n}号那间屋里亮度靠工作人员自己拧。" if n % 3 else f"{n}号那间屋里最近换了新的地毯。"
        row: dict[str, object] = {"q": f"{n}号展厅的灯怎么调？", "gold": [f"第{n}号展厅的灯光由馆员手动调节"]}
        yield row, {"id": f"Q{n + 1}", "output": said}


def pace(labels: int = 10_000) -> None:
    """Print what requests take and the server holds without labels and with so many; then let a script decide."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        made = _make(folder, labels)
        server = Server(folder)
        try:
            server.get(f"/eval/review/{RUN}")  # the first visitor waits for the run to be read
            _ask(server, "no label")
            LabelFile(folder / "runs" / FILE).append(made)
            server.get(f"/eval/review/{RUN}")
            _ask(server, f"{labels:,} labels")
            _walk(server)
            for _ in range(1000):
                server.get(PATHS["next question"])
            print(f"after 1,000 requests more the server holds {server.memory():.0f} MB")
        finally:
            server.stop()


def _make(folder: Path, labels: int) -> list[Label]:
    """Record a run with 500 cases more than labels, and return labels of the first."""
    rows = list(_rows(labels + 500))
    (folder / "datasets").mkdir()  # what lies there is what the page may read
    for name, place in (("datasets/q.jsonl", 0), ("a.jsonl", 1)):
        (folder / name).write_text("".join(json.dumps(row[place]) + "\n" for row in rows), encoding="utf-8")
    settings = Settings(runs_dir=str(folder / "runs"))
    with chdir(folder):
        run = RunFolder(evaluate("datasets/q.jsonl", "replay:a.jsonl", run_id=RUN, settings=settings).folder)
        keys = [key for key, _, _ in questions_of(run)][:labels]
    return [
        Label(case=key.case, point=key.point, answer=key.answer, verdict="stated", reviewer="lin", run=RUN)
        for key in keys
    ]


def _ask(server: Server, when: str) -> None:
    for name, path in PATHS.items():
        turns = [server.timed(path) for _ in range(TURNS)]
        wall, computed = ([turn[k] for turn in turns] for k in (0, 1))
        print(
            f"{when}, {name}: {median(wall):.1f} ms (fastest {min(wall):.1f}), "
            f"the server computes {median(computed):.1f} ms (most {max(computed):.1f})"
        )
    print(f"{when}: the server holds {server.memory():.0f} MB", flush=True)


def _walk(server: Server, verdicts: int = 40) -> None:
    """Decide with keys alone, and tell how long each verdict kept the reviewer waiting."""
    chromium = shutil.which("chromium")
    if chromium is None:
        print("no walk: no chromium here")
        return
    from playwright.sync_api import sync_playwright  # noqa: PLC0415 - only with a browser

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page()
        page.goto(f"http://127.0.0.1:{server.port}/eval/review/{RUN}?queue=open")
        page.wait_for_selector("#one:not([hidden])")
        page.evaluate(WATCH)
        before = server.computed()
        for n in range(verdicts):
            page.keyboard.press("123u"[n % 4])
            page.wait_for_function("n => window.waits.length === n", arg=n + 1)
        computed = (server.computed() - before) / 1e6 / verdicts
        waits = page.evaluate("window.waits")
        browser.close()
    print(
        f"{len(waits)} verdicts by key: the next question stands there after {median(waits):.0f} ms (worst "
        f"{max(waits):.0f}), of which the server computes {computed:.1f} ms"
    )


if __name__ == "__main__":
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    parts: dict[str, Callable[[], None]] = {"coverage": lambda: coverage(rounds), "pace": pace}
    for part in sys.argv[2:] or parts:
        parts[part]()
