"""Imported runs on the page: overview, cases, comparison."""

from pathlib import Path

from ragstone.core.settings import Settings
from tests.bridges.samples import bring
from tests.web.site import serving


def test_imported_runs_are_shown_like_any_other(tmp_path: Path) -> None:
    """The run with the tool's own figures, a case with what the tool said, two runs side by side."""
    for name, out in (("ragas/result.csv", "a"), ("deepeval/test_run.json", "b"), ("promptfoo/out.json", "c")):
        bring(name, out)
    with serving(Settings()) as site:
        pages = {run: site.get(f"/eval/runs/{run}?lang=zh-Hant") for run in "abc"}
        case = site.get("/api/v1/runs/a/cases/6").json
        page = site.get("/eval/runs/c/cases/1?lang=en")
        compared = site.get("/eval/compare?first=a&second=b&lang=en")

    assert [page.status for page in pages.values()] == [200, 200, 200]
    assert "rouge_score(mode=fmeasure)" in pages["a"].text
    assert "passes 2, fails 4, errors 1" in pages["b"].text
    assert case["gold"]
    assert any("supported" in reason["text"] for reason in case["reasons"])
    assert (page.status, compared.status) == (200, 200)
