"""Test sets drafted on the page: documents in, a dataset out that can be read, taken away and evaluated."""

import json
import time
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from tests.web.site import Site

RULES = "# 松鹤诊所就诊须知\n\n## 费用\n\n挂号费为80元。宠物不得进入候诊区。网上预约开放14天内的号源。\n"


def _bring(site: Site, draft: str = "rules", name: str = "rules.md", text: str = RULES) -> int:
    query = f"draft={quote(draft)}&name={quote(name)}"
    return site.change("PUT", f"/api/v1/drafts/documents?{query}", text.encode()).status


def _draft(site: Site, **wish: Any) -> dict[str, Any]:
    body = {"name": "rules", "size": 5} | wish
    started = site.change("POST", "/api/v1/drafts", body)
    assert started.status == 202, started.text
    for _ in range(200):
        told = site.get(f"/api/v1/drafts/{started.json['id']}").json
        if told["state"] in ("complete", "failed"):
            return dict(told)
        time.sleep(0.05)
    raise AssertionError(told)


def test_documents_become_a_dataset_that_is_evaluated(site: Site) -> None:
    """It is offered with its documents, can be taken away, and the built-in RAG answers it."""
    assert _bring(site) == 201
    told = _draft(site)
    run = site.run(dataset=told["dataset"], system="builtin")
    taken = site.get(f"/api/v1/dataset-file?dataset={told['dataset']}")

    rows = [json.loads(line) for line in taken.content.splitlines()]
    assert (told["dataset"], told["drafted"], told["state"]) == ("rules.jsonl", len(rows), "complete")
    assert all(row["provenance"][0]["quote"] in RULES and row["reviewed"] is False for row in rows)
    assert site.get(f"/api/v1/runs/{run}/cases").json["total"] == len(rows)


@pytest.mark.parametrize("contract", ["legal_rag", "eval_json_v2", "prompt_task"])
def test_other_contracts_from_the_documents_of_a_dataset(site: Site, contract: str) -> None:
    """The new set has the documents of the one it was drafted from, and `check` finds nothing wrong with it."""
    _bring(site)
    _draft(site)
    told = _draft(site, name="more", documents_of="rules.jsonl", contract=contract)
    checked = site.get(f"/api/v1/check?dataset={told['dataset']}")

    assert (checked.json["contract"], checked.json["errors"]) == (contract, 0)
    known = {one["name"]: one for one in site.get("/api/v1/datasets").json}
    assert known[told["dataset"]]["documents"]


def test_what_gives_nothing_is_told(site: Site) -> None:
    """No documents, documents without a question, a name that is taken, a name that leads elsewhere."""
    none = site.change("POST", "/api/v1/drafts", {"name": "none"})
    _bring(site, "empty", "empty.md", "你好。\n")
    nothing = _draft(site, name="empty")
    _bring(site)
    _draft(site)

    assert (none.status, none.json["error"]["code"]) == (422, "page.no_documents")
    assert nothing["state"] == "failed"
    assert "empty" in nothing["error"]
    assert _bring(site) == 409
    assert _bring(site, "../up") == 422
    assert _bring(site, "fine", "../../up.md") == 422
    assert site.get("/api/v1/drafts/0000").status == 404


def test_what_cannot_be_kept_is_refused_at_once(site: Site) -> None:
    """Not when the set's turn has come; an empty file is called an empty document."""
    _bring(site)
    gaps = site.change("POST", "/api/v1/drafts", {"name": "rules", "abstain": 0.3})
    empty = site.change("PUT", "/api/v1/drafts/documents?draft=none&name=none.md", b"")

    assert (gaps.status, gaps.json["error"]["code"]) == (422, "draft.no_abstaining")
    assert empty.json["error"]["code"] == "documents.blank"


def test_a_set_has_the_same_name_when_it_is_asked_for(site: Site) -> None:
    """`draft` as for its documents, or `name`."""
    _bring(site)
    started = site.change("POST", "/api/v1/drafts", {"draft": "rules", "size": 2})

    assert started.status == 202


