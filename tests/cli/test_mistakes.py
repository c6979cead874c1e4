"""What a user gets wrong: one sentence that says what, where and what is allowed; exit code 2; nothing left behind."""

import json
from pathlib import Path

import pytest

from ragstone.core.messages import codes
from tests.bridges.samples import SAMPLES
from tests.conftest import Cli

ROWS = "".join(
    json.dumps({"q": f"问题{n}", "gold": ["甲"], "doc_hint": ["a.md"], "category": "c"}, ensure_ascii=False) + "\n"
    for n in range(4)
)


SEVERAL = str(SAMPLES / "promptfoo" / "out.json")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Make a small dataset, its answers and files that are something else."""
    (tmp_path / "q.jsonl").write_text(ROWS, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("甲。", encoding="utf-8")
    table = "q,gold,doc_hint\n问题,甲,\n"
    (tmp_path / "gbk.csv").write_bytes(table.encode("gbk"))
    (tmp_path / "utf16.csv").write_bytes(table.encode("utf-16"))
    (tmp_path / "nan.jsonl").write_text(ROWS + '{"q": "甲", "gold": NaN}\n', encoding="utf-8")
    (tmp_path / "result.csv").write_text("user_input,response,faithfulness\n问,答,1.0\n", encoding="utf-8")
    (tmp_path / "quotes.csv").write_text('q,gold\n"他说 "可以" 吗",可以\n', encoding="utf-8")
    (tmp_path / "table.csv").write_text("问,答案\n几点？,九点\n", encoding="utf-8")
    (tmp_path / "task.jsonl").write_text('{"text": "甲", "gt_kind": "乙"}\n', encoding="utf-8")
    (tmp_path / "my_rag.py").write_text("def query(question):\n    return question\n", encoding="utf-8")
    (tmp_path / "broken.py").write_text("import no_such_module\n", encoding="utf-8")
    (tmp_path / "fits.jsonl").write_text('{"id": "Q1", "output": "甲"}\n', encoding="utf-8")
    (tmp_path / "runs_file").write_text("", encoding="utf-8")
    (tmp_path / "curly.jsonl").write_text("{“q”: “甲”, “gold”: [“乙”]}\n", encoding="utf-8")
    (tmp_path / "curly.json").write_text("[\n{“question”: “甲”, “expected”: {}}]\n", encoding="utf-8")
    (tmp_path / "empty.jsonl").write_text('{"q": "甲", "gold": []}\n', encoding="utf-8")
    return tmp_path


MISTAKES = [
    (("run", "curly.jsonl", "--mock"), "curly quotes", "弯引号"),
    (("run", "curly.json", "--mock"), "curly.json#/0: error: not valid JSON: it is written with curly", "弯引号"),
    (("run", "empty.jsonl", "--mock"), "empty.jsonl:1: case Q1: error: field 'gold'", "用例 Q1：错误"),
    (("subset", "q.jsonl", "nowhere/x.jsonl", "-n", "2"), "nowhere/x.jsonl: cannot be written", "无法写入"),
    (("subset", "q.jsonl", "q.jsonl"), "Give another name", "请换一个名称"),
    (("subset", "q.jsonl", "x.jsonl", "--by", "nope"), "no case has a group 'nope'", "没有用例带有分组 'nope'"),
    (("run", "q.jsonl", "-s", "builtin:docs", "-o", "foo=3"), "key_points has no option 'foo'", "没有选项 'foo'"),
    (("check", "gbk.csv"), "it looks like GBK", "很可能是 GBK"),
    (("check", "gbk.csv"), "in Excel as “CSV UTF-8”", "Excel 中选“CSV UTF-8”"),
    (("check", "q.json"), "Did you mean 'q.jsonl'?", "是否指 'q.jsonl'？"),
    (("check", "docs"), "goes after --documents, or as builtin:FOLDER", "写在 --documents 之后"),
    (("check", "quotes.csv"), "double every quote inside them", "其中的引号写两次"),
    (("check", "task.jsonl"), "Name the task: -o task=NAME", "请指定任务：-o task=名称"),
    (("check", "task.jsonl", "-o", "task=event_evl"), "Did you mean 'event_eval'?", "是否指 'event_eval'？"),
    (("check", "table.csv", "--map", "gold=答按"), "Its columns are: '问', '答案'", "现有的列：'问'、'答案'"),
    (("check", "q.jsonl", "--map", "gold=glod"), "Did you mean 'gold'?", "是否指 'gold'？"),
    (("new", "legal_rag", "x", "--from", "q.jsonl"), "ragstone check q.jsonl", "ragstone check q.jsonl"),
    (("new", "keypoints", "x"), "Did you mean 'key_points'?", "是否指 'key_points'？"),
    (("score", "fits.jsonl", "q.jsonl"), "ragstone score DATASET ANSWERS", "样例集写在前面"),
    (("score", "q.jsonl"), "no column holds answers", "没有回答列"),
    (("run", "q.jsonl", "-s", "my_rag.py"), "Did you mean 'python:my_rag:query'?", "是否指 'python:my_rag:query'？"),
    (
        ("run", "q.jsonl", "-s", "python:my_rag"),
        "Did you mean 'python:my_rag:query'?",
        "是否指 'python:my_rag:query'？",
    ),
    (("run", "q.jsonl", "-s", "python:my_rag.query"), "'python:my_rag:query'?", "'python:my_rag:query'？"),
    (("run", "q.jsonl", "-s", "python:my_rag:qurey"), "'python:my_rag:query'?", "'python:my_rag:query'？"),
    (("run", "q.jsonl", "-s", "python:my_rga:query"), "'python:my_rag:query'?", "'python:my_rag:query'？"),
    (("run", "q.jsonl", "-s", "python:broken:f"), "Install what it imports", "安装它所导入的包"),
    (("run", "q.jsonl", "-s", "q.jsonl"), "Did you mean 'replay:q.jsonl'?", "是否指 'replay:q.jsonl'？"),
    (("run", "q.jsonl", "-s", "docs"), "Did you mean 'builtin:docs'?", "是否指 'builtin:docs'？"),
    (("run", "q.jsonl", "-s", "lightrg"), "Did you mean 'http_json:lightrag'?", "是否指 'http_json:lightrag'？"),
    (("run", "q.jsonl", "-s", "http_json:dfy"), "Did you mean 'dify'?", "是否指 'dify'？"),
    (("run", "q.jsonl", "-s", "biltin:docs"), "Did you mean 'builtin'?", "是否指 'builtin'？"),
    (("run", "q.jsonl", "-s", "http://h/q"), "Did you mean 'http_json:http://h/q'?", "是否指 'http_json:http://h/q'？"),
    (
        ("run", "q.jsonl", "-s", "http_json:h", "-O", "base_url=h"),
        "neither a file nor a preset",
        "既不是文件也不是预设",
    ),
    (("run", "q.jsonl", "-s", "http_json:lightrag", "-O", "base_url=h:80"), "'h:80/query' is not", "“h:80/query”不是"),
    (("run", "q.jsonl", "-s", "builtin:.", "-O", "api_key=x"), "Keys are taken from the", "密钥取自环境变量"),
    (("run", "q.jsonl", "-s", "http_json:lightrag", "-O", "secret=x"), "Keys are taken from the", "密钥取自环境变量"),
    (("run", "q.jsonl", "-s", "chat:m", "-O", "api_key=x"), "Did you mean 'api_key_env'?", "是否指 'api_key_env'？"),
    (("check", "utf16.csv"), "Save it as UTF-8", "请另存为 UTF-8"),
    (("check", "nan.jsonl"), "NaN is not a JSON value", "NaN 不是 JSON 的值"),
    (("score", "q.jsonl", "nope.jsonl"), "path of recorded answers", "请给出已录制回答的路径"),
    (("run", "q.jsonl", "-s", "replay:nope.jsonl"), "path of recorded answers", "请给出已录制回答的路径"),
    (("import", "nope.json"), "Give what the other tool wrote", "请给出其他工具写出的结果"),
    (("import", "result.csv", "--from", "promptfoo"), "result.csv is not JSON", "不是 JSON"),
    (("import", SEVERAL, "--model", "zz"), "holds answers of several models", "请用 --only 选择一个"),
    (("run", "q.jsonl", "--mock", "--runs-dir", "runs_file/x"), "Nothing was asked", "未发出任何请求"),
    (("run", "q.jsonl", "-s", "builtin:docs", "-O", "topk=3"), "there is no option 'topk'", "没有选项 'topk'"),
    (("run", "q.jsonl", "-s", "builtin:docs", "-O", "topk=3"), "'chat_options'", "'chat_options'"),
    (("run", "q.jsonl", "-s", "builtin:docs", "-O", "chat_options={}"), "chat=KIND:ARGUMENT", "chat=KIND:ARGUMENT"),
    (("run", "q.jsonl", "--mock", "--lang", "fr"), "en, zh-Hans, zh-Hant", "en, zh-Hans, zh-Hant"),
    (("plan", "q.jsonl", "-s", "builtin:docs", "--latency-ms", "nan"), "--latency-ms cannot be 'nan'", "不小于 0 的数"),
    (("plan", "q.jsonl", "-s", "builtin:docs", "--latency-ms", "-5"), "--latency-ms cannot be '-5'", "不小于 0 的数"),
    (("check", "q.jsonl", "--contract", "legal_rag"), "Or does it belong to another contract?", "或者契约选错了"),
]


@pytest.mark.parametrize(("words", "english", "chinese"), MISTAKES)
def test_a_mistake_is_told_in_one_sentence(
    inside: Cli, folder: Path, words: tuple[str, ...], english: str, chinese: str
) -> None:
    """In the reader's language, without a traceback or advice that does not fit."""
    for lang, needle in (("en", english), ("zh_CN.UTF-8", chinese)):
        done = inside(*words, env={"LANG": lang})

        said = done.stdout + done.stderr
        assert done.returncode == 2, said
        assert needle in said
        assert "Traceback" not in said
        assert said.count("\n") <= 3
        assert not (folder / "runs").exists()


