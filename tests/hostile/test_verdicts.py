"""Planted labels, judgements, certificates and drafts: none gives itself weight, breaks a command or fills memory."""

import csv
import json
import random
import shutil
import tracemalloc
from collections.abc import Callable
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

from ragstone.core.errors import RunError, SettingError, UserError
from ragstone.core.settings import Settings
from ragstone.core.types import Interval, Position
from ragstone.datasets.rows import Row
from ragstone.drafting.corpus import read_corpus
from ragstone.drafting.proof import wrong
from ragstone.judging.certificate import Certificate, Rate, Standing, apply, read_certificates, sealed
from ragstone.judging.decisions import RULES, JudgeTerms
from ragstone.judging.estimates.strata import StrataTally
from ragstone.judging.judgements import Judgements
from ragstone.judging.label_file import append_labels, read_labels
from ragstone.judging.labels import Label, hash_of
from ragstone.judging.probes import STRICT
from ragstone.runs.store.admission import TRUSTING
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.store.owner import DECIDED
from ragstone.runs.store.seal import seal
from ragstone.trust.verify import verify
from tests.conftest import Cli
from tests.judging.bench import ANSWERS, ROWS, drawn_from
from tests.web.site import SYSTEMS, furnish, serving

Write = Callable[..., Path]
POINTS = ("收货后七天内可以退货", "每年一次", "押金为300元", "周日照常营业")
HEAD = b'{"case":"Q1","answer":"a","verdict":"stated","comment":"'


def _label(place: int, **more: Any) -> Label:
    row = ANSWERS[place]
    return Label(case=row["id"], point=POINTS[place], answer=hash_of(row["output"]), verdict="stated", **more)


@pytest.fixture
def judged(cli: Cli, write_rows: Write) -> Path:
    """A run with labels that were drawn, and another beside it, `good`."""
    rows, answers = write_rows("q.jsonl", *ROWS), write_rows("a.jsonl", *ANSWERS)
    for name in ("one", "good"):
        done = cli("score", rows, answers, "--run-id", name, "-q")
        assert done.returncode == 0, done.stderr
    append_labels(Path("runs/labels.jsonl"), [_label(place, **drawn_from("runs/one")) for place in range(4)])
    assert [cli("judge", name).returncode for name in ("one", "good")] == [0, 0]
    return Path("runs/one")


@pytest.mark.parametrize("value", ["0", "-0.5", "1.5", "1e999", "1e-320", '"nan"', '"inf"', '"-inf"', "true"])
@pytest.mark.parametrize("ending", ["jsonl", "csv"])
def test_no_label_gives_itself_weight(tmp_path: Path, ending: str, value: str) -> None:
    """The chance of having been drawn is above nothing and at most one; anything else is refused by its line."""
    path = tmp_path / f"labels.{ending}"
    if ending == "csv":
        path.write_text(f"case,answer,verdict,probability\nQ1,a,stated,{value.strip(chr(34))}\n")
    else:
        path.write_text(f'{{"case":"Q1","answer":"a","verdict":"stated","probability":{value}}}\n')

    with pytest.raises(SettingError, match=r"probability|damaged|number"):
        read_labels(path)


def test_a_label_of_much_weight_makes_a_figure_less_sure() -> None:
    """Whoever says of himself that he was hardly ever to be drawn stands for many, and the interval tells that."""
    honest, planted = StrataTally(), StrataTally()
    for place in range(40):
        said: dict[str, Any] = {"strata": {"m": "s"}, "people": {"m": 1.0}, "probability": 0.5}
        honest.add("m", {"judged": said})
        planted.add("m", {"judged": said if place else {**said, "people": {"m": 0.0}, "probability": 1e-6}})

    sure, open_ = honest.figure().interval, planted.figure().interval
    assert sure and open_ and sure.high - sure.low < 0.15 and open_.high - open_.low > 0.5


@pytest.mark.parametrize("name", ["labels.jsonl", "labels.csv", "judgements.jsonl"])
def test_a_line_without_end_takes_little_memory(tmp_path: Path, name: str) -> None:
    """A line is refused by its length before it is read whole."""
    path = tmp_path / name
    with path.open("wb") as file:
        file.write(HEAD)
        file.truncate(1 << 30)
    tracemalloc.start()
    try:
        with pytest.raises((SettingError, RunError), match="longer than"):
            Judgements(path, read_only=True) if name.startswith("j") else read_labels(path)
        assert tracemalloc.get_traced_memory()[1] < 100 << 20
    finally:
        tracemalloc.stop()


ODD: tuple[Any, ...] = (0, -1, "x", None, [], {}, 1e-320, True)


