"""Evaluate a question set by Eval JSON v2: `ragstone run --contract eval_json_v2`, the dev subset as its gate.

python graphrag_saas/backend/scripts/eval_json_v2.py [QUESTIONS] --system chat:MODEL [any option of `ragstone run`]
"""

import sys
from pathlib import Path

from ragstone.cli.main import main

USUAL = "docs/question_v2.json"
GATE = "docs/eval_sets/question_v2_dev100.json"

if __name__ == "__main__":
    words = sys.argv[1:]
    named = bool(words) and not words[0].startswith("-")
    gate = [] if named or "--gate-on" in words or not Path(GATE).is_file() else ["--gate-on", GATE]
    sys.argv = ["ragstone", "run", *([] if named else [USUAL]), *words, *gate]
    if "--contract" not in words and not {"-h", "--help"} & set(words):
        sys.argv += ["--contract", "eval_json_v2"]
    sys.exit(main())
