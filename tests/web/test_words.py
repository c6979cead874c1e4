"""The words of the page: complete in three languages, none missing, none spare."""

import re
from pathlib import Path

import pytest

import ragstone.web
from ragstone.web.words import SCRIPT_WORDS, WORDS, say, script_words

WEB = Path(ragstone.web.__file__).parent
SOURCES = [*WEB.glob("*.py"), *WEB.glob("templates/*.html"), *WEB.glob("static/*.js")]
TEXT = "\n".join(path.read_text(encoding="utf-8") for path in SOURCES if path.name != "words.py")


def test_every_word_that_is_used_is_there() -> None:
    """Templates, scripts and pages name no word that is missing."""
    used = set(re.findall(r"""(?:\bt|word|say)\(\s*["']([\w.\-]+)["'](?!\s*~)""", TEXT))

    assert {name for name in used if not name.endswith(".")} <= set(WORDS)
    assert set(re.findall(r"""\bword\("([\w.]+)"[,)]""", TEXT)) <= set(SCRIPT_WORDS)


def test_no_word_is_spare() -> None:
    """What no page shows is taken out; some are put together from a prefix and a value."""
    prefixes = set(re.findall(r"""["'`]([a-z_]+\.)(?:["']\s*~|\$\{)""", TEXT))
    prefixes |= {"start.endpoint.", "cases.sort.", "start.demo-", "compare.", "drafts.kind.", "drafts.level."}
    spare = [n for n in WORDS if f'"{n}"' not in TEXT and f"'{n}'" not in TEXT and not n.startswith(tuple(prefixes))]

    assert spare == []


def test_places_are_filled() -> None:
    """A word with a place says what stands in it."""
    assert say("case.title", "zh-Hans", id="Q1") == "用例 Q1"
    assert script_words("zh-Hant")["state.complete"] == "已完成"
    with pytest.raises(KeyError):
        say("no.such", "en")
