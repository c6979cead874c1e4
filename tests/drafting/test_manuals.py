"""Real technical English: manual pages, READMEs and references, where most sentences hang on what stands around."""

from time import process_time

import pytest

from ragstone.documents.page import Page
from ragstone.drafting.corpus import Paper
from ragstone.drafting.find import Found, find
from ragstone.drafting.proof import holds

PAGE = """TIDELOG(1)                       User Commands                      TIDELOG(1)

NAME
       tidelog - record the level of the water at a pier

SYNOPSIS
       tidelog [-a] [--pier=NAME] FILE

DESCRIPTION
       The value is kept for 30 days. It must be a number.

OPTIONS
       -a, --append
              Add new readings at the end of the file.

       --sort-readings
              Sort readings.

       --metres  Print heights in metres

       --no-colour
              Use colours on a terminal.

       --colour
              Use colours on a terminal. The default is `auto'.

       --old  Do the same as --append.

       --help Display a help text and exit.

EXAMPLES
       --pier Show everything that was recorded at one pier
"""


def _found(text: str, name: str = "a.txt") -> dict[str, str]:
    paper = Paper(name, "0" * 64, (Page(1, text),))
    found = [one.draft for one in find(paper) if isinstance(one, Found) and one.draft.kind != "section"]
    assert all(holds(paper, point.place) for draft in found for point in draft.points)
    assert all(point.text in point.place.quote for draft in found for point in draft.points)
    return {draft.question: draft.points[0].text for draft in found}


def test_a_manual_page_is_asked_for_its_command_and_its_options() -> None:
    """What a name tells itself, points elsewhere, is shared with an opposite or stands in an example is not asked."""
    assert _found(PAGE) == {
        "What is the command “tidelog” for?": "record the level of the water at a pier",
        "What does the option “--append” of the command “tidelog” do?": "Add new readings at the end of the file",
        "What does the option “--metres” of the command “tidelog” do?": "Print heights in metres",
        "What does the option “--colour” of the command “tidelog” do?": "Use colours on a terminal",
    }


def test_what_is_no_command_is_summed_up() -> None:
    """A file, a module or a notion is for nothing; its page has one line about it."""
    text = PAGE.replace("(1)", "(5)").replace("record the level of the water at a pier", "format of tide records")

    assert "How does its manual page sum up “tidelog”?" in _found(text)
    assert not any("tidelog” for" in question or "sum up" in question for question in _found(PAGE.replace(" - ", " ")))


README = "# [Marrow](https://example.invalid)\n\nRun `marrow`, then look at Marrow."


@pytest.mark.parametrize(
    ("said", "question"),
    [
        ("**Marrow** is a small job queue for one machine.", "What is Marrow?"),
        ("Marrow keeps finished jobs for 30 days.", "For how long does Marrow keep finished jobs?"),
        ("The maximum allowed value is 30 seconds.", ""),
        ("The token must be unique.", ""),
        ("The Marrow server must be reachable.", "Does the Marrow server have to be reachable?"),
        ("keeps finished Marrow jobs for 30 days", ""),
        ("Some Marrow jobs are kept for 30 days.", ""),
    ],
)
def test_software_is_asked_only_about_what_is_named(said: str, question: str) -> None:
    """A value, a token, a setting: only the paragraph tells of what."""
    asked = _found(f"{README}\n\n## Use\n\n{said}\n", "a.md")

    assert set(asked) - {question} == set()
    assert (question in asked) is bool(question)


@pytest.mark.parametrize(
    ("column", "cell", "asked"),
    [
        ("Overall", "69.0%", False),
        ("Error rate", "69.0%", True),
        ("Required", "Always", False),
        ("Used for", "Recording", False),
        ("Category", "✅ Supported", False),
        ("Category", "Question Answering", True),
    ],
)
def test_cells_that_a_question_can_name(column: str, cell: str, asked: bool) -> None:
    """Scores, marks and columns that are no nouns tell nothing without their table."""
    table = f"| Task | {column} |\n|---|---|\n| QuillQA | {cell} |"

    assert bool(_found(f"# Quill tests manual\n\n{table}\n", "a.md")) is asked


def test_tables_with_one_header_are_told_apart_by_their_sections_only() -> None:
    """So none of their rows is asked for."""
    table = "| Task | Category |\n|---|---|\n| {} | Question Answering |\n"
    text = f"# Quill tests manual\n\n## One\n\n{table.format('QuillQA')}\n## Two\n\n{table.format('QuillNLI')}"

    assert _found(text, "a.md") == {}


def test_another_language_in_latin_letters_is_not_asked_in_english() -> None:
    """Small words tell English from Spanish; a short text is given the benefit of the doubt."""
    spanish = "El registro se guarda durante 30 días y luego se borra de todos los discos. " * 20

    assert _found(f"# Registro\n\n{spanish}\n## ¿Qué es Registro?\n\nUna herramienta.\n", "a.md") == {}


def test_a_comment_in_code_is_no_title() -> None:
    """Nor is an indented line; an underlined one is."""
    text = "Marrow\n======\n\nMarrow is a small job queue for one machine.\n\n    # Repeat\n"
    paper = Paper("a.txt", "0" * 64, (Page(1, text),))

    assert paper.title == "Marrow"
    assert _found(text) == {"What is Marrow?": "a small job queue for one machine"}


@pytest.mark.parametrize(
    "noise", ["*" * 900, "[" * 20_000 + "]" * 20_000, "# " + "[" * 20_000 + "]" * 20_000, "  -a" * 5_000]
)
def test_marks_without_end_cost_no_time(noise: str) -> None:
    """Each is read in less than a processor second."""
    began = process_time()
    _found(f"# Marrow\n\n{noise}\n\n{noise} is a.\n\nRun `marrow`.\n", "a.md")

    assert process_time() - began < 1
