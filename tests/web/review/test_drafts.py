"""Drafted questions, accepted and rejected in the page."""

import json
from pathlib import Path

from tests.web.site import Site

DRAFTS = [
    {
        "id": f"D{n}",
        "q": f"第{n}条怎么规定？",
        "gold": [f"第{n}条规定"],
        "provenance": [
            {
                "point": f"第{n}条规定",
                "quote": f"原文<b>：第{n}条规定。",
                "document": "a.md",
                "sha256": "0" * 64,
                "page": 1,
                "start": 0,
                "end": 14,
            }
        ],
    }
    for n in range(3)
]


def _write() -> Path:
    path = Path("datasets/drafts.jsonl")
    path.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in DRAFTS), encoding="utf-8")
    return path


def test_drafts_are_accepted_and_rejected(site: Site) -> None:
    """The file is as `ragstone draft accept` leaves it; a draft that is passed over stays."""
    path = _write()
    assert "drafts.jsonl" in site.get("/eval/review").text
    first = site.get("/api/v1/review-drafts/next?dataset=drafts.jsonl").json
    assert (first["draft"]["id"], first["left"]) == ("D0", 3)
    assert not any(line.startswith(("sha256", "start", "end")) for line in first["draft"]["proof"])

    after = site.change("POST", "/api/v1/review-drafts", {"dataset": "drafts.jsonl", "id": "D0", "accept": True}).json
    last = site.change("POST", "/api/v1/review-drafts", {"dataset": "drafts.jsonl", "id": "D1", "accept": False}).json

    assert (after["draft"]["id"], after["left"]) == ("D1", 2)
    assert (last["draft"]["id"], last["total"]) == ("D2", 2)
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    assert [(row["id"], row.get("reviewed")) for row in rows] == [("D0", True), ("D2", None)]


def test_a_decision_is_taken_back(site: Site) -> None:
    """A rejected draft stands in its place again, an accepted one is unread; then there is nothing to undo."""
    path = _write()
    before = path.read_bytes()
    for name, accepted in (("D0", True), ("D1", False), ("D2", False)):
        site.change("POST", "/api/v1/review-drafts", {"dataset": "drafts.jsonl", "id": name, "accept": accepted})

    undone = [site.change("POST", "/api/v1/review-drafts/undo", {"dataset": "drafts.jsonl"}).json for _ in range(4)]

    assert [one["undone"] for one in undone] == ["D2", "D1", "D0", ""]
    assert (undone[0]["draft"]["id"], undone[0]["total"]) == ("D2", 2)
    assert [json.loads(line) for line in path.read_bytes().splitlines()] == [
        json.loads(line) for line in before.splitlines()
    ]


def test_a_draft_that_was_changed_by_hand_is_not_accepted(site: Site) -> None:
    """The page says why; it can still be rejected."""
    path = _write()
    path.write_text(
        path.read_text(encoding="utf-8").replace('"gold": ["第0条规定"]', '"gold": ["随意"]'), encoding="utf-8"
    )

    wish = {"dataset": "drafts.jsonl", "id": "D0"}
    refused = site.change("POST", "/api/v1/review-drafts", wish | {"accept": True})

    assert refused.status == 422
    assert "--" not in refused.json["error"]["message"]
    assert "随意" in refused.json["findings"][0]["text"]
    assert site.change("POST", "/api/v1/review-drafts", wish | {"accept": False}).json["total"] == 2


def test_a_stale_draft_names_its_fault_without_flags(site: Site) -> None:
    """What a terminal would be told to type is no advice for a browser; a value that is no decision counts as none."""
    path = _write()
    path.write_text(path.read_text(encoding="utf-8").replace('"id": "D1"', '"id": "D1", "reviewed": "yes"'))
    documents = path.with_name("drafts.documents")
    documents.mkdir()
    (documents / "a.md").write_text("# 文\n\n原文<b>：第1条规定。\n", encoding="utf-8")

    wish = {"dataset": "drafts.jsonl", "accept": True}
    stale, moved = (site.change("POST", "/api/v1/review-drafts", wish | {"id": name}) for name in ("D0", "D1"))

    assert (stale.status, stale.json["findings"][0]["code"]) == (422, "draft.stale")
    said = f"{stale.json['error']['message']} {stale.json['findings'][0]['text']}"
    assert ("--" in said, "reject it" in said, "第0条规定" in said) == (False, True, True)
    assert (moved.status, moved.json["left"]) == (200, 2)


def test_only_drafts_of_this_server_are_decided(site: Site) -> None:
    """A dataset that is none, or not offered, is refused."""
    _write()

    assert site.get("/api/v1/review-drafts/next?dataset=../answers.jsonl").status == 404
    wrong = site.change("POST", "/api/v1/review-drafts", {"dataset": "library.jsonl", "id": "Q1", "accept": True})
    assert wrong.status == 422


def test_a_draft_under_another_title_names_both_without_flags(site: Site) -> None:
    """The quotation stands there, and the title that the question names does not."""
    path = _write()
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    rows[0] |= {"q": "根据《柳岸须知》，第0条怎么规定？"}
    rows[0]["provenance"][0]["frame"] = {"title": "柳岸须知"}
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    documents = path.with_name("drafts.documents")
    documents.mkdir()
    (documents / "a.md").write_text("# 松针须知\n\n原文<b>：第0条规定。\n", encoding="utf-8")

    wish = {"dataset": "drafts.jsonl", "accept": True, "id": "D0"}
    refused = site.change("POST", "/api/v1/review-drafts", wish)

    assert (refused.status, refused.json["findings"][0]["code"]) == (422, "draft.reframed")
    said = refused.json["findings"][0]["text"]
    assert ("柳岸须知" in said, "松针须知" in said, "--" in said) == (True, True, False)
