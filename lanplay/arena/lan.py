"""One game between bots over the real host and protocol, on this machine."""

from __future__ import annotations

import threading
from collections.abc import Sequence

from lanplay.arena.game import Played, secret
from lanplay.bot.bot import Bot, seeded
from lanplay.bot.lan import Sitter
from lanplay.bot.player import Health
from lanplay.engine.game import Rules
from lanplay.engine.options import Options
from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.peer import Peer
from lanplay.room.room import Room


def play(
    rules: Rules,
    options: Options,
    kinds: Sequence[type[Bot]],
    names: Sequence[str],
    order: Sequence[int],
    deal: bytes,
) -> Played:
    """As `lanplay.arena.game.play`: the same deal gives the same record, line for line, but for the times in it."""
    lines: list[str] = []
    room = Room(
        rules,
        options,
        len(kinds),
        table="match",
        seed=secret(deal, "deck"),
        ties=secret(deal, "ties"),
        seeded=True,
        journal=lines.append,
    )
    with Host(room, table="match", game=rules.name, port=0) as host:
        sitters = [sit(host.port, kinds[bot], names[bot], secret(deal, "bots"), bot) for bot in order]
        together(sitters)
    game = room.game
    assert game is not None
    health = [sitter.player.health if sitter.player else Health() for sitter in sitters]
    capped = any(round_.caller is None for round_ in game.rounds) and "max_turns" in options.values()
    winners = game.winners or ()
    return Played(tuple(order), winners, game.totals, game.accepted, capped, "".join(lines), health)


def sit(port: int, kind: type[Bot], name: str, seed: bytes, place: int) -> Sitter:
    """A bot takes the next seat of the table at this port."""
    invitation = pair(find(f"127.0.0.1:{port}")[0], name=name)
    return Sitter(kind, Peer.connect(invitation, name, "sit", "bot"), seeded(seed, place))


def together(sitters: Sequence[Sitter]) -> None:
    """All play, each in a thread; raises what one of them raised."""
    failures: list[Exception] = []

    def run(sitter: Sitter) -> None:
        try:
            sitter.play()
        except Exception as error:  # told to the caller below
            failures.append(error)

    threads = [threading.Thread(target=run, args=(sitter,), daemon=True) for sitter in sitters]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for sitter in sitters:
        sitter.peer.close()
    if failures:
        raise failures[0]
