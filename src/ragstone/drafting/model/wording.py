"""How a small model is asked to word one question: two examples of a fictional town, then the sentence."""

from functools import cache

from ragstone.core.types import Message
from ragstone.drafting.draft import Writing
from ragstone.drafting.model.offers import Offer
from ragstone.text.traditional import traditional

_SHOWN = {
    "zh": "标题：{title}\n句子：{text}\n答案：{answer}\n用“{words}”提问。",
    "ja": "題：{title}\n文：{text}\n答え：{answer}\n「{words}」で尋ねる。",
    "ko": "제목: {title}\n문장: {text}\n답: {answer}",
    "en": "Title: {title}\nSentence: {text}\nAnswer: {answer}\nAsk with “{words}”.",
}
_TASK = {
    "zh": "根据标题和句子写一个问题，所给答案正好回答它。写出所问事物的全名，句子没有写明时用标题；"
    "不得包含答案，不得写“他”“该”“这”“本文”。只输出问题。",
    "ja": "題と文から質問を一つ書いてください。与えられた答えがちょうどその答えになること。"
    "対象の名前を書き、答えを含めず、「彼」「この」「その」を使わないこと。質問だけを出力。",
    "ko": "제목과 문장을 보고, 주어진 답이 정확히 답이 되는 질문을 하나 쓰십시오. "
    "대상의 이름을 쓰고 답을 포함하지 마십시오. 질문만 출력하십시오.",
    "en": "Write one question about the sentence, so that the answer given is exactly what is asked for. Name in full "
    "what it is about, with the title where the sentence does not; do not put the answer into the question, and do "
    "not write “it”, “this” or “they”. Print the question only.",
}
_EXAMPLES = {
    "zh": (
        (("青禾镇", "该镇由沈拾光于1861年重建为商埠，后来通了铁路。", "1861年", "哪一年"),
         "青禾镇在哪一年重建为商埠？"),
        (("白云寺", "寺内有三座石桥，均以青石砌成。", "三座", "多少座"), "白云寺内有多少座石桥？"),
    ),
    "ja": (
        (("青禾町", "町は1861年に商港として再建された。", "1861年", "何年"),
         "青禾町は何年に商港として再建されましたか？"),
        (("白雲寺", "境内には石橋が三本架かっている。", "三本", "何本"),
         "白雲寺の境内には石橋が何本架かっていますか？"),
    ),
    "ko": (
        (("청화읍", "이 읍은 1861년에 상항으로 재건되었다.", "1861년", ""),
         "청화읍은 언제 상항으로 재건되었습니까?"),
    ),
    "en": (
        (("Quillsync", "It keeps the audit log for 30 days.", "30 days", "How long"),
         "How long does Quillsync keep the audit log?"),
        (("Ashford Mill", "The mill was rebuilt by Mara Oakfield after the flood.", "Mara Oakfield", "Who"),
         "Who rebuilt Ashford Mill after the flood?"),
    ),
}  # fmt: skip


@cache
def examples(writing: Writing) -> tuple[Message, ...]:
    """What a model is told and shown before the sentence."""
    lang, say = _language(writing), traditional if writing == "zh-Hant" else str
    turns = [Message("system", say(_TASK[lang]))]
    for (title, text, answer, words), question in _EXAMPLES[lang]:
        shown = _SHOWN[lang].format(title=title, text=text, answer=answer, words=words)
        turns += [Message("user", say(shown)), Message("assistant", say(question))]
    return tuple(turns)


def wanted(writing: Writing, title: str, offer: Offer) -> str:
    """A sentence and the answer that its question is to ask for."""
    say = traditional if writing == "zh-Hant" else str
    said = {"title": title, "text": offer.sentence.text, "answer": offer.answer, "words": say(offer.words)}
    return say(_SHOWN[_language(writing)]).format(**said)


def _language(writing: Writing) -> str:
    return "zh" if writing.startswith("zh") else writing
