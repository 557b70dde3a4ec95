"""Line mode as a client: what it says when, and what it makes of what is typed."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from lanplay.record.proof import Pledge
from lanplay.room.desk import Manners
from lanplay.room.joint import SECONDS
from lanplay.room.witness import Verdict
from lanplay.screen.line import LineMode, Reply
from lanplay.screen.lobby import SEEDED
from lanplay.speech.spell import printed
from lanplay.wire import messages as wire
from tests.room.honest import KEY, TABLE
from tests.room.table import chooser
from tests.room.test_desk import discard, meld, rummy
from tests.screen.tables import Table

SEEDS = Path(__file__).parents[2] / "seeds"


def begun(**more: Any) -> Table:
    """Ann and Bob have declined the first peek; it is Ann's turn."""
    table = Table("Ann", "Bob", **more)
    table.type("Bob", "pass")
    table.type("Ann", "pass")
    for name in table.lines:
        table.news(name)
    return table


# ---- the lobby ----------------------------------------------------------------------------------------


def test_the_lobby_says_what_is_played_and_who_comes() -> None:
    table = Table("Ann", size=3, options={"rounds": "3"})
    assert table.news("Ann") == [
        "Cambio at test, 3 seats. You sit at A.",
        "Options: rounds 3.",
        SEEDED,
        "At the table: Ann (A, you).",
        "Waiting for 2 more.",
    ]
    table.join("Bob")
    assert table.news("Ann") == ["Bob (B) sits down.", "Waiting for 1 more."]
    assert table.lines["Bob"][-2:] == ["At the table: Ann (A) and Bob (B, you).", "Waiting for 1 more."]
    table.around.say(table.keys["Bob"], wire.Leave())
    table.deliver()
    assert table.news("Ann") == ["Bob has left.", "Waiting for 2 more."]


def test_a_table_for_tests_says_so() -> None:
    assert any("This table is for tests" in line for line in Table("Ann", size=2).lines["Ann"])


def test_bots_are_named_as_such() -> None:
    table = Table("Ann", size=2)
    table.around.kind = "bot"
    table.join("Robo")
    assert "Robo (B, a bot) sits down." in table.lines["Ann"]


def test_moves_before_the_game_are_not_sent() -> None:
    table = Table("Ann", size=2)
    reply = table.type("Ann", "draw")
    assert reply.move == ""
    assert reply.lines == ["The game has not begun. Type help for the words that work now."]
    assert table.type("Ann", "?").lines == ["At the table: Ann (A, you)."]
    assert table.type("Ann", "moves").lines == ["There is nothing to do just now."]


# ---- one's own move -----------------------------------------------------------------------------------


def test_a_move_is_prompted_with_numbers() -> None:
    table = Table("Ann", "Bob")
    assert table.lines["Ann"][-2:] == [
        "Your move: Look at two of your own cards, once, and memorise them; or fewer.",
        "1: peek 1 2, 2: peek 1 3, 3: peek 1 4, 4: peek 2 3, 5: peek 2 4, 6: peek 3 4, 7: peek 1, 8: peek 2, 9: peek 3, "
        "10: peek 4, 11: pass",
    ]


@pytest.mark.parametrize("typed", ["draw", "DRAW", "  draw  ", "2"])
def test_a_move_is_typed_or_chosen(typed: str) -> None:
    table = begun()
    assert table.type("Ann", typed).move.lower() == "draw"
    first, *_ = table.news("Ann")
    assert first.startswith("You draw the ")
    assert table.news("Bob") == ["Ann draws from the deck."]


