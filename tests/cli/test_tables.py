"""Tables between real processes: hosting, joining, playing through pipes, and every way to leave."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from lanplay.record.proof import commitment
from tests.cli.run import SECONDS, Done, Program, lanplay, running

# What always has an answer: each line waits until it can be played, and what can't be is refused.
TURNS = "draw\nswap 1\npass\n" * 30
posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


def host(*words: str) -> Any:
    """A host of the test's own."""
    return running("host", "cambio", "--port", "0", "--json", "--name", "Test", *words)


def opened(program: Program) -> dict[str, Any]:
    event = program.event("open")
    event["where"] = f"127.0.0.1:{event['port']}"
    return event


def records(home: Path) -> list[Path]:
    return sorted((home / "records").glob("*.rec"))


def checks(record: Path) -> bool:
    return lanplay("replay", str(record), "--check").code == 0


# ---- whole games --------------------------------------------------------------------------------------


def test_two_people_play_a_game_through_pipes(home: Path) -> None:
    with host("--set", "max_turns=6") as table:
        where = opened(table)["where"]
        with running("join", where, "--name", "Ann") as ann:
            ann.until("Waiting for 1 more.")
            for line in ("pass", *TURNS.split("\n")[:20]):
                ann.type(line)
            bob = lanplay("join", where, "--name", "Bob", stdin="peek 1 2\n" + TURNS)
            done = ann.end()
        assert table.end().code == 0
    assert (done.code, bob.code) == (0, 0)
    assert "The game is over." in done.out
    assert bob.out.count("You look at B") == 2
    assert "You look at B" not in done.out
    assert bob.out.count("You draw the ") == 3
    (record,) = records(home)
    assert checks(record)
    assert all("The deal is proved: " in played for played in (done.out, bob.out))
    proof = json.loads(lanplay("verify", str(record), "--json").out)
    assert (proof["proved"], proof["seats"]) == (True, ["A", "B"])
    assert not list((home / "records").glob("*.secret"))


def test_a_game_against_bots_in_one_terminal(home: Path) -> None:
    done = lanplay(
        *("play", "cambio", "--port", "0", "--name", "Ann", "--bot", "random", "--bot", "memory"),
        *("--bot-delay", "0"),
        *("--set", "max_turns=9", "--record", str(home / "mine.rec")),
        stdin="pass\n" + TURNS,
    )
    assert done.code == 0, done.err
    assert "random (B, a bot) sits down." in done.out or "random (C, a bot) sits down." in done.out
    assert "The game is over." in done.out
    assert done.out.splitlines()[-2:] == [
        f"To see the game again: lanplay replay {home / 'mine.rec'}",
        f"To prove its deal: lanplay verify {home / 'mine.rec'}",
    ]
    assert checks(home / "mine.rec")


def test_the_host_can_watch_and_others_too(home: Path) -> None:
    with running(
        "host", "cambio", "--port", "0", "--seats", "2", "--name", "Test", "--set", "max_turns=2"
    ) as table:
        table.until("Join code: ")
        command = table.until("on this machine").split(": ")[1].split()
        with running(*command[1:], "--watch", "--name", "Wat") as watcher:
            watcher.until("You look on.")
            with running("bot", "random", "--name", "Robo") as robo:
                watcher.until("Robo (A, a bot)")
                other = lanplay("bot", "random", "--json")
                assert robo.end().code == 0
            assert watcher.end().code == 0
        done = table.end()
    assert done.code == 0
    assert json.loads(other.out).keys() == {"seat", "totals", "winners", "proved", "faults"}
    assert json.loads(other.out)["proved"] is True
    assert "Wat looks on." in done.out
    assert "Robo, a bot, sits down at A." in done.out
    assert "The game is over." in done.out
    told = set(watcher.seen)
    assert {line for line in done.out.splitlines() if line.startswith("Robo ") and "draws" in line} <= told


