"""The example notebook, run by a real kernel."""

import asyncio
from importlib import import_module
from pathlib import Path

from tests.needs import lacks

NOTEBOOK = Path(__file__).parents[1] / "docs" / "notebooks" / "first-run.ipynb"


def test_the_example_notebook_runs(tmp_path: Path) -> None:
    """Every cell runs, in a kernel whose event loop is running; the run shows itself, the fix is seen."""
    try:
        nbformat, nbclient, _, _ = map(import_module, ("nbformat", "nbclient", "ipykernel", "pandas"))
    except ImportError as error:
        lacks("notebook", str(error))
    book = nbformat.read(NOTEBOOK, as_version=4)

    with asyncio.Runner() as runner:
        runner.run(
            nbclient.NotebookClient(book, timeout=100, resources={"metadata": {"path": tmp_path}}).async_execute()
        )

    shown = [output["data"] for cell in book.cells for output in cell.get("outputs", []) if "data" in output]
    assert any('<svg class="chart distribution"' in data.get("text/html", "") for data in shown)
    assert shown[-1]["text/plain"] == "(1, 0)"
