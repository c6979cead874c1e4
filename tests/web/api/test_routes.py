"""The API: datasets, runs, cases, files, comparing; each as a program meets it."""

import http.client
import json
import os
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

import pytest

from tests.web.site import ROWS, Site, holding, until_asked

LINE = json.dumps(ROWS[0], ensure_ascii=False).encode()


def test_datasets_in_the_folder_come_first(site: Site) -> None:
    """The configured folder is loaded without being asked; the bundled ones stand at the end."""
    names = [one["name"] for one in site.get("/api/v1/datasets").json]

    assert names == ["library.jsonl", "demo-zh", "demo-en"]


def test_check_tells_what_it_found_with_lines(site: Site, tmp_path: Path) -> None:
    """Faults are told as `ragstone check` tells them, without telling where the file lies."""
    (tmp_path / "datasets" / "bad.jsonl").write_bytes(LINE + b'\n{"q": 1}\n')

    reply = site.get("/api/v1/check?dataset=bad.jsonl&lang=en")

    found = reply.json
    assert (found["cases"], found["errors"]) == (1, 2)
    assert {one["line"] for one in found["findings"]} == {2}
    assert str(tmp_path) not in reply.text


def test_a_dropped_file_is_kept_and_can_be_run(site: Site, tmp_path: Path) -> None:
    """Upload, check and run in one go."""
    reply = site.change("PUT", "/api/v1/datasets/new.jsonl", LINE + b"\n")

    assert reply.status == 201
    assert (reply.json["dataset"], reply.json["contract"]) == ("new.jsonl", "key_points")
    assert site.wait(site.start("mock", "new.jsonl"))["finished"] == 1
    assert (tmp_path / "datasets" / "new.jsonl").is_file()


def test_a_dropped_file_replaces_no_other(site: Site) -> None:
    """Equal content is the same dataset; other content gets a name of its own."""
    first = site.change("PUT", "/api/v1/datasets/library.jsonl", LINE + b"\n").json["dataset"]
    again = site.change("PUT", "/api/v1/datasets/library.jsonl", LINE + b"\n").json["dataset"]

    assert (first, again) == ("library-2.jsonl", "library-2.jsonl")


@pytest.mark.parametrize(
    ("name", "content", "status"),
    [
        ("bad.jsonl", LINE + b'\n{"q": 1}\n', 422),
        ("bad.jsonl", b'{"x": 1}\n', 422),
        ("bad.jsonl", b"", 415),
        ("bad.jsonl", b"\x7fELF\x02\x01", 415),
        ("bad.jsonl", b"<html></html>", 415),
        ("bad.exe", LINE, 422),
        ("bad.py", LINE, 422),
        (".hidden.jsonl", LINE, 422),
        ("..%2Fbad.jsonl", LINE, 404),
        ("..%5Cbad.jsonl", LINE, 422),
        ("a%00b.jsonl", LINE, 422),
    ],
)
def test_a_file_that_is_no_dataset_is_not_kept(
    site: Site, tmp_path: Path, name: str, content: bytes, status: int
) -> None:
    """Wrong type, wrong name, faults: nothing stays behind anywhere."""
    before = sorted(tmp_path.rglob("*"))

    reply = site.change("PUT", f"/api/v1/datasets/{name}", content)

    assert reply.status == status, reply.text
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("我的.jsonl", b"", "我的.jsonl：样例集为空"),
        ("我的.jsonl", b" \n\n", "我的.jsonl：样例集为空"),
        ("我的.jsonl", LINE.decode().encode("utf-16"), "文件为 UTF-16 编码"),
        ("我的.json", '[{"question": "出差报销多少？"}]'.encode("gbk"), "很可能是 GBK"),
        ("我的.json", b'[{"a": 1},]', "数组末尾有多余的逗号（第 1 行第 11 列）"),
        ("我的.jsonl", b"PK\x03\x04\x00\x00", "文件不是文本"),
        ("我的.jsonl", b'{"x": 1}\n', "我的.jsonl：没有契约能识别该样例集（首行字段：x）。请在“更多选项”中选择契约"),
        ("我的.jsonl", LINE + b'\n{"q": 1}\n', "'gold'；应为至少含 1 个非空字符串的数组"),
    ],
)
def test_a_refused_file_is_told_by_its_own_name(site: Site, name: str, content: bytes, told: str) -> None:
    """What is wrong is said as the command line says it, of the user's file and without a flag to type."""
    reply = site.change("PUT", f"/api/v1/datasets/{quote(name)}?lang=zh-Hans", content)

    assert told in reply.text.replace('\\"', '"')
    assert ".upload-" not in reply.text
    assert "--contract" not in reply.text


