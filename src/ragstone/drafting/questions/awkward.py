"""Chinese questions that nobody would ask so: half of a coordination, a figure's year, a part of a name."""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from ragstone.drafting.questions.parts import Slot, words
from ragstone.reading.values.names import Tagged
from ragstone.text.late import late

_STATES = words("是 占 达 共 辖 下辖 管辖 拥有 设有 位居")
_STATES_A_NUMBER = words("为 有 约 共有 高达")
_OPEN = words("由 有 达 约 共 共有 超过 至少 以")
"""What may stand before a number of things that are described: 由22个不同文化的成员国组成."""
_NUMBER = late("[0-9一二三四五六七八九十百千万]")
MOVES = words(
    "完成 增长 下降 提高 减少 递增 低于 高于 不低于 不高于 超过 不超过 上涨 下跌 占 占有 达 达到 为 超过 "
    "降低 增加 上升 增至 升至 不足 缩小 扩大 约为 高达 仅为 是 有"
)
"""Verbs whose share is one of their own subject."""
_PAIRED = late(r"[^，。；]{0,6}?[和与及或、][^，。；]{0,8}?[0-9一二三四五六七八九十百千万]")
_SECOND = late(r"[0-9一二三四五六七八九十百千万][^，。；]{1,6}[和与及或、][^，。；]{0,8}$")
"""Behind and before a number that is one of several: 21个元音和19个辅音."""
_NO_HEAD = late("(?:和|与|跟|较|比|及|或)(?!平|约|尚)")
_NOBODY = late(
    "(?:哪一年|哪年哪月|什么时候)(?:[^，]{2,14}(?<![之以])后)?(?:于|依|在|由|假|成为|将|以|被|改|获|用)|.*(?:分别|依然|仍然|仍旧|再度|又再)"
)
"""A date whose clause has lost its subject, and words that lean on what was told before."""
_VAGUE = late(
    r"获[^，。；]+(?:颁授|授予|颁发|颁赠)？?$|(?:违反|签署|签订|通过|公布|批准|缔结|达成)了?(?:条约|协议|协定|合约|合同|法案|决议|公约)？$|，[并且](?:且|又)?由谁|第几.*[和及、].*等|"
    r"(?:率领|率|带领|协助|帮助|邀请)[^，的]{1,6}？$|[为是](?:哪一年|哪年哪月|什么时候)[^，]+的[^，？]{2,}？$"
)
"""What is told of which treaty, what somebody led others to, one of several, who did the second of two things."""
_MOMENT = late("(?:后|前|时|期间|之际|之初|以来)$")


_REASON = late("，(?:主要)?(?:原因|因为|由于|理由|因)[^，]*？$")
_REPORTED = late("^[^，：]{2,5}(?:汇报|匯報|报告|報告|表示|提醒|说明|說明|介绍|介紹|通报|通報)，")
_LOST = late(
    # A label, or a case whose subject the sentence before names.
    "：|^(?:满|不满|未满|不足|超过|超出|低于|高于|逾期)[^，]*多少[^，]*的?，|^(?:满|不满|超过|不足)[^，]*的(?:为|是)|"
    "^逾期(?:超过|的|按|未|[每一])[^，]*(?:多少|几)|^逾期(?:交纳|缴纳|支付|付款|给付)的，|^其[后余]|^[^，]{1,6}以[内上下][由经]|多少[^，的]{1,3}的[^，]{1,6}（|"
    "^连续[^，]*多少[次天]？$|^(?:预计|计划|拟)[于在]?什么时候|"
    # Who does what with which thing stands before.
    "[几少][^，]*，[^，]{1,8}(?:退还|返还|支付|归还|退回|缴纳|交付|给付)？$|"
    # A clause of something else: a ban, a sum alone, a value of another thing.
    "^(?:不要|请勿|不得|严禁|禁止|勿)[^，]*，[^，]{2,8}(?:不|为|是|约|多少)|^[^，]*不得[^，]*，|^(?:人民币|新台币)?[0-9.,]+[万亿]?元，|"
    "^(?!连续|累计|每|满|达)[^，]{2,12}[0-9一二两三四五六七八九十](?P<unit>[^，0-9年月日]{1,3})，(?![须需应可由每共其则比])[^，]{2,9}多少(?!(?P=unit))"
)
"""Questions whose clause has lost what it is of, or holds another one that has nothing to do with it."""


