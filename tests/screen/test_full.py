"""The full screen without a terminal: what is shown of each game, what keys do, and what they never do."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from lanplay.games import registry
from lanplay.room.desk import Manners
from lanplay.room.witness import Verdict
from lanplay.screen.full.picture import Size, picture
from lanplay.screen.full.text import Marker, Span, bare, card, fitted, width_of, wrapped
from lanplay.screen.talk import LOST
from lanplay.wire import messages as wire
from tests.screen.full import Player, begun
from tests.screen.tables import Table
from tests.screen.test_games import many, played

SIZES = [Size(80, 24), Size(60, 20), Size(200, 50), Size(60, 16), Size(100, 12), Size(30, 8)]


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
    for _ in range(10):  # it has gone no further up than there is something to see
        player.client.scroll(1, 10)
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


def test_names_in_the_lobby_are_only_letters() -> None:
    text = Player(Table("Ann", "B\x1b[2Job\u202e", size=3)).reads()
    assert "B[2Job (B)" in text
    assert "\x1b" not in text
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
    assert player.line.left  # the host need not wait
    player.enter()  # meant for something before
    assert not player.client.gone
    player.enter("say well played")
    assert "The game is over" in player.shows()[-1]
    player.type("")
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
