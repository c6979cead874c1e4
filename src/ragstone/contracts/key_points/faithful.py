"""Faithfulness: do the sources say what the answer says, sentence by sentence? Only where it is asked for.

The sources are what was retrieved; where nothing was, the run's documents: those that the answer or the case names,
or all of them. What claims nothing is no sentence of the figure: questions, courtesies, lead-ins, pointers to a source,
refusals. The marks of its sources are no part of what a sentence claims.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

from ragstone.contracts.key_points.cases import gold_of
from ragstone.core.types import JSON, Case, Question, Reading, RuleVerdict
from ragstone.documents import DocumentError, find_files, read_document
from ragstone.reading.citations.document_names import Documents
from ragstone.reading.citations.find import FoundCitation, find_citations
from ragstone.reading.lexicon import Lexicon
from ragstone.reading.points.forms import Point
from ragstone.reading.points.states import states
from ragstone.reading.refusals.declines import declines
from ragstone.reading.sentences import sentences
from ragstone.reading.statements import Statements
from ragstone.text.fold import bare, fold

FEWEST = 6
"""Letters and digits of a sentence that claims something; shorter ones are headings and courtesies."""
MOST = 40
"""Sentences of an answer that are looked at."""
MOST_SOURCE = 20_000
"""Characters of the sources."""
_CLOSING = "”’」』）)\"' \t\n\r*_"
_ASKS = re.compile(r"(?:[?？]|吗[。.!！]?|呢[。.!！]?)$")
_POINTS = re.compile(
    r"for|more|further|details?|information|please|kindly|also|see|refer|to|sources?|references?|citations?|according"
    r"|cf|from|in|the|and|documents?|files?|pages?|p|section|below|above|is|are|found|can|be"
    r"|[请可另见第页章节和与及]|详细|信息|内容|详情|详见|参见|参阅|参看|参考|查看|来源|出处|引自|依据|资料|文档|文件|更多"
)
"""Words that lead to a source and say nothing of what stands there."""
_COURTESY = re.compile(
    r"(?:hello|hi|hey|dear|good (?:morning|afternoon|evening)|thanks?(?! to)|thank you|you'?re welcome)\b[^,;:]{0,24}$"
    r"|i(?:'m| am) (?:happy|glad|here) to help\b|(?:i )?hope (?:this|that|it) helps\b"
    r"|(?:please )?(?:feel free to (?:ask|contact|reach)|let me know\b)"
    r"|if you (?:have|need) (?:any |more |further |other )+(?:questions?|help|information|details)\b"
    r"|(?:您好|你好|大家好|谢谢|感谢|不客气)[^，；：]{0,12}$"
    r"|希望(?:以上|上述|这些?|能|对).{0,12}(?:帮助|帮到)|如果?(?:您|你|还|仍|有(?=任何|其他|其它|疑问)).{0,12}(?:疑问|问题|需要|帮助)"
    r"|欢迎(?:随时)?(?:提问|联系我|咨询)|请(?:随时)?(?:告诉我|联系我)|很高兴(?:为|能)|祝您"
)
"""How answers greet, thank and offer help; with a number in it a sentence says more."""


_SORRY = (
    r"(?:(?:unfortunately|sorry|apologies|my apologies|(?:i'?m|i am|we are) (?:very )?(?:sorry|afraid))"
    r"[,.;:]? ?(?:but |that )?"
    r"|(?:非常|很|十分)?(?:抱歉|对不起|遗憾|不好意思)[,，:;。.]? ?"
    r"|申し訳(?:ございません|ありません)が?[,、]? ?|죄송(?:합니다만?|하지만)[,.]? ?)?"
    r"(?:(?:based on|according to) [^,]{3,40}, ?"
    r"|(?:根据|依据|从|就|按)[^,，。]{1,14}(?:资料|内容|文档|文件|信息|上下文|来看)[,，]? ?)?"
)
_TEXTS = r"(?:参考|相关)?(?:资料|文档|文件|材料|原文|文中|上下文|知识库|检索内容|检索结果|来源|内容|段落)"
_REFUSALS = (
    r"(?:i|we) (?:really |simply |currently )?(?:do not|don't|cannot|can't|can not|could not|couldn't|did not|didn't)"
    r" (?:know|find|answer|tell|say|determine|confirm|help|provide|locate|see any)\b",
    r"(?:i|we) (?:do not |don't |have )+(?:no |any |enough |the |that |this )*"
    r"(?:information|data|details|answer|idea)\b",
    r"(?:i'?m|i am) (?:not sure|unsure|not able|unable)\b",
    r"(?:the )?(?:provided |given |available |retrieved )?(?:documents?|sources?|context|texts?|materials?|passages?)"
    r" (?:do|does|did) not (?:mention|say|state|contain|specify|provide|include|tell|give)\b",
    r"(?:there is )?(?:no|not enough) (?:relevant )?information\b",
    r"(?:我|我们|本人|目前|暂时)?(?:也|还|并)?"
    r"(?:不知道|不太?(?:清楚|了解|确定)|无法(?:回答|确定|判断|得知|提供|给出|帮助|告知|获知|找到))",
    rf"(?:(?:所|已)?(?:提供|给出|检索到?|现有|上述|以上|这些)的?)?{_TEXTS}(?:里|中|内)?(?:面)?(?:均|都|并|也|尚)?"
    r"(?:没有|没|未|不)(?:曾|能)?(?:提及|提到|提供|说明|包含|涉及|给出|记载|写明|找到|有|相关)",
    r"(?:没有|没|未|未能)(?:找到|查到|检索到)|(?:暂无|查无|没有)(?:任何)?相关",
    r"(?:その)?(?:情報|記載|資料)(?:が|は)(?:ありません|見つかりません)",
    r"わかりません|分かりません|存じません|お答えできません",
    r"(?:잘 )?모르겠습니다|알 수 없습니다|답변(?:드릴|할) 수 없습니다",
    r"(?:정보|자료|내용)(?:가|를|이|을) (?:없습니다|찾을 수 없습니다)",
)
"""How an answer says that it has no answer; what it gives besides is a claim all the same."""
_REFUSES = re.compile(f"{_SORRY}(?:{'|'.join(_REFUSALS)})")
_NUMBERED = re.compile(
    r"[\[【［]\s*\^?(?:(?:来源|文档|资料|引用|参考|sources?|doc(?:ument)?s?|refs?|citations?)\s*[:：#]?\s*)?"
    r"[0-9]{1,3}(?:\s*[,，、–-]\s*[0-9]{1,3})*\^?\s*[\]】］]",
    re.IGNORECASE,
)
_BEHIND_STOP = re.compile(r"(?<=[a-z0-9%)”\"])([.!?]) ?((?:[\[(][^\[\]()\s]{1,40}[\])])+)(?=\s|$)", re.IGNORECASE)
"""A mark behind a full stop, which would join two sentences: thirty days.[1] The vault …"""
_CITED = "\0"
_IN_BRACKETS = re.compile(rf"[(（\[【［]([^()（）\[\]【】［］]*{_CITED}[^()（）\[\]【】［］]*)[)）\]】］]")
_BY = re.compile(
    rf"^(?:according to|as stated in|根据|依据|按照|据)\s*[《“\"]?{_CITED}[》”\"]?[^,，:：]{{0,8}}[,，:：]\s*",
    re.IGNORECASE,
)
_GAPS = re.compile(r"\s+(?=[.,;:!?。，；：！？、)）]|$)|(?<=\s)\s+")


class Sources:
    """What an answer had to rest on: what was retrieved, or the documents of a folder."""

    def __init__(self, folder: Path | None) -> None:
        self._paths = {name: path for path, name in find_files(folder)} if folder else {}
        self._documents = Documents(self._paths)
        self._texts: dict[str, str] = {}
        self._last: tuple[str, str, str] = ("", "", "")

    def of(self, case: Case, reading: Reading) -> str:
        """Return the text that an answer is compared with; "" where there is none."""
        if reading.contexts or not self._paths:
            return "\n\n".join(context.text for context in reading.contexts)[:MOST_SOURCE]
        id_, text, source = self._last
        if (id_, text) != (case.id, reading.text):
            source = _nearest("\n\n".join(map(self._text, self._named(case, reading))), reading.text)
            self._last = (case.id, reading.text, source)
        return source

    def _named(self, case: Case, reading: Reading) -> Iterable[str]:
        """Name the documents that the answer or the case names; all where neither does."""
        wanted = [*(citation.file for citation in reading.citations), *gold_of(case).documents]
        found = (self._documents.find(name) for name in wanted if name)
        return dict.fromkeys(name for name in found if name) or self._paths

    def _text(self, name: str) -> str:
        if name not in self._texts:
            try:
                self._texts[name] = read_document(self._paths[name], name).text
            except DocumentError:
                self._texts[name] = ""
        return self._texts[name]


def _nearest(text: str, answer: str) -> str:
    """Return a text, or of a long one the paragraphs that share most with an answer, in their order."""
    if len(text) <= MOST_SOURCE:
        return text
    wanted, left, kept = _pairs(answer), MOST_SOURCE, set[int]()
    parts = text.splitlines(keepends=True)
    shared = {place: len(wanted & _pairs(part)) for place, part in enumerate(parts)}
    for place in sorted(shared, key=lambda place: -shared[place]):
        if shared[place] and len(parts[place]) <= left:
            kept.add(place)
            left -= len(parts[place])
    return "".join(part for place, part in enumerate(parts) if place in kept)


def _pairs(text: str) -> set[str]:
    letters = bare(text)
    return {letters[at : at + 2] for at in range(len(letters) - 1)}


def claims(source: str, text: str, lexicon: Lexicon) -> list[dict[str, JSON]]:
    """Say of each sentence that claims something whether a source proves it, contradicts it, or leaves it open."""
    if not source.strip():
        return []
    said, kept = Statements(source), list(claiming(text))[:MOST]
    verdicts = [states(Point(claim, lexicon), said) for claim in kept]
    return [
        {"claim": claim, "verdict": one.outcome, "rule": one.rule} for claim, one in zip(kept, verdicts, strict=True)
    ]


def claiming(text: str) -> Iterator[str]:
    """Yield the sentences of an answer that claim something.

    >>> list(claiming("Hello! Room 3 closes at nine. See notes.md. Do you need more?"))
    ['Room 3 closes at nine.']
    """
    text = _BEHIND_STOP.sub(r"\2\1", text)
    for piece in sentences(text):
        sentence = text[piece.start : piece.end].strip()
        if len(bare(sentence)) >= FEWEST and not _claims_nothing(sentence):
            claim = _unmarked(sentence)
            if len(bare(claim)) >= FEWEST and not _refuses(claim):
                yield claim


def _unmarked(sentence: str) -> str:
    """Take the marks of its sources off a sentence: [1], (a.md), 根据《办法》，."""
    marked = sentence
    for one in sorted(find_citations(sentence), key=lambda one: one.start, reverse=True):
        marked = marked[: one.start] + _CITED + marked[one.end :]
    cut = _NUMBERED.sub("", _BY.sub("", _IN_BRACKETS.sub(_kept, marked)))
    if _CITED in cut:
        # A source that the sentence speaks of is part of it.
        cut = _NUMBERED.sub("", sentence)
    return _GAPS.sub("", cut).strip() if cut != sentence else sentence


def _kept(found: re.Match[str]) -> str:
    """Return what is left of brackets with a source in them: nothing where all else leads to it."""
    return found[0] if bare(_POINTS.sub("", fold(found[1].replace(_CITED, "")))) else ""


def _refuses(claim: str) -> bool:
    # Folding turns some Japanese words into others.
    writings = [text.strip(_CLOSING + "-#•·>") for text in (fold(claim), claim.casefold())]
    if any(map(str.isdigit, claim)) or not any(map(_REFUSES.match, writings)):
        return False
    return declines("", Statements(claim)).outcome == "yes"


def _claims_nothing(sentence: str) -> bool:
    plain = fold(sentence).strip(_CLOSING + "-#•·>")
    if _ASKS.search(plain) or plain.endswith((":", "：")):
        return True
    if _COURTESY.match(plain.rstrip(".。!！~～")) and not any(map(str.isdigit, plain)):
        return True
    cited = find_citations(sentence)
    return bool(cited) and len(bare(_POINTS.sub("", fold(_without(sentence, cited))))) < FEWEST


def _without(sentence: str, cited: Sequence[FoundCitation]) -> str:
    for one in cited:
        start, end = one.start, one.end
        sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    return sentence


def asked(source: str, text: str, found: Sequence[Mapping[str, JSON]]) -> list[tuple[Question, RuleVerdict]]:
    """Ask of each sentence whether the source says what it says."""
    return [
        (Question(kind="supported", point=one["claim"], answer=text, source=source), one["verdict"]) for one in found
    ]


def share(verdicts: Sequence[RuleVerdict]) -> float | None:
    """Return the share of sentences that are supported; what is open counts as not supported."""
    return sum(verdict == "yes" for verdict in verdicts) / len(verdicts) if verdicts else None
