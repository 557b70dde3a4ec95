"""Rummy and Not at Home in line mode: what is offered when there is much to choose from, the table, whole games."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from lanplay.engine.cards import standard
from lanplay.engine.table import Zones
from lanplay.games.rummy.speech import contents, value
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.speech.cast import Cast
from tests.cli.run import Program, running
from tests.screen.tables import Table

PLAYS = ("meld", "add", "river", "chaos")


def played(game: str, *names: str, steps: int, seed: int = 1, **more: object) -> Table:
    """A table after so many moves, plays before all others."""
    table, dice = Table(*names, game=game, **more), random.Random(seed)
    for _ in range(steps):
        for name in names:
            follower = table.mode(name).follower
            moves = list(follower.legal)
            if follower.asks == "act" or (moves and dice.random() < 0.5):
                plays = [move for move in moves if move.split()[0] in PLAYS]
                table.type(name, dice.choice(plays or moves))
                break
    return table


# ---- Rummy --------------------------------------------------------------------------------------------


def many() -> Table:
    """Ann has a hand with 43 moves, three types of melds among them."""
    table = Table("Ann", "Bob", game="cambio-rummy", seed=b"3551")
    table.type("Ann", "draw")
    assert len(table.mode("Ann").follower.legal) == 43
    return table


def test_many_plays_are_offered_in_groups_with_the_best_of_each() -> None:
    table = many()
    prompt = table.type("Ann", "?").lines
    legal = table.mode("Ann").follower.legal
    shown = prompt[next(n for n, line in enumerate(prompt) if line.startswith("Your move:")) + 1 :]
    assert len(shown) <= 9
    groups = {line.partition(":")[0] for line in shown}
    assert groups >= {" ".join(move.split()[:2]) for move in legal if move.startswith("meld")}
    for line in shown:
        found = re.search(r": (\d+) moves, such as ([^(]*) \((-?\d+) points?\)", line)
        if found:
            alike = [move for move in legal if move.startswith(line.partition(":")[0].partition(" (")[0])]
            assert int(found[1]) == len(alike)
            assert int(found[3]) == max(map(value, alike)) == value(found[2])
    assert table.type("Ann", "1").lines[0].startswith("No moves have numbers just now.")


def test_a_part_of_the_moves_is_listed_and_chosen_by_number() -> None:
    table = many()
    legal = table.mode("Ann").follower.legal
    first = next(move for move in legal if move.startswith("meld"))
    kind = first.split()[1]
    listed = table.type("Ann", f"moves {kind.upper()}").lines
    numbered = re.findall(r"(\d+): (meld [^(,]*) \(", ", ".join(listed))
    assert {move for _, move in numbered} == {move for move in legal if f" {kind} " in move}
    values = [value(move) for _, move in numbered]
    assert values == sorted(values, reverse=True)
    assert table.type("Ann", "moves nonsense").lines == ["You have no move with nonsense just now."]
    assert table.type("Ann", numbered[1][0]).move == numbered[1][1]


@pytest.mark.parametrize("twist", [str.upper, str.lower, lambda move: f"  {move}  "])
def test_a_play_is_typed_in_any_letter_case(twist: object) -> None:
    assert callable(twist)
    table = many()
    move = next(move for move in table.mode("Ann").follower.legal if "RR" in move or "BR" in move)
    assert table.type("Ann", twist(move)).move == move
    assert any(line.startswith(("You lay", "You add", "You discard")) for line in table.news("Ann"))


def test_a_near_miss_is_answered_with_what_was_meant() -> None:
    table = many()
    move = next(move for move in table.mode("Ann").follower.legal if move.startswith("meld"))
    table.news("Ann")
    table.type("Ann", move.replace("meld", "mled"))
    assert f"Did you mean {move}?" in table.news("Ann")[0]
    table.type("Ann", "meld flow XX")
    assert "You can say for instance meld " in table.news("Ann")[0]


@pytest.mark.parametrize("seed", range(4))
def test_the_table_of_rummy_shows_all_that_lies_there(seed: int) -> None:
    table = played("cambio-rummy", "Ann", "Bob", "Cem", steps=70, seed=seed)
    mode = table.mode("Bob")
    shown = table.type("Bob", "?").lines
    status = mode.follower.status
    assert status is not None
    state = table.around.room.game.state(1) if table.around.room.game else {}
    assert f"The draw pile: {state['pile']} cards." in shown
    river = ", ".join(f"({n}) {face}" for n, face in enumerate(state["river"], 1)) or "no cards"
    assert f"The River, oldest first: {river}." in shown
    for letter, name in zip("ABC", ("Ann", "Bob, you", "Cem"), strict=True):
        line = next(line for line in shown if line.startswith(f"{name.partition(',')[0]} ("))
        size, score = len(state["hands"][letter]), state["score"][letter]
        assert re.search(rf"{size} cards? in hand, {score} points? on the table", line)
    for meld in state["melds"]:
        line = next(line for line in shown if line.startswith(f"  {meld['id']}, "))
        for part in meld["parts"]:
            assert f"{' '.join(part['cards'])}" in line
            assert re.search(rf" {part['points']} points?", line)
    hand = next((line for line in shown if line.startswith("Your hand")), "")
    assert hand.count(",") == max(len(state["hands"]["B"]), 0)


def test_totals_are_told_between_rounds() -> None:
    table = played("cambio-rummy", "Ann", "Bob", steps=200, options={"max_turns": "4", "max_rounds": "2"})
    lines = table.lines["Ann"]
    totals = next(n for n, line in enumerate(lines) if line.startswith("Totals: you "))
    assert lines[totals + 1] == "Round 2 begins."
    assert lines[-1].startswith("The game is over.")
    assert lines[-2].startswith("Totals: you ")


def test_a_chaos_rune_is_offered_once_for_each_play() -> None:
    for seed in range(30):
        table = played("cambio-rummy", "Ann", "Bob", "Cem", steps=150, seed=seed)
        offers = [line for line in table.lines["Cem"] if line.startswith("You may: chaos")]
        if len(offers) > 2:
            break
    assert all(re.fullmatch(r"You may: (chaos P\d+ \([^)]* in M\d+\)(, |\.))+", line) for line in offers)
    at = [n for n, line in enumerate(table.lines["Cem"]) if line in offers]
    assert all("lay" in table.lines["Cem"][n - 1] or "adds" in table.lines["Cem"][n - 1] for n in at[:1])


def test_who_comes_to_a_finished_game_sees_how_it_ended_once() -> None:
    table = played("cambio-rummy", "Ann", "Bob", steps=200, options={"max_turns": "4", "max_rounds": "2"})
    table.join("Wat", "watch")
    said = table.lines["Wat"]
    assert said[-1].startswith("The game is over.")
    assert len([line for line in said if line.startswith("Totals: ")]) == 1


def test_a_meld_that_has_grown_is_shown_whole() -> None:
    meld = {"id": "M1", "by": "A", "type": "flow", "high": False, "parts": [
        {"by": "A", "cards": ["8", "9", "RR"], "energy": True, "points": 54, "bonus": 0},
        {"by": "B", "cards": ["7", "BR"], "energy": False, "points": 17, "bonus": 0},
    ]}  # fmt: skip
    cast = Cast(1, {0: "Ann", 1: "Bob"}, Zones(standard()))
    assert contents(cast, meld) == (
        "7 8 9 RR BR. Laid 8 9 RR with an Energy Rune, 54 points; you added 7 BR, 17 points"
    )


# ---- Not at Home --------------------------------------------------------------------------------------


def test_a_hundred_questions_are_two_lines() -> None:
    table = Table("Ann", "Bob", "Cem", game="not-at-home")
    assert table.lines["Ann"][-4:] == [
        "Your move: Ask another player for a card that you don't have.",
        table.lines["Ann"][-3],
        table.lines["Ann"][-2],
        "To see a part of them, type for instance moves ask B.",
    ]
    assert re.fullmatch(r"ask B \(Bob, 17 cards\): 34 moves, such as ask B ..", table.lines["Ann"][-3])
    assert len(table.type("Ann", "moves").lines) == 2
    (of_bob,) = table.type("Ann", "moves b").lines
    assert of_bob.startswith("ask B (Bob, 17 cards): ")
    assert len(of_bob.partition(": ")[2].split()) == 34
    sevens = table.type("Ann", "moves 7").lines
    assert all(re.search(r": ask [BC] 7[cdhs]", line) for line in sevens)


def test_the_table_of_not_at_home_shows_hands_and_what_was_asked() -> None:
    table = played("not-at-home", "Ann", "Bob", "Cem", steps=40)
    shown = table.type("Bob", "?").lines
    game = table.around.room.game
    assert game is not None
    for seat, name in enumerate(("Ann (A)", "Bob (B, you)", "Cem (C)")):
        assert f"{name}: {len(game.table.lay[1 + seat])} cards." in shown
    asked = shown[shown.index("Lately:") + 1 :]
    assert len([line for line in asked if " for the " in line]) == 10
    hand = next(line for line in shown if line.startswith("Your hand"))
    assert len(re.findall(r"\b[A2-9TJQK]\b", hand.partition(": ")[2])) == len(game.table.lay[2])


# ---- whole games, from a real host through a real pipe ------------------------------------------------


def prompts(program: Program) -> Iterator[str]:
    """The first line of choices of each prompt, until the output ends."""
    while (line := program.lines.get(timeout=30)) is not None:
        program.seen.append(line)
        if line.startswith("Your move:"):
            choices = program.lines.get(timeout=30) or ""
            program.seen.append(choices)
            yield choices


def answer(choices: str) -> str:
    """What a person who believes the prompt types: its first number, or its example."""
    such = re.search(r"such as ([^(]*[^( ])", choices)
    return (
        such[1] if such else "1" if choices.startswith("1: ") else choices.replace(":", "").partition(" (")[0]
    )


@pytest.mark.parametrize(
    ("game", "bots", "options"),
    [
        ("cambio-rummy", 1, {"max_turns": "16", "max_rounds": "1", "chaos_window": "1"}),
        ("not-at-home", 2, {"max_turns": "5"}),
    ],
)
def test_who_believes_the_prompts_plays_a_whole_game(
    home: Path, game: str, bots: int, options: dict[str, str]
) -> None:
    words = [word for name, value in options.items() for word in ("--set", f"{name}={value}")]
    words += ["--bot", "random"] * bots
    with running(
        "play", game, "--port", "0", "--name", "Ann", "--seed", "5", "--bot-delay", "0", *words
    ) as program:
        program.type("help")
        for choices in prompts(program):
            program.type(answer(choices))
        done = program.end()
    assert done.code == 0
    assert "The game is over." in done.out
    assert not re.search(r"can't be read|Not now|no number|not your turn", done.out)
    assert max(map(len, done.out.splitlines())) < 400
    (record,) = (home / "records").glob("*.rec")
    assert list(Replay(read(record.read_text(encoding="utf-8"))).play())
