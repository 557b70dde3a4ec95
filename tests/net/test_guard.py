"""The guard over connections, against a peer that speaks ZMTP by hand: ZeroMQ's own sockets never send half a message."""

from __future__ import annotations

import socket as tcp
import sys
from collections.abc import Iterator

import pytest
import zmq

from lanplay.net import guard
from lanplay.net.guard import Guard
from tests.net.fake import eventually

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells how much has come")

GREETING = b"\xff" + bytes(8) + b"\x7f\x03\x00" + b"NULL".ljust(20, b"\0") + bytes(32)  # RFC 23
READY = b"\x05READY\x0bSocket-Type\0\0\0\x06DEALER"
MORE = b"\x03" + (8192).to_bytes(8, "big") + bytes(8192)  # a long frame, and another one follows


@pytest.fixture
def table() -> Iterator[tuple[zmq.Socket[bytes], Guard, int]]:
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    router = context.socket(zmq.ROUTER)
    router.linger = 0
    watch = Guard(router)
    yield router, watch, router.bind_to_random_port("tcp://127.0.0.1")
    watch.close()
    router.close()
    context.term()


def connected(port: int) -> tcp.socket:
    line = tcp.create_connection(("127.0.0.1", port))
    line.sendall(GREETING)
    line.settimeout(5)
    left = 64
    while left:  # MSG_WAITALL does not wait where there is a timeout
        came = len(line.recv(left))
        assert came
        left -= came
    line.sendall(b"\x04" + bytes([len(READY)]) + READY)
    assert line.recv(100)
    return line


def pour(line: tcp.socket, watch: Guard) -> None:
    """Frame after frame of one message."""
    for _ in range(40 * guard.ALLOWED // len(MORE)):
        line.sendall(MORE)
        watch.look()


def test_a_message_without_an_end_is_cut_off(table: tuple[zmq.Socket[bytes], Guard, int]) -> None:
    _, watch, port = table
    with connected(port) as line:
        eventually(lambda: watch.look() == 0 and watch.lines)
        with pytest.raises(OSError, match=r"reset|[Bb]roken"):
            pour(line, watch)
    eventually(lambda: watch.look() == 0 and not watch.lines)


def test_who_sends_much_that_is_read_stays(table: tuple[zmq.Socket[bytes], Guard, int]) -> None:
    router, watch, port = table
    whole = b"\x02" + MORE[1:]
    with connected(port) as line:
        for _ in range(3 * guard.ALLOWED // len(whole)):
            line.sendall(whole)
            _, frame = router.recv(), router.recv(copy=False)
            watch.count(int(frame.get(zmq.SRCFD)), len(frame))
            assert watch.look() == 0
        assert watch.lines
