"""A bot before a position that a record describes."""

from __future__ import annotations

import random

from lanplay.bot.load import load
from lanplay.bot.player import Player, info_of
from lanplay.engine.game import Game
from lanplay.engine.words import SEATS, masked
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room.pace import Question
from lanplay.room.telling import status


def position(game: str, *lines: str, seats: int = 2) -> Game:
    """The game after these lines of a record."""
    sitting = [f"seat {letter} {letter}" for letter in SEATS[:seats]]
    replay = Replay(read("\n".join(["lanplay-record 1", f"game {game}", *sitting, *lines, ""])))
    for _ in replay.play():
        pass
    return replay.game


def says(bot: str, game: Game, seat: str, question: Question = "act") -> str | None:
    """What the bot in this seat answers."""
    number = SEATS.index(seat)
    names = {other: SEATS[other] for other in range(game.seats)}
    info = info_of(game.rules.name, game.options.values(), number, names, game.zones)
    player = Player(load(bot), number, game.zones, info, random.Random(1))
    player.hear([masked(fact, number) for fact in game.log or []])
    moves = game.legal(number) if question == "act" else game.reactions(number)
    answer = player.answer(question, moves, status(game))
    assert not player.health.whys
    return answer


def turn(bot: str, game: Game, seat: str) -> list[str]:
    """The moves of a whole turn of this bot."""
    made: list[str] = []
    while list(game.must_act) == [SEATS.index(seat)] and not (made and made[-1].startswith("discard")):
        move = says(bot, game, seat)
        assert move is not None
        made.append(move)
        game.play(SEATS.index(seat), move)
    return made
