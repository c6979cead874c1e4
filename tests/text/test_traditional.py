"""Our own sentences in Traditional Chinese."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from string import Formatter

import pytest

from ragstone.contracts.eval_json_v2.phrases import PHRASES as EVAL_JSON_V2
from ragstone.contracts.key_points.phrases import PHRASES as KEY_POINTS
from ragstone.contracts.legal_rag.phrases import PHRASES as LEGAL_RAG
from ragstone.contracts.prompt_task.phrases import PHRASES as PROMPT_TASK
from ragstone.core import translations as problems
from ragstone.core.language import LANGS, Text
from ragstone.core.messages import codes, message
from ragstone.core.registry import contract_names, contract_type
from ragstone.text.traditional import only_simplified, traditional
from ragstone.web.words import WORDS

SOURCE = Path(__file__).parents[2] / "src"
TWO_FORMS = 2


def _texts() -> Iterator[tuple[str, Text]]:
    for code in sorted(codes()):
        yield code, message(code)
    for phrases in (EVAL_JSON_V2, KEY_POINTS, LEGAL_RAG, PROMPT_TASK, WORDS):
        yield from phrases.items()
    for name in contract_names():
        for spec in getattr(contract_type(name), "metrics", ()):
            yield f"{name}.{spec.name}", spec.label


def _calls(name: str) -> list[tuple[str, ast.Call]]:
    return _called().get(name, [])


@cache
def _called() -> dict[str, list[tuple[str, ast.Call]]]:
    """Read the source once: where each function is called."""
    found: dict[str, list[tuple[str, ast.Call]]] = {}
    for path in sorted(SOURCE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                found.setdefault(node.func.id, []).append((f"{path.relative_to(SOURCE)}:{node.lineno}", node))
    return found


def _left(text: str) -> list[str]:
    return [char for char in text if only_simplified(char)]


@pytest.mark.parametrize(
    ("simplified", "expected"),
    [
        ("{file}：文件或文件夹不存在。", "{file}：檔案或資料夾不存在。"),
        ("文档 {document:q} 不在 {folder} 中", "文件 {document:q} 不在 {folder} 中"),
        ("缺少字段；应为至少含 1 个非空字符串的数组", "缺少欄位；應為至少含 1 個非空字串的陣列"),
        ("运行完整", "執行完整"),
        ("服务器的默认数据", "伺服器的預設資料"),
        ("另一个进程正在运行程序", "另一個程序正在執行程式"),
        ("复制、重复、恢复、回复", "複製、重複、恢復、回覆"),
        ("“标准”的账号", "「標準」的帳號"),
        ("already English", "already English"),
        ("", ""),
    ],
)
def test_terms_and_characters_are_turned(simplified: str, expected: str) -> None:
    """Terms are those of Traditional writing, and places stay as they are."""
    assert traditional(simplified) == expected


def test_every_text_has_the_same_places_in_every_language() -> None:
    """No language forgets what, where or what to do."""
    said = {name: [text.say(lang) for lang in LANGS] for name, text in _texts()}

    assert [name for name, forms in said.items() if not all(forms)] == []
    assert [name for name, forms in said.items() if len({_places(form) for form in forms}) > 1] == []


def _places(template: str) -> frozenset[str]:
    return frozenset(name for _, name, _, _ in Formatter().parse(template) if name)


def test_no_message_keeps_a_simplified_character() -> None:
    """Messages, contracts' phrases and labels and the page's words are Traditional through and through."""
    wrong = {name: said for name, text in _texts() if _left(said := text.say("zh-Hant"))}

    assert not wrong


def test_no_text_in_the_source_keeps_a_simplified_character() -> None:
    """Nor does any other text or help, wherever it is written."""
    wrong = []
    for name in ("Text", "choose"):
        for place, call in _calls(name):
            chinese = call.args[1:]
            last = chinese[-1] if chinese else None
            if isinstance(last, ast.Constant) and isinstance(last.value, str):
                said = traditional(last.value) if len(chinese) == 1 else last.value
                wrong += [(place, said)] if _left(said) else []

    assert not wrong


def test_what_is_filled_in_early_has_its_own_traditional_form() -> None:
    """A sentence made with a user's own words in it is not turned: a path must stay what it is."""
    short = [place for place, call in _calls("choose") for arg in call.args[1:2] if isinstance(arg, ast.JoinedStr)
             and len(call.args) == TWO_FORMS]  # fmt: skip

    assert not short


def test_sentences_of_libraries_are_turned_too() -> None:
    """What a decoder says is Traditional inside a Traditional sentence; what a user wrote is left alone."""
    said = message("row.field").say(
        "zh-Hant", {"field": "档", "problem": "wrong type", "expected": "an array of strings", "found": "number"}
    )

    assert said == "欄位 '档'：類型不對；應為字串陣列，實際為數。"
    every = [*problems._NOUNS.values(), *problems._KINDS.values(), *(words for _, words in problems._SENTENCES)]
    assert not [words for words in every if _left(traditional(words))]


def test_both_scripts_share_most_characters() -> None:
    """Only what Traditional writing never uses counts as Simplified."""
    assert [only_simplified(char) for char in "档檔文a，"] == [True, False, False, False, False]
