"""The full screen without a terminal: what is shown of each game, what keys do, and what they never do."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from lanplay.games import registry
from lanplay.room.desk import Manners
from lanplay.room.witness import Verdict
from lanplay.screen.full.keys import Keys
from lanplay.screen.full.menu import completed
from lanplay.screen.full.picture import Size, picture
from lanplay.screen.full.text import Marker, Span, bare, card, fitted, width_of, wrapped
from lanplay.screen.talk import LOST
from lanplay.wire import messages as wire
from tests.room.test_desk import seed as rummy_seed
from tests.screen.full import Player
from tests.screen.tables import Table
from tests.screen.test_games import many, played

SIZES = [Size(80, 24), Size(60, 20), Size(200, 50), Size(60, 16), Size(100, 12), Size(30, 8)]


def begun(**more: Any) -> Player:
    """Ann and Bob have declined the first peek; it is Ann's turn."""
    table = Table("Ann", "Bob", **more)
    table.type("Bob", "pass")
    player = Player(table)
    player.enter("pass")
    player.seen()
    return player


# ---- what is shown ------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [*registry()])
def test_every_game_fits_every_terminal_all_through(game: str) -> None:
    table, dice = Table("Ann", "Bob", "Cem", game=game), random.Random(5)
    player = Player(table)
    for n in range(40):
        assert player.reads(SIZES[n % len(SIZES)])
        for name in ("Ann", "Bob", "Cem"):
            follower = table.mode(name).follower
            if follower.asks == "act":
                table.type(name, dice.choice(follower.legal))
                break
        player.wait()
        player.look()


def test_the_table_of_cambio() -> None:
    player = begun()
    shown = player.shows()
    assert shown[0].split() == ["Cambio,", "round", "1", "YOUR", "MOVE"]
    assert "> Ann (A, you)  A1 ??  A2 ??  A3 ??  A4 ??" in shown
    assert "  Bob (B)       B1 ??  B2 ??  B3 ??  B4 ??" in shown
    assert "  The deck: 46 cards" in shown
    assert "  1 cambio     2 draw" in shown
    player.enter("draw")
    held = player.table.around.room.game
    assert held
    assert any("held: " in line and "??" not in line.split("held: ")[1] for line in player.shows())


def test_a_peek_is_seen_until_the_next_move() -> None:
    table = Table("Ann", "Bob")
    player = Player(table)
    player.enter("peek 1 2")
    mine = next(line for line in player.shows() if "(A, you)" in line)
    assert mine.count("??") == 2
    player.other("Bob", "pass")
    mine = next(line for line in player.shows() if "(A, you)" in line)
    assert mine.count("??") == 4


def test_a_hand_without_places_is_shown_in_the_order_of_the_deck() -> None:
    player = Player(many())
    player.client.hear_all(player.now)
    (hand,) = [line for line in player.shows() if line.startswith(" Your hand (")]
    faces = hand.partition(": ")[2].split()
    known = list(player.client.mode.follower.zones.deck.faces)
    assert faces == sorted(faces, key=known.index)
    assert len(faces) == 9


def test_suits_are_set_apart_in_a_hand() -> None:
    player = Player(Table("Ann", "Bob", "Cem", game="not-at-home"))
    text = next(line for line in player.shows(Size(160, 40)) if line.startswith(" Your hand ("))
    groups = [group.split() for group in text.partition(": ")[2].split("  ")]
    assert 1 < len(groups) <= 4
    assert all(len({face[1] for face in group}) == 1 for group in groups)


def test_all_of_a_long_table_can_be_seen() -> None:
    player = Player(played("cambio-rummy", "Ann", "Bob", "Cem", steps=45, seed=2))
    whole = player.shows(Size(80, 120))
    small = player.reads(Size(80, 18))
    assert "F2 shows them" in small
    player.client.show_large("table")
    pages = set()
    for _ in range(6):
        pages |= set(player.shows(Size(80, 18)))
        player.client.scroll(1, 5)
    melds = [line for line in whole if line.startswith("    M")]
    assert melds
    assert set(melds) <= pages
    player.client.back(player.now)
    assert player.reads(Size(80, 18)) == small


