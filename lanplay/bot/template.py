"""A bot to begin with, and its test."""

from __future__ import annotations

import keyword
import sys
from pathlib import Path

BOT = '''"""{title}, a bot for lanplay.

    lanplay match cambio {name}.py random     plays it against another
    lanplay bots check {name}.py              says what it does wrong
    lanplay play cambio --bot {name}.py       plays it against you
"""

from __future__ import annotations

from lanplay.bot import Bot, View, best_snap


class {title}(Bot):
    """Any move; in Cambio it gets rid of its dearest card, and calls when its hand is low."""

    games = ()  # every game; or such as ("cambio", "cambio52")

    def act(self, view: View) -> str:
        """The game waits for this seat: one of view.moves. What view has beside it: help(View)."""
        snap = best_snap(view)
        if snap:
            return snap
        moves = [move for move in view.moves if move != "cambio" and not move.startswith("snap")]
        if "cambio" in view.moves and (not moves or self.points(view) <= 6):
            return "cambio"
        swap = self.swap(view)
        return swap if swap in moves else self.rng.choice(moves or view.moves)

    def react(self, view: View) -> str | None:
        """Something is open out of turn: one of view.moves, or None to let it be."""
        return best_snap(view)

    def points(self, view: View) -> float:
        """What its cards count; those it has not seen, what they count on average."""
        return sum(view.expected(place) for place in view.hand(view.seat)) if view.info.worth else 99

    def swap(self, view: View) -> str | None:
        """The drawn card in place of the dearest one, if it counts less."""
        if not view.held or not any(move.startswith("swap") for move in view.moves):
            return None
        dearest = max(view.hand(view.seat), key=view.expected, default=None)
        if dearest is None or view.expected(dearest) <= view.worth(view.held):
            return None
        return f"swap {{dearest[1:]}}"
'''

TEST = '''"""What {name}.py must always do. Run: pytest test_{name}.py"""

from __future__ import annotations

from pathlib import Path

import pytest
from lanplay.arena import MatchSpec, run_match

BOT = str(Path(__file__).with_name("{name}.py"))


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
def test_it_plays_without_a_fault(game: str) -> None:
    result = run_match(MatchSpec(game, (BOT, "memory"), games=10, seed=1)).object()
    assert result["health"][BOT]["why"] == {{}}
    assert result["capped"] == 0


def test_the_same_seed_gives_the_same_games() -> None:
    spec = MatchSpec("cambio", (BOT, "random"), games=4, seed=1)
    assert run_match(spec).ranking() == run_match(spec).ranking()


def test_it_is_better_than_chance() -> None:
    best = run_match(MatchSpec("cambio", (BOT, "random"), games=20, seed=1)).ranking()[0]
    assert best.bot == BOT
'''


class TemplateError(ValueError):
    """Why the files are not written; the text says what to do."""


def write(name: str, folder: Path) -> list[Path]:
    """NAME.py and test_NAME.py. Raises TemplateError, and then nothing is written."""
    if not name.isidentifier() or not name.isascii() or keyword.iskeyword(name):
        raise TemplateError(
            f"{name[:40]!r} can't be a file of Python: a name is letters, digits and _, such as my_bot"
        )
    if name in sys.stdlib_module_names or name.partition("_")[0] in ("lanplay", "pytest", "test"):
        raise TemplateError(
            f"a file {name}.py would hide what others call so: choose another name, such as my_{name}"
        )
    title = title_of(name)
    files = {folder / f"{name}.py": BOT, folder / f"test_{name}.py": TEST}
    for file in files:
        if file.exists() or file.is_symlink():
            raise TemplateError(f"there is a {file.name} already: nothing is written over it")
    written: list[Path] = []
    try:
        for file, text in files.items():
            with file.open("x", encoding="utf-8") as new:
                written.append(file)
                new.write(text.format(name=name, title=title))
    except OSError as error:
        for file in written:
            file.unlink(missing_ok=True)
        raise TemplateError(f"{error.filename} can't be written: {error.strerror}") from error
    return written


def title_of(name: str) -> str:
    """The name of the class: `MyBot` for `my_bot`."""
    title = "".join(part[:1].upper() + part[1:] for part in name.split("_")) or "MyBot"
    taken = not title.isidentifier() or title in ("Bot", "View", "None", "True", "False")
    return f"My{title}" if taken else title
