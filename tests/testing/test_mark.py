"""Where a mark's files are looked for."""

from pathlib import Path

import pytest

from ragstone.testing.mark import find, find_system


@pytest.fixture
def places(tmp_path: Path) -> tuple[Path, Path]:
    """The folder of a test file and the one pytest was started in; both have a dataset, one has answers."""
    beside, start = tmp_path / "tests", tmp_path
    beside.mkdir()
    for path in (beside / "cases.jsonl", start / "cases.jsonl", start / "answers.jsonl"):
        path.touch()
    return beside, start


def test_what_lies_beside_the_test_comes_first(places: tuple[Path, Path]) -> None:
    """Then comes the folder pytest was started in; what is nowhere is named from there."""
    beside, start = places

    assert find(Path("cases.jsonl"), places) == beside / "cases.jsonl"
    assert find(Path("answers.jsonl"), places) == start / "answers.jsonl"
    assert find(Path("nothing.jsonl"), places) == start / "nothing.jsonl"


@pytest.mark.parametrize("spec", ["python:mybot:answer", "chat:qwen", "http_json:lightrag", "mine", "builtin:", ""])
def test_a_system_that_is_no_file_stays_as_it_is(places: tuple[Path, Path], spec: str) -> None:
    """Modules, models, presets and names are no paths."""
    assert find_system(spec, places) == spec


def test_a_system_in_a_file_is_found_like_a_dataset(places: tuple[Path, Path]) -> None:
    """Recorded answers and folders of documents."""
    _, start = places

    assert find_system("replay:answers.jsonl", places) == f"replay:{start / 'answers.jsonl'}"
