"""Sentences of the four documents that no other test takes one by one; docs/conformance.md names the rest."""

import csv
import json
from itertools import product
from pathlib import Path
from typing import Any

import pytest

import ragstone
from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.contracts.eval_json_v2.read import read_answer
from ragstone.contracts.eval_json_v2.score import score_reading
from ragstone.contracts.legal_rag.schema import faults
from ragstone.core.types import JSON, Answer, Citation, Context
from ragstone.runners.bench import parser
from ragstone.runners.benchmark import BenchmarkRunner
from ragstone.runs.pipeline import Unit, request_of
from ragstone.runs.store.folder import RunFolder
from ragstone.trust.gate import GateFile, judge_run, make_gate
from tests.contracts.eval_json_v2.samples import make_answer, make_gold
from tests.contracts.legal_rag.samples import case_of, evidence_set, fact, gap, judge
from tests.contracts.prompt_task.samples import bundled, cases_of, open_task, score, write_task

QUESTIONS = Path(ragstone.__file__).parent / "data" / "eval_json_v2" / "question_v2.json"

# --- 1 Legal RAG benchmark ---


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("benchmark_type", "fact"),
        ("description", 3),
        ("document", ["a"]),
        ("questions", {}),
        ("questions", []),
        ("evaluation_criteria", []),
    ],
)
def test_1_the_root_has_five_fields(field: str, wrong: JSON) -> None:
    """Each has its type, and the first one of three values."""
    root = {"benchmark_type": "fact_exact", "description": "d", "document": "a.md", "questions": [fact()]}

    assert list(faults(root | {"evaluation_criteria": {}})) == []
    assert [one.pointer for one in faults(root | {field: wrong})] == [f"/{field}"]


@pytest.mark.parametrize(
    ("field", "right", "wrong"),
    [
        ("amount_total", 42000.5, "42000"),
        ("amount_breakdown", [1, {"amount": 2, "for": "x"}], 3),
        ("date", "2020-08-30", "30.8.2020"),
        ("date_range", {"start": "2020-01-01", "end": "2020-02-01"}, "2020"),
        ("count", 3, 3.5),
        ("text_answer", "退款", 1),
        ("boolean_answer", False, "no"),
        ("entity", "李明", ["李明"]),
    ],
)
def test_1_every_expected_field_has_its_type(field: str, right: JSON, wrong: JSON) -> None:
    """The eight fields of a fact."""
    assert list(faults(fact({field: right}), "fact_exact")) == []
    assert [one.pointer for one in faults(fact({field: wrong}), "fact_exact")] == [f"/expected/{field}"]


@pytest.mark.parametrize(
    ("kind", "field", "wrong"),
    [
        ("fact_exact", "numeric_exact", "yes"),
        ("fact_exact", "date_exact", 1),
        ("fact_exact", "citation_required", "no"),
        ("evidence_set", "citation_required", 0),
        ("evidence_set", "evidence_recall_min", 1.1),
        ("evidence_set", "evidence_recall_min", -0.1),
        ("evidence_set", "evidence_precision_min", 2),
        ("evidence_set", "evidence_precision_min", "0.7"),
        ("conflict_gap", "abstention_required", "true"),
        ("conflict_gap", "hallucination_check", True),
        ("conflict_gap", "quote_required", "true"),
    ],
)
def test_1_every_scoring_field_has_its_type_and_range(kind: str, field: str, wrong: JSON) -> None:
    """Switches are booleans, thresholds lie from 0 to 1."""
    question = {"fact_exact": fact, "evidence_set": evidence_set, "conflict_gap": gap}[kind](scoring={field: wrong})

    assert [one.pointer for one in faults(question, kind)] == [f"/scoring/{field}"]


@pytest.mark.parametrize(("field", "wrong"), [("evidence_count_min", 1.5), ("key_points", "甲"), ("key_points", [1])])
def test_1_an_evidence_set_expects_a_count_and_points(field: str, wrong: JSON) -> None:
    """A whole number, and texts."""
    (fault,) = faults(evidence_set(expected={field: wrong}), "evidence_set")

    assert fault.pointer.startswith(f"/expected/{field}")


