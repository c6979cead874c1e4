"""Bad lines of judgements.jsonl: the advice works, only what was lost is asked again, and no mark stays on the run."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import structs

from ragstone.judging.judgements import LONGEST, Judgements, read_line
from tests.conftest import Cli
from tests.judging.bench import ANSWERS, ROWS, by_chances, judging

Write = Callable[..., Path]
SAID = Path("runs/one/judgements.jsonl")


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run whose four open points a judge decides."""
    cli("score", write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS), "--run-id", "one", "-q")
    return Path("runs/one")


def _break(number: int) -> None:
    lines = SAID.read_bytes().splitlines(keepends=True)
    lines[number] = lines[number].replace(b'"margin":', b'"margin":9')
    SAID.write_bytes(b"".join(lines))


def _meta() -> dict[str, object]:
    return dict(json.loads(Path("runs/one/run_meta.json").read_text(encoding="utf-8")))


def test_salvage_drops_what_cannot_be_read_and_asks_it_again(cli: Cli, run: Path) -> None:
    """One of four lines: one question, the same figures, nothing on record as changed."""
    with judging(by_chances()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        before = Path("runs/one/results.jsonl").read_bytes()
        _break(1)
        asked = server.calls
        refused = cli("judge", "one")
        untrusted = cli("resume", "one", "--salvage")
        done = cli("resume", "one", "--salvage", "--trust-run")
        assert server.calls - asked <= 1 + 1
        again = cli("judge", "one", "--trust-run")

    assert refused.returncode == 2 and "--salvage" in refused.stderr
    assert untrusted.returncode == 2 and "--trust-run" in untrusted.stderr
    assert done.returncode == 0, done.stderr
    assert "3 replies of judges kept; 1 line of judgements.jsonl cannot be read" in untrusted.stdout + untrusted.stderr
    assert again.returncode == 0 and "4 open questions: 0 asked, 4 asked before" in again.stdout
    assert "altered" not in _meta() and Path("runs/one/results.jsonl").read_bytes() == before
    assert cli("verify", "one").returncode == 0
    assert Path("runs/one/judgements.jsonl.broken").is_file()


def test_a_damaged_line_is_told_with_advice_that_works(cli: Cli, run: Path) -> None:
    """Also where nothing is sealed, and in Chinese; a line of any length and an unfinished one are no trouble."""
    with judging(by_chances()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    good = SAID.read_bytes()
    SAID.write_bytes(good + b"x" * (LONGEST + 9) + b"\n" + b"{}\n" + b'{"key":"cut')
    done = cli("resume", "one", "--salvage", "--lang", "zh-Hans")

    assert "保留裁判的 4 个回复；judgements.jsonl 中有 2 行不可信" in done.stdout + done.stderr
    assert SAID.read_bytes() == good
    assert "altered" not in _meta()
    assert cli("verify", "one").returncode == 0


def test_what_was_changed_and_can_be_read_stays_on_record(cli: Cli, run: Path) -> None:
    """A line that was taken out is no damage: nothing is dropped, and the run says for ever that it was changed."""
    with judging(by_chances()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        SAID.write_bytes(b"".join(SAID.read_bytes().splitlines(keepends=True)[1:]))
        cli("resume", "one", "--salvage")

    assert _meta()["altered"] == ["judgements.jsonl"]


def test_a_damaged_line_hides_no_edited_one(cli: Cli, run: Path) -> None:
    """A reply turned round, with its checksum, beside a line that cannot be read: the run counts as altered."""
    with judging(by_chances()) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        lines = SAID.read_bytes().splitlines()
        SAID.unlink()
        forged = Judgements(SAID)
        for one in map(read_line, lines):
            forged.append(structs.replace(one, margin=-(one.margin or 0.0)))
        forged.close()
        _break(1)
        done = cli("resume", "one", "--salvage", "--trust-run")
    gate = cli("gate", "one", "--rule", "accuracy >= 0")

    assert done.returncode == 0, done.stderr
    assert _meta()["altered"] == ["judgements.jsonl"]
    assert gate.returncode == 3 and "judgements.jsonl" in gate.stdout
