"""Peers at a table over real sockets."""

from __future__ import annotations

import os
import threading
import time
from concurrent.futures import CancelledError

import pytest
import zmq

from lanplay.net import peer as peer_module
from lanplay.net.errors import HostGone, PortTaken, Refused
from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.link import events_of
from lanplay.net.peer import Peer
from lanplay.wire import messages as wire
from lanplay.wire.send import Send
from tests.net.fake import SECRET, FakeRoom, accepted, eventually, greeted, hear, join


def test_a_move_is_answered_and_its_secret_opened(host: Host) -> None:
    peer = join(host)
    assert peer.welcome is not None
    assert peer.welcome.seat == "A"
    for step in range(3):
        accepted(peer, step)


def test_the_room_is_told_who_speaks_by_its_key(host: Host, room: FakeRoom) -> None:
    anna, ben = join(host, "Anna"), join(host, "Ben")
    ben.decline(7)
    room.wait_for(lambda: room.heard(wire.Decline))
    key = ben.invitation.identity.keys.public
    assert (key, wire.Decline(7)) in room.log
    anna.leave()
    room.wait_for(lambda: room.heard(wire.Leave))


def test_a_spectator_gets_nothing_sealed(host: Host) -> None:
    peer = join(host, role="watch")
    assert peer.welcome is not None
    assert peer.welcome.seat is None
    accepted(peer, 1)


def test_who_is_not_let_in_hears_why(host: Host) -> None:
    with pytest.raises(Refused, match="All seats are taken") as refused:
        join(host, "nobody")
    assert refused.value.code == "full"


def test_a_second_connection_under_the_same_key_takes_the_place_of_the_first(
    host: Host, room: FakeRoom
) -> None:
    first = join(host)
    second = greeted(Peer.connect(first.invitation, "Ben"))
    last = hear(first).message
    assert isinstance(last, wire.Closed)
    assert last.code == "replaced"
    with pytest.raises(HostGone, match="another terminal"):
        first.receive(1)
    accepted(second, 0)
    assert list(room.seats.values()) == ["A"]


def test_the_same_name_in_two_terminals_is_two_keys_and_one_after_another_is_one(host: Host) -> None:
    first, second = join(host), join(host)
    keys = [peer.invitation.identity.keys.public for peer in (first, second)]
    assert keys[0] != keys[1]
    first.close()
    third = join(host)
    assert third.invitation.identity.keys.public == keys[0]


def test_a_peer_may_be_closed_while_another_thread_waits_in_it(host: Host) -> None:
    for number in range(20):
        peer, failures = join(host, str(number), role="watch"), list[BaseException]()
        before = peer.link.socket

        def play(peer: Peer = peer, failures: list[BaseException] = failures) -> None:
            try:
                while True:
                    peer.act("draw", 0, 0)
                    peer.receive(0.001)
            except BaseException as error:
                failures.append(error)

        player = threading.Thread(target=play)
        player.start()
        time.sleep(number / 1000)
        peer.close()
        player.join(10)
        assert [str(failure) for failure in failures] == ["This terminal has left the table."]
        peer.close()  # again does nothing
        assert before.closed
        peer.leave()  # nor does this


def test_the_host_says_when_it_ends(room: FakeRoom) -> None:
    host = Host(room, table="t", game="fake", port=0)
    host.start()
    peer = join(host)
    threading.Thread(target=host.stop).start()
    last = hear(peer).message
    assert isinstance(last, wire.Closed)
    assert last.code == "ended"
    assert host.wait(10)
    with pytest.raises(HostGone, match="closed the table"):
        peer.receive(1)


def test_calls_run_on_the_loop_and_their_sends_are_sent(host: Host, room: FakeRoom) -> None:
    peer = join(host)
    key = next(iter(room.seats))
    assert host.call(lambda: [Send(key, wire.Seats(0, [], 5, False))]).result(5) is not None
    message = hear(peer).message
    assert isinstance(message, wire.Seats)
    assert (message.n, message.watching) == (2, 5)
    with pytest.raises(ZeroDivisionError):
        host.call(lambda: 1 / 0).result(5)
    assert host.call(lambda: 1).result(5) == 1  # the loop goes on


def test_calls_to_a_host_that_has_ended_are_cancelled(room: FakeRoom) -> None:
    with Host(room, table="t", game="fake", port=0) as host:
        pass
    with pytest.raises(CancelledError):
        host.call(lambda: 1).result(5)
    host.stop()  # again does nothing


def test_the_room_is_woken_when_it_wants(host: Host, room: FakeRoom) -> None:
    def wake() -> None:
        room.wake = time.monotonic() + 0.05

    begun = time.monotonic()
    host.call(wake)
    room.wait_for(lambda: room.heard("tick"))
    assert 0.04 < time.monotonic() - begun < 5


