from __future__ import annotations

import pytest

from lanplay.speech.spell import card, count, listed, plain, printed, the


@pytest.mark.parametrize(
    ("face", "words"),
    [
        ("7c", "7 of clubs (7c)"),
        ("Td", "10 of diamonds (Td)"),
        ("As", "ace of spades (As)"),
        ("Kh", "king of hearts (Kh)"),
        ("Xr", "red joker (Xr)"),
        ("RR", "Red Rune (RR)"),
        ("5", "5"),
        ("??", "??"),
        ("new", "new"),
    ],
)
def test_cards_have_names_for_screen_readers(face: str, words: str) -> None:
    assert card(face) == words
    assert the(face) == f"the {words}"


def test_nothing_that_steers_a_terminal_is_printed() -> None:
    told = "Ann\x1b[2J\x07\u202e evil\u200b\u2066\x00\r\nnext\tword"
    assert plain(told) == "Ann[2J evil next word"
    assert printed(["a\nb"]) == "a b\n"


def test_other_scripts_are_printed_as_they_are() -> None:
    assert plain("Zoë Ωμέγα 東京 🂡") == "Zoë Ωμέγα 東京 🂡"


def test_lines_break_between_words() -> None:
    assert printed(["one two three"], 8) == "one two\nthree\n"
    assert printed(["one two three"]) == "one two three\n"
    assert printed(["1: draw, 2: discard 4, 3: x"], 15) == "1: draw,\n2: discard 4,\n3: x\n"
    assert printed(["  M1: a b c"], 8) == "  M1: a\n    b c\n"
    assert printed(["unbreakable-word x"], 5) == "unbreakable-word\nx\n"


def test_lists_and_counts() -> None:
    assert [listed([]), listed(["a"]), listed(["a", "b"]), listed(["a", "b", "c"])] == [
        "",
        "a",
        "a and b",
        "a, b and c",
    ]
    assert [count(1, "card"), count(2, "card"), count(-1, "point")] == ["1 card", "2 cards", "-1 points"]
