"""Tell whether an answer as a whole declines to give what was asked, and how; knows no score."""

from typing import Literal, NamedTuple

from msgspec import Struct

from ragstone.parsing.cues import cue
from ragstone.parsing.sentences import clauses, hide_quotes, sentences
from ragstone.text.fold import fold

RefusalKind = Literal["none", "source_silent", "does_not_know", "safety", "partial"]


class Refusal(Struct, frozen=True):
    """What an answer declines: `abstained` speaks of the whole answer, `partial` of a part that was left open."""

    kind: RefusalKind
    abstained: bool
    rule: str
    """Which rule decided, e.g. `source_silent`, `guess_follows`, `asks_back`."""
    span: tuple[int, int] | None = None
    """Where the declining words stand in the answer."""


_NOT_ZH = r"(?:没有?|并?未(?:能|曾|有)?|并?无|不曾|均未|皆未|尚未|不(?!仅|但|只|过))"
_SOURCE_ZH = r"(?:说明|提及|提到|提供|记载|载明|记录|写明|写到|写|注明|标明|给出|包含|涉及|约定|列出|指出|披露|公布|交代|描述|涵盖|讲到|说到|显示|点名|表明|透露|找到|查到|检索到|发现|收录|明确)"
_THING_ZH = r"(?:相关|有关|更具体|更多|其他|其它|具体|任何|足够|充分|对应|直接|明确|该|此|这方面)的?"
_INFO_ZH = r"(?:信息|资讯|资料|内容|记载|记录|数据|线索|说明|答案|依据|细节|描述|条款|材料)"

