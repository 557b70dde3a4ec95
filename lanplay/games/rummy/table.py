"""A round of Cambio Rummy: the places, a turn that passes to the left, and the count at the end."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

from lanplay.engine.shuffle import Shuffler
from lanplay.engine.table import Ask, Table, Zones
from lanplay.engine.words import EVERYONE, NO_ONE, SEATS, Card, Eyes, Move, Moves, Refusal, Round, Seat, Told
from lanplay.games.rummy import melds as laying
from lanplay.games.rummy.asks import CHAOS, DRAWING, PLAY
from lanplay.games.rummy.cards import (
    CR,
    DECK,
    ER,
    FACES,
    ONE,
    Count,
    cards_of,
    count_of,
    faces,
    of,
    points,
    present,
    within,
)
from lanplay.games.rummy.melds import AtOnce, Meld, Part
from lanplay.games.rummy.moves import RIVER, TYPES, discards
from lanplay.games.rummy.options import RummyOptions

PILE, STREAM, LAID, EXPLODED, LAST = range(5)


class Play(NamedTuple):
    """A play of this turn that still lies there."""

    number: int
    meld: int
    cards: Count
    energy: bool
    new: bool  # it laid the meld


class Places(Zones):
    """The draw pile, the River, the cards laid, those exploded, the last of a round; and a hand for each seat."""

    def __init__(self, seats: int, options: RummyOptions) -> None:
        super().__init__(DECK)
        self.add("deck", NO_ONE)
        self.add("river", EVERYONE)
        self.add("laid", EVERYONE)
        self.add("exploded", EVERYONE)
        self.add("last", NO_ONE)
        self.hands = tuple(self.add(f"hand {SEATS[seat]}", 1 << seat) for seat in range(seats))
        self.options = options


places = cache(Places)


class Rummy(Table):
    """One round."""

    __slots__ = (
        "hands",
        "holds",
        "laid",
        "melds",
        "melds_made",
        "must",
        "plays",
        "plays_made",
        "scores",
        "turn",
        "turns",
    )
    zones: Places
    out_of_turn = frozenset(["chaos"])
    aimed = frozenset(["chaos"])

    def __init__(
        self, seats: int, options: RummyOptions, shuffler: Shuffler, round_: int, log: list[Told] | None
    ) -> None:
        zones = places(seats, options)
        super().__init__(zones, shuffler, round_, log)
        self.hands = zones.hands
        self.holds: tuple[Count, ...] = (0,) * seats
        self.turn = (round_ - 1) % seats  # R1.4
        self.turns = 0  # of the whole table that are over
        self.must: Card = laying.ANY_KIND  # the River card that has to be played
        self.melds: tuple[Meld, ...] = ()
        self.melds_made = 0
        self.laid = 0  # bit n: seat n has laid down a meld in this round
        self.plays: tuple[Play, ...] = ()
        self.plays_made = 0  # in this turn
        self.scores = (0,) * seats  # of what lies on the table

    def deal(self) -> None:  # R1.3 R1.4
        """Shuffle, deal eight cards each, and begin the River."""
        self.shuffle(PILE, PILE)
        seats = len(self.hands)
        self.deal_out(PILE, [self.hands[(self.turn + n) % seats] for n in range(8 * seats)])
        self.recount()
        self.move(PILE, STREAM)
        self.next(DRAWING, self.turn)

    def recount(self) -> None:
        self.holds = tuple([count_of(self.lay[hand]) for hand in self.hands])

    # ---- 2. the River, 3. a turn ------------------------------------------------------------------

    def river(self) -> list[Card]:
        """Oldest first."""  # R2.1
        return self.lay[STREAM]

    def can_draw(self) -> bool:  # R3.7 R9.1
        return self.lay[PILE] != [] or self.lay[EXPLODED] != []

    def draw(self, me: Seat) -> None:
        if not self.lay[PILE]:  # R9.1
            self.shuffle(EXPLODED, PILE)
        self.hold(me, ONE[self.move(PILE, self.hands[me])])

    def take_river(self, me: Seat, position: int) -> None:  # R3.2 R3.3
        self.must = self.river()[position - 1]
        taken = range(len(self.river()) - position + 1)
        self.hold(me, sum([ONE[self.move(STREAM, self.hands[me])] for _ in taken]))

    def hold(self, me: Seat, count: Count) -> None:
        """So many cards more (or fewer) in a hand."""
        self.holds = (*self.holds[:me], self.holds[me] + count, *self.holds[me + 1 :])

    def river_moves(self, me: Seat) -> Moves:
        """From where on the River can be taken."""  # R3.3
        take = AtOnce(self.holds[me], len(self.lay[self.hands[me]]), self.open_melds(me)).take
        river = self.lay[STREAM]
        newest_first = range(len(river) - 1, -1, -1)
        return tuple([RIVER[at] for at in newest_first if take(river[at])][::-1])

    def play_moves(self, me: Seat) -> Moves:
        """Everything that may be played, or discarded."""
        held, room, must = self.holds[me], len(self.lay[self.hands[me]]) - 1, self.must
        kinds, energy = present(held), of(held, ER)
        moves = laying.new_melds(held, kinds, room, must) if room > 2 else []
        for meld in self.open_melds(me):
            if held & meld.grows_by:
                moves += laying.extended(meld, held, kinds, room, must, energy)
        if must < 0:
            moves += discards[kinds]
        return tuple(moves)

    def open_melds(self, me: Seat) -> Sequence[Meld]:
        """Those that the seat may add to; who has melds of their own has laid one."""  # R3.5
        return self.melds if self.laid >> me & 1 else ()

    def discard(self, me: Seat, card: Card) -> None:
        hand = self.hands[me]
        if len(self.lay[hand]) == 1:  # R7.3
            self.hand_over(hand, LAST, card, NO_ONE)
            self.show(LAST, 0, 1 << me)
        else:  # R3.6
            self.hand_over(hand, STREAM, card)
        self.hold(me, -ONE[card])

    def heard_by(self, seat: Seat, move: Move) -> Eyes:  # R7.3
        last = move.verb == "discard" and len(self.lay[self.hands[seat]]) == 1
        return 1 << seat if last else EVERYONE

    # ---- 4. melds ---------------------------------------------------------------------------------

    def meld(self, number: int) -> Meld | None:
        return next((meld for meld in self.melds if meld.number == number), None)

    def put(self, meld: Meld, parts: tuple[Part, ...]) -> None:
        """The meld holds these parts now; without any it is gone."""
        at = self.melds.index(meld)
        left = (meld.with_parts(parts),) if parts else ()
        self.melds = (*self.melds[:at], *left, *self.melds[at + 1 :])

    def lay_meld(self, me: Seat, type: int, count: Count, energy: bool) -> None:
        self.melds_made += 1
        part = laying.first_part(me, type, count, energy)
        self.melds = (*self.melds, laying.laid(self.melds_made, type, part))
        self.laid |= 1 << me
        self.played(part, self.melds_made, new=True)

    def add(self, me: Seat, number: int, count: Count, energy: bool) -> None:
        meld = self.meld(number)
        assert meld
        part = laying.added_part(me, count, energy)
        self.put(meld, (*meld.parts, part))
        self.played(part, number, new=False)

    def played(self, part: Part, meld: int, new: bool) -> None:
        """The cards go from the hand to the table."""
        hand = self.hands[part.by]
        for card in cards_of(all_cards(part)):
            self.hand_over(hand, LAID, card)
        self.hold(part.by, -all_cards(part))
        self.score(part, 1)
        self.plays_made += 1
        self.plays = (*self.plays, Play(self.plays_made, meld, part.cards, part.energy, new))
        if self.must >= 0 and of(part.cards, self.must):  # R3.3
            self.must = laying.ANY_KIND

    def score(self, part: Part, sign: int) -> None:
        """The points of a part are won (1) or lost (-1)."""  # R8.2
        scores = list(self.scores)
        scores[part.by] += sign * (part.points + part.bonus)
        self.scores = tuple(scores)

    def missing(self, me: Seat, count: Count, energy: bool) -> Refusal | None:
        """The refusal of cards that are not in the hand, or None if all are."""
        if within(count, self.holds[me]) and of(count, ER) + energy <= of(self.holds[me], ER):
            return None
        face = next(
            (FACES[card] for card in cards_of(count) if of(count, card) > of(self.holds[me], card)), "ER"
        )
        return Refusal("no-such-card", f"You don't have so many {face}.", "R3.4")

    # ---- 5. Chaos Rune ----------------------------------------------------------------------------

    def anytime(self, seat: Seat) -> Ask[Rummy] | None:  # R5.1
        return CHAOS if self.plays and seat != self.turn else None

    def closed(self, seat: Seat) -> Refusal | None:
        if not self.plays:
            return Refusal("closed", "No play of this turn lies there to be exploded.", "R5.5")
        if seat == self.turn:
            return Refusal("closed", "It is your own turn: you can't explode your own plays.", "R5.6")
        return None

    def explode(self, me: Seat, number: int) -> None:
        """A play goes, and what can't stand without it goes back."""  # R5.2 R5.3 R5.4
        target = next(play for play in self.plays if play.number == number)
        plays = [play for play in self.plays if play.meld == target.meld]
        meld = self.meld(target.meld)
        assert meld
        before = len(meld.parts) - len(plays)
        kept = meld.parts[:before]
        for play, part in zip(plays, meld.parts[before:], strict=True):
            if target.new or play is target:  # R5.2 R5.3
                self.remove(play, part, EXPLODED)
            elif play.new or laying.fits(meld.type, sum(p.cards for p in kept) + part.cards):
                kept = (*kept, part)
            else:  # R5.3
                self.remove(play, part, self.hands[part.by])
                self.hold(part.by, all_cards(part))
        self.put(meld, kept)
        self.hand_over(self.hands[me], EXPLODED, CR)
        self.hold(me, -ONE[CR])

    def remove(self, play: Play, part: Part, to: int) -> None:
        self.score(part, -1)
        self.plays = tuple([other for other in self.plays if other is not play])
        for card in cards_of(all_cards(part)):
            self.hand_over(LAID, to, card)

    # ---- 7. the end of a round, turn after turn ---------------------------------------------------

    def onward(self) -> None:
        """A discard has ended the turn."""
        self.plays, self.plays_made = (), 0
        self.aim += 1
        self.turns += 1
        gone_out = not self.lay[self.hands[self.turn]]  # R7.1
        if gone_out or self.turns >= self.zones.options.max_turns > 0:  # R10.2
            return self.uncover()
        self.turn = (self.turn + 1) % len(self.hands)  # R3.6
        return self.next(DRAWING, self.turn)

    def uncover(self) -> None:
        for hand in self.hands:
            for at in range(len(self.lay[hand])):
                self.show(hand, at, EVERYONE)

    def default(self, seat: Seat) -> Move:
        """What is done for a seat that is absent or late: in the play the card drawn last is discarded."""
        if self.ask is PLAY and self.must < 0:
            return discards[1 << self.lay[self.hands[seat]][-1]][0]
        return super().default(seat)

    # ---- 8. points, and what is written of it -----------------------------------------------------

    def in_turn(self) -> Seat | None:
        return self.turn

    def result(self) -> Round:
        """Points and winners of the round."""  # R8.2
        totals = tuple(score - points(held) for score, held in zip(self.scores, self.holds, strict=True))
        winners = tuple(seat for seat, total in enumerate(totals) if total == max(totals))
        capped = all(self.lay[hand] for hand in self.hands)  # R10.2
        return Round(totals, None, winners, self.faces(self.lay), capped)

    def faces(self, lay: list[list[Card]]) -> dict[str, list[str]]:
        return {SEATS[seat]: faces(lay[hand]) for seat, hand in enumerate(self.hands)}

    def state(self, lay: list[list[Card]]) -> dict[str, Any]:
        return {
            "hands": self.faces(lay),
            "pile": len(lay[PILE]),
            "river": [FACES[card] if card >= 0 else "??" for card in (*lay[STREAM], *lay[LAST])],
            "exploded": faces(lay[EXPLODED]),
            **self.public(),
        }

    def public(self) -> dict[str, Any]:
        return {
            "must_play": FACES[self.must] if self.must >= 0 else None,
            "plays": [
                {
                    "id": f"P{play.number}",
                    "meld": f"M{play.meld}",
                    "cards": faces(cards_of(play.cards)),
                    "energy": play.energy,
                }
                for play in self.plays
            ],
            "melds": [meld_object(meld) for meld in self.melds],
            "score": {SEATS[seat]: score for seat, score in enumerate(self.scores)},
        }


def all_cards(part: Part) -> Count:
    """The cards of a part with its Energy Rune."""
    return part.cards + part.energy * ONE[ER]


def meld_object(meld: Meld) -> dict[str, Any]:
    return {
        "id": f"M{meld.number}",
        "by": SEATS[meld.by],
        "type": TYPES[meld.type],
        "high": meld.high,
        "parts": [
            {
                "by": SEATS[part.by],
                "cards": faces(cards_of(part.cards)),
                "energy": part.energy,
                "points": part.points,
                "bonus": part.bonus,
            }
            for part in meld.parts
        ],
    }
