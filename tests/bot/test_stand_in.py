"""A bot in the seat of somebody who is away: it plays well, and by what that seat was told."""

from __future__ import annotations

import pytest

from lanplay.bot.stand_in import StandIns, house_bot
from lanplay.engine.words import SEATS
from lanplay.games import registry
from lanplay.room.desk import Manners
from tests.room.table import Around


@pytest.mark.parametrize(
    ("game", "bot"),
    [("cambio", "Memory"), ("cambio52", "Memory"), ("cambio-rummy", "Melder"), ("not-at-home", "Sleuth")],
)
def test_each_game_has_its_bot(game: str, bot: str) -> None:
    assert house_bot(game).__name__ == bot
    assert house_bot("chess").__name__ == "AnyMove"


@pytest.mark.parametrize("game", sorted(registry()))
def test_a_game_that_everybody_leaves_is_played_to_its_end(game: str) -> None:
    stand_ins = StandIns()
    manners = Manners(away="bot", grace=1.0, stand_in=stand_ins)
    options = {"not-at-home": {}, "cambio-rummy": {"target": 1, "max_turns": 60, "max_rounds": 1}}.get(
        game, {}
    )
    around = Around(game, 3, options=options, manners=manners)
    for seat in SEATS[:3]:
        around.join(f"Player {seat}")
    for seat in SEATS[:3]:
        around.deliver(around.room.lost(around.key(seat), around.now))
    for _ in range(5000):
        if around.room.over:
            break
        assert around.room.wake is not None
        around.tick(max(0.0, around.room.wake - around.now))
    assert around.room.over
    assert all(not sitting.player.health.faults for sitting in stand_ins.sitting.values())
    assert all(sitting.player.memory.seat == seat for seat, sitting in stand_ins.sitting.items())