def test_events_for_programs() -> None:
    with host(
        "--set", "max_turns=2", "--bot", "random", "--bot", "random", "--seats", "2", "--seed", "7"
    ) as table:
        done = table.end()
    events = [json.loads(line) for line in done.out.splitlines()]
    first, *rest = events
    assert first["event"] == "open"
    assert first["seeded"] is True
    assert len(first["code"].split("-")) == 3
    assert [event["event"] for event in rest[:3]] == ["joined", "joined", "started"]
    moves = [event for event in rest if event["event"] == "move"]
    assert [move["step"] for move in moves] == list(range(1, len(moves) + 1))
    over = next(event for event in rest if event["event"] == "over")
    assert set(over["totals"]) == {"A", "B"}


def test_the_same_seed_deals_the_same_cards(home: Path) -> None:
    decks = set()
    for name in ("a", "b"):
        record = home / f"{name}.rec"
        words = ["--bot", "random", "--bot", "random", "--seats", "2", "--seed", "7", "--set", "max_turns=2"]
        with host(*words, "--record", str(record)) as table:
            assert table.end().code == 0
        decks |= {
            line for line in record.read_text(encoding="utf-8").splitlines() if line.startswith("deck ")
        }
    assert len(decks) == 1


def test_the_demo() -> None:
    done = lanplay("demo")
    assert done.code == 0, done.err
    assert "The game is over." in done.out
    assert all(f"{name} (" in done.out for name in ("Ann", "Ben", "Cleo"))
    assert done.out.rstrip().endswith("the rules")
    assert "The deal is proved: " in done.out
    assert " is proved: all shuffles come from the secrets of seats A B C and the host." in done.out
    events = [json.loads(line) for line in lanplay("demo", "--json").out.splitlines()]
    assert any(event["event"] == "over" for event in events)
    assert (events[-1]["event"], events[-1]["proved"]) == ("verified", True)
    assert lanplay("demo", "--quiet").out.startswith("The game is over.")


def test_a_match_over_the_lan_is_the_same_match(tmp_path: Path) -> None:
    words = ["match", "cambio", "memory", "random", "--games", "2", "--seed", "3"]
    here, there = tmp_path / "here", tmp_path / "there"
    assert lanplay(*words, "--records", str(here)).code == 0
    assert lanplay(*words, "--over-lan", "--records", str(there)).code == 0
    for one, other in zip(sorted(here.glob("*.rec")), sorted(there.glob("*.rec")), strict=True):
        moves = [line.partition(" @")[0] for line in other.read_text(encoding="utf-8").splitlines()]
        assert one.read_text(encoding="utf-8").splitlines() == moves


# ---- the host's words ---------------------------------------------------------------------------------


def test_the_host_begins_shows_and_removes() -> None:
    with running("host", "cambio", "--port", "0", "--wait", "--seats", "3", "--name", "Test") as table:
        command = table.until("on this machine").split(": ")[1].split()[1:]
        table.type("start")
        table.until("0 sit here.")
        with running(*command, "--name", "Ann"):
            table.until("Ann sits down at A.")
            with running(*command, "--name", "Bob") as bob:
                table.until("Bob sits down at B.")
                the_host_at_work(table, bob)
        table.type("quit")
        assert table.end().code == 0


def the_host_at_work(table: Program, bob: Program) -> None:
    """With Ann and Bob at a table for three."""
    table.type("status")
    assert "1 free seat, 0 looking on." in table.until("At the table: ")
    table.type("kick C")
    table.until("Nobody sits at C.")
    table.type("nonsense")
    table.until("Here you can type: start")
    table.type("kick B")
    done = bob.end()
    assert done.code == 5
    assert done.err == "lanplay: The host has removed you from the table.\n"


def test_a_removed_bot_is_spoken_of_once(home: Path) -> None:
    command = ("host", "cambio", "--port", "0", "--bot", "random", "--seats", "2")
    with running(*command) as table:
        table.until("random, a bot, sits down at A.")
        table.type("kick A")
        table.until("You have removed random.")
        time.sleep(0.5)  # what the bot's own process might say
        table.type("quit")
        done = table.end()
    assert (done.code, done.err) == (0, "")
    assert "error" not in done.out


def test_a_table_that_never_began_leaves_no_record(home: Path) -> None:
    with host() as table:
        opened(table)
        table.type("quit")
        assert table.end().code == 0
    assert records(home) == []


def test_a_record_is_never_overwritten(tmp_path: Path) -> None:
    taken = tmp_path / "game.rec"
    taken.write_text("mine\n")
    done = lanplay("host", "cambio", "--port", "0", "--record", str(taken))
    assert done.code == 2
    assert "exists already" in done.err
    assert taken.read_text() == "mine\n"


