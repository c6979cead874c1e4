"""Scores recorded answers again without a call, into a new run folder; the old scores stay where they are."""

from collections.abc import Collection, Mapping
from contextlib import closing
from pathlib import Path

from msgspec import Struct, structs

from ragstone.core.errors import RunError
from ragstone.core.interfaces import Engine, tables_of
from ragstone.core.types import FACTS, JSON, Summary
from ragstone.datasets.check import require_sound, survey
from ragstone.datasets.key_index import KeyTable
from ragstone.runs.finish import finish
from ragstone.runs.judged.draws import frame_of
from ragstone.runs.judged.files import copy_decisions
from ragstone.runs.plan import Plan
from ragstone.runs.reopen import Answers, plan_of
from ragstone.runs.shards import judge_again
from ragstone.runs.store.admission import OWN, Guard, is_own
from ragstone.runs.store.describe import describe, with_facts
from ragstone.runs.store.folder import META, ResultWriter, RunFolder
from ragstone.runs.store.owner import foreign_verdicts, open_verdicts
from ragstone.runs.store.seal import ALTERED, SOURCES, altered, begin
from ragstone.runs.summary import Summarizer
from ragstone.text.fold import key as writing
from ragstone.text.fold import same
from ragstone.trust.pairs import is_place

LINK = "rescored_from"
"""Where run_meta.json of the new run names the old one."""


class Rescored(Struct, frozen=True):
    """The new run."""

    folder: RunFolder
    summary: Summary
    replaced: int = 0
    """Cases whose place held another question before: its answer is not theirs."""


def rescore(
    folder: RunFolder,
    out: Path | None = None,
    *,
    dataset: Path | None = None,
    contract: str | None = None,
    options: Mapping[str, JSON] | None = None,
    engine: Engine | None = None,
    guard: Guard = OWN,
) -> Rescored:
    """Score a run's answers with today's scorer; a dataset, contract or options that are named replace the old ones."""
    old, plan = folder.meta(), plan_of(folder, guard=guard, dataset=dataset, contract=contract, options=options)
    found = survey(plan.contract, plan.dataset, most=plan.max_samples)
    require_sound(found, plan.contract, plan.dataset)
    replaced = _replaced(folder, plan) if dataset is not None else frozenset()
    path = out or _free(folder.path)
    plan = structs.replace(plan, run_id=path.name)
    files = describe(plan, found)
    names = ("run_id", "scorer_version", "scorer_sha256", "dataset_sha256", "results_digest")
    files[META] = with_facts(files[META], {name: [old.get(name)] for name in FACTS})
    # What was changed behind the old run's back is in the new one too.
    files[META] |= {ALTERED: broken} if (broken := altered(folder, SOURCES)) else {}
    files[META] |= {LINK: {"folder": str(folder.path), **{name: old.get(name) for name in names}}}
    with Answers(folder) as answers, RunFolder.create(path.parent, path.name, "--out") as new:
        files[META] |= {} if foreign_verdicts(folder) else open_verdicts(files[META])
        begin(new, files, own=is_own(folder))
        if plan.decisions:
            frame = frame_of(plan, answers) if plan.decisions.terms.labels else ""
            copy_decisions(folder, new, frame)
            plan = structs.replace(plan, decisions=plan.decisions.framed(frame))
        figures = _fill(plan, new, answers, engine, replaced)
        expected = int(files[META]["expected"])
        summary = finish(plan, new, figures, expected, old.get("status") == "complete")
    return Rescored(new, summary, len(replaced))


def _replaced(folder: RunFolder, plan: Plan) -> frozenset[str]:
    """Return the cases that are named by their place and have another question there now; refuse moved ones."""
    replaced = set[str]()
    with closing(KeyTable()) as questions:
        for number, case in enumerate(plan.cases()):
            questions.add(writing(case.question), number)
        cases = plan.cases()
        now = next(cases, None)
        for row in filter(is_place, folder.results()):
            while now is not None and now.id != row.sample_id:
                now = next(cases, None)
            if now is None or same(now.question, row.question):
                continue
            if questions.find(writing(row.question)) is not None:
                raise RunError("rescore.moved", file=str(plan.dataset), case=row.sample_id)
            replaced.add(row.sample_id)
    return frozenset(replaced)


def _free(path: Path) -> Path:
    """Return the first name beside a run that is not taken."""
    for number in range(1, 10_000):
        candidate = path.with_name(f"{path.name}-rescored-{number}")
        if not candidate.exists():
            return candidate
    raise RunError("run.taken", run=str(candidate), flag="--out")


def _fill(plan: Plan, new: RunFolder, answers: Answers, engine: Engine | None, replaced: Collection[str]) -> Summarizer:
    """Write the new run's journal and rows; a question that was not asked has no answer."""
    figures, journal = Summarizer(plan.metrics, tables_of(plan.contract)), new.journal()
    writer = ResultWriter(new.path / "results.jsonl")
    try:
        for judged in judge_again(plan, answers, engine, keep=True):
            if judged.result.sample_id in replaced:
                continue
            journal.append_line(judged.number, judged.entry)
            writer.add_line(judged.row)
            figures.add(judged.result)
    finally:
        journal.close()
        writer.close()
    return figures