@pytest.mark.parametrize(
    ("field", "wrong"),
    [
        ("should_abstain", "yes"),
        ("hallucination_penalty", 3),
        ("required_quote", 1),
        ("additional_quotes", "原话"),
        ("evidence_location", "第4页"),
        ("expected_behavior", ["refuse"]),
    ],
)
def test_1_a_gap_has_fields_of_its_own(field: str, wrong: JSON) -> None:
    """Six of them, each with its type."""
    assert [one.pointer for one in faults(gap(**{field: wrong}), "conflict_gap")] == [f"/{field}"]


@pytest.mark.parametrize("field", ["page", "must_include"])
def test_1_evidence_must_name_page_and_words(field: str) -> None:
    """The other three fields may be left out."""
    whole = {"page": 2, "must_include": "42000元", "section": "qa_pair", "speaker": "answer", "is_critical": True}
    bare = {"page": 2, "must_include": "42000元"}
    short = {name: value for name, value in bare.items() if name != field}

    assert list(faults(fact(required_evidence=[whole, bare]), "fact_exact")) == []
    assert [one.pointer for one in faults(fact(required_evidence=[short]), "fact_exact")] == [
        f"/required_evidence/0/{field}"
    ]


def test_1_metadata_become_groups_and_notes_are_kept() -> None:
    """Difficulty, category and tags group the figures; notes stay with the case."""
    told = {"difficulty": "easy", "category": "monetary", "tags": ["金额", "收款"], "notes": "n"}
    case = case_of(fact(metadata=told))

    groups = {"difficulty": ("easy",), "category": ("monetary",), "tags": ("金额", "收款")}
    assert groups.items() <= case.groups.items()
    assert case.extra["metadata"] == {"notes": "n"}


@pytest.mark.parametrize(("right", "cited"), list(product([True, False], repeat=2)))
def test_1_the_score_of_a_fact(right: bool, cited: bool) -> None:
    """exact_match weighs 0.7, citation_correctness 0.3."""
    amount, page = ("42000元" if right else "9元"), (2 if cited else 9)
    answer = {"amount": 42000 if right else 9, "answer": amount, "citations": [{"page": page, "quote": "给了42000元"}]}

    assert judge(fact(), answer).primary_score == pytest.approx(0.7 * right + 0.3 * cited)


@pytest.mark.parametrize(("found", "clean", "placed"), list(product([True, False], repeat=3)))
def test_1_the_score_of_an_evidence_set(found: bool, clean: bool, placed: bool) -> None:
    """0.5 from the recall threshold on, 0.3 from that of precision on, 0.2 for a citation."""
    texts = [(1, "甲签了收条"), (2, "又转账三笔")][: 2 if found else 1] + [(9, "天气很好")] * (0 if clean else 3)
    pieces = [{"text": text, **({"page": page} if placed else {})} for page, text in texts]
    question = evidence_set(scoring={"evidence_recall_min": 0.6, "evidence_precision_min": 0.5})

    card = judge(question, {"answer": "如下。", "evidence": pieces})

    assert card.primary_score == pytest.approx(0.5 * found + 0.3 * clean + 0.2 * placed)


@pytest.mark.parametrize(("declines", "honest", "quoted"), list(product([True, False], repeat=3)))
def test_1_the_score_of_a_gap(declines: bool, honest: bool, quoted: bool) -> None:
    """0.4 for declining, 0.4 for inventing nothing, 0.2 for the quote."""
    said = "材料中没有提到，无法回答。" if declines else "钱用在了装修上。"
    said += "" if honest else "可拨打13800001111询问。"
    quotes = (Citation(None, 4, "具体请了谁吃饭，都忘记了"),) if quoted else ()

    card = judge(gap(), Answer(text=said, citations=quotes))

    parts = [card.sub_scores[name] for name in ("correct_abstention", "no_hallucination", "quote_included")]
    assert parts == [declines, honest, quoted]
    assert card.primary_score == pytest.approx(0.4 * declines + 0.4 * honest + 0.2 * quoted)


def test_1_a_run_asks_the_questions_of_its_type_only(tmp_path: Path) -> None:
    """`question_type` picks them, in Python as on the command line."""
    questions = [fact(), evidence_set(), gap()]
    (tmp_path / "q.json").write_text(json.dumps({"document": "a.md", "questions": questions}), encoding="utf-8")
    asked: list[str] = []

    BenchmarkRunner(tmp_path / "q.json").run_benchmark(asked.append, question_type="evidence_set")

    assert asked == [evidence_set()["question"]]


