"""Tests of the contract as `ragstone.api` sees it."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from ragstone.contracts.eval_json_v2.contract import EvalJsonV2
from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Contract, ContractType, Source
from ragstone.core.types import Answer, Case, Reading, Scorecard
from tests.conftest import Cli

from .samples import PERFECT, SOURCE_MAP, make_answer

ROW = {"question": "圖書可以續借幾次？", "expected": {"answer_example": PERFECT, "source_map": SOURCE_MAP}}
OLDER = {"question": "幾次？", "expected": {"must_include": ["兩次"], "keywords": []}}


def _open(folder: Path, *rows: object, **options: Any) -> EvalJsonV2:
    path = folder / "question_v2.json"
    path.write_text(json.dumps(rows or [ROW], ensure_ascii=False), encoding="utf-8")
    return EvalJsonV2(Source(path=path, options=options))


def _judge(contract: EvalJsonV2, answer: Answer) -> tuple[Reading, Scorecard]:
    [case] = contract.load()
    assert isinstance(case, Case)
    reading = contract.read(case, answer)
    return reading, contract.score(case, reading)


def test_fits_the_interface(tmp_path: Path) -> None:
    """The class and its objects are what Ragstone expects of a contract."""
    kind: ContractType = EvalJsonV2
    contract: Contract = _open(tmp_path)

    assert isinstance(kind, ContractType)
    assert isinstance(contract, Contract)


@pytest.mark.parametrize(
    ("first", "own"),
    [
        (ROW, True),
        (OLDER, True),
        ({"q": "?", "gold": []}, False),
        ({"question": "?", "expected": {"amount": 1}}, False),
        ({"question": "?", "expected": 5}, False),
        ([], False),
        (None, False),
    ],
)
def test_recognises_its_own(first: object, own: bool) -> None:
    """A first row with a question and one of the two forms of expectation is this contract's."""
    assert EvalJsonV2.recognises(Source(path=Path("x.json"), first=first)) is own


@pytest.mark.parametrize(
    ("text", "own"),
    [
        (json.dumps([ROW]), True),
        ("\ufeff\n [ " + json.dumps(ROW), True),
        (json.dumps(ROW), False),
        ("[", False),
        ("[1, 2]", False),
        ('[{"q"', False),
        ("[" * 5000, False),
    ],
)
def test_recognises_a_file(tmp_path: Path, text: str, own: bool) -> None:
    """A file whose first row was not read for it is looked into."""
    path = tmp_path / "set.json"
    path.write_text(text, encoding="utf-8")

    assert EvalJsonV2.recognises(Source(path=path)) is own


def test_perfect_and_silent(tmp_path: Path) -> None:
    """The model answer scores 1 in everything, silence scores 0."""
    contract = _open(tmp_path)
    [case] = contract.load()
    assert isinstance(case, Case)

    _, card = _judge(contract, contract.model_answer(case))
    _, silent = _judge(contract, Answer(text=""))

    assert (card.primary_score, card.passed) == (1.0, True)
    assert all(card.sub_scores[spec.name] == (100.0 if spec.kind == "points" else 1.0) for spec in contract.metrics)
    assert (silent.primary_score, silent.passed) == (0.0, False)
    assert all(not silent.sub_scores[spec.name] for spec in contract.metrics)


def test_case_that_was_never_answered(tmp_path: Path) -> None:
    """A reading with nothing in it scores 0 in everything that applies."""
    contract = _open(tmp_path)
    [case] = contract.load()
    assert isinstance(case, Case)

    card = contract.score(case, Reading())

    assert not any(card.sub_scores.values())
    assert card.error_tags == ("empty",)


def test_results_survive_json(tmp_path: Path) -> None:
    """Reading and scorecard come back the same from JSON."""
    for answer in (make_answer(), make_answer(detailed_description=["甲", "圖書每冊可續借一次。"]), Answer(text="x")):
        for value in _judge(_open(tmp_path), answer):
            assert msgspec.json.decode(msgspec.json.encode(value), type=type(value)) == value


