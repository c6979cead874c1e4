"""Digits that measure nothing: dates, times, phones, serial numbers, versions, addresses, list markers, citation marks."""

import re

from ragstone.text.number_words import HAN

_N = r"(?:[0-9]{1,2}|[一二三四五六七八九十廿卅]{1,3})"
_Y = r"(?:[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3})"
_TO = r" ?(?:-|~|至|到) ?"
_MONTHS = "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
_DATE_TAIL = rf"(?: ?{_N} ?月(?:份)?(?: ?{_N} ?[日号](?!楼))?)?"
_SKIP = re.compile(
    "|".join(
        [
            r"[12][0-9]{3}[-/.](?:0?[1-9]|1[0-2])[-/.][0-9]{1,2}(?![0-9])(?:[t ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?",
            r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.][12][0-9]{3}(?![0-9])",
            r"[12][0-9]{3}-(?:0[1-9]|1[0-2])(?![0-9-])",
            rf"{_Y}{_TO}{_Y} ?年",
            rf"{_Y} ?年(?:代|度)?{_DATE_TAIL}",
            rf"(?:[0-9]{{2}}|{_N}|[〇零一二三四五六七八九]{{2}}) ?年 ?{_N} ?月(?!子)(?: ?{_N} ?[日号])?",
            rf"{_N}(?: ?月(?:份)?)?{_TO}{_N} ?月(?!子)(?: ?{_N} ?[日号])?",
            rf"{_N} ?月(?!子|亮|球)(?:份)?(?: ?{_N} ?[日号])?(?:{_TO}{_N} ?[日号])?",
            rf"{_N}(?:{_TO}{_N})? ?[日](?!内|以内|之内|间|元|圆)",
            rf"(?:{_N}|[0-9]{{1,6}}) ?号(?!人)(?:楼|院|线|室)?",
            r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])",
            r"[0-9]{1,9}:[0-9]{1,9}",
            rf"{_N} ?时(?!代)(?:{_N} ?分(?:{_N} ?秒)?)?",
            rf"{_N} ?点(?:{_N} ?分|半|整|钟|许|前|后|左右|到|至|多|一刻|三刻)",
            rf"{_N} ?点(?=[ ,;.!?:)|]|$)",
            r"[0-9]++(?:\.[0-9]++){2,}+",
            r"[0-9]{1,3}(?:\.[0-9]{1,2})? ?版",
            r"1[3-9][0-9]{9}(?![0-9])",
            r"0[0-9]{2,3}[- ][0-9]{7,8}(?![0-9])",
            r"[0-9]++(?:-[0-9]++){2,}+",
            r"[48]00-?[0-9]{3}-?[0-9]{4}(?![0-9])",
            r"0[0-9]++(?![0-9.])",
            r"[0-9]{1,4} ?(?:室|楼|单元|路公交|频道|路车)",
            rf"[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?(?:{_MONTHS})(?![a-z])\.?(?:,? [12][0-9]{{3}})?",
        ]
    )
)
_EN_DATE = re.compile(
    rf"(?:{_MONTHS})\.? (?:[0-9]{{1,2}}(?:st|nd|rd|th)?(?:{_TO}[0-9]{{1,2}})?(?![0-9])(?:,? [12][0-9]{{3}}(?![0-9]))?|,?[12][0-9]{{3}}(?![0-9]))"
    r"|q[1-4],? [12][0-9]{3}|(?:page|pages|p|pp|no|chapter|section|figure|fig|table|step|article|clause|item|room|line|version|ver|v|part|vol|volume|level|phase|grade|gate|route|highway|unit|id|question|q|windows|python)\.? ?#?[0-9]++(?:[-.][0-9]++)*+(?![,0-9])"
)
_YEAR = re.compile(r"[12][0-9]{3}(?![0-9,.]|[年%元人个])")
_BEFORE_YEAR = re.compile(
    r"(?:in|since|by|from|during|until|till|of|year|before|after|between|through|early|late|mid|and|to|born|[0-9]) ?-? ?$"
)
_SERIAL = re.compile(
    r"(?:电话|手机|号码|账号|帐号|账户|帐户|卡号|编号|证号|身份证|邮编|邮政编码|qq|微信|工号|学号|单号|订单|案号|车牌|房号|门牌|密码|验证码|代码|条码|尾号|传真|热线|序列号|流水号|型号|群号|id|tel|phone|fax|isbn|#)号?码?(?:为|是|:|:|#|\.| ){0,3}$"
)
_LIST = re.compile(r"(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})(?:[.|)](?![0-9])|\|)")
_ERA = re.compile(r"(?:民国|昭和|令和|平成|大正|明治|光绪|道光|乾隆|康熙|贞观|咸丰|同治|宣统|嘉庆|雍正|万历|嘉靖) ?$")
_ERA_TAIL = re.compile(rf"(?:[0-9]{{1,3}}|[{HAN}]{{1,5}}) ?(?:年|[-/.]){_DATE_TAIL}(?:[0-9]{{1,2}}[-/.][0-9]{{1,2}})?")
_WEEKDAY = re.compile(r"(?:星期|礼拜|周) ?$")
_CITED = re.compile(r"[0-9]{1,3}(?: ?[,|-] ?[0-9]{1,3})*\]")
_PART_OF = re.compile(r"(?:双|[a-z]-?)$")
_HOLIDAY = re.compile("(?:五一|十一|六一|三八|七一|八一)(?:假|长|黄|国|期|小|劳|儿|建|妇|节)")
_IDIOM = re.compile(
    "一(?:定|起|般|样|直|些|切|旦|致|律|向|再|边|面|时|同|并|方|下|会|味|共|流|带|路|经|贯|度|齐|心|石|举|五一十|家人|家子|国两制|视同仁|目了然|概|应|手|番|无|连|代宗|把抓|毛不拔|条龙|次性|系列|字不|点(?:都|也|儿|不|没|点))"
    "|十(?:分(?!之|钟|秒)|足|全|字|之|万火急|有八九)|三心|三番|三三两|三五成|两全|两手|两地|四面|四处|四舍五入|五花|六神|七上|七嘴|七七八|八方|九牛一毛|九死一|百分点|千方|千辛|千万|万一|万分(?!之)|万事|万物|万能|半途"
)


