"""A user's own words that mean the same: read, checked, kept in the run and used by every contract that asks."""

import json
from pathlib import Path

import pytest

import ragstone
from ragstone.core.errors import DatasetError
from ragstone.core.settings import ReadingEntry, Settings
from ragstone.datasets.glossary import look_over, read_glossary
from tests.conftest import Cli

WORDS = "# 我们的词\nSSO = single sign-on ＝ 单点登录\n\n专票 = 增值税专用发票  # 税务\nC# = C Sharp\n"
ROWS = [
    {"q": "企业版支持哪些登录方式？", "gold": ["支持SSO"], "doc_hint": ["login.md"]},
    {"q": "开什么发票？", "gold": ["提供增值税专用发票"], "doc_hint": ["tax.md"]},
    {"q": "Which plan?", "gold": ["The Pro plan has single sign-on"], "doc_hint": ["login.md"]},
]
ANSWERS = ["支持单点登录（login.md）。", "提供专票，见 tax.md。", "The Pro plan has SSO (login.md)."]
DENIED = ["不支持单点登录（login.md）。", "不提供专票，见 tax.md。", "The Pro plan has no SSO (login.md)."]


@pytest.fixture
def words(tmp_path: Path) -> Path:
    """A glossary, a dataset and answers that only the glossary makes right."""
    (tmp_path / "q.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS), encoding="utf-8")
    for name, texts in (("a.jsonl", ANSWERS), ("no.jsonl", DENIED)):
        rows = [{"id": f"Q{at}", "output": text} for at, text in enumerate(texts, start=1)]
        (tmp_path / name).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    path = Path("terms.txt")
    path.write_text(WORDS, encoding="utf-8")
    return path


def _accuracy(run: ragstone.Run) -> float | None:
    (model,) = run.summary.models.values()
    return model.all.metrics["accuracy"].mean


def test_a_line_is_words_that_mean_the_same(words: Path) -> None:
    """Full-width signs, comments and blank lines are understood; C# is a word."""
    found = read_glossary(words)

    assert found.groups == (("SSO", "single sign-on", "单点登录"), ("专票", "增值税专用发票"), ("C#", "C Sharp"))


def test_comments_and_order_change_no_score(tmp_path: Path, words: Path) -> None:
    """The hash that counts is of what is said."""
    other = tmp_path / "other.txt"
    other.write_text("c sharp = C#\n增值税专用发票 = 专票\nsso=单点登录=Single Sign-On", encoding="utf-8")

    assert read_glossary(other).terms() == read_glossary(words).terms()


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        ("SSO\n", 1, "glossary.one_word"),
        ("# x\n\nSSO, single sign-on\n", 3, "glossary.one_word"),
        ("SSO =\n", 1, "glossary.no_word"),
        ("a == b\n", 1, "glossary.no_word"),
        ("42 = 24\n", 1, "glossary.figures"),
        ("a = " + "b" * 101, 1, "glossary.long_word"),
    ],
)
def test_errors_are_told_with_their_lines(tmp_path: Path, content: str, line: int, code: str) -> None:
    """All of them at once, before anything is asked."""
    path = tmp_path / "terms.txt"
    path.write_text(content, encoding="utf-8")

    with pytest.raises(DatasetError) as raised:
        read_glossary(path)

    assert [(one.position.line, one.code) for one in raised.value.findings] == [(line, code)]


@pytest.mark.parametrize(
    ("content", "line", "code"),
    [
        ("SSO = 单点登录\nsso = 统一登录\n", 2, "glossary.again"),
        ("SSO = sso = 单点登录\n", 1, "glossary.twice"),
        ("税 = 税费\n", 1, "glossary.broad"),
        ("the = SSO\n", 1, "glossary.broad"),
        ("没有 = SSO\n", 1, "glossary.cue"),
        ("增加 = 减少\n", 1, "glossary.opposites"),
    ],
)
def test_what_is_odd_is_a_warning(tmp_path: Path, content: str, line: int, code: str) -> None:
    """A run takes it, `check` says it."""
    path = tmp_path / "terms.txt"
    path.write_text(content, encoding="utf-8")

    assert read_glossary(path).groups
    assert (line, code) in {(one.position.line, one.code) for one in look_over(path)}


def test_answers_in_the_users_own_words_are_stated_and_denials_are_not(words: Path) -> None:
    """The glossary adds words, no lenience."""
    bare = ragstone.evaluate("q.jsonl", "replay:a.jsonl")
    told = ragstone.evaluate("q.jsonl", "replay:a.jsonl", glossary=words)
    denied = ragstone.evaluate("q.jsonl", "replay:no.jsonl", glossary=words)

    assert (_accuracy(bare), _accuracy(told), _accuracy(denied)) == (0.0, 1.0, 0.0)


def test_the_settings_name_one_and_nothing_takes_it_away(words: Path) -> None:
    """[reading] glossary holds for every run that can use it; "" is none."""
    settings = Settings(reading=ReadingEntry(glossary=str(words)))

    told = ragstone.evaluate("q.jsonl", "replay:a.jsonl", settings=settings)
    bare = ragstone.evaluate("q.jsonl", "replay:a.jsonl", settings=settings, glossary="")

    assert (_accuracy(told), _accuracy(bare)) == (1.0, 0.0)


