"""Thousands of connections that never say anything: python -m tests.soak.connections --count 5000."""

from __future__ import annotations

import os
import random
import resource
import socket
import tempfile
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection

import click

from lanplay.net import find
from tests.net.raw import Raw, play_on
from tests.soak.spectators import host, invited, ms, process


def poor_host(end: Connection) -> None:
    """A host that may have few descriptors only."""
    resource.setrlimit(resource.RLIMIT_NOFILE, (400, 400))
    host(end)


class Strangers(threading.Thread):
    """Keeps so many connections open to a port, and opens others for those that are hung up on."""

    def __init__(self, port: int, count: int) -> None:
        super().__init__(daemon=True)
        self.port, self.count, self.opened, self.refused = port, count, 0, 0
        self.lines: list[socket.socket] = []
        self.ending = False

    def run(self) -> None:
        while not self.ending:
            self.lines = [line for line in self.lines if alive(line)]
            for _ in range(min(200, self.count - len(self.lines))):
                self.connect()
            time.sleep(0.02)
        for line in self.lines:
            line.close()

    def connect(self) -> None:
        try:
            line = socket.create_connection(("127.0.0.1", self.port), timeout=0.5)
        except OSError:
            self.refused += 1
            return
        line.setblocking(False)
        self.lines.append(line)
        self.opened += 1


def alive(line: socket.socket) -> bool:
    """Still open at the other end; closes it if not. What the host says of itself is not read any further."""
    with suppress(BlockingIOError):
        try:
            if line.recv(4096):
                return True
        except ConnectionError:
            pass
        line.close()
        return False
    return True


@click.command()
@click.option("--count", default=5000, show_default=True)
@click.option("--seconds", default=10.0, show_default=True)
def main(count: int, seconds: float) -> None:
    """Two people play on meanwhile; how long does an answer take, and what does the host take?"""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(2 * count + 1000, hard), hard))
    with tempfile.TemporaryDirectory() as home:
        os.environ.update(LANPLAY_HOME=home, LANPLAY_LAN="off")
        for title, kind in (("a host", host), ("a host with 400 descriptors", poor_host)):
            with process(kind) as hosting:
                attack(title, hosting, count, seconds)


def attack(title: str, hosting: Connection, count: int, seconds: float) -> None:
    table_id = hosting.recv()
    found = next(found for found in find.find() if found.table_id == table_id)
    players = [Raw(*one, name) for one, name in zip(invited(hosting, 2), ("Ann", "Ben"), strict=True)]
    for player in players:
        player.join()
    before = remembered(hosting)
    crowds = [Strangers(port, count) for port in (players[0].port, found.port)]
    for crowd in crowds:
        crowd.start()
    longest: list[float] = []
    until, moves, rng = time.monotonic() + seconds, 0, random.Random(3)
    while time.monotonic() < until:
        longest.append(play_on(rng, *players, moves=2))
        moves += 2
        time.sleep(0.1)
    for crowd in crowds:
        crowd.ending = True
        crowd.join()
    opened = sum(crowd.opened for crowd in crowds)
    click.echo(
        f"{title}: {opened} connections in {seconds:.0f} s, {moves} moves meanwhile, answered in {ms(tuple(longest))} "
        f"(median, worst); memory {before >> 20} MiB before, {remembered(hosting) >> 20} MiB after"
    )


def remembered(hosting: Connection) -> int:
    hosting.send("memory")
    return int(hosting.recv())


if __name__ == "__main__":
    main()
