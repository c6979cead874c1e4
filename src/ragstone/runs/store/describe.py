"""Writes the files that describe what a run was made of, and checks whether it is still the same."""

import platform
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime

from msgspec import to_builtins

from ragstone.core.errors import RunError
from ragstone.core.interfaces import Contract
from ragstone.core.types import FACTS, JSON
from ragstone.datasets.check import Survey
from ragstone.datasets.glossary import changed_file
from ragstone.runs.plan import Plan
from ragstone.runs.store.fingerprint import installed, path_fingerprint, redact, value_sha256
from ragstone.runs.store.folder import FORMAT, META, RunFolder
from ragstone.runs.store.seal import beside, loosen, scorer_parts, terms_sha256
from ragstone.systems.wrappers.wrapper import secrets_of
from ragstone.version import VERSION


def describe(plan: Plan, found: Survey) -> dict[str, dict[str, JSON]]:
    """Return the files that say what a run was made of, by name."""
    contract, dataset = plan.contract, path_fingerprint(plan.dataset)
    identities = [dict(system.identity()) for system in plan.systems] or [{"kind": "mock"} for _ in plan.model_ids]
    cases = plan.span[1] - plan.span[0] if plan.span else found.cases
    expected = cases * len(plan.model_ids) * plan.repeats
    config = {
        "dataset": str(plan.dataset),
        "contract": plan.contract_name,
        "documents": str(plan.documents) if plan.documents else None,
        "options": plan.options,
        "systems": list(plan.system_specs),
        "system_options": plan.system_options,
        "mock": plan.mock,
        "names": list(plan.names),
        "language": plan.lang,
        "mask_private": plan.mask_private,
        "concurrency": plan.concurrency,
        "timeout": plan.timeout,
        "repeats": plan.repeats,
        "max_samples": plan.max_samples,
        **({"shard": plan.shard, "span": list(plan.span)} if plan.span else {}),
        "metrics": to_builtins(list(contract.metrics)),
    }
    meta = (
        {
            "format_version": FORMAT,
            "run_id": plan.run_id,
            "status": "running",
            "created": now(),
            "finished": None,
            "contract": contract.name,
            **scorer_facts(contract),
            "prompt_version": contract.prompt_version,
            "prompt_sha256": None,
            "system_id": ", ".join(plan.model_ids),
            **_told([stage.model_id for stage in plan.frame().stages] or plan.model_ids, identities),
            "system_sha256": value_sha256(identities),
            "eval_set_version": f"{plan.dataset.stem}@{str(dataset['sha256'])[:12]}",
            "dataset_sha256": dataset["sha256"],
            "cases": cases,
            "expected": expected,
            **({"unreviewed_drafts": found.unreviewed_drafts} if found.unreviewed_drafts else {}),
            "installed_sha256": value_sha256(installed()),
            "python": platform.python_version(),
            "platform": platform.platform(),
        }
        | dict(contract.terms())
        | plan.links
    )
    fingerprint = dataset | {"cases": cases} | beside(plan.documents, plan.options)
    snapshot = {"models": dict(zip(plan.model_ids, identities, strict=True)), "files": plan.system_files}
    files = {
        "config.json": config,
        "dataset_fingerprint.json": fingerprint,
        "model_snapshot.json": snapshot,
        META: meta,
    }
    kept = {name: redact(value) for name, value in files.items()}
    for secrets in map(secrets_of, plan.systems):
        kept = {name: secrets.hide_keys_in(value) for name, value in kept.items()}
    return kept


def scorer_facts(contract: Contract) -> dict[str, JSON]:
    """Return what run_meta.json says of the scorer: its versions, and hashes of its code and its terms."""
    parts = scorer_parts(type(contract))
    return {
        "ragstone_version": VERSION,
        "scorer_version": contract.scorer_version,
        "scorer_sha256": value_sha256(parts),
        "scorer_parts": parts,
        "terms_sha256": terms_sha256(contract.terms()),
    }


def scorer_sha256(contract: Contract) -> str:
    """Hash the code a contract's scores are made by."""
    return value_sha256(scorer_parts(type(contract)))


def scorer_name(facts: Mapping[str, JSON]) -> str:
    """Name a scorer by its version and the beginning of its hash."""
    return f"{facts.get('scorer_version')}+{str(facts.get('scorer_sha256'))[:12]}"


