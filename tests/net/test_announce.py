"""Tables that are announced and found, on loopback, by mDNS and by the question to all; and what is not believed."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.net import announce, broadcast, find, pairing
from lanplay.net import search as searching
from lanplay.net.announce import Announcer
from lanplay.net.errors import NoTable
from lanplay.net.host import Host
from lanplay.net.interfaces import Interface
from lanplay.net.names import LONGEST, cleaned
from lanplay.net.pairing import About
from lanplay.net.search import Sighting, search
from tests.net.fake import FakeRoom, eventually

LOOP = Interface("lo", socket.if_nametoindex("lo"), ("127.0.0.1/8",), loopback=True)
NONCE = bytes(range(16))


@pytest.fixture(autouse=True)
def _loopback_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANPLAY_LAN", "lo")


@pytest.fixture
def port() -> int:
    """Of UDP, free."""
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as probe:
        probe.bind(("", 0))
        number: int = probe.getsockname()[1]
        return number


@contextmanager
def announced(host: Host, asked_at: int, notice: Callable[[str], None] = pytest.fail) -> Iterator[Announcer]:
    announcer = Announcer(
        host.table, host.table_id, host.port, notice=notice, found=lambda: [LOOP], asked_at=asked_at
    )
    announcer.start()
    eventually(lambda: announcer.ears and announcer.engines)
    yield announcer
    announcer.stop()
    assert not announcer.thread.is_alive()


def look(port: int, host: Host, seconds: float = 3.0) -> list[Sighting]:
    """Where this host's table is seen; others may be on this machine as well."""
    until = time.monotonic() + seconds
    while True:
        seen = [one for one in search((), 0.6, [LOOP], port) if one.about.table_id == host.table_id]
        if seen or time.monotonic() > until:
            return seen


# ---- both ways ----------------------------------------------------------------------------------------


