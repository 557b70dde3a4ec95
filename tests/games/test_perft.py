"""Counts of all lines of play to a depth, by every seat, in turn and out: a slip in any list of moves changes them.

The numbers were agreed on with an independent implementation of the rule books.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from lanplay.engine.game import Game
from lanplay.engine.table import Table
from lanplay.record.replay import Replay
from lanplay.record.text import read


class Position(NamedTuple):
    """A game to a certain point: its options, deck and actions as lines of a record."""

    game: str
    seats: str
    lines: str
    counts: list[int]


POSITIONS = {
    "cambio, in mid-ability": Position(
        "cambio",
        "AB",
        """deck 7c Kd Jh 7d 9s Qc 2c 9d Kh 5d 7h Ks Jd Qd Ac
        A pass
        B peek 1 2
        A draw
        A discard""",
        [16, 253, 4634, 92155],
    ),
    "cambio52, a jack discarded": Position(
        "cambio52",
        "AB",
        """deck 7c Kd Jh 7d 9s Qc 2c 9d 5d Kh 7h Ks Jd Qd Ac
        A draw
        A discard""",
        [20, 444, 10772],
    ),
    "not-at-home, the first turn": Position("not-at-home", "ABC", "deck Ac", [68, 3400, 167790]),
    "not-at-home, on a miss the turn passes": Position(
        "not-at-home",
        "ABC",
        """option on_miss next
        deck Ac
        A ask B 2c
        A ask C 2d
        A ask B 3c""",
        [69, 4707, 311001],
    ),
    "not-at-home, on a miss the one asked is next": Position(
        "not-at-home",
        "ABCDEFGH",
        """option on_miss asked
        option repeat_asks yes
        deck Ac
        A ask B 2c
        A ask C 2d
        C ask H 8c""",
        [308, 97762],
    ),
    "cambio-rummy, the first turn": Position(
        "cambio-rummy",
        "AB",
        "deck 3 CR 3 RR 3 BR 4 SR 5 9 ER 9 RK 9 CR BK 5 5 4",
        [2, 12, 41, 151, 895, 4171],
    ),
    "cambio-rummy, kings, runes and two who could explode a play": Position(
        "cambio-rummy",
        "ABC",
        "deck RK CR CR RK RR ER BK RR 7 BK BR 7 BK SR 7 RR RK 8 ER BK 9 5 1 1 5 SR 3",
        [1, 22, 123, 551, 3837, 24267],
    ),
    "cambio-rummy, three melds lie there": Position(
        "cambio-rummy",
        "AB",
        """option max_rounds 1
        deck 3 CR 3 RR 3 BR 4 SR 5 9 ER 9 6 9 8 RK 7 3 BK CR 9
        A draw
        A meld kind 3 3 3
        A discard 8
        B draw
        B meld kind 9 9 9
        B meld balance RR BR SR
        B discard RK
        A draw
        A meld flow 4 5 6""",
        [8, 29, 63, 203, 660, 2349],
    ),
}


def perft(table: Table, seats: int, depth: int) -> int:
    """How many lines of `depth` moves there are; the last moves are only counted."""
    if depth == 1:
        return sum(len(table.legal(seat)) for seat in range(seats))
    total = 0
    for seat in range(seats):
        for move in table.legal(seat):
            twin = table.copy()
            twin.do(seat, move)
            total += perft(twin, seats, depth - 1)
    return total


def played(position: Position) -> Game:
    options, deck, actions = position.lines.partition("deck")
    seats = "".join(f"seat {letter} {letter}\n" for letter in position.seats)
    text = f"lanplay-record 1\ngame {position.game}\n{options}\n{seats}{deck}{actions}\n"
    replay = Replay(read(text))
    list(replay.play())
    return replay.game


@pytest.mark.parametrize("position", POSITIONS.values(), ids=POSITIONS)
def test_the_number_of_lines_of_play(position: Position) -> None:
    game, counts = played(position), position.counts
    assert [perft(game.table, game.seats, depth) for depth in range(1, len(counts) + 1)] == counts