def test_the_log_is_scrolled_and_stays_at_its_end() -> None:
    player = begun()
    for n in range(60):
        player.client.told([f"line {n}"])
    assert "line 59" in player.reads()
    player.client.scroll(-1, 10)
    assert "line 59" not in player.reads()
    assert "more below" in player.reads()
    player.client.scroll(-1000, 10)
    assert "Welcome" in player.reads()
    player.client.scroll(2000, 10)
    assert "line 59" in player.reads()


def test_the_clock_runs() -> None:
    table = Table("Ann", "Bob", manners=Manners(turn_time=60))
    player = Player(table)
    assert "0:59" in player.shows()[0] or "1:00" in player.shows()[0]
    player.wait(30)
    assert "0:29" in player.shows()[0] or "0:30" in player.shows()[0]


# ---- letters that others have chosen ----------------------------------------------------------------------


def test_names_and_words_of_others_are_only_letters() -> None:
    evil = "[red]B\x1b[2Job[/]"
    table = Table("Ann", evil)
    player = Player(table)
    table.around.say(table.keys[evil], wire.Chat("[link=x]hi[/link] \x1b]0;title\x07\u202eabc"))
    player.look()
    text = player.reads()
    assert "[red]B" in text
    assert "[link=x]hi[/link]" in text
    assert not [letter for letter in text if ord(letter) < 32 and letter != "\n"]
    assert "\u202e" not in text


def test_wide_letters_take_two_cells() -> None:
    assert width_of(fitted((Span("漢字漢字"),), 5)) == 5
    assert all(width_of((Span(part),)) <= 6 for part in wrapped("漢字漢字 漢字漢字", 6))
    assert "".join(wrapped("漢字漢字漢字", 5)) == "漢字漢字漢字"


def test_cards_are_letters_first_and_coloured_second() -> None:
    assert card("7d") == Span("7d", "bold red")
    assert card("7c") == Span("7c", "bold")
    assert card("RR").style == "bold red"
    assert card("BK").style == "bold blue"
    marked = Marker(["7", "RR", "7d"])("You draw 7 and 7d, RR.")
    assert [span.text for span in marked if span.style] == ["7d", "RR"]
    assert bare(marked) == "You draw 7 and 7d, RR."


@pytest.mark.parametrize("game", [*registry()])
def test_whatever_is_pressed_the_screen_holds(game: str) -> None:
    table, dice = (
        Table("Ann", "Bob", "Cem", game=game, options={"max_turns": 9} if "cambio" in game else {}),
        random.Random(3),
    )
    player = Player(table)
    client = player.client
    texts = [
        "1",
        "2",
        "draw",
        "pass",
        "say [x]",
        "help",
        "rules",
        "moves b",
        "ok",
        "ask b",
        "sn",
        "\x1b[2J",
        "0",
        "9" * 9,
        "?",
    ]
    keys: list[Callable[[], object]] = [
        lambda: player.enter(dice.choice(client.mode.follower.legal or ["1"])),
        lambda: client.menu.step(dice.choice([-9, -1, 1, 1, 5])),
        player.enter,
        lambda: client.complete(player.now),
        lambda: client.back(player.now),
        lambda: player.react(dice.randrange(4, 11)),
        lambda: client.let_stand(player.now),
        lambda: client.show_large(dice.choice(["table", "log"])),
        lambda: client.scroll(dice.choice([-1, 1]), 5),
        lambda: player.type(dice.choice(texts)),
        lambda: player.enter(dice.choice(texts)),
    ]
    for n in range(250):
        dice.choice(keys)()
        player.wait(dice.choice([0.01, 0.5]))
        for name in ("Bob", "Cem"):
            follower = table.mode(name).follower
            if follower.legal and dice.random() < 0.4:
                player.other(name, dice.choice(follower.legal))
        player.shows(SIZES[n % len(SIZES)])
    assert len(player.moves()) > 5


