"""Digits that measure nothing: dates, times, phones, codes, versions, addresses, list and citation marks, idioms."""

from ragstone.text.late import late
from ragstone.text.numbers.words import HAN, words

_N = r"(?:[0-9]{1,2}|[一二三四五六七八九十廿卅]{1,3})"
_Y = r"(?:[12][0-9]{3}|[一二][〇零一二三四五六七八九]{3})"
_TO = r" ?(?:-|~|至|到) ?"
_MONTH_NAMES = (
    "(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    "|oct(?:ober)?|nov(?:ember)?"
    "|dec(?:ember)?)"
)
_MONTH_DAY = rf"(?: ?{_N} ?月(?:份)?(?: ?{_N} ?[日号](?!楼))?)?"
# 超过三十日, 满15日: what is exceeded or reached is a length of time.
_NO_PERIOD = (
    "(?<![满逾达共每足前])(?<!超过|提前|提早|预先|不到|至少|最多|少于|多于|为期|期限|期为|期是|限为|限是|时限|期间)"
)
_DATES = [
    r"[12][0-9]{3}[-/.](?:0?[1-9]|1[0-2])[-/.][0-9]{1,2}(?![0-9])(?:[t ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?)?",
    r"[0-9]{1,2}[-/.][0-9]{1,2}[-/.][12][0-9]{3}(?![0-9])",
    r"[0-9]{2}/[0-9]{1,2}/[0-9]{1,2}(?![0-9])",
    r"(?:19|20)[0-9]{2}-(?:0[1-9]|1[0-2])(?![0-9-])",
    rf"(?:19|20)[0-9]{{2}}{_TO}(?:19|20)[0-9]{{2}}(?![0-9元人个万亿%.,])",
    rf"{_Y}{_TO}{_Y} ?年",
    rf"{_Y} ?(?:年(?!的?历史|之久)(?:代|度)?|财年|学年){_MONTH_DAY}",
    rf"(?:{_N}|1[0-9]{{2}}|[〇零一二三四五六七八九]{{2,3}}) ?年 ?{_N} ?月(?!子)(?: ?{_N} ?[日号])?",
    rf"{_N} ?(?:年代|世纪)",
    rf"{_N}(?: ?月(?:份)?)?{_TO}{_N} ?月(?!子)(?: ?{_N} ?[日号])?",
    rf"{_N} ?月(?!子|亮|球)(?:份)?(?: ?{_N} ?[日号])?(?:{_TO}{_N} ?[日号])?",
    rf"(?<=月){_N} ?日",
    rf"{_NO_PERIOD}{_N}(?:{_TO}{_N})? ?日(?!内|以内|之内|间|元|圆|币|后|前|的?[一-龥]{{0,3}}[期假])",
    rf"[0-9]{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH_NAMES}(?![a-z])\.?(?:,? [12][0-9]{{3}})?",
]
_TIMES = [
    r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?![0-9])",
    r"[0-9]{1,9}:[0-9]{1,9}",
    rf"{_N} ?时(?!代)(?:{_N} ?分(?:{_N} ?秒)?)?",
    rf"{_N} ?点(?:{_N} ?分|半|整|钟|许|前|后|左右|到|至|多|一刻|三刻|之[间前后]|开始|集合|出发)",
    rf"{_N} ?点(?=[ ,;.!?:)|]|$)",
    r"[0-9]{1,2} ?[ap]\.?m(?![a-z])",
]
_CODES = [
    r"[0-9]++(?:\.[0-9]++){2,}",
    r"[0-9]{1,3}(?:\.[0-9]{1,2})? ?版",
    r"(?<=\()(?:19|20)[0-9]{2}\)",
    r"1[3-9][0-9]{9}(?![0-9])",
    r"1[3-9][0-9][ -][0-9]{4}[ -][0-9]{4}(?![0-9])",
    r"0[0-9]{2,3}[- ][0-9]{7,8}(?![0-9])",
    r"[0-9]++(?:-[0-9]++){2,}",
    r"[48]00-?[0-9]{3}-?[0-9]{4}(?![0-9])",
    r"(?<=\+)[0-9]{1,3}[ -]\(?[0-9]{2,4}\)?[ -]?[0-9]{3,4}[ -]?[0-9]{3,4}(?![0-9])",
    r"(?<=\()[0-9]{2,4}\) ?[0-9]{3,4}[ -]?[0-9]{4}(?![0-9])",
    r"[0-9]{4}(?: [0-9]{4}){3,4}(?: [0-9]{1,3})?(?![0-9])",
    r"0[0-9]++(?![0-9.])",
    rf"(?:{_N}|[0-9]{{1,6}}) ?号(?!人)(?:楼|院|线|室)?",
    rf"(?:{_N}|[0-9]{{1,4}}) ?(?:室|楼|单元|路公交|频道|路车)",
    r"[0-9]{2}后(?![0-9天])",
    r"[0-9]++-(?=[a-z])(?!(?:year|day|week|month|hour|minute|page|km|kg|m|member|person|point)s?(?![a-z]))[a-z0-9-]++",
    r"(?<=[于在元自])[1-9][0-9]{2} ?年(?![间里内来的])",
    r"[0-9]{1,2}·[0-9]{1,2}",
]
_SKIP = late("|".join(_DATES + _TIMES + _CODES))
# Short numerals can only be skipped when one of these follows: a gate before the long pattern.
_MAY_FOLLOW = frozenset(")年月日号:/.-~至到点时版室楼单路频后·世 stnrap")
_FOLLOW_SPACE = frozenset("0123456789(-~至到年财学月日号时点版室楼单路频世ap")
_FOLLOW_WORDS = frozenset(words("jan feb mar apr may jun jul aug sep oct nov dec")) | {"of "}
_SHORT = 9
_WORD = late(
    rf"{_MONTH_NAMES}\.? (?:[0-9]{{1,2}}(?:st|nd|rd|th)?(?:{_TO}[0-9]{{1,2}})?(?![0-9])(?:,? "
    rf"[12][0-9]{{3}}(?![0-9]))?|,?[12][0-9]{{3}}(?![0-9]))"
    r"|[qh][1-4],? (?:of )?[12][0-9]{3}"
    r"|(?:pages?|pp?|no|chapter|section|figure|fig|table|step|article|clause|item|room|line|version|ver|v|part"
    r"|vol|volume|level|phase"
    r"|grade|gate|route|highway|unit|id|question|q|appendix|windows|python|iphone|ipad|android|ios|java|web"
    r"|http|gpt|llama|qwen|macos|ubuntu)"
    r"\.? ?#?[0-9]++(?:[-.][0-9]++)*(?![0-9]|[-.,][0-9])"
)
WORD_HEADS = words(
    "jan january feb february mar march apr april may jun june jul july aug august sep sept september oct october nov "
    "november dec december q h page pages p pp no chapter section figure fig table step article clause item room line "
    "version ver v part vol volume level phase grade gate route highway unit id question appendix windows python "
    "iphone ipad android ios java web http gpt llama qwen macos ubuntu"
)
"""The letters that a date or a label which `skip_word` finds begins with."""
_YEAR = late(r"(?:1[5-9]|20)[0-9]{2}(?![0-9,.][0-9]|[年%元人个])")
_BEFORE_YEAR = late(
    r"(?:in|since|by|from|during|until|till|of|for|year|before|after|between|through|early|late|mid|and|to"
    r"|born|fiscal|[0-9]) ?-? ?$"
)
_SERIAL = late(
    r"(?:电话|手机|号码|账号|帐号|账户|帐户|卡号|编号|证号|身份证|邮编|邮政编码|微信|工号|学号|单号|订单"
    r"|案号|车牌|房号|门牌|密码"
    r"|验证码|代码|条码|尾号|传真|热线|拨打|致电|客服|会议室|教室|房间|分机|转|序列号|流水号|型号|群号"
    r"|(?<![a-z])(?:qq|id|tel|(?:tele|cell)?phone|fax|isbn)"
    r"|#)号?码?(?:为|是|:|#|\.| ){0,3}$"
)
_SERIAL_LINKS = "为是:#. "
_SERIAL_ENDS = frozenset("话机码号户证编信单牌真线打电服室间转qdlexn")
"""What may stand between the name of a serial number and its digits, and how the name ends."""
# A serial number may be written in groups.
_GROUPS = late("(?:[ -][0-9]{2,}+(?![.,][0-9]|[%元万亿年月日]))*")
_LIST = late(r"(?:[0-9]{1,2}|[一二三四五六七八九十]{1,3})(?:[.)](?![0-9])|\|)")
_ERA = late(
    r"(?:民国|昭和|令和|平成|大正|明治|光绪|道光|乾隆|康熙|贞观|咸丰|同治|宣统|嘉庆|雍正|万历|嘉靖|洪武|永乐|开元) ?$"
)
_ERA_TAIL = late(rf"(?:[0-9]{{1,3}}|[{HAN}]{{1,5}}) ?(?:年|[-/.]){_MONTH_DAY}(?:[0-9]{{1,2}}[-/.][0-9]{{1,2}})?")
_ERA_ENDS = frozenset("国和成正治绪光隆熙观丰统庆历靖武乐元")
_CITED = late(r"[0-9]{1,3}(?: ?[,|-] ?[0-9]{1,3})*\]")
_HOLIDAY = late("(?:五一|十一|六一|三八|七一|八一|五四|双十)(?:假|长|黄|国|期|小|劳|儿|建|妇|节|运|青)")
# 统一, 接二连三, 丢三落四: the numeral ends or fills a word that began before it.
_INSIDE_WORD = (
    "(?<=[统单唯专划逐归])一|(?<=接)二连三|(?<=[丢落])三落四|(?<=朝)三暮四|(?<=颠)三倒四|(?<=不)三不四|(?<=说)三道四"
    "|(?<=推)三阻四|(?<=低)三下四|(?<=挑)三拣四|(?<=横)七竖八|(?<=杂)七杂八|(?<=乱)七八糟"
)
_TWO_NUMERALS = (
    "三天两头|一年到头|一年四季|三番(?:五|两)次|五花八门|七嘴八舌|七上八下|七零八落|七手八脚|四面八方|四分五裂|四通八达|三心二意|一心一意|三长两短|三言两语"
    "|三头六臂|三教九流|三更半夜|五颜六色|五湖四海|五光十色|千方百计|千辛万苦|千家万户|千变万化|千篇一律|千钧一发|千军万马"
    "|一清二楚|一石二鸟|一举两得|一波三折|一刀两断|一干二净|一朝一夕|一模一样|一点一滴|两败俱伤|九牛二虎|九死一生|百发百中"
    "|百里挑一|十全十美|十拿九稳|半斤八两|成千上万|万众一心|万无一失"
)
_IDIOM = late(
    f"{_INSIDE_WORD}|{_TWO_NUMERALS}|"
    "(?<=进)一步|一(?:定|起|般|口气|样|直|些|切|旦|致|律|向|再|边|面|时|同|并|方|下|会|味|共|流|带|路|经|贯|度"
    "|齐|心|石|举"
    "|五一十|家人|家子|国两制|视同仁"
    "|目了然|概|应|手|番|无|连|代宗|把抓|毛不拔|条龙|次性|系列|字不|来|经|则(?!消息)|生|身|带一路"
    "|点(?:都|也|儿|不|没|点|[,;]))"
    "|十(?:二指|分(?!之|钟|秒)|足|全|字(?:路|架)|之|万火急|有八九)|三(?:心|番(?!茄)|亚|峡|农|角(?=[形洲函债架])|三两|五成|言两语|长两短|思|国(?=[时演志]))"
    "|两(?:全|手|地|面|者|极|性|岸|国)"
    "|二(?:手(?!牌)|话不说|维码|氧化)|四(?:面|处|川|起(?=[,;.!?]|$)|舍五入|季|肢|通)|五(?:花|官|金|行|颜|湖)|六(?:神|亲)|七(?:上|嘴|七八|夕)|八(?:方|卦|九不离)"
    "|九(?:牛一毛|死一)"
    "|百(?:分点|姓|度)|千(?:方|辛|万(?=[别不要记注小莫勿请当]))|万(?:一|分(?!之)|事|物|能)|半途"
)


