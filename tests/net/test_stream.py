"""A peer's conversation without a socket: numbers, gaps, secrets, moves said again."""

from __future__ import annotations

import pytest

from lanplay.net.connection import OUTBOX, Connection
from lanplay.net.line import Line, named
from lanplay.net.pairing import Grant
from lanplay.net.stream import Stream, Told
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, encode
from lanplay.wire.seal import Sealer, SealError
from lanplay.wire.send import Send
from tests.net.fake import SECRET, status

GRANT = Grant(bytes(32), 4711, "t", "cafe", "fake", b"s" * 32)
WELCOME = wire.Welcome(1, "t", "fake", {}, 2, "B", bytes(32), False)
SEATS, START = wire.Seats(0, [], 0, True), wire.Start(0, [], [], "clock")


def update(step: int) -> wire.Update:
    return wire.Update(0, step, [], status(), [], "act")


class Wire:
    """A stream, and the host's side of its connection."""

    def __init__(self) -> None:
        self.stream = Stream(GRANT, "Ben", "sit", "bot")
        self.connect()

    def connect(self) -> wire.Hello:
        hello = self.stream.hello()
        sealer = Sealer("cafe", GRANT.secret)
        sealer.meet(hello.key)
        self.host = Connection(b"route", hello, sealer, None, 0.0)
        return hello

    def tell(self, message: wire.FromHost, secret: wire.Secret | None = None) -> Told | None:
        return self.stream.take(self.frame(message, secret))

    def frame(self, message: wire.FromHost, secret: wire.Secret | None = None) -> bytes:
        return self.host.frame(Send(b"", message, secret, 64))

    def said(self) -> list[wire.FromPeer]:
        said = list(self.stream.out)
        self.stream.out.clear()
        return said


@pytest.fixture
def line() -> Wire:
    made = Wire()
    made.tell(WELCOME)
    return made


def numbered(told: Told | None) -> int:
    assert told is not None
    assert isinstance(told.message, wire.NUMBERED)
    return told.message.n


def test_the_stream_counts_from_one_on_each_connection(line: Wire) -> None:
    assert [numbered(line.tell(m)) for m in (SEATS, START, update(0))] == [1, 2, 3]
    hello = line.connect()
    assert hello.since == 0
    line.tell(WELCOME)
    assert numbered(line.tell(SEATS)) == 1


def test_secrets_are_opened(line: Wire) -> None:
    told = line.tell(update(1), SECRET)
    assert told is not None
    assert told.secret == SECRET
    assert line.tell(update(2)) == Told(wire.Update(2, 2, [], status(), [], "act"), None)


def test_a_gap_is_asked_for_once_and_nothing_is_used_until_the_host_begins_anew(line: Wire) -> None:
    line.tell(update(4))
    line.frame(update(5))  # lost
    assert line.tell(update(6)) is None
    assert line.tell(update(7), SECRET) is None
    assert line.tell(SEATS) is not None  # it stands for itself
    assert line.said() == [wire.CatchUp(4)]
    assert line.tell(START) is not None
    told = line.tell(update(7), SECRET)
    assert told is not None
    assert (told.secret, line.stream.step) == (SECRET, 7)
    line.frame(SEATS)  # another one lost
    assert line.tell(update(8)) is None
    assert line.said() == [wire.CatchUp(7)]


def test_who_knows_nothing_asks_for_everything(line: Wire) -> None:
    line.frame(SEATS)
    assert line.tell(SEATS) is not None
    assert line.said() == [wire.CatchUp(None)]


def test_a_ping_is_answered_and_told_to_nobody(line: Wire) -> None:
    assert line.tell(wire.HostPing()) is None
    assert line.said() == [wire.Pong()]
    assert line.tell(wire.HostPong()) is None
    assert line.said() == []


def test_moves_are_said_again_on_a_new_connection_until_they_are_answered(line: Wire) -> None:
    first, second = line.stream.act("draw", 1, 0), line.stream.act("swap 1", 2, 0)
    assert len(line.said()) == 2
    line.tell(wire.Accepted(first, 2))
    line.tell(WELCOME)  # again on the same connection, where nothing was lost
    assert line.said() == []
    line.connect()
    line.tell(WELCOME)
    assert line.said() == [wire.Act(second, "swap 1", 2, 0)]
    line.tell(wire.Refused(second, "late", None, "Too late.", "swap 1"))
    line.connect()
    line.tell(WELCOME)
    assert line.said() == []


def test_what_waited_to_be_said_is_not_said_on_the_next_connection(line: Wire) -> None:
    line.stream.out.append(wire.Decline(3))
    line.connect()
    assert line.said() == []


def test_the_last_word_is_kept(line: Wire) -> None:
    line.tell(wire.Closed("ended", "Over."))
    assert line.stream.closed == wire.Closed("ended", "Over.")


def test_what_cannot_be_read_or_opened_is_an_error(line: Wire) -> None:
    with pytest.raises(ProtocolError):
        line.stream.take(b"\xc1")
    sealed_for_another = encode(wire.Update(1, 1, [], status(), [], "act", sealed=bytes(80)))
    with pytest.raises(SealError):
        line.stream.take(sealed_for_another)
    with pytest.raises(SealError, match="not usable"):
        line.stream.take(encode(WELCOME))


# ---- the host's side ------------------------------------------------------------------------------


def test_an_outbox_is_bounded_and_the_gap_shows(line: Wire) -> None:
    for step in range(OUTBOX + 2):
        line.host.push(line.frame(update(step)))
    assert len(line.host.outbox) == OUTBOX
    for frame in line.host.outbox:
        assert line.stream.take(frame)
    assert line.tell(update(OUTBOX + 2)) is None
    assert line.said() == [wire.CatchUp(OUTBOX - 1)]


def test_secrets_go_only_into_what_can_hold_them(line: Wire) -> None:
    assert line.frame(SEATS, SECRET) == encode(wire.Seats(1, [], 0, True))


def test_a_line_that_has_ended_is_not_cut_again() -> None:
    assert named(10**6) is None
    Line(10**6, ("127.0.0.1", 1)).cut()
    Line(0, ("127.0.0.1", 1)).cut()  # the number means something else by now
