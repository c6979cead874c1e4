"""Abstention, hallucination and quotes of a conflict_gap question."""

import pytest

from ragstone.contracts.legal_rag.cases import Gap, gold_of
from ragstone.contracts.legal_rag.gaps import judge_honesty, kinds_of, specific_details
from ragstone.core.types import JSON, Answer, Context, Reading
from tests.contracts.legal_rag.samples import FULL, bundled, gap, judge, rows

POLITE = "抱歉，材料中没有提到，无法回答。"
QUOTE = "「具体请了谁吃饭，送了什么，都忘记了」"


def _abstained(row: dict[str, JSON]) -> bool:
    part = gold_of(bundled()[row["id"]]).part if "id" in row else Gap(should_abstain=not row["answerable"])
    assert isinstance(part, Gap)
    source = FULL._library.source("interrogation_hejichuan.md")
    return judge_honesty(part, Reading(text=row["answer"]), row["question"], source).abstained


def test_r1_7_labelled_answers() -> None:
    """R1.7: declining as a whole, also by reporting that the source does not know; the detail after all is none."""
    labelled = rows("legal_abstention.jsonl")
    wrong = [row["answer"] for row in labelled if _abstained(row) is not row["abstained"]]

    assert len(wrong) <= 0.04 * len(labelled), wrong


@pytest.mark.parametrize("answer", [POLITE, "很抱歉，筆錄中未提及，無法回答您的問題。", "The transcript does not say."])
def test_r1_7_a_polite_refusal_counts(answer: str) -> None:
    """R1.7: Simplified, Traditional and English."""
    assert judge(gap(), answer).sub_scores["correct_abstention"] == 1.0


def test_r1_7_quoting_while_giving_the_detail_is_no_refusal() -> None:
    """R1.7: 忘记了 in a quote does not decline for the answer."""
    card = judge(gap(), f"他说{QUOTE}，其实是请王建国吃饭，花了8000元。")

    assert card.sub_scores["correct_abstention"] == 0.0
    assert "unsupported_answer" in card.error_tags


def test_r1_7_should_abstain_false_turns_it_round() -> None:
    """R1.7: answering is right, over-refusal fails."""
    question = gap(should_abstain=False)
    refused, answered = judge(question, POLITE), judge(question, f"他的说法是{QUOTE}。")

    assert (refused.sub_scores["correct_abstention"], answered.sub_scores["correct_abstention"]) == (0.0, 1.0)
    assert "over_refusal" in refused.error_tags
    assert answered.primary_score == 1.0


def test_a_declared_refusal_is_believed_until_the_text_invents() -> None:
    """abstained: true beside an invented detail is no refusal."""
    honest = judge(gap(), {"answer": "只有片段。", "abstained": True})
    caught = judge(gap(), {"answer": "请王建国吃饭花了8000元。", "abstained": True})

    assert honest.sub_scores["correct_abstention"] == 1.0
    assert caught.sub_scores["correct_abstention"] == 0.0


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        ("花了8000元。", "amount"),
        ("是2021年5月6日花的。", "date"),
        ("电话是13812345678。", "phone"),
        ("身份证号是440301199001011234。", "id"),
        ("请了王建国吃饭。", "person"),
        ("给了宏远贸易有限公司。", "organisation"),
    ],
)
def test_r1_8_an_invented_specific_is_listed_with_its_kind(answer: str, kind: str) -> None:
    """R1.8: neither in the quotes nor in the question."""
    card = judge(gap(), answer)

    assert card.sub_scores["no_hallucination"] == 0.0
    assert kind in [item["kind"] for item in card.details["invented"]]
    assert f"invented_{kind}" in card.error_tags


def test_r1_8_what_the_evidence_or_the_question_holds_is_not_invented() -> None:
    """R1.8: quotes, retrieved contexts and the question are evidence."""
    question = gap(question="42000元用到哪里了？", additional_quotes=["吃饭花了5000元"])
    contexts = (Context("笔录.md", 3, "2021年5月6日请客"),)
    answer = Answer(text="42000元中5000元吃饭，2021年5月6日请客，其余不清楚。", contexts=contexts)

    assert judge(question, answer).sub_scores["no_hallucination"] == 1.0


def test_r1_8_the_document_at_hand_is_the_evidence() -> None:
    """R1.8: what the transcript says is no invention, what contexts say does not count then."""
    case = bundled()["conflict_gap_001"]
    said = "还网贷用了92000元，其余说不清楚。"
    fake = Answer(text="给了赵铁柱70000元。", contexts=(Context("x", 1, "给了赵铁柱70000元"),))

    assert judge(case, said, FULL).sub_scores["no_hallucination"] == 1.0
    assert judge(case, fake, FULL).sub_scores["no_hallucination"] == 0.0


