"""Questions from sentences: what is asked, what the answer is, and why a sentence gives none."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find
from ragstone.drafting.questions import chinese, english
from ragstone.drafting.questions.parts import Ask, Refused


def _paper(text: str) -> Paper:
    return Paper("a.md", "0" * 64, (Page(1, text),))


def _asked(text: str, title: str = "", *, hant: bool = False, rules: bool = False) -> dict[str, str]:
    found = chinese.ask(text, title, hant=hant, rules=rules)
    return {one.question: text[slice(*one.spans[0])] for one in found if isinstance(one, Ask)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("普朗特卒于1953年。", "普朗特卒于哪一年？", "1953年"),
        ("2007年，普朗特回到了汉堡大学。", "哪一年普朗特回到了汉堡大学？", "2007年"),
        ("复兴社成立于1932年3月1日。", "复兴社成立于什么时候？", "1932年3月1日"),
        ("全程票价为五十五元。", "全程票价为多少元？", "五十五元"),
        ("青禾学会拥有约53间分店。", "青禾学会拥有约多少间分店？", "53间"),
        ("全真教由王重阳创立。", "全真教由谁创立？", "王重阳"),
        ("白云寺位于青禾市西郊。", "白云寺位于哪里？", "青禾市西郊"),
        ("银纹笛鲷，又称紫红笛鲷。", "银纹笛鲷又称什么？", "紫红笛鲷"),
        ("条约的签署国包括英国、法国和荷兰。", "条约的签署国包括哪些？", "英国、法国和荷兰"),
        ("病假一年内未超过三十天者，工资折半发给。", "病假一年内未超过多少天者，工资折半发给？", "三十天"),
    ],
)
def test_the_answer_is_asked_for_where_it_stands(text: str, question: str, answer: str) -> None:
    """Chinese asks in place, so the sentence's own words ask for one value."""
    title = "银纹笛鲷" if text.startswith("银纹") else ""

    assert _asked(text, title).get(question) == answer


def test_traditional_documents_are_asked_in_traditional() -> None:
    """Only what asks is converted; units and names stay as written."""
    asked = _asked("霧汐鎮面積約多少，面積為16平方公里。掛號費為80元。", hant=True)

    assert all("裡" not in question and "么" not in question for question in asked)
    assert _asked("霧汐碼頭位於青禾市西郊。", hant=True) == {"霧汐碼頭位於哪裡？": "青禾市西郊"}


