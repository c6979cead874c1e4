"""What Ragstone rests on: listed, pinned, licensed, in a bill of materials, and silent."""

import asyncio
import importlib.util
import json
import os
import re
import subprocess
import sys
import time
from importlib.metadata import distribution
from pathlib import Path
from types import ModuleType

import pytest

from tests.loopback.server import Loopback, Reply
from tests.web.site import Site, furnish

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def sbom() -> ModuleType:
    """The script that makes the bill of materials."""
    spec = importlib.util.spec_from_file_location("make_sbom", ROOT / "scripts" / "make_sbom.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def _listed() -> dict[str, str]:
    """Read the table of docs/dependencies.md: package and licence."""
    text = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    return dict(re.findall(r"(?m)^\| ([a-z0-9-]+) \| ([^|]+) \| [^|]+ \| [^|]+ \|$", text))


def test_every_direct_dependency_is_explained(sbom: ModuleType) -> None:
    """docs/dependencies.md names each of them, and no other."""
    direct = {re.split(r"[><=;\[ ]", one)[0] for one in sbom.direct()}

    assert set(_listed()) - {"package"} == direct


def test_licences_are_what_the_packages_say(sbom: ModuleType) -> None:
    """The table tells what the metadata tells."""
    listed = {name: licence for name, licence in _listed().items() if name != "package" and sbom.installed_as(name)}

    assert listed == {name: sbom.licence_of(distribution(name)) for name in listed}


def test_the_whole_tree_is_pinned_and_licensed(sbom: ModuleType) -> None:
    """Every package that comes with Ragstone has an exact version here, and a licence that asks for no copyleft."""
    needed = sbom.tree(sbom.direct())
    licences = {name: sbom.licence_of(one) for name in needed if (one := sbom.installed_as(name))}

    assert [name for name in needed if sbom.pinned(name) is None] == []
    assert [name for name, licence in licences.items() if not licence or "GPL" in licence] == []
    assert not [name for name in needed if re.search("opentelemetry-(sdk|exporter)", name)]


def test_the_bill_of_materials_is_whole_and_repeatable(sbom: ModuleType) -> None:
    """Two of them are equal; every reference leads to a component; no path of this machine is in it."""
    first, second = sbom.bill(), sbom.bill()
    refs = {one["bom-ref"] for one in first["components"]} | {first["metadata"]["component"]["bom-ref"]}

    assert json.dumps(first) == json.dumps(second)
    assert {one["ref"] for one in first["dependencies"]} == refs
    assert {below for one in first["dependencies"] for below in one["dependsOn"]} <= refs
    assert str(Path.home()) not in json.dumps(first)
    assert first["serialNumber"].startswith("urn:uuid:")
    assert all(one["version"] != "unknown" for one in first["components"])


async def test_the_page_reports_to_no_collector(tmp_path: Path) -> None:
    """Variables that make FastAPI export what it sees change nothing: the server starts and nothing is sent."""
    furnish(tmp_path)
    async with Loopback(Reply({})) as collector:
        statuses = await asyncio.to_thread(_visit, tmp_path, collector.url)

    assert statuses == [200, 404]
    assert collector.calls == 0


def _visit(folder: Path, collector: str) -> list[int]:
    """Start the real server with variables that name a collector, and look at two of its pages."""
    telling = {"FASTAPI_OTEL_AUTO_CONFIGURE": "true", "OTEL_EXPORTER_OTLP_ENDPOINT": collector}
    env = {**os.environ, **telling, "OTEL_BSP_SCHEDULE_DELAY": "10", "PYTHONUNBUFFERED": "1"}
    words = [sys.executable, "-m", "ragstone", "serve", "--port", "0"]
    with subprocess.Popen(words, cwd=folder, env=env, stdout=subprocess.PIPE, encoding="utf-8") as process:
        try:
            assert process.stdout
            return _look(Site(int(process.stdout.readline().rsplit(":", 1)[1].split("/")[0])))
        finally:
            process.terminate()


def _look(site: Site) -> list[int]:
    for _ in range(100):
        try:
            return [site.get("/eval").status, site.get("/nothing").status]
        except OSError:
            time.sleep(0.1)
    raise AssertionError("the server did not come up")


def test_no_tracer_records() -> None:
    """The interface alone is there: a span of it records nothing and goes nowhere."""
    from opentelemetry import trace  # noqa: PLC0415 - only here

    with trace.get_tracer("ragstone").start_as_current_span("look") as span:
        assert not span.is_recording()


def test_the_lines_written_by_hand_are_about_as_many_as_the_page_says() -> None:
    """Within a fifth: the table weighs them against a library."""
    page = (ROOT / "docs" / "dependencies.md").read_text(encoding="utf-8")
    told = re.findall(r"((?:`[\w/.]+`(?:, )?)+), ([\d,]+) lines", page)

    assert len(told) > 14
    for names, lines in told:
        counted = sum(map(_lines, re.findall(r"`([^`]+)`", names)))
        assert counted == pytest.approx(int(lines.replace(",", "")), rel=0.2), names


def _lines(name: str) -> int:
    place = ROOT / "src" / "ragstone" / name
    files = [place] if place.suffix else sorted(place.rglob("*.py"))
    return sum(file.read_bytes().count(b"\n") for file in files)
