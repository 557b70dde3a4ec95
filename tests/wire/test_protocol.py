"""PROTOCOL.md says what the code does: its vectors are replayed, and it names every message with its fields."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B, ed25519_basic

from lanplay.net import announce, broadcast, codes, door, mdns, pairing
from lanplay.wire import codec, seal
from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_peer, encode, encode_secret

TEXT = files("lanplay.wire").joinpath("PROTOCOL.md").read_text(encoding="utf-8")
LINES = TEXT.split("```vectors\n")[1].split("```")[0].splitlines()
VECTORS = dict(line.split(" = ") for line in LINES if " = " in line)


def vector(name: str) -> bytes:
    return bytes.fromhex(VECTORS[name])


# ---- what is written ------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", [*get_args(wire.FromPeer), *get_args(wire.FromHost)])
def test_every_message_is_described_with_its_fields(kind: type[Any]) -> None:
    tag = kind.__struct_config__.tag
    side = TEXT.split("### From the host")[kind in get_args(wire.FromHost)]
    described = side.split("## Messages")[-1].split(f"**{tag}**")[1].split("\n**")[0]
    for field in kind.__struct_fields__:
        assert f"`{field}`" in described, (tag, field)


@pytest.mark.parametrize("kind", [wire.Status, wire.Sitting, wire.ZoneOnWire, wire.Secret])
def test_every_part_of_a_message_is_described(kind: type[Any]) -> None:
    for field in kind.__struct_fields__:
        assert f"`{field}`" in TEXT


def test_every_code_is_described() -> None:
    (code,) = (field.type for field in msgspec.structs.fields(wire.Closed) if field.name == "code")
    for name in (*get_args(code), *(no.refused for no in vars(door).values() if isinstance(no, pairing.No))):
        assert f"`{name}`" in TEXT


def test_the_limits_are_those_of_the_code() -> None:
    for number in (codec.MAX_FROM_PEER, codec.MAX_FROM_HOST):
        assert f"{number:,} bytes" in TEXT
    assert f"at most {pairing.MAX_FRAME}" in TEXT
    assert f"{door.TRIES} tries at once, {door.EACH} from one address" in TEXT
    assert door.FAILURES == 10
    assert codes.OPEN in TEXT
    assert seal.INFO.decode() in TEXT


# ---- vectors --------------------------------------------------------------------------------------


def test_messages_have_these_bytes() -> None:
    hello = wire.Hello(1, "Ben", "sit", "bot", bytes(range(32)), None)
    act = wire.Act(bytes(range(8)), "swap 2", 300, 7)
    for name, message in (("hello", hello), ("act", act), ("catch_up", wire.CatchUp(17))):
        assert encode(message) == vector(name)
        assert decode_from_peer(vector(name)) == message
    assert encode(wire.Closed("ended", "The host has closed the table.")) == vector("closed")


def exchange() -> tuple[bytes, bytes, bytes]:
    """Both halves and the shared key, as the library makes them from the entropy of the vectors."""
    password, ids = VECTORS["password"].encode(), {"idA": pairing.PEER, "idB": pairing.HOST}
    peer = SPAKE2_A(password, entropy_f=lambda n: vector("entropy_peer")[:n], **ids)
    host = SPAKE2_B(password, entropy_f=lambda n: vector("entropy_host")[:n], **ids)
    first, second = peer.start(), host.start()
    shared = peer.finish(second)
    assert shared == host.finish(first)
    return first, second, shared


def test_the_key_exchange_gives_these_bytes() -> None:
    first, second, shared = exchange()
    assert pairing.encode(pairing.Question(1, "code", first)) == vector("frame_1")
    assert pairing.encode(pairing.Half(second)) == vector("frame_2")
    assert shared == vector("shared")


def test_the_key_exchange_is_what_its_formulas_say() -> None:
    password, order = VECTORS["password"].encode(), ed25519_basic.L
    expanded = HKDF(SHA256(), 48, b"", b"SPAKE2 pw").derive(password)
    w, x = int.from_bytes(expanded, "big"), int.from_bytes(vector("entropy_peer"), "big")
    m, n = (
        ed25519_basic.bytes_to_element(bytes.fromhex(TEXT.split(f"    {letter} = ")[1][:64]))
        for letter in "MN"
    )
    half = ed25519_basic.Base.scalarmult(x % order).add(m.scalarmult(w % order)).to_bytes()
    theirs = vector("frame_2")[-32:]
    z = ed25519_basic.bytes_to_element(theirs).add(n.scalarmult(-w % order)).scalarmult(x % order).to_bytes()
    hashes = [hashlib.sha256(part).digest() for part in (password, b"lanplay peer", b"lanplay host")]
    assert half == vector("frame_1")[-32:]
    assert hashlib.sha256(b"".join([*hashes, half, theirs, z])).digest() == vector("shared")


def test_boxes_have_these_bytes() -> None:
    keys = pairing.keys_of(vector("shared"), "code")
    offer = pairing.Offer(bytes(range(32)))
    grant = pairing.Grant(
        bytes(range(32, 64)), 47801, "Anna's table", "5ca1ab1e", "cambio", bytes(range(64, 96))
    )
    assert pairing.encode(pairing.lock(keys.peer, offer)) == vector("frame_3")
    assert pairing.encode(pairing.lock(keys.host, grant)) == vector("frame_4")
    box = pairing.decode(vector("frame_4")[2:], pairing.Box)
    assert pairing.unlock(keys.host, box, pairing.Grant) == grant


def test_the_question_to_all_and_its_answer_have_these_bytes() -> None:
    nonce = bytes(range(16))
    assert broadcast.question(nonce) == vector("question")
    assert broadcast.answer(vector("question"), 47801, "5ca1ab1e5ca1ab1e") == vector("answer")
    assert broadcast.heard(vector("answer"), nonce) == broadcast.Here(1, nonce, 47801, "5ca1ab1e5ca1ab1e")
    assert f"at least {broadcast.LENGTH} bytes" in TEXT
    assert f"UDP datagram to port {broadcast.PORT}" in TEXT
    assert f"at most {announce.ANSWERS} times a second" in TEXT
    assert mdns.SERVICE in TEXT


@pytest.mark.parametrize(
    "kind", [pairing.Question, pairing.About, pairing.Grant, pairing.Friend, broadcast.Ask, broadcast.Here]
)
def test_every_field_of_finding_and_pairing_is_described(kind: type[Any]) -> None:
    for field in kind.__struct_fields__:
        assert f"`{field}`" in TEXT.split("## The game's port")[0], (kind, field)


def sealer(side: str, other: str) -> seal.Sealer:
    private = X25519PrivateKey.from_private_bytes(vector(f"private_{side}"))
    made = seal.Sealer("5ca1ab1e", bytes(range(64, 96)), private)
    assert made.public == vector(f"public_{side}")
    made.meet(vector(f"public_{other}"))
    made.sit("cambio", "B")
    return made


def test_a_secret_is_sealed_into_these_bytes() -> None:
    public, frame = vector("public"), vector("sealed_frame")
    message = codec.decode_from_host(frame)
    assert isinstance(message, wire.Update)
    assert encode(msgspec.structs.replace(message, sealed=b"")) == public
    secret = encode_secret(wire.Secret(["draw", "cambio"], ["KS"]))
    assert secret == vector("secret")
    pad, round_, number = int(VECTORS["padding"]), message.status.round, message.n
    assert sealer("host", "peer").seal(public, secret, pad, round_, number) == frame
    assert sealer("peer", "host").open(frame, message.sealed, round_, number) == secret
