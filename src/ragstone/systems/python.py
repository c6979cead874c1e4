"""A Python callable, or an object with `.query()`, as a system. This is the user's code, run on purpose.

python:my_rag:answer          a function, sync or async, that takes the question
python:my_rag:Rag             a class with .query(); it is made without arguments
python:my_rag:rag             an object with .query()
"""

import asyncio
import inspect
import re
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import structs

from ragstone.core.errors import ConnectError, UserError
from ragstone.core.language import excerpt
from ragstone.core.masking import hide_foreign
from ragstone.core.registry import load_module
from ragstone.core.types import JSON, Answer, Failure, Request
from ragstone.systems.options import FactOptions, fields, refuse_unknown
from ragstone.systems.to_answer import to_answer
from ragstone.text.nearest import nearest


class PythonSystem:
    """Asks a callable; a blocking one runs in a thread of its own, so that a hung call never holds the run."""

    def __init__(
        self,
        function: Callable[[str], object],
        target: str,
        *,
        model_id: str = "",
        facts: Mapping[str, str] | None = None,
    ) -> None:
        self.model_id = model_id or target
        self._identity = {"kind": "python", "target": target, **(facts or {})}
        self._function = function
        self._async = inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(
            getattr(function, "__call__", None)  # noqa: B004 - an instance's __call__ may be async
        )

    def identity(self) -> Mapping[str, JSON]:
        """Describe the callable by its name and by attributes of its owner."""
        return self._identity

    async def ask(self, request: Request) -> Answer:
        """Call it with the question."""
        begin = time.perf_counter()
        try:
            value = self._function(request.question) if self._async else await self._in_thread(request.question)
            answer = to_answer(await value if inspect.isawaitable(value) else value)
        except (SystemExit, KeyboardInterrupt) as error:
            # Code that wants the process to end ends its own case only.
            answer = _ended(error)
        if answer.latency_ms is not None:
            return answer
        return structs.replace(answer, latency_ms=round((time.perf_counter() - begin) * 1000, 3))

    async def _in_thread(self, question: str) -> object:
        """Run a blocking call in a daemon thread: unlike a pool's, it does not keep the process from ending."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[object] = loop.create_future()

        def settle(deliver: Callable[[object], None], value: object) -> None:
            if not future.done():
                deliver(value)

        def call() -> None:
            deliver: Callable[..., None] = future.set_result
            value: object
            try:
                value = self._function(question)
            except Exception as error:  # noqa: BLE001 - carried to the asking side, where it becomes a failed case
                # A StopIteration cannot be set on a future.
                deliver, value = (
                    future.set_exception,
                    RuntimeError(repr(error)) if isinstance(error, StopIteration) else error,
                )
            except BaseException as error:  # noqa: BLE001 - a thread that ends without a word would never be heard of
                value = _ended(error)
            if not loop.is_closed():
                loop.call_soon_threadsafe(settle, deliver, value)

        threading.Thread(target=call, daemon=True, name="ragstone-ask").start()
        return await future

    async def close(self) -> None:
        """Nothing is held."""


def _ended(error: BaseException) -> Answer:
    """Return the failure of a call that tried to end the process."""
    name, text = type(error).__name__, str(error)
    return Answer(failure=Failure("exception", excerpt(hide_foreign(f"{name}: {text}" if text else name), 500)))


def connect(argument: str, options: Mapping[str, JSON]) -> PythonSystem:
    """Import `module:attribute` from the current folder or the environment; it takes no options of its own."""
    refuse_unknown(options, set(), f"python:{argument}", also=fields(FactOptions))
    module_name, _, attribute = argument.partition(":")
    if not module_name or not attribute:
        problem, near = "expected python:module:attribute", _meant(argument)
        raise ConnectError("system.spec", spec=f"python:{argument}", problem=problem, near=near)
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        target: object = load_module(module_name)
        for part in attribute.split("."):
            target = getattr(target, part)
        if inspect.isclass(target):
            target = target()
    except UserError:
        raise
    except (Exception, SystemExit) as error:
        problem, near = f"{type(error).__name__}: {error}", _meant(argument)
        missing = isinstance(error, ModuleNotFoundError) and (error.name or "").startswith(module_name.split(".")[0])
        code = "system.import" if missing or isinstance(error, AttributeError) or near else "system.broken"
        raise ConnectError(code, target=argument, problem=problem, near=near) from error
    return wrap(target, argument)


def _meant(argument: str) -> str:
    """Return the function of a module in this folder that was meant; nothing is imported to find it."""
    words = argument.replace(".py", "").replace(".", ":").split(":")
    modules = tuple(sorted(path.stem for path in Path().glob("*.py")))
    module = words[0] if words[0] in modules else nearest(words[0], modules)
    if not module:
        return ""
    names = tuple(re.findall(r"^(?:async )?(?:def|class) (\w+)", _source(Path(f"{module}.py")), re.MULTILINE))
    wished = words[1] if len(words) > 1 else "query"
    name = wished if wished in names else nearest(wished, names)
    return f"python:{module}:{name}" if name and f"{module}:{name}" != argument else ""


def _source(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def wrap(target: object, name: str | None = None) -> PythonSystem:
    """Make a system of a callable or of an object with `.query()`; attributes of that may tell its name and facts."""
    name = name or str(getattr(target, "__qualname__", type(target).__qualname__))
    function = getattr(target, "query", target)
    if not callable(function):
        raise ConnectError("system.not_callable", target=name, found=type(target).__name__)
    told = {field: str(value) for field in fields(FactOptions) if isinstance(value := _told(target, field), str | int)}
    return PythonSystem(function, name, model_id=told.pop("model_id", ""), facts=told)


def _told(target: object, name: str) -> object:
    """Return an attribute; None for a property that raises."""
    try:
        return getattr(target, name, None)
    except Exception:  # noqa: BLE001 - the user's code, asked for a fact it need not have
        return None
