"""What was changed behind a run's back is never taken for its own: sealed runs, checked journals, salvage."""

import json
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import ragstone
from ragstone.core.errors import RunError, UserError
from ragstone.runs.store.admission import TRUSTING
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.journal import line_of
from ragstone.runs.store.seal import SEALED, altered
from ragstone.trust.compare import compare
from ragstone.trust.gate import GateFile, judge_run, make_gate
from ragstone.trust.rescore import rescore
from ragstone.trust.verify import verify
from tests.conftest import Cli
from tests.runs.stopped import leave

GATE = make_gate(GateFile(), ["pass_rate >= 0"])


@pytest.fixture
def run(write_rows: Callable[..., Path]) -> RunFolder:
    """A finished run of thirty cases, each answered well."""
    rows = [{"q": f"第{n}号柜的押金？", "gold": [f"{n}00元"], "doc_hint": []} for n in range(30)]
    answers = write_rows("said.jsonl", *({"id": f"Q{n + 1}", "output": f"{n}00元"} for n in range(30)))
    done = ragstone.evaluate(write_rows("q.jsonl", *rows), f"replay:{answers}", run_id="a")
    return RunFolder(done.folder)


def _edit(folder: RunFolder, lines: int) -> None:
    """Write other answers, with checksums that fit."""
    path = folder.path / "answers.jsonl"
    rows = path.read_bytes().splitlines(keepends=True)
    for n in range(lines):
        entry = json.loads(rows[n])
        rows[n] = line_of(entry["unit"], entry["id"], ragstone.Answer(text="不知道")) + b"\n"
    path.write_bytes(b"".join(rows))


def test_resume_launders_no_altered_answers(run: RunFolder, cli: Cli) -> None:
    """29 edited answers: refused, also after a second try; verify and gate say so before and after."""
    _edit(run, 29)

    codes = [cli(*words).returncode for words in (("verify", "a"), ("resume", "a", "-q"), ("verify", "a"))]

    assert codes == [1, 2, 1]
    assert judge_run(run, GATE).verdict.decided_by == "unaltered"


def test_a_salvaged_alteration_is_recorded_for_ever(run: RunFolder, cli: Cli) -> None:
    """Continued all the same, it says so in every place that shows the run, and so does what is made of it."""
    _edit(run, 29)
    assert cli("resume", "a", "-q", "--salvage").returncode == 0
    assert cli("resume", "a", "-q").returncode == 0
    new = rescore(run).folder

    assert run.meta()["altered"] == new.meta()["altered"] == ["answers.jsonl"]
    assert (verify(run).status, judge_run(run, GATE).verdict.outcome) == ("drift", "NOT MEASURED")
    assert judge_run(new, GATE).verdict.outcome == "NOT MEASURED"
    assert compare(run, new).altered == ("a/answers.jsonl", "a-rescored-1/answers.jsonl")
    assert "answers.jsonl" in cli("report", "a").stderr
    assert "[altered: answers.jsonl]" in cli("runs").stdout


def test_answers_are_sealed_while_a_run_goes_on(run: RunFolder) -> None:
    """A finished run that is continued and killed keeps the seal of the answers it had."""

    class Dying:
        def __getattr__(self, name: str) -> object:
            raise OSError("killed")

    with pytest.raises(OSError, match="killed"):
        ragstone.resume(run.path, watchers=[Dying()])  # type: ignore[list-item]
    _edit(run, 1)

    with pytest.raises(RunError, match=r"answers\.jsonl"):
        ragstone.resume(run.path)


def test_answers_of_an_altered_run_are_not_reused(run: RunFolder) -> None:
    """A new run takes over nothing that was changed."""
    _edit(run, 3)

    with pytest.raises(RunError, match="changed after"):
        ragstone.evaluate("q.jsonl", "replay:said.jsonl", run_id="b", reuse=run.path)


def test_a_seal_that_is_gone_is_missed(run: RunFolder) -> None:
    """Taking the hashes away makes a run no older."""
    meta = {name: value for name, value in run.meta().items() if name not in {"files_sha256", "meta_sha256"}}
    (run.path / "run_meta.json").write_text(json.dumps(meta))

    assert altered(run) == ["run_meta.json"]


LINES: dict[str, bytes] = {
    "deep": b'{"unit":1,"id":"Q2","answer":{"data":' + b"[" * 100_000 + b"}}",
    "negative": b'{"unit":-1,"id":"Q2","answer":{}}',
    "huge": b'{"unit":99999999999,"id":"Q2","answer":{}}',
    "endless": b'{"unit":' + b"9" * 5000 + b',"id":"Q2","answer":{}}',
    "no text": b'{"unit":1,"id":"Q2","answer":{"text":"\xff\xfe"}}',
    "other kind": b'{"unit":1,"id":"Q2","answer":{"text":5}}',
    "another case": line_of(1, "Q9", ragstone.Answer(text="9")),
    "wrong sum": line_of(1, "Q2", ragstone.Answer(text="9")).replace(b'"9"', b'"8"'),
    "no sum": b'{"unit":1,"id":"Q2","answer":{"text":"9"}}',
}


@pytest.mark.parametrize("name", LINES)
def test_a_bad_line_is_named_and_can_be_left_behind(run: RunFolder, cli: Cli, name: str) -> None:
    """Its number is told, the list of runs stands, and salvage asks again what it answered."""
    leave(run.path)
    path = run.path / "answers.jsonl"
    rows = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([rows[0], LINES[name] + b"\n", *rows[2:]]))

    refused, listed, saved = cli("resume", "a"), cli("runs"), cli("resume", "a", "--salvage", "--lang", "en")

    assert (refused.returncode, listed.returncode, saved.returncode) == (2, 0, 0)
    assert "answers.jsonl:2" in refused.stderr
    assert "a " in listed.stdout
    assert "29 answers are kept; 1 line of" in saved.stdout + saved.stderr
    assert verify(run).status == "identical"


@pytest.mark.parametrize("flips", [40, pytest.param(200, marks=pytest.mark.long)])
def test_a_flipped_bit_is_never_silent(run: RunFolder, tmp_path: Path, flips: int) -> None:
    """Whatever file it is in, every one of them in its turn, verify names it or refuses the run."""
    dice, names = random.Random(17), [*SEALED, "run_meta.json"]
    for number in range(flips):
        name = names[number % len(names)]
        copy = RunFolder(Path(shutil.copytree(run.path, tmp_path / str(number))))
        content = bytearray((copy.path / name).read_bytes())
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        (copy.path / name).write_bytes(content)
        try:
            status: str = verify(copy, guard=TRUSTING).status
        except UserError:
            status = "refused"
        assert status in {"drift", "refused"}, (number, name)
        shutil.rmtree(copy.path)
