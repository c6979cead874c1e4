"""Nothing that is shipped or written leads anywhere: no telemetry, no font, script or picture from elsewhere."""

import re
from pathlib import Path

import pytest

import ragstone
from ragstone import api
from ragstone.core.settings import Settings
from tests.web.site import furnish, serving

SOURCE = Path(ragstone.__file__).parent
ADDRESS = re.compile(r"(?:https?|wss?):\\?/\\?/[^\s\"'<>)\\]+|(?<=[\"'(=])//[\w-]+\.[\w.-]+")
NAMES = ("http://www.w3.org/", "https://json-schema.org/", "http://schemas.openxmlformats.org/")
"""Addresses that are names of a format: nobody ever looks there."""
PROVIDERS = SOURCE / "systems" / "models.py"
"""Where the user's own choice of a provider is turned into its address."""


def _addresses(text: str) -> list[str]:
    found = (match[0] for match in ADDRESS.finditer(text))
    return [
        one for one in found if not one.startswith(NAMES) and not re.match(r"\w+://(127\.0\.0\.1|localhost|h/)", one)
    ]


def _is_example(address: str) -> bool:
    host = re.sub(r".*//(?:[^/]*@)?([^/:?]*).*", r"\1", address)
    return bool(re.search(r"(^|\.)(example(\.\w+)?|invalid|test|host|h)$", host)) or not re.search(r"\w\.\w", host)


@pytest.mark.parametrize("folder", ["web/static", "web/templates"])
def test_no_asset_names_another_place(folder: str) -> None:
    """Pages load what this server has, and nothing else."""
    for path in sorted((SOURCE / folder).iterdir()):
        assert _addresses(path.read_text(encoding="utf-8")) == [], path.name


def test_no_code_names_another_place_but_the_providers() -> None:
    """The only hosts in the code are those a user picks by name, and examples."""
    for path in sorted(SOURCE.rglob("*.py")):
        found = [one for one in _addresses(path.read_text(encoding="utf-8")) if not _is_example(one)]
        assert not found or path == PROVIDERS, (path, found)


def test_no_report_names_another_place(tmp_path: Path) -> None:
    """report.html and report.md of a run, and the pages that show it."""
    furnish(tmp_path)
    run = api.evaluate("datasets/library.jsonl", "replay:answers.jsonl", settings=Settings(runs_dir="runs"))
    with serving(Settings()) as page:
        shown = [page.get(path).text for path in ("/eval", f"/eval/runs/{run.folder.name}")]

    for text in [*shown, *((run.folder / name).read_text(encoding="utf-8") for name in ("report.html", "report.md"))]:
        assert _addresses(text) == []
