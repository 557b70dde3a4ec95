"""Nothing hostile stops a table: raw sockets against a real host with a real room, while two honest people play on."""

from __future__ import annotations

import random
import socket as tcp
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, suppress

import psutil
import pytest
import zmq

from lanplay.net import connection, door, host, traffic
from lanplay.net.allowance import ANEW_BURST
from lanplay.net.announce import Announcer
from lanplay.net.broadcast import LENGTH, heard, question
from lanplay.net.interfaces import Interface
from lanplay.room.desk import Manners
from lanplay.screen.line import LineMode
from lanplay.speech.spell import printed
from lanplay.wire import messages as wire
from lanplay.wire.codec import decode_from_host, encode
from lanplay.wire.send import Send
from tests.net.fake import eventually
from tests.net.raw import Raw, Table

MEGABYTES = 40  # that the process may grow by while it is attacked


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setitem(host.LIMITS, zmq.HANDSHAKE_IVL, 400)
    monkeypatch.setattr(traffic, "GOODBYE", 0.02)
    before = psutil.Process().memory_info().rss
    with Table().open() as table:
        yield table
        assert psutil.Process().memory_info().rss - before < MEGABYTES << 20
        calm()


def calm() -> None:
    """Once nobody attacks any more, the machine rests."""

    def rests() -> bool:
        before = psutil.Process().cpu_times()
        time.sleep(0.1)
        after = psutil.Process().cpu_times()
        return bool(after.user + after.system - before.user - before.system <= 0.05)

    eventually(rests)


@pytest.fixture
def ann(table: Table) -> Raw:
    return table.join("Ann")


@pytest.fixture
def ben(table: Table, ann: Raw) -> Raw:
    return table.join("Ben")


@pytest.fixture
def eve(table: Table, ben: Raw) -> Raw:
    """She sits as well, and plays no fair game."""
    return table.join("Eve")


def state(table: Table) -> tuple[int, str]:
    return table.accepted(), "".join(table.lines)


# ---- frames ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "frames",
    [[b""], [b"", b""], [b""] * 50, [b"", encode(wire.Leave())], [encode(wire.Leave()), b""], [bytes(8193)]],
    ids=["empty", "two empty", "fifty empty", "empty first", "empty last", "too long"],
)
def test_frames_that_are_no_message(table: Table, ann: Raw, ben: Raw, eve: Raw, frames: list[bytes]) -> None:
    for _ in range(4):
        eve.socket.send_multipart(frames)
    assert table.play_on(ann, ben) < 2
    assert table.room.people.seated[2].here
    eve.socket.send_multipart(frames)
    eve.until(lambda: eve.stream.closed)
    assert eve.stream.closed
    assert eve.stream.closed.code == "protocol"
    table.play_on(ann, ben)


def test_a_frame_over_the_limit_breaks_the_connection_at_once(
    table: Table, ann: Raw, ben: Raw, eve: Raw
) -> None:
    line = table.host.traffic.connections[eve.keys.public].line
    assert line is not None
    eve.send(bytes(17 << 10))
    eventually(lambda: line.received() is None)
    table.play_on(ann, ben)
    eve.again()
    eve.join()  # it may come back
    assert not eve.stream.closed


# ---- connections ----------------------------------------------------------------------------------


def greeting(mechanism: bytes) -> bytes:
    return b"\xff" + bytes(8) + b"\x7f\x03\x01" + mechanism.ljust(20, b"\0") + bytes(32)  # RFC 23


CURVE_HELLO = b"\x04\xc8\x05HELLO\x01\x00" + bytes(72 + 32 + 8 + 80)


@pytest.mark.parametrize(
    "said",
    [
        greeting(b"NULL") + b"\x04\x19\x05READY\x0bSocket-Type\0\0\0\x06DEALER",
        greeting(b"PLAIN") + b"\x04\x08\x05HELLO\x00\x00",
        greeting(b"CURVE") + CURVE_HELLO,
        greeting(b"CURVE") + b"\x06" + (1 << 40).to_bytes(8, "big"),
        b"\xff" + bytes(8) + b"\x7f\x01" + b"\x00" * 20,  # an old version, which knows no mechanism
    ],
    ids=["NULL", "PLAIN", "CURVE with nonsense", "a huge command", "ZMTP 2"],
)
def test_who_does_not_prove_a_key_is_hung_up_on(table: Table, ann: Raw, ben: Raw, said: bytes) -> None:
    with tcp.create_connection(("127.0.0.1", table.host.game_port)) as line:
        line.sendall(said)
        hung_up(line)
    eve = table.join("Eve")
    table.play_on(ann, ben, eve)


