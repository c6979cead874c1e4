"""Why a verdict of the legal benchmark came out as it did, in each language."""

from ragstone.core.language import Text

PHRASES: dict[str, Text] = {
    "silent": Text("the answer is empty, and silence earns nothing", "回答为空，沉默不得分"),
    "declined": Text("it declines although the source has the answer", "原文有答案却拒答"),
    # fact_exact
    "fact.match": Text(
        "{field}: {found:q} is {expected} (rule: {rule})", "{field}：{found:q}即{expected}（规则：{rule}）"
    ),
    "fact.wrong": Text(
        "{field}: expected {expected}, the answer says {others:or}", "{field}：预期{expected}，回答为{others:or}"
    ),
    "fact.several": Text(
        "{field}: expected {expected}, but the answer also states {others:or}",
        "{field}：预期{expected}，但回答还给出了{others:or}",
    ),
    "fact.missing": Text(
        "{field}: expected {expected}, the answer states none", "{field}：预期{expected}，回答中没有给出"
    ),
    "fact.open": Text(
        "{field}: expected {expected}, which the answer leaves open ({rule})",
        "{field}：预期{expected}，回答中未能确定（{rule}）",
    ),
    "fact.contradicted": Text(
        "{field}: the field is right, but the text says {others:or}",
        "{field}：字段正确，但文本中写的是{others:or}",
        "{field}：欄位正確，但文本中寫的是{others:or}",
    ),
    # citations
    "citation.right": Text("every critical piece of evidence is cited on its page", "关键证据均已引用且页码正确"),
    "overall_percentage": Text("overall percentage: {value}", "总得分率：{value}"),
    "legal.no_quote": Text(
        "quote_required asks for a quote, and the question has none: give required_quote or additional_quotes",
        "quote_required 要求引用原话，但该题没有原话：请给出 required_quote 或 additional_quotes",
    ),
    "citation.not_required": Text("no citation is asked for", "该题不要求引用"),
    "citation.none": Text("page {page} with {words:q} is not cited", "未引用第{page}页的{words:q}"),
    "citation.wrong_page": Text(
        "wrong page: cited page {found}, but {words:q} is on page {page}",
        "页码错误：引用了第{found}页，而{words:q}在第{page}页",
    ),
    "citation.wrong_document": Text(
        "wrong document: cited {file:q} for {words:q} (page {page})",
        "文档错误：{words:q}（第{page}页）引用成了{file:q}",
        "文件錯誤：{words:q}（第{page}頁）引用成了{file:q}",
    ),
    "citation.wrong_quote": Text(
        "page {page} is right, but the quote does not hold {words:q}", "第{page}页正确，但引文不含{words:q}"
    ),
    "citation.unproved": Text(
        "page {page} is named without a quote that holds {words:q}, and the source does not prove it",
        "只写了第{page}页，没有含{words:q}的引文，且无法由原文核实",
    ),
    "citation.not_in_source": Text("the quote {quote:q} is nowhere in the source", "原文中没有引文{quote:q}"),
    "citation.not_on_page": Text(
        "the quote {quote:q} is not on page {page} of the source", "引文{quote:q}不在原文第{page}页"
    ),
    # evidence_set
    "evidence.recall_met": Text("recall {hit}/{total} reaches {least}", "召回 {hit}/{total}，达到 {least}"),
    "evidence.recall_low": Text(
        "recall {hit}/{total} is below {least}; missing: {missing:and}",
        "召回 {hit}/{total}，低于 {least}；缺少：{missing:and}",
    ),
    "evidence.precision_met": Text("precision {good}/{total} reaches {least}", "精确率 {good}/{total}，达到 {least}"),
    "evidence.precision_low": Text("precision {good}/{total} is below {least}", "精确率 {good}/{total}，低于 {least}"),
    "evidence.misplaced": Text(
        "wrong page: {words:q} is on page {page}, the answer gives another",
        "页码错误：{words:q}在第{page}页，回答写了别的页码",
    ),
    "evidence.cited": Text("evidence carries its place", "证据注明了出处"),
    "evidence.uncited": Text(
        "no evidence names its page or document", "没有任何证据注明页码或文档", "沒有任何證據註明頁碼或文件"
    ),
    "evidence.too_few": Text(
        "{given} pieces of evidence, at least {least} were asked for", "只给出 {given} 条证据，要求至少 {least} 条"
    ),
    # conflict_gap
    "gap.abstained": Text("it declines, as it should (rule: {rule})", "正确拒答（规则：{rule}）"),
    "abstention.answered_answerable": Text("answerable, answered", "可答，已作答"),
    "abstention.abstained_answerable": Text("answerable, declined (over-refusal)", "可答，却拒答（过度拒答）"),
    "abstention.answered_unanswerable": Text("unanswerable, answered (unsupported)", "不可答，却作答（无依据）"),
    "abstention.abstained_unanswerable": Text("unanswerable, declined", "不可答，已拒答"),
    "abstention.silent_answerable": Text("answerable, silent", "可答，无回答"),
    "abstention.silent_unanswerable": Text("unanswerable, silent", "不可答，无回答"),
    "gap.answered": Text("it answers, as it should", "正确作答"),
    "gap.over_refusal": Text(
        "it declines although the source has the answer (rule: {rule})", "原文有答案却拒答（规则：{rule}）"
    ),
    "gap.unsupported_answer": Text(
        "it answers although the source leaves this open", "原文没有答案，本应拒答却作了回答"
    ),
    "gap.honest": Text("it invents no specifics", "没有编造具体信息"),
    "gap.invented": Text(
        "it invents {items:and}, found neither in the source nor in the question",
        "编造了{items:and}，原文和问题中均没有",
    ),
    "gap.quoted": Text("it quotes {quote:q}", "引用了原话{quote:q}"),
    "gap.unquoted": Text("the quote {quote:q} is missing", "缺少必须引用的原话{quote:q}"),
    "gap.quote_not_asked": Text("no quote is asked for", "该题不要求引用原话"),
    "gap.penalty": Text(
        "hallucination penalty {level:q}: the score is multiplied by {factor}",
        "幻觉惩罚等级{level:q}：得分乘以 {factor}",
    ),
    # check
    "legal.not_on_page": Text(
        "{words:q} is not on page {page} of {document:q}; it is on page: {pages}. Correct the page or the words.",
        "{words:q}不在{document:q}的第{page}页；所在页：{pages}。请更正页码或文字。",
    ),
    "legal.nowhere": Text(
        "{words:q} is on no page of {document:q}. Correct the words, or see whether the document holds any text.",
        "{document:q}的任何一页都没有{words:q}。请更正文字，或检查该文档是否为空。",
        "{document:q}的任何一頁都沒有{words:q}。請更正文字，或檢查該文件是否為空。",
    ),
    "legal.other_speaker": Text(
        "{words:q} on page {page} is said in: {found}; the file says {expected:q}.",
        "第{page}页的{words:q}属于：{found}；文件写的是{expected:q}。",
    ),
    "legal.no_evidence": Text(
        "a citation is asked for, but there is no critical evidence to cite: its 0.3 goes to any answer that names a page or a document.",
        "要求引用，但没有可引用的关键证据：任何注明页码或文档的回答都会得到这 0.3 分。",
    ),
    "legal.too_many_wanted": Text(
        "evidence_count_min is {least}, but only {total} pieces of evidence are listed.",
        "evidence_count_min 为 {least}，但只列出了 {total} 条证据。",
    ),
    "legal.always_met": Text(
        "{field} is 0: any answer that is not empty meets it.", "{field} 为 0：任何非空回答都能达到。"
    ),
    "legal.abstain_unsaid": Text(
        "should_abstain is absent; declining is taken to be right.", "没有 should_abstain，按应当拒答处理。"
    ),
    "legal.nothing_to_compare": Text(
        "{words:q} has no letters or digits to compare: anything matches it.",
        "{words:q}没有可比较的字符：任何内容都能匹配。",
    ),
    "legal.imperfect": Text(
        "the perfect answer to this question scores only {score}: {why}", "该题的标准答案只能得 {score} 分：{why}"
    ),
}
