"""What a drafted row expects and what proves it, in words, whatever contract it is for."""

from collections.abc import Iterator, Mapping

from ragstone.core.language import Lang, Text
from ragstone.core.types import JSON
from ragstone.drafting.files.earlier import proofs_in
from ragstone.drafting.proving.golds import leaves
from ragstone.drafting.rows import ABSENT
from ragstone.text.visible import visible_block

_AS_IT_STANDS = (
    "gold",
    "gt_answer",
    "required_evidence.must_include",
    "expected.text_answer",
    "expected.entity",
    "expected.key_points",
    "expected.answer_example.detailed_description",
)
"""Fields that hold the words of an answer."""
_FILED = ("expected.evidence_count_min", "expected.answer_example.", "expected.source_map.")
"""Fields that say how an answer is filed or counted."""
_NAMED = {
    "expected.amount_total": Text("as a number: {value}", "数值：{value}", "數值：{value}"),
    "expected.count": Text("as a number: {value}", "数值：{value}", "數值：{value}"),
    "expected.date": Text("as a date: {value}", "日期：{value}"),
    "expected.answer_example.main_topic": Text("topic: {value}", "主题：{value}"),
    "expected.answer_example.sub_topic": Text("section: {value}", "小节：{value}", "小節：{value}"),
}
_YES, _NO = Text("yes", "是"), Text("no", "否")
_DECLINES = Text(
    "no answer: the documents do not tell it, and that is what is to be said",
    "没有答案：文档中没有说明，应当如实说明",
    "沒有答案：文件中沒有說明，應當如實說明",
)
_PLACE = Text("{document}, page {page}: {quote}", "{document} 第 {page} 页：{quote}")
_MISSING = {
    "swapped": Text("no document holds: {words:and}", "所有文档中都没有：{words:and}", "所有文件中都沒有：{words:and}"),
    "other_entity": Text(
        "nowhere told together: {words:and}", "没有一处同时说到：{words:and}", "沒有一處同時說到：{words:and}"
    ),
    "left_out": Text(
        "only in documents that the system is not given: {words:and}",
        "只见于不提供给系统的文档：{words:and}",
        "只見於不提供給系統的文件：{words:and}",
    ),
}


def answers_of(row: Mapping[str, JSON], lang: Lang) -> list[str]:
    """What a right answer says, one thing a line."""
    if row.get("should_abstain") is True:
        return [_DECLINES.say(lang)]
    told = list(leaves(row))
    words = [str(value) for name in _AS_IT_STANDS for field, value in told if field == name]
    lines = dict.fromkeys([*words, *(line for field, value in told for line in _typed(field, value, lang))])
    return [visible_block(line) for line in lines]


def _typed(field: str, value: JSON, lang: Lang) -> Iterator[str]:
    """A value that is not told by the words alone; one in a field that no contract is known to have is named."""
    if field in _NAMED:
        whole = isinstance(value, float) and value.is_integer()
        yield _NAMED[field].say(lang, {"value": str(int(value) if whole else value)})
    elif isinstance(value, bool) and field == "expected.boolean_answer":
        yield (_YES if value else _NO).say(lang)
    elif field.startswith("expected.") and field not in _AS_IT_STANDS and not field.startswith(_FILED):
        yield f"{field.removeprefix('expected.')}: {value}"


def proof_of(row: Mapping[str, JSON], lang: Lang) -> list[str]:
    """Where the quotations stand, or what no document tells."""
    absent = row.get(ABSENT)
    if isinstance(absent, dict) and absent.get("kind") in _MISSING:
        words = [str(word) for word in absent.get("words") or ()]
        return [visible_block(_MISSING[absent["kind"]].say(lang, {"words": words}))]
    places = ({name: str(one.get(name, "")) for name in ("document", "page", "quote")} for one in proofs_in(row))
    return list(dict.fromkeys(visible_block(_PLACE.say(lang, place)) for place in places))
