"""A house bot that plays for who is away, from what that seat was told and nothing else."""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from random import Random

from lanplay.bot.bot import Bot
from lanplay.bot.load import house_bots, load, plays
from lanplay.bot.player import Player, aside, info_of
from lanplay.engine.game import Game
from lanplay.engine.words import Seat, masked
from lanplay.room.telling import status

ANY_GAME = "random"


@dataclass
class Sitting:
    """A bot in somebody's seat, and how far it has heard the game."""

    player: Player
    heard: int = 0  # facts of the log


class StandIns:
    """Called with a game and a seat, gives the move that the house bot for this game makes there.

    It knows what the seat's player knew if they forgot nothing; each seat has a bot of its own, which goes on when its
    player is away again.
    """

    def __init__(self) -> None:
        self.sitting: dict[Seat, Sitting] = {}

    def __call__(self, game: Game, seat: Seat) -> str:
        sitting = self.sitting.get(seat) or self.sat_down(game, seat)
        log = game.log or []
        with aside():
            sitting.player.hear([masked(fact, seat) for fact in log[sitting.heard :]])
            sitting.heard = len(log)
            return str(sitting.player.answer("act", game.legal(seat), status(game)))

    def sat_down(self, game: Game, seat: Seat) -> Sitting:
        names = {other: f"Player {other + 1}" for other in range(game.seats)}
        info = info_of(game.rules.name, game.options.values(), seat, names, game.zones)
        rng = Random(secrets.token_bytes(16))  # noqa: S311 - a bot's dice
        self.sitting[seat] = Sitting(Player(house_bot(game.rules.name), seat, game.zones, info, rng))
        return self.sitting[seat]


def house_bot(game: str) -> type[Bot]:
    """The house bot that plays this game, or the one that plays any."""
    bots = [load(name) for name in sorted(house_bots())]
    return next((bot for bot in bots if game in plays(bot)), None) or load(ANY_GAME)
