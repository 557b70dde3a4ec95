"""The host without I/O: what peers say comes in, what they are to be told goes out. Time is an argument."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Literal

from msgspec import structs

from lanplay.engine.game import Game, Rules
from lanplay.engine.options import Options
from lanplay.engine.shuffle import seeded as seeded_shuffles
from lanplay.engine.words import SEATS, SPECTATOR, Move, Refusal, Seat
from lanplay.record import write
from lanplay.room import telling
from lanplay.room.clock import Clock
from lanplay.room.pace import Lockstep
from lanplay.room.people import People, Person
from lanplay.wire.messages import (
    VERSION,
    Accepted,
    Act,
    CatchUp,
    Closed,
    Decline,
    FromHost,
    FromPeer,
    Hello,
    HostPong,
    Leave,
    Ping,
    Refused,
    Seats,
    Welcome,
)
from lanplay.wire.send import Send

FAR_BEHIND = 256  # steps; who missed more gets the position in place of the story
RETRY = 1.0  # seconds until a journal that could not be written is tried again
Event = Mapping[str, Any]


class Room:
    """Seats, lobby, options, clock and record around a game.

    `receive`, `lost` and `tick` take what happened and the time (seconds, any origin, never backwards) and return
    what is to be sent. `wake` is when tick is wanted next. `journal` gets each text of the record before anything about
    it is sent; if it raises OSError the game stands still until it can be written. `on_event` hears, for the host's
    own screen, what a spectator may know.

    `seed` decides the deals, `ties` the draws between bots that claim at once (see Lockstep); `start` is `full` to begin
    when all seats are taken, or `word` to wait for `start()`. `away` is what happens when the seat of somebody who has
    been away for `grace` seconds is asked: `wait` for ever, or `skip` with the default move.
    """

    def __init__(
        self,
        rules: Rules,
        options: Options,
        size: int,
        *,
        table: str,
        seed: bytes,
        ties: bytes,
        seeded: bool = False,
        journal: Callable[[str], None],
        start: Literal["full", "word"] = "full",
        turn_time: float | None = None,
        away: Literal["wait", "skip"] = "wait",
        grace: float = 60.0,
        on_event: Callable[[Event], None] = lambda event: None,
    ) -> None:
        self.rules, self.options, self.table = rules, options, table
        self.seed, self.ties, self.seeded = seed, ties, seeded
        self.journal, self.on_event = journal, on_event
        self.when, self.away, self.grace = start, away, grace
        self.people = People(size)
        self.clock = Clock(turn_time)
        self.game: Game | None = None
        self.began = 0.0
        self.lockstep: Lockstep | None = None  # only bots sit here
        self.answers: dict[Seat, str | None] = {}  # to the questions of the lockstep
        self.prompted: dict[Seat, tuple[object, int]] = {}  # what a seat may do, and the step since which
        self.unwritten = ""  # of the record; nothing goes on until it is written
        self.retry: float | None = None
        self.out: list[Send] = []

    @property
    def over(self) -> bool:
        return self.game is not None and self.game.over

    # ---- what comes in --------------------------------------------------------------------------------

    def receive(self, peer: bytes, message: FromPeer, now: float) -> list[Send]:
        """A message of the peer with this key."""
        person = self.people.by_key.get(peer)
        if isinstance(message, Hello):
            self.hello(peer, message, now)
        elif person is None:
            self.send(peer, Closed("protocol", "Say hello first."))
        elif isinstance(message, Act):
            self.act(person, message, now)
        elif isinstance(message, Decline):
            self.decline(person, message, now)
        elif isinstance(message, CatchUp):
            self.catch_up(person, message.since, now)
        elif isinstance(message, Ping):
            self.send(peer, HostPong())
        elif isinstance(message, Leave):
            self.gone(person, now)
        return self.sent()

    def lost(self, peer: bytes, now: float) -> list[Send]:
        """The connection of this peer is gone or silent."""
        person = self.people.by_key.get(peer)
        if person:
            self.gone(person, now)
        return self.sent()

    def tick(self, now: float) -> list[Send]:
        """Time has passed: default moves that are due, a journal to be tried again."""
        if self.retry is not None and now >= self.retry:
            self.write("", now)
        if self.game and not self.unwritten:
            for seat in self.late(now):
                if seat in self.game.must_act or seat in self.unanswered():
                    self.default(seat, now)
            self.on_with_lockstep(now)
        return self.sent()

    @property
    def wake(self) -> float | None:
        """When tick is wanted next, or None."""
        times = [] if self.retry is None else [self.retry]
        if self.game and not self.game.over and not self.unwritten:
            limit = self.clock.limit(self.game)
            if limit is not None:
                times += [since + limit for _, since in self.clock.asked.values()]
            if self.away == "skip":
                times += [
                    person.away_since + self.grace
                    for seat, person in self.people.seated().items()
                    if not person.here and (seat in self.game.must_act or seat in self.unanswered())
                ]
        return min(times, default=None)

    def sent(self) -> list[Send]:
        out, self.out = self.out, []
        return out

    # ---- the host's own word --------------------------------------------------------------------------

    def start(self, now: float) -> list[Send]:
        """Begin with those who sit here. Raises ValueError, with a sentence, if they are too few."""
        if self.game:
            raise ValueError("The game has begun already.")
        seated = self.people.seated()
        if len(seated) not in self.rules.seats:
            raise ValueError(
                f"{self.rules.title} needs {self.rules.seats[0]} to {self.rules.seats[-1]} players; {len(seated)} sit here."
            )
        for seat, person in enumerate(seated.values()):
            person.seat = seat
        self.begin(now)
        return self.sent()

    def kick(self, seat: Seat, now: float) -> list[Send]:
        """Remove whoever sits there. Raises ValueError if nobody does."""
        person = self.people.seated().get(seat)
        if not person:
            raise ValueError(f"Nobody sits at {SEATS[seat]}.")
        self.send(person.key, Closed("removed", "The host has removed you from the table."))
        self.gone(person, now)
        return self.sent()

    # ---- coming and going -----------------------------------------------------------------------------

    def hello(self, peer: bytes, hello: Hello, now: float) -> None:
        if hello.version != VERSION:
            why = f"This table speaks version {VERSION} of the protocol, your lanplay version {hello.version}."
            return self.send(peer, Closed("version", f"{why} Install the same lanplay on both machines."))
        person = self.people.by_key.get(peer) or self.newcomer(peer, hello)
        if person is None:
            return None
        person.here = True
        person.knows = -1 if hello.since is None else hello.since
        self.welcome(person)
        self.tell_seats()
        if self.game:
            self.catch_up(person, hello.since, now)
        elif self.when == "full" and self.people.free_seat() is None:
            self.start_when_written(now)
        return None

    def start_when_written(self, now: float) -> None:
        if not self.unwritten:
            self.begin(now)

    def newcomer(self, peer: bytes, hello: Hello) -> Person | None:
        """A peer that was not here before, with a seat if it wants one; None if it can't stay."""
        person = Person(peer, self.people.unique(hello.name), hello.kind)
        if hello.role == "sit":
            seat = self.people.free_seat()
            if self.game or seat is None:
                code: Literal["started", "full"] = "started" if self.game else "full"
                why = "The game has begun" if self.game else "All seats are taken"
                self.send(peer, Closed(code, f"{why}. You can look on: lanplay join --watch"))
                return None
            person.seat = seat
        self.people.by_key[peer] = person
        self.tell_event("joined", person)
        return person

    def welcome(self, person: Person) -> None:
        values = self.options.values()
        seat = SEATS[person.seat] if person.seated else None
        name, size = self.rules.name, self.people.size
        self.send(
            person.key, Welcome(VERSION, self.table, name, values, size, seat, bytes(32), self.seeded)
        )

    def gone(self, person: Person, now: float) -> None:
        """Away: the seat is kept once the game has begun."""
        if not person.here:
            return
        person.here, person.away_since = False, now
        if not person.seated or not self.game:
            del self.people.by_key[person.key]
        self.tell_event("left", person)
        self.tell_seats()
        self.on_with_lockstep(now)

    def catch_up(self, person: Person, since: int | None, now: float) -> None:
        """All that came after step `since`; or the position, if that is unknown or too long ago."""
        if not self.game:
            return
        self.send(person.key, telling.start(self.game.zones, "lockstep" if self.lockstep else "clock"))
        if since is None or not 0 <= self.game.accepted - since <= FAR_BEHIND:
            self.tell_position(person, now)
        else:
            person.knows = since
            person.rounds = self.rounds_at(since)
            self.tell(person, now)

    def rounds_at(self, step: int) -> int:
        """How many rounds had ended at this step."""
        return self.game.rounds_at(step) if self.game else 0

    # ---- moves ------------------------------------------------------------------------------------

    def act(self, person: Person, act: Act, now: float) -> None:
        answer = person.answers.get(act.id)
        if answer is None:
            refusal = self.play(person, act, now)
            answer = (
                Refused(act.id, refusal.code, refusal.clause, refusal.sentence, refusal.move or act.move)
                if refusal
                else Accepted(act.id, self.game.accepted if self.game else 0)
            )
            person.remember(answer)
        self.out.insert(0, Send(person.key, answer))
        self.on_with_lockstep(now)

    def play(self, person: Person, act: Act, now: float) -> Refusal | None:
        """Do the move, or say why not."""
        game = self.game
        if not person.seated or not game:
            why = "The game has not begun." if person.seated else "You are looking on."
            return Refusal("not-your-turn", why, None, act.move)
        if self.unwritten:
            return Refusal("paused", "The host can't write the record just now; try again.", None, act.move)
        try:
            move = game.read(act.move)
            refusal = self.too_late(person.seat, move, act) or game.refusal(person.seat, move)
        except Refusal as unreadable:
            refusal = unreadable
        if refusal:
            return refusal
        if self.lockstep:
            return self.answer(person.seat, str(move))
        self.do(person.seat, str(move), now)
        return None

    def too_late(self, seat: Seat, move: Move, act: Act) -> Refusal | None:
        """The move answers a position that is no longer there."""  # C6.10
        assert self.game
        table = self.game.table
        verb = move.split(maxsplit=1)[0]
        if verb in table.aimed and act.aim != table.aim:
            return Refusal("late", f"Too late for {move}: the pile has changed.", None, str(move))
        if verb not in table.out_of_turn and act.step < self.prompted.get(seat, (None, 0))[1]:
            return Refusal("late", f"The table changed before {move} came: look again.", None, str(move))
        return None

    def do(self, seat: Seat, text: str, now: float) -> None:
        """Play a legal move, write it down, tell everybody."""
        assert self.game
        rounds = len(self.game.rounds)
        move = self.game.play(seat, text)
        self.answers.clear()
        self.clock.look(self.game, now, acted=seat)
        self.prompt()
        self.write(write.action(self.game, seat, move, round(now - self.began, 3)), now)
        self.tell_move(seat, rounds)

    def default(self, seat: Seat, now: float) -> None:
        """The move that is made for who is absent or late."""
        assert self.game
        if self.lockstep:
            asked = self.lockstep.questions().get(seat)
            self.answers[seat] = str(self.game.table.default(seat)) if asked == "act" else None
        elif seat in self.game.must_act:
            self.do(seat, str(self.game.table.default(seat)), now)

    def late(self, now: float) -> list[Seat]:
        """The seats for which the default move is to be made."""
        assert self.game
        absent = [
            seat
            for seat, person in self.people.seated().items()
            if self.away == "skip" and not person.here and now >= person.away_since + self.grace
        ]
        return sorted({*absent, *self.clock.due(self.game, now)})

    # ---- a table of bots --------------------------------------------------------------------------

    def unanswered(self) -> dict[Seat, Literal["act", "react"]]:
        """The questions of the lockstep that are open."""
        asked = self.lockstep.questions() if self.lockstep else {}
        return {seat: question for seat, question in asked.items() if seat not in self.answers}

    def answer(self, seat: Seat, move: str | None) -> Refusal | None:
        asked = self.unanswered().get(seat)
        out_of_turn = move is None or move.split(maxsplit=1)[0] in self.game.table.out_of_turn  # type: ignore[union-attr]
        if asked is None or (asked == "react") > out_of_turn:
            return Refusal("not-your-turn", "Another seat is asked just now.", None, move or "")
        self.answers[seat] = move
        return None

    def decline(self, person: Person, decline: Decline, now: float) -> None:
        if self.lockstep and self.game and decline.step == self.game.accepted:
            if self.unanswered().get(person.seat) == "react":
                self.answers[person.seat] = None
            self.on_with_lockstep(now)

    def on_with_lockstep(self, now: float) -> None:
        """When all who were asked have answered: play it, and ask on."""
        while self.lockstep and self.game and not self.game.over and not self.unwritten and not self.unanswered():
            answers, self.answers = self.answers, {}
            for seat, move in self.lockstep.settle(answers):
                if move in self.game.legal(seat):
                    self.do(seat, move, now)
        self.tell_all(now)

    # ---- the record -------------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        self.people.size = len(self.people.seated())
        self.game = Game(self.rules, self.people.size, self.options, seeded_shuffles(self.seed))
        if all(person.kind == "bot" for person in self.people.seated().values()):
            self.lockstep = Lockstep(self.game, self.ties)
        self.began = now
        self.clock.look(self.game, now)
        self.prompt()
        self.write(write.header(self.game, self.people.names()), now)
        pace: telling.Pace = "lockstep" if self.lockstep else "clock"
        self.on_event({"event": "started", "seats": {SEATS[n]: name for n, name in self.people.names().items()}})
        for person in self.people.by_key.values():
            self.send(person.key, telling.start(self.game.zones, pace))
        self.tell_seats()
        self.tell_all(now)

    def write(self, text: str, now: float) -> None:
        """Append to the record; what can't be written holds up everything until it can."""
        self.unwritten += text
        try:
            self.journal(self.unwritten)
        except OSError as error:
            self.retry = now + RETRY
            self.on_event({"event": "paused", "why": str(error)})
            return
        if self.retry is not None:
            self.on_event({"event": "resumed"})
        self.unwritten, self.retry = "", None
        self.tell_all(now)

    def prompt(self) -> None:
        """Note since which step each seat has had the choices that it has."""
        assert self.game
        for seat in range(self.game.seats):
            choices = (self.game.table.ask, self.game.legal(seat))
            if self.prompted.get(seat, (None, 0))[0] != choices:
                self.prompted[seat] = (choices, self.game.accepted)

    # ---- what goes out ----------------------------------------------------------------------------

    def send(self, peer: bytes, message: FromHost) -> None:
        self.out.append(Send(peer, message))

    def tell_seats(self) -> None:
        seats = Seats(0, self.people.sitting(), self.people.watching(), self.game is not None)
        for person in self.people.by_key.values():
            if person.here:
                self.send(person.key, seats)

    def asks(self, seat: Seat) -> telling.Asks | None:
        """What is wanted of a seat."""
        game = self.game
        if seat == SPECTATOR or not game or game.over:
            return None
        if self.lockstep:
            return self.unanswered().get(seat)
        if seat in game.must_act:
            return "act"
        return "may" if game.table.anytime(seat) else None

    def tell_all(self, now: float) -> None:
        """Everybody hears what they have not heard; but nothing that is not written."""
        if self.game and not self.unwritten:
            for person in self.people.by_key.values():
                if person.here:
                    self.tell(person, now)

    def tell(self, person: Person, now: float) -> None: ...

    def tell_position(self, person: Person, now: float) -> None: ...

    def tell_event(self, kind: str, person: Person) -> None: ...

    def tell_move(self, seat: Seat, rounds: int) -> None: ...


__all__ = ["Room", "structs"]
