"""One game between bots over the real host and protocol, on this machine."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from lanplay.arena.game import Pairing, Played, played, secret
from lanplay.bot.bot import Bot, seeded
from lanplay.bot.health import Health
from lanplay.bot.lan import Sitter
from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.peer import Peer
from lanplay.room.room import Room


def play(pairing: Pairing, order: Sequence[int], deal: bytes) -> Played:
    """As `lanplay.arena.game.play`: the same deal gives the same record, line for line, but for the times in it."""
    lines: list[str] = []
    room = Room(
        pairing.rules,
        pairing.options,
        len(order),
        table="match",
        seed=secret(deal, "deck"),
        ties=secret(deal, "ties"),
        journal=lines.append,
    )
    with Host(room, table="match", game=pairing.rules.name, port=0, bind="127.0.0.1") as host:
        sitters: list[Sitter] = []
        try:
            for seat, bot in enumerate(order):
                sitters.append(
                    sit(host.port, pairing.kinds[bot], pairing.names[bot], secret(deal, "bots"), seat)
                )
            together(sitters, host)
        finally:
            for sitter in sitters:
                sitter.peer.close()
    assert room.game is not None
    health = [sitter.player.health if sitter.player else Health() for sitter in sitters]
    return played(room.game, order, health, "".join(lines))


def sit(port: int, kind: type[Bot], name: str, seed: bytes, seat: int) -> Sitter:
    """A bot takes the next seat of the table at this port."""
    invitation = pair(find(f"127.0.0.1:{port}")[0], name=name)
    return Sitter(kind, Peer.connect(invitation, name, "sit", "bot"), seeded(seed, seat))


def together(sitters: Sequence[Sitter], host: Host) -> None:
    """All play, each in a thread; what one of them raises ends the table, and is raised."""
    failures: list[BaseException] = []

    def run(sitter: Sitter) -> None:
        try:
            sitter.play()
        except BaseException as error:  # told to the caller below
            failures.append(error)
            host.stop()

    threads = [threading.Thread(target=run, args=(sitter,), daemon=True) for sitter in sitters]
    for thread in threads:
        thread.start()
    try:
        for thread in threads:
            thread.join()
    except BaseException:  # Ctrl-C: they hear at once that the table is closed
        host.stop()
        raise
    if failures:
        host.wait(0)  # raises what ended the host, if that was first
        raise failures[0]