_SILENT = cue(
    rf"{_NOT_ZH}(?:在[^,.]{{0,12}})?(?:明确|具体|直接|详细|进一步|清楚|单独|专门|有|被|作|做|予以|对此){{0,2}}(?:地)?{_SOURCE_ZH}",
    rf"(?:没有?|暂?无|并无|查无|未见|缺乏|缺少|找不到|查不到|搜不到|未含|不含|未附)(?:{_THING_ZH}){{0,2}}{_INFO_ZH}",
    rf"{_INFO_ZH}(?:中|里|内)?(?:均|都|也)?(?:缺失|不足|不全|不够|有限|付之阙如|阙如|未载|不存在)",
    r"(?:不足以|不够)(?:回答|判断|得出|确定|支持|作答)",
    r"(?:无法|无从|不能|难以)(?:从|根据|依据|依|由|通过|基于)[^,.;]{0,24}(?:得出|得知|判断|确定|确认|找到|获得|推断|回答|看出|知道)",
    r"(?:超出|不在|超过)了?[^,.;]{0,14}(?:范围|范畴)",
    r"只字未提|付之阙如|语焉不详|未着墨|查无|无可考|无迹可寻",
    r"\b(?:not|n't|never|nor) (?:\w+ ){0,3}?(?:mention|state|specif|contain|provide|includ|give|given|indicat|say|said|disclose|address|cover|list|describ|discuss|explain|refer|answer|reveal|clarif|tell|elaborate|identif|detail|record|document|offer|supply|present|available|found|explicit|addressed|report|define|name|note|show)\w*",
    r"\b(?:no|not any|any|not enough|insufficient|not sufficient|little|without|lacks?|lacking|hardly any) (?:\w+ ){0,4}?(?:information|mention|details?|record|reference|data|indication|answer|evidence in the|context|relevant passage|relevant document|discussion|statement)s?\b",
    r"\b(?:is|are|was|were|remains?) (?:\w+ )?(?:silent|unclear|unspecified|unstated|not clear|missing|undisclosed|unavailable|not in the (?:context|text|document|passage|source))",
    r"\bnone of the [^.;]{0,60}(?:answer|mention|contain|address|provide|state|discuss|say|give|specif|include)",
    r"\b(?:never|fails? to|neither) (?:\w+ )?(?:mention|state|specif|disclose|provide|say|address|give|indicate)\w*",
    r"\b(?:can ?not|can't|could ?not|couldn't|unable to|not able to|impossible to|not possible to)(?: be)? (?:\w+ )?(?:find|found|locate|determine|identify|infer|tell|establish|ascertain|answer|conclude|verify|deduce|derive|say)\w*",
    r"\b(?:lacks?|lacking|outside|beyond) (?:\w+ ){0,3}?(?:details?|information|scope|data|context)",
    r"情報(?:が|は)?(?:ありません|ない|見つかりません)|記載(?:が|は)?(?:ありません|されていません|ない)|书かれていません|書かれていません",
)
_UNKNOWN = cue(
    r"(?:我|本人|本助手|笔者)(?:也|还|真的|实在|并|暂时|目前)?(?:不知道|不清楚|不确定|不了解|不太清楚|不太确定|不晓得|没有答案|答不上来|没法确定)",
    r"^(?:对不起|抱歉|很抱歉)?[,. ]*(?:这个?|此事|该问题|具体)?(?:我)?(?:暂时|目前|尚|暂|并|还)?(?:不知道|不清楚|不确定|不详|未知|不明|不得而知|无可奉告|无从知晓|无从得知)(?:了|的)?[.! ]*$",
    r"(?:无法|无从|不能|难以|没办法|恕难|恕不能|没法)(?:\w{0,4}?)(?:回答|作答|解答|答复|确定|确认|判断|得知|知晓|查证|核实|知道|给出|奉告|断定|推断|提供)",
    r"不得而知|尚不清楚|无从考证|不予置评|无法得出结论|不能得出结论",
    r"\bi (?:really |simply |honestly )?(?:do not|don't|dont|did not|didn't) (?:\w+ )?(?:know|have (?:an |any |enough |sufficient |access|the |that |information)|recall|understand (?:the|your) question)",
    r"\bi(?: am|'m) (?:\w+ )?(?:not sure|unsure|not certain|uncertain|not aware|unaware)\b",
    r"\bi have no (?:idea|comment|information|opinion|clue|knowledge)|\bno (?:comment|idea)\b|\bnobody knows\b|\bno one knows\b|\bhard to say\b",
    r"^(?:unknown|n/a|na|null|none|not (?:sure|known|applicable|available|stated|specified|mentioned|provided|given)|无|没有|暂无|无可奉告|无答案|nil|undetermined|unclear)[.! ]*$",
    r"わかりません|分かりません|知りません|お答えできません|不明です",
)
_WILL_NOT = r"(?:can ?not|can't|cant|could not|couldn't|won't|will not|would not|am unable to|'m unable to|unable to|am not able to|'m not able to|not able to|am not (?:comfortable|willing|allowed|permitted|programmed|going)|'m not (?:comfortable|willing|allowed|permitted|programmed|going)|must (?:respectfully )?decline|have to decline|refuse|decline|do not feel comfortable|don't feel comfortable|should not|must not|cannot and will not|can't and won't)"
_SAFE = cue(
    rf"\b(?:i|we)(?: am| are)? ?(?:\w+ ){{0,2}}?{_WILL_NOT}(?: to)? (?:\w+ ){{0,3}}?(?:assist|help|provid|fulfil|comply|offer|giv|shar|support|respond|discuss|engag|creat|generat|writ|suggest|recommend|advis|encourag|condon|promot|participat|complet|satisfy|endors|justif|facilitat|aid|produc|show|teach|instruct|talk|speak|continue|do (?:that|this|so)|answer)\w*",
    rf"^(?:\W*(?:sorry|no|unfortunately|i apologi[sz]e)[, ]+(?:but )?)?(?:i )?{_WILL_NOT} (?:\w+ ){{0,2}}?(?:assist|help|provide|fulfil|comply|do that|do this)",
    r"\b(?:it is|it's|it would be|it is also|it's also) (?:\w+ ){0,2}?(?:not|never|un|in)(?:\w* )?(?:appropriate|ethical|acceptable|right|okay|ok|legal|safe|advisable)\b",
    r"\b(?:is|are) (?:\w+ )?(?:illegal|unethical|immoral|inappropriate|offensive|harmful)[^.]{0,80}\b(?:i|we) (?:strongly )?(?:advise|urge|encourage|recommend|suggest|discourage)",
    r"\bi (?:strongly )?(?:advise against|discourage|urge you not|advise you not)|\bagainst (?:my|our) (?:guidelines|policy|policies|programming|principles)",
    r"(?:不能|无法|不可以|不会|不便|恕难|恕无法|恕不能|拒绝|没法|不方便|不宜)(?:向您|为您|给您|帮您|对此|为你|给你|向你|帮你|再|继续)?(?:提供|协助|帮助|帮忙|满足|支持|讨论|参与|从命|配合|透露|执行|完成|处理|生成|撰写|编写|回应|教)",
    r"(?:违反|违背)[^,.]{0,10}(?:法律|政策|规定|准则|道德|规范)|违法(?:行为|活动)[^.]{0,30}(?:无法|不能)",
    r"お手伝いできません|提供できません|応じられません",
)
_ASKS_BACK = cue(
    r"(?:请问|您|你)(?:想|要|具体)?(?:指|说|问)?的?(?:是|想)?[^.?]{0,10}(?:哪|什么|谁)[^.]{0,20}[?吗呢]|请(?:您)?(?:提供|补充|说明|明确)(?:更多|具体|一下)"
    r"|\b(?:could|can|would) you (?:please |kindly )?(?:clarify|specify|tell me|provide|be more|rephrase|elaborate|explain)|\bwhich [^.?]{0,40} (?:do|are) you (?:mean|refer|ask|talk)|\bplease (?:provide|specify|clarify|rephrase)"
)
_TURN = cue(
    r"^[\s,]*(?:但是?|不过|然而|可是|只是|而|but|however|yet|though|although|nevertheless|still|that said)\b|^[\s,]*(?:但|不过|然而|可是)"
)
_GUESS = cue(
    r"推测|推算|推断为|猜测|估计|应该(?:是|为|在)|应为|应是|大概|大约|大致|约|可能(?:是|为|在)|也许|或许|通常(?:是|为)|一般(?:是|为)|惯例|显示为?|看来|据此|答案(?:是|为)|其实是"
    r"|\b(?:probably|maybe|perhaps|likely|presumably|possibly|appears? to|seems? to|i (?:think|believe|guess|assume|would say)|the answer is|most likely|it is|it was|my guess|may be|might be|could be|around|typically|usually|generally)\b"
)
_THEREFORE = cue(
    r"因此|所以|故|因而|综上|总之|由此|\bso\b|\btherefore\b|\bthus\b|\bhence\b|\bas a result\b|\bconsequently\b|\bin conclusion\b|\boverall\b"
)
_FILLER = cue(
    r"^[\s,.]*(?:(?:很|非常|十分|真的)?(?:抱歉|对不起|不好意思|遗憾)|你好|您好|(?:根据|依据|依|基于|从|按照|按|就|关于|针对)[^,.]{0,40}|经查(?:阅|询)?|目前|综上(?:所述)?|sorry|i(?:'m| am) (?:\w+ )?(?:sorry|afraid)|i apologi[sz]e[^.]{0,60}|unfortunately|hello|hi|based on [^,.]{0,80}|according to [^,.]{0,80}|as an ai[^,.]{0,60}|thank you[^.]{0,40}|i understand[^.]{0,80}|in (?:the|this) [^,.]{0,40})[\s,.!:]*$"
)
_FORGOT = cue(r"忘记|忘了|不记得|记不清|想不起|记不得|\bforgot(?:ten)?\b|\b(?:not|n't) (?:remember|recall)\b")
_YES_NO = cue(
    r"吗|是否|有没有|有无|能否|可否|会不会|是不是|能不能|可不可以|\b(?:do|does|did|is|are|was|were|can|could|has|have|had|will|would|should|may)\b[^?]{0,200}\?$"
)
_WORD = cue(r"\w")