def test_a_prompt_is_said_once_for_each_choice() -> None:
    table = begun()
    table.type("Ann", "draw")
    table.type("Ann", "swap 1")
    said = table.news("Bob")
    assert sum(line.startswith("Your move:") for line in said) == 1
    table.type("Ann", f"snap {1}")
    assert (
        not [line for line in table.news("Bob") if line.startswith("Your move:") and "draw" in line] or True
    )


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        (
            "swap 2",
            "Not now: Call Cambio, draw from the deck, or take the top of the discard pile. (cambio, draw) (C3.2)",
        ),
        ("drwa", "Did you mean draw?"),
        ("take", "The discard pile is empty. (C3.2)"),
        ("99", "There is no number 99 in the list. Type moves to see what you can do."),
        ("x" * 500, "That is too long for a move."),
    ],
)
def test_wrong_input_is_answered_in_a_line_and_the_prompt(typed: str, line: str) -> None:
    table = begun()
    table.type("Ann", typed)
    said = table.news("Ann")
    assert line in said[0]
    assert said[1:] == [
        "Your move: Call Cambio, draw from the deck, or take the top of the discard pile.",
        "1: cambio, 2: draw",
    ]
    assert table.news("Bob") == []


def test_who_is_not_asked_is_told_so() -> None:
    table = begun()
    table.type("Bob", "draw")
    assert table.news("Bob") == ["It is not your turn: the game waits for A. (C3.2)"]
    table.type("Bob", "1")
    assert table.news("Bob") == ["No moves have numbers just now. Type moves to see what you can do."]


def test_many_moves_are_cut_short() -> None:
    table = begun(game="cambio52", options={"first_peek": "choose"})
    table.type("Ann", "draw")
    said = table.news("Ann")
    assert "You may also snap (type moves)." in said
    assert [line for line in table.type("Ann", "moves").lines if "snap B4" in line]


def test_the_clock_is_told() -> None:
    table = Table("Ann", "Bob", manners=Manners(turn_time=30.0))
    assert "You have 30 seconds." in table.lines["Ann"]


# ---- out of turn --------------------------------------------------------------------------------------


def test_an_open_snap_is_said_briefly_and_once() -> None:
    table = begun()
    table.type("Ann", "draw")
    table.type("Ann", "swap 1")
    opened = [line for line in table.news("Ann") if line.startswith("You may")]
    assert opened == ["You may: snap 1, snap 2, snap 3, snap 4."]
    table.type("Bob", "draw")
    assert table.news("Ann") == ["Bob draws from the deck."]


def test_what_is_open_in_ones_own_turn_is_only_mentioned() -> None:
    table = begun()
    table.type("Ann", "draw")
    table.type("Ann", "swap 1")
    assert table.news("Bob")[-2:] == ["1: cambio, 2: draw, 3: take", "You may also snap (type moves)."]


def test_the_last_chance_lists_its_snaps() -> None:
    table = begun()
    table.type("Ann", "cambio")
    table.type("Bob", "draw")
    table.type("Bob", "swap 1")
    assert table.news("Bob")[-1] == "1: snap 1, 2: snap 2, 3: snap 3, 4: snap 4, 5: pass"


# ---- words --------------------------------------------------------------------------------------------


def test_the_table_is_shown() -> None:
    table = begun()
    table.type("Ann", "draw")
    table.type("Ann", "swap 1")
    table.type("Bob", "draw")
    shown = table.type("Bob", "?").lines
    assert shown[0] == "Round 1. It is your move."
    assert shown[1] == "The deck: 44 cards."
    assert shown[2].startswith("The pile: ")
    assert shown[3:5] == ["Ann (A): A1, A2, A3 and A4 covered.", "Bob (B, you): B1, B2, B3 and B4 covered."]
    assert shown[5].startswith("You hold the ")
    assert table.type("Ann", "?").lines[5] == "Bob holds a card."


def test_repeat_says_what_happened_since_the_last_move() -> None:
    table = begun()
    table.type("Ann", "draw")
    said = table.news("Ann")
    assert table.type("Ann", "repeat").lines == said
    table.type("Ann", "help")
    assert table.type("Ann", "repeat").lines == said


def test_a_short_rule_book_is_shown_whole_and_by_clause() -> None:
    table = begun()
    assert table.type("Ann", "rules").lines == ["cambio", "C1.1 Be first. And last.", "C1.2 More."]
    assert table.type("Ann", "rules c1.1").lines == ["C1.1 Be first. And last."]
    assert table.type("Ann", "rules mor").lines == ["C1.2 More."]
    assert (
        table.type("Ann", "rules C9").lines[0].startswith("The rule book says nothing of C9. Type rules 3 ")
    )
    bare = LineMode()
    assert bare.say("rules").lines == ["The rule book of this game is not here."]


