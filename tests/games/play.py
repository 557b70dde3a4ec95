"""Random games for the tests of every game."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from hypothesis import strategies as st

from lanplay.engine.game import Game, Rules
from lanplay.engine.options import Option
from lanplay.engine.shuffle import seeded
from lanplay.engine.words import Seat
from lanplay.games import registry

RARE = {"cambio": 0.1, "snap": 0.2, "chaos": 0.3}


def values(option: Option) -> st.SearchStrategy[Any]:
    """Values of an option: all its words; numbers near its ends, near 0 and the default."""
    if option.words:
        return st.sampled_from(option.words)
    assert option.low is not None
    assert option.high is not None
    near = {option.low, option.high, int(option.default), max(0, option.low), max(1, option.low)}
    return st.sampled_from(sorted(near))


@st.composite
def games(draw: st.DrawFn, rules: Rules) -> Game:
    """A game at its first deal: any number of players, options here and there."""
    described = rules.defaults.described()
    changed = draw(st.sets(st.sampled_from([option.name for option in described]), max_size=6))
    chosen = {option.name: draw(values(option)) for option in described if option.name in changed}
    for name, most in (("rounds", 2), ("max_rounds", 2), ("target", 60)):
        if name in rules.defaults.values():
            chosen[name] = min(int(chosen.get(name, 1)) or 1, most)
    if "max_turns" in rules.defaults.values():
        chosen["max_turns"] = draw(st.sampled_from([1, 7, 40]))
    seats = draw(st.sampled_from(rules.seats))
    seed = draw(st.integers(0, 2**32))
    return Game(rules, seats, rules.defaults.read(chosen), seeded(b"%d" % seed))


def moves(game: Game, rng: random.Random, seat: Seat) -> list[str]:
    """The seat's moves, of the rare kinds only a few."""
    legal = list(map(str, game.legal(seat)))
    kept = [move for move in legal if rng.random() < RARE.get(move.split(maxsplit=1)[0], 1)]
    return kept or [move for move in legal if seat in game.must_act]


def walk(game: Game, rng: random.Random, steps: int) -> Iterator[tuple[Seat, str]]:
    """Play on at random, out of turn too; yields each move after it was made."""
    for _ in range(steps):
        if game.over:
            return
        seat = rng.choice(game.must_act) if rng.random() < 0.8 else rng.randrange(game.seats)
        offered = moves(game, rng, seat)
        if offered:
            move = rng.choice(offered)
            game.play(seat, move)
            yield seat, move


EVERY_GAME = sorted(registry())
