"""/api/v1: systems: those that are offered, those that are entered, and one question to try them."""

import asyncio
from pathlib import Path

from fastapi import APIRouter, Request
from starlette.responses import Response

from ragstone import api
from ragstone.core.errors import UserError
from ragstone.core.language import Lang
from ragstone.core.settings import Settings
from ragstone.core.types import JSON
from ragstone.web.api.bodies import PingBody, SystemBody, answer
from ragstone.web.api.openapi import ANY_BODY, SYSTEM, gives
from ragstone.web.api.receive import receive
from ragstone.web.errors import PageError, say_error
from ragstone.web.places import SystemChoice
from ragstone.web.state import AppState
from ragstone.web.systems.ping import match, try_one
from ragstone.web.systems.saved import HELD, SavedSystem, hold_key


def system_routes(router: APIRouter, state: AppState) -> None:
    """Add what is asked of systems."""

    @router.get("/systems", tags=["systems"], responses=gives("System", many=True))
    async def systems() -> Response:
        """List the systems that can be asked."""
        return answer([_shown(choice) for choice in state.places.systems()])

    @router.get("/judges", tags=["systems"], responses=gives("Judge", many=True))
    async def judges() -> Response:
        """List who can decide what rules leave open."""
        return answer(state.places.judges())

    @router.post("/systems", tags=["systems"], status_code=201, responses=gives("System", status=201))
    async def enter(body: SystemBody) -> Response:
        """Enter a service by its address; its key is kept in memory, or named by the variable that holds it."""
        if body.key_env.startswith(HELD):
            # Keys that were typed in belong to the systems they were typed for.
            raise PageError(403, "page.variable", name=body.key_env)
        fields = body.model_dump(exclude={"key"})
        entered = SavedSystem(**fields)
        state.places.require_entered(entered)
        if body.key:
            entered = SavedSystem(**fields | {"key_env": hold_key(body.key)})
        await asyncio.to_thread(state.places.remember, entered)
        return answer(_found(state, entered.name), 201)

    @router.delete("/systems/{name}", tags=["systems"], responses=gives("Names"))
    async def forget(name: str) -> Response:
        """Forget a system that was entered; runs that asked it stay."""
        await asyncio.to_thread(state.places.forget_system, name)
        return answer([one.name for one in state.places.entered()])

    @router.put("/answers/{name}", tags=["systems"], status_code=201, responses=SYSTEM, openapi_extra=ANY_BODY)
    async def recorded(request: Request, name: str) -> Response:
        """Receive recorded answers (JSONL, CSV or Excel with ids and answers) as a system to be scored."""
        temporary = await receive(request, state, name, state.places.new_file)
        target = state.places.answers_path(state.places.new_place(name).name)
        try:
            await asyncio.to_thread(_keep_answers, temporary, target, state.lang(request))
            entered = SavedSystem(name=target.stem[:60], kind="recorded", answers=str(target))
            await asyncio.to_thread(state.places.remember, entered)
        finally:
            temporary.unlink(missing_ok=True)
        return answer(_found(state, entered.name), 201)

    @router.get("/answers/match", tags=["systems"], responses=gives("Matched"))
    async def matched(system: str, dataset: str) -> Response:
        """Count the first cases of a dataset that recorded answers have an answer to."""
        found = state.places.dataset(dataset)
        asked = state.places.asked(system, found)
        spec = str(state.places.tables().get(system, {}).get("system", ""))
        if not spec.startswith("replay:"):
            raise PageError(404, "page.system", name=system)
        counts = await asyncio.to_thread(match, asked, found, state.places.run_settings())
        return answer(dict(zip(("found", "of"), counts, strict=True)))

    @router.post("/ping", tags=["systems"], responses=gives("Tried"))
    async def ping(request: Request, body: PingBody) -> Response:
        """Ask a system one question."""
        dataset, lang = state.places.dataset(body.dataset), state.lang(request)
        asked = state.places.asked(body.system, dataset)
        if asked.mock or not asked.systems:
            raise PageError(422, "page.alone")
        settings = state.places.run_settings()
        tried = await asyncio.to_thread(try_one, asked, dataset, body.question, settings, lang)
        return answer(state.hide(tried))


def _keep_answers(temporary: Path, target: Path, lang: Lang) -> None:
    """Store recorded answers that can be read; answers of the same name are replaced."""
    try:
        asyncio.run(api.connect_system(f"replay:{temporary}", {}, Settings()).close())
    except UserError as error:
        raise PageError(422, "page.answers", name=target.name, problem=say_error(error, lang, target.name)) from error
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    temporary.replace(target)


def _found(state: AppState, name: str) -> dict[str, JSON]:
    return next(_shown(one) for one in state.places.systems() if one.name == name)


def _shown(choice: SystemChoice) -> dict[str, JSON]:
    return {"name": choice.name, "label": choice.label, "kind": choice.kind, "system": choice.spec}
