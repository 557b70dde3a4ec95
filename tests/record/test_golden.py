"""Whole games kept in text: any change of a rule, of the notation or of the JSON shows as a difference here.

`python -m tests.record.test_golden` writes them anew; read the difference before you commit it.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.games import find
from lanplay.record import write
from lanplay.record.replay import Replay
from lanplay.record.text import read
from tests.games.play import EVERY_GAME, walk

FOLDER = Path(__file__).parents[1] / "golden"


def record_of(name: str) -> str:
    """A random game of three under a fixed seed."""
    rules = find(name)
    caps = {
        key: value
        for key, value in (("max_turns", 24), ("rounds", 2), ("target", 40))
        if key in rules.defaults.values()
    }
    game = Game(rules, 3, rules.defaults.read(caps), seeded(b"golden"))
    names = {0: "Ann", 1: "Bob", 2: "Cid"}
    text = write.header(game, names)
    for seat, _ in walk(game, random.Random(7), 70):
        move = next(fact[5] for fact in game.facts(game.accepted - 1) if fact[0] == "acted")
        text += write.action(game, seat, move)
    return text


def steps_of(text: str) -> str:
    """What `lanplay replay --steps` prints of it: all, then under the eyes of A."""
    lines = []
    for eyes in (None, 0):
        replay = Replay(read(text))
        lines += [json.dumps(replay.object(eyes), sort_keys=True) for _ in replay.play()]
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", EVERY_GAME)
def test_the_kept_game_is_played_as_ever(name: str) -> None:
    text = (FOLDER / f"{name}.rec").read_text(encoding="utf-8")
    assert steps_of(text) == (FOLDER / f"{name}.jsonl").read_text(encoding="utf-8")
    assert record_of(name) == text, "the shuffle, the lists of moves or the writing has changed"


if __name__ == "__main__":
    for game in EVERY_GAME:
        record = record_of(game)
        (FOLDER / f"{game}.rec").write_text(record, encoding="utf-8")
        (FOLDER / f"{game}.jsonl").write_text(steps_of(record), encoding="utf-8")
