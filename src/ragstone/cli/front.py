"""The entry point of `ragstone`: the list of commands, and `--help` and `--version` without slow imports.

Only the two modules every Python has loaded are imported here, so that `ragstone --help` is there at once.
"""

import os
import sys

from ragstone.cli.program import command
from ragstone.version import full_version


def locale_name() -> str:
    """Return the locale of the environment in lower case, such as `zh-tw.utf-8`; it may be `c` or empty."""
    names = ("RAGSTONE_LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG")
    return next((os.environ[name] for name in names if os.environ.get(name)), "").lower().replace("_", "-")


def is_english() -> bool:
    """Return whether the environment asks for English: so do C and POSIX, the locales of containers."""
    return locale_name().partition(".")[0] in {"c", "posix"} or locale_name().startswith("en")


def choose(english: str, chinese: str, traditional: str = "") -> str:
    """Pick the help text's language by the environment; Traditional is made from Simplified where there is none.

    A text that holds what a user wrote (a name, a path) gives its Traditional form itself, so that this stays as it is.
    """
    locale = locale_name()
    if not locale.startswith("zh"):
        return english
    if not locale.startswith(("zh-hant", "zh-tw", "zh-hk", "zh-mo")):
        return chinese
    return traditional or _traditional(chinese)


def _traditional(chinese: str) -> str:
    from ragstone.text import traditional  # noqa: PLC0415 - `--help` must stay quick

    return traditional.traditional(chinese)


COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "ragstone.cli.commands.demo:demo",
        choose("Run the bundled example: no key, no network.", "运行内置示例：无需密钥和网络。"),
    ),
    "check": (
        "ragstone.cli.commands.datasets.check:check",
        choose("Check a dataset before spending a call.", "在发出请求之前检查样例集。"),
    ),
    "draft": (
        "ragstone.cli.commands.datasets.draft:draft",
        choose("Draft a test set from documents, every gold proved.", "从文档起草样例集，逐条证明标准答案。"),
    ),
    "plan": (
        "ragstone.cli.commands.plan:plan",
        choose("Say what a run will take.", "在运行之前估算开销。"),
    ),
    "ping": (
        "ragstone.cli.commands.plan:ping",
        choose("Try one case and show the raw exchange.", "试探系统并显示原始往来。"),
    ),
    "run": (
        "ragstone.cli.commands.run:run",
        choose("Ask a system every case and score the answers.", "向系统提出每个问题并评分。"),
    ),
    "score": (
        "ragstone.cli.commands.run:score",
        choose("Score recorded answers; makes no calls.", "对已录制的回答评分，不发出请求。"),
    ),
    "resume": (
        "ragstone.cli.commands.run:resume",
        choose("Continue a run: asks only what is unanswered.", "继续运行：只提出尚未回答的问题。"),
    ),
    "runs": (
        "ragstone.cli.commands.show:runs",
        choose("List the runs there are.", "列出已有的运行。"),
    ),
    "report": (
        "ragstone.cli.commands.show:report",
        choose("Show what a run came to.", "显示某次运行的结果。"),
    ),
    "compare": (
        "ragstone.cli.commands.trust.compare:compare",
        choose("Compare two runs case by case, with causes.", "逐例比较两次运行并说明原因。"),
    ),
    "gate": (
        "ragstone.cli.commands.trust.gate:gate",
        choose("Decide whether a run passes: PASS, FAIL or NOT MEASURED.", "判断运行是否通过门禁。"),
    ),
    "verify": (
        "ragstone.cli.commands.trust.verify:verify",
        choose("Check that a run can be made again from its parts.", "检查运行能否由其组成部分重现。"),
    ),
    "judge": (
        "ragstone.cli.commands.judge:judge",
        choose("Decide what rules left open: a judge, and people.", "裁定规则未能确定的内容：由裁判和人工。"),
    ),
    "certify": (
        "ragstone.cli.commands.certify:certify",
        choose("Measure a judge against people.", "用人工标注衡量裁判。"),
    ),
    "review": (
        "ragstone.cli.commands.labels:review",
        choose("Say where people review a run.", "给出人工评审运行的网址。"),
    ),
    "labels": (
        "ragstone.cli.commands.labels:labels",
        choose(
            "Import, export and apply labels of people.",
            "导入、导出和应用人工标注。",
            "匯入、匯出和套用人工標註。",
        ),
    ),
    "rescore": (
        "ragstone.cli.commands.trust.rescore:rescore",
        choose("Score recorded answers again; makes no calls.", "对已录制的回答重新评分，不发出请求。"),
    ),
    "import": (
        "ragstone.cli.commands.import_runs:bring",
        choose("Bring in a finished run of another tool.", "导入其他工具已完成的运行。"),
    ),
    "merge": (
        "ragstone.cli.commands.merge:merge",
        choose("Join the parts of a run that was split.", "合并被切分的运行。"),
    ),
    "subset": (
        "ragstone.cli.commands.datasets.subset:subset",
        choose("Draw a small set that stands for a large one.", "抽取有代表性的子集。"),
    ),
    "index": (
        "ragstone.cli.commands.plan:index",
        choose("Build the built-in RAG's index.", "建立内置 RAG 的索引。"),
    ),
    "serve": (
        "ragstone.cli.commands.serve:serve",
        choose("Open the page: http://localhost:8000/eval.", "打开评测页面：http://localhost:8000/eval。"),
    ),
    "people": (
        "ragstone.cli.commands.serve:people",
        choose("Say who may come into the page.", "管理可登录页面的人员。"),
    ),
    "new": (
        "ragstone.cli.commands.new:new",
        choose("Write starter files: a dataset, a contract, a system.", "生成起步文件：样例集、契约、系统。"),
    ),
    "completion": (
        "ragstone.cli.commands.show:completion",
        choose("Print the shell completion script.", "输出命令补全脚本。", "輸出命令補全指令稿。"),
    ),
}
"""Where each command is, and what it does, in the order a user meets them."""

