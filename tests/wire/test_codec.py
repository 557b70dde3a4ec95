"""Bytes that are messages, and bytes that are none."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import Any, get_args

import msgpack  # type: ignore[import-untyped]
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.wire import codec
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, decode_from_host, decode_from_peer, decode_secret, encode

PEER_KINDS, HOST_KINDS = get_args(wire.FromPeer), get_args(wire.FromHost)

text = st.text(max_size=12)
count = st.integers(0, 2**53)
plain: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | text | st.floats(-1e9, 1e9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)
letter = st.sampled_from("ABCDEFGH")
letters = st.lists(letter, max_size=3)
name = st.text(min_size=1, max_size=24)
objects = st.dictionaries(text, plain, max_size=3)
face = st.none() | text
secret = st.binary(min_size=32, max_size=32)

FIELDS: dict[str, st.SearchStrategy[Any]] = {  # what types alone do not say
    **dict.fromkeys(("version", "step", "aim", "n", "size", "watching", "part", "parts"), count),
    "options": st.dictionaries(text, count | text, max_size=3),
    "zones": st.lists(st.builds(wire.ZoneOnWire, eyes=st.integers(0, 2**16 - 1)), max_size=3),
    "since": st.none() | count,
    "name": name,
    "key": secret,
    "id": st.binary(min_size=8, max_size=16),
    "text": st.text(min_size=1, max_size=200),
    "move": st.text(min_size=1, max_size=99),
    "seat": letter,
    "seats": st.lists(st.builds(wire.Sitting, seat=letter, name=name), max_size=3),
    "status": st.builds(
        wire.Status,
        round=count,
        aim=count,
        must_act=letters,
        totals=st.dictionaries(letter, st.integers(-9, 99)),
        winners=st.none() | letters,
        table=objects,
        left=st.none() | st.floats(0, 1e6),
    ),
    "facts": st.lists(st.tuples(text, *[st.integers(-1, 99)] * 4, face, st.integers(0, 2**16)), max_size=3),
    "lay": st.lists(st.lists(face, max_size=3), max_size=3),
    **dict.fromkeys(("signer", "host", "commitment", "secret"), secret),
    **dict.fromkeys(("commitments", "secrets"), st.dictionaries(letter, secret, max_size=3)),
    "left_out": st.dictionaries(letter, st.sampled_from(("silent", "wrong")), max_size=3),
    "object": objects,
    "rounds": st.lists(objects, max_size=2),
}


def built(kinds: tuple[type[Any], ...]) -> st.SearchStrategy[Any]:
    """Messages of any of these kinds."""
    strategies = [
        st.builds(kind, **{name: FIELDS[name] for name in kind.__struct_fields__ if name in FIELDS})
        for kind in kinds
    ]
    return st.one_of(*strategies)


@given(built(PEER_KINDS))
def test_what_a_peer_says_comes_back_the_same(message: wire.FromPeer) -> None:
    assert decode_from_peer(encode(message)) == message


@given(built(HOST_KINDS))
def test_what_a_host_says_comes_back_the_same(message: wire.FromHost) -> None:
    assert decode_from_host(encode(message)) == message


@given(st.binary(max_size=200) | plain.map(msgspec.msgpack.encode))
def test_no_bytes_do_anything_but_decode_or_raise(data: bytes) -> None:
    for decode in (decode_from_peer, decode_from_host, decode_secret):
        with suppress(ProtocolError):
            decode(data)


@given(built(PEER_KINDS), st.data())
def test_a_damaged_message_decodes_or_raises(message: wire.FromPeer, data: st.DataObject) -> None:
    frame = bytearray(encode(message))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ProtocolError):
        decode_from_peer(bytes(frame))


@given(built(HOST_KINDS), st.data())
def test_a_damaged_message_of_a_host_decodes_or_raises(message: wire.FromHost, data: st.DataObject) -> None:
    frame = bytearray(encode(message))
    for _ in range(data.draw(st.integers(1, 4))):
        frame[data.draw(st.integers(0, len(frame) - 1))] = data.draw(st.integers(0, 255))
    with suppress(ProtocolError):
        decode_from_host(bytes(frame))


def ping(**more: Any) -> bytes:
    packed: bytes = msgpack.packb({"type": "ping", **more})
    return packed


def decline(step: Any) -> bytes:
    packed: bytes = msgpack.packb({"type": "decline", "step": step})
    return packed


HELLO = wire.Hello(1, "Ben", "sit", "person", bytes(32))


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (b"", "not one MessagePack value"),
        (b"\xc1", "not one MessagePack value"),
        (ping() + b"\x00", "not one MessagePack value"),
        (b"\x81\xa4type\xa2\xff\xff", "not one MessagePack value"),
        (b"\x91" * 5000, "No message of a peer holds a list|not one MessagePack value"),
        (b"\x81\xa1a" * 2000, "not one MessagePack value"),
        (b"\xdf\xff\xff\xff\xff", "not one MessagePack value"),
        (b"\x93\x01\x02\x03", "not one MessagePack value|list"),
        (b"\xa1a", "A message is a map"),
        (b"\x82\xa4type\xa4ping\xa4type\xa4ping", "a key twice"),
        (msgpack.packb({b"type": "ping"}), "not a text"),
        (msgpack.packb({1: "ping"}), "not one MessagePack value"),
        (msgpack.packb({"type": "pxng"}), "no message of type 'pxng'"),
        (msgpack.packb({"typ": "ping"}), "no message of type None"),
        (msgpack.packb({"type": {"type": "ping"}}), "no message of type"),
        (msgpack.packb({"type": "welcome"}), "no message of type"),
        (ping(more=1), "unknown field `more`"),
        (decline(1.0), "got `float`"),
        (decline(math.nan), "got `float`"),
        (decline(True), "got `bool`"),
        (decline(-1), ">= 0"),
        (decline(2**60), "<= 9007199254740992"),
        (decline("1"), "got `str`"),
        (decline(msgpack.ExtType(5, b"x")), "Extension types"),
        (decline(msgpack.Timestamp(1, 2)), "Timestamp"),
        (decline([1]), "list|not one MessagePack value"),
        (msgpack.packb({"type": "decline"}), "missing required field `step`"),
        (encode(HELLO).replace(b"Ben", b"\x1b" * 3)[:-9], "not one MessagePack value"),
        (encode(msgspec.structs.replace(HELLO, name="x" * 25)), "<= 24"),
        (encode(msgspec.structs.replace(HELLO, key=bytes(31))), ">= 32"),
        (msgpack.packb({"type": "act", "id": "MTIzNDU2Nzg=", "move": "x", "step": 1, "aim": 1}), "got `str`"),
        (ping(more="x" * 9000), "longer than 8192"),
    ],
)
def test_a_peer_may_not_say(frame: bytes, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        decode_from_peer(frame)


def test_unknown_fields_of_a_host_are_ignored() -> None:
    assert decode_from_host(ping(more=[{"x": 1.5}])) == wire.HostPing()


@pytest.mark.parametrize(
    ("frame", "why"),
    [
        (b"", "can't be read"),
        (ping() + b"\x00", "can't be read"),
        (msgpack.packb({"type": "act"}), "Invalid value 'act'"),
        (msgpack.packb({"type": "accepted", "id": "MTIzNDU2Nzg=", "step": 1}), "Expected `bytes`"),
        (ping(more="x" * 270_000), "longer than 262144"),
        (b"\x81\xa1a" * 20_000 + b"\xc0", "can't be read"),
    ],
)
def test_a_host_may_not_say(frame: bytes, why: str) -> None:
    with pytest.raises(ProtocolError, match=why):
        decode_from_host(frame)


def test_a_secret_is_read_as_strictly() -> None:
    secret = wire.Secret(["draw"], ["KS"], {"a": 1}, [["KS", None, ""]])
    assert decode_secret(codec.encode_secret(secret)) == secret
    with pytest.raises(ProtocolError, match="missing required field `legal`"):
        decode_secret(b"\x80")
    with pytest.raises(ProtocolError, match="Expected `object`"):
        decode_secret(b"\x01")


def test_sealed_is_the_last_field_of_what_is_sealed() -> None:
    for kind in (wire.Update, wire.Snapshot):
        assert kind.__struct_fields__[-1] == "sealed"