def test_rules_become_yes_or_no() -> None:
    """A ban asks whether it is allowed; only where a document sets rules."""
    assert _asked("宠物不得进入候诊区。", rules=True) == {"宠物可以进入候诊区吗？": "不得进入候诊区"}
    assert _asked("宠物不得进入候诊区。") == {}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("他在1970年回国。", "refers_back"),
        ("于1998年7月6日通车。", "no_subject"),
        ("据说普朗特在1950年去过汉堡。", "unsure"),
        ("普朗特于1953年写成《云集。", "broken"),
    ],
)
def test_what_cannot_be_asked_is_told_why(text: str, reason: str) -> None:
    """A sentence that leans on another, or is not sure of itself, gives no question."""
    assert reason in {one.reason for one in chinese.ask(text, "", hant=False, rules=False) if isinstance(one, Refused)}


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("The audit log is kept for 180 days and then deleted.", "How long is the audit log kept?", "180 days"),
        (
            "After five failed attempts, the account is locked for 15 minutes.",
            "How long is the account locked after five failed attempts?",
            "15 minutes",
        ),
        ("The library opened in 1931.", "When did the library open?", "1931"),
        ("Claims must be filed within 30 days.", "Within how many days must claims be filed?", "30 days"),
        ("A reader must not copy sealed files.", "May a reader copy sealed files?", "must not copy sealed files"),
        (
            "Receipts must be submitted within 30 days of the trip.",
            "Within how many days of the trip must receipts be submitted?",
            "30 days",
        ),
        (
            "The office employs 42 people and is led by Ines Otieno.",
            "How many people does the office employ?",
            "42 people",
        ),
        (
            "The Tenant has 26 days of paid leave each year.",
            "How many days of paid leave does the Tenant have each year?",
            "26 days",
        ),
        ("The rent is £1,450, payable in advance.", "How much is the rent?", "£1,450"),
        ("The limit is $240 in the city and $175 elsewhere.", "How much is the limit in the city?", "$240"),
        ("The strap is 22 mm wide and can be exchanged.", "How wide is the strap?", "22 mm"),
        (
            "The sensor measures the air every 2 minutes.",
            "How often does the sensor measure the air?",
            "every 2 minutes",
        ),
        ("A full charge takes about 90 minutes.", "How long does a full charge take?", "90 minutes"),
        ("The cover is held by nine screws.", "By how many screws is the cover held?", "nine"),
        (
            "All flights must be booked at least 14 days before departure.",
            "At least how many days must all flights be booked before departure?",
            "14 days",
        ),
        ("The zoo has kept pandas since 1994.", "Since when has the zoo kept pandas?", "1994"),
        ("A swollen battery must never be pressed.", "May a swollen battery be pressed?", "must never be pressed"),
        (
            '"Business Day" means a day on which banks open.',
            "What does “Business Day” mean?",
            "a day on which banks open",
        ),
        ("There are three roles: reader, writer and clerk.", "What are the three roles?", "reader, writer and clerk"),
    ],
)
def test_english_moves_what_asks_to_the_front(text: str, question: str, answer: str) -> None:
    """The auxiliary goes before the subject, and what was asked for leaves its place."""
    found = [one for one in english.ask(text, "", rules=True) if isinstance(one, Ask)]

    assert {one.question: text[slice(*one.spans[0])] for one in found}.get(question) == answer


@pytest.mark.parametrize(
    "text",
    [
        "The Landlord may enter the property after giving 24 hours' notice.",
        "Flights longer than six hours are booked by the clerk.",
        "Overtime is approved within 30 days.",
        "Account data is kept until the account is closed and for 30 days afterwards.",
        "The clerk asked for a survey six months after the signs go up.",
        "Juniper supports employees in Ireland, Spain and Portugal.",
        "Members pay $14 in cash and $2 in vouchers for each share.",
        "The machine must be cleaned every three months, or every six weeks in hard water.",
        "The battery has a capacity of 62 Wh.",
        "The photographer visits the client's four hotels.",
        "Claims over £2,000 need the signature of a director.",
        "The fire is 15% contained.",
        "All 222 quotations were all verified.",
        "The two processes are not kept from one run folder.",
        "The release published GraalPy 3 wheels.",
        "Tier 2 targets must not slow down the build.",
        "If a package contains two crates it is built twice.",
        "A reader may keep the printed list.",
        "Harbor is a core part of the house.",
    ],
)
def test_english_asks_for_nothing_of_another_clause(text: str) -> None:
    """A value of a relative clause, a gerund or a comparison is left; so is a subject that may or may not be a name."""
    assert [one for one in english.ask(text, "", rules=False) if isinstance(one, Ask)] == []


def test_one_common_noun_needs_a_document_of_rules() -> None:
    """Which value is meant only the paragraph tells, unless the document sets rules; Summary is no title to go by."""
    said = "The value must not be a number.\n"
    titles = ("Literal expressions", "Archive rules", "Summary")
    asked = [
        [one for one in find(_paper(f"# {title}\n\n## A\n\n{said}")) if isinstance(one, Found)] for title in titles
    ]

    assert [[one.draft.question for one in found if one.draft.kind == "yes_no"] for found in asked] == [
        [],
        ["According to “Archive rules”, may the value be a number?"],
        [],
    ]


