"""Whether a person's name stands for that person: 张伟 is not in 张伟强, and 王安的上司 is somebody else."""

from ragstone.reading.cues import cue
from ragstone.reading.words import words
from ragstone.text.fold import fold

_GIVEN = frozenset(
    fold(
        "强伟敏静丽杰娟艳勇磊洋芳秀英华明玲霞刚桂兰梅鹏辉宇浩凯健俊帆帅旭龙琳晨鑫豪婷雪慧峰涛斌波军燕莉莹佳欣怡萱涵梓轩睿然远志国文"
        "宁宏林超平岚岳川江河海山松柏竹清泉云霖雨雷霆春夏秋冬安康乐德仁义礼信忠孝良善美珍珠宝玉瑶琪璐瑾瑜璇菲蕾薇莲荷菊茹萍"
    )
)
"""Characters that end a longer given name, when they are no word of their own."""
_ROLE = (
    "上司|上级|下属|部下|领导|老板|助理|助手|秘书|司机|同事|搭档|同学|朋友|邻居|老师|导师|学生|徒弟|父亲|母亲|爸爸|妈妈|父母|妻子|丈夫"
    "|太太|先生|儿子|女儿|孩子|哥哥|弟弟|姐姐|妹妹|叔叔|亲戚|家人|前任|继任者?|接班人|律师|代理人|经纪人|客户|对手"
)
_OF = cue(
    rf"的(?:前|现|大|小|直属|私人)?(?:{_ROLE})",
    r"'s? (?:former |new |direct |personal )?(?:boss|manager|supervisor|assistant|secretary|colleague|wife|husband"
    r"|father|mother|son|daughter|brother|sister|friend|lawyer|successor|predecessor|deputy|driver|student|teacher|partner)\b",
)
_LOOK = 3


def is_whole(folded: str, start: int, end: int) -> bool:
    """Whether the name at this place goes no further and is nobody's who is meant instead."""
    return not _OF.match(folded, end) and not is_longer(folded, start, end)


def is_longer(folded: str, start: int, end: int) -> bool:
    """Whether a name in Han goes on behind this place."""
    after = folded[end : end + 1]
    if not "\u4e00" <= after <= "\u9fff":
        return False
    first = max(0, start - 2)
    around = words(folded[first : end + _LOOK])
    here = next((word for word in around if first + word.start + len(word.text) > end), None)
    if here is None:
        return False
    goes_on = here.tag == "nr" and first + here.start < end
    return goes_on or (len(here.text) == 1 and (after in _GIVEN or after == folded[end - 1]))
