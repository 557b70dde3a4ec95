"""Who is no friend of a table: strangers, floods, what can't be read, and peers that read nothing."""

from __future__ import annotations

import socket as tcp
import time
from contextlib import suppress

import pytest
import zmq

from lanplay.net.errors import HostGone, Refused, WrongCode
from lanplay.net.find import ask, find, pair
from lanplay.net.host import Host
from lanplay.net.link import Link, events_of
from lanplay.net.peer import Peer
from lanplay.wire import messages as wire
from lanplay.wire.codec import encode
from lanplay.wire.seal import Sealer
from lanplay.wire.send import Send
from tests.net.fake import FakeRoom, accepted, eventually, greeted, hear, join


def stranger(host: Host, **options: int) -> zmq.Socket[bytes]:
    """A socket with a key that nobody paired."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context.instance()
    socket = context.socket(zmq.DEALER)
    socket.linger = 0
    if options.get("curve", 1):
        socket.curve_serverkey = zmq.utils.z85.encode(host.keys.public)
        socket.curve_publickey, socket.curve_secretkey = zmq.curve_keypair()
    socket.connect(f"tcp://127.0.0.1:{host.game_port}")
    return socket


@pytest.mark.parametrize("curve", [0, 1])
def test_an_unpaired_peer_gets_nothing(host: Host, room: FakeRoom, curve: int) -> None:
    socket = stranger(host, curve=curve)
    socket.sndtimeo = 300  # refused already, it has nowhere to send to
    with suppress(zmq.Again):
        socket.send(encode(wire.Hello(1, "Eve", "sit", "person", bytes(32))))
    assert not socket.poll(300)
    socket.close()
    assert not room.log
    peer = join(host)  # and the host goes on
    accepted(peer, 0)


def raw(peer: Peer) -> Link:
    """Another connection under the keys of a peer, to send what one likes."""
    link = Link(peer.invitation)
    eventually(lambda: events_of(link.socket))
    return link


def test_a_peer_that_sends_what_cannot_be_read_is_removed(host: Host, room: FakeRoom) -> None:
    said: list[str] = []
    host.traffic.notice = said.append
    peer = join(host)
    link = raw(peer)
    for _ in range(4):
        link.send(b"\xc1")
    link.send(encode(wire.Hello(1, "Ben", "sit", "person", bytes(32))))  # no usable key
    room.wait_for(lambda: room.heard("lost"))
    assert said
    assert "sealing key" in said[0]
    link.send(encode(wire.Hello(1, "Ben", "sit", "person", b"\x09" + bytes(31))))  # too late
    link.close()
    last = hear(peer).message
    assert isinstance(last, wire.Closed)
    assert last.code == "protocol"
    with pytest.raises(Refused, match="does not know"):
        Peer.connect(peer.invitation, "Ben")
    assert len(room.heard(wire.Hello)) == 1


def test_a_flood_removes_its_peer_and_holds_nobody_up(host: Host, room: FakeRoom) -> None:
    said: list[str] = []
    host.traffic.notice = said.append
    flooding, quick = join(host, "Flood"), join(host, "Quick")
    link = raw(flooding)
    link.send(encode(wire.Hello(1, "Flood", "sit", "person", bytes(range(1, 33)))))
    for _ in range(2000):
        link.send(encode(wire.Leave()))
    eventually(lambda: said)
    assert said == ["A peer was removed: it sends too much at once"]
    accepted(quick, 0)
    link.close()


def test_answers_to_pings_are_measured(quick_pings: None, host: Host, room: FakeRoom) -> None:
    peer = join(host)
    until = time.monotonic() + 5
    while not room.heard("measured") and time.monotonic() < until:
        peer.receive(0.1)
    assert room.heard("measured")


def test_a_message_of_several_frames_is_not_read(host: Host, room: FakeRoom) -> None:
    peer = join(host)
    link = raw(peer)
    link.socket.send_multipart([encode(wire.Leave())] * 5)
    link.send(encode(wire.Leave()))  # from a connection that has said no hello
    accepted(peer, 0)
    assert not room.heard(wire.Leave)
    link.close()


def test_a_removed_peer_is_cut_off(host: Host, room: FakeRoom) -> None:
    peer = join(host)
    key = next(iter(room.seats))
    host.call(lambda: [Send(key, wire.Closed("removed", "Out."))]).result(5)
    assert hear(peer).message == wire.Closed("removed", "Out.")
    eventually(lambda: not events_of(peer.link.socket))
    with pytest.raises(Refused, match="does not know"):
        Peer.connect(peer.invitation, "Ben")


def test_a_peer_that_reads_nothing_holds_nobody_up(host: Host, room: FakeRoom) -> None:
    join(host, "Slow")
    quick = join(host, "Quick")
    key = next(iter(room.seats))
    big = wire.Seats(0, [wire.Sitting("A", "x" * 9000, "bot", True)], 0, False)
    for step in range(100):
        host.call(lambda: [Send(key, big)] * 20)
        accepted(quick, step)
    connection = host.traffic.connections[key]
    assert 0 < len(connection.outbox) <= 512


def test_garbage_on_both_ports_changes_nothing(host: Host, room: FakeRoom) -> None:
    for port in (host.port, host.game_port):
        for garbage in (b"GET / HTTP/1.1\r\n\r\n", bytes(range(256)) * 20, b"\xff" * 5000, b""):
            with tcp.create_connection(("127.0.0.1", port)) as line:
                line.sendall(garbage)
    peer = join(host)
    accepted(peer, 0)
    assert len(room.heard(wire.Hello)) == 1
    peer.close()


def test_an_old_connection_is_not_heard_once_there_is_a_new_one(host: Host, room: FakeRoom) -> None:
    old = join(host)
    new = greeted(Peer.connect(old.invitation, "Ben"))
    old.leave()  # it has not heard yet that it was replaced
    accepted(new, 0)
    assert not room.heard(wire.Leave)


def test_few_bad_messages_are_forgiven_in_time(host: Host) -> None:
    peer = join(host)
    link = raw(peer)
    key = peer.invitation.identity.keys.public
    for _ in range(4):
        link.send(b"\xc1")
    unread = host.traffic.allowances[key].unread
    eventually(lambda: len(unread) == 4)
    host.call(lambda: unread.extend([unread.popleft() - 61 for _ in range(4)])).result(5)
    link.send(b"\xc1")
    eventually(lambda: len(unread) == 1)
    accepted(peer, 0)
    link.close()


def test_a_host_that_sends_nonsense_is_left(host: Host, room: FakeRoom) -> None:
    peer = join(host)
    key, connection = next(iter(host.traffic.connections.items()))
    other = Sealer("elsewhere", bytes(32))
    other.meet(peer.stream.sealer.public)
    other.sit("fake", "A")

    def wrong() -> list[Send]:
        connection.sealer = other
        return [room.update(key, 1)]

    host.call(wrong).result(5)
    last = hear(peer).message
    assert isinstance(last, wire.Closed)
    assert (last.code, "not sealed for this seat" in last.sentence) == ("protocol", True)
    with pytest.raises(HostGone):
        peer.receive(1)
    assert peer.wait(timeout=5) == []


def test_a_peer_that_pings_is_answered(host: Host) -> None:
    peer = join(host)
    peer.stream.out.append(wire.Ping())
    accepted(peer, 0)
    assert not peer.away
    with peer:
        assert peer.receive(0.1) is None


def has_ipv6() -> bool:
    try:
        with tcp.create_server(("::1", 0), family=tcp.AF_INET6):
            return True
    except OSError:
        return False


@pytest.mark.skipif(not has_ipv6(), reason="no IPv6 here")
def test_a_table_may_be_on_ipv6(room: FakeRoom) -> None:
    with Host(room, table="t", game="fake", port=0, bind="::1") as host:
        (table,) = find(f"[::1]:{host.port}")
        if table.token:
            table = table._replace(address="::1")
        accepted(greeted(Peer.connect(pair(table), "Ben")), 0)


def test_a_table_on_every_address_is_there_for_ipv4(room: FakeRoom) -> None:
    said: list[str] = []
    with Host(room, table="t", game="fake", port=0, notice=said.append) as host:
        with pytest.raises(WrongCode):
            pair(ask("127.0.0.1", host.port), "able-able-able")
        assert "Somebody at 127.0.0.1 " in said[0]
