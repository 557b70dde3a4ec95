"""A table that many look at: python -m tests.soak.spectators --count 1000."""

from __future__ import annotations

import multiprocessing
import os
import statistics
import tempfile
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from multiprocessing.connection import Connection
from typing import Any

import click
import msgspec
import psutil
import zmq

from lanplay.net import find
from lanplay.net.host import Host
from lanplay.net.keys import Keys
from lanplay.net.pairing import Grant
from lanplay.room.desk import Manners
from lanplay.wire import messages as wire
from lanplay.wire.codec import encode
from tests.net.raw import Raw, Table

PONG = encode(wire.Pong())
CROWDS = 2  # processes that look on
TOGETHER = 8  # pairings at once, which is what a host allows one address


class Light(msgspec.Struct, tag_field=None):
    """As much of a message as has to be known."""

    type: str
    step: int = -1


def host(end: Connection) -> None:
    """The process of the host: lets keys in, and tells of its memory."""
    table = Table(size=2, manners=Manners(), options={"rounds": 50})
    with table.open():
        end.send(table.host.table_id)
        while (order := end.recv()) is not None:
            end.send(memory() if order == "memory" else admitted(table.host, order))


def admitted(host: Host, keys: list[bytes]) -> list[Grant]:
    return [host._admit(key) for key in keys]


def memory() -> int:
    return int(psutil.Process().memory_info().rss)


class Crowd:
    """Many who look on, in one process. `steps` is what each has heard last."""

    def __init__(self, end: Connection) -> None:
        self.end = end
        self.sockets: list[zmq.Socket[bytes]] = []
        self.steps: list[int] = []
        self.welcomed: list[bool] = []
        zmq.Context.instance().set(zmq.MAX_SOCKETS, 4096)

    def run(self) -> None:
        while True:
            if self.end.poll(0.02):
                order = self.end.recv()
                if order is None:
                    return
                self.end.send(self.join(order) if isinstance(order, list) else self.wait(order))
            self.pump()

    def join(self, invited: list[tuple[Grant, Keys]]) -> float:
        """All at once; gives when the last of them is in."""
        peers = [Raw(grant, keys, f"Watcher {n}", "watch") for n, (grant, keys) in enumerate(invited)]
        self.sockets += [peer.socket for peer in peers]
        self.steps += [-1] * len(peers)
        self.welcomed += [False] * len(peers)
        for peer in peers:
            peer.send(peer.hello())
        while not all(self.welcomed):
            self.pump()
        return time.monotonic()

    def wait(self, step: int) -> list[float]:
        """When each has heard of this step."""
        heard = [0.0] * len(self.sockets)
        while not all(heard):
            self.pump()
            now = time.monotonic()
            heard = [at or now * (known >= step) for at, known in zip(heard, self.steps, strict=True)]
        return heard

    def pump(self) -> None:
        for n, socket in enumerate(self.sockets):
            while int(socket.getsockopt(zmq.EVENTS)) & zmq.POLLIN:
                self.hear(n, socket)

    def hear(self, n: int, socket: zmq.Socket[bytes]) -> None:
        light = msgspec.msgpack.decode(socket.recv(), type=Light)
        self.steps[n] = max(self.steps[n], light.step)
        self.welcomed[n] = self.welcomed[n] or light.type == "welcome"
        if light.type == "ping":
            socket.send(PONG)
        elif light.type == "closed":
            raise RuntimeError(f"watcher {n} was sent away")


def crowd(end: Connection) -> None:
    Crowd(end).run()


@contextmanager
def process(work: Any) -> Iterator[Connection]:
    context = multiprocessing.get_context("spawn")
    here, there = context.Pipe()
    child = context.Process(target=work, args=(there,), daemon=True)
    child.start()
    try:
        yield here
        here.send(None)
        child.join(10)
    finally:
        child.kill()


