"""What libraries say, inside a Chinese sentence."""

import ast
import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from ragstone.core.errors import ConnectError, SettingError
from ragstone.core.language import fill
from ragstone.core.translations import in_chinese
from ragstone.datasets.syntax.yaml_text import load_yaml, problem_of


@pytest.mark.parametrize(
    "raw", [b'{"a": x}', b'{"a" 1}', b"[1 2]", b'{"a": 1', b"[1]]", b'{"a": "\\q"}', b"{1: 2}", b"[1,]", b"-", b"[01]"]
)
def test_every_broken_json_is_told_in_chinese(raw: bytes) -> None:
    """No English word is left of what the decoder says."""
    with pytest.raises(msgspec.DecodeError) as caught:
        msgspec.json.decode(raw)

    assert not re.search(r"[a-z]{3}", in_chinese(str(caught.value)))


@pytest.mark.parametrize("text", ["x", '{"a" 1}', "[1 2]", "[1]]", '{"a', "{1: 2}"])
def test_the_other_decoder_too(text: str) -> None:
    """The standard library's sentences are known as well."""
    with pytest.raises(json.JSONDecodeError) as caught:
        json.loads(text)

    assert not re.search(r"[a-z]{3}", in_chinese(str(caught.value)))


@pytest.mark.parametrize("text", ["a = ", "a", "a = 1\na = 2", "a = 'x", "a = 1 b = 2", "= 1"])
def test_a_broken_settings_file_is_told_in_chinese(text: str) -> None:
    """So are those of the reader of ragstone.toml."""
    with pytest.raises(tomllib.TOMLDecodeError) as caught:
        tomllib.loads(text)

    assert not re.search(r"[a-z]{3}", in_chinese(str(caught.value)))


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Invalid enum value 'fr' - at `$.language`", "没有 'fr' 这个值（位于 $.language）"),
        ("Expected `int`, got `str` - at `$.concurrency`", "应为整数，实际为字符串（位于 $.concurrency）"),
        ("expected a number from 1 to 256, or auto", "应为 1 到 256 的整数，或 auto"),
        ("[Errno 13] Permission denied: 'a/b'", "没有权限：'a/b'"),
        ("Input should be a valid integer, unable to parse string as an integer", "应为整数"),
        ("somebody's own words", "somebody's own words"),
    ],
)
def test_known_sentences_are_said_anew(english: str, chinese: str) -> None:
    """The pieces of a sentence are kept; what is not known stays."""
    assert in_chinese(english) == chinese


def test_errors_are_chinese_through_and_through() -> None:
    """The sentence in the middle has the language of the sentence around it."""
    assert "：应写成 python:模块:名称。" in ConnectError(
        "system.spec", spec="foo", problem="expected python:module:attribute"
    ).say("zh-Hans")
    error = SettingError("engine.spec", engine="process:0", problem="expected a number from 1 to 256, or auto")
    assert "：應為 1 到 256 的整數，或 auto。" in error.say("zh-Hant")
    assert "expected a number from 1 to 256, or auto" in error.say("en")


def test_the_kind_of_an_unknown_name_is_chinese() -> None:
    """Contract, system and engine have their Chinese names."""
    params = {"name": "nope", "known": "a", "group": "g"}

    for kind, word in (("contract", "契约"), ("system", "系统"), ("engine", "引擎")):
        assert f"没有名为 'nope' 的{word}。" in SettingError("name.unknown", kind=kind, **params).say("zh-Hans")


def test_only_places_for_problems_are_said_anew() -> None:
    """An answer that happens to be such a word is left alone."""
    assert (
        fill("{answer} {answer:q}", {"answer": "Permission denied"}, "zh-Hans")
        == "Permission denied 'Permission denied'"
    )


@given(st.text())
def test_any_text_is_fine(text: str) -> None:
    """Nothing raises, and what nobody knows stays."""
    assert isinstance(in_chinese(text), str)
    assert in_chinese(f"《{text}》") == f"《{text}》"


SOURCE = Path(__file__).parents[2] / "src" / "ragstone"
READERS = {
    "_wrong",
    "Fault",
    "expect",
    "missing",
    "_take",
    "_refuse",
    "ValueError",
    "YAMLError",
    "DamagedError",
    "FieldError",
}
SAID = {"problem", "expected"}
PACKAGES = ("contracts", "documents", "reading", "runs", "systems", "testing")
NOT_SAID = re.compile(
    r"[\w./\[\]-]*|7: 7|\w+: \w+|chat=.*|.*\\.*|pass@.*|7 is .*, not .*|<!--.*|the text of prompt version .*"
)
"""Names of fields and tags, patterns, ends of longer sentences, and what only a programmer can meet."""


