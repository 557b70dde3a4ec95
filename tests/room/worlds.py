"""Pairs of tables that differ only in cards that a peer may not know: it must be sent the same bytes, at the same times."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from typing import Any, NamedTuple

from cryptography.hazmat.primitives.asymmetric.x25519 import X25519PrivateKey
from msgspec import structs

from lanplay.engine.game import Game
from lanplay.engine.view import covered
from lanplay.engine.words import GONE, HIDDEN, SEATS, SPECTATOR, Seat
from lanplay.games import find, registry
from lanplay.net.connection import Connection
from lanplay.room.desk import Manners
from lanplay.room.room import Room
from lanplay.wire import messages as wire
from lanplay.wire.codec import encode, encode_secret
from lanplay.wire.seal import Sealer
from lanplay.wire.send import Send

GAMES = tuple(sorted(registry()))
RARE = {"cambio": 0.1, "snap": 0.3}
NONSENSE = (
    "dance",
    "swap 99",
    "snap 99",
    "give 1",
    "chaos P9",
    "meld M9 2c",
    "ask A 2c",
    "take",
    "discard",
    "pass",
)
PRIVATE = {side: X25519PrivateKey.from_private_bytes(bytes([side]) * 32) for side in (1, 2)}


class Frame(NamedTuple):
    """What was sent: all but the sealing, and how long it was when it was sealed."""

    clear: bytes
    secret: bytes
    length: int


class Differ(AssertionError):
    """A peer could tell apart what it may not know."""


class World:
    """One of the two tables, as the peer at `me` (SPECTATOR: one who looks on) is told of it."""

    def __init__(self, game: str, size: int, me: Seat, kind: str, setup: dict[str, Any]) -> None:
        rules = find(game)
        self.size, self.me, self.now, self.full_until = size, me, 100.0, 0.0
        self.lines: list[str] = []
        options = rules.defaults.read(setup["options"])
        self.room = Room(
            rules, options, size, table="worlds", seed=setup["seed"], ties=b"ties", journal=self.journal,
            manners=setup["manners"],
        )  # fmt: skip
        self.keys = [bytes([seat + 1]) * 32 for seat in range(size)]
        self.watcher = bytes([99]) * 32
        self.ids = 0
        self.connection = self.connected()
        self.room_takes(
            lambda: self.room.receive(self.watcher, self.hello("Eve", "watch", kind, None), self.now)
        )
        for seat, key in enumerate(self.keys):
            hello = self.hello(f"Player {SEATS[seat]}", "sit", kind, None)
            self.room_takes(lambda key=key, hello=hello: self.room.receive(key, hello, self.now))  # type: ignore[misc]

    def journal(self, text: str) -> None:
        if self.now < self.full_until:
            raise OSError("no space left")
        self.lines.append(text)

    @property
    def mine(self) -> bytes:
        return self.watcher if self.me == SPECTATOR else self.keys[self.me]

    @property
    def game(self) -> Game:
        assert self.room.game
        return self.room.game

    def connected(self) -> Connection:
        """With the same keys in both worlds."""
        sealer = Sealer("worlds", b"s" * 32, PRIVATE[1])
        sealer.meet(PRIVATE[2].public_key().public_bytes_raw())
        sealer.sit("worlds", "A")
        return Connection(b"route", wire.Hello(1, "x", "sit", "person", bytes(32)), sealer, None, 0.0)

    def hello(self, name: str, role: Any, kind: Any, since: int | None) -> wire.Hello:
        return wire.Hello(1, name, role, kind, bytes(32), since)

    def room_takes(self, what: Callable[[], Iterable[Send]]) -> list[Frame]:
        return [self.frame(send) for send in what() if send.peer == self.mine]

    def frame(self, send: Send) -> Frame:
        sealed = self.connection.frame(send)
        message = send.message
        if isinstance(message, wire.NUMBERED):
            message = structs.replace(message, n=self.connection.number)
        secret = encode_secret(send.secret) if send.secret else b""
        return Frame(encode(message), secret, len(sealed))

    def told(self, since: int) -> list[object]:
        """The facts after a step, as far as the eyes of `me` see them: what the rules tell it."""
        return [
            (*fact[:5], fact[5] if fact[6] >> self.me & 1 else None, fact[6])
            for fact in self.game.facts(since)
        ]

    def legal(self, seat: Seat) -> list[str]:
        return list(map(str, self.game.legal(seat)))


class Event(NamedTuple):
    """Something that happens in both worlds."""

    what: str
    seat: Seat = 0
    text: str = ""
    number: float = 0.0


def happens(world: World, event: Event) -> list[Frame]:
    """Let it happen, and give what the peer is sent."""
    room, now = world.room, world.now
    key = world.watcher if event.seat == SPECTATOR else world.keys[event.seat]
    if event.what == "time":
        world.now += event.number
        return world.room_takes(lambda: room.tick(world.now))
    if event.what == "lost":
        return world.room_takes(lambda: room.lost(key, now))
    if event.what == "disk":
        world.full_until = now + event.number
        return []
    if event.what == "measured":
        room.measured(key, event.number, event.number)
        return []
    message = said(world, event)
    return world.room_takes(lambda: room.receive(key, message, now))


def said(world: World, event: Event) -> wire.FromPeer:
    step = world.game.accepted
    if event.what == "act":
        world.ids += 1
        return wire.Act(world.ids.to_bytes(8, "big"), event.text, step, world.game.table.aim)
    if event.what == "back":
        since = None if event.number < 0.5 else max(0, step - 3)
        role = "watch" if event.seat == SPECTATOR else "sit"
        return world.hello("back", role, "person", since)
    if event.what == "catch-up":
        return wire.CatchUp(None if event.number < 0.5 else max(0, step - 3))
    if event.what == "decline":
        return wire.Decline(step)
    return wire.Chat("hello")


class Pair:
    """Two worlds, and the dice that say what happens in both. `counts` is how often what was compared."""

    def __init__(self, game: str, seed: int, counts: Counter[str] | None = None) -> None:
        rng = self.rng = random.Random(f"{game} {seed}")
        self.counts: Counter[str] = Counter() if counts is None else counts
        rules = find(game)
        size = rng.choice([n for n in rules.seats if n <= 5])
        me = rng.choice([*range(size), SPECTATOR])
        kind = rng.choice(["person", "person", "bot"])
        manners = Manners(turn_time=rng.choice([None, 20.0]), away=rng.choice(["wait", "skip"]), grace=5.0)
        options: dict[str, int] = {"max_turns": 40} if "max_turns" in rules.defaults.values() else {}
        setup = {"options": options, "manners": manners, "seed": rng.randbytes(4)}
        self.one, self.other = (World(game, size, me, kind, setup) for _ in range(2))
        self.me, self.mixed = me, False

    @property
    def worlds(self) -> tuple[World, World]:
        return self.one, self.other

    def run(self, before: int = 60, after: int = 25) -> None:
        """Play on in both worlds alike, mix what is hidden, and compare from there on. Raises Differ."""
        before = self.rng.randrange(before)
        while before > 0 or self.pending:
            if self.one.room.over:
                return
            self.both(self.event())
            before -= 1
        self.counts["pairs"] += 1
        self.mix()
        self.mixed = True
        for _ in range(after):
            if self.one.room.over or not self.possible or not self.both(self.event()):
                break

    @property
    def pending(self) -> bool:
        """Something was judged by the cards as they are, and is still to be done."""
        room = self.one.room
        return bool(
            room.ledger.stuck
            or (room.desk and (room.desk.held or room.desk.race or room.desk.progress.answers))
        )

    @property
    def possible(self) -> bool:
        """The mixed cards are a world that could be: whoever is asked can answer."""
        return all(self.other.legal(seat) for seat in self.other.game.must_act)

    def mix(self) -> None:
        """Some of the cards that this peer may not know change places."""
        game, rng = self.other.game, self.rng
        view, lay = game.view(self.me), game.table.lay
        places = [
            (zone, place)
            for zone, cards in enumerate(lay)
            for place, card in enumerate(cards)
            if card != GONE and view.lay[zone][place] == HIDDEN
        ]
        places = rng.sample(places, min(len(places), rng.choice([2, 4, 8, 200])))
        cards = [lay[zone][place] for zone, place in places]
        rng.shuffle(cards)
        for (zone, place), card in zip(places, cards, strict=True):
            lay[zone][place] = card
        game.table.recount()
        game.offered.clear()
        view.fold.lie(
            cards if seen else covered(cards) for seen, cards in zip(view.fold.seen, lay, strict=True)
        )

    # ---- what happens ---------------------------------------------------------------------------------

    def event(self) -> Event:
        rng, dice, size = self.rng, self.rng.random(), self.one.size
        seat = rng.choice([*range(size), self.me])
        if dice < 0.55:
            return self.act() or Event("time", number=0.05)
        if dice < 0.72:
            wake = self.one.room.wake
            due = 0.0 if wake is None else max(0.0, wake - self.one.now)
            return Event("time", number=due if rng.random() < 0.6 else rng.choice([0.01, 0.1, 1.5]))
        if dice < 0.80:
            return Event("act", seat % SPECTATOR, self.nonsense(seat % SPECTATOR))
        if dice < 0.81:
            return Event("disk", number=1.5)
        what = rng.choice(["decline", "decline", "lost", "back", "back", "catch-up", "chat", "measured"])
        return Event(what, seat, number=rng.random() * (0.08 if what == "measured" else 1))

    def act(self) -> Event | None:
        """A move that is legal in both worlds, mostly of a seat that the game waits for."""
        rng, game = self.rng, self.one.game
        seat = (
            rng.choice(game.must_act)
            if game.must_act and rng.random() < 0.7
            else rng.randrange(self.one.size)
        )
        moves = sorted(set(self.one.legal(seat)) & set(self.other.legal(seat)))
        kept = [move for move in moves if rng.random() < RARE.get(move.split()[0], 1)]
        return Event("act", seat, rng.choice(kept)) if kept else None

    def nonsense(self, seat: Seat) -> str:
        """A move that is legal in neither world."""
        legal = {*self.one.legal(seat), *self.other.legal(seat)} if seat < self.one.size else set()
        return self.rng.choice([text for text in NONSENSE if text not in legal] or ["dance"])

    # ---- what must be the same ------------------------------------------------------------------------

    def both(self, event: Event) -> bool:
        """Let it happen in both; False if the rules have told the peer a difference by now.

        That only one of the tables goes on tells nothing but whether a claim was right, which all hear at once anyway.
        """
        if event.seat == SPECTATOR and event.what == "act":
            event = event._replace(what="chat")
        before = self.one.game.accepted
        frames = [happens(world, event) for world in self.worlds]
        if self.one.game.accepted != self.other.game.accepted and not event.text.startswith("snap"):
            raise Differ(f"after {event}: one table is at step {self.one.game.accepted}, the other is not")
        if self.one.told(before) != self.other.told(before):
            self.counts["told"] += 1
            return False
        self.compare(event, *frames)
        return True

    def compare(self, event: Event, mine: Sequence[Frame], theirs: Sequence[Frame]) -> None:
        if self.mixed:
            self.count(event, mine)
        if mine != theirs:
            raise Differ(f"after {event}: {different(mine, theirs)}")
        if self.one.room.wake != self.other.room.wake:
            raise Differ(f"after {event}: wakes at {self.one.room.wake} and {self.other.room.wake}")

    def count(self, event: Event, mine: Sequence[Frame]) -> None:
        self.counts[event.what] += 1
        self.counts["frames"] += len(mine)
        self.counts["held"] += self.one.room.desk is not None and self.one.room.desk.held is not None
        self.counts["races"] += self.one.room.desk is not None and self.one.room.desk.race is not None


def different(mine: Sequence[Frame], theirs: Sequence[Frame]) -> str:
    for one, other in zip(mine, theirs, strict=False):
        if one != other:
            return f"{one} and {other}"
    return f"{len(mine)} frames and {len(theirs)}"
