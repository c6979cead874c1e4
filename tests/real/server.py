"""A real model behind llama.cpp's own server: `python -m tests.real.server MODEL.gguf`, which prints its address.

One slot, one thread and no prompt cache: the same question gets the same bytes. With `--keep-prefix` what questions
begin with is read once. Ends when its input is closed, so that it never outlives the tests that started it.
"""

import sys
from importlib import import_module
from typing import Any

CONTEXT = 4096


def start(model: str, *, context: int = CONTEXT, threads: int = 1, keep_prefix: bool = False) -> Any:
    """Load a model and listen on a free port of 127.0.0.1; a kept prefix is fast, and may change a last digit."""
    # Imported by name, because the package is there only in the group `real`.
    xllamacpp = import_module("xllamacpp")
    params = xllamacpp.CommonParams()
    params.model.path = model
    params.n_ctx = context
    params.n_parallel = 1
    params.cache_prompt = keep_prefix
    params.cache_ram_mib = 0
    params.verbosity = 0
    params.ui = False
    for part in (params.cpuparams, params.cpuparams_batch):
        part.n_threads = threads
        part.poll = 0
    return xllamacpp.Server(params)


if __name__ == "__main__":
    server = start(sys.argv[1], keep_prefix="--keep-prefix" in sys.argv)
    print(server.listening_address, flush=True)  # noqa: T201
    sys.stdin.read()