def test_a_wrong_room_ends_the_table_loudly(room: FakeRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(room, table="t", game="fake", port=0)
    host.start()
    peer = join(host)
    monkeypatch.setattr(room, "update", lambda *_: 1 / 0)
    peer.act("draw", 0, 0)
    assert isinstance(hear(peer).message, wire.Closed)
    with pytest.raises(ZeroDivisionError):
        host.wait(10)


def test_a_secret_that_does_not_fit_its_padding_is_a_fault_of_the_room(
    host: Host, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    join(host)
    key = next(iter(room.seats))
    long = room.update(key, 1)._replace(pad=3)
    with pytest.raises(Exception, match="does not fit"):
        host.call(lambda: [long]).result(5)


def test_a_port_in_use_is_said_clearly(host: Host, room: FakeRoom) -> None:
    with pytest.raises(PortTaken, match=f"Port {host.port} on 127.0.0.1 can't be used .* --port"):
        Host(room, table="t", game="fake", port=host.port, bind="127.0.0.1")


def test_an_address_that_is_not_here_is_said_clearly(room: FakeRoom) -> None:
    with pytest.raises(PortTaken, match="--bind"):
        Host(room, table="t", game="fake", port=0, bind="192.0.2.7")


# ---- silence and breaks ---------------------------------------------------------------------------


def cut_off(host: Host) -> None:
    """Break every connection of the host, as a cable would."""

    def cut() -> None:
        for connection in host.traffic.connections.values():
            assert connection.line is not None
            connection.line.cut()

    host.call(cut).result(5)


@pytest.mark.skipif(os.name != "posix", reason="needs the descriptor of a connection")
def test_a_peer_comes_back_by_itself_and_says_unanswered_moves_again(
    host: Host, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer = join(host)
    accepted(peer, 4)
    before = peer.fileno()
    cut_off(host)
    eventually(
        lambda: not events_of(peer.link.socket)
    )  # it has noticed, but not been asked to do anything yet
    act = peer.act("swap 1", 5, 2)
    begun = time.monotonic()
    assert isinstance(hear(peer).message, wire.Welcome)
    assert time.monotonic() - begun < 2
    assert isinstance(hear(peer).message, wire.Seats)
    assert hear(peer).message == wire.Accepted(act, 5)
    assert hear(peer).secret == SECRET
    assert [hello.since for hello in room.heard(wire.Hello)] == [None, 5]
    assert [a.id for a in room.heard(wire.Act)].count(act) == 1
    assert peer.fileno() >= 0
    assert before >= 0


def test_a_table_is_opened_again_for_the_same_peers(room: FakeRoom) -> None:
    first = Host(room, table="t", game="fake", port=0)
    first.start()
    peer = join(first)
    keys = first.keys
    first.traffic.connections.clear()  # a crash says no farewell
    first.stop()
    with Host(room, table="t", game="fake", table_id=first.table_id) as second:
        assert (second.port, second.game_port, second.keys) == (first.port, first.game_port, keys)
        assert isinstance(hear(peer).message, wire.Welcome)
        hear(peer)
        accepted(peer, 0)
        peer.close()


def test_a_host_that_forgot_a_peer_sends_it_back_to_pairing(
    room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Host(room, table="t", game="fake", port=0) as host:
        peer = join(host)
        host.call(host.book.guests.clear).result(5)
        cut_off(host)
        with pytest.raises(Refused, match="does not know this terminal") as refused:
            peer.receive(10)
        assert refused.value.code == "not-paired"
        peer.close()


def test_a_silent_peer_is_away_and_back_with_its_first_word(
    quick_pings: None, host: Host, room: FakeRoom
) -> None:
    peer = join(host)
    room.wait_for(lambda: room.heard("lost"))  # it thinks, and answers no pings
    act = peer.act("draw", 1, 0)
    told = [hear(peer).message for _ in range(4)]
    assert isinstance(told[0], wire.Welcome)
    assert told[2] == wire.Accepted(act, 1)
    assert len(room.heard(wire.Hello)) == 2
    accepted(peer, 2)


def test_who_answers_pings_stays(quick_pings: None, host: Host, room: FakeRoom) -> None:
    peer = join(host)
    assert peer.receive(0.6) is None
    assert not room.heard("lost")


def test_a_peer_that_has_gone_is_lost(quick_pings: None, host: Host, room: FakeRoom) -> None:
    peer = join(host)
    peer.close()
    room.wait_for(lambda: room.heard("lost"))
    eventually(lambda: not host.traffic.connections)
    assert len(room.heard("lost")) == 1


def test_a_host_that_stays_away_is_given_up(room: FakeRoom, monkeypatch: pytest.MonkeyPatch) -> None:
    host = Host(room, table="t", game="fake", port=0)
    host.start()
    peer = join(host, patience=0.3)
    host.traffic.connections.clear()
    host.stop()
    with pytest.raises(HostGone, match="join again"):
        peer.receive(10)


def test_nobody_there_is_said_at_once(host: Host, monkeypatch: pytest.MonkeyPatch) -> None:
    invitation = pair(find()[0])
    host.stop()
    monkeypatch.setattr(peer_module, "CONNECT", 0.2)
    with pytest.raises(HostGone, match=f"127.0.0.1:{host.game_port} does not answer"):
        Peer.connect(invitation, "Ben")


def test_a_connection_that_stays_silent_is_made_anew(
    host: Host, room: FakeRoom, monkeypatch: pytest.MonkeyPatch
) -> None:
    peer = join(host)
    monkeypatch.setattr(peer_module, "SILENCE", 0.3)
    assert isinstance(hear(peer).message, wire.Welcome)


# ---- waiting --------------------------------------------------------------------------------------


def test_one_can_wait_for_a_file_as_well(host: Host) -> None:
    peer = join(host)
    reader, writer = os.pipe()
    with os.fdopen(reader, "rb", 0) as typed:
        assert peer.wait(typed, timeout=0.01) == []
        os.write(writer, b"x")
        assert peer.wait(typed, timeout=10) == [typed]
        peer.act("draw", 0, 0)
        until = time.monotonic() + 10
        typed.read(1)
        while not (told := peer.receive(0)):
            assert time.monotonic() < until
            assert peer.wait(typed, timeout=10) == []
        assert isinstance(told.message, wire.Accepted)
    os.close(writer)


def test_a_loop_of_ones_own_needs_the_descriptor_only(host: Host) -> None:
    peer = join(host)
    for step in range(50):
        peer.act("draw", step, 0)
        told = 0
        while told < 2:
            while peer.receive(0):
                told += 1
            if told < 2:
                poller = zmq.Poller()
                poller.register(peer.fileno(), zmq.POLLIN)
                assert poller.poll(10_000), "the descriptor told nothing"
