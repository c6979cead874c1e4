"""No reader raises anything but Ragstone's own errors, hangs, or swells.

`python -m perf.fuzz` feeds the same targets for hours.
"""

import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from perf.fuzz import seeds, targets

pytestmark = pytest.mark.long

SLOW_SHAPES = ("open_brackets", "nested", "open_braces", "nested_objects")
"""Shapes whose price is the depth a reader allows, not their length."""
LONG = 12_000
LINEAR = (
    *("json_ladder", "numbers", "dates", "citations", "refusals", "specifics", "points", "mapping_path", "env_file"),
    *("chat_reply", "http_sse", "http_line", "dataset_csv", "dataset_jsonl"),
)
"""Readers that are fed by others all day long."""


@pytest.fixture(scope="module", autouse=True)
def swept() -> Iterator[None]:
    """Leave no files behind."""
    yield
    targets.clean_up()


def mutated(name: str) -> st.SearchStrategy[bytes]:
    """Sound and hostile inputs of a target with pieces cut out, doubled and put in."""
    known = list(seeds.of(name))

    @st.composite
    def change(draw: st.DrawFn) -> bytes:
        raw = draw(st.sampled_from(known))[:600]
        for _ in range(draw(st.integers(0, 3))):
            at, end = sorted((draw(st.integers(0, len(raw))), draw(st.integers(0, len(raw)))))
            piece = draw(
                st.binary(max_size=6) | st.sampled_from([b"\x00", b"\xed\xa0\x80", b"1e999999999", b"{{", b"]", b'"'])
            )
            raw = raw[:at] + piece + raw[at if draw(st.booleans()) else end :]
        return raw

    return (
        change()
        | st.binary(max_size=200)
        | st.text(max_size=100).map(lambda text: text.encode("utf-8", "surrogatepass"))
    )


@pytest.mark.parametrize("name", targets.TARGETS)
def test_anything_can_be_read(name: str) -> None:
    """Whatever the bytes are, the reader returns or says in Ragstone's own words why not."""

    @settings(deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(raw=mutated(name))
    def feed(raw: bytes) -> None:
        targets.feed(name, raw)

    feed()


@pytest.mark.parametrize("name", targets.TARGETS)
def test_hostile_shapes_are_read(name: str) -> None:
    """Deep nesting, endless digits, exponents, aliases, lone surrogates, null characters."""
    # PyYAML is slow on deep brackets, and gives up at the same depth however many there are.
    for raw in seeds.hostile(600 if "yaml" in name or name == "gate" else 2000).values():
        targets.feed(name, raw)


def _seconds(name: str, raw: bytes) -> float:
    began = time.process_time()
    targets.feed(name, raw)
    return time.process_time() - began


@pytest.mark.parametrize("name", LINEAR)
def test_twice_the_text_takes_about_twice_the_time(name: str) -> None:
    """No shape makes a reader's time grow faster than the text."""
    targets.feed(name, b"{}")
    short, long = seeds.hostile(LONG // 2), seeds.hostile(LONG)
    for shape in long.keys() - set(SLOW_SHAPES):
        took = _seconds(name, long[shape])
        if took < 0.2:
            continue
        # Only a shape that costs anything is measured again, and the best of three counts: the machine may be busy.
        half = min(_seconds(name, short[shape]) for _ in range(3))
        whole = min(took, *(_seconds(name, long[shape]) for _ in range(2)))
        assert whole < 2.7 * half + 0.1, (shape, half, whole)


@pytest.mark.skipif(sys.platform != "linux", reason="limits of memory are set the Linux way")
def test_no_reader_swells() -> None:
    """Hostile shapes, and numbers of a hundred thousand digits, through all readers in a few hundred megabytes."""
    code = """
import resource, sys
from perf.fuzz import seeds, targets
targets.feed("judge_key_points", b"x"); targets.feed("specifics", b"x"); targets.feed("document_pdf", b"%PDF-")
resource.setrlimit(resource.RLIMIT_AS, (1400 << 20, 1400 << 20))
shapes = seeds.hostile(1000) | {"digits": b"9" * 100_000, "json": b'{"id": "Q1", "output": ' + b"9" * 100_000 + b"}"}
for name in targets.TARGETS:
    for shape in ("digits", "json", "exponent", "billion_laughs", "self_alias", "merge_keys"):
        targets.feed(name, shapes[shape])
targets.clean_up()
status = open("/proc/self/status").read()  # getrusage would tell the parent's size, which a child inherits
print("all", int(status.partition("VmHWM:")[2].split()[0]) // 1024)
"""
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        encoding="utf-8",
        timeout=110,
        check=False,
    )

    assert done.stdout.startswith("all "), done.stderr[-2000:]
    assert int(done.stdout.split()[1]) < 400