@click.command()
@click.option("--count", default=200, show_default=True)
@click.option("--moves", default=20, show_default=True)
@click.option("--pairings", default=80, show_default=True, help="How many pair by ticket, to see how fast.")
def main(count: int, moves: int, pairings: int) -> None:
    """How fast they come in, what they take, and when all have heard of a move."""
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(LANPLAY_HOME=home, LANPLAY_LAN="off")
        with process(host) as hosting, process(crowd) as first, process(crowd) as second:
            measure(count, moves, pairings, hosting, [first, second])


def measure(count: int, moves: int, pairings: int, hosting: Connection, crowds: list[Connection]) -> None:
    table_id = hosting.recv()
    click.echo(f"pairing by ticket: {paired(table_id, pairings):.0f} a second")
    (ann, ben), before = invited(hosting, 2), ask(hosting, "memory")
    players = [Raw(*ann, "Ann"), Raw(*ben, "Ben")]
    players[0].join()
    shares = [invited(hosting, count // CROWDS) for _ in crowds]
    begun = time.monotonic()
    ended = max(both(crowds, shares))
    watching = count // CROWDS * CROWDS
    click.echo(
        f"{watching} came to look on in {ended - begun:.2f} s: {watching / (ended - begun):.0f} a second"
    )
    players[1].join()
    rounds = [one_move(players, crowds) for _ in range(moves)]
    answers, half, alls = zip(*rounds, strict=True)
    click.echo(
        f"of {moves} moves: answered in {ms(answers)}; half had heard in {ms(half)}, all in {ms(alls)} (median, worst)"
    )
    after = ask(hosting, "memory")
    click.echo(
        f"memory of the host: {before >> 20} MiB before, {after >> 20} MiB after: "
        f"{(after - before) / watching / 1024:.0f} KiB each"
    )


def paired(table_id: str, pairings: int) -> float:
    """Pairings a second, by ticket, from one address."""
    table = next(found for found in find.find() if found.table_id == table_id)
    begun = time.monotonic()
    with ThreadPoolExecutor(TOGETHER) as pool:
        list(pool.map(lambda n: find.pair(table, name=f"Pairer {n}").identity.release(), range(pairings)))
    return pairings / (time.monotonic() - begun)


def invited(hosting: Connection, count: int) -> list[tuple[Grant, Keys]]:
    keys = [Keys.new() for _ in range(count)]
    return list(zip(ask(hosting, [key.public for key in keys]), keys, strict=True))


def ask(end: Connection, order: Any) -> Any:
    end.send(order)
    return end.recv()


def both(crowds: list[Connection], orders: list[Any]) -> list[Any]:
    for end, order in zip(crowds, orders, strict=True):
        end.send(order)
    return [end.recv() for end in crowds]


def one_move(players: list[Raw], crowds: list[Connection]) -> tuple[float, float, float]:
    """Seconds from a move to its answer, until half of the crowd has heard of it, and until all have."""
    mover = asked(players)
    step = (mover.follower.step or 0) + 1
    told: list[list[float]] = []
    waiting = threading.Thread(target=lambda: told.extend(both(crowds, [step] * len(crowds))))
    waiting.start()
    time.sleep(0.1)  # they listen
    legal = [move for move in mover.follower.legal if move != "cambio" and not move.startswith("snap")]
    begun = time.monotonic()
    id_ = mover.act(legal[0])
    while id_ not in mover.answers:
        mover.hear(0.001)
    answered = time.monotonic()
    waiting.join()
    heard = sorted(at - begun for one in told for at in one)
    return answered - begun, heard[len(heard) // 2], heard[-1]


def asked(players: list[Raw]) -> Raw:
    """The player whose turn it is."""
    while True:
        for player in players:
            player.hear(0.01)
        ready = [player for player in players if player.asked and player.follower.legal]
        newest = max(player.follower.step or 0 for player in players)
        ready = [player for player in ready if player.follower.step == newest]
        if ready:
            return ready[0]


def ms(seconds: tuple[float, ...]) -> str:
    return f"{1000 * statistics.median(seconds):.1f} / {1000 * max(seconds):.1f} ms"


if __name__ == "__main__":
    main()
