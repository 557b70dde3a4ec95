"""An action's round trip through a host with four peers, against a bare CURVE exchange of the same frames.

    python bench/protocol.py [--actions 400] [--rounds 7]

Ours: a peer sends a move; the room checks it, plays it, writes the record, answers, and tells all four peers. Two times
are taken: until the mover has the answer, which is the round trip, and until it has taken in its own update, too.

Bare: a DEALER sends a frame of the same size to a ROUTER over CURVE, which answers with as many frames of the same sizes to
four DEALERs. Each host is a process of its own, on loopback; in turns, medians of all actions.
"""

from __future__ import annotations

import multiprocessing
import os
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import click
import zmq

from lanplay.games import find as find_game
from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.peer import Peer
from lanplay.record.journal import Journal
from lanplay.room import people
from lanplay.room.follower import Follower
from lanplay.room.room import Room
from lanplay.wire import messages as wire
from lanplay.wire.codec import encode


def host(folder: str, ready: Any, done: Any) -> None:
    """The host's process: one table until `done`."""
    os.environ["LANPLAY_HOME"] = folder
    rules = find_game("cambio")
    options = rules.defaults.read({"rounds": 99, "snap_window": 0})
    people.ACTS = (1e9, 10**9)  # nobody at a real table moves as fast as this
    with Journal(Path(folder) / "bench.rec") as journal:
        room = Room(rules, options, 4, table="bench", seed=b"bench", ties=b"", journal=journal.append)
        with Host(room, table="bench", game="cambio", port=0):
            ready.set()
            done.wait()


TOLD = 350  # bytes of an update, as measured in the middle of a game


class Table:
    """A host in its own process, and four peers in this one."""

    def __init__(self, folder: str) -> None:
        spawn = multiprocessing.get_context("spawn")
        ready, self.done = spawn.Event(), spawn.Event()
        self.process = spawn.Process(target=host, args=(folder, ready, self.done))
        self.process.start()
        ready.wait()
        self.peers = [self.join(f"P{number}") for number in range(4)]
        self.followers = [Follower() for _ in self.peers]
        for peer, follower in zip(self.peers, self.followers, strict=True):
            assert peer.welcome is not None
            follower.take(peer.welcome)

    def join(self, name: str) -> Peer:
        return Peer.connect(pair(find()[0], name=name), name)

    def hear(self, until: int | None = None) -> None:
        """Take in what waits; with a number, until every peer has taken in that step."""
        for peer, follower in zip(self.peers, self.followers, strict=True):
            while until is not None and (follower.step or 0) < until:
                told = peer.receive(5)
                assert told is not None
                follower.take(told.message, told.secret)
            while told := peer.receive(0):
                follower.take(told.message, told.secret)

    def trip(self) -> tuple[float, float]:
        """One action; the times until the mover has its answer, and its update, in seconds."""
        while not (asked := [n for n, follower in enumerate(self.followers) if follower.asks == "act"]):
            self.hear()  # the closing window passes by itself
        seat = asked[0]
        peer, follower = self.peers[seat], self.followers[seat]
        assert follower.status is not None
        move = next(m for m in ("pass", "draw", "discard", *follower.legal) if m in follower.legal)
        step = (follower.step or 0) + 1
        begun = time.perf_counter()
        peer.act(move, follower.step or 0, follower.status.aim)
        answered = 0.0
        while (follower.step or 0) < step:
            told = peer.receive(5)
            assert told is not None
            if isinstance(told.message, wire.Accepted):
                answered = time.perf_counter() - begun
            follower.take(told.message, told.secret)
        passed = time.perf_counter() - begun
        self.hear(step)
        return answered, passed

    def close(self) -> None:
        for peer in self.peers:
            peer.close()
        self.done.set()
        self.process.join()


def echo(pipe: Any, accepted: int, told: int) -> None:
    """The bare host's process: to each frame an answer to who sent it, and one to each of the four."""
    context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
    public, private = zmq.curve_keypair()
    router = context.socket(zmq.ROUTER)
    router.curve_server, router.curve_secretkey = True, private
    pipe.send((public, router.bind_to_random_port("tcp://127.0.0.1")))
    routes = [router.recv_multipart()[0] for _ in range(4)]
    while True:
        route, frame = router.recv_multipart()
        if not frame:
            return
        router.send_multipart([route, bytes(accepted)])
        for other in routes:
            router.send_multipart([other, bytes(told)])


class Bare:
    """The same number of frames of the same sizes over plain CURVE sockets."""

    def __init__(self, asked: int, accepted: int, told: int) -> None:
        self.request = bytes(asked)
        spawn = multiprocessing.get_context("spawn")
        pipe, other = spawn.Pipe()
        self.process = spawn.Process(target=echo, args=(other, accepted, told))
        self.process.start()
        public, port = pipe.recv()
        self.context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self.dealers = [self.dealer(public, port) for _ in range(4)]
        for dealer in self.dealers:
            dealer.send(b"hello")

    def dealer(self, server: bytes, port: int) -> zmq.Socket[bytes]:
        dealer = self.context.socket(zmq.DEALER)
        dealer.curve_serverkey = server
        dealer.curve_publickey, dealer.curve_secretkey = zmq.curve_keypair()
        dealer.connect(f"tcp://127.0.0.1:{port}")
        return dealer

    def trip(self) -> tuple[float, float]:
        mover, *others = self.dealers
        begun = time.perf_counter()
        mover.send(self.request)
        mover.recv()
        answered = time.perf_counter() - begun
        mover.recv()
        passed = time.perf_counter() - begun
        for other in others:
            other.recv()
        return answered, passed

    def close(self) -> None:
        self.dealers[0].send(b"")
        self.process.join()
        self.context.destroy(0)


@click.command()
@click.option("--actions", default=300, help="actions a round")
@click.option("--rounds", default=5, help="interleaved rounds")
def main(actions: int, rounds: int) -> None:
    """Print both medians and their ratio."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["LANPLAY_HOME"] = folder
        table = Table(folder)
        table.hear(0)
        asked = len(encode(wire.Act(bytes(8), "discard", 1000, 1000)))
        bare = Bare(asked, len(encode(wire.Accepted(bytes(8), 1000))), TOLD)
        ours: list[tuple[float, float]] = []
        theirs: list[tuple[float, float]] = []
        for _ in range(rounds):
            ours += [table.trip() for _ in range(actions)]
            theirs += [bare.trip() for _ in range(actions)]
        table.close()
        bare.close()
    for what, which in (("until the answer", 0), ("until the mover's update", 1)):
        mine = statistics.median(times[which] for times in ours) * 1e6
        plain = statistics.median(times[which] for times in theirs) * 1e6
        click.echo(
            f"{what:26} {mine:6.0f} µs through the host, {plain:6.0f} µs bare: {mine / plain:.2f} times"
        )
    click.echo("wanted: at most 2 times for the round trip, which ends with the answer")


if __name__ == "__main__":
    main()
