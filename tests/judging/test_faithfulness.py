"""Faithfulness: sentence by sentence against what was retrieved, by rule and with a judge."""

import json
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

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
    assert "“周一照常开放参观。”" in by_judge and "“周一照常开放参观。”" not in by_rule
    assert "周一照常开放参观" in page and "检索内容不支持" in page
    assert "周一照常开放参观" in (run / "report.html").read_text(encoding="utf-8")
