"""Single words of what line mode says: cards, counts and lists, and names that can't spoil a terminal."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from textwrap import wrap

RANKS = {"A": "ace", "T": "10", "J": "jack", "Q": "queen", "K": "king"} | {
    str(n): str(n) for n in range(2, 10)
}
SUITS = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
NAMED = {
    "Xr": "red joker",
    "Xb": "black joker",
    "RR": "Red Rune",
    "BR": "Blue Rune",
    "SR": "Swap Rune",
    "RK": "Red King",
    "BK": "Blue King",
    "CR": "Chaos Rune",
    "ER": "Energy Rune",
}


def card(face: str) -> str:
    """A card by name and by notation, `7 of clubs (7c)`; as it is if it has no other name."""
    if face in NAMED:
        return f"{NAMED[face]} ({face})"
    if len(face) == 2 and face[0] in RANKS and face[1] in SUITS:
        return f"{RANKS[face[0]]} of {SUITS[face[1]]} ({face})"
    return face


def the(face: str) -> str:
    """A card within a sentence."""
    return f"the {card(face)}"


def listed(words: Sequence[str], last: str = "and") -> str:
    """`a, b and c`."""
    return f"{', '.join(words[:-1])} {last} {words[-1]}" if len(words) > 1 else "".join(words)


def count(number: int, thing: str) -> str:
    """`1 card`, `3 cards`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def capital(sentence: str) -> str:
    """With a capital letter in front."""
    return sentence[:1].upper() + sentence[1:]


def plain(text: str) -> str:
    """On one line, and without characters that steer a terminal, turn the order of letters around, or can't be seen."""
    blanks = "".join(" " if char in "\t\n" else char for char in text)
    return "".join(
        char for char in blanks if unicodedata.category(char) not in UNSAFE and not UNSEEN.match(char)
    )


UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
# letters, marks and signs that leave no ink (Default_Ignorable_Code_Point of Unicode, and the empty Braille cell)
UNSEEN = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]"
)


def printed(lines: Iterable[str], width: int = 0) -> str:
    """The lines as one text to write, broken between words if they are wider than the terminal (0: it has no width)."""
    return "".join(f"{broken(plain(line), width)}\n" for line in lines)


def broken(line: str, width: int) -> str:
    """Short items of a numbered list stay whole, and what goes on is set in as far as the line itself."""
    if not 0 < width < len(line):
        return line
    indent = " " * (len(line) - len(line.lstrip()))
    whole = wrap(
        ITEM.sub(lambda item: item[0].replace(" ", "\xa0"), line.lstrip()),
        width,
        initial_indent=indent,
        subsequent_indent=indent * 2,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(whole).replace("\xa0", " ")


ITEM = re.compile(r"\b\d+: (?:[^,(]{1,20}(?=,|$))?")