def test_a_port_that_is_taken(home: Path) -> None:
    with socket.create_server(("", 0)) as other:
        done = lanplay("host", "cambio", "--port", str(other.getsockname()[1]))
    assert done.code == 2
    assert done.err.count("\n") == 1
    assert "--port" in done.err
    assert list((home / "records").iterdir()) == []  # neither a record nor its secret is left


# ---- codes and refusals -------------------------------------------------------------------------------


def stranger(where: str, *words: str, home: Path) -> Done:
    """Somebody on another machine: without this one's tickets."""
    return lanplay("join", where, *words, stdin="", LANPLAY_HOME=str(home / "elsewhere"))


def test_codes(home: Path, tmp_path: Path) -> None:
    with host() as table:
        event = opened(table)
        none = stranger(event["where"], home=home)
        assert none.code == 4
        assert "join code" in none.err
        wrong = stranger(event["where"], "--code", "wrong-wrong-wrong", home=home)
        assert wrong.code == 4
        assert wrong.err.count("\n") == 1
        file = tmp_path / "code"
        file.write_text(event["code"].upper().replace("-", " ") + "\n")
        right = stranger(event["where"], "--code-file", str(file), "--name", "Ann", home=home)
        assert right.code == 0, right.err
        assert "Cambio at Test" in right.out


def test_an_open_table_asks_for_no_code(home: Path) -> None:
    with host("--open") as table:
        event = opened(table)
        assert event["code"] is None
        assert stranger(event["where"], home=home).code == 0


def test_a_full_table_refuses() -> None:
    with host("--seats", "2", "--bot", "random", "--set", "first_peek=choose") as table:
        where = opened(table)["where"]
        table.event("joined")
        with running("join", where, "--name", "Ann") as ann:
            ann.until("Your move: ")
            late = lanplay("join", where, "--name", "Late")
            assert late.code == 4
            assert late.err == "lanplay: The game has begun. You can look on: lanplay join --watch\n"


def test_several_tables_have_to_be_named() -> None:
    with host() as one, running("host", "cambio", "--port", "0", "--name", "Other", "--json") as two:
        opened(one)
        opened(two)
        done = lanplay("join")
        assert done.code == 2
        assert "Several tables are open: 1: Other (cambio, 127.0.0.1:" in done.err
        assert "2: Test (cambio, " in done.err
        assert "Cambio at Other" in lanplay("join", "other").out


# ---- leaving ------------------------------------------------------------------------------------------


def test_the_host_ends_the_table_in_mid_game() -> None:
    with host() as table:
        where = opened(table)["where"]
        with running("join", where, "--name", "Ann") as ann, running("join", where, "--name", "Bob") as bob:
            ann.until("Your move: ")
            bob.until("Your move: ")
            table.type("quit")
            done = ann.end()
            assert done.code == 5
            assert done.err.count("\n") == 1
            assert bob.end().code == 5
            assert table.end().code == 0


def test_quitting_and_the_end_of_the_input_leave_cleanly() -> None:
    with host("--seats", "3") as table:
        where = opened(table)["where"]
        done = lanplay("join", where, "--name", "Ann", stdin="help\nquit\n")
        assert done.code == 0
        assert done.out.endswith("You leave the table.\n")
        assert lanplay("join", where, "--name", "Bob").out.endswith(
            "The input has ended: you leave the table.\n"
        )
        assert [table.event(kind)["name"] for kind in ("joined", "left", "joined", "left")] == [
            "Ann",
            "Ann",
            "Bob",
            "Bob",
        ]


@posix
@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_everything_that_was_started(number: int, code: int, home: Path) -> None:
    with host("--bot", "random") as table:
        where = opened(table)["where"]
        table.event("joined")
        with running("join", where, "--name", "Ann") as ann:
            ann.until("Your move: ")
            assert ann.end(number).code == code
        assert table.end(number).code == code
    assert list((home / "run").glob("*.ticket")) == []
    assert bots_of(where) == []


