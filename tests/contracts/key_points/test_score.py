"""Contract 2 to the letter: accuracy, citation, Notes."""

from collections.abc import Callable
from pathlib import Path

import pytest

from ragstone.contracts.key_points.contract import KeyPoints
from ragstone.core.interfaces import Source
from ragstone.core.types import Answer, Case, Citation, Context, Scorecard
from ragstone.runs.pipeline import explain

GOLD = ["API密钥配置错误", "模型端点错误"]


def _case(write_rows: Callable[..., Path], **row: object) -> tuple[KeyPoints, Case]:
    path = write_rows("x.jsonl", {"q": "NaN是怎么回事？", "gold": GOLD, "doc_hint": ["lightrag_faq.md"]} | row)
    contract = KeyPoints(Source(path=path))
    (case,) = contract.load()
    assert isinstance(case, Case)
    return contract, case


def _score(contract: KeyPoints, case: Case, answer: Answer) -> Scorecard:
    return contract.score(case, contract.read(case, answer))


@pytest.mark.parametrize(
    ("text", "accuracy", "citation"),
    [
        ("通常是API密钥配置错误。参考 lightrag_faq.md", 1, 1),
        ("通常是API密钥配置错误。参考 lightrag\\[_faq.md](_faq.md)", 1, 1),
        ("通常是ＡＰＩ密鑰配置錯誤，見 docs/LightRAG_FAQ.MD", 1, 1),
        ("通常是模型端点错误（来自 `lightrag\\_faq`）", 1, 1),
        ("NaN结果可重启服务解决。来自 [说明](docs/lightrag_faq.md#nan)", 0, 1),
        ("是API密钥配置错误，来自 ragas_install.md", 1, 0),
        ("是API密钥配置错误，来自 ragas_install.md 与 lightrag_faq.md", 1, 1),
        ("不是API密钥配置错误。", 0, 0),
        ("是不是API密钥配置错误呢？", 0, 0),
        ("", 0, 0),
        ("   \n", 0, 0),
    ],
)
def test_r2_1_and_r2_2_decide(write_rows: Callable[..., Path], text: str, accuracy: float, citation: float) -> None:
    """R2.1 a key point is stated; R2.2 a right document is named, however it is written."""
    card = _score(*_case(write_rows), Answer(text=text))

    assert (card.sub_scores["accuracy"], card.sub_scores["citation"]) == (accuracy, citation)
    assert card.passed == (accuracy == citation == 1)


def test_structured_references_count_and_contexts_do_not(write_rows: Callable[..., Path]) -> None:
    """R2.2 names the system's references; what was only retrieved is not cited."""
    contract, case = _case(write_rows)
    contexts = (Context("other.md"), Context("docs/lightrag_faq.md"), Context("third.md"))

    cited = _score(contract, case, Answer(text="模型端点错误", citations=(Citation("/a/lightrag_faq.md"),)))
    retrieved = _score(contract, case, Answer(text="模型端点错误", contexts=contexts))

    assert cited.sub_scores["citation"] == 1
    assert retrieved.sub_scores["citation"] == 0
    assert retrieved.sub_scores["retrieval_hit"] == 1
    assert retrieved.sub_scores["reciprocal_rank"] == 0.5
    assert cited.sub_scores["retrieval_hit"] is None


def test_recall_counts_every_point(write_rows: Callable[..., Path]) -> None:
    """key_point_recall is the share of all key points."""
    card = _score(
        *_case(write_rows, gold=["Redis", "Milvus", "Neo4j", "Qdrant"]), Answer(text="支持 Redis、Milvus 和 Neo4j")
    )

    assert card.sub_scores["key_point_recall"] == 0.75


