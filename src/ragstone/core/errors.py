"""One tree of errors; what the user can fix stands apart from bugs.

    RagstoneError
    ├── BudgetSpent        a signal: nothing more may be asked; the run stops cleanly and can be resumed
    └── UserError          the user can fix it: printed without a traceback, exit code 2
        ├── DatasetError   every fault of a dataset at once
        ├── SettingError   a setting, flag or name that cannot be used
        ├── RunError       a run folder that cannot be used
        └── ConnectError   a system that cannot be built

Any other exception is a bug of ours (or of a plug-in) and keeps its traceback.
"""

from collections.abc import Callable, Mapping, Sequence

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message
from ragstone.core.types import JSON, Failure, Finding


class RagstoneError(Exception):
    """Base of everything Ragstone raises on purpose."""


class Reason:
    """Why something could not be done, as a part of another message: said in the language that is spoken there."""

    def __init__(self, say: Callable[[Lang], str]) -> None:
        self._say = say

    def say(self, lang: Lang) -> str:
        """Return it in a language, to be gone on with."""
        return self._say(lang).rstrip(".。")

    def __str__(self) -> str:
        return self.say("en")


class UserError(RagstoneError):
    """Something the user can fix: what, where, what is allowed, what to do.

    `code` names a text in `ragstone.core.messages`; the keywords fill its places.
    """

    def __init__(self, code: str, **params: JSON) -> None:
        self.code = code
        self.params = params
        super().__init__(self.say("en"))

    def told(self, lang: Lang) -> dict[str, JSON]:
        """Return what fills the places of the message, reasons in the same language."""
        return {name: value.say(lang) if isinstance(value, Reason) else value for name, value in self.params.items()}

    def say(self, lang: Lang) -> str:
        """Return the message in a language."""
        return message(self.code).say(lang, self.told(lang))


class DatasetError(UserError):
    """A dataset with faults, all of them; `phrases` are those of the contract that found them."""

    def __init__(
        self, code: str, findings: Sequence[Finding] = (), phrases: Mapping[str, Text] | None = None, **params: JSON
    ) -> None:
        self.findings = tuple(findings)
        self.phrases = phrases or {}
        super().__init__(code, count=len(findings), **params)


class SettingError(UserError):
    """A setting, flag or name that cannot be used."""


class RunError(UserError):
    """A run folder that cannot be used."""


class ConnectError(UserError):
    """A system that cannot be built from what was given."""


class BudgetSpent(RagstoneError):  # noqa: N818 - a signal, not an error
    """The signal to stop: nothing more may be asked. The case at hand is left unasked, the run can be resumed."""

    def __init__(
        self,
        what: str,
        limit: float,
        spent: float,
        *,
        code: str = "ask.budget",
        params: Mapping[str, JSON] | None = None,
        meter: Callable[[str], float] | None = None,
    ) -> None:
        self.what = what
        """calls, tokens, cost, seconds, or outage when an endpoint stayed down for too long."""
        self.limit = limit
        self.spent = spent
        self._code = code
        self._params = {"what": what, "limit": f"{limit:g}", **(params or {})}
        self._meter = meter
        """Returns what is spent by now: what was in flight at the signal is not in `spent`."""
        super().__init__(self.say("en"))

    @property
    def problem(self) -> "Failure | None":
        """What went wrong last, where an endpoint stayed down or refused the key."""
        found = self._params.get("problem")
        return found if isinstance(found, Failure) else None

    def say(self, lang: Lang, code: str = "") -> str:
        """Return the reason in a language; `code` replaces the message of a run."""
        params = {k: v.say(lang).rstrip(".。") if isinstance(v, Failure) else v for k, v in self._params.items()}
        spent = self._meter(self.what) if self._meter else self.spent
        code = code or self._code
        if code == "ask.budget" and self.what in {"tokens", "cost"} and spent > self.limit:
            code = "ask.budget_over"
        what = message(f"budget.{self.what}").say(lang)
        return message(code).say(lang, params | {"what": what, "spent": f"{spent:.6g}"})
