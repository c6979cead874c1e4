"""Faithfulness: sentence by sentence against what was retrieved, by rule and with a judge."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from ragstone.contracts.key_points.faithful import claiming, claims
from ragstone.reading.lexicon import DEFAULT
from tests.conftest import Cli
from tests.judging.bench import judging, weighed
from tests.loopback import Reply

Write = Callable[..., Path]
CONTEXT = "本次展览不收门票，周一闭馆。展厅共有三层，最上面一层是咖啡馆。"
ANSWER = "本次展览不收门票。喝咖啡请上顶楼去。周一照常开放参观。馆长叫李建国，今年五十岁。"


def _say(body: Mapping[str, Any], number: int) -> Reply:
    """Support what is said of the coffee, and nothing else."""
    claims = re.findall(r"<{3,}\n(.*?)\n>{3,}", body["messages"][-1]["content"], re.DOTALL)
    return Reply(body=weighed("咖啡" in claims[-1]))


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """One answer of four sentences, with the context it was given."""
    rows = write_rows("q.jsonl", {"q": "展览要票吗？", "gold": ["不收门票"], "doc_hint": []})
    context = {"source_path": "a.md", "text": CONTEXT}
    answers = write_rows("a.jsonl", {"id": "Q1", "output": ANSWER, "contexts": [context]})
    done = cli("score", rows, answers, "-o", "faithfulness=true", "--run-id", "one", "-q")
    assert done.returncode == 0, done.stderr
    return Path("runs/one")


def _metrics(run: Path) -> dict[str, Any]:
    summary = json.loads((run / "summary.json").read_text(encoding="utf-8"))
    return dict(summary["models"]["a"]["all"]["metrics"])


def _claims(run: Path) -> dict[str, str]:
    row = json.loads((run / "results.jsonl").read_text(encoding="utf-8"))
    return {one["claim"]: one["verdict"] for one in row["scorecard"]["details"]["claims"]}


def test_rules_prove_what_stands_there(run: Path) -> None:
    """Word for word is supported; the rest is open or contradicted, and the figure says how high it could be."""
    claims = _claims(run)

    assert claims["本次展览不收门票。"] == "yes"
    assert claims["喝咖啡请上顶楼去。"] == "open"
    figure = _metrics(run)["faithfulness"]
    assert figure["mean"] == 0.25
    assert figure["mean_high"] > 0.25


def test_a_judge_decides_the_open_sentences(cli: Cli, run: Path) -> None:
    """The sentence that is supported in other words counts in the judged figure, and accuracy stays as it was."""
    with judging(_say) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")

    assert done.returncode == 0, done.stderr
    figures = _metrics(run)
    assert figures["faithfulness_judged"]["mean"] == 0.5
    assert figures["faithfulness"]["mean"] == 0.25
    assert figures["accuracy_judged"]["mean"] == figures["accuracy"]["mean"] == 1.0
    assert cli("verify", "one").returncode == 0


def test_it_is_measured_only_where_it_is_asked_for(cli: Cli, write_rows: Write) -> None:
    """Without the option there is no such figure; without contexts it does not apply."""
    rows = write_rows("q.jsonl", {"q": "展览要票吗？", "gold": ["不收门票"], "doc_hint": []})
    answers = write_rows("a.jsonl", {"id": "Q1", "output": ANSWER})
    cli("score", rows, answers, "--run-id", "plain", "-q")
    cli("score", rows, answers, "-o", "faithfulness=true", "--run-id", "bare", "-q")

    assert "faithfulness" not in _metrics(Path("runs/plain"))
    assert _metrics(Path("runs/bare"))["faithfulness"]["not_applicable"] == 1


def test_the_sentence_is_named_wherever_the_case_is_read(cli: Cli, run: Path) -> None:
    """Also of a case that passes; by rule at first, by the judge in the end."""
    by_rule = cli("report", "one", "--lang", "en").stdout
    with judging(_say) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    by_judge = cli("report", "one", "--lang", "en").stdout
    page = (run / "report.md").read_text(encoding="utf-8")

    assert "do not support: “馆长叫李建国，今年五十岁。”" in by_rule
    assert "“周一照常开放参观。” (by judge)" in by_judge and "“周一照常开放参观。”" not in by_rule
    assert "“周一照常开放参观。”（裁判判定）" in page and "检索内容不支持" in page
    assert "周一照常开放参观" in (run / "report.html").read_text(encoding="utf-8")


def test_what_claims_nothing_is_not_counted_or_asked(cli: Cli, write_rows: Write) -> None:
    """Greetings, questions, pointers and lead-ins are no sentences of the figure; a claim with a source is."""
    rows = write_rows("q.jsonl", {"q": "展览要票吗？", "gold": ["不收门票"], "doc_hint": []})
    polite = "您好！本次展览不收门票。详见《参观须知.pdf》第3页。See notes.md. 还需要其他帮助吗？"
    polite += "Do you need more? 如有疑问请联系我们。"
    context = {"source_path": "a.md", "text": CONTEXT}
    answers = write_rows("a.jsonl", {"id": "Q1", "output": polite, "contexts": [context]})
    cli("score", rows, answers, "-o", "faithfulness=true", "--run-id", "one", "-q")
    with judging(_say) as server:
        cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
        assert server.calls == 0

    assert list(_claims(Path("runs/one"))) == ["本次展览不收门票。"]
    assert _metrics(Path("runs/one"))["faithfulness_judged"]["mean"] == 1.0


@pytest.mark.parametrize(
    "refusal",
    [
        *("I do not know.", "Sorry, I cannot find any information on that.", "The documents do not mention this."),
        *(
            "抱歉，资料中没有相关信息。",
            "我不太清楚这个问题。",
            "無法回答這個問題。",
            "根据提供的资料，无法确定押金金额。",
        ),
        *("申し訳ありませんが、わかりません。", "죄송합니다, 잘 모르겠습니다."),
    ],
)
def test_a_refusal_claims_nothing(refusal: str) -> None:
    """It is no sentence that a source could support."""
    assert list(claiming(refusal)) == []


@pytest.mark.parametrize(
    "claim",
    [
        *("I do not know the price, but the hall closes at nine.", "We do not charge any admission."),
        *("Nobody knows who built the tower.", "公司没有公布营收数据。", "原告无法提供合同。", "目前没有任何备份。"),
    ],
)
def test_what_denies_something_claims_it(claim: str) -> None:
    """Only what is said of the answer's own knowledge is a refusal."""
    assert list(claiming(claim)) == [claim]


