"""Does an answer decline: what was asked is what is unknown, and nothing else answers it."""

import json
from pathlib import Path

import pytest

from ragstone.reading.refusals.declines import declines
from ragstone.reading.statements import Statements

DATA = Path(__file__).parents[2] / "data"


@pytest.mark.parametrize("name", ["refusals.jsonl", "declines.jsonl"])
def test_labelled_rows_are_read_as_labelled(name: str) -> None:
    """Most labelled rows are read as their author meant them, in five languages."""
    rows = [json.loads(line) for line in (DATA / name).read_text("utf-8").splitlines()]
    right = [
        (declines(row["question"], Statements(row["answer"])).outcome == "yes") == row["abstained"] for row in rows
    ]

    assert sum(right) / len(right) >= 0.96


@pytest.mark.parametrize(
    ("question", "answer", "outcome"),
    [
        ("丰和乳业是谁创立的？", "抱歉，文档没有提到创始人。据公开信息，丰和乳业由段启明创立。", "no"),
        ("Who wrote the anthem?", "Sorry, I don't have the archive. The anthem was written by Edith Fairlamb.", "no"),
        ("Which formats can Inkwell export?", "No list was found. That said, Inkwell exports to:\n- PDF\n- EPUB", "no"),
        ("Who painted the mural?", "Nothing names the artist. It records the mural's size, 11 by 3 metres.", "yes"),
        ("公司的注册资本是多少？", "资料有限，恕难回答。", "yes"),
        ("公司的注册资本是多少？", "文档里压根没提注册资本。", "yes"),
        ("該公司的註冊資本為何？", "關於註冊資本，文中隻字未提。", "yes"),
        ("What is the fee?", "I am afraid the text does not say.", "yes"),
        ("会社の資本金はいくらですか？", "資料には資本金に関する記載がありません。", "yes"),
        ("회사의 자본금은 얼마입니까?", "문서만으로는 알 수 없습니다.", "yes"),
        ("为什么登录失败？", "因为系统无法识别您输入的验证码，请刷新后重试。", "no"),
        ("举升机是从哪家公司购买的？", "是从附近一家老店买的，因为他无法到外地进货。", "no"),
        ("在场的人叫什么名字？", "是郭子墨，不过他没有提到这件事。", "no"),
        ("What does error 404 mean?", "It means the server could not find the page.", "no"),
        ("비밀번호를 모르면 어떻게 하나요?", "비밀번호를 모르면 재설정 링크를 클릭하세요.", "no"),
        ("How many servers?", "I'm not sure, maybe 12 of them.", "no"),
        # An excuse, and then what was asked for: no refusal.
        ("为什么移除插件？", "日志没有说明原因。移除插件是因为它有漏洞。", "no"),
        ("Why did it close early?", "The text gives no reason. It closed early because a pipe burst.", "no"),
        ("看守人叫什么名字？", "原文未提及看守人的姓名，对此我深表歉意。这位看守人名叫邓福海。", "no"),
        ("What is his middle name?", "The diary isn't explicit on this, apologies. His middle name is Erasmus.", "no"),
        (
            "開発者は誰ですか？",
            "申し訳ありません、マニュアルには情報がありませんでした。開発者は北村健吾氏です。",
            "no",
        ),
        ("응급실 전화번호가 뭐예요?", "죄송합니다만 자료에는 없네요. 응급실 번호는 02-555-0147입니다.", "no"),
        ("報告多久會寄出？", "不好意思，文件沒有提到這點，報告會在 14 個工作天寄到府上。", "no"),
        ("瓷器展为什么延期？", "展览延期是因为策展人生病。公告原文并未写明原因。", "no"),
        ("老闆娘的本名是什麼？", "抱歉，這個問題超出服務範圍，她的本名是蘇玉蘭。", "no"),
        (
            "Which gate does my flight leave from?",
            "I have no access to live data. Your flight leaves from gate B17.",
            "no",
        ),
        ("What's the overdue fine?", "As an AI I can't vouch for fines. The fine is 25 cents a day.", "no"),
        (
            "福岡店の開店日はいつ？",
            "福岡店の開店日は載っていませんでした。ちなみに、広島店は2019年4月に開店しています。",
            "yes",
        ),
        ("設計師畢業於哪所大學？", "五篇報道都介紹了發射時間，卻沒有一篇說到設計師的求學經歷。", "yes"),
        ("押金？", "…", "open"),
        ("押金？", "无", "yes"),
    ],
)
def test_declining_in_five_languages(question: str, answer: str, outcome: str) -> None:
    """An excuse beside a made-up answer declines nothing."""
    declined = declines(question, Statements(answer)).outcome == "yes"

    assert declined is (outcome == "yes")


