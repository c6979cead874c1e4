"""Model registry files, the environment and `.env`."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from ragstone.core.errors import ConnectError, UserError
from ragstone.core.types import Request, Usage
from ragstone.systems.chat import connect
from ragstone.systems.models import Price, read_price, read_registry
from tests.loopback import Loopback

YAML = """
active: small
models:
  small:
    provider: openai_compatible
    model: small-7b
    api_key: "${SMALL_KEY}"
    base_url: "%s/v1"
    temperature: 0
    max_tokens: 64
    timeout: 5
    max_retries: 1
    retry_delay: 0.01
    concurrency: 2
    seed: 3
    price_config: {input_per_1k: 1, output_per_1k: 2}
    note: fields nobody knows are left alone
  keyless: {base_url: "http://127.0.0.1:9/v1"}
  other: {api_key: "${UNSET_KEY}", base_url: "http://127.0.0.1:9/v1"}
  empty: {api_key: "", base_url: "http://127.0.0.1:9/v1"}
  known: {provider: deepseek}
  nowhere: {provider: mine}
"""


def write(folder: Path, text: str, name: str = "models.yaml") -> Path:
    """Write a file and return its path."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


async def test_a_model_of_the_registry_is_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything the registry says reaches the endpoint, the cost among it."""
    monkeypatch.setenv("SMALL_KEY", "k-123456")
    async with Loopback() as server:
        path = write(tmp_path, YAML % server.url)
        system = connect("", {"registry": str(path), "temperature": 0.3})
        answer = await system.ask(Request(id="a", question="q"))
        await system.close()

    sent = server.seen[0]
    assert {k: v for k, v in sent.body.items() if k != "messages"} == {
        "model": "small-7b",
        "temperature": 0.3,
        "max_tokens": 64,
        "seed": 3,
    }
    assert sent.headers["Authorization"] == "Bearer k-123456"
    assert answer.cost == pytest.approx(0.012 + 0.010)
    assert system.model_id == "small"


def test_json_and_list_of_active(tmp_path: Path) -> None:
    """JSON files do as well, and several models may be active."""
    content: dict[str, Any] = {"active": ["b", "a"], "models": {"a": {"base_url": "http://h"}, "b": {"model": "b2"}}}
    registry = read_registry(write(tmp_path, msgspec.json.encode(content).decode(), "m.json"))

    assert (registry.active, registry.names, registry.model().model) == (("b", "a"), ("a", "b"), "b2")


def test_a_model_shows_no_secrets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is recorded of a model describes it without its key."""
    monkeypatch.setenv("SMALL_KEY", "k-123456")
    model = read_registry(write(tmp_path, YAML % "http://h")).model("small")

    shown = repr((model, model.secrets))

    assert "k-123456" not in shown
    assert model.base_url == "http://h/v1" and model.options["timeout"] == 5


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("other", ("UNSET_KEY", "not set", "'other'", "models.yaml")),
        ("small", ("SMALL_KEY", "empty", "'small'", "models.yaml")),
        ("empty", ("empty api_key", "'empty'", "models.yaml", "${NAME}")),
        ("missing", ("'missing'", "small", "models.yaml")),
        ("nowhere", ("base_url",)),
    ],
)
def test_what_the_user_must_fix(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, parts: tuple[str, ...]
) -> None:
    """An unset variable, an empty key or an unknown name is told with variable, model and file."""
    monkeypatch.setenv("SMALL_KEY", "")
    path = write(tmp_path, YAML % "http://h")

    with pytest.raises(UserError) as caught:
        connect(name, {"registry": str(path)})

    assert [part for part in parts if part not in str(caught.value)] == []
    assert caught.value.say("zh-Hans") != str(caught.value)


@pytest.mark.parametrize("key", ["a\nb", "钥匙", "a\x00b"])
def test_keys_no_header_can_carry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """A key with a line break or the like is refused before anything is asked, without showing it."""
    monkeypatch.setattr("os.environ", {"SMALL_KEY": key})

    with pytest.raises(ConnectError, match="'small'") as caught:
        read_registry(write(tmp_path, YAML % "http://h")).model("small")

    assert key not in str(caught.value)


def test_one_missing_key_does_not_hinder_others(tmp_path: Path) -> None:
    """Only the model that is used needs its variable; providers have their addresses."""
    registry = read_registry(write(tmp_path, YAML % "http://h"))

    assert registry.model("keyless").authorization() == {}
    assert registry.model("known").base_url.startswith("https://")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models: {a: {temprature: 1}}", "did you mean 'temperature'"),
        ("models: {a: {timeout: soon}}", "timeout"),
        ("models: {a: 5}", "expected a mapping"),
        ("models: {}", "models"),
        ("[]", "mapping"),
        ("a: [", "models.yaml"),
        ("models: {a: {price_config: {input: 1}}}", "input_per_1k"),
        ("\x00", "models.yaml"),
    ],
)
def test_broken_files(tmp_path: Path, text: str, said: str) -> None:
    """What is wrong with a file is said with its name, and never as a traceback."""
    path = write(tmp_path, text)

    with pytest.raises(ConnectError) as caught:
        read_registry(path).model("a")

    assert said in str(caught.value) and "models.yaml" in str(caught.value)


def test_missing_file(tmp_path: Path) -> None:
    """A registry that is not there is named."""
    with pytest.raises(ConnectError, match=r"gone\.json"):
        read_registry(tmp_path / "gone.json")


def test_env_file_beside_the_registry(tmp_path: Path) -> None:
    """A `.env` beside the registry is read, wherever the run is started."""
    write(tmp_path, "SMALL_KEY=k-from-file\n", ".env")

    model = read_registry(write(tmp_path, YAML % "http://h")).model("small")

    assert model.authorization() == {"Authorization": "Bearer k-from-file"}


@pytest.mark.parametrize(
    ("table", "cost"),
    [
        ({"input_per_1k": 1, "output_per_1k": 2}, 3.0),
        ({"input_per_1m": 1000, "output_per_1m": 2000, "currency": "CNY"}, 3.0),
        ({"output_per_1k": 0}, 0.0),
    ],
)
def test_cost(table: dict[str, Any], cost: float) -> None:
    """Per thousand and per million come to the same."""
    price = read_price(table, "m")

    assert price is not None and price.of(Usage(1000, 1000, 2000)) == pytest.approx(cost)


def test_unknown_is_not_free() -> None:
    """Without a table there is no price, and without usage no cost."""
    assert read_price(None, "m") is None and read_price({}, "m") is None
    assert Price(1, 1).of(None) is None


@pytest.mark.parametrize("table", [{"input": 1}, {"input_per_1k": -1}, {"input_per_1k": True}, {"input_per_1k": "1"}])
def test_wrong_tables(table: dict[str, Any]) -> None:
    """A table that cannot be meant is refused with what is known."""
    with pytest.raises(ConnectError, match="input_per_1k"):
        read_price(table, "m")