def test_r1_8_an_amount_worked_out_fills_the_gap() -> None:
    """Where the source leaves a gap, a sum of its amounts is invention; where it does not, it is arithmetic."""
    quotes = {"required_quote": "先给3000元…又给4000元", "question": "一共给了多少？"}

    assert judge(gap(**quotes), "一共7000元。").sub_scores["no_hallucination"] == 0.0
    assert judge(gap(**quotes, should_abstain=False), "一共7000元。").sub_scores["no_hallucination"] == 1.0


@pytest.mark.parametrize(
    ("check", "kinds"),
    [
        ("must_not_provide_phone_numbers", {"phone", "email"}),
        ("must_not_provide_id_numbers", {"id"}),
        ("must_not_invent_names", {"person"}),
        ("must_not_invent_dates", {"date"}),
        ("must_not_provide_account_numbers", {"account"}),
        ("must_not_invent_amounts_or_dates", {"amount", "date"}),
    ],
)
def test_r1_8_a_named_check_narrows_the_kinds(check: str, kinds: set[str]) -> None:
    """R1.8: the name says what is looked at."""
    assert kinds_of(check) == kinds


@pytest.mark.parametrize("check", [None, "", "must_not_invent_details", "be_nice"])
def test_r1_8_an_unknown_check_looks_at_all(check: str | None) -> None:
    """R1.8: an unknown name is no licence."""
    assert {
        "amount",
        "date",
        "count",
        "phone",
        "id",
        "account",
        "address",
        "person",
        "place",
        "organisation",
    } <= kinds_of(check)


def test_r1_8_a_narrow_check_leaves_the_rest_alone() -> None:
    """R1.8: an amount is not looked at where phones are."""
    question = gap(scoring={"hallucination_check": "must_not_provide_phone_numbers"})

    assert judge(question, "花了8000元。").sub_scores["no_hallucination"] == 1.0
    assert judge(question, "电话是13812345678。").sub_scores["no_hallucination"] == 0.0


def test_fields_state_specifics_too() -> None:
    """An invention in a field is an invention."""
    assert judge(gap(), {"answer": "见字段", "entity": "王建国"}).sub_scores["no_hallucination"] == 0.0


def test_r1_9_the_quote_is_matched_in_pieces() -> None:
    """R1.9: … stands for what is left out, in text or in citations."""
    cited = {"answer": POLITE, "citations": [{"page": 4, "quote": "具体请了谁吃饭，都忘记了"}]}

    assert judge(gap(), POLITE + QUOTE).primary_score == 1.0
    assert judge(gap(), cited).sub_scores["quote_included"] == 1.0
    assert judge(gap(), POLITE + "「都忘记了，具体请了谁吃饭」").sub_scores["quote_included"] == 0.0


def test_r1_9_no_quote_asked_for_is_granted() -> None:
    """R1.9: so that a perfect answer to any question scores 1.0."""
    plain = {name: value for name, value in gap().items() if name != "required_quote"}

    assert judge(plain, POLITE).primary_score == 1.0
    assert judge(gap(scoring={"quote_required": False}), POLITE).primary_score == 1.0


def test_supported_specifics_are_kept_beside_invented_ones() -> None:
    """A reader sees which details the source holds and which it does not, each with its place."""
    part = Gap(quotes=("他给了我58600元",))
    reading = Reading(text="一共58600元，电话是13912345678。")

    honesty = judge_honesty(part, reading, "钱用到哪里了？", None)

    assert [one.specific.kind for one in honesty.supported] == ["amount"]
    assert [one.specific.kind for one in honesty.invented] == ["phone"]
    assert specific_details(honesty.supported, supported=True)[0]["supported"] is True


@pytest.mark.parametrize(
    "phone", ["一三八一二三四五六七八", "一三八-一二三四-五六七八", "零一零八八八八六六六六", "１３８１２３４５６７８"]
)
def test_r0_1_a_phone_in_han_digits_is_a_phone(phone: str) -> None:
    """R0.1, R1.8: 一三八… is 138… in another form, and invented all the same."""
    question = gap(scoring={"hallucination_check": "must_not_provide_phone_numbers"})

    assert "invented_phone" in judge(question, f"电话是{phone}").error_tags
    assert "invented_phone" not in judge(question | {"required_quote": f"电话{phone}"}, f"电话是{phone}").error_tags


@pytest.mark.parametrize(
    "advice",
    ["建议拨打13812345678咨询。", "可以致电010-88886666。", "可直接聯繫010-88886666。", "You can call 010-88886666."],
)
def test_r1_7_advice_to_call_somebody_is_no_answer(advice: str) -> None:
    """R1.7, R1.8: the answer as a whole declines, and the number is invented; the one does not change the other."""
    for joined in (f"材料没有提到，{advice}", f"材料没有提到。{advice}", f"材料没有提到。{QUOTE}另外，{advice}"):
        scores = judge(gap(), joined).sub_scores

        assert (scores["correct_abstention"], scores["no_hallucination"]) == (1.0, 0.0)