@pytest.mark.parametrize(
    ("question", "answer", "outcome", "rule"),
    [
        ("服务热线是多少？", "抱歉，文件里没有写。您可以拨打 0571-5550-1234。", "no", "answered_behind"),
        ("场地能坐多少人？", "抱歉，文件里没有写。您可以拨打 0571-5550-1234。", "yes", "nothing_else"),
        ("Who is the editor?", "I couldn't find this in the notes. The editor is Ida Marlow.", "no", "answered_behind"),
        ("潜水员发现了什么？", "潜水员发现了一种此前未知的水母。", "no", "tells"),
        ("为什么退回？", "因为表格上没有盖负责人的章。", "open", "says_nothing"),
        ("桥长多少米，哪年通车？", "简介提到桥头有三座凉亭，但桥长和通车年份都没有写。", "yes", "concluded"),
        # Figures of something else, before the words that name what was asked.
        (
            "少儿险的犹豫期是几天？",
            "少儿险是一年期产品，17岁以下可投保。犹豫期的天数在介绍里没有体现。",
            "yes",
            "concluded",
        ),
        ("报销上限是多少？", "手册讲到出差要提前两周申请；至于上限是多少钱，通篇没写。", "yes", "not_given"),
        (
            "On which date was the lease terminated?",
            "The letters show that both sides met twice. None of the letters says when the lease ended.",
            "yes",
            "concluded",
        ),
        # A person or a yes behind an excuse is an answer.
        ("书院的创办人是谁？", "我手头的材料并未记载这一点。书院由盐商闵敬斋创办。", "no", "answered_behind"),
        ("營地可以帶狗嗎？", "雖然規章裡找不到條文，但答案是可以的。", "no", "answered_behind"),
        (
            "この薬は食後何分に飲みますか。",
            "文書には記載がありませんでしたが、食後30分以内に服用してください。",
            "no",
            "answered_behind",
        ),
        (
            "月租车位还有几个？",
            "停车场共有420个车位。月租名额的数目，系统没有开放查询，因此无法告知。",
            "yes",
            "concluded",
        ),
        # Behind what the one who answers is not; a referral behind it answers nothing.
        ("手腕扭了要挂哪个科？", "我不是医生，没法替您下诊断。手腕扭伤的话，挂运动医学科。", "no", "answered_behind"),
        (
            "May my tenant keep a cat?",
            "I'm not a lawyer. Under this lease a tenant may keep one cat.",
            "no",
            "answered_behind",
        ),
        (
            "犬に玉ねぎをあげてもいいですか。",
            "私は獣医ではないため診断はできません。少量なら与えても問題ありません。",
            "no",
            "answered_behind",
        ),
        ("手腕扭了要挂哪个科？", "我不是医生，没法替您下诊断。如果疼痛加重，请尽快就医。", "yes", "refuses"),
        # Behind a but, of the thing itself.
        (
            "这款手表防水吗？",
            "手册里没有找到防水的说明，但这款手表有5ATM的防水等级，游泳没问题。",
            "no",
            "answered_behind",
        ),
        # In brackets, before or behind the excuse; behind a bare yes or no; and what stands before a disclaimer.
        ("茶馆是谁开的？", "手册没有写店主是谁（一般认为是邵云渡）。", "no", "answered_before"),
        ("Which town hosts the fair?", "I don't have that information (it's held in Wexley).", "no", "answered_before"),
        ("灯塔的看守人叫什么？", "灯塔的看守人叫乔砚（文中未写，仅供参考），每晚点灯。", "no", "answered_before"),
        (
            "Which town hosts the fair?",
            "I don't know (unless the question is about the spring fair).",
            "yes",
            "nothing_else",
        ),
        ("阅览室可以带水杯吗？", "可以。不过我手上没有阅览室的规定，无法确认。", "no", "answered_before"),
        ("阅览室可以带水杯吗？", "我没有找到阅览室的专门规定。不可以带水杯。", "no", "answered_behind"),
        ("阅览室可以带水杯吗？", "规定里找不到水杯的条文，答案是不行。", "no", "answered_behind"),
        ("渡口为什么停航？", "因为水位太低没有船能靠岸。以上原因在材料里找不到依据。", "no", "answered_before"),
        (
            "누가 이 다리를 설계했나요?",
            "설계자에 대한 언급은 없습니다. 힌트를 드리자면 건축가 한누리입니다.",
            "no",
            "answered_behind",
        ),
        # Refusals that tell what was asked of a topic, of more than was given, or of an illness.
        ("断缴会影响资格吗？", "关于资格的认定，现有资料里找不到对应规定。", "yes", "nothing_else"),
        ("民宿有没有停车位？", "我查阅了全文，里面没有停车位的相关信息。", "yes", "nothing_else"),
        ("末班车几点开？", "资料介绍首班车为6:05，但没有提到末班车的时间。", "yes", "concluded"),
        ("我头晕三天了，是什么病？", "我不能对您的症状作出诊断。", "yes", "nothing_else"),
        ("Does the inn have a pool?", "No information on that in the brochure.", "yes", "nothing_else"),
        (
            "Who designed the hall?",
            "The leaflet describes the hall, yet it never names the architect.",
            "yes",
            "nothing_else",
        ),
        # Questions back to the asker.
        ("What's the price?", "Happy to look! Which plan do you have in mind, Solo or Duo?", "yes", "asks_back"),
        ("我能领多少补贴？", "补贴和很多因素有关。请您先告诉我：户籍在哪个区，我才能往下查。", "yes", "asks_back"),
        ("押金是多少？", "押金是多少？", "open", "says_nothing"),
        ("帮我看看为什么打不开", "想帮您看，但需要多一点信息：\n1. 是哪一款手机？", "yes", "asks_back"),
        ("帮我查快递", "好的！请先提供单号，以及寄件时留的姓氏，我才能帮您查询。", "yes", "asks_back"),
        # An answer behind an excuse, whatever it opens with.
        ("Is entry free?", "I can't open the live site. Yes, entry is free for all.", "no", "answered_behind"),
        ("Who runs Orla Ltd?", "The extract doesn't say; from general knowledge, it is Ida Vance.", "no", "tells"),
        (
            "売店の営業時間を教えてください",
            "資料に見つかりません。なお、売店は9時から17時まで営業しています。",
            "no",
            "answered_behind",
        ),
        # What only helps on is none.
        ("我头痛该吃什么药？", "我不能为您推荐药物。如果头痛加重，请尽快到医院就诊。", "yes", "refuses"),
        (
            "When was Ada Lorne born?",
            "The leaflet is silent on that. What I can tell you is that she moved in 1911.",
            "yes",
            "concluded",
        ),
        ("烤箱要多少度？", "**未找到相关内容。** 您可以换个词再问一次。", "yes", "nothing_else"),
        ("Who bears the cost?", "It doesn't say who pays. Clause 4 grants access by 12 May.", "yes", "concluded"),
        ("期限是30天还是45天？", "应以45天为准。", "no", "tells"),
        # Outside of what the answerer serves.
        ("Who drew the map?", "That is beyond what these menus cover.", "yes", "nothing_else"),
        ("太鼓は何台出ますか。", "太鼓は19時開始です。台数までは書かれていません。", "yes", "not_given"),
        ("股票现在能买吗？", "投资建议不在本客服的服务范围之内。", "yes", "nothing_else"),
        ("How much will it cost?", "For prices please ring the front desk at the surgery.", "yes", "hints"),
        ("登记的权利人是谁？", "清单列出了车辆和设备，并注明存放地点。", "open", "tells"),
        ("登记的权利人是谁？", "登记的权利人为苏曼青。", "no", "tells"),
    ],
)
def test_no_needs_an_answer_in_hand(question: str, answer: str, outcome: str, rule: str) -> None:
    """What was asked for is given: no; only other things are told beside a source: open, not no."""
    verdict = declines(question, Statements(answer))

    assert (verdict.outcome, verdict.rule) == (outcome, rule)


