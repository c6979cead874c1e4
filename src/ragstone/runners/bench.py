"""`python -m bench.cli.runner`: a prompt task or a workflow on one or several models; thin, over `ragstone.api`.

python -m bench.cli.runner --task event_eval --dataset d.jsonl --models deepseek-v3 qwen \
    --model-registry configs/llm_providers.json --out runs/

Exit codes are those of `ragstone`: 0 fine, 1 worse than the baseline, 2 something to fix, 3 partial, 130 stopped.
"""

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from ragstone import api
from ragstone.cli.program import as_typed
from ragstone.cli.watch import Watch
from ragstone.cli.wording import choose, show_error, show_warning
from ragstone.core.errors import SettingError, UserError
from ragstone.core.language import Lang, pick_language
from ragstone.core.messages import message
from ragstone.core.settings import Settings, read_settings
from ragstone.core.types import JSON
from ragstone.datasets.check import open_contract
from ragstone.runs.store.admission import OWN, TRUSTING
from ragstone.runs.store.folder import RunFolder
from ragstone.runs.workflow.file import read_workflow
from ragstone.systems.models import Registry, read_registry
from ragstone.trust.baseline import AUTO, Baseline, find_baseline, named_baseline
from ragstone.trust.gate import TOLERANCE
from ragstone.trust.regression import regress, regression_lines

REGISTRY = Path("configs/llm_providers.json")
"""Where the models are looked for when no file is named."""
CACHE = ".cache/answers.sqlite"
"""Where answers are kept, under the folder of the runs."""
GATE_CODES = {"PASS": 0, "FAIL": 1, "NOT MEASURED": 3}
WORKFLOW = "ragstone.runs.workflow.contract:Workflow"
RENAMED = {"--runs-dir": "--out"}
"""Flags that `ragstone` has by another name."""
CONCURRENCY = 8
"""Requests in flight for each model, when neither flag nor registry says otherwise."""


def parser() -> argparse.ArgumentParser:
    """Return the flags."""
    made = argparse.ArgumentParser(
        prog="python -m bench.cli.runner",
        description=choose(
            "Run a prompt task or a workflow on one or several models.", "在一个或多个模型上运行提示词任务或工作流。"
        ),
    )
    for name, english, chinese, more in _FLAGS:
        short = ["-q"] if name == "quiet" else []
        made.add_argument(*short, f"--{name}", help=choose(english, chinese), **more)
    return made


def _positive(text: str) -> int:
    """Read a count; what argparse says of a plain ValueError names this function."""
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(message("flag.count").say(_lang(), {"value": text}))
    return value


def _margin(text: str) -> float:
    """Read how much a figure may drop."""
    try:
        value = float(text)
    except ValueError:
        value = -1
    if not 0 <= value < math.inf:
        raise argparse.ArgumentTypeError(message("flag.margin").say(_lang(), {"value": text}))
    return value


def _lang(wish: str | None = None) -> Lang:
    return pick_language(wish or choose("en", "zh-Hans", "zh-Hant"))


