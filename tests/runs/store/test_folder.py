"""Run folders: made, opened, refused."""

import os
from pathlib import Path
from threading import Timer

import pytest

from ragstone.core.errors import RunError
from ragstone.runs.store.catalogue import find_run, runs
from ragstone.runs.store.codec import write_whole
from ragstone.runs.store.folder import FORMAT, LOCK, OLDEST, ResultWriter, RunFolder, new_run_id


def _run(tmp_path: Path, name: str, **meta: object) -> RunFolder:
    folder = RunFolder.create(tmp_path, name)
    folder.write("run_meta.json", {"format_version": FORMAT, "run_id": name, **meta})
    return folder


def test_a_newer_folder_is_refused(tmp_path: Path) -> None:
    """A format of the future is not guessed at."""
    _run(tmp_path, "a", format_version=FORMAT + 1)

    with pytest.raises(RunError, match="newer"):
        RunFolder.open(tmp_path / "a")


@pytest.mark.parametrize("content", [b"", b"{}", b"[]", b"{", b'{"format_version": "x"}'])
def test_what_is_no_run_is_refused(tmp_path: Path, content: bytes) -> None:
    """A folder without a readable run_meta.json is named as such."""
    (tmp_path / "run_meta.json").write_bytes(content)

    with pytest.raises(RunError, match="not a run folder"):
        RunFolder.open(tmp_path)


def test_a_folder_is_made_only_once(tmp_path: Path) -> None:
    """A second run of the same name does not mix with the first."""
    _run(tmp_path, "a")

    with pytest.raises(RunError, match="exists already"):
        RunFolder.create(tmp_path, "a")


def test_two_processes_do_not_work_on_one_run(tmp_path: Path) -> None:
    """The second is told so, and may come in when the first has left."""
    folder = _run(tmp_path, "a")
    with folder, pytest.raises(RunError, match="another process"), RunFolder.open(folder.path):
        pass

    with RunFolder.open(folder.path):
        pass


def test_who_only_looks_whether_a_run_is_busy_is_waited_for(tmp_path: Path) -> None:
    """A page that is looked at in the very moment a run is taken up does not make it busy."""
    fcntl = pytest.importorskip("fcntl")
    folder = _run(tmp_path, "a")
    with folder:
        pass
    with (folder.path / LOCK).open("rb") as looking:
        fcntl.flock(looking, fcntl.LOCK_SH)
        done = Timer(0.05, fcntl.flock, (looking, fcntl.LOCK_UN))
        done.start()
        with RunFolder.open(folder.path):
            done.join()


def test_the_catalogue_is_the_folders(tmp_path: Path) -> None:
    """Runs are listed newest first; other folders and broken runs are passed over."""
    for name in ("20260101-a", "20260102-b"):
        _run(tmp_path, name)
    (tmp_path / "other").mkdir()
    (tmp_path / "broken").mkdir()
    (tmp_path / "broken" / "run_meta.json").write_text("{")

    assert [entry.path.name for entry in runs(tmp_path)] == ["20260102-b", "20260101-a"]
    assert list(runs(tmp_path / "nowhere")) == []


@pytest.mark.parametrize("name", ["20260101-a", "20260101", "{path}/20260101-a"])
def test_a_run_is_found_by_path_id_or_beginning(tmp_path: Path, name: str) -> None:
    """A name need not be typed in full."""
    _run(tmp_path, "20260101-a")
    _run(tmp_path, "20260102-b")

    assert find_run(tmp_path, name.format(path=tmp_path)).path.name == "20260101-a"
    assert find_run(tmp_path, "latest").path.name == "20260102-b"


@pytest.mark.parametrize("name", ["2026", "nothing", ""])
def test_an_unclear_name_is_refused(tmp_path: Path, name: str) -> None:
    """A beginning that fits two runs or none finds none."""
    _run(tmp_path, "20260101-a")
    _run(tmp_path, "20260102-b")

    with pytest.raises(RunError):
        find_run(tmp_path, name)


def test_run_ids_differ() -> None:
    """Two runs begun in one second have two names."""
    assert len({new_run_id("x") for _ in range(20)}) > 1


def test_a_folder_whose_maker_died_early_is_taken_over(tmp_path: Path) -> None:
    """Nothing had been asked, so the same name can be used again; what was half written goes."""
    path = tmp_path / "a"
    path.mkdir()
    for name in ("config.json", "run.lock", ".run_meta.json.77.tmp"):
        (path / name).write_bytes(b"{")
    with RunFolder.create(tmp_path, "a") as folder:
        left = {file.name for file in folder.path.iterdir()}

    assert left == {"config.json", "run.lock"}


@pytest.mark.parametrize("name", ["answers.jsonl", "notes.txt"])
def test_a_folder_with_anything_else_is_left_alone(tmp_path: Path, name: str) -> None:
    """An answer may have been paid for, and other files are not ours."""
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / name).write_bytes(b"")

    with pytest.raises(RunError, match="exists already"):
        RunFolder.create(tmp_path, "a")


def test_who_comes_second_to_a_name_does_not_write_over_it(tmp_path: Path) -> None:
    """Two processes may find the same folder without a run; the lock decides, and the second looks again."""
    (tmp_path / "a").mkdir()
    second = RunFolder.create(tmp_path, "a")
    _run(tmp_path, "a")

    with pytest.raises(RunError, match="exists already"), second:
        pass


def test_an_older_folder_is_refused(tmp_path: Path) -> None:
    """A layout that is no longer read is named, with what to do."""
    _run(tmp_path, "a", format_version=OLDEST - 1)

    with pytest.raises(RunError, match="older Ragstone"):
        RunFolder.open(tmp_path / "a")


