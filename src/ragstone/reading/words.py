"""The words of a text that carry its meaning, each with its part of speech and weight; knows no answer."""

from functools import cache, lru_cache
from importlib import import_module
from typing import NamedTuple

from ragstone.reading.negation import is_negator
from ragstone.reading.synonyms import IRREGULAR, OPPOSITE, PAIRS, SAME
from ragstone.text.fold import fold
from ragstone.text.late import late
from ragstone.text.stem import stem as porter

_HAN = r"\u3400-\u9fff\uf900-\ufaff々〇"
_LETTER_NAME = r"(?<![a-z0-9])[a-z](?:公司|[队组班方栋座类级型村校厂店馆区楼厅股])"
_RUN = late(rf"{_LETTER_NAME}|[a-z0-9]+(?:[.+#'_-]+[a-z0-9]+)*[+#]*|[{_HAN}]+|[^\W\d_a-z{_HAN}]+")
_PARTY = late(r"([甲乙丙丁]方)")
_APART = late(r"([甲乙丙丁]方|退货(?=运费)|年假(?![期日]))")
"""Words that the segmenter would cut in two or sew to the next: 退货运费 is no 货运费."""
_TAGS = {fold("合同"): "n", fold("生效"): "v", fold("微信"): "n"}
"""Parts of speech that the segmenter gets wrong."""
_COUNTED = frozenset(
    ("day", "days", "week", "weeks", "month", "months", "hour", "hours", "time", "times", "once", "twice")
)
"""What may be counted in front of a week, which then is every week."""
_MMHG = late(r"([0-9]+)mmhg")
_TRAILING = frozenset(fold("是把被向由给将对与和从为在请让叫找问称说借还付收"))
_HIRAGANA = late(r"[\u3041-\u309fー]+")
_GROUPED = late(r"(?=[0-9-]{8,20}$)[0-9]{2,}(?:-[0-9]{2,})+")
_SPACED = late(r"(?<![0-9.,])[0-9]{3,4}(?: [0-9]{3,4}){2}(?![0-9.,])")
"""A telephone number in groups."""
_LATIN = late(r"[a-z0-9]+(?:[.+#'_-]+[a-z0-9]+)*[+#]*")


def _set(words: str) -> frozenset[str]:
    return frozenset(fold(words).split())


_EMPTY = _set(
    "的 地 得 了 着 过 是 为 和 与 及 或 以及 并 并且 且 而 则 就 即 也 都 均 被 把 将 给 向 由 从 在 于 对"
    " 对于 以 用 到 至 让 使 令 其 该 此 这 那 它 他 她 们"
    " 之 等 等等 会 可 可以 能 能够 即可 通过 进行 一 一个 一种 个 种 项 名 位 件 次 中 里 内 上 下 者 所 时 后"
    " 前 更 更加 最 较 很 非常 十分 相 还 又 已 已经"
    " 曾 称 说 如果 若 要 有 不 没 没有 未 无 无需 无须 不得 不能 无法 禁止 非 并非 来 去 做 作为 作 因为 因"
    " 因此 从而 以便 有关 相关 关于 左右 约 大约 人"
    " 方可 需 需要 须 应 应当 应该 必须 不可 不会 不要 不是 是否 给予 他们 严禁 不准 不许 不必 不用 不再 尚未 日 年"
    " 月 元 可 能否"
)
_EMPTY_CHARACTERS = frozenset(word for word in _EMPTY if len(word) == 1) - frozenset("中上下后前里内日年月人元")
_EMPTY_EN = _set(
    "a an the of to in on at for by with from and or is are was were be been being it its this that these those as into"
    " than then there their they he she his her you your i we our us will would can could may must shall should do does"
    " did has have had not no nor so such per via within about up out them him me thanks which who whom whose what when"
    " where how if also only very more s t re until because due caused cause while cannot without"
)
_LIGHT = _set(
    "主要 具体 相应 实际 各种 多种 方面 情况 问题 方式 方法 部分 功能 操作 过程 系统 大型 专业 本院 认为 首先"
    " 其次 一些 目前 现在 同时 总 共 全部 所有 进一步"
    " 时间 时长 数量 数值 总数 性能 表现"
    " 基础 前提 为主 考虑 实现 提供 获取 最新 表示 给出 享有 入内 主要 规定 相应 核心 采用 使用"
    " 次数 期限 机制 程度 水平 情形 能力 之日起 之日 当日 当天 日期 本品 行为 措施 工作"
)
_LIGHT_EN = _set(
    "main various certain able get gets got make makes made take takes taken use uses used using core last lasts"
    " give gives given keep keeps kept place over allow allows allowed let lets help helps"
)
_LONGEST_PERSON = 3
"""Characters of a person's name; the segmenter calls many longer terms persons."""
_PARTICLES = frozenset(("uj", "ul", "uz", "ug", "ud", "uv", "y", "e", "x", "w", "o"))
_SMALL = frozenset(("q", "r", "d", "c", "p", "f", "u", "m", "k"))


