"""Snaps that race: who is quickest wins, whatever the way of what they saw and said."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from lanplay.engine.words import SEATS
from lanplay.room.desk import Manners
from lanplay.wire import messages as wire
from tests.room.table import Around


def ready(size: int = 2, **more: object) -> Around:
    """A table where A has just discarded a card of which every other player holds the rank in slot 1."""
    around = Around("cambio52", size, **more)  # type: ignore[arg-type]
    for seat in SEATS[:size]:
        around.join(f"Player {seat}")
    for seat in SEATS[:size]:
        around.act(seat, "pass")
    around.act("A", "draw")
    around.act("A", "swap 1")
    give_everybody_a_match(around)
    return around


def give_everybody_a_match(around: Around) -> None:
    game = around.room.game
    assert game is not None
    table = game.table
    top = table.lay[1][-1]
    places = [
        (zone, at) for zone, cards in enumerate(table.lay) for at, card in enumerate(cards) if card >= 0
    ]
    twins = iter([card for card in range(52) if card % 13 == top % 13 and card != top])
    hands = [table.zones.names.index(f"hand {seat}") for seat in SEATS[1 : min(4, game.seats)]]
    for hand in hands:
        card = next(twins)
        zone, at = next(p for p in places if table.lay[p[0]][p[1]] == card)
        table.lay[zone][at], table.lay[hand][1] = table.lay[hand][1], card


def snap(around: Around, seat: str, move: str = "snap 1", aim: int | None = None) -> bytes:
    """What this seat's client sends; the answer may wait. Gives the id."""
    follower = around.followers[around.key(seat)]
    assert follower.status
    aim = follower.status.aim if aim is None else aim
    around.ids += 1
    id_ = around.ids.to_bytes(8, "big")
    around.say(around.key(seat), wire.Act(id_, move, follower.step or 0, aim))
    return id_


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

LINKS: dict[str, Callable[[random.Random], float]] = {  # seconds one way
    "cable": lambda rng: 0.0002 + rng.expovariate(1 / 0.0001),
    "good Wi-Fi": lambda rng: 0.002 + rng.expovariate(1 / 0.002),
    "bad Wi-Fi": lambda rng: 0.010 + rng.expovariate(1 / 0.015),
    "phone": lambda rng: 0.025 + rng.expovariate(1 / 0.010),
}


def shares(credit: float, races: int, faker: str | None = None, seed: int = 1) -> dict[str, float]:
    """How often each of four equal players wins, by their link; `faker` holds back its pongs by half a second."""
    rng = random.Random(seed)
    wins: Counter[str] = Counter()
    around = ready(5, manners=Manners(snap_credit=credit), options={"snap_others": "yes"})
    seats = dict(zip("ACDE", LINKS, strict=True))
    for _ in range(races):
        wins[seats[one_race(around, seats, rng, faker)]] += 1
    return {link: wins[link] / races for link in LINKS}


def one_race(around: Around, seats: dict[str, str], rng: random.Random, faker: str | None) -> str:
    """One discard, seen and claimed by all four; the table is put back afterwards."""
    desk = around.room.desk
    assert desk
    assert around.room.game
    game, told = around.room.game, around.now
    coming = []
    for seat, name in seats.items():
        link = LINKS[name]
        person = around.room.people.by_key[around.key(seat)]
        person.aimed, person.claims.left = told, 4
        around.room.measured(
            person.key,
            link(rng) + link(rng) + 0.5 * (name == faker),
            2 * sum(link(rng) for _ in range(8)) / 8,
        )
        coming.append((told + link(rng) + rng.gauss(0.45, 0.06) + link(rng), seat))
    before, steps = game.table.copy(), len(game.steps)
    statuses = {key: follower.status for key, follower in around.followers.items()}
    for when, seat in sorted(coming):
        while around.room.wake is not None and around.room.wake <= when:
            around.tick(around.room.wake - around.now)
        around.now = when
        if len(game.steps) == steps:
            snap(around, seat, "snap B1")
    while desk.race:
        around.tick(desk.race.until - around.now)
    winner = around.record.splitlines()[-1].split()[0]
    before.log = game.table.log
    game.table = before
    del game.steps[steps:]
    game.offered.clear()
    for person in around.room.people.by_key.values():
        person.knows = game.accepted
        around.followers[person.key].step = game.accepted
        around.followers[person.key].status = statuses[person.key]
    around.now += 10
    desk.progress.look(around.now)
    return winner


def test_equal_players_on_unequal_links_win_about_equally_often() -> None:
    """And who fakes slow answers gains little: what the system measures can't be faked so."""
    fair, plain, faked = shares(0.060, 200), shares(0.0, 200), shares(0.060, 200, faker="cable")
    print(f"with credit {fair}, by arrival {plain}, with credit and a faker on the cable {faked}")
    assert min(fair.values()) > 0.17
    assert min(plain.values()) < 0.12
    assert faked["cable"] - fair["cable"] < 0.15
