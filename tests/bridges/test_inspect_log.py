"""Inspect logs in both formats: letters, epochs, errors, and archives that are not what they seem."""

import json
import zipfile
from pathlib import Path

import pytest

from ragstone.bridges import files
from ragstone.bridges.import_run import import_run
from ragstone.bridges.inspect_log import read
from ragstone.core.errors import DatasetError
from tests.bridges.samples import SAMPLES, bring, figures, load, results, save

LOG = {"status": "success", "eval": {"task": "t", "model": "m", "dataset": {"samples": 1}}}


def sample(**fields: object) -> dict[str, object]:
    """Return a sample as Inspect writes it, without what is not read."""
    base = {"id": "a", "epoch": 1, "input": "q", "target": "x", "output": {"completion": "x"}}
    return base | {"scores": {"match": {"value": "C"}}} | fields


def pack(members: dict[str, bytes], how: int = zipfile.ZIP_DEFLATED) -> Path:
    """Write a log archive."""
    with zipfile.ZipFile("log.eval", "w", how) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return Path("log.eval")


def test_letters_are_flags_and_epochs_repeats() -> None:
    """C is 1, I is 0; two epochs are two answers to one case; samples that failed count as 0."""
    done = bring("inspect/log.eval")

    found = figures(done)

    assert done.folder.read("config.json")["metrics"][0]["kind"] == "flag"
    assert done.folder.read("config.json")["repeats"] == 2
    assert (found["includes"].mean, found["includes"].n) == (6 / 14, 14)
    assert (found["shortness"].n, found["shortness"].not_applicable) == (12, 2)


def test_an_errored_sample_is_an_error() -> None:
    """What Inspect could not ask is failed here too, with its reason, and NaN costs no verdict of the headline."""
    rows = results(bring("inspect/log.eval"))

    assert rows["Q6"].error_type == "exception"
    assert "InternalServerError" in (rows["Q6"].error_message or "")
    assert rows["Q7"].scorecard.sub_scores["shortness"] is None
    assert rows["Q7"].scorecard.passed


def test_both_formats_tell_the_same() -> None:
    """The samples both logs have were scored alike."""
    packed, plain = results(bring("inspect/log.eval", "a")), results(bring("inspect/log.json", "b"))

    for mine, theirs in {"Q1": "Q1", "Q4": "Q2", "Q5": "Q3", "Q7": "Q4"}.items():
        assert packed[mine].question == plain[theirs].question
        assert packed[mine].scorecard.sub_scores == plain[theirs].scorecard.sub_scores


def test_messages_parts_and_values_of_all_kinds_are_read() -> None:
    """Chat input, content in parts, several targets, values that are objects, words or numbers."""
    chat = [{"role": "system", "content": "s"}, {"role": "user", "content": [{"type": "text", "text": "问"}]}]
    scores = {"a": {"value": {"x": 1, "y": "P"}}, "b": {"value": "other"}, "c": {"value": True}, "d": {"value": "0.25"}}
    record = read(save({**LOG, "samples": [sample(input=chat, target=["1", "2"], scores=scores)]})).records[0]

    assert (record.question, record.references) == ("问", ("1", "2"))
    assert record.said.scores == {"a/x": 1.0, "a/y": 0.5, "b": None, "c": True, "d": 0.25}


def test_attachments_are_put_back() -> None:
    """A long text stands apart in the log; the question is the text."""
    one = sample(input="attachment://k", attachments={"k": "a long question"})

    assert read(save({**LOG, "samples": [one]})).records[0].question == "a long question"


def test_a_plain_archive_is_read_as_well() -> None:
    """Earlier versions packed with deflate, and a stopped run has only its journal's start."""
    path = pack({"_journal/start.json": json.dumps(LOG).encode(), "samples/a.json": json.dumps(sample()).encode()})

    assert read(path).records[0].answer.text == "x"


@pytest.mark.parametrize(
    ("samples", "code"),
    [
        ([], "import.no_samples"),
        ([sample(), sample()], "import.duplicate"),
        ([sample(epoch=5000)], "import.repeats"),
        ([sample(scores={})], "import.no_scores"),
    ],
)
def test_a_log_that_cannot_be_a_run_is_refused(samples: list[object], code: str) -> None:
    """The error says what is wrong with it."""
    with pytest.raises(DatasetError) as error:
        import_run(save({**LOG, "samples": samples}), out=Path("runs/x"))

    assert error.value.code == code


def test_a_zip_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever an archive unpacks to, no more than the cap is held."""
    monkeypatch.setattr(files, "MOST_MEMBER", 1 << 20)
    path = pack({"header.json": json.dumps(LOG).encode(), "samples/a.json": b" " * (20 << 20)})

    with pytest.raises(DatasetError) as error:
        read(path)

    assert error.value.code == "import.unpacked"


def test_a_zstd_bomb_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    """The cap holds for Zstandard, too."""
    monkeypatch.setattr(files, "MOST_MEMBER", 4096)

    with pytest.raises(DatasetError) as error:
        read(SAMPLES / "inspect/log.eval")

    assert error.value.code == "import.unpacked"


def test_many_small_members_are_capped_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    """The sum is bounded, not only each part."""
    monkeypatch.setattr(files, "MOST_BYTES", 50_000)
    monkeypatch.setattr(files, "MOST_MEMBERS", 5)
    members = {f"samples/{n}.json": b"{}" for n in range(9)}

    with pytest.raises(DatasetError) as error:
        read(pack(members))

    assert error.value.code == "import.members"


def test_a_huge_list_of_members_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """An archive of millions of names is refused by the size of its list."""
    monkeypatch.setattr(files, "MOST_DIRECTORY", 100)

    with pytest.raises(DatasetError) as error:
        read(SAMPLES / "inspect/log.eval")

    assert error.value.code == "import.members"


@pytest.mark.parametrize("cut", [10, 1000, 30_000, 42_000])
def test_an_archive_cut_short_is_refused(cut: int) -> None:
    """A copy that broke off is not a smaller run."""
    Path("log.eval").write_bytes((SAMPLES / "inspect/log.eval").read_bytes()[:cut])

    with pytest.raises(DatasetError) as error:
        read(Path("log.eval"))

    assert error.value.code == "import.archive"


def test_damage_inside_an_archive_is_refused() -> None:
    """Bytes changed in a member are noticed by its packing or its JSON."""
    content = bytearray((SAMPLES / "inspect/log.eval").read_bytes())
    content[1500:1600] = b"\0" * 100
    Path("log.eval").write_bytes(content)

    with pytest.raises(DatasetError):
        read(Path("log.eval"))


def test_without_the_extra_the_way_out_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Zstandard is an extra; the message names it and the tool's own converter."""
    monkeypatch.setitem(__import__("sys").modules, "zstandard", None)

    with pytest.raises(DatasetError) as error:
        read(SAMPLES / "inspect/log.eval")

    assert "ragstone[zstd]" in error.value.say("zh-Hans")


def test_another_zip_is_no_log() -> None:
    """A zip without a header is told apart."""
    with pytest.raises(DatasetError) as error:
        import_run(pack({"a.txt": b"x"}))

    assert error.value.code == "import.unknown"
    assert load("inspect/log.json")["version"] == 2
