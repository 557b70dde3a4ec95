"""A light peer for attacks and for crowds: a DEALER with keys that were let in already, which sends whatever it likes."""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import zmq
from zmq.utils import z85

from lanplay.games import find
from lanplay.net.host import Host
from lanplay.net.keys import Keys
from lanplay.net.pairing import Grant
from lanplay.net.stream import Kind, Role, Stream
from lanplay.room.desk import Manners
from lanplay.room.follower import Follower
from lanplay.room.room import Room
from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_host, encode


class Raw:
    """`hear` takes in what has come and answers pings; `got` is all that was told, `answers` what became of acts."""

    def __init__(
        self, grant: Grant, keys: Keys, name: str, role: Role = "sit", kind: Kind = "person", **options: int
    ) -> None:
        self.grant, self.keys, self.options = grant, keys, options
        self.name, self.role, self.kind = name, role, kind
        self.stream, self.follower = Stream(grant, name, role, kind), Follower()
        self.got: list[wire.FromHost] = []
        self.bytes = 0
        self.answers: dict[bytes, str] = {}
        self.port = grant.port
        self.socket = self.dial()

    def dial(self) -> zmq.Socket[bytes]:
        socket: zmq.Socket[bytes] = zmq.Context.instance().socket(zmq.DEALER)
        socket.linger = 0
        for option, value in self.options.items():
            socket.setsockopt(getattr(zmq, option), value)
        socket.curve_serverkey = z85.encode(self.grant.curve)
        socket.curve_publickey, socket.curve_secretkey = (
            z85.encode(self.keys.public),
            z85.encode(self.keys.private),
        )
        socket.connect(f"tcp://127.0.0.1:{self.port}")
        return socket

    def hello(self, **changed: Any) -> wire.Hello:
        hello = self.stream.hello()
        return wire.Hello(**{**{name: getattr(hello, name) for name in hello.__struct_fields__}, **changed})

    def join(self) -> None:
        """Say hello, and hear the welcome."""
        self.send(self.hello())
        self.until(lambda: self.stream.welcomed or self.stream.closed)

    def again(self) -> None:
        """A new connection under the same key."""
        self.socket.close()
        self.socket = self.dial()

    def send(self, *messages: wire.FromPeer | bytes) -> None:
        for message in messages:
            self.socket.send(message if isinstance(message, bytes) else encode(message))

    def act(self, move: str, id_: bytes | None = None, **changed: int) -> bytes:
        """Sent, under a new id, as an answer to what was told last."""
        status = self.follower.status
        act = wire.Act(
            id_ or secrets.token_bytes(8),
            move,
            changed.get("step", self.follower.step or 0),
            changed.get("aim", status.aim if status else 0),
        )
        self.send(act)
        return act.id

    def hear(self, seconds: float = 0.0) -> int:
        """All that comes until nothing has come for so long; gives how many messages."""
        count = 0
        while self.socket.poll(int(seconds * 1000)) and not self.stream.closed:
            frame = self.socket.recv()
            self.bytes += len(frame)
            count += 1
            self.take(frame)
            self.send_out()
        return count

    def take(self, frame: bytes) -> None:
        self.got.append(decode_from_host(frame))
        told = self.stream.take(frame)
        if told:
            self.follower.take(told.message, told.secret)
            if isinstance(told.message, wire.Accepted | wire.Refused):
                code = told.message.code if isinstance(told.message, wire.Refused) else "accepted"
                self.answers[told.message.id] = code

    def send_out(self) -> None:
        out, self.stream.out = list(self.stream.out), type(self.stream.out)()
        for message in out:
            with suppress(zmq.Again):
                self.socket.send(encode(message), zmq.NOBLOCK)

    def until(self, so: Callable[[], object], seconds: float = 10.0) -> None:
        end = time.monotonic() + seconds
        while not so():
            assert time.monotonic() < end, (self.name, self.got[-3:])
            self.hear(0.01)

    def count(self, kind: type[Any]) -> int:
        return sum(isinstance(message, kind) for message in self.got)

    @property
    def asked(self) -> bool:
        return self.follower.asks in ("act", "react")

    def close(self) -> None:
        self.socket.close()


class Table:
    """A host with a real room on loopback, and peers whose keys are let in without the pairing port."""

    def __init__(self, game: str = "cambio", size: int = 3, **more: Any) -> None:
        rules = find(game)
        self.lines: list[str] = []
        self.said: list[str] = []
        settings: dict[str, Any] = {
            "table": "hostile", "seed": b"seed", "ties": b"ties", "journal": self.lines.append,
            "manners": Manners(turn_time=0.1, away="skip", grace=0.0), **more,
        }  # fmt: skip
        self.room = Room(rules, rules.defaults.read(settings.pop("options", {})), size, **settings)
        self.host = Host(
            self.room, table="hostile", game=game, port=0, bind="127.0.0.1", notice=self.said.append
        )
        self.peers: list[Raw] = []
        self.rng = random.Random(5)

    def enter(self, name: str, role: Role = "sit", kind: Kind = "person", **options: int) -> Raw:
        """A peer that is let in, and has not said hello yet."""
        keys = Keys.new()
        peer = Raw(self.host._admit(keys.public), keys, name, role, kind, **options)
        self.peers.append(peer)
        return peer

    def join(self, name: str, role: Role = "sit", kind: Kind = "person", **options: int) -> Raw:
        peer = self.enter(name, role, kind, **options)
        peer.join()
        return peer

    def accepted(self) -> int:
        game = self.room.game
        return game.accepted if game else 0

    def play_on(self, *honest: Raw, moves: int = 6) -> float:
        """These players make so many moves more; gives the longest time that an answer took, in seconds."""
        return play_on(self.rng, *honest, moves=moves)

    @contextmanager
    def open(self) -> Iterator[Table]:
        try:
            with self.host:
                yield self
        finally:
            for peer in self.peers:
                peer.close()
        self.host.wait(0)


def play_on(rng: random.Random, *honest: Raw, moves: int) -> float:
    """These players make so many moves more; gives the longest time that an answer took, in seconds."""
    done, longest = 0, 0.0
    end = time.monotonic() + 20
    while done < moves:
        assert time.monotonic() < end, "the table stands still"
        for peer in honest:
            peer.hear(0.002)
            if peer.asked and peer.follower.legal:
                longest = max(longest, move(rng, peer))
                done += 1
    return longest


def move(rng: random.Random, peer: Raw) -> float:
    legal = [move for move in peer.follower.legal if move != "cambio" and not move.startswith("snap")]
    begun, before = time.monotonic(), peer.follower.step
    id_ = peer.act(rng.choice(legal or peer.follower.legal))
    while id_ not in peer.answers:
        assert peer.hear(0.001) or time.monotonic() < begun + 10, "no answer"
    took = time.monotonic() - begun
    peer.until(lambda: peer.answers[id_] != "accepted" or peer.follower.step != before)
    return took
