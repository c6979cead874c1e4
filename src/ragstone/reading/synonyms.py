"""A small table of words that say the same, or the opposite, in answers; written in Simplified and English."""

import itertools
from importlib import resources

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
允许 许可 准许 可以 能够 准予
缓解 减轻 舒缓 改善 减缓
加重 恶化 加剧
保留 保存 留存 留 存留
锁定 锁住 锁上 锁死 冻结
冻结 暂停 封停
解锁 解除锁定 解冻
关闭 关掉 关上 停止 退出
开启 打开 启用 启动 开通 激活
审核 审查 审阅 审议 核查 复核 把关
审批 批准 核准 同意 审定 获批
批准 获批 通过 放行 同意
任命 委任 指派 聘任
监督 监管 监察 督查
自定义 自己设定 自行设置 自行设定 自己设置 自己定义 自行定义 自由设置 按需设置
批量 成批 大批 一次导入多个 整批 一次性
降低 降下来 降了 压低 变低 下调 调低 走低
下降 下跌 跌了 降了 减少 下滑 回落 走低 变少 缩水 跌
减少 变少 变小 少了 缩小 压缩 节省 节约
增加 变多 变大 多了 扩大 加大 上调 调高 增多
上升 上涨 升高 走高 攀升 增长 涨了 升了 增加 提高
提高 变高 升高 上调 调高
缩短 变短 压缩 减少
延长 变长 拉长 展期
加快 加速 提速 变快 更快
输错 输入错误 错误 有误
出错 报错 错误 失误
错误 差错 出错 有误 不正确
承担 支付 自付 自理 买单 负担 负责
支付 付 交 缴 结清 打款 付给
扣除 扣减 扣掉 减去 抵扣
收取 收费 征收 加收 计收 收
退还 退回来 退给 返还 退回 归还 发还
归还 还回 交还 还给 还回来 交回
交付 交给 移交 送交 交货
送达 送到 寄达 到达
到场 到现场 到庭 出席
亲自 本人 亲身
代为 代替 帮
委托 托付 授权 交由
转让 让与 出让 过户
解除 终止
终止 结束 停止 中止
生效 起效 产生效力 有效 起作用
失效 无效 作废 过期
违反 违背 触犯 不遵守
遵守 遵循 依照 按照 遵照
履行 执行 落实 照办
约定 规定 商定 写明 载明 订明
规定 要求 明确 写明 载明
证明 证实 表明 佐证
认定 判定 确认 裁定 认为
判决 裁判 判令 判处
请求 要求 申请 主张
申请 提出申请 报名 提请
投诉 举报 申诉 检举
隐瞒 隐藏 瞒报 没有告知
泄露 外泄 透露 泄漏
保密 不得泄露 不得对外 不外传 不公开
享有 拥有 有权 享受
侵犯 侵害 损害
损害 伤害 损伤 破坏
借给 出借 借出 借了
借款 贷款 借钱
投资 出资 入股 注资
发行 发售 推出
分配 分派 派发 分给 发放
发放 派发 下发 发给
披露 公布 公开 公告
合并 并购 兼并 归并
收购 并购 买下 购入
同比 与去年同期 与上年同期 较去年同期 较上年同期 比去年同期 比上年同期 去年同期 上年同期
环比 与上月 较上月 比上月 与上季度 较上季度 比上季度 较上期 比上期
诊断 确诊 查出 诊为
治愈 痊愈 康复 治好
预防 防止 防范 避免
监测 监控 检测 观测 跟踪
抑制 阻止 遏制 控制
注射 打针 输注
停用 停药 停服 停止使用 停止服用
服用 吃药 服药 吃 内服 用药
空腹 不吃东西 禁食 未进食
住院 入院 收治
感染 染上 患上
患有 得了 罹患 患上 确诊
过敏 变态反应 不耐受
手术 开刀 做手术
部署 搭建 安装 架设
安装 装上 装好 装
配置 设置 设定 配好
创建 新建 建立 建
访问 连接 打开
连接 接入 连上 相连 对接
集成 接入 整合 对接
调用 请求 使用
返回 给出 输出 回传
解析 分析 解读
生成 产生 创建 制作
导出 输出为 另存为
备份 留底 做备份 存档
恢复 还原 复原
回滚 回退 退回到 撤回
更新 升级 刷新 换新
升级 更新 更新到
迁移 搬迁 转移 移动到
扩展 扩充 拓展
压缩 打包
触发 引发 激发
监听 侦听
拦截 阻断 屏蔽 阻止
验证 校验 核实 核验 确认
核对 核实 比对 对照
重试 再试 重新尝试
重启 重新启动 再启动
重用 复用 重复使用 重复利用
共享 分享 共用
显示 出现 弹出
跳转 转到 跳到
记录 登记 写入 记下 记载
统计 计算 汇总
计算 测算 算出 核算
评估 评价 衡量 测评
衡量 评估 度量 测量
排序 排列
筛选 过滤 挑出
合格 达标 通过 符合要求
超过 超出 超 多于 以上
不足 不到 低于 少于 不满
达到 达 达成 高达 到了
位列 排名 排在 名列
禁止 不得 严禁 不准 不许 不允许 不能 不可 不可以 谢绝
必须 应当 须 需要 务必 要 应该
无需 不必 不用 不需要 无须 免
自动 自己会 会自行 自行 无需人工
手动 人工 手工
实时 即时 立刻
定期 按期 定时 周期性
按时 准时 如期 按期
提前 事先 预先 事前 先
随时 任何时候 任意时间
当场 现场 即时
离开 离场 退出
搬离 搬走 搬出 迁出 退租 退房
居住 住在 住
来自 出自 源于
属于 归属 归 隶属
组成 构成
分为 分成 划分为
取代 代替 替代 替换
改名 更名 改称
毕业 毕业于
喜爱 喜欢 爱好
担心 担忧 忧虑
解释 说明 阐明
强调 指出 着重
宣布 公布 宣告
反对 不同意 不赞成
赞成 同意 支持
需要 需 要求 必须
依赖 依靠 取决于 仰赖
影响 作用于 波及
涉及 关系到 牵涉 关乎
针对 面向 适用于
适用 适合 用于
适合 适用 适宜 宜
擅长 善于 精通
有助于 有利于 有益于 帮助 能帮
节省 节约 省下 省去 减少
浪费 耗费
牺牲 损失 损害
兼顾 同时保证 同时保持
灵活 弹性 自如
可靠 稳定 可信
稳定 平稳 可靠
高效 效率高 效率更高 快速
详细 详尽 具体
严重 重大 严峻
首次 第一次 首度 头一次
最终 最后 终于
每季度 每个季度 按季度 每季 按季
每月 按月 逐月
每年 按年 逐年 年度
切换 改用 转为 换成 换到 切到 转到 改为
中断 断开 断了 掉线
断网 网络中断 网络断开 断开网络 没有网络 无网络 离线
改期 延期 换了日子 换时间 改时间 推迟 另定时间 改到 调整时间
离职 辞职 要走 离开公司 不干
开业 营业 开张 开门迎客 开店
停业 歇业 关张 不再营业
慎用 谨慎 小心使用 慎重使用
禁食 不能吃 不吃 不进食 不得进食 不可进食 不能进食 空腹
禁烟 不准吸烟 不得吸烟 禁止吸烟 不能抽烟
口服 服用 吃 内服 吞服
外用 涂抹 外敷 擦
拒赔 不赔 不予赔付 拒绝赔付 不予理赔 拒绝赔偿 拒绝理赔
拒绝 不同意 不接受 回绝 谢绝
隐瞒 没有如实告知 未如实告知 不如实告知 未告知 瞒着
撤销 撤下 撤回 取消 撤除
重建 重新建立 重新生成 再建
续租 继续租 接着租 续签
每次 一次 每回 每一次
收取 收 征收 计收 加收 要收
领取 领 拿到 取走 领走
赠送 送 附赠 奉送 白送
填写 填 填好 写上 填报
撰写 写 编写 起草
阅读 看 读 翻阅
观看 看 收看
食用 吃 进食
饮用 喝 饮
吸烟 抽烟
乘坐 坐 搭乘 搭
驾驶 开车 驾车
酒驾 酒后驾车 酒后驾驶 酒后开车 醉驾
停放 停 停车 泊车
放置 放 摆放 放在 存放
清洗 洗 清洁 冲洗
打扫 清扫 清洁
加热 热一下 升温
冷却 降温 放凉
冷藏 放冰箱 放入冰箱 低温保存
点击 单击 点一下 按下 按
输入 填入 键入 录入 输
上传 传到 传上
下载 获取 拉取
转发 转给 转寄
登出 退出登录 退出 注销
注销 销户 删除账户 取消
绑定 关联 挂钩 连接
解绑 取消关联 解除绑定
订阅 关注
充值 充钱 存入 充
提现 取出 取钱 取现
转账 汇款 打款 汇给 转给 转了
签收 收货 收到
发货 寄出 出货 发出
维护 保养 养护
拆除 拆掉 拆
种植 种 栽种 栽培
采摘 摘
挖掘 挖 发掘
搬迁 搬到 迁到 迁往 迁至 搬往
抵达 到达 到了 来到
出发 启程 动身 离开
返回 回到 回来 回去
穿过 经过 穿越 通过
设计 构思 打造
制定 制订 拟定 出台 订立
颁布 公布 发布 出台 施行
实施 施行 执行 推行 实行
废除 取消 废止
创办 创立 成立 开办 建立
领导 率领 带领 指挥
培训 训练 培养
学习 学 修读
考试 测验 考核
录取 招收 录用
招聘 招募 招人
解雇 辞退 开除 解聘
晋升 升任 升职 提拔
奖励 奖赏 嘉奖
处罚 惩罚 罚款 受罚
罚款 处罚 罚
逮捕 抓获 拘捕 抓
拘留 羁押 关押
起诉 告 控告 提起诉讼 诉至法院 告上法庭
上诉 提起上诉 不服
调解 和解 协商
胜诉 赢了官司 打赢官司 获胜
败诉 输了官司
驳回 不予支持 不支持 否决
撤诉 撤回起诉
赔偿 赔 补偿 赔付 赔偿金
欠款 欠钱 拖欠 欠 未还
拖欠 欠付 未付 欠
逾期 超期 过期 超过期限 到期未
催收 催讨 催要
冒用 盗用 假冒
伪造 造假 假造
盗窃 偷 偷走 窃取
殴打 打伤 打人
受伤 负伤 受了伤
死亡 去世 丧生 遇难 身亡
结婚 成婚 登记结婚 婚后
离婚 解除婚姻
抚养 养育 扶养
继承 承继
出租 租给 租出
承租 租用 租下 租
装修 装潢
居住 住 住在
贷款 借款 放贷
融资 筹资 募资
盈利 赚钱 赚 获利 实现盈利
亏损 赔钱 亏 亏钱 净亏
分红 派息 派发股利
持有 拥有 占有 握有
占 占比 比例为 所占比例
增持 买入更多 加仓
减持 卖出部分 减仓
估值 估价
审计 查账
纳税 缴税 交税
报销 核销
预算 预计支出
症状 表现 体征
复查 复诊 复检 再次检查
检查 检测 化验 查
化验 检验 验血
传染 传播 感染
接种 打疫苗 注射疫苗
忌口 不要吃 避免食用
缓慢 慢 慢慢
疲劳 疲倦 乏力 累
失眠 睡不着 难以入睡
减肥 减重
戒烟 不再吸烟
怀孕 妊娠 受孕
哺乳 喂奶 母乳喂养
过滤 滤除 滤掉 筛除
去重 去除重复 删除重复
分块 切块 切分 分段
切分 分割 划分 切块
编码 转码
解码 译码
渲染 绘制 显示
加载 载入 读取 装载
卸载 删除 移除
运行 执行 跑 运转
执行 运行 跑
暂停 中止 停一下
终止 结束 停止 中断
崩溃 宕机 闪退 挂掉
超时 超过时限 时间过长
并发 同时 并行
并行 同时进行 并发
限速 限流 限制速度 最多
限制 限定 上限 不得超过 最多 控制
提示 提醒 警告 通知
提醒 提示 通知
告警 报警 警报
调整 调节 修改 改变
优化 改进 改善 提升
简化 精简 变简单
统一 一致 一体化
分离 分开 隔离 拆分
隔离 分开 隔开
隐藏 不显示 遮住
覆盖 涵盖 包括
匹配 符合 对应 一致
对应 相应 匹配
兼容 支持 适配
依据 根据 按照
命名 取名 起名 叫
称为 叫做 被称作 叫作 称作 名为
认为 觉得 相信 主张
希望 期望 盼望
建议 推荐 提议 宜
推荐 建议 举荐
要求 规定 须 必须 需要
决定 确定 取决
讨论 商议 商讨 磋商
同意 答应 允许 批准 赞成 许可
声称 宣称 称
表示 称 说 表明
介绍 说明 讲解
描述 叙述 刻画
引用 援引 引述
翻译 译成 译为
出版 发行 刊行 问世
创作 写作 写 编写
拍摄 摄制 拍
演出 表演 上演
比赛 竞赛 赛事
冠军 第一名 夺冠
获奖 得奖 拿奖
参观 游览 游玩
入住 住进 办理入住
退房 离店 搬走
营业 开放 开门
开放 对外开放 开门 营业 可参观
拍照 摄影 照相 拍摄
喂食 投喂
遛狗 带狗
穿着 穿 身着
系好 系上 扣好
佩戴 戴 戴上
熄灭 关灭 灭掉
点燃 点着 引燃
漏水 渗水
停电 断电 没电
停水 断水 没水
堵塞 堵住 不通
短缺 不足 缺乏 紧缺
缺乏 缺少 不足 没有
充足 足够 充分
过量 超量 太多
便于 方便 利于
难以 很难 不易 不容易
容易 易于 轻易
优于 好于 强于 胜过
不如 逊于 差于
相当于 等于 等同于
等于 相当于
接近 将近 近 几乎
大幅 显著 明显 大大 很多
略微 稍微 小幅 略
逐步 渐渐 逐渐
频繁 经常 多次
经常 常常 时常 常
偶尔 有时
立即 马上 立刻 当即 随即
首先 先 第一步
随后 之后 接着 然后
长期 长时间 长久
短期 短时间
临时 暂时
永久 永远 长期
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
账户 账号 帐户 帐号 户头
账目 账务 帐目 账簿
管理员 管理者 管理人员
密码 口令
权限 许可权
费用 花费 花销 开支 费
押金 保证金
房东 出租人 出租方
承租人 租客 承租方 租户 房客
买方 买家 购买方 买受人
卖方 卖家 出卖人 销售方 商家
雇主 用人单位 用工单位 公司
劳动者 员工 职工 雇员
法人 法定代表人
孕妇 怀孕 妊娠 孕期
婴儿 新生儿 宝宝
成人 成年人
未成年人 未满18周岁 未满十八周岁 未满18岁 未满十八岁 不满18周岁 不满十八周岁
不良反应 副作用
适应症 适应证
剂量 用量
发烧 发热
腹泻 拉肚子
头痛 头疼
心脏病 心脏疾病
癌症 恶性肿瘤
净利润 纯利润 纯利
营业收入 营收
利润 盈利
销量 销售量
销售额 营业额
股东 持股人
股票 股份
利率 利息率
利息 息
新高 最高 历史最高 最高点 最高水平
新低 最低 历史最低 最低点
缓存 快取 高速缓存
日志 记录 log
线程 执行绪
函数 函式
变量 变数
字符 字元
文件夹 目录 资料夹
插件 外挂 扩展 plugin
模板 范本 样板
令牌 token
密钥 秘钥 key
端口 埠 port
云端 云上 云
浏览器 browser
照片 相片 图片
邮箱 电子邮箱 邮件地址 email
电话 电话号码 手机号 联系电话 热线
创始人 创办人 创立者 创立 创办 创建
学员 学生
原因 缘由 理由
目的 目标
优点 优势 好处
缺点 不足 劣势
签证 visa
护照 passport
本人 自己
滤芯 滤心
水平 水准
噪声 噪音 杂讯
患者 病人 病患 的人 人群
速率 速度
费率 费 费用
带宽 网速
以太网 有线网 网线
凌晨 半夜 夜里
书面 书面形式 纸质 文书
口头 口头形式
工作日 上班日
周末 星期六和星期日 双休日
节假日 假日 节日
假期 休假
加班 超时工作
工龄 工作年限
工伤 因工受伤
社保 社会保险
公积金 住房公积金
试用期 见习期
保修期 质保期 保修 质保
有效期 保质期 使用期限
租期 租赁期 租赁期限 租赁期间
期满 届满 到期
货款 货钱 款项
运费 邮费 快递费 配送费
快递 包裹 邮件
仓库 库房
工厂 厂房 厂
商店 店铺 门店 店
超市 商场
顾客 客户 消费者 客人
客服 客户服务 服务人员
会员 成员
乘客 旅客
司机 驾驶员
车辆 汽车 车
航班 飞机
火车 列车
车票 票
座位 席位 座
行李 箱包
房间 客房
厨房 灶间
卫生间 厕所 洗手间
电梯 升降机
楼梯 台阶
停车场 车库 停车位
小区 社区 住宅区
业主 房主 产权人
物业 物业公司
家长 父母 监护人
妻子 太太 老婆
丈夫 先生 老公
父亲 爸爸
母亲 妈妈
祖父 爷爷
律师 代理人 辩护人
法官 审判员
证人 目击者
证据 证明材料 凭证
凭证 单据 证明
证件 身份证件 证
收据 单据
协议 合同 协定
条款 条文 规定
法律 法规 法
权利 权 权益
义务 责任
责任 义务 职责
缺陷 瑕疵 毛病
故障 毛病 问题
漏洞 安全漏洞 弱点
补丁 修补程序
版本 版
源代码 源码 代码
代码 程式码 程序
脚本 script
命令 指令
参数 引数
默认值 缺省值 预设值
示例 例子 样例 范例
教程 指南 教学
说明书 手册 使用说明
图表 图
表格 表
图标 图示
按钮 按键 键
菜单 选单
窗口 视窗
网页 页面
网站 站点 网址
网址 链接 地址
账单 帐单
余额 结余
金额 数额 钱数
价格 价钱 售价 价
单价 每件价格
总价 总金额 总额
总额 总数 合计
总数 总量 总计
比例 比率 占比
概率 几率 可能性
误差 偏差
精度 精确度 准确度
温度 气温
湿度 潮湿程度
面积 大小
容量 空间
功耗 耗电 耗电量 能耗
电池 电量
续航 续航时间 电池使用时间
充电 充
屏幕 显示屏
摄像头 镜头 相机
耳机 耳麦
键盘 按键
打印机 印表机
笔记本 笔电 手提电脑
平板 平板电脑
网关 闸道
路由器 路由
防火墙 firewall
集群 丛集
容器 container
镜像 映像
队列 伫列
索引 index
向量 矢量
模型 model
语料 语料库
提示词 提示 prompt
检索 搜索 查找
幻觉 臆造
上下文 语境
嵌入 embedding
微调 精调
推理 推断
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
禁用|使用 可用 适用 慎用
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
自动|手动 人工 手工
主动|被动
升序|降序
阳性|阴性
良性|恶性
急性|慢性
开源|闭源
静态|动态
同步|异步
税前|税后
买入|卖出
流入|流出
匿名|实名
有息|无息
单向|双向
扩大|缩小
加快|放慢 减慢 变慢
胜诉|驳回
批准|驳回 否决
盈利|亏损 亏
增持|减持
赞成|反对
优于|不如 逊于
加重|减轻 缓解
increase|decrease reduce fall drop decline lower
rise|fall drop decline
high|low
higher|lower
more|less fewer
before|after
depart|arrive
leave|arrive
above|below under
over|under below
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
automatically|manually
public|private
mandatory|optional
required|optional
include|exclude
import|export
upload|download
ascending|descending
encrypt|decrypt
lend|borrow
lender|borrower
lessor|lessee
landlord|tenant
employer|employee
profit|loss
dismiss|uphold allow grant
approve|reject veto refuse
grant|deny refuse
worsen|improve relieve
gain|lose
early|late
first|last
""".strip()

_RIVALS = """
每年/一年 每月/每个月/一个月 每周/一周 每日/每天/每晚/一天/一日 每季度 每小时 单次/每次
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
ltd limited
inc incorporated
corp corporation
dept department
mt mount
univ university
assn association
intl international
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
win won receive award earn
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
over above older more exceed
long length
high height
wide width
deep depth
old age
repair fix mend
admin administrator
allow permit let enable can may able possible support
enable allow permit let make
forbid prohibit ban disallow cannot
user you one anyone people person customer
customer client buyer consumer
reduce decrease lower cut lessen diminish drop fall decline shrink save less fewer minimize
increase raise boost grow rise climb more higher
consumption usage use consume
consume use usage
usage use consumption
cost expense price spending charge
fee charge cost
incur charge levy impose carry attract
charge levy bill impose fee
newer later above higher up onwards
later newer after
meal eat food
automatically itself automatic auto themselves
manually hand manual
inactivity idle inactive unused
idle inactive inactivity
notify inform notice tell alert
notice notify notification warning
before prior ahead until
after following once upon when if later
store save keep hold persist
delete remove erase purge wipe
remove delete strip eliminate drop
add append insert include
modify change edit alter amend update
update upgrade refresh renew
create make generate produce build
generate produce create make
produce make manufacture create generate
install set deploy
deploy install run host release
configure set setup adjust
connect link attach join
link connect url
retrieve fetch get obtain load
fetch retrieve get load
send transmit deliver forward
receive get accept obtain
search find query look lookup
verify check confirm validate
check verify inspect examine test
validate verify check
examine inspect check review
review examine assess inspect audit
assess evaluate measure judge estimate
evaluate assess measure
measure gauge assess evaluate
calculate compute work
compute calculate
analyse analyze examine study
analyze analyse examine study
choose select pick
select choose pick
encrypt encryption cipher
protect secure safeguard guard shield
secure protect safe
prevent avoid stop block
avoid prevent evade
block prevent stop
detect find identify spot discover
identify detect recognise recognize
recognize recognise identify
restart reboot
restore recover
recover restore
expire lapse end
terminate end cancel
cancel terminate revoke call
revoke cancel withdraw rescind
approve approval authorise authorize endorse sanction accept
reject refuse decline turn
appoint name designate nominate
elect vote choose
resign quit step
hire employ recruit
dismiss fire sack
sign execute
contract agreement
lease tenancy rental
tenant renter lessee
landlord lessor owner
lessee tenant
claim allege assert
sue litigate
judgment ruling decision verdict
ruling judgment decision
decide rule determine
liable responsible
responsible liable charge
obligation duty
breach violate violation
violate breach break
comply follow obey observe
compensate reimburse indemnify pay
damage harm injury hurt
injury damage harm wound
medicine drug medication
medication medicine drug
drug medicine medication
tablet pill
illness disease sickness
disease illness
treat therapy
treatment therapy
symptom sign
relieve ease alleviate soothe reduce
alleviate relieve ease
worsen aggravate deteriorate
surgery operation
pregnant pregnancy
dose dosage
profit earning gain
revenue turnover sale income
income revenue earning
loan credit
borrow loan
lend loan
invest investment
dividend payout
share stock
debt liability
tax levy
discount reduction rebate
refund reimburse repay return money
repay refund return pay
yearly annual annually
annual yearly annually
entire whole complete full all
whole entire full
every each all
each every per
minimum least
maximum most limit up
limit cap maximum restrict
exceed over above more surpass
require need must necessary mandatory demand oblige
mandatory required compulsory obligatory must
necessary required needed
optional voluntary
free complimentary gratis
begin start commence open launch
launch start release introduce
release publish issue launch
publish release issue
announce declare
complete finish
finish complete end
continue keep go
stop cease halt end quit
pause suspend
suspend pause halt
happen occur place
occur happen
explain describe
describe explain outline
contain include hold comprise
include contain comprise cover
consist comprise made
exclude omit
replace substitute swap supersede
reuse recycle
recycle reuse
split divide
divide split
accelerate speed faster quicken
faster quick quicker speed
easy simple
simple easy straightforward
difficult hard
expensive costly dear
cheap inexpensive
accurate precise exact
accuracy precision accurate
precise exact accurate
reliable dependable
important key crucial
broken damaged faulty defective
fault defect error
error fault mistake bug
bug error defect
test check
travel trip journey
trip journey travel
ship deliver dispatch
deliver ship
move relocate shift transfer
transfer move
live reside
reside live
born birth
marry wed spouse
married wed
photo photograph picture image
image picture photo
picture image photo
mobile phone cellphone
email mail
website site
error failure
fail failure
folder directory
directory folder
delay postpone late
late overdue
overdue late
rule regulation policy
law statute act
student pupil
teacher instructor
bicycle bike
flat apartment
apartment flat
lift elevator
holiday vacation
leash lead
house home
shop store
goods product item
product item goods
item product goods
staff employee worker personnel
leave depart exit
enter entry access
access enter reach
entry enter admission
ticket admission
reschedule move postpone shift
contain have include hold
cover include
retain keep store hold save
keep retain store hold save remain
withdraw pull remove take recall retire
write implement code author
implement build write
refund reimburse repay return money back
business working work
working business
retry again reattempt
repeat again
decouple separate isolate
separate split isolate divide
isolate separate
drink consume
travel go ride
dismiss reject throw
uphold confirm affirm
overturn reverse quash
grant give award approve
award grant give
deny refuse reject
ask request
request ask demand query call
answer reply respond response
reply answer respond response
respond answer reply
ship send deliver
arrive come reach
visit see tour
watch view see
view see show display
listen hear
eat consume food meal
wash clean
clean wash
cook prepare
prepare ready
heat warm
cool chill
freeze ice
melt thaw
cut trim slice
paint coat
build construct erect make
demolish destroy tear
destroy demolish ruin
collapse fall crash
crash fail collapse
hit strike
die death dead pass
death die dead
age old
grow expand increase
expand grow extend enlarge
extend lengthen prolong expand
shorten reduce cut
double twice
halve half
total sum overall
sum total
average mean
estimate approximate
approximately about around roughly
about around roughly approximately
roughly about around approximately
nearly almost
almost nearly
immediately instantly once right
quickly fast rapidly
rapidly quickly fast
slowly gradual
often frequently regular
frequently often
usually normally typically
rarely seldom
always constantly
currently now present
now currently
previously formerly earlier
permanently forever
together jointly
alone single only
only solely just exclusively
main primary chief
primary main
additional extra further more
extra additional
various several many
many several numerous
several many
part portion
section part
kind type sort
type kind sort
method way approach
way method
tool instrument
device machine gadget unit
machine device
equipment gear
vehicle car
road street
street road
city town
town city
country nation
nation country
area region zone
region area
building house
floor storey level
factory plant
hospital clinic
university college
leader head chief
boss manager
manager boss head
author writer
writer author
actor performer
singer vocalist
artist painter
founder found establish
inventor invent
winner win
owner own
own possess have
possess own have
belong own
worker employee staff
guest visitor
visitor guest
passenger traveller
resident inhabitant
citizen national
population people inhabitant
crowd people
group team
team group
meeting session conference
conference meeting
hearing trial
trial hearing
lawsuit suit case
case matter
evidence proof
proof evidence
crime offence offense
fine penalty
penalty fine punishment
prison jail
jail prison
sentence punish
contract agreement deal
agreement contract deal
deal agreement
clause provision term
provision clause
term condition
condition term
deadline date
rent lease
salary wage pay
wage salary pay
price cost
payment pay
purchase buy acquire
acquire buy purchase obtain take
merge combine
merger merge
firm company business
company firm business corporation
business company firm
customer client
supplier vendor
vendor supplier seller
shareholder stockholder
sale sell
stock share
shipment delivery
delivery ship
warranty guarantee
guarantee warranty ensure
pain ache
ache pain
fever temperature
infection infect
infect infection
heart cardiac
kidney renal
liver hepatic
lung pulmonary
surgery operation operate
operate run
vaccine vaccinate
vaccinate vaccine immunise
prescribe prescription
swallow take
inject injection shot
food meal eat
meal food eat
database db
db database
server host
host server
repository repo
repo repository
configuration config setting
config configuration
setting option configuration
option setting choice
parameter argument
argument parameter
function method
file document
document file doc
log record
record log
memory ram
disk drive storage
storage disk
cpu processor
processor cpu
internet web online
web internet
app application
application app
program software
software program
library package
package library
plugin extension addon plug-in
plug-in plugin extension addon
extension plugin
feature function capability
version release
release version
upgrade update
password passcode
certificate cert
encryption encrypt
compress zip
backup copy
copy duplicate
duplicate copy
sync synchronise synchronize
synchronize sync
monitor watch track observe
track monitor follow
notify inform alert
alert notify warn
warn alert
display show
import load
parse read
render draw
execute run perform
run execute operate
perform conduct execute carry
conduct perform
schedule plan
plan intend
""".strip()
_PAIRS_EN = """
fall: go down, come down
rise: go up
perform: carry out
happen: take place
remove: get rid
disable: turn off, switch off
enable: turn on, switch on
close: shut down
login: log in, sign in
logout: log out, sign out
register: sign up
discover: find out
indicate: point out
submit: hand in
complete: fill in, fill out
return: give back, send back, hand back
repay: pay back
cancel: call off
postpone: put off, push back, move back
search: look up
backup: back up
accelerate: speed up
slow: slow down
minimum: at least
maximum: at most, up to
daily: every day, each day, per day, a day
weekly: every week, each week, per week, a week
monthly: every month, each month, per month, a month
yearly: every year, each year, per year, a year
quarterly: every quarter, each quarter, per quarter
hourly: every hour, each hour, per hour, an hour
responsible: in charge
consist: made up
start: kick off
reduce: cut down
collect: pick up
discard: throw away
recover: get back
vacate: move out
""".strip()

_IRREGULAR = """
go: goes went gone
rise: rose risen
fall: fell fallen
do: does did done
have: has had
wear: wore worn
pay: paid
buy: bought
give: gave given
hold: held
keep: kept
send: sent
sell: sold
break: broke broken
grow: grew grown
lead: led
lose: lost
win: won
speak: spoke spoken
bring: brought
teach: taught
tell: told
take: took taken
make: made
get: got gotten
know: knew known
see: seen
come: came
become: became
begin: began begun
choose: chose chosen
write: wrote written
drive: drove driven
eat: ate eaten
forget: forgot forgotten
forbid: forbade forbidden
build: built
spend: spent
lend: lent
borrow: borrowed
mean: meant
meet: met
run: ran
say: said
stand: stood
understand: understood
think: thought
throw: threw thrown
draw: drew drawn
fly: flew flown
freeze: froze frozen
hide: hid hidden
shrink: shrank shrunk
sink: sank sunk
steal: stole stolen
swim: swam swum
wake: woke woken
withdraw: withdrew withdrawn
undergo: undergoes underwent undergone
overrun: overran
child: children
man: men
woman: women
foot: feet
tooth: teeth
person: persons people
criterion: criteria
index: indices
analysis: analyses
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


def _files() -> str:
    """The groups of the files in same/, one a line, one file a language."""
    folder = resources.files("ragstone.reading").joinpath("same")
    return "\n".join(file.read_text("utf-8") for file in sorted(folder.iterdir(), key=lambda one: one.name))


SAME = _groups(f"{_SAME}\n{_SAME_THINGS}\n{_SAME_EN}\n{_files()}")
"""Word to the words that may stand for it."""

THINGS = frozenset(fold(_SAME_THINGS).split())
"""Nouns whose other names are all here: one of them must be said."""

OPPOSITE = _opposites(_OPPOSITE, _RIVALS)
"""Word to the words that turn its statement round."""

MODAL = tuple(fold(_MODAL).split())
"""What says that something is possible, in place of 支持 in front of a verb."""

IRREGULAR = {
    form: word for word, _, forms in (line.partition(":") for line in _IRREGULAR.splitlines()) for form in forms.split()
}
"""Form of an English word that no rule undoes, to the word."""

PAIRS = {
    (pair.split()[0], pair.split()[1]): word
    for word, _, pairs in (line.partition(":") for line in _PAIRS_EN.splitlines())
    for pair in pairs.split(",")
}
"""Two English words that say what one does."""
