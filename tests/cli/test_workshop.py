"""What authors of bots use: a template that plays, and a check that says what is wrong."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from lanplay.bot.template import TemplateError, write
from tests.bots.programs import word
from tests.cli.run import lanplay, running
from tests.cli.test_words import one_line, run


def test_a_new_bot_passes_its_test_and_plays(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    done = lanplay("bots", "new", "my_bot")
    assert done.code == 0
    assert "lanplay bots check my_bot.py" in done.out
    assert {path.name for path in tmp_path.iterdir()} >= {"my_bot.py", "test_my_bot.py"}
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "test_my_bot.py"], capture_output=True, text=True, check=False
    )
    assert tested.returncode == 0, tested.stdout
    assert lanplay("match", "cambio", "my_bot.py", "random", "--games", "2").code == 0


def test_a_bot_that_does_all_well_is_told_so() -> None:
    checked = run("bots", "check", word("four.sh"), "--game", "not-at-home")
    assert checked.exit_code == 0, checked.output
    assert "  ok     not-at-home, 6 players" in checked.stdout
    assert "all is well in" in checked.stdout
    most = int(checked.stdout.rpartition(" at most.")[0].split()[-1])
    assert most > 200


def test_nothing_is_written_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "test_mine.py").write_text("mine")
    assert "There is a test_mine.py already" in one_line(run("bots", "new", "mine"), 2)
    assert [path.name for path in tmp_path.iterdir()] == ["test_mine.py"]
    assert (tmp_path / "test_mine.py").read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("9lives", "can't be a file of Python"),
        ("my bot", "can't be a file of Python"),
        ("../mine", "can't be a file of Python"),
        ("mine.py", "can't be a file of Python"),
        ("class", "can't be a file of Python"),
        ("", "can't be a file of Python"),
        ("random", "would hide what others call so"),
        ("test_mine", "would hide what others call so"),
    ],
)
def test_a_name_that_cannot_be_a_module_is_refused(name: str, why: str, tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match=why):
        write(name, tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("name", "title"), [("mine", "Mine"), ("_2", "My2"), ("bot", "MyBot"), ("a_b", "AB"), ("_", "MyBot")]
)
def test_every_name_gives_a_class(name: str, title: str, tmp_path: Path) -> None:
    bot, _ = write(name, tmp_path)
    compile(bot.read_text(), str(bot), "exec")
    assert f"class {title}(Bot):" in bot.read_text()


def test_a_folder_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    with pytest.raises(TemplateError, match="can't be written"):
        write("mine", tmp_path / "missing")


def test_a_bot_that_is_wrong_is_told_with_what_plays_it_again(tmp_path: Path) -> None:
    bot = word("says.py", '{"move": "dance"}')
    records = str(tmp_path / "wrong")
    done = lanplay("bots", "check", bot, "--game", "not-at-home", "--records", records)
    assert done.code == 6
    assert "  WRONG  not-at-home, 3 players" in done.out
    assert "illegal, 5 times: it answered 'dance' to ask" in done.out
    assert "3 of 3 situations went wrong" in done.out  # it was benched in all of them: enough was seen
    record = next(line for line in done.out.splitlines() if "lanplay replay" in line).split()[-1]
    assert lanplay("replay", record, "--check").code == 0
    again = next(line for line in done.out.splitlines() if "again: lanplay match" in line)
    assert "--games 1 --seed 3" in again
    shown = run("bots", "check", bot, "--game", "not-at-home", "--json")
    situations = [json.loads(line) for line in shown.stdout.splitlines()]
    assert [one["ok"] for one in situations] == [False] * 3
    assert situations[0]["faults"] == {"illegal": 5}


# ---- programs at a table ------------------------------------------------------------------------------


def test_programs_sit_down_at_a_real_table() -> None:
    """A broken one that the host seats, which spoils nothing, one that comes by itself, and one in Python, apart."""
    words = ("host", "cambio", "--port", "0", "--json", "--seats", "3", "--bot", word("exits.sh"))
    with running(*words, "--set", "max_turns=12") as table:
        where = f"127.0.0.1:{table.event('open')['port']}"
        with running("bot", "--exec", word("four.sh").removeprefix("exec:"), where, "--json") as shell:
            python = lanplay("bot", "apart:memory", where, "--json")
            told = json.loads(shell.end().out.splitlines()[-1])
        assert table.end().code == 0
    assert (python.code, python.err) == (0, "")
    assert json.loads(python.out)["winners"] == told["winners"]
    assert (told["faults"], told["proved"]) == ({}, True)


@pytest.mark.parametrize(
    ("words", "why"),
    [
        ((), "Say which bot: a name"),
        (("memory", "here", "--exec", "cat"), "Say either BOT or --exec"),
        (("--exec", "no-such-program"), "The program no-such-program is not there."),
        (("exec:no-such-program",), "The program no-such-program is not there."),
        (("memory", "--bot-time", "1/0/0"), "START/MOVE/BANK"),
    ],
)
def test_a_bot_that_cannot_be_meant_is_told(words: tuple[str, ...], why: str) -> None:
    assert why in one_line(run("bot", *words), 2)


def test_a_match_tells_what_its_bots_did_wrong() -> None:
    bots = (word("says.py", '{"move": 7}'), "random")
    done = lanplay("match", "cambio", *bots, "--games", "2", "--bot-time", "20/5/0")
    assert done.code == 0
    assert "10 times nonsense; first it answered" in " ".join(done.out.split())
    assert "--bot-time 20/5/0" in done.out


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["check", "nobody"], "There is no bot 'nobody'"),
        (["check", "memory", "--game", "not-at-home"], "doesn't play not-at-home"),
        (["check", "memory", "--game", "chess"], "There is no game"),
        (["chekc", "memory"], "Did you mean check?"),
        (["check", "memory", "--bot-time", "soon"], "START/MOVE/BANK"),
        (["check"], "BOT"),
        (["new"], "NAME"),
    ],
)
def test_wrong_words_are_answered(words: list[str], why: str) -> None:
    assert why in one_line(run("bots", *words), 2)
