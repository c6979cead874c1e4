"""ROUGE: item by item against google's rouge-score, our own rows, and speed."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from perf.careful_reader.row import Row, records, share, speed
from ragstone.text.rouge import Rouge, rouge, rouge_l, rouge_n
from ragstone.text.similar import Prepared, prepare, similar
from ragstone.text.tokens import tokens

T8 = "careful_reading/t8_rouge.jsonl"
OWN = Path(__file__).parents[2] / "tests/data/rouge.jsonl"


def _near(one: Rouge, other: list[float]) -> bool:
    return all(abs(left - right) < 1e-9 for left, right in zip(one, other, strict=True))


def _equal(row: dict[str, Any], stem: bool) -> bool:
    reference, prediction = row["references"][0], row["prediction"]
    expected = row["expected"]["stem" if stem else "nostem"]
    scores = rouge(reference, prediction, stem=stem)
    return (
        _near(scores.rouge1, expected["rouge1"])
        and _near(scores.rouge2, expected["rouge2"])
        and _near(scores.rouge_l, expected["rougeL"])
    )


def _mtrag(row: dict[str, Any]) -> bool:
    got = rouge(row["references"][0], row["prediction"]).rouge_l.f
    return bool(abs(got - row["expected"]["rouge_l_f_google_nostem"]) < 1e-9)


def _as_cut(row: dict[str, Any]) -> bool:
    """What users get: google splits 2.5 and naïve, so a few Latin labels differ."""
    scores = rouge(row["ref"], row["hyp"])
    found = (scores.rouge1.f, scores.rouge2.f, scores.rouge_l.f)
    return all(abs(one - other) < 1e-5 for one, other in zip(found, row["expect"].values(), strict=True))


def _characters(row: dict[str, Any]) -> bool:
    """The labels of this set are over our tokens for Latin text too."""
    wanted, got = tokens(row["ref"]), tokens(row["hyp"])
    found = (rouge_n(wanted, got, 1).f, rouge_n(wanted, got, 2).f, rouge_l(wanted, got).f)
    return all(abs(one - other) < 1e-5 for one, other in zip(found, row["expect"].values(), strict=True))


def rows(data: Path) -> Iterator[Row]:
    """Equal items, and pairs a second."""
    own = [abs(rouge(row["ref"], row["hyp"]).rouge_l.f - row["rougeL"]) < 1e-6 for row in records(OWN)]
    yield share("rouge", "own pairs", own, 1.0)
    google = [*records(data / "official_parity/google_rouge_en.jsonl")]
    yield share("rouge", "google_rouge_en, plain", [_equal(row, False) for row in google], 1.0)
    yield share("rouge", "google_rouge_en, stemmed", [_equal(row, True) for row in google], 1.0)
    yield share("rouge", "mtrag_rouge_en", [*map(_mtrag, records(data / "official_parity/mtrag_rouge_en.jsonl"))], 1.0)
    t8 = [*map(_characters, records(data / T8))]
    yield share("rouge", "t8_rouge over our tokens", t8, 1.0)
    yield share("rouge", "t8_rouge, Latin as google cuts", [*map(_as_cut, records(data / T8))], 0.9)
    pairs = [(row["ref"], row["hyp"]) for row in records(OWN)]
    yield speed("rouge", "own pairs", lambda pair: rouge(*pair), pairs, 10_000)
    news = [*records(data / "official_parity/uhgeval_rouge_zh.jsonl")]
    long = [(row["references"][0][:200], row["prediction"][:200]) for row in news]
    yield speed("rouge", "news, up to 200 characters", lambda pair: rouge(*pair), long, 5000)
    passages = [row["references"][0][: 30 + at * 7 % 31] for at, row in enumerate(news)]
    expected = [prepare(passage) for passage in passages[:8]]
    yield speed("similar", "8 x 1 of 30-60 characters", lambda text: _matches(expected, text), passages, 10_000)


def _matches(expected: list[Prepared], text: str) -> int:
    got = prepare(text)
    return sum(similar(one, got) for one in expected)