def test_what_a_contract_found_is_said_in_its_own_words(site: Site) -> None:
    """A check shows sentences, not the codes of them."""
    asked = {"question": "出差报销多少？", "expected": {"keywords": [], "must_include": []}}

    reply = site.change("PUT", "/api/v1/datasets/a.json?lang=en", json.dumps([asked]).encode())

    assert reply.json["findings"]
    assert not [one for one in reply.json["findings"] if one["text"] == one["code"]]


def test_a_run_is_started_watched_and_read(site: Site) -> None:
    """From the order to the figures."""
    run_id = site.run()

    found = site.get(f"/api/v1/runs/{run_id}").json
    assert found["live"]["state"] == "complete"
    assert found["summary"]["models"]["recorded"]["all"]["passed"] == 1
    assert run_id in [one["run_id"] for one in site.get("/api/v1/runs").json["runs"]]


def test_events_tell_of_progress_until_the_end(site: Site, tmp_path: Path) -> None:
    """A watcher sees progress and then the end, and the connection closes."""
    with closing(http.client.HTTPConnection("127.0.0.1", site.port, timeout=60)) as connection:
        with holding(tmp_path):
            run_id = site.start("slow", concurrency=1)
            connection.request("GET", f"/api/v1/runs/{run_id}/events")
            reply = connection.getresponse()
            first = reply.readline()
        text = (first + reply.read()).decode()

    events = [block.split("\n") for block in text.strip().split("\n\n")]
    names = [lines[0].removeprefix("event: ") for lines in events]
    assert reply.headers["content-type"].startswith("text/event-stream")
    assert set(names[:-1]) == {"progress"}
    assert names[-1] == "end"
    last = json.loads(events[-1][1].removeprefix("data: "))
    assert (last["state"], last["finished"], last["expected"]) == ("complete", 3, 3)


def test_a_run_is_cancelled_and_continued(site: Site, tmp_path: Path) -> None:
    """Cancel leaves a partial run; resume asks only the rest."""
    with holding(tmp_path):
        run_id = site.start("slow", concurrency=1)
        until_asked(tmp_path)
        assert site.change("POST", f"/api/v1/runs/{run_id}/cancel").status == 202

    assert site.wait(run_id)["state"] == "partial"
    assert site.change("POST", f"/api/v1/runs/{run_id}/cancel").status == 409
    assert site.change("POST", f"/api/v1/runs/{run_id}/resume").status == 202
    assert site.wait(run_id)["state"] == "complete"
    assert len((tmp_path / "asked.log").read_text().splitlines()) == 3


def test_failed_cases_are_asked_again_on_request(site: Site, tmp_path: Path) -> None:
    """retry_failed repairs what failed; the index shows the new rows."""
    run_id = site.run("broken")
    assert site.get(f"/api/v1/runs/{run_id}/cases?state=errored").json["total"] == 1
    (tmp_path / "fixed").touch()

    site.change("POST", f"/api/v1/runs/{run_id}/resume", {"retry_failed": True})
    site.wait(run_id, "complete")

    assert site.get(f"/api/v1/runs/{run_id}/cases?state=errored").json["total"] == 0
    assert site.get(f"/api/v1/runs/{run_id}/cases").json["total"] == 3


def test_cases_are_found_by_state_text_group_and_order(site: Site) -> None:
    """What the table asks for."""
    run_id = site.run()

    def ids(query: str) -> list[str]:
        return [row["id"] for row in site.get(f"/api/v1/runs/{run_id}/cases?{query}").json["rows"]]

    assert ids("state=missed") == ["Q2", "Q3"]
    assert ids("q=%E5%81%9C%E8%BD%A6") == ["Q3"]
    assert ids("group=category%3D%E5%80%9F%E9%98%85") == ["Q2"]
    assert ids("sort=score") == ["Q3", "Q2", "Q1"]
    assert ids("metric=accuracy") == ["Q3"]
    first = site.get(f"/api/v1/runs/{run_id}/cases?limit=2").json
    assert ids(f"limit=2&after={first['next']}") == ["Q3"]


def test_reasons_are_told_in_the_readers_language(site: Site) -> None:
    """A run made in Chinese can be read in English."""
    run_id = site.run()

    rows = site.get(f"/api/v1/runs/{run_id}/cases?lang=en").json["rows"]

    assert "cited the wrong document 'guide.md'" in rows[1]["why"]
    assert rows[1]["marks"] == ["√", "×"]


