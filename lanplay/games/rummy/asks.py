"""The rules of Cambio Rummy in the order of seeds/cambio-rummy.md: what is asked, and what answers do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lanplay.engine.table import Ask
from lanplay.engine.words import Card, Move, Moves, Refusal, Seat
from lanplay.games.rummy.cards import CR, FACES, ONE, Count, of
from lanplay.games.rummy.melds import fits
from lanplay.games.rummy.moves import DRAW, PASS, RIVER, TYPES, chaos
from lanplay.games.rummy.widest import longest

if TYPE_CHECKING:
    from lanplay.games.rummy.table import Rummy

# ---- 3. a turn: draw, play, discard ---------------------------------------------------------------


class Draw(Ask["Rummy"]):
    """Draw a card, or take the River from a card on."""

    clause = "R3.1"

    def moves(self, t: Rummy, me: Seat) -> Moves:
        return (DRAW if t.can_draw() else PASS, *t.river_moves(me))

    def widest(self, t: Rummy, me: Seat) -> Moves:
        return (DRAW if t.can_draw() else PASS, *RIVER[: len(t.river())])

    def draw(self, t: Rummy, me: Seat) -> None:  # R3.1 R9.1
        t.draw(me)
        t.next(PLAY, me)

    def river(self, t: Rummy, me: Seat, position: int) -> None:  # R3.2 R3.3
        t.take_river(me, position)
        t.next(PLAY, me)

    def pass_(self, t: Rummy, me: Seat) -> None:  # R3.7
        t.next(PLAY, me)

    def refuse(self, t: Rummy, me: Seat, move: Move) -> Refusal:
        if move == DRAW:
            return Refusal("no-such-card", "No card is left to draw: take from the River, or pass.", "R3.7")
        if move == PASS:
            return Refusal("wrong-step", "You can pass only when no card is left to draw.", "R3.7")
        if move.args[0] > len(t.river()):
            return Refusal("no-such-target", f"The River has {len(t.river())} cards.", "R2.2")
        face = FACES[t.river()[move.args[0] - 1]]
        return Refusal("river-card-first", f"You couldn't meld the {face} at once and keep a card.", "R3.3")


class Play(Ask["Rummy"]):
    """Lay down melds, add cards to melds, and end your turn with a discard."""

    clause = "R3.4"

    def moves(self, t: Rummy, me: Seat) -> Moves:
        return t.play_moves(me)

    def widest(self, t: Rummy, me: Seat) -> Moves:
        """One text that fills as much as any list of a hand of so many cards can."""
        return (Move.spelled("?" * longest(len(t.lay[t.hands[me]]), t.open_melds(me))),)

    def meld(self, t: Rummy, me: Seat, type: int, count: Count, energy: bool) -> None:  # R4 R6.1
        t.lay_meld(me, type, count, energy)
        t.next(PLAY, me)

    def add(self, t: Rummy, me: Seat, meld: int, count: Count, energy: bool) -> None:  # R4.9 R6.2
        t.add(me, meld, count, energy)
        t.next(PLAY, me)

    def discard(self, t: Rummy, me: Seat, card: Card) -> None:  # R3.6 R7.3
        t.discard(me, card)

    def hold(self, t: Rummy, me: Seat, move: Move) -> float:
        """A discard waits for Chaos Runes while a play lies there that they could meet."""  # R5.7
        return t.zones.options.chaos_window if t.plays and move.verb == "discard" else 0

    def refuse(self, t: Rummy, me: Seat, move: Move) -> Refusal:
        if move == PASS:
            return self.wrong_step(t, me)
        if move.verb == "discard":
            return self.cannot_discard(t, me, move.args[0])
        target, count, energy = move.args
        if move.verb == "add" and not t.meld(target):
            return Refusal("no-such-target", f"There is no meld M{target}.", "R4.9")
        missing = t.missing(me, count, bool(energy))
        if missing:
            return missing
        unfit = self.no_meld if move.verb == "meld" else self.no_extension
        return unfit(t, me, target, count, bool(energy)) or self.not_yet(t, count)

    def cannot_discard(self, t: Rummy, me: Seat, card: Card) -> Refusal:
        missing = t.missing(me, ONE[card], energy=False)
        return missing or self.not_yet(t, 0)

    def no_meld(self, t: Rummy, me: Seat, type: int, count: Count, energy: bool) -> Refusal | None:
        if fits(type, count):
            return None
        return Refusal("not-a-meld", f"Those cards are no meld of the type {TYPES[type]}.", CLAUSE[type])

    def no_extension(self, t: Rummy, me: Seat, number: int, count: Count, energy: bool) -> Refusal | None:
        meld = t.meld(number)
        if energy and count not in ONE:
            return Refusal("not-an-extension", "An Energy Rune goes with one single card.", "R6.2")
        if meld and not fits(meld.type, meld.cards + count):
            return Refusal(
                "not-an-extension", f"M{number} ({TYPES[meld.type]}) can't grow by that.", CLAUSE[meld.type]
            )
        if not t.open_melds(me):
            return Refusal(
                "needs-own-meld", f"M{number} is another player's: lay down a meld of your own first.", "R3.5"
            )
        return None

    def not_yet(self, t: Rummy, count: Count) -> Refusal:
        """The cards would do, but something has to come first, or to stay."""
        if t.must >= 0 and not of(count, t.must):
            face = FACES[t.must]
            return Refusal("river-card-first", f"You took the {face} from the River: meld it first.", "R3.3")
        return Refusal("keep-a-card", "Keep a card: the last one must be discarded.", "R7.2")


# ---- 5. Chaos Rune out of turn --------------------------------------------------------------------


class Chaos(Ask["Rummy"]):
    """Explode a play of this turn with a Chaos Rune."""

    clause = "R5.1"

    def moves(self, t: Rummy, me: Seat) -> Moves:
        return self.widest(t, me) if of(t.holds[me], CR) else ()

    def widest(self, t: Rummy, me: Seat) -> Moves:  # R5.6
        return chaos[tuple([play.number for play in t.plays])] if len(t.lay[t.hands[me]]) > 1 else ()

    def chaos(self, t: Rummy, me: Seat, number: int) -> None:
        t.explode(me, number)

    def refuse(self, t: Rummy, me: Seat, move: Move) -> Refusal:
        if all(play.number != move.args[0] for play in t.plays):
            return Refusal("no-such-target", f"No play {move.split()[-1]} of this turn lies there.", "R5.6")
        if not of(t.holds[me], CR):
            return Refusal("no-such-card", "You have no Chaos Rune.", "R5.1")
        return Refusal("keep-a-card", "Your last card must be discarded.", "R5.6")


DRAWING, PLAY, CHAOS = Draw(), Play(), Chaos()
CLAUSE = ("R4.1", "R4.2", "R4.4", "R4.5", "R4.6", "R4.7")