def test_lists_tables_and_sections() -> None:
    """Items are the points of a list, each proved by its own line; a cell by its row."""
    text = (
        "# 松鹤诊所\n\n## 服务\n\n诊所提供以下服务：\n\n- 疫苗接种：周一\n- 健康体检\n\n"
        "| 项目 | 费用 |\n|---|---|\n| 挂号 | 80元 |\n"
    )
    drafts = {one.draft.question: one.draft for one in find(_paper(text)) if isinstance(one, Found)}

    listed = next(draft for question, draft in drafts.items() if "提供哪些服务" in question)
    assert [point.text for point in listed.points] == ["疫苗接种", "健康体检"]
    assert listed.points[0].place.quote == "疫苗接种：周一"
    assert any("挂号的费用是多少？" in question for question in drafts)


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("3.1 每台设备月租金为人民币9,800元。", "根据《租赁合同》，每台设备月租金为多少元？"),
        (
            "设备发生故障时，乙方应当在24小时内通知甲方。",
            "根据《租赁合同》，设备发生故障时，乙方应当在多少小时内通知甲方？",
        ),
        ("2024年，衡江公司的营业收入为1.87亿元。", "根据《租赁合同》，2024年，衡江公司的营业收入为多少元？"),
        (
            "第七条 乙方累计拖欠租金的，甲方可以收回设备。",
            "根据《租赁合同》，乙方累计拖欠租金的，甲方可以收回设备吗？",
        ),
        ("大宗的货物，乙方应当在3天内运走。", "根据《租赁合同》，大宗的货物，乙方应当在多少天内运走？"),
        ("密码每90天必须更换，长度不少于12位。", "根据《租赁合同》，密码每90天必须更换，长度不少于多少位？"),
        ("公司的主要仓库包括东仓、西仓和北仓三类。", "根据《租赁合同》，公司的主要仓库包括哪些？"),
        ("供应商：北岭纸业有限公司", "根据《租赁合同》，供应商是谁？"),
        ("水箱容量：5.2升", "根据《租赁合同》，水箱容量是多少？"),
        ("签订地点：澄湖市", "根据《租赁合同》，签订地点在哪里？"),
        ("签订地址：澄湖市", "根据《租赁合同》，签订地址在哪里？"),
    ],
)
def test_numbers_of_clauses_go_and_conditions_stay(text: str, question: str) -> None:
    """What a clause is numbered with is no part of it; in which case and when it holds is."""
    asked = [one.draft.question for one in find(_paper(f"# 租赁合同\n\n{text}\n")) if isinstance(one, Found)]

    assert question in asked


def test_a_column_that_is_a_case_has_a_price() -> None:
    """The weekday price of a pitch is no weekday of it."""
    text = "# 露营区收费标准\n\n| 营位 | 平日 | 人数 |\n|---|---|---|\n| 草地营位 | 600元 | 4人 |\n"
    asked = [one.draft.question for one in find(_paper(text)) if isinstance(one, Found)]

    column, attribute = (one.split("，")[-1] for one in asked)
    assert (column, attribute) == ("草地营位平日的价格是多少？", "草地营位的人数是多少？")


@pytest.mark.parametrize(
    "text",
    [
        "会议决定审计物业公司2023年和2024年的账目。",
        "表决结果：赞成6票，反对0票。",
        "目前大会纪录是21秒，由江柏叡于2023年创下。",
    ],
)
def test_what_would_ask_for_half_of_something_is_not_asked(text: str) -> None:
    """An attribute without its owner, a span told by its ends, one of two dates, a form cut at its comma."""
    asked = [one.draft for one in find(_paper(f"# 会议规定\n\n{text}\n")) if isinstance(one, Found)]

    assert [one.question for one in asked if one.kind != "yes_no"] == []


