"""A real model behind llama.cpp's own server: `python -m tests.real.server MODEL.gguf`, which prints its address.

One slot, one thread and no prompt cache: the same question gets the same bytes. Ends when its input is closed,
so that it never outlives the tests that started it.
"""

import sys
from importlib import import_module
from typing import Any

CONTEXT = 4096


def start(model: str) -> Any:
    """Load a model and listen on a free port of 127.0.0.1."""
    # Imported by name, because the package is there only in the group `real`.
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = CONTEXT
    params.n_parallel = 1
    params.cache_prompt = False
    params.cache_ram_mib = 0
    params.verbosity = 0
    params.ui = False
    for threads in (params.cpuparams, params.cpuparams_batch):
        threads.n_threads = 1
        threads.poll = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    server = start(sys.argv[1])
    print(server.listening_address, flush=True)  # noqa: T201
    sys.stdin.read()
