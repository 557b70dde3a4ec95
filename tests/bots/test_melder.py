"""melder does what plainly is to be done, and beats random."""

from __future__ import annotations

from lanplay.arena import MatchSpec, run_match
from tests.bots.places import position, says, turn


def dealt(a: str, b: str, river: str, *pile: str) -> str:
    """The deck line that deals A and B these hands."""
    hands = [card for pair in zip(a.split(), b.split(), strict=True) for card in pair]
    return " ".join(["deck", *hands, river, *pile])


def test_it_goes_out_when_it_can() -> None:
    game = position(
        "cambio-rummy", dealt("5 5 5 5 6 6 6 9", "1 2 4 5 7 8 RR BK", "3", "6"), "option max_rounds 1"
    )
    made = turn("melder", game, "A")
    assert sorted(made) == ["discard 9", "draw", "meld kind 5 5 5 5", "meld kind 6 6 6 6"]
    assert game.over


def test_it_keeps_a_card_for_the_discard() -> None:
    """All nine cards would fit: one of them has to be left, and the cheapest is."""
    game = position(
        "cambio-rummy", dealt("1 1 1 1 6 6 6 9", "1 2 4 5 7 8 RR BK", "3", "9"), "option max_rounds 1"
    )
    assert turn("melder", game, "A")[0] == "draw"
    game = position("cambio-rummy", dealt("1 1 1 1 6 6 6 9", "1 2 4 5 7 8 RR BK", "9", "2"), "A draw")
    made = turn("melder", game, "A")
    assert made[-1] in ("discard 2", "discard 9")
    game = position("cambio-rummy", dealt("1 1 1 1 6 6 9 9", "1 2 4 5 7 8 RR BK", "6"), "option max_rounds 1")
    assert says("melder", game, "A") == "river 1"
    game = position(
        "cambio-rummy", dealt("1 1 1 1 6 6 6 9", "1 2 4 5 7 8 RR BK", "3", "1"), "option max_rounds 1"
    )
    turn("melder", game, "A")
    assert game.over
    game = position(
        "cambio-rummy", dealt("1 1 1 1 6 6 6 6", "1 2 4 5 7 8 RR BK", "3", "1"), "option max_rounds 1"
    )
    assert turn("melder", game, "A")[-1] == "discard 1"
    assert game.totals[0] == 28


def test_it_does_not_go_out_if_another_would_win_by_that() -> None:
    lines = (
        dealt("1 1 1 1 2 2 2 2", "RK RK BK BK BK 4 6 8", "3", "5", "RR", "3"),
        "A draw",
        "A discard 5",
        "B draw",
        "B meld kingdom RK RK BK BK BK",
        "B discard RR",
    )
    game = position("cambio-rummy", "option target 40", *lines)
    turn("melder", game, "A")
    assert not game.over
    assert list(game.must_act) == [1]
    game = position("cambio-rummy", "option target 90", lines[0], *lines)
    turn("melder", game, "A")
    assert len(game.rounds) == 1
    game = position("cambio-rummy", "option target 90", "option max_rounds 1", *lines)
    turn("melder", game, "A")
    assert not game.over


def test_it_takes_from_the_river_what_completes_a_meld() -> None:
    game = position("cambio-rummy", dealt("7 7 1 3 5 9 RR BK", "1 2 4 5 6 8 RR BK", "7"))
    assert turn("melder", game, "A")[:2] == ["river 1", "meld kind 7 7 7"]


def test_it_leaves_the_river_for_the_pile_if_that_brings_only_dear_cards() -> None:
    turns = "A draw, A discard 1, B draw, B discard 8, A draw, A discard BK, B draw, B discard SR"
    hands = dealt("1 1 1 5 5 7 7 3", "8 SR 4 4 6 2 9 3", "RR", "BK", "2", "3", "3")
    game = position("cambio-rummy", hands, *turns.split(", "))
    assert "river 2" in map(str, game.legal(0))
    assert says("melder", game, "A") == "draw"


def test_the_energy_rune_goes_to_the_dearest_play() -> None:
    game = position("cambio-rummy", dealt("1 1 1 8 8 8 ER 5", "1 2 4 5 6 3 RR BK", "7", "3"))
    made = turn("melder", game, "A")
    assert "meld kind 8 8 8 +" in made
    assert "meld kind 1 1 1" in made


def test_it_adds_to_the_melds_of_others_after_one_of_its_own() -> None:
    lines = ["A draw", "A meld kind 8 8 8", "A discard 1", "B draw"]
    game = position("cambio-rummy", dealt("1 2 5 8 8 8 7 RR", "8 8 4 4 4 9 BK 1", "7", "3", "5"), *lines)
    assert turn("melder", game, "B")[:2] == ["meld kind 4 4 4", "add M1 8 8"]


KINGS = dealt("1 1 1 RK RK BK BK 9", "CR 2 4 5 7 8 RR BK", "3", "6")


def test_a_chaos_rune_explodes_the_dearest_play_and_no_cheap_one() -> None:
    game = position("cambio-rummy", KINGS, "A draw", "A meld kind 1 1 1")
    assert says("melder", game, "B", "react") is None
    game.play(0, "meld kingdom RK RK BK BK")
    assert says("melder", game, "B", "react") == "chaos P2"


def test_what_is_added_to_a_new_meld_goes_with_it() -> None:
    """P1 is a meld of 21 points with 7 added to it as P2: only together they are worth the rune."""
    hands = dealt("7 7 7 7 1 1 2 9", "CR 2 4 5 6 8 RR BK", "3", "6")
    game = position("cambio-rummy", hands, "A draw", "A meld kind 7 7 7")
    assert says("melder", game, "B", "react") is None
    game.play(0, "add M1 7")
    assert says("melder", game, "B", "react") == "chaos P1"


def test_near_the_end_of_a_round_the_rune_is_not_kept() -> None:
    hands = dealt("3 3 3 6 6 6 6 9", "CR 2 4 5 7 8 RR BK", "3", "1")
    game = position("cambio-rummy", hands, "A draw", "A meld kind 3 3 3")
    assert says("melder", game, "B", "react") is None
    game = position("cambio-rummy", hands, "A draw", "A meld kind 6 6 6 6", "A meld kind 3 3 3")
    assert len(game.table.lay[game.zones.names.index("hand A")]) == 2
    assert says("melder", game, "B", "react") == "chaos P1"


def test_melder_beats_random() -> None:
    best, other = run_match(MatchSpec("cambio-rummy", ("melder", "random"), 20, seed=3)).ranking()
    assert best.bot == "melder"
    assert best.share >= 0.95
    assert best.points > 2 * other.points
