"""Labels: kept line by line, following the answer, decided by those who agree."""

from pathlib import Path

import pytest
from msgspec import structs

from ragstone.core.errors import SettingError
from ragstone.judging.label_file import LabelFile, append_labels, encode_labels, read_labels
from ragstone.judging.labels import Label, Labels, agreement, hash_of, key_of

ONE = Label(case="Q1", point="七天内可退", answer=hash_of("七天内可以退货。"), verdict="stated", reviewer="lin")


def test_labels_come_back_as_they_were_written(tmp_path: Path) -> None:
    """What is appended is read again, also behind a line that a crash cut short."""
    path = tmp_path / "labels.jsonl"
    append_labels(path, [ONE])
    with path.open("ab") as file:
        file.write(b'{"case": "Q2", "poi')
    other = structs.replace(ONE, case="Q3", probability=0.1)

    append_labels(path, [other])

    assert read_labels(path) == [ONE, other]


def test_a_line_cut_short_is_left_out(tmp_path: Path) -> None:
    """Nobody was told that it is kept."""
    path = tmp_path / "labels.jsonl"
    append_labels(path, [ONE])
    path.write_bytes(path.read_bytes() + b'{"case":')

    assert read_labels(path) == [ONE]


@pytest.mark.parametrize("line", ["nonsense", '{"case": "Q1"}', '{"case": "Q1", "answer": "x", "verdict": "maybe"}'])
def test_what_is_no_label_is_named(tmp_path: Path, line: str) -> None:
    """The file, the line and what a label looks like."""
    path = tmp_path / "labels.jsonl"
    path.write_text(f"{line}\n{line}\n", encoding="utf-8")

    with pytest.raises(SettingError, match=r"labels\.jsonl:1.*verdict"):
        read_labels(path)


def test_a_table_is_read_by_its_columns(tmp_path: Path) -> None:
    """A spreadsheet with the answer's text, a byte-order mark and words for yes and no."""
    path = tmp_path / "labels.csv"
    path.write_text(
        "\ufeffcase,point,answer_text,verdict,reviewer\nQ1,七天内可退,七天内可以退货。,是,lin\n", encoding="utf-8"
    )

    assert read_labels(path) == [structs.replace(ONE, answer_text="七天内可以退货。")]


def test_the_same_reviewer_may_think_again() -> None:
    """The later word counts; a withdrawn one counts no more."""
    no, gone = structs.replace(ONE, verdict="absent"), structs.replace(ONE, verdict="withdrawn")

    assert Labels([ONE, no]).decided(key_of(ONE)) is False
    assert Labels([ONE, gone]).decided(key_of(ONE)) is None
    assert len(Labels([ONE, gone])) == 0


def test_reviewers_who_disagree_decide_nothing() -> None:
    """Until somebody settles it; unsure takes no side."""
    no = structs.replace(ONE, verdict="denied", reviewer="wang")
    unsure = structs.replace(ONE, verdict="unsure", reviewer="zhao")
    last = structs.replace(ONE, reviewer="chen", settles=True)

    assert Labels([ONE, no]).decided(key_of(ONE)) is None
    assert Labels([ONE, no]).disagreements() == [key_of(ONE)]
    assert Labels([ONE, no, last]).decided(key_of(ONE)) is True
    assert Labels([ONE, unsure]).decided(key_of(ONE)) is True


def test_a_label_is_for_one_answer() -> None:
    """Another answer to the same case has none."""
    assert Labels([ONE]).decided(key_of(ONE)._replace(answer=hash_of("不能退货。"))) is None


def test_agreement_is_beyond_chance() -> None:
    """Cohen's own: 35 of 50 alike with even chances are 0.4 beyond chance."""
    pairs = [(True, True)] * 20 + [(True, False)] * 5 + [(False, True)] * 10 + [(False, False)] * 15

    assert agreement(pairs).kappa == pytest.approx(0.4)
    assert agreement([(True, None)]).n == 0
    assert agreement([(True, True)]).kappa is None


def test_only_what_two_people_labelled_tells_agreement() -> None:
    """One label alone agrees with nobody."""
    same = structs.replace(ONE, reviewer="wang")

    assert Labels([ONE]).agreement().n == 0
    assert Labels([ONE, same]).agreement().share == 1.0


HOSTILE = structs.replace(
    ONE,
    case="=cmd|' /C calc'!A0",
    point='\'-1\nsecond line, "quoted"',
    comment="@SUM(A1)",
    quote=(3, 9),
    seconds=2.5,
    blind=True,
    probability=0.25,
    round=1,
    gold="+七天",
    synonyms=("退货", "寄回"),
    run="one",
    at="2026-01-01T00:00:00Z",
)


@pytest.mark.parametrize("ending", [".csv", ".jsonl", ".xlsx"])
def test_every_format_holds_every_field(tmp_path: Path, ending: str) -> None:
    """What is written comes back as it was, also what a spreadsheet would compute."""
    path = tmp_path / f"labels{ending}"
    path.write_bytes(encode_labels([ONE, HOSTILE], ending))

    assert read_labels(path) == [ONE, HOSTILE]


