"""`ragstone`: the list of commands, how errors are shown, and the exit codes.

0 fine · 1 a gate failed · 2 the user must mend something · 3 not measured or partial · 130 stopped
"""

import os
import sys
from importlib import import_module
from typing import NoReturn

import click

from ragstone.cli.wording import choose
from ragstone.version import VERSION

COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "ragstone.cli.demo:demo",
        choose("Run the bundled example: no key, no network.", "运行内置示例：无需密钥和网络。"),
    ),
    "check": (
        "ragstone.cli.check:check",
        choose("Look a dataset over before spending a call.", "在发出请求之前检查样例集。"),
    ),
    "plan": ("ragstone.cli.plan:plan", choose("Say what a run will take.", "在运行之前估算开销。")),
    "ping": ("ragstone.cli.plan:ping", choose("Try one case and show the raw exchange.", "试探系统并显示原始往来。")),
    "run": (
        "ragstone.cli.run:run",
        choose("Ask a system every case and score the answers.", "向系统提出每个问题并评分。"),
    ),
    "score": (
        "ragstone.cli.run:score",
        choose("Score recorded answers; makes no calls.", "对已录制的回答评分，不发出请求。"),
    ),
    "resume": (
        "ragstone.cli.run:resume",
        choose("Continue a run: asks only what is unanswered.", "继续运行：只提出尚未回答的问题。"),
    ),
    "runs": ("ragstone.cli.show:runs", choose("List the runs there are.", "列出已有的运行。")),
    "report": ("ragstone.cli.show:report", choose("Show what a run came to.", "显示某次运行的结果。")),
    "compare": (
        "ragstone.cli.compare:compare",
        choose("Compare two runs case by case, with causes.", "逐例比较两次运行并说明原因。"),
    ),
    "gate": (
        "ragstone.cli.gate:gate",
        choose("Decide whether a run passes: PASS, FAIL or NOT MEASURED.", "判断运行是否通过门禁。"),
    ),
    "verify": (
        "ragstone.cli.verify:verify",
        choose("Check that a run can be made again from its parts.", "检查运行能否由其组成部分重现。"),
    ),
    "rescore": (
        "ragstone.cli.rescore:rescore",
        choose("Score recorded answers anew; makes no calls.", "对已录制的回答重新评分，不发出请求。"),
    ),
    "import": (
        "ragstone.cli.importing:bring",
        choose("Bring in a finished run of another tool.", "导入其他工具已完成的运行。"),
    ),
    "merge": (
        "ragstone.cli.merge:merge",
        choose("Join the parts of a run that was split.", "合并被切分的运行。"),
    ),
    "import": (
        "ragstone.cli.importing:bring",
        choose("Bring in a finished run of another tool.", "导入其他工具已完成的运行。"),
    ),
    "subset": (
        "ragstone.cli.subset:subset",
        choose("Draw a small set that stands for a large one.", "抽取有代表性的子集。"),
    ),
    "index": ("ragstone.cli.plan:index", choose("Build the built-in RAG's index.", "建立内置 RAG 的索引。")),
    "serve": (
        "ragstone.cli.serve:serve",
        choose("Open the page: http://localhost:8000/eval.", "打开评测页面：http://localhost:8000/eval。"),
    ),
    "new": (
        "ragstone.cli.new:new",
        choose("Write starter files: a dataset, a contract, a system.", "生成起步文件：样例集、契约、系统。"),
    ),
    "completion": ("ragstone.cli.show:completion", choose("Print the shell completion script.", "输出命令补全脚本。")),
}


class Lazy(click.Group):
    """Knows its commands by name and imports one only when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """List the names in the order a user meets them."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """Import one command."""
        if name not in COMMANDS:
            return None
        module, _, attribute = COMMANDS[name][0].partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Show the list without importing anything."""
        with formatter.section(choose("Commands", "命令")):
            formatter.write_dl([(name, text) for name, (_, text) in COMMANDS.items()])


@click.command(
    cls=Lazy,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    help=choose(
        "Ragstone, the touchstone for RAG and LLM applications.\n\nStart with: ragstone demo",
        "Ragstone（试金石）：RAG 与大模型应用的评测平台。\n\n从这里开始：ragstone demo",
    ),
    epilog=choose(
        "Exit codes: 0 fine, 1 a gate failed, 2 something to mend, 3 not measured or partial, 130 stopped.",
        "退出码：0 正常，1 门禁未通过，2 需要修正，3 未测得或不完整，130 已停止。",
    ),
)
@click.version_option(VERSION, "-V", "--version", message="ragstone %(version)s")
def cli() -> None:
    """Stand for all commands."""


def _keep_offline() -> None:
    if os.environ.get("RAGSTONE_OFFLINE", "").lower() not in {"", "0", "false"}:
        from ragstone.cli.flags import go_offline  # noqa: PLC0415 - only where it is wished for

        go_offline()


def _tell_refusals() -> None:
    """Say which connections offline mode refused: a library may have kept it to itself."""
    if (offline := sys.modules.get("ragstone.offline")) is None:
        return
    from ragstone.language import pick_language  # noqa: PLC0415
    from ragstone.messages import message  # noqa: PLC0415
    from ragstone.text.visible import visible_line  # noqa: PLC0415

    lang = pick_language(choose("en", "zh"))
    for refusal, n in offline.refusals().items():
        click.echo(visible_line(message("offline.told").say(lang, {"n": n, **refusal._asdict()})), err=True)


def _show_bug() -> None:
    """Print the traceback of a mistake of ours, without the keys that a message in it may name."""
    import traceback  # noqa: PLC0415 - only for what should not happen

    from ragstone.masking import hide_foreign  # noqa: PLC0415
    from ragstone.text.visible import visible_block  # noqa: PLC0415

    click.echo(visible_block(hide_foreign(traceback.format_exc())), err=True, nl=False)


def main() -> NoReturn:
    """Run the command line and end the process with its exit code."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    try:
        _keep_offline()
        code = cli.main(prog_name="ragstone", standalone_mode=False)
    except click.Abort:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except BrokenPipeError:
        sys.exit(0)
    except Exception as error:
        from ragstone.cli.wording import show_error  # noqa: PLC0415 - errors need rooms that --help does not

        if show_error(error):
            sys.exit(2)
        _show_bug()
        sys.exit(1)
    finally:
        _tell_refusals()
    sys.exit(code if isinstance(code, int) else 0)
