"""Make tests/data/imports/promptfoo: `python promptfoo_run.py FOLDER OUT`; npm installed promptfoo in FOLDER."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from fiction import FICTIONS, endpoint


def config(url: str) -> dict[str, object]:
    """Two providers, a prompt, one test a question; the second provider speaks in a fixed way."""
    asked = {"apiBaseUrl": url, "apiKey": "none", "temperature": 0}
    tests = [
        {
            "description": one.id,
            "vars": {"question": one.question, "reference": one.reference},
            "assert": [
                {"type": "contains", "value": "{{reference}}", "metric": "holds reference"},
                {"type": "rouge-n", "value": "{{reference}}", "threshold": 0.1},
            ],
        }
        for one in FICTIONS
    ]
    return {
        "description": "Fiction",
        "prompts": ["Answer briefly: {{question}}"],
        "providers": [{"id": "openai:chat:fiction", "config": asked}, "echo"],
        "tests": tests,
    }


def main(folder: Path, out: Path) -> None:
    """Evaluate, and keep the file."""
    out.mkdir(parents=True, exist_ok=True)
    off = {
        "PROMPTFOO_DISABLE_TELEMETRY": "1",
        "PROMPTFOO_DISABLE_UPDATE": "1",
        "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    }
    with endpoint() as url, tempfile.TemporaryDirectory() as home:
        path = Path(home) / "promptfooconfig.json"
        path.write_text(json.dumps(config(url), ensure_ascii=False), encoding="utf-8")
        target = Path(home) / "out.json"
        words = ["node", str(folder / "node_modules/promptfoo/dist/src/entrypoint.js"), "eval", "-c", str(path)]
        words += ["-o", str(target), "--no-cache", "--no-table", "-j", "1"]
        more = off | {
            "PROMPTFOO_CONFIG_DIR": home,
            "PROMPTFOO_REQUEST_BACKOFF_MS": "10",
            "PROMPTFOO_RETRY_5XX": "false",
        }
        subprocess.run(words, check=False, env=os.environ | more, cwd=home)
        text = target.read_text(encoding="utf-8").replace(home, ".")
        (out / "out.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), Path(sys.argv[2]).resolve())
