"""Moves at a table in play: what may be done, what has to wait, what is due. Everything else about it is the Room's."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import inf
from typing import Literal, Protocol

from lanplay.engine.game import Game
from lanplay.engine.words import SEATS, Move, Refusal, Seat
from lanplay.record import write
from lanplay.room.ledger import Ledger
from lanplay.room.people import People, Person
from lanplay.room.progress import Progress
from lanplay.room.race import Claim, Race, Spoken, credit
from lanplay.wire import messages as wire
from lanplay.wire.messages import ActId

Tell = Callable[[bytes, wire.FromHost], None]


class StandIn(Protocol):
    """Plays for a seat whose player is away, from what that seat was told."""

    def __call__(self, game: Game, seat: Seat) -> str: ...


@dataclass(frozen=True)
class Manners:
    """How a table deals with time; all in seconds, None is for ever.

    `away` is what happens when somebody is asked who has been away for `grace`: `wait`, `skip` with the default move, or
    `bot`, which is `stand_in`. `snap_credit` limits what a slow connection is credited with in a race (0: who comes
    first is first). `bot_delay` is how long a bot thinks at least at a table with people.
    """

    turn_time: float | None = None
    away: Literal["wait", "skip", "bot"] = "wait"
    grace: float = 60.0
    snap_credit: float = 0.060
    bot_delay: float = 0.0
    stand_in: StandIn | None = None


@dataclass(frozen=True)
class Held:
    """A move that is not done before the others have had the time to object."""

    spoken: Spoken
    until: float


class Desk:
    """Takes moves from peers and from the clock, does those that may be done, and writes them down.

    Answers go to `tell`; what happened is left to the Room to tell. `mover` is whose move was done last.
    """

    def __init__(
        self, progress: Progress, people: People, ledger: Ledger, manners: Manners, ties: bytes, tell: Tell
    ) -> None:
        self.progress, self.people, self.ledger, self.manners = progress, people, ledger, manners
        self.ties, self.tell = ties, tell
        self.mover: Person | None = None
        self.owed: list[Spoken] = []  # done, and to be answered when they are written
        self.underway: set[tuple[bytes, ActId]] = (
            set()
        )  # by key and id: came, and are still to be judged or done
        self.thinking: list[
            tuple[float, Person, wire.Act]
        ] = []  # moves of bots that came too soon, and when they may come
        self.race: Race | None = None
        self.behind: list[tuple[Person, wire.Act]] = []  # came while a race was on, in order
        self.held: Held | None = None

    @property
    def game(self) -> Game:
        return self.progress.game

    # ---- what peers say ---------------------------------------------------------------------------

    def hear(self, person: Person, act: wire.Act, now: float) -> None:
        """A move. It is answered when it is written; a repeat gets its first answer again."""
        answer = person.answers.get(act.id)
        if answer:
            return self.tell(person.key, answer)
        if (person.key, act.id) in self.underway:
            return None
        if done := self.done_before(person, act):
            return self.answer(person, done)
        if not self.progress.lockstep and not person.acts.take(now):
            return self.refuse(person, act, Refusal("slow-down", "That is too much at once: wait a moment."))
        if not person.seated:
            return self.refuse(person, act, Refusal("not-your-turn", "You are looking on."))
        self.underway.add((person.key, act.id))
        ripe = self.ripe(person)
        if ripe > now:
            self.thinking.append((ripe, person, act))
            return None
        return self.consider(person, act, now)

    def done_before(self, person: Person, act: wire.Act) -> wire.Accepted | None:
        """The answer to a move that was done and written, but not answered any more, before the host was resumed."""
        if person.before is None:
            return None
        step, move = person.before
        same = act.step <= step and act.move.split() == move.split()
        return wire.Accepted(act.id, step + 1) if same else None

    def ripe(self, person: Person) -> float:
        """When a bot that sits with people may answer what it was told last."""
        bot = person.kind == "bot" and not self.progress.lockstep
        return person.told + self.manners.bot_delay if bot else 0.0

    def consider(self, person: Person, act: wire.Act, now: float) -> None:
        """Judge a move, or let it wait until the race is over, unless it takes part in it."""
        if person.removed:
            return
        move = self.checked(person, act, now)
        races = isinstance(move, Move) and self.progress.races(person.seat, move)
        if self.race and not races:
            self.behind.append((person, act))
        elif isinstance(move, Refusal):
            self.refuse(person, act, move)
        elif races:
            self.claim(Spoken(person.seat, move, person, act.id), now)
        else:
            self.accept(Spoken(person.seat, move, person, act.id), now)

    def checked(self, person: Person, act: wire.Act, now: float) -> Move | Refusal:
        """The move, if it may be done now; else why not."""
        if self.ledger.stuck:
            return Refusal("paused", "The host can't write the record just now. Try again in a moment.")
        move = self.progress.checked(person.seat, act.move, act.step, act.aim)
        if self.held and self.held.spoken.seat == person.seat and isinstance(move, Move):
            return Refusal(
                "wrong-step", "Your last move waits until the others have had their say.", None, str(move)
            )
        claims = isinstance(move, Move) and move.verb in self.game.table.out_of_turn
        if claims and not self.progress.lockstep and not person.claims.take(now):
            return Refusal("slow-down", "That is too often: wait a moment.", None, str(move))
        return move

    def refuse(self, person: Person, act: wire.Act, why: Refusal) -> None:
        self.answer(person, wire.Refused(act.id, why.code, why.clause, why.sentence, why.move or act.move))

    def answer(self, person: Person, answer: wire.Accepted | wire.Refused) -> None:
        self.underway.discard((person.key, answer.id))
        person.remember(answer)
        self.tell(person.key, answer)

    def decline(self, person: Person, step: int, now: float) -> None:
        """This seat has nothing to say out of turn after this step."""
        if step != self.game.accepted or not person.seated:
            return
        if self.progress.asks(person.seat) == "react":
            self.progress.answers[person.seat] = None
            self.go_on(now)
        else:
            person.declined = step
            if self.held and self.nobody_objects(self.held.spoken.seat):
                self.let_go(now)

    # ---- what is done with a legal move -----------------------------------------------------------

    def accept(self, spoken: Spoken, now: float) -> None:
        if self.progress.lockstep:
            self.progress.answers[spoken.seat] = spoken.move
            self.owed.append(spoken)
            self.mover = spoken.person
            self.answer_owed()
            self.go_on(now)
            return
        until = self.progress.holds(spoken.seat, spoken.move)
        if until <= now or self.nobody_objects(spoken.seat):
            self.do(spoken, now)
        else:
            self.held = Held(spoken, until)
            self.progress.held = spoken.seat

    def nobody_objects(self, mover: Seat) -> bool:
        """Everybody else has said so since the last step."""
        step = self.game.accepted
        return all(person.declined == step for seat, person in self.people.seated.items() if seat != mover)

    def let_go(self, now: float) -> None:
        """The time to object is over."""
        held, self.held, self.progress.held = self.held, None, None
        if held:
            self.do(held.spoken, now)

    def hand_back(self) -> None:
        """Somebody objected: what was held is not done, and may be said anew."""
        held, self.held, self.progress.held = self.held, None, None
        if held and held.spoken.person:
            why = f"Your {held.spoken.move} comes back: your turn goes on."
            self.answer(
                held.spoken.person, wire.Refused(held.spoken.id, "late", None, why, str(held.spoken.move))
            )

    def do(self, spoken: Spoken, now: float, note: str = "") -> None:
        """Do a legal move and write it down, after a note on how it came; only then may it be told."""
        self.progress.do(spoken.seat, spoken.move, now)
        self.hand_back()
        self.owed.append(spoken)
        self.mover = spoken.person
        line = write.action(self.game, spoken.seat, spoken.move, now - self.progress.began)
        if self.ledger.write(note + line, now):
            self.answer_owed()

    def answer_owed(self) -> None:
        """What was done is written: those who did it are told so."""
        owed, self.owed = self.owed, []
        for spoken in owed:
            if spoken.person:
                self.answer(spoken.person, wire.Accepted(spoken.id, self.game.accepted))

    def go_on(self, now: float) -> None:
        """At a table of bots: when all who were asked have answered, play it and ask on."""
        while not self.ledger.stuck:
            moves = self.progress.settled(now)
            if moves is None:
                return
            for seat, move in moves:
                if move in self.game.legal(seat) and not self.ledger.stuck:
                    self.do(Spoken(seat, move), now)

    # ---- races ------------------------------------------------------------------------------------

    def claim(self, spoken: Spoken, now: float) -> None:
        """A right claim: it begins a race, takes part in one, or is done at once if nobody could still beat it."""
        cap, person = self.manners.snap_credit, spoken.person
        if cap == 0 or person is None:
            return self.accept(spoken, now)
        claim = Claim(spoken, person.aimed, now, credit(person, cap))
        if self.race:
            self.race.claims.append(claim)
        else:
            self.race = Race(claim, dict(self.rivals(spoken.seat)))
        return None

    def rivals(self, seat: Seat) -> Iterator[tuple[Seat, float]]:
        """Whom a claim races against, and what their scores are counted from. What they hold makes no difference."""
        for other, person in self.people.seated.items():
            if other != seat and person.here and self.progress.asks(other) in ("act", "may"):
                yield other, person.aimed + credit(person, self.manners.snap_credit)

    def finish(self, race: Race, now: float) -> None:
        """The race is over: do what won, and then what came meanwhile."""
        self.race = None
        won = race.winner(self.ties, self.game.accepted)
        note = "".join(claim.line(self.progress.began, claim is won) for claim in race.claims)
        self.do(won.spoken, now, note)
        for claim in race.claims:
            if claim is not won and claim.spoken.person:
                self.beaten(claim.spoken.person, claim.spoken, SEATS[won.spoken.seat])
        behind, self.behind = self.behind, []
        for person, act in behind:
            self.consider(person, act, now)

    def beaten(self, person: Person, spoken: Spoken, by: str) -> None:
        why = f"{by} was quicker. That costs you nothing."
        self.answer(person, wire.Refused(spoken.id, "late", None, why, str(spoken.move)))

    # ---- time -------------------------------------------------------------------------------------

    @property
    def wake(self) -> float | None:
        """When something is due next."""
        due = [ripe for ripe, *_ in self.thinking]
        due += [self.race.until] if self.race else []
        due += [self.held.until] if self.held else []
        return min([*due, *self.due_at().values()], default=None)

    def left(self, now: float) -> float | None:
        """Seconds until something is done for who has not spoken."""
        return max(0.0, self.held.until - now) if self.held else self.progress.left(now)

    def due_at(self) -> dict[Seat, float]:
        """When the default move is due of each seat that is waited for."""
        if self.game.over or self.ledger.stuck or self.race:
            return {}
        due = self.progress.due_at()
        for seat, person in self.people.seated.items():
            if self.progress.waits_for(seat):
                due[seat] = min(due.get(seat, inf), self.given_up(person))
        due = {seat: when for seat, when in due.items() if when < inf}
        if self.held:
            due.pop(self.held.spoken.seat, None)
        return due

    def given_up(self, person: Person) -> float:
        """From when on a move is made for this person; never for who is here. Who was removed cannot come back."""
        if person.removed:
            return person.away_since
        waits = person.here or self.manners.away == "wait"
        return inf if waits else person.away_since + self.manners.grace

    def tick(self, now: float) -> None:
        """Do all that is due."""
        if self.ledger.stuck:
            return
        if self.race and now >= self.race.until:
            self.finish(self.race, now)
        ripe = [(person, act) for when, person, act in self.thinking if when <= now]
        self.thinking = [entry for entry in self.thinking if entry[0] > now]
        for person, act in ripe:
            self.consider(person, act, now)
        if self.held and now >= self.held.until:
            self.let_go(now)
        for seat, due in self.due_at().items():
            if now >= due and self.progress.waits_for(seat):
                self.default(seat, now)
        self.go_on(now)

    def default(self, seat: Seat, now: float) -> None:
        """The move that is made for who is absent or late."""
        move = self.stand_in(seat, now) or self.progress.default(seat)
        if self.progress.lockstep:
            self.progress.answers[seat] = move
        elif move is not None:
            self.accept(Spoken(seat, move), now)

    def stand_in(self, seat: Seat, now: float) -> Move | None:
        """What the bot says that plays for who is away."""
        away = now >= self.given_up(self.people.seated[seat])
        if not away or self.manners.away != "bot" or self.manners.stand_in is None:
            return None
        if self.progress.asks(seat) != "act":
            return None  # a table of bots asks whether it has anything to say out of turn: it has not
        said = self.manners.stand_in(self.game, seat)
        return next((move for move in self.game.legal(seat) if move == said), None)
