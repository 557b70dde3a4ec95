"""One game between bots, in this process."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lanplay.bot.bot import Bot, seeded
from lanplay.bot.health import Health
from lanplay.bot.player import Player, aside, info_of
from lanplay.engine.game import Game, Rules
from lanplay.engine.options import Options
from lanplay.engine.shuffle import seeded as seeded_shuffles
from lanplay.engine.words import HIDDEN, Move, Seat, letters
from lanplay.record import write
from lanplay.room.pace import Lockstep, Question
from lanplay.room.telling import status


@dataclass(frozen=True)
class Pairing:
    """What is played: the bots `kinds`, called `names`, at a table of these rules."""

    rules: Rules
    options: Options
    kinds: Sequence[type[Bot]]
    names: Sequence[str]


@dataclass
class Played:
    """A finished game. Seats are numbers; `bots[seat]` is the place in the match of the bot that sat there."""

    bots: tuple[int, ...]
    winners: tuple[Seat, ...]
    points: tuple[int, ...]
    actions: int
    capped: bool  # max_turns ended a round, or max_rounds the game
    health: list[Health]
    record: str = ""


# Plays one deal; `order[seat]` says which of the bots sits where.
Play = Callable[[Pairing, Sequence[int], bytes], Played]


def secret(seed: int | bytes, *labels: object) -> bytes:
    """A secret of its own for each use, one-way from the match's seed."""
    return hashlib.sha256(repr((seed, labels)).encode()).digest()


def play(pairing: Pairing, order: Sequence[int], deal: bytes, around: type[Seated] | None = None) -> Played:
    """One game without any network. `around`: how the bots are asked, if not as usual."""
    game = Game(pairing.rules, len(pairing.kinds), pairing.options, seeded_shuffles(secret(deal, "deck")))
    called = {seat: pairing.names[bot] for seat, bot in enumerate(order)}
    with aside():
        table = (around or Seated)(game, pairing.kinds, called, order, deal)
        try:
            table.play_out()
        finally:
            table.close()
    health = [player.health for player in table.players]
    return played(game, order, health, write.whole(game, called, table.moves))


def played(game: Game, order: Sequence[int], health: list[Health], record: str) -> Played:
    """What there is to tell of a finished game."""
    return Played(
        tuple(order), game.winners or (), game.totals, game.accepted, was_capped(game), health, record
    )


def was_capped(game: Game) -> bool:
    """Whether a limit has ended a round of this finished game, or all of it, and not the play itself."""
    if any(round_.capped for round_ in game.rounds):
        return True
    if "max_rounds" not in game.options.values():
        return False
    return game.rules.standing(game.options.read({"max_rounds": 0}), game.rounds) is None


class Seated:
    """Bots around a game, asked in lockstep."""

    def __init__(
        self,
        game: Game,
        kinds: Sequence[type[Bot]],
        called: dict[Seat, str],
        order: Sequence[int],
        deal: bytes,
    ) -> None:
        self.game = game
        self.pace = Lockstep(game, secret(deal, "ties"))
        self.moves: list[tuple[Seat, Move]] = []
        self.told = [0] * len(order)  # facts of the log
        self.status = status(game)
        self.players = [
            self.player(seat, kinds[bot], called, secret(deal, "bots")) for seat, bot in enumerate(order)
        ]

    def player(self, seat: Seat, kind: type[Bot], called: dict[Seat, str], seed: bytes) -> Player:
        # Dice are the seat's, as cards are: equal bots throw the same in the same seat, and so get exactly equal shares.
        game = self.game
        info = info_of(game.rules.name, game.options.values(), seat, called, game.zones)
        return Player(kind, seat, game.zones, info, seeded(seed, seat))

    def play_out(self) -> None:
        """To the end of the game."""
        while asked := self.pace.questions():
            answers = {seat: self.answer(seat, question) for seat, question in asked.items()}
            for seat, move in self.pace.settle(answers):
                if move in self.game.legal(seat):
                    self.game.do(seat, move)
                    self.moves.append((seat, move))
                    self.status = status(self.game)
        result = {
            "winners": letters(self.game.winners or ()),
            "totals": self.game.by_letter(self.game.totals),
        }
        for seat, player in enumerate(self.players):
            self.hear(seat)
            player.end(result)

    def close(self) -> None:
        """Bots that are programs end, if the game was broken off."""
        for player in self.players:
            player.close()

    def hear(self, seat: Seat) -> None:
        """What happened since this seat was last told."""
        log = self.game.log or []
        since, self.told[seat] = self.told[seat], len(log)
        self.players[seat].hear(
            [fact if fact[6] >> seat & 1 else (*fact[:5], HIDDEN, fact[6]) for fact in log[since:]]
        )

    def answer(self, seat: Seat, question: Question) -> Move | None:
        """What the bot in this seat says to a question."""
        moves = self.game.legal(seat) if question == "act" else self.game.reactions(seat)
        if not moves:
            return None
        self.hear(seat)
        return self.players[seat].answer(question, moves, self.status)
