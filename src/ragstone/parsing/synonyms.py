"""A small table of words that say the same, or the opposite, in answers; written in Simplified and English."""

from ragstone.text.fold import fold

_SAME = """
提高 提升 增强 改善 加强 改进
减少 降低 减轻 削减 缩减 下降 减低 减小
增加 增长 上涨 上升 提高 攀升 涨
确保 保证 保障 确认
使用 采用 利用 运用
结合 整合 融合 集成
转换 转化 转成 变成 转为 变为 变换
告知 告诉 通知
承诺 答应 保证 表示会 许诺
退款 退钱 退还 退回 返还 还款 归还 退给 把钱退 还钱
办理 办 办成 处理
支持 兼容
包含 包括 含有 涵盖
提供 给出 具备 配备
优先 首位 首要 优先考虑
考虑 放在
缴纳 缴费 交纳 缴付 支付 缴清
支付 付款 缴付 给付 付清
赔偿 补偿 赔付
进入 入内 入场
位于 坐落 地处 设在
成立 创立 创办 设立 建立 创建
获取 获得 取得 得到 拿到
基于 依据 根据 依照 建立在 为基础 为依据
检测 发现 识别 检查 查出
显示 展示 呈现 列出 标明 给出
避免 免去 省去 防止 无需 不必
昂贵 高昂 高价
显著 明显 大幅 极大
快速 迅速 快捷
简单 简洁 简便 简易
免费 不收费 不要钱 无需付费
负责 主管 承担
延期 推迟 延后 顺延
购买 买 采购 购置
出售 卖 销售
帮忙 帮助 协助
大约 左右 大概 上下
响应 回答 输出 回应 应答
答案 回答
文档 文件 资料
重新 再次
实现 达到 达成 做到
保持 维持
灵活性 灵活
透明度 透明
准确性 准确度 准确率 准确
成本 费用 开销
速度 快慢
每位 每个 每名 每人
佩戴 戴上 穿戴
到期 期满 届满
""".strip()

_OPPOSITE = """
上涨|下跌 下降 下滑 跌 降
上升|下降 下跌 下滑
增加|减少 降低 下降
增长|下降 减少 下跌 下滑
提高|降低 下降
高于|低于 不足
超过|低于 不足 少于
大于|小于
多于|少于
有效|无效 失效
合法|非法 违法
成功|失败 不成
合格|不合格
允许|禁止 不准
同意|反对 拒绝
接受|拒绝
开启|关闭
打开|关闭
启用|停用 禁用
之前|之后
以前|以后
以上|以下
以内|以外
最高|最低
最大|最小
最多|最少 至少
原告|被告
甲方|乙方
买方|卖方
上半年|下半年
收入|支出
盈利|亏损
胜诉|败诉
有罪|无罪
公开|保密
必须|可选
更快|更慢
更高|更低
increase|decrease reduce fall drop decline lower
rise|fall drop decline
high|low
higher|lower
more|less fewer
before|after
above|below
maximum|minimum
most|least
allow|forbid prohibit ban
accept|reject refuse
open|close
win|lose
plaintiff|defendant
buyer|seller
valid|invalid void
legal|illegal
enable|disable
faster|slower
success|failure
""".strip()

_RIVALS = """
每年 每月 每周 每日 每季度 每小时
上午 下午 晚上 凌晨
东门 西门 南门 北门
东部 西部 南部 北部
春季 夏季 秋季 冬季
一次性 分期
左侧 右侧
父亲 母亲
丈夫 妻子
男性 女性
daily weekly monthly yearly annually quarterly
morning afternoon evening
north south east west
spring summer autumn winter
landlord tenant
""".strip()

_SAME_EN = """
reduce decrease lower cut lessen diminish drop
increase raise boost grow improve
improve enhance boost better
use utilize employ leverage apply
combine integrate merge join unite
postpone delay defer move reschedule
ensure guarantee assure
provide offer supply give
require need must
support compatible
convert transform turn change
buy purchase
start begin commence
end finish stop
show display present reveal
help assist aid
fast quick rapid speed
pay payment paid
allow permit let
forbid prohibit ban
refund reimburse repay return
submit file hand
carry roll
due must
document doc file
wear wore worn
pay paid
buy bought purchase
give gave given
write wrote written author
hold held
keep kept
send sent
build built construct
sell sold
find found discover
choose chose chosen select
break broke broken
grow grew grown
lead led
leave left
lose lost
win won
speak spoke spoken
bring brought
teach taught
tell told inform
child children kid
person people
man men
woman women
exchange swap
""".strip()


def _groups(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for line in table.splitlines():
        words = fold(line).split()
        for word in words:
            found.setdefault(word, set()).update(other for other in words if other != word)
    return {word: tuple(sorted(others)) for word, others in found.items()}


def _opposites(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for line in table.splitlines():
        word, others = fold(line).split("|")
        for other in others.split():
            found.setdefault(word, set()).add(other)
            found.setdefault(other, set()).add(word)
    for word, rivals in _groups(_RIVALS).items():
        found.setdefault(word, set()).update(rivals)
    return {word: tuple(sorted(others)) for word, others in found.items()}


SAME = _groups(_SAME) | _groups(_SAME_EN)
"""Word to the words that may stand for it."""

OPPOSITE = _opposites(_OPPOSITE)
"""Word to the words that turn its statement round."""
