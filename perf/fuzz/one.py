"""One target under atheris: python -m perf.fuzz.one TARGET SECONDS FOLDER; findings are kept, the run goes on."""

import hashlib
import sys
import time
import traceback
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["ragstone", "bench"]):
    from perf.fuzz import seeds, targets

SLOW = 1.0
"""CPU seconds for one input of at most LONGEST bytes: more is a finding."""
LONGEST = 16_384


class Keeper:
    """Runs one target and keeps the first input of every way to fail."""

    def __init__(self, name: str, folder: Path) -> None:
        self.name = name
        self.folder = folder
        self.seen: set[str] = set()

    def __call__(self, raw: bytes) -> None:
        """Feed the target once."""
        began = time.process_time()
        try:
            targets.feed(self.name, raw)
        except Exception as error:  # noqa: BLE001 - any exception is what is looked for
            self._keep(raw, _place(error), traceback.format_exc())
        took = time.process_time() - began
        if took > SLOW:
            self._keep(raw, "slow", f"{took:.2f} s of CPU for {len(raw)} bytes")

    def _keep(self, raw: bytes, place: str, text: str) -> None:
        if place in self.seen:
            return
        self.seen.add(place)
        name = f"{self.name}-{hashlib.sha256(place.encode()).hexdigest()[:8]}"
        (self.folder / f"{name}.bin").write_bytes(raw)
        (self.folder / f"{name}.txt").write_text(f"{place}\n{raw[:400]!r}\n{text}", encoding="utf-8", errors="replace")
        sys.stderr.write(f"FINDING {self.name} {place}\n")


def _place(error: Exception) -> str:
    last = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} at {Path(last.filename).name}:{last.lineno}"


def main() -> None:
    """Fuzz until the time is over; libFuzzer ends the process."""
    name, seconds, folder = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3])
    corpus = folder / f"corpus-{name}"
    corpus.mkdir(parents=True, exist_ok=True)
    for number, raw in enumerate(seeds.of(name)):
        (corpus / f"seed-{number}").write_bytes(raw[:LONGEST])
    words = [f"-max_total_time={seconds}", f"-max_len={LONGEST}", "-timeout=30", "-rss_limit_mb=1500"]
    words += [f"-artifact_prefix={folder}/{name}-", "-verbosity=0", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *words, str(corpus)], Keeper(name, folder))
    atheris.Fuzz()


if __name__ == "__main__":
    main()
