"""A fifth game, which lanplay has never heard of: one file and its rule book, with an entry point, are all it takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.run import lanplay, running
from tests.cli.test_full_screen import terminal

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
RECORD = HERE / "T2.2-the-highest-takes-the-trick.rec"
FIRST = "1\n" * 8  # the first move that is offered, whenever one is


@pytest.fixture(autouse=True)
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As pip would install it, for every process that is started here."""
    info = tmp_path / "site" / "three_tricks-1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: three-tricks\nVersion: 1\n")
    (info / "entry_points.txt").write_text("[lanplay.games]\nthree-tricks = tricks\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(info.parent), str(HERE)]))


def test_it_is_listed_with_its_options() -> None:
    lines = lanplay("games", "three-tricks").out.splitlines()
    assert lines[0] == "three-tricks: Three Tricks, 2 to 6 players"
    assert [line.split()[0] for line in lines[1:]] == ["hand", "ace"]
    assert "(T1.1)" in lines[1]
    known = json.loads(lanplay("games", "--json").out)["games"]
    assert "three-tricks" in [game["game"] for game in known]
    assert len(known) == 5


def test_its_rule_book_is_shown() -> None:
    assert lanplay("rules", "three-tricks").out == (HERE / "tricks.md").read_text(encoding="utf-8")
    assert "did you mean three-tricks?" in lanplay("rules", "three-trick").err


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--set", "hand=9"), "it can be 1 to 8 (default 3)"),
        (("--set", "ace=top"), "it can be high or low (default high)"),
        (("--set", "hands=2"), "did you mean hand?"),
        (("--seats", "7"), "for 2 to 6 players"),
    ],
)
def test_what_cannot_be_set_is_refused(words: tuple[str, ...], why: str) -> None:
    done = lanplay("host", "three-tricks", "--port", "0", *words)
    assert done.code == 2
    assert why in done.err


def test_it_is_played_in_line_mode_against_the_random_bot(home: Path) -> None:
    record = home / "game.rec"
    done = lanplay(
        *("play", "three-tricks", "--port", "0", "--name", "Ann", "--bot", "random", "--bot", "random"),
        *("--set", "hand=2", "--record", str(record)),
        stdin="rules\nplay Ac Ac\n?\n" + FIRST,
    )
    assert done.code == 0, done.err
    assert "Options: hand 2." in done.out
    assert "T2.2 The highest rank takes the trick" in done.out
    assert "Everyone is dealt 2 cards." in done.out
    assert "Tricks: A 0, B 0, C 0." in done.out
    assert "A move begins with play." in done.out
    assert "The game is over." in done.out
    assert "It is not your turn" not in done.out  # a script waits until it is asked
    assert lanplay("replay", str(record), "--check").code == 0
    assert "Round 1 is over." in lanplay("replay", str(record)).out


def test_it_is_played_on_the_full_screen() -> None:
    words = ("play", "three-tricks", "--port", "0", "--name", "Ann", "--bot", "random", "--set", "hand=1")
    with terminal(*words) as ann:
        ann.until("Your hand (1):")
        time.sleep(0.5)  # what has just come is not answered to
        ann.press("1\r")
        ann.until("Enter leaves")
        ann.press("quit\r")
        assert ann.end() == 0


def test_it_is_hosted_and_joined() -> None:
    with running(
        *("host", "three-tricks", "--port", "0", "--json", "--seats", "2", "--set", "ace=low")
    ) as table:
        where = f"127.0.0.1:{table.event('open')['port']}"
        with running("join", where, "--name", "Ann") as ann:
            ann.until("Waiting for 1 more.")
            for line in FIRST.split():
                ann.type(line)
            bob = lanplay("join", where, "--name", "Bob", stdin=FIRST)
            assert ann.end().code == 0
        assert table.end().code == 0
    assert bob.code == 0
    assert "Options: ace low." in bob.out
    assert "The game is over." in bob.out


@pytest.mark.parametrize("way", [(), ("--over-lan",)])
def test_bots_play_matches_of_it(way: tuple[str, ...]) -> None:
    words = ("match", "three-tricks", "random", "random", "random", "--games", "3", "--json", *way)
    found = json.loads(lanplay(*words).out)
    assert (found["games"], found["capped"], found["options"]) == (3, 0, {"hand": 3, "ace": "high"})
    assert found["actions"] == 3 * 9


def test_its_records_are_rule_tests(tmp_path: Path) -> None:
    assert lanplay("replay", str(RECORD), "--check").code == 0
    wrong = tmp_path / "wrong.rec"
    wrong.write_text(RECORD.read_text(encoding="utf-8").replace("? turn B", "? turn A"), encoding="utf-8")
    assert lanplay("replay", str(wrong), "--check").code == 6


@pytest.mark.timeout(180)
def test_it_passes_the_contract_suite_like_every_game() -> None:
    words = ["tests/games/test_contract.py", "-q", "-k", "three-tricks", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *words], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout  # 5 if it was not found there
