"""The rules of Cambio in the order of seeds/cambio.md and cambio52.md: what is asked, and what answers do."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from lanplay.engine.table import Ask
from lanplay.engine.words import EVERYONE, SEATS, Choices, Move, Moves, Refusal, Seat
from lanplay.games.cambio.moves import (
    CALL,
    DISCARD,
    DRAW,
    PASS,
    TAKE,
    Slots,
    aimed,
    own,
    own_pairs,
    paired,
)

if TYPE_CHECKING:
    from lanplay.games.cambio.table import Cambio

DECK, PILE, UP = (
    0,
    1,
    2,
)  # zones: the deck; the discard pile; the card in turn that all can see (taken, or in use)


class OwnCard(Ask["Cambio"]):
    """Choose one of your own cards."""

    say: ClassVar[Choices[Slots]]

    def moves(self, t: Cambio, me: Seat) -> Moves:
        return self.say[t.slots[t.hands[me]]]

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if len(move.args) == 1:
            return t.no_card(me, move.args[0])
        return self.wrong_step(t, me)


# ---- 2. setup, 3. a turn --------------------------------------------------------------------------


class FirstPeek(OwnCard):
    """Look at two of your own cards, once, and memorise them; or fewer."""

    clause = "C2.4"
    say = Choices(lambda slots: [*own_pairs(slots), *own("peek", PASS)[slots]])

    def peek(self, t: Cambio, me: Seat, *slots: int) -> None:
        for slot in slots:
            t.show(t.hands[me], slot, 1 << me)

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        return t.no_card(me, *move.args)


class Turn(Ask["Cambio"]):
    """Call Cambio, draw from the deck, or take the top of the discard pile."""

    clause = "C3.2"
    say: ClassVar[Choices[tuple[bool, bool, bool]]] = Choices(
        lambda barred: (
            [move for move, out in zip((CALL, DRAW, TAKE), barred, strict=True) if not out]
            + [PASS] * (barred[1] and barred[2])
        )
    )

    def moves(self, t: Cambio, me: Seat) -> Moves:
        lay = t.lay
        pile = lay[PILE]
        no_take = not (pile and (t.slots[t.hands[me]] or t.can_take(me)))
        return self.say[t.caller is not None, not (lay[DECK] or t.can_draw()), no_take]

    def cambio(self, t: Cambio, me: Seat) -> None:  # C3.1 C7.1
        t.caller = me
        t.passes = 0

    def draw(self, t: Cambio, me: Seat) -> None:  # C3.2
        t.passes = 0
        t.refill()
        t.move_top(DECK, t.held[me])
        t.next(DRAWN, me)

    def take(self, t: Cambio, me: Seat) -> None:  # C3.2 C3.6
        t.passes = 0
        t.aim += 1
        t.move_top(PILE, UP)
        t.next(TAKEN, me)

    def pass_(self, t: Cambio, me: Seat) -> None:  # C3.9
        t.passes += 1

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if move == DRAW:
            return Refusal("no-such-card", "No card is left to draw.", "C3.9")
        if move == CALL:
            return Refusal("wrong-step", "Cambio has been called already: draw or take.", "C7.1")
        if move == PASS:
            return Refusal("wrong-step", "You can only pass when there is nothing to draw or take.", "C3.9")
        if t.lay[PILE]:
            return Refusal("no-such-card", "You have no card to swap it with.", "C3.6")
        return Refusal("no-such-card", "The discard pile is empty.", "C3.2")


class Drawn(OwnCard):
    """Swap the card you drew with one of your own, or discard it for its ability."""

    clause = "C3.3"
    say = own("swap")
    say_all = own("swap", DISCARD)

    def moves(self, t: Cambio, me: Seat) -> Moves:
        slots = t.slots[t.hands[me]]
        if t.zones.plain_discard or self.may_discard(t, me, slots):
            return self.say_all[slots]
        return self.say[slots]

    def may_discard(self, t: Cambio, me: Seat, slots: Slots) -> bool:  # C3.3 D3.3
        return not slots or t.lay[t.held[me]][-1] in t.zones.powers

    def widest(self, t: Cambio, me: Seat) -> Moves:
        return self.say_all[t.slots[t.hands[me]]]

    def swap(self, t: Cambio, me: Seat, slot: int) -> None:  # C3.3 C3.5
        t.swap(t.held[me], me, slot)

    def discard(self, t: Cambio, me: Seat) -> None:  # C3.4 D3.3 D5.10
        t.use(t.held[me])

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if move == DISCARD:
            return Refusal("wrong-step", "A card without a power must be swapped with one of yours.", "D3.3")
        return super().refuse(t, me, move)


class Taken(Drawn):
    """Swap the card from the discard pile with one of your own."""

    clause = "C3.6"

    def moves(self, t: Cambio, me: Seat) -> Moves:
        slots = t.slots[t.hands[me]]
        return self.say_all[slots] if self.may_discard(t, me, slots) else self.say[slots]

    def may_discard(self, t: Cambio, me: Seat, slots: Slots) -> bool:  # D3.6
        return t.zones.discard_powers and t.lay[UP][-1] in t.zones.powers

    def widest(self, t: Cambio, me: Seat) -> Moves:
        return self.moves(t, me)

    def swap(self, t: Cambio, me: Seat, slot: int) -> None:  # C3.6
        t.swap(UP, me, slot)

    def discard(self, t: Cambio, me: Seat) -> None:  # D3.6
        t.use(UP)

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if move == DISCARD:
            return Refusal("wrong-step", "A card from the discard pile must be swapped.", self.clause)
        return super().refuse(t, me, move)


# ---- 5. abilities ---------------------------------------------------------------------------------


class Step(Ask["Cambio"]):
    """One step of an ability."""

    optional: ClassVar[bool] = False

    def targets(self, t: Cambio, me: Seat) -> Moves:
        raise NotImplementedError

    def moves(self, t: Cambio, me: Seat) -> Moves:  # C5.6 C5.8
        targets = self.targets(t, me)
        return targets if targets and t.zones.must_use and not self.optional else (*targets, PASS)


class OwnStep(Step):
    """A step at one's own cards."""

    say: ClassVar[Choices[Slots]]

    def targets(self, t: Cambio, me: Seat) -> Moves:
        return self.say[t.slots[t.hands[me]]]

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        return t.no_card(me, *move.args) if len(move.args) == 1 else self.wrong_step(t, me)


