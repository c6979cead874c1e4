"""Asking again after a failure that may pass, with jitter, and no sooner than Retry-After says."""

import asyncio
import random
import time

from msgspec import Struct, structs

from ragstone.core.interfaces import System
from ragstone.core.types import Answer, Failure, Request
from ragstone.systems.failures import Postponed, may_pass
from ragstone.systems.options import Count, Wait
from ragstone.systems.wrappers.wrapper import Wrapper

_SILENT = frozenset({"timeout_connect", "timeout_first_byte", "timeout_total"})


class RetryOptions(Struct, frozen=True, kw_only=True):
    """How often and when to ask again."""

    max_retries: Count = 3
    """Attempts after the first; 0 asks once."""
    retry_delay: Wait = 1.0
    """Seconds before the first retry, doubled for each further one; half of it is left to chance."""
    max_retry_delay: Wait = 60.0
    """Longest wait, also when the server asks for a longer one."""
    give_up_after: Wait = 600.0
    """Seconds after which a request is not tried again."""


class Retry(Wrapper):
    """Asks again while it can help; every attempt is counted in the answer."""

    def __init__(self, inner: System, options: RetryOptions, chance: random.Random | None = None) -> None:
        super().__init__(inner)
        self._options = options
        self._chance = chance or random.Random()  # noqa: S311 - jitter is no secret

    async def ask(self, request: Request) -> Answer:
        """Ask, and again when the failure may pass."""
        answer = await self.inner.ask(request)
        if answer.failure is None or not may_pass(answer.failure) or self._is_over(request, answer.failure):
            return answer
        return await self._again(request, answer)

    def _is_over(self, request: Request, failure: Failure) -> bool:
        """Return whether a trial met silence, which is not retried unless the user set how often."""
        usual = self._options.max_retries == RetryOptions().max_retries
        return request.is_trial and usual and failure.kind in _SILENT

    async def _again(self, request: Request, answer: Answer) -> Answer:
        attempts = answer.attempts
        ends = time.monotonic() + self._options.give_up_after
        for turn in range(self._options.max_retries):
            failure = answer.failure
            if failure is None or not may_pass(failure):
                break
            wait = self._wait(turn, failure)
            if time.monotonic() + wait > ends:
                break
            await asyncio.sleep(wait)
            answer = await self.inner.ask(request)
            attempts += answer.attempts
        return structs.replace(answer, attempts=attempts)

    def _wait(self, turn: int, failure: Failure) -> float:
        longest = self._options.max_retry_delay
        wait = min(longest, self._options.retry_delay * 2.0 ** min(turn, 30))
        jittered = wait * self._chance.uniform(0.5, 1.0)
        if not isinstance(failure, Postponed):
            return jittered
        # Not exactly then: all who were turned away together would come back together.
        wished = failure.retry_after * self._chance.uniform(1.0, 1.1)
        return max(jittered, wished if wished < longest else longest * self._chance.uniform(0.9, 1.0))
