"""Why a file is no JSON."""

import json

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ragstone.core.messages import message
from ragstone.datasets.faults import Broken, decode, foreign, unreadable

QUESTION = '[{"question": "出差每天可以报销多少钱？请说明标准"}]'


@pytest.mark.parametrize(
    ("data", "code", "params", "line"),
    [
        (QUESTION.encode("gbk"), "file.encoding", {"encoding": "GBK"}, 1),
        ('\n["公司的出差標準是多少？請說明"]'.encode("big5"), "file.encoding", {"encoding": "Big5"}, 2),
        ('["出張の基準はいくらですか"]'.encode("shift_jis"), "file.encoding", {"encoding": "Shift_JIS"}, 1),
        (QUESTION.encode("utf-16"), "row.utf16", {}, None),
        (QUESTION.encode("utf-16-le"), "row.utf16", {}, None),
        (b"PK\x03\x04\x14\x00\x06\x00", "file.binary", {}, None),
        (b"\x00\x01\x02 no text", "file.binary", {}, None),
        ('["问题"]\n'.encode() + b'["\xff\xff"]', "row.not_utf8", {"byte": 14}, 2),
        (b'[\n  {"a": 1},\n]', "file.not_json", {"problem": "trailing comma in array (at line 3, column 1)"}, 3),
        (b'{"a": 1,\n "b"', "file.not_json", {"problem": "Input data was truncated (at line 2, column 5)"}, 2),
        ('{"问": 1} x'.encode(), "file.not_json", {"problem": "trailing characters (at line 1, column 10)"}, 1),
        (b'{"a": NaN}', "row.nan", {"found": "NaN"}, None),
        (b"[" * 100_000, "file.not_json", {"problem": "nested too deeply"}, None),
    ],
)
def test_a_broken_file_is_told_by_encoding_or_place(
    data: bytes, code: str, params: dict[str, object], line: int | None
) -> None:
    """What it is written in comes first, then the place where it breaks; both in one sentence."""
    broken = decode(data)

    assert broken == Broken(code, params, line)
    assert "{" not in message(code).say("zh-Hant", params)


def test_sound_json_is_read() -> None:
    """A byte order mark does not matter."""
    assert decode(b'\xef\xbb\xbf{"a": [1]}') == {"a": [1]}
    assert unreadable("[“测试”]".encode()) is None


@pytest.mark.parametrize("text", ["", "ascii only", "测试", '{"q": "标准"}'])
def test_utf8_is_never_called_foreign(text: str) -> None:
    """Only a file whose first character beyond ASCII is not UTF-8 belongs to another encoding."""
    assert foreign(text.encode()) == ""
    assert foreign("测试".encode() + "标准".encode("gbk")) == ""


@settings(deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_or_told(data: bytes) -> None:
    """Nothing raises; what the decoder takes is no fault."""
    found = decode(data)

    assert isinstance(found, Broken) or json.dumps(found) is not None
    assert isinstance(found, Broken) == (not _sound(data))


def _sound(data: bytes) -> bool:
    try:
        msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except (ValueError, RecursionError):
        return False
    return True


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        ('{"q":"默认端口是多少？"}'.encode("gbk"), "GBK"),
        ('{"q":"默认"}\n{"q":"默认密码"}\n'.encode("gbk"), "GBK"),
        ('{"q":"café résumé"}\n'.encode() * 9 + '{"q":"café"}'.encode("latin-1"), ""),
        ('{"q":"默认端口是多少？"}\n'.encode() * 3 + '{"q":"默认端口"}\n'.encode("gbk"), ""),
    ],
)
def test_an_encoding_is_judged_by_the_whole(data: bytes, encoding: str) -> None:
    """The first character of GBK text may happen to be UTF-8; a file that is UTF-8 but for a row is not GBK."""
    assert foreign(data) == encoding