def test_no_code_shows_itself() -> None:
    """Every code the table above leads to has its text."""
    assert {"group.unknown", "row.nan", "file.not_json"} <= codes()


def test_groups_that_are_there_can_be_drawn_by(cli: Cli, folder: Path) -> None:
    """A group of the dataset's own is as good as the usual ones."""
    done = cli("subset", "q.jsonl", "x.jsonl", "-n", "2", "--by", "category")

    assert done.returncode == 0, done.stderr
    assert (folder / "x.jsonl").read_text(encoding="utf-8").count("\n") == 2


def test_a_switch_is_on_or_off(cli: Cli, folder: Path) -> None:
    """What is neither is refused, and nothing goes out meanwhile."""
    done = cli("check", "q.jsonl", env={"RAGSTONE_OFFLINE": "maybe"})

    assert done.returncode == 2
    assert "RAGSTONE_OFFLINE cannot be 'maybe'" in done.stderr
    assert cli("check", "q.jsonl", env={"RAGSTONE_OFFLINE": "false"}).returncode == 0


def test_a_report_speaks_only_known_languages(cli: Cli, folder: Path) -> None:
    """A language nobody knows is no English."""
    cli("run", "q.jsonl", "--mock", "-q")

    assert cli("report", "latest", "--lang", "fr").returncode == 2
    assert cli("report", "latest", "--lang", "zh").returncode == 0


