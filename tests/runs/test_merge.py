"""A run split in parts and joined again."""

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from ragstone.api import Run, evaluate, plan_run, resume
from ragstone.core.errors import DatasetError, RunError, SettingError
from ragstone.core.settings import Settings
from ragstone.core.types import JSON, Answer, Failure
from ragstone.runs.merge import LINK, Merged, merge
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.seal import meta_sha256
from ragstone.systems.wrappers.budget import Budget
from ragstone.systems.wrappers.compose import with_wrappers
from ragstone.systems.wrappers.limits import Limits
from ragstone.systems.wrappers.wrapper import layers
from ragstone.trust.verify import verify

CASES = 11


@pytest.fixture
def dataset(tmp_path: Path) -> Path:
    """Write some questions."""
    rows = [{"q": f"第{n}问", "gold": [f"要点{n}"], "doc_hint": [f"d{n}.md"]} for n in range(CASES)]
    path = tmp_path / "q.jsonl"
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows), encoding="utf-8")
    return path


async def rag(question: str) -> Answer:
    """Know every third answer."""
    number = int(question[1:-1])
    if number == 7:
        return Answer(failure=Failure("timeout", "late"), latency_ms=7.0)
    return Answer(text=f"要点{number if number % 3 else 99}（d{number}.md）", latency_ms=float(number))


async def rag2(question: str) -> Answer:
    """Know nothing."""
    return Answer(text="不知道", latency_ms=1.0)


def _split(dataset: Path, of: int, **more: JSON) -> list[RunFolder]:
    asked = more.pop("system", rag)
    names = range(1, of + 1)
    runs = [evaluate(dataset, asked, shard=f"{i}/{of}", run_id=f"p{i}of{of}", **more) for i in names]
    return [RunFolder(run.folder) for run in runs]


def _rows(folder: Path) -> list[dict[str, JSON]]:
    rows = [json.loads(line) for line in (folder / "results.jsonl").read_bytes().splitlines()]
    return [row | {"run_id": ""} for row in rows]


@pytest.mark.parametrize(("of", "systems", "repeats"), [(1, 1, 1), (3, 1, 1), (4, 2, 2), (11, 1, 3)])
def test_the_whole_is_what_it_would_have_been(
    dataset: Path, tmp_path: Path, of: int, systems: int, repeats: int
) -> None:
    """Rows, figures and journal equal those of a run that was never split."""
    asked = [rag, rag2][:systems]
    once = evaluate(dataset, asked, run_id="whole", repeats=repeats)
    parts = _split(dataset, of, system=asked, repeats=repeats)
    whole = merge(list(reversed(parts)), tmp_path / "out" / "whole")

    assert _rows(once.folder) == _rows(whole.folder.path)
    assert once.summary == whole.summary
    assert sorted(_lines(once.folder)) == sorted(_lines(whole.folder.path))
    assert [part["shard"] for part in whole.folder.meta()[LINK]] == [f"{i}/{of}" for i in range(1, of + 1)]


def _lines(folder: Path) -> list[bytes]:
    return (folder / "answers.jsonl").read_bytes().splitlines()


def test_a_merged_run_is_a_run(dataset: Path, tmp_path: Path) -> None:
    """It can be verified, and nothing in it says how it came about but its link."""
    whole = merge(_split(dataset, 2), tmp_path / "whole")
    found = verify(whole.folder)

    assert (found.status, found.rows, found.drifted) == ("identical", CASES, 0)
    assert "shard" not in whole.folder.read("config.json")


def test_a_part_is_a_run_of_its_own(dataset: Path) -> None:
    """It has its share of the cases, under the numbers of the whole, and can be verified."""
    first, second = _split(dataset, 2)

    assert [first.meta()["expected"], second.meta()["expected"]] == [5, 6]
    assert json.loads(_lines(second.path)[0])["unit"] == 5
    assert verify(second).status == "identical"


def test_missing_parts_must_be_allowed(dataset: Path, tmp_path: Path) -> None:
    """Then the run is partial, and resume asks the rest."""
    parts = _split(dataset, 3)
    with pytest.raises(RunError, match="2/3"):
        merge([parts[0], parts[2]], tmp_path / "whole")
    whole = merge([parts[0], parts[2]], tmp_path / "whole", partial=True)
    again = resume(whole.folder.path, rag)

    assert (whole.summary.status, again.summary.status) == ("partial", "complete")
    assert _rows(again.folder) == _rows(evaluate(dataset, rag, run_id="once").folder)


def test_an_unfinished_part_is_missing_too(dataset: Path, tmp_path: Path) -> None:
    """A part that was stopped is named with what it is."""
    parts = _split(dataset, 2)
    meta = parts[1].meta() | {"status": "partial"}
    parts[1].write("run_meta.json", meta | {"meta_sha256": meta_sha256(meta)})

    with pytest.raises(RunError, match=r"2/2 \(partial\)"):
        merge(parts, tmp_path / "whole")


