"""The room as its peers see it: coming, moves, lateness, defaults, absence, the record."""

from __future__ import annotations

from typing import Any

import pytest

from lanplay.engine.words import SEATS, SPECTATOR
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room import room
from lanplay.room.desk import Manners
from lanplay.room.people import Person
from lanplay.room.telling import Story
from lanplay.wire import messages as wire
from tests.room.table import Around, chooser


def two(**more: Any) -> Around:
    """A table of two people who have looked at nothing yet."""
    around = Around(**more)
    around.join("Ann")
    around.join("Bob")
    return around


def peeked(**more: Any) -> Around:
    around = two(**more)
    around.act("A", "pass")
    around.act("B", "pass")
    return around


def code(answer: wire.FromHost) -> str:
    return answer.code if isinstance(answer, wire.Refused) else "accepted"


# ---- coming and going -----------------------------------------------------------------------------


def test_seats_are_given_in_the_order_of_coming_and_the_last_one_starts_the_game() -> None:
    around = Around(size=2)
    around.join("Ann")
    assert around.room.game is None
    around.join("Bob")
    assert around.room.people.names() == {0: "Ann", 1: "Bob"}
    assert around.record.startswith("lanplay-record 1\nrules 1\ngame cambio\nseat A Ann\nseat B Bob\ndeck ")


def test_names_are_cleaned_and_made_different() -> None:
    around = Around(size=4)
    for number, name in enumerate(["Ann", "ann", "\x1b[31mC#\u202e", "  "]):
        around.join(name, peer=bytes([number]) * 32)
    assert list(around.room.people.names().values()) == ["Ann", "ann 2", "[31mC", "Player"]


@pytest.mark.parametrize(
    "name",
    ["A\u200bnn", "Ann\u3164", "A\u034fnn", "\uff21nn", "Ann\ufe0f", "\u2066Ann\u2069", "Ann\u00a0", "ANN"],
)
def test_nobody_takes_a_name_that_looks_like_anothers(name: str) -> None:
    around = Around(size=3)
    around.join("Ann", peer=b"1" * 32)
    around.join(name, peer=b"2" * 32)
    assert around.room.people.names()[1].endswith(" 2")


@pytest.mark.parametrize("name", ["\u3164", "\u2800\u2800", "\u200b", "#", "\ufe0f"])
def test_who_shows_no_name_is_given_one(name: str) -> None:
    around = Around(size=3)
    around.join(name)
    assert around.room.people.names() == {0: "Player"}


def test_a_full_or_running_table_says_that_one_can_look_on() -> None:
    around = two()
    closed = around.got[around.join("Cid")][-1]
    assert isinstance(closed, wire.Closed)
    assert closed.code == "started"
    assert "--watch" in closed.sentence
    watcher = around.join("Dan", role="watch")
    assert around.followers[watcher].step == 0


def test_so_many_may_look_on_and_they_are_counted_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "WATCHERS", 3)
    around = two()
    ann = around.key("A")
    told = len(around.got[ann])
    for number in range(5):
        around.join("Eve", role="watch", peer=bytes([number]) * 32)
    assert [type(around.got[bytes([n]) * 32][-1]) for n in (3, 4)] == [wire.Closed] * 2
    assert around.got[ann][told:] == []
    assert around.room.wake == around.now + room.COUNTING
    around.tick(room.COUNTING)
    (seats,) = around.got[ann][told:]
    assert isinstance(seats, wire.Seats)
    assert seats.watching == 3
    around.tick(10)
    assert len(around.got[ann]) == told + 1


def test_another_version_is_told_what_to_do() -> None:
    around = Around()
    around.say(bytes(32), wire.Hello(99, "Old", "sit", "person", bytes(32)))
    closed = around.got[bytes(32)][-1]
    assert isinstance(closed, wire.Closed)
    assert "same lanplay" in closed.sentence


def test_who_leaves_the_lobby_frees_the_seat() -> None:
    around = Around(size=3)
    ann = around.join("Ann")
    around.join("Bob")
    around.say(ann, wire.Leave())
    around.join("Cid")
    assert around.room.people.names() == {0: "Cid", 1: "Bob"}


def test_starting_on_the_hosts_word_closes_up_the_seats() -> None:
    around = Around(size=4, start="word")
    for name in ("Ann", "Bob", "Cid"):
        around.join(name)
    around.say(around.key("A"), wire.Leave())
    with pytest.raises(ValueError, match="Nobody sits"):
        around.room.kick(5, around.now)
    around.deliver(around.room.start(around.now))
    assert around.room.people.names() == {0: "Bob", 1: "Cid"}
    assert around.followers[around.key("A")].seat == 0
    with pytest.raises(ValueError, match="begun"):
        around.room.start(around.now)