def test_no_cell_of_a_table_is_a_formula(tmp_path: Path) -> None:
    """A spreadsheet that opens an export computes nothing."""
    table = encode_labels([HOSTILE], ".csv")

    assert table.startswith(b"\xef\xbb\xbf")
    assert not [cell for cell in table.decode("utf-8-sig").split(",") if cell.startswith(("=", "+", "@", '"='))]


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    """One changed letter is seen, wherever it stands."""
    path = tmp_path / "labels.jsonl"
    append_labels(path, [ONE, HOSTILE])
    path.write_bytes(path.read_bytes().replace(b'"stated"', b'"absent"', 1))

    with pytest.raises(SettingError, match=r"labels\.jsonl:1.*checksum"):
        read_labels(path)


def test_a_file_is_read_on_where_others_append(tmp_path: Path) -> None:
    """Half a line waits for its end; a file that became shorter is looked at anew."""
    path = tmp_path / "labels.jsonl"
    kept = LabelFile(path)
    assert kept.fresh() == []
    append_labels(path, [ONE])
    with path.open("ab") as file:
        file.write(b'{"case":')
    assert kept.fresh() == [ONE]
    kept.append([HOSTILE])

    assert kept.fresh() == [HOSTILE]
    path.write_bytes(b"")
    assert kept.fresh() is None
    assert kept.fresh() == []


def test_a_last_line_of_any_length_is_made_whole(tmp_path: Path) -> None:
    """A long line that a crash cut short goes; one that only lacks its end stays."""
    path = tmp_path / "labels.jsonl"
    long = structs.replace(ONE, comment="x" * 200_000)
    append_labels(path, [long])
    path.write_bytes(path.read_bytes()[:-1])
    append_labels(path, [ONE])
    assert read_labels(path) == [long, ONE]
    path.write_bytes(path.read_bytes() + path.read_bytes()[:150_000])

    append_labels(path, [HOSTILE])

    assert read_labels(path) == [long, ONE, HOSTILE]


def test_a_lone_surrogate_is_kept(tmp_path: Path) -> None:
    """A point may hold what is no UTF-8."""
    path = tmp_path / "labels.jsonl"
    odd = structs.replace(ONE, point="\ud800 七天")
    append_labels(path, [odd])

    assert read_labels(path) == [odd]


_HEADERS = [
    "编号,陈述,回答,判定,标注人",
    "編號,陳述,回答原文,判定,標註人",
    "用例,要点,答案,结论,评审",
    "case,要点,answer_text,verdict,reviewer",
]


@pytest.mark.parametrize("header", _HEADERS)
@pytest.mark.parametrize(
    ("word", "verdict"),
    [
        *((word, "stated") for word in ("陈述", "陳述", "已陈述", "提及", "√", "是。")),
        *((word, "absent") for word in ("未提及", "没有提到", "沒有提到", "×", "不符合")),
        *((word, "denied") for word in ("否认", "否認", "相反")),
        *((word, "unsure") for word in ("不确定", "待定", "")),
    ],
)
def test_a_table_may_be_in_chinese(tmp_path: Path, header: str, word: str, verdict: str) -> None:
    """Its headers and its words, Simplified or Traditional."""
    path = tmp_path / "labels.csv"
    path.write_text(f"\ufeff{header}\nQ1,七天内可退,七天内可以退货。,{word},lin\n", encoding="utf-8")

    (found,) = read_labels(path)

    assert (found.case, found.point, found.answer_text) == ("Q1", "七天内可退", "七天内可以退货。")
    assert (found.verdict, found.reviewer) == (verdict, "lin")


def test_several_values_stand_in_chinese_columns_too(tmp_path: Path) -> None:
    """What is a number or a list is one under its other name."""
    path = tmp_path / "labels.csv"
    path.write_text("编号,答案,判定,引文,概率,种类\nQ1,是的,是,0 - 2,0.5,要求\n", encoding="utf-8")

    (found,) = read_labels(path)

    assert (found.quote, found.probability, found.kind) == ((0, 2), 0.5, "meets")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"answer": "x", "verdict": "yes"}', ("it lacks 'case'", "缺少 'case'")),
        ('{"verdict": "yes"}', ("it lacks 'case', 'answer'", "缺少 'case'、'answer'")),
        ('{"case": "Q1", "answer": "x", "verdict": "maybe"}', ("verdict is 'maybe', not", "verdict 为 'maybe'，应为")),
        (
            '{"case": "Q1", "answer": "x", "verdict": "yes", "kind": "tone"}',
            ("kind is 'tone', not", "kind 为 'tone'，应为"),
        ),
    ],
)
def test_what_a_label_lacks_is_said_in_the_users_language(tmp_path: Path, line: str, told: tuple[str, str]) -> None:
    """No words of a library."""
    path = tmp_path / "labels.jsonl"
    path.write_text(f"{line}\n", encoding="utf-8")
    with pytest.raises(SettingError) as refused:
        read_labels(path)

    assert told[0] in refused.value.say("en")
    assert told[1] in refused.value.say("zh-Hans")
    assert "Object" not in refused.value.say("zh-Hans")
