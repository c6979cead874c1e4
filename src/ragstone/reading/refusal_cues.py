"""The words by which answers decline, guess, conclude or preach; patterns for folded text, one reason a line."""

from ragstone.reading.cues import cue

_NOT = r"(?:没有?|并?未(?:能|曾|有)?|并?无|不曾|不(?!仅|但|只|过))"
_HOW = r"(?:在[^,.]{0,12})?(?:明确|具体|直接|详细|进一步|清楚|单独|专门|有|被|作|做|予以|对此|给|能){0,2}地?"
_TELL = (
    r"(?:说明|提及|提到|提供|记载|载明|记录|写明|写到|写|注明|标明|给出|包含|涉及|约定|列出|指出|披露|公布|交代"
    r"|描述|涵盖|讲到|说到"
    r"|显示|点名|表明|透露|找到|查到|检索到|发现|收录|明确|规定|列明|述及|谈到|叙明|陈明|言明|述明|说清|阐明|交待|论及|体现|反映)"
)
_WHICH = r"(?:相关|有关|更具体|更多|其他|其它|具体|任何|足够|充分|对应|直接|明确|该|此|这方面|此项)的?"
_INFO = r"(?:信息|资讯|资料|内容|记载|记录|数据|线索|说明|答案|依据|细节|描述|条款|材料|结果)"
_CANNOT = r"(?:无法|无从|不能|难以|没办法|没法|恕难|恕不能|恕无法)"

