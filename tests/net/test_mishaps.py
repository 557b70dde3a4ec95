"""What befalls a host without anybody's fault, or by people who only come and go: each table lives through it."""

from __future__ import annotations

import errno
import resource
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import psutil
import pytest

from lanplay.net import book, door, find, pairing, traffic
from lanplay.net.errors import Refused
from lanplay.net.friends import Friends
from lanplay.net.home import hold, home
from lanplay.net.host import Host
from lanplay.net.keys import Keys
from tests.net.fake import FakeRoom, eventually
from tests.net.raw import Raw, Table


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(traffic, "GOODBYE", 0.02)
    with Table(size=2).open() as table:
        yield table


@pytest.fixture
def ann(table: Table) -> Raw:
    return table.join("Ann")


@pytest.fixture
def ben(table: Table, ann: Raw) -> Raw:
    return table.join("Ben")


# ---- many who pair --------------------------------------------------------------------------------


def test_a_flood_of_pairings_pushes_out_nobody_who_came(
    table: Table, ann: Raw, ben: Raw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "MOST", 32)
    zoe, never = table.join("Zoe", "watch"), table.enter("Never")
    guests = table.host.book.guests

    def pour() -> None:
        for _ in range(300):
            table.host._admit(Keys.new().public)

    pouring = [threading.Thread(target=pour) for _ in range(2)]
    for one in pouring:
        one.start()
    table.play_on(ann, ben)
    for one in pouring:
        one.join()
    eventually(lambda: len(guests) <= 32)
    assert {one.keys.public for one in (ann, ben, zoe)} <= guests.keys()
    assert never.keys.public not in guests
    assert len(table.host.book.path.read_bytes().split(b"\n\n")) < 10  # who only pairs is not written down
    for peer in (ann, ben, zoe):  # a new connection under the same key
        peer.again()
        peer.join()
    table.play_on(ann, ben)
    assert zoe.stream.closed is None


def test_who_holds_every_place_at_the_door_and_says_nothing_makes_room(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door, "SLOW", 0.2)
    where = ("127.0.0.1", table.host.port)
    asked = pairing.encode(pairing.PeerSide("code", "able-able-able", bytes(32)).question())
    with ExitStack() as opened:
        for number in range(door.EACH):  # half of them begin an exchange, and never go on
            line = opened.enter_context(socket.create_connection(where))
            line.sendall(asked if number % 2 else asked[:5])
        eventually(lambda: len(table.host.door.silent) == door.EACH)
        with pytest.raises(Refused, match="at once"):
            find.ask(*where)
        for _ in range(3):
            time.sleep(0.25)
            find.pair(find.ask(*where), table.host.code, "Zoe").identity.release()
    eventually(lambda: not table.host.door.tries)
    assert not table.host.door.silent


# ---- a machine that has no more -------------------------------------------------------------------


def test_no_more_threads_turn_away_and_later_ones_are_let_in(
    table: Table, ann: Raw, ben: Raw, monkeypatch: pytest.MonkeyPatch
) -> None:
    start, refused = threading.Thread.start, list[str]()

    def begin(thread: threading.Thread) -> None:
        if thread.name == "lanplay pairing" and len(refused) < 20:
            refused.append(thread.name)
            raise RuntimeError("can't start new thread")
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", begin)
    monkeypatch.setattr("random.uniform", lambda low, high: 0.001)
    (found,) = find.find()
    find.pair(found, name="Zoe").identity.release()
    assert len(refused) == 20
    assert not table.host.door.tries
    table.play_on(ann, ben)


def test_a_friend_that_can_not_be_written_down_is_let_in(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(friends: Friends) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Friends, "befriend", full)
    found = find.ask("127.0.0.1", table.host.port)
    invitation = find.pair(found, table.host.code, "Zoe")
    invitation.identity.release()
    assert (invitation.how, invitation.grant.friend) == ("code", None)


@pytest.mark.parametrize("what", ["run", "tables", "host"])
def test_a_host_that_can_not_write_ends_with_an_error_and_leaves_nothing_open(what: str) -> None:
    home().mkdir()
    (home() / what).write_text("in the way")
    before = psutil.Process().num_fds(), threading.active_count()
    with pytest.raises(OSError, match=what):
        Host(FakeRoom(), table="t", game="fake", port=0, table_id="cafe")
    eventually(lambda: (psutil.Process().num_fds(), threading.active_count()) == before)
    (home() / what).unlink()
    with Host(FakeRoom(), table="t", game="fake", port=0, table_id="cafe"):
        assert hold(home() / "run" / "cafe.ticket") is None


def limited(descriptors: int, *words: str) -> subprocess.CompletedProcess[str]:
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (descriptors, descriptors))

    return subprocess.run(
        [sys.executable, "-m", "lanplay", *words],
        preexec_fn=limit,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )


def test_too_few_descriptors_are_said_in_one_line_where_zeromq_would_abort(tmp_path: Path) -> None:
    done = limited(16, "host", "cambio", "--port", "0")
    assert done.returncode == 2, done
    assert done.stderr.startswith("lanplay: This machine allows no more open files")
    assert done.stderr.count("\n") == 1
    assert not list((home() / "records").iterdir())