class AnyStep(Step):
    """A step at any card within reach."""

    say: ClassVar[Choices[tuple[Seat, Slots]]]
    mine_too: ClassVar[bool] = False

    def targets(self, t: Cambio, me: Seat) -> Moves:
        return t.at_hands(self.say, me, self.mine_too)

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if not move.args:
            return self.wrong_step(t, me)
        *mine, slot, of = move.args
        return t.beyond_reach(me, slot, of, self.mine_too) or t.no_card(me, *mine)


class Peek(OwnStep):
    """Look at one of your own cards."""

    clause = "C5.1"
    say = own("peek")

    def peek(self, t: Cambio, me: Seat, slot: int) -> None:
        t.show(t.hands[me], slot, 1 << me)


class Spy(AnyStep):
    """Look at one card of another player."""

    clause = "C5.2"
    say = aimed("spy")

    def spy(self, t: Cambio, me: Seat, slot: int, of: Seat) -> None:
        t.show(t.hands[of], slot, 1 << me)


class Switch(AnyStep):
    """Switch one of your cards with one of another player's, unseen."""

    clause = "C5.3"
    say_with = staticmethod(paired("switch"))

    def targets(self, t: Cambio, me: Seat) -> Moves:
        return t.at_hands(self.say_with(t.slots[t.hands[me]]), me, mine_too=False)

    def switch(self, t: Cambio, me: Seat, mine: int, slot: int, of: Seat) -> None:
        t.exchange(t.hands[me], mine, t.hands[of], slot)


class Look(AnyStep):
    """Look at one card anywhere."""

    clause = "C5.4"
    say = aimed("look")
    mine_too = True

    def look(self, t: Cambio, me: Seat, slot: int, of: Seat) -> None:
        t.show(t.hands[of], slot, 1 << me)
        t.seen, t.vacated = (slot, of), False


class LookAgain(Look):
    """Look at a second card anywhere."""

    clause = "C5.5"

    def targets(self, t: Cambio, me: Seat) -> Moves:
        return tuple([move for move in super().targets(t, me) if move.args != t.seen or t.vacated])

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if move.args and move.args == t.seen and not t.vacated:
            return Refusal("no-such-target", "You have just looked at that card: choose another.", "C5.5")
        return super().refuse(t, me, move)


class LookAtOther(Look):
    """Look at one card of another player."""

    clause = "D5.5"
    mine_too = False

    def pass_(self, t: Cambio, me: Seat) -> None:
        t.steps = ()


