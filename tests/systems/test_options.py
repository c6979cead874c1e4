"""Options as a user writes them, sorted and checked."""

from pathlib import Path

import pytest
from msgspec import Struct, to_builtins

from ragstone.core.errors import ConnectError
from ragstone.core.registry import connect
from ragstone.systems.chat import ChatOptions
from ragstone.systems.http.endpoint import CallOptions
from ragstone.systems.options import fields, refuse_unknown, take
from ragstone.systems.wrappers.breaker import BreakerOptions
from ragstone.systems.wrappers.budget import BudgetOptions
from ragstone.systems.wrappers.limits import LimitOptions
from ragstone.systems.wrappers.retry import RetryOptions


class Some(Struct, frozen=True, kw_only=True):
    """Options of a part."""

    number: float = 1.0
    flag: bool = False
    table: dict[str, int] = {}


def test_text_from_a_command_line() -> None:
    """Numbers, flags and JSON may be written as text; names of other parts are left to them."""
    taken = take({"number": "2.5", "flag": "true", "table": '{"a": 1}', "other": 1}, Some, "s")

    assert taken == Some(number=2.5, flag=True, table={"a": 1})


@pytest.mark.parametrize("options", [{"number": "many"}, {"table": "{"}, {"flag": 7}])
def test_wrong_values(options: dict[str, object]) -> None:
    """A value that cannot be meant is refused with its place."""
    with pytest.raises(ConnectError, match=next(iter(options))):
        take(options, Some, "s")


def test_unknown_names() -> None:
    """An option nobody knows is refused with those there are."""
    with pytest.raises(ConnectError, match=r"numbr.*number"):
        refuse_unknown({"numbr": 1}, fields(Some), "s")


SENSELESS = [
    ("max_calls", "-5", "0, 1, 2, …"),
    ("max_cost", "nan", "≥ 0"),
    ("max_cost", "inf", "≥ 0"),
    ("max_tokens_spent", "-1", "0, 1, 2, …"),
    ("max_seconds", "-1", "≥ 0, ≤ 1e+09"),
    ("requests_per_minute", "-1", "≥ 0"),
    ("tokens_per_minute", "nan", "≥ 0"),
    ("concurrency", "-3", "0, 1, 2, …"),
    ("max_retries", "-1", "0, 1, 2, …"),
    ("retry_delay", "nan", "≥ 0, ≤ 1e+09"),
    ("max_retry_delay", "-1", "≥ 0, ≤ 1e+09"),
    ("patience", "nan", "≥ 0, ≤ 1e+09"),
    ("breaker_after", "1.5", "0, 1, 2, …"),
    ("share", "0", "1, 2, 3, …"),
    ("when_down", "bogus", "fail, stop"),
    ("max_tokens", "-5", "1, 2, 3, …"),
    ("temperature", "nan", "≥ 0"),
    ("timeout", "nan", "> 0, ≤ 1e+09"),
    ("timeout", "-1", "> 0, ≤ 1e+09"),
    ("timeout", "0", "> 0, ≤ 1e+09"),
    ("connect_timeout", "1e300", "> 0, ≤ 1e+09"),
    ("max_reply_bytes", "0", "1, 2, 3, …"),
    ("keep_alive", "perhaps", "true, false"),
    ("params", "5", '{"…": …}'),
    ("seed", "x", "…, -1, 0, 1, …"),
]


@pytest.mark.parametrize(("name", "value", "said"), SENSELESS)
def test_senseless_values(name: str, value: str, said: str) -> None:
    """A value no run can mean is refused before a request, with its name, itself and what is allowed."""
    with pytest.raises(ConnectError) as caught:
        connect("chat:m", {"base_url": "http://127.0.0.1:9/v1", name: value})

    assert str(caught.value).endswith(f"m: the option '{name}' cannot be '{value}'. Allowed: {said}")
    assert caught.value.say("zh-Hans").endswith(f"m：选项 '{name}' 不能是 '{value}'。允许：{said}")


def test_every_default_is_allowed() -> None:
    """What is left out could as well be written down."""
    for struct in (ChatOptions, CallOptions, RetryOptions, BreakerOptions, LimitOptions, BudgetOptions):
        assert take(to_builtins(struct()), struct, "s") == struct()


def test_a_registry_is_held_to_the_same(tmp_path: Path) -> None:
    """What a model registry says is no less checked than a flag."""
    file = tmp_path / "models.yaml"
    file.write_text("models: {m: {base_url: 'http://127.0.0.1:9/v1', timeout: .nan}}", encoding="utf-8")

    with pytest.raises(ConnectError, match="'timeout' cannot be 'nan'"):
        connect("chat:m", {"registry": str(file)})


def test_a_secret_value_is_not_shown() -> None:
    """A wrong value under a name that speaks of secrets stays hidden."""
    with pytest.raises(ConnectError) as caught:
        connect("chat:m", {"base_url": "http://127.0.0.1:9/v1", "api_key_env": 12345})

    assert "12345" not in str(caught.value)
