"""The end of each command's help: examples that can be typed, and what its exit codes mean."""

from ragstone.cli.front import choose

EXAMPLES: dict[str, tuple[tuple[str, str, str], ...]] = {
    "demo": (
        ("demo", "the bundled documents and questions", "内置的文档与问题"),
        ("demo --set en", "the English ones", "英文示例"),
    ),
    "check": (
        ("check questions.jsonl --documents documents", "also: is every named document there?", "同时检查文档是否存在"),
        (
            "check mine.csv --map question=prompt --map gold=expected",
            "a table with its own column names",
            "自定义列名的表格",
        ),
    ),
    "draft": (
        (
            "draft handbook -n 2 --out drafts.jsonl",
            "questions from documents, each proved by a quotation",
            "由文档起草问题，每个要点附引文",
        ),
        (
            "draft accept drafts.jsonl --all --documents handbook",
            "reviewed: they count as yours now",
            "已审阅：从此算作你的题目",
        ),
    ),
    "plan": (
        ("plan questions.jsonl --system builtin:documents", "calls, tokens and time", "请求数、词元数与时间"),
        (
            "plan questions.jsonl --system chat:gpt-4o-mini --repeats 3 --latency-ms 800",
            "three answers a case",
            "每例三次",
        ),
    ),
    "ping": (
        ('ping --system http_json:lightrag --question "几点开门？"', "does the service answer?", "服务是否应答？"),
        (
            "ping questions.jsonl --system python:my_rag:query",
            "the first case, and how its answer is read",
            "第一个用例，以及回答如何解读",
        ),
    ),
    "run": (
        (
            "run questions.jsonl --system builtin:documents --run-id before",
            "the built-in RAG, as a baseline",
            "内置 RAG，作为基线",
        ),
        (
            "run questions.jsonl --system python:my_rag:query --run-id after",
            "query() in my_rag.py",
            "my_rag.py 中的 query()",
        ),
        (
            "run questions.jsonl --system http_json:lightrag --concurrency 4",
            "a LightRAG server, LIGHTRAG_URL",
            "LightRAG 服务（LIGHTRAG_URL）",
        ),
        (
            "run questions.jsonl --system chat:gpt-4o-mini --max-samples 1 --verbose",
            "one case, every event told",
            "一个用例，逐条说明",
        ),
    ),
    "score": (
        ("score questions.jsonl answers.jsonl", "answers recorded before", "先前录制的回答"),
        ("score recorded.csv --run-id recorded", "answers in a column of the table", "表格中的一列即回答"),
    ),
    "resume": (
        ("resume latest", "go on after Ctrl-C, a crash or a budget", "在 Ctrl-C、崩溃或预算用尽之后继续"),
        ("resume after --retry-failed", "ask again only what failed", "只重新提问失败的用例"),
    ),
    "runs": (
        ("runs", "newest first", "最新的在前"),
        ("runs --json", "for a script", "供脚本使用"),
    ),
    "report": (
        ("report latest", "the figures and what did not pass", "指标与未通过的用例"),
        ("report before --format markdown", "for a page or a merge request", "用于网页或合并请求"),
    ),
    "compare": (
        ("compare before after", "what flipped, why, and whether it means anything", "翻转的用例、原因以及是否有意义"),
        ("compare before after --markdown changes.md", "the same for a merge request", "同样的内容，用于合并请求"),
    ),
    "gate": (
        ('gate after --rule "accuracy >= 0.5"', "may it be released?", "可以发布吗？"),
        (
            'gate after --baseline before --rule "drop(accuracy) <= 0.02" --unsure pass',
            "no worse than before",
            "不比之前差",
        ),
    ),
    "verify": (
        ("verify latest", "is this run what it says it is?", "这次运行是否名副其实？"),
        ("verify before --json", "for a script", "供脚本使用"),
    ),
    "judge": (
        (
            "judge latest --judge chat:MODEL -J base_url=http://127.0.0.1:8080/v1",
            "decide what rules left open; the system is not asked",
            "裁定规则未能决定的部分，不向被测系统提问",
        ),
    ),
    "certify": (
        (
            "certify --judge chat:MODEL",
            "how far the judge agrees with people",
            "裁判与人工标注的一致程度",
        ),
    ),
    "review": (("review latest", "the address for people to review it at", "供人工评审的网址"),),
    "labels": (
        ("labels import reviewed.csv", "verdicts that somebody gave in a spreadsheet", "表格中填写的人工判定"),
        ("labels export all.xlsx", "all verdicts, as a workbook", "全部判定，写成 Excel"),
        (
            "labels apply questions.jsonl --yes",
            "what reviewers fixed, in a copy of the dataset",
            "把评审人的修正写入样例集的副本",
        ),
    ),
    "rescore": (
        ("rescore before", "the same answers under today's scorer", "用当前评分器评同样的回答"),
        ("rescore before --dataset questions.jsonl", "after the gold was corrected", "修正标准答案之后"),
    ),
    "import": (
        ("import results.json", "a run of another tool, its scores as they were", "其他工具的运行，分数保持原样"),
        ("import results.json --from deepeval --out runs/theirs", "named, and the tool told", "指定名称与工具"),
    ),
    "merge": (
        (
            "merge part-1 part-2 --out runs/whole",
            "made by `run --shard 1/2` and `2/2`",
            "由 `run --shard 1/2` 与 `2/2` 生成",
        ),
    ),
    "subset": (
        (
            "subset questions.jsonl small.jsonl --size 1 --by category",
            "a gate set that stands for the whole",
            "能代表整体的门禁集",
        ),
    ),
    "index": (
        ("index documents --chunk-size 500", "longer pieces than the usual 300 characters", "比默认 300 字更长的片段"),
    ),
    "serve": (
        ("serve", "http://localhost:8000/eval, this machine only", "http://localhost:8000/eval，仅限本机"),
        (
            "serve --port 8080 --datasets sets --max-jobs 2",
            "another port, own datasets, two runs at once",
            "其他端口、自己的样例集、同时两次运行",
        ),
    ),
    "people": (
        ("people add lin --role reviewer", "print a token for somebody who reviews", "为评审人生成令牌"),
        ("people remove lin", "she may come in no more", "不再允许登录"),
    ),
    "new": (
        ("new key_points my-eval", "questions, documents, my_rag.py, answers", "问题、文档、my_rag.py、回答"),
        (
            "new key_points converted --from mine.csv --map question=prompt --map gold=expected",
            "your own table",
            "你自己的表格",
        ),
        ("new ci github", "a pipeline that gates every merge request", "在每个合并请求上执行门禁的流水线"),
    ),
    "completion": (("completion bash", "eval it, or put it into ~/.bashrc", "执行它，或写入 ~/.bashrc"),),
}
"""Command to examples: the line without `ragstone`, and what it is for."""

