"""A host that is killed, and goes on: with real processes and signals."""

from __future__ import annotations

import os
import re
import signal
import time
from pathlib import Path

import pytest

from lanplay.record.journal import Journal, JournalError
from tests.cli.run import SECONDS, lanplay, running
from tests.cli.test_tables import TURNS, checks, records
from tests.cli.test_words import one_line, run

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX signals")


def actions(record: Path) -> list[str]:
    """The moves in a record, without their times."""
    lines = record.read_text(encoding="utf-8").splitlines()
    return [re.sub(r" @.*", "", line) for line in lines if re.match(r"[A-H] ", line)]


def wait_for(record: Path, moves: int) -> None:
    until = time.monotonic() + SECONDS
    while len(actions(record)) < moves:
        assert time.monotonic() < until
        time.sleep(0.02)


def test_a_killed_host_goes_on_and_everybody_comes_back(home: Path) -> None:
    words = ["--port", "0", "--bot", "memory", "--bot-delay", "200", "--set", "max_turns=20"]
    with running("host", "cambio", "--seats", "2", *words) as host:
        host.until("To join on this machine")
        with running("join", "--name", "Ann") as ann:
            for line in TURNS.splitlines():
                ann.type(line)
            (record,) = records(home)
            wait_for(record, 6)
            assert "being written by another host" in one_line(run("host", "--resume", str(record)), 2)
            host.process.send_signal(signal.SIGKILL)
            host.process.wait()
            before = actions(record)
            with running("host", "--resume") as again:
                again.until("The game goes on: Cambio, round 1")
                assert {again.until(" is back."), again.until(" is back.")} == {
                    "Ann is back.",
                    "memory is back.",
                }
                played = ann.end()
                assert again.end().code == 0
    assert played.code == 0
    assert "The deal is proved: " in played.out
    assert actions(record)[: len(before)] == before
    assert len(actions(record)) > len(before)
    assert checks(record)
    assert lanplay("verify", str(record)).code == 0
    assert "That game is over" in one_line(run("host", "--resume", str(record)), 2)
    assert "No table was left in mid-game" in one_line(run("host", "--resume"), 2)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--resume"], "No table was left in mid-game"),
        (["--resume", "nowhere.rec"], "no table of this user on this machine wrote it"),
        (["cambio", "--resume", "x.rec"], "leave out the game"),
        ([], "Say which game"),
    ],
)
def test_what_cannot_be_resumed_is_said_in_one_line(home: Path, words: list[str], says: str) -> None:
    assert says in one_line(run("host", *words), 2)


def test_a_damaged_record_is_left_as_it_is(tmp_path: Path) -> None:
    record = tmp_path / "damaged.rec"
    record.write_bytes(b"lanplay-record 1\n\xff\xfe\nA dr")
    with pytest.raises(JournalError, match="damaged"):
        Journal.again(record, lambda text: text)
    assert record.read_bytes().endswith(b"A dr")
