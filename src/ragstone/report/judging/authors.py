"""Who decided what about a case besides the rules: the judge or person, with the words quoted or the margin."""

from collections.abc import Iterator, Mapping

from ragstone.core.language import Lang, Text, excerpt
from ragstone.core.messages import codes, message
from ragstone.core.types import JSON, Result

_LINES = {
    "judge": Text("judge {who}: {verdict} to “{point}”{basis}", "裁判 {who}：“{point}”{verdict}{basis}"),
    "person": Text("person {who}: {verdict} to “{point}”", "人工 {who}：“{point}”{verdict}"),
    "open": Text("open: “{point}”{basis}", "未定：“{point}”{basis}"),
}
_VERDICTS = {"yes": Text("yes", "是"), "no": Text("no", "否")}
_QUOTE, _MARGIN = Text(", quoting “{it}”", "，引文“{it}”"), Text(", margin {it}", "，裕度 {it}")
_WHY = Text(" ({why})", "（{why}）")
_LONGEST = 120


def author_lines(result: Result, lang: Lang) -> Iterator[str]:
    """Yield a line for each verdict that was not a rule's; rows of a run that was sent may tell anything."""
    judged = result.scorecard.details.get("judged")
    verdicts = judged.get("verdicts") if isinstance(judged, dict) else None
    for one in verdicts if isinstance(verdicts, list) else ():
        if isinstance(one, dict) and (line := _LINES.get(str(one.get("by")))):
            yield line.say(lang, _params(one, lang))


def _params(one: Mapping[str, JSON], lang: Lang) -> dict[str, JSON]:
    verdict = _VERDICTS.get(str(one.get("verdict")))
    return {
        "who": " + ".join(_texts(one.get("who"))) or "–",
        "point": _short(one.get("point") or one.get("kind")),
        "verdict": verdict.say(lang) if verdict else "–",
        "basis": _basis(one, lang),
    }


def _basis(one: Mapping[str, JSON], lang: Lang) -> str:
    """Say what a verdict rests on, or why there is none."""
    quotes = [_QUOTE.say(lang, {"it": text}) for text in dict.fromkeys(_texts(one.get("quotes")))]
    margins = one.get("margins")
    known = [it for it in margins if isinstance(it, int | float)] if isinstance(margins, list) else []
    said = [_MARGIN.say(lang, {"it": f"{it:+.2f}"}) for it in known]
    code = f"open.{one.get('why')}"
    why = _WHY.say(lang, {"why": message(code).say(lang)}) if code in codes() else ""
    return "".join([*quotes, *said, why])


def _texts(value: JSON) -> list[str]:
    return [_short(text) for text in value if isinstance(text, str)] if isinstance(value, list) else []


def _short(value: JSON) -> str:
    return excerpt(str(value), _LONGEST)