def _texts(node: ast.expr) -> Iterator[list[str]]:
    """Yield each text an expression may come to, in several fillings."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield [node.value]
    elif isinstance(node, ast.JoinedStr):
        yield ["".join(_piece(part, filling) for part in node.values) for filling in ("7", "'x'", "task", "a b")]
    elif isinstance(node, ast.IfExp):
        yield from (*_texts(node.body), *_texts(node.orelse))
    elif isinstance(node, ast.Tuple):
        yield from (text for inner in node.elts for text in _texts(inner))


def _piece(part: ast.expr, filling: str) -> str:
    if isinstance(part, ast.Constant):
        return str(part.value)
    return "'x'" if isinstance(part, ast.FormattedValue) and part.conversion == ord("r") else filling


def _said(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that become part of a sentence for people."""
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        plain = bool(node.args) and isinstance(node.args[0], ast.Constant) and node.args[0].value == "plain"
        yield from (word.value for word in node.keywords if word.arg in SAID or (plain and word.arg == "text"))
        yield from (argument for argument in node.args if name in READERS)
    elif isinstance(node, ast.Assign):
        yield from (node.value for target in node.targets if isinstance(target, ast.Name) and target.id in SAID)


def _sentences() -> Iterator[tuple[str, list[str]]]:
    for package in PACKAGES:
        for path in sorted((SOURCE / package).rglob("*.py")):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            for said in (said for node in ast.walk(tree) for said in _said(node)):
                yield from ((f"{path.relative_to(SOURCE)}:{said.lineno}", texts) for texts in _texts(said))


def _is_chinese(text: str) -> bool:
    return re.search("[一-鿿]", in_chinese(text)) is not None


def test_everything_a_reader_says_has_a_chinese_form() -> None:
    """No sentence about a wrong file, field or option is left in English, wherever it is written."""
    left = {
        (place, texts[0])
        for place, texts in _sentences()
        if not any(map(_is_chinese, texts)) and not any(map(NOT_SAID.fullmatch, texts))
    }

    assert left == set()


@pytest.mark.parametrize(
    "text",
    ["a: [1\nb: 2", "a: b: c", "a: *x", "a: \x00", "a: 'x", "\ta: 1", "- a\nb: 1", "a: !!x 1", "a: &b 1\nc: &b 2",
     'a: "\\q"', "[" * 3000, "a\n---\nb", "? [a]\n: 1", "%", "- - a\n - b", "a: |\n x\n  y\n z: 1\nb"],
)  # fmt: skip
def test_a_broken_task_file_is_told_in_chinese(text: str) -> None:
    """Neither English words nor the library's name for the text are left."""
    try:
        load_yaml(text)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        assert not re.search(r"[a-z]{3}", re.sub("'[^']*'", "", in_chinese(problem_of(error)))), problem_of(error)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("string or integer", "字符串或整数"),
        ("number from 0 to …", "不小于 0 的数"),
        ("integer from 1 to 5", "1 到 5 的整数"),
        ("an array of at least 2 items", "至少含 2 项的数组"),
        ("a | b, here or as the file's benchmark_type", "a | b（写在此处，或作为文件的 benchmark_type）"),
        ("maximum recursion depth exceeded while deserializing an object", "嵌套过深"),
        ("Integer value out of range", "整数超出范围"),
        ("unexpected end of escaped utf-16 surrogate pair", "UTF-16 代理对不完整"),
        ("JSON is malformed: unexpected end of hex escape (byte 3)", "十六进制转义不完整（第 3 字节）"),
        ("lo 5 is above hi 1", "lo 5 大于 hi 1"),
        ("one of 'str', 'int' or 'enum'", "以下之一：'str', 'int' 或 'enum'"),
        ("steps/0/x: unknown key; known: a, b; name: missing; expected a value",
         "steps/0/x：没有这个键；可用：a, b；name：缺失；应为一个值"),
        ("'utf-8' codec can't decode byte 0xb3 in position 4: invalid start byte", "第 4 字节起不是 UTF-8"),
    ],
)  # fmt: skip
def test_what_readers_expect_is_said_anew(english: str, chinese: str) -> None:
    """Types, limits and places have their Chinese words."""
    assert in_chinese(english) == chinese
