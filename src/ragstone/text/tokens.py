"""Tokens: the pieces that overlap, ROUGE, F1 and search count, the same for CJK and Latin writing.

A Han character, a kana and a Hangul syllable are one token each; a Latin word and a number are whole.
Korean is split into syllables, as its published F1 is: particles would make whole words differ.
"""

import unicodedata

from ragstone.text.fold import fold_visible, join_thousands
from ragstone.text.late import late

# 々 and 〇 are Han; half-width kana stay as they are.
HAN = "\u3005\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KANA = "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fc-\u30ff\u3105-\u312f\u31f0-\u31ff\uff66-\uff9d"
_HANGUL = "\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\uac00-\ud7ff"
CJK = HAN + _KANA + _HANGUL
_TOKENS = late(
    f"([{CJK}]+)"  # as many tokens as characters
    "|[0-9]+(?:[.][0-9]+)+"  # 3.14, 1.2.3
    f"|[^\\W_{CJK}]+"
)
_LATIN = "A-Za-zÀ-ÖØ-öø-ɏ"
_KEYWORD = late(f"[{_LATIN}0-9]{{3,}}|[{HAN}]{{2,}}")
_HAN_FIRST = late(f"[{HAN}]")
_SEARCH = late(f"[{CJK}]+|[^\\W_{CJK}]+")
_CJK_FIRST = late(f"[{CJK}]")


def has_cjk(text: str) -> bool:
    """Whether any character is Han, kana or Hangul."""
    return _CJK_FIRST.search(text) is not None


def tokens(text: str) -> list[str]:
    """Folded tokens in order: tokens("支持ChromaDB 1,200次") == ["支", "持", "chromadb", "1200", "次"]."""
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    text = fold_visible(text)
    found: list[str] = []
    for run in _TOKENS.finditer(join_thousands(text) if "," in text else text):
        if run.lastindex:
            found.extend(run[0])
        else:
            found.append(run[0])
    return found


def keywords(text: str) -> list[str]:
    """Latin or digit tokens of three or more characters, lower-cased, and bigrams of Han runs; in order, once each."""
    found: dict[str, None] = {}
    for run in _KEYWORD.findall(text):
        if _HAN_FIRST.match(run):
            found.update(dict.fromkeys(run[at : at + 2] for at in range(len(run) - 1)))
        else:
            found[run.lower()] = None
    return list(found)


def search_tokens(text: str) -> list[str]:
    """Tokens for a search index: Latin words and numbers whole, CJK runs as single characters and bigrams."""
    found: list[str] = []
    for run in _SEARCH.findall(fold_visible(text)):
        found.extend(run if _CJK_FIRST.match(run) else (run,))
        if _CJK_FIRST.match(run):
            found.extend(run[at : at + 2] for at in range(len(run) - 1))
    return found
