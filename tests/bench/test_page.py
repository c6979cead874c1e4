"""A workflow's run on the page: its steps, its rows and one of them."""

from pathlib import Path

from ragstone.core.settings import Settings
from ragstone.runners.bench import main
from tests.web.site import serving


def test_a_workflow_run_is_shown(project: Path) -> None:
    """Every step has its line, and the row of the whole way opens."""
    (project / "flow.yaml").write_text("name: w\nsteps:\n  - {name: one, task: event_eval}\n")
    words = ["--workflow", "flow.yaml", "--dataset", "datasets/your_data.jsonl", "--mock", "--run-id", "r", "--quiet"]
    assert main([*words, "--models", "a", "b"]) == 0

    with serving(Settings()) as site:
        page = site.get("/eval/runs/r")
        case = site.get("/eval/runs/r/cases/2")
        listed = site.get("/eval/history")

    assert (page.status, case.status, listed.status) == (200, 200, 200)
    for name in ("a · one", "a · end_to_end", "b · one"):
        assert name in page.text
    assert "all steps done" in case.text