_FLAGS: tuple[tuple[str, str, str, dict[str, Any]], ...] = (
    (
        "task",
        "Task: a name in bench/tasks or a bundled one, or a path.",
        "任务：bench/tasks 中的名称、内置名称或路径。",
        {},
    ),
    ("workflow", "Workflow file (YAML or JSON), instead of a task.", "工作流文件（YAML 或 JSON），代替任务。", {}),
    ("dataset", "Rows, JSONL.", "数据集，JSONL。", {"type": Path}),
    (
        "models",
        "Models of the registry; the active one when left out.",
        "注册表中的模型；省略时为 active。",
        {"nargs": "+"},
    ),
    (
        "model-registry",
        f"Model registry file; {REGISTRY} when left out.",
        f"模型注册表；省略时为 {REGISTRY}。",
        {"type": Path},
    ),
    ("out", "Folder that holds the runs.", "保存运行的文件夹。", {"default": "runs"}),
    ("run-id", "Name of the run's folder.", "运行文件夹的名称。", {}),
    (
        "mock",
        "Dry run: perfect answers, no key, no calls.",
        "试运行：标准回答，无需密钥，不发出请求。",
        {"action": "store_true"},
    ),
    ("max-samples", "Only the first N rows.", "只取前 N 行。", {"type": _positive, "metavar": "N"}),
    (
        "concurrency",
        "Requests in flight for each model.",
        "每个模型的并发请求数。",
        {"type": _positive, "metavar": "N"},
    ),
    (
        "workflow-concurrency",
        "Rows a workflow works on at once.",
        "工作流同时处理的样本数。",
        {"type": _positive, "metavar": "N"},
    ),
    ("no-cache", "Ask again what was answered in an earlier run.", "不复用以前运行的回答。", {"action": "store_true"}),
    ("resume-run-dir", "Continue this run.", "继续这次运行。", {"type": Path, "metavar": "RUN"}),
    (
        "trust-run",
        "Load what a run names that was not made by you here (code, files, addresses, keys), and count its verdicts.",
        "信任并非由您在本机生成的运行：加载其中写明的代码、文件、地址与密钥，并计入其判定。",
        {"action": "store_true"},
    ),
    ("repeats", "Ask each row N times.", "每行提问 N 次。", {"type": _positive, "default": 1, "metavar": "N"}),
    ("params", "Parameters over the task's own, as a JSON object.", "覆盖任务参数的 JSON 对象。", {"metavar": "JSON"}),
    (
        "baseline",
        "Run or pin to compare with; auto finds the pinned or last passed run of the same task, models, prompt and "
        "scorer version.",
        "用于比较的基线运行或固定名；auto 查找任务、模型、提示词版本和评分器版本都相同、已固定或最近通过门禁的运行。",
        {"metavar": "RUN"},
    ),
    (
        "tolerance",
        "How much a figure may drop against the baseline.",
        "相对基线允许的下降幅度。",
        {"type": _margin, "default": TOLERANCE, "metavar": "X"},
    ),
    (
        "gate-metrics",
        "Sub-scores that may not drop, either.",
        "同样不得下降的子指标。",
        {"nargs": "+", "metavar": "NAME"},
    ),
    (
        "allow-cached",
        "Compare with the baseline although all answers came from the cache; gate.json says so.",
        "即使全部回答来自缓存，也与基线比较（记录于 gate.json）。",
        {"action": "store_true"},
    ),
    ("lang", "Language of the verdicts: en, zh-Hans, zh-Hant.", "评语语言：en、zh-Hans、zh-Hant。", {}),
    ("quiet", "Print nothing but errors.", "只输出错误。", {"action": "store_true"}),
)


def main(words: Sequence[str] | None = None) -> int:
    """Run, and return the exit code."""
    flags = parser().parse_args(words)
    try:
        return _main(flags)
    except (UserError, OSError) as error:
        if not show_error(error, RENAMED):
            raise
        return 2


def _main(flags: argparse.Namespace) -> int:
    watch, baseline = Watch(quiet=flags.quiet), _baseline(flags)
    if flags.resume_run_dir:
        done = _resume(flags, watch)
    else:
        if not flags.dataset:
            raise SettingError("bench.needed", flag="--dataset")
        if bool(flags.task) == bool(flags.workflow):
            raise SettingError("bench.both") if flags.task else SettingError("bench.needed", flag="--task / --workflow")
        _check_metrics(flags)
        done = _evaluate(flags, watch)
    code = exit_code(done)
    return code if code == 130 or not flags.baseline else _regress(flags, done, baseline) or code


def _gate_metrics(flags: argparse.Namespace) -> list[str]:
    return [name for text in flags.gate_metrics or () for name in text.split(",") if name]


def _check_metrics(flags: argparse.Namespace) -> None:
    """Refuse sub-scores that the task does not have, before anything is asked."""
    if not (flags.baseline and flags.task and (names := _gate_metrics(flags))):
        return
    contract = open_contract(flags.dataset, name="prompt_task", options={"task": flags.task})
    known = [spec.name for spec in contract.metrics]
    if unknown := [name for name in names if name not in (*known, "primary_score", "pass_rate")]:
        raise SettingError("bench.metrics", names=unknown, known=known)


def _baseline(flags: argparse.Namespace) -> Baseline | None:
    """Find the baseline that was named before anything is asked; a new run is no baseline of itself."""
    if not flags.baseline or flags.baseline == AUTO:
        return None
    runs_dir = flags.resume_run_dir.parent if flags.resume_run_dir else Path(flags.out)
    return named_baseline(runs_dir, flags.baseline)


def _regress(flags: argparse.Namespace, done: api.Run, named: Baseline | None) -> int:
    """Compare a run with its baseline and return the gate's exit code."""
    folder, lang = RunFolder.open(done.folder), _lang(flags.lang or done.lang)
    baseline = named or find_baseline(done.folder.parent, folder)
    if baseline is None:
        _say(message("bench.no_baseline").say(lang, {}))
        return 0
    found = regress(
        folder,
        baseline.folder,
        tolerance=flags.tolerance,
        metrics=_gate_metrics(flags),
        lang=lang,
        on_unkept=lambda error: show_warning(error, lang),
        guard=TRUSTING if flags.trust_run else OWN,
        allow_cached=flags.allow_cached,
    )
    if not flags.quiet or found.verdict.outcome != "PASS":
        for line in (message(f"baseline.{baseline.why}").say(lang, baseline.params), *regression_lines(found, lang)):
            _say(line)
    return GATE_CODES[found.verdict.outcome]


