"""A quotation that stands beside other words, in another clause, denied or the other way round is no gold."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Corpus, Paper
from ragstone.drafting.find import Found
from ragstone.drafting.model.propose import passages
from ragstone.drafting.model.reply import judge

WEIR = """# Sable Weir

Sable Weir Trust hired Corvid Surveys in 2019 and dismissed Plume Surveys in 2021.
The lock was repaired by Ida Marsh and inspected by Tom Fenn.
Adult tickets cost £8 and child tickets cost £3.
The café seats 40 people indoors and 25 people outdoors.
Edith Lowe (warden), Piers Hale (clerk) and Nora Swift (diver) form the committee.
The flow fell from 90 litres to 60 litres in 2020.
The weir has never lent money to Harbour Bank.
Repairs take three weeks, inspections two days.
All staff except divers receive a bonus of £200.
Rowan Pike replaced Lena Frost as gardener in 2022.
Unlike the north gate, the south gate opens at 7 am.
The pool is 4 metres deep and 12 metres wide.
The east bank is 300 metres high.
Divers found no silver but 12 kg of copper in the mud.
Swimmers must not use the ladder without a helmet.
Marlow Estates sold the mill to Quern Bakers for £90,000.

| Part | Limit |
|---|---|
| Crane | 900 kg |
| Winch | 250 kg |
"""
FERRY = """# 青石渡

渡口由周远山出资，由吴庆平设计。
青石渡于2015年卖出旧船两艘，买入新船三艘。
成人票12元，儿童票5元。
夏季早上6点开渡，冬季早上7点开渡。
除节假日外，渡口每天运行16小时。
码头的栈桥宽18米。
渡口没有向灯塔公司购买保险。
维修费由船主承担，保险费由合作社承担。
何文秀接任站长，冯子安转任会计。
二号船载重8吨，三号船载重11吨。
渡工每月休息6天，领班每月休息两周。
青石渡于2009年兼并了柳湾航运。
罗秋白接替沈怀瑾担任青石渡经理。
乘客的行李不包括自行车限重20公斤。
船票每月十五日开售。
单次超过3万元的维修，由站长彭采薇批准。
发生碰撞事故的，船长应当在2小时内报告合作社。
"""
OBSERVATORY = """# Tarrow Observatory

Tarrow Observatory was designed by Lena Gould and built by Hask Brothers between 1931 and 1934.
The main mirror weighs 3 tonnes and the dome weighs 45 tonnes.
Entry costs £6; students pay half, and guided tours cost £11.
The observatory closes on Mondays and opens at noon on Sundays.
Its director, Paul Iversen, succeeded Ruth Calloway in 2020.
In 2022 the observatory received 48,000 visitors, 12,000 fewer than in 2019.
Volunteers must complete 20 hours of training before their first shift and 5 hours every year after that.
Kestrel Optics polished the mirror, while Ormond Glass cast it.
The observatory borrowed £2 million from Tern Bank and lent £40,000 to the village school.
Visitors may photograph the dome but not the mirror.
Bookings must be cancelled at least 48 hours before the visit; later cancellations cost £15.
The library is open to members only.
The car park, which belongs to the village, has 60 places.
Ruth Calloway discovered two comets and Paul Iversen discovered one asteroid.
The east wing burned down in 1957 and was rebuilt in 1961.
Tarrow beat Linfold in the 1998 astronomy contest.
The lease ends on 30 June 2031 and began on 1 July 2001.
"""
LIBRARY = """# 澄湖图书馆

