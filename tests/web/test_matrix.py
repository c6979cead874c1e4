"""The matrix: cases by models, where they differ, and the answers to one case side by side."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

import ragstone
from ragstone.core.settings import Settings
from ragstone.web.cases.grid import grid_of
from ragstone.web.cases.highlights import changes
from ragstone.web.cases.index import Index
from tests.web.site import ROWS, Site, furnish, serving

OTHER = ["九点开门。参考 hours.md", "最多十册。参考 loans.md", "请咨询服务台。"]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A server with a run of two models: they differ on the first two of three cases."""
    furnish(tmp_path)
    lines = [json.dumps({"id": f"Q{n}", "output": text}) + "\n" for n, text in enumerate(OTHER, 1)]
    (tmp_path / "other.jsonl").write_text("".join(lines))
    specs = ["replay:answers.jsonl", "replay:other.jsonl"]
    ragstone.evaluate("datasets/library.jsonl", specs, run_id="two", settings=Settings())
    with serving(Settings()) as found:
        yield found


def test_every_model_has_a_verdict_for_every_case(site: Site) -> None:
    """Three lines of two cells; with the filter only those where they differ."""
    every = site.get("/eval/runs/two/matrix?lang=en").text
    differing = site.get("/eval/runs/two/matrix?differ=true&lang=en").text

    assert every.count('href="/eval/matrix/case?run=two&column=0&place=') == 2 * len(ROWS)
    rate = '<span class="run-more">pass rate {}</span></th>'
    heads = [f'<th scope="col"><span>{name}</span>{rate.format("33.3%")}' for name in ("answers", "other")]
    assert "".join(heads) in every
    assert ROWS[0]["q"] in every
    assert differing.count('<tr><th scope="row">') == 2 and ">Q3<" not in differing
    assert "/eval/runs/two/matrix" in site.get("/eval/runs/two").text


def test_a_start_behind_the_end_shows_the_last_lines(site: Site) -> None:
    """A link from before a run was made again still leads somewhere."""
    assert "1–3 of 3" in site.get("/eval/runs/two/matrix?start=100000&lang=en").text
    assert "1–2 of 2" in site.get("/eval/runs/two/matrix?start=900&differ=true&lang=en").text


def test_the_first_lines_need_no_more_than_their_rows(tmp_path: Path) -> None:
    """A long run's matrix is there before its index is; what is taken in later is the rest, and nothing twice."""
    furnish(tmp_path, [{**ROWS[0], "q": f"第{n}问？", "id": f"c{n}"} for n in range(3000)], [])
    ragstone.evaluate("datasets/library.jsonl", mock=True, run_id="long", settings=Settings())
    index = Index(tmp_path / "runs" / "long")
    index.refresh(enough=10)
    some = len(index)
    shown = grid_of([index], 0, 10, cases=3000)
    index.refresh()

    assert 10 <= some < 3000 == len(index) == shown.total
    assert [line.id for line in shown.rows] == [f"c{n}" for n in range(10)]
    assert shown == grid_of([index], 0, 10)
    index.close()


def test_a_cell_opens_the_answers_side_by_side(site: Site) -> None:
    """Both answers with their verdicts, what differs marked, the contexts beside them."""
    page = site.get("/eval/matrix/case?run=two&place=1&lang=en").text

    assert "八点开门。参考 hours.md" in page
    assert '<mark class="diff" title="">九</mark>' in page
    assert "每天" in page and "The system returned no contexts." in page
    assert site.get("/eval/matrix/case?run=two&place=9").status == 404


def test_the_matrix_grows_with_the_run(site: Site, tmp_path: Path) -> None:
    """An index that is opened again goes on counting cases where it stopped."""
    folder = tmp_path / "runs" / "two"
    lines = (folder / "results.jsonl").read_bytes().splitlines(keepends=True)
    (folder / "results.jsonl").write_bytes(b"".join(lines[:3]))
    first = Index(folder)
    first.refresh()
    before = grid_of([first])
    first.close()
    (folder / "results.jsonl").write_bytes(b"".join(lines))
    again = Index(folder)
    again.refresh()

    assert (before.total, grid_of([again]).total) == (2, 3)
    assert [len(line.cells) for line in grid_of([again]).rows] == [2, 2, 2]
    assert [line.id for line in grid_of([again], 1, 1).rows] == ["Q2"]
    again.close()


def test_long_answers_are_not_compared_letter_by_letter() -> None:
    """A comparison must not hold up the page."""
    said = changes("甲。" * 900, "甲。" * 900 + "乙。" + "c" * 900)
    assert [piece.text for piece in said if piece.kind] == ["乙。", "c" * 900]
    assert [(piece.text, piece.kind) for piece in changes("最多十册", "最多二十册")] == [
        ("最多", ""), ("二", "diff"), ("十册", ""),
    ]  # fmt: skip


def test_several_runs_stand_side_by_side(site: Site, tmp_path: Path) -> None:
    """A column for each model of each run; cases are found by their ids, wherever they stand, and differences too."""
    rows = [{**row, "id": f"Q{n}"} for n, row in enumerate(ROWS, 1)][1:]
    (tmp_path / "datasets" / "later.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    ragstone.evaluate("datasets/later.jsonl", "replay:other.jsonl", run_id="later", settings=Settings())
    address = "/eval/matrix?run=two&run=later&lang=en"
    every, differing = site.get(address).text, site.get(f"{address}&differ=true").text
    sides = site.get("/eval/matrix/case?run=two&run=later&column=1&place=1&lang=en").text

    assert every.count('<tr><th scope="row">') == 3 and every.count("<td>–</td>") == 1
    assert "not of the same dataset" in every
    assert ">Q3<" not in differing and differing.count('<tr><th scope="row">') == 2
    assert sides.count('<section class="card" id="a') == 3 and "Case Q2" in sides
    assert site.get("/eval/matrix?run=two&run=no").status == 404
    assert site.get("/eval/matrix").status == 422