def _told(names: Sequence[str], identities: Sequence[Mapping[str, JSON]]) -> dict[str, JSON]:
    """Gather FACTS of all systems, and as `model_id` the base model's name of each, or its own if unknown."""
    rows = [_facts_of(name, identity) for name, identity in zip(names, identities, strict=True)]
    models = join_facts(row["base_model"] or name for name, row in zip(names, rows, strict=True))
    return {"model_id": models, **{fact: join_facts(row[fact] for row in rows) for fact in FACTS}}


def with_facts(meta: Mapping[str, JSON], told: Mapping[str, Iterable[JSON]]) -> dict[str, JSON]:
    """Add the facts given about the systems to run_meta.json; the base model's name is the model's (contract 4)."""
    facts = {name: join_facts([meta.get(name), *values]) for name, values in told.items()}
    alone = ", " not in str(meta.get("system_id") or meta.get("model_id"))
    model = facts.get("base_model") if alone else None
    return {**meta, **facts, **({"model_id": model} if model else {})}


def _facts_of(name: str, identity: Mapping[str, JSON]) -> dict[str, JSON]:
    """Return FACTS of one system; a chat system's name that is not its model's is that of a registry."""
    told = {fact: _of_any([identity], fact) for fact in FACTS}
    chat = identity if identity.get("kind") == "chat" else identity.get("chat", {})
    told["base_model"] = told["base_model"] or chat.get("model")
    if chat is identity and chat.get("model") != name:
        told["adapter_id"] = told["adapter_id"] or name
    return told


def join_facts(values: Iterable[JSON]) -> str | None:
    """Name every value once, in order; None when there is none. Values may have been joined before.

    >>> join_facts(["kb-1, kb-2", None, "kb-1"])
    'kb-1, kb-2'
    """
    parts = (part for value in values if value not in (None, "") for part in str(value).split(", "))
    return ", ".join(dict.fromkeys(parts)) or None


def _of_any(identities: Sequence[JSON], name: str) -> JSON:
    """Find a fact in what the systems say of themselves, or of the systems inside them."""
    for identity in identities:
        if isinstance(identity, Mapping):
            found = identity.get(name)
            found = found if found is not None else _of_any(list(identity.values()), name)
            if found is not None:
                return found
    return None


def now() -> str:
    """Return the time of day as the files of a run write it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def take_scorer(folder: RunFolder, meta: Mapping[str, JSON], contract: Contract) -> dict[str, JSON]:
    """Return today's scorer for run_meta.json where it differs: a run that goes on makes all its rows by it."""
    facts = scorer_facts(contract)
    if scorer_name(meta) == scorer_name(facts):
        return {}
    loosen(folder, meta, "config.json")
    folder.write("config.json", folder.read("config.json") | {"metrics": to_builtins(list(contract.metrics))})
    return {**facts, **redact(dict(contract.terms()))}


def same_or_raise(
    folder: RunFolder, meta: Mapping[str, JSON], plan: Plan, *, own: bool = False, scorer: bool = True
) -> None:
    """Refuse to continue a run whose dataset, prompt or, if that matters, scorer is not the one it began with.

    Only of an `own` run the file of its glossary is looked at; the run has a copy of it.
    """
    now = path_fingerprint(plan.dataset)["sha256"]
    if now != meta.get("dataset_sha256"):
        was = str(meta.get("dataset_sha256"))[:12]
        raise RunError("run.dataset_changed", run=str(folder.path), file=str(plan.dataset), was=was, now=str(now)[:12])
    was, now = scorer_name(meta), scorer_name(scorer_facts(plan.contract))
    if scorer and was != now:
        raise RunError("run.scorer_changed", run=str(folder.path), was=was, now=now)
    if changed := changed_file(plan.options) if own else None:
        raise RunError("run.glossary_changed", run=str(folder.path), **changed._asdict())
    prompt = plan.contract.terms().get("prompt_sha256")
    if prompt != meta.get("prompt_sha256"):
        was, now = str(meta.get("prompt_sha256"))[:12], str(prompt)[:12]
        raise RunError("run.prompt_changed", run=str(folder.path), was=was, now=now)
