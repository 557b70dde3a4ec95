"""The host without I/O: what peers say comes in, what they are to be told goes out. Time is an argument."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Literal

from lanplay.engine.game import Game, Rules
from lanplay.engine.options import Options
from lanplay.engine.shuffle import seeded as seeded_shuffles
from lanplay.engine.words import SEATS, Move, Refusal, Seat
from lanplay.record import write
from lanplay.room import telling
from lanplay.room.people import People, Person
from lanplay.room.progress import Progress
from lanplay.wire import messages as wire
from lanplay.wire.send import Send

FAR_BEHIND = 256  # steps; who missed more gets the position in place of the story
RETRY = 1.0  # seconds until a journal that could not be written is tried again
Event = Mapping[str, Any]


class Room:
    """Seats, lobby, options, clock and record around a game.

    `receive`, `lost` and `tick` take what happened and the time (seconds from any origin, never backwards) and give
    what is to be sent, to who moved first. It is made while it is taken: take all of it. `wake` is when tick is wanted
    next. `journal` gets each text of the record before anything about it is sent; if it raises OSError, the game stands
    still until it can be written. `on_event` hears, for the host's own screen, no more than a spectator may know.

    `seed` decides the deals, `ties` the draws between bots that claim at once (see Lockstep). `start` is `full` to
    begin when all seats are taken, or `word` to wait for `start()`. `away` is what happens when somebody is asked who
    has been away for `grace` seconds: `wait` for ever, or `skip` with the default move.
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
        self.begins, self.turn_time, self.away, self.grace = start, turn_time, away, grace
        self.people = People(size)
        self.progress: Progress | None = None  # None: still in the lobby
        self.unwritten = ""  # of the record; nothing goes on until it is written
        self.retry: float | None = None
        self.owed: list[tuple[Person, bytes]] = []  # whose moves are done and still to be answered
        self.mover: Person | None = None  # whose move it was that is to be told
        self.out: list[Send] = []

    @property
    def game(self) -> Game | None:
        return self.progress.game if self.progress else None

    @property
    def over(self) -> bool:
        return self.progress is not None and self.progress.game.over

    # ---- what comes in --------------------------------------------------------------------------------

    def receive(self, peer: bytes, message: wire.FromPeer, now: float) -> Iterator[Send]:
        """A message of the peer with this key."""
        person = self.people.by_key.get(peer)
        if isinstance(message, wire.Hello):
            self.hello(peer, message, now)
        elif person is None:
            self.send(peer, wire.Closed("protocol", "Say hello first."))
        elif isinstance(message, wire.Act):
            self.act(person, message, now)
        elif isinstance(message, wire.Decline):
            self.decline(person, message, now)
        elif isinstance(message, wire.CatchUp):
            self.catch_up(person, message.since, now)
        elif isinstance(message, wire.Ping):
            self.send(peer, wire.HostPong())
        elif isinstance(message, wire.Leave):
            self.gone(person, now)
        return self.sent(now)

    def lost(self, peer: bytes, now: float) -> Iterator[Send]:
        """The connection of this peer is gone or silent."""
        person = self.people.by_key.get(peer)
        if person:
            self.gone(person, now)
        return self.sent(now)

    def tick(self, now: float) -> Iterator[Send]:
        """Time has passed: default moves that are due, a journal to be tried again."""
        if self.retry is not None and now >= self.retry:
            self.write("", now)
        if self.progress and not self.unwritten:
            for seat, due in self.due_at().items():
                if now >= due and self.progress.waits_for(seat):
                    self.default(seat, now)
            self.go_on(now)
        return self.sent(now)

    @property
    def wake(self) -> float | None:
        """When tick is wanted next, or None."""
        if self.retry is not None:
            return self.retry
        return min(self.due_at().values(), default=None)

    def sent(self, now: float) -> Iterator[Send]:
        """What waits to be sent; then everybody hears what they have not heard, if it is written."""
        yield from self.drained()
        stories: dict[int, telling.Story] = {}
        mover, self.mover = self.mover, None
        for person in [mover, *self.people.by_key.values()] if mover else list(self.people.by_key.values()):
            if self.progress and person.here and not self.unwritten:
                self.tell(person, now, stories)
                yield from self.drained()

    def drained(self) -> list[Send]:
        out, self.out = self.out, []
        return out

    # ---- the host's own word --------------------------------------------------------------------------

    def start(self, now: float) -> Iterator[Send]:
        """Begin with those who sit here. Raises ValueError, with a sentence, if that can't be."""
        seated = self.people.seated()
        if self.progress:
            raise ValueError("The game has begun already.")
        if len(seated) not in self.rules.seats:
            few, many = self.rules.seats[0], self.rules.seats[-1]
            raise ValueError(f"{self.rules.title} is for {few} to {many} players; {len(seated)} sit here.")
        self.begin(now)
        return self.sent(now)

    def kick(self, seat: Seat, now: float) -> Iterator[Send]:
        """Remove whoever sits there. Raises ValueError if nobody does."""
        person = self.people.seated().get(seat)
        if not person:
            raise ValueError(f"Nobody sits at {SEATS[seat]}.")
        self.send(person.key, wire.Closed("removed", "The host has removed you from the table."))
        person.removed = True
        self.gone(person, now)
        return self.sent(now)

    # ---- coming and going -----------------------------------------------------------------------------

    def hello(self, peer: bytes, hello: wire.Hello, now: float) -> None:
        if hello.version != wire.VERSION:
            why = f"This table speaks version {wire.VERSION} of the protocol, your lanplay {hello.version}."
            return self.send(
                peer, wire.Closed("version", f"{why} Install the same lanplay on both machines.")
            )
        person = self.people.by_key.get(peer) or self.newcomer(peer, hello)
        if person is None:
            return None
        if person.removed:
            return self.send(peer, wire.Closed("removed", "The host has removed you from the table."))
        came, person.here = not person.here or person.knows is None, True
        if came:
            self.tell_event("joined", person)
        self.welcome(person)
        self.tell_seats()
        if self.progress:
            self.catch_up(person, hello.since, now)
        elif self.begins == "full" and self.people.free_seat() is None:
            self.begin(now)
        return None

    def newcomer(self, peer: bytes, hello: wire.Hello) -> Person | None:
        """A peer that was not here before, with a seat if it wants one; None if it can't stay."""
        person = Person(peer, self.people.unique(hello.name), hello.kind)
        seat = self.people.free_seat()
        if hello.role == "sit" and (self.progress or seat is None):
            why = "The game has begun." if self.progress else "All seats are taken."
            code: Literal["started", "full"] = "started" if self.progress else "full"
            self.send(peer, wire.Closed(code, f"{why} You can look on: lanplay join --watch"))
            return None
        if hello.role == "sit" and seat is not None:
            person.seat = seat
        self.people.by_key[peer] = person
        return person

    def welcome(self, person: Person) -> None:
        name, values, size = self.rules.name, self.options.values(), self.people.size
        key = bytes(32)  # the host below puts its own in
        self.send(
            person.key,
            wire.Welcome(wire.VERSION, self.table, name, values, size, person.letter, key, self.seeded),
        )

    def gone(self, person: Person, now: float) -> None:
        """Away. Once the game has begun the seat is kept."""
        if not person.here:
            return
        person.here, person.away_since = False, now
        if not person.seated or not self.progress:
            del self.people.by_key[person.key]
        self.tell_event("left", person)
        self.tell_seats()
        self.go_on(now)

    def catch_up(self, person: Person, since: int | None, now: float) -> None:
        """All that came after step `since`; or the position, if that is unknown or too long ago."""
        if not self.progress or self.unwritten:
            return
        game = self.progress.game
        self.send(person.key, telling.start(game.zones, self.progress.pace))
        if since is not None and 0 <= game.accepted - since <= FAR_BEHIND:
            person.knows, person.asked = since, None
            self.tell(person, now, {})
        else:
            self.tell_position(person, now)

    # ---- moves ------------------------------------------------------------------------------------

    def act(self, person: Person, act: wire.Act, now: float) -> None:
        """A move. It is answered when it is written; a repeat gets its first answer again."""
        answer = person.answers.get(act.id)
        if answer:
            return self.send(person.key, answer)
        move = self.checked(person, act)
        if isinstance(move, Refusal):
            what = move.move or act.move
            answer = wire.Refused(act.id, move.code, move.clause, move.sentence, what)
            person.remember(answer)
            return self.send(person.key, answer)
        self.owed.append((person, act.id))
        self.mover = person
        return self.accept(person.seat, move, now)

    def checked(self, person: Person, act: wire.Act) -> Move | Refusal:
        """The move, if it may be done now; else why not."""
        if not self.progress or not person.seated:
            why = "The game has not begun." if person.seated else "You are looking on."
            return Refusal("not-your-turn", why)
        if self.unwritten:
            return Refusal("paused", "The host can't write the record just now. Try again in a moment.")
        return self.progress.checked(person.seat, act.move, act.step, act.aim)

    def accept(self, seat: Seat, move: Move, now: float) -> None:
        assert self.progress
        if self.progress.lockstep:
            self.progress.answers[seat] = move
            self.answer_owed()
            self.go_on(now)
        else:
            self.do(seat, move, now)

    def decline(self, person: Person, decline: wire.Decline, now: float) -> None:
        progress = self.progress
        if progress and progress.asks(person.seat) == "react" and decline.step == progress.game.accepted:
            progress.answers[person.seat] = None
            self.go_on(now)

    def do(self, seat: Seat, move: Move, now: float) -> None:
        """Do a legal move and write it down; only then may it be told."""
        assert self.progress
        self.progress.do(seat, move, now)
        self.write(write.action(self.progress.game, seat, move, now - self.progress.began), now)

    def go_on(self, now: float) -> None:
        """At a table of bots: when all who were asked have answered, play it and ask on."""
        while self.progress and not self.unwritten:
            moves = self.progress.settled()
            if moves is None:
                return
            for seat, move in moves:
                if move in self.progress.game.legal(seat) and not self.unwritten:
                    self.do(seat, move, now)

    # ---- time -------------------------------------------------------------------------------------

    def due_at(self) -> dict[Seat, float]:
        """When the default move is due of each seat that is waited for."""
        if not self.progress or self.progress.game.over or self.unwritten:
            return {}
        due = self.progress.clock.due_at(self.progress.game)
        for seat, person in self.people.seated().items():
            if self.away == "skip" and not person.here and self.progress.waits_for(seat):
                due[seat] = min(due.get(seat, float("inf")), person.away_since + self.grace)
        return due

    def default(self, seat: Seat, now: float) -> None:
        """The move that is made for who is absent or late."""
        assert self.progress
        move = self.progress.default(seat)
        if self.progress.lockstep:
            self.progress.answers[seat] = move
        elif move is not None:
            self.do(seat, move, now)

    # ---- the record -------------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        """The seats that are taken close up, the cards are dealt."""
        self.people.close_up()
        seated = self.people.seated()
        game = Game(self.rules, len(seated), self.options, seeded_shuffles(self.seed))
        bots_only = all(person.kind == "bot" for person in seated.values())
        self.progress = Progress(game, self.ties if bots_only else None, self.turn_time, now)
        names = self.people.names()
        self.on_event({"event": "started", "seats": {SEATS[seat]: name for seat, name in names.items()}})
        for person in self.people.by_key.values():
            self.welcome(person)  # the seat may be another one
            self.send(person.key, telling.start(game.zones, self.progress.pace))
        self.tell_seats()
        self.write(write.header(game, names), now)

    def write(self, text: str, now: float) -> None:
        """Append to the record; what can't be written holds up everything until it can."""
        self.unwritten += text
        try:
            self.journal(self.unwritten)
        except OSError as error:
            if self.retry is None:
                self.on_event({"event": "paused", "why": str(error)})
            self.retry = now + RETRY
            return
        if self.retry is not None:
            self.on_event({"event": "resumed"})
        self.unwritten, self.retry = "", None
        self.answer_owed()

    def answer_owed(self) -> None:
        """What was done is written: those who did it are told so."""
        owed, self.owed = self.owed, []
        for person, act_id in owed:
            answer = wire.Accepted(act_id, self.progress.game.accepted if self.progress else 0)
            person.remember(answer)
            self.send(person.key, answer)

    # ---- what goes out ----------------------------------------------------------------------------

    def send(self, peer: bytes, message: wire.FromHost) -> None:
        self.out.append(Send(peer, message))

    def tell_seats(self) -> None:
        seats = wire.Seats(0, self.people.sitting(), self.people.watching(), self.progress is not None)
        for person in self.people.by_key.values():
            if person.here:
                self.send(person.key, seats)

    def tell(self, person: Person, now: float, stories: dict[int, telling.Story]) -> None:
        """What happened since this person was last told, and what is asked; `stories` are those told already."""
        assert self.progress
        game, asks = self.progress.game, self.progress.asks(person.seat)
        asked = (game.accepted, asks)
        if person.knows == game.accepted and (asks is None or person.asked == asked):
            return
        since = -1 if person.knows is None else person.knows
        if since not in stories:
            stories[since] = telling.story(game, since, self.progress.clock.left(game, now))
        self.out.append(Send(person.key, *telling.update(game, stories[since], person.seat, asks)))
        person.knows, person.asked = game.accepted, asked

    def tell_position(self, person: Person, now: float) -> None:
        """The whole position, for who knows nothing of it."""
        assert self.progress
        game, asks = self.progress.game, self.progress.asks(person.seat)
        left, names = self.progress.clock.left(game, now), self.people.names()
        self.out.append(Send(person.key, *telling.snapshot(game, names, person.seat, asks, left)))
        person.knows, person.asked = game.accepted, (game.accepted, asks)

    def tell_event(self, kind: str, person: Person) -> None:
        self.on_event({"event": kind, "name": person.name, "kind": person.kind, "seat": person.letter})
