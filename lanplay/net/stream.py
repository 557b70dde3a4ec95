"""A peer's conversation with a host, without a socket: frames in, messages and answers out."""

from __future__ import annotations

import secrets
from collections import deque
from typing import Literal, NamedTuple

from lanplay.net.pairing import Grant
from lanplay.room.witness import Verdict, Witness
from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_host, decode_secret
from lanplay.wire.seal import Sealer

Role = Literal["sit", "watch"]
Kind = Literal["person", "bot"]


class Told(NamedTuple):
    """A message of the host, and what was sealed in it for this seat."""

    message: wire.FromHost
    secret: wire.Secret | None = None
    verdict: Verdict | None = None  # once, when the record has come: whether the deal is proved


class Stream:
    """What a peer has heard and said, over all its connections.

    `hello()` begins a connection, `take()` hears a frame; what is to be said waits in `out`. `welcome` is the last
    Welcome, `closed` the last word of the host, `unanswered` the moves whose fate is not known: they are said again on
    each new connection, under the same id. `witness` takes part in the honest deck.
    """

    def __init__(self, grant: Grant, name: str, role: Role, kind: Kind) -> None:
        self.grant, self.name, self.role, self.kind = grant, name, role, kind
        self.welcome: wire.Welcome | None = None
        self.closed: wire.Closed | None = None
        self.step: int | None = None  # the last that was taken in
        self.unanswered: dict[bytes, wire.Act] = {}
        self.out: deque[wire.FromPeer] = deque()
        self.witness = Witness(grant.table_id)
        self.hello()

    def hello(self) -> wire.Hello:
        """The first message of a connection. What waited to be said on the one before is not said any more."""
        self.sealer = Sealer(self.grant.table_id, self.grant.secret)
        self.number = 0  # of the last message in the stream
        self.welcomed = False  # on this connection
        self.behind = False  # something was missing; until the host begins anew, updates can't be used
        self.out.clear()
        return wire.Hello(wire.VERSION, self.name, self.role, self.kind, self.sealer.public, self.step)

    def act(self, move: str, step: int, aim: int) -> bytes:
        """Say a move, under a new id."""
        act = wire.Act(secrets.token_bytes(8), move, step, aim)
        self.unanswered[act.id] = act
        self.out.append(act)
        return act.id

    def take(self, frame: bytes) -> Told | None:
        """What a frame tells; None if that is nobody else's concern. Raises ProtocolError or SealError."""
        message = decode_from_host(frame)
        if isinstance(message, wire.HostPing):
            self.out.append(wire.Pong())
            return None
        if isinstance(message, wire.HostPong) or (
            isinstance(message, wire.NUMBERED) and not self.in_order(message)
        ):
            return None
        secret = None
        if isinstance(message, wire.SEALED):
            secret = self.opened(frame, message)
            self.step = message.step
        else:
            self.note(message)
        before = self.witness.verdict
        self.out.extend(self.witness.hear(message, secret))
        after = self.witness.verdict
        return Told(message, secret, after if after is not before else None)

    def in_order(self, message: wire.Numbered) -> bool:
        """False if this message can't be used, since something before it is missing. That is asked for once."""
        expected, self.number = self.number + 1, message.n
        if message.n != expected and not self.behind:
            self.behind = True
            self.out.append(wire.CatchUp(self.step))
        if isinstance(message, wire.Start):
            self.behind = False
        return not self.behind or isinstance(message, wire.Seats)

    def opened(self, frame: bytes, message: wire.Update | wire.Snapshot) -> wire.Secret | None:
        if not message.sealed:
            return None
        return decode_secret(self.sealer.open(frame, message.sealed, message.status.round, message.n))

    def note(self, message: wire.FromHost) -> None:
        """What the conversation itself has to know."""
        if isinstance(message, wire.Welcome):
            self.welcome = message
            self.sealer.meet(message.key)
            self.sealer.sit(message.game, message.seat or "")
            if not self.welcomed:  # a later one on the same connection answers no break
                self.out.extend(self.unanswered.values())
            self.welcomed = True
        elif isinstance(message, (wire.Accepted, wire.Refused)):
            self.unanswered.pop(message.id, None)
        elif isinstance(message, wire.Closed):
            self.closed = message
