"""Bots that misbehave: each fault is told apart, the default move is made, and nothing else is spoilt."""

from __future__ import annotations

import gc
from pathlib import Path
from types import FunctionType, ModuleType
from typing import ClassVar

import pytest

from lanplay.arena.game import Pairing, Played, play, secret
from lanplay.bot import Bot, View
from lanplay.bot.load import BotError, load
from lanplay.engine.game import Game
from lanplay.engine.table import Table
from lanplay.games import find


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
    [(Crashes, "crashed"), (Illegal, "illegal"), (Silent, "silent"), (Nonsense, "illegal")],
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
    assert "not ready" in game.health[1].why
    assert game.winners


def test_what_a_bot_prints_does_not_reach_standard_output(capsys: pytest.CaptureFixture[str]) -> None:
    played(Fine, Nonsense)
    assert capsys.readouterr().out == ""


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


def test_loading_says_what_is_wrong(tmp_path: Path) -> None:
    assert load("memory").__name__ == "Memory"
    for name, text, why in (
        ("none.py", "x = 1", "no bot"),
        ("broken.py", "def", "can't be loaded: SyntaxError"),
        ("two.py", "from lanplay.bot import Bot\nclass A(Bot): ...\nclass B(Bot): ...", "name one"),
    ):
        (tmp_path / name).write_text(text)
        with pytest.raises(BotError, match=why):
            load(str(tmp_path / name))
    assert load(f"{tmp_path / 'two.py'}:B").__name__ == "B"
    with pytest.raises(BotError, match="did you mean memory"):
        load("memroy")
    with pytest.raises(BotError, match="there is no file"):
        load("missing.py")