@pytest.mark.parametrize(
    "text",
    [
        "2004年青禾杯2次上阵。",
        "1945年战争结束后，青禾县恢复了学校。",
        "青禾县举办了2000年第三次云岫会议。",
        "云岫航空成立于1988年提供国内航班。",
        "1959年春青禾县修建了水库。",
        "青禾县设立10年来，修建了水库。",
        "4月，青禾县获得了300万元补助。",
        "青禾语共有40个字母，包括21个元音和19个辅音。",
        "青禾县举办了2010年的20国集团会议。",
        "青禾县的两条铁路分别接入至云岫站约7.3公里。",
        "青禾县是国家历史文化名城。",
        "青禾县出产茶叶、蚕丝、竹器等特产，包括红茶、绿茶和白茶等。",
        "和云岫县相比更高出35％。",
        "青禾县的县长的父亲为日本华侨。",
        "时任青禾县现任县长为岑知明。",
    ],
)
def test_what_nobody_would_ask_so_is_not_asked(text: str) -> None:
    """The year of a figure, a moment that leads over, half of two numbers, a list that is not whole, no definition."""
    asked = [one.draft.question for one in find(_paper(f"# 青禾县\n\n{text}\n")) if isinstance(one, Found)]

    assert asked == []


@pytest.mark.parametrize(
    ("text", "question"),
    [
        ("青禾县截至2010年12月，青禾县总人口约为64万人。", "青禾县截至2010年12月，青禾县总人口约为多少人？"),
        ("由于地震频繁，青禾县于1988年停办了矿场。", "由于地震频繁，青禾县于哪一年停办了矿场？"),
        ("青禾县，又称云岫县。", "青禾县又称什么？"),
        ("青禾县由22个不同文化的村落组成。", "青禾县由多少个不同文化的村落组成？"),
        ("青禾县第一次举办会议是1988年。", "青禾县第一次举办会议是哪一年？"),
    ],
)
def test_what_a_question_needs_stays_in_it(text: str, question: str) -> None:
    """When a figure was taken, why something was done, and the words of another name."""
    asked = [one.draft.question for one in find(_paper(f"# 青禾县\n\n{text}\n")) if isinstance(one, Found)]

    assert question in asked


@pytest.mark.parametrize("text", ["2004年青禾县辖8个镇。", "青禾县是一所具有4个校区的大学城。"])
def test_a_fact_is_asked_for_the_way_people_do(text: str) -> None:
    """How many towns there were in a year, not in which year there were so many; what it is, not how many it has."""
    asked = [one.draft.question for one in find(_paper(f"# 青禾县\n\n{text}\n")) if isinstance(one, Found)]

    assert asked in (["2004年青禾县辖多少个镇？"], ["青禾县是什么？"])


def test_two_tables_below_one_another_are_two() -> None:
    """The second one's header is no row of the first, and rows named alike are passed over."""
    text = (
        "# 收费标准\n\n| 营位 | 费用 |\n|---|---|\n| 草地营位 | 600元 |\n| 湖边营位 | 1元 |\n| 湖边营位 | 2元 |\n\n"
        "| 租借品 | 押金 |\n|---|---|\n| 帐篷 | 90元 |\n"
    )
    drafts = [one.draft for one in find(_paper(text)) if isinstance(one, Found)]

    assert [(one.question.split("，")[-1], one.points[0].text) for one in drafts] == [
        ("草地营位的费用是多少？", "600元"),
        ("帐篷的押金是多少？", "90元"),
    ]


def test_lines_that_only_look_like_a_table_give_nothing() -> None:
    """Bars without a line of dashes, or dashes without a header."""
    assert list(find(_paper("# 收费标准\n\n| 营位 | 600元 |\n| 帐篷 | 90元 |\n"))) == []
    assert list(find(_paper("# 收费标准\n\n|---|---|\n| 帐篷 | 90元 |\n"))) == []


def test_a_heading_within_a_text_is_no_title() -> None:
    """A page that begins with text is called by its file's name, unless it has a heading of the first level."""
    titles = [_paper(text).title for text in ("文字。\n\n## 性能\n", "文字。\n\n# 云岫\n", "\n## 性能\n\n文字。\n")]

    assert titles == ["a", "云岫", "性能"]


