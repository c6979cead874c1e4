"""Every sentence Ragstone itself says to a user, in each language, by code.

Contracts keep their own phrases beside their own code; this table is for the house.
"""

from ragstone.language import Text

_MESSAGES: dict[str, Text] = {
    # settings and names
    "setting.file": Text(
        "{file}: the settings file cannot be read: {problem}. Mend it or remove it.",
        "{file}：无法读取设置文件：{problem}。请修正或删除该文件。",
    ),
    "setting.value": Text(
        "a setting is wrong: {problem}. Settings are: {names}; they come from {file}, RAGSTONE_* variables and flags.",
        "设置有误：{problem}。可用的设置：{names}；来源为 {file}、RAGSTONE_* 环境变量和命令行参数。",
    ),
    "setting.range": Text(
        "concurrency must be at least 1 and timeout greater than 0.", "concurrency 至少为 1，timeout 必须大于 0。"
    ),
    "name.unknown": Text(
        "there is no {kind} named {name:q}. Known: {known}. A plug-in adds one through the entry point group {group:q}.",
        "没有名为 {name:q} 的{kind}。可用：{known}。插件可通过入口点组 {group:q} 添加。",
    ),
    "name.broken": Text(
        "the {kind} {name:q} cannot be loaded from {target:q}: {problem}",
        "{kind} {name:q} 无法从 {target:q} 载入：{problem}",
    ),
    # datasets
    "dataset.missing": Text(
        "{file}: no such file or folder. Give the path of a dataset.", "{file}：文件或文件夹不存在。请给出样例集路径。"
    ),
    "dataset.directory": Text(
        "{file} is a folder, but this contract reads a file (JSONL, one JSON object per line).",
        "{file} 是文件夹，而该契约需要文件（JSONL，每行一个 JSON 对象）。",
    ),
    "dataset.unreadable": Text("{file}: cannot be read: {problem}", "{file}：无法读取：{problem}"),
    "dataset.empty": Text(
        "{file}: the dataset has no cases. Add at least one row.", "{file}：样例集为空。请至少添加一行用例。"
    ),
    "dataset.faults": Text(
        "{file}: {count} fault(s) in the dataset; nothing was asked. Mend the rows below and start again.",
        "{file}：样例集有 {count} 处错误，未发出任何请求。请修正下列各行后重试。",
    ),
    "dataset.unrecognised": Text(
        "{file}: no contract recognises this dataset (its first row has: {fields}). Name one with --contract: {known}.",
        "{file}：没有契约能识别该样例集（首行字段：{fields}）。请用 --contract 指定：{known}。",
    ),
    # rows
    "row.not_utf8": Text(
        "not valid UTF-8 at byte {byte}. Save the file as UTF-8.",
        "第 {byte} 字节不是有效的 UTF-8。请将文件存为 UTF-8。",
    ),
    "row.utf16": Text(
        "the file is UTF-16. Save it as UTF-8 (for example with: iconv -f UTF-16 -t UTF-8).",
        "文件为 UTF-16 编码。请另存为 UTF-8（例如：iconv -f UTF-16 -t UTF-8）。",
    ),
    "row.too_long": Text(
        "the row is longer than {limit} bytes. Split it, or raise RAGSTONE_MAX_ROW_BYTES.",
        "该行超过 {limit} 字节。请拆分，或调高 RAGSTONE_MAX_ROW_BYTES。",
    ),
    "row.not_json": Text(
        "not valid JSON: {problem}. Each line must be one JSON object.",
        "不是有效的 JSON：{problem}。每行必须是一个 JSON 对象。",
    ),
    "row.not_object": Text("expected a JSON object, found {found}.", "应为 JSON 对象，实际为 {found}。"),
    "row.field": Text(
        "field {field:q}: {problem}; expected {expected}, found {found}.",
        "字段 {field:q}：{problem}；应为 {expected}，实际为 {found}。",
    ),
    "row.missing": Text("field {field:q} is missing; expected {expected}.", "缺少字段 {field:q}；应为 {expected}。"),
    "row.duplicate_id": Text(
        "id {id:q} is used more than once. Give every case its own id.", "id {id:q} 重复。每个用例必须有唯一的 id。"
    ),
    "row.duplicate_question": Text(
        "the question is the same as that of {other}; the effective n is smaller than the number of rows.",
        "问题与 {other} 相同；有效样本数小于行数。",
    ),
    "check.duplicates": Text(
        "{rows} rows hold {distinct} distinct questions: figures rest on n = {distinct}.",
        "{rows} 行中只有 {distinct} 个不同的问题：指标的有效样本数为 {distinct}。",
    ),
    "check.document_missing": Text(
        "document {document:q} is not among the documents in {folder}. Correct the name or add the file.",
        "文档 {document:q} 不在 {folder} 中。请更正名称或补充文件。",
    ),
    "documents.missing": Text(
        "{folder}: there is no such document folder. Give an existing one.",
        "{folder}：文档文件夹不存在。请给出已存在的文件夹。",
    ),
    # systems
    "system.spec": Text(
        "the system {spec:q} cannot be understood: {problem}. Examples: builtin:docs/  python:my_rag:query  replay:answers.jsonl",
        "无法理解系统 {spec:q}：{problem}。示例：builtin:docs/  python:my_rag:query  replay:answers.jsonl",
    ),
    "system.import": Text(
        "python:{target}: cannot be imported: {problem}. Write it as package.module:attribute, run from the folder that holds it.",
        "python:{target}：无法导入：{problem}。请写成 包.模块:属性，并在其所在文件夹中运行。",
    ),
    "system.not_callable": Text(
        "python:{target} is a {found}; expected a callable or an object with .query().",
        "python:{target} 是 {found}；应为可调用对象或带有 .query() 的对象。",
    ),
    "answers.unreadable": Text(
        "{file}: recorded answers cannot be used: {problem}", "{file}：无法使用已录制的回答：{problem}"
    ),
    "answers.faults": Text(
        "{file}: {count} fault(s) in the recorded answers. Mend the rows below and start again.",
        "{file}：已录制的回答有 {count} 处错误。请修正下列各行后重试。",
    ),
    # runs
    "run.missing": Text(
        "{run}: no such run. `ragstone runs` lists those in {folder}.",
        "{run}：没有该评测运行。`ragstone runs` 可列出 {folder} 中的运行。",
    ),
    "run.not_a_run": Text(
        "{run}: not a run folder (no readable {file}). Give a folder made by `ragstone run`.",
        "{run}：不是运行文件夹（没有可读的 {file}）。请给出由 `ragstone run` 生成的文件夹。",
    ),
    "run.newer": Text(
        "{run}: made by a newer Ragstone (folder format {found}, this one reads up to {known}). Upgrade Ragstone.",
        "{run}：由更新版本的 Ragstone 生成（格式 {found}，当前最高支持 {known}）。请升级 Ragstone。",
    ),
    "run.exists": Text(
        "{run}: the folder exists already. Choose another --run-id, or continue it with `ragstone resume {run}`.",
        "{run}：文件夹已存在。请换一个 --run-id，或用 `ragstone resume {run}` 继续。",
    ),
    "run.busy": Text(
        "{run}: another process is working on this run. Wait for it, or stop it first.",
        "{run}：另一个进程正在处理该运行。请等待其结束或先停止它。",
    ),
    "run.dataset_changed": Text(
        "{run}: the dataset {file} has changed since the run began (was {was}, is {now}). Restore it, or start a new run.",
        "{run}：样例集 {file} 在运行开始后已改变（原 {was}，现 {now}）。请还原，或开始新的运行。",
    ),
    "run.scorer_changed": Text(
        "{run}: the scorer has changed since the run began (was {was}, is {now}). Use `ragstone rescore`, or start a new run.",
        "{run}：评分器在运行开始后已改变（原 {was}，现 {now}）。请使用 `ragstone rescore`，或开始新的运行。",
    ),
    "run.journal": Text(
        "{file}:{line}: the journal is damaged: {problem}. Restore the file from a copy, or start a new run.",
        "{file}:{line}：日志已损坏：{problem}。请从备份恢复，或开始新的运行。",
    ),
    "run.unwritable": Text(
        "{folder}: cannot write: {problem}. What was answered so far is kept; make room or change the permissions, then `ragstone resume`.",
        "{folder}：无法写入：{problem}。已得到的回答均已保存；请腾出空间或修改权限，然后执行 `ragstone resume`。",
    ),
    "new.exists": Text(
        "{file} exists already and is left alone. Choose another folder.", "{file} 已存在，未作改动。请换一个文件夹。"
    ),
    "plain": Text("{text}", "{text}"),
}

UNKNOWN = Text("{code}", "{code}")


def message(code: str) -> Text:
    """Return the text of a code; an unknown code shows itself rather than hiding the error."""
    return _MESSAGES.get(code, UNKNOWN)


def codes() -> frozenset[str]:
    """Return every code there is."""
    return frozenset(_MESSAGES)
