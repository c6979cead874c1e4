"""Run folders that somebody else has made, continued on the page: nothing they name is run, opened or sent."""

import json
import os
import shutil
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from ragstone.core.settings import DatasetEntry, Settings
from ragstone.runs.store.codec import encode
from ragstone.runs.store.owner import sign
from ragstone.web.jobs import KeptOrders, Order
from tests.runs.stopped import leave
from tests.web.site import SYSTEMS, Site, furnish, serving

TOKEN = "correct-horse-battery"
MAKER = "open('owned', 'w').close()\nclass X: pass\ndef f(q): return q\n"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    """A place that must not be called."""
    with socket.create_server(("127.0.0.1", 0)) as found:
        found.settimeout(0.05)
        yield found


@pytest.fixture
def guarded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Site]:
    """A page for others, with a token, a key in its environment and code that must not run."""
    furnish(tmp_path)
    monkeypatch.setenv("AWS_SECRET", "canary-0123456789")
    (tmp_path / "evil.py").write_text(MAKER)
    (tmp_path / "elsewhere.jsonl").write_text('{"q": "机密？", "gold": ["是"], "doc_hint": []}\n')
    (tmp_path / "registry.json").write_text('{"models": {"m": {"model": "m", "base_url": "http://127.0.0.1:9"}}}')
    settings = Settings(systems=SYSTEMS, token=TOKEN, host="0.0.0.0", allowed_hosts=("127.0.0.1",))
    with serving(settings) as site:
        site.headers["Authorization"] = f"Bearer {TOKEN}"
        yield site


def plant(tmp_path: Path, run_id: str, config: dict[str, object]) -> None:
    """Copy a run as it might come by mail: unfinished, and with another configuration."""
    planted = tmp_path / "runs" / "planted"
    shutil.copytree(tmp_path / "runs" / run_id, planted, ignore=shutil.ignore_patterns("cases.sqlite*"))
    path = planted / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | config))
    leave(planted, slice(0), drop=("meta_sha256", "mark"))
    meta = json.loads((planted / "run_meta.json").read_text())
    (planted / "run_meta.json").write_text(
        json.dumps(
            {k: v for k, v in meta.items() if k[-6:] != "sha256"}
            | {name: meta[name] for name in ("dataset_sha256", "scorer_sha256", "terms_sha256", "prompt_sha256")}
        )
    )


PLANTED: dict[str, dict[str, object]] = {
    "code as chat": {"systems": ["builtin:datasets"], "system_options": {"chat": "python:evil:f"}},
    "code as system": {"systems": ["python:evil:f"]},
    "module as system": {"systems": ["evil:f:x"]},
    "contract": {"contract": "evil:X"},
    "key to an address": {"systems": ["chat:m"], "system_options": {"base_url": "{url}", "api_key_env": "AWS_SECRET"}},
    "key in an address": {"systems": ["http_json:{url}/${AWS_SECRET}"]},
    "own address": {"systems": ["http_json:{url}"]},
    "proxy": {"systems": ["recorded"], "system_options": {"proxy": "{url}"}},
    "certificates": {"systems": ["recorded"], "system_options": {"ca_file": "/etc/passwd", "verify_tls": False}},
    "registry": {"systems": ["chat:m"], "system_options": {"registry": "registry.json"}},
    "service file": {"systems": ["http_json:service.yaml"]},
    "recording": {"systems": ["replay:elsewhere.jsonl"]},
    "answer cache": {"systems": ["recorded"], "system_options": {"answer_cache": "cache.sqlite"}},
    "folder": {"systems": ["builtin:/etc"]},
    "dataset": {"dataset": "elsewhere.jsonl"},
    "documents": {"documents": "/etc"},
    "task": {"contract": "prompt_task", "options": {"task": "task.yaml"}},
    "prompt": {"options": {"prompt": "/etc/passwd"}},
    "price": {"systems": ["recorded"], "system_options": {"price_config": {"file": "/etc/passwd"}}},
    "repeats": {"repeats": 1_000_000},
    "replies of any length": {"systems": ["recorded"], "system_options": {"max_reply_bytes": 1 << 40}},
    "calls at once": {"systems": ["recorded"], "system_options": {"concurrency": 100_000}},
}