def test_without_a_hint_citation_does_not_apply(write_rows: Callable[..., Path]) -> None:
    """An empty doc_hint is not applicable, counted as such, and the case can still pass."""
    card = _score(*_case(write_rows, doc_hint=[]), Answer(text="模型端点错误"))

    assert card.sub_scores["citation"] is None
    assert card.passed
    assert card.primary_score == 1


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "API密钥配置错误，来自 ragas_install.md",
            "引用了错误的文档 'ragas_install.md'，预期是 'lightrag_faq.md'。",
        ),
        (
            "NaN结果可重启服务解决（lightrag_faq.md）",
            "未覆盖gold中的任何关键点（预期提及'API密钥配置错误'或'模型端点错误'），仅回答了'NaN结果可重启服务解决（lightrag_faq.md）'。",
        ),
        (
            "API密钥配置错误或模型端点错误（lightrag_faq.md）",
            "准确率和引用率均符合预期，回答完整覆盖gold关键点且引用了正确文档 'lightrag_faq.md'。",
        ),
        ("API密钥配置错误", "未引用任何文档，预期是 'lightrag_faq.md'。"),
    ],
)
def test_r2_3_notes_are_the_documents(write_rows: Callable[..., Path], text: str, expected: str) -> None:
    """The Notes use the document's own words."""
    contract, case = _case(write_rows)

    assert expected == explain(contract, _score(contract, case, Answer(text=text)).reasons, "zh-Hans")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("退货须在7天内提出。", "the answer gives '7天内' instead of '30天内'"),
        ("网传退货须在30天内提出。", "'退货须在30天内提出' is mentioned, but denied"),
    ],
)
def test_a_missed_point_says_what_stands_in_its_place(write_rows: Callable[..., Path], text: str, said: str) -> None:
    """Another value is named as one; only what is really there is called mentioned."""
    contract, case = _case(write_rows, q="退货要在几天内提出？", gold=["退货须在30天内提出"])

    assert said in explain(contract, _score(contract, case, Answer(text=text)).reasons, "en")


def test_every_phrase_is_said_in_every_language(write_rows: Callable[..., Path]) -> None:
    """No verdict falls back to a code."""
    contract, case = _case(write_rows)
    for text in ("", "无关", "不是API密钥配置错误（x.md）", "模型端点错误 lightrag_faq.md x.md"):
        reasons = _score(contract, case, Answer(text=text)).reasons
        for lang in ("en", "zh-Hans", "zh-Hant"):
            said = explain(contract, reasons, lang)
            assert said
            assert not any(reason.code in said for reason in reasons)


@pytest.mark.parametrize(
    ("text", "citation", "wrong"),
    [
        ("42000元，见 docs/a/guide.md。", 1.0, []),
        ("42000元，见 guide.md。", 1.0, []),
        ("42000元，见 guide。", 1.0, []),
        ("42000元，见 docs/b/guide.md。", 0.0, ["docs/b/guide.md"]),
        ("42000元，见 docs/b/guide.md，如 guide.md 所述。", 0.0, ["docs/b/guide.md"]),
        ("42000元，见 docs/b/guide.md 和 docs/a/guide.md。", 1.0, ["docs/b/guide.md"]),
        ("42000元，见 guide.pdf。", 0.0, ["guide.pdf"]),
        ("42000元，不是来自 guide.md。", 0.0, []),
    ],
)
def test_r2_2_documents_are_told_apart(
    write_rows: Callable[..., Path], text: str, citation: float, wrong: list[str]
) -> None:
    """R2.2: a folder or an ending that both names give must agree; a bare name means the one given in full."""
    contract, case = _case(write_rows, gold=["42000元"], doc_hint=["docs/a/guide.md"])
    card = _score(contract, case, Answer(text=text))

    assert (card.sub_scores["citation"], card.details["wrong_documents"]) == (citation, wrong)


def test_what_no_rule_proves_is_open_and_counts_as_not_stated(write_rows: Callable[..., Path]) -> None:
    """Each verdict has a class, a rule and a place; the scorecard says what the figures would be at most."""
    card = _score(*_case(write_rows), Answer(text="大概是密钥填得不对吧。不是模型端点错误。"))

    classes = [(one["class"], one["rule"]) for one in card.details["points"]]
    assert classes == [("open", "not_found"), ("denied", "negated")]
    assert (card.sub_scores["accuracy"], card.details["at_most"]["accuracy"]) == (0, 1)
    assert card.details["at_most"]["key_point_recall"] == 0.5
