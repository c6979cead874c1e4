"""A small table of words that say the same, or the opposite, in answers; written in Simplified and English."""

import itertools

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
签订 签署 订立 签约 签于 签了 缔结
内置 自带 内建
占用 使用量 用量 消耗
闭馆 休馆
关门 打烊 歇业 停业
饭后 餐后
饭前 餐前
每日 每天 一天 一日
每周 一周
每月 每个月 一个月
每年 一年
离线 断网 没有网络 无网络 不联网 脱机
联网 上网
在线 线上
登录 登陆 登入
删除 删掉 清除 移除 清理
添加 新增 加入 增添
修改 更改 变更 改动
查询 查找 检索 搜索
保存 存储 储存 存放
立即 马上 立刻 即时
服用 口服
起诉 控告 提告
逾期 超期
开始 启动 起始
结束 终结 完结
完成 做完 办完
参加 参与 出席
举办 举行 召开
发布 推出 公布 发表 上线
生产 制造 出产
研发 开发 研制
建造 修建 兴建 建成
导致 造成 引起 引发 致使
方便 便利 便捷
便宜 实惠 低廉 廉价
损坏 破损 毁坏 弄坏
修理 维修 修复 修好
更换 替换 调换 换成
检查 核查 检验 查验
提交 递交 呈交
携带 带上 随身带 带进
预约 预订 预定
取消 撤销
停车 泊车
退货 退商品 退掉
配送 派送 送货
邮寄 寄送 寄出
收到 接到
回复 答复
联系 联络
选择 挑选
治疗 医治
去世 逝世 身亡 过世 死亡
出生 生于 诞生
担任 出任 任职
辞职 离职
聘用 雇用 聘请 录用
击败 打败 战胜
获胜 取胜 胜出
禁用 禁止使用 不得使用
重新 再次 再
更快 加快 提速 快了 快得多 较快 速度快
更好 更佳 更优 改进 改善 提升 较好 更完善
更高 提高 提升 较高
更低 降低 较低 下降
更多 增加 较多
更少 减少 较少
承担 负担 担负
雨天 下雨 雨日
注册 登记
超过 高于 大于 多于
低于 小于 少于 不足
最多 至多 上限 不超过
至少 最少 不少于 下限
夜间 夜里 晚间 晚上 夜晚
早上 上午 早晨
自行 自己
续约 续期 续签
全部 所有 一切
默认 预设 缺省
设置 设定
打印 列印
智能 智慧
优化 最佳化
支持 支援
""".strip()

_SAME_THINGS = """
文本 文字
噪音 噪声
图书 书籍 书本 本书
门票 入场券 票
来源 出处 源
员工 职工 雇员 职员
工资 薪资 薪水 薪酬
教师 老师
医生 医师 大夫
药物 药品
患者 病人 病患
儿童 小孩 孩子
老人 老年人 长者
房屋 房子 住房 住宅
住址 地址
租金 房租
租客 承租人 房客 租户
合同 合约 契约
警方 警察 公安 民警
驾驶证 驾照 驾驶执照
复印件 影印本 影本
原件 正本
酒店 宾馆 饭店 旅馆
出租车 计程车 的士
自行车 单车 脚踏车
公交 公车 巴士
地铁 捷运
电脑 计算机
手机 行动电话 移动电话
信息 资讯 讯息
软件 软体
硬件 硬体
网络 网路
服务器 伺服器
数据库 资料库
数据 资料
程序 程式
文件 档案
视频 影片
鼠标 滑鼠
用户 使用者
质量 品质
界面 介面
接口 介面
消息 讯息
算法 演算法
内存 记忆体
硬盘 硬碟
链接 连结
屏幕 萤幕
项目 专案
空调 冷气
土豆 马铃薯
西红柿 番茄
身份证 身分证
""".strip()

_MODAL = "可以 能够 可用 可供 具备 允许 也能 也可 都能 都可 均可 能在 可在 能用 能将 可将 能把 可把"

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
更好|更差 较差 不如
更多|更少
吸烟|禁烟
闭馆|开馆 开放 营业
关门|开门 营业
关闭|开放
饭前|饭后 餐后
餐前|餐后 饭后
便宜|昂贵 贵
降低|升高 上升 增加 提高
减少|增多 升高 增加 上升
下降|升高
缩短|延长
禁用|使用 可用 适用
在线|离线
线上|线下
进口|出口
购买|出售 卖
简单|复杂
安全|危险
收费|免费
付费|免费
强制|自愿
有偿|无偿
全职|兼职
永久|临时
已婚|未婚
室内|室外
国内|国外
导入|导出
上传|下载
添加|删除
加密|解密
读取|写入
发送|接收
输入|输出
入口|出口
升级|降级
开始|结束
增值|贬值
increase|decrease reduce fall drop decline lower
rise|fall drop decline
high|low
higher|lower
more|less fewer
before|after
depart|arrive
leave|arrive
above|below
over|under
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
cheap|expensive
safe|dangerous unsafe
online|offline
approve|reject
pass|fail
permanent|temporary
inside|outside
indoor|outdoor
free|paid charge
""".strip()

_RIVALS = """
每年/一年 每月/每个月/一个月 每周/一周 每日/每天/每晚/一天/一日 每季度 每小时
上午/早上/早晨 下午 晚上/晚间 凌晨
东门 西门 南门 北门
东部 西部 南部 北部
春季 夏季 秋季 冬季
一次性 分期
左侧 右侧
父亲 母亲
丈夫 妻子
男性 女性
简体 繁体
daily weekly monthly yearly/annually quarterly
morning afternoon evening
north south east west
spring summer autumn winter
landlord tenant
""".strip()

_SAME_EN = """
reduce decrease lower cut lessen diminish drop fall fell decline shrink
increase raise boost grow improve rise rose
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
locate situate
found establish set create
big large
small little tiny
close shut
doctor physician
lawyer attorney
car vehicle
employee worker staff
company firm
film movie
receive get obtain
die died dead
sick ill
depart leave left
arrive reach
teach taught instruct
under below younger
over above older
long length
high height
wide width
deep depth
old age
repair fix mend
""".strip()


def _groups(table: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for line in table.splitlines():
        words = fold(line).split()
        for word in words:
            found.setdefault(word, set()).update(other for other in words if other != word)
    return {word: tuple(sorted(others)) for word, others in found.items()}


def _opposites(table: str, rivals: str) -> dict[str, tuple[str, ...]]:
    found: dict[str, set[str]] = {}
    for line in table.splitlines():
        word, others = fold(line).split("|")
        for other in others.split():
            found.setdefault(word, set()).add(other)
            found.setdefault(other, set()).add(word)
    for line in rivals.splitlines():
        groups = [group.split("/") for group in fold(line).split()]
        for group, against in itertools.permutations(groups, 2):
            for rival in group:
                found.setdefault(rival, set()).update(against)
    return {word: tuple(sorted(others)) for word, others in found.items()}


SAME = _groups(f"{_SAME}\n{_SAME_THINGS}\n{_SAME_EN}")
"""Word to the words that may stand for it."""

THINGS = frozenset(fold(_SAME_THINGS).split())
"""Nouns whose other names are all here: one of them must be said."""

OPPOSITE = _opposites(_OPPOSITE, _RIVALS)
"""Word to the words that turn its statement round."""

MODAL = tuple(fold(_MODAL).split())
"""What says that something is possible, in place of 支持 in front of a verb."""
