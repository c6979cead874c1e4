"""The words by which names are known: surnames, titles, endings, and what only looks like a name; all folded."""

from ragstone.text.fold import fold


def _words(text: str) -> frozenset[str]:
    return frozenset(fold(text).split())


def _endings(text: str) -> str:
    """An alternation for use inside a regular expression."""
    return "|".join(fold(text).split())


SURNAMES = frozenset(
    fold(
        "王李张刘陈杨赵黄周吴徐孙胡朱高林何郭马罗梁宋郑谢韩唐冯于董萧程曹袁邓许傅沈曾彭吕苏卢蒋蔡贾丁魏薛叶阎余潘杜戴夏钟"
        "汪田任姜范方石姚谭廖邹熊金陆郝孔白崔康毛邱秦江史顾侯邵孟龙万段雷钱汤尹黎易常武乔贺赖龚文庞樊兰殷施陶洪翟安颜倪严"
        "牛温芦季俞章鲁葛伍韦申尤毕聂丛焦向柳邢路岳齐梅莫庄辛管祝左涂谷祁时舒耿牟卜詹关苗凌费纪靳盛童欧甄项曲成游阳裴席卫"
        "查屈鲍位覃霍翁隋甘景薄单包司柏宁柯阮桂闵解强柴华车冉房边辜晏阙简饶瞿窦沙宫蒙练褚娄储丘冼闫肖佟麦楼祖敖苟蓝岑宗喻"
        "刁戚池滕邬臧奚穆冀姬屠郜栾郁迟鄢卓仇艾巩仲虞卞竺匡巫鞠荆谌胥蔺邸符"
    )
)
"""One-character surnames."""
LONG_SURNAMES = tuple(
    sorted(_words("欧阳 司马 上官 诸葛 司徒 东方 皇甫 尉迟 公孙 慕容 令狐 夏侯 端木 南宫 西门 长孙 宇文"))
)
"""Two-character surnames."""
PERSON_TITLES = _endings("""
    先生 女士 小姐 太太 夫人 同志 老师 教授 博士 医生 大夫 护士 律师 法官 检察官 警官 民警 警员 队长 所长 局长 处长
    科长 厅长 部长 市长 县长 镇长 村长 书记 主任 经理 总经理 总监 总裁 董事长 校长 院长 园长 行长 会长 主席 总统
    总理 会计 司机 师傅 老板 记者 编辑 导演 教练
""")
"""Titles that follow a surname, for use inside a regular expression."""
PERSON_CUES = _endings("""
    名叫 名为 姓名 叫做 叫 联系人 负责人 代表人 代表 代理人 介绍人 中间人 经办人 证人 询问人 讯问人 记录人 被告人 上诉人
    申请人 受害人 被害人 嫌疑人 担保人 保证人 出借人 借款人 委托人 受托人 监护人 继承人 见证人 收款人 付款人 出租人
""")
"""Words behind which a person's name follows."""
NOT_PERSONS = _words("""
    万分之 二人 何时 何人 高峰 安排 安静 文明 文化 时间 华丽 雷达 梅花 兰花 田野 阳光 明白 宁静 康复 毛巾 顾客 顾问 卫星
    查询 查明 宫殿 许可 毕业 段时间 温馨 齐全 洪水 贺卡 龙虾 钱财 白银 白领 高达 于今 贺信 安保 毛利 曹操 林木 史诗 史实
    明星 明珠 高原 高明 康乐 谢谢 雷雨 项链 陈述 陈列 陈旧 张贴 张开 施政 熊猫 白云 周二 周转 祝福 祝贺 汤圆 汤汁 高潮
    高堂 高薪 高悬 高喊 高危 高雅 高水平 高中生 白发 白宫 卫冕 王朝 王子 王孙 王宫 杜鹃 黄梅戏 孔庙 祖先 桂树 桂冠
    桂花树 梅雨 安抚 易边 景泰蓝 关怀 马拉松 申请人 史前 金黄 金环 金银花 金盏花 雷鸣 辛丑 辛勤 汪汪 甘甜 沙滩 沙龙 沙特
    苏醒 胡椒粉 胡萝卜 武夫 夏粮 龙卷风 屈光 范畴 徐徐 温泉 蓝天 蓝图 楼栋 左翼 左传 田园 田园诗 牛羊肉 余震 景深 施暴
    岳母 岳父 陈年 魏晋 秦汉 韩日 韩方 韩军 游侠 安培 强降雨 童子军 陆军 马匹 孙子 叶子 侯爵 万户
""")
"""Words that begin like a surname and are none."""
NOT_GIVEN_ENDINGS = frozenset(fold("性型化式率度者赛馆戏色粉族量值权法党区县镇村路省市"))
"""Last characters that no given name of three characters has."""
TRANSLITERATED = frozenset(
    fold(
        "阿埃艾爱安昂奥巴白班保鲍贝本比彼宾波伯博布查达戴丹德邓迪蒂丁东杜顿多厄恩尔法范菲费芬弗福富盖冈高戈格根古瓜圭哈海"
        "汉亨洪华霍基吉加佳贾简杰金卡凯坎考柯科克肯孔库奎夸拉莱兰朗劳勒雷黎里利莉丽连林琳龙卢鲁路露伦罗洛吕马玛迈麦曼梅门"
        "蒙米密缅明摩莫默姆慕穆纳奈南内尼妮宁纽农努诺欧帕潘庞佩彭皮平普奇齐乔切钦琼让热日荣儒瑞若萨塞赛桑瑟森沙山尚绍舍申"
        "圣施史舒斯丝苏索塔泰坦唐汤陶特滕提廷图托瓦万旺威韦维温文翁沃乌伍西希锡夏香肖谢辛欣休许雅亚延扬耶叶伊依易因英尤约"
        "泽扎詹张兹朱卓佐茨"
    )
)
"""Characters in which foreign names are written."""
ORG_ENDINGS = _endings("""
    公司 集团 银行 法院 检察院 派出所 公安局 分局 支队 大队 大学 学院 中学 小学 学校 幼儿园 医院 诊所 药房 研究所
    研究院 研究会 实验室 委员会 仲裁委 协会 学会 商会 联合会 基金会 事务所 出版社 通讯社 报社 俱乐部 电视台 工厂
    药厂 酒店 饭店 餐厅 超市 商场 部队 法庭 政府 党 联盟 组织 总局 总署 办公室 公证处 居委会 村委会 合作社 工作室
    经济局 教育局 税务局 工商局 证券 保险 航空 物流 制药 药业 传媒 建设 营造 置业 物业 地产 房地产 建材 电子 软件
    能源 食品 乳业 汽车 科技 通信 早报 日报 晚报 时报 周刊
""")
"""Endings of organisations, for use inside a regular expression."""
TRADES = _words("""
    证券 保险 航空 物流 制药 药业 传媒 建设 营造 置业 物业 地产 房地产 建材 电子 软件 能源 食品 乳业 汽车 科技 通信
    组织 政府 党 联盟 部队
""")
"""Endings that make an organisation only behind a proper name."""
TAGGED_ENDINGS = "[队社部局会院委署厅联党军行所校司团报馆处办室]"
"""Last characters of what the tagger rightly calls an organisation."""
ORG_LAST = frozenset(ending[-1] for ending in ORG_ENDINGS.split("|")) | frozenset(TAGGED_ENDINGS[1:-1])
"""Last characters of all organisations."""
NOT_ORGANISATIONS = _words("""
    人民法院 音乐会 交易会 音乐厅 党组织 上市公司 商业银行 外资银行 公共场所 交易所 加工厂 国家队 青年队 联合会 通讯社
    中央政府 联邦政府 地方法院 党和政府 中国政府 中国队
""")
"""What ends like an organisation and names none."""
PLACE_ENDINGS = _endings("""
    特别行政区 自治区 自治州 开发区 新区 街道 地区 省 市 区 县 州 盟 旗 镇 乡 村 屯 岛 湾 港 机场 车站 火车站 大道
    大街 胡同 路 街 巷 弄 广场 小区 花园 大厦 公园 山 河 江 湖
""")
"""Endings of places, for use inside a regular expression."""
NOT_PLACES = _words("""
    地区 城市 小区 社区 道路 市区 城区 郊区 山区 公路 铁路 高速公路 全市 全县 农村 山村 新村 景区 园区 校区 辖区 分区
    特区 牧区 股市 门市 上市 都市 机场 车站 公园 大厦 江湖 江山 登山 上山 下山 群岛 海岛 思路 线路 电路 大街 东南 西南
    西北 东北 外国 贫困地区 太阳 什至 台风 两国 三国 四国 八国 诸国 小国 大国 英雄 深度 长度 美丽 大山 高山 山峰 山脉
    山水 山羊 山梁 山丘 山河 东西 南北 朝廷 巴士 上半场 海鲜 半山 海洋 大海 深海 四海 海峡 海湾 海滩 自治区 直辖市
    行政区 省辖市 县级市 县辖市 古城 满城 之日起 加盟 阴阳 升国旗 共和国 王国 古原 开国 回国 治国 爱国 城镇 重镇 高原
    平原 关联 福利 大圣 长寿 长大 长达 长约 吉利 新鲜 新建 新春 古典 上古 昆曲 滑坡 湖泊 嘉宾 贵宾 赞美 深市 伊斯兰 京城
    大城市 喜庆 安宁 太平 普及 淌水 非营利 扎根 天桥 大桥 西瓜 南瓜 城堡 满意度 攀岩 横梁 中断 伦理 神圣 加密 密封 太多
    试验区 示范区 任务区 名胜区 农业区 云集 治安 沧桑 上门 入门 广为 广义 大省 黑马 河水 河里 河川 河畔 江河 大江 山川
    进出港 远非 远超过 法脉 百川 缅怀 入口 入园 入湖 城春 城南 半壁江山 法治化 法典 美感 青春 契约 日志 庆典 礼拜 海关
    蓝牙 保鲜 开园 冰川 山坡 土坡 河谷 山洞 泉水 江水 墨水 深水 海滨 海港 港湾 河港 沿河 内河 湖畔 浅海 入海 池塘 大坝
    石桥 路桥 山口 山岭 山林 山庄 后山 深山 深渊 台站 上楼 馆内 馆藏 城建 旧城 都城 古都 古镇 古庙 古国 列岛 建国 归国
    立国 珍藏 开朗 兴旺 黑洞 黄连 绵羊 苏打 英里 美德 铺平 立马 哥哥 阿哥 乌黑 远古 中古 法度 太极 欢庆 绥靖 密约
    淡泊名利 中风 防沙治沙 法西斯 首联 邦国 中国 中华
""")
"""Words that end or are tagged like places and name none; China and its short forms are too common to be a detail."""
COMMON_LATIN = _words("""
    ai api app id ip it ok pc pdf ppt qa q a sql url usb vip vs wifi gdp cpi kpi ceo cfo cto coo hr pr gps dna rna
    ct tv dvd cd diy llm rag nlp ml gpu cpu ram rom json xml html css http https md faq ui ux sdk cli os no nb sop
    poc ppi roi p2p b2b o2o
""")
"""Short Latin words that Chinese prose uses as common nouns."""
ENGLISH_STOPS = _words("""
    the a an this that these those it its they their them he she his her we our you your i my in on at by for from
    of to with without and or but nor so yet as if when while where who whom whose which what why how there here no
    not yes all any both each few more most other some such only own same than too very can will just should could
    would may might must shall do does did done has have had is are was were be been being according also although
    another because before after during however moreover therefore thus finally first second third next then since
    until between among under over about into through per via one two three four five six seven eight nine ten call
    contact see note please sorry unfortunately based given overall answer question document documents article text
    passage context report contract page section table figure chapter part january february march april june july
    august september october november december jan feb mar apr jun jul aug sep sept oct nov dec monday tuesday
    wednesday thursday friday saturday sunday mr mrs ms dr prof sir madam ceo cfo cto coo president chairman
    chairwoman chair chief director manager founder founders co-founder directors managers
    engineer engineers lawyer attorney spokesman spokeswoman spokesperson analyst analysts professor judge senator
    governor mayor minister secretary
    officer executive usd eur gbp cny rmb series round revenue sales company customers users people price cost total
    amount date time today yesterday tomorrow english chinese i'm it's that's there's let's use using write ask read
""")
"""English words that start with a capital for another reason than being a name."""
CAPITAL_STOPS = _words("""
    ceo cfo cto coo usd eur gbp cny rmb mr mrs ms dr am pm
""")
"""Words all in capitals that are no names."""
ENGLISH_ORGS = _words("""
    inc corp corporation co company ltd limited llc llp plc gmbh ag sa group holdings capital ventures partners fund
    bank university college institute school hospital foundation association committee council ministry department
    agency bureau court commission laboratory labs lab society union press news times post airlines motors robotics
    technologies systems foods energy pharma pharmaceuticals media studios
""")
"""Words that make an English name an organisation."""
ENGLISH_PLACES = _words("""
    street avenue road lane boulevard county city island islands river lake bay valley mountain mountains beach park
    square airport port state province district alabama alaska arizona arkansas california colorado connecticut
    delaware florida georgia hawaii idaho illinois indiana iowa kansas kentucky louisiana maine maryland
    massachusetts michigan minnesota mississippi missouri montana nebraska nevada ohio oklahoma oregon pennsylvania
    tennessee texas utah vermont virginia washington wisconsin wyoming china taiwan japan korea india france germany
    spain italy england britain scotland ireland canada mexico brazil australia russia ukraine turkey egypt israel
    iran iraq singapore malaysia indonesia thailand vietnam philippines london paris berlin tokyo beijing shanghai
    shenzhen guangzhou hongkong taipei boston chicago austin dallas houston seattle denver atlanta miami detroit
    europe asia africa america switzerland sweden norway denmark finland poland austria belgium netherlands portugal
    greece madrid rome vienna moscow sydney toronto
""")
"""Words that make an English name a place."""
ROLES = _words("""
    被告 原告 甲方 乙方 丙方 出租方 承租方 买方 卖方 双方 对方 客户 地点 单位 被害人 上诉人 联系人 负责人 部门
    有关 相关 其他 多家 该 本 我 各 所在 当地 一家 母 子 分 总 记者 网友 生产 企业 原 时任 现任 目前 钱 款 资金
    发行 附近 位于 来自 属于 存入 转入 打到 交给
""")
"""Words before an organisation that say what it does or is, and are no part of its name."""
