"""`ragstone subset`: a draw that anybody can repeat."""

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
