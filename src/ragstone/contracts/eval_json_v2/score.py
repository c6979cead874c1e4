"""A reading into the seven sub-scores and their weighted sum (sections 3 and 4)."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from math import fsum, log2
from typing import NamedTuple

from ragstone.contracts.eval_json_v2.gold import Expected, Keywords, Wanted
from ragstone.contracts.eval_json_v2.terms import (
    COMPARED,
    FIELDS,
    FULL_HITS,
    FULL_LENGTH,
    MAX_ANCHORS,
    MAX_ENTRIES,
    MAX_REFS,
    PASS_SCORE,
    POINTS,
)
from ragstone.core.types import JSON, Context, Reading, Reason, Scorecard
from ragstone.reading.citations.document_names import Documents, name_parts
from ragstone.text.fold import squeeze
from ragstone.text.similar import V2_THRESHOLD, Prepared, prepare, similar
from ragstone.text.tokens import HAN, keywords


class ListScore(NamedTuple):
    """How well a given list covers an expected one."""

    f1: float
    matched_expected: int
    matched_got: int
    items: dict[str, JSON]
    """For each list what its items met; for those that met nothing, the nearest item and how near it was."""


def score_label(expected: Prepared, got: str) -> float:
    """Compare two labels by the rule of 3.1; an empty one matches nothing."""
    plain = "".join(got.split())
    if plain and expected.text and (plain in expected.text or expected.text in plain):
        return 1.0
    return float(similar(expected, prepare(plain)))


def score_list(expected: Sequence[Prepared], got: Sequence[str]) -> ListScore:
    """Compare two lists; empty against empty is 1."""
    if not expected or not got:
        return ListScore(float(not expected and not got), 0, 0, {})
    plain = ["".join(text.split()) for text in got]
    held = [[_holds(item.text, text) for item in expected] for text in plain]
    # Most good answers keep the words: then bigrams have nothing to add, and are not made.
    if all(map(any, held)) and all(map(any, zip(*held, strict=True))):
        return ListScore(1.0, len(expected), len(got), {})
    rows = [_nearness(expected, text, holds) for text, holds in zip(plain, held, strict=True)]
    matched_expected = sum([max(column) >= V2_THRESHOLD for column in zip(*rows, strict=True)])
    matched_got = sum([max(row) >= V2_THRESHOLD for row in rows])
    recall, precision = matched_expected / len(expected), matched_got / len(got)
    f1 = 2 * precision * recall / (precision + recall) if matched_got else 0.0
    return ListScore(f1, matched_expected, matched_got, _diagnose(rows) if f1 < 1 else {})


def _holds(one: str, other: str) -> bool:
    return one in other or other in one if one and other else False


def _nearness(expected: Sequence[Prepared], got: str, held: Sequence[bool]) -> list[float]:
    """Return how near a given item is to each expected one: 1 when one holds the other, else their bigram Jaccard."""
    grams = prepare(got).grams
    size = len(grams)
    nears = []
    for at, (_, wanted) in enumerate(expected):
        if held[at]:
            nears.append(1.0)
        else:
            common = len(grams & wanted)
            nears.append(common / (size + len(wanted) - common) if common else 0.0)
    return nears


def _diagnose(rows: Sequence[Sequence[float]]) -> dict[str, JSON]:
    """Say for each item what it met; numbers are places in the lists, from 0."""
    return {"expected": [_item(column) for column in zip(*rows, strict=True)], "got": [_item(row) for row in rows]}


def _item(nears: Sequence[float]) -> dict[str, JSON]:
    best = max(nears)
    if best >= V2_THRESHOLD:
        return {"met": [at for at, near in enumerate(nears) if near >= V2_THRESHOLD]}
    return {"met": [], "nearest": nears.index(best) if best else None, "similarity": round(best, 4)}


_HAN = re.compile(f"[{HAN}]+")


class EvidenceScore(NamedTuple):
    """Keyword hits and the length of the given evidence."""

    value: float
    hits: int
    length: int


def score_evidence(wanted: Keywords, got: str) -> EvidenceScore:
    """Count the keywords that the given evidence holds, and weigh by its length as it stands."""
    # Two neighbouring Han characters are a bigram of their run wherever they stand, so that `in` is enough for them.
    hits = sum([word in got for word in wanted.han])
    if wanted.latin:
        given = frozenset(keywords(_HAN.sub(" ", got)))
        hits += sum([word in given for word in wanted.latin])
    length = len(got)
    value = min(1.0, hits / FULL_HITS) * (1.0 if length >= FULL_LENGTH else length / FULL_LENGTH)
    return EvidenceScore(value, hits, length)


class CoverageScore(NamedTuple):
    """The share of wanted strings that were found, and those that were not."""

    value: float
    total: int
    missing: list[str]


def score_coverage(wanted: Wanted, fields: dict[str, JSON]) -> CoverageScore:
    """Look for every wanted string in what the answer says; where the sources are named does not count."""
    pieces = [squeeze(piece) for piece in _texts(fields)]
    strings = wanted.all
    missing = [text for text in strings if not _held(squeeze(text), pieces)]
    return CoverageScore((len(strings) - len(missing)) / len(strings) if strings else 0.0, len(strings), missing)


def _held(text: str, pieces: list[str]) -> bool:
    return bool(text) and any(text in piece for piece in pieces)


def _texts(fields: dict[str, JSON]) -> list[str]:
    found: list[str] = []
    for name in FIELDS:
        value = fields.get(name)
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list) and name != "source_map":
            found += [item for item in value if isinstance(item, str)]
    return found


class RetrievalScore(NamedTuple):
    """Recall, one over the rank of the first right document, and nDCG; all of them None when not applicable."""

    recall: float | None = None
    reciprocal_rank: float | None = None
    ndcg: float | None = None


def score_retrieval(files: Sequence[str], contexts: Sequence[Context]) -> RetrievalScore:
    """Compare the retrieved documents, in their order, with the expected ones."""
    if not files or not contexts:
        return RetrievalScore()
    expected = Documents(files)
    ranked = {name_parts(context.source_path): context.source_path for context in contexts}
    found = [(rank, expected.find(path)) for rank, path in enumerate(ranked.values(), start=1)]
    ranks = sorted({name: rank for rank, name in reversed(found) if name is not None}.values())
    if not ranks:
        return RetrievalScore(0.0, 0.0, 0.0)
    ideal = sum([_gain(rank) for rank in range(1, len(files) + 1)])
    # Twelve places hide what one machine's logarithm has over another's.
    ndcg = round(sum([_gain(rank) for rank in ranks]) / ideal, 12)
    return RetrievalScore(len(ranks) / len(files), 1 / ranks[0], ndcg)


@lru_cache(maxsize=1024)
def _gain(rank: int) -> float:
    return 1 / log2(rank + 1)


class GroundingScore(NamedTuple):
    """References that hold, of those that were looked at."""

    value: float
    ok: int
    total: int
    faults: list[dict[str, JSON]]
    """Each reference that does not hold: where it stands, and why."""


def score_grounding(source_map: Sequence[JSON], contexts: Sequence[Context]) -> GroundingScore:
    """Count the references whose file was retrieved and of whose anchors one stands in the retrieved text."""
    files = {context.source_path for context in contexts if context.source_path}
    # A line break between the pieces keeps an anchor from being found across two of them.
    text = "\n".join([context.text for context in contexts])
    total, faults = 0, []
    for entry, place, ref in _refs(source_map):
        total += 1
        if fault := _fault(ref, files, text):
            file = ref.get("file") if isinstance(ref, dict) else None
            faults.append({"entry": entry, "ref": place, "file": file, "fault": fault})
    ok = total - len(faults)
    return GroundingScore(ok / total if total else 0.0, ok, total, faults)


def _refs(source_map: Sequence[JSON]) -> Iterator[tuple[int, int, JSON]]:
    """Walk over the references that count; an entry without a list of references has none."""
    for number, entry in enumerate(source_map[:MAX_ENTRIES]):
        refs = entry.get("refs") if isinstance(entry, dict) else None
        if isinstance(refs, list):
            for place, ref in enumerate(refs[:MAX_REFS]):
                yield number, place, ref


def _fault(ref: JSON, files: set[str], text: str) -> str | None:
    """Return what is wrong with a reference, as a code, or None."""
    if not isinstance(ref, dict):
        return "not_an_object"
    file, anchors = ref.get("file"), ref.get("anchors")
    if not isinstance(file, str) or file not in files:
        return "file_not_retrieved"
    if not isinstance(anchors, list) or not anchors:
        return "no_anchors"
    for anchor in anchors[:MAX_ANCHORS]:
        # Blank anchors would stand in any text.
        if isinstance(anchor, str) and anchor.strip() and anchor in text:
            return None
    return "anchor_not_found"


SHOWN = 200
"""Most characters of a given label that a reason repeats."""


class Sheet:
    """What is found out about one answer before it becomes a scorecard."""

    def __init__(self) -> None:
        self.subs: dict[str, float | None] = {}
        self.reasons: list[Reason] = []
        self.details: dict[str, JSON] = {}
        self.tags: list[str] = []

    def note(self, metric: str, code: str, /, **params: JSON) -> None:
        """Say why something was lost."""
        self.reasons.append(Reason(metric, code, params))

    def card(self, points: float) -> Scorecard:
        """Close the sheet with a score from 0 to 100."""
        return Scorecard(
            primary_score=points / 100,
            passed=points >= PASS_SCORE,
            sub_scores={"score": points, **self.subs},
            error_tags=tuple(self.tags),
            reasons=tuple(self.reasons),
            details=self.details,
        )


def score_reading(gold: Expected | Wanted, reading: Reading) -> Scorecard:
    """Score what was read; an answer that breaks the schema scores 0 everywhere."""
    if reading.rung == "failed" or len(reading.fields) < len(FIELDS):
        return _broken(gold, reading)
    sheet = Sheet()
    sheet.subs["schema_ok"] = 1.0
    sheet.tags += reading.tags
    if isinstance(gold, Wanted):
        return sheet.card(_older(sheet, gold, reading))
    fields = reading.fields
    _labels(sheet, gold, fields)
    _lists(sheet, gold, fields)
    _evidence(sheet, gold, fields["original_evidence"])
    _grounding(sheet, reading)
    _retrieval(sheet, gold, reading)
    points = min(100.0, max(0.0, fsum([POINTS[name] * (sheet.subs[name] or 0.0) for name in POINTS])))
    if not sheet.reasons:
        sheet.note("", "perfect")
    return sheet.card(points)


def _broken(gold: Expected | Wanted, reading: Reading) -> Scorecard:
    sheet = Sheet()
    sheet.subs = dict.fromkeys(("schema_ok", *POINTS) if isinstance(gold, Expected) else ("schema_ok", "coverage"), 0.0)
    problem = reading.problem or "empty"
    sheet.tags = [problem, *reading.tags]
    fields = [tag.partition(":")[2] for tag in reading.tags if tag.startswith(("missing:", "type:"))]
    sheet.note("schema_ok", problem, fields=fields)
    if isinstance(gold, Expected):
        _retrieval(sheet, gold, reading)
    return sheet.card(0.0)


def _labels(sheet: Sheet, gold: Expected, fields: dict[str, JSON]) -> None:
    for name, expected in gold.labels.items():
        got = fields[name]
        sheet.subs[name] = score_label(expected, got)
        if not sheet.subs[name]:
            sheet.note(name, "label", metric=name, expected=getattr(gold, name), got=got[:SHOWN])
            sheet.tags.append(name)


def _lists(sheet: Sheet, gold: Expected, fields: dict[str, JSON]) -> None:
    for name, expected in gold.lists.items():
        got = fields[name][: COMPARED[name]]
        found = score_list(expected, got)
        sheet.subs[f"{name}_f1"] = found.f1
        if found.f1 < 1:
            counts = {"expected": len(expected), "got": len(got)}
            hits = {"matched_expected": found.matched_expected, "matched_got": found.matched_got}
            sheet.note(f"{name}_f1", "list", metric=name, **counts, **hits)
            sheet.tags.append(name)
            sheet.details[name] = found.items


def _evidence(sheet: Sheet, gold: Expected, got: str) -> None:
    found = score_evidence(gold.keywords, got)
    sheet.subs["original_evidence"] = found.value
    if found.value < 1:
        limits = {"full": FULL_HITS, "long": FULL_LENGTH}
        sheet.note("original_evidence", "evidence", hits=found.hits, length=found.length, **limits)
        sheet.tags.append("original_evidence")


def _grounding(sheet: Sheet, reading: Reading) -> None:
    found = score_grounding(reading.fields["source_map"], reading.contexts)
    sheet.subs["grounding"] = found.value
    if found.value < 1:
        code = "no_sources" if not found.total else "grounding" if reading.contexts else "no_contexts"
        sheet.note("grounding", code, ok=found.ok, total=found.total)
        sheet.tags.append("grounding")
        sheet.details["grounding"] = found.faults


def _retrieval(sheet: Sheet, gold: Expected, reading: Reading) -> None:
    found = score_retrieval(gold.files, reading.contexts)
    sheet.subs["retrieval_recall"] = found.recall
    sheet.subs["reciprocal_rank"] = found.reciprocal_rank
    sheet.subs["retrieval_ndcg"] = found.ndcg


def _older(sheet: Sheet, gold: Wanted, reading: Reading) -> float:
    """Score the older form by coverage, and say so."""
    found = score_coverage(gold, reading.fields)
    sheet.subs["coverage"] = found.value
    sheet.tags.append("scored_by_coverage")
    if found.missing:
        sheet.note(
            "coverage", "coverage", found=found.total - len(found.missing), total=found.total, missing=found.missing
        )
    else:
        sheet.note("coverage", "covered", total=found.total)
    return 100 * found.value
