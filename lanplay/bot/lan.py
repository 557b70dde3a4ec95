"""A bot at a table on the network: from the same class and with the same memory as in a match in one process."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from lanplay.bot.bot import Bot
from lanplay.bot.player import Player, aside, info_of
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
        self.asked = False  # something that it has not answered yet

    def play(self) -> None:
        """Until the game is over. Raises HostGone or Refused if it can't go on."""
        with aside():
            if self.peer.welcome:
                self.follower.take(self.peer.welcome)
            while not self.over:
                told = self.peer.receive(None)
                while told:
                    self.take(told)
                    told = None if self.over else self.peer.receive(0)
                self.answer()
            if self.player:
                self.player.end(self.result())

    @property
    def over(self) -> bool:
        return self.follower.status is not None and self.follower.status.over

    def result(self) -> dict[str, Any]:
        status = self.follower.status
        return {
            "winners": (status.winners if status else None) or [],
            "totals": status.totals if status else {},
        }

    def take(self, told: Told) -> None:
        """One message: remember what it tells, and whether it asks something."""
        facts = self.follower.take(told.message, told.secret)
        if isinstance(told.message, wire.Refused) and told.message.code != "late":
            self.notice(f"{told.message.move} was refused: {told.message.sentence}")
        if isinstance(told.message, wire.Update | wire.Snapshot):
            if self.player is None:
                self.player = self.seated()
            self.player.hear(facts)
            self.asked = self.follower.asks is not None
            if isinstance(told.message, wire.Snapshot):
                self.player.memory.recall(self.follower.view.lay)

    def seated(self) -> Player:
        welcome = self.follower.welcome
        assert welcome is not None
        names = {SEATS.index(sitting.seat): sitting.name for sitting in self.follower.sitting}
        zones, seat = self.follower.zones, self.follower.seat
        info = info_of(welcome.game, welcome.options, seat, names, zones)
        return Player(self.kind, seat, zones, info, self.rng)

    def answer(self) -> None:
        """Say what the bot says, if anything is asked that it has not answered."""
        follower, status, player = self.follower, self.follower.status, self.player
        if not self.asked or status is None or player is None:
            return
        self.asked = False
        step = follower.step or 0
        move = player.answer("act" if follower.asks == "act" else "react", follower.legal, status)
        if move is not None:
            self.peer.act(move, step, status.aim)
        elif follower.asks == "react":
            self.peer.decline(step)
        for kind in player.health.faults.keys() - self.noticed:
            self.noticed.add(kind)
            self.notice(f"The bot {kind}: {player.health.why}")
