"""Messages to bytes and back, trusting no byte: whatever is wrong with a frame ends in a ProtocolError."""

from __future__ import annotations

from functools import partial
from typing import Any, NoReturn, get_args

import msgpack  # type: ignore[import-untyped]
import msgspec

from lanplay.wire.messages import FromHost, FromHostMessage, FromPeer, FromPeerMessage, Secret

MAX_FROM_PEER = 8 * 1024
MAX_FROM_HOST = 256 * 1024


class ProtocolError(Exception):
    """What arrived is no message of the protocol; the text is a sentence that says why."""


def encode(message: FromPeerMessage | FromHostMessage) -> bytes:
    """The frame of a message: one MessagePack map, `type` first, then the fields as they are defined."""
    return _encode(message)


def encode_secret(secret: Secret) -> bytes:
    """The bytes that are sealed; their length is what `Send.pad` has to hold."""
    return _encode(secret)


def decode_from_peer(frame: bytes) -> FromPeer:
    """The message a peer sent. Raises ProtocolError for anything that is not exactly as PROTOCOL.md says."""
    message: FromPeer = _told(unpack(frame), _PEER_KINDS)
    return message


def decode_from_host(frame: bytes) -> FromHost:
    """The message a host sent; unknown fields are ignored. Raises ProtocolError."""
    message: FromHost = _decoded(_from_host, frame)
    return message


def decode_secret(data: bytes) -> Secret:
    """What was sealed. Raises ProtocolError."""
    secret: Secret = _decoded(_secret, data)
    return secret


def unpack(frame: bytes, limit: int = MAX_FROM_PEER) -> dict[str, Any]:
    """The map in a frame, which holds no lists. Raises ProtocolError."""
    return _plain(frame, limit, _from_peer)


_encode = msgspec.msgpack.Encoder().encode
_Kinds = dict[str, type[msgspec.Struct]]


def _by_type(union: Any) -> _Kinds:
    return {msgspec.inspect.type_info(kind).tag: kind for kind in get_args(union)}  # type: ignore[attr-defined]


# one by one, since msgspec works a bare union out anew at each call: 13 µs in place of half a µs
_PEER_KINDS = _by_type(FromPeer)


def _refuse(why: str, *_: object) -> NoReturn:
    raise ProtocolError(why)


def _fields(pairs: list[tuple[Any, Any]]) -> dict[str, Any]:
    """A map whose keys are texts, each there once."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ProtocolError("A map holds a key twice.")
    if not all(type(key) is str for key in fields):
        raise ProtocolError("A map has a key that is not a text.")
    return fields


_strict = partial(
    msgpack.unpackb,
    object_pairs_hook=_fields,
    ext_hook=partial(_refuse, "Extension types are not part of the protocol."),
    strict_map_key=True,
    raw=False,
)
_from_peer = partial(  # nothing a peer says holds a list, or many fields
    _strict, list_hook=partial(_refuse, "No message of a peer holds a list."), max_map_len=16, max_array_len=0
)


def _plain(frame: bytes, limit: int, unpack: partial[Any]) -> dict[str, Any]:
    if len(frame) > limit:
        raise ProtocolError(f"A frame of {len(frame)} bytes is longer than {limit}.")
    try:
        plain = unpack(frame)
    except ProtocolError:
        raise
    except Exception as error:  # the library raises a dozen kinds, ValueError to RecursionError
        raise ProtocolError(f"This is not one MessagePack value: {type(error).__name__}.") from error
    if type(plain) is not dict:
        raise ProtocolError("A message is a map.")
    return plain


# what a host says is long and comes often, and the host is trusted with more than a peer: the typed decoder alone
_from_host = msgspec.msgpack.Decoder(FromHost)
_secret = msgspec.msgpack.Decoder(Secret)


def _decoded(decoder: msgspec.msgpack.Decoder[Any], data: bytes) -> Any:
    if len(data) > MAX_FROM_HOST:
        raise ProtocolError(f"A frame of {len(data)} bytes is longer than {MAX_FROM_HOST}.")
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ProtocolError(f"The host's message can't be read: {error}.") from error


def _told(plain: dict[str, Any], kinds: _Kinds) -> Any:
    name = plain.get("type")
    if type(name) is not str or name not in kinds:
        raise ProtocolError(f"There is no message of type {name!r:.40}.")
    return _typed(plain, kinds[name])


def _typed(plain: dict[str, Any], kind: type[msgspec.Struct]) -> Any:
    try:
        return msgspec.convert(plain, kind, builtin_types=(bytes,))  # or it takes texts for base64
    except msgspec.ValidationError as error:
        raise ProtocolError(f"{error}.") from error