def test_a_case_shows_marks_gold_contexts_and_why(site: Site) -> None:
    """Everything a reader needs to agree or disagree."""
    run_id = site.run()

    case = site.get(f"/api/v1/runs/{run_id}/cases/1?lang=zh-Hans").json

    kinds = {piece["kind"]: piece["text"] for piece in case["pieces"]}
    assert kinds["good"] == "八点开门"
    assert kinds["cite"] == "hours.md"
    assert case["gold"] == {"points": ["八点开门"], "documents": ["hours.md"]}
    assert [piece["kind"] for piece in case["contexts"][0]["pieces"]] == ["", "anchor", ""]
    assert case["facts"]["解析层级"] == "直接读取"
    wrong = site.get(f"/api/v1/runs/{run_id}/cases/2").json
    assert {"wrong"} & {piece["kind"] for piece in wrong["pieces"]}


def test_gold_is_not_guessed_when_the_dataset_changed(site: Site, tmp_path: Path) -> None:
    """A case of another dataset is no gold for this one."""
    run_id = site.run()
    path = tmp_path / "datasets" / "library.jsonl"
    path.write_text(path.read_text().replace("几点开门", "何时开门"))

    assert site.get(f"/api/v1/runs/{run_id}/cases/1").json["gold"] is None


def test_files_of_a_run_can_be_taken_away(site: Site) -> None:
    """report.html, tables and rows come as attachments; the report may be looked at in a sandbox."""
    run_id = site.run()
    names = site.get(f"/api/v1/runs/{run_id}/artefacts").json

    assert {"report.html", "cases.csv", "summary.csv", "results.jsonl"} <= set(names)
    for name in names:
        reply = site.get(f"/api/v1/runs/{run_id}/artefacts/{name}")
        assert reply.status == 200
        assert reply.headers["content-disposition"].startswith("attachment")
    shown = site.get(f"/api/v1/runs/{run_id}/artefacts/report.html?view=true")
    assert "sandbox" in shown.headers["content-security-policy"]
    assert "八点开门" in site.get(f"/api/v1/runs/{run_id}/artefacts/cases.csv").text


def test_two_runs_are_compared(site: Site) -> None:
    """The comparison of the command line, as JSON."""
    first, second = site.run(), site.run("mock")

    found = site.get(f"/api/v1/compare?first={first}&second={second}").json

    assert (found["paired"], found["fixed"], found["broken"]) == (3, 2, 0)


def test_a_run_that_cannot_begin_says_why(site: Site, tmp_path: Path) -> None:
    """A dataset with faults fails the job, with its findings; the page stays up."""
    (tmp_path / "datasets" / "bad.jsonl").write_bytes(LINE + b'\n{"q": 1}\n')

    run_id = site.start("mock", "bad.jsonl")

    live = site.wait(run_id)
    assert live["state"] == "failed"
    assert len(live["findings"]) == 2
    assert site.get(f"/eval/runs/{run_id}").status == 200


@pytest.mark.parametrize(
    ("body", "status"),
    [
        ({"dataset": "library.jsonl", "system": "recorded", "repeats": 0}, 422),
        ({"dataset": "library.jsonl", "system": "recorded", "surprise": 1}, 422),
        ({"dataset": "library.jsonl", "system": "recorded", "contract": "no_such"}, 422),
        ({"dataset": "nothing.jsonl", "system": "recorded"}, 404),
        ({"dataset": "library.jsonl", "system": "no-such"}, 404),
        ({"dataset": "library.jsonl", "system": "builtin"}, 422),
        ({"dataset": "library.jsonl", "system": "endpoint"}, 404),
    ],
)
def test_an_order_that_makes_no_sense_is_told(site: Site, body: dict[str, object], status: int) -> None:
    """Every refusal has a message; nothing is begun."""
    reply = site.change("POST", "/api/v1/runs", body)

    assert reply.status == status
    assert reply.json["error"]["message"]
    assert site.get("/api/v1/runs").json == {"runs": [], "going": []}


def test_the_api_describes_itself(site: Site) -> None:
    """OpenAPI without a page of somebody else's; our own page lists the routes."""
    schema = site.get("/api/v1/openapi.json").json

    assert "/api/v1/runs/{run_id}/cases" in schema["paths"]
    assert all(entry.get("description") for path in schema["paths"].values() for entry in path.values())
    assert site.get("/docs").status == 404
    assert "/api/v1/compare" in site.get("/eval/api").text


def test_a_run_in_another_process_is_left_alone(site: Site, tmp_path: Path) -> None:
    """What somebody else works on is shown, not continued."""
    import fcntl  # noqa: PLC0415 - not everywhere

    run_id = site.run()
    held = os.open(tmp_path / "runs" / run_id / "run.lock", os.O_RDWR)
    fcntl.flock(held, fcntl.LOCK_EX)
    try:
        assert site.change("POST", f"/api/v1/runs/{run_id}/resume").status == 409
    finally:
        os.close(held)