_SOURCE = (
    r"(?:文章|文中|原文|正文|文本|文档|文件|材料|资料|上下文|片段|段落|合同|契约|协议|判决书?|笔录|卷宗|报告|说明书?|手册|网页|书中"
    r"|知识库|检索结果|租约|保单|借条|欠条|账单|发票|收据|通知|公告|纪要|病历|小结|年报|规约|章程|清单|档案|邮件|来信|条款)"
)
_DOC = (
    r"(?:contexts?|passages?|documents?|texts?|sources?|excerpts?|articles?|reports?|contracts?|agreements?|lease|manual"
    r"|brochure|leaflet|notices?|invoices?|receipts?|listing|letters?|records?|minutes|polic(?:y|ies)|logs?|pages?|files?"
    r"|e?mails?|memo|guide|notes?|form|it|they)"
)

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
    r"(?:没有?|并?无|未见|查无|缺少)[^,.;]{1,14}的(?:记载|说明|描述|信息|资料|内容|交代|规定|约定)\W*$",
    r"(?:这|该|本|此|上述|所给|提供的)(?:份|些|篇|个|封|张)?[^,.]{0,10}[中里内上][^,.]{0,6}(?:查|找|搜|检索|看|读)不(?:到|出)",
    r"(?:一栏|栏目?|处|字段|部分)(?:是|均?为|留)?空(?:白|着)?(?!间|调|气|格)",
    r"\bsay(?:s|ing)? nothing (?:about|on|of|regarding|as to)\b",
    rf"\b{_DOC}\b[^.;]{{0,60}}"
    r"\b(?:gives?|gave|provides?|states?|names?|specif(?:y|ies)|mentions?|makes?) no(?:thing)?\b",
    r"\b(?:i|we)\b[^.;]{0,60}\b(?:found|find|see|saw|located?) (?:no|nothing|none)\b",
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
    rf"{_SOURCE}[^,.]{{0,6}}(?:与|和|跟)[^,.]{{0,16}}(?:无关|不相关|没有关系)",
    rf"{_SOURCE}[^,.]{{0,6}}(?:没有?|未|并未)(?:说|提|讲|写|谈)(?:过|到|及|明)?\W*$",
    rf"(?:{_SOURCE}[^,.]{{0,8}}[中里内上]|我)[^,.]{{0,8}}(?:查|找|搜|检索|看|读)不到",
    rf"(?:查|找|搜|检索)不到[^,.]{{0,24}}{_INFO}\W*$",
    r"\bnothing (?:in|within) (?:the|this|these|any|your)\b[^.;]{0,60}"
    r"\b(?:about|on|regarding|concerning|says?|mentions?)\b",
    rf"{_NO_EN} (?:\w+ )?name (?:a|an|any|the)\b",
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
    r"(?:我|本人|本助手|笔者)(?:也|还|真的?|实在|确实|并|暂时?|目前|都|是){0,2}(?:不知道|不清楚|不确定|不了解|不太清楚|不太确定"
    r"|不晓得|没有答案|答不上来|没法确定)",
    r"^[\W]*(?:这个?|此事|该问题|具体|目前|暂时|尚|暂|并|还){0,2}(?:不知道|不清楚|不确定|不详|未知|不明|不得而知"
    r"|无可奉告|无从知晓|无从得知|不晓得|不太清楚|不太确定)[了的耶呢啊哦喔欸诶啦]{0,2}\W*$",
    r"(?:回答|解答|作答|答复)不(?:了|上|出)|给不出|答不出",
    r"^\W*(?:我)?(?:从来?|还)?(?:没有?|未|不曾)听(?:说|闻)过|孤陋寡闻",
    r"我(?:目前|暂时|并|也|作为[^,.]{0,8}){0,2}(?:无法|不能|没办法|没法|没有|不具备)[^,.]{0,6}(?:获取|访问|查询|查看|浏览|联网|上网|搜索|接入)",
    r"(?:无法|不能|没办法|没法)(?:直接|准确|确切)?(?:告诉|告知)(?:您|你)",
    r"\bi(?:'d| would)(?: \w+)? (?:need|have) to (?:see|know|check|review|look)\b",
    r"\bno way (?:for (?:me|us) to|to|of) (?:know|tell|say|determin|check)",
    r"\bguess is as good as mine\b|\bi wish i knew\b",
    r"我对[^,.]{0,16}(?:不了解|不熟悉|一无所知|不清楚|没有了解)",
    rf"{_CANNOT}(?:[^\W\d_a-z]{{0,4}}?)(?:回答|作答|解答|答复|确定|确认|判断|得知|知晓|查证|核实|知道|给出|奉告"
    rf"|断定|推断|得出|提供|说明|获知|了解到)",
    r"说不准|说不好|说不清|拿不准|吃不准|答不上|不好说|很难说",
    r"不得而知|尚不清楚|无从考证|不予置评|具体不详",
    r"[^\W\d_a-z](?:不详|未知|不明)\W*$",
    r"\bi (?:really |simply |honestly |just )?(?:do not|don't|dont|did not|didn't) (?:\w+ )?(?:know|have (?:an "
    r"|any |enough |sufficient |access|the |that |information|specific|real)|recall|understand (?:the|your)"
    r" question)",
    r"\bi(?: am|'m) (?:\w+ )?(?:not sure|unsure|not certain|uncertain|not aware|unaware)\b",
    r"\bi have no (?:idea|comment|information|opinion|clue|knowledge)|^\W*no (?:comment|idea|clue)\b|\b(?:nobody|no"
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
    r"(?:不能|无法|没法|不会)(?:帮|替)(?:您|你|忙)",
    r"帮不了|帮不上|爱莫能助|恕不(?:奉陪|提供|协助|回答|奉告|受理)|恕我(?:拒绝|不能|无法|难以|不便)|我(?:必须|只能|得)?(?:婉拒|谢绝|拒绝)(?![了过])",
    r"我(?:是|绝|绝对)?不会(?:写|做|教|帮|给|提供|说|参与|配合|回答)",
    r"\bi (?:can ?not|can't|won't|will not) be (?:a )?part of\b|\bnot something (?:that )?i(?:'m| can| am| will|'ll)\b",
    r"我?(?:不能|无法|没办法|没法|不便|不方便|不想)(?:跟您|和您|跟你|和你|与您|再|继续)?(?:聊|谈论|谈这)",
    r"(?:不便|不方便|不宜)[^,.]{0,4}(?:回答|答复|回应|评论|置评)",
    r"\bi(?:'d| would) (?:rather|prefer) not\b",
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
    r"违法|犯法|不道德|犯罪行为|有违|(?:涉及|侵犯)[^,.]{0,8}(?:隐私|个资|机密)",
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
    r"^\W*请(?:您)?(?:(?:提供|补充|说明|明确)(?:更多|具体|一下)|补充|告诉我|告知我)",
    r"^\W*(?:请问)?(?:您|你)(?:是(?!否|不是))?(?:想|要|指|说|问|在)[^.?]{1,30}还是[^.?]{1,30}(?:[?呢]|$)",
    r"^\W*(?:do|did|are) you (?:mean|meaning|refer|referring|asking|ask|talking)\b",
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
    r"好像|似乎|貌似|印象中|推测|推算|推断为|猜测|估计|应该?(?:是|为|在|有)|大概|大约|大致|约[^定束]|可能(?:是|为|在)|也许|或许"
    r"|通常(?:是|为)|一般(?:是|为)|惯例|显示为?|看来|答案(?:是|为)|其实是|据说",
    r"\b(?:probably|maybe|perhaps|likely|presumably|possibly|appears? to be|seems? to be|i (?:think|believe|guess"
    r"|assume|would say)|the answer is|my guess|may be|might be|could be|can infer|i can (?:tell|assure) you"
    r"|estimated|approximately|around|roughly)\b",
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
    rf"(?:{_SOURCE}|片段|内容|记录)[^,.]{{0,8}}(?:只|仅|主要|提到了|提及了|讨论|介绍|涉及)",
    rf"\b{_DOC}\b[^.;]{{0,60}}\bonly\b|\b{_DOC} (?:\w+ )?(?:discuss|focus|deals? with|is about|are about)",
    r"建议|请(?:联系|咨询|查阅|参考|核实|补充|提供|您|查看)|欢迎|如(?:果|需|有)(?:您|你|需要|其他|任何|更多)"
    r"|可以?(?:直接|另行|再|向其)?(?:致电|拨打|打电话|联系|咨询|来电|去电)"
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
    r"^\W*(?:作为[^,.]{0,16}(?:模型|助手|ai|机器人)|(?:感谢|谢谢)[^,.]{0,14}|(?:翻遍|通读|看遍|读完)[^,.]{0,14}|(?:经过?|我)(?:已|仔细|认真|反复|再次|全面){0,3}(?:查阅|查看|查找|检索|阅读|核对|翻阅|浏览)了?[^,.不没未]{0,20}"
    r"|(?:很|非常|十分|真的)?(?:抱歉|对不起|不好意思|遗憾)|你好|您好|(?:根据|依据|依|基于|从|按照|按|就|关于"
    r"|针对|出于|鉴于|由于|截至)[^,.]{0,40}|经查(?:阅|询)?|目前|综上(?:所述)?|(?:这|此)[^,.]{0,6}问题)\W*$",
    r"^\W*(?:i (?:have |'ve )?(?:carefully )?(?:looked|searched|checked|read|gone|reviewed)\b[^,.]{0,60}"
    r"|(?:i(?:'m| am) )?(?:\w+ )?(?:sorry|afraid)[^.]{0,80}|i apologi[sz]e[^.]{0,80}|unfortunately|hello|hi"
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
    r"(?:证人|被告人?|原告|当事人|他们?|她们?|对方|警方|检方|律师|家属|发言人|嫌疑人)[^,.我]{0,8}(?:表示|称|说|回答|供述|承认|坦言|陈述)",
    r"\b(?:said|says|testified|claimed|stated|admitted|replied) (?:that )?(?:he|she|they)\b",
    r"\b(?:it|code|error|message|status|warning) means?\b|意思是|是指|指的是",
)
"""Somebody else's words follow."""

