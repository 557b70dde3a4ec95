"""The rule books, clause by clause: every record under tests/rules plays through, and each clause has one."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from lanplay.engine.options import Option
from lanplay.games import registry
from lanplay.record import expect
from lanplay.record.replay import Replay
from lanplay.record.text import Item, Record, read
from tests.clauses import EXAMPLES, README, RECORDS, book, clauses, proofs, whole

every_game = pytest.mark.parametrize("name", sorted(registry()))


class Doubting(Replay):
    """Believes a line of a record only if the opposite of it would have been noticed."""

    def check(self, item: Item) -> None:
        super().check(item)
        self.checked += 1
        offered = [move for seat in range(self.game.seats) for move in self.game.legal(seat)]
        false = item._replace(words=opposite(item.kind, item.words, str(next(iter(offered), "pass"))))
        assert expect.failure(self.game, false), f"{item.kind} {false.words} would not be noticed"

    checked = 0


def opposite(kind: str, words: str, move: str) -> str:
    """What can't be true if this is; `move` is something that can be read."""
    if kind == "!":
        return " ".join([*(word for word in words.split() if word not in expect.CODES), "late"])
    if kind == "result":
        return words + " H"
    first, *rest = words.split()
    what = first if first in expect.OF_GAME else rest[0]
    if what == "legal":
        return " ".join(words.split()[:2]) if len(rest) > 1 else f"{words} {move}"
    return OPPOSITE.get(what, one_more)(words)


def one_more(words: str) -> str:
    return f"{words} 9"


def another_number(words: str) -> str:
    return re.sub(r"-?[0-9]+", lambda number: str(int(number[0]) + 1), words)


OPPOSITE: dict[str, Callable[[str], str]] = {
    "points": another_number,
    "score": another_number,
    "deck": another_number,
    "winner": lambda words: words + " H",
    "turn": lambda words: "turn " + "BA"[words[-1] == "B"],
    "over": lambda words: "turn A",
    "discard": lambda words: "discard ??",
    "sees": lambda words: words.rsplit(maxsplit=1)[0] + " 0",
}


def record(path: Path) -> Record:
    return read(path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_record_checks(path: Path) -> None:
    replay = Doubting(record(path))
    for _ in replay.play():
        for seat in range(replay.game.seats):
            replay.object(seat)
    assert replay.checked, "it expects nothing"


@every_game
def test_every_clause_of_the_rule_book_has_a_test(name: str) -> None:
    numbers = [clause.number for clause in clauses(book(name))]
    missing = set(numbers) - proofs(name).keys()
    assert numbers
    assert not missing, f"no test for {sorted(missing)}"


@every_game
def test_every_number_in_the_rule_book_is_a_clause(name: str) -> None:
    letter = clauses(book(name))[0].number[0]
    mentioned = set(re.findall(rf"\b{letter}[0-9]+\.[0-9]+\b", book(name)))
    assert mentioned == {clause.number for clause in clauses(book(name))}


@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_every_example_of_the_rule_book_has_its_record(name: str) -> None:
    text = " ".join(book(name).split())
    for clause, example, stem in EXAMPLES[name]:
        assert example in text
        assert stem.startswith(clause)
        assert f"{name}/{stem}" in [f"{path.parent.name}/{path.stem}" for path in RECORDS]


@every_game
def test_every_option_is_set_in_a_record_to_every_word_and_to_the_ends_of_its_range(name: str) -> None:
    rules = registry()[name]
    alike = [game for game, other in registry().items() if type(other.defaults) is type(rules.defaults)]
    set_to: dict[str, set[str]] = {}
    for path in RECORDS:
        if path.parent.name in alike:
            for option, value in record(path).options.values().items():
                set_to.setdefault(option, set()).add(str(value))
    missing = [(option.name, wanted(option) - set_to[option.name]) for option in rules.defaults.described()]
    assert not [(option, values) for option, values in missing if values]


def wanted(option: Option) -> set[str]:
    return set(option.words) if option.words else {str(option.low), str(option.high), str(option.default)}


def test_the_table_of_clauses_and_tests_is_up_to_date() -> None:
    assert README.read_text(encoding="utf-8") == whole(), "write it anew: python -m tests.clauses"
