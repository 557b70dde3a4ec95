"""What a bot sees: the names of things, and what follows from what the seat knows."""

from __future__ import annotations

import random
from collections.abc import Callable
from statistics import fmean

import pytest

from lanplay.arena.game import Pairing, play
from lanplay.bot import Bot, Fact, Info, View
from lanplay.games import find

Look = Callable[[View], None]


def looked(look: Look, seats: int = 3, **options: str) -> list[str]:
    """A game of a bot that calls in the end; everything is looked at whenever it is asked. Gives the moves it made."""
    made: list[str] = []

    class Looks(Bot):
        def act(self, view: View) -> str:
            look(view)
            moves = [move for move in view.moves if len(made) > 60 or move != "cambio"]
            made.append(f"{view.seat} {self.rng.choice(moves)}")
            return made[-1][2:]

        def react(self, view: View) -> str | None:
            look(view)
            return self.rng.choice([None, None, *view.moves])

    rules = find("cambio")
    pairing = Pairing(
        rules, rules.defaults.read({"max_turns": 90, **options}), [Looks] * seats, "abcdefgh"[:seats]
    )
    done = play(pairing, range(seats), b"looking")
    assert [health.whys for health in done.health] == [{}] * seats
    return made


def test_seats_are_told_from_ones_own() -> None:
    seen: dict[str, list[str]] = {}
    looked(lambda view: seen.update({view.seat: view.others}))
    assert seen == {"A": ["B", "C"], "B": ["C", "A"], "C": ["A", "B"]}


def test_known_and_unseen_make_up_the_deck() -> None:
    def look(view: View) -> None:
        others = [
            face for name in view.memory.zone if not name.startswith("hand") for face in view.zone(name)
        ]
        known = [*view.known.values(), *(face for face in others if face != "??")]
        assert len(known) + view.unseen.total() == 54
        assert not view.unseen.keys() & set(known)
        assert view.counts == {seat: len(view.hand(seat)) for seat in view.seats}
        assert view.known == {
            place: face for seat in view.seats for place, face in view.hand(seat).items() if face != "??"
        }
        assert all(view.seat in view.seen_by(place) for place in view.known)
        assert view.top == next(reversed(view.zone("pile")), None)
        rank = view.top[0] if view.top else None
        assert set(view.matching) == {place for place, face in view.known.items() if face[0] == rank}

    looked(look)


def test_expectations_are_means_of_samples() -> None:
    """What is expected of a place is what its card counts on average over the deals that agree with what is known."""
    rng = random.Random(1)

    def look(view: View) -> None:
        if rng.random() > 0.02:
            return
        deals = [view.sample(rng) for _ in range(400)]
        for seat in view.seats:
            for place in view.hand(seat):
                counted = fmean(view.worth(deal[f"hand {seat}"][int(place[1:])]) for deal in deals)
                assert counted == pytest.approx(
                    view.expected(place), abs=2.0 if place not in view.known else 0
                )
                assert not view.barred(place) & {deal[f"hand {seat}"][int(place[1:])] for deal in deals}

    looked(look)


def test_samples_fill_every_zone() -> None:
    rng = random.Random(1)

    def look(view: View) -> None:
        deal = view.sample(rng)
        assert sorted(face for cards in deal.values() for face in cards if face != "--") == sorted(
            view.info.worth
        )
        assert deal["pile"] == view.zone("pile")
        for seat in view.seats:
            places = {f"{seat}{n}": face for n, face in enumerate(deal[f"hand {seat}"]) if face != "--"}
            assert places.keys() == view.hand(seat).keys()
            assert all(view.known.get(place, face) == face for place, face in places.items())

    looked(look)


def test_barred_cards_are_found_by_wrong_snaps() -> None:
    found: list[set[str]] = []
    looked(lambda view: found.extend(view.barred(place) for seat in view.seats for place in view.hand(seat)))
    assert max(map(len, found)) >= 4
    assert all(
        len({face[0] for face in bars}) * 4 == len(bars) or any(face[0] == "X" for face in bars)
        for bars in found
    )


def test_how_it_stands() -> None:
    callers: set[str | None] = set()

    def look(view: View) -> None:
        callers.add(view.caller)
        assert view.round == 1
        assert view.totals == dict.fromkeys("ABC", 0)
        assert view.turn in (None, *view.seats)
        assert view.asked
        assert view.prompt
        assert view.public["caller"] == view.caller
        if view.held:
            assert view.held in view.info.worth
        if any(move.startswith("snap") for move in view.moves) and "pass" not in view.moves:
            assert view.open

    looked(look)
    assert len(callers) > 1


def test_facts_say_what_happened() -> None:
    heard: list[Fact] = []
    asked: list[Fact] = []

    class Hears(Bot):
        def setup(self, info: Info) -> None:
            self.lines: list[Fact] = []

        def act(self, view: View) -> str:
            asked.extend(view.facts if view.seat == "A" else ())
            return next(move for move in view.moves if move != "cambio")

        def react(self, view: View) -> str | None:
            asked.extend(view.facts if view.seat == "A" else ())
            return None

        def hear(self, fact: Fact) -> None:
            if self.info.seat == "A":
                heard.append(fact)

    rules = find("cambio")
    play(Pairing(rules, rules.defaults.read({"max_turns": 9}), [Hears] * 2, "ab"), range(2), b"facts")
    assert heard[: len(asked)] == asked
    kinds = [fact.kind for fact in heard]
    assert kinds[0] == "round"
    assert kinds[1] == "shuffled"
    assert heard[2] == Fact("moved", "deck", "hand A", "??")
    assert Fact("acted", "A", "", "peek 1 2") in heard
    shown = heard[heard.index(Fact("acted", "A", "", "peek 1 2")) + 1]
    assert (shown.kind, shown.source, shown.eyes) == ("shown", "A1", ("A",))
    assert shown.face != "??"
    theirs = heard[heard.index(Fact("acted", "B", "", "peek 1 2")) + 1]
    assert (theirs.source, theirs.face, theirs.eyes) == ("B1", "??", ("B",))
    assert all("deck" not in fact.face and len(fact.face) < 14 for fact in heard)
