"""Draft a question set over a folder of documents, with its dev subset: the flow at its real size.

python scripts/make_question_set.py FOLDER [--out docs/question_v2.json] [--size 1000] [--dev 100]
"""

import argparse
import json
import sys
from pathlib import Path

from ragstone.datasets.check import load_cases, open_contract
from ragstone.datasets.subset import cut, draw
from ragstone.documents.folder import read_folder
from ragstone.drafting.questions.sections import question_set, sections


def main() -> int:
    """Write both files."""
    parser = argparse.ArgumentParser(description="Draft a question set over a folder of documents.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, default=Path("docs/question_v2.json"))
    parser.add_argument("--size", type=int, default=1000)
    parser.add_argument("--dev", type=int, default=100)
    flags = parser.parse_args()
    pages = ((doc.name, page.number, page.text) for doc in read_folder(flags.folder) for page in doc.pages)
    drafts = question_set(sections(pages), flags.size)
    if not drafts:
        sys.stderr.write(f"{flags.folder}: no section is long enough for a question\n")
        return 2
    dev = flags.out.parent / "eval_sets" / f"{flags.out.stem}_dev{flags.dev}.json"
    dev.parent.mkdir(parents=True, exist_ok=True)
    flags.out.write_text(json.dumps(drafts, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    drawn = draw(load_cases(open_contract(flags.out, name="eval_json_v2")), flags.dev)
    dev.write_bytes(cut(flags.out.read_bytes(), drawn.cases))
    sys.stdout.write(f"{len(drafts)} questions in {flags.out}, {len(drawn.cases)} in {dev}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
