"""The API tried from its own description: no fault of ours, and nothing that the description does not say.

By hand with more: RAGSTONE_API_EXAMPLES=300 uv run --group api-fuzz pytest tests/web/test_api_fuzz.py
"""

import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragstone.core.settings import Settings
from tests.needs import lacks
from tests.web.site import SYSTEMS, Site, furnish, serving

pytestmark = pytest.mark.long
if find_spec("schemathesis") is None:
    lacks("api-fuzz", "group api-fuzz is not installed")

EXAMPLES = int(os.environ.get("RAGSTONE_API_EXAMPLES", "25"))
OPERATIONS = [
    ("GET", "/api/v1/session"),
    ("GET", "/api/v1/contracts"),
    ("GET", "/api/v1/datasets"),
    ("GET", "/api/v1/check"),
    ("PUT", "/api/v1/datasets/{name}"),
    ("PUT", "/api/v1/documents"),
    ("GET", "/api/v1/rows"),
    ("PUT", "/api/v1/rows"),
    ("GET", "/api/v1/systems"),
    ("POST", "/api/v1/systems"),
    ("DELETE", "/api/v1/systems/{name}"),
    ("PUT", "/api/v1/answers/{name}"),
    ("GET", "/api/v1/answers/match"),
    ("POST", "/api/v1/ping"),
    ("GET", "/api/v1/runs"),
    ("POST", "/api/v1/runs"),
    ("GET", "/api/v1/runs/{run_id}"),
    ("GET", "/api/v1/runs/{run_id}/events"),
    ("POST", "/api/v1/runs/{run_id}/cancel"),
    ("POST", "/api/v1/runs/{run_id}/resume"),
    ("PATCH", "/api/v1/runs/{run_id}/label"),
    ("DELETE", "/api/v1/runs/{run_id}"),
    ("POST", "/api/v1/runs/{run_id}/restore"),
    ("GET", "/api/v1/runs/{run_id}/cases"),
    ("GET", "/api/v1/runs/{run_id}/cases/{number}"),
    ("GET", "/api/v1/runs/{run_id}/dataset"),
    ("POST", "/api/v1/runs/{run_id}/again"),
    ("GET", "/api/v1/runs/{run_id}/altered"),
    ("GET", "/api/v1/runs/{run_id}/artefacts"),
    ("GET", "/api/v1/runs/{run_id}/artefacts/{name}"),
    ("GET", "/api/v1/compare"),
    ("GET", "/api/v1/judges"),
    ("POST", "/api/v1/runs/{run_id}/judge"),
    ("GET", "/api/v1/runs/{run_id}/cases.csv"),
    ("PUT", "/api/v1/drafts/documents"),
    ("POST", "/api/v1/drafts"),
    ("GET", "/api/v1/drafts/{draft_id}"),
    ("GET", "/api/v1/dataset-file"),
    ("GET", "/api/v1/review/{run_id}"),
    ("GET", "/api/v1/review/{run_id}/next"),
    ("GET", "/api/v1/review/{run_id}/items/{number}"),
    ("POST", "/api/v1/review/{run_id}/labels"),
    ("POST", "/api/v1/review/{run_id}/undo"),
    ("POST", "/api/v1/review/{run_id}/settle"),
    ("POST", "/api/v1/review/{run_id}/withdraw"),
    ("GET", "/api/v1/review/{run_id}/figures"),
    ("POST", "/api/v1/review/{run_id}/figures"),
    ("GET", "/api/v1/review-drafts/next"),
    ("POST", "/api/v1/review-drafts"),
    ("POST", "/api/v1/review-drafts/undo"),
]


class Known:
    """A server with two runs, and what can be named there."""

    def __init__(self, site: Site, schema: Any, runs: list[str]) -> None:
        self.site, self.schema, self.runs = site, schema, runs
        self.headers = {"X-Ragstone-Token": site.get("/api/v1/session").json["token"]}
        self.words: dict[str, list[Any]] = {
            "run_id": [*runs, "damaged"],
            "first": runs,
            "second": runs,
            "name": ["report.html", "cases.csv", "summary.json", "new.jsonl", "weekly.json"],
            "dataset": ["library.jsonl", "demo-zh"],
            "system": ["recorded", "mock", "builtin", "endpoint"],
            "number": [1, 3, 4, 2**63, -1],
            "contract": ["key_points", "legal_rag", None],
        }


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Known]:
    """A server for all operations; what one of them changes, others meet."""
    import schemathesis  # noqa: PLC0415 - only where it is installed

    folder, before = tmp_path_factory.mktemp("api"), Path.cwd()
    os.chdir(folder)
    try:
        furnish(folder)
        with serving(Settings(systems=SYSTEMS)) as site:
            runs = [site.run(), site.run("mock")]
            shutil.copytree(folder / "runs" / runs[0], folder / "runs" / "damaged")
            (folder / "runs" / "damaged" / "results.jsonl").write_text("damaged\n")
            schema = schemathesis.openapi.from_dict(site.get("/api/v1/openapi.json").json)
            yield Known(site, schema, runs)
    finally:
        os.chdir(before)


def test_every_operation_is_tried(known: Known) -> None:
    """The list here is the API's own."""
    paths = known.schema.raw_schema["paths"]

    assert {(method.upper(), path) for path, found in paths.items() for method in found} == set(OPERATIONS)


@pytest.mark.parametrize(("method", "path"), OPERATIONS)
def test_an_operation_does_what_it_says(known: Known, method: str, path: str) -> None:
    """No 5xx, only the statuses, kinds and shapes that are described; for right requests and for wrong ones."""
    from schemathesis import GenerationMode  # noqa: PLC0415 - only where it is installed

    operation = known.schema[path][method]
    modes = [operation.as_strategy(generation_mode=mode) for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE)]

    @settings(max_examples=EXAMPLES, deadline=None, database=None, suppress_health_check=list(HealthCheck))
    @given(case=st.one_of(*modes), picks=st.lists(st.integers(0, 20), min_size=8, max_size=8))
    def run(case: Any, picks: list[int]) -> None:
        _name_real_things(case, known, picks)
        case.call_and_validate(
            base_url=known.site.url, headers=known.headers, checks=_checks(), timeout=30, allow_redirects=False
        )

    run()


def _name_real_things(case: Any, known: Known, picks: list[int]) -> None:
    """Let most requests name what is there: made-up names seldom lead anywhere."""
    for part in (case.path_parameters, case.query, case.body):
        if isinstance(part, dict):
            for pick, name in zip(picks, sorted(part), strict=False):
                words = known.words.get(name, [])
                if pick < len(words):
                    part[name] = words[pick]


def _checks() -> list[Any]:
    from schemathesis.checks import not_a_server_error  # noqa: PLC0415 - only where it is installed
    from schemathesis.specs.openapi.checks import (  # noqa: PLC0415
        content_type_conformance,
        response_schema_conformance,
        status_code_conformance,
    )

    return [not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance]
