"""Two runs side by side in words: for the terminal, and as Markdown."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import structs

from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.types import Change, Comparison, Delta, Result
from ragstone.report.console import Wording
from ragstone.report.text_table import text_table
from ragstone.report.verdict import APART, number, percent
from ragstone.text.visible import markdown_cell, visible_line

TAG = "[COMPARE]"
MOST_SHOWN = 20
MOST_GROUPS = 30
_T: dict[str, Text] = {
    "title": Text("Comparison", "对比"),
    "pairs": Text(
        "{tag} A {first} → B {second}: {paired:case|cases} in both, {only_first} in A only, {only_second} in B only",
        "{tag} A {first} → B {second}：共有用例 {paired}，仅 A 有 {only_first}，仅 B 有 {only_second}",
    ),
    "differs": Text("{tag} not the same in both: {what}", "{tag} 两次运行不同之处：{what}"),
    "alone": Text("{tag} models without a counterpart: {what}", "{tag} 没有对应的模型：{what}"),
    "flips": Text(
        "{tag} flipped: {broken} passed and now fail, {fixed} failed and now pass; {moved} moved without flipping",
        "{tag} 翻转：由通过变失败 {broken}，由失败变通过 {fixed}；另有 {moved} 个分数变化未翻转",
    ),
    "worse": Text(
        "{tag} B {second} is worse on {broken:case|cases}, better on {fixed}; {finding}",
        "{tag} B {second} 有 {broken} 个用例变差，{fixed} 个变好；{finding}",
    ),
    "real_drop": Text("the drop in {figure} is more than chance (p = {p})", "{figure} 的下降并非偶然（p = {p}）"),
    "real_rise": Text("the rise in {figure} is more than chance (p = {p})", "{figure} 的上升并非偶然（p = {p}）"),
    "chance": Text("no figure differs by more than chance", "没有指标的差异超出偶然"),
    "chance_all": Text(
        "of all figures together none differs by more than chance (p is adjusted for their number), though the "
        "interval of {figures} alone does not hold 0",
        "就全部指标而言，没有差异超出偶然（p 已按指标个数调整），但单看 {figures}，其区间不含 0",
    ),
    "causes": Text("{tag} because of: {what}", "{tag} 原因：{what}"),
    "more": Text("{tag} … and {n} more", "{tag} ……另有 {n} 个"),
    "figure": Text("figure", "指标"),
    "first": Text("first", "前者"),
    "second": Text("second", "后者"),
    "difference": Text("difference", "差"),
    "interval": Text("{level} interval", "{level} 区间"),
    "p": Text("p (Holm)", "p（Holm）"),
    "counts": Text("better / worse", "变好/变差"),
    "detectable": Text("a difference is found from ({level})", "可检出的最小差异（{level}）"),
    "nothing": Text("nothing at this n", "此样本量无法检出"),
    "altered": Text(
        "{tag} warning: {what} changed after the run had ended: these figures may not be those that were measured",
        "{tag} 警告：运行结束后，{what} 被改动过：以下指标可能不是测得的结果",
    ),
    "mock": Text(
        "{tag} warning: {what} is a dry run (--mock): its answers were made of what is expected, no system was asked",
        "{tag} 警告：{what} 是试运行（--mock）：其回答由标准答案生成，没有向系统提问",
    ),
    "judged": Text(
        "{tag} warning: judged figures were not made alike: what differs between them may be the judge's doing; put "
        "both runs before the same judge under today's rules (ragstone judge RUN --judge …)",
        "{tag} 警告：两次运行的裁判方式不同，含裁判的指标之差可能来自裁判本身；请用同一裁判、按现行规则重新评判两次运行"
        "（ragstone judge RUN --judge …）",
    ),
    "others": Text(
        "{tag} not compared: {n:case has|cases have} the same id and another question",
        "{tag} 未比较：{n} 个用例编号相同而问题不同",
    ),
    "repeats": Text(
        "how often each case was asked (means over its answers are compared)",
        "每例提问次数（比较各例回答的均值）",
        "每例提問次數（比較各例回答的平均值）",
    ),
    "case": Text("case", "用例"),
    "kind": Text("what", "变化"),
    "score": Text("score", "得分"),
    "cause": Text("cause", "原因"),
    "why": Text("why", "依据"),
    "broken": Text("passed → fails", "通过→失败"),
    "fixed": Text("failed → passes", "失败→通过"),
    "moved": Text("score moved", "分数变化"),
    "answer": Text("the answer changed", "回答改变"),
    "gold": Text("the gold changed", "标准答案改变"),
    "parser": Text("the parser changed", "解析器改变"),
    "normaliser": Text("the normaliser changed", "归一化改变"),
    "scorer": Text("the scorer changed", "评分器改变"),
    "judge": Text("judges or people decided otherwise", "裁判或人工的判定不同"),
    "unknown": Text("cannot be told", "无法判定"),
    "dataset": Text("dataset", "样例集"),
    "documents": Text("documents", "文档"),
    "glossary": Text("glossary", "词汇表", "詞彙表"),
    "questions": Text("questions of the same id", "同编号用例的问题"),
    "prompt": Text("prompt", "提示词"),
    "contract": Text("contract", "契约"),
    "judging_rules": Text("rules of judging", "裁判规则"),
    "judges": Text("judges", "裁判"),
    "certificates": Text("judges' certificates", "裁判的证书"),
    "partial": Text("one is partial", "其中有不完整的运行"),
    "code": Text("scorer", "评分器"),
    "prompt_unversioned": Text("a prompt changed without a new version", "提示词已改但版本号未变"),
}
_DIFFERS: Mapping[str, str] = {"scorer": "code"}


def say(name: str, lang: Lang) -> str:
    """Name a cause, a kind of change or a thing that differs."""
    return _T[name].say(lang) if name in _T else name


def cover_comparison(found: Comparison, rows: Iterable[Result], words: Wording) -> Comparison:
    """Return a comparison as readers may see it: in their language, and without what is private where that is hidden.

    `rows` are those of the second run; they are read only when reasons are to be said anew.
    """
    said = _said(found, rows, words) if (words.retold or words.mask) and found.changes else {}
    changes = (structs.replace(one, explain=said.get(_place(one), one.explain)) for one in found.changes)
    if not words.mask:
        return structs.replace(found, changes=tuple(changes))
    return structs.replace(
        found,
        changes=tuple(_covered(change, words) for change in changes),
        deltas=tuple(structs.replace(delta, value=words.show(delta.value)) for delta in found.deltas),
    )


def _place(change: Change) -> tuple[str, int, str]:
    first, _, second = change.model.partition(" → ")
    return change.sample_id, change.repeat, second or first


def _said(found: Comparison, rows: Iterable[Result], words: Wording) -> dict[tuple[str, int, str], str]:
    """Return the reasons of the changed cases as readers may see them."""
    wanted = {_place(change): change.explain for change in found.changes}
    places = (((row.sample_id, row.repeat, row.model_step), row) for row in rows)
    return {
        place: words.cover(row).scorecard.explain
        for place, row in places
        if place in wanted and (words.retold or wanted[place] == row.scorecard.explain) and words.retells(row)
    }


def _covered(change: Change, words: Wording) -> Change:
    groups = {name: tuple(map(words.show, values)) for name, values in change.groups.items()}
    sample_id, explain = words.show(change.sample_id), words.show(change.explain)
    return structs.replace(change, sample_id=sample_id, explain=explain, groups=groups)


def comparison_lines(found: Comparison, lang: Lang, *, most: int = MOST_SHOWN) -> Iterator[str]:
    """Return the lines on what differs, figure by figure, and which cases changed for which cause."""
    counts = {name: getattr(found, name) for name in ("first", "second", "paired", "only_first", "only_second")}
    lines, between = [_T["pairs"].say(lang, {"tag": TAG, **counts})], ", " if lang == "en" else "、"
    if found.differs:
        what = between.join(say(_DIFFERS.get(name, name), lang) for name in found.differs)
        lines.append(_T["differs"].say(lang, {"tag": TAG, "what": what}))
    lines += _warnings(found, lang)
    if found.unpaired_models:
        lines.append(_T["alone"].say(lang, {"tag": TAG, "what": between.join(found.unpaired_models)}))
    lines += [*_figures(found, lang), *_apart(found, lang), *_findable(found, lang)]
    lines.append(_T["flips"].say(lang, {"tag": TAG, **{k: getattr(found, k) for k in ("broken", "fixed", "moved")}}))
    if found.causes:
        what = between.join(f"{say(cause, lang)} {n}" for cause, n in found.causes.items())
        lines.append(_T["causes"].say(lang, {"tag": TAG, "what": what}))
    lines += [f"{TAG} {_change_line(change, lang)}" for change in found.changes[:most]]
    if (rest := found.broken + found.fixed + found.moved - min(most, len(found.changes))) > 0:
        lines.append(_T["more"].say(lang, {"tag": TAG, "n": rest}))
    return map(visible_line, [*lines, _closing(found, lang)])


def _closing(found: Comparison, lang: Lang) -> str:
    """Return in one sentence which run is better, and whether that is significant; losses before gains."""
    tested = [d for d in found.deltas if not d.group and d.p_holm is not None and d.p_holm < 1 - found.level]
    tested.sort(key=lambda delta: (delta.gained > delta.lost, delta.p_holm))
    alone = [
        d.figure for d in found.deltas if not d.group and d.interval and not d.interval.low <= 0 <= d.interval.high
    ]
    finding = _T["chance_all" if alone else "chance"].say(lang, {"figures": ", ".join(dict.fromkeys(alone))})
    if tested:
        first = tested[0]
        rose = (first.difference or 0.0) > 0
        params = {"figure": first.figure, "p": f"{first.p_holm:.2g}"}
        finding = _T["real_rise" if rose else "real_drop"].say(lang, params)
    counts = {"second": found.second, "broken": found.broken, "fixed": found.fixed}
    return _T["worse"].say(lang, {"tag": TAG, "finding": finding, **counts})


def _warnings(found: Comparison, lang: Lang) -> Iterator[str]:
    """Yield the warnings that limit what the figures mean."""
    if found.altered:
        yield _T["altered"].say(lang, {"tag": TAG, "what": ", ".join(found.altered)})
    for run in found.mock:
        yield _T["mock"].say(lang, {"tag": TAG, "what": run})
    if found.judged_unlike:
        yield _T["judged"].say(lang, {"tag": TAG})
    if found.other_questions:
        yield _T["others"].say(lang, {"tag": TAG, "n": found.other_questions})


def _shown(deltas: Sequence[Delta]) -> list[Delta]:
    """Pick what is printed: every figure over all cases, and passing within groups where something changed."""
    whole = [delta for delta in deltas if not delta.group and delta.n]
    parts = [d for d in deltas if d.group and d.figure == "pass_rate" and (d.gained or d.lost)]
    return whole + parts[:MOST_GROUPS]


def _figures(found: Comparison, lang: Lang) -> Iterator[str]:
    """Show the figures as a table; A and B are the runs as they were named."""
    deltas = _shown(found.deltas)
    if not deltas:
        return
    heads = [_T[name].say(lang, {"level": percent(found.level)}) for name in ("figure", "difference", "interval", "p")]
    rows = [[heads[0], "A", "B", *heads[1:], _T["counts"].say(lang), "n"]]
    for delta in deltas:
        *cells, _ = delta_cells(delta, len(found.models) > 1, lang)
        rows.append([*cells, str(delta.n)])
    yield from (f"  {line}" for line in text_table(rows, right=range(1, len(rows[0]))))


def _findable(found: Comparison, lang: Lang) -> Iterator[str]:
    """Yield the smallest difference these cases could detect; nothing where there is none to find."""
    cells = {d.figure: delta_cells(d, many=False, lang=lang)[-1] for d in found.deltas if not d.group}
    told = {figure: cell for figure, cell in cells.items() if cell != "–"}
    if told:
        same = set(told.values())
        what = same.pop() if len(same) == 1 else ", ".join(f"{figure} {cell}" for figure, cell in told.items())
        colon = ": " if lang == "en" else "："
        yield f"{TAG} {_T['detectable'].say(lang, {'level': percent(found.level)})}{colon}{what}"


def delta_cells(delta: Delta, many: bool, lang: Lang = "en") -> list[str]:
    """Return one row: figure, both values, difference, interval, p, counts, what could be found."""
    name = (
        delta.figure + (f" {delta.group}={delta.value}" if delta.group else "") + (f" @{delta.model}" if many else "")
    )
    interval = f"{number(delta.interval.low)}..{number(delta.interval.high)}" if delta.interval else "–"
    p = "–" if delta.p_holm is None else f"{delta.p_holm:.3g}"
    difference = "–" if delta.difference is None else f"{delta.difference:+.4g}"
    values = [str(number(delta.first)), str(number(delta.second)), difference]
    least = str(number(delta.detectable))
    # A standard error without a difference it could find is too large for the figure's scale.
    found = _T["nothing"].say(lang) if delta.detectable is None and delta.error > 0 else least
    return [name, *values, interval, p, f"{delta.gained} / {delta.lost}", found]


def _apart(found: Comparison, lang: Lang) -> Iterator[str]:
    """Say of which figures the difference is not that of both values, and why."""
    for delta in found.deltas:
        if delta.apart and not delta.group:
            yield f"{TAG} {delta.figure}{': ' if lang == 'en' else '：'}{APART.say(lang, {'n': delta.n})}"


def _change_line(change: Change, lang: Lang) -> str:
    between, colon = (", ", ": ") if lang == "en" else ("，", "：")
    return between.join(_change_cells(change, lang)[:4]) + f"{colon}{excerpt(change.explain, 160)}"


def _change_cells(change: Change, lang: Lang) -> list[str]:
    name = change.sample_id + (f" #{change.repeat + 1}" if change.repeat else "")
    scores = str(number(change.first_score)), str(number(change.second_score))
    # A case whose score stayed moved in some metric: that one is worth naming.
    score = " → ".join(scores) if scores[0] != scores[1] or not change.metrics else ", ".join(change.metrics)
    return [name, say(change.kind, lang), score, say(change.cause, lang), excerpt(change.explain, 160)]


def comparison_markdown(found: Comparison, lang: Lang, *, most: int = MOST_SHOWN) -> Iterator[str]:
    """Write the comparison as Markdown."""
    yield f"## {_T['title'].say(lang)}: {markdown_cell(found.first)} → {markdown_cell(found.second)}\n\n"
    heads = ("figure", "first", "second", "difference", "interval", "p", "counts", "detectable")
    many = len(found.models) > 1
    for line in _warnings(found, lang):
        yield f"{markdown_cell(line.removeprefix(TAG).strip())}\n\n"
    cells = [delta_cells(delta, many, lang) for delta in _shown(found.deltas)]
    yield from _table(heads, cells, lang, level=percent(found.level))
    for line in _apart(found, lang):
        yield f"\n{markdown_cell(line.removeprefix(TAG).strip())}\n"
    counts = {"tag": "", **{name: getattr(found, name) for name in ("broken", "fixed", "moved")}}
    yield "\n" + _T["flips"].say(lang, counts).strip() + "\n\n"
    if found.changes:
        rows = [_change_cells(change, lang) for change in found.changes[:most]]
        yield from _table(("case", "kind", "score", "cause", "why"), rows, lang)


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]], lang: Lang, level: str = "") -> Iterator[str]:
    names = (_T[head].say(lang, {"level": level}) for head in heads)
    yield f"| {' | '.join(names)} |\n|{' --- |' * len(heads)}\n"
    for row in rows:
        yield f"| {' | '.join(markdown_cell(cell) for cell in row)} |\n"
