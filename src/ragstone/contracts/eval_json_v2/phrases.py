"""What is measured, and why it came out as it did, in every language."""

from ragstone.core.language import Text
from ragstone.core.types import MetricSpec

SCORE = MetricSpec(name="score", label=Text("score", "总分"), kind="points", headline=True, also=("eval_score_avg",))
SCHEMA_OK = MetricSpec(
    name="schema_ok",
    label=Text("schema pass rate", "格式通过率"),
    kind="flag",
    headline=True,
    also=("schema_pass_rate",),
)
SEVEN = (
    MetricSpec(name="target_audience", label=Text("target audience", "目标对象", "目標對象"), kind="flag"),
    MetricSpec(name="main_topic", label=Text("main topic", "主题"), kind="flag"),
    MetricSpec(name="sub_topic", label=Text("sub topic", "子主题"), kind="flag"),
    MetricSpec(name="detailed_description_f1", label=Text("description F1", "详细描述 F1"), kind="ratio"),
    MetricSpec(name="original_evidence", label=Text("evidence", "原文证据"), kind="ratio"),
    MetricSpec(name="predicted_questions_f1", label=Text("predicted questions F1", "预测问题 F1"), kind="ratio"),
    MetricSpec(name="grounding", label=Text("grounding", "来源可追溯"), kind="ratio"),
)
COVERAGE = MetricSpec(
    name="coverage",
    label=Text("coverage (older form)", "覆盖率（旧格式）"),
    kind="ratio",
    headline=True,
)
BESIDE = (
    MetricSpec(name="raw_score", label=Text("raw score", "原始得分"), kind="points"),
    MetricSpec(name="repaired_score", label=Text("repaired score", "修复后得分"), kind="points"),
)
RETRIEVAL = (
    MetricSpec(
        name="retrieval_recall",
        label=Text("retrieval recall", "检索召回率"),
        kind="ratio",
    ),
    MetricSpec(name="reciprocal_rank", label=Text("reciprocal rank", "倒数排名"), kind="ratio"),
    MetricSpec(name="retrieval_ndcg", label=Text("nDCG", "nDCG"), kind="ratio"),
)

PHRASES: dict[str, Text] = {
    # an answer that is no answer
    "empty": Text("the answer is empty", "回答为空"),
    "not_json": Text("the answer is not JSON", "回答不是合法的 JSON"),
    "prose": Text("there is text around the JSON object", "JSON 对象前后有其他文字"),
    "two_objects": Text("the answer holds more than one JSON object", "回答含有不止一个 JSON 对象"),
    "truncated": Text("the JSON object is cut off", "JSON 对象被截断"),
    "not_object": Text("the answer is JSON, but not an object", "回答是 JSON，但不是对象"),
    "not_finite": Text("the JSON holds NaN or Infinity", "JSON 含有 NaN 或 Infinity"),
    "too_deep": Text("the JSON is nested too deeply", "JSON 嵌套过深"),
    "huge_number": Text("the JSON holds a number that is too long", "JSON 含有过长的数字"),
    "not_unicode": Text(
        "the JSON holds half of a surrogate pair, which is not a character", "JSON 含有不成对的代理字符"
    ),
    "missing_field": Text("missing field {fields:and}", "缺少字段 {fields:and}"),
    "wrong_type": Text("wrong type in field {fields:and}", "字段 {fields:and} 类型错误", "欄位 {fields:and} 型別錯誤"),
    "repaired": Text(
        "the JSON was repaired: raw score {raw}, repaired score {repaired}",
        "JSON 经修复：原始得分 {raw}，修复后得分 {repaired}",
    ),
    # what was lost
    "perfect": Text("every field is as expected", "所有字段均符合预期"),
    "label": Text("{metric}: expected {expected:q}, got {got:q}", "{metric}：预期为{expected:q}，实际为{got:q}"),
    "list": Text(
        "{metric}: {matched_expected} of {expected} expected items met, {matched_got} of {got} given ones belong there",
        "{metric}：预期 {expected} 条命中 {matched_expected} 条，给出 {got} 条中有 {matched_got} 条相符",
    ),
    "evidence": Text(
        "original_evidence: {hits} keyword hits ({full} are full marks), {length} characters ({long} are full marks)",
        "original_evidence：命中 {hits} 个关键词（{full} 个满分），长度 {length} 字（{long} 字满分）",
    ),
    "grounding": Text("grounding: {ok} of {total} references hold", "grounding：{total} 个来源中有 {ok} 个可追溯"),
    "no_sources": Text("grounding: no source is named", "grounding：未给出来源"),
    "no_contexts": Text(
        "grounding: the system gave no retrieved contexts, so no source can be traced",
        "grounding：系统未返回检索片段，无法追溯来源",
    ),
    "coverage": Text(
        "scored by coverage (older form): {found} of {total} strings found, missing {missing:and}",
        "按覆盖率评分（旧格式）：{total} 个字符串命中 {found} 个，缺少 {missing:and}",
    ),
    "covered": Text(
        "scored by coverage (older form): all {total} strings found", "按覆盖率评分（旧格式）：{total} 个字符串全部命中"
    ),
    # before the run
    "check.empty_gold": Text(
        "the expected {field:q} is empty, so that no answer can score there",
        "预期的 {field:q} 为空，任何回答都无法在此得分",
    ),
    "check.empty_list": Text(
        "the expected {field:q} is an empty list: only an empty list scores there",
        "预期的 {field:q} 是空列表：只有空列表能得分",
        "預期的 {field:q} 是空列表：只有空列表能得分",
    ),
    "check.blank_item": Text(
        "an item of the expected {field:q} is blank and can never be met", "预期的 {field:q} 中有空白项，永远无法命中"
    ),
    "check.short_evidence": Text(
        "the expected evidence has {length} characters: an answer that copies it is docked for being under {long}",
        "预期证据只有 {length} 字：照抄的回答会因不足 {long} 字被扣分",
    ),
    "check.unreachable": Text(
        "no answer can score more than {best} of 100 (lost in {fields:and})",
        "任何回答最高只能得 {best} 分（满分 100，失分于 {fields:and}）",
    ),
    "check.no_sources": Text(
        "the expected source_map names no source: retrieval cannot be measured",
        "预期的 source_map 没有来源：无法衡量检索",
    ),
    "check.anchor_missing": Text(
        "anchor {anchor:q} is not in {document:q}, page {page}",
        "锚点 {anchor:q} 不在 {document:q} 第 {page} 页中",
    ),
    "check.page_missing": Text("document {document:q} has no page {page}", "文档 {document:q} 没有第 {page} 页"),
    "check.older_form": Text(
        "the older form (must_include, keywords) is scored by coverage, not by the seven fields",
        "旧格式（must_include、keywords）按覆盖率评分，不按七个字段",
    ),
}