class SwitchThat(Switch):
    """Exchange the card you looked at for one of your own, or pass."""

    clause = "D5.5"
    optional = True

    def targets(self, t: Cambio, me: Seat) -> Moves:
        if t.vacated:
            return ()
        return tuple([move for move in super().targets(t, me) if move.args[1:] == t.seen])

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if len(move.args) == 3 and (move.args[1:] != t.seen or (t.vacated and t.slot_holds(*move.args[1:]))):
            return Refusal("no-such-target", "Only the card you looked at can be exchanged.", "D5.5")
        return super().refuse(t, me, move)


# ---- 6. snapping, 7. the closing window -----------------------------------------------------------


class Snapping(Ask["Cambio"]):
    """Snap the top of the discard pile with a card of the same rank, before anyone else does."""

    clause = "C6.1"
    say = own("snap")

    def moves(self, t: Cambio, me: Seat) -> Moves:
        return self.say[t.slots[t.hands[me]]]

    def races(self, t: Cambio, me: Seat, move: Move) -> bool:  # C6.2
        if move.verb != "snap":
            return False
        slot, of = (*move.args, me)[:2]
        return t.matches(t.hands[of], slot)

    def snap(self, t: Cambio, me: Seat, slot: int, of: Seat | None = None) -> None:
        hand = t.hands[me if of is None else of]
        if not t.matches(hand, slot):  # C6.3 D6.3
            if t.zones.wrong_snap_shows:
                t.show(hand, slot, EVERYONE)
            t.refill()
            t.move(DECK, t.hands[me])
            return
        t.snap(hand, slot)  # C6.2
        if of is not None and t.slots[t.hands[me]]:  # D6.5
            t.owed = (slot, of)
            t.next(GIVE, me)
        else:
            t.settle_taken()

    def refuse(self, t: Cambio, me: Seat, move: Move) -> Refusal:
        if len(move.args) == 1:
            return t.no_card(me, *move.args)
        if not t.zones.snap_others:
            return Refusal("no-such-target", "Only your own cards can be snapped: snap 2.", self.clause)
        slot, of = move.args
        return t.beyond_reach(me, slot, of, mine_too=False) or self.wrong_step(t, me)


class SnappingAny(Snapping):
    """Snap the top of the discard pile with a card of the same rank, anybody's, before anyone else does."""

    say_others = aimed("snap")

    def moves(self, t: Cambio, me: Seat) -> Moves:  # D6.5
        return super().moves(t, me) + t.at_hands(self.say_others, me, mine_too=False)


class Give(OwnCard):
    """You snapped another player's card: give them one of yours."""

    clause = "D6.5"
    say = own("give")

    def give(self, t: Cambio, me: Seat, slot: int) -> None:
        if t.owed:
            to, of = t.owed
            t.owed = None
            t.move(t.hands[me], t.hands[of], slot, to)
            t.settle_taken()


class Closing(Snapping):
    """The last chance: snap the top of the discard pile, or pass."""

    clause = "C7.7"

    def moves(self, t: Cambio, me: Seat) -> Moves:
        return (*t.zones.snapping.moves(t, me), PASS)

    def snap(self, t: Cambio, me: Seat, slot: int, of: Seat | None = None) -> None:
        self.pass_(t, me)
        super().snap(t, me, slot, of)

    def seconds(self, t: Cambio) -> float:
        return t.zones.options.snap_window

    def pass_(self, t: Cambio, me: Seat) -> None:
        """Has spoken; who may snap is asked anew."""
        t.spoken |= 1 << me
        t.asked = ()


FIRST_PEEK, TURN, DRAWN, TAKEN = FirstPeek(), Turn(), Drawn(), Taken()
PEEK, SPY, SWITCH, LOOK, LOOK_AGAIN = Peek(), Spy(), Switch(), Look(), LookAgain()
LOOK_AT_OTHER, SWITCH_THAT = LookAtOther(), SwitchThat()
SNAPPING, SNAPPING_ANY, GIVE, CLOSING = Snapping(), SnappingAny(), Give(), Closing()

QUEEN = {"look-switch": (LOOK, SWITCH), "blind-switch": (SWITCH,)}
KING = {"look-two-switch": (LOOK, LOOK_AGAIN, SWITCH), "look-switch-that": (LOOK_AT_OTHER, SWITCH_THAT)}


def name_of(slot: int, of: Seat) -> str:
    """How a card on the table is called: `B3`."""
    return f"{SEATS[of]}{slot}"
