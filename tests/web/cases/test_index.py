"""The index of cases: pages, filters, growth, and what happens when the file changes under it."""

import json
import random
from pathlib import Path

import pytest
from msgspec import to_builtins

from ragstone.contracts.key_points.contract import METRICS
from ragstone.core.types import Result, Scorecard
from ragstone.web.cases.index import Index, Indexes
from ragstone.web.cases.indexer import index_of
from ragstone.web.cases.query import Query
from ragstone.web.errors import PageError


def row(number: int, *, score: float = 1.0, **more: object) -> bytes:
    """Make one line of results.jsonl."""
    card = Scorecard(
        primary_score=score,
        passed=score >= 1,
        sub_scores={"accuracy": float(score > 0), "citation": None if number % 5 == 0 else score},
        error_tags=() if score >= 1 else ("no_citation",),
    )
    fields: dict[str, object] = {
        "run_id": "r",
        "sample_id": f"Q{number}",
        "task_name": "key_points",
        "model_id": "m",
        "scorer_version": "1",
        "question": f"问题 {number}",
        "output_text": f"回答 {number}",
        "task_metrics": {},
        "scorecard": card,
        "groups": {"type": ("odd" if number % 2 else "even",)},
        "latency_ms": float(number % 7),
    }
    return json.dumps(to_builtins(Result(**(fields | more)))).encode() + b"\n"  # type: ignore[arg-type]


def make_run(folder: Path, *lines: bytes) -> Path:
    """Write as much of a run as the index looks at."""
    folder.mkdir()
    named = {"dataset": "q.jsonl", "contract": "key_points", "documents": None, "language": "en", "mock": True}
    chosen = {"options": {}, "systems": [], "system_options": {}, "concurrency": 1, "timeout": 1.0}
    config = named | chosen | {"repeats": 1, "max_samples": None, "metrics": to_builtins(list(METRICS))}
    (folder / "config.json").write_text(json.dumps(config))
    (folder / "results.jsonl").write_bytes(b"".join(lines))
    return folder


@pytest.fixture
def index(tmp_path: Path) -> Index:
    """An index over 57 cases of three scores."""
    dice = random.Random(8)
    lines = (row(number, score=dice.choice((0.0, 0.5, 1.0))) for number in range(1, 58))
    index = Index(make_run(tmp_path / "r", *lines))
    index.refresh()
    return index


@pytest.mark.parametrize("sort", ["number", "-number", "score", "-score", "latency", "-citation", "accuracy"])
@pytest.mark.parametrize("limit", [1, 7, 200])
def test_pages_put_together_are_all_cases_once(index: Index, sort: str, limit: int) -> None:
    """However they are sorted and cut, no case is lost or shown twice."""
    seen, after, most = [], "", 60
    while most:
        page = index.page(Query(sort=sort, limit=limit, after=after))
        seen += [found.number for found in page.rows]
        after, most = page.next or "", most - 1
        if not after:
            break

    assert sorted(seen) == list(range(1, 58))
    assert page.total == 57


def test_pages_are_sorted(index: Index) -> None:
    """Best first, and equal ones in the order of the run turned round."""
    rows = index.page(Query(sort="-score", limit=57)).rows

    keys = [(found.result.scorecard.primary_score, found.number) for found in rows]
    assert keys == sorted(keys, reverse=True)


def _even_with_1(result: Result) -> bool:
    return int(result.sample_id[1:]) % 2 == 0 and "1" in result.sample_id


@pytest.mark.parametrize(
    ("query", "fits"),
    [
        (Query(state="passed"), lambda r: r.scorecard.passed),
        (Query(state="missed"), lambda r: not r.scorecard.passed),
        (Query(state="errored"), lambda r: False),
        (Query(tag="no_citation"), lambda r: not r.scorecard.passed),
        (Query(group="type=odd"), lambda r: int(r.sample_id[1:]) % 2 == 1),
        (Query(metric="citation"), lambda r: r.scorecard.sub_scores["citation"] in (0, 0.5)),
        (Query(text="回答 5"), lambda r: "回答 5" in r.output_text),
        (Query(text="q57"), lambda r: r.sample_id == "Q57"),
        (Query(text="%"), lambda r: False),
        (Query(model="m"), lambda r: True),
        (Query(model="other"), lambda r: False),
        (Query(state="missed", group="type=even", text="1"), lambda r: not r.scorecard.passed and _even_with_1(r)),
    ],
)
def test_filters_find_what_fits(index: Index, query: Query, fits: object) -> None:
    """The index and a walk over all rows agree."""
    expected = [found.number for found in index.page(Query(limit=200)).rows if fits(found.result)]  # type: ignore[operator]

    page = index.page(Query(**{name: getattr(query, name) for name in query.__struct_fields__} | {"limit": 200}))

    assert [found.number for found in page.rows] == expected
    assert page.total == len(expected)