def skip_word(text: str, line: str, start: int, end: int) -> int:
    """The end of an English date or a label with its number (page 3) that starts at a word, or 0."""
    found = _WORD.match(line, start)
    if found is None or (text[start] == "m" and line[start:end] == "may"):
        return 0
    return found.end()


def skip_from(line: str, start: int, end: int) -> int:
    """The end of what starts here and is no quantity, or 0."""
    first, after = line[start], line[end : end + 1]
    arabic = first.isdigit()
    goes_on = after in _MAY_FOLLOW if after != " " else _goes_on_behind(line, end + 1)
    found = None
    if goes_on or (first == "0" or end - start > _SHORT if arabic else after in "财学" or "点" in line[start:end]):
        found = _SKIP.match(line, start)
    if found is None and not arabic:
        found = _IDIOM.match(line, start) or _HOLIDAY.match(line, start)
    if found is not None:
        return found.end()
    before = line[start - 1] if start else ""
    if before == "[" and (cited := _CITED.match(line, start)):
        return cited.end()
    era = line[start - 2 : start - 1] if before == " " else before
    if era in _ERA_ENDS and _ERA.search(line[max(0, start - 4) : start]) and (dated := _ERA_TAIL.match(line, start)):
        return dated.end()
    return _label_end(line, start, end)


