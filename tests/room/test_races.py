"""Snaps that race: who is quickest wins, whatever the way of what they saw and said."""

from __future__ import annotations

from lanplay.room.desk import Manners
from lanplay.wire import messages as wire
from tests.room.races import ready, shares, snap
from tests.room.table import Around


def answers(around: Around) -> dict[bytes, str]:
    """`accepted`, or the code of the refusal, by the id of the move."""
    found = {}
    for messages in around.got.values():
        for message in messages:
            if isinstance(message, wire.Accepted):
                found[message.id] = "accepted"
            elif isinstance(message, wire.Refused):
                found[message.id] = message.code
    return found


def measure(around: Around, seat: str, *trips: float, kernel: float | None = None) -> None:
    for trip in trips:
        around.room.measured(around.key(seat), trip, kernel)


def test_who_is_quickest_wins_though_heard_later_and_the_beaten_pay_nothing() -> None:
    around = ready(3)
    measure(around, "C", 0.040, 0.050, 0.060)
    assert around.room.game
    around.now += 0.3
    first = snap(around, "B")
    around.now += 0.04
    second = snap(around, "C")
    assert first not in answers(around)
    hand = around.room.game.state()["hands"]["B"]
    around.tick(0.12)
    assert answers(around)[first] == "late"
    assert answers(around)[second] == "accepted"
    assert around.room.game.state()["hands"]["B"] == hand
    lines = around.record.splitlines()
    assert lines[-1].startswith("C snap 1 @")
    assert [line.split()[:3] for line in lines[-3:-1]] == [["#", "B", "snap"], ["#", "C", "snap"]]
    assert lines[-2].endswith("won")


def test_nobody_waits_for_a_race_that_cannot_be_lost_any_more() -> None:
    around = ready(2)
    around.now += 0.3
    only = snap(around, "B")
    wake = around.room.wake
    assert wake is not None
    assert wake - around.now < 0.010
    around.tick(0.010)
    assert answers(around)[only] == "accepted"


def test_with_no_credit_who_comes_first_is_first() -> None:
    around = ready(3, manners=Manners(snap_credit=0))
    measure(around, "C", 0.2)
    around.now += 0.3
    assert around.room.game
    aim = around.room.game.table.aim
    first = snap(around, "B")
    assert answers(around)[first] == "accepted"
    second = snap(around, "C", aim=aim)
    assert answers(around)[second] == "late"


def test_what_comes_while_a_race_is_on_is_done_after_it_in_order() -> None:
    around = ready(3)
    measure(around, "C", 0.06)
    around.now += 0.3
    measure(around, "A", 0.06)
    follower = around.followers[around.key("B")]
    snap(around, "C")
    around.say(around.key("B"), wire.Act(b"drawdraw", "draw", follower.step or 0, 0))
    assert b"drawdraw" not in answers(around)
    around.tick(0.2)
    assert answers(around)[b"drawdraw"] == "accepted"
    assert [line.split()[:2] for line in around.record.splitlines()[-2:]] == [["C", "snap"], ["B", "draw"]]


def test_a_slow_answer_earns_no_more_than_the_system_measures() -> None:
    """Who holds back pongs gains at most the 15 ms that an honest program may need."""
    around = ready(3)
    measure(around, "C", 0.5, 0.5, kernel=0.001)
    around.now += 0.3
    first = snap(around, "B")
    around.now += 0.022
    late = snap(around, "C")
    around.tick(0.12)
    assert (answers(around)[first], answers(around)[late]) == ("accepted", "late")


def test_a_bot_among_people_needs_its_time() -> None:
    around = ready(2, manners=Manners(bot_delay=0.25))
    around.room.people.by_key[around.key("B")].kind = "bot"
    told = around.now
    only = snap(around, "B")
    around.tick(0.2)
    assert only not in answers(around)
    around.tick(0.06)
    around.tick(0.01)
    assert answers(around)[only] == "accepted"
    assert around.now - told >= 0.25


def test_too_many_snaps_are_refused_before_they_cost_anything() -> None:
    around = ready(2)
    game = around.room.game
    assert game is not None
    game.table.lay[game.zones.names.index("hand B")][1:3] = [
        next(card for card in range(52) if card % 13 != game.table.lay[1][-1] % 13)
    ] * 2
    codes = []
    for _ in range(8):
        around.now += 0.01
        wrong = snap(around, "B")
        codes.append(answers(around)[wrong])
    assert codes == ["accepted"] * 4 + ["slow-down"] * 4
    assert len(game.state()["hands"]["B"]) == 8


# ---- who wins how often ---------------------------------------------------------------------------


def test_equal_players_on_unequal_links_win_about_equally_often() -> None:
    """And who fakes slow answers gains little: what the system measures can't be faked so."""
    fair, plain, faked = shares(0.060, 200), shares(0.0, 200), shares(0.060, 200, faker="cable")
    print(f"with credit {fair}, by arrival {plain}, with credit and a faker on the cable {faked}")
    assert min(fair.values()) > 0.17
    assert min(plain.values()) < 0.12
    assert faked["cable"] - fair["cable"] < 0.15