def test_legal_answers_are_read_with_it(words: Path) -> None:
    """Facts in words, names and key points of evidence."""
    fact = {"id": "f", "type": "fact_exact", "question": "开什么票？", "expected": {"text_answer": "增值税专用发票"}}
    points = {"evidence_count_min": 1, "key_points": ["承诺提供增值税专用发票"]}
    proof = {"id": "e", "type": "evidence_set", "question": "承诺了什么？", "expected": points}
    questions = [one | {"scoring": {"citation_required": False}} for one in (fact, proof)]
    Path("legal.json").write_text(json.dumps({"questions": questions, "description": "", "document": "d"}))
    replies = [{"id": "f", "output": "专票"}, {"id": "e", "output": {"evidence": ["他承诺提供专票。"]}}]
    Path("r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in replies), encoding="utf-8")

    bare = ragstone.evaluate("legal.json", "replay:r.jsonl")
    told = ragstone.evaluate("legal.json", "replay:r.jsonl", glossary=words)

    assert [row.scorecard.passed for row in bare.results()] == [False, False]
    assert [row.scorecard.passed for row in told.results()] == [True, True]


def test_a_run_is_made_again_without_the_file(inside: Cli, words: Path) -> None:
    """Hashed into run_meta.json and the scorer's version, kept whole in config.json."""
    assert inside("score", "q.jsonl", "a.jsonl", "--glossary", words, "--run-id", "r").returncode == 0
    words.unlink()

    meta = json.loads(Path("runs/r/run_meta.json").read_text(encoding="utf-8"))
    verified = inside("verify", "r")
    again = inside("rescore", "r", "--json")
    bare = inside("rescore", "r", "--glossary", "", "--json")

    assert meta["scorer_version"].endswith(f"+glossary.{meta['glossary_sha256'][:8]}")
    assert verified.returncode == 0
    assert "identical" in verified.stdout
    assert [json.loads(one.stdout)["summary"]["models"]["a"]["all"]["passed"] for one in (again, bare)] == [3, 0]


def test_another_glossary_is_not_taken_in_the_middle_of_a_run(inside: Cli, words: Path) -> None:
    """`resume` refuses it and names the ways out; `verify` goes by the run's own copy and says so."""
    inside("score", "q.jsonl", "a.jsonl", "--glossary", words, "--run-id", "r")
    words.write_text("SSO = 统一登录\n", encoding="utf-8")

    resumed, verified = inside("resume", "r"), inside("verify", "r")

    assert resumed.returncode == 2
    assert "rescore --glossary terms.txt" in resumed.stderr
    assert verified.returncode == 0
    assert "terms.txt" in verified.stdout


def test_check_reads_it(inside: Cli, words: Path) -> None:
    """With file and line, by flag and by settings."""
    words.write_text("SSO = 单点登录\nSSO = 税\n", encoding="utf-8")
    flagged = inside("check", "q.jsonl", "--glossary", words)
    Path("ragstone.toml").write_text('[reading]\nglossary = "terms.txt"\n', encoding="utf-8")

    settled = inside("check", "q.jsonl")

    assert flagged.returncode == 0
    assert "terms.txt:2" in flagged.stdout
    assert settled.stdout == flagged.stdout


def test_who_cannot_use_it_says_so(inside: Cli, words: Path) -> None:
    """A flag for a contract that compares by its document's rules is refused; the setting is passed over."""
    row = {"question": "Q?", "expected": {"answer_example": {}, "source_map": []}}
    Path("e.json").write_text(json.dumps([row]), encoding="utf-8")
    Path("ragstone.toml").write_text('[reading]\nglossary = "terms.txt"\n', encoding="utf-8")

    refused = inside("run", "e.json", "--mock", "--contract", "eval_json_v2", "--glossary", words)

    assert refused.returncode == 2
    assert "glossary" in refused.stderr
    assert "glossary" not in inside("check", "e.json", "--contract", "eval_json_v2").stdout


@pytest.mark.parametrize("content", ["[reading]\nglosary = 'x'\n", "reading = 1\n", "[reading]\nglossary = 1\n"])
def test_a_misspelt_table_is_refused(inside: Cli, words: Path, content: str) -> None:
    """As every other setting is."""
    Path("ragstone.toml").write_text(content, encoding="utf-8")

    assert inside("check", "q.jsonl").returncode == 2


@pytest.mark.parametrize("content", ["专票 = 发票".encode("gbk"), b"PK\x03\x04", None])
def test_what_is_no_text_is_told(inside: Cli, words: Path, content: bytes | None) -> None:
    """Encoding and missing files, without a traceback."""
    words.unlink()
    if content:
        words.write_bytes(content)

    done = inside("check", "q.jsonl", "--glossary", words)

    assert done.returncode == 2
    assert "terms.txt" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_comparison_names_the_glossary_as_what_differs(inside: Cli, words: Path) -> None:
    """Neither the gold nor the documents changed; the answers are the same."""
    inside("score", "q.jsonl", "a.jsonl", "--run-id", "bare", "--glossary", "")
    inside("score", "q.jsonl", "a.jsonl", "--run-id", "told", "--glossary", words)

    found = json.loads(inside("compare", "bare", "told", "--json").stdout)

    assert (set(found["differs"]), found["causes"]) == ({"scorer", "glossary"}, {"scorer": 3})