# ---- choosing ---------------------------------------------------------------------------------------------


def test_nothing_is_marked_until_the_player_marks_it() -> None:
    player = begun()
    player.enter()
    assert player.moves() == ["pass", "pass"]
    assert "Nothing is marked" in player.reads()


def test_arrows_and_enter() -> None:
    player = begun()
    player.client.menu.step(1)
    player.client.menu.step(1)
    assert any("> 2 draw" in line for line in player.shows())
    player.enter()
    assert player.moves()[-1] == "draw"
    assert player.client.menu.cursor is None


@pytest.mark.parametrize("text", ["2", "draw", "  DRAW "])
def test_a_number_or_the_move_itself(text: str) -> None:
    player = begun()
    player.enter(text)
    assert player.moves()[-1] == "draw"
    assert player.client.text == ""


def test_many_moves_are_opened_group_by_group() -> None:
    player = Player(many())
    rows = player.client.menu.rows
    assert len(rows) < 12
    number = next(n for n, row in enumerate(rows, 1) if row.group)
    player.enter(str(number))
    assert player.client.menu.opened == rows[number - 1].group
    opened = player.client.menu.rows
    assert all(row.move.startswith(rows[number - 1].group) for row in opened)
    player.client.back(player.now)
    assert player.client.menu.rows == rows
    player.enter(str(number))
    player.seen()
    player.client.menu.step(1)
    player.enter()
    assert player.moves()[-1] == opened[0].move


def test_what_is_typed_narrows_the_list_and_is_completed() -> None:
    player = Player(Table("Ann", "Bob", "Cem", game="not-at-home"))
    player.type("ask c")
    rows = player.client.menu.rows
    assert rows
    assert all(row.move.startswith("ask C ") for row in rows)
    player.client.typed("as", player.now)
    player.client.complete(player.now)
    assert player.client.text == "ask "
    player.type("ask c")
    player.seen()
    player.client.menu.step(1)
    player.enter()
    assert player.moves() == [rows[0].move]


def test_completion() -> None:
    moves = ["snap 1", "snap 2", "draw", "meld flow 3 4 5"]
    assert completed("s", moves, []) == "snap "
    assert completed("dr", moves, []) == "draw"
    assert completed("MELD f", moves, []) == "meld flow 3 4 5"
    assert completed("x", moves, ["rules"]) == "x"
    assert completed("ru", moves, ["rules"]) == "rules"
    assert completed("", moves, []) == ""


def test_a_refusal_is_said_and_changes_nothing() -> None:
    player = begun()
    player.enter("swap 2")
    assert "Not now: Call Cambio" in player.shows()[-1]
    player.enter("drwa")
    assert "Did you mean draw?" in player.reads()
    player.enter("77")
    assert "There is no number 77" in player.shows()[-1]
    assert player.moves() == ["pass", "pass"]


def test_words_have_answers() -> None:
    player = begun()
    player.enter("help")
    assert "F5 to F9" in player.reads()
    assert "  1 cambio     2 draw" in player.shows()  # what can be done stays in sight
    player.client.back(player.now)
    assert "F5 to F9" not in player.reads()
    player.enter("rules")
    assert "C1.1 Be first." in player.reads()
    assert " The rules" in player.reads()
    player.enter("say hello")
    assert "Ann says: hello" in player.reads()
    player.enter("quit")
    assert player.client.mode.end == "left"


# ---- races between the table and a key ----------------------------------------------------------------------


def test_enter_does_nothing_of_a_list_that_has_just_come() -> None:
    player = begun()
    player.client.menu.step(1)  # cambio
    player.enter("draw")
    player.client.menu.step(1)  # a key that was meant for the old list
    player.enter()
    assert player.moves()[-1] == "draw"
    assert "just changed" in player.shows()[-1]
    player.seen()
    player.client.menu.step(1)
    player.enter()
    assert player.moves()[-1] == "swap 1"