def test_too_few_players_cannot_start() -> None:
    around = Around(size=4, start="word")
    around.join("Ann")
    with pytest.raises(ValueError, match="2 to 8 players; 1 sit"):
        around.room.start(around.now)


def test_a_removed_peer_is_told_and_does_not_come_back() -> None:
    around = two()
    bob = around.key("B")
    around.deliver(around.room.kick(1, around.now))
    assert isinstance(around.got[bob][-1], wire.Closed)
    around.join("Bob", peer=bob)
    assert isinstance(around.got[bob][-1], wire.Closed)


@pytest.mark.parametrize("away_before", [False, True])
def test_a_table_does_not_wait_for_who_was_removed(away_before: bool) -> None:
    events: list[dict[str, Any]] = []
    around = peeked(on_event=events.append)
    if away_before:
        around.deliver(around.room.lost(around.key("B"), around.now))
    around.deliver(around.room.kick(1, around.now))
    assert events[-1] == {"event": "removed", "name": "Bob", "kind": "person", "seat": "B"}
    told = [message for message in around.got[around.key("A")] if isinstance(message, wire.Notice)]
    assert [notice.code for notice in told] == ["removed"]
    around.act("A", "draw")
    around.act("A", "discard")
    while around.followers[around.key("A")].asks != "act":  # B's turn, though the table waits for who is away
        assert around.room.wake == around.room.people.seated[1].away_since
        around.tick(0)


# ---- moves ----------------------------------------------------------------------------------------


def test_a_move_is_answered_and_told_to_all() -> None:
    around = peeked()
    assert code(around.act("A", "draw")) == "accepted"
    mine, theirs = around.followers[around.key("A")], around.followers[around.key("B")]
    held = mine.zones.names.index("held A")
    assert mine.view.lay[held][0] >= 0
    assert theirs.view.lay[held] == [-1]


def test_a_refused_move_answers_its_sender_alone_and_changes_nothing() -> None:
    around = peeked()
    lines, told = around.record, len(around.got[around.key("A")])
    assert code(around.act("B", "draw")) == "not-your-turn"
    assert code(around.act("A", "swap 1")) == "wrong-step"
    assert code(around.act("A", "hm?")) == "syntax"
    assert around.record == lines
    assert len(around.got[around.key("A")]) == told + 2


def test_a_repeated_move_gets_the_same_answer_and_is_done_once() -> None:
    around = peeked()
    act = wire.Act(b"12345678", "draw", 2, 0)
    first, again = around.act_as(around.key("A"), act), around.act_as(around.key("A"), act)
    assert first == again
    assert around.record.count("A draw") == 1


def test_spectators_cannot_act() -> None:
    around = peeked()
    watcher = around.join("Eve", role="watch")
    answer = around.act_as(watcher, wire.Act(b"12345678", "draw", 2, 0))
    assert code(answer) == "not-your-turn"


def test_a_snap_at_a_card_that_is_gone_is_late_and_costs_nothing() -> None:
    around = peeked()
    around.act("A", "draw")
    around.act("A", "swap 1")
    old = around.followers[around.key("B")].status
    assert old is not None
    around.act("B", "draw")
    around.act("B", "swap 1")
    hands = around.room.game.state()["hands"] if around.room.game else {}
    assert code(around.act("B", "snap 2", aim=old.aim)) == "late"
    assert around.room.game is not None
    assert around.room.game.state()["hands"] == hands


def test_taking_a_pile_that_has_changed_is_late() -> None:
    around = peeked()
    around.act("A", "draw")
    around.act("A", "swap 1")
    assert code(around.act("B", "take", aim=0)) == "late"
    assert code(around.act("B", "take")) == "accepted"


def test_two_who_look_at_once_are_both_heard() -> None:
    around = two()
    assert code(around.act("A", "peek 1 2", step=0)) == "accepted"
    assert code(around.act("B", "peek 1 2", step=0)) == "accepted"


# ---- time and absence -----------------------------------------------------------------------------


def test_the_closing_window_passes_for_those_who_do_not_speak() -> None:
    around = peeked(options={"snap_window": 2})
    around.act("A", "cambio")
    around.act("B", "draw")
    around.act("B", "swap 1")
    assert around.room.wake == around.now + 2
    around.tick(1.9)
    assert not around.room.over
    around.tick(0.2)
    assert around.room.over
    assert "B pass" in around.record


