"""Values that hold only in a case are not asked for as if they held always."""

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find

ASKED = {
    "四人间住宿费为每学年1200元，六人间为每学年800元。": ["四人间住宿费为每学年多少元？"],
    "婚假为13天，陪产假为15天。": ["婚假为多少天？", "陪产假为多少天？"],
    "会员卡工本费为20元，有效期为两年。": ["会员卡工本费为多少元？"],
    "改建经费1亿2,600万元，预定明年完工。": ["改建经费多少元？"],
    "羽毛球场地每小时收费40元，周末及节假日为60元。": [],
    "违者第一次警告，第二次没收并罚款100元。": [],
    "馆藏文物共8630件，其中国家一级文物27件。": ["馆藏文物共多少件？"],
    "法定节假日加班按日工资的300%支付，休息日加班安排调休。": ["法定节假日加班按日工资的百分之几支付？"],
    "周二至周五上午八点开门，周六上午九点开门。": ["周二至周五几点开门？"],
    "The practice has five doctors, three nurses and a pharmacist.": ["how many doctors does the practice have?"],
    "借书期限为30天，教师为60天。": [],
    "补考费用每次450元，第二次补考起每次600元。": ["补考费用每次450元，第二次补考起每次多少元？"],
    "大门开放时间为8:00至22:00，周五延长至23:00。": ["大门开放时间为8:00至22:00，星期几延长至23:00？"],
    "借书押金为100元，教职工免交。": [],
    "员工离职须提前30日书面通知公司，试用期内提前3日通知即可。": [
        "员工离职须提前30日书面通知公司，试用期内提前多少日通知即可？"
    ],
    "材料费另计，天然染色入门为1200元，手织布工作坊为2000元。": [],
    "Annual leave rises to 30 days.": [],
    "临时供水站设于东湖国小，每日供水时间为8:00至20:00。": ["临时供水站设于东湖国小，每日供水时间为几点到几点？"],
    "Unlocking a bike costs $1, and riding costs $0.18 per minute.": ["how much does unlocking a bike cost?"],
    "The deposit is £20, waived for students.": [],
    "The ferry costs £5; children pay £3.": [],
    "The bridge costs 1 billion 260 million yen.": [],
    "The repair will cost an estimated £38,000.": [],
    "You should replace all three blades every eight weeks.": [],
    "A full plot measures 250 square metres and a half plot 125 square metres.": [],
}


@pytest.mark.parametrize("text", ASKED)
def test_what_is_asked_of_a_sentence(text: str) -> None:
    """What goes on with an exception, hangs on the clause before it, or is cut out of a number is refused."""
    title = "Harbour rules" if text.isascii() or "£" in text else "青禾馆管理规定"
    found = find(Paper("a.md", "", (Page(1, f"# {title}\n\n{text}\n"),)))
    kinds = ("amount", "duration", "time", "count", "share")
    asked = [one.draft.question for one in found if isinstance(one, Found) and one.draft.kind in kinds]
    assert sorted(one.split("》，")[-1].split("”, ")[-1] for one in asked) == sorted(ASKED[text])
