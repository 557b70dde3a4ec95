"""Bots that misbehave: each fault is told apart, the default move is made, and nothing else is spoilt."""

from __future__ import annotations

import gc
import inspect
import sys
import threading
from types import FunctionType, ModuleType
from typing import ClassVar

import pytest

from lanplay.arena.game import Pairing, Played, play, secret
from lanplay.arena.report import slow
from lanplay.bot import Bot, View
from lanplay.bot.health import Health
from lanplay.bot.player import aside, default_of
from lanplay.engine.game import Game
from lanplay.engine.table import Table
from lanplay.games import find
from lanplay.record.replay import Replay
from lanplay.record.text import read


class Fine(Bot):
    """Never calls, never snaps."""

    def act(self, view: View) -> str:
        return next(move for move in view.moves if move != "cambio")

    def react(self, view: View) -> str | None:
        return None


class Crashes(Fine):
    def act(self, view: View) -> str:
        raise RuntimeError("oh no")


class BadSetup(Fine):
    def setup(self, info: object) -> None:
        raise RuntimeError("not ready")


class Illegal(Fine):
    def act(self, view: View) -> str:
        return "draw three"


class Silent(Fine):
    def act(self, view: View) -> str:
        return None  # type: ignore[return-value]


class Nonsense(Fine):
    def act(self, view: View) -> str:
        print("{not json")
        return 42  # type: ignore[return-value]


class Exits(Fine):
    def act(self, view: View) -> str:
        sys.exit(3)


class Odd:
    """Says of every comparison that it can't be made, as arrays do."""

    __hash__ = None  # type: ignore[assignment]

    def __eq__(self, other: object) -> bool:
        raise ValueError("ambiguous")

    def __repr__(self) -> str:
        raise ValueError("no name")


class Oddly(Fine):
    def act(self, view: View) -> str:
        return Odd()  # type: ignore[return-value]


class Unsayable(Exception):
    def __str__(self) -> str:
        raise RuntimeError("not even this")


class CrashesOddly(Fine):
    def act(self, view: View) -> str:
        raise Unsayable


class Deep(Fine):
    def act(self, view: View) -> str:
        return self.act(view)


class Breaks(Fine):
    """Spoils what it is shown."""

    def act(self, view: View) -> str:
        move = super().act(view)
        view.moves.clear()
        view.hand(view.seat).clear()
        view.known.clear()
        view.asked.clear()
        view.totals.clear()
        view.facts.clear()
        return move


class Deaf(Fine):
    def hear(self, fact: object) -> None:
        raise RuntimeError("what?")


class BadEnd(Fine):
    def end(self, result: object) -> None:
        raise RuntimeError("no")


class NeedsMore(Fine):
    def __init__(self, more: int) -> None:
        self.more = more


class Reacts(Fine):
    def react(self, view: View) -> str | None:
        return "draw"


class Cheats(Fine):
    """Keeps what it was given, to be looked through."""

    given: ClassVar[list[object]] = []

    def act(self, view: View) -> str:
        Cheats.given.append((view.__dict__, view.memory.lay, self.__dict__))
        return super().act(view)


def played(*kinds: type[Bot]) -> Played:
    rules = find("cambio")
    names = [f"bot {place}" for place in range(len(kinds))]
    options = rules.defaults.read({"max_turns": 40})
    return play(Pairing(rules, options, kinds, names), range(len(kinds)), secret(1, "test"))


@pytest.mark.parametrize(
    ("kind", "fault"),
    [
        (Crashes, "crashed"),
        (Illegal, "illegal"),
        (Silent, "silent"),
        (Nonsense, "illegal"),
        (Exits, "crashed"),
        (Oddly, "illegal"),
        (CrashesOddly, "crashed"),
        (Deep, "crashed"),
        (Deaf, "crashed"),
        (Reacts, "illegal"),
    ],
)
def test_faults_are_told_apart_and_five_bench_the_bot(kind: type[Bot], fault: str) -> None:
    game = played(Fine, kind)
    assert game.health[1].faults == {fault: 5}
    assert game.health[1].benched
    assert game.health[0].faults == {}
    assert game.winners


