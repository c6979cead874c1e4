"""The words of a key point that carry its meaning, each with its weight; knows no answer."""

import re
from functools import cache
from typing import NamedTuple

from ragstone.text.fold import fold

_RUN = re.compile(
    r"[a-z0-9]+(?:[.+#'/_-]+[a-z0-9]+)*[+#]*|[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff々〇]+|[^\W\d_a-z\u3040-\u30ff\u3400-\u9fff]+"
)
_LATIN = re.compile(r"[a-z0-9]+(?:[.+#'_-]+[a-z0-9]+)*[+#]*")
_KANA = re.compile(r"[\u3040-\u30ff]")

_EMPTY = frozenset(
    fold(
        "的 地 得 了 着 过 是 为 和 与 及 或 以及 并 并且 且 而 则 就 即 也 都 均 被 把 将 给 向 由 从 在 于 对 对于 以 用 到 至 让 使 令 其 该 此 这 那 它 他 她 们 之 等 等等 "
        "会 可 可以 能 能够 即可 通过 进行 一 一个 一种 个 种 项 名 位 件 次 中 里 内 上 下 者 所 时 后 前 更 更加 最 较 很 非常 十分 相 还 又 已 已经 曾 称 说 如果 若 要 有 不 没 没有 未 无 无需 无须 不得 不能 无法 禁止 非 并非 来 去 做 作为 作 因为 因 因此 从而 以便 有关 相关 关于 左右 约 大约 人 需 需要 须 应 应当 应该 必须 不可 不会 不要 不是 是否 给予 他们 "
    ).split()
) | frozenset(
    "a an the of to in on at for by with from and or is are was were be been being it its this that these those as into than then there their they he she his her you your i we our us "
    "will would can could may must shall should do does did has have had not no nor so such per via within about up out over which who whom whose what when where how if also only very more s t re".split()
)
_LIGHT = frozenset(
    fold(
        "主要 具体 相应 实际 各种 多种 方面 情况 问题 方式 方法 部分 功能 操作 过程 系统 大型 专业 本院 认为 首先 其次 一些 目前 现在 同时 总 共 全部 所有 进一步 基础 前提 为主 考虑 实现 进行 提供 获取 最新 即可 相关"
    ).split()
) | frozenset("main various certain able get make made take".split())
_SUFFIXES = (
    "ization",
    "isation",
    "ations",
    "ation",
    "ments",
    "ment",
    "ings",
    "ing",
    "ness",
    "ies",
    "ied",
    "ers",
    "ed",
    "er",
    "es",
    "ly",
    "s",
    "e",
)


class Word(NamedTuple):
    """One word of a folded text."""

    text: str
    start: int
    tag: str
    """Part of speech as the segmenter gives it; `eng` for Latin words."""


def words(folded: str) -> list[Word]:
    """Segment a folded text; Latin words and numbers stay whole."""
    found = []
    for run in _RUN.finditer(folded):
        if run[0][0] > "\u2fff" and not _KANA.search(run[0]):
            found.extend(_han(run[0], run.start()))
        else:
            found.append(Word(run[0], run.start(), "eng"))
    return found


def _han(run: str, start: int) -> list[Word]:
    found = []
    here = start
    for text, tag in _segmenter().tag(run):
        found.append(Word(text, here, tag))
        here += len(text)
    return found


@cache
def _segmenter() -> "object":
    # Loading the segmenter's dictionary takes a tenth of a second: only texts with Han characters pay for it.
    import rjieba

    return rjieba


def weight(word: Word) -> float:
    """How much a word counts: function words nothing, light words little."""
    if word.text in _EMPTY or word.tag in ("uj", "ul", "uz", "ug", "y", "e", "x", "w"):
        return 0.0
    if word.text in _LIGHT or word.tag in ("q", "r", "d", "c", "p", "f", "u"):
        return 0.3
    return 1.0


def stem(word: str) -> str:
    """A rough English stem, so that grounding, grounded and grounds meet."""
    for suffix in _SUFFIXES:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word


def latin_words(folded: str) -> list[tuple[str, int]]:
    """The Latin words and digit groups of a folded text with their places."""
    return [(found[0], found.start()) for found in _LATIN.finditer(folded)]
