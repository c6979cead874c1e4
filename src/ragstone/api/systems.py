"""Connect systems: from a spec, a table of the settings, or a Python object."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from ragstone.core.errors import ConnectError, SettingError
from ragstone.core.interfaces import Contract, Staged, System
from ragstone.core.masking import hide_foreign
from ragstone.core.registry import connect
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.runs.store.seal import system_files
from ragstone.systems.options import NO_FACTS, FactOptions, fields, refuse_unknown, take
from ragstone.systems.python import wrap
from ragstone.systems.wrappers.wrapper import Named

SystemLike = str | System | Callable[[str], object] | object
"""What can be asked: `kind:argument`, a System, a callable, or an object with .query()."""

ANSWER_CACHE = "answer_cache"
"""System option that names a file of kept answers; it goes to whatever makes the calls."""
CACHED_KINDS = ("chat", "http_json")
"""Systems whose identity says all that an answer depends on; a Python function may change under its name."""


def keep_offline(settings: Settings) -> None:
    """Switch this process to offline mode if the settings say so; it cannot be switched back."""
    if settings.offline:
        from ragstone.core import offline  # noqa: PLC0415 - only where it is asked for

        offline.guard(settings.offline_allow)


def connect_all(
    contract: Contract,
    asked: Sequence[SystemLike],
    options: Mapping[str, JSON] | None,
    settings: Settings,
    *,
    share: int = 1,
) -> tuple[System, ...]:
    """Connect the systems of a run; those of each step where cases are asked in steps."""
    connected = [connect_system(one, _called(one, options, settings), settings, share=share) for one in asked]
    systems = _with_distinct_names(asked, connected)
    if not isinstance(contract, Staged):
        return systems

    def connect_step(model: str) -> System:
        # A plain name is one of the model registry's.
        return connect_system(model if ":" in model else f"chat:{model}", options, settings, share=share)

    return contract.systems(systems, connect_step)


def _called(asked: SystemLike, options: Mapping[str, JSON] | None, settings: Settings) -> dict[str, JSON]:
    """Return a system's options: one of the settings goes by its name there, unless something says otherwise."""
    named = isinstance(asked, str) and asked in settings.systems and "model_id" not in settings.systems[asked]
    return {"model_id": str(asked), **(options or {})} if named else dict(options or {})


def _with_distinct_names(asked: Sequence[SystemLike], systems: Sequence[System]) -> tuple[System, ...]:
    """Rename systems that share a name by their specs; refuse those that are still equal."""
    often = Counter(system.model_id for system in systems)
    named = tuple(
        Named(system, hide_foreign(one)) if isinstance(one, str) and often[system.model_id] > 1 else system
        for one, system in zip(asked, systems, strict=True)
    )
    for name, count in Counter(system.model_id for system in named).items():
        if count > 1:
            raise SettingError("system.same_name", name=name, count=count)
    return named


def connect_system(
    asked: SystemLike, options: Mapping[str, JSON] | None, settings: Settings, *, share: int = 1
) -> System:
    """Connect a system: the name of a [systems.NAME] table, `kind:argument`, a callable, or a System.

    An option `chat` that is a text names the system that writes the answers of the built-in RAG. `share` is how many
    runs ask the same endpoint at once: each gets that part of its limits and budgets.
    """
    if not isinstance(asked, str):
        return _connect_object(asked, dict(options or {}))
    # A label is the page's.
    table = {name: value for name, value in settings.systems.get(asked, {}).items() if name != "label"}
    spec = str(table.pop("system", asked))
    given = table | dict(options or {})
    answers = given.pop(ANSWER_CACHE, None)
    if isinstance(given.get("chat"), str):
        inner = {**given.pop("chat_options", {}), **({ANSWER_CACHE: answers} if answers else {})}
        given["chat"] = connect_system(given["chat"], inner, settings, share=share)
    elif answers:
        if spec.partition(":")[0] not in CACHED_KINDS:
            raise SettingError("system.uncached", spec=spec, kinds=", ".join(CACHED_KINDS))
        given["cache"] = answers
    if share > 1 and spec.partition(":")[0] in CACHED_KINDS:
        own = given.get("share", 1)
        given["share"] = share * own if isinstance(own, int) else own  # what is no number is refused by its owner
    told = _pop_facts(given, spec) if spec.partition(":")[0] not in CACHED_KINDS else NO_FACTS
    try:
        return _named(connect(spec, given), told)
    except ConnectError as error:
        if error.code == "system.unknown" and settings.systems:
            raise ConnectError("system.unnamed", **error.params, known=list(settings.systems)) from None
        raise


def _connect_object(asked: object, options: dict[str, JSON]) -> System:
    """Make a system of a Python object; it takes only the options that every system has."""
    told = _pop_facts(options, type(asked).__name__)
    if isinstance(asked, System):
        return _named(asked, told)
    made = wrap(asked)
    refuse_unknown(options, (), made.model_id, also=fields(FactOptions))
    return _named(made, told)


def _pop_facts(given: dict[str, JSON], system: str) -> FactOptions:
    """Remove the facts about a system from its options and return them."""
    told = take(given, FactOptions, system)
    for name in fields(FactOptions):
        given.pop(name, None)
    return told


def _named(system: System, told: FactOptions) -> System:
    return system if told == NO_FACTS else Named(system, told.model_id or system.model_id, told.given)


def as_list(system: SystemLike | Sequence[SystemLike]) -> list[SystemLike]:
    """Return one or several as a list."""
    return list(system) if isinstance(system, list | tuple) else [system]


def files_of(asked: Sequence[SystemLike], options: Mapping[str, JSON], settings: Settings) -> dict[str, JSON]:
    """Hash the files that connected systems are made of."""
    found: dict[str, JSON] = {}
    for one in asked:
        table = dict(settings.systems.get(one, {})) if isinstance(one, str) else {}
        found |= system_files(table.pop("system", one), {**table, **options})
    return found
