"""`ragstone subset`: a draw that anybody can repeat."""

import gzip
import json
from pathlib import Path

import ragstone
from tests.conftest import Cli

FULL = Path(ragstone.__file__).parent / "data" / "eval_json_v2" / "question_v2.json"


def test_the_same_draw_on_every_machine(cli: Cli, tmp_path: Path) -> None:
    """The bundled gate set is what the command draws, to the byte; the fingerprint does not depend on the machine."""
    gate = FULL.with_name("question_v2_gate.json")
    size = str(len(json.loads(gate.read_bytes())))

    done = cli("subset", FULL, "out.json", "-n", size, env={"PYTHONHASHSEED": "7", "TZ": "Asia/Taipei"})

    assert done.returncode == 0, done.stderr
    assert (tmp_path / "out.json").read_bytes() == gate.read_bytes()
    assert "fingerprint" in done.stdout
    assert cli("subset", FULL, "out.json").returncode == 2


def test_another_seed_draws_another_set(cli: Cli, tmp_path: Path) -> None:
    """The seed is part of the draw."""
    for seed in ("a", "b"):
        cli("subset", FULL, f"{seed}.json", "-n", "20", "--seed", seed)

    assert (tmp_path / "a.json").read_bytes() != (tmp_path / "b.json").read_bytes()


def test_rows_of_a_packed_set_are_drawn_as_lines(cli: Cli, tmp_path: Path) -> None:
    """The draw is that of the plain set; a name that is not JSONL is refused."""
    rows = "".join(json.dumps({"q": f"问题{n}", "gold": ["甲"], "doc_hint": []}) + "\n" for n in range(30))
    (tmp_path / "q.jsonl").write_text(rows, encoding="utf-8")
    (tmp_path / "q.jsonl.gz").write_bytes(gzip.compress(rows.encode()))

    done = [cli("subset", f"q{kind}", f"out{at}.jsonl", "-n", "5") for at, kind in enumerate((".jsonl", ".jsonl.gz"))]

    assert [each.returncode for each in done] == [0, 0], done[1].stderr
    plain, packed = (
        [json.loads(line) for line in (tmp_path / f"out{at}.jsonl").read_bytes().splitlines()] for at in range(2)
    )
    assert plain == packed
    assert cli("subset", "q.jsonl.gz", "out.csv").returncode == 2


def test_strata_without_a_name_are_shown_as_such(cli: Cli, tmp_path: Path) -> None:
    """A set without the usual groups has one stratum, and no row of lonely strokes."""
    rows = "".join(f'{{"q": "{n}?", "gold": ["a"], "doc_hint": ["a.md"]}}\n' for n in range(4))
    (tmp_path / "plain.jsonl").write_text(rows, encoding="utf-8")

    done = cli("subset", "plain.jsonl", "out.jsonl", "-n", "2")

    assert done.stdout.splitlines()[0].split() == ["2", "/", "4", "–"]
