"""A bot at a table on the network: from the same class and with the same memory as in a match in one process."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, wait
from random import Random
from typing import Any

from lanplay.bot.bot import Bot
from lanplay.bot.health import STRIKES, Health
from lanplay.bot.player import Player, aside, info_of
from lanplay.engine.words import SEATS
from lanplay.net.peer import Peer, Told
from lanplay.room.follower import Follower
from lanplay.room.witness import PATIENCE, SILENT, Verdict
from lanplay.wire import messages as wire

LOOK = 0.25  # seconds after which the connection is looked after, though the bot still thinks
PAUSE = 0.5  # seconds until a move is told again that the host could not take just now

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
        self.verdict: Verdict | None = None  # of the deal, when the game is over
        self.came: deque[Told] = deque()  # while the bot was thinking
        self.asked = False  # something that it has not answered yet
        self.pending: bytes | None = None  # its last move, until the host has answered it

    def play(self) -> None:
        """Until the game is over. Raises HostGone or Refused if it can't go on."""
        try:
            self.sit()
        finally:
            if self.player:
                self.player.close()

    def sit(self) -> None:
        with aside():
            if self.peer.welcome:
                self.follower.take(self.peer.welcome)
            while not self.over:
                told = self.next(None)
                while told:
                    self.take(told)
                    told = None if self.over else self.next(0)
                self.answer()
            self.await_proof()
            if self.player:
                self.player.end(self.result())

    def next(self, timeout: float | None) -> Told | None:
        """What the host tells next."""
        return self.came.popleft() if self.came else self.peer.receive(timeout)

    @property
    def over(self) -> bool:
        return self.follower.status is not None and self.follower.status.over

    def await_proof(self) -> None:
        """The game is over: hear whether its deal is proved, and complain if it is not."""
        until = time.monotonic() + PATIENCE
        seeded = self.follower.welcome is None or self.follower.welcome.seeded
        while not seeded and self.verdict is None:
            left = until - time.monotonic()
            told = self.next(left) if left > 0 else None
            self.verdict = told.verdict if told else SILENT
        if self.verdict and not self.verdict.proved:
            self.notice(self.verdict.line)

    def result(self) -> dict[str, Any]:
        status = self.follower.status
        return {
            "winners": (status.winners if status else None) or [],
            "totals": status.totals if status else {},
        }

    def take(self, told: Told) -> None:
        """One message: remember what it tells, and whether it asks something."""
        message, facts = told.message, self.follower.take(told.message, told.secret)
        if isinstance(message, wire.Accepted | wire.Refused) and message.id == self.pending:
            self.answered(message)
        if isinstance(message, wire.Update | wire.Snapshot):
            if self.player is None:
                self.player = self.seated()
            self.player.hear(facts)
            self.asked = self.follower.asks is not None
            if isinstance(message, wire.Snapshot):
                self.player.memory.recall(self.follower.view.lay)

    def answered(self, answer: wire.Accepted | wire.Refused) -> None:
        """The host has taken the last move, or not: then what it has asked since then is still to be answered."""
        self.pending = None
        if isinstance(answer, wire.Accepted):
            if (self.follower.step or 0) < answer.step:  # it was asked before the host had the move
                self.asked = False
        elif answer.code in ("paused", "slow-down"):
            time.sleep(PAUSE)
            self.asked = True
        elif answer.code != "late":
            self.notice(f"{answer.move} was refused: {answer.sentence}")

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
        if not self.asked or self.pending or status is None or player is None:
            return
        self.asked = False
        step = follower.step or 0
        move = self.thought(
            lambda: player.answer("act" if follower.asks == "act" else "react", follower.legal, status)
        )
        if move is not None:
            self.pending = self.peer.act(move, step, status.aim)
        elif follower.asks != "act":
            self.peer.decline(step)
        self.complain(player.health)

    def thought(self, think: Callable[[], str | None]) -> str | None:
        """The answer. However long it takes, the host hears meanwhile that this peer is there."""
        said: Future[str | None] = Future()

        def run() -> None:
            try:
                said.set_result(think())
            except BaseException as error:
                said.set_exception(error)

        threading.Thread(target=run, daemon=True).start()
        while not wait([said], LOOK).done:
            while told := self.peer.receive(0):
                self.came.append(told)
        return said.result()

    def complain(self, health: Health) -> None:
        """Tell the first fault of each kind, and that it is benched."""
        bench = {"benched": f"is benched: after {STRIKES} faults default moves are made for it"}
        for kind, why in {**health.whys, **(bench if health.benched else {})}.items():
            if kind not in self.noticed:
                self.noticed.add(kind)
                self.notice(f"The bot {why}.")
