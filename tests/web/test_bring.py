"""What is brought to the page: tables, documents, recorded answers, services with their keys; rows changed there."""

import io
import json
import zipfile
from pathlib import Path
from urllib.parse import quote, urlencode

import openpyxl
import pytest

from ragstone.core.settings import Settings
from ragstone.web.systems.saved import FILE
from tests.web.site import SYSTEMS, Site, answering, furnish, serving

CSV = "题干,要点,出处\n图书馆几点开门？,八点开门,hours.md\n".encode()


def workbook() -> bytes:
    """Make a small Excel file."""
    book, file = openpyxl.Workbook(), io.BytesIO()
    for row in (["问题", "标准答案"], ["图书馆几点开门？", "八点开门"]):
        book.active.append(row)
    book.save(file)
    return file.getvalue()


def packed(files: dict[str, str]) -> bytes:
    """Make a zip."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        for name, text in files.items():
            made.writestr(name, text)
    return file.getvalue()


def test_a_table_whose_columns_nobody_knows_is_mapped(site: Site) -> None:
    """First its columns are told; named, it is kept, remembers them, and is evaluated."""
    told = site.change("PUT", f"/api/v1/datasets/{quote('表.csv')}", CSV)
    columns = quote(json.dumps({"question": "题干", "gold": "要点", "documents": "出处"}))
    kept = site.change("PUT", f"/api/v1/datasets/{quote('表.csv')}?map={columns}", CSV)

    assert (told.status, told.json["columns"]) == (422, ["题干", "要点", "出处"])
    assert (kept.status, kept.json["dataset"], kept.json["cases"]) == (201, "表.csv", 1)
    run = site.run(dataset="表.csv")
    assert site.get(f"/api/v1/runs/{run}/cases").json["rows"][0]["question"] == "图书馆几点开门？"


def test_a_workbook_with_known_columns_needs_no_mapping(site: Site) -> None:
    """Names that spreadsheets use are understood."""
    assert site.change("PUT", "/api/v1/datasets/book.xlsx", workbook()).json["cases"] == 1


NO_TABLES = [
    ("a.csv", b"PK\x03\x04", 415),
    ("a.xlsx", b"q,gold\n", 415),
    ("a.csv", b"q,gold\n\0\0", 415),
    ("a.exe", b"MZ", 422),
    ("a.csv?map=%5B%5D", CSV, 422),
    ("a.csv?map=%7B%22x%22%3A%22q%22%7D", CSV, 422),
]


def test_what_is_no_table_is_refused(site: Site) -> None:
    """By its name, by its first bytes, by a mapping that makes no sense."""
    for name, content, status in NO_TABLES:
        assert site.change("PUT", f"/api/v1/datasets/{name}", content).status == status, (name, content)


def bring(site: Site, name: str, content: bytes, dataset: str = "library.jsonl") -> tuple[int, dict[str, object]]:
    """Bring one document."""
    reply = site.change("PUT", f"/api/v1/documents?{urlencode({'dataset': dataset, 'name': name})}", content)
    return reply.status, reply.json


def test_documents_are_brought_and_the_built_in_rag_answers_from_them(site: Site, tmp_path: Path) -> None:
    """One file, a folder's file, a zip; then the built-in RAG can be asked about that dataset."""
    assert bring(site, "hours.md", "每天八点开门。".encode())[1] == {"documents": 1}
    assert bring(site, "rules/loans.md", "一次最多十册。".encode())[1] == {"documents": 2}
    zipped = packed({"parking.md": "首小时免费，之后每小时六元。", "__MACOSX/x.md": "no", "x.exe": "no"})
    assert bring(site, "all.zip", zipped)[1] == {"documents": 3}

    folder = tmp_path / "datasets" / "library.documents"
    assert sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*.md")) == [
        "hours.md", "parking.md", "rules/loans.md",
    ]  # fmt: skip
    assert next(one for one in site.get("/api/v1/datasets").json if one["name"] == "library.jsonl")["documents"]
    site.wait(site.start("builtin"), "complete")


ELSEWHERE = [
    ("../x.md", b"x", 422),
    ("/etc/x.md", b"x", 422),
    (".x.md", b"x", 422),
    ("a/b/c/d/e/f/g.md", b"x", 422),
    ("x.html", b"x", 422),
    ("x.zip", b"not a zip", 415),
    ("x.zip", packed({"../x.md": "x", "a/../../x.md": "x"}), 201),
]


