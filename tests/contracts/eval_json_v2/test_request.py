"""Tests of the fixed prompt and its rendering."""

from hashlib import sha256
from importlib.resources import files
from pathlib import Path

import pytest

from ragstone.contracts.eval_json_v2.request import (
    FREE,
    PINNED,
    PROMPT_VERSION,
    SLOT,
    load_prompt,
    parse_prompt,
    render,
)
from ragstone.contracts.eval_json_v2.terms import FIELDS
from ragstone.core.errors import SettingError

from .samples import make_case

TEXT = files("ragstone.contracts.eval_json_v2").joinpath("prompt.md").read_text(encoding="utf-8")


def test_prompt_is_the_pinned_one() -> None:
    """The prompt has the bytes its version was given for: a change needs a new version."""
    assert sha256(TEXT.encode()).hexdigest() == PINNED[PROMPT_VERSION]
    assert load_prompt().version == PROMPT_VERSION


def test_changed_prompt_is_refused() -> None:
    """Changing the prompt without a new version is an error."""
    with pytest.raises(SettingError, match="new version"):
        parse_prompt(TEXT.replace("嚴謹", "隨和"), "0" * 64)


def test_changed_prompt_with_a_new_version_is_taken(tmp_path: Path) -> None:
    """A prompt of the user's own counts under its own version and hash."""
    path = tmp_path / "mine.md"
    path.write_text(TEXT.replace(PROMPT_VERSION, "mine/2"), encoding="utf-8")

    prompt = load_prompt(path)

    assert prompt.version == "mine/2"
    assert prompt.sha256 == sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize("lost", ["<!-- prompt_version", "<!-- user -->", "{{contexts}}", "{{question}}"])
def test_prompt_of_another_shape_is_refused(lost: str) -> None:
    """A prompt needs its version, both parts and both places."""
    with pytest.raises(SettingError, match="not a prompt"):
        parse_prompt(TEXT.replace(lost, ""), "0" * 64)


def test_missing_prompt_is_told(tmp_path: Path) -> None:
    """A prompt that is not there is an error of the user's."""
    with pytest.raises(SettingError, match="cannot be read"):
        load_prompt(tmp_path / "none.md")


def test_prompt_names_every_field() -> None:
    """The prompt asks for each of the seven fields by name."""
    assert all(f'"{name}"' in load_prompt().system for name in FIELDS)


def test_question_and_labels_are_filled_in() -> None:
    """Question and labels stand in the rendered prompt; the slot for contexts is left open."""
    request = render(load_prompt(), make_case(), ("學生", "鎮民"), ())

    system, user = request.messages
    assert (system.role, user.role) == ("system", "user")
    assert "對象標籤：學生、鎮民" in user.content
    assert f"主題標籤：{FREE}" in user.content
    assert user.content.index(SLOT) < user.content.index("圖書可以續借幾次？")
    assert request.params["prompt"]["sha256"] == PINNED[PROMPT_VERSION]


def test_too_many_labels_are_not_listed() -> None:
    """A field with hundreds of values is left free."""
    request = render(load_prompt(), make_case(), [str(number) for number in range(201)], ("借閱",))

    assert f"對象標籤：{FREE}" in request.messages[1].content
