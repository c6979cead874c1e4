"""The words by which answers decline, guess, conclude or preach; patterns for folded text, one reason a line."""

from ragstone.parsing.cues import cue

_NOT = r"(?:没有?|并?未(?:能|曾|有)?|并?无|不曾|不(?!仅|但|只|过))"
_HOW = r"(?:在[^,.]{0,12})?(?:明确|具体|直接|详细|进一步|清楚|单独|专门|有|被|作|做|予以|对此|给|能){0,2}地?"
_TELL = (
    r"(?:说明|提及|提到|提供|记载|载明|记录|写明|写到|写|注明|标明|给出|包含|涉及|约定|列出|指出|披露|公布|交代"
    r"|描述|涵盖|讲到|说到"
    r"|显示|点名|表明|透露|找到|查到|检索到|发现|收录|明确|规定|列明|述及|谈到)"
)
_WHICH = r"(?:相关|有关|更具体|更多|其他|其它|具体|任何|足够|充分|对应|直接|明确|该|此|这方面|此项)的?"
_INFO = r"(?:信息|资讯|资料|内容|记载|记录|数据|线索|说明|答案|依据|细节|描述|条款|材料|结果)"
_CANNOT = r"(?:无法|无从|不能|难以|没办法|没法|恕难|恕不能|恕无法)"

_NO_EN = r"(?:\bnot|n't|\bnever|\bnor)"
_ADVERBS = (
    r"(?:(?:explicitly|directly|specifically|clearly|actually|really|fully|also|even|currently|yet|been|be|being"
    r"|have|seem to|appear to|to|publicly|any(?:where|thing)?|further|otherwise|definitively) ){0,3}"
)

_TELLING = (
    r"(?:mention|state|specif|contain|provid|includ|give|indicat|say|said|disclos|address|cover|list|describ"
    r"|discuss|explain"
    r"|refer|answer|reveal|clarif|tell|elaborat|identif|detail|record|document|supply|report|defin|note)\w*"
)
_NOUNS_EN = (
    r"(?:information|mention|details?|records?|references?|data|indication|(?<!to )answers?|context"
    r"|passages?|documents?"
    r"|discussion|statements?|evidence (?:in|from) the)"
)


SILENT = cue(
    rf"{_NOT}{_HOW}{_TELL}",
    rf"(?:没有?|暂?无|并无|查无|未见|缺乏|缺少|找不到|查不到|搜不到|未含|不含|未附|没找到)(?:{_WHICH}){{0,2}}{_INFO}",
    rf"{_INFO}(?:中|里|内)?(?:均|都|也)?(?:缺失|不足|不全|不够|有限|付之阙如|阙如|未载|不存在|为空)",
    r"(?:不足以|不够)(?:回答|判断|得出|确定|支持|作答)",
    rf"{_CANNOT}(?:从|根据|依据|依|由|通过|基于)[^,.;]{{0,24}}(?:得出|得知|判断|确定|确认|找到|获得|推断|回答|看出"
    rf"|知道)",
    r"(?:超出|不在|超过)了?[^,.;]{0,14}(?:范围|范畴)",
    r"只字未提|付之阙如|语焉不详|未着墨|查无|无可考|无迹可寻",
    rf"{_NO_EN} {_ADVERBS}{_TELLING}(?! until)",
    rf"\b(?:no(?! longer| matter| doubt)|not any|not enough|n't (?:any|enough)|insufficient|not sufficient|little"
    rf"|lacks?|lacking|hardly any) (?:\w+ ){{0,4}}?{_NOUNS_EN}\b",
    r"\b(?:is|are|was|were|remains?) (?:\w+ )?(?:silent|unclear|unspecified|unstated|undisclosed)\b",
    r"\b(?:is|are|was|were)(?: not|n't) in the (?:context|text|document|passage|source)",
    rf"\b(?:(?:{_NOUNS_EN}|results?|matches)(?: \w+){{0,4}}?|this|that|it) (?:is|are|was|were)"
    r"(?: (?:unknown|missing|unavailable)|(?: not|n't) (?:\w+ )?(?:available|found|known|clear|present|shown))\b",
    r"\bno (?:\w+ ){1,4}(?:is|are|was|were) (?:\w+ )?"
    r"(?:mentioned|named|given|listed|stated|specified|provided|described|recorded)\b",
    r"\bnot (?:something|anything) (?:that )?(?:the|this|these)\b",
    r"(?:看不到|看不出|见不到|读不到|查不出|没看到|未看到|没见到)",
    r"(?:与|和|跟)[^,.]{0,10}(?:问题|提问|查询)[^,.]{0,4}(?:无关|不相关)",
    r"\bnone of the [^.;]{0,60}(?:answer|mention|contain|address|provide|state|discuss|say|give|specif|include)",
    r"\b(?:fails? to|neither) (?:\w+ )?(?:mention|state|specif|disclose|provide|say|address|give|indicate)\w*",
    r"\b(?:can ?not|can't|could ?not|couldn't|not possible to|impossible to) (?:\w+ )?be (?:\w+ )?(?:found|located"
    r"|determined|identified|inferred|answered|verified|established|ascertained|derived|deduced)",
    r"\b(?:i|we)(?:'m| am| are|'re| was)? (?:\w+ )?(?:can ?not|can't|could ?not|couldn't|unable to|not able to|do"
    r" not|did not|don't|didn't) (?:\w+ )?(?:find|locate|see|determine|identify|infer|establish|ascertain|verify"
    r"|deduce)\b",
    r"\b(?:not|im)possible to (?:determine|tell|say|know|identify|answer|ascertain)|\bdifficult to (?:determine"
    r"|say|know)",
    r"\b(?:lacks?|lacking|outside|beyond) (?:\w+ ){0,3}?(?:details?|information|scope|data|context)",
    r"情報(?:が|は)?(?:ありません|ない|見つかりません)|記載(?:が|は)?(?:ありません|されていません|ない)"
    r"|書かれていません|見当たりません",
)
"""The source says nothing of it."""

