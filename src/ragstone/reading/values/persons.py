"""Whether a person's name stands for that person: 张伟 is not in 张伟强, and 王安的上司 is somebody else."""

from ragstone.reading.cues import cue
from ragstone.reading.lexicon import tag_words
from ragstone.text.fold import fold

_GIVEN = frozenset(
    fold(
        "强伟敏静丽杰娟艳勇磊洋芳秀英华明玲霞刚桂兰梅鹏辉宇浩凯健俊帆帅旭龙琳晨鑫豪婷雪慧峰涛斌波军燕莉莹佳欣怡萱涵梓轩睿然远志国文"
        "宁宏林超平岚岳川江河海山松柏竹清泉云霖雨雷霆春夏秋冬安康乐德仁义礼信忠孝良善美珍珠宝玉瑶琪璐瑾瑜璇菲蕾薇莲荷菊茹萍"
    )
)
"""Characters that end a longer given name, when they are no word of their own."""
AFTER_NAMES = frozenset(fold("于在为被由将曾已向对从"))
"""What follows a name and is none of it: 叶南乔于1861年."""
_ROLE = (
    "上司|上级|下属|部下|领导|老板|助理|助手|秘书|司机|同事|搭档|同学|朋友|邻居|老师|导师|学生|徒弟|父亲|母亲|爸爸|妈妈|父母|妻子|丈夫"
    "|太太|先生|儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|叔叔|亲戚|家人|前任|继任者?|接班人|律师|代理人|经纪人|客户|对手|会计|出纳|员工|手下|工人|股东|合伙人|战友|亲属|女友|男友"
    "|爱人|老婆|老公|[表堂][哥弟姐妹]|[侄岳舅姑姨嫂][\\u4e00-\\u9fff]?|[弟哥姐妹兄父母妻]"
)
_KIN = (
    "弟弟|哥哥|姐姐|妹妹|父亲|母亲|爸爸|妈妈|妻子|丈夫|爱人|老婆|老公|儿子|女儿|侄[子女]|外甥|叔叔|舅舅|姑姑|岳[父母]|女朋?友|男朋?友"
    "|亲戚|家人|[表堂][哥弟姐妹]|嫂子|姐夫|妹夫|弟媳|儿媳|女婿"
)
"""Without 的 only kin: 周岩律师 is 周岩."""
_OF = cue(
    rf"(?:先生|女士|小姐|某某?)?的(?:前|现|大|小|直属|私人|亲|二|三|一[个位名]){{0,2}}(?:{_ROLE})",
    rf"(?:先生|女士|小姐|某某?)?之?(?:{_KIN})|之[妻夫父母子女兄弟姐妹]",
    r"'s? (?:former |new |direct |personal )?(?:boss|manager|supervisor|assistant|secretary|colleague|wife|husband"
    r"|father|mother|son|daughter|brother|sister|friend|lawyer|successor|predecessor|deputy|driver|student|teacher|partner)\b",
)
_DONE_BY = cue(r"[\u4e00-\u9fff]的(?![\u4e00-\u9fff])")
_LOOK = 3


def is_whole(folded: str, start: int, end: int) -> bool:
    """Whether the name at this place goes no further and is nobody's who is meant instead."""
    return not _OF.match(folded, end) and not is_longer(folded, start, end)


def is_longer(folded: str, start: int, end: int) -> bool:
    """Whether a name in Han goes on behind this place."""
    after = folded[end : end + 1]
    if is_done_by(folded, start, end) or not "\u4e00" <= after <= "\u9fff" or after in AFTER_NAMES:
        return False
    at = first = max(0, start - 2)
    for word, tag in tag_words(folded[first : end + _LOOK]):
        if at + len(word) > end:
            goes_on = tag == "nr" if at < end else after == folded[end - 1] and len(word) == 1
            return goes_on or (after in _GIVEN and (at < end or len(word) == 1))
        at += len(word)
    return False


def is_done_by(folded: str, start: int, end: int) -> bool:
    """Whether a name only ends before the verb of what its bearer does: 备份是李敏管的."""
    return folded[start - 1 : start] == "是" and _DONE_BY.match(folded, end) is not None
