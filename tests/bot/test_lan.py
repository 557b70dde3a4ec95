"""Bots over the network: at a table with people, whatever they do, and after a break."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from random import Random

import pytest

from lanplay.bot import Bot, View
from lanplay.bot.lan import Sitter
from lanplay.bot.load import load
from lanplay.bot.memory import Memory
from lanplay.bot.player import default_of
from lanplay.engine.words import masked
from lanplay.games import find as find_game
from lanplay.net.errors import HostGone
from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.keys import signing_key
from lanplay.net.peer import Peer
from lanplay.net.stream import Kind
from lanplay.record.proof import Pledge
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room.follower import Follower
from lanplay.room.room import Room
from lanplay.room.witness import SILENT
from lanplay.wire import messages as wire


class Tables:
    """A table whose record is kept."""

    def __init__(self, game: str, size: int, honest: bool = False, **options: int | str) -> None:
        self.lines: list[str] = []
        rules = find_game(game)
        self.room = Room(
            rules,
            rules.defaults.read({"snap_window": 0, "max_turns": 40, **options}),
            size,
            table="t",
            seed=b"seed",
            ties=b"ties",
            pledge=Pledge.new("c0ffee", signing_key()) if honest else None,
            journal=self.lines.append,
        )
        table_id = "c0ffee" if honest else None
        self.host = Host(self.room, table="t", game=game, port=0, bind="127.0.0.1", table_id=table_id)

    def peer(self, name: str, kind: Kind) -> Peer:
        invitation = pair(find(f"127.0.0.1:{self.host.port}")[0], name=name)
        return Peer.connect(invitation, name, "sit", kind)


@contextmanager
def playing(sitter: Sitter) -> Iterator[None]:
    """The bot plays in a thread; it must come to an end by itself."""
    failures: list[BaseException] = []

    def run() -> None:
        try:
            sitter.play()
        except BaseException as error:
            failures.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    yield
    thread.join(30)
    assert not thread.is_alive()
    if failures:
        raise failures[0]


def person(peer: Peer) -> Follower:
    """Somebody who draws, swaps and passes, until the game is over."""
    follower = Follower()
    if peer.welcome:
        follower.take(peer.welcome)
    while follower.status is None or not follower.status.over:
        told = peer.receive(5)
        assert told is not None
        follower.take(told.message, told.secret)
        again = isinstance(told.message, wire.Refused) and told.message.code == "slow-down"
        if again:
            time.sleep(0.2)
        asked = again or isinstance(told.message, wire.Update)
        if asked and follower.asks == "act" and follower.status:
            peer.act(default_of(follower.legal), follower.step or 0, follower.status.aim)
    return follower


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
def test_a_bot_plays_with_a_person(game: str) -> None:
    tables, notices = Tables(game, 2), list[str]()
    with tables.host, tables.peer("Ann", "person") as ann, tables.peer("memory", "bot") as bob:
        sitter = Sitter(load("memory"), bob, Random(1), notices.append)
        with playing(sitter):
            person(ann)
        assert sitter.result()["winners"] == ["B"]
        assert notices == []
    for _ in (replay := Replay(read("".join(tables.lines)))).play():
        pass
    assert replay.game.over


class Sulks(Bot):
    """Fails at everything."""

    def act(self, view: View) -> str:
        raise RuntimeError("no")

    def react(self, view: View) -> str | None:
        return "nothing"


def test_a_bot_that_fails_does_not_hold_up_the_table() -> None:
    tables, notices = Tables("cambio", 2), list[str]()
    with (
        tables.host,
        tables.peer("Ann", "person") as ann,
        tables.peer("sulks", "bot") as bob,
        playing(Sitter(Sulks, bob, Random(1), notices.append)),
    ):
        person(ann)
    seen = sorted(notice[:26] for notice in notices)
    answered = ["The bot answered 'nothing'"] * len(seen[2:])  # if the person has left it the time
    assert seen == [*answered, "The bot crashed: RuntimeEr", "The bot is benched: after "]


class Ponders(Bot):
    """Thinks about its first move until it may go on."""

    thinks, goes_on = threading.Event(), threading.Event()

    def act(self, view: View) -> str:
        self.thinks.set()
        assert self.goes_on.wait(20)
        return default_of(view.moves)


def test_a_long_think_does_not_look_like_a_lost_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host hears of a bot while it thinks; what was told meanwhile is taken in afterwards."""
    monkeypatch.setattr("lanplay.net.traffic.PING", 0.1)
    monkeypatch.setattr("lanplay.net.traffic.MISSED", 1000)
    tables, notices = Tables("cambio", 2), list[str]()
    with tables.host, tables.peer("ponders", "bot") as bot, tables.peer("Ann", "person") as ann:
        with playing(Sitter(Ponders, bot, Random(1), notices.append)):
            assert Ponders.thinks.wait(20)
            asked, until = time.monotonic(), time.monotonic() + 20
            connections = tables.host.traffic.connections.values
            while min(one.heard for one in connections() if one.hello.kind == "bot") < asked + 1:
                assert time.monotonic() < until
                time.sleep(0.02)
            Ponders.goes_on.set()
            person(ann)
        assert notices == []


