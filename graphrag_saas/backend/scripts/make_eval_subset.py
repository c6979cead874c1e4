"""Draw the dev subset of a question set: `ragstone subset`, by default from and to where its document says.

python graphrag_saas/backend/scripts/make_eval_subset.py [QUESTIONS OUT] [--size 100] [--seed …]
"""

import sys

from ragstone.cli.main import main

USUAL = ("docs/question_v2.json", "docs/eval_sets/question_v2_dev100.json")

if __name__ == "__main__":
    words = sys.argv[1:]
    sys.argv = ["ragstone", "subset", *(words if words and not words[0].startswith("-") else [*USUAL, *words])]
    sys.exit(main())
