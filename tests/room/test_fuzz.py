"""Whatever peers say, in whatever order: the room never raises, and the game goes by its rules to its end."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.room.fuzz import GAMES, Fuzz


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 2**32))
def test_nothing_that_peers_say_breaks_a_room(game: str, seed: int) -> None:
    Fuzz(game, seed).run(300)


def test_much_of_what_is_said_is_accepted_and_much_refused() -> None:
    counts: Counter[str] = Counter()
    for seed in range(10):
        Fuzz("cambio", seed, counts).run(400)
    for kind in ("unreadable", "accepted", "refused", "repeated"):
        assert counts[kind] > 20, counts
