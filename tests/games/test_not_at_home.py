"""Not at Home: the deal, what is seen, and complete lists. What a record can prove stands in tests/rules/not-at-home."""

from __future__ import annotations

from typing import Any

import pytest

from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.engine.words import SEATS, Move
from lanplay.games import find
from lanplay.games.not_at_home import NotAtHome
from lanplay.record.replay import Replay
from lanplay.record.text import read

# In standard order three players get, among others: A Ac 4c 7c Tc Kc 3d 2h, B 2c 5c 8c Jc Ad 4d 3h, C 3c 6c 9c Qc 2d 5d Ah.
IN_ORDER = "deck Ac"


def played(*lines: str, seats: int = 3, deck: str = IN_ORDER, **options: Any) -> Game:
    """The game after these lines of a record, all of which must hold."""
    head = ["lanplay-record 1", "game not-at-home", *(f"option {name} {options[name]}" for name in options)]
    names = [f"seat {letter} {letter}" for letter in SEATS[:seats]]
    replay = Replay(read("\n".join([*head, *names, deck, *lines, ""])))
    for _ in replay.play():
        pass
    return replay.game


# ---- 1. the deal ----------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", range(3, 9))
def test_n1_2_all_cards_are_dealt_one_at_a_time(seats: int) -> None:
    game = played("? turn A", seats=seats)
    hands = game.state()["hands"]
    assert [len(hands[letter]) for letter in SEATS[:seats]] == [
        52 // seats + (seat < 52 % seats) for seat in range(seats)
    ]
    assert hands["B"][:2] == ["2c", f"{'A23456789TJQK'[1 + seats]}c"]


def test_n1_1_two_or_nine_cannot_play() -> None:
    rules = find("not-at-home")
    for seats in (2, 9):
        with pytest.raises(ValueError, match="3 to 8 players"):
            Game(rules, seats, rules.defaults, seeded(b""))


def test_n1_2_a_hand_is_its_owners_and_how_many_cards_it_has_is_public() -> None:
    game = played()
    hands = game.state(1)["hands"]
    assert hands["A"] == ["??"] * 18
    assert hands["B"][0] == "2c"
    assert game.object({0: "A", 1: "B", 2: "C"}, 1)["legal"] == {}


# ---- 2. asking ------------------------------------------------------------------------------------


def test_n2_7_the_card_handed_over_is_seen_by_all_and_covered_again() -> None:
    game = played("A ask B 2c")
    moved = [fact for fact in game.log or [] if fact[0] == "moved"][-1]
    assert moved[5:] == (1, 0xFFFF)
    assert game.state(2)["hands"]["A"] == ["??"] * 19


# ---- laws -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(12))
def test_lists_hold_exactly_what_is_not_refused(seed: int) -> None:
    rules = find("not-at-home")
    words = {
        "on_miss": ("another", "next", "asked")[seed % 3],
        "repeat_asks": "no" if seed % 4 else "yes",
        "max_turns": 30,
    }
    game = Game(rules, 3 + seed % 6, rules.defaults.read(words), seeded(b"%d" % seed))
    everything = [
        rules.read(f"ask {letter} {face}") for letter in SEATS for face in game.zones.deck.faces[:52]
    ]
    step = 0
    while not game.over:
        seat, table = game.must_act[0], game.table
        assert isinstance(table, NotAtHome)
        legal = game.legal(seat)
        if step % 7 == 0:
            assert list(legal) == [move for move in everything if allowed(table, seat, move)]
            assert set(legal) <= set(table.widest(seat))
        game.play(seat, legal[(step * 31 + seed) % len(legal)])
        step += 1


def allowed(table: NotAtHome, me: int, move: Move) -> bool:
    of, card = move.args
    if of >= len(table.hands) or table.shut >> of & 1 or card in table.lay[table.hands[me]]:
        return False
    return table.zones.repeat_asks or not table.lacks[of] >> card & 1