# --- 2 Key points ---


def test_2_the_rates_are_shares_of_all_cases(write_rows: Any) -> None:
    """Cases that are right over all cases, for both rates; what failed counts."""
    rows = [{"q": f"问{at}？", "gold": [f"要点{at}号"], "doc_hint": [f"d{at}.md"]} for at in range(4)]

    def system(question: str) -> str:
        at = int(question[1])
        if at == 3:
            raise RuntimeError("down")
        return f"要点{at}号，见 d{at or 9}.md" if at < 2 else "不清楚，见 d2.md"

    run = ragstone.evaluate(write_rows("q.jsonl", *rows), system)

    (model,) = run.summary.models.values()
    figures = {name: model.all.metrics[name].mean for name in ("accuracy", "citation")}
    assert figures == {"accuracy": 0.5, "citation": 0.5}


# --- 3 Prompt tasks ---


def test_3_a_row_has_an_id_inputs_and_labels() -> None:
    """The prompt is given the inputs and not the labels."""
    contract = bundled("event_eval")
    case = cases_of(contract)[0]

    prompt = str(request_of(contract, Unit(0, case)).messages)

    assert case.inputs["ticker"] in prompt
    assert not any(name.startswith("gt_") for name in case.inputs)
    assert "gt_" not in prompt


def test_3_lists_of_objects_are_kept_by_list_raw() -> None:
    """`list` makes texts of its items, `list_raw` keeps claims with their evidence."""
    schema = [{"field": "claims", "type": "list_raw", "default": []}]
    metric = {"type": "claim_evidence_overlap", "name": "c", "claims_field": "claims", "label_field": "gt_evidence"}
    write_task(parse_schema=schema, metrics=[metric])

    card = score(open_task({"gt_evidence": ["n1"]}), {"claims": [{"text": "涨", "evidence": ["n1"]}]})

    assert card.sub_scores["c_f1"] == 1.0


def test_3_the_runner_has_the_flags_of_the_document_and_its_users() -> None:
    """The five of the document's command, the two of its dry run, and those of R3.4."""
    known = {flag for action in parser()._actions for flag in action.option_strings}

    wanted = "task workflow dataset models model-registry out mock max-samples concurrency workflow-concurrency"
    wanted += " no-cache resume-run-dir repeats params"
    assert {f"--{name}" for name in wanted.split()} <= known


# --- 4 Eval JSON v2 ---


def _subs(**changes: Any) -> dict[str, float | None]:
    return score_reading(make_gold(), read_answer(make_answer(**changes))).sub_scores


@pytest.mark.parametrize("hits", range(11))
def test_4_eight_keywords_are_full_marks(hits: int) -> None:
    """min(1, hit / 8), at full length."""
    gold = make_gold(original_evidence=" ".join(f"word{at}x" for at in range(10)))
    said = " ".join(f"word{at}x" for at in range(hits)).ljust(40, ".")

    card = score_reading(gold, read_answer(make_answer(original_evidence=said)))

    assert card.sub_scores["original_evidence"] == pytest.approx(min(1, hits / 8))


@pytest.mark.parametrize("length", [0, 10, 39, 40, 41, 400])
def test_4_short_evidence_is_worth_its_length_over_forty(length: int) -> None:
    """len / 40 below forty characters, nothing lost from there on."""
    gold = make_gold(original_evidence="alpha")
    said = "alpha".ljust(length, ".")[:length]

    card = score_reading(gold, read_answer(make_answer(original_evidence=said)))

    assert card.sub_scores["original_evidence"] == pytest.approx((1 / 8) * min(1, length / 40) * (length >= 5))


@pytest.mark.parametrize(
    ("field", "metric", "most"),
    [
        ("detailed_description", "detailed_description_f1", 12),
        ("predicted_questions", "predicted_questions_f1", 10),
    ],
)
def test_4_padding_beyond_the_limit_neither_helps_nor_hurts(field: str, metric: str, most: int) -> None:
    """Only the first 12 descriptions and 10 questions are compared."""
    wanted = [f"第{at}條完全不同的內容{chr(0x4E00 + 37 * at)}" for at in range(most + 1)]
    gold, right = make_gold(**{field: wanted[:most]}), wanted[:most]
    tries: list[dict[str, Any]] = [{field: right}, {field: [*right, "無關"]}, {field: ["無關的"] * most + right}]

    scores = [score_reading(gold, read_answer(make_answer(**given))).sub_scores[metric] for given in tries]

    assert scores == [1.0, 1.0, 0.0]