@pytest.mark.parametrize("partial", [False, True])
@pytest.mark.parametrize("name", ["results.jsonl", "answers.jsonl", "config.json", "run_meta.json"])
def test_an_altered_part_is_refused(dataset: Path, tmp_path: Path, name: str, partial: bool) -> None:
    """A merged run is sealed anew: what was done to a part before would never be seen."""
    parts = _split(dataset, 2)
    path = parts[1].path / name
    text = path.read_bytes()
    path.write_bytes(text[:-200] if name == "results.jsonl" else text.replace(b'"complete"', b'"partial"') + b" ")

    with pytest.raises(RunError, match=f"'?{name}'? changed") as caught:
        merge(parts, tmp_path / "whole", partial=partial)
    assert caught.value.params["files"] == [name]
    assert not (tmp_path / "whole").exists()


def test_the_same_part_twice_is_refused(dataset: Path, tmp_path: Path) -> None:
    """Cases would be counted twice."""
    parts = _split(dataset, 2)

    with pytest.raises(RunError, match="part 1/2 was given twice"):
        merge([parts[0], parts[1], parts[0]], tmp_path / "whole")
    assert not (tmp_path / "whole").exists()


def _other_system(dataset: Path) -> Run:
    return evaluate(dataset, rag2, shard="2/2", run_id="other")


def _other_cut(dataset: Path) -> Run:
    return evaluate(dataset, rag, shard="2/3", run_id="other")


def _other_repeats(dataset: Path) -> Run:
    return evaluate(dataset, rag, shard="2/2", run_id="other", repeats=2)


def _other_dataset(dataset: Path) -> Run:
    dataset.write_bytes(dataset.read_bytes() + dataset.read_bytes().splitlines(keepends=True)[0])
    return evaluate(dataset, rag, shard="2/2", run_id="other")


@pytest.mark.parametrize(
    ("make", "what"),
    [
        (_other_system, "system_sha256"),
        (_other_cut, "shard"),
        (_other_repeats, "repeats"),
        (_other_dataset, "dataset_sha256"),
    ],
)
def test_parts_of_another_run_are_refused(dataset: Path, tmp_path: Path, make: object, what: str) -> None:
    """What differs is named, and nothing is written."""
    first = evaluate(dataset, rag, shard="1/2", run_id="first")
    other = make(dataset)  # type: ignore[operator]

    with pytest.raises(RunError, match=what):
        merge([RunFolder(first.folder), RunFolder(other.folder)], tmp_path / "whole")
    assert not (tmp_path / "whole").exists()


def test_a_whole_run_is_no_part(dataset: Path, tmp_path: Path) -> None:
    """Nor is nothing."""
    with pytest.raises(RunError, match="not a part"):
        merge([RunFolder(evaluate(dataset, rag, run_id="r").folder)], tmp_path / "whole")
    with pytest.raises(SettingError, match="nothing to merge"):
        merge([], tmp_path / "whole")


def test_a_dataset_that_changed_since_is_refused(dataset: Path, tmp_path: Path) -> None:
    """Figures would belong to neither; a copy that lies elsewhere is fine."""
    parts = _split(dataset, 2)
    moved = dataset.rename(tmp_path / "moved.jsonl")
    with pytest.raises(DatasetError, match="no such file"):
        merge(parts, tmp_path / "whole")
    assert isinstance(merge(parts, tmp_path / "whole", dataset=moved), Merged)
    moved.write_bytes(moved.read_bytes() * 2)
    with pytest.raises(RunError, match="dataset"):
        merge(parts, tmp_path / "again", dataset=moved)


def test_a_folder_that_is_there_is_not_overwritten(dataset: Path, tmp_path: Path) -> None:
    """A run is never lost to another."""
    parts = _split(dataset, 2)
    merge(parts, tmp_path / "whole")

    with pytest.raises(RunError, match="whole"):
        merge(parts, tmp_path / "whole")


def _inside(options: Mapping[str, JSON]) -> tuple[Limits, Budget]:
    class Quiet:
        model_id = "m"

    found = list(layers(with_wrappers(Quiet(), options)))  # type: ignore[arg-type]
    (limits,), (budget,) = ([x for x in found if isinstance(x, kind)] for kind in (Limits, Budget))
    return limits, budget  # type: ignore[return-value]


def test_limits_and_budgets_are_divided() -> None:
    """Four parts together ask no more than one run would."""
    given = {"requests_per_minute": 600, "tokens_per_minute": 1000, "concurrency": 6, "max_calls": 9, "max_cost": 2.0}
    limits, budget = _inside(given | {"max_seconds": 60, "share": 4})
    options = budget._options

    assert limits._requests is not None
    assert limits._requests._per_second == 600 / 4 / 60
    assert limits.limit == 1
    assert (options.max_calls, options.max_cost, options.max_seconds) == (2, 0.5, 60)
    assert _inside({"share": 4})[0].limit == float("inf")


def test_the_concurrency_of_a_part_is_divided(dataset: Path) -> None:
    """It never falls below one."""
    plans = [plan_run(dataset, rag, shard=f"1/{n}", settings=Settings(concurrency=8))[0] for n in (1, 3, 11)]

    assert [plan.concurrency for plan in plans] == [8, 2, 1]
