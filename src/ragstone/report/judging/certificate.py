"""What a judge's certificate and its probes say, for people."""

from collections.abc import Mapping, Sequence

from ragstone.core.language import Lang, Text
from ragstone.core.messages import message
from ragstone.core.types import JSON, RuleCheck

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
    "rules": Text(
        "  the rules' own verdicts that people hold: yes {yes}, no {no}",
        "  人工认同的规则自身判定：是 {yes}，否 {no}",
    ),
    "rules_few": Text(
        "  the rules' own verdicts: not checked, {n:label|labels} on what they decided",
        "  规则自身的判定：未核对，其判定的要点上只有 {n} 条标注",
    ),
    "probes": Text("  probes missed: {probes}", "  探测失败数：{probes}"),
    "unsure": Text("  decided nothing: {probes}", "  未能作出判定：{probes}"),
    "asked": Text(
        "  asked {asked}, {taken} taken from an interrupted examination",
        "  提问 {asked} 个，沿用中断的认证 {taken} 个",
    ),
    "fresh": Text("  asked {asked}, all of them now", "  提问 {asked} 个，全部为本次提问"),
    "more": Text(
        "  labels on more questions would do, if it goes on being right as often: about {stated} stated and {others} "
        "others",
        "  若判对的比例不变，还需标注更多问题：已陈述约 {stated} 个，其他约 {others} 个",
    ),
    "caught": Text(
        "  missed by the judge and taken back by the value check, so that no verdict has them: {probes}",
        "  裁判失败但被数值核对收回、不会计入判定的：{probes}",
    ),
    "possible": Text(
        "  points with a number make {n} number probes, and no more are asked for",
        "  含数字的要点只能构造 {n} 条数字探测，不再要求更多",
    ),
    "few": Text("  not enough rows: {probes}", "  数据不足：{probes}"),
    "undecided": Text("  too few decided: {probes}", "  作出判定的太少：{probes}"),
    "few_of": Text("{name} {n} of 50", "{name} 50 条中有 {n} 条"),
    "drift": Text(
        "  anchors: {lost} turned to no, {gained} to yes, {ceased} no longer decided, {began} decided now only, "
        "p = {p}{alarm}",
        "  锚点：{lost} 个变为否，{gained} 个变为是，{ceased} 个不再能判定，{began} 个现在才能判定，p = {p}{alarm}",
    ),
    "missed": Text(
        "  missed more probes than a trusted judge may: {probes}{then}",
        "  探测失败数超过可信裁判的限度：{probes}{then}",
    ),
    "other_rows": Text(
        "  these are other rows than those of the certificate: how often padding and the like were missed is not "
        "compared with it",
        "  这些数据不是证书所用的数据：填充等探测的失败数不与证书比较",
    ),
    "missed_then": Text(
        "; gates say NOT MEASURED until it is certified again", "；重新认证之前，门禁结论为 NOT MEASURED"
    ),
    "version": Text(
        "  it calls itself {version:q} now, another version than at its certificate: certify it again",
        "  它现在自称 {version:q}，与认证时的版本不同：请重新认证",
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
        lines += [
            f"  {message(f'judge.{code}').say(lang, {'n': n, 'problem': 'judge.jsonl'})}"
            for code, n in one["whys"].items()
        ]
        lines += [_T["more"].say(lang, dict(zip(("stated", "others"), one["more"], strict=True)))] * any(one["more"])
        lines.append(
            _T["labels"].say(lang, {**one, "threshold": _number(one["threshold"]), "band": _number(one["band"])})
        )
        lines += [_T[rate].say(lang, {"value": _rate(one[rate])}) for rate in ("sensitivity", "specificity")]
        shown = {"auc": _number(one["auc"]), "kappa": _number(one["kappa"]), "flips": one["flips"]}
        lines.append(_T["auc"].say(lang, shown))
        lines.append(_T["groups"].say(lang, {"groups": _shares(one["groups"])}))
        lines.append(_rules_line(one["rules"], lang))
        lines += _probed(one["probes"], one["few_probes"], lang, one["unsure_probes"], one["caught_probes"])
        lines += [_T["possible"].say(lang, {"n": n}) for n in one["possible_probes"].values()]
    return lines


def _rules_line(rates: Mapping[str, JSON], lang: Lang) -> str:
    """Return how many of the rules' own verdicts people hold, or that too few were labelled to tell."""
    n = sum(rate["n"] for rate in rates.values())
    if n < RuleCheck.FEWEST:
        return _T["rules_few"].say(lang, {"n": n})
    return _T["rules"].say(lang, {side: _rate(rates[side]) if side in rates else "–" for side in ("yes", "no")})


def asked_line(asked: int, taken: int, lang: Lang) -> str:
    """Return how many questions a certificate rests on, and how many of them were asked before."""
    return _T["asked" if taken else "fresh"].say(lang, {"asked": asked, "taken": taken})


def probe_lines(
    probes: Mapping[str, tuple[int, int]],
    few: Mapping[str, int],
    turned: Mapping[str, JSON] | None,
    lang: Lang,
    unsure: Mapping[str, int] | None = None,
    caught: Mapping[str, int] | None = None,
) -> list[str]:
    """Return the lines on probes, each kind with misses and number, and on how anchors turned, with the `alarms`."""
    lines = _probed(probes, few, lang, unsure, caught)
    if turned is None:
        return [*lines, _T["undrifted"].say(lang)]
    alarm = _T["alarm"].say(lang) if turned["alarms"] else ""
    return [*lines, _T["drift"].say(lang, {**turned, "p": f"{turned['p']:.3g}", "alarm": alarm})]


def doubt_lines(
    missed: Sequence[str], version: str, lang: Lang, *, certified: bool, other_rows: bool = False
) -> list[str]:
    """Return why a judge does not stand by its probes."""
    then = _T["missed_then"].say(lang) if certified else ""
    lines = [_T["missed"].say(lang, {"probes": ", ".join(missed), "then": then})] if missed else []
    lines += [_T["other_rows"].say(lang)] if other_rows else []
    return lines + ([_T["version"].say(lang, {"version": version})] if version else [])


def _probed(
    probes: Mapping[str, JSON],
    few: Mapping[str, int],
    lang: Lang,
    unsure: Mapping[str, int] | None = None,
    caught: Mapping[str, int] | None = None,
) -> list[str]:
    """Return which probes were missed, which were answered with nothing that decides, and which were too few."""
    lines = [_T["probes"].say(lang, {"probes": _shares(probes)})]
    for name, counts in (("caught", caught), ("unsure", unsure)):
        if counts:
            lines.append(_T[name].say(lang, {"probes": ", ".join(f"{kind} {n}" for kind, n in counts.items())}))
    lacking = ", ".join(_T["few_of"].say(lang, {"name": name, "n": n}) for name, n in few.items())
    return [*lines, _T["undecided" if unsure else "few"].say(lang, {"probes": lacking})] if few else lines


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