def test_no_document_leads_elsewhere(site: Site, tmp_path: Path) -> None:
    """Neither by its name nor by a name inside a zip."""
    for name, content, status in ELSEWHERE:
        assert bring(site, name, content)[0] == status, (name, content)
        assert not list(tmp_path.rglob("x.md")), (name, content)


def test_documents_belong_to_datasets_of_the_page(site: Site) -> None:
    """The bundled example keeps its own."""
    assert bring(site, "x.md", b"x", "demo-zh")[0] == 422


def test_a_zip_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    """A bomb is given up on the way."""
    furnish(tmp_path)
    with serving(Settings(systems=SYSTEMS, max_upload_mb=1)) as site:
        assert bring(site, "bomb.zip", packed({"a.md": "x" * (5 << 20)}))[0] in {413, 201}
        file = io.BytesIO()
        with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as made:
            made.writestr("a.md", "x" * (5 << 20))
        assert bring(site, "bomb.zip", file.getvalue())[0] == 413


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_zip_leaves_nothing_behind(site: Site, tmp_path: Path, method: int) -> None:
    """Whatever it was packed by, and wherever it is broken; no fault of the server."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", method) as made:
        made.writestr("a.md", "每天八点开门。" * 5000)
    for at in (40, 60, len(file.getvalue()) // 2):
        content = bytearray(file.getvalue())
        content[at] ^= 0xFF
        assert bring(site, "damaged.zip", bytes(content))[0] in {201, 415}
    folder = tmp_path / "datasets" / "library.documents"
    assert [path.stat().st_size for path in folder.rglob("*.md")] in ([], [5000 * 21])


def test_a_zip_of_very_many_names_is_not_listed(site: Site) -> None:
    """Its list alone would take many times its bytes; so would one whose length is told elsewhere."""
    many = packed({f"{number:05}.txt{'x' * 100}": "" for number in range(30_000)})
    longer = packed({"a.md": "x"}).replace(b"PK\5\6", b"PK\6\7" + b"\0" * 16 + b"PK\5\6")

    assert [bring(site, "many.zip", content)[0] for content in (many, longer)] == [413, 413]


def test_names_of_a_plain_zip_are_utf_8_and_a_refused_one_leaves_nothing(site: Site, tmp_path: Path) -> None:
    """What zip of Linux writes says nothing of its names; a file name may hold an emoji."""
    plain = packed({"x" * 12 + ".md": "每天八点开门。"}).replace(b"x" * 12, "员工手册".encode())
    refused = packed({"a.md": "x", "b?.md": "x"})

    assert bring(site, "refused.zip", refused)[0] == 422
    assert bring(site, "plain.zip", plain) == (201, {"documents": 1})
    assert bring(site, "名字 😀.md", b"x") == (201, {"documents": 2})
    found = sorted(path.name for path in (tmp_path / "datasets").rglob("*.md"))
    assert found == ["名字 😀.md", "员工手册.md"]
    assert not list((tmp_path / "datasets").glob(".[!a]*"))


def test_a_link_in_a_zip_is_a_file(site: Site, tmp_path: Path) -> None:
    """What it leads to is not read."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as made:
        entry = zipfile.ZipInfo("link.md")
        entry.external_attr = 0o120777 << 16
        made.writestr(entry, "/etc/passwd")

    assert bring(site, "links.zip", file.getvalue())[0] == 201
    found = tmp_path / "datasets" / "library.documents" / "link.md"
    assert not found.is_symlink() and found.read_text() == "/etc/passwd"


def test_recorded_answers_are_a_system(site: Site) -> None:
    """Brought, offered by name, scored; several systems in one run are told apart."""
    line = json.dumps({"id": "Q1", "output": "九点开门。参考 hours.md"}, ensure_ascii=False).encode()
    made = site.change("PUT", "/api/v1/answers/spring.jsonl", line)
    broken = site.change("PUT", "/api/v1/answers/broken.jsonl", b'{"id": 1')
    run = site.change(
        "POST", "/api/v1/runs", {"dataset": "library.jsonl", "systems": ["recorded", "spring"], "name": "Both"}
    ).json["run_id"]
    site.wait(run)

    matched = site.get("/api/v1/answers/match?system=spring&dataset=library.jsonl")

    assert matched.json == {"found": 1, "of": 3}
    assert site.get("/api/v1/answers/match?system=slow&dataset=library.jsonl").status == 404
    assert (made.status, made.json["name"], made.json["kind"]) == (201, "spring", "recorded")
    assert broken.status == 422
    assert list(site.get(f"/api/v1/runs/{run}").json["summary"]["models"]) == ["recorded", "spring"]
    assert site.get(f"/api/v1/runs/{run}/cases?model=spring").json["rows"][0]["state"] == "failed"
    assert "Both" in site.get("/eval/history").text


