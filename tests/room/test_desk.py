"""What waits at the table: discards that others may object to, words, and what a stand-in does for who is away."""

from __future__ import annotations

from functools import cache

from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.engine.words import SEATS, Seat
from lanplay.games import find
from lanplay.room.desk import Manners
from lanplay.wire import messages as wire
from tests.room.table import Around


def code(answer: wire.FromHost) -> str:
    return answer.code if isinstance(answer, wire.Refused) else "accepted"


@cache
def seed(size: int) -> tuple[bytes, str]:
    """A seed that deals A a meld, and B a Chaos Rune to explode it with; and the meld."""
    rules = find("cambio-rummy")
    for number in range(10000):
        game = Game(rules, size, rules.defaults, seeded(b"%d" % number))
        game.play(0, "draw")
        meld = next((move for move in game.legal(0) if move.verb == "meld"), None)
        if meld:
            game.do(0, meld)
            if game.legal(1):
                return b"%d" % number, str(meld)
    raise AssertionError("no such seed")


def rummy(size: int = 3) -> Around:
    """A table of people where A has drawn, and may lay a meld that B can explode."""
    around = Around("cambio-rummy", size, seed=seed(size)[0])
    for seat in SEATS[:size]:
        around.join(f"Player {seat}")
    around.act("A", "draw")
    return around


def meld(around: Around) -> None:
    assert code(around.act("A", seed(3)[1])) == "accepted"


def discard(around: Around) -> bytes:
    """A sends a discard; the answer may wait."""
    game = around.room.game
    assert game
    move = next(move for move in game.legal(0) if move.verb == "discard")
    around.say(around.key("A"), wire.Act(b"discard!", str(move), game.accepted, 0))
    return b"discard!"


def answered(around: Around, seat: str, id_: bytes) -> list[str]:
    return [
        code(m)
        for m in around.got[around.key(seat)]
        if isinstance(m, wire.Accepted | wire.Refused) and m.id == id_
    ]


def test_a_discard_after_a_play_waits_for_chaos_and_everybody_is_told() -> None:  # R5.7
    around = rummy()
    meld(around)
    before = around.record
    id_ = discard(around)
    assert answered(around, "A", id_) == []
    assert around.record == before
    for seat in "ABC":
        status = around.followers[around.key(seat)].status
        assert status
        assert status.held == "A"
        assert status.left is not None
        assert status.left <= 3
    another = next(move for move in around.followers[around.key("A")].legal if "discard" in move)
    assert code(around.act("A", another)) == "wrong-step"
    around.now -= 0.06
    around.tick(2.8)
    assert answered(around, "A", id_) == []
    around.tick(0.2)
    assert answered(around, "A", id_) == ["accepted"]
    status = around.followers[around.key("B")].status
    assert status
    assert status.held is None
    assert status.must_act == ["B"]


def test_it_waits_only_as_long_as_somebody_might_object() -> None:
    around = rummy()
    meld(around)
    step = around.followers[around.key("B")].step or 0
    around.say(around.key("B"), wire.Decline(step))
    id_ = discard(around)
    assert answered(around, "A", id_) == []
    around.say(around.key("C"), wire.Decline(step - 1))
    assert answered(around, "A", id_) == []
    around.say(around.key("C"), wire.Decline(step))
    assert answered(around, "A", id_) == ["accepted"]


def test_a_chaos_rune_hands_the_discard_back() -> None:
    around = rummy()
    meld(around)
    id_ = discard(around)
    assert code(around.act("B", "chaos P1")) == "accepted"
    assert answered(around, "A", id_) == ["late"]
    assert around.room.game
    assert around.room.game.table.in_turn() == 0
    assert [line.split()[:2] for line in around.record.splitlines()[-2:]] == [["A", "meld"], ["B", "chaos"]]
    around.ids += 100
    assert code(
        around.act("A", next(m for m in around.followers[around.key("A")].legal if "discard" in m))
    ) == ("accepted")


def test_who_comes_back_while_a_discard_is_held_is_told_so() -> None:
    around = rummy()
    meld(around)
    discard(around)
    key = around.key("C")
    around.deliver(around.room.lost(key, around.now))
    del around.followers[key]
    around.join("Player C", peer=key)
    status = around.followers[key].status
    assert status
    assert status.held == "A"


def test_without_a_play_nothing_waits() -> None:
    around = rummy()
    assert answered(around, "A", discard(around)) == ["accepted"]


def test_a_repeated_move_that_waits_is_done_once() -> None:
    around = rummy()
    meld(around)
    id_ = discard(around)
    discard(around)
    around.tick(3)
    assert answered(around, "A", id_) == ["accepted"]


# ---- words ----------------------------------------------------------------------------------------


def test_a_word_reaches_all_without_what_spoils_a_screen_and_not_too_often() -> None:
    around = Around(size=2)
    around.join("Ann")
    around.join("Bob")
    watcher = around.join("Eve", role="watch")
    around.say(watcher, wire.Chat("hi \x1b[2J\u202eall\n"))
    heard = [m for m in around.got[around.key("A")] if isinstance(m, wire.Said)]
    assert heard == [wire.Said("Eve", None, "hi [2Jall")]
    for _ in range(5):
        around.say(watcher, wire.Chat("again"))
    assert len([m for m in around.got[around.key("A")] if isinstance(m, wire.Said)]) == 3
    assert [m.code for m in around.got[watcher] if isinstance(m, wire.Notice)] == ["slow-down"] * 3