@pytest.mark.parametrize(
    ("refs", "share"),
    [
        ([("loans.md", ["續借"])], 1.0),
        ([("loans.md", ["沒有這句話"])], 0.0),
        ([("loans.md", ["沒有這句話", "續借"])], 1.0),
        ([("other.md", ["續借"])], 0.0),
        ([("LOANS.MD", ["續借"])], 0.0),
        ([("loans.md", [])], 0.0),
        ([("loans.md", ["續借"]), ("other.md", ["續借"])], 0.5),
        ([], 0.0),
    ],
)
def test_4_grounding_is_the_share_of_references_that_hold(refs: list[tuple[str, list[str]]], share: float) -> None:
    """The file among the retrieved ones, strictly, and one anchor in the retrieved text."""
    entries = [{"refs": [{"file": file, "anchors": anchors} for file, anchors in refs]}] if refs else []

    assert _subs(source_map=entries)["grounding"] == share


def test_4_anchors_are_looked_for_in_all_contexts_together() -> None:
    """The text of the chunks as one: an anchor may stand in another document's chunk."""
    entries = [{"refs": [{"file": "loans.md", "anchors": ["每日開放"]}]}]

    assert _subs(source_map=entries)["grounding"] == 1.0


def test_4_a_report_names_all_that_makes_it_repeatable() -> None:
    """Section 6's six names are in run_meta.json and in both reports, filled by whoever knows them."""
    told: dict[str, JSON] = {"index_version": "kb7", "adapter_id": "lora3", "base_model": "qwen7b"}
    run = ragstone.evaluate(QUESTIONS, lambda question: "{}", system_options=told, max_samples=1)

    meta = json.loads((run.folder / "run_meta.json").read_bytes())
    report = (run.folder / "report.md").read_text(encoding="utf-8").replace("\\", "")

    names = ("prompt_sha256", "prompt_version", "index_version", "model_id", "adapter_id", "eval_set_version")
    assert all(f"| {name} | {meta[name]} |" in report for name in names)
    assert meta["model_id"] == "qwen7b"
    assert meta["eval_set_version"] == f"{QUESTIONS.stem}@{meta['dataset_sha256'][:12]}"


def test_4_the_documents_names_stand_in_every_file() -> None:
    """`eval_score_avg` and `schema_pass_rate`: summary.csv, report.md, report.html, and a gate understands them."""
    run = ragstone.evaluate(QUESTIONS, mock=True, max_samples=2)

    with (run.folder / "summary.csv").open(encoding="utf-8-sig", newline="") as file:
        (row,) = csv.DictReader(file)
    assert (float(row["eval_score_avg"]), float(row["schema_pass_rate"])) == (100.0, 1.0)
    for name in ("report.md", "report.html"):
        text = (run.folder / name).read_text(encoding="utf-8").replace("\\", "")
        assert "eval_score_avg" in text
        assert "schema_pass_rate" in text


@pytest.mark.parametrize(("figure", "limit"), [("eval_score_avg", 95), ("schema_pass_rate", 0.98)])
def test_4_the_gate_has_the_documents_limits(figure: str, limit: float) -> None:
    """By the document's names; a run is judged by them without being told."""
    run = ragstone.evaluate(QUESTIONS, mock=True, max_samples=2)

    gated = judge_run(RunFolder.open(run.folder), make_gate(GateFile(), EvalJsonV2.gate_rules))

    assert f"{figure} >= {limit:g}" in {ruling.rule for ruling in gated.verdict.rulings}


def test_4_retrieved_text_decides_and_not_the_gold() -> None:
    """An answer that copies the expected sources without having retrieved them is not grounded."""
    answer = make_answer()
    elsewhere = Answer(text=answer.text, contexts=(Context("other.md", 1, "別的"),))

    assert score_reading(make_gold(), read_answer(elsewhere)).sub_scores["grounding"] == 0.0
