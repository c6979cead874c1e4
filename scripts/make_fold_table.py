"""Write src/ragstone/text/fold_table.py from OpenCC's dictionaries (as text files) and the Unicode database.

Usage: python scripts/make_fold_table.py FOLDER, which holds TSCharacters.txt, TSCharactersExt.txt, TWVariants.txt,
HKVariants.txt and JPShinjitaiCharacters.txt, as `opencc_dict -f ocd2 -t text` writes them from opencc 1.4.2.
"""

import sys
import unicodedata
from collections.abc import Iterator
from pathlib import Path

OUT = Path(__file__).parent.parent / "src/ragstone/text/fold_table.py"
DICTIONARIES = ("TSCharacters", "TSCharactersExt", "TWVariants", "HKVariants", "JPShinjitaiCharacters")
# Japanese forms that are another character in Chinese, or stand for several.
NOT_THE_SAME = frozenset("予弁缶欠芸沪御翻糸連")
# Of several usual forms, the one that stands for its class.
CHOSEN = frozenset("么画像〇")
# Characters whose further values in the dictionaries are other characters.
APART = frozenset("坏")
# Same character or same word in another dress, absent from the dictionaries.
ALSO_SAME = (
    "帐账",
    "你妳",
    "它牠",
    "什甚",
    "韭韮",
    "户戸",
    "念唸",
    "碗盌",
    "抬擡",
    "教敎",
    "清淸",
    "青靑",
    "黑黒",
    "值値",
    "〇○◯",
)
RADICALS = (
    "⺁厂⺂乛⺃乚⺄乙⺅亻⺆冂⺈刀⺉刂⺊卜⺋㔾⺌小⺍小⺎兀⺏尣⺐尢⺒巳⺓幺⺔彑⺕彐⺖忄⺗㣺⺘扌⺙攵⺛旡⺜日⺝月⺞歺⺟母⺠民⺡氵⺢氺⺣灬⺤爫⺥爫⺦丬"
    "⺧牛⺨犭⺩王⺪疋⺫目⺬示⺭礻⺮竹⺯糹⺰纟⺱罓⺲罒⺳㓁⺶羊⺷羊⺸羋⺹耂⺺肀⺻聿⺼肉⺽臼⺾艹⺿艹⻀艹⻁虎⻂衤⻃覀⻄西⻅见⻆角⻇角⻈讠⻉贝⻊足"
    "⻋车⻌辶⻍辶⻎辶⻏阝⻐钅⻑長⻒镸⻓长⻔门⻕阜⻖阝⻗雨⻘青⻙韦⻚页⻛风⻜飞⻝食⻟飠⻠饣⻡首⻢马⻣骨⻤鬼⻥鱼⻦鸟⻧卤⻨麦⻩黄⻪黾⻫斉⻬齐"
    "⻭歯⻮齿⻯竜⻰龙⻱龜⻲亀⻳龟"
)
# Each line: the form that stays, then the forms that become it.
PUNCTUATION = (
    '"“”„‟〝〞〟「」『』«»',
    "'‘’‚‛`´ʼ′＇",
    "-‐‑‒–—―−─━⁃﹘﹣",
    ",、",
    ".。",
    "《〈⟨⟪‹",
    "》〉⟩⟫›",
    "[【〔〖〘〚",
    "]】〕〗〙〛",
    "~〜∼",
    "·•・‧∙⋅᛫●",
    "…⋯",
    ":∶",
    "/⁄∕",
    "|︱",
    "*∗",
    "×✕✖",
)
SKIPPED_FORMS = ("<super>", "<sub>", "<fraction>", "<noBreak>", "<isolated>", "<initial>", "<medial>", "<final>")


class Classes:
    """Union of characters that are one character for a comparing reader."""

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def find(self, char: str) -> str:
        """The representative of a character, for now."""
        while char in self._parent:
            char = self._parent[char]
        return char

    def join(self, one: str, other: str) -> None:
        """Make two characters one."""
        one, other = self.find(one), self.find(other)
        if one != other:
            self._parent[one] = other

    def groups(self) -> Iterator[list[str]]:
        """All classes of two or more."""
        found: dict[str, list[str]] = {}
        for char in self._parent:
            found.setdefault(self.find(char), []).append(char)
        for root, members in found.items():
            yield [root, *members]


