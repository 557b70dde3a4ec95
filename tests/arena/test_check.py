"""The check finds what it looks for, each in a bot that does just this, and nothing in the house bots."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import NamedTuple

import pytest

from lanplay.arena import MatchSpec
from lanplay.arena.check import STRICT, Found, check, situations, spread, values
from lanplay.arena.crew import play_blocks
from lanplay.bot.clock import Limits
from lanplay.games import find
from tests.bots.programs import word
from tests.games.play import EVERY_GAME

HEAD = """
import random, time
from lanplay.bot import Bot
class Mine(Bot):
    games = ("{game}",)
    def act(self, view): {act}
"""


class Case(NamedTuple):
    """What a bot does, and where and how it is found out."""

    act: str
    where: str
    why: str
    game: str = "not-at-home"


WRONG = {
    "own dice": Case(
        "return random.SystemRandom().choice(view.moves)", "the same deal twice", "own dice (self.rng, seed)"
    ),
    "class state": Case(
        "Mine.turn = getattr(Mine, 'turn', 0) + 1; return view.moves[Mine.turn % len(view.moves)]",
        "the same deal twice",
        "class or module",
    ),
    "moves": Case("view.moves.sort(reverse=True); return view.moves[0]", "what it is shown", "view.moves"),
    "moves out of turn": Case(
        "return [one for one in view.moves if one != 'cambio'][0]\n    def react(self, view):\n        view.moves.clear()",
        "what it is shown",
        "view.moves",
        "cambio",
    ),
    "unseen": Case("view.unseen.clear(); return view.moves[0]", "what it is shown", "view.unseen"),
    "memory": Case(
        "[setattr(lore, 'seen', 99) for lore in view.memory.cards()]; return view.moves[0]",
        "what it is shown",
        "view.memory",
    ),
    "never ends": Case(
        "return view.moves[-1] if view.moves[-1] != 'cambio' else 'draw'",
        "against itself",
        "the game does not end",
        "cambio",
    ),
    "eight": Case("return view.moves[0] if len(view.seats) < 8 else 1 / 0", "8 players", "ZeroDivisionError"),
    "option": Case(
        "return 'x' if view.info.options['on_miss'] == 'asked' else view.moves[0]",
        "options, mix 6",
        "illegal, ",
    ),
    "forgetful": Case(
        "self.most = max(getattr(self, 'most', 0), len(view.known)); assert len(view.known) == self.most; "
        "return view.moves[-1] if view.moves[-1] != 'cambio' else 'draw'",
        "after a broken connection",
        "crashed",
        "cambio",
    ),
    "long lists": Case(
        "return view.moves[0] if len(view.moves) < 40 else 'cambio' * 2",
        "moves of others' making, 8 players",
        "illegal, ",
        "cambio52",
    ),
    "late": Case("time.sleep(1000)", "3 players", "late, 5 times: it gave no answer within"),
    "silent": Case("return None", "3 players", "silent, 5 times: it answered nothing to ask"),
}

FAST = Limits(0.2, 0.1, 0)


def found(folder: Path, case: Case, limits: Limits = STRICT) -> Found:
    """What the situation shows in which the bot is to be found out."""
    (folder / "mine.py").write_text(HEAD.format(game=case.game, act=case.act))
    return next(
        situation.found()
        for situation in situations(str(folder / "mine.py"), case.game, limits)
        if situation.title == case.where
    )


@pytest.mark.parametrize("what", WRONG)
def test_each_wrong_is_found(what: str, tmp_path: Path) -> None:
    case = WRONG[what]
    one = found(tmp_path, case, FAST if what == "late" else STRICT)
    assert len(one.wrong) == 1
    assert case.why in one.wrong[0]
    assert one.object()["ok"] is False
    assert one.again.startswith(f"lanplay match {case.game}") or case.where.startswith(("after", "moves of"))


def test_a_situation_can_be_played_again_as_a_match(tmp_path: Path) -> None:
    one = found(tmp_path, WRONG["silent"])
    words = shlex.split(one.again)
    bots = tuple(words[3 : words.index("--games")])
    seed = int(words[words.index("--seed") + 1])
    (games,) = play_blocks(MatchSpec("not-at-home", bots, 1, seed), range(1))
    assert one.record in [game.record for game in games]


@pytest.mark.parametrize(
    ("act", "hint", "where"),
    [
        ("print('so many cards'); return view.moves[0]", "it prints ", "the same deal twice"),
        (
            "return next((m for m in view.moves if m.startswith('snap')), view.moves[-1])",
            "wrong",
            "4 players",
        ),
    ],
)
def test_what_may_be_meant_is_a_hint(act: str, hint: str, where: str, tmp_path: Path) -> None:
    one = found(tmp_path, Case(act, where, "", "cambio"))
    assert one.wrong == []
    assert hint in " ".join(one.hints)


@pytest.mark.parametrize(
    ("bot", "game"),
    [("melder", "cambio-rummy"), ("memory", "cambio52"), ("sleuth", "not-at-home")],
)
def test_the_house_bots_do_nothing_wrong(bot: str, game: str) -> None:
    titles = ("after a broken connection", "what it is shown")
    ones = [one.found() for one in situations(bot, game, Limits(20, 20, 20)) if one.title in titles]
    assert len(ones) == 2
    assert [(one.wrong, one.hints) for one in ones] == [([], [])] * len(ones)


def test_a_bot_that_is_always_benched_is_not_tried_to_the_end() -> None:
    bot = word("says.py", '{"move": "dance"}')
    assert [one.title for one in check(bot, ["not-at-home"])] == ["3 players", "4 players", "5 players"]
    assert [one.title for one in check(word("deaf.sh"), ["not-at-home"], Limits(0, 0.1, 0))] == ["3 players"]


@pytest.mark.parametrize("game", EVERY_GAME)
def test_the_mixes_have_each_word_and_each_end(game: str) -> None:
    mixes = list(spread(find(game)))
    for option in find(game).defaults.described():
        assert {mix.get(option.name, option.default) for mix in mixes} == set(values(option))
    for mix in mixes:
        find(game).defaults.read(mix)