def test_a_chinese_page_full_of_code_is_asked_about_in_chinese() -> None:
    """Its title tells what it is written in, however many names of Latin letters it holds."""
    paper = _paper("# 出错时会发生什么\n\n" + "`alpha beta gamma delta` 无响应。\n" * 20)

    assert (paper.writing, _paper("# Errors\n\nThe clerk writes 青禾县 here.\n").writing) == ("zh-Hans", "en")


def test_figures_of_news_without_a_title_need_a_year() -> None:
    """They belong to a day that nobody names."""
    papers = [_paper(f"{year}苏格兰皇家银行股价下跌4.77%。\n") for year in ("", "2024年")]
    asked = [[one for one in find(paper) if isinstance(one, Found) and one.draft.kind == "share"] for paper in papers]

    assert [len(found) for found in asked] == [0, 1]


def test_figures_under_a_headline_are_asked_for_behind_it() -> None:
    """A title that tells what happened is news: its figures belong to that day."""
    title = "沪深股指延续跌势，青禾地产领跌"
    texts = ("青禾地产股价下跌4.39%。", "2024年，青禾地产股价下跌4.39%。", "云岫银行股价下跌4.39%。")

    asked = [_questions(f"# {title}\n\n{text}\n") for text in texts]

    source = f"根据《{title}》，"
    assert asked == [
        [f"{source}青禾地产股价下跌百分之几？"],
        [f"{source}2024年，青禾地产股价下跌百分之几？"],
        [f"{source}云岫银行股价下跌百分之几？"],
    ]
    assert _questions("# 青禾地产\n\n青禾地产股价下跌4.39%。\n") == ["青禾地产股价下跌百分之几？"]


def _questions(text: str) -> list[str]:
    return [one.draft.question for one in find(_paper(text)) if isinstance(one, Found)]


def test_a_document_of_questions_asks_itself() -> None:
    """A heading, a bold line or 问： that asks is the question; its yes or no, one value or one sentence answers."""
    text = (
        "# 云栈网盘常见问题\n\n**问：一次能传多少个文件？**\n\n答：普通用户一次最多可传10个。\n\n"
        "## 可以带宠物吗？\n\n不可以。任何宠物不得进入雪场。\n\n**多大空间？** 免费10GB，会员500GB，另赠5GB。\n"
    )
    found = {one.draft.question: one.draft for one in find(_paper(text)) if isinstance(one, Found)}
    itself = {question: draft.points[0].text for question, draft in found.items() if draft.kind in ("asked", "yes_no")}

    assert itself == {
        "根据《云栈网盘常见问题》，一次能传多少个文件？": "10个",
        "根据《云栈网盘常见问题》，可以带宠物吗？": "不可以",
    }
    assert not any("？」" in question for question in found)


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("| 假期天数 | 审批人 |\n|---|---|\n| 3天以上 | 总监 |", "根据《休假制度》，假期天数为3天以上的，审批人是谁？"),
        ("| 参数 | 数值 |\n|---|---|\n| 额定功率 | 2200W |", "根据《休假制度》，额定功率是多少？"),
        ("| 假别 | 说明 |\n|---|---|\n| 婚假 | 须凭证件 |", ""),
        ("| 假别 | 天数 |\n|---|---|\n| 婚假 | 3天；晚婚13天 |", ""),
    ],
)
def test_cells_are_asked_for_as_people_would(table: str, question: str) -> None:
    """A row that is a figure needs the name of its column; what tells this and that of a row is no attribute."""
    asked = _questions(f"# 休假制度\n\n{table}\n")

    assert asked == ([question] if question else [])


