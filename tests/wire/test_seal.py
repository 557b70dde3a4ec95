"""What is sealed for a seat is opened by that seat only, and tells nothing by its length."""

from __future__ import annotations

import pytest
from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_host, encode
from lanplay.wire.seal import EMPTY, Sealer, SealError

STATUS = wire.Status(1, False, ["A"], "Draw.", True, 3, {"A": 1}, None, {}, None)
FRAME = encode(wire.Update(7, 3, [], STATUS, [], "act"))


def pair(
    table: str = "cafe", secret: bytes = b"s" * 32, game: str = "cambio", seat: str = "A"
) -> tuple[Sealer, Sealer]:
    """A host's sealer, and that of a peer which knows all that is given."""
    host, peer = Sealer("cafe", b"s" * 32), Sealer(table, secret)
    host.meet(peer.public)
    peer.meet(host.public)
    host.sit("cambio", "A")
    peer.sit(game, seat)
    return host, peer


def sealed_in(frame: bytes) -> bytes:
    message = decode_from_host(frame)
    assert isinstance(message, wire.Update)
    return message.sealed


@given(st.binary(max_size=600), st.integers(0, 400))
def test_what_was_sealed_is_opened_and_its_length_is_the_padding(secret: bytes, more: int) -> None:
    host, peer = pair()
    frame = host.seal(FRAME, secret, len(secret) + more, 1, 7)
    sealed = sealed_in(frame)
    assert len(sealed) == len(secret) + more + 18
    assert peer.open(frame, sealed, 1, 7) == secret


@pytest.mark.parametrize(
    "different", [{"table": "beef"}, {"secret": b"t" * 32}, {"game": "rummy"}, {"seat": "B"}]
)
def test_another_seat_or_table_or_game_cannot_open_it(different: dict[str, str]) -> None:
    host, peer = pair(**different)  # type: ignore[arg-type]
    frame = host.seal(FRAME, b"KS", 64, 1, 7)
    with pytest.raises(SealError, match="not sealed for this seat"):
        peer.open(frame, sealed_in(frame), 1, 7)


def test_another_connection_cannot_open_it() -> None:
    host, _ = pair()
    _, other = pair()
    frame = host.seal(FRAME, b"KS", 64, 1, 7)
    with pytest.raises(SealError):
        other.open(frame, sealed_in(frame), 1, 7)


@pytest.mark.parametrize(("round_", "number"), [(2, 7), (1, 8)])
def test_a_secret_belongs_to_its_round_and_number(round_: int, number: int) -> None:
    host, peer = pair()
    frame = host.seal(FRAME, b"KS", 64, 1, 7)
    with pytest.raises(SealError):
        peer.open(frame, sealed_in(frame), round_, number)


def test_a_changed_message_does_not_open() -> None:
    host, peer = pair()
    frame = host.seal(FRAME, b"KS", 64, 1, 7)
    sealed = sealed_in(frame)
    for at in range(0, len(frame), 3):
        changed = bytearray(frame)
        changed[at] ^= 1
        with pytest.raises(SealError):
            peer.open(bytes(changed), sealed, 1, 7)


def test_the_secret_of_one_message_does_not_open_in_another() -> None:
    host, peer = pair()
    sealed = sealed_in(host.seal(FRAME, b"KS", 64, 1, 7))
    other = encode(wire.Update(7, 4, [], STATUS, [], "act", sealed))
    with pytest.raises(SealError):
        peer.open(other, sealed, 1, 7)
    with pytest.raises(SealError, match="last field"):
        peer.open(other + b"\x00", sealed, 1, 7)


@pytest.mark.parametrize("pad", [3, 0x10000])
def test_a_secret_that_does_not_fit_is_an_error(pad: int) -> None:
    host, _ = pair()
    with pytest.raises(SealError, match="does not fit"):
        host.seal(FRAME, b"four", pad, 1, 7)


@pytest.mark.parametrize("key", [bytes(32), b"\x01" + bytes(31)])
def test_a_key_of_small_order_is_refused(key: bytes) -> None:
    with pytest.raises(SealError, match="not usable"):
        Sealer("cafe", bytes(32)).meet(key)


def test_each_connection_has_its_own_key() -> None:
    assert Sealer("cafe", bytes(32)).public != Sealer("cafe", bytes(32)).public
    private = X25519PrivateKey.from_private_bytes(bytes(range(32)))
    assert Sealer("cafe", bytes(32), private).public == private.public_key().public_bytes_raw()


def test_a_frame_ends_with_its_empty_seal() -> None:
    assert FRAME.endswith(b"\xa6sealed" + EMPTY)
