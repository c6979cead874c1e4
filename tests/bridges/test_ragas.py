"""Ragas tables: what is a metric, what is missing, and what is refused."""

from pathlib import Path

import pytest

from ragstone.bridges.import_run import import_run
from ragstone.bridges.ragas import read
from ragstone.core.errors import DatasetError
from tests.bridges.samples import SAMPLES, bring, figures, results, save


@pytest.mark.parametrize("name", ["ragas/result.csv", "ragas/result.jsonl"])
def test_scores_are_as_ragas_gave_them(name: str) -> None:
    """The means are those Ragas printed (ORIGIN.md), and the NaN is counted."""
    found = figures(bring(name))

    assert found["exact_match"].mean == 0.0
    assert found["non_llm_string_similarity"].mean == pytest.approx(0.2658459596)
    assert found["rouge_score_mode_fmeasure"].mean == pytest.approx(0.3492063492)
    assert (found["supported"].mean, found["supported"].n, found["supported"].not_applicable) == (5 / 6, 6, 1)


def test_a_nan_costs_its_case() -> None:
    """The case whose judge failed is not dropped: its missing score counts as 0, and it is tagged."""
    done = bring("ragas/result.csv")
    row = results(done)["Q6"]

    assert done.unscored == {"supported": 1}
    assert row.scorecard.sub_scores["supported"] is None
    assert row.scorecard.primary_score == pytest.approx(0.2727272727 / 4)
    assert row.scorecard.error_tags == ("not_scored",)
    assert "ragas" in row.scorecard.explain


def test_contexts_and_empty_answers_are_read() -> None:
    """A list Python printed into a cell is a list; an empty cell is an empty answer."""
    records = read(SAMPLES / "ragas/result.csv").records

    assert [context.text for context in records[0].answer.contexts] == ["星河图书馆规定：借书期限为30天。"]
    assert records[4].answer.text == ""
    assert records[6].question.startswith("=1+1")


def test_older_names_are_known() -> None:
    """Tables of earlier versions say question, answer, contexts, ground_truth."""
    row = {"question": "q", "answer": "a", "contexts": ["c"], "ground_truth": "g", "faithfulness": 0.5, "note": "x"}
    record = read(save([row], "old.json")).records[0]

    assert (record.question, record.answer.text, record.references) == ("q", "a", ("g",))
    assert record.said.scores == {"faithfulness": 0.5}
    assert record.extra == {"note": "x"}


def test_a_metric_that_failed_everywhere_is_still_there() -> None:
    """A column of nothing but NaN is the run's worst news, not no column."""
    Path("r.csv").write_text("user_input,response,faithfulness\nq,a,\nr,b,nan\n", encoding="utf-8")
    done = import_run(Path("r.csv"), out=Path("runs/x"))

    assert figures(done)["faithfulness"].mean is None
    assert figures(done)["faithfulness"].not_applicable == 2
    assert done.summary.models["ragas"].all.primary_score == 0.0


@pytest.mark.parametrize("cell", [False, True])
def test_conversations_give_their_last_turns(cell: bool) -> None:
    """A multi-turn input is a list of messages, in CSV one that Python printed; the table has no response then."""
    turns = [{"type": "human", "content": "一"}, {"type": "human", "content": "三"}, {"type": "ai", "content": "四"}]
    record = read(save([{"user_input": str(turns) if cell else turns, "m": 1}], "turns.json")).records[0]

    assert (record.question, record.answer.text) == ("三", "四")


def test_a_question_that_looks_like_a_list_stays_a_question() -> None:
    """[1, 2] may well be what was asked."""
    record = read(save([{"user_input": "[1, 2]", "response": "[3]", "m": 1}], "list.json")).records[0]

    assert (record.question, record.answer.text) == ("[1, 2]", "[3]")


@pytest.mark.parametrize("word", ["inf", "-Infinity", "NaN", "", "1e999"])
def test_no_odd_number_gets_in(word: str) -> None:
    """NaN and infinities are missing scores."""
    Path("r.csv").write_text(f"user_input,response,m\nq,a,{word}\nq2,a,0.5\n", encoding="utf-8")

    assert read(Path("r.csv")).records[0].said.scores["m"] is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("user_input,response\nq,a\n", "import.no_scores"),
        ("user_input,response,m\nq,a\n", "import.csv"),
        ('user_input,response,m\n"q,a,1\n', "import.csv"),
        ("question,response_time\nq,1\n", "import.unknown"),
        ("", "import.unknown"),
        ("user_input,response,m\n", "import.unknown"),
    ],
)
def test_a_table_that_is_none_is_refused(text: str, code: str) -> None:
    """The error says what is wrong, in words of ours."""
    Path("r.csv").write_text(text, encoding="utf-8")

    with pytest.raises(DatasetError) as error:
        import_run(Path("r.csv"), out=Path("runs/x"))

    assert error.value.code == code


def test_hostile_cells_stay_text() -> None:
    """A cell is never run: what is no plain list stays as it is, however deep."""
    cells = ["[__import__('os').system('x')]", "[" * 5000, "[1, [2", "['ok']"]
    rows = "".join(f'q{n},a,"{cell}",1\n' for n, cell in enumerate(cells))
    Path("r.csv").write_text(f"user_input,response,retrieved_contexts,m\n{rows}", encoding="utf-8")

    found = [record.answer.contexts for record in read(Path("r.csv")).records]

    assert found[0][0].text == cells[0]
    assert found[1][0].text == cells[1]
    assert found[3][0].text == "ok"
