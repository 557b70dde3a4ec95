"""A room with peers around it, message by message through the codec, without sockets or clocks."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Callable, Iterable
from typing import Any

from lanplay.engine.words import SEATS
from lanplay.games import find
from lanplay.room.follower import Follower
from lanplay.room.room import Room
from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_host, decode_from_peer, decode_secret, encode, encode_secret
from lanplay.wire.send import Send


class Around:
    """A room and what each peer was sent; `key("A")` is the peer that sits there."""

    def __init__(self, game: str = "cambio", size: int = 2, kind: str = "person", **more: Any) -> None:
        rules = find(game)
        options = rules.defaults.read(more.pop("options", {}))
        self.lines: list[str] = []
        self.now = 100.0
        settings: dict[str, Any] = {
            "table": "test", "seed": b"seed", "ties": b"ties", "journal": self.lines.append, **more
        }  # fmt: skip
        self.room = Room(rules, options, size, **settings)
        self.got: dict[bytes, list[wire.FromHost]] = defaultdict(list)
        self.followers: dict[bytes, Follower] = defaultdict(Follower)
        self.sends: list[Send] = []
        self.kind = kind
        self.ids = 0

    @property
    def record(self) -> str:
        return "".join(self.lines)

    def deliver(self, sends: Iterable[Send]) -> None:
        for send in sends:
            self.sends.append(send)
            message = decode_from_host(encode(send.message))
            secret = None
            if send.secret is not None:
                data = encode_secret(send.secret)
                assert len(data) <= send.pad
                secret = decode_secret(data)
            self.got[send.peer].append(message)
            self.followers[send.peer].take(message, secret)

    def say(self, peer: bytes, message: wire.FromPeer) -> None:
        self.deliver(self.room.receive(peer, decode_from_peer(encode(message)), self.now))

    def tick(self, seconds: float) -> None:
        self.now += seconds
        self.deliver(self.room.tick(self.now))

    def join(
        self, name: str, role: Any = "sit", since: int | None = None, peer: bytes | None = None
    ) -> bytes:
        key = peer or name.encode().ljust(32)
        self.say(key, wire.Hello(wire.VERSION, name, role, self.kind, bytes(32), since))  # type: ignore[arg-type]
        return key

    def key(self, seat: str) -> bytes:
        return next(key for key, person in self.room.people.by_key.items() if person.letter == seat)

    def act(self, seat: str, move: str, step: int | None = None, aim: int | None = None) -> wire.FromHost:
        """The move as this seat's client would send it; gives the answer."""
        key = self.key(seat)
        follower = self.followers[key]
        assert follower.status is not None
        self.ids += 1
        step = follower.step if step is None else step
        aim = follower.status.aim if aim is None else aim
        return self.act_as(key, wire.Act(self.ids.to_bytes(8, "big"), move, step or 0, aim))

    def act_as(self, key: bytes, act: wire.Act) -> wire.FromHost:
        before = len(self.got[key])
        self.now += 0.06  # seconds to think, so that nobody is too quick for the limits
        self.say(key, act)
        while not any(isinstance(m, wire.Accepted | wire.Refused) for m in self.got[key][before:]):
            assert self.room.wake is not None
            self.tick(max(0, self.room.wake - self.now))
        return next(m for m in self.got[key][before:] if isinstance(m, wire.Accepted | wire.Refused))

    def play_out(self, choose: Callable[[str, list[str]], str | None], most: int = 5000) -> None:
        """Let every seat that is asked answer, in seat order, until the game is over."""
        for _ in range(most):
            asked = [(s, self.followers[self.key(s)]) for s in SEATS[: self.room.people.size]]
            asked = [(seat, follower) for seat, follower in asked if follower.asks in ("act", "react")]
            if self.room.over or not asked:
                return
            for seat, follower in asked:
                self.answer(seat, follower, choose)

    def answer(self, seat: str, follower: Follower, choose: Callable[[str, list[str]], str | None]) -> None:
        asks, follower.asks = follower.asks, None
        moves = [move for move in follower.legal if asks == "act" or move.startswith("snap")]
        move = choose(seat, moves) if moves else None
        if move is None and asks == "react":
            self.say(self.key(seat), wire.Decline(follower.step or 0))
        elif move is not None and isinstance(self.act(seat, move), wire.Refused):
            follower.asks = asks


def chooser(seed: int, calls: float = 0.1, snaps: float = 0.1) -> Callable[[str, list[str]], str | None]:
    """A player without a plan, the same for the same seed; snaps seldom."""
    rng = random.Random(seed)

    def choose(seat: str, moves: list[str]) -> str | None:
        if all(move.startswith("snap") for move in moves):
            return rng.choice(moves) if rng.random() < snaps else None
        moves = [move for move in moves if move != "cambio" or rng.random() < calls]
        return rng.choice(moves)

    return choose