# ---- limits and stand-ins -------------------------------------------------------------------------


def test_a_flood_of_moves_is_refused_before_anything_is_done() -> None:
    around = Around(size=2)
    around.join("Ann")
    around.join("Bob")
    for n in range(60):
        around.say(around.key("A"), wire.Act(n.to_bytes(8, "little"), "draw", 0, 0))
    codes = [m.code for m in around.got[around.key("A")] if isinstance(m, wire.Refused)]
    assert codes == ["wrong-step"] * 40 + ["slow-down"] * 20
    around.now += 3
    assert code(around.act("A", "pass")) == "accepted"


def test_a_stand_in_plays_for_who_is_away_and_stops_when_they_are_back() -> None:
    asked: list[tuple[int, Seat]] = []

    def stand_in(game: Game, seat: Seat) -> str:
        asked.append((game.accepted, seat))
        return str(game.legal(seat)[-1])

    manners = Manners(away="bot", grace=10.0, stand_in=stand_in)
    around = Around(size=2, manners=manners, options={"first_peek": "bottom"})
    around.join("Ann")
    around.join("Bob")
    key = around.key("A")
    around.deliver(around.room.lost(key, around.now))
    around.tick(9)
    assert not asked
    around.tick(1)
    assert asked == [(0, 0)]
    around.tick(0)
    around.tick(0)
    assert around.room.game
    assert around.room.game.must_act == (1,)
    around.join("Ann", peer=key)
    around.act("B", "draw")
    around.act("B", "discard")
    count = len(asked)
    around.tick(100)
    assert len(asked) == count


def test_nonsense_of_a_stand_in_is_the_default_move() -> None:
    manners = Manners(away="bot", grace=1.0, stand_in=lambda game, seat: "dance")
    around = Around(size=2, manners=manners)
    around.join("Ann")
    around.join("Bob")
    around.deliver(around.room.lost(around.key("A"), around.now))
    around.tick(1)
    assert around.record.splitlines()[-1].startswith("A pass")
    assert find("cambio").name in around.record


# ---- found by tests/room/fuzz.py ------------------------------------------------------------------


def test_a_silent_bot_holds_up_a_table_of_bots_no_longer_than_the_turn_time() -> None:
    """Neither with its moves nor with its silence out of turn; and the others' time begins when they are asked."""
    around = Around(
        size=3, kind="bot", manners=Manners(turn_time=2.0), options={"first_peek": "bottom", "max_turns": 5}
    )
    for name in ("Ann", "Bob", "Cid"):
        around.join(name)
    while not around.room.over and around.now < 1000:
        assert around.room.wake is not None
        assert around.room.wake > around.now  # and the host rests until then
        for seat in "AB":
            around.answer(seat, around.followers[around.key(seat)], lambda seat, moves: moves[-1])
        around.tick(0.0 if around.room.over else around.room.wake - around.now)
    acted = {line[0] for line in around.record.splitlines() if line[1:2] == " "}
    assert acted == {"A", "B", "C"}


def test_a_stand_in_at_a_table_of_bots_is_asked_for_moves_only() -> None:
    asked: list[Seat] = []

    def stand_in(game: Game, seat: Seat) -> str:
        asked.append(seat)
        assert game.legal(seat)
        return str(game.legal(seat)[0])

    around = Around(
        "cambio-rummy", 3, kind="bot", manners=Manners(away="bot", grace=0.0, stand_in=stand_in), seed=b"1"
    )
    for name in ("Ann", "Bob", "Cid"):
        around.join(name)
    around.deliver(around.room.lost(around.key("B"), around.now))
    for _ in range(40):
        for seat in "AC":
            around.answer(seat, around.followers[around.key(seat)], lambda seat, moves: moves[-1])
        around.tick(0)
    assert 1 in asked


def test_the_id_of_a_move_that_waits_is_free_for_others() -> None:
    around = rummy()
    meld(around)
    id_ = discard(around)
    around.say(around.key("B"), wire.Act(id_, "draw", 0, 0))
    assert answered(around, "B", id_) == ["not-your-turn"]
    around.tick(3)
    assert answered(around, "A", id_) == ["accepted"]


def test_a_move_that_came_before_the_game_is_done_with() -> None:
    around = Around(size=2)
    ann = around.join("Ann")
    early = around.act_as(ann, wire.Act(b"too early", "pass", 0, 0))
    assert code(early) == "not-your-turn"
    around.join("Bob")
    assert around.act_as(ann, wire.Act(b"too early", "pass", 0, 0)) == early
    assert "A pass" not in around.record


def test_who_was_removed_is_not_heard() -> None:
    around = Around(size=2)
    around.join("Ann")
    bob = around.join("Bob")
    around.deliver(around.room.kick(1, around.now))
    around.say(bob, wire.Act(b"12345678", "pass", 0, 0))
    around.say(bob, wire.Chat("hello"))
    assert [type(message) for message in around.got[bob][-2:]] == [wire.Closed, wire.Closed]
    assert not [m for m in around.got[around.key("A")] if isinstance(m, wire.Said)]
