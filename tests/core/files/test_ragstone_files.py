"""What Ragstone wrote into a folder is told from what the user keeps there."""

from pathlib import Path

from ragstone.core.files.ragstone_files import user_files
from ragstone.documents.folder import find_files
from ragstone.runs.store.fingerprint import path_fingerprint

_OURS = {
    "runs/one/run_meta.json": "{}",
    "runs/one/report.md": "# Report",
    "runs/begun/dataset_fingerprint.json": "{}",
    "runs/begun/notes.md": "# Not yet",
    "runs/labels.jsonl": '{"case": "Q1", "verdict": "stated"}',
    "judge.json": '{"a": {"identity": "a"}}',
    "judge.jsonl": '{"key": "k", "judge": "m"}',
    "to-label-2.csv": "case,point,verdict\n",
    "ragstone.toml": "[judge]\n",
}
_THEIRS = {
    "questions/q.json": "{}",
    "runs/plan.md": "# Runs of the race",
    "judges/judge.json": '{"questions": []}',
    "to-label-list.md": "# To label",
}


def _write(folder: Path, files: dict[str, str]) -> None:
    for name, text in files.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")


def test_a_dataset_is_the_users_files_alone(tmp_path: Path) -> None:
    """Runs and files of our own change nothing; another file of such a name is the user's."""
    _write(tmp_path, _THEIRS)
    before = path_fingerprint(tmp_path)
    _write(tmp_path, _OURS)

    assert path_fingerprint(tmp_path) == before
    assert {str(path.relative_to(tmp_path)) for path in user_files(tmp_path)} == set(_THEIRS)
    assert {name for _, name in find_files(tmp_path)} == {"runs/plan.md", "to-label-list.md"}
