"""A dataset that cannot be opened is told why, and one that can is looked over twice."""

import json
from pathlib import Path

import pytest

from ragstone.core.errors import DatasetError
from ragstone.core.messages import phrase
from ragstone.datasets.check import open_contract, survey, writing

GBK = '[{"question": "出差每天可以报销多少钱？"}]'.encode("gbk")


@pytest.mark.parametrize(
    ("name", "data", "told"),
    [
        ("a.json", GBK, "it looks like GBK"),
        ("a.json", b'[\n{"question": 1},\n]', "trailing comma in array (at line 3, column 1)"),
        ("a.json", b'[{"question": ', "Input data was truncated (at line 1, column 14)"),
        ("a.json", b"PK\x03\x04\x00\x00", "the file is not text"),
        ("a.json", "[]".encode("utf-16"), "the file is UTF-16"),
        ("a.json", b"{}", "the dataset has no cases"),
        ("a.json", b"[]", "the dataset has no cases"),
        ("a.json", b" \n", "the dataset has no cases"),
        ("a.json", b'{"a": 1, "b": 2}', "its first row has: a, b"),
        ("a.json", b'[{"a": 1}]', "its first row has: a"),
        ("a.json", b"[1]", "expected a JSON object, found number"),
        ("a.yaml", b"a: [1\nb: 2\n", "expected ',' or ']', but got ':' (at line 2, column 2)"),
        ("a.yaml", b"a: 1\n", "its first row has: a"),
        ("a.yaml", "标题: 出差".encode("gbk"), "it looks like GBK"),
        ("questions/a.json", b'{"questions": [,]}', "invalid character (at line 1, column 16)"),
        ("readme.txt", b"", "the folder holds no JSON file"),
    ],
)
def test_what_keeps_a_dataset_from_being_recognised_is_told(name: str, data: bytes, told: str, tmp_path: Path) -> None:
    """The encoding, the place where the JSON breaks, or what the first row has: never a bare null."""
    path = tmp_path / "set" / name
    path.parent.mkdir(parents=True)
    path.write_bytes(data)
    whole = path.parent.parent if "/" in name else path.parent if name.endswith(".txt") else path

    with pytest.raises(DatasetError) as error:
        open_contract(whole)

    assert told in " ".join([error.value.say("en"), *_told(error.value)])


def _told(error: DatasetError) -> list[str]:
    return [phrase({}, finding.code, finding.params, "en") for finding in error.findings]


def test_a_check_warns_of_keys_that_stand_twice(tmp_path: Path) -> None:
    """The last value counts, as every decoder has it; only a thorough look says so."""
    path = tmp_path / "a.jsonl"
    path.write_text('{"q": "a", "q": "b", "gold": ["c"], "doc_hint": ["d.md"]}\n', encoding="utf-8")
    contract = open_contract(path)

    found = [(finding.level, finding.code) for finding in survey(contract, path, thorough=True).findings]

    assert found == [("warning", "row.twice")]
    assert survey(contract, path).findings == ()


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("布料坏了，账还没有划清，甚至链子也沈了。", "zh-Hans"),
        ("布料壞了，帳還沒有劃清。", "zh-Hant"),
        ("後於", "zh-Hans"),
        ("開始", "zh-Hant"),
        ("RAG?", "en"),
    ],
)
def test_characters_of_both_scripts_make_no_text_traditional(text: str, lang: str) -> None:
    """What is compared as one character may still be written as another in Simplified Chinese."""
    assert writing(text) == lang


HANS, HANT, EN = "访客车辆停放多少小时？", "訪客車輛停放多少小時？", "How long may visitors park?"


@pytest.mark.parametrize(
    ("questions", "lang"),
    [
        ([HANT, HANS, HANS, EN, EN], "zh-Hans"),
        ([HANS, HANT, HANT, EN], "zh-Hant"),
        ([HANT, HANS, EN, EN], "zh-Hans"),
        ([HANT, EN, EN], "en"),
        ([EN, HANT], "zh-Hant"),
    ],
)
def test_most_questions_decide_the_language_of_a_set(questions: list[str], lang: str, tmp_path: Path) -> None:
    """Not the first of them."""
    path = tmp_path / "set.jsonl"
    rows = [{"id": str(at), "q": question, "gold": ["4"]} for at, question in enumerate(questions)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    assert survey(open_contract(path), path).lang == lang