def test_a_table_is_found_by_asking_all(host: Host, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    host.seated(1, 4)
    monkeypatch.setattr(searching.Search, "browse", lambda self: [])
    with announced(host, port):
        (seen,) = look(port, host)
        assert (seen.address, seen.port) == ("127.0.0.1", host.port)
        assert (seen.about.table, seen.about.taken, seen.about.seats) == ("Anna's table", 1, 4)
    assert look(port, host, 0) == []


def test_a_table_is_found_by_mdns(host: Host, port: int) -> None:
    with announced(host, port):
        (seen,) = look(port + 1, host)
        assert (seen.address, seen.port) == ("127.0.0.1", host.port)
    assert look(port + 1, host, 0) == []  # goodbye was said


def test_two_tables_of_one_machine_both_answer(host: Host, port: int) -> None:
    with (
        Host(FakeRoom(), table="Other", game="fake", port=0, bind="127.0.0.1") as other,
        announced(host, port),
        announced(other, port),
    ):
        assert look(port, host)
        assert look(port, other)


def test_a_host_that_is_gone_is_not_listed(room: FakeRoom, port: int) -> None:
    host = Host(room, table="t", game="fake", port=0, bind="127.0.0.1")
    host.start()
    with announced(host, port):
        assert look(port, host)
        host.stop()  # and the announcement is stale
        assert look(port, host, 0) == []


def test_announcing_follows_the_interfaces(host: Host, port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(announce, "LOOK", 0.05)
    said: list[str] = []
    there: list[Interface] = []
    announcer = Announcer(
        "t", host.table_id, host.port, notice=said.append, found=lambda: there, asked_at=port
    )
    announcer.start()
    eventually(lambda: said)
    there.append(LOOP)
    assert look(port, host)
    there.clear()
    eventually(lambda: not (announcer.used or announcer.ears or announcer.engines))
    assert look(port, host, 0) == []
    announcer.stop()
    (sentence,) = said  # one line, whatever happens
    assert "They can join by address." in sentence


def test_what_can_not_be_announced_is_one_line(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    nowhere = Interface("lo")
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as taken:  # not to be shared
        taken.bind(("", 0))
        announcer = Announcer(
            "t", host.table_id, host.port, "", said.append, lambda: [nowhere], taken.getsockname()[1]
        )
        announcer.start()
        eventually(lambda: said)
        announcer.stop()
    assert said[0].count("UDP port") == 1
    assert "multicast on lo" in said[0]


# ---- what is not believed -----------------------------------------------------------------------------


@given(st.binary(max_size=300))
def test_any_datagram_is_a_question_an_answer_or_nothing(data: bytes) -> None:
    broadcast.answer(data, 1, "a")
    broadcast.heard(data, NONCE)


def test_an_answer_is_not_longer_than_the_question() -> None:
    asked = broadcast.question(NONCE)
    told = broadcast.answer(asked, 65535, "f" * 16)
    assert told is not None
    assert len(told) <= len(asked) == broadcast.LENGTH
    here = broadcast.heard(told, NONCE)
    assert here is not None
    assert (here.port, here.table_id) == (65535, "f" * 16)
    assert broadcast.heard(told, bytes(16)) is None  # to somebody else's question
    assert broadcast.answer(asked[:1] + asked[1:].replace(b"\x01", b"\x02", 1), 1, "a") is None
    short = pairing.encode(broadcast.Ask(1, NONCE))[2:]
    assert broadcast.answer(short, 1, "a") is None


def test_answers_are_bounded(host: Host, port: int) -> None:
    with announced(host, port), closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as asker:
        asker.bind(("127.0.0.1", 0))
        asker.settimeout(0.3)
        for _ in range(200):
            asker.sendto(broadcast.question(), ("127.0.0.1", port))
        heard = 0
        while True:
            try:
                asker.recv(200)
            except TimeoutError:
                break
            heard += 1
        assert 0 < heard <= 3 * announce.ANSWERS


class Liar:
    """Answers questions with whatever it likes."""

    def __init__(self, port: int, answers: Callable[[bytes], list[bytes]]) -> None:
        self.ear = broadcast.ear(socket.AF_INET, "", port)
        self.ear.settimeout(0.1)
        self.answers, self.ended = answers, False
        self.thread = threading.Thread(target=self.run)
        self.thread.start()

    def run(self) -> None:
        while not self.ended:
            try:
                data, where = self.ear.recvfrom(200)
            except TimeoutError:
                continue
            asked = broadcast.read(data, broadcast.Ask)
            assert asked
            for reply in self.answers(asked.ask):
                self.ear.sendto(reply, where)

    def close(self) -> None:
        self.ended = True
        self.thread.join()
        self.ear.close()


def test_floods_and_nonsense_are_no_tables(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, int]] = []

    async def about(address: str, port: int) -> About:
        asked.append((address, port))
        raise OSError

    def answers(nonce: bytes) -> list[bytes]:
        here = [broadcast.answer(broadcast.question(nonce), number, "f" * 16) for number in range(1, 300)]
        return [b"", b"\xc1", b"x" * 1400, *(one for one in here if one)]

    monkeypatch.setattr(searching, "about", about)
    monkeypatch.setattr(searching, "BUSY", (0.0,))
    monkeypatch.setattr(searching.Search, "browse", lambda self: [])
    with closing(Liar(port, answers)):
        assert search((), 0.5, [LOOP], port) == []
    assert 0 < len(asked) <= searching.EACH


def test_who_answers_the_question_and_is_no_table_is_left_out(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(searching.Search, "browse", lambda self: [])
    with closing(socket.create_server(("127.0.0.1", 0))) as server:  # takes calls, and says nothing
        number = server.getsockname()[1]

        def answers(nonce: bytes) -> list[bytes]:
            told = broadcast.answer(broadcast.question(nonce), number, "f" * 16)
            return [told] if told else []

        begun = time.monotonic()
        with closing(Liar(port, answers)):
            assert search((), 0.5, [LOOP], port) == []
        assert time.monotonic() - begun < 5


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("Anna's table", "Anna's table"),
        ("\x1b[2Jred\x07", "[2Jred"),
        ("a\u202egnp\u2066b\u200b", "agnpb"),
        ("  two\n lines\t ", "two lines"),
        ("x" * 500, "x" * LONGEST),
        ("\u202e\x00", "a table"),
        ("Käthes Tisch 🂡", "Käthes Tisch 🂡"),
    ],
)
def test_names_are_cleaned(said: str, shown: str) -> None:
    assert cleaned(said) == shown
    assert find.told_by(About(1, said, "cambio", "cafe", False), "h", 1).table == shown


@pytest.mark.parametrize("seats", [-1, 256, 10**18])
def test_a_table_with_so_many_seats_is_none(seats: int) -> None:
    body = pairing.encode(About(1, "t", "g", "cafe", False, seats))[2:]
    with pytest.raises(pairing.PairingError):
        pairing.decode(body, About)


# ---- which one is meant -------------------------------------------------------------------------------


def sighting(address: str, table: str = "Cards", table_id: str = "cafe") -> Sighting:
    return Sighting(address, find.PORT, About(1, table, "cambio", table_id, False, 4, 1))


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> list[Sighting]:
    there: list[Sighting] = []
    monkeypatch.setattr(searching, "search", lambda also: there)
    return there


def test_a_table_seen_in_several_ways_is_one(seen: list[Sighting]) -> None:
    seen += [sighting("fe80::1%eth0"), sighting("10.0.0.1"), sighting("fd00::1")]
    (found,) = find.find()
    assert (found.where, found.seats, found.taken) == ("10.0.0.1", 4, 1)
    assert find.find("cards") == [found]


def test_names_that_collide_are_all_given(seen: list[Sighting]) -> None:
    seen += [sighting("10.0.0.1"), sighting("10.0.0.2", "CARDS", "beef"), sighting("10.0.0.3", "x", "f00d")]
    assert [found.where for found in find.find("cards")] == ["10.0.0.1", "10.0.0.2"]
    assert len(find.find()) == 3


def test_the_tables_of_this_machine_come_first(host: Host, seen: list[Sighting]) -> None:
    seen += [sighting("10.0.0.1"), sighting("10.0.0.9", "Anna's table", host.table_id)]
    (own,) = find.find()
    assert own.token
    listed = find.on_lan()
    assert [one.where for one in listed] == [own.where, "10.0.0.1"]
    assert (listed[0].token, listed[0].seats) == (own.token, 4)  # by the ticket, whatever the LAN says


@pytest.mark.parametrize("where", ["10.0.0.1", "[::1]:99", "::1", "anna:99", "localhost"])
def test_an_address_is_not_searched_for(where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "on_lan", lambda: pytest.fail("searched"))
    monkeypatch.setattr(find, "ask", lambda *place: place)
    (place,) = find.find(where)
    assert tuple(place) == find.split(where)


def test_a_name_that_nobody_has(seen: list[Sighting]) -> None:
    with pytest.raises(NoTable, match="lanplay list"):
        find.find("Nobody's table")
    with pytest.raises(NoTable, match="lanplay doctor"):
        find.find()
