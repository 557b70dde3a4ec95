"""Keys at the full screen: how moves are chosen, and what a key never does, whatever has just changed."""

from __future__ import annotations

import pytest

from lanplay.screen.full.keys import Keys
from lanplay.screen.full.menu import Basis, Menu, completed
from lanplay.wire import messages as wire
from tests.room.test_desk import seed as rummy_seed
from tests.screen.full import Player, begun
from tests.screen.tables import Table
from tests.screen.test_games import many

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
    player.type("dra")
    player.client.help(player.now)
    assert "F5 to F9" in player.reads()
    assert player.client.text == "dra"
    player.client.back(player.now)
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


def test_the_same_rows_about_something_else_are_another_list() -> None:
    menu, choice = Menu(), begun().client.mode.choice
    menu.offer(choice, ["pass", "peek 1"], [], Basis("a king"), 1.0)
    menu.step(1)
    menu.typed("2", 1.0)
    menu.step(1)
    menu.offer(choice, ["pass", "peek 1"], [], Basis("a king", aim=3), 2.0)
    assert (menu.cursor, menu.since) == (0, 1.0)
    menu.offer(choice, ["pass", "peek 1"], [], Basis("a queen", aim=3), 3.0)
    assert (menu.cursor, menu.since, menu.numbered()) == (None, 3.0, None)


def test_a_marked_snap_at_another_card_is_marked_no_more() -> None:
    menu, choice = Menu(), begun().client.mode.choice
    menu.offer(choice, ["draw"], ["snap 1", "snap 2"], Basis("turn", aim=1), 1.0)
    menu.typed("snap", 1.0)
    menu.step(1)
    menu.offer(choice, ["draw"], ["snap 1", "snap 2"], Basis("turn", aim=1), 2.0)
    assert menu.cursor == 0
    menu.offer(choice, ["draw"], ["snap 1", "snap 2"], Basis("turn", aim=2), 3.0)
    assert menu.cursor is None


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


def test_a_key_that_has_just_got_its_meaning_does_nothing() -> None:
    player = begun()
    player.enter("draw")
    player.enter("swap 1")
    assert player.client.keys.moves
    player.react(5)
    assert player.moves()[-1] == "swap 1"
    assert "just changed" in player.shows()[-1]
    player.seen()
    player.react(5)
    assert player.moves()[-1] == "snap 1"


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
    assert not any("about to move on" in line for line in player.client.log)  # it is no news when it is done
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


def test_in_the_last_window_a_snap_is_one_key_away_as_well() -> None:
    player = begun()
    player.enter("draw")
    player.enter("swap 1")
    player.other("Bob", "cambio")
    player.enter("draw")
    player.enter("swap 1")
    assert {row.move.split()[0] for row in player.client.menu.rows} == {"snap", "pass"}
    assert "F5 snap 1" in player.reads()
    player.seen()
    player.react(5)
    assert player.moves()[-1] == "snap 1"
