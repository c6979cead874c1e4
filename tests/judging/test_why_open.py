"""What a judge leaves open says why and by whom: in the file, in the terminal and on the page."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.language import LANGS
from ragstone.core.messages import codes, message
from ragstone.core.settings import Settings
from tests.conftest import Cli
from tests.judging.bench import Say, by_chances, by_words, judging, weighed
from tests.loopback import Reply
from tests.web.site import serving

Write = Callable[..., Path]
POINT = "馆员每天三次手动调节灯光"


@pytest.fixture
def run(cli: Cli, write_rows: Write) -> Path:
    """A run of three cases of which the rules leave everything open; no answer has the point's number."""
    rows = [{"q": f"第{n + 5}间的灯怎么调？", "gold": [POINT], "doc_hint": []} for n in (1, 2, 3)]
    said = [{"id": f"Q{n}", "output": f"那间屋里亮度靠工作人员自己拧{'。' * n}"} for n in (1, 2, 3)]
    cli("score", write_rows("q.jsonl", *rows), write_rows("a.jsonl", *said), "--run-id", "one", "-q")
    return Path("runs/one")


def _open(run: Path) -> list[dict[str, Any]]:
    rows = [json.loads(line) for line in (run / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    return [one for row in rows for one in row["scorecard"]["details"]["judged"]["verdicts"] if one["by"] == "open"]


def _near(body: Any, _: int) -> Reply:
    return Reply(body=weighed(True, gap=0.2))


def _reply(reply: str) -> Say:
    return by_words(lambda point, answer: reply)


@pytest.mark.parametrize(
    ("say", "why", "told"),
    [
        (by_chances(lambda point, answer: True), "values", "3 yes, but a number or name of the point is not in"),
        (_near, "near", "3 too close to the threshold"),
        (_reply('{"verdict": "unsure"}'), "unsure", "3 the judge says it is unsure"),
        (
            _reply('{"verdict": "yes", "quote": "没有这句话"}'),
            "no_quote",
            "3 yes, but the quotation is not in the text",
        ),
        (_reply("好的"), "unreadable", "3 the reply could not be read"),
    ],
    ids=["values", "near", "unsure", "no_quote", "unreadable"],
)
def test_an_open_verdict_has_a_reason(cli: Cli, run: Path, say: Say, why: str, told: str) -> None:
    """The judge that replied is named, the reason is in the file by code, and counted in words in the terminal."""
    with judging(say) as server:
        done = cli("judge", "one", "--judge", "chat:m", "-J", f"base_url={server.url}/v1")
    chinese = cli("judge", "one", "--people", "--labels", _nobody(), "--lang", "zh-Hans")

    assert [(one["why"], one["who"]) for one in _open(run)] == [(why, ["m"])] * 3
    assert f"3 open after the judge: {told}" in done.stdout
    assert f"裁判之后仍未定 3 个：{message(f'open.{why}').hans} 3 个" in chinese.stdout
    assert cli("verify", "one").returncode == 0


def _nobody() -> str:
    Path("people.jsonl").write_text(
        json.dumps({"case": "Q9", "answer": "x", "verdict": "stated"}) + "\n", encoding="utf-8"
    )
    return "people.jsonl"


def test_a_jury_that_disagrees_is_named_with_its_votes(cli: Cli, run: Path) -> None:
    """One says yes, the other no: who said what stands in the file and on the page, in the reader's language."""
    with judging(by_chances(lambda p, a: True)) as one, judging(by_chances(lambda p, a: False)) as other:
        Path("ragstone.toml").write_text(
            f'[systems.kind]\nsystem = "chat:kind"\nbase_url = "{one.url}/v1"\n'
            f'[systems.stern]\nsystem = "chat:stern"\nbase_url = "{other.url}/v1"\n'
        )
        done = cli("judge", "one", "--judge", "kind,stern")
    assert done.returncode == 0, done.stderr
    said = [(one["why"], one["who"], one["votes"]) for one in _open(run)]
    with serving(Settings()) as site:
        pages = {lang: site.get(f"/eval/runs/one/cases/1?lang={lang}").text for lang in ("en", "zh-Hans")}

    assert said == [("disagree", ["kind", "stern"], ["yes", "no"])] * 3
    assert "3 the jury disagrees" in done.stdout
    assert "<td>the jury disagrees: kind (yes), stern (no)" in pages["en"]
    assert "<td>陪审团意见不一: kind (yes), stern (no)" in pages["zh-Hans"]


def test_what_was_not_asked_says_so(cli: Cli, run: Path) -> None:
    """A judge that goes down after one reply leaves two questions that nobody put to it."""
    healthy = by_chances(lambda point, answer: True)
    with judging(lambda body, n: healthy(body, n) if n < 3 else Reply(status=503, body={})) as server:
        options = ("-J", f"base_url={server.url}/v1", "-J", "max_retries=0", "-J", "breaker_after=0")
        done = cli("judge", "one", "--judge", "chat:m", *options)

    assert done.returncode == 3
    assert Counter(one["why"] for one in _open(run))["not_asked"] >= 1
    assert "not asked" in done.stdout


def test_every_reason_has_words() -> None:
    """The codes of replies that cannot be used, and those of judges that were heard."""
    known = {"no_word", "no_chances", "unreadable", "no_quote", "idle_quote", "refused", "raised", "odd"}
    for code in known | {"values", "near", "unsure", "disagree", "not_asked"}:
        assert f"open.{code}" in codes()
        assert all(message(f"open.{code}").say(lang) for lang in LANGS)