def test_documents_of_an_earlier_visit_are_not_drafted_from(site: Site) -> None:
    """Who begins a set finds its name taken by them, and the page offers one that is free."""
    _bring(site, "drafts")
    begun = site.change("PUT", "/api/v1/drafts/documents?draft=drafts&name=new.md&begin=true", RULES.encode())

    assert (begun.status, begun.json["error"]["code"]) == (409, "page.documents_there")
    assert 'value="drafts-2"' in site.get("/eval/drafts").text


def test_files_that_give_nothing_are_named(site: Site) -> None:
    """With what is wrong with each; a set that comes to nothing names them too."""
    for draft in ("rules", "nothing"):
        _bring(site, draft, "blank.md", "\n\n")
        _bring(site, draft, "broken.pdf", "no pdf")
    _bring(site)

    told, nothing = _draft(site), _draft(site, name="nothing")

    assert told["state"] == "complete"
    assert nothing["state"] == "failed"
    for one in (told, nothing):
        assert [line.split(":")[0] for line in one["passed_over"]] == ["blank.md", "broken.pdf"]


def test_a_set_is_named_when_its_documents_are_there(site: Site) -> None:
    """They get its name; documents of another set, or left under that name, are not taken for it."""
    _bring(site, "drafts")
    told = _draft(site, draft="drafts", name="clinic")
    _bring(site, "left", "other.md")
    _bring(site, "more")
    taken = site.change("POST", "/api/v1/drafts", {"draft": "more", "name": "left"})
    stolen = site.change("POST", "/api/v1/drafts", {"draft": "clinic", "name": "mine"})
    none = site.change("POST", "/api/v1/drafts", {"size": 5})

    assert told["dataset"] == "clinic.jsonl"
    assert {one.name for one in Path("datasets").glob("*.documents")} == {
        *("clinic.documents", "left.documents", "more.documents")
    }
    assert (taken.status, taken.json["error"]["code"]) == (409, "page.documents_there")
    assert (stolen.status, stolen.json["error"]["code"]) == (409, "import.taken")
    assert (none.status, none.json["error"]["code"]) == (422, "page.draft_name")


def test_documents_that_were_left_are_offered_again(site: Site) -> None:
    """Until a set is made of them; what failed to give one stays, too."""
    _bring(site, "a")
    _bring(site, "b", "b.md", "你好。\n")
    _draft(site, name="b")
    page = site.get("/eval/drafts").text
    _draft(site, name="c", draft="a")

    assert ('data-left="a"' in page, 'data-left="b"' in page) == (True, True)
    assert "b: 1 document added earlier" in page
    after = site.get("/eval/drafts").text
    assert ('data-left="a"' in after, 'data-left="c"' in after, 'data-left="b"' in after) == (False, False, True)


def test_one_name_is_one_dataset(site: Site) -> None:
    """Another contract does not get a second file and the same documents; a name has no ending."""
    _bring(site)
    _draft(site)
    other = site.change(
        "POST", "/api/v1/drafts", {"name": "rules", "contract": "legal_rag", "documents_of": "rules.jsonl"}
    )
    wrong = site.change("POST", "/api/v1/drafts", {"name": "../../x y"})

    assert (other.status, other.json["error"]["code"]) == (409, "import.taken")
    assert (wrong.status, wrong.json["error"]["code"]) == (422, "page.draft_name")
    assert ".json" not in wrong.json["error"]["message"]


def test_a_share_without_an_answer_that_is_not_reached_is_told(site: Site) -> None:
    """How many there are, how many were wished for, and why others could not be turned into such."""
    _bring(site)
    told = _draft(site, contract="legal_rag", abstain=0.8, size=10)

    assert (told["absent_wished"], told["absent"] < 8) == (8, True)
    assert sum(told["missed"].values()) > 0
    assert all(" " in reason for reason in told["missed"])


def test_the_page_offers_documents_and_contracts(site: Site) -> None:
    """Bundled examples, too; the start page leads to it."""
    page = site.get("/eval/drafts").text

    assert "demo-zh" in page
    assert "legal_rag" in page
    assert "/eval/drafts" in site.get("/eval").text
