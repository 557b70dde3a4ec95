"""Nobody can freeze a table: at every ask of every game somebody is silent, gone, or talks nonsense, and it goes on."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from lanplay.engine.words import SEATS
from lanplay.room.desk import Manners
from lanplay.wire import messages as wire
from tests.room.table import Around

TURN_TIME, GRACE = 30.0, 60.0
CAMBIO = {
    "FirstPeek", "Turn", "Drawn", "Taken", "Peek", "Spy", "Switch", "Look", "LookAgain",
    "LookAtOther", "SwitchThat", "Give", "Closing",
}  # fmt: skip
ASKS = {
    "cambio": CAMBIO,
    "cambio52": CAMBIO,
    "cambio-rummy": {"Draw", "Play"},
    "not-at-home": {"Turn"},
}
WORDS: dict[str, list[dict[str, Any]]] = {
    "cambio": [{}, {"king_power": "look-switch-that", "snap_others": "yes", "max_turns": 40}],
    "cambio52": [
        {"king_power": "look-two-switch", "first_peek": "choose"},
        {"king_power": "look-switch-that", "snap_others": "yes"},
    ],
    "cambio-rummy": [{}],
    "not-at-home": [{}],
}


def silent(around: Around, seat: str) -> None:
    """It is waited for as long as the host allows."""
    around.tick(TURN_TIME)


def gone(around: Around, seat: str) -> None:
    """Its connection is lost; it is back when its move has been made."""
    key = around.key(seat)
    around.deliver(around.room.lost(key, around.now))
    around.tick(GRACE)
    around.join(f"Player {seat}", peer=key)


def nonsense(around: Around, seat: str) -> None:
    for text in ("dance", "snap 99", "\x1b[2J", "discard 7 7 7", "peek 0"):
        answer = around.act(seat, text)
        assert isinstance(answer, wire.Refused), text
    around.tick(TURN_TIME)


MANNERS: dict[Callable[[Around, str], None], Manners] = {
    silent: Manners(turn_time=TURN_TIME),
    gone: Manners(away="skip", grace=GRACE),
    nonsense: Manners(turn_time=TURN_TIME),
}


@pytest.mark.parametrize("how", MANNERS)
@pytest.mark.parametrize("game", ASKS)
def test_the_game_goes_on(game: str, how: Callable[[Around, str], None]) -> None:
    met: set[str] = set()
    for seed in range(60):
        options = WORDS[game][seed % len(WORDS[game])]
        met |= one_game(
            Around(game, 3, options=options, manners=MANNERS[how], seed=b"%d" % seed), how, met, seed
        )
        if met >= ASKS[game]:
            return
    raise AssertionError(f"never asked: {ASKS[game] - met}")


def one_game(around: Around, how: Callable[[Around, str], None], met: set[str], seed: int) -> set[str]:
    """Play at random; at each ask that was not met yet the player does that instead. Gives the asks met."""
    rng = random.Random(seed)
    for letter in SEATS[:3]:
        around.join(f"Player {letter}")
    for _ in range(400):
        game = around.room.game
        assert game is not None
        if game.over:
            break
        seat, step = game.must_act[0], game.accepted
        ask = type(game.table.ask).__name__
        if ask not in met:
            met = met | {ask}
            how(around, SEATS[seat])
            assert game.accepted > step, f"it stands still at {ask}"
        else:
            around.act(
                SEATS[seat],
                str(rng.choice([m for m in game.legal(seat) if m != "cambio" or rng.random() < 0.1])),
            )
            around.now += 1
            around.tick(0)
    return met