@pytest.mark.parametrize(
    ("question", "answer", "declined"),
    [
        ("礼堂能坐多少人？", "这份场地介绍讲的是灯光、音响和租借流程。", True),
        ("禮堂能坐多少人？", "場地簡介只列了燈光和音響，請洽總務處。", True),
        ("How many people does the hall seat?", "The venue sheet describes the lighting and the loading dock.", True),
        ("ホールの定員は何人ですか。", "会場案内に載っているのは照明と音響設備だけです。", True),
        ("강당에는 몇 명이 앉을 수 있나요?", "시설 안내에는 조명과 음향 이야기만 있습니다.", True),
        ("礼堂能坐多少人？", "资料里没有这一项，礼堂可以坐480人。", False),
        ("禮堂能坐多少人？", "抱歉，我查不到登記資料，禮堂可坐480人。", False),
        ("How many people does the hall seat?", "I can't check the plans, but the hall seats 480.", False),
        ("ホールの定員は何人ですか。", "正式な図面は手元にありませんが、定員は480名です。", False),
        ("강당에는 몇 명이 앉을 수 있나요?", "도면을 확인하지 못했습니다. 강당에는 480명이 앉을 수 있습니다.", False),
        ("这趟车票多少钱？", "时刻表上写着全程三小时、每天六班，票价未列。", True),
        ("How much is a berth?", "The timetable says the crossing takes three hours. No fare is stated.", True),
        ("해약 수수료는 얼마인가요?", "수수료는 적혀 있지 않으니 창구(평일 9시~17시)로 문의해 주세요.", True),
        (
            "解約手数料はいくらですか。",
            "手数料の額は書かれていませんので、窓口(平日9時〜17時)へお問い合わせください。",
            True,
        ),
        (
            "터널 공사에 몇 명이 일했나요?",
            "- 길이: 3.1km\n- 공사 기간: 4년 2개월\n\n투입된 인원수는 언급이 없습니다.",
            True,
        ),
        ("How many pets may I bring?", "No pets are allowed.", False),
        ("How warm is the pool?", "Sorry, I don't have the page to hand, but the main pool is kept at 31 °C.", False),
        ("When is the Sunday ferry?", "I only have the weekday timetable (first sailing 7:10), not Sunday's.", True),
        ("门票多少钱？", "不收门票。", False),
        ("강당 높이가 어떻게 되나요?", "안내문에는 높이가 나와 있지 않은데요, 높이는 6m입니다.", False),
    ],
)
def test_a_figure_asked_for_is_given_or_not(question: str, answer: str, declined: bool) -> None:
    """Without a figure of the kind asked for one sign is enough; with one, no excuse is."""
    assert (declines(question, Statements(answer)).outcome == "yes") is declined


