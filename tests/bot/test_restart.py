"""A bot whose program is started again in mid-game: it knows what the position shows, and nothing wrong."""

from __future__ import annotations

from random import Random

import pytest

from lanplay.bot.lan import Sitter
from lanplay.bot.load import load
from lanplay.engine.words import HIDDEN
from lanplay.room.follower import Follower
from tests.bot.test_lan import Tables, person, playing


class Restarting(Sitter):
    """Forgets everything now and then, as a new process does; `held` counts how often that was compared."""

    tables: Tables
    restarts = held = 0

    def answer(self) -> None:
        self.compare()
        super().answer()
        if (self.follower.step or 0) >= 8 * (self.restarts + 1):
            self.restarts += 1
            self.follower, self.player, self.pending, self.asked = Follower(), None, None, False
            self.peer.stream.step = None
            self.peer.stream.unanswered.clear()
            self.peer.link.close()
            self.peer._dial()

    def compare(self) -> None:
        """What it takes for known lies there."""
        step, lay = self.tables.host.call(self.truth).result(5)
        if self.player is None or step != self.follower.step:
            return
        self.held += 1
        for cards, places in zip(lay, self.player.memory.lay, strict=True):
            if len(cards) != len(places):
                raise AssertionError("there are other places")
            for card, lore in zip(cards, places, strict=True):
                if lore and lore.card not in (HIDDEN, card):
                    raise AssertionError(f"{lore.card} is not {card}")

    def truth(self) -> tuple[int, list[list[int]]]:
        game = self.tables.room.game
        assert game
        return game.accepted, [list(cards) for cards in game.table.lay]


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
def test_a_bot_that_was_started_again_knows_nothing_wrong(game: str) -> None:
    tables = Tables(game, 2)
    with tables.host, tables.peer("Ann", "person") as ann, tables.peer("memory", "bot") as bob:
        sitter = Restarting(load("memory"), bob, Random(1))
        sitter.tables = tables
        with playing(sitter):
            person(ann)
    assert sitter.restarts >= 3
    assert sitter.held >= 10