def _goes_on_behind(line: str, at: int) -> bool:
    """Whether what follows a numeral and a space may make them part of a date, a time or a code."""
    return line[at : at + 1] in _FOLLOW_SPACE or line[at : at + 3] in _FOLLOW_WORDS


def _label_end(line: str, start: int, end: int) -> int:
    """The end of a number that names a thing (a year, a serial number, a weekday, a list or citation mark), or 0."""
    before = line[start - 1] if start else "\x00"
    if before in "\x00 (" and _is_marker(line, start):
        return end
    if not line[start].isdigit():
        is_day = end - start == 1 and before in "周期拜" and _is_weekday(line, start, end)
        return end if before == "双" or is_day else 0
    if end - start < 3:
        return end if before == "#" else 0
    head = line[max(0, start - 12) : start]
    if _may_name(head) and _SERIAL.search(head):
        groups = _GROUPS.match(line, end)
        return groups.end() if groups else end
    if end - start > 15 and line[start:end].isdigit():
        return end
    is_year = end - start == 4 and _YEAR.match(line, start) and _BEFORE_YEAR.search(head)
    return end if is_year else 0


def _may_name(head: str) -> bool:
    """Whether what stands before digits ends like the name of a serial number."""
    return "#" in head or head.rstrip(_SERIAL_LINKS)[-1:] in _SERIAL_ENDS


def _is_marker(line: str, start: int) -> bool:
    at = start
    while at and line[at - 1] in " (" and start - at < 8:
        at -= 1
    return (at == 0 or line[at - 1] == "\x00") and _LIST.match(line, start) is not None


def _is_weekday(line: str, start: int, end: int) -> bool:
    return line[max(0, start - 2) : start].endswith(("星期", "礼拜", "周")) and line[end : end + 1] not in tuple(
        "次个天小"
    )