YES_NO = cue(
    r"吗|是否|有没有|有无|能否|可否|会不会|是不是|能不能|可不可以",
    r"^\W*(?:do|does|did|is|are|was|were|can|could|has|have|had|will|would|should|may)\b",
)
"""A question that asks for yes or no."""

WORDING = cue(
    r"翻译|译成|怎么说|造句|改写|润色|\btranslat|\bhow (?:do|would) (?:you|i|we) say\b|\brephrase\b|\brewrite\b",
)
"""A question that asks for words, which may be those of a refusal."""

LISTS = cue(rf"{_SOURCE}[^,.]{{0,6}}(?:列出|列明|列举|介绍|说明|记载|给出|提供|包含|写|讲|谈|讨论|描述)(?:了|到|的是)")
"""The source speaks of other things."""

WORLD = cue(r"(?:没有|尚未|未|还没有?|并未)(?:被)?(?:发现|找到|证实)|没有[^,.]{0,10}证据")
"""What the world does not know, which answers a question for yes or no."""

OF_SOURCE = cue(rf"{_SOURCE}|{_WHICH}{_INFO}|{_INFO}(?:中|里|内)")
"""Speaks of the source, not of the world."""

UNSURE = cue(
    r"\bi (?:can ?not|can't|could ?not|couldn't) (?:really |honestly |quite )?(?:say|tell)\b(?! you (?:how|to))"
)
"""Cannot say: does not know, rather than will not."""

