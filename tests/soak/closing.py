"""Whatever is closed while another thread uses it: python -m tests.soak.closing --count 2000.

A socket of ZeroMQ in two threads at once crashes the whole interpreter, now and then: so it runs in a process of its own.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import tempfile
import threading
import time
from contextlib import suppress

import click

from lanplay.net import door, traffic
from lanplay.net.errors import NetError
from lanplay.net.host import Host
from lanplay.net.peer import Peer
from tests.net.fake import FakeRoom, join, peers

AT_A_TABLE = 50


def main_of(count: int, seed: int) -> None:
    """The tables of one process."""
    os.environ["LANPLAY_HOME"], os.environ["LANPLAY_LAN"] = tempfile.mkdtemp(), "off"
    door.GRID, traffic.GOODBYE = 0.001, 0.01
    rng = random.Random(seed)
    for _ in range(0, count, AT_A_TABLE):
        table(rng)


def table(rng: random.Random) -> None:
    """Peers that are closed in mid-word, one after another; then the host, from two other threads."""
    host = Host(FakeRoom(), table="t", game="fake", port=0, bind="127.0.0.1")
    host.start()
    for number in range(AT_A_TABLE):
        peer = join(host, str(number), role="watch")
        player = threading.Thread(target=play, args=(peer,))
        player.start()
        time.sleep(rng.random() * 0.02)
        if number == AT_A_TABLE - 1:
            stop(host)
        peer.close()
        player.join(10)
        if player.is_alive():
            raise SystemExit("a thread was not let go")
    peers.clear()


def play(peer: Peer) -> None:
    with suppress(NetError):
        while True:
            peer.act("draw", 0, 0)
            while peer.receive(0.001):
                pass


def stop(host: Host) -> None:
    """By several threads, while others still call it."""
    threads = [threading.Thread(target=host.stop) for _ in range(2)]
    threads += [threading.Thread(target=host.call, args=(int,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(10)
    if not host.wait(10):
        raise SystemExit("a host did not end")


@click.command()
@click.option("--count", default=2000, show_default=True)
def main(count: int) -> None:
    """Close so many connections while they are used; two processes at once, so that they are held up."""
    start = multiprocessing.get_context("spawn").Process
    processes = [start(target=main_of, args=(-(-count // 2), seed)) for seed in range(2)]
    begun = time.monotonic()
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    codes = [process.exitcode for process in processes]
    click.echo(f"{count} closed in {time.monotonic() - begun:.0f} s; the processes ended with {codes}")
    if any(codes):
        raise click.ClickException("a process crashed")


if __name__ == "__main__":
    main()