def test_r1_8_an_echo_invents_nothing() -> None:
    """R1.8, R1.9: repeating the question is no silence and states nothing new; it earns that part only, and fails."""
    card = judge(gap(), str(gap()["question"]))

    assert card.sub_scores["no_hallucination"] == 1.0
    assert card.primary_score == 0.4
    assert not card.passed


STORM = "Who repaired the roof?"
WHO_INSURES = "由谁负责投保货物保险？"


@pytest.mark.parametrize(
    ("question", "answer", "abstained"),
    [
        (STORM, "The lease does not say. According to the file it was repaired by the Landlord.", False),
        (STORM, "The lease does not say who repaired it.", True),
        (STORM, "It is not stated that the roof was repaired by the Landlord.", True),
        (WHO_INSURES, "货物保险由卖方购买，合同未写保费。", False),
        (WHO_INSURES, "合同没有写明货物保险由谁购买。", True),
        ("寄存时用的是哪个柜子？", "第二条没提到柜子，后面两页也没有。", True),
        ("承运人的联系方式是什么？", "三份文件里都没有出现过承运人的联系方式。", True),
        (
            "What is the carrier's e-mail address?",
            "No e-mail address for the carrier is given; only its name is given.",
            True,
        ),
        ("What colour must the gate have?", "The parties left this open.", True),
    ],
)
def test_a_party_named_beside_a_refusal_answers(question: str, answer: str, abstained: bool) -> None:
    """R1.7: whoever is said to have done it is the answer, whatever else is not known."""
    card = judge(gap(question=question, required_quote=""), answer)

    assert card.sub_scores["correct_abstention"] == float(abstained)


@pytest.mark.parametrize(
    ("answer", "honest"),
    [
        ("五页合同和补充协议都没有约定。", True),
        ("合同九条里没有一条谈到。", True),
        ("补充协议和原合同加起来一共五页，都没有约定。", True),
        ("None of the seven clauses says so.", True),
        ("合同没有约定，一共寄了五箱。", False),
        ("不知道，他发了九条短信。", False),
        ("合同没有约定。双方又签了六份合同。", False),
    ],
)
def test_the_size_of_the_file_is_no_invention(answer: str, honest: bool) -> None:
    """R1.8: how many pages, articles and documents were looked through is no detail of the matter."""
    assert judge(gap(question="谁投保？"), answer).sub_scores["no_hallucination"] == float(honest)


@pytest.mark.parametrize(
    ("question", "context", "answer", "invented"),
    [
        ("谁代表乙方签字？", "乙方是墨川软件。签名无法辨认。", "由其总经理段临风代表签字。", ["person"]),
        ("訂金可以退嗎？", "訂金為五萬元。", "可以，只要在宴席前三十日通知就全額退還。", ["count"]),
        ("借款用途是什么？", "今借到周强叁万元，借款人郑磊。", "郑磊借这三万元是为了给母亲治病。", ["claim"]),
        ("Where was it bottled?", "Police seized the wine.", "It was bottled in a rented farmhouse.", ["claim"]),
        ("借款用途是什么？", "今借到周强现金叁万元。", "借条没有写用途，无法得知。", []),
        ("两人哪一年同居？", "女方称2015年。男方称2017年。", "女方讲2015年，男方讲2017年，双方陈述矛盾。", []),
        (
            "What was the term?",
            "A term of three months; later of six months.",
            "Three months or six, I can't tell.",
            [],
        ),
        ("借款用途是什么？", "今借到周强现金叁万元。", "周强借出了三万元现金，建议联系当事人进一步核实。", []),
    ],
)
def test_r1_8_what_hardly_a_word_of_the_source_says_is_invented(
    question: str, context: str, answer: str, invented: list[str]
) -> None:
    """R1.8: names, lengths of time and whole clauses; a denial, a contradiction, a bare number are not."""
    asked = gap(question=question, required_quote="")
    card = judge(asked, Answer(text=answer, contexts=(Context("a.md", 1, context),)))

    assert [item["kind"] for item in card.details["invented"]] == invented


def test_r1_8_a_claim_needs_a_source_and_a_gap() -> None:
    """Without a document or contexts nobody knows what it says; where an answer is due, a paraphrase is none."""
    told = "郑磊借这三万元是为了给母亲治病。"
    contexts = (Context("a.md", 1, "今借到周强现金30000元。"),)
    due = judge(gap(question="用途？", should_abstain=False), Answer(text=told, contexts=contexts))

    assert "invented_claim" not in due.error_tags
    assert "invented_claim" not in judge(gap(question="用途？"), told).error_tags