@pytest.mark.parametrize(
    ("table", "question"),
    [
        ("| Mode | Noise |\n|---|---|\n| Turbo | 54 dB |", "what is the noise for the mode “Turbo”?"),
        ("| Item | Value |\n|---|---|\n| Weight | 6 kg |", "what is the weight?"),
        ("| Mode | Cases |\n|---|---|\n| Turbo | 54 |", ""),
    ],
)
def test_english_cells_name_row_and_column(table: str, question: str) -> None:
    """A column in the plural, or one that is a name, asks for nothing."""
    asked = _questions(f"# Brisa manual\n\n{table}\n")

    assert asked == ([f"According to “Brisa manual”, {question}"] if question else [])


def test_english_software_is_asked_nothing_but_its_sections() -> None:
    """Its sentences hang on code and on their paragraph."""
    text = "# quillsync\n\nKeep `notes`.\n\n## Use\n\nA name in `notes` or `tasks` is kept for 30 days by default.\n"

    assert _questions(text) == ["What does quillsync say about “Use”?"]


def test_code_is_no_text() -> None:
    """Neither fenced nor indented."""
    assert _questions("# 青禾县\n\n    青禾县成立于1932年。\n\n```\n青禾县成立于1932年。\n```\n") == []


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("临时文件保留30天，会员文件保留90天。", ["临时文件保留多少天？", "临时文件保留30天，会员文件保留多少天？"]),
        ("设备到货验收合格后支付60%。", []),
        ("未经甲方同意，乙方不得转让合同。", ["未经甲方同意，乙方可以转让合同吗？"]),
        ("密码须每90天更换一次。", ["密码须每多少天更换一次？"]),
        ("免费10GB。", []),
    ],
)
def test_what_has_lost_its_half_is_not_asked(text: str, asked: list[str]) -> None:
    """What the clause before names, of what a share is one, under which condition a ban holds, a duty's number."""
    found = [one.partition("，")[2] for one in _questions(f"# 采购合同\n\n{text}\n")]

    assert found == asked


def test_what_a_form_fills_in_is_asked_for() -> None:
    """A name, a colon and a short value; speakers of a record are no fields."""
    text = "# 询问笔录\n\n被询问人：沈拾光，云锦裁缝铺店主\n\n答：三十六套\n"
    drafts = [one.draft for one in find(_paper(text)) if isinstance(one, Found)]

    assert [(one.question, one.points[0].text) for one in drafts] == [("根据《询问笔录》，被询问人是谁？", "沈拾光")]


def test_a_line_that_returns_is_no_field() -> None:
    """What several lines fill in differently has no one answer."""
    text = "# 询问笔录\n\n附件：甲\n\n附件：乙\n\n承办人：沈拾光\n"
    drafts = [one.draft for one in find(_paper(text)) if isinstance(one, Found)]

    assert [one.question for one in drafts] == ["根据《询问笔录》，承办人是谁？"]


def test_every_answer_stands_in_its_quotation() -> None:
    """What is handed out can be found in the page, letter by letter."""
    text = "# 青禾镇\n\n青禾镇成立于1932年3月1日。青禾镇面积约16平方公里。\n"
    paper = _paper(text)
    drafts = [one.draft for one in find(paper) if isinstance(one, Found)]

    assert len(drafts) >= 2
    for point in (point for draft in drafts for point in draft.points):
        assert text[point.place.start : point.place.end] == point.place.quote
        assert point.text in point.place.quote


@pytest.mark.parametrize(
    ("text", "question"),
    [
        (
            "The archive of the harbour office keeps the audit log of a crew\n for 180 days and then deletes it.",
            "According to “Harbour rules”, how long does the archive of the harbour office keep the audit log of a "
            "crew?",
        ),
        (
            "- The audit log of the office is kept\n  for 180 days.",
            "According to “Harbour rules”, how long is the audit log of the office kept?",
        ),
        (
            "The limit is\n\nThe audit log is kept for 180 days.",
            "According to “Harbour rules”, how long is the audit log kept?",
        ),
    ],
)
def test_a_sentence_broken_over_lines_is_whole(text: str, question: str) -> None:
    """A full line goes on in the next one, an item in what is indented below it; its quotation keeps the line's end."""
    page = f"# Harbour rules\n\n{text}\n"
    (found,) = [one.draft for one in find(_paper(page)) if isinstance(one, Found)]

    place = found.points[0].place
    assert (found.question, found.points[0].text) == (question, "180 days")
    assert page[place.start : place.end] == place.quote


