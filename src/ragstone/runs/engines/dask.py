"""The engine for several machines: shards are tasks of a Dask cluster. Workers need Ragstone and the same files."""

import hashlib
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, cast

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Shard, Work
from ragstone.runs.engines.call import call, checked, lost, read

PATIENCE = 20
"""Seconds to wait for the scheduler, and for its first worker."""
AHEAD = 2
"""Shards for each core of the cluster that wait, finished or not."""
LEAST, MOST = 4, 512
"""Shards in flight, however small or large the cluster is."""


class Cluster:
    """A scheduler and the workers it knows at the moment; it replaces those that are lost."""

    def __init__(self, client: Any, address: str) -> None:
        self.name = f"dask://{address}"
        self._client = client

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
        """Keep some shards in flight and yield what they come to in their order."""
        checked(work)
        waiting: deque[tuple[Shard, Any]] = deque()
        source = iter(shards)
        try:
            while True:
                while len(waiting) < self._free() and (shard := next(source, None)) is not None:
                    waiting.append((shard, self._submit(work, shard)))
                if not waiting:
                    return
                shard, future = waiting.popleft()
                yield read(self._result(shard, future), shard, self.name)
        finally:
            with suppress(Exception):
                self._client.cancel([future for _, future in waiting])

    def _free(self) -> int:
        cores: int = sum(self._client.nthreads().values())
        return max(LEAST, min(MOST, AHEAD * cores))

    def _submit(self, work: Work, shard: Shard) -> Any:
        # The key is made of the content: the same shard twice is one task, and a lost one is done again.
        key = hashlib.sha256(b"\0".join((work.target.encode(), work.setup, shard.content))).hexdigest()
        return self._client.submit(call, work.target, work.setup, shard.content, key=f"ragstone-{key}", pure=True)

    def _result(self, shard: Shard, future: Any) -> bytes:
        from distributed.client import FutureCancelledError  # noqa: PLC0415 - only where Dask is used
        from distributed.scheduler import KilledWorker  # noqa: PLC0415

        try:
            reply: bytes = future.result()
        except KilledWorker as error:
            raise lost(shard, self.name, 1 + int(getattr(error, "allowed_failures", 0) or 0)) from error
        except (ModuleNotFoundError, ImportError) as error:
            raise SettingError("engine.worker", engine=self.name, problem=str(error)) from error
        except (FutureCancelledError, OSError, TimeoutError) as error:
            problem = str(error) or type(error).__name__
            raise SettingError("engine.gone", engine=self.name, problem=problem) from error
        return reply

    def close(self) -> None:
        """Leave the cluster as it is."""
        with suppress(Exception):
            self._client.close()


def connect(argument: str) -> Cluster:
    """Connect to `dask://host:port`, `dask://tls://host:port`, or the cluster a `dask:///scheduler.json` names.

    Certificates and time limits are Dask's own settings (its YAML files or DASK_… variables).
    """
    address = argument.removeprefix("//")
    if not address:
        raise SettingError("engine.spec", engine=f"dask:{argument}", problem="expected dask://HOST:PORT")
    try:
        from distributed import Client  # noqa: PLC0415 - an extra
    except ImportError as error:
        raise SettingError("engine.extra", engine="dask", extra="dask", package="distributed") from error
    file = address.endswith(".json")
    if file and not Path(address).is_file():  # Dask would wait for it for ever
        raise SettingError("engine.gone", engine=f"dask://{address}", problem="no such file")
    where = {"scheduler_file": address} if file else {"address": address if "://" in address else f"tcp://{address}"}
    try:
        client: Any = cast("Any", Client)(**where, timeout=PATIENCE, set_as_default=False, name="ragstone")
    except (OSError, TimeoutError, ValueError, ImportError) as error:
        problem = str(error) or type(error).__name__
        raise SettingError("engine.gone", engine=f"dask://{address}", problem=problem) from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        client.close()
        problem = f"no worker within {PATIENCE} s"
        raise SettingError("engine.gone", engine=f"dask://{address}", problem=problem) from error
    return Cluster(client, address)
