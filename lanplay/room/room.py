"""The host without I/O: what peers say comes in, what they are to be told goes out. Time is an argument."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Literal

from lanplay.engine.game import Game, Rules
from lanplay.engine.options import Options
from lanplay.engine.shuffle import seeded as seeded_shuffles
from lanplay.engine.words import SEATS, Seat
from lanplay.record import resume, write
from lanplay.record.proof import Pledge, Proof, shares_of
from lanplay.record.text import RecordError
from lanplay.room import telling
from lanplay.room.desk import Desk, Manners
from lanplay.room.joint import Drawing
from lanplay.room.ledger import Ledger
from lanplay.room.people import People, Person, Sitter, one_line
from lanplay.room.progress import Progress
from lanplay.wire import messages as wire
from lanplay.wire.send import Send

FAR_BEHIND = 256  # steps; who missed more gets the position in place of the story
WATCHERS = 2000  # who look on: each takes 60 kB and a descriptor
COUNTING = 1.0  # seconds after which all hear how many look on now
MANNERS = Manners()
REMOVED = wire.Closed("removed", "The host has removed you from the table.")
Event = Mapping[str, Any]


class Room:
    """Seats, lobby, options, clock and record around a game.

    `receive`, `lost` and `tick` take what happened and the time (seconds from any origin, never backwards) and give
    what is to be sent, to who moved first. It is made while it is taken: take all of it. `wake` is when tick is wanted
    next. `journal` gets each text of the record before anything about it is sent; if it raises OSError, the game stands
    still until it can be written. `on_event` hears, for the host's own screen, no more than a spectator may know;
    `on_seated` who plays when it begins, for the case that the table is to be resumed.

    The deals come from a secret that the host, by its `pledge`, draws together with the seats; or, at a table for tests
    that is marked as such to all, from `seed`. `ties` decides the draws between those who are equally quick. `start` is
    `full` to begin when all seats are taken, or `word` to wait for `start()`. `manners` is how the table deals with time.
    """

    def __init__(
        self,
        rules: Rules,
        options: Options,
        size: int,
        *,
        table: str,
        ties: bytes,
        seed: bytes = b"",
        pledge: Pledge | None = None,
        journal: Callable[[str], None],
        start: Literal["full", "word"] = "full",
        manners: Manners = MANNERS,
        on_event: Callable[[Event], None] = lambda event: None,
        on_seated: Callable[[list[Sitter]], None] = lambda sitters: None,
    ) -> None:
        self.rules, self.options, self.table = rules, options, table
        self.seed, self.ties, self.pledge = seed, ties, pledge
        self.ledger, self.on_event, self.on_seated = Ledger(journal), on_event, on_seated
        self.begins, self.manners = start, manners
        self.people = People(size)
        self.drawing: Drawing | None = None  # how the joint secret came about, from the beginning on
        self.desk: Desk | None = None  # None: no cards are dealt yet
        self.count_due: float | None = None  # when all are to hear how many look on
        self.paused = False  # all were told that the record can't be written
        # The step, and whose move is held, that all here know of.
        self.known: tuple[int, Seat | None] | None = None
        self.out: list[Send] = []

    @property
    def game(self) -> Game | None:
        return self.desk.game if self.desk else None

    @property
    def over(self) -> bool:
        return self.desk is not None and self.desk.game.over

    @property
    def begun(self) -> bool:
        """The seats are settled: the game is dealt, or its secret is being drawn."""
        return self.desk is not None or self.drawing is not None

    # ---- what comes in --------------------------------------------------------------------------------

    def receive(self, peer: bytes, message: wire.FromPeer, now: float) -> Iterator[Send]:
        """A message of the peer with this key."""
        person = self.people.by_key.get(peer)
        if isinstance(message, wire.Hello):
            self.hello(peer, message, now)
        elif person is None:
            self.send(peer, wire.Closed("protocol", "Say hello first."))
        elif person.removed:
            self.send(peer, REMOVED)
        else:
            self.heard(person, message, now)
        return self.sent(now)

    def heard(self, person: Person, message: wire.FromPeer, now: float) -> None:
        """Something that a person at the table says."""
        match message:
            case wire.Act():
                self.act(person, message, now)
            case wire.Decline() if self.desk:
                self.desk.decline(person, message.step, now)
            case wire.Chat():
                self.chat(person, message.text, now)
            case wire.Commit() | wire.Reveal():
                self.share(person, message, now)
            case wire.CatchUp():
                self.catch_up(person, message.since, now)
            case wire.Ping():
                self.send(person.key, wire.HostPong())
            case wire.Leave():
                self.gone(person, now)

    def lost(self, peer: bytes, now: float) -> Iterator[Send]:
        """The connection of this peer is gone or silent."""
        person = self.people.by_key.get(peer)
        if person:
            self.gone(person, now)
        return self.sent(now)

    def tick(self, now: float) -> Iterator[Send]:
        """Time has passed: what is due, a journal to be tried again."""
        if (
            self.ledger.retry is not None
            and now >= self.ledger.retry
            and self.ledger.write("", now)
            and self.desk
        ):
            self.desk.answer_owed()
        if self.count_due is not None and now >= self.count_due:
            self.tell_seats()
        if self.drawing and self.drawing.look(now):
            self.drawn(now)
        if self.desk:
            self.desk.tick(now)
        return self.sent(now)

    @property
    def wake(self) -> float | None:
        """When tick is wanted next, or None."""
        return min((due for due in (self.count_due, self.game_wake()) if due is not None), default=None)

    def game_wake(self) -> float | None:
        """When the game goes on by itself."""
        if self.ledger.retry is not None:
            return self.ledger.retry
        if self.drawing and not self.drawing.dealt:
            return self.drawing.due
        return self.desk.wake if self.desk else None

    def measured(self, peer: bytes, trip: float, kernel: float | None) -> None:
        """How many seconds an answer of this peer took, and what the system measures (None: nothing)."""
        person = self.people.by_key.get(peer)
        if person:
            person.trips.append(trip)
            person.kernel = kernel

    def sent(self, now: float) -> Iterator[Send]:
        """What waits to be sent; then everybody hears what they have not heard, if it is written."""
        if self.paused != self.ledger.stuck:
            self.tell_paused()
        yield from self.drained()
        if self.desk is None or self.ledger.stuck:
            return
        stories: dict[int, telling.Story] = {}
        mover, self.desk.mover = self.desk.mover, None
        for person in [mover, *self.audience()] if mover else self.audience():
            if person.here:
                self.tell(person, now, stories)
                self.show_record(person)
                yield from self.drained()

    def audience(self) -> list[Person]:
        """Who may have to be told something: who looks on only after a step, since nothing is asked of them."""
        assert self.desk
        before, self.known = self.known, (self.desk.game.accepted, self.desk.progress.held)
        everybody = self.over or before != self.known
        return [*(self.people.by_key.values() if everybody else self.people.seated.values())]

    def drained(self) -> list[Send]:
        out, self.out = self.out, []
        return out

    # ---- the host's own word --------------------------------------------------------------------------

    def start(self, now: float) -> Iterator[Send]:
        """Begin with those who sit here. Raises ValueError, with a sentence, if that can't be."""
        seated = self.people.seated
        if self.begun:
            raise ValueError("The game has begun already.")
        if len(seated) not in self.rules.seats:
            few, many = self.rules.seats[0], self.rules.seats[-1]
            raise ValueError(f"{self.rules.title} is for {few} to {many} players; {len(seated)} sit here.")
        self.begin(now)
        return self.sent(now)

    def kick(self, seat: Seat, now: float) -> Iterator[Send]:
        """Remove whoever sits there: in play a move is made for that seat from now on. Raises ValueError if nobody does."""
        person = self.people.seated.get(seat)
        if not person:
            raise ValueError(f"Nobody sits at {SEATS[seat]}.")
        self.send(person.key, REMOVED)
        person.removed = True
        self.people.removed.add(person.key)
        if person.here:
            self.gone(person, now)
        else:
            self.tell_event("removed", person)
        if self.begun:
            self.send_all(wire.Notice("removed", f"The host has removed {person.name}. The game goes on."))
        return self.sent(now)

    # ---- coming and going -----------------------------------------------------------------------------

    def hello(self, peer: bytes, hello: wire.Hello, now: float) -> None:
        if hello.version != wire.VERSION:
            why = f"This table speaks version {wire.VERSION} of the protocol, your lanplay {hello.version}."
            return self.send(
                peer, wire.Closed("version", f"{why} Install the same lanplay on both machines.")
            )
        if peer in self.people.removed:
            return self.send(peer, REMOVED)
        person = self.people.by_key.get(peer) or self.newcomer(peer, hello)
        if person is None:
            return None
        came, person.here = not person.here or person.knows is None, True
        if came:
            self.tell_event("joined", person)
            self.moved(person, now)
        self.welcome(person)
        self.send(person.key, self.seats())
        if self.begun:
            self.catch_up(person, hello.since, now)
        elif self.begins == "full" and self.people.free_seat() is None:
            self.begin(now)
        return None

    def newcomer(self, peer: bytes, hello: wire.Hello) -> Person | None:
        """A peer that was not here before, with a seat if it wants one; None if it can't stay."""
        person = Person(peer, self.people.unique(hello.name), hello.kind)
        seat = self.people.free_seat()
        if hello.role == "sit" and (self.begun or seat is None):
            why = "The game has begun." if self.begun else "All seats are taken."
            code: Literal["started", "full"] = "started" if self.begun else "full"
            self.send(peer, wire.Closed(code, f"{why} You can look on: lanplay join --watch"))
            return None
        if hello.role == "watch" and self.people.watching() >= WATCHERS:
            self.send(peer, wire.Closed("full", "As many look on already as this host can bear."))
            return None
        if hello.role == "sit" and seat is not None:
            person.seat = seat
        self.people.add(person)
        return person

    def welcome(self, person: Person) -> None:
        name, values, size = self.rules.name, self.options.values(), self.people.size
        key = bytes(32)  # the host below puts its own in
        self.send(
            person.key,
            wire.Welcome(
                wire.VERSION, self.table, name, values, size, person.letter, key, seeded=self.pledge is None
            ),
        )

    def gone(self, person: Person, now: float) -> None:
        """Away. Once the game has begun the seat is kept."""
        if not person.here:
            return
        person.here, person.away_since = False, now
        if not person.seated or not self.begun:
            self.people.drop(person)
        self.tell_event("removed" if person.removed else "left", person)
        self.moved(person, now)

    def catch_up(self, person: Person, since: int | None, now: float) -> None:
        """All that came after step `since`; or the position, if that is unknown or too long ago."""
        if self.drawing:
            self.send(person.key, self.drawing.message(now))
        if not self.desk or self.ledger.stuck:
            return
        person.has_record = False
        game = self.desk.game
        self.send(person.key, telling.start(game.zones, self.desk.progress.pace))
        if since is not None and 0 <= game.accepted - since <= FAR_BEHIND:
            person.knows, person.asked = since, None
            self.tell(person, now, {})
        else:
            self.tell_position(person, now)

    # ---- what is said -----------------------------------------------------------------------------

    def act(self, person: Person, act: wire.Act, now: float) -> None:
        if self.desk:
            return self.desk.hear(person, act, now)
        why = "The game has not begun." if person.seated else "You are looking on."
        said = person.answers.get(act.id) or wire.Refused(act.id, "not-your-turn", None, why, act.move)
        person.remember(said)
        return self.send(person.key, said)

    def chat(self, person: Person, text: str, now: float) -> None:
        """A word to everybody, the speaker too."""
        if not person.chats.take(now):
            return self.send(person.key, wire.Notice("slow-down", "You talk too fast: wait a moment."))
        line = one_line(text)
        if line:
            self.send_all(wire.Said(person.name, person.letter, line))
        return None

    # ---- the record -------------------------------------------------------------------------------

    def begin(self, now: float) -> None:
        """The seats that are taken close up. Then the cards are dealt, when the secret for them is drawn."""
        self.people.close_up()
        names = self.people.names()
        self.on_seated([Sitter(one.key, one.name, one.kind) for one in self.people.seated.values()])
        self.on_event({"event": "started", "seats": {SEATS[seat]: name for seat, name in names.items()}})
        for person in self.people.by_key.values():
            self.welcome(person)  # the seat may be another one
        if self.pledge:
            self.drawing = Drawing(self.pledge, names, now)
            self.drawn(now)
        else:
            self.deal(self.seed, now)
        self.tell_seats()

    def share(self, person: Person, message: wire.Commit | wire.Reveal, now: float) -> None:
        """What a seat brings to the joint secret."""
        if self.drawing and person.seated and self.drawing.take(person.seat, message, now):
            self.drawn(now)

    def drawn(self, now: float) -> None:
        """The joint secret is a stage further: all are told, and after the last the cards are dealt."""
        assert self.drawing
        self.send_all(self.drawing.message(now))
        if self.drawing.dealt:
            self.on_event({"event": "dealt", "left_out": dict(self.drawing.left_out)})
            proof = Proof.begin(self.drawing.pledge, self.drawing.shares, self.people.names())
            self.ledger.proof = proof
            self.deal(proof.master, now)

    def deal(self, secret: bytes, now: float) -> None:
        """The cards are dealt, and all shuffles made, by this secret."""
        proof = self.ledger.proof
        game = Game(self.rules, self.people.size, self.options, seeded_shuffles(secret))
        desk = self.play(game, now, now)
        for person in self.people.by_key.values():
            self.send(person.key, telling.start(game.zones, desk.progress.pace))
        self.ledger.write(write.header(game, self.people.names(), proof.header if proof else ()), now)

    def play(self, game: Game, began: float, now: float) -> Desk:
        """From now on the game is played."""
        bots_only = all(person.kind == "bot" for person in self.people.seated.values())
        progress = Progress(game, self.ties if bots_only else None, self.manners.turn_time, now)
        progress.began = began
        self.desk = Desk(progress, self.people, self.ledger, self.manners, self.ties, self.send)
        return self.desk

    def resume(
        self, text: str, sitters: Sequence[Sitter], now: float, removed: Collection[bytes] = ()
    ) -> None:
        """Go on with the game of this record, in whole steps, for those who sat there.

        They may come back, but for those whose keys were `removed`. Raises RecordError if the game can't be
        played on, ValueError if the pledge is not the one it was dealt with.
        """
        proof = Proof.again(self.pledge, text) if self.pledge else None
        resumed = resume.resumed(text, seeded_shuffles(proof.master if proof else self.seed))
        if dict(enumerate(one.name for one in sitters)) != dict(resumed.names):
            raise RecordError("others sat at this table than the record says")
        self.people.size, self.people.removed = len(sitters), set(removed)
        for seat, one in enumerate(sitters):
            person = Person(one.key, one.name, one.kind, seat, here=False, away_since=now)
            person.before, person.removed = resumed.last.get(seat), one.key in removed
            self.people.add(person)
        self.ledger.proof = proof
        if self.pledge and proof:
            self.drawing = Drawing.again(self.pledge, shares_of(text))
        self.play(resumed.game, now - resumed.at, now)
        if resumed.game.over:  # its end was torn off
            self.ledger.write(write.end(resumed.game), now)

    # ---- what goes out ----------------------------------------------------------------------------

    def send(self, peer: bytes, message: wire.FromHost) -> None:
        self.out.append(Send(peer, message))

    def send_all(self, message: wire.FromHost) -> None:
        for person in self.people.by_key.values():
            if person.here:
                self.send(person.key, message)

    def seats(self) -> wire.Seats:
        return wire.Seats(0, self.people.sitting(), self.people.watching(), self.begun)

    def tell_seats(self) -> None:
        self.count_due = None
        self.send_all(self.seats())

    def moved(self, person: Person, now: float) -> None:
        """Somebody has come, come back or gone. Of those who look on there may be many: they are counted now and then."""
        if person.seated:
            news = self.seats()
            for other in self.people.by_key.values():
                if other.here and other is not person:
                    self.send(other.key, news)
        elif self.count_due is None:
            self.count_due = now + COUNTING

    def tell_paused(self) -> None:
        """The record can't be written, or can again."""
        self.paused = self.ledger.stuck
        if self.paused:
            self.on_event({"event": "paused", "why": self.ledger.why})
            why = "The host can't write the record: the game stands still until it can."
            self.send_all(wire.Notice("paused", why))
        else:
            self.on_event({"event": "resumed"})
            self.send_all(wire.Notice("resumed", "The record can be written again: the game goes on."))

    def tell(self, person: Person, now: float, stories: dict[int, telling.Story]) -> None:
        """What happened since this person was last told, and what is asked; `stories` are those told already."""
        assert self.desk
        game, progress = self.desk.game, self.desk.progress
        asks = progress.asks(person.seat)
        known = person.knows == game.accepted and person.held == progress.held
        if known and (asks is None or person.asked == (game.accepted, asks)):
            return
        since = -1 if person.knows is None else person.knows
        if since not in stories:
            left, head = self.desk.left(now), self.ledger.head
            stories[since] = telling.story(game, since, left, progress.held, head)
        self.out.append(Send(person.key, *telling.update(game, stories[since], person.seat, asks)))
        self.told(person, asks, now)

    def tell_position(self, person: Person, now: float) -> None:
        """The whole position, for who knows nothing of it."""
        assert self.desk
        game, progress = self.desk.game, self.desk.progress
        asks, left, names = progress.asks(person.seat), self.desk.left(now), self.people.names()
        told = telling.snapshot(game, names, person.seat, asks, left, progress.held, self.ledger.head)
        self.out.append(Send(person.key, *told))
        self.told(person, asks, now)

    def told(self, person: Person, asks: telling.Asks | None, now: float) -> None:
        """This person knows now what there is to know, and what is asked."""
        assert self.desk
        game = self.desk.game
        person.knows, person.asked, person.told = game.accepted, (game.accepted, asks), now
        person.held = self.desk.progress.held
        if person.aim != game.table.aim:
            person.aim, person.aimed = game.table.aim, now

    def show_record(self, person: Person) -> None:
        """When all is over, everybody gets the record with what proves it, once on each connection."""
        if self.ledger.proof and self.over and not person.has_record:
            person.has_record = True
            for message in telling.record(self.ledger.proof.text):
                self.send(person.key, message)

    def tell_event(self, kind: str, person: Person) -> None:
        self.on_event({"event": kind, "name": person.name, "kind": person.kind, "seat": person.letter})
