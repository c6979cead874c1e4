"""What libraries and checks say in English, said in Chinese where it stands inside a Chinese sentence.

Only whole sentences that are known are said anew; anything else stays as it came, so nothing is lost.
"""

import re
from collections.abc import Callable, Sequence

LONGEST = 400
"""Longest text looked at: what libraries say is short, what is longer was written by somebody."""

_NOUNS = {
    "string": "字符串",
    "number": "数",
    "boolean": "布尔值",
    "array": "数组",
    "object": "对象",
    "null": "空值 null",
    "int": "整数",
    "float": "数",
    "str": "字符串",
    "bool": "布尔值",
    "empty": "为空",
    "contract": "契约",
    "system": "系统",
    "engine": "引擎",
    "wrong type": "类型不对",
    "wrong item": "其中一项不对",
    "too few items": "项数太少",
    "a non-empty string": "非空字符串",
    "an array of strings": "字符串数组",
    "no such file": "没有这个文件",
    "no such folder": "没有这个文件夹",
    "no such file or folder": "没有这个文件或文件夹",
    "not what the run was made with": "与运行时所用的不同",
    "not a regular file": "不是普通文件",
    "a path is empty": "有一个路径为空",
    "nested too deeply": "嵌套过深",
    "not an object": "不是对象",
    "not set": "未设置",
    "nothing to compare": "没有可比较的内容",
    "expected kind:argument": "应写成 种类:参数",
    "expected python:module:attribute": "应写成 python:模块:名称",
    "expected a file, a preset or an address": "应为文件、预设名称或地址",
    "expected chat:MODEL, with its address as base_url": "应写成 chat:模型，并以 base_url 给出地址",
    "expected dask://HOST:PORT": "应写成 dask://主机:端口",
    "inproc takes no argument": "inproc 不带参数",
    "nothing sends the question: body or query needs {{question}}, {{prompt}} or {{messages}}": (
        "没有发送问题：body 或 query 中须有 {{question}}、{{prompt}} 或 {{messages}}"
    ),
    "'id' says where the reply repeats {{id}}, but neither body nor query sends it": (
        "id 指出响应在何处重复 {{id}}，但 body 和 query 都没有发送它"
    ),
    "expected a mapping": "应为键值表",
    "expected a mapping at the top": "最外层应为键值表",
    "expected a mapping 'models' with at least one model": "应有键值表 'models'，其中至少一个模型",
    "invalid character": "有无效字符",
    "invalid number": "数的写法无效",
    "invalid escape character in string": "字符串中有无效的转义",
    "invalid escaped character": "有无效的转义",
    "invalid character in unicode escape": "Unicode 转义中有无效字符",
    "invalid utf-16 surrogate pair": "UTF-16 代理对无效",
    "object keys must be strings": "对象的键必须是字符串",
    "trailing characters": "末尾有多余字符",
    "trailing comma in object": "对象末尾有多余的逗号",
    "trailing comma in array": "数组末尾有多余的逗号",
    "Input data was truncated": "内容不完整，中途截断",
    "JSON decode error": "不是有效的 JSON",
    "Field required": "缺少该字段",
    "Extra inputs are not permitted": "没有这个字段",
    "No such file or directory": "没有这个文件或文件夹",
    "Permission denied": "没有权限",
    "Read-only file system": "文件系统只读",
    "No space left on device": "磁盘已满",
    "Is a directory": "是文件夹",
    "Not a directory": "不是文件夹",
    "File exists": "已存在",
    "File name too long": "名称过长",
    "Operation not permitted": "操作不被允许",
    "Too many levels of symbolic links": "符号链接层数过多",
    "Connection refused": "连接被拒绝",
    "Expecting value": "此处应有一个值",
    "Invalid value": "值的写法无效",
    "Invalid statement": "语句无效",
    "Cannot overwrite a value": "同一名称出现两次",
    "Unterminated string": "字符串没有结束",
    "Expected '=' after a key in a key/value pair": "名称之后应为 '='",
    "Expected newline or end of document after a statement": "语句之后应换行",
    "Extra data": "末尾有多余内容",
    "Expecting property name enclosed in double quotes": "此处应有双引号括起的键名",
    "Unterminated string starting at": "字符串没有结束",
}
_KINDS = {
    "string": "字符串",
    "integer": "整数",
    "number": "数",
    "boolean": "布尔值",
    "list": "数组",
    "array": "数组",
    "dictionary": "对象",
}
_SENTENCES: Sequence[tuple[re.Pattern[str], str]] = tuple(
    (re.compile(pattern, re.DOTALL), words)
    for pattern, words in (
        (r"(.+) - at `([^`]+)`", "{0}（位于 {1}）"),
        (r"JSON is malformed: (.+) \(byte (\d+)\)", "{0}（第 {1} 字节）"),
        (r"(.+): line (\d+) column (\d+) \(char \d+\)", "{0}（第 {1} 行第 {2} 列）"),
        (r"(.+) \(at line (\d+), column (\d+)\)", "{0}（第 {1} 行第 {2} 列）"),
        (r"(.+) \(at end of document\)", "{0}（文件末尾）"),
        (r"\[Errno \d+\] ([^:]+): (.+)", "{0}：{1}"),
        (r"\[Errno \d+\] ([^:]+)", "{0}"),
        (r"expected ('.+') or ('.+')", "此处应为 {0} 或 {1}"),
        (r"expected ('.')", "此处应为 {0}"),
        (r"Expecting ('.') delimiter", "此处应为 {0}"),
        (r"""Expected ('.+'|"'+")""", "此处应为 {0}"),
        (r"expected a number from (\d+) to (\d+), or auto", "应为 {0} 到 {1} 的整数，或 auto"),
        (r"an array of at least (\d+) non-empty strings", "至少含 {0} 个非空字符串的数组"),
        (r"(\d+) items", "{0} 项"),
        (r"longer than (\d+) (?:bytes|characters)", "过长，上限 {0}"),
        (r"(\d+) cells under (\d+) names", "{1} 个列名下有 {0} 个单元格"),
        (r"no worker within (\S+) s", "{0} 秒内没有工作进程"),
        (r"not a JSON array: (.+)", "不是 JSON 数组：{0}"),
        (r"not understood from character (\d+)", "从第 {0} 个字符起无法理解"),
        (r"there is no field ('.+'); did you mean ('.+')\?", "没有字段 {0}；是否指 {1}？"),
        (r"Expected `(\w+)`, got `(\w+)`", "应为{0}，实际为{1}"),
        (r"Expected `(\w+)` ([<>]=?) (\S+)", "应为 {1} {2} 的{0}"),
        (r"Expected `(\w+)`", "应为{0}"),
        (r"Invalid enum value (.+?) - at `([^`]+)`; allowed: (.+)", "没有 {0} 这个值（位于 {1}）；可用：{2}"),
        (r"Invalid enum value (.+)", "没有 {0} 这个值"),
        (r"Object contains unknown field `(.+)`", "没有名为 '{0}' 的字段"),
        (r"Object missing required field `(.+)`", "缺少字段 '{0}'"),
        (r"Input should be a valid (\w+)(?:, .+)?", "应为{0}"),
        (r"Input should be greater than or equal to (\S+)", "不得小于 {0}"),
        (r"Input should be less than or equal to (\S+)", "不得大于 {0}"),
        (r"Input should be greater than (\S+)", "必须大于 {0}"),
        (r"String should have at most (\d+) characters?", "最多 {0} 个字符"),
        (r"String should have at least (\d+) characters?", "至少 {0} 个字符"),
        (r"Input should be ('.+')", "应为 {0}"),
    )
)


def in_chinese(text: str, written: Callable[[str], str] = str) -> str:
    """Say a known sentence in Chinese, the pieces it is made of as well; leave any other as it is.

    `written` turns our own words, and only them, into another script.

    >>> in_chinese("JSON is malformed: invalid character (byte 17)")
    '有无效字符（第 17 字节）'
    """
    if known := _NOUNS.get(text) or _KINDS.get(text):
        return written(known)
    if len(text) > LONGEST:
        return text
    for pattern, words in _SENTENCES:
        if found := pattern.fullmatch(text):
            return written(words).format(*(in_chinese(piece, written) for piece in found.groups()))
    return text