澄湖图书馆由沈怀远捐建，由陆清和设计，1934年动工，1937年落成。
馆藏图书42万册，期刊3100种。
成人每次可借8本，少年儿童每次可借4本。
逾期每天收费0.2元，遗失按原价的两倍赔偿。
馆长陈若谷于2021年接替何静宜。
读者可以在阅览室拍照，但不得使用闪光灯。
图书馆周一闭馆，周日下午1点开馆。
2022年接待读者31万人次，比2021年减少4万人次。
东馆归市教育局管理，西馆归市文化局管理。
澄湖图书馆向柳湾书店借入古籍20种，向松溪书店借出古籍15种。
会议室首小时收费100元，之后每小时收费60元。
除教师外，读者办证须交押金50元。
采购金额10万元以下的由馆长审批，10万元以上的由理事会审批。
北门供读者出入，南门供车辆出入。
志愿者每周服务不少于4小时，每年参加培训6小时。
"""
TEXTS = {"weir.md": WEIR, "ferry.md": FERRY, "observatory.md": OBSERVATORY, "library.md": LIBRARY}
CORPUS = Corpus(tuple(Paper(name, name, (Page(1, text),)) for name, text in TEXTS.items()))


def _is_kept(question: str, quote: str) -> bool:
    proposed = (judge(question, quote, one) for paper in CORPUS.papers for one in passages(paper))
    return any(isinstance(one, Found) for one in proposed)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Which company did Sable Weir Trust hire in 2019?", "Corvid Surveys"),
        ("When did Sable Weir Trust dismiss Plume Surveys?", "2021"),
        ("Who repaired the lock of Sable Weir?", "Ida Marsh"),
        ("By whom was the lock of Sable Weir inspected?", "Tom Fenn"),
        ("How much do child tickets cost at Sable Weir?", "£3"),
        ("Who replaced Lena Frost as gardener at Sable Weir?", "Rowan Pike"),
        ("How deep is the pool at Sable Weir?", "4 metres"),
        ("What is the limit of the winch at Sable Weir?", "250 kg"),
        ("What is the weight of the winch at Sable Weir?", "250 kg"),
        ("青石渡的渡口由谁设计？", "吴庆平"),
        ("青石渡于2015年买入新船多少艘？", "三艘"),
        ("青石渡的儿童票多少元？", "5元"),
        ("青石渡冬季几点开渡？", "早上7点"),
        ("青石渡的保险费由谁承担？", "合作社"),
        ("青石渡的码头栈桥有多宽？", "18米"),
        ("青石渡三号船载重多少吨？", "11吨"),
        ("青石渡的渡工每月休息多少天？", "6天"),
        ("青石渡于哪一年兼并了柳湾航运？", "2009年"),
        ("谁接替沈怀瑾担任青石渡经理？", "罗秋白"),
        ("青石渡的船票每月几日开售？", "每月十五日"),
        ("青石渡单次超过3万元的维修由谁批准？", "彭采薇"),
        ("发生碰撞事故的，青石渡的船长应当在几小时内报告合作社？", "2小时"),
        ("Who built Tarrow Observatory?", "Hask Brothers"),
        ("Who designed Tarrow Observatory?", "Lena Gould"),
        ("How much does the dome of Tarrow Observatory weigh?", "45 tonnes"),
        ("How much does the main mirror of Tarrow Observatory weigh?", "3 tonnes"),
        ("How much do guided tours cost at Tarrow Observatory?", "£11"),
        ("Who is the director of Tarrow Observatory?", "Paul Iversen"),
        ("How many visitors did Tarrow Observatory receive in 2022?", "48,000"),
        ("Which company polished the mirror of Tarrow Observatory?", "Kestrel Optics"),
        ("How much did Tarrow Observatory borrow from Tern Bank?", "£2 million"),
        ("What may visitors to Tarrow Observatory photograph?", "the dome"),
        ("How many places does the car park of Tarrow Observatory have?", "60"),
        ("Who discovered two comets at Tarrow Observatory?", "Ruth Calloway"),
        ("When was the east wing of Tarrow Observatory rebuilt?", "1961"),
        ("When does the lease of Tarrow Observatory end?", "30 June 2031"),
        ("澄湖图书馆的馆藏期刊有多少种？", "3100种"),
        ("澄湖图书馆的图书逾期每天收费多少元？", "0.2元"),
        ("澄湖图书馆的图书遗失按原价的几倍赔偿？", "两倍"),
        ("澄湖图书馆2022年接待读者多少人次？", "31万人次"),
        ("澄湖图书馆向柳湾书店借入古籍多少种？", "20种"),
        ("澄湖图书馆会议室首小时收费多少元？", "100元"),
        ("澄湖图书馆的哪个门供车辆出入？", "南门"),
    ],
)
def test_what_a_sentence_tells_is_kept(question: str, quote: str) -> None:
    """Other values and names in it stand beside other words."""
    assert _is_kept(question, quote)


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Which company did Sable Weir Trust hire in 2019?", "Plume Surveys"),
        ("Which company hired Sable Weir Trust in 2019?", "Corvid Surveys"),
        ("When did Sable Weir Trust dismiss Plume Surveys?", "2019"),
        ("When did Corvid Surveys hire Sable Weir Trust?", "2019"),
        ("Who repaired the lock of Sable Weir?", "Tom Fenn"),
        ("Who designed the lock of Sable Weir?", "Tom Fenn"),
        ("How much do child tickets cost at Sable Weir?", "£8"),
        ("How many people does the café of Sable Weir seat outdoors?", "40"),
        ("Who is the clerk of Sable Weir?", "Edith Lowe"),
        ("Who is the warden of Sable Weir?", "Piers Hale"),
        ("To how many litres did the flow of Sable Weir fall in 2020?", "90 litres"),
        ("To which bank has Sable Weir lent money?", "Harbour Bank"),
        ("How many days do repairs take at Sable Weir?", "three weeks"),
        ("How much is the bonus that divers receive at Sable Weir?", "£200"),
        ("Who was replaced as gardener at Sable Weir in 2022?", "Rowan Pike"),
        ("Who did Lena Frost replace as gardener at Sable Weir?", "Rowan Pike"),
        ("When does the north gate of Sable Weir open?", "7 am"),
        ("How wide is the pool at Sable Weir?", "4 metres"),
        ("How long is the pool at Sable Weir?", "12 metres"),
        ("How much silver did divers find at Sable Weir?", "12 kg"),
        ("How long is the east bank of Sable Weir?", "300 metres"),
        ("青石渡的码头栈桥有多长？", "18米"),
        ("May swimmers at Sable Weir use the ladder with a helmet?", "must not use the ladder"),
        ("Who bought the mill of Sable Weir?", "Marlow Estates"),
        ("What is the limit of the crane at Sable Weir?", "250 kg"),
        ("What is the colour of the winch at Sable Weir?", "250 kg"),
        ("青石渡的渡口由谁设计？", "周远山"),
        ("青石渡的渡口由谁管理？", "吴庆平"),
        ("青石渡于2015年买入新船多少艘？", "两艘"),
        ("青石渡的儿童票多少元？", "12元"),
        ("青石渡冬季几点开渡？", "早上6点"),
        ("青石渡冬季几点收渡？", "早上7点"),
        ("青石渡的渡口节假日每天运行多少小时？", "16小时"),
        ("青石渡的渡口向哪家公司购买保险？", "灯塔公司"),
        ("青石渡的保险费由谁承担？", "船主"),
        ("青石渡谁转任会计？", "何文秀"),
        ("青石渡三号船载重多少吨？", "8吨"),
        ("青石渡的领班每月休息多少天？", "6天"),
        ("青石渡的领班每月休息多少天？", "两周"),
        ("柳湾航运于哪一年兼并了青石渡？", "2009年"),
        ("青石渡于哪一年出售了柳湾航运？", "2009年"),
        ("沈怀瑾接替谁担任青石渡经理？", "罗秋白"),
        ("谁担任青石渡经理？", "沈怀瑾"),
        ("青石渡乘客的自行车限重多少公斤？", "20公斤"),
        ("Who built Tarrow Observatory?", "Lena Gould"),
        ("Who designed Tarrow Observatory?", "Hask Brothers"),
        ("How much does the dome of Tarrow Observatory weigh?", "3 tonnes"),
        ("How much do guided tours cost at Tarrow Observatory?", "£6"),
        ("How much does entry to Tarrow Observatory cost?", "£11"),
        ("How much do students pay at Tarrow Observatory?", "£11"),
        ("On which day does Tarrow Observatory open at noon?", "Mondays"),
        ("On which day does Tarrow Observatory close?", "Sundays"),
        ("Who did Ruth Calloway succeed at Tarrow Observatory?", "Paul Iversen"),
        ("Who is the director of Tarrow Observatory?", "Ruth Calloway"),
        ("How many visitors did Tarrow Observatory receive in 2019?", "48,000"),
        ("How many visitors did Tarrow Observatory receive in 2019?", "12,000"),
        ("How many visitors did Tarrow Observatory receive in 2022?", "12,000"),
        ("How many hours of training must volunteers at Tarrow Observatory complete every year?", "20 hours"),
        ("Which company cast the mirror of Tarrow Observatory?", "Kestrel Optics"),
        ("Which company polished the mirror of Tarrow Observatory?", "Ormond Glass"),
        ("How much did Tarrow Observatory lend to the village school?", "£2 million"),
        ("From which bank did Tarrow Observatory borrow £40,000?", "Tern Bank"),
        ("How much did Tern Bank borrow from Tarrow Observatory?", "£2 million"),
        ("What may visitors to Tarrow Observatory photograph?", "the mirror"),
        ("How much does cancelling 48 hours before the visit cost at Tarrow Observatory?", "£15"),
        ("May the public use the library of Tarrow Observatory?", "open to members only"),
        ("How many places does the library of Tarrow Observatory have?", "60"),
        ("How many comets did Paul Iversen discover?", "two"),
        ("Who discovered one asteroid at Tarrow Observatory?", "Ruth Calloway"),
        ("When was the east wing of Tarrow Observatory rebuilt?", "1957"),
        ("When did the east wing of Tarrow Observatory burn down?", "1961"),
        ("Whom did Linfold beat in the 1998 astronomy contest?", "Tarrow"),
        ("Which town beat Tarrow in the 1998 astronomy contest?", "Linfold"),
        ("When does the lease of Tarrow Observatory end?", "1 July 2001"),
        ("When did the lease of Tarrow Observatory begin?", "30 June 2031"),
        ("澄湖图书馆由谁设计？", "沈怀远"),
        ("澄湖图书馆由谁捐建？", "陆清和"),
        ("澄湖图书馆于哪一年落成？", "1934年"),
        ("澄湖图书馆于哪一年动工？", "1937年"),
        ("澄湖图书馆的馆藏期刊有多少册？", "42万册"),
        ("澄湖图书馆少年儿童每次可借多少本？", "8本"),
        ("澄湖图书馆成人每次可借多少本？", "4本"),
        ("澄湖图书馆馆长是谁？", "何静宜"),
        ("谁于2021年接替澄湖图书馆的陈若谷？", "何静宜"),
        ("读者可以在澄湖图书馆的阅览室使用闪光灯吗？", "可以在阅览室拍照"),
        ("澄湖图书馆周几闭馆？", "周日"),
        ("澄湖图书馆周一几点开馆？", "下午1点"),
        ("澄湖图书馆2021年接待读者多少人次？", "31万人次"),
        ("澄湖图书馆2021年接待读者多少人次？", "4万人次"),
        ("澄湖图书馆的西馆归哪个部门管理？", "市教育局"),
        ("澄湖图书馆向柳湾书店借出古籍多少种？", "20种"),
        ("澄湖图书馆向松溪书店借入古籍多少种？", "15种"),
        ("柳湾书店向澄湖图书馆借入古籍多少种？", "20种"),
        ("澄湖图书馆会议室首小时收费多少元？", "60元"),
        ("澄湖图书馆的教师办证须交押金多少元？", "50元"),
        ("澄湖图书馆的读者办证须交押金多少元？", "50元"),
        ("澄湖图书馆采购金额10万元以上的由谁审批？", "馆长"),
        ("澄湖图书馆的哪个门供车辆出入？", "北门"),
        ("澄湖图书馆的志愿者每周服务不少于多少小时？", "6小时"),
        ("澄湖图书馆的志愿者每年服务多少小时？", "4小时"),
    ],
)
def test_what_a_sentence_tells_of_something_else_is_refused(question: str, quote: str) -> None:
    """Another clause, role, verb or unit, the other direction, what is denied or left out."""
    assert not _is_kept(question, quote)
