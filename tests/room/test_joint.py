"""The honest deck at a table: how the secret is drawn, and what every peer says in the end."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import structs

from lanplay.engine.shuffle import seeded
from lanplay.record import write
from lanplay.record.proof import Chain, Proof, commitment, shares_of
from lanplay.record.verify import verify
from lanplay.room.joint import SECONDS, Drawing
from lanplay.wire import messages as wire
from tests.room.honest import TABLE, Honest, short, silent_at
from tests.room.table import Around

# ---- honest hosts ---------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["person", "bot"])
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("cambio", {"rounds": 2, "max_turns": 30}),
        ("cambio52", {"max_turns": 60}),
        ("cambio-rummy", {}),
        ("not-at-home", {}),
    ],
)
def test_whole_games_are_proved_to_every_seat_and_spectator(
    game: str, options: dict[str, Any], kind: str
) -> None:
    around = Honest("Ann", "Bob", "Cem", game=game, kind=kind, options=options)
    watcher = around.join("Eve", role="watch")
    around.play()
    proved = verify(around.record)
    assert proved.shared == ["A", "B", "C"]
    for witness in around.witnesses.values():
        assert witness.verdict
        assert witness.verdict.proved, witness.verdict
    assert around.witnesses[watcher].letter is None


def test_reshuffles_and_later_rounds_come_from_the_same_secret() -> None:
    around = Honest("Ann", "Bob", options={"rounds": 3, "max_turns": 60}).play()
    assert around.record.count("\ndeck ") >= 3
    assert around.verdict("A").proved
    assert around.verdict("A").line == (
        "The deal is proved: all shuffles come from the secrets of seats A B and the host. "
        "All that was told here agrees with it."
    )


def test_nothing_is_dealt_before_all_have_revealed_and_nothing_revealed_before_all_have_committed() -> None:
    around = Honest("Ann", "Bob", size=3)
    around.join("Cem")
    stages = [message.stage for message in around.got[around.key("A")] if isinstance(message, wire.Joint)]
    assert stages == ["commit", "reveal", "dealt"]
    kinds = [type(message) for message in around.got[around.key("A")]]
    assert kinds.index(wire.Start) > max(n for n, kind in enumerate(kinds) if kind is wire.Joint)
    assert around.room.wake is None


def test_who_comes_back_has_the_same_verdict() -> None:
    around = short("Ann", "Bob")
    around.act("A", "pass")
    key = around.key("A")
    for since in (None, around.followers[key].step):
        around.deliver(around.room.lost(key, around.now))
        around.join("Ann", since=since, peer=key)
    around.play()
    assert around.verdict("A").proved
    assert around.verdict("B").proved


def test_who_comes_back_after_the_end_gets_the_record_again() -> None:
    around = short().play()
    key = around.key("A")
    around.witnesses.pop(key)
    around.followers.pop(key)
    around.deliver(around.room.lost(key, around.now))
    around.join("Ann", peer=key)
    assert around.verdict("A").proved


def test_a_program_that_was_started_anew_judges_what_it_was_told_since() -> None:
    around = short()
    key = around.key("A")
    around.deliver(around.room.lost(key, around.now))
    around.witnesses.pop(key)
    around.followers.pop(key)
    around.join("Ann", peer=key)
    around.play()
    assert around.verdict("A").proved


def test_a_long_record_comes_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanplay.room.telling.PART", 500)
    around = short().play()
    parts = [message for message in around.got[around.key("B")] if isinstance(message, wire.RecordPart)]
    assert len(parts) > 1
    assert "".join(part.text for part in parts) == around.record
    assert around.verdict("B").proved


def test_the_record_replays_where_nobody_knows_of_proofs() -> None:
    around = short().play()
    assert around.room.game
    plain = write.header(around.room.game, around.room.people.names())
    kept = [line for line in around.record.splitlines() if line in plain.splitlines()]
    assert "\n".join(kept) + "\n" == plain


def test_a_head_tells_nothing_to_who_has_not_the_hosts_secret() -> None:
    one, other = Chain(TABLE, b"1" * 32), Chain(TABLE, b"2" * 32)
    assert one.add("A discard 9") != other.add("A discard 9")
    assert Chain(TABLE, b"1" * 32).add("A discard 9") == one.head


@pytest.mark.parametrize("kind", [None, wire.Commit, wire.Reveal])
def test_a_killed_host_deals_on_and_shows_its_secret(kind: type[Any] | None) -> None:
    """All that is needed stands in the record and in the file with the secret."""
    around = silent_at(kind) if kind else Honest("Ann", "Bob", options={"rounds": 2, "max_turns": 9})
    around.tick(SECONDS)
    around.act("A", "pass")
    text, before = around.record, around.room.drawing
    assert before
    room = around.room
    room.drawing = Drawing.again(before.pledge, shares_of(text))
    room.ledger.proof = Proof.again(before.pledge, text)
    assert room.drawing.message(0.0) == before.message(0.0)
    assert room.desk
    room.desk.game.table.shuffler = seeded(room.ledger.proof.master)
    room.desk.game.shuffler = seeded(room.ledger.proof.master)
    around.play()
    assert around.verdict("A").proved
    assert around.record.startswith(text)


# ---- seats that do not do their part --------------------------------------------------------------


@pytest.mark.parametrize("kind", [wire.Commit, wire.Reveal])
def test_a_silent_seat_is_left_out_in_time_and_all_are_told(kind: type[Any]) -> None:
    around = silent_at(kind)
    assert around.room.game is None
    assert around.room.wake == around.now + SECONDS
    around.tick(SECONDS - 0.1)
    assert around.room.game is None
    around.tick(0.1)
    assert around.room.game is not None
    last = [message for message in around.got[around.key("A")] if isinstance(message, wire.Joint)][-1]
    assert last.left_out == {"B": "silent"}
    around.play()
    assert "\nleft-out B silent\n" in around.record
    assert around.verdict("A").proved
    assert "seat B did not answer in time and was left out" in around.verdict("A").line
    assert "the secret of seat B, which is yours, was left out" in around.verdict("B").line


def test_a_seat_that_reveals_something_else_is_left_out_by_name() -> None:
    around = short("Ann", size=2)
    bob = b"Bob".ljust(32)

    def other(peer: bytes, message: wire.FromPeer) -> wire.FromPeer:
        return wire.Reveal(bytes(32)) if peer == bob and isinstance(message, wire.Reveal) else message

    around.reply = other
    around.join("Bob")
    around.play()
    assert "\nleft-out B wrong\n" in around.record
    assert "seat B showed another secret than it had committed to" in around.verdict("A").line


def test_nobody_answers_and_the_host_deals_alone() -> None:
    around = short("Ann", size=2)
    around.reply = lambda peer, message: None
    around.join("Bob")
    around.tick(SECONDS)
    assert around.play().verdict("A").proved is False
    assert verify(around.record).made_of.startswith("all shuffles come from the secrets of the host alone")


def test_only_the_first_word_counts_and_only_when_it_is_asked_for() -> None:
    around = silent_at(wire.Commit, wire.Reveal)
    bob, first = around.key("B"), b"1" * 32
    around.say(bob, wire.Reveal(first))
    around.say(bob, wire.Commit(commitment(TABLE, "B", first)))
    around.say(bob, wire.Commit(commitment(TABLE, "B", b"2" * 32)))
    around.say(bob, wire.Reveal(first))
    around.say(bob, wire.Reveal(b"2" * 32))
    around.play()
    assert f"\nsecret B {first.hex()}\n" in around.record


def test_who_looks_on_has_no_share() -> None:
    around = silent_at(wire.Commit)
    watcher = around.join("Eve", role="watch")
    around.say(watcher, wire.Commit(bytes(32)))
    assert around.room.game is None
    assert not around.witnesses[watcher].faults


def test_at_a_seeded_table_nobody_is_asked() -> None:
    around = Around(options={"max_turns": 2})
    key = around.join("Ann")
    around.join("Bob")
    around.say(key, wire.Commit(bytes(32)))
    assert not [message for message in around.got[key] if isinstance(message, wire.Joint)]
    assert "commitment" not in around.record
    assert [message.head for message in around.got[key] if isinstance(message, wire.Update)] == [b""]


def test_who_leaves_while_the_secret_is_drawn_keeps_the_seat() -> None:
    around = silent_at(wire.Commit)
    bob = around.key("B")
    around.deliver(around.room.lost(bob, around.now))
    around.reply = lambda peer, message: message
    around.join("Bob", peer=bob)
    assert around.room.game is not None
    assert around.play().verdict("B").proved
    refused = Honest("Ann", size=2)
    refused.reply = lambda peer, message: None
    refused.join("Bob")
    closed = refused.got[refused.join("Cem")][-1]
    assert isinstance(closed, wire.Closed)
    assert closed.code == "started"


def test_a_seat_draws_a_new_secret_when_the_old_one_is_known() -> None:
    around = short()
    witness, old = around.witness("A"), around.witness("A").secret
    assert witness.joint
    (again,) = witness.hear(structs.replace(witness.joint, stage="commit", commitments={}, secrets={}))
    assert isinstance(again, wire.Commit)
    assert witness.secret != old
    assert "the commitment of seat A was changed" in witness.faults
