"""Races for a snap at a room: how they come about, and who wins how often on which link."""

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
