"""Drafted questions beside people's: do they rank systems alike, and what does drafting take?

uv run python -m perf.drafting DOCUMENTS CASES.jsonl [--size 300] [--folder /tmp/drafting]
uv run python -m perf.drafting DOCUMENTS --many 10000

DOCUMENTS is a folder of documents, CASES a key_points dataset that people wrote about them. The second form cuts and
copies the documents under changed names until there are as many as asked for, and drafts from those.
"""

import argparse
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from ragstone.api import evaluate
from ragstone.core.settings import read_settings
from ragstone.core.types import ModelSummary
from ragstone.drafting.corpus import Corpus, read_corpus
from ragstone.drafting.faults import pairs_of
from ragstone.drafting.make import Plan, make
from ragstone.drafting.proof import holds
from ragstone.drafting.rows import write_rows


def no_retrieval(question: str) -> str:
    """Answer without looking: what the question says, said again."""
    return f"我认为{question.rstrip('？?')}。"


def first_sentence(corpus: Corpus) -> Callable[[str], str]:
    """Answer with the first sentence of the document that shares most with the question."""

    def opening(question: str) -> str:
        wanted = pairs_of(question)
        best = max(corpus.papers, key=lambda paper: sum(pair in paper.folded for pair in wanted))
        return best.sentences[0].text if best.sentences else ""

    return opening


def score(dataset: Path, documents: Path, corpus: Corpus, folder: Path) -> dict[str, float]:
    """Return the accuracy of each system on a dataset."""
    settings = read_settings({"runs_dir": str(folder / "runs")})
    found = {}
    for name, options in (("builtin", {}), ("builtin, one sentence", {"sentences": 1, "top_k": 1})):
        run = evaluate(dataset, f"builtin:{documents}", system_options=options, settings=settings)
        found[name] = _accuracy(run.summary.models)
    for name, system in (("first sentence", first_sentence(corpus)), ("no retrieval", no_retrieval)):
        found[name] = _accuracy(evaluate(dataset, system, settings=settings).summary.models)
    return found


def _accuracy(models: Mapping[str, ModelSummary]) -> float:
    (only,) = models.values()
    return float(only.all.metrics["accuracy"].mean or 0)


def beside_people(documents: Path, cases: Path, size: int, folder: Path) -> None:
    """Print the accuracy of each system on people's questions and on drafts."""
    corpus = read_corpus(documents)
    drawn = make(corpus, Plan(size=size))
    places = [point.place for one in drawn.drafts for point in one.points]
    proved = sum(holds(corpus.by_name[place.document], place) for place in places)
    drafts = folder / "drafts.jsonl"
    drafts.write_bytes(write_rows(drawn.drafts, "key_points"))
    people, ours = (score(path, documents, corpus, folder) for path in (cases, drafts))
    sys.stdout.write(f"{len(drawn.drafts)} drafts, {proved} of {len(places)} quotations verified\n")
    for name, accuracy in people.items():
        sys.stdout.write(f"{name:22} people {accuracy:.3f}  drafts {ours[name]:.3f}\n")


def many(documents: Path, count: int, folder: Path, size: int) -> None:
    """Print processor seconds and memory of drafting from as many documents as asked for."""
    made = folder / "many"
    made.mkdir(parents=True, exist_ok=True)
    texts = [path.read_text(encoding="utf-8") for path in sorted(documents.glob("*.md"))]
    for at in range(count):
        text = texts[at % len(texts)]
        title = text.split("\n")[0].lstrip("# ").strip()
        copy = at // len(texts)
        (made / f"{at:05d}.md").write_text(text.replace(title, f"{title}{copy}号") if copy else text, encoding="utf-8")
    began = time.process_time()
    corpus = read_corpus(made)
    read = time.process_time()
    drawn = make(corpus, Plan(size=size))
    done = time.process_time()
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    sys.stdout.write(
        json.dumps({"documents": len(corpus.papers), "drafts": len(drawn.drafts), "read_s": round(read - began, 1)})
        + f" draft_s {done - read:.1f} memory_mb {most}\n"
    )


def main() -> None:
    """Measure."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("documents", type=Path)
    parser.add_argument("cases", type=Path, nargs="?")
    parser.add_argument("--size", type=int, default=300)
    parser.add_argument("--many", type=int)
    parser.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "drafting")
    flags = parser.parse_args()
    flags.folder.mkdir(parents=True, exist_ok=True)
    if flags.many:
        many(flags.documents, flags.many, flags.folder, flags.size)
    if flags.cases:
        beside_people(flags.documents, flags.cases, flags.size, flags.folder)


if __name__ == "__main__":
    main()