def test_a_chinese_line_that_goes_on_needs_no_space() -> None:
    """Two short lines are two lines."""
    broken = (
        "# 采购合同\n\n设备到货以后经过公司技术部门验收并且签署了书面验收单据的，乙方应当在三\n十天内付清全部余款。\n"
    )
    wrapped = broken.replace("三\n十", "\n三十")

    assert _questions(broken) == []
    assert _questions(wrapped) == [
        "根据《采购合同》，设备到货以后经过公司技术部门验收并且签署了书面验收单据的，乙方应当在多少天内付清全部余款？"
    ]
    assert _questions("# 采购合同\n\n乙方应当在\n三十天内付清余款。\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "# 沈拾光\n\n沈拾光出生于青禾镇一个裁缝家庭。\n",
        "# 沈拾光\n\n2011年1月，沈拾光获青禾大学商学院颁授，成为校友会的荣誉会员。\n",
        "# 询问笔录\n\n## 沈拾光是什么时候、在哪里被带走的？\n\n2023年11月15日，沈拾光在澜渡东站被带走。\n",
        "# Harbor FAQ\n\n## When and where was Harbor founded?\n\nHarbor was founded in 1999.\n",
        "# Harbor FAQ\n\n## When was Harbor founded, and who founded it?\n\nIn the spring of 1999.\n",
    ],
)
def test_what_is_answered_by_half_is_not_asked(text: str) -> None:
    """A family is no place, what was conferred is missing, and one value does not answer two questions."""
    kinds = {one.draft.kind for one in find(_paper(text)) if isinstance(one, Found)} - {"section"}
    assert not kinds & {"place", "asked"}
    assert not any("颁授" in one for one in _questions(text))


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("# 青禾镇\n\n全镇总面积为72平方公里。\n", ["青禾镇的总面积为多少平方公里？"]),
        (
            "# 马来西亚区划\n\n馬來西亞於1957年脫離殖民統治。\n",
            ["關於馬來西亞區劃，馬來西亞於哪一年脫離殖民統治？"],
        ),
        ("# 尼日利亞\n\n奈及利亞於1960年脫離殖民統治。\n", []),
    ],
)
def test_nothing_is_said_twice(text: str, asked: list[str]) -> None:
    """The whole of what stands in front, a title in another script, another name of the same country."""
    found = [one.draft.question for one in find(_paper(text)) if isinstance(one, Found)]

    assert found == asked


@pytest.mark.parametrize("sign", ["\x1b", "\u202e", "\u200f", "\u2066", "\u200b", "\x9b"])
def test_signs_that_nobody_sees_give_no_question(sign: str) -> None:
    """In the sentence, in the title, in a cell; what stands apart from them is asked."""
    above = "Larkfield Tower was founded in 1912. The hill lies above the old river port, and paths lead there.\n\n"
    text = f"{above}Larkfield Tower has {sign}9 floors.\n"
    found = list(find(Paper("a.md", "0" * 64, (Page(1, f"# Larkfield Tower\n\n{text}"),))))
    assert [one.draft.points[0].text for one in found if isinstance(one, Found)] == ["1912"]
    assert Refused("hostile") in found
    table = f"# {sign}云岭价目表\n\n| 名称 | 单价 |\n|---|---|\n| 竹篮 | 30元 |\n"
    assert set(find(Paper("b.md", "0" * 64, (Page(1, table),)))) == {Refused("hostile")}
