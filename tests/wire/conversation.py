"""The conversation at the end of PROTOCOL.md, made anew from the code.

`python -m tests.wire.conversation` prints it; paste it into PROTOCOL.md when the protocol changes.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from lanplay.games import find
from lanplay.net.connection import Connection
from lanplay.record.proof import Pledge, commitment
from lanplay.room.room import Room
from lanplay.wire import messages as wire
from lanplay.wire.codec import encode
from lanplay.wire.seal import Sealer
from lanplay.wire.send import Send

TABLE, SECRET = "5ca1ab1e", bytes(range(64, 96))
HOST, PEER = bytes(range(32)), bytes(range(32, 64))
ANN, BOB = b"A" * 32, b"B" * 32
SHARES = {"host": b"\1" * 32, "A": b"\2" * 32, "B": b"\3" * 32}


def made() -> Iterator[str]:
    """Lines: `>` what Ann's program sends, `<` what it gets, each as JSON (bytes as hexadecimal), then its frame."""
    rules = find("cambio")
    room = Room(
        rules,
        rules.defaults,
        2,
        table="vectors",
        ties=b"",
        pledge=Pledge(TABLE, SHARES["host"], Ed25519PrivateKey.from_private_bytes(bytes(range(32)))),
        journal=lambda _: None,
    )
    key = Sealer(TABLE, SECRET, X25519PrivateKey.from_private_bytes(PEER)).public
    hello = wire.Hello(wire.VERSION, "Ann", "sit", "person", key)
    sealer = Sealer(TABLE, SECRET, X25519PrivateKey.from_private_bytes(HOST))
    sealer.meet(key)
    connection = Connection(b"", hello, sealer, None, 0.0)
    said: list[tuple[bytes, wire.FromPeer]] = [
        (ANN, hello),
        (BOB, wire.Hello(wire.VERSION, "Bob", "sit", "person", bytes(32))),
        *(
            (peer, wire.Commit(commitment(TABLE, seat, SHARES[seat])))
            for peer, seat in ((BOB, "B"), (ANN, "A"))
        ),
        *((peer, wire.Reveal(SHARES[seat])) for peer, seat in ((BOB, "B"), (ANN, "A"))),
        (ANN, wire.Act(bytes(range(8)), "peek 1 3", 0, 0)),
        (BOB, wire.Act(bytes(range(8)), "pass", 1, 0)),
        (ANN, wire.Act(bytes(range(8, 16)), "draw", 2, 0)),
        (ANN, wire.Act(bytes(range(16, 24)), "swap 9", 3, 0)),
    ]
    for peer, message in said:
        if peer == ANN:
            yield from shown(">", message, encode(message))
        yield from heard(connection, room.receive(peer, message, 0.0))


def heard(connection: Connection, sends: Iterable[Send]) -> Iterator[str]:
    for send in sends:
        if send.peer == ANN:
            frame = connection.frame(send)
            yield from shown("<", msgspec.msgpack.decode(frame), frame)
            if send.secret is not None:
                yield f"  sealed: {plain(send.secret)}"


def shown(mark: str, message: object, frame: bytes) -> Iterator[str]:
    yield f"{mark} {plain(message)}"
    yield f"  {frame.hex()}"


def plain(value: object) -> str:
    return json.dumps(msgspec.to_builtins(value, builtin_types=(bytes,)), default=bytes.hex)


def text() -> str:
    return "".join(f"{line}\n" for line in made())


if __name__ == "__main__":
    print(text(), end="")
