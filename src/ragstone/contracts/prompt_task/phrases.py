"""What the figures are called, and why they came out as they did, in every language."""

from ragstone.core.language import Text

_PARTS: dict[str, Text] = {
    "exact": Text("{name}", "{name}"),
    "own": Text("{name}", "{name}"),
    "ratio": Text("{name}", "{name}"),
    "mae": Text("{name}: mean error", "{name} 平均误差"),
    "within_tol": Text("{name}: within tolerance", "{name} 容差命中率"),
    "precision": Text("{name} precision", "{name} 精确率"),
    "recall": Text("{name} recall", "{name} 召回率"),
    "f1": Text("{name} F1", "{name} F1"),
    "order": Text("{name} order", "{name} 顺序"),
    "completeness": Text("field completeness", "字段完整度"),
    "coverage": Text("keyword coverage", "关键词覆盖率"),
    "consistency": Text("{name} consistency", "{name} 一致性"),
    "support_coverage": Text("{name} support coverage", "{name} 支撑覆盖率"),
    "claim_support": Text("{name}: supported claims", "{name} 有据论断占比"),
    "step_order": Text("{name} step order", "{name} 步骤顺序"),
    "step_coverage": Text("{name} step coverage", "{name} 步骤完整度"),
    "verifiability": Text("{name} verifiability", "{name} 可验证率"),
    "sufficiency": Text("{name} sufficiency", "{name} 证据充分率"),
}


def label(name: str, part: str) -> Text:
    """Name a figure of a metric."""
    if part not in _PARTS:
        return Text(f"{name} {part}", f"{name} {part}", f"{name} {part}")
    return Text(*(text.replace("{name}", name) for text in _PARTS[part]))


_READ = {
    "empty": Text("the answer is empty", "回答为空"),
    "not_json": Text("the answer is not JSON: {answer:q}", "回答不是合法的 JSON：{answer:q}"),
    "scalar": Text(
        "the answer is a lone value, not a JSON object", "回答是单个值，不是 JSON 对象", "回答是單個值，不是 JSON 物件"
    ),
    "not_object": Text("the answer is JSON, but not an object", "回答是 JSON，但不是对象"),
    "two_objects": Text("the answer holds more than one JSON object", "回答含有不止一个 JSON 对象"),
    "truncated": Text("the JSON object is cut off", "JSON 对象被截断"),
    "not_finite": Text("the JSON holds NaN or Infinity", "JSON 含有 NaN 或 Infinity"),
    "too_deep": Text("the JSON is nested too deeply", "JSON 嵌套过深"),
    "huge_number": Text("the JSON holds a number that is too long", "JSON 含有过长的数字"),
}
PROBLEMS = frozenset(_READ)
"""Why an answer could not be read."""

_FIELDS = {
    "missing_field": Text("the answer leaves out {fields:and}", "回答缺少字段 {fields:and}"),
    "empty_field": Text("{fields:and} is blank; the default is taken", "字段 {fields:and} 为空白，取默认值"),
    "wrong_type": Text("{fields:and} has the wrong type", "字段 {fields:and} 类型不符"),
    "not_text": Text(
        "{fields:and} is a list or an object and was kept as JSON text",
        "字段 {fields:and} 是列表或对象，按 JSON 文本保留",
        "欄位 {fields:and} 是列表或物件，按 JSON 文本保留",
    ),
    "out_of_range": Text("{fields:and} is out of range and was clamped", "字段 {fields:and} 超出范围，已截到边界"),
    "not_allowed": Text(
        "{fields:and} is none of the allowed values; the default is taken", "字段 {fields:and} 不在允许值之内，取默认值"
    ),
    "not_integer": Text(
        "{fields:and} is not a whole number; its fraction was cut off", "字段 {fields:and} 不是整数，小数部分已舍去"
    ),
    "too_long": Text("{fields:and} is longer than allowed and was cut", "字段 {fields:and} 超过最大长度，已截断"),
    "wrong_unit": Text("{fields:and} is in a unit that cannot be converted", "字段 {fields:and} 的单位无法换算"),
}

