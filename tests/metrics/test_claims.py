"""Tests of evidence overlap and verifiability."""

from typing import Any

import pytest

from ragstone.metrics.claims import claim_overlap, source_texts, verifiability

NEWS = [{"id": "n1", "title": "营收同比增长两成"}, {"id": "n2", "title": "工厂停产"}]


@pytest.mark.parametrize(
    ("claims", "label", "expected"),
    [
        ([{"text": "a", "evidence": ["n1"]}, {"text": "b", "evidence": ["n2"]}], ["n1", "n2"], (1.0, 1.0, 1.0, 1.0)),
        ([{"evidence": ["n1", "n3"]}], ["n1", "n2"], (0.5, 0.5, 0.5, 1.0)),
        ([{"evidence": ["n3"]}, {"evidence": "N1"}], ["n1"], (0.5, 1.0, 2 / 3, 0.5)),
        ([{"evidence": [{"id": "n1"}]}], ["n1"], (1.0, 1.0, 1.0, 1.0)),
        (["n1"], ["n1"], (1.0, 1.0, 1.0, 1.0)),
        ([{"evidence": ["n1"]}, {"evidence": []}], ["n1"], (1.0, 1.0, 1.0, 0.5)),
        ([{"evidence": [True]}], [1], (0.0, 0.0, 0.0, 0.0)),
        ([{"evidence": [{"id": "n1"}]}, {"evidence": ["n1"]}], ["n1", "n1"], (1.0, 1.0, 1.0, 1.0)),
        ([], [], (1.0, 1.0, 1.0, 1.0)),
        ([], ["n1"], (0.0, 0.0, 0.0, 0.0)),
        ("n1", "n1", (1.0, 1.0, 1.0, 1.0)),
        ([{"evidence": None}, 3, None], ["n1"], (0.0, 0.0, 0.0, 0.0)),
    ],
)
def test_claim_overlap(claims: Any, label: Any, expected: tuple[float, ...]) -> None:
    """Precision, recall and F1 of all evidence named, and the share of claims that name a labelled one."""
    found = claim_overlap(claims, label)

    assert (*found.overlap[:3], found.support) == pytest.approx(expected)


def test_verifiability_looks_evidence_up() -> None:
    """A claim counts when its evidence is there, and is sufficient when the evidence says it."""
    claims = [
        {"text": "营收增长两成", "evidence": ["n1"]},
        {"text": "公司将被收购", "evidence": ["n2"]},
        {"text": "营收增长", "evidence": ["n9"]},
    ]

    assert tuple(verifiability(claims, source_texts(NEWS))) == pytest.approx((2 / 3, 1 / 3))


def test_sources_may_be_names_only() -> None:
    """Without texts sufficiency does not apply."""
    assert tuple(verifiability([{"evidence": ["n1"]}], source_texts(["n1", 2]))) == (1.0, None)
    assert verifiability([], source_texts(["n1"])).verifiable == 0.0
    assert source_texts({"n1": "文本"}) == {"n1": "文本"}
    assert source_texts(None) == {}
