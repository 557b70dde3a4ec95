"""Random and half-valid messages of random peers in random order against a room, and what must hold whatever they say."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lanplay.engine.game import Game
from lanplay.engine.words import SEATS, SPECTATOR
from lanplay.games import find, registry
from lanplay.record.proof import Pledge, commitment
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room.desk import Manners
from lanplay.room.people import REMEMBERED, Person
from lanplay.room.room import Room
from lanplay.wire import messages as wire
from lanplay.wire.codec import ProtocolError, decode_from_peer, encode, encode_secret
from lanplay.wire.send import Send

GAMES = tuple(sorted(registry()))
SIGNER = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
TABLE = "5ca1ab1e"
WORDS = (
    "draw", "take", "discard", "discard 7c", "swap 1", "swap 9", "pass", "cambio", "snap 1", "snap A2", "give 1",
    "peek 1 2", "switch A1 B1", "ask B 7", "meld 2c 3c 4c", "chaos P1", "dance", "\x1b[2J", "  ", "ß \u202e", "?" * 400,
)  # fmt: skip
Place = tuple[bytes, bytes]  # a peer and the id of a move
Picture = tuple[int, int, list[list[int]]]


class Fault(AssertionError):
    """Something happened that must not, whatever peers say."""


class Fuzz:
    """One table, from the lobby to its end. `counts` is what became of the frames."""

    def __init__(self, game: str, seed: int, counts: Counter[str] | None = None) -> None:
        self.rng = random.Random(f"{game} {seed}")
        self.counts: Counter[str] = Counter() if counts is None else counts
        self.lines: list[str] = []
        self.full_until = 0.0  # the disk
        self.now = 50.0
        self.rules = find(game)
        self.size = self.rng.choice([n for n in self.rules.seats if n <= 4])
        self.room = self.table()
        self.keys = [bytes([n]) * 32 for n in range(self.size + 5)]  # more than there are seats
        self.kinds = self.rng.choice([["person"], ["bot"], ["person", "bot"]])
        self.ids = [self.rng.randbytes(8) for _ in range(6)]
        self.open: set[Place] = set()  # moves that were not answered yet
        self.known: dict[Place, wire.FromHost] = {}
        self.persons: dict[bytes, Person | None] = {}
        self.secrets: dict[bytes, bytes] = {}

    def table(self) -> Room:
        rng, options = self.rng, self.rules.defaults
        short: dict[str, int | str] = {
            name: 1 for name in ("rounds", "max_rounds") if name in options.values()
        }
        if "max_turns" in options.values():
            short["max_turns"] = rng.choice([5, 30])
        manners = Manners(
            turn_time=rng.choice([2.0, 15.0]),
            away=rng.choice(["wait", "skip", "bot"]),
            grace=rng.choice([0.0, 5.0]),
            snap_credit=rng.choice([0.0, 0.06]),
            bot_delay=rng.choice([0.0, 0.25]),
            stand_in=lambda game, seat: str(rng.choice(game.legal(seat))) if rng.random() < 0.8 else "dance",
        )
        pledge = Pledge(TABLE, bytes(32), SIGNER) if rng.random() < 0.5 else None
        return Room(
            self.rules, options.read(short), self.size, table="fuzz", seed=rng.randbytes(4), ties=b"ties",
            pledge=pledge, journal=self.journal, start=rng.choice(["full", "word"]), manners=manners,
        )  # fmt: skip

    def journal(self, text: str) -> None:
        if self.now < self.full_until:
            raise OSError("no space left")
        self.lines.append(text)

    # ---- what happens ---------------------------------------------------------------------------------

    def run(self, frames: int) -> None:
        """So many frames, and then silence until the game is over; raises Fault."""
        for _ in range(frames):
            if self.room.over and self.rng.random() < 0.05:
                break
            self.frame()
        self.full_until = 0.0
        self.begin()
        self.silence()
        self.check_end()

    def frame(self) -> None:
        rng, dice = self.rng, self.rng.random()
        self.now += rng.choice([0.0, 0.001, 0.02, 0.1]) if dice > 0.02 else rng.choice([1.0, 7.0])
        if dice < 0.002:
            self.full_until = self.now + 2.0
        if self.room.wake is not None and self.room.wake <= self.now:
            self.hear(None, self.room.tick)
        if dice > 0.99:
            return self.mishap()
        key = self.speaker()
        self.counts["frames"] += 1
        message = self.through_the_codec(self.message(key))
        if message is not None:
            self.say(key, message)
        return None

    def speaker(self) -> bytes:
        """Anybody; often somebody the game waits for."""
        asked = self.room.game.must_act if self.room.game else ()
        waited = [key for key, person in self.room.people.by_key.items() if person.seat in asked]
        return self.rng.choice(waited if waited and self.rng.random() < 0.4 else self.keys)

    def mishap(self) -> None:
        rng, key = self.rng, self.rng.choice(self.keys)
        what = rng.randrange(5)
        if what < 2:
            self.hear(None, lambda now: self.room.lost(key, now))
        elif what < 4:
            self.room.measured(key, rng.choice([0.0, 0.01, 3.0]), rng.choice([None, 0.0, 0.02, 9.0]))
        elif rng.random() < 0.1 and self.room.people.seated:
            seat = rng.choice(list(self.room.people.seated))
            self.hear(None, lambda now: self.room.kick(seat, now))
        if not self.room.begun and rng.random() < 0.5:
            self.begin()

    def begin(self) -> None:
        """The host's word, when enough sit here; who is missing comes."""
        for n in range(self.size):
            if not self.room.begun and len(self.room.people.seated) < self.size:
                fresh = bytes([200 + n]) * 32
                self.say(fresh, wire.Hello(1, f"Late {n}", "sit", "person", bytes(32)))
        if not self.room.begun:
            self.hear(None, self.room.start)

    def silence(self) -> None:
        """Nobody says anything any more; whoever is waited for is not waited for without end."""
        for _ in range(20_000):
            wake = self.room.wake
            if self.room.over and wake is None:
                return
            if wake is None:
                raise Fault(f"it stands still at {self.game.table.ask if self.room.game else 'the start'}")
            self.now = max(self.now, wake)
            self.hear(None, self.room.tick)
        raise Fault("it does not end")

    # ---- what is said ---------------------------------------------------------------------------------

    def message(self, key: bytes) -> wire.FromPeer:
        rng = self.rng
        kinds: list[tuple[int, Callable[[bytes], wire.FromPeer]]] = [
            (60, self.act), (6, self.hello), (6, lambda _: wire.Decline(self.step())),
            (4, lambda _: wire.CatchUp(rng.choice([None, self.step()]))), (3, self.share),
            (3, lambda _: wire.Chat(rng.choice(WORDS))), (1, lambda _: wire.Ping()), (1, lambda _: wire.Pong()),
            (1, lambda _: wire.Leave()),
        ]  # fmt: skip
        weights = [weight for weight, _ in kinds]
        return rng.choices([make for _, make in kinds], weights)[0](key)

    def through_the_codec(self, message: wire.FromPeer) -> wire.FromPeer | None:
        """As it comes over the wire, sometimes damaged on the way."""
        data = bytearray(encode(message))
        if self.rng.random() < 0.1:
            for _ in range(self.rng.randrange(1, 4)):
                data[self.rng.randrange(len(data))] = self.rng.randrange(256)
        try:
            return decode_from_peer(bytes(data))
        except ProtocolError:
            self.counts["unreadable"] += 1
            return None

    def step(self) -> int:
        """The right one, mostly."""
        now, rng = self.room.game.accepted if self.room.game else 0, self.rng
        return now if rng.random() < 0.8 else rng.choice([max(0, now - 1), 0, now + 1, 2**53])

    def hello(self, key: bytes) -> wire.FromPeer:
        rng = self.rng
        role: Any = "sit" if rng.random() < 0.7 else "watch"
        kind: Any = rng.choice(self.kinds)
        since = None if rng.random() < 0.5 else self.step()
        version = 1 if rng.random() < 0.95 else 2
        return wire.Hello(
            version, rng.choice(["Ann", "ann", "\x1b#", "B" * 24]), role, kind, bytes(32), since
        )

    def act(self, key: bytes) -> wire.FromPeer:
        """A legal move of this seat or another, or none; under a new id, an old one, or somebody else's."""
        rng, game = self.rng, self.room.game
        person = self.room.people.by_key.get(key)
        seat = person.seat if person and person.seated and rng.random() < 0.9 else 0
        legal = game.legal(seat) if game and not game.over and seat < game.seats else ()
        move = str(rng.choice(legal)) if legal and rng.random() < 0.85 else rng.choice(WORDS)
        aim = game.table.aim if game and rng.random() < 0.9 else rng.choice([0, 5, 2**40])
        id_ = rng.randbytes(8) if rng.random() < 0.9 else rng.choice(self.ids)
        return wire.Act(id_, move, self.step(), aim)

    def share(self, key: bytes) -> wire.FromPeer:
        person = self.room.people.by_key.get(key)
        secret = self.secrets.setdefault(key, self.rng.randbytes(32))
        if self.rng.random() < 0.5:
            return wire.Reveal(secret if self.rng.random() < 0.9 else bytes(32))
        return wire.Commit(commitment(TABLE, (person.letter if person else None) or "A", secret))

    # ---- what must hold -------------------------------------------------------------------------------

    @property
    def game(self) -> Game:
        assert self.room.game
        return self.room.game

    def say(self, key: bytes, message: wire.FromPeer) -> None:
        person = self.room.people.by_key.get(key)
        if person is not self.persons.get(
            key
        ):  # gone and forgotten; who comes under this key now is somebody else
            self.persons[key] = person
            self.known = {place: answer for place, answer in self.known.items() if place[0] != key}
            self.open = {place for place in self.open if place[0] != key}
        act = message if isinstance(message, wire.Act) and person and not person.removed else None
        if act and person and act.id not in person.answers:
            forgotten = self.known.pop((key, act.id), None)
            if forgotten and len(person.answers) < REMEMBERED:
                raise Fault("an answer was forgotten")
            self.open.add((key, act.id))
        self.hear((key, act.id) if act else None, lambda now: self.room.receive(key, message, now))

    def hear(self, said: Place | None, what: Callable[[float], Iterable[Send]]) -> None:
        """Let it happen, and take what is sent; only moves may have changed anything."""
        before = self.picture()
        for send in what(self.now):
            encode(send.message)
            if send.secret is not None and len(encode_secret(send.secret)) > send.pad:
                raise Fault("a secret is longer than its padding")
            if isinstance(send.message, wire.Accepted | wire.Refused):
                self.answer(said, send.peer, send.message)
        after = self.picture()
        if before and after and before[0] == after[0] and before != after:
            raise Fault("something changed without a move")

    def answer(self, said: Place | None, peer: bytes, answer: wire.Accepted | wire.Refused) -> None:
        place = (peer, answer.id)
        if place in self.open:
            self.open.remove(place)
            self.known[place] = answer
            self.counts["accepted" if isinstance(answer, wire.Accepted) else "refused"] += 1
        elif place != said or self.known.get(place) != answer:
            raise Fault(f"a second answer: {answer}, after {self.known.get(place)}")
        else:
            self.counts["repeated"] += 1

    def picture(self) -> Picture | None:
        game = self.room.game
        return (game.accepted, len(game.log or []), [zone[:] for zone in game.table.lay]) if game else None

    def check_end(self) -> None:
        """The record is the game, every move was answered, and who looks on knows nothing."""
        left = {place for place in self.open if self.waits(place[0])}
        if left:
            raise Fault(f"{len(left)} moves were never answered")
        text = "".join(self.lines)
        replay = Replay(read(text))
        for _ in replay.play():
            pass
        names = self.room.people.names()
        if replay.object() != self.game.object(names):
            raise Fault("the record is another game")
        moves = sum(line[:1] in SEATS and line[1:2] == " " for line in text.splitlines())
        if moves != self.game.accepted:
            raise Fault("the record has other moves")
        if self.game.legal(0) or any(
            self.room.people.by_key[key].seat > SPECTATOR for key in self.room.people.by_key
        ):
            raise Fault("it is not over")

    def waits(self, key: bytes) -> bool:
        person = self.room.people.by_key.get(key)
        return person is not None and not person.removed
