"""Runs are found by what a person types."""

from pathlib import Path

import pytest

from ragstone.core.errors import RunError
from ragstone.runs.store.catalogue import find_run
from ragstone.runs.store.folder import FORMAT, META, RunFolder


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with seven runs that begin alike, and one that does not."""
    for name in (*(f"m_{number}" for number in range(7)), "other"):
        with RunFolder.create(tmp_path, name, "--run-id") as run:
            run.write(META, {"format_version": FORMAT, "run_id": name, "created": name})
    return tmp_path


def test_a_beginning_that_fits_one_run_finds_it(runs: Path) -> None:
    """A name need not be typed to its end."""
    assert find_run(runs, "oth").path.name == "other"


def test_a_beginning_of_many_names_the_first_of_them(runs: Path) -> None:
    """Whoever typed too little sees what there is."""
    with pytest.raises(RunError) as refused:
        find_run(runs, "m_")

    said = refused.value.say("en")
    assert refused.value.code == "run.many"
    assert "7 runs" in said and "m_6" in said and "m_1" not in said


@pytest.mark.parametrize("name", ["", " "])
def test_no_name_is_said_to_be_none(runs: Path, name: str) -> None:
    """An empty variable in a script is told as what it is."""
    with pytest.raises(RunError) as refused:
        find_run(runs, name)

    assert refused.value.code == "run.unnamed"