def test_a_table_that_ends_ends_the_bot() -> None:
    tables = Tables("cambio", 2)
    with (
        tables.host,
        tables.peer("memory", "bot") as bob,
        pytest.raises(HostGone),
        playing(Sitter(load("memory"), bob, Random(1))),
    ):
        tables.host.stop()


class Breaking(Sitter):
    """Loses its line in the middle of the game."""

    breaks = 0

    def answer(self) -> None:
        super().answer()
        if (self.follower.step or 0) >= 12 * (self.breaks + 1):
            self.breaks += 1
            self.peer.link.close()
            self.peer._dial()


def test_a_bot_keeps_its_memory_over_a_break() -> None:
    """What it saw before its line was cut it still knows: the host never tells it again."""
    tables = Tables("cambio", 2)
    with tables.host, tables.peer("Ann", "person") as ann, tables.peer("memory", "bot") as bob:
        sitter = Breaking(load("memory"), bob, Random(1))
        with playing(sitter):
            person(ann)
        assert sitter.breaks >= 2
    forgot_nothing(tables, sitter)


def test_bots_alone_at_a_table_outlive_breaks() -> None:
    tables = Tables("cambio52", 2)
    with tables.host, tables.peer("memory", "bot") as ann, tables.peer("memory", "bot") as bob:
        sitters = [Breaking(load("memory"), peer, Random(1)) for peer in (ann, bob)]
        with playing(sitters[0]), playing(sitters[1]):
            pass
    for sitter in sitters:
        assert sitter.breaks >= 2
        forgot_nothing(tables, sitter)


def forgot_nothing(tables: Tables, sitter: Sitter) -> None:
    """The bot remembers what it would without a break."""
    player, game = sitter.player, tables.room.game
    assert player
    assert game
    whole = Memory(player.memory.seat, game.zones)
    whole.take([masked(fact, whole.seat) for fact in game.log or []])
    assert lore(player.memory) == lore(whole)


def lore(memory: Memory) -> list[list[tuple[int, int, int] | None]]:
    return [[(one.card, one.seen, one.barred) if one else None for one in places] for places in memory.lay]


# ---- the honest deck ------------------------------------------------------------------------------


def two_bots(tables: Tables) -> tuple[list[Sitter], list[str]]:
    """A game of two bots, and what they complained of."""
    notices = list[str]()
    with tables.host, tables.peer("memory", "bot") as ann, tables.peer("memory", "bot") as bob:
        sitters = [Sitter(load("memory"), peer, Random(1), notices.append) for peer in (ann, bob)]
        with playing(sitters[0]), playing(sitters[1]):
            pass
    return sitters, notices


def test_bots_bring_their_secrets_and_hear_that_the_deal_is_proved() -> None:
    tables = Tables("cambio", 2, honest=True)
    sitters, notices = two_bots(tables)
    assert [sitter.verdict.proved for sitter in sitters if sitter.verdict] == [True, True]
    assert notices == []
    assert "\nsecret B " in "".join(tables.lines)


def test_bots_complain_of_a_deal_that_is_not_proved() -> None:
    tables = Tables("cambio", 2, honest=True)
    tables.room.deal, deal = (lambda secret, now: deal(b"stacked", now)), tables.room.deal  # type: ignore[method-assign]
    _, notices = two_bots(tables)
    assert len(notices) == 2
    assert all(notice.startswith("The deal is not proved: the record does not check: ") for notice in notices)


def test_bots_wait_no_longer_than_they_must_for_a_host_that_shows_nothing(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lanplay.bot.lan.PATIENCE", 0.2)
    tables = Tables("cambio", 2, honest=True)
    tables.room.show_record = lambda person: None  # type: ignore[method-assign]
    sitters, notices = two_bots(tables)
    assert [sitter.verdict for sitter in sitters] == [SILENT, SILENT]
    assert notices == [SILENT.line] * 2
