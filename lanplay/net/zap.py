"""Who may come to the table: the answers to ZeroMQ's questions about CURVE keys (RFC 27, ZAP).

ZAP fails open: without an answerer any key gets in. So it is bound before the table's own socket, in the same thread,
and whatever goes wrong in it is a no.
"""

from __future__ import annotations

import zmq

ENDPOINT = "inproc://zeromq.zap.01"
DOMAIN = b"lanplay"
VERSION = b"1.0"


class Gate:
    """The allow-list of a context: the CURVE public keys that may connect, each with its seat's secret."""

    def __init__(self, context: zmq.Context[zmq.Socket[bytes]], secrets: dict[bytes, bytes]) -> None:
        self.secrets = secrets
        self.socket = context.socket(zmq.REP)
        self.socket.linger = 0
        self.socket.bind(ENDPOINT)

    def answer(self) -> None:
        """Answer the questions that wait."""
        while True:
            try:
                question = self.socket.recv_multipart(zmq.NOBLOCK)
            except zmq.Again:
                return
            self.socket.send_multipart(self.reply(question))

    def reply(self, question: list[bytes]) -> list[bytes]:
        """A reply to one question; the user id of an allowed key is the key in hexadecimal."""
        version, request, *rest = [*question, b"", b""]
        try:
            domain, _address, _identity, mechanism, key = rest[:5]
            if version == VERSION and mechanism == b"CURVE" and domain == DOMAIN and key in self.secrets:
                return [VERSION, request, b"200", b"OK", key.hex().encode(), b""]
        except ValueError:
            pass  # fewer frames than a question has
        return [VERSION, request, b"400", b"not paired with this table", b"", b""]

    def close(self) -> None:
        self.socket.close()