@pytest.mark.parametrize(
    "cited",
    [
        *(
            "Backups are kept for thirty days [1].",
            "Backups are kept for thirty days.[4]",
            "Backups are kept for thirty days (a.md).",
        ),
        *("Backups are kept for thirty days (source: a.md, p. 3).", "Backups are kept for thirty days【2】[3, 4]."),
    ],
)
def test_marks_of_sources_are_no_part_of_a_claim(cited: str) -> None:
    """What stands word for word in the source is proved by rule, and its number is no number of the claim."""
    plain = "Backups are kept for thirty days."
    found = claims(plain, cited, DEFAULT)

    assert [(one["claim"], one["verdict"]) for one in found] == [(plain, "yes")]


def test_a_source_that_a_sentence_speaks_of_is_part_of_it() -> None:
    """Brackets that say something, and a file that is the subject, stay."""
    kept = "The rules in a.md and those in b.md (which is older than a.md) were merged in March."

    assert list(claiming(kept)) == [kept]


def test_without_contexts_the_documents_are_the_source(cli: Cli, write_rows: Write) -> None:
    """The document that the answer names, or else the case's; its nearest paragraphs where it is long."""
    Path("docs").mkdir()
    Path("docs/a.md").write_text("停车每小时十元。\n" * 5000 + CONTEXT + "\n", encoding="utf-8")
    Path("docs/b.md").write_text("本次展览收取门票。", encoding="utf-8")
    case = {"q": "展览要票吗？", "gold": ["不收门票"]}
    rows = write_rows("q.jsonl", {"id": "A", **case, "doc_hint": ["a.md"]}, {"id": "B", **case, "doc_hint": ["a.md"]})
    said = {"A": "本次展览不收门票。", "B": "本次展览不收门票（b.md）。"}
    answers = write_rows("a.jsonl", *({"id": id_, "output": text} for id_, text in said.items()))
    words = ("-o", "faithfulness=true", "--documents", "docs", "--run-id", "one")
    done = cli("score", rows, answers, *words, "-q")
    assert done.returncode == 0, done.stderr
    with judging(_say) as server:
        judged = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")

    assert judged.returncode == 0, judged.stderr
    lines = Path("runs/one/results.jsonl").read_text(encoding="utf-8").splitlines()
    found = {row["sample_id"]: row["task_metrics"]["faithfulness"] for row in map(json.loads, lines)}
    assert found["A"] == 1.0
    assert cli("verify", "one").returncode == 0


def test_a_wish_without_any_source_is_told(cli: Cli, write_rows: Write) -> None:
    """The figure applies to nothing; the run and the case say what is missing, in both languages."""
    rows = write_rows("q.jsonl", {"q": "展览要票吗？", "gold": ["不收门票"], "doc_hint": []})
    answers = write_rows("a.jsonl", {"id": "Q1", "output": ANSWER})
    done = cli("score", rows, answers, "-o", "faithfulness=true", "--run-id", "one", "--lang", "en")
    told = cli("report", "one", "--lang", "zh-Hans")

    assert "faithfulness was not measured" in done.stdout and "--documents" in done.stdout
    assert "未测得忠实度" in told.stdout
    assert "has nothing to compare with" in Path("runs/one/results.jsonl").read_text(encoding="utf-8")


def test_marks_behind_a_full_stop_join_no_sentences() -> None:
    """thirty days.[1] The vault … are two."""
    answer = "Backups are kept for thirty days.[1] The vault is in Kiel.[2][3] Rooms close at nine.(a.md)"

    assert list(claiming(answer)) == [
        "Backups are kept for thirty days.",
        "The vault is in Kiel.",
        "Rooms close at nine.",
    ]