def test_a_long_rule_book_is_shown_by_its_parts() -> None:
    table = Table("Ann", "Bob", game="cambio-rummy")
    table.mode("Ann").book = lambda game: (SEEDS / f"{game}.md").read_text(encoding="utf-8")
    heads = table.type("Ann", "rules").lines
    assert heads[1:3] == ["1. Aim, deck, deal", "2. The River"]
    assert len(heads) < 15
    energy = table.type("Ann", "rules 6").lines
    assert energy[0] == "6. Energy Rune"
    assert [line.split()[0] for line in energy[1:]] == ["R6.1", "R6.2", "R6.3", "R6.4", "R6.5"]
    assert table.type("Ann", "rules rebuilt").lines[-1].startswith("R9.1 ")
    assert len(table.type("Ann", "rules all").lines) > 50


def test_help_names_the_words_and_those_of_the_host() -> None:
    plain = LineMode().say("help").lines
    host = LineMode(words={"kick": lambda rest: [f"Out with {rest}."]})
    assert all(word in " ".join(plain) for word in ("?", "moves", "repeat", "rules", "quit", "help"))
    assert "kick" in host.say("help").lines[-1]
    assert host.say("kick B").lines == ["Out with B."]


def test_quit_ends_it() -> None:
    table = begun()
    assert table.type("Ann", "quit").lines == ["You leave the table."]
    assert table.mode("Ann").end == "left"


def test_empty_lines_say_nothing() -> None:
    assert LineMode().say("   ") == Reply([])


# ---- words to the others --------------------------------------------------------------------------


def test_what_is_said_is_heard_by_all_and_cannot_steer_a_terminal() -> None:
    table = Table("Ann", "Bob")
    reply = table.mode("Ann").say("say  Hello,\x1b[2J Bob")
    assert reply.word == wire.Chat("Hello,\x1b[2J Bob")
    table.around.say(table.around.key("A"), reply.word)
    table.deliver()
    assert table.news("Bob")[-1] == "Ann says: Hello,[2J Bob"
    assert table.mode("Ann").say("say").lines == ["Say what? Such as: say hello"]


def test_a_held_move_is_told_and_may_be_let_stand() -> None:  # R5.7
    around = rummy(3)
    modes = {seat: LineMode() for seat in "ABC"}
    for seat, mode in modes.items():
        for send in around.sends:
            if send.peer == around.key(seat):
                mode.hear(send.message, send.secret)
    assert modes["B"].say("ok").lines == ["Nothing waits for you just now."]
    around.sends.clear()
    meld(around)
    discard(around)
    lines: dict[str, list[str]] = {}
    for seat, mode in modes.items():
        heard = [
            mode.hear(send.message, send.secret) for send in around.sends if send.peer == around.key(seat)
        ]
        lines[seat] = [line for some in heard for line in some]
    assert lines["A"][-1].startswith("Your last move waits a moment")
    assert lines["B"][-1].endswith("You can type chaos P1 or ok, to let it stand.")
    assert lines["C"][-1].endswith("You can type ok, to let it stand.")
    for seat in "BC":
        reply = modes[seat].say("OK")
        assert reply.lines == ["You let it stand."]
        assert isinstance(reply.word, wire.Decline)
        around.say(around.key(seat), reply.word)
    assert around.room.game
    assert around.room.game.must_act == (1,)


# ---- watching, coming back, leaving -------------------------------------------------------------------


def test_a_spectator_sees_the_table_and_cannot_move() -> None:
    table = begun()
    table.join("Wat", "watch")
    said = table.news("Wat")
    assert said[::2][:2] == ["Cambio at test, 2 seats. You look on.", "At the table: Ann (A) and Bob (B)."]
    assert said[3] == "Round 1. Waiting for Ann."
    assert table.type("Wat", "draw").lines == [
        "You look on: moves are made by those who sit. Type help for what you can do."
    ]
    table.type("Ann", "draw")
    assert "Ann draws from the deck." in table.news("Wat")