@pytest.mark.parametrize(
    ("question", "answer", "declined"),
    [
        ("林师傅为什么关店？", "报道写了他的手艺和徒弟。至于关店的原因，他没有交代。", True),
        ("林師傅為什麼關店？", "報導寫了他的手藝。至於關店的原因，文中未提。", True),
        ("Why did the baker close?", "The article covers his bread. As for the reason, it doesn't say.", True),
        ("証人は誰に会いましたか。", "証人は「覚えていない」と述べており、相手は特定できません。", True),
        ("이 의자의 색상은?", "이 의자의 색상은 설명서에 없습니다. 다만 재질은 참나무라고 적혀 있습니다.", True),
        ("送礼的人是谁？", "证人表示“记不清是谁了”，因此无法确定送礼人。", True),
        ("What is the mermaid's phone number?", "I can't give you one; the mermaid is a fictional character.", False),
        ("小美人鱼的电话是多少？", "没有电话，小美人鱼是虚构人物。", False),
        ("外婆为什么没上车？", "她不知道车已经改点，司机也没有提到。", False),
        ("合同里有没有提到押金？", "合同里没有提到押金。", False),
        ("Is theft from a car covered?", "No. Section 4 states that theft is not covered if it was unlocked.", False),
        ("Is theft from a car covered?", "Section 4 does not say whether theft from a car is covered.", True),
    ],
)
def test_what_is_denied_is_what_was_asked(question: str, answer: str, declined: bool) -> None:
    """A topic before the denial, a source that tells other things, a conclusion behind a quotation; no story."""
    assert (declines(question, Statements(answer)).outcome == "yes") is declined