@pytest.mark.parametrize("field", ["probability", "people", "strata", "verdicts", ""])
def test_planted_rows_break_no_figure(inside: Cli, judged: Path, field: str) -> None:
    """Rows say who decided and how likely they were drawn; whatever a sent run says there, no command breaks."""
    good = Path("runs/good")
    rows = [json.loads(line) for line in (judged / "results.jsonl").read_text(encoding="utf-8").splitlines()]
    for value in ODD:
        for row in rows:
            said = row["scorecard"]["details"]["judged"]
            row["scorecard"]["details"]["judged"] = {**said, field: value} if field else value
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        (judged / "results.jsonl").write_text(lines, encoding="utf-8")
        rows = [json.loads(line) for line in (good / "results.jsonl").read_text(encoding="utf-8").splitlines()]
        _fit(judged)
        for words in (("report", "one"), ("compare", "good", "one"), ("compare", "one", "good"), ("verify", "one")):
            done = inside(*words)
            assert "with itself" not in done.stderr
            assert "Traceback" not in done.stderr and done.returncode in {0, 1, 2, 3}, (words, value, done.stderr)


def _fit(run: Path) -> None:
    meta = {name: value for name, value in RunFolder(run).meta().items() if name != "mark"}
    (run / "run_meta.json").write_text(json.dumps(seal(RunFolder(run), meta)))


@pytest.mark.parametrize("content", [b"[" * 100_000, b'{"a":' * 5000 + b"1" + b"}" * 5000, b"[]", b"\xff", b'{"a": 1}'])
def test_what_is_no_certificate_is_named(tmp_path: Path, content: bytes) -> None:
    """A damaged or nested judge.json is refused by its name, without a traceback."""
    path = tmp_path / "judge.json"
    path.write_bytes(content)

    with pytest.raises(SettingError, match=r"judge\.json"):
        read_certificates(path)


def _trusted(right: int, n: int, low: float = 0.99) -> Certificate:
    """A certificate that calls its judge trusted, whatever it counts."""
    rate = Rate(right, n, Interval(low=low, high=1.0, level=0.95, method="wilson", clusters=n))
    probes = dict.fromkeys(STRICT, (0, 50))
    standing = Standing(
        labels=400, labels_sha256="", certified=400, threshold=0.0, sensitivity=rate, specificity=rate, auc=1.0,
        kappa=1.0, unsure=0, flips=0, groups={}, probes=probes, why="",
    )  # fmt: skip
    return sealed(Certificate(
        name="j", identity="i", way="margin", tongue="zh", version="", prompts={"states": "p"}, band=0.0,
        kinds={"states": standing}, anchors=(), created="", rules=RULES,
    ))  # fmt: skip


@pytest.mark.parametrize(
    ("right", "n", "why"),
    [(199, 200, ""), (1, 200, "sensitivity"), (0, 0, "few_labels"), (300, 200, "sensitivity"), (3, 3, "few_labels")],
)
def test_a_certificate_does_not_call_itself_trusted(right: int, n: int, why: str) -> None:
    """Its word and its interval are held against its own counts."""
    terms = JudgeTerms(name="j", identity="i", way="margin", tongue="zh", prompts={"states": "p"})

    assert apply(terms, {"i": _trusted(right, n)}, ["states"])[1] == {"states": why}


@pytest.mark.parametrize(
    "text",
    ['{"id":"D0","provenance":[]}\n5\n', "[1, 2]", '{"questions": 5}', "[" * 5000, "\x00", '{"provenance"'],
)
def test_what_holds_no_drafts_is_told(inside: Cli, tmp_path: Path, text: str) -> None:
    """A file of other things is named, on the command line and on the page, and stays as it is."""
    furnish(tmp_path)
    path = Path("datasets/drafts.jsonl")
    path.write_text(text)

    done = inside("draft", "accept", str(path), "D0")
    with serving(Settings(systems=SYSTEMS)) as site:
        replies = [site.get("/eval/review"), site.get("/api/v1/review-drafts/next?dataset=drafts.jsonl")]
        replies += [site.change("POST", "/api/v1/review-drafts", {"dataset": path.name, "id": "D0", "accept": True})]

    assert (done.returncode, "Traceback" in done.stderr, "drafts.jsonl" in done.stderr) == (2, False, True)
    assert [reply.status for reply in replies] == [200, 200, 422] and path.read_text() == text


@pytest.mark.parametrize(
    ("place", "code"),
    [
        ({}, ""),
        ({"start": -9, "end": -1}, "draft.moved"),
        ({"start": 10**18, "end": 10**18 + 5}, "draft.moved"),
        ({"start": 3, "end": 3, "quote": "", "point": ""}, "draft.point"),
        ({"document": "../outside/secret.md"}, "draft.document_gone"),
        ({"document": "/etc/passwd"}, "draft.document_gone"),
        ({"document": "note.md\0"}, "draft.document_gone"),
    ],
)
def test_a_quotation_stands_inside_its_page(tmp_path: Path, place: dict[str, Any], code: str) -> None:
    """Offsets before or behind the text, empty quotations and paths out of the folder prove nothing."""
    (tmp_path / "documents").mkdir()
    (tmp_path / "outside").mkdir()
    (tmp_path / "outside" / "secret.md").write_text("# 秘密\n\n押金为300元。\n", encoding="utf-8")
    (tmp_path / "documents" / "note.md").write_text("# 押金\n\n押金为300元。退卡时返还。\n", encoding="utf-8")
    paper = read_corpus(tmp_path / "documents").papers[0]
    quote = "押金为300元"
    page = next(one for one in paper.pages if quote in one.text)
    at = page.text.index(quote)
    proof = {"document": paper.name, "sha256": paper.sha256, "page": page.number, "start": at, "end": at + len(quote)}
    given = {**proof, "quote": quote, "point": quote, **place}
    row = Row({"id": "D0", "q": "押金多少？", "provenance": [given]}, Position("d.jsonl", 1), -1)

    assert [one.code for one in wrong([row], tmp_path / "documents")] == [code] * bool(code)


