"""Does a text state a point: proved yes, proved no, or open."""

import json
from collections import Counter
from pathlib import Path

import pytest

from ragstone.reading.lexicon import Lexicon
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.statements import Statements

ROWS = [
    json.loads(line) for line in (Path(__file__).parents[2] / "data" / "mention.jsonl").read_text("utf-8").splitlines()
]


def test_what_is_proved_is_right_and_little_is_credited_wrongly() -> None:
    """On the labelled rows nearly every proof agrees with the label, and most rows are decided."""
    seen: Counter[tuple[bool, str]] = Counter()
    for row in ROWS:
        verdict = states(Point(row["point"]), Statements(row["answer"]), row.get("question", ""))
        seen[row["stated"], verdict.outcome] += 1

    decided = sum(count for (_, outcome), count in seen.items() if outcome != "open")
    assert (seen[True, "yes"] + seen[False, "no"]) / decided >= 0.98
    assert seen[False, "yes"] / sum(count for (stated, _), count in seen.items() if not stated) <= 0.015
    assert decided / len(ROWS) >= 0.65


@pytest.mark.parametrize(
    ("point", "answer", "question", "outcome", "rule"),
    [
        ("支持断点续传", "新版支持断点续传。", "", "yes", "verbatim"),
        ("支持断点续传", "新版支持断点续传，但不支持批量导出。", "", "yes", "verbatim"),
        ("支持Oracle数据库", "目前版本暂不支持Oracle数据库。", "", "no", "negated"),
        ("六月发布", "网传六月发布，官方没有证实。", "", "no", "hearsay"),
        ("the merger was approved", "There are rumours that the merger was approved.", "", "no", "hearsay"),
        ("押金为2000元", "押金过去是2000元，如今涨到了3000元。", "现在的押金？", "no", "outdated"),
        ("押金为3000元", "押金过去是2000元，如今涨到了3000元。", "现在的押金？", "yes", "clause"),
        ("押金为5000元", "押金为6000元。", "押金是多少？", "no", "number_changed"),
        ("Acme acquired Globex", "In 2019 Globex acquired Acme.", "", "no", "swapped"),
        ("It supports CSV", "It supports PDF, Word, CSV and Markdown.", "", "yes", "sentence"),
        ("Tom Ford leads sales", "Ines Quill leads sales, Tom Ford and Ray Low lead support.", "", "open", "apart"),
        ("基础版每月29元", "基础版每月59元，专业版每月29元。", "基础版和专业版分别多少钱？", "no", "number_changed"),
        ("Tank A holds the acid", "Water is kept in Tank A and the acid in Tank B.", "", "open", "swapped"),
        ("蓝岩为沐川的子公司", "蓝岩收购了沐川，沐川自此成为蓝岩的子公司。", "", "open", "swapped"),
        ("90 days", "Either party may leave without cause by giving 90 days' notice.", "", "yes", "verbatim"),
        ("招收二年级至五年级的学生", "学生须为二、三、四、五年级，一年级不收。", "招收几年级？", "open", "not_found"),
        ("前日の17時までに申請する", "ご希望の方は前の日の午後5時までに申し込む。", "", "open", "not_found"),
        ("报名时间为5月18日至5月22日", "2025年报名时间为5月18日至5月22日。", "何时报名？", "yes", "verbatim"),
        ("报名时间为5月18日至5月22日", "2025年报名时间为5月18日至5月25日。", "何时报名？", "no", "number_changed"),
        ("Take two tablets twice a day", "Take one tablet twice a day.", "", "open", "not_found"),
        ("Tarn acquired Coldstream", "Tarn was taken over by Coldstream.", "", "no", "swapped"),
        ("Coldstream acquired Tarn", "Tarn was taken over by Coldstream.", "", "yes", "clause"),
        ("Argentina and Chile", "It borders Chile, Peru and Argentina.", "", "yes", "sentence"),
        ("设备老化", "报告排除了设备老化的因素。", "", "no", "negated"),
        ("pets are allowed", "You may not bring pets.", "Are pets allowed?", "no", "negated"),
        ("pets are allowed", "You can't bring pets.", "", "no", "negated"),
        ("报名费为80元", "在旧版办法里，报名费为80元。", "", "open", "outdated"),
        ("The fee is $40", "The fee is now $30, down from $40.", "", "no", "outdated"),
        ("每年体检一次", "职工每两年体检一次。", "", "open", "not_found"),
        ("Cooks get one week off", "Cooks get two weeks off; all others get one week.", "", "no", "number_changed"),
        ("pets are forbidden", "You cannot bring pets.", "", "yes", "clause"),
        ("周一开门", "周一闭馆。", "周一开门吗？", "no", "opposite"),
        # A value or a name that stands only in rumours and plans is not stated, in whatever words.
        ("年费为80元", "业主群里有人说涨到了80元，物业没有回应。", "年费是多少？", "no", "hearsay"),
        ("The rent is $52", "A plot costs $45. The committee is considering raising it to $52.", "", "no", "planned"),
        ("Feed it two times a day", "Feed it twice a day.", "", "yes", "clause"),
        ("行李限20公斤", "每人可带行李，不超过20公斤。", "", "yes", "sentence"),
        # Another item of a list, another part of a sentence, a longer name: what stands there is of that one.
        ("普通座80元", "票价如下：\n- 普通座：120元\n- 贵宾座：80元", "两种座位各多少钱？", "open", "swapped"),
        ("贵宾座80元", "票价如下：\n- 普通座：120元\n- 贵宾座：80元", "两种座位各多少钱？", "yes", "clause"),
        ("金票押金为20元", "- 金票：押金50元\n- 铂金票：押金20元", "金票和铂金票的押金？", "open", "swapped"),
        ("物业费由园区承担", "物业费由商户缴纳，水电费则由园区承担。", "谁付物业费，谁付水电费？", "open", "apart"),
        ("现任馆长是方岚", "2010至2018年由方岚担任馆长，此后她已卸任。", "馆长是谁？", "open", "outdated"),
        ("空腹不能喝茶", "“空腹不能喝茶”是误解，其实可以喝。", "", "open", "quoted"),
        ("由车间在当天上午9点前上报", "车间须于当日9:00之前上报。", "", "yes", "clause"),
        ("入职后年休假为五天", "入职之后，当年的年休假有五天。", "", "yes", "sentence"),
        ("Parts are covered for 12 months", "Parts are covered for the first year.", "", "open", "not_found"),
        # A claim that the next sentence refutes, also behind who says so.
        ("何立已离队", "“何立已离队”，群里都在传。俱乐部回应：这不是事实。", "", "no", "negated"),
        (
            "The fund lost money",
            "A broker said that the fund lost money. Auditors found that baseless.",
            "",
            "no",
            "negated",
        ),
        ("下学期合并", "有家长在群里表示下学期合并。", "", "no", "hearsay"),
        # Parties, models, versions and hours that only look the same.
        ("承租方向出租方支付违约金", "由出租方向承租方支付违约金。", "", "no", "swapped"),
        ("云雀R60支持远程唤醒", "支持远程唤醒的是云雀R60 Pro。", "", "open", "narrower"),
        ("Locks came with Tessel DB 4.1", "Locks came with Tessel DB 4.10.", "", "open", "not_found"),
        (
            "It closes at 7 p.m. on weekdays",
            "On Saturdays it closes at 4 p.m. On weekdays until 7.",
            "",
            "open",
            "not_found",
        ),
        # A bare yes or no, with the document or a condition in front of what is asked.
        ("不得乘坐商务舱", "不可以。", "根据《员工手册》中「差旅」，员工可以乘坐商务舱吗？", "yes", "asked_for"),
        ("不得乘坐商务舱", "可以。", "根据《员工手册》中「差旅」，员工可以乘坐商务舱吗？", "no", "negated"),
        ("不得乘坐商务舱", "否", "根据《员工手册》，员工可以乘坐商务舱吗？", "yes", "asked_for"),
        ("不得乘坐商务舱", "可以", "根据《员工手册》，员工可以乘坐商务舱吗？", "no", "negated"),
        ("不得乘坐商务舱", "不能乘坐。", "出差时，员工可以乘坐商务舱吗？", "yes", "asked_for"),
        ("不得乘坐商务舱", "可以乘坐", "出差时，员工可以乘坐商务舱吗？", "no", "negated"),
        ("不得乘坐商务舱", "不得。", "员工可以乘坐商务舱吗？", "yes", "asked_for"),
        ("必须由主管加签", "必须。", "急件是否必须由主管加签？", "yes", "asked_for"),
        ("必须由主管加签", "不必。", "急件是否必须由主管加签？", "no", "negated"),
        ("不得乘坐商务舱", "可以乘坐经济舱。", "员工可以乘坐商务舱吗？", "open", "not_found"),
        ("不得乘坐商务舱", "不可以。", "票价多少，员工可以乘坐商务舱吗？", "open", "not_found"),
        ("must not copy files", "No", "According to “Rules”, may a reader copy files?", "yes", "asked_for"),
        ("must not copy files", "Yes", "According to “Rules”, may a reader copy files?", "no", "negated"),
        ("may borrow comics", "Yes.", "May children borrow comics?", "yes", "asked_for"),
        ("may borrow comics", "No.", "May children borrow comics?", "no", "negated"),
        ("may borrow comics", "Yes.", "Who may borrow comics?", "open", "not_found"),
        ("包含牙科治疗", "不包含。保障范围为住院，牙科治疗属于责任免除项目。", "包含牙科吗？", "open", "negated"),
        ("5月开放", "初步设想是争取明年，也就是5月开放。", "", "no", "planned"),
        ("The Orla 300 has a removable battery", "The Orla 300S has a removable battery.", "", "open", "narrower"),
        # What a no before a colon denies is not what stands behind it.
        ("新馆已开放", "新馆最终没有推迟：新馆已经开放。", "", "yes", "clause"),
        # A point that says no more than the question: yes, no or a value answers it.
        ("Contractors have access", "No. Only staff have keys.", "Do contractors have access?", "no", "negated"),
        ("可以刷卡", "可以喔！也收现金。", "可以刷卡吗？", "yes", "asked_for"),
        (
            "The deadline is 14 September",
            "Forms close on 4 September.",
            "When is the deadline?",
            "no",
            "number_changed",
        ),
        ("苏岩生于1931年", "苏岩(1931—2010)，版画家。", "苏岩是哪年出生的？", "open", "not_found"),
        # A point that denies, beside a text that denies it in words of its own.
        ("毛衣不能烘干", "毛衣要是烘干，就没法穿了。", "", "open", "negated"),
        ("协议未载明违约金", "这份协议没有载明违约金。", "", "yes", "clause"),
        ("有盖饭盒可带入教室", "有盖饭盒没问题，不过零食一律唔可以带入教室。", "", "open", "negated"),
        # A denial before a colon ends where the rule follows.
        ("教师须任教满2年", "不是人人都能参加：只有任教满两年的教师才可以。", "", "yes", "clause"),
        ("检索系统", "两个组件缺一不可：\n1. 检索系统：保存段落。\n2. 语言模型：写出结论。", "", "yes", "verbatim"),
        ("携带宠物", "禁止：\n1. 携带宠物\n2. 吸烟", "", "no", "negated"),
        ("并发写入", "不能：\n1. 并发写入\n2. 离线使用", "", "no", "negated"),
        # Hearsay ends where it is announced.
        ("套餐卖18元", "上月还只是传言，这周食堂正式发了公告，套餐卖18元。", "", "yes", "verbatim"),
        # The same amounts, written otherwise.
        ("出席门槛为股份的2/3以上", "须有三分之二以上的股份出席。", "出席门槛是多少？", "yes", "clause"),
        ("晚到超过两小时由车队承担", "晚到两个钟头以上的，由车队承担。", "", "yes", "sentence"),
        ("Half-term runs from 21 to 25 October", "Half-term is Monday 21 to Friday 25 October.", "", "yes", "clause"),
        ("참가비는 만 원이다", "참가비는 2만 원입니다.", "", "no", "number_changed"),
        ("밭은 500제곱미터이다", "밭은 500평입니다.", "", "no", "number_changed"),
        # One name's own is not another's; a plan in other words is a plan.
        ("Farrow's chief stayed on", "Farrow paid in cash, and Lind's chief stayed on.", "", "open", "apart"),
        ("Hexley charges £45 a year", "A £45 annual fee has been proposed.", "Is Hexley charging?", "no", "planned"),
        # Two sentences prove nothing together.
        ("Elm was opened in 2016", "Elm was opened in May 2019. Work began in 2016.", "", "open", "apart"),
        ("Delivery is free", "Delivery is free only for orders above 50 euros.", "", "open", "narrower"),
        ("海平到云州的列车", "云州到海平的列车。", "", "no", "swapped"),
        (
            "The box holds two cables",
            "The box holds:\n* 2 × cables\n* 1 × lamp\n\nNot included: a stand.",
            "",
            "yes",
            "clause",
        ),
        ("该行为违法", "认为该行为违法的说法站不住脚。", "", "no", "negated"),
        ("孕妇禁用", "妊娠期妇女禁止使用本品。", "", "yes", "clause"),
        ("the product is not vegan", "The product is not vegan.", "", "yes", "verbatim"),
        ("12 servers", "I am not sure, but there might be 12 servers.", "", "no", "guessed"),
        ("No. 1 hit", "It became a No. 1 hit in May.", "", "yes", "verbatim"),
        ("Mariah Carey", "It is by singerMariah Careyfor her album.", "Who sang it?", "yes", "clause"),
        ("1978", "It was released in 19781.", "When?", "yes", "verbatim"),
        ("降低上线风险", "先让一小部分用户用上新版本。", "", "open", "not_found"),
        ("由市场部负责", "大概率由市场部负责吧。", "", "no", "guessed"),
        ("2025年3月上线", "如果顺利，也许会在2025年3月上线。", "", "no", "guessed"),
        ("資本金は500万円", "資本金は500万円です。", "", "yes", "verbatim"),
        ("오프라인 모드 지원", "오프라인 모드를 지원하지 않습니다.", "", "no", "negated"),
        ("由周敏负责审批", "由周敏敏负责审批。", "", "open", "not_found"),
        ("图书最多可续借两次", "图书最多可借两本。", "", "open", "not_found"),
        ("检索速度提升两倍", "检索速度提高了2倍。", "", "yes", "clause"),
        ("产品保修两年", "保修期为24个月。", "产品保修多久？", "yes", "clause"),
        ("一天最多六颗", "每日上限为6颗。", "一天最多吃几颗？", "yes", "clause"),
        ("支持离线使用", "没有网络时也能使用。", "", "yes", "clause"),
        ("手机会增加风险", "没有证据表明手机会增加风险。", "", "no", "negated"),
        ("All patients were cured", "Several of the patients were cured.", "", "open", "weaker"),
        ("您的社保卡已被停用", "诈骗短信会这样写：“您的社保卡已被停用，请点击链接。”", "", "open", "quoted"),
        ("Noise is prohibited at night", 'Section 4 reads: "Noise is prohibited at night."', "", "yes", "verbatim"),
        ("Marek scored the goal", "Marek's brother Pavel scored the goal.", "", "no", "swapped"),
        ("大槻が三木に家を売った", "三木さんが大槻さんに家を売りました。", "", "no", "swapped"),
        ("배우가 기자를 고소했다", "기자가 배우를 고소했습니다.", "", "no", "swapped"),
        ("하루 세 번 복용한다", "하루에 3회 드세요.", "", "yes", "clause"),
        ("票价为30元", "学生票价为30元。", "", "open", "narrower"),
        ("药品需冷藏", "药品开封后需冷藏。", "", "open", "narrower"),
        ("The museum is free on Mondays", "The museum shop is free on Mondays.", "", "open", "narrower"),
        ("图书馆藏书50万册", "新馆建成后图书馆藏书将达50万册。", "", "no", "planned"),
        # What the question says in any wording need not be said again.
        ("Entry requires a ticket", "A ticket.", "What do I need for entry?", "yes", "clause"),
        ("申请门禁卡需提供学生证", "请带好学生证原件。", "申请门禁卡需要哪些材料？", "open", "not_found"),
        ("房东是明德公司", "明德公司住在楼上，房东是恒泰公司。", "谁是房东？", "open", "apart"),
        # The one value that was asked for, and no other of its kind.
        ("水塔净高52米", "塔身高度为五十二米。", "水塔有多高？", "yes", "asked_for"),
        ("大桥全长820米", "隧道有820米。", "大桥有多长？", "open", "not_found"),
        ("大桥全长820米", "桥身总长可能有820米。", "大桥有多长？", "no", "guessed"),
        # What is not decided yet, and who once was; an opposite in another clause is of something else.
        ("票价自3月起上调", "公交公司的方案是票价自3月起上调，不过市里还没有通过。", "", "no", "guessed"),
        (
            "The pool will be heated",
            "There has been talk of the pool that will be heated, but no decision has been made.",
            "",
            "no",
            "hearsay",
        ),
        ("馆长是莫青山", "原馆长莫青山去年退休，现任馆长是白露。", "", "no", "outdated"),
        ("每日最高收费250元", "停车每小时收费50元，当日最高收250元。", "", "open", "negated"),
        ("叶南乔", "栖雾村由叶南乔于1861年重建。", "栖雾村由谁重建？", "yes", "verbatim"),
        # What a question asks of the past, and denies itself, takes nothing back.
        ("海州市", "莫青出生于海州市，10岁与家人迁至岭州。", "莫青出生于哪里？", "yes", "verbatim"),
        (
            "1994年",
            "1992年，莫青接任青年队主教练，1994年，莫青出任海州队主教练。",
            "莫青什么时候出任海州队主教练？",
            "yes",
            "verbatim",
        ),
        (
            "1985年",
            "莫青於1985年表示下屆主席不會再由莫家人擔任。",
            "莫青於哪一年表示下屆主席不會再由莫家人擔任？",
            "yes",
            "verbatim",
        ),
        ("海州市", "总部从海州市迁至岭州。", "总部现在在哪里？", "no", "outdated"),
        # Clauses of one sentence that go on, and such as begin anew.
        ("闭馆时间为17点", "每天17点，准时闭馆。", "", "yes", "sentence"),
        ("总部设在青州", "总部设在莱州，青州有仓库。", "", "open", "apart"),
        # A value or a name that stands nowhere.
        ("保证金为80万元", "合同没有写保证金的数额。", "保证金多少？", "no", "value_missing"),
        ("保证金为80万元", "合同写的保证金是80。", "保证金多少？", "open", "not_found"),
        ("The fee is $40", "There is no fee; it is free.", "What is the fee?", "open", "not_found"),
        ("未拆封的支持七天退货", "可以，只要没拆。", "买了能七天退货吗？", "open", "not_found"),
        ("接口型号为HX200", "资料没有列出接口型号。", "接口是什么型号？", "no", "name_missing"),
        # Another number of its kind gives it no more, unless two of them make it.
        ("The port is 7420", "It listens on port 7240.", "Which port?", "no", "value_missing"),
        ("押金为6000元", "押金为两个月的租金，每月3000元。", "押金是多少？", "open", "not_found"),
        ("一共付6000元", "付两个月的租金，月租3000元。", "要付多少？", "open", "not_found"),
        ("The track climbs 300 metres", "It starts at 450 metres and ends at 750.", "", "open", "not_found"),
        ("共有五名成员", "成员有甲、乙、丙、丁、戊，任期3年。", "", "open", "not_found"),
        ("隧道长约3.4公里", "隧道全长3420米。", "", "open", "not_found"),
        # What a clause leaves out is told of another behind a but.
        (
            "The contractor provides the staff",
            "The contractor, Lindqvist, brings the servers, while the client supplies the staff.",
            "Who provides the servers and who provides the staff?",
            "open",
            "apart",
        ),
        (
            "The head is appointed for four years",
            "The head is appointed by the board for a four-year term.",
            "",
            "yes",
            "clause",
        ),
        ("投資額は40億円である", "投資額は40億円になるかもしれない。", "投資額は？", "no", "guessed"),
        # Words that add nothing.
        ("年会在苏州举行", "年会的地点在苏州。", "", "yes", "clause"),
        ("A deposit of 50 euros applies", "There is a deposit of 50 euros.", "", "yes", "clause"),
        (
            "The savings account feeds the current account",
            "The current account feeds the savings account.",
            "",
            "open",
            "swapped",
        ),
        ("Parking is free of charge", "Parking is free.", "", "yes", "clause"),
        # A bare yes or no beside a rule that forbids what the question asks.
        ("不得将文件带离办公区", "不可以。", "可以将文件带离办公区吗？", "yes", "asked_for"),
        ("不得将文件带离办公区", "可以。", "可以将文件带离办公区吗？", "no", "negated"),
        ("Visitors may not bring dogs", "No.", "May visitors bring dogs?", "yes", "asked_for"),
        ("Visitors may not bring dogs", "Yes, they may.", "May visitors bring dogs?", "no", "negated"),
        ("员工不得带文件", "不可以。", "员工不可以带文件吗？", "open", "not_found"),
        # What only looks like another word, and what stands under another heading or was so once.
        ("职员满一年后可享受年假", "职员工作满十二个月即可休年假。", "", "yes", "clause"),
        ("首席由理事会任命", "首席由理事会任命。", "", "yes", "verbatim"),
        ("A reset deletes the saved files", "A reset deletes your saved files.", "", "yes", "clause"),
        (
            "phone is a required field",
            "Required: email\nOptional: fax, phone",
            "Which fields are required?",
            "open",
            "not_found",
        ),
        (
            "The headquarters are in Dunmore",
            "It moved its head office from Dunmore to Saltash. The Dunmore building is a store.",
            "Where is it headquartered?",
            "no",
            "outdated",
        ),
        ("한빛이 다온에 기술을 이전한다", "다온이 한빛에 기술을 이전한다.", "", "no", "swapped"),
        (
            "保价件按保价金额赔偿",
            "如果没有保价，最高赔300元；如果保价，按保价金额赔偿。",
            "丢件赔多少？",
            "open",
            "negated",
        ),
        ("年休は10日である", "就業規則によると年休は10日とのことです。", "", "yes", "clause"),
        ("보안 점검은 매달 한다", "보안 점검은 매달 합니다.", "", "yes", "clause"),
        ("Los Angeles, California", "It was filmed in Los Angeles.", "Where was it filmed?", "yes", "verbatim"),
    ],
)
def test_verdict_and_rule(point: str, answer: str, question: str, outcome: str, rule: str) -> None:
    """Each kind of proof, in five languages."""
    verdict = states(Point(point), Statements(answer), question)

    assert (verdict.outcome, verdict.rule) == (outcome, rule)


def test_the_place_is_told_in_the_text_as_it_was_given() -> None:
    """Spaces that a page's layout put between characters do not move the place."""
    answer = "系统 支 持 断 点 续 传。"

    verdict = states(Point("支持断点续传"), Statements(answer))

    assert verdict.span is not None
    assert answer[slice(*verdict.span)] == "支 持 断 点 续 传"


def test_a_users_own_words_mean_the_same() -> None:
    """SSO says single sign-on only where a glossary says so."""
    said = Statements("The plan includes SSO.")

    assert states(Point("single sign-on"), said).outcome == "open"
    assert states(Point("single sign-on", Lexicon([("SSO", "single sign-on")])), said).outcome == "yes"


@pytest.mark.parametrize("piece", ["不支持A，", "not ", "从1到2", "据说", "更正，", '"'])
def test_endless_text_is_read(piece: str) -> None:
    """A long text of cues comes to an end and to a verdict."""
    assert states(Point("支持断点续传"), Statements(piece * 20_000)).outcome in ("yes", "no", "open")
