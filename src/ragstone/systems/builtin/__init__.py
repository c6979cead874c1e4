"""The built-in RAG: an embedded index over a folder of documents, extractive answers, no network and no key."""

from ragstone.systems.builtin.index import Index, build_index
from ragstone.systems.builtin.system import Builtin, connect

__all__ = ["Builtin", "Index", "build_index", "connect"]
