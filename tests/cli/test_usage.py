"""What the parser of the command line says, in the reader's language."""

import re

import pytest

from ragstone.cli.commands.new import KINDS
from tests.conftest import Cli

CHINESE = {"LANG": "zh_CN.UTF-8"}
TRADITIONAL = {"LANG": "zh_TW.UTF-8"}
ENGLISH = re.compile(r"Usage|OPTIONS|COMMAND|ARGS|Options:|default:|Show this|Error|Missing|Invalid|No such|Try |Got ")


@pytest.mark.parametrize("command", ["run", "demo", "gate", "new", "completion", "import", "subset"])
def test_help_is_chinese_throughout(cli: Cli, command: str) -> None:
    """Usage line, heading, defaults and the line of --help itself."""
    done = cli(command, "--help", env=CHINESE)

    assert done.stdout.startswith(f"用法：ragstone {command} [选项]")
    assert "\n选项：\n" in done.stdout
    assert "显示本说明并退出。" in done.stdout
    assert not ENGLISH.search(done.stdout)


def test_defaults_are_marked_in_chinese(cli: Cli) -> None:
    """A default that is shown is called one."""
    assert "[默认：text]" in cli("report", "--help", env=CHINESE).stdout


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["rnu"], "没有命令 'rnu'。是否指 'run'？"),
        (["run"], "缺少参数 'DATASET'。"),
        (["run", "x", "-c", "0"], "'-c' 的值有误：0 不在范围 1<=x<=4096 之内。"),
        (["run", "x", "-c", "many"], "的值有误：'many' 不是整数。"),
        (["run", "x", "--timeout", "long"], "'--timeout' 的值有误：'long' 不是数。"),
        (["run", "x", "--sytem", "y"], "没有选项 '--sytem'。是否指 '--system'、'--system-option'？"),
        (["run", "x", "--timeout"], "选项 '--timeout' 需要一个值。"),
        (["run", "x", "--json=3"], "选项 '--json' 不带值。"),
        (["run", "x", "y", "z"], "多余的参数：y z。"),
        (["completion", "foo"], "'foo' 不在可选值之中：'bash'、'zsh'、'fish'。"),
        (["new"], f"可选：{'、'.join(KINDS)}。"),
    ],
)
def test_a_wrong_command_line_is_told_in_chinese(cli: Cli, words: list[str], told: str) -> None:
    """One sentence, exit code 2, nothing left in English."""
    done = cli(*words, env=CHINESE)

    assert done.returncode == 2
    assert told in done.stderr
    assert not ENGLISH.search(done.stderr)


def test_a_command_mistyped_is_guessed(cli: Cli) -> None:
    """The names that are near are offered."""
    done = cli("chekc")

    assert done.returncode == 2
    assert "No such command 'chekc'. Did you mean 'check'?" in done.stderr


def test_english_stays_as_the_parser_has_it(cli: Cli) -> None:
    """Who reads English gets the words everybody knows."""
    done = cli("run", "x", "-c", "0")

    assert done.returncode == 2
    assert done.stderr.startswith("Usage: ragstone run [OPTIONS] DATASET")
    assert "0 is not in the range" in done.stderr


@pytest.mark.parametrize("env", [TRADITIONAL, {"LANG": "zh_HK.UTF-8"}, {"RAGSTONE_LANGUAGE": "zh-Hant"}])
def test_traditional_readers_get_traditional_words(cli: Cli, env: dict[str, str]) -> None:
    """The front page and the parser's sentences have a Traditional form."""
    assert "執行內建範例" in cli("--help", env=env).stdout
    assert "錯誤：沒有選項 '--nope'。" in cli("demo", "--nope", env=env).stderr


def test_traditional_is_made_where_nobody_wrote_it(cli: Cli) -> None:
    """A text without a Traditional form of its own is turned, not left Simplified."""
    assert "並行請求數。" in cli("demo", "--help", env=TRADITIONAL).stdout


def test_a_system_without_its_flag_is_told_where_it_goes(process: Cli) -> None:
    """The commonest slip on the longest command."""
    for lang, told in (("en_US.UTF-8", "Systems go after --system:"), ("zh_CN.UTF-8", "系统写在 --system 之后：")):
        done = process("run", "q.jsonl", "builtin:docs", env={"LANG": lang})

        assert done.returncode == 2
        assert told in done.stderr and "--system builtin:docs" in done.stderr
