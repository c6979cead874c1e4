"""Receives an upload into a hidden file; one that is too large, or not what its name says, is refused at once."""

import asyncio
import contextlib
import os
from collections.abc import Callable
from pathlib import Path

from fastapi import Request

from ragstone.web.datasets.files import PRIVATE
from ragstone.web.errors import PageError
from ragstone.web.state import AppState


async def receive(
    request: Request, state: AppState, name: str, check: Callable[[str, bytes], object], *, empty: str = "dataset.empty"
) -> Path:
    """Write a body down; `check` is shown its name and its first bytes before anything is written.

    `empty` is the message for a body without a byte.
    """
    temporary, target = state.places.new_upload(name), None
    try:
        async for block in request.stream():
            if block and target is None:
                check(name, block)
                temporary.parent.mkdir(parents=True, exist_ok=True)
                target = os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE), "wb")
            if block and target is not None:
                await asyncio.to_thread(target.write, block)
        if target is None:
            raise PageError(415, empty, file=name)
        target.close()
    except BaseException as error:
        if target is not None:
            with contextlib.suppress(OSError):
                target.close()
        temporary.unlink(missing_ok=True)
        if isinstance(error, OSError):
            raise PageError(507, "page.disk", problem=error.strerror or "?") from error
        raise
    return temporary