UNKNOWN = cue(
    r"(?:我|本人|本助手|笔者)(?:也|还|真的|实在|并|暂时|目前)?(?:不知道|不清楚|不确定|不了解|不太清楚|不太确定"
    r"|不晓得|没有答案|答不上来|没法确定)",
    r"^[\W]*(?:这个?|此事|该问题|具体|目前|暂时|尚|暂|并|还){0,2}(?:不知道|不清楚|不确定|不详|未知|不明|不得而知"
    r"|无可奉告|无从知晓|无从得知)(?:了|的)?\W*$",
    rf"{_CANNOT}(?:[^\W\d_a-z]{{0,4}}?)(?:回答|作答|解答|答复|确定|确认|判断|得知|知晓|查证|核实|知道|给出|奉告"
    rf"|断定|推断|得出|提供)",
    r"说不准|说不好|说不清|拿不准|吃不准|答不上|不好说|很难说",
    r"不得而知|尚不清楚|无从考证|不予置评|具体不详",
    r"[^\W\d_a-z](?:不详|未知|不明)\W*$",
    r"\bi (?:really |simply |honestly |just )?(?:do not|don't|dont|did not|didn't) (?:\w+ )?(?:know|have (?:an "
    r"|any |enough |sufficient |access|the |that |information|specific|real)|recall|understand (?:the|your)"
    r" question)",
    r"\bi(?: am|'m) (?:\w+ )?(?:not sure|unsure|not certain|uncertain|not aware|unaware)\b",
    r"\bi have no (?:idea|comment|information|opinion|clue|knowledge)|^\W*no (?:comment|idea)\b|\b(?:nobody|no"
    r" one) knows\b",
    r"^\W*(?:unknown|n/a|na|null|nil|undetermined|unclear|not (?:sure|known|applicable|available|stated"
    r"|specified|mentioned|provided|given|disclosed))\W*$",
    r"^\W*(?:无|暂无|无答案)\W*$",
    r"わかりません|分かりません|知りません|お答えできません|不明です",
)
"""The answerer does not know."""