def entries(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Lines `key<TAB>value value` whose key is one character."""
    for line in path.read_text("utf-8").splitlines():
        key, _, values = line.partition("\t")
        if len(key) == 1 and values:
            yield key, [value for value in values.split() if len(value) == 1]


def commonness(char: str, simplified: dict[str, str]) -> tuple[bool, int, int]:
    """Sort key: the usual simplified form first, never one that has a simpler form."""
    try:
        level = 0 if char.encode("gb2312")[0] < 0xD8 else 1
    except UnicodeEncodeError:
        level = 2
    return char in simplified, level, ord(char)


def is_han(char: str) -> bool:
    """Whether this is a Han character of any block."""
    return unicodedata.name(char, "").startswith("CJK") and unicodedata.category(char) == "Lo"


def compatible(char: str) -> str:
    """The one-character compatibility form, or the character itself."""
    form = unicodedata.decomposition(char)
    plain = unicodedata.normalize("NFKC", char)
    if len(plain) != 1 or form.startswith(SKIPPED_FORMS) or unicodedata.bidirectional(plain) in ("R", "AL"):
        return char
    if form.startswith("<circle>") and not is_han(plain):
        return char
    if unicodedata.name(plain, "").startswith(("KATAKANA", "HANGUL", "COMBINING")):
        return char
    return plain


def han_classes(folder: Path) -> dict[str, str]:
    """Each Han variant to the form that stands for its class."""
    classes, simplified = Classes(), {key: values[0] for key, values in entries(folder / "TSCharacters.txt")}
    for name in DICTIONARIES:
        for key, values in entries(folder / f"{name}.txt"):
            if name.startswith("JP") and (key in NOT_THE_SAME or (len(values) > 1 and key not in values)):
                continue
            for value in values[: 1 if key in APART else None]:
                classes.join(key, value)
    for group in ALSO_SAME:
        for char in group[1:]:
            classes.join(char, group[0])
    table = {}
    for members in classes.groups():
        first = min(members, key=lambda char: (char not in CHOSEN, *commonness(char, simplified)))
        table.update({char: first for char in members if char != first})
    return table


def step_table(folder: Path) -> dict[str, str]:
    """One step of folding for every character that changes."""
    table = {}
    for code in range(0x30000):
        char = chr(code)
        if unicodedata.category(char) in ("Cn", "Cs", "Co", "Cc", "Zs", "Zl", "Zp"):
            continue
        plain = compatible(char)
        lower = plain.lower()
        table[char] = lower if len(lower) == 1 else plain
    table.update(zip(RADICALS[::2], RADICALS[1::2], strict=True))
    for line in PUNCTUATION:
        table.update(dict.fromkeys(line[1:], line[0]))
    table.update(han_classes(folder))
    return {char: plain for char, plain in table.items() if char != plain}


def closed(table: dict[str, str]) -> dict[str, str]:
    """The table applied until nothing changes, so that folding twice is folding once."""
    out = {}
    for char in table:
        plain = char
        while plain in table:
            plain = table[plain]
        if plain != char:
            out[char] = plain
    return out


def lines(text: str, width: int = 50) -> Iterator[str]:
    """A long string as source lines."""
    for start in range(0, len(text), width):
        piece = text[start : start + width].replace("\\", "\\\\").replace('"', '\\"')
        yield f'    "{piece}"'


def main() -> None:
    """Write the table."""
    table = closed(step_table(Path(sys.argv[1])))
    keys = sorted(table)
    parts = [
        '"""What each character folds to, made by scripts/make_fold_table.py; NOTICE names OpenCC for the Han part."""',
        "",
        "FROM = (",
        *lines("".join(keys)),
        ")",
        "TO = (",
        *lines("".join(table[key] for key in keys)),
        ")",
    ]
    OUT.write_text("\n".join(parts) + "\n", "utf-8")


if __name__ == "__main__":
    main()
