"""What a run was made of, and what is kept out of it."""

from pathlib import Path

from ragstone.core.masking import MASK
from ragstone.runs.store.fingerprint import code_sha256, path_fingerprint, redact


def test_one_byte_changes_the_fingerprint(tmp_path: Path) -> None:
    """A file and a folder are known by every byte of theirs."""
    (tmp_path / "a.txt").write_text("a")
    file, folder = path_fingerprint(tmp_path / "a.txt"), path_fingerprint(tmp_path)

    (tmp_path / "a.txt").write_text("b")

    assert file["sha256"] != path_fingerprint(tmp_path / "a.txt")["sha256"]
    assert folder["sha256"] != path_fingerprint(tmp_path)["sha256"]


def test_code_is_known_by_its_bytes(tmp_path: Path) -> None:
    """A changed rule is a changed scorer."""
    (tmp_path / "a.py").write_text("x = 1")
    before = code_sha256([tmp_path])

    (tmp_path / "a.py").write_text("x = 2")

    assert before != code_sha256([tmp_path])


def test_secrets_are_masked_and_settings_are_not() -> None:
    """A key is hidden wherever it stands; a reference to the environment and a token limit stay."""
    config = {
        "api_key": "sk-123",
        "api_key_env": "MY_KEY",
        "headers": [{"Authorization": "Bearer x", "X-Api-Key": "${MY_KEY}"}],
        "max_tokens": 100,
        "password": "",
    }

    assert redact(config) == {
        "api_key": MASK,
        "api_key_env": "MY_KEY",
        "headers": [{"Authorization": MASK, "X-Api-Key": "${MY_KEY}"}],
        "max_tokens": 100,
        "password": "",
    }