_SCORE = {
    "met": Text("everything that is measured is as labelled", "所有指标均与标注一致"),
    "fair": Text("primary score {score}; nothing stands out", "主分 {score}，无突出问题"),
    "repaired": Text("the JSON was broken ({problem}) and counts as repaired", "JSON 有误（{problem}），按修复后计分"),
    "no_label": Text(
        "the row has no label {field:q}: nothing to compare with, scored 0", "样本没有标签 {field:q}，无法比较，记 0 分"
    ),
    "not_given": Text("no {field:q} was given", "未给出 {field:q}"),
    "wrong_value": Text("{field:q} should be {expected:q}, was {got:q}", "{field:q} 应为 {expected:q}，实际为 {got:q}"),
    "off": Text(
        "{field:q} should be {expected}, was {got:short}: off by {error} (tolerance {tolerance})",
        "{field:q} 应为 {expected}，实际为 {got:short}，误差 {error}（容差 {tolerance}）",
    ),
    "off_unit": Text(
        "{field:q} should be {expected}, was {got:short}: the same figure in another unit",
        "{field:q} 应为 {expected}，实际为 {got:short}：数字相同而单位不同",
    ),
    "missing_item": Text("{field:q} misses {items:and}", "{field:q} 缺少 {items:and}"),
    "extra_item": Text("{field:q} has {items:and} too much", "{field:q} 多出 {items:and}"),
    "wrong_order": Text("{field:q} is not in the wanted order", "{field:q} 顺序不符"),
    "missing_step": Text(
        "{field:q}: {coverage:pct} of the labelled steps are there", "{field:q}：标注步骤只出现 {coverage:pct}"
    ),
    "rouge": Text(
        "{field:q}: {measure} {value:pct} against the reference",
        "{field:q} 与参考文本的 {measure} 为 {value:pct}",
        "{field:q} 與參考文本的 {measure} 為 {value:pct}",
    ),
    "missing_keyword": Text("{field:q} does not mention {items:and}", "{field:q} 未提及 {items:and}"),
    "incomplete": Text("not filled: {fields:and}", "未填写：{fields:and}"),
    "no_denominator": Text(
        "{name:q} does not apply: {field:q} of the row is {found:q}, nothing to divide by",
        "{name:q} 不适用：该行的 {field:q} 为 {found:q}，没有可作除数的值",
        "{name:q} 不適用：該列的 {field:q} 為 {found:q}，沒有可作除數的值",
    ),
    "ratio_above_one": Text("{name:q} is {value}, above 1, and is kept as 1", "{name:q} 为 {value}，大于 1，按 1 计"),
    "inconsistent": Text(
        "none of {fields:and} states the final answer {answer:q}",
        "{fields:and} 均未支持最终答案 {answer:q}",
        "{fields:and} 均未支持最終答案 {answer:q}",
    ),
    "missing_evidence": Text("labelled evidence not named: {items:and}", "未引用标注证据 {items:and}"),
    "extra_evidence": Text("evidence named that is not labelled: {items:and}", "引用了标注之外的证据 {items:and}"),
    "unverifiable_claim": Text(
        "{field:q}: {share:pct} of the claims name evidence that is there",
        "{field:q}：只有 {share:pct} 的论断引用了存在的证据",
    ),
    "metric_range": Text(
        "the metric {name:q} gave {value:q}, which is out of its range", "指标 {name:q} 的值 {value:q} 超出范围"
    ),
}

_CHECK = {
    "check.prompt_field": Text(
        "the prompt needs {field:and}; the row has: {fields}. Where it has them under another name, say so in the task: {hint}",
        "提示词需要字段 {field:and}；该行字段：{fields}。若字段名不同，请在任务中写明：{hint}",
    ),
    "check.prompt": Text("the prompt cannot be rendered: {problem}", "提示词无法渲染：{problem}"),
    "check.label_in_prompt": Text(
        "the prompt shows the label {field:q} to the model. Take it out of the template.",
        "提示词把标签 {field:q} 泄露给了模型。请从模板中去掉。",
    ),
    "check.label_unused": Text("no metric uses the label {field:q}", "没有指标使用标签 {field:q}"),
    "check.label_missing": Text(
        "the row has no {field:q}: that metric scores 0 here", "该行没有标签 {field:q}：相应指标在此记 0 分"
    ),
    "check.field_unknown": Text(
        "a metric reads {field:q}, which parse_schema does not have: it can only score 0",
        "指标读取的字段 {field:q} 不在 parse_schema 中，只能得 0 分",
    ),
    "check.nothing_compared": Text(
        "no metric compares with a label: the primary score is the share of fields that could be read",
        "没有指标与标签比较：主分为可读取字段的占比",
    ),
    "check.unreachable": Text(
        "even an answer made from the labels scores {best}: {reason}", "即使按标签作答也只能得 {best}：{reason}"
    ),
    "check.id": Text(
        "the row has neither sample_id nor id; it is called {id:q} after its line",
        "该行没有 sample_id 或 id，按行号称为 {id:q}",
    ),
}

PHRASES: dict[str, Text] = {**_READ, **_FIELDS, **_SCORE, **_CHECK}