class Word(NamedTuple):
    """One word of a folded text."""

    text: str
    start: int
    tag: str
    """Part of speech as the segmenter gives it: n noun, nr person, ns place, v verb, a adjective; eng for Latin."""

    @property
    def latin(self) -> bool:
        """Whether the word is written in Latin letters or digits."""
        return self.tag == "eng"

    @property
    def named(self) -> bool:
        """Whether the word is a name, or a numeral that is part of one (十号)."""
        return self.tag in ("ns", "nt", "nrt", "nrfg", "m") or (self.tag == "nr" and len(self.text) <= _LONGEST_PERSON)

    @property
    def nominal(self) -> bool:
        """Whether the word names a thing."""
        return self.latin or self.tag[0] in "njilm"


def words(folded: str) -> list[Word]:
    """Segment a folded text; Latin words, numbers and runs of other scripts stay whole."""
    found = []
    for run in _RUN.finditer(folded):
        if "\u3400" <= run[0][0] <= "\ufaff":
            found.extend(_han(run[0], run.start()))
        else:
            found.append(Word(run[0], run.start(), _other_tag(run[0])))
    return found


def _other_tag(run: str) -> str:
    """Latin words, names such as A队 or in other scripts, and hiragana, which mostly carries grammar."""
    if run[0] <= "z":
        return "eng" if run.isascii() else "nrt"
    return "x" if _HIRAGANA.fullmatch(run) else "nrt"


def _han(run: str, start: int) -> list[Word]:
    found = []
    here = start
    # The segmenter's dictionary takes a tenth of a second to load: only texts with Han characters pay for it.
    tag_words = import_module("rjieba").tag
    for stretch in _APART.split(run):
        for text, tag in [(stretch, "n")] if _PARTY.fullmatch(stretch) else tag_words(stretch):
            for part in _parts(text, tag):
                found.append(Word(part, here, _TAGS.get(part, tag or "x")))
                here += len(part)
    return found


def _parts(text: str, tag: str) -> tuple[str, ...]:
    """未经许可 is a denial and a word; 价格上涨 is two words here, because one of them has words that stand for it."""
    if tag == "nr" and (text[-1] in _TRAILING if len(text) == _LONGEST_PERSON else text[1:] == "是"):
        return text[:-1], text[-1]
    if len(text) > 2 and is_negator(text):
        return text[0], text[1:]
    if len(text) == 4 and (text[2:] in SAME or text[2:] in OPPOSITE or text[:2] in OPPOSITE):
        return text[:2], text[2:]
    return (text,)


def weight(word: Word) -> float:
    """How much a word counts: function words nothing, light words and single characters little."""
    if word.latin:
        text = word.text.removesuffix("'s")
        return 0.0 if text in _EMPTY_EN or text.endswith("n't") else 0.3 if text in _LIGHT_EN else 1.0
    if word.text in _EMPTY or word.tag in _PARTICLES:
        return 0.0
    # 作者 is a noun, though both its characters are empty words.
    if _EMPTY_CHARACTERS.issuperset(word.text) and not (word.tag == "n" and len(word.text) > 1):
        return 0.0
    if word.tag == "m" and len(word.text) > 1:
        return 1.0
    if word.text[0] == "更" and len(word.text) > 1:
        return 1.0
    if word.text in _LIGHT or word.tag in _SMALL or (len(word.text) == 1 and not word.named):
        return 0.3
    return 1.0


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of an English word, so that grounding and grounded meet; 400-800-1234 loses its hyphens."""
    if _GROUPED.fullmatch(word):
        return word.replace("-", "")
    pressure = _MMHG.fullmatch(word)
    if pressure:
        return pressure[1]
    word = word.removesuffix("'s")
    return porter(IRREGULAR.get(word, word))


@cache
def _pair_stems() -> dict[tuple[str, str], str]:
    return {(stem(one), stem(two)): stem(word) for (one, two), word in PAIRS.items()}


def latin_stems(folded: str) -> list[tuple[int, str]]:
    """The stems of the Latin words and digit groups of a folded text with their places; go down is also fall."""
    found: list[tuple[int, str]] = []
    before = ""
    for word in _LATIN.finditer(folded):
        here = stem(word[0])
        joined = _pair_stems().get((before, here))
        if joined:
            found.append((found[-1][0], joined))
            found[-2:] = found[-1], found[-2]
        found.append((word.start(), here))
        before = here
    spaced = [(phone.start(), phone[0].replace(" ", "")) for phone in _SPACED.finditer(folded)]
    return sorted(found + spaced) if spaced else found


def join_pairs(found: list[Word]) -> list[Word]:
    """Put one word for two that say the same: go down is fall."""
    joined: list[Word] = []
    for word in found:
        one = _pair_stems().get((stem(joined[-1].text), stem(word.text))) if joined and word.latin else None
        if one and not _is_once(joined):
            joined[-1] = joined[-1]._replace(text=one)
        else:
            joined.append(word)
    return joined


def _is_once(before: list[Word]) -> bool:
    """Whether a week, behind these words, is one week: it takes a week, but two days a week."""
    return before[-1].text in ("a", "an") and (len(before) < 2 or before[-2].text not in _COUNTED)