@pytest.mark.parametrize(
    "query", [Query(sort="x; DROP TABLE cases"), Query(state="odd"), Query(metric="no"), Query(after="%%%")]
)
def test_a_query_that_means_nothing_is_told(index: Index, query: Query) -> None:
    """Words of a browser never become words of the database."""
    with pytest.raises(PageError) as told:
        index.page(query)

    assert told.value.status == 422


def test_the_index_grows_with_the_run(tmp_path: Path) -> None:
    """New lines are taken in; a line that is still being written is left for later."""
    folder = make_run(tmp_path / "r", row(1), row(2), row(3)[:-20])
    index = Index(folder)
    index.refresh()
    before = len(index)
    (folder / "results.jsonl").write_bytes(row(1) + row(2) + row(3) + row(4, score=0))

    index.refresh()

    assert (before, len(index)) == (2, 4)
    assert index.page(Query(state="missed")).total == 1


@pytest.mark.parametrize("again", [False, True])
def test_a_changed_file_is_read_anew(tmp_path: Path, again: bool) -> None:
    """Equal length, other content: an index made before is not believed, whether it is open or found on disk."""
    folder = make_run(tmp_path / "r", row(1, score=0.0), row(2))
    index = Index(folder)
    index.refresh()
    (folder / "results.jsonl").write_bytes(row(1, score=0.5) + row(2))
    if again:
        index.close()
        index = Index(folder)

    index.refresh()

    assert [found.result.scorecard.primary_score for found in index.page(Query()).rows] == [0.5, 1.0]
    assert index.bins()[5].missed == 1


def test_a_file_written_anew_and_longer_is_read_anew(tmp_path: Path) -> None:
    """A run that is continued writes its rows again, and may be past the old end at the next look."""
    folder = make_run(tmp_path / "r", *(row(number) for number in range(1, 4)))
    index = Index(folder)
    index.refresh()
    (folder / "results.jsonl").write_bytes(b"".join(row(number, output_text="长" * number) for number in range(1, 9)))

    index.refresh()

    assert [found.result.output_text for found in index.page(Query()).rows] == ["长" * number for number in range(1, 9)]


def test_rows_that_change_between_two_looks_are_looked_at_again(tmp_path: Path) -> None:
    """The index is behind: what it finds in the file is the middle of a line, so it looks once more."""
    folder = make_run(tmp_path / "r", *(row(number) for number in range(1, 4)))
    index = Index(folder)
    index.refresh()
    (folder / "results.jsonl").write_bytes(b"".join(row(number, output_text="长" * 30) for number in range(1, 6)))

    assert len(index.page(Query()).rows) == 5


def test_a_shorter_file_is_read_anew(tmp_path: Path) -> None:
    """A run that begins again shows what it has now."""
    folder = make_run(tmp_path / "r", row(1), row(2))
    indexes = Indexes()
    assert len(indexes.of(folder)) == 2
    (folder / "results.jsonl").write_bytes(row(7))

    assert indexes.of(folder).page(Query()).rows[0].result.sample_id == "Q7"


def test_a_damaged_index_is_made_again(tmp_path: Path) -> None:
    """What stands in the index file is never needed."""
    folder = make_run(tmp_path / "r", row(1))
    index_of(folder).parent.mkdir()
    index_of(folder).write_bytes(b"not a database at all" * 100)

    index = Index(folder)
    index.refresh()

    assert len(index) == 1


def test_a_case_is_found_by_its_name(index: Index) -> None:
    """Numbers begin at 1; a case that is not there is none."""
    assert index.number_of("Q12", "m") == 12
    assert index.number_of("Q12", "m", repeat=1) is None
    found = index.case(12)
    assert found is not None
    assert found.result.sample_id == "Q12"
    assert index.case(58) is None


def test_text_no_database_can_hold_is_found_all_the_same(tmp_path: Path) -> None:
    """Lone surrogates and NUL in an answer do no harm."""
    index = Index(make_run(tmp_path / "r", row(1, output_text="a\ud800b\x00c")))
    index.refresh()

    assert index.page(Query(text="回")).total == 0
    assert index.page(Query(text="问题")).total == 1