_ASKED = (
    "0 every case was asked; 2 something to fix; 3 some case failed, or the run is partial; 130 stopped",
    "0 全部用例已提问；2 需要修正；3 有用例失败或运行不完整；130 已停止",
)
EXIT_CODES: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("demo", "run", "score", "resume"), _ASKED),
    "check": ("0 sound (warnings allowed); 2 faults, or something to fix", "0 无错误（可有警告）；2 有错误或需要修正"),
    "gate": ("0 PASS; 1 FAIL; 2 something to fix; 3 NOT MEASURED", "0 通过；1 未通过；2 需要修正；3 未测得"),
    "verify": ("0 identical; 1 drift; 2 unusable; 3 partial", "0 一致；1 有偏差；2 无法使用；3 不完整"),
}


def epilog(name: str) -> str:
    """Return the end of a command's help."""
    heads = choose("Examples:", "示例：")
    lines = [f"\b\n{heads}"]
    for line, english, chinese in EXAMPLES.get(name, ()):
        lines += [f"  ragstone {line}", f"      {choose(english, chinese)}"]
    parts = ["\n".join(lines)] if len(lines) > 1 else []
    if name in EXIT_CODES:
        parts.append(f"{choose('Exit codes: ', '退出码：')}{choose(*EXIT_CODES[name])}")
    return "\n\n".join(parts)