_PAGE = choose(
    """\
Usage: ragstone [OPTIONS] COMMAND [ARGS]...

  Ragstone, the touchstone for RAG and LLM applications.

  Start with: ragstone demo

Options:
  -V, --version  Show the version and exit.
  -h, --help     Show this message and exit.
  --lang, --verbose, --log-file, --quiet and --offline may stand before a
  command that has them, or behind it.

Commands:
{commands}

  Exit codes: 0 fine, 1 a gate failed, 2 something to fix,
  3 not measured or partial, 130 stopped.
""",
    """\
用法：ragstone [选项] 命令 [参数]...

  Ragstone（试金石）：RAG 与大模型应用的评测平台。

  从这里开始：ragstone demo

选项：
  -V, --version  显示版本并退出。
  -h, --help     显示本说明并退出。
  命令若有 --lang、--verbose、--log-file、--quiet、--offline，写在其前或其后均可。

命令：
{commands}

  退出码：0 正常，1 门禁未通过，2 需要修正，3 未测得或不完整，130 已停止。
""",
)


def front_page() -> str:
    """Return what `ragstone --help` says."""
    wide = max(map(len, COMMANDS))
    return _PAGE.format(commands="\n".join(f"  {name:<{wide}}  {text}" for name, (_, text) in COMMANDS.items()))


def _as_typed() -> str:
    """Return the front page with the first command as it is typed here."""
    return front_page().replace("ragstone demo", command("demo"))


def main() -> None:
    """Answer at once what can be answered at once; leave the rest to the command line itself."""
    asked = sys.argv[1:]
    simple = asked in ([], ["--help"], ["-h"], ["--version"], ["-V"]) and "_RAGSTONE_COMPLETE" not in os.environ
    if not simple:
        import gc  # noqa: PLC0415

        # What modules and tables make stays: there is little use in looking through it for cycles.
        gc.set_threshold(100_000)
        from ragstone.cli.main import main as command_line  # noqa: PLC0415 - the front page does without it

        try:
            command_line()
        finally:
            # Python looks through all of it twice more before it ends, for memory that is given back anyway.
            gc.freeze()
    page = f"ragstone {full_version()}\n" if asked and "ersion" in asked[0].replace("-V", "version") else _as_typed()
    try:
        sys.stdout.buffer.write(page.encode())
        sys.stdout.flush()
    except BrokenPipeError:
        # Whoever read this has read enough; nothing is left to be flushed at the end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