def test_a_place_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """Lock, journal and rows say so in a sentence, whatever the system calls it."""
    folder = _run(tmp_path, "a")
    for name in ("run.lock", "answers.jsonl", "results.jsonl"):
        (folder.path / name).mkdir()

    with pytest.raises(RunError, match="cannot write"), folder:
        pass
    with pytest.raises(RunError, match="cannot write"):
        folder.journal()
    with pytest.raises(RunError, match="cannot write"):
        ResultWriter(folder.path / "results.jsonl")


def test_rows_without_room_are_told_when_the_file_is_closed(tmp_path: Path) -> None:
    """A full disk is told once, and nothing is written again behind our back."""
    writer = ResultWriter(Path("/dev/full"))
    writer.add(b"row")  # type: ignore[arg-type]

    with pytest.raises(RunError, match="No space left"):
        writer.close()


@pytest.mark.skipif(os.name != "posix", reason="permissions as Unix knows them")
@pytest.mark.parametrize(("shared", "mode"), [(False, 0o700), (True, 0o750)])
def test_a_run_is_its_owners(tmp_path: Path, shared: bool, mode: int) -> None:
    """Nobody else may enter it, unless the folder of runs is shared with a group (setgid)."""
    runs = tmp_path / "runs"
    runs.mkdir()
    runs.chmod(0o2775 if shared else 0o775)
    before = os.umask(0o022)
    try:
        folder = RunFolder.create(runs, "one")
    finally:
        os.umask(before)

    assert folder.path.stat().st_mode & 0o777 == mode


@pytest.mark.parametrize("name", ["run.lock", "answers.jsonl", "results.jsonl"])
def test_a_run_is_not_written_through_links(tmp_path: Path, name: str) -> None:
    """A folder somebody else has made cannot make us write elsewhere."""
    (tmp_path / "precious").write_text("kept")
    folder = RunFolder.create(tmp_path, "one")
    (folder.path / name).symlink_to(tmp_path / "precious")

    with pytest.raises(RunError, match="link"), folder:
        pass
    assert (tmp_path / "precious").read_text() == "kept"


def test_a_file_is_not_written_through_a_trap(tmp_path: Path) -> None:
    """The name a file has while it is written may be guessed; a link of that name is replaced, not followed."""
    (tmp_path / "precious").write_text("kept")
    (tmp_path / f".x.json.{os.getpid()}.tmp").symlink_to(tmp_path / "precious")

    write_whole(tmp_path / "x.json", b"{}")

    assert (tmp_path / "precious").read_text() == "kept"
    assert (tmp_path / "x.json").read_bytes() == b"{}"


def test_a_run_of_another_version_is_not_called_missing(tmp_path: Path) -> None:
    """Named by its id, it is refused for what it is."""
    _run(tmp_path, "a", format_version=FORMAT + 1)

    with pytest.raises(RunError, match="newer"):
        find_run(tmp_path, "a")


@pytest.mark.parametrize(
    "name", ["", ".", "..", "../../x", "a/b", "/tmp/x", "a\\b", "a\0b", "a" * 256, "长" * 86, "\udcff"]
)
def test_a_run_stays_inside_its_folder(tmp_path: Path, name: str) -> None:
    """A name that leads elsewhere is refused before anything is made."""
    with pytest.raises(RunError, match="cannot be the name of a run"):
        RunFolder.create(tmp_path / "runs", name)

    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("meta", "flag", "advice"),
    [
        ({}, "--run-id", "ragstone resume"),
        ({"imported_from": "ragas"}, "--run-id", "another --run-id, or remove"),
        ({"rescored_from": {"folder": "a"}, "status": "running"}, "--out", "another --out, or remove"),
        ({}, "--out", "another --out, or remove"),
    ],
)
def test_the_advice_on_a_taken_name_can_be_followed(
    tmp_path: Path, meta: dict[str, object], flag: str, advice: str
) -> None:
    """The flag that is named is the command's own, and `resume` only what would go on."""
    _run(tmp_path, "a", **meta)

    with pytest.raises(RunError, match=advice) as caught:
        RunFolder.create(tmp_path, "a", flag)
    assert ("resume" in str(caught.value)) == ("resume" in advice)


def test_the_longest_name_is_taken(tmp_path: Path) -> None:
    """255 bytes are a name."""
    folder = _run(tmp_path, "长" * 85)

    assert find_run(tmp_path, "长" * 85).path.samefile(folder.path)


@pytest.mark.parametrize("place", ["a" * 300, "a/" * 3000, "f/inner"])
def test_a_place_that_cannot_be_is_told(tmp_path: Path, place: str) -> None:
    """A path that is too long, or leads through a file: no folder is made and no run is found."""
    (tmp_path / "f").write_bytes(b"")

    with pytest.raises(RunError, match="cannot be made"):
        RunFolder.create(tmp_path / place, "a")
    with pytest.raises(RunError, match="no such run"):
        find_run(tmp_path / place, "a")
    with pytest.raises(RunError, match="no such run"):
        find_run(tmp_path, place)
    assert not list(runs(tmp_path / place))


def test_names_that_are_no_utf8_are_kept(tmp_path: Path) -> None:
    """A file named in another encoding comes back under the name it has."""
    folder = _run(tmp_path, "a", dataset="\udcc4\udce3.jsonl")

    assert folder.meta()["dataset"] == "\udcc4\udce3.jsonl"
    assert folder.read("run_meta.json") == folder.meta()
