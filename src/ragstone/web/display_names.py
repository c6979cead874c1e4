"""Display names, by language, of the identifiers in a run's files: error tags, rungs, parts of a verdict.

An identifier that is not listed is shown as it is; a contract adds names for its error tags as phrases `tag.NAME`.
"""

from collections.abc import Mapping

from ragstone.core.language import Lang, Text

DISPLAY_NAMES: dict[str, Text] = {
    # how an answer was read
    "direct": Text("direct", "直接读取"),
    "unfenced": Text("unfenced", "去掉代码围栏"),
    "balanced": Text("balanced", "从文字中取出"),
    "repaired": Text("repaired", "修复后读取"),
    "failed": Text("failed", "无法读取"),
    # where and why nothing could be scored
    "ask": Text("ask", "提问"),
    "read": Text("read", "解析"),
    "score": Text("score", "评分"),
    "unparsed": Text("unparsed", "无法解析"),
    "silent": Text("silent", "回答为空"),
    "not_scored": Text("not scored", "未评分"),
    "exception": Text("exception", "程序异常"),
    "prose": Text("prose", "混有其他文字"),
    "not_json": Text("not JSON", "不是 JSON"),
    "not_object": Text("not an object", "不是对象"),
    "not_unicode": Text("not Unicode", "不是有效的 Unicode"),
    "missing_field": Text("missing field", "缺少字段"),
    "wrong_type": Text("wrong type", "类型不对"),
    "over_limit": Text("over the limit", "超出数量"),
    "refused": Text("refused", "连接被拒绝"),
    "offline": Text("offline", "离线模式拒绝"),
    "dns": Text("host name", "主机名无法解析"),
    "tls": Text("TLS", "安全连接失败"),
    "timeout": Text("timeout", "超时"),
    "timeout_connect": Text("timeout: connecting", "连接超时"),
    "timeout_first_byte": Text("timeout: first byte", "首字节超时"),
    "timeout_total": Text("timeout", "总时长超时"),
    "reset": Text("connection broken", "连接中断"),
    "cut_off": Text("cut off", "响应被截断"),
    "damaged": Text("damaged reply", "响应损坏"),
    "not_http": Text("not HTTP", "不是 HTTP"),
    "http_3xx": Text("status 3xx", "重定向（3xx）"),
    "http_4xx": Text("status 4xx", "请求被拒（4xx）"),
    "http_5xx": Text("status 5xx", "服务出错（5xx）"),
    "rate_limited": Text("too many requests", "请求过多"),
    "html_page": Text("a web page", "返回了网页"),
    "empty_choices": Text("no choice", "没有候选回答"),
    "content_filtered": Text("content filter", "被内容过滤拦截"),
    "missing_path": Text("nothing at the path", "响应中没有该路径"),
    "reported": Text("reported by the service", "服务报告错误"),
    "too_large": Text("too large", "响应过大"),
    "wrong_id": Text("wrong id", "响应与请求不符"),
    "stray": Text("stray reply", "无人请求的响应"),
    "handles": Text("file handles", "文件句柄不足"),
    "budget": Text("budget", "预算用完"),
    "circuit_open": Text("endpoint down", "接口中断"),
    # kinds of errors
    "no_key_point": Text("no key point", "未覆盖关键点"),
    "key_point_missed": Text("key point missed", "遗漏关键点"),
    "no_citation": Text("no citation", "没有引用"),
    "wrong_document": Text("wrong document", "引用文档错误"),
    "also_wrong_document": Text("also a wrong document", "另有错误引用"),
    "wrong_page": Text("wrong page", "页码错误"),
    "wrong_quote": Text("wrong quote", "引文不符"),
    "citation_unproved": Text("citation unproved", "引用无法核实"),
    "quote_not_on_page": Text("quote not on its page", "引文不在该页"),
    "over_refusal": Text("declined without need", "不该拒答"),
    "unsupported_answer": Text("unsupported answer", "应拒答而作答"),
    "hallucination": Text("hallucination", "编造内容"),
    "no_quote": Text("no quote", "缺少原话"),
    "invented_person": Text("invented a person", "编造人名"),
    "invented_organisation": Text("invented an organisation", "编造机构"),
    "invented_address": Text("invented an address", "编造地址"),
    "invented_amount": Text("invented an amount", "编造金额"),
    "invented_date": Text("invented a date", "编造日期"),
    "invented_place": Text("invented a place", "编造地点"),
    "invented_phone": Text("invented a phone number", "编造电话"),
    "invented_percent": Text("invented a percentage", "编造百分比"),
    "invented_id": Text("invented an id", "编造证件号"),
    "invented_count": Text("invented a count", "编造数量"),
    "invented_account": Text("invented an account", "编造账号"),
    "invented_email": Text("invented an e-mail address", "编造邮箱"),
    "invented_url": Text("invented a link", "编造链接"),
    "invented_product": Text("invented a product", "编造产品"),
    "invented_claim": Text("told what the source does not", "说了原文没有的内容"),
    "low_recall": Text("low recall", "召回不足"),
    "low_precision": Text("low precision", "精确率不足"),
    "too_few_evidence": Text("too little evidence", "证据过少"),
    "negated": Text("negated", "被否定"),
    "asked": Text("asked", "只是提问"),
    "supposed": Text("supposed", "只是假设"),
    "guessed": Text("guessed", "只是猜测"),
    "outdated": Text("outdated", "已过时"),
    "corrected": Text("corrected", "已被更正"),
    "number_changed": Text("number changed", "数值不同"),
    "value_missing": Text("value not given", "未给出该值"),
    "name_missing": Text("name not given", "未给出该名称"),
    "asked_for": Text("what was asked for", "所问之值"),
    "swapped": Text("swapped", "主客颠倒"),
    "wrong_unit": Text("wrong unit", "单位错误"),
    "out_of_tolerance": Text("out of tolerance", "超出容差"),
    "missing_item": Text("missing item", "缺少项"),
    "extra_item": Text("extra item", "多余项"),
    "wrong_order": Text("wrong order", "顺序错误"),
    "scored_by_coverage": Text("scored by coverage", "按覆盖率评分"),
    # parts of a gold and of a verdict
    "points": Text("points", "关键点"),
    "key_points": Text("key points", "关键点"),
    "point": Text("point", "关键点"),
    "documents": Text("documents", "文档"),
    "document": Text("document", "文档"),
    "wrong_documents": Text("wrong documents", "错误文档"),
    "verdict": Text("verdict", "判定"),
    "rule": Text("rule", "规则"),
    "params": Text("params", "参数"),
    "span": Text("span", "位置"),
    "fields": Text("fields", "字段"),
    "field": Text("field", "字段"),
    "outcome": Text("outcome", "结果"),
    "expected": Text("expected", "预期"),
    "found": Text("found", "实际"),
    "got": Text("got", "实际"),
    "others": Text("others", "其他说法"),
    "citation": Text("citation", "引用"),
    "citations": Text("citations", "引用"),
    "abstention": Text("abstention", "拒答情况"),
    "abstained": Text("abstained", "拒答"),
    "answered": Text("answered", "作答"),
    "answerable": Text("answerable", "可回答"),
    "unanswerable": Text("unanswerable", "不可回答"),
    "evidence": Text("evidence", "证据"),
    "quote": Text("quote", "引文"),
    "quotes": Text("quotes", "引文"),
    "page": Text("page", "页码"),
    "file": Text("file", "文件"),
    "part": Text("part", "评分内容"),
    "threshold": Text("threshold", "及格线"),
    "section": Text("section", "章节"),
    "speaker": Text("speaker", "说话人"),
    "precision": Text("precision", "精确率"),
    "recall": Text("recall", "召回率"),
    "grounding": Text("grounding", "出处依据"),
    "row": Text("row", "数据行"),
    "keywords": Text("keywords", "关键词"),
    "must_include": Text("must include", "必须包含"),
    "source_map": Text("source map", "来源表"),
    "refs": Text("refs", "出处"),
    "anchors": Text("anchors", "锚点"),
    "said": Text("said", "原工具的说明"),
    "answer": Text("answer", "回答"),
    "match": Text("match", "相符"),
    "wrong": Text("wrong", "不符"),
    "missing": Text("missing", "缺失"),
    "several": Text("several", "说法不一"),
    "contradicted": Text("contradicted", "自相矛盾"),
    "type": Text("type", "类型"),
    "class": Text("class", "类别"),
    "kind": Text("kind", "类型"),
    "open": Text("open", "未定"),
    "at_most": Text("at most", "最高可达"),
    "judged": Text("judged", "判定结果"),
    "verdicts": Text("verdicts", "判定"),
    "by": Text("by", "判定者"),
    "who": Text("who", "由谁"),
    "judge": Text("judge", "裁判"),
    "person": Text("person", "人工"),
    "people": Text("people", "人工判定"),
    "probability": Text("probability", "抽中概率"),
    "strata": Text("strata", "分层"),
    # kinds of questions
    "states": Text("states", "说出要点"),
    "declines": Text("declines", "拒绝作答"),
    "supported": Text("supported", "来源支持"),
    "equivalent": Text("equivalent", "答案一致"),
    "meets": Text("meets", "符合标准"),
    "yes": Text("yes", "是"),
    "no": Text("no", "否"),
    "unsure": Text("unsure", "不确定"),
    "verbatim": Text("verbatim", "原文一致"),
    "coverage": Text("coverage", "词语覆盖"),
    "not_found": Text("not found", "未找到"),
    "empty": Text("empty", "为空"),
}
ENDS = ("match", "wrong", "missing", "several", "contradicted", "answerable", "unanswerable")
"""Suffixes of compound identifiers such as amount_total_wrong."""
NAME_FIELDS = frozenset({"verdict", "outcome", "rule", "abstention", "field", "class", "by", "kind"})
"""Fields of a verdict whose values are identifiers with display names."""


def display_name(name: str, lang: Lang, more: Mapping[str, Text] | None = None) -> str:
    """Return the display name of an identifier; when it is unknown, the identifier itself.

    >>> display_name("no_key_point", "zh-Hans"), display_name("amount_total_wrong", "zh-Hans")
    ('未覆盖关键点', 'amount_total：不符')
    >>> display_name("amount_total_wrong", "en")
    'amount_total: wrong'
    >>> display_name("ours", "zh-Hans")
    'ours'
    """
    known = more or {}
    text = known.get(f"tag.{name}") or known.get(name) or DISPLAY_NAMES.get(name)
    if text is not None:
        return text.say(lang)
    between = ": " if lang == "en" else "："
    head, colon, rest = name.partition(":")
    if colon and rest:
        return f"{display_name(head, lang, more)}{between}{display_name(rest, lang, more)}"
    for end in ENDS:
        if name.endswith(f"_{end}"):
            return f"{display_name(name.removesuffix(f'_{end}'), lang, more)}{between}{display_name(end, lang, more)}"
    return name