def hung_up(line: tcp.socket) -> None:
    line.settimeout(10)
    with suppress(ConnectionError):
        while line.recv(4096):
            pass


def test_slow_handshakes_are_hung_up_on_on_both_ports(
    table: Table, ann: Raw, ben: Raw, eve: Raw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(door.Frames.__init__, "__defaults__", (0.4,))
    greet, ask = greeting(b"CURVE"), b"\x00\x40" + bytes(64)
    with ExitStack() as open_:
        lines = [
            (open_.enter_context(tcp.create_connection(("127.0.0.1", port))), said)
            for port, said in [(table.host.game_port, greet)] * 60 + [(table.host.port, ask)] * 8
        ]
        for at in range(12):  # a byte now and then, so that no connection is ever idle
            for line, said in lines:
                with suppress(OSError):
                    line.send(said[at : at + 1])
            assert table.play_on(ann, ben, eve, moves=1) < 2
            time.sleep(0.05)
        for line, _ in lines:
            hung_up(line)
    eventually(lambda: not table.host.door.tries)


def test_hundreds_of_connections_hold_nobody_up(table: Table, ann: Raw, ben: Raw, eve: Raw) -> None:
    with ExitStack() as open_:
        for port in [table.host.game_port] * 300 + [table.host.port] * 100:
            open_.enter_context(tcp.create_connection(("127.0.0.1", port)))
        assert table.play_on(ann, ben, eve) < 2
        late = table.join("Zoe", "watch")
        assert not late.stream.closed
    eventually(lambda: len(table.host.traffic.guard.lines) <= 4)


def test_when_descriptors_get_scarce_those_go_who_never_said_anything(
    table: Table, ann: Raw, ben: Raw, eve: Raw
) -> None:
    table.host.traffic.guard.most = 20
    with ExitStack() as open_:
        for _ in range(60):
            open_.enter_context(tcp.create_connection(("127.0.0.1", table.host.game_port)))
        eventually(lambda: table.said)
        eventually(lambda: len(table.host.traffic.guard.lines) <= 20)
        table.play_on(ann, ben, eve)
    assert all(person.here for person in table.room.people.by_key.values())


def test_random_bytes_on_every_port(table: Table, ann: Raw, ben: Raw, eve: Raw) -> None:
    rng = random.Random(1)
    for port in (table.host.port, table.host.game_port):
        for _ in range(60):
            begin = rng.choice([b"", greeting(b"CURVE"), b"\x00\x20", b"\xff"])
            with tcp.create_connection(("127.0.0.1", port)) as line, suppress(OSError):
                line.sendall(begin + rng.randbytes(rng.randrange(2000)))
    assert table.play_on(ann, ben, eve) < 2
    for _ in range(4):
        eve.send(rng.randbytes(rng.randrange(300)))
    table.play_on(ann, ben)
    assert not eve.stream.closed


def test_random_datagrams_on_the_port_where_tables_are_asked_for(
    table: Table, ann: Raw, ben: Raw, eve: Raw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LANPLAY_LAN", "lo")
    rng = random.Random(2)
    loop = Interface("lo", tcp.if_nametoindex("lo"), ("127.0.0.1/8",), loopback=True)
    with closing(tcp.socket(tcp.AF_INET, tcp.SOCK_DGRAM)) as asking:
        asking.bind(("127.0.0.1", 0))
        asking.settimeout(0.2)
        port = asking.getsockname()[1] + 1
        announcer = Announcer("t", "cafe", table.host.port, found=lambda: [loop], asked_at=port)
        monkeypatch.setattr(announcer, "announce", nothing)  # the question alone is tried here
        announcer.start()
        eventually(lambda: announcer.ears)
        for _ in range(1000):
            asking.sendto(rng.randbytes(rng.randrange(1400)), ("127.0.0.1", port))
        nonce = rng.randbytes(16)
        eventually(lambda: asked(asking, nonce, port))
        table.play_on(ann, ben, eve)
        announcer.stop()


async def nothing(*_: object) -> list[str]:
    return []


def asked(asking: tcp.socket, nonce: bytes, port: int) -> bool:
    asking.sendto(question(nonce), ("127.0.0.1", port))
    with suppress(TimeoutError):
        return heard(asking.recv(LENGTH), nonce) is not None
    return False


# ---- what was said before -------------------------------------------------------------------------


class Between:
    """Somebody on the way between a peer and the host, who records, and can say again or otherwise what was said."""

    def __init__(self, port: int) -> None:
        self.server = tcp.create_server(("127.0.0.1", 0))
        self.port, self.target = self.server.getsockname()[1], port
        self.said: list[bytes] = []
        self.change: Callable[[bytes], list[bytes]] = lambda data: [data]
        self.threads = [threading.Thread(target=self.serve, daemon=True)]
        self.threads[0].start()

    def serve(self) -> None:
        self.near, _ = self.server.accept()
        self.far = tcp.create_connection(("127.0.0.1", self.target))
        self.threads.append(threading.Thread(target=self.pass_on, args=(self.far, self.near), daemon=True))
        self.threads[1].start()
        with suppress(OSError):
            while data := self.near.recv(65536):
                self.said.append(data)
                for piece in self.change(data):
                    self.far.sendall(piece)

    def pass_on(self, source: tcp.socket, target: tcp.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                target.sendall(data)
        with suppress(OSError):
            target.shutdown(tcp.SHUT_RDWR)

    def close(self) -> None:
        for one in (self.server, self.near, self.far):
            with suppress(OSError):
                one.shutdown(tcp.SHUT_RDWR)
            one.close()
        for thread in self.threads:
            thread.join()


@pytest.fixture
def between(table: Table, ann: Raw, ben: Raw) -> Iterator[tuple[Raw, Between]]:
    """Eve's line goes through somebody's hands."""
    way = Between(table.host.game_port)
    eve = table.enter("Eve", HEARTBEAT_IVL=0)
    eve.port = way.port
    eve.again()
    eve.join()
    eve.until(lambda: eve.asked)
    yield eve, way
    eve.close()
    way.close()


def test_what_was_recorded_on_the_way_can_not_be_said_again(
    table: Table, ann: Raw, ben: Raw, between: tuple[Raw, Between]
) -> None:
    eve, way = between
    handshake = list(way.said)
    id_ = eve.act("pass")
    eve.until(lambda: id_ in eve.answers)
    before, act = state(table), way.said[-1]
    way.far.sendall(act)  # CURVE counts its messages: this breaks the connection
    hung_up(way.far)
    with tcp.create_connection(("127.0.0.1", table.host.game_port)) as line:
        for piece in [*handshake, act]:
            with suppress(OSError):
                line.sendall(piece)
                time.sleep(0.02)
        hung_up(line)
    assert state(table)[0] >= before[0]
    assert "".join(table.lines).count("C pass") == 1
    table.play_on(ann, ben)


def test_messages_in_another_order_break_the_connection_and_nothing_else(
    table: Table, ann: Raw, ben: Raw, between: tuple[Raw, Between]
) -> None:
    eve, way = between
    kept: list[bytes] = []

    def swap(data: bytes) -> list[bytes]:
        kept.append(data)
        return kept[::-1] if len(kept) == 2 else []

    way.change = swap
    eve.act("peek 1 2")
    eventually(lambda: kept)
    eve.act("pass")
    hung_up(way.far)
    assert "C peek" not in "".join(table.lines)
    table.play_on(ann, ben)


def test_an_act_said_again_is_done_once_on_the_same_and_on_a_new_connection(
    table: Table, ann: Raw, ben: Raw, eve: Raw
) -> None:
    eve.until(lambda: eve.asked)
    act = encode(wire.Act(b"12345678", "pass", 0, 0))
    for _ in range(5):
        eve.send(act)
    eve.until(lambda: eve.count(wire.Accepted) == 5)
    eve.again()
    eve.send(act)  # before hello it is not heard
    eve.join()
    eve.send(act)
    eve.until(lambda: eve.count(wire.Accepted) == 6)
    assert "".join(table.lines).count("C pass") == 1
    table.play_on(ann, ben)


def test_the_act_id_of_another_seat_is_nothing_special(table: Table, ann: Raw, ben: Raw, eve: Raw) -> None:
    for peer in (ann, ben, eve):
        peer.until(lambda peer=peer: peer.asked)  # type: ignore[misc]
        peer.act("pass", b"the same id")
    for peer in (ann, ben, eve):
        peer.until(lambda peer=peer: peer.answers.get(b"the same id") == "accepted")  # type: ignore[misc]
    assert table.accepted() >= 3
    table.play_on(ann, ben, eve)


def test_a_spectator_that_takes_part_is_not_heard(table: Table, ann: Raw, ben: Raw) -> None:
    zoe = table.join("Zoe", "watch")
    zoe.send(
        wire.Commit(bytes(32)), wire.Reveal(bytes(32)), wire.Decline(0), wire.Act(b"too early", "pass", 0, 0)
    )
    eve = table.join("Eve")
    zoe.until(lambda: zoe.follower.status)
    for move in ("pass", "draw", "snap A1", "cambio", "hm?"):
        zoe.act(move)
    zoe.send(wire.Decline(0), wire.Commit(bytes(32)), wire.Reveal(bytes(32)))
    zoe.until(lambda: len(zoe.answers) == 6)
    assert set(zoe.answers.values()) <= {"not-your-turn"}
    assert not zoe.follower.legal
    assert not any("passed" in line for line in table.lines)
    assert "draw" not in "".join(table.lines)
    table.play_on(ann, ben, eve)


# ---- floods ---------------------------------------------------------------------------------------

FLOODS: dict[str, Callable[[Raw, int], wire.FromPeer]] = {
    "acts": lambda eve, n: wire.Act(n.to_bytes(8, "big"), "draw", 0, 0),
    "snaps": lambda eve, n: wire.Act(n.to_bytes(8, "big"), "snap A1", 0, 0),
    "one act": lambda eve, n: wire.Act(bytes(8), "draw", 0, 0),
    "chats": lambda eve, n: wire.Chat("buy now"),
    "hellos": lambda eve, n: eve.hello(),
    "catch-ups": lambda eve, n: wire.CatchUp(None),
    "declines": lambda eve, n: wire.Decline(0),
    "pings": lambda eve, n: wire.Ping(),
    "leaves and hellos": lambda eve, n: eve.hello() if n % 2 else wire.Leave(),
}


@pytest.mark.parametrize("kind", FLOODS)
def test_a_flood_of(table: Table, ann: Raw, ben: Raw, eve: Raw, kind: str) -> None:
    """Somebody who sends 10,000 messages at once is removed, and others hear little of it."""
    flooded(table, ann, ben, eve, kind)


@pytest.mark.parametrize("kind", ["hellos", "acts"])
def test_a_flood_with_heartbeats_of(table: Table, ann: Raw, ben: Raw, kind: str) -> None:
    """ZeroMQ's own, that nobody needs: where it had stopped to read, one of them ended the whole program."""
    eve = table.join("Eve", HEARTBEAT_IVL=1, HEARTBEAT_TIMEOUT=10_000)
    eve.until(lambda: eve.asked)
    flooded(table, ann, ben, eve, kind)


def flooded(table: Table, ann: Raw, ben: Raw, eve: Raw, kind: str) -> None:
    flood = FLOODS[kind]

    def pour() -> None:
        for n in range(10_000):
            with suppress(zmq.ZMQError):
                eve.socket.send(encode(flood(eve, n)), zmq.NOBLOCK)

    heard_before = ann.bytes
    pouring = threading.Thread(target=pour)
    pouring.start()
    try:
        assert table.play_on(ann, ben, moves=10) < 2
    finally:
        pouring.join()  # before the socket is closed
    eventually(lambda: eve.keys.public not in table.host.traffic.guests)
    assert any("too much at once" in said for said in table.said)
    assert ann.bytes - heard_before < 100_000
    table.play_on(ann, ben)


@pytest.mark.parametrize("kind", ["hellos", "catch-ups", "leaves and hellos"])
def test_what_brings_much_is_answered_seldom(table: Table, ann: Raw, ben: Raw, eve: Raw, kind: str) -> None:
    """Few enough not to be removed; each would bring the whole position, and tell all others of it."""
    flood = FLOODS[kind]
    ann.hear(0.05)
    positions, seats = eve.count(wire.Start), ann.count(wire.Seats)
    for n in range(200):
        eve.send(flood(eve, n))
    end = time.monotonic() + 0.5
    while time.monotonic() < end:
        while eve.socket.poll(10):  # a hello said again makes what comes for the one before unreadable
            eve.got.append(wire_message(eve.socket.recv()))
        ann.hear(0.01)
        table.play_on(ann, ben, moves=1)
    assert eve.count(wire.Start) - positions <= ANEW_BURST + 2
    assert ann.count(wire.Seats) - seats <= 2 * ANEW_BURST + 4
    eve.send(wire.Ping())
    eventually(lambda: any(isinstance(eve_says(eve), wire.HostPong) for _ in range(50)))


def wire_message(frame: bytes) -> wire.FromHost:
    return decode_from_host(frame)


def eve_says(eve: Raw) -> wire.FromHost | None:
    return wire_message(eve.socket.recv()) if eve.socket.poll(20) else None


def test_a_catch_up_that_came_too_soon_is_answered_later(table: Table, ann: Raw, ben: Raw, eve: Raw) -> None:
    """Who really has lost so much is not left standing."""
    before = eve.count(wire.Start)
    for _ in range(ANEW_BURST + 3):
        eve.send(wire.CatchUp(None))
    eve.until(lambda: eve.count(wire.Start) - before == ANEW_BURST - 1)  # one was her first hello
    eve.until(lambda: eve.count(wire.Start) - before == ANEW_BURST)  # the last of them, for all four
    eve.again()
    eve.join()
    eve.until(lambda: eve.follower.legal)
    table.play_on(ann, ben, eve)


# ---- what is shown --------------------------------------------------------------------------------

EVIL = "\x1b]0;x\x07\x1b[2J\u202eE\u2066v\u200be\x9b31m\u2028"


def test_names_and_words_can_not_steer_a_terminal(table: Table, ann: Raw, ben: Raw) -> None:
    eve = table.join(EVIL[:24])
    eve.send(wire.Chat(EVIL + "hi"))
    ann.until(lambda: ann.count(wire.Said))
    for message in ann.got:
        if isinstance(message, wire.Said | wire.Seats):
            said = repr([getattr(message, "text", ""), getattr(message, "seats", "")])
            assert not [char for char in EVIL if not char.isprintable() and char in said]
    screen = LineMode()
    shown = [line for message in ann.got for line in screen.hear(message, wire.Secret([]), None)]
    dirty = [*screen.hear(wire.Said(EVIL, None, EVIL), None, None), *shown]  # a host that did not clean it
    assert "hi" in "".join(shown)
    assert not [char for char in EVIL if not char.isprintable() and char in printed(dirty)]
    table.play_on(ann, ben, eve)


# ---- who does not read ----------------------------------------------------------------------------


def test_who_does_not_read_misses_much_and_catches_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connection, "OUTBOX", 20)
    monkeypatch.setitem(host.LIMITS, zmq.SNDHWM, 4)
    monkeypatch.setitem(host.LIMITS, zmq.SNDBUF, 65536)
    with Table(size=2, manners=Manners()).open() as table:
        ann = table.join("Ann")
        slow = table.join("Slow", "watch", RCVHWM=1, RCVBUF=65536)
        ben = table.join("Ben")
        key, long = slow.keys.public, wire.Said("Ann", "A", "x" * 9000)
        while len(table.host.traffic.connections[key].outbox) < 20:
            table.host.call(lambda: [Send(key, long)] * 20).result(5)
        assert table.play_on(ann, ben, moves=20) < 2
        assert 0 < len(table.host.traffic.connections[key].outbox) <= 20
        while slow.hear(0.2):
            pass
        slow.until(lambda: slow.follower.step == table.accepted() or (ann.hear(0.0) and False))
        game = table.room.game
        assert game
        assert slow.follower.view.lay == game.view(15).lay
