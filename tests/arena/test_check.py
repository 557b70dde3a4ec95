"""The check finds what it looks for, each in a bot that does just this, and nothing in the house bots."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanplay.arena.check import Found, check, spread, values
from lanplay.bot.clock import Limits
from lanplay.games import find
from tests.games.play import EVERY_GAME

HEAD = """
import random, time
from lanplay.bot import Bot
class Mine(Bot):
    games = ("not-at-home",)
"""
ACT = "    def act(self, view): return view.moves[0]\n"

# what it is, what it is found to do, and in which situations
WRONG = {
    "own dice": ("    def act(self, view): return random.SystemRandom().choice(view.moves)", "self.rng", "twice"),
    "class state": (
        "    turns = []\n    def act(self, view):\n        self.turns.append(1)\n"
        "        return view.moves[len(self.turns) % len(view.moves)]",
        "class or module",
        "twice",
    ),
    "changes moves": (
        "    def act(self, view):\n        view.moves.sort(reverse=True)\n        return view.moves[0]",
        "view.moves",
        "shown",
    ),
    "changes unseen": (
        "    def act(self, view):\n        view.unseen.clear()\n        return view.moves[0]",
        "view.unseen",
        "shown",
    ),
    "never ends": (
        "    def act(self, view): return next((m for m in view.moves if m.endswith(' As')), view.moves[0])",
        "",
        "itself",
    ),
    "crashes with eight": (
        "    def act(self, view):\n        assert len(view.seats) < 8\n        return view.moves[0]",
        "crashed, 5 times: it crashed: AssertionError",
        "8 players",
    ),
    "crashes after a break": (
        "    asked = 0\n    def act(self, view):\n        self.asked += 1\n"
        "        assert self.asked < 4 or view.barred(f'hand {view.others[0]}') or view.seat == 'x', 'lost'\n"
        "        return view.moves[0]",
        "lost",
        "broken connection",
    ),
    "crashes with an option": (
        "    def act(self, view):\n        assert view.info.options['on_miss'] != 'asked'\n        return view.moves[0]",
        "AssertionError",
        "options",
    ),
}


def checked(text: str, folder: Path) -> list[Found]:
    (folder / "mine.py").write_text(HEAD + text + "\n")
    return list(check(str(folder / "mine.py")))


@pytest.mark.parametrize("what", WRONG)
def test_each_wrong_is_found_where_it_is(what: str, tmp_path: Path) -> None:
    text, why, where = WRONG[what]
    found = [one for one in checked(text, tmp_path) if one.wrong]
    assert any(where in one.title and why in " ".join(one.wrong) for one in found), found
    if where in ("twice", "shown", "8 players"):
        assert len(found) == 1
    assert all("apart:" in one.again and "not-at-home" in one.again for one in found)
