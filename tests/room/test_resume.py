"""A host that was killed at any moment goes on where its record stops: nothing lost, nothing done twice."""

from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.engine.words import SEATS
from lanplay.games import registry
from lanplay.record.resume import whole_steps
from lanplay.record.text import RecordError
from lanplay.record.verify import verify
from lanplay.room.people import Sitter
from lanplay.wire import messages as wire
from tests.room.honest import Honest
from tests.room.table import Around, chooser


def played(around: Around, moves: int, seed: int = 1) -> Around:
    """A table at which this many moves were made, by players without a plan."""
    rng = random.Random(seed)
    for _ in range(moves):
        game = around.room.game
        assert game is not None
        if game.over:
            break
        seat = rng.choice(game.must_act)
        quiet = [move for move in game.legal(seat) if move != "cambio"]
        around.act(SEATS[seat], str(rng.choice(quiet)))
        around.now += 5
    return around


def sitters(around: Around) -> list[Sitter]:
    return [Sitter(one.key, one.name, one.kind) for one in around.room.people.seated.values()]


def again(around: Around, record: str, **more: Any) -> Around:
    """The same table at a new host, from the record as it was left."""
    room = around.room
    text = whole_steps(record)
    new = type(around).__new__(type(around))
    Around.__init__(
        new,
        room.rules.name,
        room.people.size,
        around.kind,
        options=room.options.values(),
        pledge=room.pledge,
        **more,
    )
    new.lines.append(text)
    new.followers, new.now, new.ids = around.followers, 5000.0, around.ids
    new.room.resume(text, sitters(around), new.now)
    return new


@pytest.mark.parametrize("game", sorted(registry()))
@given(data=st.data())
def test_wherever_the_record_is_torn_the_whole_steps_of_it_are_there(game: str, data: st.DataObject) -> None:
    around = Around(game, 3)
    for seat in SEATS[:3]:
        around.join(f"Player {seat}")
    played(around, data.draw(st.integers(0, 30)), data.draw(st.integers(0, 99)))
    record, deals = around.record, around.lines[0]
    cut = data.draw(st.integers(len(deals), len(record)))
    new = again(around, record[:cut])
    game_now, before = new.room.game, around.room.game
    assert game_now is not None
    assert before is not None
    assert record.startswith(new.record)
    actions = [line for line in record[:cut].split("\n")[:-1] if line.split()[0] in SEATS]
    assert game_now.accepted == len(actions)
    if game_now.accepted == before.accepted:
        assert game_now.state() == before.state()
        assert game_now.log == before.log


def test_they_come_back_and_play_to_the_end_of_a_record_that_proves_itself() -> None:
    around = Honest("Ann", "Bob", options={"max_turns": 6, "first_peek": "bottom", "snap_window": 0})
    played(around, 5)
    witnesses = around.witnesses
    new = again(around, around.record)
    assert isinstance(new, Honest)
    new.witnesses, new.drawn, new.change = witnesses, around.drawn, around.change
    new.reply = around.reply
    for key, name in ((around.key("A"), "Ann"), (around.key("B"), "Bob")):
        step = around.followers[key].step
        new.join(name, peer=key, since=step)
        assert new.followers[key].step == new.room.game.accepted if new.room.game else False
    new.play_out(chooser(3))
    assert new.room.over
    assert verify(new.record).shared == ["A", "B"]
    assert new.verdict("A").proved
    assert new.verdict("B").proved


def test_a_move_that_was_written_and_not_answered_is_answered_and_not_done_again() -> None:
    around = Around("cambio", 2, options={"first_peek": "bottom"})
    around.join("Ann")
    around.join("Bob")
    status = around.followers[around.key("A")].status
    assert status is not None
    act = wire.Act(b"unheard!", "draw", 0, status.aim)
    around.say(around.key("A"), act)
    new = again(around, around.record)
    new.join("Ann", peer=around.key("A"), since=0)
    assert new.act_as(around.key("A"), act) == wire.Accepted(b"unheard!", 1)
    assert new.act_as(around.key("A"), act) == wire.Accepted(b"unheard!", 1)
    assert new.room.game is not None
    assert new.room.game.accepted == 1
    fresh = new.act_as(around.key("A"), wire.Act(b"another!", "discard", 1, status.aim))
    assert isinstance(fresh, wire.Accepted)
    assert new.room.game.accepted == 2


def test_a_record_of_another_deal_or_of_others_is_refused() -> None:
    around = Around("cambio", 2)
    around.join("Ann")
    around.join("Bob")
    with pytest.raises(RecordError, match="dealt otherwise"):
        again(around, around.record, seed=b"another")
    around.room.people.seated[1].name = "Eve"
    with pytest.raises(RecordError, match="others sat"):
        again(around, around.record)
    with pytest.raises(RecordError, match="before the first deal"):
        whole_steps("lanplay-record 1\nrules 1\ngame cambio\nseat A Ann\n")


def test_a_torn_end_is_written_again() -> None:
    around = Around("cambio", 2, options={"max_turns": 2, "first_peek": "bottom", "snap_window": 0})
    around.join("Ann")
    around.join("Bob")
    played(around, 50)
    assert around.room.over
    new = again(around, around.record[: around.record.index("result ") + 4])
    assert new.room.over
    assert new.record == around.record


def test_who_was_removed_stays_away_and_is_played_for() -> None:
    around = Around("cambio", 2, options={"first_peek": "bottom"})
    around.join("Ann")
    around.join("Bob")
    around.deliver(around.room.kick(0, around.now))
    new = Around("cambio", 2, options=around.room.options.values())
    key = around.key("A")
    new.room.resume(around.record, sitters(around), new.now, {key})
    new.join("Ann", peer=key)
    last = new.got[key][-1]
    assert isinstance(last, wire.Closed)
    assert last.code == "removed"
    for _ in range(3):
        new.tick(0)
    assert new.room.game is not None
    assert new.room.game.must_act == (1,)