def test_labels_that_came_with_a_folder_of_runs_are_not_ones_own(inside: Cli, judged: Path) -> None:
    """Labels beside a sent run are named and need a yes; those the user names, and those of one's own runs, do not."""
    shutil.copytree("runs", "sent")
    run = Path("sent/one")
    for name in ("judging.json", "judgements.jsonl", "labels.jsonl"):
        (run / name).unlink(missing_ok=True)
    _fit(run)

    refused = inside("judge", "sent/one")
    named = inside("judge", "sent/one", "--labels", "runs/labels.jsonl")

    assert (refused.returncode, "sent/labels.jsonl" in refused.stderr, "--trust-run" in refused.stderr) == (
        2,
        True,
        True,
    )
    assert named.returncode == 0, named.stderr
    assert inside("judge", "one").returncode == 0


def test_a_name_of_a_reviewer_is_only_a_name(inside: Cli, judged: Path, tmp_path: Path) -> None:
    """Markup, terminal controls and formulas in names and comments are text on pages, terminals and in tables."""
    evil = '=HYPERLINK("http://192.0.2.1")<script>alert(1)</script>\x1b[31m\u202e'
    labels = [_label(place, reviewer=f"{evil}{n}", comment=evil) for place in range(4) for n in range(2)]
    append_labels(Path("runs/labels.jsonl"), labels)

    told = [inside(*words) for words in (("judge", "one"), ("report", "one"), ("labels", "export", "out.csv"))]
    with serving(Settings(systems=SYSTEMS)) as site:
        pages = [site.get(path).text for path in ("/eval/review/one/lead", "/eval/review/one", "/eval/runs/one")]

    assert not [done for done in told if "\x1b" in done.stdout + done.stderr or "Traceback" in done.stderr]
    assert not [page for page in pages if "<script>alert" in page]
    table = Path("out.csv").read_text(encoding="utf-8-sig")
    assert "HYPERLINK" in table and not [cell for row in csv.reader(StringIO(table)) for cell in row if cell[:1] == "="]


def test_a_flipped_bit_in_a_verdict_is_never_silent(judged: Path) -> None:
    """What judges and people said is sealed like everything else of a run."""
    dice = random.Random(17)
    files = [path for name in DECIDED if (path := judged / name).is_file() and path.stat().st_size]
    assert {path.name for path in files} >= {"judging.json", "labels.jsonl"}
    for number in range(20):
        path = files[number % len(files)]
        before = path.read_bytes()
        content = bytearray(before)
        content[dice.randrange(len(content))] ^= 1 << dice.randrange(8)
        path.write_bytes(content)
        try:
            status: str = verify(RunFolder(judged), guard=TRUSTING).status
        except UserError:
            status = "refused"
        path.write_bytes(before)
        assert status in {"drift", "refused"}, (number, path.name)


NO_TEXT = {
    "one/judging.json": b'{"metrics":[{"name":"\xff\xff"}]}',
    "one/gate.json": b'{"run_id":"\xff\xff"}',
    "judge.json": b'{"\xff\xff":{}}',
    "pins.json": b'{"a":"\xff\xff"}',
    ".review/one.json": b'{"dealt":{"\xff\xff":1}}',
    ".page-jobs.json": b'[{"run_id":"\xff\xff"}]',
}


@pytest.mark.parametrize("content", ["no text", "too deep"])
@pytest.mark.parametrize("name", NO_TEXT)
def test_a_file_that_is_no_text_is_told_or_passed_over(judged: Path, cli: Cli, name: str, content: str) -> None:
    """Bytes that are no UTF-8 inside a value, and nesting without end, break no command and no page."""
    path = judged.parent / name
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(NO_TEXT[name] if content == "no text" else b"[" * 100_000)
    told = [
        cli(*words)
        for words in (("gate", "one", "-r", "pass_rate >= 0", "--baseline", "a"), ("judge", "one"), ("report", "one"))
    ]
    with serving(Settings(systems=SYSTEMS)) as site:
        pages = [site.get(f"/eval/{page}").status for page in ("history", "runs/one", "review/one", "runs/good")]

    assert not [one.stderr for one in told if "Traceback" in one.stderr]
    assert max(pages) < 500
