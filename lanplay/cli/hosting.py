"""Opening a table as planned: the room, its record, the network, the bots that sit down."""

from __future__ import annotations

import getpass
import secrets
import threading
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import zip_longest
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from lanplay.cli.common import options_of, sentence
from lanplay.cli.helpers import Helpers
from lanplay.cli.plan import Plan
from lanplay.engine.words import seat_of
from lanplay.net.announce import Announcer
from lanplay.net.book import Page, Seated
from lanplay.net.find import LOCAL, PORT, joined
from lanplay.net.host import Host
from lanplay.net.interfaces import addresses, named, unbound
from lanplay.net.keys import signing_key
from lanplay.record.journal import Journal
from lanplay.record.kept import Kept
from lanplay.record.proof import Pledge
from lanplay.room.people import Sitter, clean
from lanplay.room.room import Room
from lanplay.screen.chronicle import Chronicle, Event
from lanplay.speech.spell import count, listed
from lanplay.wire.send import Send

FAREWELL = 3.0  # seconds that peers get to leave when the game is over
T = TypeVar("T")


class Before(Protocol):
    """What is left of a table that goes on: see `lanplay.cli.resume`."""

    @property
    def journal(self) -> Journal: ...
    @property
    def text(self) -> str: ...
    @property
    def table_id(self) -> str: ...
    @property
    def ties(self) -> bytes: ...
    @property
    def seated(self) -> Sequence[Seated]: ...
    @property
    def removed(self) -> Collection[bytes]: ...


