"""`serve`: opens the page."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from ragstone.cli.flags import offline
from ragstone.cli.wording import choose
from ragstone.core.types import JSON
from ragstone.text.visible import visible_line

if TYPE_CHECKING:
    from ragstone.web.people import Role


@click.command(
    help=choose(
        "Open the page: http://localhost:8000/eval. Beyond this machine it listens only with a token (RAGSTONE_TOKEN).",
        "打开评测页面：http://localhost:8000/eval。默认只监听本机；监听其他地址需设置令牌（RAGSTONE_TOKEN）。",
    )
)
@click.option("--host", help=choose("Address to listen on.", "监听地址。"))
@click.option("--port", "-p", type=click.IntRange(0, 65535), help=choose("Port to listen on.", "监听端口。"))
@click.option("--datasets", "datasets_dir", help=choose("Folder of the datasets.", "样例集文件夹。"))
@click.option("--runs-dir", help=choose("Folder that holds the runs.", "保存运行的文件夹。"))
@click.option("--people", help=choose("File of the people who may come in.", "可登录人员的文件。"))
@click.option("--max-jobs", type=click.IntRange(1, 64), help=choose("Runs at once; others wait.", "同时进行的评测数。"))
@click.option("--concurrency", "-c", type=click.IntRange(1, 4096), help=choose("Requests in flight.", "并发请求数。"))
@click.option("--timeout", type=float, help=choose("Seconds a case may take.", "单个用例的超时秒数。"))
@click.option("--lang", "language", help=choose("Language of page and verdicts.", "页面与评语的语言。"))
@offline
def serve(**flags: JSON) -> None:
    """Serve the page until it is stopped."""
    from ragstone.core.settings import read_settings  # noqa: PLC0415 - `serve --help` must stay quick
    from ragstone.web.server import serve as run_server  # noqa: PLC0415

    run_server(read_settings(flags), click.echo)


@click.command(
    help=choose(
        "Who may come into the page: `add NAME --role ROLE` prints a token once and keeps its hash, `remove NAME` "
        "takes somebody out. Serve with: ragstone serve --people people.toml",
        "管理可登录页面的人员：`add NAME --role ROLE` 输出一次令牌并只保存其哈希值，`remove NAME` 移除人员。"
        "启动服务：ragstone serve --people people.toml",
    )
)
@click.argument("verb", type=click.Choice(["add", "remove"]))
@click.argument("name")
@click.option(
    "--role",
    type=click.Choice(["viewer", "reviewer", "runner", "admin"]),
    default="reviewer",
    show_default=True,
    help=choose("What they may do.", "权限。"),
)
@click.option(
    "--file",
    "path",
    type=click.Path(path_type=Path, dir_okay=False),
    default=Path("people.toml"),
    show_default=True,
    help=choose("File of the people.", "人员文件。"),
)
def people(verb: str, name: str, role: "Role", path: Path) -> None:
    """Add or remove a person."""
    from ragstone.web.people import add_person, remove_person  # noqa: PLC0415 - `people --help` must stay quick

    if verb == "remove":
        remove_person(path, name)
        return
    token = add_person(path, name, role)
    click.echo(token)
    told = choose("This token is shown once: give it to {name}.", "此令牌只显示一次：请交给 {name}。")
    click.echo(told.replace("{name}", visible_line(name)), err=True)