def test_a_planted_run_is_refused_by_name(guarded: Site, tmp_path: Path, listener: socket.socket) -> None:
    """Every option that names code, keys, files, proxies or hosts: no code ran, nobody was called."""
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    run_id = guarded.run()
    for name, given in PLANTED.items():
        plant(tmp_path, run_id, json.loads(json.dumps(given).replace("{url}", url)))
        reply = guarded.change("POST", "/api/v1/runs/planted/resume")
        shutil.rmtree(tmp_path / "runs" / "planted")

        told = (reply.status, reply.json["error"]["code"])
        assert told in {(409, "page.code"), (403, "page.endpoint")}, (name, reply.text)
    assert not (tmp_path / "owned").exists()
    assert not (tmp_path / "cache.sqlite").exists()
    with pytest.raises(TimeoutError):
        listener.accept()


def test_what_the_settings_offer_goes_on(guarded: Site, tmp_path: Path) -> None:
    """The same system with harmless numbers is continued, as the settings have it."""
    plant(tmp_path, guarded.run("slow"), {"systems": ["python:slow_rag:answer"]})

    reply = guarded.change("POST", "/api/v1/runs/planted/resume")

    assert reply.status == 202, reply.text
    assert guarded.wait("planted")["state"] == "complete"


def test_no_case_of_another_file_is_shown(guarded: Site, tmp_path: Path) -> None:
    """A dataset the page does not offer is not opened to show its gold."""
    run_id = guarded.run()
    config = json.loads((tmp_path / "runs" / run_id / "config.json").read_text())
    (tmp_path / "secret.jsonl").write_bytes((tmp_path / config["dataset"]).read_bytes())
    planted = tmp_path / "runs" / "planted"
    shutil.copytree(tmp_path / "runs" / run_id, planted)
    (planted / "config.json").write_text(json.dumps(config | {"dataset": "secret.jsonl"}))

    assert guarded.get(f"/api/v1/runs/{run_id}/cases/1").json["gold"]
    assert guarded.get("/api/v1/runs/planted/cases/1").json["gold"] is None


@pytest.mark.parametrize("own", [True, False])
def test_runs_that_were_not_finished_go_on_for_their_owner_only(
    tmp_path: Path, own: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A list of unfinished runs that came with a folder of runs starts nothing, and so spends nothing."""
    furnish(tmp_path)
    order = Order(run_id="r", dataset="library.jsonl", system="recorded")
    ours = os.environ["XDG_STATE_HOME"]
    monkeypatch.setenv("XDG_STATE_HOME", ours if own else str(tmp_path / "somebody"))
    (tmp_path / "runs").mkdir()
    (tmp_path / "runs" / ".page-jobs.json").write_bytes(encode(KeptOrders(orders=[order], mark=sign(encode([order])))))
    monkeypatch.setenv("XDG_STATE_HOME", ours)
    with serving(Settings(systems=SYSTEMS)) as site:
        status = site.get("/api/v1/runs/r").status
        if own:
            assert site.wait("r")["state"] == "complete"

    assert status == (200 if own else 404)


OFFERED: dict[str, dict[str, object]] = {
    "code as chat": {"systems": ["builtin:docs"], "system_options": {"chat": "python:evil:f"}},
    "key option": {"systems": ["chat:m"], "system_options": {"base_url": "{url}", "api_key_env": "AWS_SECRET"}},
    "key in a header": {"systems": ["http_json:{url}"], "system_options": {"headers": {"X": "${AWS_SECRET}"}}},
    "proxy": {"systems": ["http_json:{url}"], "system_options": {"proxy": "http://127.0.0.1:9"}},
}


def test_what_is_offered_is_asked_by_no_planted_option(
    tmp_path: Path, listener: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Documents and an address that the settings offer: the options a run brings along are refused all the same."""
    furnish(tmp_path)
    (tmp_path / "evil.py").write_text(MAKER)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "hours.md").write_text("每天八点开门。")
    monkeypatch.setenv("AWS_SECRET", "canary-0123456789")
    url = f"http://127.0.0.1:{listener.getsockname()[1]}"
    sets = {"lib": DatasetEntry(path="datasets/library.jsonl", documents="docs")}
    settings = Settings(systems=SYSTEMS, datasets=sets, allowed_endpoints=(url,))
    with serving(settings) as site:
        run_id = site.run(dataset="lib")
        for name, given in OFFERED.items():
            plant(tmp_path, run_id, json.loads(json.dumps(given).replace("{url}", url)))
            reply = site.change("POST", "/api/v1/runs/planted/resume")
            shutil.rmtree(tmp_path / "runs" / "planted")

            assert (reply.status, reply.json["error"]["code"]) == (409, "page.code"), (name, reply.text)
    assert not (tmp_path / "owned").exists()
    with pytest.raises(TimeoutError):
        listener.accept()