_ASSIST = (
    r"(?:assist|help|provid|fulfil|comply|offer|giv|shar|support|respond|discuss|engag|creat|generat|writ|suggest"
    r"|recommend|advis|encourag|condon"
    r"|promot|participat|complet|satisfy|endors|justif|facilitat|aid|produc|show|teach|instruct|talk|speak|continue"
    r"|do (?:that|this|so)|answer|tell|say)"
)
SAFE = cue(
    rf"\b(?:i|we)(?:'m| am| are|'re)? (?:\w+ ){{0,2}}?(?:can ?not|can't|cant|won't|will not|would not|unable to"
    rf"|not able to|must (?:respectfully )?decline to|have to decline to|refuse to|decline to)(?: and will not)?"
    rf" (?:\w+ ){{0,3}}?{_ASSIST}",
    rf"\b(?:i|we)(?:'m| am) (?:\w+ )?not (?:comfortable|willing|allowed|permitted|programmed|designed|going|in a"
    rf" position|capable)(?: to| of)? (?:\w+ ){{0,2}}?{_ASSIST}",
    r"^\W*(?:can ?not|can't|unable to) (?:\w+ ){0,2}?(?:assist|help|provide|fulfil|comply|do that|do this|answer)",
    r"\b(?:i|we|model and) (?:do not|don't) (?:\w+ )?(?:condone|have the (?:ability|capability|capacity) to|feel"
    r" comfortable|support or|encourage|promote)",
    r"\bi (?:must|have to|need to) (?:\w+ )?decline\b|\bi (?:strongly )?(?:advise against|discourage|urge you not"
    r"|advise you not)|\bagainst (?:my|our) (?:guidelines|policy|policies|programming|principles|values)",
    r"(?:不能|无法|不可以|不会|不便|恕难|恕无法|恕不能|拒绝|没法|不方便|不宜)(?:向您|为您|给您|帮您|对此|为你|给你"
    r"|向你|帮你|再|继续)?"
    r"(?:提供(?![^,.]{0,24}(?:信息|答案|数据|资料|说明|回答))|协助|帮助|帮忙|满足|讨论|参与|从命|配合|透露|执行"
    r"|完成|生成|撰写|编写|回应|教)",
    rf"{_CANNOT}[^,.]{{0,20}}(?:敏感|违反|违法|隐私)",
    r"帮不了|帮不上|爱莫能助|恕不奉陪",
    r"お手伝いできません|提供できません|応じられません|お断り",
)
"""The answerer will not."""

_GOOD = (
    r"(?:appropriate|ethical|acceptable|right|okay|ok|legal|safe|advisable|accurate|fair|respectful|productive"
    r"|correct|possible or|best for|justifi\w+|healthy)"
)
PREACH = cue(
    rf"\b(?:it is|it's|it would be|is|are|was) (?:\w+ ){{0,2}}?(?:not|never|n't) (?:\w+ ){{0,2}}?{_GOOD}\b(?!"
    rf" (?:number|answer|figure|date|one))",
    r"违法|犯法|不道德|犯罪行为|有违",
    r"\b(?:inappropriate|unethical|immoral|offensive|reprehensible|unacceptable)\b",
    r"\bi (?:strongly |completely |firmly )?(?:disagree|condemn|oppose)\b|\bi (?:do not|don't) (?:think|believe)"
    r" (?:it is |it's |it |that )",
    r"\bpromot\w+ (?:harm|discriminat|prejudic|violen|hat)\w*|\b(?:form of |is |and )discriminat(?:ion|ory)\b"
    r"|\bharmful (?:stereotype|and|or|belief|behavio)",
    r"\b(?:treat(?:ed|ing)?|deserves?) (?:\w+ ){0,6}?(?:respect|dignity|equal\w*|fair\w*|kindness|care)\b"
    r"|\bregardless of (?:their|one's|race|gender|religion|ethnic|background)",
    r"\b(?:violence|harm|crime|abuse|discrimination)\b[^.]{0,60}\b(?:never|not|illegal|wrong|serious)\b|\bis"
    r" illegal\b|\bviolation of (?:human|their|the law|privacy)",
    r"\b(?:fundamental|human|basic) rights?\b|\bthere is no (?:\w+ )?(?:reason|justification)\b",
)
"""The answerer preaches instead of answering."""