def test_a_look_at_a_dataset_counts_its_documents(site: Site) -> None:
    """Those that were brought before, too."""
    before = site.get("/api/v1/check?dataset=library.jsonl").json["documents"]
    site.change("PUT", "/api/v1/documents?dataset=library.jsonl&name=hours.md", "八点开门。".encode())

    assert (before, site.get("/api/v1/check?dataset=library.jsonl").json["documents"]) == (0, 1)


def test_a_dry_run_is_asked_alone(site: Site) -> None:
    """It measures no system, so it stands beside none."""
    told = site.change("POST", "/api/v1/runs", {"dataset": "library.jsonl", "systems": ["recorded", "mock"]})

    assert (told.status, told.json["error"]["code"]) == (422, "page.alone")


KINDS = {
    "http_json": ("/ask", {"answer": "八点开门 hours.md"}),
    "chat": ("", {"choices": [{"message": {"content": "八点开门 hours.md"}}]}),
    "lightrag": ("", {"response": "八点开门 hours.md"}),
    "ragflow": ("", {"code": 0, "data": {"answer": "八点开门 hours.md"}}),
    "dify": ("", {"answer": "八点开门 hours.md"}),
    "fastgpt": ("", {"choices": [{"message": {"content": "八点开门 hours.md"}}]}),
}


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_a_service_is_entered_tried_and_asked(site: Site, tmp_path: Path, kind: str) -> None:
    """By its form, with a key that is sent and never written; the run is continued and asked again by its name."""
    path, reply = KINDS[kind]
    with answering(reply) as server:
        body = {"name": f"my {kind}", "kind": kind, "url": server.url + path, "model": "m", "chat_id": "c"}
        made = site.change("POST", "/api/v1/systems", {**body, "key": "sk-secret-12345678"})
        tried = site.change("POST", "/api/v1/ping", {"system": f"my {kind}", "dataset": "library.jsonl"})
        run = site.run(f"my {kind}")
        again = site.change("POST", f"/api/v1/runs/{run}/again", {"state": "missed"})
        assert again.status == 202, again.text
        site.wait(again.json["run_id"], "complete")

    assert made.status == 201, made.text
    assert tried.json["answer"] == "八点开门 hours.md" and not tried.json["problem"]
    assert tried.json["question"] == "图书馆几点开门？"
    assert any("sk-secret-12345678" in str(one.headers) for one in server.seen)
    assert site.get(f"/api/v1/runs/{run}/cases").json["rows"][0]["state"] == "passed"
    for file in tmp_path.rglob("*"):
        assert not file.is_file() or b"sk-secret-12345678" not in file.read_bytes(), file


NOT_ENTERED: list[tuple[dict[str, object], int]] = [
    ({"url": "http://10.0.0.5/ask"}, 403),
    ({"url": "http://127.0.0.1:1/${HOME}"}, 403),
    ({"name": "recorded"}, 422),
    ({"name": "a:b"}, 422),
    ({"name": "../x"}, 422),
    ({"key": "a b\r\nX: y"}, 422),
    ({"key_env": "HOME"}, 403),
    ({"key_env": "RAGSTONE_TOKEN"}, 403),
    ({"key_env": "PAGE_KEY_0123456789AB"}, 403),
    ({"kind": "chat", "model": "${HOME}"}, 422),
    ({"kind": "ragflow", "chat_id": "{{x}}"}, 422),
    ({"kind": "python"}, 422),
    ({"secret": 1}, 422),
]


def test_what_must_not_be_entered_is_refused(site: Site) -> None:
    """Addresses off the list, names that are more than names, variables that hold no key."""
    for change, status in NOT_ENTERED:
        body = {"name": "mine", "kind": "http_json", "url": "http://127.0.0.1:1/ask", **change}

        assert site.change("POST", "/api/v1/systems", body).status == status, change
    body = {"name": "recorded", "kind": "http_json", "url": "http://127.0.0.1:1/ask"}
    assert "already" in site.change("POST", "/api/v1/systems", body).text
    assert "round brackets" in site.change("POST", "/api/v1/systems", {**body, "name": "HTML & Co"}).text