def without_reason(question: str) -> str:
    """A question without who reported it, and without the reason told behind what is asked for.

    >>> without_reason("接口出现多少次超时，原因是超过上限？")
    '接口出现多少次超时？'
    """
    return _REPORTED.sub("", _REASON.sub("？", question))


def lacks_clause(question: str) -> bool:
    """Say whether a question, in Simplified characters, leans on a clause it lost, or carries one of something else.

    >>> lacks_clause("逾期超过多少日的，甲方有权解除合同？"), lacks_clause("乙方逾期超过多少日的，甲方有权解除合同？")
    (True, False)
    """
    return _LOST.search(question) is not None


class Around(NamedTuple):
    """The clause of a value without the value: what stands before and behind it, in Simplified characters."""

    before: str
    after: str
    tokens_before: Sequence[Tagged]
    tokens_after: Sequence[Tagged]


def is_awkward(slot: Slot, around: Around, asked: str, *, measured: bool) -> bool:
    """Say whether a question, in Simplified characters, would not be asked by anybody."""
    if _NO_HEAD.match(asked) or _NOBODY.match(asked) or _VAGUE.search(asked):
        return True
    if slot.kind == "date":
        return _dates_badly(around)
    return measured and _measures_badly(slot, around)


def lacks_object(tokens: Sequence[Tagged]) -> bool:
    """Say whether a word that takes a noun stands right before a verb: 用强调保卫祖国."""
    return any(one.word in _TAKES and two.tag == "v" and len(two.word) > 1 for one, two in pairwise(tokens))


_TAKES = frozenset(("用", "把", "将", "向", "从"))


def _dates_badly(around: Around) -> bool:
    """Say whether a date is that of a figure or of something that only leads over to the main clause."""
    later = around.tokens_after
    if not around.before.strip("自从在于到至 "):
        return _is_state(later) or bool(_MOMENT.search(around.after.strip())) or _counts_before_verb(later)
    if _is_state((*around.tokens_before[:-1], *later)) or _between_verbs(around):
        return True
    if any(one.word == "后" for one in later[:-1]):
        return True
    last = around.tokens_before[-1]
    return _binds(later) if later else last.tag[0] in "ntm"


def _is_state(tokens: Sequence[Tagged]) -> bool:
    numbers = any(_NUMBER.search(one.word) for one in tokens)
    return any(one.word in _STATES or (numbers and one.word in _STATES_A_NUMBER) for one in tokens)


def _counts_before_verb(tokens: Sequence[Tagged]) -> bool:
    """Say whether a clause has no subject but an occasion: 世界杯2次上阵."""
    verb = next((at for at, one in enumerate(tokens) if one.tag.startswith("v") and one.tag != "vn"), len(tokens))
    before = tokens[verb - 1] if verb else None
    return before is not None and before.tag in ("q", "mq", "m") and before.word[0] not in "第首"


def _between_verbs(around: Around) -> bool:
    """Say whether a date belongs to the verb before it (成立于) and more is told behind it."""
    tags = [(one.tag[0], one.word) for one in around.tokens_before[-2:]]
    return len(tags) > 1 and bool(around.after.strip()) and tags[0][0] == "v" and tags[1][1] == "于"


def _binds(tokens: Sequence[Tagged]) -> bool:
    """Say whether a date is part of the name that follows it: 2000年第三次亚欧会议."""
    return tokens[0].tag[0] in "nt" or tokens[0].word.startswith("第")


def _measures_badly(slot: Slot, around: Around) -> bool:
    """Say whether a number is one of several, a share of nothing, or counts something within a description."""
    if slot.kind == "share" and around.tokens_before[-1].tag == "v" and around.tokens_before[-1].word not in MOVES:
        return True
    if "分别" in around.before or _PAIRED.match(around.after) or _SECOND.search(around.before):
        return True
    owned = around.before.endswith("的")
    if slot.kind != "share" and owned != slot.words.endswith("倍"):
        return True
    return "的" in around.after and around.tokens_before[-1].word not in _OPEN