def skip_word(text: str, line: str, word: re.Match[str]) -> int:
    """The end of an English date or a label with its number (page 3) that starts at a word, or 0."""
    found = _EN_DATE.match(line, word.start())
    if found is None or (word[0] == "may" and text[word.start()] == "m"):
        return 0
    return found.end()


def skip_from(line: str, start: int, end: int) -> int:
    """The end of what starts here and is no quantity, or 0."""
    found = _SKIP.match(line, start) or _IDIOM.match(line, start) or _HOLIDAY.match(line, start)
    if found is not None:
        return max(found.end(), 0)
    head = line[max(0, start - 12) : start]
    if _ERA.search(head) and (era := _ERA_TAIL.match(line, start)):
        return era.end()
    return end if _is_label(line, start, end, head) else 0


def _is_label(line: str, start: int, end: int, head: str) -> bool:
    if _YEAR.match(line, start) and end - start == 4 and _BEFORE_YEAR.search(head):
        return True
    if _SERIAL.search(head) and line[start].isdigit():
        return True
    if end - start > 15 and line[start:end].isdigit():
        return True
    if head.endswith("[") and _CITED.match(line, start):
        return True
    if _WEEKDAY.search(head) and end - start == 1 and line[end : end + 1] not in tuple("次个天小"):
        return True
    if (not head.strip(" (") or head.rstrip(" (").endswith("\x00")) and _LIST.match(line, start):
        return True
    return bool(_PART_OF.search(head)) and not line[start].isdigit()
