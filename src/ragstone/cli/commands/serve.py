"""`serve`: opens the page."""

import click

from ragstone.cli.flags import offline
from ragstone.cli.wording import choose
from ragstone.core.types import JSON


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
