"""A table that deals honestly, with peers that take part in it by themselves, and where the host can be made to cheat."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lanplay.record.proof import Pledge
from lanplay.room.witness import Verdict, Witness
from lanplay.wire import messages as wire
from lanplay.wire.send import Send
from tests.room.table import Around, chooser

TABLE = "5ca1ab1e"
KEY = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
Change = Callable[[Send], Send]  # what the host sends in place of this


class Honest(Around):
    """Every peer has a witness. `change` alters what the host sends, `mute` are peers that answer nothing."""

    def __init__(self, *names: str, game: str = "cambio", kind: str = "person", **more: Any) -> None:
        self.witnesses: dict[bytes, Witness] = {}
        self.drawn = 0
        self.change: Change = lambda send: send
        self.reply: Callable[[bytes, wire.FromPeer], wire.FromPeer | None] = lambda peer, message: message
        pledge = Pledge(TABLE, b"host" * 8, KEY)
        super().__init__(game, more.pop("size", len(names)), kind, pledge=pledge, **more)
        for name in names:
            self.join(name)

    def random(self, size: int) -> bytes:
        """The same in each run."""
        self.drawn += 1
        return sha256(bytes([self.drawn])).digest()[:size]

    def deliver(self, sends: Iterable[Send]) -> None:
        answers: list[tuple[bytes, wire.FromPeer]] = []
        for send in map(self.change, sends):
            super().deliver([send])
            witness = self.witnesses.setdefault(send.peer, Witness(TABLE, self.random))
            heard = witness.hear(self.got[send.peer][-1], send.secret)
            answers += [(send.peer, message) for message in heard]
        for peer, message in answers:
            said = self.reply(peer, message)
            if said:
                self.say(peer, said)

    def witness(self, seat: str) -> Witness:
        return self.witnesses[self.key(seat)]

    def verdict(self, seat: str) -> Verdict:
        found = self.witness(seat).verdict
        assert found is not None
        return found

    def play(self, seed: int = 1) -> Honest:
        self.play_out(chooser(seed))
        assert self.room.over
        return self


def short(*names: str, **more: Any) -> Honest:
    """A table whose game is over soon."""
    options = {"max_turns": 8, **more.pop("options", {})}
    return Honest(*(names or ("Ann", "Bob")), options=options, **more)


def silent_at(*kinds: type[Any]) -> Honest:
    """Bob never says messages of these kinds."""
    around = short("Ann", size=2)
    bob = b"Bob".ljust(32)
    around.reply = lambda peer, message: None if peer == bob and isinstance(message, kinds) else message
    around.join("Bob")
    return around
