"""The model that the judge is measured with, on loopback: `uv run --group real python -m perf.judge.serve [MODEL]`.

Prints its address and runs until its input ends. Two threads, and what all questions begin with is kept. On a busy
machine `OMP_WAIT_POLICY=passive` keeps threads that wait from taking others' time.
"""

import sys

from perf.judge.weights import JUDGE
from scripts.get_small_model import model_folder
from tests.real.server import start

CONTEXT = 8192
THREADS = 1

if __name__ == "__main__":
    model = sys.argv[1] if len(sys.argv) > 1 else str(model_folder() / JUDGE.file)
    server = start(model, context=CONTEXT, threads=THREADS, keep_prefix=True)
    print(server.listening_address, flush=True)
    sys.stdin.read()
