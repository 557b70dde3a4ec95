"""First contact: codes, the pairing port, tickets, known hosts, finding."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.net import codes, door, find, known, pairing, tickets
from lanplay.net.door import Frames
from lanplay.net.errors import CodeNeeded, HostChanged, NoTable, Refused, WrongCode
from lanplay.net.home import hold, home, private_folder, read_private, runtime, write_private
from lanplay.net.host import Host
from lanplay.net.keys import Keys
from lanplay.net.pairing import Box, Grant, HostSide, No, PairingError, PeerSide, Question
from lanplay.net.peer import Peer
from lanplay.net.zap import Gate
from tests.net.fake import FakeRoom, eventually, greeted, join

GRANT = Grant(bytes(32), 4711, "t", "cafe", "fake", bytes(32))


def code(host: Host) -> str:
    assert host.code is not None
    return host.code


def over_lan(host: Host) -> find.Found:
    """The table as somebody on another machine finds it, without a ticket."""
    return find.ask("127.0.0.1", host.port)


# ---- codes ----------------------------------------------------------------------------------------


def test_there_are_2048_words_that_four_letters_tell_apart() -> None:
    assert len(codes.words()) == 2048
    assert all(word.isascii() and word.islower() for word in codes.words().values())


@pytest.mark.parametrize(
    "typed",
    ["Abandon-Ability-ABLE", " aban  abil able ", "abandon abil\table", "aban-abil-able"],
)
def test_a_code_may_be_typed_carelessly(typed: str) -> None:
    assert codes.read(typed) == "abandon-ability-able"


@pytest.mark.parametrize(
    "typed", ["", "abandon", "abandon ability", "abandon ability zzzz", "aban abil ab", "🂡 🂡 🂡"]
)
def test_what_can_be_no_code_is_refused_with_a_sentence(typed: str) -> None:
    with pytest.raises(ValueError, match="join code"):
        codes.read(typed)


@given(st.text())
def test_any_text_is_a_code_or_a_value_error(typed: str) -> None:
    with suppress(ValueError):
        codes.read(typed)


def test_a_new_code_can_be_read() -> None:
    assert {codes.read(fresh) == fresh for fresh in (codes.new() for _ in range(50))} == {True}


# ---- the conversation, without a socket -----------------------------------------------------------


def test_both_sides_agree_if_the_password_is_the_same() -> None:
    keys: list[bytes] = []

    def admit(curve: bytes) -> Grant:
        keys.append(curve)
        return GRANT

    peer, host = PeerSide("code", "a-b-c", b"k" * 32), HostSide("code", "a-b-c", admit)
    assert peer.grant(host.answer(peer.offer(host.half(peer.question())))) == GRANT
    assert keys == [b"k" * 32]


@pytest.mark.parametrize(("how", "password"), [("code", "a-b-d"), ("open", "a-b-c")])
def test_nobody_is_admitted_with_another_password_or_by_another_way(how: pairing.How, password: str) -> None:
    peer, host = (
        PeerSide("code", "a-b-c", bytes(32)),
        HostSide(how, password, lambda _: pytest.fail("admitted")),
    )
    with pytest.raises(PairingError, match="not the same"):
        host.answer(peer.offer(host.half(peer.question())))


def test_a_host_that_does_not_know_the_code_is_found_out() -> None:
    peer, host = PeerSide("code", "a-b-c", bytes(32)), HostSide("code", "x-y-z", lambda _: GRANT)
    peer.offer(host.half(peer.question()))
    assert host.keys
    with pytest.raises(PairingError, match="not the same"):
        peer.grant(pairing.lock(host.keys.host, GRANT))


@given(st.binary(max_size=40) | st.binary(min_size=32, max_size=32))
def test_no_half_breaks_the_exchange(theirs: bytes) -> None:
    for first in (b"A", b"B", b""):
        peer = PeerSide("code", "a", bytes(32))
        peer.question()
        with suppress(PairingError):  # one point in ten is one of the group
            peer.offer(pairing.Half(first + theirs))
        with suppress(PairingError):
            HostSide("code", "a", lambda _: GRANT).half(Question(1, "code", first + theirs))


def test_an_own_message_sent_back_is_no_half() -> None:
    peer = PeerSide("code", "a-b-c", bytes(32))
    mirrored = b"B" + peer.question().spake[1:]
    with pytest.raises(PairingError):
        peer.offer(pairing.Half(mirrored))


# ---- the port -------------------------------------------------------------------------------------


def test_the_code_lets_in_and_a_wrong_one_does_not(host: Host, room: FakeRoom) -> None:
    table = over_lan(host)
    assert (table.table, table.game, table.open, table.token) == ("Anna's table", "fake", False, None)
    with pytest.raises(CodeNeeded, match="join code"):
        find.pair(table)
    wrong = "abandon-ability-able" if code(host) != "abandon-ability-able" else "able-able-able"
    with pytest.raises(WrongCode, match="That is not the join code"):
        find.pair(table, wrong)
    with pytest.raises(WrongCode, match="3 words"):
        find.pair(table, "hello")
    assert host.door.failures == 1
    assert not host.book.guests
    invitation = find.pair(table, code(host).upper())
    assert invitation.how == "code"
    greeted(Peer.connect(invitation, "Ben"))


def test_ten_wrong_codes_make_a_new_one(room: FakeRoom) -> None:
    fresh: list[str] = []
    said: list[str] = []
    with Host(room, table="t", game="fake", port=0, on_code=fresh.append, notice=said.append) as host:
        first = code(host)
        wrong = next(c for c in ("able-able-able", "about-about-about") if c != first)
        for _ in range(10):
            with pytest.raises(WrongCode):
                find.pair(over_lan(host), wrong)
        assert fresh == [code(host)] != [first]
        assert len(said) == 10
        assert "127.0.0.1" in said[0]
        with pytest.raises(WrongCode):
            find.pair(over_lan(host), first)
        find.pair(over_lan(host), fresh[0])


def test_an_open_table_needs_no_code_and_takes_none(room: FakeRoom) -> None:
    with Host(room, table="t", game="fake", port=0, open=True) as host:
        assert host.code is None
        assert over_lan(host).open
        invitation = find.pair(over_lan(host))
        assert invitation.how == "open"
        invitation.identity.release()
        with pytest.raises(Refused, match="without one") as refused:  # or a false host could wave codes away
            find.pair(over_lan(host), "able-able-able")
        assert refused.value.code == "open"


def test_a_ticket_opens_the_tables_of_this_machine_and_user(host: Host) -> None:
    (table,) = find.find()
    assert (table.table, table.port) == ("Anna's table", host.port)
    assert find.find("anna's TABLE") == [table]
    assert find.find(f"localhost:{host.port}") == [table]
    assert find.pair(table).how == "ticket"
    with pytest.raises(WrongCode, match="out of date"):
        find.pair(table._replace(token="stale"))
    assert host.door.failures == 0  # tickets cannot be guessed, so they cost no guess


def test_another_version_is_told_so(host: Host) -> None:
    with knock(host) as line:
        line.send(Question(99, "code", bytes(33)))
        no = line.receive(No)
    assert no.refused == "version"
    assert "version 1" in no.sentence


def test_answers_come_on_a_grid(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "GRID", 0.25)
    with knock(host) as line:
        begun = time.monotonic()
        line.send(PeerSide("code", "able-able-able", bytes(32)).question())
        line.receive(pairing.Half)
        assert 0.24 < time.monotonic() - begun < 5
        begun = time.monotonic()
        line.send(Box(bytes(80)))
        line.receive(No)
        assert 0.24 < time.monotonic() - begun < 5


def knock(host: Host) -> find.Call:
    return find.call("127.0.0.1", host.port)


@pytest.mark.parametrize(
    "said",
    [
        b"",
        b"\x00\x00",
        b"\xff\xff" + bytes(5000),
        b"\x00\x05abc",
        b"GET / HTTP/1.1\r\n\r\n",
        pairing.encode(Box(b"first")),
        b"\x00\x01\xc1",
        pairing.encode(Question(1, "code", b"A" + b"\xff" * 32)),
    ],
)
def test_nonsense_ends_its_own_try_only(host: Host, said: bytes) -> None:
    with socket.create_connection(("127.0.0.1", host.port)) as line:
        line.sendall(said)
        with suppress(OSError):  # the host may have hung up already
            line.shutdown(socket.SHUT_WR)
        line.settimeout(10)
        with suppress(ConnectionResetError):
            line.recv(100)
    eventually(lambda: not host.door.tries)
    find.pair(over_lan(host), code(host))


def test_who_says_nothing_is_hung_up_on(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Frames.__init__, "__defaults__", (0.1,))
    with socket.create_connection(("127.0.0.1", host.port)) as line:
        line.settimeout(10)
        line.sendall(b"\x00")
        assert line.recv(1) == b""


def test_only_so_many_try_at_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "EACH", 2)
    monkeypatch.setattr(find, "PATIENCE", 0.2)
    with knock(host) as first, knock(host):
        eventually(lambda: len(host.door.tries) == 2)
        with pytest.raises(Refused, match="at once") as refused:
            find.ask("127.0.0.1", host.port)
        assert refused.value.code == "busy"
        monkeypatch.setattr(find, "PATIENCE", 10.0)
        threading.Timer(0.3, first.connection.close).start()
        find.patiently(lambda: find.ask("127.0.0.1", host.port))  # the next who goes makes room


def test_many_pair_at_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(find, "PATIENCE", 30.0)
    (table,) = find.find()
    threads = [threading.Thread(target=find.pair, args=(table, None, str(n))) for n in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(host.book.guests) == 20


# ---- finding --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("where", "address", "port"),
    [
        ("anna.local", "anna.local", 47800),
        ("192.168.1.20:99", "192.168.1.20", 99),
        ("[fe80::1%eth0]:99", "fe80::1%eth0", 99),
        ("[::1]", "::1", 47800),
        ("::1", "::1", 47800),
    ],
)
def test_an_address_may_be_written_so(where: str, address: str, port: int) -> None:
    assert find.split(where) == (address, port)


@pytest.mark.parametrize("where", [":99", "host:", "host:x", "host:0", "host:70000", "[]", "", "[::1]x"])
def test_an_address_may_not_be_written_so(where: str) -> None:
    with pytest.raises(NoTable, match="is no address"):
        find.split(where)


def test_no_table_says_what_to_do() -> None:
    with pytest.raises(NoTable, match="lanplay host"):
        find.find()
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        port = server.getsockname()[1]
    with pytest.raises(NoTable, match=f"No table answers at 127.0.0.1:{port} .* Is the host running"):
        find.find(f"127.0.0.1:{port}")


def test_something_else_on_the_port_is_no_table() -> None:
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.sendall(b"SSH-2.0-OpenSSH_9.9\r\n")

        threading.Thread(target=serve).start()
        with pytest.raises(NoTable, match="does not answer like a table"):
            find.ask("127.0.0.1", server.getsockname()[1])


# ---- what is remembered ---------------------------------------------------------------------------


def test_a_host_whose_key_changed_is_refused_loudly() -> None:
    known.check_host(GRANT)
    known.check_host(GRANT)
    with pytest.raises(HostChanged, match=r"ANOTHER KEY THAN BEFORE.*delete"):
        known.check_host(Grant(b"x" * 32, *(4711, "t", "cafe", "fake", bytes(32))))


def test_a_table_with_another_key_than_on_its_ticket_is_refused(host: Host) -> None:
    (table,) = find.find()
    with pytest.raises(HostChanged):
        find.pair(table._replace(curve=bytes(32)))
    assert known.identity(table.table_id, "").keys  # its key is free again


def test_a_ticket_of_a_dead_host_is_removed() -> None:
    ticket = tickets.Ticket("cafe", "t", "fake", 1, "token", bytes(32))
    program = (
        "import os; from lanplay.net import tickets; "
        "tickets.Issued(tickets.Ticket('dead', 't', 'fake', 1, 'token', bytes(32))); os._exit(9)"
    )
    subprocess.run([sys.executable, "-c", program], check=False)
    issued = tickets.Issued(ticket)
    assert len(list(runtime().glob("*.ticket"))) == 2
    assert tickets.here() == [ticket]
    assert [path.name for path in runtime().glob("*.ticket")] == ["cafe.ticket"]
    issued.withdraw()
    assert not list(runtime().iterdir())


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_what_is_private_can_be_read_by_nobody_else(host: Host) -> None:
    find.pair(find.find()[0])
    files = [path for path in home().rglob("*") if path.is_file()]
    assert {path.parent.name for path in files} == {"host", "hosts", "run", "seats", "tables"}
    assert {path.stat().st_mode & 0o077 for path in files} == {0}


@pytest.mark.skipif(os.name != "posix", reason="modes are POSIX")
def test_a_folder_that_others_can_change_is_not_used(tmp_path: Path) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(0o777)
    with pytest.raises(PermissionError, match="others"):
        private_folder(folder)
    with pytest.raises(PermissionError):
        private_folder(folder / "inner")
    (tmp_path / "link").symlink_to(tmp_path)
    with pytest.raises(PermissionError):
        private_folder(tmp_path / "link")


def test_a_damaged_file_is_as_none(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    assert read_private(path, Keys) is None
    write_private(path, Keys.new())
    assert read_private(path, Keys) is not None
    path.write_bytes(path.read_bytes()[:-3])
    assert read_private(path, Keys) is None


def test_a_held_file_is_held_once(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    held = hold(path)
    assert held is not None
    assert hold(path) is None
    os.close(held)
    again = hold(path)
    assert again is not None
    os.close(again)


# ---- the gate -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "question",
    [
        [],
        [b"1.0"],
        [b"1.0", b"7", b"lanplay", b"127.0.0.1", b"", b"CURVE"],
        [b"1.0", b"7", b"lanplay", b"127.0.0.1", b"", b"NULL"],
        [b"1.0", b"7", b"lanplay", b"127.0.0.1", b"", b"PLAIN", b"user", b"password"],
        [b"1.0", b"7", b"lanplay", b"127.0.0.1", b"", b"CURVE", b"x" * 32],
        [b"1.0", b"7", b"elsewhere", b"127.0.0.1", b"", b"CURVE", b"k" * 32],
        [b"2.0", b"7", b"lanplay", b"127.0.0.1", b"", b"CURVE", b"k" * 32],
    ],
)
def test_the_gate_says_no_to_all_but_a_listed_key(question: list[bytes]) -> None:
    gate = Gate.__new__(Gate)
    gate.secrets = {b"k" * 32: b""}
    assert gate.reply(question)[2] == b"400"
    yes = gate.reply([b"1.0", b"7", b"lanplay", b"127.0.0.1", b"", b"CURVE", b"k" * 32])
    assert yes == [b"1.0", b"7", b"200", b"OK", (b"k" * 32).hex().encode(), b""]


def test_pairing_does_not_hold_up_the_table(host: Host) -> None:
    peer = join(host)
    stop = threading.Event()
    (table,) = find.find()

    def pair_on_and_on() -> None:
        while not stop.is_set():
            find.pair(table, name="other").identity.release()

    busy = threading.Thread(target=pair_on_and_on)
    busy.start()
    longest = 0.0
    for step in range(100):
        begun = time.monotonic()
        peer.act("draw", step, 0)
        assert peer.receive(10)
        assert peer.receive(10)
        longest = max(longest, time.monotonic() - begun)
    stop.set()
    busy.join()
    assert longest < 1
