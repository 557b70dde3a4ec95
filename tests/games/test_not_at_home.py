"""Not at Home, clause by clause: records that hold what must be so (seeds/not-at-home.md)."""

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


def test_n2_2_who_has_the_card_hands_it_over_and_the_asker_goes_on() -> None:
    game = played("A ask B 2c", "? turn A", "A ask B 5c", "A ask C 3c", "? turn A")
    assert game.state()["hands"]["A"][:5] == ["Ac", "2c", "3c", "4c", "5c"]


def test_n2_7_the_card_handed_over_is_seen_by_all_and_covered_again() -> None:
    game = played("A ask B 2c")
    moved = [fact for fact in game.log or [] if fact[0] == "moved"][-1]
    assert moved[5:] == (1, 0xFFFF)
    assert game.state(2)["hands"]["A"] == ["??"] * 19


def test_n2_4_another_goes_on_with_who_has_not_yet_missed() -> None:
    played(
        "A ask B 3c", "? turn A", "! A ask B 2c no-such-target", "A ask C 2c", "? turn B",
        "B ask A 2d", "B ask C 3d", "? turn C",
        "C ask B 4c", "C ask A 2h", "? turn C", "C ask A 5c", "? turn A",
    )  # fmt: skip


def test_n2_4_next_ends_the_turn_at_a_miss() -> None:
    played("A ask C 3c", "? turn A", "A ask C 2c", "? turn B", "B ask A 2d", "? turn C", on_miss="next")


def test_n2_4_asked_gives_the_turn_to_who_was_asked() -> None:
    played("A ask C 3c", "? turn A", "A ask C 2c", "? turn C", "C ask B 4c", "? turn B", on_miss="asked")


def stripped(*last: str, **options: Any) -> Game:
    """A asks B for all of B's cards."""
    asks = [f"A ask B {card}" for card in played().state()["hands"]["B"]]
    return played(*asks, *last, **options)


@pytest.mark.parametrize("on_miss", ["another", "next", "asked"])
def test_n2_6_who_has_no_cards_is_out(on_miss: str) -> None:
    game = stripped("? turn A", "! A ask B 3c no-such-target", "! B ask A 3c not-your-turn", on_miss=on_miss)
    assert game.state()["out"] == ["B"]


def test_n2_6_who_is_out_is_skipped() -> None:
    of_b = played(seats=4).state()["hands"]["B"]
    asks = [f"A ask B {card}" for card in of_b]
    played(*asks, "A ask C 4c", "! A ask C 3c no-such-target", "A ask D 3c", "? turn C", seats=4)
    played(*asks, "A ask D 3c", "? turn C", seats=4, on_miss="next")


def test_n2_4_a_hit_that_leaves_nobody_to_ask_passes_the_turn() -> None:
    of_b = played().state()["hands"]["B"]
    game = played("A ask C 2c", "? turn A", *(f"A ask B {card}" for card in of_b), "? turn C")
    assert game.state()["out"] == ["B"]


def test_n2_5_not_for_a_card_of_ones_own() -> None:
    game = played("! A ask B Ac no-such-card")
    assert not [move for move in game.legal(0) if move.endswith("Ac")]


def test_n2_5_not_for_a_card_that_all_have_seen_to_be_elsewhere() -> None:
    played(
        "A ask B 3c", "! A ask B 3c no-such-target", "A ask C 2c", "? turn B",
        "! B ask A 3c no-such-card",  # A has asked for it, and so lacks it
        "B ask A 4c", "B ask A 2d", "B ask C 3d", "? turn C",
        "! C ask B 3d no-such-card",  # B has asked C for it
        "! C ask A 4c no-such-card",  # all have seen it go to B
        "C ask B 4c", "C ask A 5c", "C ask B 6d", "? turn A",
        "! A ask B 3c no-such-card",  # B was not at home
        "! A ask B 4c no-such-card", "A ask C 4c",
    )  # fmt: skip


def test_n2_5_a_card_that_has_come_since_may_be_asked_for() -> None:
    played(
        "A ask B 3c", "! B ask A 3c no-such-card", "B ask C 3c", "B ask A 2d",
        "C ask B 3c", "C ask A 5c", "A ask C 3c", "A ask B Ah", "B ask A 3c", "? turn B", on_miss="next",
    )  # fmt: skip


def test_n2_5_repeat_asks() -> None:
    played(
        "A ask B 3c", "A ask C 2c", "B ask A 3c", "B ask C 2d", "B ask C 4c", "C ask A 2c", "! C ask B 3c no-such-card",
        "? turn C", repeat_asks="yes",
    )  # fmt: skip


def test_what_can_not_be_asked() -> None:
    played(
        "! A ask A 2c no-such-target", "! A ask D 2c no-such-target", "! B ask A Ac not-your-turn",
        "! A ask B Xr syntax", "! A ask 2c syntax", "! A ask B 2C syntax", "! A draw syntax",
        "a ASK  b 2c", "? turn A",
    )  # fmt: skip


# ---- 3. the end -----------------------------------------------------------------------------------


def test_n1_1_who_holds_all_cards_wins() -> None:
    hands = played().state()["hands"]
    asks = [f"A ask {letter} {card}" for letter in "BC" for card in hands[letter]]
    game = played(
        *asks,
        "? over",
        "? winner A",
        "? points A 52 B 0 C 0",
        "! A ask B 2c over",
        "result A 52 B 0 C 0 winner A",
    )
    assert game.totals == (52, 0, 0)
    assert len(game.state(2)["hands"]["A"]) == 52
    assert "??" not in game.state(2)["hands"]["A"]


def test_n3_1_max_turns() -> None:
    game = played("A ask B 2c", "A ask B 3c", "A ask C 5c", max_turns=1)
    assert game.rounds[0].points == (19, 16, 17)
    assert game.winners == (0,)


def test_n3_1_equal_numbers_share_the_win() -> None:
    game = played("A ask B 3c", "B ask C 4c", seats=4, on_miss="next", max_turns=2)
    assert game.rounds[0].points == (13, 13, 13, 13)
    assert game.winners == (0, 1, 2, 3)


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