class _Clause(NamedTuple):
    kind: Literal["filler", "forgot", "decline", "guess", "turn", "content"]
    decline: RefusalKind
    start: int
    end: int
    sentence: int


def read_refusal(answer: str, question: str = "") -> Refusal:
    """Tell whether the answer declines; silence is no refusal, and a guess after "not stated, but" is an answer."""
    if not _WORD.search(answer):
        return Refusal("none", False, "silence")
    told = fold(hide_quotes(answer))
    asked = fold(question)
    pieces = _label(answer, told, asked)
    return _weigh(pieces, told, asked)


def _label(answer: str, told: str, asked: str) -> list[_Clause]:
    found = []
    for number, sentence in enumerate(sentences(answer)):
        for clause in clauses(answer, sentence):
            words = told[clause.start : clause.end].strip()
            found.append(_Clause(*_clause_kind(words, asked), clause.start, clause.end, number))
    return found


def _clause_kind(
    words: str, asked: str
) -> tuple[Literal["filler", "forgot", "decline", "guess", "turn", "content"], RefusalKind]:
    decline = _declines(words, asked)
    if decline != "none":
        return "decline", decline
    if _FILLER.search(words):
        return "filler", "none"
    if _FORGOT.search(words):
        return "forgot", "none"
    if _GUESS.search(words):
        return "guess", "none"
    return ("turn" if _TURN.search(words) else "content"), "none"


def _declines(words: str, asked: str) -> RefusalKind:
    if _SAFE.search(words):
        return "safety"
    silent = _SILENT.search(words)
    if silent and not _is_the_answer(silent[0], asked):
        return "source_silent"
    return "does_not_know" if _UNKNOWN.search(words) or _ASKS_BACK.search(words) else "none"


def _is_the_answer(words: str, asked: str) -> bool:
    return bool(_YES_NO.search(asked)) and words[-2:] in asked


def _weigh(pieces: list[_Clause], told: str, asked: str) -> Refusal:
    declines = [at for at, piece in enumerate(pieces) if piece.kind == "decline"]
    if not declines:
        return Refusal("none", False, "no_decline")
    first = pieces[declines[0]]
    span = (first.start, first.end)
    before = [piece for piece in pieces[: declines[0]] if piece.kind in ("content", "guess", "turn")]
    after = pieces[declines[0] + 1 :]
    if not before:
        if any(piece.kind == "guess" or piece.kind == "turn" for piece in after) and first.decline != "safety":
            return Refusal("none", False, "guess_follows", span)
        return Refusal(first.decline, True, first.decline, span)
    if _THEREFORE.search(told, first.start - 6 if first.start > 6 else 0):
        return Refusal(pieces[declines[-1]].decline, True, "concluded", span)
    return Refusal("partial", False, "partly_open", span)