class Table:
    """An open table: the room behind a host, its record, its bots. Use as a context manager."""

    def __init__(
        self,
        plan: Plan,
        name: str,
        chronicle: Chronicle,
        notice: Callable[[str], None],
        before: Before | None = None,
    ) -> None:
        """`before`: the table goes on. Raises JournalError, PortTaken, OSError, or RecordError if it can't go on."""
        self.plan, self.chronicle, self.notice = plan, chronicle, notice
        self.options = options_of(plan.rules, plan.assignments)
        self.over = threading.Event()
        self.helpers = Helpers(notice)
        self.journal = before.journal if before else plan.journal()
        seed, ties = plan.secrets()
        ties = before.ties if before else ties
        table_id = before.table_id if before else secrets.token_hex(8)
        self.kept = Kept(self.journal.path)
        try:
            self.open(name, table_id, seed, ties, before)
        except BaseException:
            self.journal.close()
            if before is None:  # nothing was played
                self.journal.path.unlink(missing_ok=True)
                self.kept.forget()
            raise

    def open(self, name: str, table_id: str, seed: bytes, ties: bytes, before: Before | None) -> None:
        """The room and the network before it."""
        plan = self.plan
        self.room = Room(
            plan.rules,
            self.options,
            plan.size,
            table=name,
            seed=seed,
            ties=ties,
            pledge=None if plan.seed is not None else Pledge(table_id, self.kept.secret(), signing_key()),
            journal=self.written,
            start="full" if plan.start else "word",
            manners=plan.manners(),
            on_event=self.happened,
            on_seated=self.seated,
        )
        if before:
            sitters = [Sitter(one.key, one.name, one.kind) for one in before.seated]
            self.room.resume(before.text, sitters, time.monotonic(), before.removed)
            if self.room.game:
                self.chronicle.goes_on(self.room.game, self.room.people.names())
        self.host = self.hosted(table_id)
        self.host.book.write(Page(setup=plan.setup(name, ties, self.journal.path)))
        self.announcer = self.to_be_found()
        self.host.seated(len(self.room.people.seated), plan.size)

    def hosted(self, table_id: str) -> Host:
        """The room on the network. Raises NetError or OSError if it can't be."""
        return Host(
            self.room,
            table=self.room.table,
            game=self.plan.rules.name,
            port=self.plan.port,
            bind=self.plan.bind,
            open=self.plan.open_,
            table_id=table_id,
            on_code=lambda code: self.notice(f"The join code was tried too often. It is now: {code}"),
            notice=self.notice,
        )

    def put_away(self) -> None:
        """Nothing more is written. A game that never began leaves no record."""
        self.journal.close()
        if not self.room.game:
            self.journal.path.unlink(missing_ok=True)
            self.kept.forget()

    def to_be_found(self) -> Announcer | None:
        """What tells the LAN of the table, if others can come and are to know."""
        if self.plan.no_announce or self.plan.bind in LOCAL or named() == ["off"]:
            return None
        host = self.host
        return Announcer(host.table, host.table_id, host.port, self.plan.bind, self.notice)

    def happened(self, event: Event) -> None:
        """Somebody has come or gone."""
        self.chronicle.happened(event)
        people = self.room.people
        self.host.seated(len(people.seated), people.size)

    def seated(self, sitters: list[Sitter]) -> None:
        """The game begins: who plays is kept, so that it can be resumed."""
        self.host.book.write(Page(seated=[Seated(one.key, one.name, one.kind) for one in sitters]))

    def written(self, text: str) -> None:
        """A step is written down: now it may be shown."""
        self.journal.append(text)
        if self.room.game:
            self.chronicle.played(self.room.game, self.room.people.names())
            if self.room.over:
                self.kept.forget()
                self.over.set()

    def __enter__(self) -> Self:
        self.host.start()
        return self

    def announce(self) -> None:
        """Let others on the LAN find the table, now that its own screen has told of it."""
        if self.announcer:
            self.announcer.start()

    def seat_bots(self, *names: str) -> None:
        """Send the bots of the plan on their way, under these names or their own."""
        for bot, name in zip_longest(self.plan.bots, names):
            self.helpers.seat(bot, self.here, name)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if self.over.is_set() and kind is None:
                self.see_off()
        finally:
            if self.announcer:
                self.announcer.stop()
            self.helpers.stop()
            self.host.stop()
            self.put_away()

    def see_off(self) -> None:
        """The game is over: peers have heard so when they leave by themselves."""
        until = time.monotonic() + FAREWELL
        while time.monotonic() < until and self.ask(
            lambda: any(p.here for p in self.room.people.by_key.values())
        ):
            time.sleep(0.05)

    def ask(self, question: Callable[[], T]) -> T:
        """Something that only the host's thread may look at. A list is taken for messages to send."""
        return self.host.call(question).result(timeout=5)

    # ---- what people need to join ---------------------------------------------------------------------

    @property
    def here(self) -> str:
        """Where it is joined on this machine."""
        return joined(self.host.address, self.host.port)

    def addresses(self) -> list[str]:
        return addresses() if unbound(self.plan.bind) else [self.plan.bind]

    def where(self, address: str) -> str:
        """An address as it is typed after `lanplay join`."""
        return address if self.host.port == PORT else joined(address, self.host.port)

    def keepsake(self) -> list[str]:
        """Where the record lies, if there is one."""
        if not self.room.game:
            return []
        lines = [f"To see the game again: lanplay replay {self.journal.path}"]
        proof = self.room.ledger.proof is not None and self.room.over
        return lines + [f"To prove its deal: lanplay verify {self.journal.path}"] * proof

    def invitation(self) -> list[str]:
        """How to join, in lines for people."""
        code = self.host.code
        first = (
            f"Join code: {code}"
            if code
            else "No code is asked for: whoever reaches this machine may sit down."
        )
        near = [f"lanplay join {self.where(address)}" for address in self.addresses()]
        return [
            first,
            *(f"To join from another machine: {command}" for command in near),
            "To join on this machine: lanplay join",
            "This program deals, so whoever runs it could look at every card.",
            *self.resumed(),
        ]

    def resumed(self) -> list[str]:
        """That the game was played before, if it was."""
        game = self.room.game
        if game is None:
            return []
        far = f"{self.plan.rules.title}, round {game.table.round}, {count(game.accepted, 'action')} so far"
        return [f"The game goes on: {far} ({self.journal.path}). Those who sat here come back by themselves."]

    def opened(self) -> dict[str, Any]:
        """The same as an event for programs."""
        return {
            "event": "open",
            "table": self.room.table,
            "game": self.plan.rules.name,
            "options": self.options.values(),
            "seats": self.room.people.size,
            "seeded": self.plan.seed is not None,
            "step": self.room.game.accepted if self.room.game else None,
            "code": self.host.code,
            "port": self.host.port,
            "addresses": self.addresses(),
            "record": str(self.journal.path),
        }

    # ---- the host's words -----------------------------------------------------------------------------

    def words(self) -> dict[str, Callable[[str], list[str]]]:
        """What the host can type: each gives the lines to print."""
        return {"start": self.begin, "status": self.status, "kick": self.kick}

    def begin(self, rest: str = "") -> list[str]:
        return self.order(lambda: self.room.start(time.monotonic()))

    def kick(self, letter: str) -> list[str]:
        return self.order(lambda: self.room.kick(seat_of(letter.strip().upper()), time.monotonic()))

    def order(self, what: Callable[[], Iterator[Send]]) -> list[str]:
        """Do something between two messages; why it can't be done, if it can't."""
        try:
            self.ask(what)
        except ValueError as error:
            return [sentence(error)]
        return []

    def status(self, rest: str = "") -> list[str]:
        """Who is here, and whom the game waits for."""
        return [*self.ask(self.standing), *self.invitation()[:1]]

    def standing(self) -> tuple[str, ...]:
        people, game = self.room.people, self.room.game
        seats = [f"{one.name} ({one.seat}{'' if one.here else ', away'})" for one in people.sitting()]
        free = count(people.size - len(seats), "free seat")
        here = f"At the table: {listed(seats) or 'nobody'}. {free}, {people.watching()} looking on."
        if not game or game.over:
            return (here,)
        waits = listed([people.names()[seat] for seat in game.must_act])
        return (
            here,
            f"Round {game.table.round}, {count(game.accepted, 'action')} so far. Waiting for {waits}.",
        )


def silent(told: Any) -> None:
    """In place of lines or events that nobody reads."""


def own_name() -> str:
    """What this user is called, if the system says so."""
    try:
        return clean(getpass.getuser())
    except (OSError, KeyError, ImportError):
        return clean("")
