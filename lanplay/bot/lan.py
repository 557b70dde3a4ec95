"""A bot at a table on the network: from the same class and with the same memory as in a match in one process."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

from lanplay.bot.bot import Bot
from lanplay.bot.player import Player, info_of
from lanplay.engine.words import SEATS
from lanplay.net.peer import Peer, Told
from lanplay.room.follower import Follower
from lanplay.wire import messages as wire

Notice = Callable[[str], None]


class Sitter:
    """Drives one bot over one connection, from the welcome to the end of the game."""

    def __init__(
        self, kind: type[Bot], peer: Peer, rng: Random, notice: Notice = lambda sentence: None
    ) -> None:
        """`notice` hears of the bot's faults, each kind once."""
        self.kind, self.peer, self.rng, self.notice = kind, peer, rng, notice
        self.follower = Follower()
        self.player: Player | None = None
        self.noticed: set[str] = set()

    def play(self) -> None:
        """Until the game is over. Raises HostGone or Refused if it can't go on."""
        if self.peer.welcome:
            self.follower.take(self.peer.welcome)
        while self.follower.status is None or not self.follower.status.over:
            told = self.peer.receive(None)
            if told:
                self.take(told)
        if self.player:
            status = self.follower.status
            self.player.end({"winners": status.winners or [], "totals": status.totals})

    def take(self, told: Told) -> None:
        """One message: remember what it tells, and answer what it asks."""
        facts = self.follower.take(told.message, told.secret)
        if isinstance(told.message, wire.Refused):
            return self.refused(told.message)
        if not isinstance(told.message, wire.Update | wire.Snapshot):
            return None
        if self.player is None:
            self.player = self.seated()
        self.player.hear(facts)
        if isinstance(told.message, wire.Snapshot):
            self.player.memory.recall(self.follower.view.lay)
        return self.answer(self.player)

    def seated(self) -> Player:
        welcome = self.follower.welcome
        assert welcome is not None
        names = {SEATS.index(sitting.seat): sitting.name for sitting in self.follower.sitting}
        zones, seat = self.follower.zones, self.follower.seat
        info = info_of(welcome.game, welcome.options, seat, names, zones)
        return Player(self.kind, seat, zones, info, self.rng)

    def answer(self, player: Player) -> None:
        """Say what the bot says, if anything is asked."""
        follower, status = self.follower, self.follower.status
        if follower.asks is None or status is None:
            return
        question = "act" if follower.asks == "act" else "react"
        move = player.answer(
            question, follower.legal, status, default_of(follower.legal) if question == "act" else None
        )
        step = follower.step or 0
        if move is not None:
            self.peer.act(move, step, status.aim)
        elif follower.asks == "react":
            self.peer.decline(step)
        for kind in player.health.faults.keys() - self.noticed:
            self.noticed.add(kind)
            self.notice(f"The bot {kind}: {player.health.why}")

    def refused(self, refusal: wire.Refused) -> None:
        """Only a move that came too late is asked for again; the update that says so is on its way or here."""
        if refusal.code != "late":
            self.notice(f"{refusal.move} was refused: {refusal.sentence}")
        if self.player and self.follower.asks == "act":
            self.answer(self.player)


def default_of(moves: Sequence[str]) -> str:
    """The move that the host would make for who is absent."""
    for verb in ("pass", "draw", "discard"):
        for move in moves:
            if move.split(maxsplit=1)[0] == verb:
                return move
    return moves[0]
