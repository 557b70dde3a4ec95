"""What a seat is sent holds nothing that it may not know: captured at the room's door, for whole games."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from lanplay.engine.words import SEATS
from lanplay.wire import messages as wire
from lanplay.wire.codec import encode
from tests.room.table import Around, chooser


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
@pytest.mark.parametrize("seed", range(4))
def test_no_message_holds_a_face_that_the_seat_may_not_know(game: str, seed: int) -> None:
    around = Around(game, 4, options={"rounds": 2, "max_turns": 40})
    for seat in SEATS[:4]:
        around.join(f"Player {seat}")
    around.join("Eve", role="watch")
    choose = chooser(seed)

    checked = 0

    def watched(seat: str, moves: list[str]) -> str | None:
        nonlocal checked
        checked += check(around)
        return choose(seat, moves)

    around.play_out(watched)
    assert around.room.over
    assert checked + check(around) > 200


def check(around: Around) -> int:
    """Every face in what was sent since the last look was seen by the seat's eyes, or by all; gives how many were sent."""
    assert around.room.game is not None
    facts = around.room.game.log or []
    faces = around.room.game.zones.deck.faces
    sends, around.sends = around.sends, []
    for send in sends:
        person = around.room.people.by_key.get(send.peer)
        if person is None or not isinstance(send.message, wire.Update | wire.Snapshot):
            continue
        may = {
            faces[fact[5]]
            for fact in facts
            if type(fact[5]) is int and fact[5] >= 0 and fact[6] >> person.seat & 1
        }
        public = {
            faces[fact[5]] for fact in facts if type(fact[5]) is int and fact[5] >= 0 and fact[6] >> 15 & 1
        }
        assert cards_in(encode(send.message), faces) <= public
        if send.secret is not None:
            assert cards_in(msgspec.msgpack.encode(send.secret), faces) <= may
    return len(sends)


def cards_in(frame: bytes, faces: tuple[str, ...]) -> set[str]:
    """Every text of a message that is a card."""
    return {text for text in texts(msgspec.msgpack.decode(frame)) if text in faces}


def texts(value: Any) -> list[str]:
    if isinstance(value, dict):
        return [text for each in value.items() for part in each for text in texts(part)]
    if isinstance(value, list):
        return [text for each in value for text in texts(each)]
    return [value] if isinstance(value, str) else []


def test_the_check_would_find_a_face() -> None:
    assert cards_in(msgspec.msgpack.encode({"a": [["7c"]]}), ("7c", "8c")) == {"7c"}
