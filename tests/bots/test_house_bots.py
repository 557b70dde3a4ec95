"""The house bots play every game that can be set up without a fault, and memory plays well."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.arena import MatchSpec, run_match
from lanplay.arena.game import Pairing, Played, play
from lanplay.bot.load import house_bots, load
from lanplay.engine.words import GONE
from lanplay.games import find
from lanplay.record.replay import Replay
from lanplay.record.text import read
from tests.games.play import EVERY_GAME, games


def players(game: str) -> list[str]:
    """The house bots that play this game."""
    return [name for name in sorted(house_bots()) if not load(name).games or game in load(name).games]


def test_every_game_has_a_bot_of_its_own() -> None:
    assert set(house_bots()) == {"melder", "memory", "random", "sleuth"}
    assert {name: len(players(name)) for name in EVERY_GAME} == dict.fromkeys(EVERY_GAME, 2)


@pytest.mark.parametrize("name", EVERY_GAME)
@settings(max_examples=25)
@given(data=st.data())
def test_no_bot_ever_makes_a_fault(name: str, data: st.DataObject) -> None:
    game = data.draw(games(find(name)))
    kinds = data.draw(st.lists(st.sampled_from(players(name)), min_size=game.seats, max_size=game.seats))
    names = [f"{kind} {seat}" for seat, kind in enumerate(kinds)]
    pairing = Pairing(game.rules, game.options, [load(kind) for kind in kinds], names)
    done = play(pairing, range(game.seats), data.draw(st.binary(min_size=4, max_size=4)))
    assert [health.whys for health in done.health] == [{}] * game.seats
    assert done.winners


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("game", "players", "games", "share"),
    [
        ("cambio", 2, 400, 0.95),
        ("cambio", 4, 400, 0.85),
        ("cambio52", 2, 400, 0.95),
        ("cambio52", 4, 400, 0.85),
        ("cambio", 8, 160, 0.75),
    ],
)
def test_memory_beats_random(game: str, players: int, games: int, share: float) -> None:
    best, _ = run_match(MatchSpec(game, ("memory",) + ("random",) * (players - 1), games, seed=3)).ranking()
    assert best.bot == "memory"
    assert best.share >= share


def games_of(*bots: str, deals: int) -> list[Played]:
    spec = MatchSpec("cambio", bots)
    pairing = spec.pairing()
    return [play(pairing, range(len(bots)), b"deal %d" % deal) for deal in range(deals)]


def test_random_never_snaps_and_calls_in_a_twentieth_of_its_turns() -> None:
    turns = calls = 0
    for played in games_of("random", "random", deals=150):
        for line in played.record.splitlines():
            verb = line.split()[1] if line[1:2] == " " else ""
            assert verb != "snap"
            calls += verb == "cambio"
            turns += verb in ("cambio", "draw", "take")
    last = 150  # turns after a call: nobody can call in them
    assert 0.035 < calls / (turns - last) < 0.065


def test_memory_looks_at_two_cards_and_its_snaps_are_right() -> None:
    snaps = 0
    for played in games_of("memory", "memory", "memory", deals=20):
        replay = Replay(read(played.record))
        for step, _ in enumerate(replay.play()):
            words = replay.item.words if replay.item else ""
            if 0 < step <= 3:
                assert words.startswith("peek")
                assert len(words.split()) == 3
            if words.startswith("snap"):
                snaps += 1
                seat = replay.game.table.lay[replay.game.zones.names.index(f"hand {replay.item.kind}")]  # type: ignore[union-attr]
                assert seat[int(words[5:])] == GONE
    assert snaps > 5


def test_they_stand_on_the_sdk_alone() -> None:
    for path in house_bots().values():
        for node in ast.walk(ast.parse(Path(path).read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom):
                assert node.module == "lanplay.bot" or node.module in sys.stdlib_module_names | {
                    "collections.abc"
                }
            assert not isinstance(node, ast.Import)