def test_a_mark_does_not_go_over_to_another_list() -> None:
    player = begun()
    player.enter("draw")
    player.enter("discard")
    player.look()
    if player.client.mode.follower.asks == "act":  # whatever the card can do is declined
        player.enter("pass")
    assert player.client.menu.rows == []
    player.other("Bob", "draw")
    player.other("Bob", "swap 1")
    assert player.client.menu.cursor is None
    assert player.client.mode.follower.asks == "act"


def test_a_number_counts_only_for_the_list_it_was_typed_for() -> None:
    player = begun()
    player.enter("draw")
    player.enter("swap 1")
    player.other("Bob", "draw")
    player.type("2")  # nothing is listed yet
    player.other("Bob", "swap 1")
    assert player.client.mode.follower.asks == "act"
    player.seen()
    before = player.moves()
    player.enter()
    assert player.moves() == before
    assert "has changed since you typed 2" in player.shows()[-1]


def test_a_move_is_an_answer_to_what_had_been_seen() -> None:
    player = begun()
    player.enter("draw")
    player.enter("swap 1", hasty=True)  # sent at the moment in which this is asked: meant for something else
    assert "The table changed before swap 1 came" in player.reads()
    player.enter("swap 1")
    assert player.moves()[-1] == "swap 1"


def test_nothing_is_taken_when_another_card_has_just_come_to_lie_there() -> None:
    player = begun()
    player.enter("draw")
    player.enter("swap 1")
    player.other("Bob", "draw")
    player.wait()
    player.other("Bob", "swap 1")
    assert "take" in player.client.mode.follower.legal
    before = player.moves()
    player.enter("take", hasty=True)
    assert player.moves() == before
    assert "just changed" in player.shows()[-1]
    player.seen()
    player.enter()
    assert player.moves()[-1] == "take"


def test_a_snap_is_aimed_at_the_card_that_was_seen() -> None:
    player = begun()
    player.enter("draw")
    player.enter("swap 1")
    player.wait()
    assert "F6 snap 2" in player.reads()
    player.other("Bob", "draw")
    player.wait()
    player.other("Bob", "swap 1")  # another card lies there now
    player.react(6)
    assert "Too late for snap 2" in player.reads()
    before = len(player.moves())
    player.seen()
    player.react(6)
    assert player.moves()[before:] == ["snap 2"]


def test_a_snap_leaves_alone_what_is_typed_and_marked() -> None:
    player = begun(options={"snap_window": 0})
    player.enter("draw")
    player.enter("swap 1")
    player.wait()
    player.other("Bob", "draw")
    player.other("Bob", "swap 1")
    player.seen()
    player.client.menu.step(1)
    player.type("dra")
    marked = player.client.menu.cursor
    player.react(5)
    assert player.moves()[-1] == "snap 1"
    assert (player.client.text, player.client.menu.cursor) == ("dra", marked)


def test_a_function_key_that_means_something_else_just_now_does_nothing() -> None:
    keys = Keys()
    keys.offer(["snap 1", "snap 2"], 1.0)
    assert keys.move(6, 1.0) == "snap 2"
    keys.offer(["snap 2"], 2.0)
    assert keys.moves == {6: "snap 2"}
    keys.offer(["snap 3", "snap 2"], 3.0)
    assert keys.move(5, 2.9) == ""
    assert keys.move(5, 3.0) == "snap 3"
    keys.offer([], 4.0)
    keys.offer(["snap 2", "snap 3"], 5.0)
    assert keys.moves == {5: "snap 3", 6: "snap 2"}


