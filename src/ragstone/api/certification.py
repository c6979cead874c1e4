"""Examine judges: by labels for a certificate, and by probes alone."""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec import structs, to_builtins

from ragstone.api.event_loop import run_blocking
from ragstone.api.judges import connect_judges, hurry
from ragstone.api.judging import JudgeLike, Judging, as_judging, complete_judging
from ragstone.api.systems import keep_offline
from ragstone.core.errors import SettingError
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON
from ragstone.judging.certificate import Certificate, failed, fault_of, read_certificates
from ragstone.judging.drift import Drift, missed_since
from ragstone.judging.examine import Examiner, begin, end, examine, probed_rows, probes_by_kind, require_room
from ragstone.judging.judge import ask_anew, close_all
from ragstone.judging.judgements import Judgements
from ragstone.judging.label_file import FILE, read_with_end
from ragstone.judging.probes import STRICT, Probed, lacking, make_probes, possible_probes
from ragstone.runs.judged.certificates import raise_alarm, signed
from ragstone.runs.judged.certifying_labels import labelled_rows, runs_named
from ragstone.runs.judged.questions import questions_of
from ragstone.runs.reopen import plan_of
from ragstone.runs.store.admission import is_own
from ragstone.runs.store.codec import pretty, write_whole
from ragstone.runs.store.folder import RunFolder


class Certified(NamedTuple):
    """The result of examining judges."""

    certificates: list[Certificate]
    path: Path
    rows: int
    strays: int
    """Labels without answer_text about answers that are not in the runs."""
    disagreements: int
    notes: tuple[tuple[str, dict[str, JSON]], ...] = ()
    """Messages about labels that do not count: codes and their parameters."""


def certify(
    labels: str | Path | None = None,
    judge: JudgeLike = (),
    *,
    judge_options: Mapping[str, JSON] | None = None,
    runs: Sequence[str | Path] = (),
    out: str | Path | None = None,
    probes: int = 50,
    settings: Settings | None = None,
) -> Certified:
    """Examine judges by labels of people and by probes, and write their certificates into judge.json.

    Without `labels` those beside the runs are taken. `runs` hold the answers the labels are about, unless the labels
    have their texts with them; left out, they are those the labels name. Fewer than 50 `probes` of each kind cost
    less, and prove too little for trust.
    """
    settings = settings or read_settings()
    keep_offline(settings)
    given = structs.replace(as_judging(judge, judge_options), **({"labels": labels} if labels else {}))
    judging = complete_judging(given, None, settings)
    return run_blocking(_certify(judging, runs, out, probes, settings))


async def _certify(
    judging: Judging, runs: Sequence[str | Path], out: str | Path | None, probes: int, settings: Settings
) -> Certified:
    beside = Path(settings.runs_dir) / FILE
    if not judging.labels and not beside.is_file():
        raise SettingError("labels.none", file=str(beside))
    read = read_with_end(Path(judging.labels or beside))
    told, cut = read.labels, {"file": str(judging.labels or beside), "line": read.cut}
    named = [RunFolder.open(Path(run)) for run in runs] or runs_named(told, Path(settings.runs_dir))
    labelled = labelled_rows(told, named, named=bool(runs))
    labelled.require()
    rows = labelled.rows
    path = Path(out or settings.judge.certificate)
    require_room(path)
    known = read_certificates(path)
    judges, terms = await connect_judges(judging, [row.question.question for row in rows[:200]], settings)
    hurry(judges)
    made = []
    try:
        if not judges:
            raise SettingError("judge.unnamed")
        with closing(Judgements(begin(path))) as said:
            for judge, one in zip(judges, terms.judges, strict=True):
                certificate = await examine(
                    judge,
                    one,
                    rows,
                    said,
                    width=settings.concurrency,
                    most_probes=probes,
                    before=known.get(one.identity),
                    rules=labelled.rules,
                )
                made.append(signed(certificate))
    finally:
        await close_all(judges)
    # The replies are moved first: a crash in between loses a certificate, and never reuses an old reply.
    end(path)
    write_whole(path, pretty(to_builtins(known | {one.identity: one for one in made})))
    notes = (*([("labels.cut", cut)] if read.cut else []), *labelled.notes())
    return Certified(made, path, len(rows), labelled.strays, len(labelled.disputed), notes)


class ProbedJudge(NamedTuple):
    """How a judge did on its probes, and whether it has drifted since it was certified."""

    name: str
    probes: dict[str, Probed]
    drift: Drift | None
    """How the anchors turned; None without a certificate."""
    few: dict[str, int]
    """Kind of probe to how many there were, where these are too few to tell."""
    unsure: dict[str, int]
    """Kind of probe to how many more were answered with nothing that decides."""
    missed: tuple[str, ...] = ()
    """Kinds of probe that were missed too often."""
    version: str = ""
    """The version it reports now, if its certificate is for another one."""
    other_rows: bool = False
    """Whether it was probed with other rows than those of its certificate: counts are not held against each other."""

    @property
    def is_held(self) -> bool:
        """Whether missed probes count against its certificate; those made from other rows only if they are strict."""

        return self.drift is not None and not (self.other_rows and STRICT.isdisjoint(self.missed))

    @property
    def fails(self) -> bool:
        """Whether it missed too many probes or has drifted."""
        return bool(self.missed) or (self.drift is not None and self.drift.alarms)


def probe_judge(run: str | Path, judge: JudgeLike = (), *, settings: Settings | None = None) -> list[ProbedJudge]:
    """Probe a judge with probes made from a run's rows and the anchors of its certificate; needs no labels."""
    settings = settings or read_settings()
    keep_offline(settings)
    return run_blocking(_probe(Path(run), as_judging(judge), settings))


async def _probe(run: Path, judging: Judging, settings: Settings) -> list[ProbedJudge]:
    folder = RunFolder.open(run)
    rows = [(question, rule == "yes") for _, question, rule in questions_of(folder)]
    judging = complete_judging(judging, plan_of(folder) if is_own(folder) else None, settings)
    judges, terms = await connect_judges(judging, [question.question for question, _ in rows[:200]], settings)
    hurry(judges)
    path = Path(judging.certificate or settings.judge.certificate)
    known, found = read_certificates(path), []
    try:
        for judge, one in zip(judges, terms.judges, strict=True):
            ask_anew(judge)
            # Nothing is reused: what the judge says now is wanted.
            with TemporaryDirectory() as place, closing(Judgements(Path(place) / "said.jsonl")) as said:
                examiner = Examiner(judge, one, said, settings.concurrency)
                before = known.get(one.identity)
                before = None if before is None or fault_of(before, one.identity) else before
                used = probed_rows(rows, before)
                probed = await examiner.probe(probes_by_kind(used) if before else list(make_probes(used)))
                turned = await examiner.drift(before) if before else None
            then = before.probed if before else {}
            other = before is not None and used is rows
            missed = missed_since(probed, {} if other else then)
            others = sorted((examiner.versions or {one.version}) - {before.version}) if before else []
            # Probes from other rows than the certificate's count only if they must never be missed.
            fresh = [name for name in missed if name not in failed(then) and (name in STRICT or not other)]
            # Another version says nothing about the certified one.
            if turned and not others and (turned.alarms or fresh):
                raise_alarm(path, one.identity, () if turned.alarms else fresh)
            unsure = {name: result.unsure for name, result in probed.items() if result.unsure}
            few = lacking("", probed, possible_probes(used))
            found.append(ProbedJudge(judge.name, probed, turned, few, unsure, missed, ", ".join(others), other))
    finally:
        await close_all(judges)
    return found