def test_answers_for_no_case_are_named(cli: Cli, folder: Path) -> None:
    """A misspelt id is told; a recording that fits is not spoken of."""
    lines = [json.dumps({"id": f"Q{n}", "output": "甲"}) + "\n" for n in range(1, 5)]
    (folder / "fits.jsonl").write_text("".join(lines), encoding="utf-8")
    (folder / "more.jsonl").write_text("".join([*lines, '{"id": "Q99", "output": "乙"}\n']), encoding="utf-8")

    fits, more = (cli("score", "q.jsonl", f"{name}.jsonl", "--lang", "en") for name in ("fits", "more"))

    assert (fits.returncode, more.returncode) == (0, 0), more.stderr
    assert "Q99" not in fits.stderr
    assert "more.jsonl: 1 answer for no case of the dataset, not used: 'Q99'" in more.stderr
    assert "1 recorded answer is for no case" in more.stdout


def test_what_a_recording_has_too_much_is_counted(cli: Cli, folder: Path) -> None:
    """With `run` as with `score`: the summary, the reports and a later judging know of it."""
    rows = [{"id": f"Q{n}", "output": "甲"} for n in range(1, 5)] + [{"question": "无人问过？", "output": "乙"}]
    (folder / "more.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")

    done = cli("run", "q.jsonl", "-s", "replay:more.jsonl", "--run-id", "r", "--lang", "en")

    assert "1 answer for no case of the dataset, not used: '无人问过？'" in done.stderr
    assert json.loads(Path("runs/r/summary.json").read_text(encoding="utf-8"))["unused_answers"] == 1
    assert "1 recorded answer is for no case" in Path("runs/r/report.md").read_text(encoding="utf-8")


def test_two_answers_to_one_question_are_refused(cli: Cli, folder: Path) -> None:
    """Nobody can tell which is meant; the same answer twice is no contradiction."""
    question = json.loads((folder / "q.jsonl").read_text(encoding="utf-8").splitlines()[0])["q"]
    for name, others in (("same", ["甲", "甲"]), ("two", ["甲", "乙"])):
        lines = [json.dumps({"question": question, "output": text}) + "\n" for text in others]
        (folder / f"{name}.jsonl").write_text("".join(lines), encoding="utf-8")

    same, two = (cli("score", "q.jsonl", f"{name}.jsonl", "--run-id", name) for name in ("same", "two"))

    assert same.returncode == 3 and "--retry-failed" not in same.stdout
    assert "3 个用例没有已录制的回答" in same.stdout
    assert two.returncode == 2 and "two.jsonl:2" in two.stderr and "another answer" in two.stderr
    assert not Path("runs/two").exists()


def test_gbk_that_is_utf8_by_chance_is_warned_of(cli: Cli, folder: Path) -> None:
    """小时 in GBK is valid UTF-8, and no Chinese."""
    (folder / "gbk.jsonl").write_bytes('{"id": "Q1", "output": "8小时"}\n'.encode("gbk"))
    (folder / "utf.jsonl").write_text('{"id": "Q1", "output": "8小时 café"}\n', encoding="utf-8")

    gbk, utf = (cli("score", "q.jsonl", f"{name}.jsonl", "--lang", "en") for name in ("gbk", "utf"))

    assert "read as GBK it says '小时'" in gbk.stderr
    assert "GBK" not in utf.stderr
