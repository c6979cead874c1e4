"""A model's question is kept where its quotation answers it, and nothing else in the documents does."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.find import Found
from ragstone.drafting.model.fitting import answered_elsewhere
from ragstone.drafting.model.propose import passages
from ragstone.drafting.model.reply import judge

TEXTS = {
    "quay.md": "# Otter Quay Harbour Rules\n\nThese rules were adopted by the Otter Quay Harbour Board in 2011. "
    "The harbour master is Ilse Tornqvist.\n\n## Fees\n\nThe daily mooring fee is £28 for vessels up to 10 metres. "
    "The winter storage fee is £640 per season.\n\n| Vessel length | Daily fee | Annual fee |\n|---|---|---|\n"
    "| 8 to 12 m | £34 | £2,750 |\n| Over 12 m | £51 | £4,200 |\n",
    "bridge.md": "# Heron Bridge\n\nThe Heron Bridge crosses the Ilm. It was designed by the engineer Mara Oakfield "
    "and opened on 22 June 1934. The bridge is 1,180 metres long and cost 3.6 million crowns.\n",
    "clinic.md": "# 松鹤诊所就诊须知\n\n## 费用\n\n普通门诊挂号费为15元，专家门诊挂号费为60元。"
    "停车费每小时5元，每天最高40元。\n",
    "other.md": "# 云栖诊所就诊须知\n\n## 费用\n\n普通门诊挂号费为22元。\n",
    "park.md": "# 白鹭湿地公园\n\n白鹭湿地公园由建筑师顾听澜设计，于1997年10月1日开放。公园门票为25元。\n",
    "news.md": "# 白鹭湿地公园门票公告\n\n白鹭湿地公园停车场每次收费10元。自明年起白鹭湿地公园门票为30元。\n",
}
CORPUS = Corpus(tuple(Paper(name, str(at), (Page(1, text),)) for at, (name, text) in enumerate(TEXTS.items())))


def _told(name: str, question: str, quote: str) -> str:
    """The question as it is kept, or why it is not."""
    paper = CORPUS.by_name[name]
    found = [judge(question, quote, passage) for passage in passages(paper)]
    kept = next((one for one in found if isinstance(one, Found)), None)
    if kept is None:
        return next((one.reason for one in found if one.reason != "quote_missing"), "quote_missing")  # type: ignore[union-attr]
    return "two_places" if answered_elsewhere(kept.draft, kept.subject, CORPUS) else kept.draft.question


@pytest.mark.parametrize(
    ("name", "question", "quote"),
    [
        ("quay.md", "Who is the harbour master of Otter Quay?", "Ilse Tornqvist"),
        ("quay.md", "What is the annual fee for vessels over 12 m at Otter Quay?", "£4,200"),
        ("quay.md", "What is the daily fee for vessels of 8 to 12 m at Otter Quay?", "£34"),
        ("bridge.md", "Who designed the Heron Bridge?", "Mara Oakfield"),
        ("bridge.md", "How long is the Heron Bridge?", "1,180 metres"),
        ("bridge.md", "How much did the Heron Bridge cost?", "3.6 million crowns"),
        ("clinic.md", "松鹤诊所专家门诊挂号费是多少？", "60元"),
        ("park.md", "白鹭湿地公园由谁设计？", "顾听澜"),
    ],
)
def test_what_stands_once_is_kept(name: str, question: str, quote: str) -> None:
    """Though other sentences share its words."""
    assert _told(name, question, quote) == question


@pytest.mark.parametrize(
    ("name", "question", "quote", "kept"),
    [
        ("quay.md", "Who is the harbour master?", "Ilse Tornqvist", "According to “Otter Quay Harbour Rules”, who is"),
        ("clinic.md", "普通门诊挂号费是多少？", "15元", "根据《松鹤诊所就诊须知》中「费用」，普通门诊"),
    ],
)
def test_what_names_nothing_is_given_the_name_of_its_document(name: str, question: str, quote: str, kept: str) -> None:
    """As questions without a model are: another document would answer it too."""
    assert _told(name, question, quote).startswith(kept)


@pytest.mark.parametrize(
    ("name", "question", "quote", "reason"),
    [
        ("clinic.md", "松鹤诊所专家门诊挂号费是多少？", "15元", "two_places"),
        ("clinic.md", "松鹤诊所停车费每天最高多少元？", "5元", "two_places"),
        ("quay.md", "What is the annual fee for vessels over 12 m at Otter Quay?", "£51", "two_places"),
        ("quay.md", "What is the annual fee for vessels over 12 m at Otter Quay?", "£2,750", "two_places"),
        ("quay.md", "What is the winter storage fee at Otter Quay?", "£28", "off_topic"),
        ("quay.md", "Who adopted the harbour rules of Otter Quay?", "Ilse Tornqvist", "off_topic"),
        ("quay.md", "What is the daily fee at Otter Quay for 8 to 12 m?", "| 8 to 12 m | £34 |", "broken"),
        ("bridge.md", "How long is the Heron Bridge in metres?", "3.6 million crowns", "no_value"),
        ("bridge.md", "When did the Heron Bridge open?", "22 June", "quote_cut"),
        ("bridge.md", "Who designed the Heron Bridge, and when was it opened?", "Mara Oakfield", "refers_back"),
        ("bridge.md", "Who designed the Heron Bridge, and who opened the Heron Bridge?", "Mara Oakfield", "two_asked"),
        ("bridge.md", "Who designed the Sandrigg Bridge?", "Mara Oakfield", "off_topic"),
        ("bridge.md", "¿Quién diseñó el Heron Bridge?", "Mara Oakfield", "language"),
        ("bridge.md", "Qui a dessiné le Heron Bridge, who?", "Mara Oakfield", "language"),
        ("bridge.md", "Who designed the Heron Bridge <script>alert(1)</script>?", "Mara Oakfield", "hostile"),
        ("bridge.md", '=HYPERLINK("x") who designed the Heron Bridge?', "Mara Oakfield", "hostile"),
        ("bridge.md", "Who did not design the Heron Bridge?", "Mara Oakfield", "off_topic"),
        ("park.md", "白鹭湿地公园门票是多少钱？", "25元", "two_places"),
    ],
)
def test_what_its_quotation_does_not_answer_alone_is_refused(name: str, question: str, quote: str, reason: str) -> None:
    """Another value beside it, another document, another kind of thing, another language, an order to a program."""
    assert _told(name, question, quote) == reason
