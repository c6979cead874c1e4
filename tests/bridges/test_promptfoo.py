"""promptfoo evaluations: a model a provider, a case a test, errors apart from failures."""

from pathlib import Path

import pytest

from ragstone.bridges.import_run import import_run
from ragstone.bridges.promptfoo import read
from ragstone.core.errors import DatasetError
from tests.bridges.samples import SAMPLES, bring, figures, load, results, save

FICTION = "openai:chat:fiction"


def test_each_provider_is_a_model() -> None:
    """Seven tests, two providers, in the order of the columns."""
    done = bring("promptfoo/out.json")

    blocks = {name: model.all for name, model in done.summary.models.items()}

    assert list(blocks) == [FICTION, "echo"]
    assert (blocks[FICTION].cases, blocks[FICTION].errored, blocks[FICTION].passed) == (7, 1, 1)
    assert (blocks["echo"].errored, blocks["echo"].passed) == (0, 0)


def test_an_errored_test_keeps_its_place_in_the_denominator() -> None:
    """promptfoo's mean is over 6 tests, ours over 7; both are shown."""
    done = bring("promptfoo/out.json")

    assert figures(done, FICTION)["holds_reference"].mean == pytest.approx(3 / 7)
    assert done.means[f"{FICTION}, holds reference"] == "0.5 (of 6)"
    row = results(done, FICTION)["Q6"]
    assert row.error_type == "exception"
    assert "500" in (row.error_message or "")


def test_score_verdict_tokens_and_time_are_taken_over() -> None:
    """What the file knows of an answer is kept."""
    row = results(bring("promptfoo/out.json"), FICTION)["Q3"]

    assert row.scorecard.primary_score == 0.7
    assert row.scorecard.passed
    assert row.usage is not None
    assert row.latency_ms is not None
    assert row.question == "Which town hosts the Lantern Fair?"


def test_repeats_of_one_test_are_repeats() -> None:
    """The same test and prompt twice is a second answer, not a second case."""
    whole = load("promptfoo/out.json")
    inner = whole["results"]["results"]  # type: ignore[index]
    done = import_run(save(whole | {"results": {"results": inner + inner}}), out=Path("runs/x"))

    assert done.summary.finished == 28
    assert done.folder.read("config.json")["repeats"] == 2


def test_repeat_numbers_every_asking_as_a_test() -> None:
    """With --repeat 2 the tool counts 0, 1 for the first test, 2, 3 for the second, and notes the 2."""
    whole = load("promptfoo/out.json")
    rows = whole["results"]["results"]  # type: ignore[index]
    twice = [row | {"testIdx": row["testIdx"] * 2 + n} for row in rows for n in range(2)]
    changed = whole | {"results": {"results": twice}, "runtimeOptions": {"repeat": 2}}

    records = read(save(changed)).records

    assert {record.key for record in records} == {str(n) for n in range(7)}
    assert {record.repeat for record in records} == {0, 1}
    assert len({record.key for record in read(save(whole | {"runtimeOptions": {"repeat": 2}})).records}) == 7


def test_one_provider_with_two_prompts_is_two_models() -> None:
    """The prompt tells them apart."""
    whole = load("promptfoo/out.json")
    rows = whole["results"]["results"]  # type: ignore[index]
    for row in rows:
        row["provider"] = "same"
        row["prompt"]["label"] = f"prompt {row['promptIdx']}"

    assert read(save(whole)).models == ("same · prompt 0", "same · prompt 1")


def test_a_reference_is_found_in_an_assertion() -> None:
    """Without a variable of that name, what an answer should equal is the reference; the prompt is the question."""
    row = {
        "testIdx": 0,
        "promptIdx": 0,
        "provider": {"id": "p"},
        "prompt": {"raw": "Say hello"},
        "vars": {"x": 1},
        "success": True,
        "score": 1,
        "response": {"output": {"said": "hello"}},
        "gradingResult": {"componentResults": [{"score": 1, "assertion": {"type": "equals", "value": "hello"}}]},
    }
    record = read(save({"results": {"results": [row]}})).records[0]

    assert (record.question, record.references) == ("Say hello", ("hello",))
    assert record.answer.text == '{"said":"hello"}'


def test_rows_that_are_no_objects_are_refused() -> None:
    """Half a file is not imported as a whole one."""
    with pytest.raises(DatasetError) as error:
        read(save({"results": {"results": [1]}}))

    assert error.value.code == "import.shape"


def test_the_file_lists_the_answers_out_of_order() -> None:
    """The sample proves it: promptfoo writes tests as they finish."""
    order = [(row["testIdx"], row["promptIdx"]) for row in load("promptfoo/out.json")["results"]["results"]]  # type: ignore[index]

    assert [record.key for record in read(SAMPLES / "promptfoo/out.json").records] == [str(n // 2) for n in range(14)]
    assert len(order) == 14
