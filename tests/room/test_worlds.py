"""What a peer may not know changes no byte, length, order, code, prompt or time of what it is sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.engine.words import Move, Seat
from lanplay.room import telling
from lanplay.room.progress import Progress
from tests.room.worlds import GAMES, Differ, Pair


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=25)
@given(seed=st.integers(0, 2**32))
def test_worlds_that_differ_in_what_a_peer_may_not_know_look_the_same(game: str, seed: int) -> None:
    Pair(game, seed).run()


def holds_if_somebody_could_object(progress: Progress, seat: Seat, move: Move) -> float:
    """R5.7 as it must not be: the wait tells that somebody holds a Chaos Rune."""
    others = [other for other in range(progress.game.seats) if other != seat]
    able = any(progress.game.reactions(other) for other in others)
    return HOLDS(progress, seat, move) if able else 0.0


def prompts_by_hand(game: Any, *more: Any) -> Any:
    status = STATUS(game, *more)
    status.table["able"] = sum(len(game.legal(seat)) for seat in range(game.seats))
    return status


HOLDS, STATUS = Progress.holds, telling.status


@pytest.mark.parametrize(
    ("game", "where", "name", "leak"),
    [
        ("cambio-rummy", Progress, "holds", holds_if_somebody_could_object),
        ("cambio-rummy", telling, "status", prompts_by_hand),
        ("not-at-home", telling, "status", prompts_by_hand),
    ],
)
def test_a_leak_would_be_found(
    game: str, where: Any, name: str, leak: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, leak)
    with pytest.raises(Differ):
        many(game)


def many(game: str) -> None:
    for seed in range(400):
        Pair(game, seed).run()
