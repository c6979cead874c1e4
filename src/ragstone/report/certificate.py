"""What a judge's certificate and its probes say, for people."""

from collections.abc import Mapping, Sequence

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message
from ragstone.core.types import JSON

_T: dict[str, Text] = {
    "head": Text("{judge}, {kind}: {standing}", "{judge}，{kind}：{standing}"),
    "trusted": Text("TRUSTED", "可信"),
    "advisory": Text("ADVISORY: {why}", "仅供参考：{why}"),
    "labels": Text(
        "  labels {labels}, half tuned the threshold ({threshold} ± {band}), {certified} certify; unsure {unsure}",
        "  标注 {labels} 条，其中一半用于调整阈值（{threshold} ± {band}），{certified} 条用于认证；不确定 {unsure} 条",
    ),
    "sensitivity": Text("  sensitivity {value} (stated points it finds)", "  灵敏度 {value}（找到的已陈述要点）"),
    "specificity": Text("  specificity {value} (others it leaves out)", "  特异度 {value}（排除的未陈述要点）"),
    "auc": Text("  AUC {auc}, kappa {kappa}, flips {flips}", "  AUC {auc}，kappa {kappa}，重问翻转 {flips}"),
    "groups": Text("  right by language: {groups}", "  按语言的正确数：{groups}"),
    "probes": Text("  probes missed: {probes}", "  探测失败数：{probes}"),
    "unsure": Text("  decided nothing: {probes}", "  未能作出判定：{probes}"),
    "asked": Text(
        "  asked {asked}, {taken} taken from an interrupted examination",
        "  提问 {asked} 个，沿用中断的认证 {taken} 个",
    ),
    "fresh": Text("  asked {asked}, all of them now", "  提问 {asked} 个，全部为本次提问"),
    "more": Text(
        "  more labels would do, if it goes on being right as often: about {stated} stated and {others} others",
        "  若判对的比例不变，还需标注：已陈述约 {stated} 条，其他约 {others} 条",
    ),
    "few": Text("  not enough rows: {probes}", "  数据不足：{probes}"),
    "undecided": Text("  too few decided: {probes}", "  作出判定的太少：{probes}"),
    "few_of": Text("{name} {n} of 50", "{name} 50 条中有 {n} 条"),
    "drift": Text(
        "  anchors: {lost} turned to no, {gained} to yes, p = {p}{alarm}",
        "  锚点：{lost} 个变为否，{gained} 个变为是，p = {p}{alarm}",
    ),
    "alarm": Text(": the judge has drifted, certify it again", "：裁判已漂移，请重新认证"),
    "undrifted": Text("  no certificate of this judge: drift is not measured", "  该裁判没有证书：未检测漂移"),
}


def certificate_lines(
    name: str, kinds: Mapping[str, JSON], lang: Lang, failed: Mapping[str, Sequence[str]] | None = None
) -> list[str]:
    """Return the lines of a judge's certificate, kind by kind; `failed` names the probes that each kind failed."""
    lines = []
    for kind, one in kinds.items():
        named = {"probes": ", ".join((failed or {}).get(kind, ())) or "–"}
        why = message(f"standing.{one['why']}").say(lang, named) if one["why"] else ""
        standing = _T["advisory"].say(lang, {"why": why}) if why else _T["trusted"].say(lang)
        lines.append(_T["head"].say(lang, {"judge": name, "kind": kind, "standing": standing}))
        lines += [f"  {message(f'judge.{code}').say(lang, {'n': n})}" for code, n in one["whys"].items()]
        lines += [_T["more"].say(lang, dict(zip(("stated", "others"), one["more"], strict=True)))] * any(one["more"])
        lines.append(
            _T["labels"].say(lang, {**one, "threshold": _number(one["threshold"]), "band": _number(one["band"])})
        )
        lines += [_T[rate].say(lang, {"value": _rate(one[rate])}) for rate in ("sensitivity", "specificity")]
        shown = {"auc": _number(one["auc"]), "kappa": _number(one["kappa"]), "flips": one["flips"]}
        lines.append(_T["auc"].say(lang, shown))
        lines.append(_T["groups"].say(lang, {"groups": _shares(one["groups"])}))
        lines += _probed(one["probes"], one["few_probes"], lang, one["unsure_probes"])
    return lines


def asked_line(asked: int, taken: int, lang: Lang) -> str:
    """Say how many questions a certificate rests on, and how many of them were asked before."""
    return _T["asked" if taken else "fresh"].say(lang, {"asked": asked, "taken": taken})


def probe_lines(
    probes: Mapping[str, tuple[int, int]],
    few: Mapping[str, int],
    turned: tuple[int, int, float] | None,
    lang: Lang,
    unsure: Mapping[str, int] | None = None,
) -> list[str]:
    """Return the lines on probes and anchors; each kind of probe with misses and number."""
    lines = _probed(probes, few, lang, unsure)
    if turned is None:
        return [*lines, _T["undrifted"].say(lang)]
    alarm = _T["alarm"].say(lang) if turned[2] < 0.05 else ""
    params = {"lost": turned[0], "gained": turned[1], "p": f"{turned[2]:.3g}", "alarm": alarm}
    return [*lines, _T["drift"].say(lang, params)]


def _probed(
    probes: Mapping[str, JSON], few: Mapping[str, int], lang: Lang, unsure: Mapping[str, int] | None = None
) -> list[str]:
    """Return which probes were missed, which were answered with nothing that decides, and which were too few."""
    lines = [_T["probes"].say(lang, {"probes": _shares(probes)})]
    if unsure:
        lines.append(_T["unsure"].say(lang, {"probes": ", ".join(f"{name} {n}" for name, n in unsure.items())}))
    counts = ", ".join(_T["few_of"].say(lang, {"name": name, "n": n}) for name, n in few.items())
    return [*lines, _T["undecided" if unsure else "few"].say(lang, {"probes": counts})] if few else lines


def _shares(found: Mapping[str, JSON]) -> str:
    return ", ".join(f"{name} {part}/{n}" for name, (part, n) in found.items()) or "–"


def _rate(rate: Mapping[str, JSON]) -> str:
    ends = rate["interval"]
    return (
        f"{rate['right']}/{rate['n']} [{ends['low']:.2f}–{ends['high']:.2f}]"
        if ends
        else f"{rate['right']}/{rate['n']}"
    )


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
