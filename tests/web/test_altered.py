"""A run that was changed behind its back says so wherever the page shows it, in the reader's language."""

import json
from pathlib import Path

import pytest

from ragstone.core.language import LANGS, Lang
from ragstone.runs.store.codec import encode
from ragstone.web.cases import altered
from tests.web.site import Site

MARKS: dict[Lang, str] = {"en": "altered", "zh-Hans": "已被改动", "zh-Hant": "已被改動"}


def _edit(run: Path, name: str) -> None:
    """Turn what was answered or scored wrongly into something right."""
    path = run / name
    path.write_bytes(path.read_bytes().replace("请咨询服务台".encode(), "首小时免费，之后每小时六元".encode()))


@pytest.mark.parametrize("name", ["answers.jsonl", "results.jsonl"])
@pytest.mark.parametrize("lang", LANGS)
def test_an_altered_run_is_marked(site: Site, tmp_path: Path, name: str, lang: Lang) -> None:
    """On its own page, in the history, on the start page, in comparisons and in the API."""
    first, second = site.run(), site.run()
    views = ["/eval", "/eval/history", f"/eval/runs/{second}", f"/eval/compare?first={first}&second={second}"]
    before = [site.get(f"{view}{'&' if '?' in view else '?'}lang={lang}").text for view in views]
    _edit(tmp_path / "runs" / second, name)

    after = [site.get(f"{view}{'&' if '?' in view else '?'}lang={lang}").text for view in views]

    assert not any(MARKS[lang] in text for text in before)
    assert [MARKS[lang] in text for text in after] == [True] * 4
    assert name in after[2]
    assert f"{second}/{name}" in after[3]
    lines = site.get("/api/v1/runs").json["runs"]
    assert {line["run_id"]: line.get("altered", []) for line in lines} == {first: [], second: [name]}


def test_what_was_salvaged_stays_marked(site: Site, tmp_path: Path) -> None:
    """What run_meta.json names for ever is shown, though every hash agrees."""
    run_id = site.run()
    path = tmp_path / "runs" / run_id / "run_meta.json"
    path.write_bytes(encode(json.loads(path.read_bytes()) | {"altered": ["answers.jsonl"]}))

    assert "answers.jsonl" in site.get(f"/eval/runs/{run_id}?lang=en").text


def test_a_long_run_is_shown_before_it_is_hashed(site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page says that it is looking; what it finds is told when it is asked for, and stands there from then on."""
    monkeypatch.setattr(altered, "SOON", 0)
    monkeypatch.setattr(altered, "QUICK", 0)
    run = site.run()
    _edit(tmp_path / "runs" / run, "results.jsonl")
    first = site.get(f"/eval/runs/{run}?lang=en").text
    told = site.get(f"/api/v1/runs/{run}/altered?lang=en").json
    then = site.get(f"/eval/runs/{run}?lang=en").text

    assert 'data-late="' in first and "Changed after the run" not in first
    assert told["files"] == ["results.jsonl"] and "results.jsonl" in told["text"]
    assert 'data-late="' not in then and "Changed after the run" in then
