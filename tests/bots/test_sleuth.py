"""sleuth asks for what it knows, then for what is likeliest, and wins more than its share."""

from __future__ import annotations

import pytest

from lanplay.arena import MatchSpec, run_match
from lanplay.arena.game import Pairing, play
from lanplay.bot import Bot, View
from lanplay.bot.load import load
from lanplay.games import find
from tests.bots.places import position, says

DECK = "deck Ac 2c 3c 4c 5c 6c"  # A: Ac 4c …, B: 2c 5c …, C: 3c 6c …: all others in standard order


def test_it_asks_for_the_card_that_all_have_seen_go_to_another() -> None:
    game = position("not-at-home", DECK, "A ask B 2c", "A ask B 3c", "A ask C 8c", seats=3)
    assert says("sleuth", game, "B") in ("ask A 2c", "ask C 3c")
    game.play(1, "ask A 2c")
    assert says("sleuth", game, "B") == "ask C 3c"


def test_what_one_of_two_has_not_the_other_has() -> None:
    game = position("not-at-home", DECK, "A ask B 3c", seats=3)
    assert says("sleuth", game, "A") == "ask C 3c"


def test_who_asks_for_a_card_does_not_have_it() -> None:
    """A asked B for 6c, which C holds: B, who has not got it, knows where it is."""
    game = position("not-at-home", DECK, "A ask B 6c", "A ask C 5c", seats=3)
    assert says("sleuth", game, "B") == "ask C 6c"


def test_chances_add_up_and_keep_to_what_is_known() -> None:
    sleuth = load("sleuth")
    looks = 0

    class Looks(sleuth):  # type: ignore[misc,valid-type]
        def act(self, view: View) -> str:
            nonlocal looks
            looks += 1
            chances = self.reckoned(view)
            for face, chance in chances.items():
                assert sum(chance.values()) == pytest.approx(1)
                assert not any(face in view.barred(f"hand {seat}") for seat in chance)
            for seat in view.others:
                room = view.zone(f"hand {seat}").count("??")
                assert sum(of.get(seat, 0) for of in chances.values()) == pytest.approx(room, abs=0.5)
            return str(super().act(view))

    rules = find("not-at-home")
    kinds: list[type[Bot]] = [Looks, load("random"), load("random"), load("random")]
    done = play(Pairing(rules, rules.defaults, kinds, "abcd"), range(4), b"chances")
    assert [health.whys for health in done.health] == [{}] * 4
    assert looks > 20


def test_chances_are_those_of_the_deals_that_agree() -> None:
    """By the balance of rows and columns, the chance is near the share of sampled deals with the card there."""
    sleuth, compared = load("sleuth"), 0

    class Looks(sleuth):  # type: ignore[misc,valid-type]
        def act(self, view: View) -> str:
            nonlocal compared
            if compared < 200 and view.facts and view.unseen.total() < 30:
                deals = [view.sample(self.rng) for _ in range(200)]
                for face, chance in list(self.reckoned(view).items())[:10]:
                    for seat, expected in chance.items():
                        found = sum(face in deal[f"hand {seat}"] for deal in deals) / len(deals)
                        assert found == pytest.approx(expected, abs=0.2)
                        compared += 1
            return str(super().act(view))

    rules = find("not-at-home")
    kinds: list[type[Bot]] = [Looks, load("random"), load("random"), load("random")]
    done = play(Pairing(rules, rules.defaults, kinds, "abcd"), range(4), b"samples")
    assert [health.whys for health in done.health] == [{}] * 4
    assert compared >= 100


@pytest.mark.parametrize("on_miss", ["another", "next", "asked"])
def test_sleuth_wins_more_than_its_share(on_miss: str) -> None:
    spec = MatchSpec("not-at-home", ("sleuth", *["random"] * 3), 40, seed=3, options={"on_miss": on_miss})
    best, _ = run_match(spec).ranking()
    assert best.bot == "sleuth"
    assert best.share >= 0.36