PREACH_TOO = cue(
    r"\bpersonal (?:opinion|belief)|\bno one should\b|\bshould (?:never|not) be (?:\w+ )?(?:tolerated|considered"
    r"|discriminated|denied|barred|singled)",
    r"\b(?:seek|reach out|speak|talk)\w* (?:\w+ ){0,8}?(?:help|support|professional|counsel|therapist|hotline"
    r"|someone|friend|authorities)\b",
    r"\bit(?:'s| is) (?:\w+ )?(?:important|crucial|essential) (?:to|that|for)\b|\bi must (?:clarify|emphasi[sz]e"
    r"|inform)\b",
)
"""Words that go with a sermon but say little alone."""

GOES_ON = cue(
    r"\b(?:i|we) (?:will|can|could) (?:still |nevertheless |try to )?(?:provide|offer|share|give|suggest|describe"
    r"|explain|write)\b",
    r"\bhere (?:are|is|'s) (?:some|a|an|the|how|what|one|my)\b|\bhere's\b|\bthe following (?:steps|tips|ways)\b"
    r"|^\W*to [a-z]+ [^,.]{1,60}, (?:you|one)\b|以下是|步骤如下|方法如下",
)
"""A refusal that goes on to do it."""

INSTEAD = cue(
    r"\binstead\b|\balternativ|\bother ways\b|\bpositive\b|\bhealthy\b|\bpeaceful|\blegal ways\b|\bsupport\b"
    r"|\bethical\b|相反|替代|其他方式"
)
"""Something else is offered in place of what was asked."""

ASKS_BACK = cue(
    r"^\W*(?:请问)?(?:您|你)(?:想|要|具体|是)?(?:指|说|问)的?[^.?]{0,10}(?:哪|什么|谁)[^.?]{0,20}(?:[?吗呢]|$)"
    r"|^\W*请问[^.?]{0,30}[?]",
    r"^\W*请(?:您)?(?:提供|补充|说明|明确)(?:更多|具体|一下)",
    r"^\W*(?:could|can|would) you (?:please |kindly )?(?:clarify|specify|tell me|provide|be more|rephrase"
    r"|elaborate|explain)|^\W*which [^.?]{0,40} (?:do|are) you (?:mean|refer|ask|talk)|^\W*please (?:provide"
    r"|specify|clarify|rephrase)\b(?! (?:answer))",
)
"""The answer asks a question back."""

TURN = cue(
    r"^\W*(?:但|不过|然而|可是|只是|but\b|however\b|yet\b|nevertheless\b|still\b|that said\b|nonetheless\b|instead\b)"
)
"""A clause that turns against the one before."""

TURN_ALONE = cue(r"\W*(?:但是?|不过|然而|可是|but|however|yet|nevertheless|still|that said|nonetheless|instead)\W*")
"""A turning word with a comma behind it; it belongs to the next clause."""

CONCEDE = cue(r"^\W*(?:虽然|尽管|虽|although\b|though\b|while\b|even though\b|despite\b)")
"""A clause that only concedes; the answer comes behind it."""

GUESS = cue(
    r"推测|推算|推断为|猜测|估计|应该?(?:是|为|在|有)|大概|大约|大致|约[^定束]|可能(?:是|为|在)|也许|或许"
    r"|通常(?:是|为)|一般(?:是|为)|惯例|显示为?|看来|答案(?:是|为)|其实是|据说",
    r"\b(?:probably|maybe|perhaps|likely|presumably|possibly|appears? to be|seems? to be|i (?:think|believe|guess"
    r"|assume|would say)|the answer is|my guess|may be|might be|could be|can infer|i can (?:tell|assure) you"
    r"|estimated|approximately)\b",
)
"""An answer, if only a guess."""

PREMISE = cue(
    r"\bfictional\b|\bnot (?:a )?real\b|\bdoes not exist\b|\bdoesn't exist\b|虚构|并不存在|不存在(?:于现实)?的"
)
"""The question's premise is put right, which is an answer."""

