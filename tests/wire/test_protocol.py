"""PROTOCOL.md says what the code does: its vectors are replayed, and it names every message with its fields."""

from __future__ import annotations

import hashlib
import hmac
from importlib.resources import files
from typing import Any, get_args

import msgspec
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from spake2 import SPAKE2_A, SPAKE2_B, ed25519_basic

from lanplay.engine import shuffle
from lanplay.engine.cards import standard
from lanplay.net import allowance, announce, broadcast, codes, door, mdns, pairing
from lanplay.record import proof
from lanplay.room import joint, room
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
    assert f"{allowance.RATE:.0f} messages a second, and {allowance.BURST} at once" in TEXT
    assert f"{allowance.ANEW_BURST} at once, and then one a second" in TEXT
    assert allowance.ANEW_RATE == room.COUNTING == 1
    assert door.FAILURES == 10
    assert codes.OPEN in TEXT
    assert seal.INFO.decode() in TEXT


def test_the_words_of_the_honest_deck_are_those_of_the_code() -> None:
    assert f"{joint.SECONDS:.0f} seconds are over" in TEXT
    for word in proof.MASTER_WORDS:
        assert word in TEXT.split("master = SHA-256")[1].split("in their order")[0]


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


# ---- the honest deck ------------------------------------------------------------------------------


def of_lines(*lines: str) -> bytes:
    return hashlib.sha256("".join(f"{line}\n" for line in lines).encode()).digest()


def begun() -> proof.Proof:
    """Of the table in the vectors."""
    key = Ed25519PrivateKey.from_private_bytes(vector("signing_key"))
    pledge = proof.Pledge("5ca1ab1e", vector("secret_host"), key)
    commitments = {who: proof.commitment("5ca1ab1e", who, vector(f"secret_{who}")) for who in "AB"}
    shares = proof.Shares(commitments, {"A": vector("secret_A")}, {"B": "silent"})
    return proof.Proof.begin(pledge, shares, {0: "Ann", 1: "Bob"})


def test_commitments_and_master_have_these_bytes() -> None:
    made = begun()
    assert made.pledge.signer == vector("signer")
    assert made.pledge.commitment == vector("commitment_host")
    for who in ("host", "A", "B"):
        spelled = of_lines("lanplay 1 commitment", "table 5ca1ab1e", f"{who} {VECTORS[f'secret_{who}']}")
        assert (
            proof.commitment("5ca1ab1e", who, vector(f"secret_{who}"))
            == vector(f"commitment_{who}")
            == spelled
        )
    assert made.master == vector("master")
    assert vector("master") == of_lines(
        "lanplay 1 master",
        "seat A Ann",
        "seat B Bob",
        "table 5ca1ab1e",
        f"signer {VECTORS['signer']}",
        f"commitment host {VECTORS['commitment_host']}",
        f"commitment A {VECTORS['commitment_A']}",
        f"commitment B {VECTORS['commitment_B']}",
        f"secret A {VECTORS['secret_A']}",
        "left-out B silent",
        f"secret host {VECTORS['secret_host']}",
    )


def test_the_deck_is_shuffled_so() -> None:
    assert vector("shuffle_key") == vector("master") + b"shuffle 1 0"
    assert hashlib.shake_256(vector("shuffle_key")).digest(16) == vector("shuffle_stream")
    deck = standard()
    dealt = shuffle.seeded(vector("master"))(deck.cards, 1, 0)
    assert (
        " ".join(deck.faces[card] for card in reversed(dealt)) == VECTORS["deal"] == " ".join(by_the_text())
    )


def by_the_text() -> list[str]:
    """The deal as PROTOCOL.md describes it, one draw after another."""
    stream = hashlib.shake_256(vector("shuffle_key")).digest(1000)
    numbers = iter([int.from_bytes(stream[at : at + 2], "big") for at in range(0, 1000, 2)])
    cards = list(standard().faces[:52])
    for place in range(51, 0, -1):
        limit = place + 1
        number = next(number for number in numbers if number < 65536 - 65536 % limit)
        cards[place], cards[number % limit] = cards[number % limit], cards[place]
    return cards[::-1]


def test_the_chain_has_these_heads_and_is_signed_so() -> None:
    made = begun()
    assert made.chain.key == vector("chain_key")
    assert vector("chain_key") == of_lines(
        "lanplay 1 chain", "table 5ca1ab1e", f"secret host {VECTORS['secret_host']}"
    )
    before = bytes(32)
    for number, line in enumerate(("lanplay-record 1", "rules 1"), 1):
        made.write(f"{line}\n")
        before = hmac.digest(vector("chain_key"), before + line.encode(), "sha256")
        assert made.head == before == vector(f"head_{number}")
    words = f"lanplay 1 head\ntable 5ca1ab1e\nhead {VECTORS['head_2']}\n".encode()
    made.pledge.key.public_key().verify(vector("signature"), words)
