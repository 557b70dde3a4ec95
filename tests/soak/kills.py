"""A host that is killed again and again, and goes on: python -m tests.soak.kills --count 25."""

from __future__ import annotations

import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import click
import msgspec

from lanplay.net import find
from lanplay.net.peer import Peer, Told
from lanplay.room.follower import Follower
from lanplay.wire import messages as wire
from tests.cli.run import Program

PACE = 0.06  # seconds between the moves of a player, who may make 20 a second
WORDS = (
    "host", "cambio", "--seats", "3", "--bot", "memory", "--bot-delay", "20", "--port", "0", "--json",
    "--set", "rounds=99", "--set", "max_turns=400",
)  # fmt: skip


class Player(threading.Thread):
    """Plays at random, and notes all that it is told was accepted."""

    def __init__(self, name: str, seed: int) -> None:
        super().__init__(name=name, daemon=True)
        self.rng, self.follower = random.Random(seed), Follower()
        table = find.find()[0]
        self.peer = Peer.connect(find.pair(table, name=name), name)
        self.seat = ""
        self.ending = False
        self.acts: dict[bytes, str] = {}
        self.accepted: list[tuple[int, str]] = []  # step and move
        self.answers: Counter[bytes] = Counter()
        self.refused: Counter[str] = Counter()
        self.answered_at = self.welcomed_at = 0.0
        self.busy: bytes | None = None

    def run(self) -> None:
        due = 0.0
        while not (self.ending and self.busy is None):
            told = self.peer.receive(0.02)
            if told:
                self.hear(told)
            elif not self.busy and not self.ending and time.monotonic() > due:
                self.play()
                due = time.monotonic() + PACE

    def hear(self, told: Told) -> None:
        message, now = told.message, time.monotonic()
        self.follower.take(message, told.secret)
        if isinstance(message, wire.Welcome):
            self.seat, self.welcomed_at = message.seat or "", now
        elif isinstance(message, wire.Accepted | wire.Refused):
            self.answers[message.id] += 1
            self.busy = None if message.id == self.busy else self.busy
            self.answered_at = now
            if isinstance(message, wire.Accepted):
                self.accepted.append((message.step, self.acts[message.id]))
            else:
                self.refused[message.code] += 1

    def play(self) -> None:
        follower = self.follower
        legal = [move for move in follower.legal if move != "cambio" and not move.startswith("snap")]
        if follower.asks == "act" and legal and follower.status:
            move = self.rng.choice(legal)
            self.busy = self.peer.act(move, follower.step or 0, follower.status.aim)
            self.acts[self.busy] = move


class Hosting:
    """The command, started anew after each kill."""

    def __init__(self, stack: ExitStack) -> None:
        self.stack = stack
        self.begun = 0.0

    def start(self, *words: str) -> dict[str, Any]:
        """Gives its first event."""
        self.begun = time.monotonic()
        process = subprocess.Popen(
            [sys.executable, "-m", "lanplay", *words],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, encoding="utf-8", bufsize=1,
        )  # fmt: skip
        self.stack.enter_context(process)
        self.stack.callback(process.kill)
        self.program = Program(process)
        try:
            return self.program.event("open")
        except AssertionError:
            raise click.ClickException(f"the host did not open: {self.program.end().err}") from None

    def kill(self) -> None:
        self.program.process.send_signal(signal.SIGKILL)
        self.program.process.wait()


def moves(record: Path) -> list[str]:
    """`A draw`, move by move."""
    lines = record.read_text(encoding="utf-8").splitlines()
    return [line.split(" @")[0] for line in lines if line[:2] in ("A ", "B ", "C ")]


@click.command()
@click.option("--count", default=25, show_default=True)
@click.option("--seed", default=1, show_default=True)
def main(count: int, seed: int) -> None:
    """Two players of a table with a bot note what was accepted; the record must have all of it, once."""
    rng = random.Random(seed)
    with tempfile.TemporaryDirectory() as home, ExitStack() as stack:
        os.environ.update(LANPLAY_HOME=home, LANPLAY_LAN="off")
        hosting = Hosting(stack)
        record = Path(hosting.start(*WORDS)["record"])
        players = [Player(name, number) for number, name in enumerate(("Ann", "Ben"))]
        for player in players:
            player.start()
        answered(players, 0.0)
        back = [once(hosting, players, rng) for _ in range(count)]
        time.sleep(1.0)
        for player in players:
            player.ending = True
        for player in players:
            player.join(20)
        report(moves(record), players, back)


def once(hosting: Hosting, players: list[Player], rng: random.Random) -> tuple[float, float, float]:
    """Kill and resume; gives the seconds until it is open, all players are back, and all have had an answer."""
    time.sleep(rng.uniform(0.2, 1.5))
    hosting.kill()
    killed = time.monotonic()
    hosting.start("host", "--resume", "--json")
    opened = time.monotonic()
    answered(players, killed)
    welcomed = max(player.welcomed_at for player in players)
    return (
        opened - hosting.begun,
        welcomed - hosting.begun,
        max(p.answered_at for p in players) - hosting.begun,
    )


def answered(players: list[Player], since: float) -> None:
    """Wait until every player is here and has had an answer."""
    until = time.monotonic() + 30
    while not all(player.answered_at > since and player.welcomed_at > since for player in players):
        if time.monotonic() > until:
            raise click.ClickException("a player has not come back, or the table stands still")
        time.sleep(0.005)


def report(written: list[str], players: list[Player], back: list[tuple[float, float, float]]) -> None:
    told = [(step, f"{player.seat} {move}") for player in players for step, move in player.accepted]
    lost = [one for one in told if one[0] > len(written) or written[one[0] - 1] != one[1]]
    seats = tuple(player.seat for player in players)
    theirs = sum(line[0] in seats for line in written)
    unanswered = sum(player.answers[id_] == 0 for player in players for id_ in player.acts)
    refused = sum((player.refused for player in players), Counter[str]())
    click.echo(
        f"{len(back)} kills survived; {len(written)} moves in the record; {len(told)} of the two players accepted, "
        f"{len(lost)} of them lost, {theirs - len(told)} done twice, {unanswered} never answered; "
        f"refused: {dict(refused) or 'none'}"
    )
    for name, seconds in zip(
        ("open", "both players back", "both answered"), zip(*back, strict=True), strict=True
    ):
        click.echo(
            f"from the command to {name}: {statistics.median(seconds):.2f} s, at worst {max(seconds):.2f} s"
        )
    if lost or theirs != len(told) or unanswered:
        raise click.ClickException(msgspec.json.encode({"lost": lost}).decode())


if __name__ == "__main__":
    main()
