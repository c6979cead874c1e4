"""A quotation means what its title, section and columns make of it: where these change, a draft is stale."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.core.types import Finding
from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.files.again import draft_again
from ragstone.drafting.make import Plan, make
from ragstone.drafting.proof import stale
from ragstone.drafting.proving.frame import is_joined
from ragstone.drafting.rows import write_rows
from tests.drafting.conftest import rows_of, write

FARES = """# 白鹭渡口票价表

## 平日班次

| 乘客 | 单程 | 往返 |
|---|---|---|
| 成人 | 12元 | 20元 |
| 儿童 | 6元 | 10元 |

## 节日班次

| 乘客 | 单程 | 往返 |
|---|---|---|
| 成人 | 18元 | 30元 |
| 儿童 | 9元 | 15元 |
"""
POLICY = """# Foxglove Library Rules 2031

Foxglove Library was founded in 1911.
Annual leave is 6 days.
The late fee is £2 per week.
"""
Drafted = Callable[[str], tuple[Path, Path]]


@pytest.fixture
def drafted(tmp_path: Path) -> Drafted:
    """Drafts from one document, and the folder it lies in."""

    def draft(text: str) -> tuple[Path, Path]:
        folder, file = tmp_path / "documents", tmp_path / "drafts.jsonl"
        folder.mkdir()
        (folder / "a.md").write_text(text, encoding="utf-8")
        file.write_bytes(write_rows(make(read_corpus(folder), Plan(size=20)).drafts, "key_points"))
        assert rows_of(file)
        return file, folder

    return draft


def _found(file: Path, folder: Path, text: str) -> list[Finding]:
    """What is said once the document holds another text."""
    (folder / "a.md").write_text(text, encoding="utf-8")
    return [one for one in stale(file, folder) if one.level != "note"]


def _codes(found: list[Finding]) -> list[str]:
    return [one.code for one in found]


def test_what_did_not_change_is_proved(drafted: Drafted) -> None:
    """Neither an error nor a warning."""
    file, folder = drafted(FARES)
    assert _found(file, folder, FARES) == []


def test_swapped_sections_and_columns_make_drafts_stale(drafted: Drafted) -> None:
    """Every row stands word for word where it stood, under other headings."""
    file, folder = drafted(FARES)
    rows = rows_of(file)
    swapped = FARES.replace("平日", "假期").replace("节日", "平日").replace("假期", "节日")
    by_section = _codes(_found(file, folder, swapped))
    turned = FARES.replace("单程 | 往返", "往返 | 单程")
    by_column = _codes(_found(file, folder, turned))
    assert by_section == by_column == ["draft.reframed"] * len(rows) + ["draft.changed"]


def test_a_column_nobody_asks_for_may_be_called_otherwise(drafted: Drafted) -> None:
    """Only what the question names counts."""
    file, folder = drafted(FARES)
    write(file, [row for row in rows_of(file) if "单程" in row["q"]])
    assert _codes(_found(file, folder, FARES.replace("往返", "来回"))) == ["draft.changed"]


def test_another_title_makes_drafts_stale_that_name_it(drafted: Drafted) -> None:
    """The year of the rules changed; what asks for the founding does not name them."""
    file, folder = drafted(POLICY)
    named = sum("2031" in row["q"] for row in rows_of(file))
    found = _codes(_found(file, folder, POLICY.replace("2031", "2032")))
    assert named > 0
    assert found.count("draft.reframed") == named
    assert found[-1] == "draft.changed"


def test_a_question_in_other_words_still_uses_the_title(drafted: Drafted) -> None:
    """What a person reworded names the year that is gone."""
    file, folder = drafted(POLICY)
    row = next(row for row in rows_of(file) if row["gold"] == ["6 days"])
    write(file, [row | {"q": "How long is annual leave by the rules of 2031?"}])
    assert _codes(_found(file, folder, POLICY.replace("2031", "2032"))) == ["draft.reframed", "draft.changed"]


def test_a_changed_document_is_named_once_with_its_drafts(drafted: Drafted) -> None:
    """Also where every quotation stands as it stood, and where the digest was written by hand."""
    file, folder = drafted(POLICY)
    [told] = _found(file, folder, POLICY + "\nNone of this applies any longer.\n")
    assert (told.code, told.level, told.params) == (
        "draft.changed",
        "warning",
        {"document": "a.md", "n": len(rows_of(file))},
    )
    rows = rows_of(file)
    rows[0]["provenance"][0]["sha256"] = "0" * 64
    write(file, rows)
    [one] = _found(file, folder, POLICY)
    assert (one.code, one.params["n"]) == ("draft.changed", 1)


def test_drafts_of_older_versions_tell_no_frame(drafted: Drafted) -> None:
    """Of these only the document is named."""
    file, folder = drafted(POLICY)
    rows = rows_of(file)
    for row in rows:
        for proof in row["provenance"]:
            del proof["frame"]
    write(file, rows)
    assert set(_codes(_found(file, folder, POLICY.replace("2031", "2032")))) == {"draft.changed"}


def test_a_quotation_inside_a_longer_word_is_gone(drafted: Drafted) -> None:
    """The end of a word joined by a hyphen is another sentence."""
    text = "# Brindle Pier\n\nConstruction of Brindle Pier began in 1902.\n"
    file, folder = drafted(text)
    assert "draft.stale" in _codes(_found(file, folder, text.replace("Construction", "Re-Construction")))


def test_of_two_places_the_one_under_the_old_words_counts(drafted: Drafted) -> None:
    """The row stands under the new heading at its old place, and under the old one below: it moved."""
    file, folder = drafted("# 松针阁收费表\n\n## 平日\n\n| 票种 | 价格 |\n|---|---|\n| 通票 | 40元 |\n")
    both = "# 松针阁收费表\n\n## 节日\n\n{0}## 平日\n\n{0}".format("| 票种 | 价格 |\n|---|---|\n| 通票 | 40元 |\n\n")
    assert set(_codes(_found(file, folder, both))) == {"draft.moved", "draft.changed"}


def test_a_stale_draft_is_drafted_again_under_its_new_title(drafted: Drafted) -> None:
    """The same question, by the words that stand there now."""
    file, folder = drafted(POLICY)
    name = next(row["id"] for row in rows_of(file) if "2031" in row["q"])
    (folder / "a.md").write_text(POLICY.replace("2031", "2032"), encoding="utf-8")
    again = draft_again(file, {name}, read_corpus(folder))
    assert "2032" in again.drafted[name]
    row = next(row for row in rows_of(file) if row["id"] == name)
    assert json.dumps(row["provenance"][0]["frame"]) == json.dumps({"title": "Foxglove Library Rules 2032"})


def test_the_line_above_a_list_belongs_to_its_items(drafted: Drafted) -> None:
    """What is no longer offered is still listed, word for word."""
    text = "# 松针阁须知\n\n访客中心提供以下服务：\n\n- 行李寄存\n- 失物招领\n"
    file, folder = drafted(text)
    found = _codes(_found(file, folder, text.replace("提供", "不再提供")))
    assert found == ["draft.reframed", "draft.reframed", "draft.changed"]


def test_joined() -> None:
    """Han characters stand apart, letters and what a hyphen joins do not."""
    assert [is_joined("一二", 1), is_joined("ab", 1), is_joined("a-b", 1), is_joined("a -b", 3)] == [
        False,
        True,
        True,
        False,
    ]