THIRD = cue(
    r"(?:原告|被告人?|当事人|证人|申请人|他们?|她们?|对方|商家|客户|警方|检方|双方|买方|卖方|甲方|乙方|借款人|嫌疑人)[^,.我]{0,6}$",
    r"\b(?:he|she|claimant|plaintiff|defendant|witness(?:es)?|applicant|police|prosecutors?|driver|buyer|seller|tenant"
    r"|landlord|employee|victim|company)(?: \w+){0,2} ?$",
)
"""Somebody else is the one who cannot, in front of the declining words."""

WHY = cue(r"为何|为什么|为啥|原因|怎么会|\bwhy\b|\breasons?\b")
"""A question for reasons, among which may be what somebody did not do."""

ASKS_LACK = cue(
    r"(?:没有?|未|不)[^,.?]{1,6}(?:什么|哪些?|谁)|缺少|缺了|缺什么|遗漏|漏了|没有提到什么|未提及|未提到",
    r"\bmissing\b|\black|\bomit|\bleft out\b",
)
"""A question for what is not there."""

HOUSE_RULE = cue(
    r"\bwe (?:\w+ )?(?:can ?not|can't|do not|don't|won't|will not)\b"
    r"(?! (?:\w+ ){0,2}?(?:help|assist|provid|answer|support|comply|have|find|know|disclos))"
)
PERMISSION = cue(r"^\W*(?:can|could|may|do|does|will|would) (?:i|we|customers|guests|visitors|members|people|my)\b")
"""A house's rule (we can't give refunds) is the answer to a question for permission."""

DISCLAIMS = cue(
    r"\b(?:financial|medical|legal|professional|personali[sz]ed|investment|tax)(?: \w+)?"
    r" (?:advice|diagnos\w+|opinion|advisor)"
)
"""A disclaimer before the answer."""

BECAUSE = cue(r"因为|由于|^\W*因(?![此而])|\bbecause\b|\bsince\b|\bas (?:the|he|she|they)\b")
"""A reason given, which is an answer to why."""

MAY_DECLINE = cue(
    r"[不没无未难缺拒恕歉阙哪空]|[您你][是想要]|请补充|请告|超出|请问|有限|只字|为空|孤陋|ません|ない",
    r"\bno(?:t|r|ne)?\b|n't\b|\bagainst\b|\bcan ?not\b|\bnever\b|\bunable\b|\bun(?:known|clear|specified"
    r"|available)|sorry|apolog|silent|insufficient|\black|\bfail|\bdecline|\brefuse|\bnull\b|\bn/?a\b|\bnil\b"
    r"|missing|\bclarify\b|\bwhich\b|please|illegal|ethical|\bbeyond\b|\boutside\b|\bimpossible\b|\blittle\b"
    r"|\bneither\b|\bnothing\b|\bas good as mine\b|\bwish i knew\b"
    r"|cant\b|\bdont\b|\bdifficult\b|\bundetermined\b|condemn|disagree|discriminat|acceptable"
    r"|offensive|\bcould you\b|\byou (?:mean|refer|ask)|\bneed to\b|\bhave to\b",
)
"""Cheap first look: a text without any of these declines nothing."""
