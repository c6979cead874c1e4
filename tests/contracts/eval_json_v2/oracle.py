"""The document's sections 3 and 4 once more: slow, obvious, and sharing no code with the scorer."""

from typing import Any

from ragstone.core.types import Context

WEIGHTS = {
    "target_audience": 0.10,
    "main_topic": 0.10,
    "sub_topic": 0.10,
    "detailed_description_f1": 0.30,
    "original_evidence": 0.20,
    "predicted_questions_f1": 0.10,
    "grounding": 0.10,
}


def squeeze(text: str) -> str:
    """Remove white space."""
    return "".join(character for character in text if not character.isspace())


def jaccard(one: str, other: str) -> float:
    """Compare the bigrams of two texts."""
    left = {one[at : at + 2] for at in range(len(one) - 1)}
    right = {other[at : at + 2] for at in range(len(other) - 1)}
    return len(left & right) / len(left | right) if left | right else 0.0


def match(expected: str, got: str) -> bool:
    """Apply the rule of 3.1."""
    expected, got = squeeze(expected), squeeze(got)
    if not expected or not got:
        return False
    return expected in got or got in expected or jaccard(expected, got) >= 0.72


def f1(expected: list[str], got: list[str]) -> float:
    """Apply 3.2 and R4.1."""
    if not expected and not got:
        return 1.0
    if not expected or not got:
        return 0.0
    recall = sum(any(match(wanted, given) for given in got) for wanted in expected) / len(expected)
    precision = sum(any(match(wanted, given) for wanted in expected) for given in got) / len(got)
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def is_han(character: str) -> bool:
    """Say whether a character is Han, compatibility forms and later planes included."""
    code = ord(character)
    blocks = ((0x3400, 0x4DBF), (0x4E00, 0x9FFF), (0xF900, 0xFAFF), (0x20000, 0x3FFFF))
    return code in {0x3005, 0x3007} or any(first <= code <= last for first, last in blocks)


def is_latin(character: str) -> bool:
    """Say whether a character is a Latin letter or a digit."""
    if character.isascii():
        return character.isalnum()
    return "À" <= character <= "ɏ" and character not in "×÷"


def keywords(text: str) -> list[str]:
    """Apply R4.2, a character at a time."""
    runs: list[tuple[str, str]] = []
    for character in text:
        kind = "han" if is_han(character) else "latin" if is_latin(character) else ""
        if kind and runs and runs[-1][0] == kind:
            runs[-1] = (kind, runs[-1][1] + character)
        else:
            runs.append((kind, character if kind else ""))
    found: list[str] = []
    for kind, run in runs:
        if kind == "latin" and len(run) >= 3:
            found.append(run.lower())
        elif kind == "han":
            found += [run[at : at + 2] for at in range(len(run) - 1)]
    return list(dict.fromkeys(found))


def evidence(expected: str, got: str) -> float:
    """Apply 3.4."""
    given = keywords(got)
    hit = sum(word in given for word in keywords(expected)[:30])
    return min(1, hit / 8) * (1 if len(got) >= 40 else len(got) / 40)


def grounding(source_map: list[Any], contexts: tuple[Context, ...]) -> float:
    """Apply 3.5."""
    refs = [ref for entry in source_map[:12] for ref in entry["refs"][:6]]
    paths = [context.source_path for context in contexts]
    text = "\n".join(context.text for context in contexts)
    good = [
        ref
        for ref in refs
        if ref["file"] in paths and any(anchor.strip() and anchor in text for anchor in ref["anchors"][:6])
    ]
    return len(good) / len(refs) if refs else 0.0


def sub_scores(gold: dict[str, Any], got: dict[str, Any], contexts: tuple[Context, ...]) -> dict[str, float]:
    """Work out the seven sub-scores."""
    labels = ("target_audience", "main_topic", "sub_topic")
    return {name: float(match(gold[name], got[name])) for name in labels} | {
        "detailed_description_f1": f1(gold["detailed_description"], got["detailed_description"][:12]),
        "original_evidence": evidence(gold["original_evidence"], got["original_evidence"]),
        "predicted_questions_f1": f1(gold["predicted_questions"], got["predicted_questions"][:10]),
        "grounding": grounding(got["source_map"], contexts),
    }


def total(subs: dict[str, float]) -> float:
    """Weigh and clamp, 0 to 100."""
    return 100 * max(0.0, min(1.0, sum(WEIGHTS[name] * subs[name] for name in WEIGHTS)))
