"""Moves as lines, in a game that says nothing of itself and in one that does."""

from __future__ import annotations

from lanplay.engine.cards import standard
from lanplay.engine.table import Zones
from lanplay.engine.view import Fold, View
from lanplay.screen.choice import ALL, Choice, meant, respelled
from lanplay.screen.line import LineMode
from lanplay.speech.cast import Cast
from lanplay.speech.speech import COMMON, Scene, Speech


def choice(legal: list[str], speech: Speech = COMMON) -> Choice:
    zones = Zones(standard())
    return Choice(Scene(Cast(0, {0: "Ann"}, zones), View(0, Fold(zones)), {}, {}), speech, legal)


BARTER = [f"barter {face} {seat}{slot}" for face in ("2c", "Td") for seat in "BC" for slot in range(1, 9)]


def test_few_moves_are_numbered_in_a_line() -> None:
    assert choice([]).prompt(["draw", "bid 3"]) == (["1: draw, 2: bid 3"], ["draw", "bid 3"])


def test_more_moves_have_a_line_for_each_verb() -> None:
    moves = ["draw", *(f"trade {'x' * 20} {n}" for n in range(6))]
    lines, numbers = choice([]).prompt(moves)
    assert lines[0] == "1: draw"
    assert lines[1].startswith("2: trade ")
    assert numbers == moves


def test_moves_that_begin_alike_are_one_line_with_an_example() -> None:
    lines, numbers = choice([]).prompt(["pass", *BARTER])
    assert lines == [
        "pass",
        "barter 2c: B1 B2 B3 B4 B5 B6 B7 B8 C1 C2 C3 C4 C5 C6 C7 C8",
        "barter Td: B1 B2 B3 B4 B5 B6 B7 B8 C1 C2 C3 C4 C5 C6 C7 C8",
    ]
    assert numbers == []
    (line,), _ = choice([]).prompt([f"bid {n}" for n in range(50)])
    assert line == "bid: 50 moves, such as bid 0"


def test_too_many_beginnings_are_told_by_verb() -> None:
    lines, _ = choice([]).prompt([f"move {a} {b}" for a in "abcdefghij" for b in range(3)])
    assert lines == ["move: 30 moves, such as move a 0"]


def test_the_example_is_the_best_and_says_why() -> None:
    own = Speech(value=lambda move: int(move.split()[-1]), note=lambda scene, words: f"{len(words)} letters")
    (line,), _ = choice([], own).prompt([f"bid {n}" for n in range(50)])
    assert line == "bid (3 letters): 50 moves, such as bid 49 (6 letters)"


def test_a_list_has_no_more_moves_than_can_be_read() -> None:
    offered = choice([f"go {a} {b}" for a in "xyz" for b in range(40)])
    head, *lines = offered.chosen("")[0]
    assert head == "There are 120 moves. To see a part of them, type for instance moves go x."
    assert lines == [f"go {a}: 40 moves, such as go {a} 0" for a in "xyz"]
    words, numbers = choice([f"put {n} {n}" for n in range(150)]).chosen("put")
    assert words[0].endswith("and 50 more moves of put".removeprefix("and "))
    assert len(numbers) == ALL


def test_a_part_is_chosen_by_any_words() -> None:
    offered = choice(["pass", *BARTER])
    assert offered.chosen("td c7") == (["1: barter Td C7"], ["barter Td C7"])
    assert offered.chosen("bart td b1")[1] == ["barter Td B1"]
    assert offered.chosen("quit")[0] == ["You have no move with quit just now."]


def test_letter_case_is_put_right_where_the_spelling_is_known() -> None:
    assert respelled("BARTER tD b2", BARTER, standard().faces) == "barter Td B2"
    assert respelled("bid 7C now", [], standard().faces) == "bid 7c now"


def test_what_was_meant() -> None:
    assert meant("batrer 2c b1", BARTER, []) == " Did you mean barter 2c B1?"
    assert meant("hepl", BARTER, ["help"]) == " Did you mean help?"
    assert meant("barter with the dragon", BARTER, []) == " You can say for instance barter 2c B1."
    assert meant("zzz", BARTER, ["help"]) == ""


def test_help_in_an_unknown_game_names_its_verbs() -> None:
    mode = LineMode()
    mode.offer.verbs |= {"bid", "barter"}
    assert mode.say("help").lines[-1] == "Moves of this game begin with barter or bid."
