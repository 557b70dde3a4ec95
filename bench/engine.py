"""Random play in process against OpenSpiel's card games driven from Python, in turns, by ratios of medians.

    pip install 'lanplay[bench]'; python bench/engine.py [--games 100] [--rounds 15]

All play random games of four seats (gin_rummy: its two). In Cambio a call or a snap is made with 10 % of the moves
drawn. OpenSpiel's chance nodes are sampled by their probabilities; player actions are counted on both sides. "view": the
acting seat's view is folded, or its information string (gin_rummy, which has none: its observation string) is made,
before each action. All of it runs in turns, so that what else the machine does touches everybody alike.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable
from operator import truediv
from random import Random
from typing import NamedTuple

import click
import pyspiel

from lanplay.engine.shuffle import seeded
from lanplay.engine.view import Fold, View
from lanplay.engine.words import Told
from lanplay.games import find
from lanplay.games.rummy import Rummy, RummyOptions, melds, moves

SELDOM = frozenset(["cambio", "snap"])
BITS = 30  # of chance for each draw from a list: even to a hundred-millionth, and the quickest in Python
Player = Callable[[Random], int]


# ---- the players ------------------------------------------------------------------------------------


def ours(name: str, viewing: bool) -> Player:
    """Random games of one of ours; gives the number of actions."""
    rules = find(name)

    def play(rng: Random) -> int:
        bits = rng.getrandbits
        log: list[Told] | None = [] if viewing else None
        t = rules.table(4, rules.defaults, seeded(rng.randbytes(8)), 1, log)
        t.deal()
        fold = Fold(t.zones)
        views = [View(seat, fold) for seat in range(4 * viewing)]
        actions, legal, do, seldom = 0, t.legal, t.do, SELDOM
        while asked := t.asked:
            seat = asked[0]
            if viewing:
                fold.fold(log or [])
                assert views[seat].lay
            moves = legal(seat)
            count = len(moves)
            move = moves[bits(BITS) % count]
            while move.verb in seldom and bits(BITS) % 10:
                move = moves[bits(BITS) % count]
            do(seat, move)
            actions += 1
        return actions

    return play


def openspiel(name: str, viewing: bool) -> Player:
    """Random games of one of OpenSpiel's."""
    game = pyspiel.load_game(name)
    informed = game.get_type().provides_information_state_string

    def play(rng: Random) -> int:
        bits = rng.getrandbits
        state = game.new_initial_state()
        look = state.information_state_string if informed else state.observation_string
        actions = 0
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, weights = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(rng.choices(outcomes, weights)[0])
                continue
            if viewing:
                look(state.current_player())
            legal = state.legal_actions()
            state.apply_action(legal[bits(BITS) % len(legal)])
            actions += 1
        return actions

    return play


def rate(play: Player, games: int, seed: str) -> float:
    """Actions a second of CPU; garbage is collected before and not during, as timeit does."""
    gc.collect()
    gc.disable()
    rng, begun = Random(seed), time.process_time()
    actions = sum(play(rng) for _ in range(games))
    passed = time.process_time() - begun
    gc.enable()
    return actions / passed


# ---- single things ----------------------------------------------------------------------------------


def copying(times: int = 5000) -> float:
    """Microseconds for a copy of a four-seat table of Cambio."""
    cambio = find("cambio")
    t = cambio.table(4, cambio.defaults, seeded(b"copy"), 1, None)
    t.deal()
    begun = time.process_time()
    for _ in range(times):
        t.copy()
    return (time.process_time() - begun) / times * 1e6


def rummy(cards: int, seed: int) -> Rummy:
    """A table at which seat A has laid a meld or more and holds so many cards."""
    t = Rummy(2, RummyOptions(), seeded(b"hand %d" % seed), 1, None)
    t.deal()
    while len(t.lay[t.hands[0]]) < cards or not t.melds:
        t.draw(0)
        meld = next((move for move in t.play_moves(0) if move.verb == "meld"), None)
        if meld and len(t.melds) < 3:
            type_, count, energy = meld.args
            t.lay_meld(0, type_, count, bool(energy))
    return t


def forget() -> None:
    """Whatever Rummy's lists remember of other hands is forgotten."""
    for choices in (melds.new_flows, melds.new_others):
        choices.clear()
    for function in (melds.heaps, melds.shapes, melds.largest, melds.additions, melds.extensions):
        function.cache_clear()
    for spelled in (moves.new_meld, moves.addition):
        spelled.cache_clear()


def listing(cards: int, hands: int = 100) -> float:
    """Milliseconds for the list of moves of a Rummy hand of which nothing is remembered: the median of many hands."""
    times = []
    for seed in range(hands):
        t = rummy(cards, seed)
        forget()
        begun = time.process_time()
        t.play_moves(0)
        times.append((time.process_time() - begun) * 1000)
    return statistics.median(times)


# ---- the table --------------------------------------------------------------------------------------


class Run(NamedTuple):
    """What is measured: `games` a round, and against which run by which ratio it has to come out."""

    player: Player
    games: int
    against: str = ""
    wanted: float = 0


def runs(games: int) -> dict[str, Run]:
    fish, gin = "go_fish(players=4)", "gin_rummy"
    fish_view, gin_view = f"{fish} + information string", f"{gin} + observation string"
    few = max(1, games // 5)
    return {
        fish: Run(openspiel(fish, False), few),
        "cambio": Run(ours("cambio", False), games, fish, 1.1),
        fish_view: Run(openspiel(fish, True), few),
        "cambio + view": Run(ours("cambio", True), games, fish_view, 1.0),
        "cambio52": Run(ours("cambio52", False), games, fish),
        "cambio52 + view": Run(ours("cambio52", True), games, fish_view),
        "not-at-home": Run(ours("not-at-home", False), games, fish, 0.5),
        "not-at-home + view": Run(ours("not-at-home", True), games, fish_view, 0.5),
        gin: Run(openspiel(gin, False), few),
        "cambio-rummy": Run(ours("cambio-rummy", False), games, gin, 1.0),
        gin_view: Run(openspiel(gin, True), few),
        "cambio-rummy + view": Run(ours("cambio-rummy", True), games, gin_view, 1.0),
    }


SINGLE: tuple[tuple[str, Callable[[], float], str], ...] = (
    ("cambio, copy()", copying, "µs, wanted under 5"),
    ("cambio-rummy, list of a hand of 12", lambda: listing(12), "ms, wanted under 2"),
    ("cambio-rummy, list of a hand of 40", lambda: listing(40), "ms, wanted under 20"),
)


@click.command()
@click.option("--games", default=100, help="games of ours a round; a fifth as many of OpenSpiel's")
@click.option("--rounds", default=15, help="interleaved rounds; medians are printed")
def main(games: int, rounds: int) -> None:
    """Print the table of rates and ratios."""
    measured = runs(games)
    rates: dict[str, list[float]] = {name: [] for name in measured}
    for round_ in range(rounds):
        for name, run in measured.items():
            rates[name].append(rate(run.player, run.games, f"{name} {round_}"))  # no game is played twice
    for name, run in measured.items():
        line = f"{name:40}{statistics.median(rates[name]):>10,.0f} actions/s"
        if run.against:  # round by round: what else the machine does changes slowly
            ratio = statistics.median(map(truediv, rates[name], rates[run.against]))
            line += f"  {ratio:.2f} of {run.against}" + f" (wanted {run.wanted})" * bool(run.wanted)
        click.echo(line)
    for name, measure, wanted in SINGLE:
        click.echo(f"{name:40}{statistics.median(measure() for _ in range(rounds)):>10.2f} {wanted}")


if __name__ == "__main__":
    main()