def test_r4_4_terms_hold_everything_a_score_depends_on(tmp_path: Path) -> None:
    """R4.4: weights, thresholds and limits are data for the run's metadata, with the prompt's version and hash."""
    terms = _open(tmp_path).terms()

    assert sum(round(100 * weight) for weight in terms["weights"].values()) == 100
    assert terms["bigram_jaccard_min"] == 0.72
    assert terms["gate_thresholds"] == {"eval_score_avg": 95.0, "schema_pass_rate": 0.98}
    assert len(terms["prompt_sha256"]) == 64
    assert msgspec.json.decode(msgspec.json.encode(terms)) == terms


def test_r4_4_options_cannot_loosen_a_threshold(tmp_path: Path) -> None:
    """R4.4: options named like thresholds change no score and no term."""
    strict, loose = _open(tmp_path), _open(tmp_path, bigram_jaccard_min=0.1, weights={"grounding": 1.0})

    answer = make_answer(sub_topic="x", source_map=[])

    assert strict.terms() == loose.terms()
    assert _judge(strict, answer) == _judge(loose, answer)


def test_repair_off_leaves_broken_answers_at_zero(tmp_path: Path) -> None:
    """R4.3: nothing is repaired unless asked for."""
    reading, card = _judge(_open(tmp_path), make_answer("好的：{}"))

    assert (reading.rung, card.primary_score) == ("failed", 0.0)
    assert "repaired_score" not in card.sub_scores


def test_repair_beside_keeps_the_raw_score(tmp_path: Path) -> None:
    """R4.3: with repair beside, the raw score counts and the repaired one stands next to it."""
    contract = _open(tmp_path, repair="beside")

    _, card = _judge(contract, make_answer("好的：{}"))

    assert (card.primary_score, card.sub_scores["schema_ok"]) == (0.0, 0.0)
    assert (card.sub_scores["raw_score"], card.sub_scores["repaired_score"]) == (0.0, 100.0)
    assert {"repaired", "raw:prose"} <= set(card.error_tags)
    assert contract.scorer_version == _open(tmp_path).scorer_version


def test_repair_counted_shows_in_the_scorer_version(tmp_path: Path) -> None:
    """R4.3, R4.4: with repair counted the row says so, and so does the scorer version."""
    contract = _open(tmp_path, repair="count")

    _, card = _judge(contract, make_answer("好的：{}"))

    assert (card.primary_score, card.sub_scores["raw_score"]) == (1.0, 0.0)
    assert "repaired" in {reason.code for reason in card.reasons}
    assert contract.scorer_version.endswith("+repair")


def test_repair_beside_good_answers(tmp_path: Path) -> None:
    """An answer that needs no repair has the same score twice."""
    _, card = _judge(_open(tmp_path, repair=True), make_answer(sub_topic="x"))

    assert card.sub_scores["raw_score"] == card.sub_scores["repaired_score"] == 90.0


def test_unknown_repair_is_refused(tmp_path: Path) -> None:
    """A repair mode that does not exist is an error of the user's."""
    with pytest.raises(SettingError, match="off, beside, count"):
        _open(tmp_path, repair="always")


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        ([ROW], {"grounding", "retrieval_recall"}),
        ([OLDER], {"coverage"}),
        ([ROW, OLDER], {"grounding", "coverage"}),
    ],
)
def test_metrics_follow_the_form(tmp_path: Path, rows: list[object], names: set[str]) -> None:
    """The seven sub-scores belong to ExpectedV2, coverage to the older form; a mixed file has both."""
    specs = {spec.name for spec in _open(tmp_path, *rows).metrics}

    assert names <= specs
    assert ("coverage" in specs) == (OLDER in rows)


def test_request_lists_the_labels_of_the_set(tmp_path: Path) -> None:
    """The prompt offers the labels that the set uses."""
    contract = _open(tmp_path)
    [case] = contract.load()
    assert isinstance(case, Case)

    request = contract.request(case)

    assert "對象標籤：鎮民\n主題標籤：圖書館借閱" in request.messages[1].content
    assert request.id == case.id


def test_a_system_that_only_quotes_is_told_of(cli: Cli) -> None:
    """Every case would score 0 without a word of why."""
    assert cli("new", "eval_json_v2", "mine").returncode == 0

    done = cli("run", "mine/questions.json", "-s", "builtin:mine/documents", "--max-samples", "1", "--lang", "en")

    assert "-O chat=chat:MODEL" in done.stderr
    assert done.stdout.count("the answer is not JSON)") == 1
