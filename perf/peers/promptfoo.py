"""promptfoo: writes its configuration and becomes it; a Node program, installed by npm.

The first word of the command line is the program's own file.
"""

import json
import os
import sys
from pathlib import Path

from perf.peers.given import Given, given

OFF = {
    "PROMPTFOO_DISABLE_TELEMETRY": "1",
    "PROMPTFOO_DISABLE_UPDATE": "1",
    "PROMPTFOO_DISABLE_REMOTE_GENERATION": "1",
    "PROMPTFOO_DISABLE_SHARING": "1",
    "PROMPTFOO_CONFIG_DIR": ".promptfoo",
    "OPENAI_API_KEY": "none",
}


def configuration(options: Given) -> dict[str, object]:
    """Say what promptfoo shall do."""
    tests = [
        {"vars": {"question": row.question}, "assert": [{"type": "contains", "value": row.expected}]}
        for row in options.rows
    ]
    provider = {"id": "openai:chat:m", "config": {"apiBaseUrl": options.url, "max_tokens": 64}}
    return {"prompts": ["{{question}}"], "providers": [provider], "tests": tests}


def main() -> None:
    """Write the configuration, then run promptfoo in place of this process."""
    program = sys.argv.pop(1)
    options, _ = given()
    Path("promptfooconfig.json").write_text(json.dumps(configuration(options)), encoding="utf-8")
    flags = ["--no-cache", "--no-table", "--no-progress-bar", "--no-write", "--max-concurrency", str(options.at_once)]
    words = ["node", program, "eval", "-c", "promptfooconfig.json", "-o", "found.json", *flags]
    os.execvpe("node", words, os.environ | OFF)


if __name__ == "__main__":
    main()