SOURCE_TALK = cue(
    r"\b(?:contexts?|passages?|documents?|texts?|sources?|excerpts?|information|question|they|articles?)\b(?:"
    r" \[?\d+\]?)? (?:\w+ ){0,3}?(?:mention|provid|discuss|contain|list|describ|giv|focus|refer|talk|ask|relat"
    r"|pertain|is about|are about|cover|only)\w*",
    r"(?:资料|文档|文件|材料|上下文|片段|内容|文中|文本|档案|合同|记录|笔录)[^,.]{0,8}(?:只|仅|主要|提到了|提及了"
    r"|讨论|介绍|涉及)",
    r"建议|请(?:联系|咨询|查阅|参考|核实|补充|提供|您|查看)|欢迎|如(?:果|需|有)(?:您|你|需要|其他|任何|更多)"
    r"|\b(?:please|you (?:can|may|could|should|might)|i(?:'d| would)? (?:recommend|suggest|encourage|advise)|let"
    r" me know|feel free|if you|happy to|would you like|is there (?:anything|something))\b",
)
"""Talk about the source, or advice, which is no answer."""

THEREFORE = cue(
    r"因此|所以|(?<![事缘])故(?!事|意|障|乡|宫)|因而|综上|总之|由此",
    r"\bso\b|\btherefore\b|\bthus\b|\bhence\b|\bas a result\b|\bconsequently\b|\bin conclusion\b|\boverall\b",
)
"""A conclusion."""

FILLER = cue(
    r"^\W*(?:(?:很|非常|十分|真的)?(?:抱歉|对不起|不好意思|遗憾)|你好|您好|(?:根据|依据|依|基于|从|按照|按|就|关于"
    r"|针对|出于|鉴于|由于|截至)[^,.]{0,40}|经查(?:阅|询)?|目前|综上(?:所述)?|(?:这|此)[^,.]{0,6}问题)\W*$",
    r"^\W*(?:(?:i(?:'m| am) )?(?:\w+ )?(?:sorry|afraid)[^.]{0,80}|i apologi[sz]e[^.]{0,80}|unfortunately|hello|hi"
    r"|yes|no|well|hmm|based on [^,.]{0,80}|according to [^,.]{0,80}|as an? (?:\w+ ){0,2}(?:ai|model"
    r"|assistant)[^,.]{0,60}|thank you[^.]{0,40}|i understand[^.]{0,80}|in (?:the|this) [^,.]{0,40}|that(?:'s| is)"
    r" a (?:\w+ )?(?:one|question)|i(?:'m| am) an? (?:\w+ )?(?:ai|language model)[^,.]{0,30}|i"
    r" appreciate[^.]{0,60}|from the [^,.]{0,60}|i(?:'m| am) happy to help[^.]{0,30}|explanation|answer)\W*$",
)
"""Words that open an answer and say nothing yet."""

FORGOT = cue(r"忘记|忘了|不记得|记不清|想不起|记不得", r"\bforgot(?:ten)?\b|(?:\bnot|n't) (?:remember|recall)\b")
"""Somebody in the source has forgotten; no refusal of its own."""

REPORTED = cue(
    r"(?:说|称|表示|声称|坦言)(?:自己|他们?|她们?|其)",
    r"\b(?:said|says|testified|claimed|stated|admitted|replied) (?:that )?(?:he|she|they)\b",
)
"""Somebody else's words follow."""

YES_NO = cue(
    r"吗|是否|有没有|有无|能否|可否|会不会|是不是|能不能|可不可以",
    r"^\W*(?:do|does|did|is|are|was|were|can|could|has|have|had|will|would|should|may)\b",
)
"""A question that asks for yes or no."""

BECAUSE = cue(r"因为|由于|\bbecause\b|\bsince\b|\bas (?:the|he|she|they)\b")
"""A reason given, which is an answer to why."""

MAY_DECLINE = cue(
    r"[不没无未难缺拒恕歉阙哪]|超出|请问|有限|只字|ません|ない",
    r"\bno(?:t|r|ne)?\b|n't\b|\bagainst\b|\bcan ?not\b|\bnever\b|\bunable\b|\bun(?:known|clear|specified"
    r"|available)|sorry|apolog|silent|insufficient|\black|\bfail|\bdecline|\brefuse|\bnull\b|\bn/?a\b|\bnil\b"
    r"|missing|\bclarify\b|\bwhich\b|please|illegal|ethical|\bbeyond\b|\boutside\b|\bimpossible\b|\blittle\b"
    r"|\bneither\b|cant\b|\bdont\b|\bdifficult\b|\bundetermined\b|condemn|disagree|discriminat|acceptable"
    r"|offensive|\bcould you\b",
)
"""Cheap first look: a text without any of these declines nothing."""
