"""The engine that needs nothing: one shard after the other, in this process."""

from collections.abc import Iterable, Iterator

from ragstone.core.errors import SettingError
from ragstone.core.interfaces import Shard, Work
from ragstone.runs.engines.call import call, read


class Inproc:
    """Works where it stands."""

    name = "inproc"

    def run(self, work: Work, shards: Iterable[Shard]) -> Iterator[bytes]:
        """Do the shards in their order."""
        for shard in shards:
            yield read(call(work.target, work.setup, shard.content), shard, self.name)

    def close(self) -> None:
        """Nothing is held."""


def connect(argument: str) -> Inproc:
    """Make the engine; there is nothing to choose."""
    if argument:
        raise SettingError("engine.spec", engine=f"inproc:{argument}", problem="inproc takes no argument")
    return Inproc()
