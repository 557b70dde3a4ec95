"""The table of tests/rules/README.md: every clause of the rule books, and the tests that prove it.

python -m tests.clauses     writes it anew
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from lanplay.games import registry
from lanplay.resources import folder

TESTS = Path(__file__).parent
README = TESTS / "rules" / "README.md"
RECORDS = sorted((TESTS / "rules").glob("*/*.rec"))

ITEM = re.compile(r"((?:[A-Z]\d+\.\d+ )+)(.*)", re.DOTALL)  # its numbers, and what it says
TEST = re.compile(r"^def (test_([a-z]\d+)_(\d+)_\w+)", re.MULTILINE)
RULING = "**R**"
WIDTH = 90

# Every example of the rule books: the clause, how it begins there, and the record that plays it.
EXAMPLES = {
    "cambio": (
        ("C1.2", "8 leave 22 of the 54 cards", "C1.2-8-players"),
        ("C6.1", "a joker matches a joker", "C6.1-joker-matches-joker"),
        ("C7.5", "joker and ace beat a king of −1 and a two", "C7.5-joker-and-ace-beat-king-and-two"),
    ),
    "cambio-rummy": (
        ("R3.2", "choosing the 3 takes all five", "R3.2-the-3-takes-all-five"),
        ("R3.2", "the Blue Rune four", "R3.2-the-blue-rune-takes-four"),
        ("R3.2", "the Swap Rune one", "R3.2-the-swap-rune-takes-one"),
        ("R4.3", "Blue Rune, Swap Rune, Red King is not High", "R4.3-never-by-adding"),
        ("R6.1", "a Red King to −4", "R6.1-a-red-king-to-minus-4"),
        ("R8.2", "a Red King left in hand gives back 2", "R8.2-a-red-king-in-hand-gives-back-2"),
    ),
    "not-at-home": (("N2.1", "the 7 of clubs", "N2.1-one-player-one-card"),),
}


class Clause(NamedTuple):
    """One number of a rule book; `ruling`: it holds something the source document does not say."""

    number: str
    text: str
    ruling: bool


def book(game: str) -> str:
    """The text of a rule book."""
    return (folder("seeds") / registry()[game].book).read_text(encoding="utf-8")


def clauses(text: str) -> list[Clause]:
    """The clauses of a rule book in its order; one that stands there twice, as a table's row and by itself, once."""
    found: dict[str, Clause] = {}
    for numbers, said in items(text):
        for number in numbers:
            before = found.get(number, Clause(number, said, False))
            found[number] = before._replace(ruling=before.ruling or RULING in said)
    return sorted(found.values(), key=lambda clause: place(clause.number))


def items(text: str) -> Iterator[tuple[list[str], str]]:
    """The list items and the rows of tables that begin or end with the number of a clause: numbers, and what it says."""
    for item in re.findall(r"^- .*(?:\n(?:  .*)?(?=\n|\Z))*", text, re.MULTILINE):
        if match := ITEM.match(" ".join(item[2:].split()) + " "):
            yield match[1].split(), match[2].strip()
    for row in re.findall(r"^\| .*", text, re.MULTILINE):
        option, *_, clause = row.strip("| ").split(" | ")
        if match := ITEM.match(clause.strip() + " "):
            yield match[1].split(), match[2].strip() or option


def place(number: str) -> tuple[str, int, int]:
    """How clauses are sorted: C3.10 comes after C3.9."""
    part, _, item = number[1:].partition(".")
    return number[0], int(part), int(item)


def proofs(game: str) -> dict[str, list[str]]:
    """The tests of each clause as links: its records, and the functions named after it."""
    found: dict[str, list[str]] = {}
    for path in RECORDS:
        if path.parent.name == game:
            number, _, what = path.stem.partition("-")
            found.setdefault(number, []).append(f"[{what}]({game}/{path.name})")
    own = {clause.number for clause in clauses(book(game))}
    for path in sorted(TESTS.glob("*/test_*.py")):
        for name, part, item in TEST.findall(path.read_text(encoding="utf-8")):
            number = f"{part.upper()}.{item}"
            if number in own:
                found.setdefault(number, []).append(f"[`{name}`](../{path.relative_to(TESTS)})")
    return found


def rows(game: str) -> Iterator[str]:
    """The table of a game: the clauses of its book, then those that stand in another book and are proved here too."""
    tests = proofs(game)
    own = clauses(book(game))
    listed = {clause.number for clause in own}
    others = {clause.number: clause for other in registry() for clause in clauses(book(other))}
    for clause in [*own, *(others[number] for number in sorted(tests.keys() - listed, key=place))]:
        mark = " **R**" if clause.ruling else ""
        proved = " · ".join(tests.get(clause.number, ["**none**"]))
        yield f"| {clause.number}{mark} | {short(clause.text)} | {proved} |"


def short(text: str) -> str:
    """How a clause begins: enough to know it again."""
    text = " ".join(text.replace(RULING, "").replace("|", "/").split())
    return text if len(text) <= WIDTH else text[:WIDTH].rsplit(" ", 1)[0] + " …"


def lines(games: Iterable[str]) -> Iterator[str]:
    yield "# Every clause and its tests"
    yield ""
    yield "Written by `python -m tests.clauses`; a test fails if it is not up to date or a clause has no test."
    yield "**R**: the clause holds a ruling where the source document is silent. A record is a game with expectations:"
    yield "`lanplay replay FILE --check` plays it."
    for game in games:
        rules = registry()[game]
        yield f"\n## {rules.title} ([{rules.book}](../../seeds/{rules.book}))\n"
        yield "| clause | says | tests |\n|---|---|---|"
        yield from rows(game)
        for number, example, record in EXAMPLES.get(game, ()):
            yield f"| {number} example | {example} | [{record}]({game}/{record}.rec) |"


def whole() -> str:
    """The text of the README."""
    return "\n".join(lines(sorted(registry()))) + "\n"


if __name__ == "__main__":
    README.write_text(whole(), encoding="utf-8")
