"""Random play in process against OpenSpiel's go_fish driven from Python, in turns, by ratios of medians.

    pip install 'lanplay[bench]'; python bench/engine.py [--games 300] [--rounds 7]

Both play random games of four seats. Ours calls and snaps with 10 % of the moves drawn. OpenSpiel's chance nodes are
sampled by their probabilities; player actions are counted on both sides. "view": the acting seat's view is folded, or
its information string is made, before each action.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from random import Random

import click
import pyspiel

from lanplay.engine.game import Rules
from lanplay.engine.shuffle import seeded
from lanplay.engine.view import Fold, View
from lanplay.engine.words import Told
from lanplay.games import find

SELDOM = frozenset(["cambio", "snap"])
Player = Callable[[int, bool, Random], int]


def ours(rules: Rules, facts: bool) -> Player:
    """Random games of one of ours; gives the number of actions."""

    def play(seed: int, viewing: bool, rng: Random) -> int:
        random = rng.random
        log: list[Told] | None = [] if facts else None
        t = rules.table(4, rules.defaults, seeded(b"%d" % seed), 1, log)
        t.deal()
        fold = Fold(t.zones)
        views = [View(seat, fold) for seat in range(4)]
        actions, legal, do = 0, t.legal, t.do
        while t.asked:
            seat = t.asked[0]
            if viewing:
                fold.fold(log or [])
                assert views[seat].lay
            moves = legal(seat)
            count = len(moves)
            move = moves[int(random() * count)]
            while move.verb in SELDOM and random() > 0.1:
                move = moves[int(random() * count)]
            do(seat, move)
            actions += 1
        return actions

    return play


def openspiel(name: str) -> Player:
    """Random games of one of OpenSpiel's."""
    game = pyspiel.load_game(name)

    def play(seed: int, viewing: bool, rng: Random) -> int:
        random = rng.random
        state = game.new_initial_state()
        actions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            if viewing:
                state.information_state_string(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[int(random() * len(legal))])
            actions += 1
        return actions

    return play


def rate(play: Player, viewing: bool, games: int) -> float:
    """Actions a second of CPU; garbage is collected before and not during, as timeit does."""
    gc.collect()
    gc.disable()
    rng, begun = Random(1), time.process_time()
    actions = sum(play(seed, viewing, rng) for seed in range(games))
    passed = time.process_time() - begun
    gc.enable()
    return actions / passed


def copies(rules: Rules, times: int = 20000) -> float:
    """Microseconds for a copy of a four-seat table in mid-game."""
    t = rules.table(4, rules.defaults, seeded(b"copy"), 1, None)
    t.deal()
    begun = time.process_time()
    for _ in range(times):
        t.copy()
    return (time.process_time() - begun) / times * 1e6


@click.command()
@click.option("--games", default=200, help="games of ours a round; a tenth as many of OpenSpiel's")
@click.option("--rounds", default=7, help="interleaved rounds; medians are printed")
def main(games: int, rounds: int) -> None:
    """Print the table of rates and ratios."""
    cambio = find("cambio")
    runs: dict[str, tuple[Player, bool, int]] = {
        "go_fish (4 players)": (openspiel("go_fish(players=4)"), False, games // 10),
        "go_fish + information string": (openspiel("go_fish(players=4)"), True, games // 10),
        "cambio, facts off": (ours(cambio, facts=False), False, games),
        "cambio, facts + view": (ours(cambio, facts=True), True, games),
    }
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name, (play, viewing, count) in runs.items():
            rates[name].append(rate(play, viewing, count))
    medians = {name: statistics.median(found) for name, found in rates.items()}
    for name, median in medians.items():
        click.echo(f"{name:32}{median:>12,.0f} actions/s")
    bare, informed, off, view = medians.values()
    click.echo(f"facts off against go_fish: {off / bare:.2f} (wanted 1.1)")
    click.echo(f"facts + view against go_fish with its string: {view / informed:.2f} (wanted 1.0)")
    click.echo(f"copy(): {copies(cambio):.1f} µs (wanted under 5)")


if __name__ == "__main__":
    main()
