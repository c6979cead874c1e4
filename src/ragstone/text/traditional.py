"""Ragstone's own sentences in Traditional Chinese, made from the Simplified ones: terms first, then characters.

For text written here only (templates, help, labels): what a user wrote is never turned, but for probes of a judge,
and these by single characters.
"""

import re
from functools import cache, lru_cache

from ragstone.text.fold_table import FROM, TO

_TERMS: dict[str, str] = dict(
    re.findall(
        r"(\S+)=(\S+)",
        """
文件夹=資料夾 文件名=檔名 文件系统=檔案系統 文件句柄=檔案控制代碼 文件=檔案 文档=文件 压缩包=壓縮檔 解压后=解壓縮後
试运行=試執行 运行=執行 程序=程式 进程=程序 代码=程式碼 脚本=指令碼 模块=模組 插件=外掛 软件包=套件 调用=呼叫
字段=欄位 列名=欄名 单元格=儲存格 数据=資料 信息=資訊 字符串=字串 字符=字元 字节=位元組 数组=陣列 对象=物件
布尔值=布林值 变量=變數 默认=預設 设置=設定 配置=設定 示例=範例 内置=內建 预设=預設集 命令行=命令列 终端=終端機
服务器=伺服器 网络=網路 接口=介面 地址=位址 端口=連接埠 连接=連線 响应=回應 重定向=重新導向 链接=連結 登录=登入
访问=存取 令牌=權杖 密钥=金鑰 证书=憑證 缓存=快取 并发=並行 磁盘=磁碟 导入=匯入 导出=匯出 保存=儲存 加载=載入
创建=建立 生成=產生 获取=取得 支持=支援 搜索=搜尋 刷新=重新整理 返回=回傳 映射=對應 嵌套=巢狀 转义=跳脫 递归=遞迴
兼容=相容 规范化=正規化 置信区间=信賴區間 当前=目前 复制=複製 重复=重複 复数=複數 复杂=複雜 回复=回覆 答复=答覆
覆盖=覆蓋 录制=錄製 制作=製作 注册=註冊 注释=註解 日志=日誌 标志=標誌 标签=標籤 汇总=彙總 合并=合併 关系=關係
批准=批准 不准=不准 干净=乾淨 舍入=捨入 放松=放鬆 计划=計畫 字面量=字面值 质量=品質 优先级=優先順序 令牌数=詞元數
退出登录=登出 退出=結束 哈希=雜湊 方差=變異數 标注=標註 注明=註明 泄露=洩露 门禁=門檻 打开=開啟 查看=檢視 发送=傳送
回归=迴歸 舍去=捨去 不止=不只 内存=記憶體 可通过=可透過 主机名=主機名稱 注解=註解 组件=元件 共享=共用 单个=單一
列表=清單 超时=逾時 文本=文字 请求头=請求標頭 换行符=換行字元 函数=函式 替换=取代 调度器=排程器 复用=重複使用
工作流=工作流程 没有列=沒有欄 编号列=編號欄 标注列=標註欄 的列=的欄 列出=列出
""",
    )
)
# Simplified characters that Traditional writing has too, with another sense, or that stand for several: ours.
_CHOSEN: dict[str, str] = dict(
    re.findall(
        r"(\S)(\S)",
        """
与與 个個 么麼 体體 价價 优優 儿兒 号號 后後 听聽 种種 范範 适適 里裡 据據 极極 机機 气氣 云雲 几幾 征徵 采採 万萬
丰豐 胜勝 虫蟲 于於 余餘 准準 并並 构構 异異 确確 离離 网網 坏壞 划劃 厂廠 宁寧 岭嶺 怀懷 怜憐 愿願 惊驚 扑撲 扰擾
挂掛 晒曬 洁潔 涂塗 圣聖 庄莊 荐薦 触觸 赶趕 党黨 夸誇 辟闢 佣傭 杰傑 吨噸 蜡蠟 柜櫃 洒灑 涌湧 栖棲 链鏈 为為 传傳
仑侖 尽盡 净淨 画畫 别別 铲鏟 勋勳 绩績 汇匯 历歷 参參 叹嘆 尝嘗 哗嘩 恶惡 当當 苏蘇 团團 坛壇 夹夾 专專 帐帳 账帳
弥彌 录錄 径徑 扬揚 捣搗 摆擺 术術 毁毀 冲衝 湿濕 炼煉 烟煙 炉爐 获獲 发發 复復 荡蕩 签簽 绿綠 纤纖 绕繞 脏髒 铺鋪
艳艷 药藥 证證 赞贊 资資 迹跡 针針 钥鑰 钻鑽 锤錘 钟鐘 鉴鑑 闲閒 须須 饥飢 线線 “「 ”」
""",
    )
)
_TERM = re.compile(f"({'|'.join(sorted(_TERMS, key=len, reverse=True))})")


def only_simplified(char: str) -> bool:
    """Whether a character is written in Simplified Chinese only.

    >>> only_simplified("档"), only_simplified("檔"), only_simplified("文")
    (True, False, False)
    """
    return char in _characters()


@lru_cache(1 << 12)
def traditional(text: str) -> str:
    """Return one of our sentences in Traditional Chinese.

    >>> traditional("{file}：文件夹不存在，请检查文档。")
    '{file}：資料夾不存在，請檢查文件。'
    """
    return "".join(_TERMS[part] if part in _TERMS else part.translate(_table()) for part in _TERM.split(text))


def traditional_characters(text: str) -> str:
    """Return somebody's text with its Simplified characters written as Traditional ones, word for word the same.

    Terms are left as they are, for other regions' words may mean something else: 门禁 is a gate here, a door there.

    >>> traditional_characters("刷门禁牌“开门”")
    '刷門禁牌“開門”'
    """
    return "".join(char.translate(_table()) if char >= "\u2e80" else char for char in text)


@cache
def _table() -> dict[int, str]:
    return {ord(one): other for one, other in _characters().items()}


@cache
def _characters() -> dict[str, str]:
    """Return the Traditional character for each Simplified one: the folding table, read the other way."""
    found = {to: char for char, to in zip(FROM, TO, strict=True) if _in_big5(char) and not _in_big5(to)}
    return {**found, **_CHOSEN}


def _in_big5(char: str) -> bool:
    """Whether a Han character belongs to the set Traditional Chinese is written with."""
    try:
        return "一" <= char <= "鿿" and len(char.encode("big5")) == 2
    except UnicodeEncodeError:
        return False
