"""Japanese questions: dates and counts, asked for where they stand in a sentence of one topic (…は)."""

from collections.abc import Iterator

from ragstone.core.types import JSON
from ragstone.drafting.questions.parts import Ask, Refused
from ragstone.text.dates.find import find_dates
from ragstone.text.late import late
from ragstone.text.numbers.find import find_numbers

LONGEST, SHORTEST = 90, 10
_TOPIC = late(r"^(?P<subject>[^、。はがをにで（）]{2,24})は")
_BACK = late(
    r"[そこあ]の|[そこあ]れ|同年|当時|彼|彼女|同社|同大|本作|また、|なお、|しかし|その|これ|それ|同じく|前者|後者|自身"
)
_END = late(r"(?P<stem>.*(?:た|る|う|く|す|つ|む|ぶ|ぐ|ない|いた))。?$")
_NOUN_END = late(r"(?P<stem>.*)(?:である|だ|です)。?$")
_LOOSE = late(r"^(?:頃|ごろ|代|から|まで|間|以降|以来|前|後|余|以上|[-~〜～]|度|の|[0-9（(])")


def ask(text: str, title: str) -> Iterator[Ask | Refused]:
    """Ask for the dates and counts of a sentence."""
    topic = _TOPIC.match(text)
    found = list(slots(text))
    if not found:
        return
    if topic is None or _BACK.search(text) or "「" in text or "（" in text:
        yield Refused("refers_back" if _BACK.search(text) else "no_subject")
        return
    for start, end, words, kind, expected in found:
        question = _asked(f"{text[:start]}{words}{text[end:]}")
        if question is None or not SHORTEST <= len(question) <= LONGEST:
            yield Refused("length" if question else "broken")
        else:
            yield Ask(question, ((start, end),), kind, expected, topic["subject"])


def slots(text: str) -> Iterator[tuple[int, int, str, str, dict[str, JSON]]]:
    """The dates and counts of a sentence, and what asks for each."""
    for day in find_dates(text):
        words = {"year": "何年", "month": "何年何月", "day": "何年何月何日"}.get(day.precision)
        sure = not day.reason and not day.is_range and day.rule == "chinese"
        if words and sure and text[day.end : day.end + 1] in ("に", "、", "。"):
            yield day.start, day.end, words, "date", {"text_answer": day.text}
    for number in find_numbers(text):
        tail = len(number.unit)
        if number.kind == "count" and number.unit and number.value > 2 and not _LOOSE.match(text[number.end :]):
            words = f"何{text[number.end - tail : number.end]}"
            yield number.start, number.end, words, "count", {"text_answer": number.text}


def _asked(text: str) -> str | None:
    if found := _NOUN_END.match(text):
        return f"{found['stem']}ですか？"
    found = _END.match(text)
    return f"{found['stem']}か？" if found else None
