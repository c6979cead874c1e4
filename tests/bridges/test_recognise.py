"""Which tool made a file, and what is said of files no tool made."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.bridges import files
from ragstone.bridges.import_run import import_run
from ragstone.bridges.recognise import read_foreign, recognise
from ragstone.bridges.records import TOOLS, ForeignRun
from ragstone.core.errors import DatasetError
from ragstone.trust.verify import verify
from tests.bridges.samples import FILES, SAMPLES
from tests.needs import many

QUIET = settings(max_examples=many(150), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.mark.parametrize("name", FILES)
def test_each_sample_is_recognised_by_its_content(name: str) -> None:
    """The name of the file does not matter, what is in it does."""
    assert recognise(SAMPLES / name) == name.partition("/")[0]


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith((".json", ".jsonl", ".csv"))])
@pytest.mark.parametrize("share", [0.1, 0.5, 0.98])
def test_a_file_cut_short_is_refused(name: str, share: float) -> None:
    """Never half a run as a whole one: JSON breaks, a table's last row is too short."""
    content = (SAMPLES / name).read_bytes()
    path = Path(Path(name).name)
    path.write_bytes(content[: int(len(content) * share)])

    with pytest.raises(DatasetError) as error:
        read_foreign(path)

    assert error.value.code in {"import.json", "import.csv", "import.encoding", "import.unknown"}


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.json", b"{}", "import.unknown"),
        ("a.json", b"[]", "import.unknown"),
        ("a.json", b"", "import.json"),
        ("a.json", b"[" * 100_000, "import.json"),
        ("a.json", b'{"a": 1e999999, "b": ' + b"9" * 5000 + b"}", "import.json"),
        ("a.json", b"\xff\xfe{\x00", "import.encoding"),
        ("a.jsonl", b"1\n", "import.json"),
        ("a.jsonl", b"", "import.unknown"),
        ("a.csv", b"\xff,\xfe\n", "import.encoding"),
        ("a.eval", b"PK\x03\x04rest", "import.archive"),
        ("a.bin", b"\x00\x01", "import.no_json"),
    ],
)
def test_what_no_tool_made_is_refused(name: str, content: bytes, code: str) -> None:
    """Each fault has a name; nothing raises anything else."""
    Path(name).write_bytes(content)

    with pytest.raises(DatasetError) as error:
        read_foreign(Path(name))

    assert error.value.code == code
    assert name in error.value.say("zh-Hans")


@pytest.mark.parametrize("tool", TOOLS)
def test_a_wrong_name_of_the_tool_is_told(tool: str) -> None:
    """--from is believed, and then the file has to fit."""
    Path("a.json").write_text("{}", encoding="utf-8")

    with pytest.raises(DatasetError) as error:
        read_foreign(Path("a.json"), tool)  # type: ignore[arg-type]

    assert error.value.code.startswith("import.")


def test_a_file_that_is_too_large_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither as a whole nor by its rows."""
    monkeypatch.setattr(files, "MOST_BYTES", 100)
    with pytest.raises(DatasetError) as whole:
        read_foreign(SAMPLES / "promptfoo/out.json")
    monkeypatch.setattr(files, "MOST_BYTES", 1 << 30)
    monkeypatch.setattr(files, "MOST_ROW", 100)
    with pytest.raises(DatasetError) as row:
        read_foreign(SAMPLES / "ragas/result.jsonl")

    assert (whole.value.code, row.value.code) == ("import.large", "import.row")


def test_a_missing_file_is_told() -> None:
    """The usual message for a path that leads nowhere."""
    with pytest.raises(DatasetError) as error:
        read_foreign(Path("nowhere.json"))

    assert error.value.code == "import.missing"


@pytest.mark.parametrize("depth", [400, 950, 3000])
def test_deep_nesting_is_survived(depth: int) -> None:
    """A value nested a thousandfold is read or refused, never a crash."""
    deep = "[" * depth + '"\\ud800"' + "]" * depth
    Path("x.json").write_text(f'{{"results": {{"results": [{{"vars": {{"question": {deep}}}, "score": 1}}]}}}}')

    try:
        done = import_run(Path("x.json"), out=Path("runs/x"))
    except DatasetError as error:
        assert error.code == "import.json"
    else:
        assert done.summary.finished == 1


def test_half_characters_are_replaced() -> None:
    """JSON can write half a character; what is kept can be read again."""
    row = '{"user_input": "q\\ud800", "response": "a\\udfff", "m\\ud801": 0.5, "note": {"x": "\\ud800"}}'
    Path("x.jsonl").write_text(row, encoding="utf-8")

    done = import_run(Path("x.jsonl"), out=Path("runs/x"))

    assert [result.question for result in done.folder.results()] == ["q?"]
    assert verify(done.folder).status == "identical"


def test_a_very_large_extra_is_left_out() -> None:
    """Fields no rule knows travel along only as far as they are light."""
    rows = [{"user_input": "q", "response": "a", "m": 1, "log": "x" * (2 << 20)}]
    Path("x.json").write_text(json.dumps(rows), encoding="utf-8")

    done = import_run(Path("x.json"), out=Path("runs/x"))

    assert (done.folder.path / "dataset.jsonl").stat().st_size < 1000


LEAVES = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    LEAVES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3)
)
SHAPES: dict[str, Callable[[object], object]] = {
    "deepeval": lambda v: {"testCases": [{"input": v, "actualOutput": v, "metricsData": [{"name": v, "score": v}]}]},
    "promptfoo": lambda v: {
        "results": {"results": [{"vars": v, "response": v, "namedScores": {"a": v}, "testIdx": v}]}
    },
    "inspect": lambda v: {"eval": {"task": v, "dataset": v}, "samples": [{"id": v, "input": v, "scores": {"a": v}}]},
    "inspect ": lambda v: {"eval": {"dataset": {"sample_ids": v}, "config": v}, "results": v, "samples": v},
    "deepeval ": lambda v: {"testCases": v, "metricsScores": [{"scores": v}], "hyperparameters": v},
    "promptfoo ": lambda v: {"results": {"results": [{"response": {"output": v}}], "prompts": v, "stats": v}},
    "ragas": lambda v: [{"user_input": v, "response": v, "retrieved_contexts": v, "m": v, "n": 1}],
}


@QUIET
@given(tool=st.sampled_from(sorted(SHAPES)), value=VALUES)
def test_nothing_but_our_own_errors_comes_out(tool: str, value: object) -> None:
    """Whatever stands in a field, a file is read or refused."""
    Path("x.json").write_text(json.dumps(SHAPES[tool](value)), encoding="utf-8")

    try:
        found = read_foreign(Path("x.json"), tool.strip())  # type: ignore[arg-type]
    except DatasetError as error:
        assert error.say("en")
    else:
        assert isinstance(found, ForeignRun)