def _say(line: str) -> None:
    sys.stderr.write(as_typed(line) + "\n")


def _resume(flags: argparse.Namespace, watch: Watch) -> api.Run:
    options: dict[str, JSON] = {"registry": str(flags.model_registry)} if flags.model_registry else {}
    if flags.no_cache:
        options["cache"] = ""
    settings = _settings(flags, None)
    width = flags.workflow_concurrency or flags.concurrency
    return api.resume(
        flags.resume_run_dir,
        system_options=options,
        concurrency=width,
        settings=settings,
        watchers=[watch],
        trust=flags.trust_run,
    )


def _evaluate(flags: argparse.Namespace, watch: Watch) -> api.Run:
    registry = _registry(flags)
    models = _models(flags, registry)
    systems, options = ([], {}) if flags.mock else (_systems(models), _system_options(flags, models, registry))
    what = {"workflow": flags.workflow} if flags.workflow else {"task": flags.task}
    return api.evaluate(
        flags.dataset,
        systems,
        contract=WORKFLOW if flags.workflow else "prompt_task",
        options=what | ({"params": flags.params} if flags.params else {}),
        system_options=options,
        run_id=flags.run_id,
        repeats=flags.repeats,
        max_samples=flags.max_samples,
        mock=flags.mock,
        names=models if flags.mock else (),
        settings=_settings(flags, registry),
        watchers=[watch],
    )


def _registry(flags: argparse.Namespace) -> Registry | None:
    """Open the registry that was named, or the usual one when it is there; a dry run needs none."""
    path = flags.model_registry or (REGISTRY if REGISTRY.is_file() and not flags.mock else None)
    return read_registry(path) if path else None


def _models(flags: argparse.Namespace, registry: Registry | None) -> list[str]:
    """Return the models to ask, each once: those named, else the active ones of the registry.

    A workflow whose steps all name a model of their own needs none.
    """
    named = [name for text in flags.models or () for name in text.split(",") if name]
    models = list(dict.fromkeys(named or (registry.active if registry else ())))
    if flags.mock or (not named and flags.workflow and _names_its_models(flags.workflow)):
        return models if flags.mock else []
    if not models:
        raise SettingError("bench.models", known=registry.names if registry else ["–"])
    if registry is None and not all(":" in name for name in models):
        raise SettingError("bench.registry", file=str(REGISTRY))
    return models


def _names_its_models(workflow: str) -> bool:
    return all(step.model for step in read_workflow(Path(workflow)).steps)


def _systems(models: Sequence[str]) -> list[str]:
    """A plain name is one of the registry; `kind:argument` is any system."""
    return [name if ":" in name else f"chat:{name}" for name in models]


def _system_options(flags: argparse.Namespace, models: Sequence[str], registry: Registry | None) -> dict[str, JSON]:
    """Return the options of all systems: a Python function has no cache and is in no registry."""
    plain = [name for name in models if ":" not in name]
    kept = all(name.partition(":")[0] in api.CACHED_KINDS for name in _systems(models)) and not flags.no_cache
    options: dict[str, JSON] = {"cache": str(Path(flags.out) / CACHE)} if kept else {}
    if registry is None or not (plain or not models):
        return options
    width = {"concurrency": flags.concurrency} if flags.concurrency else {}
    return options | {"registry": str(registry.path)} | width


def _settings(flags: argparse.Namespace, registry: Registry | None) -> Settings:
    """Read the settings; without a flag, every model may have as many requests in flight as its registry entry says."""
    width = (flags.workflow_concurrency if flags.workflow else None) or flags.concurrency
    if width is None and registry is not None:
        width = max(CONCURRENCY, *(registry.concurrency(name) or 0 for name in registry.names), 0)
    return read_settings({"runs_dir": str(flags.out), "concurrency": width, "language": flags.lang})


def exit_code(done: api.Run) -> int:
    """Return what a run deserves."""
    if done.stopped.startswith("SIG"):
        return 130
    failed = any(figures.all.errored for figures in done.summary.models.values())
    return 3 if failed or done.summary.status == "partial" else 0


def run() -> NoReturn:
    """Run as a command."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace")
    sys.exit(main())