def test_a_page_for_others_sends_no_variable_of_its_server(tmp_path: Path) -> None:
    """Whoever sits elsewhere types a key of their own."""
    furnish(tmp_path)
    settings = Settings(host="0.0.0.0", token="correct-horse-battery", allowed_endpoints=("http://127.0.0.1:1",))
    with serving(settings) as site:
        site.headers["Authorization"] = "Bearer correct-horse-battery"
        body = {"name": "mine", "kind": "dify", "url": "http://127.0.0.1:1"}
        told = site.ask("POST", "/api/v1/systems", {**body, "key_env": "DIFY_API_KEY"})
        kept = site.ask("POST", "/api/v1/systems", {**body, "key": "typed-key"})

    assert (told.status, kept.status) == (403, 201)


def test_a_planted_list_of_systems_is_checked_anew(site: Site, tmp_path: Path) -> None:
    """What stands in the file is offered only as far as it could be entered."""
    planted = [{"name": "evil", "url": "http://10.0.0.5/"}, {"name": "r", "kind": "recorded", "answers": "/etc/passwd"}]
    (tmp_path / "runs").mkdir(exist_ok=True)
    (tmp_path / "runs" / FILE).write_text(json.dumps([*planted, {"name": "fine", "url": "http://127.0.0.1:1/a"}]))

    names = [one["name"] for one in site.get("/api/v1/systems").json]
    assert "fine" in names and not {"evil", "r"} & set(names)
    assert site.change("DELETE", "/api/v1/systems/fine").json == []
    assert site.change("DELETE", "/api/v1/systems/recorded").status == 404


def test_a_service_that_is_down_says_so_when_tried(site: Site) -> None:
    """The reason in words; nothing is started."""
    body = {"name": "down", "kind": "http_json", "url": "http://127.0.0.1:1/ask"}
    site.change("POST", "/api/v1/systems", body)
    tried = site.change("POST", "/api/v1/ping", {"system": "down", "dataset": "library.jsonl"})

    assert tried.status == 200 and tried.json["problem"] and not tried.json["answer"]


def test_a_changed_row_is_a_new_version(site: Site, tmp_path: Path) -> None:
    """The old file stays byte for byte; the new one has its own hash and remembers where it comes from."""
    before = (tmp_path / "datasets" / "library.jsonl").read_bytes()
    rows = site.get("/api/v1/rows?dataset=library.jsonl").json
    row = {**rows["rows"][1]["row"], "gold": ["最多十二册"]}
    saved = site.change("PUT", "/api/v1/rows?dataset=library.jsonl&number=2", {"row": row})
    again = site.change("PUT", "/api/v1/rows?dataset=library-v2.jsonl&number=1", {"row": {**row, "q": "几册？"}})

    assert (saved.status, saved.json["dataset"], again.json["dataset"]) == (201, "library-v2.jsonl", "library-v3.jsonl")
    assert saved.json["sha256"] == site.get("/api/v1/rows?dataset=library-v2.jsonl").json["sha256"] != rows["sha256"]
    assert (tmp_path / "datasets" / "library.jsonl").read_bytes() == before
    page = site.get("/eval/dataset?name=library-v2.jsonl").text
    assert saved.json["sha256"] in page and "最多十二册" in page and ">library.jsonl</a>" in page


NO_ROWS: list[tuple[str, dict[str, object], int]] = [
    ("dataset=library.jsonl&number=2", {"row": {"q": 5}}, 422),
    ("dataset=library.jsonl&number=9", {"row": {}}, 404),
    ("dataset=no.jsonl&number=1", {"row": {}}, 404),
    ("dataset=library.jsonl&number=1", {"row": []}, 422),
]


def test_a_row_with_faults_is_not_kept(site: Site, tmp_path: Path) -> None:
    """The findings are told, and the folder is as it was."""
    for query, body, status in NO_ROWS:
        assert site.change("PUT", f"/api/v1/rows?{query}", body).status == status, query
    assert [path.name for path in (tmp_path / "datasets").iterdir()] == ["library.jsonl"]


def test_a_page_behind_a_proxy_is_for_others(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It listens on loopback, but who sees it sits elsewhere: no service of this machine, no variable of it."""
    furnish(tmp_path)
    monkeypatch.setenv("SOME_API_KEY", "secret-of-the-server")
    settings = Settings(token="correct-horse-battery", allowed_hosts=("eval.example.org",))
    with serving(settings) as site:
        site.headers["Authorization"] = "Bearer correct-horse-battery"
        body = {"name": "mine", "kind": "http_json", "url": "http://127.0.0.1:1/ask"}
        told = [site.ask("POST", "/api/v1/systems", {**body, **more}) for more in ({}, {"key_env": "SOME_API_KEY"})]

    assert [reply.status for reply in told] == [403, 403]