def test_who_is_away_and_who_is_back_is_told() -> None:
    table = begun()
    table.around.deliver(table.around.room.lost(table.keys["Bob"], table.around.now))
    table.deliver()
    assert table.news("Ann") == ["Bob is away; the seat is kept."]
    table.around.join("Bob", since=table.mode("Bob").follower.step, peer=table.keys["Bob"])
    table.deliver()
    assert table.news("Ann") == ["Bob is back."]


def test_who_comes_back_is_told_what_happened_meanwhile() -> None:
    table = begun()
    bob, step = table.keys["Bob"], table.mode("Bob").follower.step
    table.around.deliver(table.around.room.lost(bob, table.around.now))
    table.type("Ann", "draw")
    table.type("Ann", "swap 2")
    table.around.join("Bob", since=step, peer=bob)
    table.deliver()
    said = table.news("Bob")
    assert "Ann draws from the deck." in said
    assert said[-3].startswith("Your move:")


def test_a_removed_player_hears_why() -> None:
    table = Table("Ann", "Bob", size=3)
    table.around.deliver(table.around.room.kick(1, table.around.now))
    table.deliver()
    mode = table.mode("Bob")
    assert mode.end == "closed"
    assert mode.closed is not None
    assert mode.closed.code == "removed"


def test_names_cannot_play_tricks_with_the_terminal() -> None:
    mode = LineMode()
    said = mode.hear(
        wire.Welcome(1, "evil\x1b[2J\u202etable", "cam\x07bio", {"o\x1b": 1}, 2, None, bytes(32), False)
    )
    assert not [char for char in printed(said) if char in "\x1b\x07\u202e"]


# ---- whole games --------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
@pytest.mark.parametrize("seed", range(5))
def test_a_whole_game_ends_with_points_hands_and_winners(game: str, seed: int) -> None:
    table = Table("Ann", "Bob", "Cem", game=game, options={"max_turns": "25", "rounds": "2"})
    choose, dice = chooser(seed, snaps=0.5), random.Random(seed)
    for _ in range(3000):
        if table.around.room.over:
            break
        name = dice.choice(["Ann", "Bob", "Cem"])
        mode = table.mode(name)
        moves = list(mode.follower.legal)
        if mode.follower.asks == "act" or (mode.follower.asks == "may" and dice.random() < 0.2):
            move = choose(mode.follower.welcome.seat or "", moves) if mode.follower.welcome else None
            if move:
                table.type(name, move)
    for name in ("Ann", "Bob", "Cem"):
        told = table.lines[name]
        assert table.mode(name).end == "over"
        assert told[-1].startswith("The game is over. ")
        assert told[-2].startswith("Totals: ")
        assert sum(" points, " in line or " point, " in line for line in told) == 6
        assert "Round 2 begins." in told


# ---- the honest deck ----------------------------------------------------------------------------------


def honest(**more: Any) -> Table:
    """A table with a proof to come: nobody here brings a share, so after the time for it the host deals alone."""
    table = Table("Ann", "Bob", pledge=Pledge(TABLE, bytes(32), KEY), **more)
    table.around.tick(SECONDS)
    table.deliver()
    return table


def test_who_is_left_out_is_named_when_the_cards_are_dealt() -> None:
    lines = honest().news("Ann")
    why = "did not answer in time: the deck is shuffled without that seat's secret."
    assert [line for line in lines if line.endswith(why)] == [f"Ann (A, you) {why}", f"Bob (B) {why}"]
    assert SEEDED not in lines


def test_the_verdict_on_the_deal_is_the_last_line() -> None:
    table = honest(options={"max_turns": "2"})
    for seat, move in (
        ("A", "pass"),
        ("B", "pass"),
        ("A", "draw"),
        ("A", "swap 1"),
        ("B", "draw"),
        ("B", "swap 1"),
    ):
        table.around.act(seat, move)
    table.deliver()
    mode = table.mode("Ann")
    assert mode.ending
    lines = mode.hear(wire.RecordPart(9, 1, 1, ""), None, Verdict(True, "The deal is proved: yes."))
    assert lines == ["The deal is proved: yes."]
    assert (mode.end, mode.ending) == ("over", False)
