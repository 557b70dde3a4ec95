"""A game under way at a table: who is asked what, whose answer came too late, what is due."""

from __future__ import annotations

from lanplay.engine.game import Game
from lanplay.engine.words import SPECTATOR, Move, Refusal, Seat
from lanplay.room.clock import Clock
from lanplay.room.pace import Lockstep, Question
from lanplay.room.telling import Asks, Pace


class Progress:
    """The game, its clock, and in lockstep (only bots sit here) the answers that have come so far."""

    def __init__(self, game: Game, ties: bytes | None, turn_time: float | None, now: float) -> None:
        """`ties`: for a table of bots, what decides between claims; None: people sit here too."""
        self.game = game
        self.began = self.asked_at = now
        self.clock = Clock(turn_time, rules=ties is None)
        self.lockstep = None if ties is None else Lockstep(game, ties)
        self.answers: dict[Seat, Move | None] = {}
        self.held: Seat | None = None  # whose move is held back, so that others may object
        self.choices: dict[
            Seat, tuple[object, int]
        ] = {}  # what a seat that is asked may do, and the step since which
        self.look(now)

    @property
    def pace(self) -> Pace:
        return "lockstep" if self.lockstep else "clock"

    def look(self, now: float, acted: Seat | None = None) -> None:
        """After each step: who is asked what, and since when."""
        self.answers.clear()
        self.asked_at = now
        self.clock.look(self.game, now, acted)
        before, self.choices = self.choices, {}
        for seat in self.game.must_act:
            table = self.game.table
            choices = (table.ask, table.ask.moves(table, seat))  # a snap of somebody else changes neither
            old = before.get(seat)
            self.choices[seat] = old if old and old[0] == choices else (choices, self.game.accepted)

    def asks(self, seat: Seat) -> Asks | None:
        """What is wanted of a seat."""
        if seat == SPECTATOR or self.game.over:
            return None
        if self.lockstep:
            return self.unanswered().get(seat)
        if seat in self.game.must_act:
            return "act"
        return "may" if self.game.table.anytime(seat) else None

    # ---- moves ------------------------------------------------------------------------------------

    def checked(self, seat: Seat, text: str, step: int, aim: int) -> Move | Refusal:
        """The move, if it may be done now; else why not. `step` and `aim` are what the seat answers."""
        try:
            move = self.game.read(text)
        except Refusal as unreadable:
            return unreadable
        late = self.too_late(seat, move, step, aim)
        return late or self.game.refusal(seat, move) or self.not_asked(seat, move) or move

    def too_late(self, seat: Seat, move: Move, step: int, aim: int) -> Refusal | None:
        """The move means something that is no longer there."""  # C6.10
        table = self.game.table
        verb = move.split(maxsplit=1)[0]
        if verb in table.aimed and aim != table.aim:
            return Refusal("late", f"Too late for {move}: the pile has changed.", None, str(move))
        if verb not in table.out_of_turn and seat in self.choices and step < self.choices[seat][1]:
            return Refusal("late", f"The table changed before {move} came: look again.", None, str(move))
        return None

    def holds(self, seat: Seat, move: Move) -> float:
        """Until when this legal move is held back: so long after the last move of this seat as the rules say."""
        if self.lockstep or seat not in self.game.must_act:
            return 0.0
        seconds = self.game.table.ask.hold(self.game.table, seat, move)
        return self.clock.since(seat) + seconds if seconds else 0.0

    def races(self, seat: Seat, move: Move) -> bool:
        """Others may claim the same as this legal move, and the quickest is to have it."""
        if self.lockstep:
            return False
        table = self.game.table
        ask = table.ask if seat in table.asked and hasattr(table.ask, move.verb) else table.anytime(seat)
        return ask is not None and ask.races(table, seat, move)

    def do(self, seat: Seat, move: Move, now: float) -> None:
        """Do a legal move."""
        self.game.do(seat, move)
        self.look(now, acted=seat)

    # ---- a table of bots --------------------------------------------------------------------------

    def unanswered(self) -> dict[Seat, Question]:
        """The questions of the lockstep that are open."""
        asked = self.lockstep.questions() if self.lockstep else {}
        return {seat: question for seat, question in asked.items() if seat not in self.answers}

    def not_asked(self, seat: Seat, move: Move) -> Refusal | None:
        """In lockstep, why this seat has no say just now."""
        if not self.lockstep:
            return None
        asked = self.unanswered().get(seat)
        claims = move.split(maxsplit=1)[0] in self.game.table.out_of_turn
        if asked is None or (asked == "react" and not claims):
            return Refusal("not-your-turn", "Another seat is asked just now.", None, str(move))
        return None

    def settled(self, now: float) -> list[tuple[Seat, Move]] | None:
        """When all who were asked have answered: the moves to play. None: somebody is still to answer."""
        if not self.lockstep or self.game.over or self.unanswered():
            return None
        answers, self.answers, self.asked_at = self.answers, {}, now
        return self.lockstep.settle(answers)

    # ---- time -------------------------------------------------------------------------------------

    def due_at(self) -> dict[Seat, float]:
        """When the default move of each seat that is waited for is due; empty if there is no limit."""
        if not self.lockstep:
            return self.clock.due_at(self.game)
        limit = self.clock.turn_time  # for each question, so that a mover pays for no other seat's silence
        return {} if limit is None else dict.fromkeys(self.unanswered(), self.asked_at + limit)

    def left(self, now: float) -> float | None:
        """Seconds until the first default move is due."""
        due = self.due_at()
        return max(0.0, min(due.values()) - now) if due else None

    def waits_for(self, seat: Seat) -> bool:
        """Nothing goes on without this seat."""
        return seat in (self.unanswered() if self.lockstep else self.game.must_act)

    def default(self, seat: Seat) -> Move | None:
        """What is done, or in lockstep answered, for who is absent or late."""
        if self.lockstep and self.unanswered().get(seat) == "react":
            return None
        return self.game.table.default(seat)
