"""From a list of failures to the case, to the next one, and to asking them again."""

import json
from pathlib import Path

import pytest
from msgspec import Raw

from ragstone.web.cases.facets import Facets, IndexedCard, IndexedRow
from ragstone.web.cases.index import Index
from ragstone.web.cases.query import Query
from tests.web.site import Site


@pytest.fixture
def index(site: Site, tmp_path: Path) -> Index:
    """The index of a run: Q1 passes, Q2 names a wrong document, Q3 leaves one point open and lacks the other."""
    index = Index(tmp_path / "runs" / site.run())
    index.refresh()
    return index


@pytest.mark.parametrize(
    ("query", "numbers"),
    [
        (Query(reason="wrong_document"), [2]),
        (Query(open=True), [3]),
        (Query(author="rule"), [1, 2, 3]),
        (Query(author="judge"), []),
        (Query(state="missed", sort="-score"), [2, 3]),
        (Query(sort="-citation"), [1, 3, 2]),
        (Query(reason="no_citation", open=True, group="category=停车"), [3]),
    ],
)
def test_neighbours_are_those_of_the_list(index: Index, query: Query, numbers: list[int]) -> None:
    """Walking from case to case meets what the list shows, in its order, and nothing else."""
    assert [row.number for row in index.page(query).rows] == numbers
    walked = [index.around(query, number) for number in numbers]

    assert [one.next for one in walked] == [*numbers[1:], None][: len(numbers)]
    assert [one.previous for one in walked] == [None, *numbers][: len(numbers)]
    assert [(one.place, one.total) for one in walked] == [(n, len(numbers)) for n in range(1, len(numbers) + 1)]
    assert all(not index.around(query, other).place for other in {1, 2, 3} - set(numbers))


@pytest.mark.parametrize(
    ("verdicts", "authors"),
    [
        ([], {"rule"}),
        ([{"verdict": "yes"}], {"rule"}),
        ([{"verdict": "yes", "by": "judge"}], {"judge"}),
        ([{"verdict": "yes", "by": "person"}, {"verdict": "no"}], {"person", "rule"}),
        ([{"verdict": "yes", "by": "<script>"}], {"rule"}),
    ],
)
def test_a_verdict_has_an_author(verdicts: list[dict[str, str]], authors: set[str]) -> None:
    """A rule, unless the verdict names a judge or a person; whatever else a row says there is no name."""
    details = Raw(json.dumps({"points": verdicts}).encode())
    card = IndexedCard(primary_score=1.0, passed=True, sub_scores={}, details=details)
    row = IndexedRow(sample_id="Q", model_id="m", question="", output_text="", scorecard=card)

    assert {value for name, value in Facets().of(row) if name == "author"} == authors


def test_failures_are_a_small_dataset_and_are_asked_again(site: Site, tmp_path: Path) -> None:
    """The rows as they stand, by the names they had; the new run is of the same system, and of those only."""
    run = site.run()
    taken = site.get(f"/api/v1/runs/{run}/dataset?state=missed")
    told = site.change("POST", f"/api/v1/runs/{run}/again", {"state": "missed"})

    assert [json.loads(line)["id"] for line in taken.content.splitlines()] == ["Q2", "Q3"]
    assert "library-2.jsonl" in taken.headers["content-disposition"]
    assert told.status == 202, told.text
    again = told.json["run_id"]
    site.wait(again)
    rows = site.get(f"/api/v1/runs/{again}/cases").json["rows"]
    assert [(row["id"], row["state"]) for row in rows] == [("Q2", "failed"), ("Q3", "failed")]
    assert site.get(f"/api/v1/runs/{again}").json["meta"]["model_id"] == "recorded"
    metadata = json.loads((tmp_path / "datasets" / ".about" / "library-2.jsonl.json").read_text())
    assert metadata == {"made_from": "library.jsonl", "run": run}


def test_what_is_gone_cannot_be_asked_again(site: Site, tmp_path: Path) -> None:
    """A dataset that asks something else now is told, and so is a filter that nothing fits."""
    run = site.run()
    nothing = site.change("POST", f"/api/v1/runs/{run}/again", {"q": "没有这样的字"})
    (tmp_path / "datasets" / "library.jsonl").unlink()
    gone = site.change("POST", f"/api/v1/runs/{run}/again", {})

    assert (nothing.status, gone.status) == (409, 409)