@posix
def test_the_secret_of_a_killed_host_is_kept_beside_its_record(home: Path) -> None:
    with host("--seats", "2", "--bot", "random") as table:
        where = opened(table)["where"]
        with running("join", where, "--name", "Ann") as ann:
            ann.until("Everyone is dealt")
            table.process.kill()
            table.end()
    (record,) = records(home)
    secret = record.with_name(f"{record.name}.secret")
    assert secret.stat().st_mode & 0o077 == 0
    committed = commitment(told(record, "table"), "host", secret.read_bytes())
    assert told(record, "commitment host") == committed.hex()
    assert secret.read_bytes().hex() not in record.read_text(encoding="utf-8")
    done = lanplay("verify", str(record))
    assert (done.code, "not played to the end" in done.err) == (6, True)


def told(record: Path, words: str) -> str:
    lines = record.read_text(encoding="utf-8").splitlines()
    return next(line for line in lines if line.startswith(f"{words} ")).rpartition(" ")[2]


@posix
def test_a_host_that_is_killed_takes_its_bots_along() -> None:
    with host("--bot", "random") as table:
        where = opened(table)["where"]
        table.event("joined")
        assert bots_of(where)
        assert table.end(signal.SIGKILL).code == -signal.SIGKILL
    for _ in range(100):
        if not bots_of(where):
            return
        time.sleep(0.1)
    raise AssertionError("the bot lives on")


def bots_of(where: str) -> list[str]:
    """The bots that still run for this table."""
    running_now = subprocess.run(
        ["ps", "-eo", "args"], capture_output=True, text=True, check=True, timeout=SECONDS
    ).stdout
    return [line for line in running_now.splitlines() if where in line]


@posix
def test_ctrl_c_ends_a_match_and_a_demo() -> None:
    for words in (["match", "cambio", "random", "random", "--games", "1000000"], ["demo"]):
        with running(*words) as program:
            if words == ["demo"]:
                program.until("Cambio at the demo")
            else:
                wait_for_cpu(program.process.pid)
            assert program.end(signal.SIGINT).code in ((130,) if words != ["demo"] else (130, 0))


def wait_for_cpu(pid: int) -> None:
    """Until it is past its imports."""
    code = f"import time\nwhile int(open('/proc/{pid}/stat').read().split()[13]) < 60: time.sleep(0.05)"
    if Path(f"/proc/{pid}/stat").exists():
        subprocess.run([sys.executable, "-c", code], timeout=SECONDS, check=False)


def test_a_bot_does_not_sit_down_at_a_game_that_it_does_not_play(home: Path) -> None:
    with host() as table:
        where = opened(table)["where"]
        done = lanplay("bot", "sleuth", where)
    assert done.code == 2
    assert (
        done.err
        == "lanplay: The bot sleuth doesn't play cambio, only not-at-home. (See lanplay bot --help.)\n"
    )


@posix
def test_a_bot_that_crashes_is_told_and_plays_on(tmp_path: Path) -> None:
    file = tmp_path / "crash.py"
    file.write_text(
        "from lanplay.bot import Bot\n\n\nclass Crash(Bot):\n    def act(self, view):\n        raise RuntimeError('no')\n"
    )
    words = ["--bot", str(file), "--bot", "random", "--seats", "2", "--set", "max_turns=4"]
    with host(*words) as table:
        done = table.end()
    assert done.code == 0
    assert "crashed" in done.err


def test_files_of_the_folder_are_not_taken_for_modules(tmp_path: Path) -> None:
    for name in ("click", "random", "lanplay"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('the wrong module')\n")
    words = [sys.executable, "-P", "-m", "lanplay", "demo", "--quiet"]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=SECONDS, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("The game is over.")


def test_the_usual_port_may_be_taken_by_another_table(home: Path) -> None:
    """The next table takes another one, unless it was told which to take."""
    with socket.create_server(("", 0)) as other:
        port = str(other.getsockname()[1])
        done = lanplay("host", "cambio", "--port", port, "--json", stdin="quit\n")
        assert (done.code, len(done.err.splitlines())) == (2, 1)
    with running("host", "cambio", "--json") as one, running("host", "cambio", "--json") as two:
        assert opened(one)["port"] != opened(two)["port"]
        assert {one.end(signal.SIGINT).code, two.end(signal.SIGINT).code} == {130}
