"""Are sentences supported by their source? Rules alone and with a judge, against people's labels of whole answers.

uv run python -m perf.judge.support ANSWERS.jsonl [ADDRESS KEPT.jsonl COUNT]

ANSWERS hold answer, context and label_hallucinated (data/judged/hallucination/uhgeval_zh.jsonl). Rules read all of
them; the judge reads the first COUNT texts by hash, both answers to each. Its threshold is tuned on one half of the
texts, chosen by hash, and measured on the other. An answer is supported when all of its sentences are.
"""

import asyncio
import json
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from msgspec import structs

from perf.judge.weights import JUDGE
from ragstone.contracts.key_points import faithful
from ragstone.core.types import Question
from ragstone.judging.certificate import Item, margins_of, tune
from ragstone.judging.checks import keeps_values
from ragstone.judging.decisions import BAND
from ragstone.judging.examine import Examiner
from ragstone.judging.judge import ChatJudge
from ragstone.judging.judgements import Judgement, Judgements
from ragstone.reading.lexicon import DEFAULT
from ragstone.runs.judged.asking import terms_of
from ragstone.systems.chat import connect


class Sentence(NamedTuple):
    """One sentence of an answer, and what rules and judge say of it."""

    question: Question
    rule: str
    said: Judgement | None = None


class Labelled(NamedTuple):
    """An answer with a person's verdict."""

    sentences: tuple[Sentence, ...]
    supported: bool
    text: str
    """Hash of its source."""


def read(path: Path) -> Iterator[Labelled]:
    """Read answers and have the rules look at each of their sentences."""
    for row in map(json.loads, path.read_text(encoding="utf-8").splitlines()):
        if not row["context"] or row["label_hallucinated"] is None:
            continue
        source, answer = row["context"][: faithful.MOST_SOURCE], row["answer"]
        found = faithful.claims(source, answer, DEFAULT)
        sentences = tuple(Sentence(question, rule) for question, rule in faithful.asked(source, answer, found))
        if sentences:
            yield Labelled(sentences, not row["label_hallucinated"], sha256(row["context"].encode()).hexdigest())


async def judged(examiner: Examiner, answers: Sequence[Labelled]) -> list[Labelled]:
    """Put every sentence to the judge; answers of one text follow each other, so that it is read once."""
    told = []
    for one in answers:
        said = await examiner.ask([sentence.question for sentence in one.sentences])
        pairs = zip(one.sentences, said, strict=True)
        told.append(one._replace(sentences=tuple(sentence._replace(said=heard) for sentence, heard in pairs)))
    return told


def margin(one: Labelled) -> float:
    """Return how far the judge leans to yes about the sentence it likes least."""
    return min((s.said.margin or 0.0 for s in one.sentences if s.said), default=0.0)


def show(name: str, answers: Sequence[Labelled], says: Callable[[Sentence], str]) -> None:
    """Print how many answers come out as people say: all sentences supported, one of them not, or open."""
    whole = {"yes": 0, "no": 0, "open": 0}
    right = 0
    for one in answers:
        verdicts = {says(sentence) for sentence in one.sentences}
        verdict = "no" if "no" in verdicts else "open" if "open" in verdicts else "yes"
        whole[verdict] += 1
        right += verdict == ("yes" if one.supported else "no")
    decided = whole["yes"] + whole["no"]
    print(
        f"{name:24} decided {decided} of {len(answers)}, right {right} of these ({right / max(1, decided):.2f}); "
        f"supported {whole['yes']}, not {whole['no']}, open {whole['open']}"
    )


def auc(answers: Sequence[Labelled]) -> float:
    """Return the chance that a supported answer has the larger margin."""
    yes, no = [margin(one) for one in answers if one.supported], [margin(one) for one in answers if not one.supported]
    return sum((a > b) + 0.5 * (a == b) for a in yes for b in no) / max(1, len(yes) * len(no))


def report(answers: Sequence[Labelled]) -> None:
    """Tune on one half of the texts and show the other, both ways round."""
    print(f"AUC by answer {auc(answers):.3f} ({len(answers)} answers)")
    halves = [[one for one in answers if int(one.text[-1], 16) % 2 == half] for half in (0, 1)]
    for mine, other in (halves, halves[::-1]):
        items = [Item(one.sentences[0].question, one.supported, _least(one)) for one in other]
        cut = tune(margins_of(items))

        def says(sentence: Sentence, cut: float = cut, band: float = 0.0) -> str:
            if sentence.rule != "open" or sentence.said is None:
                return sentence.rule
            off = (sentence.said.margin or 0.0) - cut
            if abs(off) < band or (off > 0 and not keeps_values(sentence.question)):
                return "open"
            return "yes" if off > 0 else "no"

        print(f"threshold {cut:.2f} by the other {len(other)} answers")
        show("rules alone", mine, lambda sentence: sentence.rule)
        show("rules, then judge", mine, says)
        show("unsure within half a nat", mine, lambda sentence, says=says: says(sentence, band=BAND))  # type: ignore[misc]


def _least(one: Labelled) -> Judgement:
    return min((s.said for s in one.sentences if s.said), key=lambda said: said.margin or 0.0)


async def main(path: Path, address: str = "", kept: str = "", count: str = "0") -> None:
    """Show what rules make of all answers, and what a judge makes of some."""
    answers = sorted(read(path), key=lambda one: one.text)
    print(f"{len(answers)} answers, {sum(len(one.sentences) for one in answers)} sentences, labelled whole")
    show("rules alone", answers, lambda sentence: sentence.rule)
    if not address:
        return
    texts = list(dict.fromkeys(one.text for one in answers))[: int(count)]
    judge = ChatJudge(
        connect("judge", {"base_url": f"{address}/v1", "timeout": 900, "first_byte_timeout": 900}), "margin", "zh"
    )
    terms = structs.replace(terms_of(judge), identity=JUDGE.sha256)
    began = time.monotonic()
    with closing(Judgements(Path(kept))) as said:
        before = len(said)
        told = await judged(Examiner(judge, terms, said, 1), [one for one in answers if one.text in set(texts)])
        asked = len(said) - before
    await judge.close()
    report(told)
    if asked:
        print(f"{(time.monotonic() - began) / asked:.1f} s a sentence ({asked} asked)")


if __name__ == "__main__":
    asyncio.run(main(Path(sys.argv[1]), *sys.argv[2:5]))
