"""What people are told of a drafted set: why a question was refused, and why there are no more."""

from ragstone.core.language import Text

REFUSED = {
    "no_subject": Text("no subject of its own", "没有自己的主语"),
    "refers_back": Text("refers to another sentence", "指代其他句子"),
    "needs_context": Text("makes no sense without the document", "脱离文档无法理解"),
    "broken": Text("would not read well", "读起来不通顺"),
    "length": Text("too short or too long", "过短或过长"),
    "unsure": Text("the text itself is not sure", "原文语气不确定"),
    "leaks": Text("would give its answer away", "泄露答案"),
    "two_places": Text("another place fits too", "另有一处也符合"),
    "repeats": Text("nearly asked already", "与已有问题近似"),
    "no_form": Text("the contract has no form for it", "该契约没有对应写法"),
    "spread": Text("good, but its document or kind had enough", "可用，但其文档或类别已足够"),
    "quote_missing": Text("its quotation is not in the text", "引文不在原文中"),
    "no_question": Text("no question", "不是问句"),
    "no_value": Text("its quotation holds no value of the kind asked for", "引文中没有所问的数值或时间"),
    "no_language": Text("a language that only a model asks about", "该语言只能借助模型起草"),
    "language": Text("another language or script", "语言或字形不符"),
    "needs_document": Text("speaks of the text", "提及“本文”"),
    "off_topic": Text("not about its passage", "与所给文字无关"),
    "unreadable": Text("a reply that is no JSON", "回复不是 JSON"),
    "failed": Text("a call that failed", "请求失败"),
    "unproved": Text("its quotation was not found", "引文未能找到"),
}
STOPPED = {
    "": Text("the documents give no more good ones", "文档中没有更多合格的问题"),
    "passages": Text("every passage was shown to the model", "所有段落都已给模型看过"),
    "budget": Text(
        "the budget is spent; draft again with a larger one to go on", "预算已用完；提高预算后再次起草即可继续"
    ),
    "failures": Text("the model's calls kept failing; draft again to go on", "模型请求连续失败；再次起草即可继续"),
}
DIFFICULTIES = {
    "easy": Text("one place", "单处"),
    "medium": Text("two places", "两处"),
    "hard": Text("comparison", "比较"),
}
