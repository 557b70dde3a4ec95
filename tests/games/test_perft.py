"""Counts of all lines of play to a depth, by every seat, in turn and out: a slip in any list of moves changes them.

The numbers were agreed on with an independent implementation of the rule books.
"""

from __future__ import annotations

import pytest

from lanplay.engine.game import Game
from lanplay.engine.table import Table
from lanplay.record.replay import Replay
from lanplay.record.text import read

OPENING = {
    "cambio": "deck 7c Kd Jh 7d 9s Qc 2c 9d Kh 5d 7h Ks Jd Qd Ac\nA pass\nB peek 1 2\nA draw\nA discard\n",
    "cambio52": "deck 7c Kd Jh 7d 9s Qc 2c 9d 5d Kh 7h Ks Jd Qd Ac\nA draw\nA discard\n",
}


def perft(table: Table, depth: int) -> int:
    """How many lines of `depth` moves there are."""
    if depth == 0:
        return 1
    total = 0
    for seat in (0, 1):
        for move in table.legal(seat):
            twin = table.copy()
            twin.do(seat, move)
            total += perft(twin, depth - 1)
    return total


def opened(name: str) -> Game:
    replay = Replay(read(f"lanplay-record 1\ngame {name}\nseat A Ann\nseat B Bob\n{OPENING[name]}"))
    list(replay.play())
    return replay.game


@pytest.mark.parametrize(
    ("name", "counts"), [("cambio", [16, 253, 4634, 92155]), ("cambio52", [20, 444, 10772])]
)
def test_the_number_of_lines_of_play(name: str, counts: list[int]) -> None:
    assert [perft(opened(name).table, depth) for depth in range(1, len(counts) + 1)] == counts
