"""The conversation in PROTOCOL.md is what the code says, and a peer that knows its keys can follow it."""

from __future__ import annotations

import json
from importlib.resources import files

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey

from lanplay.room.follower import Follower
from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_host, decode_from_peer, decode_secret, encode
from lanplay.wire.seal import Sealer
from tests.wire.conversation import PEER, SECRET, TABLE, text

PROTOCOL = files("lanplay.wire").joinpath("PROTOCOL.md").read_text(encoding="utf-8")
WRITTEN = PROTOCOL.split("```conversation\n")[1].split("```")[0]


def test_it_is_what_the_code_says() -> None:
    assert text() == WRITTEN


def test_a_peer_can_follow_it_from_the_bytes_alone() -> None:
    sealer = Sealer(TABLE, SECRET, X25519PrivateKey.from_private_bytes(PEER))
    follower, lines = Follower(), WRITTEN.splitlines()
    for line, after in zip(lines, [*lines[1:], ""], strict=True):
        if line.startswith("> "):
            frame = bytes.fromhex(after)
            assert encode(decode_from_peer(frame)) == frame
        elif line.startswith("< "):
            frame = bytes.fromhex(after)
            message = decode_from_host(frame)
            assert json.loads(line[2:])["type"] == message.__struct_config__.tag
            secret = None
            if isinstance(message, wire.Welcome):
                sealer.meet(message.key)
                sealer.sit(message.game, message.seat or "")
            elif isinstance(message, wire.Update):
                opened = sealer.open(frame, message.sealed, message.status.round, message.n)
                secret = decode_secret(opened)
            follower.take(message, secret)
    held = follower.view.lay[follower.zones.names.index("held A")]
    assert [follower.zones.deck.faces[card] for card in held] == ["2s"]
    assert follower.legal == ["swap 1", "swap 2", "swap 3", "swap 4", "discard"]
