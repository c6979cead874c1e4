"""A gold answers its question whole and holds nothing else: unit, every, yes or no, all names, the bare place."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find
from ragstone.drafting.rows import fits


def _drafts(text: str) -> list[Found]:
    paper = Paper("a.md", "0" * 64, (Page(1, text),))
    return [one for one in find(paper) if isinstance(one, Found)]


def _asked(text: str) -> dict[str, list[str]]:
    return {one.draft.question: [point.text for point in one.draft.points] for one in _drafts(text)}


def _asked_itself(title: str, question: str, answer: str) -> list[str] | None:
    """What a page of questions and answers is asked itself."""
    found = _drafts(f"# {title}\n\n## {question}\n\n{answer}\n")
    asks = [one.draft for one in found if one.draft.kind in ("asked", "yes_no", "list")]
    mine = [one for one in asks if one.question.endswith(question[1:])]
    return [point.text for point in mine[0].points] if mine else None


@pytest.mark.parametrize(
    ("question", "answer", "gold"),
    [
        ("How often is the pond cleaned?", "The pond is cleaned every five weeks.", ["every five weeks"]),
        ("How long does a tour last?", "Each tour lasts 50 minutes.", ["50 minutes"]),
        ("How much does a locker cost?", "A locker costs £3 a day.", ["£3 a day"]),
        ("How much does a boat cost?", "Boats cost between £9 and £15.", ["between £9 and £15"]),
        ("How long does shipping take?", "Parcels arrive within six working days.", None),
        ("How long is the warranty?", "The warranty lasts at least three years.", None),
        ("Where is the ticket office?", "The ticket office is at 9 Mill Lane, opposite the pier.", None),
        ("Where is the ticket office?", "Ask a warden for the way.", None),
        ("Who leads the choir?", "Mrs Nell Harding leads the choir.", None),
        ("Who leads the choir?", "The choir is led by Nell Harding.", None),
        ("Who leads the choir?", "The choir is led by the headmaster.", None),
        ("Who leads the choir?", "Nell Harding and Obi Grant lead the choir.", None),
        ("Can I hire skates?", "Yes. Skates cost £4.", ["Yes"]),
        ("Can I hire skates?", "No, bring a pair.", ["No"]),
        ("Can I hire skates?", "Skates cost £4.", None),
        ("Can I bring a dog?", "No. Only guide dogs are admitted.", None),
        ("Can I bring a dog?", "Yes, but not on Sundays.", None),
        ("Can I bring a dog?", "Yes, until noon.", None),
        ("Can I bring a dog?", "Visitors may bring one small dog on a lead.", None),
        ("Can I pay by card?", "Yes. Cards are taken for sums above £5.", None),
        ("Are dogs allowed?", "Dogs are not allowed in the garden.", ["Dogs are not allowed in the garden"]),
        ("Is there a fee limit?", "You can pay up to £90.", None),
    ],
)
def test_a_page_of_questions_gives_whole_answers(question: str, answer: str, gold: list[str] | None) -> None:
    """Where the answer would be half, or another unit would pass for its own, nothing is asked."""
    assert _asked_itself("Pond Park FAQ", question, answer) == gold


@pytest.mark.parametrize(
    ("question", "answer", "gold"),
    [
        ("滤网多久更换一次？", "滤网每三个月更换一次。", ["每三个月"]),
        ("優惠券多久失效？", "優惠券於六個月後失效。", ["六個月"]),
        ("租船多少钱？", "租船每小时60元。", ["每小时60元"]),
        ("可以带帐篷入园吗？", "可以。帐篷须在草坪区搭建。", None),
        ("门票可以转让吗？", "不可以。门票仅限本人使用。", ["不可以"]),
        ("門票可以轉讓嗎？", "不可以，團體票除外。", None),
        ("园区可以骑车吗？", "园区有三条步道。", None),
        ("参观需要预约吗？", "需要。请在公众号预约。", ["需要"]),
        ("花展在哪里举行？", "主展区设在南湖草坪。", None),
        ("花展在哪里领取门票？", "可在东门服务台领取。", None),
        ("谁负责园区安全？", "由安保处统一安排。", None),
        ("谁负责园区膳食？", "膳食由营养师沈若溪负责。", None),
    ],
)
def test_chinese_pages_of_questions_give_whole_answers(question: str, answer: str, gold: list[str] | None) -> None:
    """每 stays, 后 goes, yes or no is the answer of what asks for it, and a place has nothing in front."""
    assert _asked_itself("南湖公园常见问题", question, answer) == gold


def test_the_yes_of_a_page_is_proved_with_what_is_told_of_it() -> None:
    """A contract of points only takes it where a bare yes is told apart from a bare no."""
    (english,) = [one.draft for one in _drafts("# Pond FAQ\n\n## Can I hire skates?\n\nYes. Skates cost £4.\n")][1:]
    (chinese,) = [one.draft for one in _drafts("# 南湖公园常见问题\n\n## 可以带帐篷入园吗？\n\n可以。请在草坪搭建。\n")]

    assert (english.expected, english.points[0].place.quote) == ({"boolean_answer": True}, "Yes. Skates cost £4.")
    assert not fits(english, "key_points")
    assert fits(chinese, "key_points")
    assert fits(chinese, "legal_rag")


@pytest.mark.parametrize(
    ("text", "question", "gold"),
    [
        ("The mill was built by Ann Rowe and Max Tully.", "who built the mill?", ["Ann Rowe", "Max Tully"]),
        (
            "The mill was drawn by Ann Rowe, Max Tully and Joe Bly.",
            "who drew the mill?",
            ["Ann Rowe", "Max Tully", "Joe Bly"],
        ),
        ("The mill was built by Ann Rowe and the Tully brothers.", "who built the mill?", None),
        ("The mill was built by Ann Rowe, a mason, and Max Tully.", "who built the mill?", None),
        ("The mill was built by Ann Rowe with her sons.", "who built the mill?", None),
        ("The mill was built by Ann Rowe, her son Max and a mason.", "who built the mill?", None),
        ("The mill opened in 1931 and was designed by Ann Rowe.", "who designed the mill opened in 1931 and?", None),
        ("The warden is Dr Ann Rowe.", "who is the warden?", ["Ann Rowe"]),
        ("The warden, Ann Rowe, and her deputy keep the keys.", "who is the warden?", None),
    ],
)
def test_everybody_or_nobody_is_asked_for_in_english(text: str, question: str, gold: list[str] | None) -> None:
    """Several names are several points; where not all of them are told by name, nothing is asked."""
    assert _asked(f"# Mill handbook\n\n{text}\n").get(f"According to “Mill handbook”, {question}") == gold


@pytest.mark.parametrize(
    ("text", "question", "gold"),
    [
        ("云栖书院由周伯言和林远舟创办。", "云栖书院由谁创办？", ["周伯言", "林远舟"]),
        ("雲棲書院由周伯言、林遠舟設計。", "雲棲書院由誰設計？", ["周伯言", "林遠舟"]),
        ("云栖书院的院歌由周伯言作词、林远舟作曲。", "云栖书院的院歌由谁作词、林远舟作曲？", None),
        ("云栖书院由周伯言等人创办。", "云栖书院由谁创办？", None),
    ],
)
def test_everybody_or_nobody_is_asked_for_in_chinese(text: str, question: str, gold: list[str] | None) -> None:
    """What two people did one half each is not asked of one."""
    assert _asked(f"# 云栖书院\n\n{text}\n").get(question) == gold


@pytest.mark.parametrize(
    ("line", "gold"),
    [
        ("联系人：市场部沈若溪", ["沈若溪"]),
        ("联系人：市场部 沈若溪女士", ["沈若溪"]),
        ("联系人：物理系教授沈若溪", ["沈若溪"]),
        ("联系人：咨询台 沈若溪", ["沈若溪"]),
        ("联系人：沈若溪、陆明远", ["沈若溪", "陆明远"]),
        ("联系人：云岫科技高新部", ["云岫科技高新部"]),
        ("联系人：沈若溪等", None),
        ("联系人：小王、小李", ["小王", "小李"]),
    ],
)
def test_a_form_gives_bare_names(line: str, gold: list[str] | None) -> None:
    """Department, rank and form of address are no part of who somebody is."""
    assert _asked(f"# 报名通知\n\n{line}\n").get("根据《报名通知》，联系人是谁？") == gold


def test_cells_that_name_somebody_are_asked_for_by_who() -> None:
    """By their column, or by how they look; recipes and places are nobody."""
    table = "| 线路 | 司机 | 配方 |\n|---|---|---|\n| 湖滨线 | 老赵 | 甘草 |\n| 山顶线 | 钱师傅 | 陈皮 |\n"

    assert {asked.partition("，")[2] for asked in _asked(f"# 班车安排\n\n{table}")} == {
        "湖滨线的司机是谁？",
        "山顶线的司机是谁？",
        "湖滨线的配方是什么？",
        "山顶线的配方是什么？",
    }


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("货款超过20万元的，应当公开询价，报价单位不得少于四家。", "不得少于多少家"),
        ("差旅补贴为每人每天150元，其中餐费90元，市内交通费60元。", "市内交通费"),
        ("会费逾期两个月未缴的，暂停借阅。", "的？"),
        ("器材分为照明、音响、摄影三类。", "多少类"),
    ],
)
def test_chinese_questions_keep_what_they_depend_on(text: str, part: str) -> None:
    """A condition, a subject, an object or a share of a sum that is lost leaves nothing to ask."""
    assert not [question for question in _asked(f"# 云岫公司管理制度\n\n{text}\n") if part in question]


def test_a_document_that_regulates_is_named_though_its_title_begins_with_the_subject() -> None:
    """A room is no name, and its rules are no headline."""
    asked = _asked("# 阅览室管理规定\n\n阅览室由后勤部统一管理。\n")

    assert asked == {"根据《阅览室管理规定》，阅览室由哪个部门统一管理？": ["后勤部"]}


def test_sorts_are_asked_for_as_they_are_counted() -> None:
    """分为哪些 is no Chinese; beside a list that is not counted nothing is asked."""
    asked = _asked("# 云岫公司管理制度\n\n器材分为照明、音响、摄影三类。\n\n场地分为草坪、礼堂和泳池。\n")

    assert asked == {"根据《云岫公司管理制度》，器材分为哪三类？": ["照明", "音响", "摄影"]}


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("Children under 6 must not wear a helmet.", "may children under 6 wear a helmet?"),
        ("Staff must not wear a badge.", "may staff wear a badge?"),
        ("Each of the guests may wear a badge.", "may each of the guests wear a badge?"),
        ("Up to two unused passes may be kept and must be shown at the gate.", None),
        ("The debt of the Club shall not exceed £300.", None),
        ("Corbin's crossing measures 90 metres.", None),
    ],
)
def test_english_questions_agree_and_are_whole(text: str, question: str | None) -> None:
    """A name keeps its capital; two rules in one, and what may not be exceeded, are not asked."""
    asked = [one.partition(", ")[2] for one in _asked(f"# Rink rules\n\n{text}\n")]

    assert asked == ([question] if question else [])


def test_english_cells_that_name_somebody_are_asked_for_by_who() -> None:
    """By a form of address, or below a column for people; the gold is the bare name."""
    table = "| Boat | Skipper | Guide |\n|---|---|---|\n| Tern | Mr Ewan Poll | Asha Reid |\n"

    assert _asked(f"# Harbour trips notice\n\n{table}") == {
        "According to “Harbour trips notice”, who is the skipper for the boat “Tern”?": ["Ewan Poll"],
        "According to “Harbour trips notice”, who is the guide for the boat “Tern”?": ["Asha Reid"],
    }


def test_traditional_questions_are_written_in_their_script() -> None:
    """Units and 嗎 too, which are made of what was read in Simplified characters."""
    asked = _asked("# 雲岫圖書室使用規則\n\n每人最多借閱六冊。\n\n閱覽區內不得飲食。\n")

    assert list(asked) == [
        "根據《雲岫圖書室使用規則》，每人最多借閱多少冊？",
        "根據《雲岫圖書室使用規則》，閱覽區內可以飲食嗎？",
    ]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("云岫大学奖学金办法", "申请材料应于每年9月20日前提交至学院办公室。"),
        ("云岫园区常见问题", "每小时收费6元。"),
        ("Ferry terms", "Compensation of £25 is paid for delays of more than two hours."),
        ("丘山", "2000年大選後成為一名國際上著名的學者。"),
        ("云岫物流合同", "货物由云岫公司与青禾公司共同承运。"),
        ("云岫营地须知", "床位费每晚八十元，周末另收押金。"),
        ("云栖茶庄", "云栖茶庄前身为1935年由茶商顾明轩创办的顾记茶铺。"),
        ("云岫书院常见问题", "## 报名费多少？\n\n成人每期900元，学生每期600元。"),
        ("Rink", "Corbin's last race ended in 1958."),
        ("Rink rules", "Passes last 20 days; for juniors, ten days."),
        ("Rink rules", "The rink has a barrier 1.2 metres high."),
    ],
)
def test_what_would_be_cut_or_lost_is_not_asked(title: str, text: str) -> None:
    """Part of a date, a sum for nothing named, part of a comparison, a subject told before, one of two firms."""
    assert _asked(f"# {title}\n\n{text}\n") == {}


def test_a_name_holds_no_date_and_which_ones_is_no_number() -> None:
    """What a form fills in beside a name, and how many there are of what is asked for by name."""
    form = "# 询问笔录\n\n被询问人：沈拾光　　2023年11月16日\n"
    asks = "# 贷款说明\n\n问：网贷是哪几家平台的？\n答：一共3个平台。\n"

    assert not [one for one in _drafts(form) if one.draft.kind == "field"]
    assert not [one for one in _drafts(asks) if "哪几家" in one.draft.question]