def test_a_bot_that_cannot_be_set_up_plays_default_moves() -> None:
    game = played(Fine, BadSetup)
    assert game.health[1].faults == {"crashed": 1}
    assert "not ready" in game.health[1].whys["crashed"]
    assert game.winners


@pytest.mark.parametrize(("kind", "why"), [(NeedsMore, "more"), (BadEnd, "RuntimeError: no")])
def test_one_fault_is_one_strike(kind: type[Bot], why: str) -> None:
    game = played(Fine, kind)
    assert game.health[1].faults == {"crashed": 1}
    assert why in game.health[1].whys["crashed"]


def test_a_fault_is_told_with_its_line() -> None:
    line = inspect.getsourcelines(Crashes.act)[1] + 1
    assert played(Fine, Crashes).health[1].whys == {
        "crashed": f"crashed: RuntimeError: oh no (test_player.py:{line})"
    }
    assert "answered 'draw three' to peek 1 2, peek 1 3" in played(Fine, Illegal).health[1].whys["illegal"]


def test_a_bot_that_spoils_its_view_spoils_nothing_else() -> None:
    assert played(Fine, Breaks).record == played(Fine, Fine).record
    assert not played(Breaks, Breaks).health[0].faults


@pytest.mark.parametrize("kind", [Crashes, Illegal, Silent, Oddly, BadSetup])
def test_a_benched_bot_plays_the_default_moves(kind: type[Bot]) -> None:
    """What the host would play for who is absent."""
    game = played(Fine, kind)
    replay = Replay(read(game.record))
    for _ in replay.play():
        for seat in replay.game.must_act:
            legal = replay.game.legal(seat)
            assert default_of(legal) == replay.game.table.default(seat)


def test_what_a_bot_prints_does_not_reach_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    played(Fine, Nonsense)
    told = capsys.readouterr()
    assert told.out == ""
    assert "{not json" in told.err


def test_several_threads_may_speak_aside(capsys: pytest.CaptureFixture[str]) -> None:
    outside, (first, second) = sys.stdout, (threading.Event(), threading.Event())

    def enters_first() -> None:
        with aside():
            first.set()
            second.wait(5)

    thread = threading.Thread(target=enters_first)
    thread.start()
    first.wait(5)
    with aside():
        second.set()
        thread.join()
        print("still aside")
    assert sys.stdout is outside
    assert capsys.readouterr().out == ""


def test_times_are_kept_to_a_twentieth() -> None:
    health = Health()
    for seconds in [0.001] * 98 + [0.5, 2.0]:
        health.took(seconds)
    assert health.quantile(0.5) == pytest.approx(0.001, rel=0.05)
    assert health.quantile(0.99) == pytest.approx(0.5, rel=0.05)
    assert Health().quantile(0.5) is None
    health.took(0)
    total = Health()
    total.add(health)
    total.add(health)
    assert total.times.total() == 202


def test_slow_answers_are_counted_and_told() -> None:
    """Of bots in this process, too, which nothing holds to a time."""
    health, total = Health(), Health()
    for seconds in (0.1, 5.5, 70):
        health.took(seconds)
    total.add(health)
    total.add(health)
    assert total.slow == 4
    assert list(slow(total)) == ["4 answers took longer than 5 s"]
    assert list(slow(Health())) == []


def test_nothing_that_a_bot_is_given_leads_to_the_deck() -> None:
    Cheats.given.clear()
    played(Cheats, Fine)
    for given in Cheats.given:
        assert not reaches(given, Game), "the game can be reached"
        assert not reaches(given, Table), "the table can be reached"


def reaches(start: object, kind: type) -> bool:
    """Whether an object of this kind can be reached by attributes and items."""
    seen: set[int] = set()
    waiting = [start]
    while waiting:
        thing = waiting.pop()
        if isinstance(thing, kind):
            return True
        if id(thing) in seen or isinstance(
            thing, str | bytes | int | float | type | ModuleType | FunctionType
        ):
            continue
        seen.add(id(thing))
        waiting += gc.get_referents(thing)
    return False