def test_moves_out_of_turn_are_listed_without_being_in_the_way() -> None:
    player = begun(game="cambio52", options={"first_peek": "choose"})
    player.enter("draw")
    player.enter("swap 1")
    player.wait()
    assert "Tab and" in player.reads()
    player.client.complete(player.now)
    assert "Out of turn (Esc: back):" in player.reads()
    assert "snap B4" in [row.move for row in player.client.menu.rows]
    player.client.back(player.now)
    assert player.client.menu.rows == []


def held() -> Player:
    """Ann, at B, may explode what Cem has laid: his discard waits for her."""
    deal, meld = rummy_seed(2)
    table = Table("Cem", "Ann", game="cambio-rummy", seed=deal)
    table.type("Cem", "draw")
    table.type("Cem", meld)
    follower = table.mode("Cem").follower
    discard = next(move for move in follower.legal if move.startswith("discard"))
    table.around.say(table.keys["Cem"], wire.Act(b"discard!", discard, follower.step or 0, 0))
    return Player(table, seat="B")


def test_a_move_that_waits_is_let_stand_with_one_key() -> None:
    player = held()
    text = player.reads()
    assert "F5 chaos P1 (explodes" in text
    assert "F4 let it stand" in text
    assert "Cem is about to move on" in text
    player.client.let_stand(player.now)
    player.look()
    assert player.moves()[-1].startswith("discard")
    assert "F4" not in player.reads()


def test_a_move_that_waits_is_objected_to_with_one_key() -> None:
    player = held()
    player.react(5)
    assert player.moves()[-1] == "chaos P1"
    player.client.let_stand(player.now)
    assert not player.client.mode.follower.status or not player.client.mode.follower.status.held


# ---- the host goes, and the end ---------------------------------------------------------------------------


def test_a_lost_host_is_said_and_nothing_typed_is_lost() -> None:
    player = begun()
    player.type("say hello")
    player.line.away = True
    player.look()
    assert LOST in player.shows()[-1]
    player.enter()
    assert player.client.text == "say hello"
    assert "hello" not in "\n".join(player.client.log)
    player.line.away = False
    player.look()
    assert LOST not in player.reads()
    player.enter()
    assert "Ann says: hello" in player.client.log


def test_a_second_move_waits_until_the_first_is_answered() -> None:
    player = begun()
    player.client.mode.busy = True
    player.enter("draw")
    assert player.client.text == "draw"
    assert "not answered yet" in player.shows()[-1]
    player.client.mode.busy = False
    player.enter()
    assert player.moves()[-1] == "draw"


def test_the_end_stays_on_the_screen_until_enter() -> None:
    player = begun(options={"max_turns": 2})
    player.enter("draw")
    player.enter("swap 1")
    player.other("Bob", "draw")
    player.other("Bob", "swap 1")
    assert player.client.mode.follower.status
    assert player.client.mode.follower.status.over
    assert "The game is over" in player.shows()[0]
    assert any(line.startswith("The game is over.") for line in player.client.last)
    player.enter()  # meant for something before
    assert not player.client.gone
    player.wait(2)
    player.enter()
    assert player.client.gone


def test_the_verdict_is_the_last_that_is_told() -> None:
    player = begun()
    mode = player.client.mode
    player.client.told(mode.hear(wire.Notice("resumed", "The game goes on."), None, Verdict(True, "Proved.")))
    assert "Proved." in player.reads()
    assert player.client.over


def test_who_looks_on_sees_the_table_and_no_list() -> None:
    table = Table("Ann", "Bob")
    table.join("Wat", "watch")
    player = Player(table, "Wat")
    text = player.reads()
    assert "Ann (A)" in text
    assert "Waiting for Ann and Bob" in text
    assert player.client.menu.rows == []
    player.enter("pass")
    assert "You look on" in player.shows()[-1]


def test_the_lobby() -> None:
    player = Player(Table("Ann", size=3))
    text = player.reads()
    assert "At the table: Ann (A, you)." in text
    assert "Waiting for 2 more." in text
    assert picture(player.client, Size(80, 24), 0.0).lines