def test_turn_time_makes_the_default_move() -> None:
    around = peeked(manners=Manners(turn_time=5.0))
    around.tick(5)
    assert around.record.splitlines()[-1].startswith("A draw")
    around.tick(5)
    assert around.record.splitlines()[-1].startswith("A discard")


def test_an_absent_seat_is_kept_and_skipped_only_if_the_host_wants_it() -> None:
    around = peeked()
    around.deliver(around.room.lost(around.key("A"), around.now))
    around.tick(1000)
    assert around.record.splitlines()[-1].startswith("B pass")
    around = peeked(manners=Manners(away="skip", grace=10.0))
    around.deliver(around.room.lost(around.key("A"), around.now))
    around.tick(9)
    assert around.record.splitlines()[-1].startswith("B pass")
    around.tick(1)
    assert "A draw" in around.record


def test_who_comes_back_gets_the_seat_and_what_was_missed() -> None:
    around = peeked()
    around.act("A", "draw")
    key = around.key("A")
    around.deliver(around.room.lost(key, around.now))
    back = around.followers[key]
    around.join("Somebody else", since=back.step, peer=key)
    assert around.room.people.names()[0] == "Ann"
    assert back.legal
    assert back.asks == "act"
    around.followers.pop(key)
    around.join("Ann", peer=key)
    assert around.followers[key].view.lay == back.view.lay
    assert around.followers[key].legal == back.legal


def test_a_full_disk_stops_the_game_and_nothing_is_told_or_lost() -> None:
    around = peeked()
    written = around.lines

    def full(text: str) -> None:
        raise OSError("no space left")

    around.room.ledger.journal = full
    told = len(around.got[around.key("B")]), len(around.got[around.key("A")])
    around.say(around.key("A"), wire.Act(b"12345678", "draw", 2, 0))
    for seat, count in zip("BA", told, strict=True):
        (news,) = around.got[around.key(seat)][count:]
        assert isinstance(news, wire.Notice)
        assert news.code == "paused"
    assert code(around.act("A", "discard")) == "paused"
    around.tick(2)
    around.room.ledger.journal = written.append
    around.tick(2)
    assert around.record.splitlines()[-1].startswith("A draw")
    assert around.followers[around.key("B")].step == 3
    assert wire.Accepted(b"12345678", 3) in around.got[around.key("A")]
    assert any(isinstance(m, wire.Notice) and m.code == "resumed" for m in around.got[around.key("B")])
    assert code(around.act("A", "discard")) == "accepted"


# ---- whole games ----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
@pytest.mark.parametrize("size", range(2, 9))
@pytest.mark.parametrize("kind", ["person", "bot"])
def test_whole_games_end_and_their_records_replay(game: str, size: int, kind: str) -> None:
    around = Around(game, size, kind, options={"rounds": 2, "max_turns": 60})
    for seat in SEATS[:size]:
        around.join(f"Player {seat}")
    watcher = around.join("Eve", role="watch")
    around.play_out(chooser(size))
    assert around.room.over
    assert around.room.game is not None
    replay = Replay(read(around.record))
    for _ in replay.play():
        pass
    assert replay.object() == around.room.game.object(around.room.people.names())
    for key, follower in around.followers.items():
        reader = SPECTATOR if key == watcher else follower.seat
        assert follower.view.lay == around.room.game.view(reader).lay
        assert follower.rounds == replay.object()["rounds"]


def test_those_who_look_on_are_thought_of_after_a_step_only() -> None:
    """Of them there may be thousands, and any seat may send a hundred messages a second."""
    around = Around(size=2)
    for name in ("Ann", "Bob"):
        around.join(name)
    for number in range(50):
        around.join(f"Zoe {number}", "watch", peer=bytes([number, 1]) * 16)
    thought_of, tell = list[Person](), around.room.tell

    def think(person: Person, now: float, stories: dict[int, Story]) -> None:
        thought_of.append(person)
        tell(person, now, stories)

    around.room.tell = think  # type: ignore[method-assign]
    around.act("A", "nonsense")
    around.say(around.key("A"), wire.Chat("hello"))
    assert {person.letter for person in thought_of} == {"A", "B"}
    thought_of.clear()
    around.act("A", "pass")
    assert len({person.key for person in thought_of}) == 52
