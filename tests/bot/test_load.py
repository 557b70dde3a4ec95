"""Finding bots by name, file and class, and what is said when there is none."""

from __future__ import annotations

import random
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from lanplay.bot import Bot
from lanplay.bot import load as loading
from lanplay.bot.load import BotError, house_bots, installed, load
from lanplay.resources import folder

ONE = "from lanplay.bot import Bot\nclass {}(Bot):\n    def act(self, view): return view.moves[0]\n"


def test_the_house_bots_are_found_by_name_and_described() -> None:
    assert {"memory", "random"} <= house_bots().keys()
    assert load("memory").__name__ == "Memory"
    assert all(described and not described.startswith("can't") for described in installed().values())


def test_a_bot_called_random_hides_nothing() -> None:
    load("random")
    assert random.Random(1).random() == 0.13436424411240122


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("x = 1", "has no bot: a bot is a class derived from"),
        ("def", "can't be loaded: SyntaxError"),
        ("1 / 0", "can't be loaded: ZeroDivisionError"),
        ("import sys; sys.exit(1)", "can't be loaded: SystemExit"),
        (ONE.format("A") + ONE.format("B"), r"several bots; name one: .*mine.py:A or .*mine.py:B"),
        ("from lanplay.bot import Bot\nclass A(Bot): ...", r"there is no act\(view\) in A"),
    ],
)
def test_a_file_without_a_bot_says_what_is_wrong(text: str, why: str, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(text)
    with pytest.raises(BotError, match=why):
        load(str(tmp_path / "mine.py"))


def test_a_class_can_be_named(tmp_path: Path) -> None:
    (tmp_path / "two.py").write_text(ONE.format("A") + ONE.format("B") + "class C(Bot): ...\n")
    assert load(f"{tmp_path / 'two.py'}:B").__name__ == "B"
    with pytest.raises(BotError, match="no bot D: there are A, B, C"):
        load(f"{tmp_path / 'two.py'}:D")
    with pytest.raises(BotError, match="in A or B or C"):
        load(f"{tmp_path / 'two.py'}:C")


def test_a_base_that_cannot_act_is_not_meant(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "from lanplay.bot import Bot\nclass Base(Bot): ...\nclass Mine(Base):\n    def act(self, view): ...\n"
    )
    assert load(str(tmp_path / "mine.py")).__name__ == "Mine"


def test_a_file_may_import_its_neighbours(tmp_path: Path) -> None:
    (tmp_path / "a_neighbour_of_mine.py").write_text("MOVE = 'draw'\n")
    (tmp_path / "mine.py").write_text("from a_neighbour_of_mine import MOVE\n" + ONE.format("A"))
    assert load(str(tmp_path / "mine.py")).__name__ == "A"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("memroy", "did you mean memory"),
        ("nobody at all", "there are melder, memory, random, sleuth, or give a file"),
        ("missing.py", "there is no file missing.py"),
        ("missing.py:A", "there is no file missing.py"),
    ],
)
def test_an_unknown_name_gets_a_hint(name: str, why: str) -> None:
    with pytest.raises(BotError, match=why):
        load(name)


def test_other_packages_bring_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("theirs", "tests.bot.test_load:Theirs", "lanplay.bots"),
        EntryPoint("broken", "tests.bot.nowhere:Bot", "lanplay.bots"),
        EntryPoint("wrong", "tests.bot.test_load:ONE", "lanplay.bots"),
    ]
    monkeypatch.setattr(
        loading, "entry_points", lambda group, name=None: [p for p in points if name in (None, p.name)]
    )
    assert load("theirs") is Theirs
    for name in ("broken", "wrong"):
        with pytest.raises(BotError):
            load(name)
    described = installed()
    assert described["theirs"] == "Comes with another package."
    assert described["broken"].startswith("can't be used")


class Theirs(Bot):
    """Comes with another package."""


def test_rule_books_and_bots_are_found_wherever_lanplay_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from lanplay import resources  # noqa: PLC0415

    assert (folder("seeds") / "cambio.md").is_file()
    (tmp_path / "lanplay" / "bots").mkdir(parents=True)
    monkeypatch.setattr(resources, "__file__", str(tmp_path / "lanplay" / "resources.py"))
    assert folder("bots") == tmp_path / "lanplay" / "bots"
    assert folder("seeds") == tmp_path / "seeds"
