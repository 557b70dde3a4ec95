"""The honest deck over sockets: peers take part in it by themselves, and hear in the end whether it was one."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from lanplay.bot.player import default_of
from lanplay.games import find as find_game
from lanplay.net.find import find, pair
from lanplay.net.home import home
from lanplay.net.host import Host
from lanplay.net.keys import signing_key
from lanplay.net.peer import Peer
from lanplay.record.proof import Pledge
from lanplay.record.verify import verify
from lanplay.room import joint
from lanplay.room.follower import Follower
from lanplay.room.room import Room
from lanplay.room.witness import SILENT, Verdict
from lanplay.wire import messages as wire


class Table:
    """A table for two on 127.0.0.1, whose record is kept."""

    def __init__(self) -> None:
        rules, pledge = find_game("cambio"), Pledge.new("c0ffee", signing_key())
        self.lines: list[str] = []
        options = rules.defaults.read({"max_turns": 6, "snap_window": 0})
        self.room = Room(rules, options, 2, table="t", ties=b"ties", pledge=pledge, journal=self.lines.append)
        self.host = Host(self.room, table="t", game="cambio", port=0, bind="127.0.0.1", table_id="c0ffee")

    @contextmanager
    def sitting(self, *names: str) -> Iterator[list[Player]]:
        with self.host:
            players = [Player(self.host, name) for name in names]
            yield players
            for player in players:
                player.thread.join(20)
                player.peer.close()


class Player:
    """Somebody who makes the default move, breaks the line now and then, and waits for the verdict."""

    def __init__(self, host: Host, name: str) -> None:
        self.peer = Peer.connect(pair(find(f"127.0.0.1:{host.port}")[0], name=name), name)
        self.verdict: Verdict | None = None
        self.follower = Follower()
        self.moves = 0
        self.thread = threading.Thread(target=self.play, daemon=True)

    def play(self) -> None:
        follower = self.follower
        while self.verdict is None:
            told = self.peer.receive(10)
            if told is None:
                return
            follower.take(told.message, told.secret)
            self.verdict = told.verdict
            if isinstance(told.message, wire.Refused):
                time.sleep(0.05)  # too much at once
            news = isinstance(told.message, wire.Update | wire.Snapshot | wire.Refused)
            if news and follower.asks == "act" and follower.status:
                self.peer.act(default_of(follower.legal), follower.step or 0, follower.status.aim)
                self.moves += 1
                if self.moves in (2, 4):
                    self.peer.link.close()
                    self.peer._dial()


def test_peers_take_part_and_prove_the_deal_over_breaks() -> None:
    table = Table()
    with table.sitting("Ann", "Bob") as players:
        for player in players:
            player.thread.start()
    assert verify("".join(table.lines)).shared == ["A", "B"]
    for player in players:
        assert player.verdict
        assert player.verdict.proved, player.verdict
        assert not player.peer.stream.witness.faults


def test_a_host_that_stacks_the_deck_is_found_out_by_each_peer() -> None:
    table = Table()
    table.room.deal, deal = (lambda secret, now: deal(b"stacked", now)), table.room.deal  # type: ignore[method-assign]
    with table.sitting("Ann", "Bob") as players:
        for player in players:
            player.thread.start()
    for player in players:
        assert player.verdict
        assert "this deck is not what the secrets give" in player.verdict.line


def test_a_peer_that_does_not_answer_is_left_out_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(joint, "SECONDS", 0.3)
    table = Table()
    with table.host:
        ann = Player(table.host, "Ann")
        ann.peer.stream.witness.share = lambda joint: []  # type: ignore[method-assign]
        bob = Player(table.host, "Bob")
        for player in (ann, bob):
            player.thread.start()
        bob.thread.join(20)
        ann.thread.join(20)
        assert bob.verdict
        assert "seat A did not answer in time and was left out" in bob.verdict.line
        for player in (ann, bob):
            player.peer.close()


def test_a_host_that_closes_without_showing_its_secret() -> None:
    table = Table()
    table.room.show_record = lambda person: None  # type: ignore[method-assign]
    with table.sitting("Ann", "Bob") as players:
        for player in players:
            player.thread.start()
        while not table.room.over:
            threading.Event().wait(0.01)
        for player in players:
            while not (player.follower.status and player.follower.status.over):
                threading.Event().wait(0.01)
        table.host.stop()
    assert [player.verdict for player in players] == [SILENT, SILENT]


def test_a_host_signs_with_the_same_key_every_time() -> None:
    key = signing_key()
    assert signing_key().private_bytes_raw() == key.private_bytes_raw()
    assert (home() / "signing.json").stat().st_mode & 0o077 == 0
