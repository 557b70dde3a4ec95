"""Searches for the best set of plays, goes out as soon as that pays, and explodes the dearest play of another."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations_with_replacement, islice, product
from typing import Any, NamedTuple

from lanplay.bot import Bot, View

FACES = (*"123456789", "RR", "BR", "SR", "RK", "BK", "CR", "ER")  # the kinds in Power Flow Order
POINTS: tuple[int, ...] = (*range(1, 10), 10, 10, 10, -2, 13, 0, 10)
RR, BR, SR, RK, BK, CR, ER = range(9, 16)
KIND = {face: kind for kind, face in enumerate(FACES)}
BONUS = {"kingdom": 30, "balance": 10, "red": 5, "blue": 5, "kind": 0, "flow": 0}

RISK = 0.4  # the part of its points that a card kept in hand is reckoned to cost in the end
TEMPO = 1.5  # what it is worth to have a card less in hand
ENERGY = 12  # points that a play must have to be worth an Energy Rune now
HOPE = 30.0  # what a meld is worth that one more card would make
SPARED = {CR: 9.0, ER: 9.0}  # what it is worth to have these in hand
EXPLODES = 24.0  # points that a play must have to be worth a Chaos Rune while there is time for a dearer one
LAST = 4  # cards in the smallest hand when there may be no time for another
LOST = -500.0  # what it is worth to lose the game
MOST = 600  # ways to lay Flow Hands that are looked at

Hand = tuple[int, ...]  # how many cards of each kind


class Play(NamedTuple):
    """A new meld, or cards added to one: the move without its Energy Rune, and what it brings."""

    move: str
    cards: tuple[int, ...]
    bonus: int = 0

    @property
    def new(self) -> bool:
        return self.move.startswith("meld")

    @property
    def points(self) -> int:
        return sum(POINTS[card] for card in self.cards)

    @property
    def doubles(self) -> int:
        """The points that an Energy Rune would add."""
        return self.points if self.new or len(self.cards) == 1 else 0


class Plan(NamedTuple):
    """Plays of one turn, in order, and the cards left in hand before the discard."""

    value: float
    moves: tuple[str, ...]
    left: Hand


NOTHING = Plan(-1e9, (), ())


class Ending(NamedTuple):
    """What it is worth to go out now, and the points without which that would lose the game."""

    worth: float
    needed: float


class Melder(Bot):
    """For Cambio Rummy: lays the best set of plays there is, takes from the River what pays, goes out when it can."""

    games = ("cambio-rummy",)

    def act(self, view: View) -> str:
        """Draw, or play; each time anew, since a Chaos Rune may have changed everything."""
        verbs = {move.split()[0] for move in view.moves}
        if verbs <= {"draw", "pass", "river"}:
            return self.draw(view)
        plan = self.planned(view, hand_of(view.zone(f"hand {view.seat}")), view.public["must_play"])
        if plan.moves and plan.moves[0] in view.moves:
            return plan.moves[0]
        return self.discard(view) if "discard" in verbs else view.moves[0]

    # ---- a turn -----------------------------------------------------------------------------------

    def draw(self, view: View) -> str:
        """From the River, if the best plan with those cards is better than what can be hoped from the pile."""
        hand, river = hand_of(view.zone(f"hand {view.seat}")), view.zone("river")
        best, choice = self.hoped(view, hand), view.moves[0]
        for move in view.moves[1:]:
            taken = river[int(move.split()[1]) - 1 :]
            value = self.planned(view, plus(hand, taken), taken[0]).value
            if value > best:
                best, choice = value, move
        return choice

    def hoped(self, view: View, hand: Hand) -> float:
        """The value of the best plan after a draw, on average over all cards that have not been seen."""
        if view.moves[0] != "draw":
            return self.planned(view, hand, None).value
        unseen = view.unseen
        hopes = [
            number * self.planned(view, plus(hand, [face]), None).value for face, number in unseen.items()
        ]
        return sum(hopes) / unseen.total()

    def planned(self, view: View, hand: Hand, must: str | None) -> Plan:
        """The best set of plays from this hand."""
        melds, laid = view.public["melds"], self.laid(view)
        kind, ending = KIND[must] if must else None, self.ending(view)
        best = Search(hand, melds if laid else [], kind, laid, ending).best()
        if melds and not laid:  # with a meld of its own first, it could add to others' too
            best = max(best, Search(hand, melds, kind, laid, ending).best())
        return best

    def laid(self, view: View) -> bool:
        """Whether it has a meld on the table, and so may add to others'."""
        return any(meld["by"] == view.seat for meld in view.public["melds"])

    def ending(self, view: View) -> Ending:
        """The others lose the cards that they are left with; but if one of them then wins the game, it had better go on."""
        hands = [sum(map(view.worth, view.zone(f"hand {seat}"))) for seat in view.others]
        stands = {seat: view.totals[seat] + view.public["score"][seat] for seat in view.seats}
        best = max(stands[seat] - lost for seat, lost in zip(view.others, hands, strict=True))
        options = view.info.options
        wins = best >= int(options["target"]) or view.round == options["max_rounds"]
        return Ending(sum(hands) / len(hands), best - stands[view.seat] if wins else -1e9)

    def discard(self, view: View) -> str:
        """The card that it is the least loss to be without."""
        hand = hand_of(view.zone(f"hand {view.seat}"))
        moves = [move for move in view.moves if move.startswith("discard")]
        return min(moves, key=lambda move: self.kept(view, hand, KIND[move.split()[1]]))

    def kept(self, view: View, hand: Hand, kind: int) -> float:
        """What it is worth to keep a card of this kind: the melds that one more card would make, less its points."""
        rest = [other for other, number in enumerate(hand) if number > (other == kind)]
        outs = {
            third for other in rest for third in range(16) if tuple(sorted((kind, other, third))) in TRIPLES
        }
        chance = sum(view.unseen[FACES[third]] for third in outs) / max(1, view.unseen.total())
        return chance * HOPE + SPARED.get(kind, 0.0) - RISK * POINTS[kind]

    # ---- Chaos Runes ------------------------------------------------------------------------------

    def react(self, view: View) -> str | None:
        """Explode the dearest play of another, if it is worth the rune."""
        worth = dict(play_points(view.public))
        dearest = max(view.moves, key=lambda move: worth[move.split()[1]])
        return dearest if worth[dearest.split()[1]] >= self.rune(view) else None

    def rune(self, view: View) -> float:
        """What a Chaos Rune is worth kept: half of it if there is another, a third if the round may be over before long."""
        runes = view.zone(f"hand {view.seat}").count("CR")
        hurry = 3 if min(view.counts.values()) <= LAST else 1
        return EXPLODES / min(runes, 2) / hurry


def play_points(public: dict[str, Any]) -> Iterator[tuple[str, int]]:
    """What each play of this turn has brought: a new meld with its bonus and all that was added to it since."""
    for meld in public["melds"]:
        plays = [play["id"] for play in public["plays"] if play["meld"] == meld["id"]]
        worth = [part["points"] + part["bonus"] for part in meld["parts"]]
        if len(plays) == len(worth):
            worth[0] = sum(worth)
        yield from zip(plays, worth[len(worth) - len(plays) :], strict=True)


# ---- the search -----------------------------------------------------------------------------------


class Search:
    """For the best set of plays from a hand, counted by kinds.

    Every way to lay Flow Hands and to make those on the table longer is tried; the best that can be done with the cards
    that are left then follows number by number, and for runes and kings from a table that is worked out once.
    """

    def __init__(
        self, hand: Hand, melds: list[dict[str, Any]], must: int | None, laid: bool, ending: Ending
    ) -> None:
        """`must`: the kind that has to be played; `laid`: it may add to `melds` without a new one first."""
        self.hand, self.must, self.laid, self.ending = hand, must, laid, ending
        self.grows: dict[str, str] = {}  # the melds to which cards may be added, but for Flow Hands
        self.flows: list[tuple[str, int, int]] = []  # the Flow Hands, from which kind to which
        for meld in melds:
            cards = sorted(KIND[face] for part in meld["parts"] for face in part["cards"])
            if meld["type"] == "flow":
                self.flows.append((meld["id"], cards[0], cards[-1]))
            else:
                name = f"kind {FACES[cards[0]]}" if meld["type"] == "kind" else meld["type"]
                self.grows.setdefault(name, meld["id"])
        self.open = tuple(name for name in ("kingdom", "balance", "red", "blue") if name in self.grows)

    def best(self) -> Plan:
        """The best plan that leaves a card for the discard."""
        plan = self.tried(self.hand)
        if sum(plan.left) > 1:
            return plan
        kinds = [kind for kind, number in enumerate(self.hand) if number]
        plans = [self.tried(minus(self.hand, (kind,)), kind) for kind in kinds]
        if any(plan.left):
            plans.append(plan)
        if self.must is None:
            plans.append(Plan(self.keeping(self.hand, 0), (), self.hand))
        return max(plans)

    def tried(self, hand: Hand, spare: int | None = None) -> Plan:
        """The best plan for this hand; the card `spare` is kept beside it."""
        ways = islice(self.longer(0, hand, ()), MOST)
        return max((self.finished(plays, left, spare) for plays, left in ways), default=NOTHING)

    # ---- Flow Hands -------------------------------------------------------------------------------

    def longer(
        self, flow: int, hand: Hand, plays: tuple[Play, ...]
    ) -> Iterator[tuple[tuple[Play, ...], Hand]]:
        """Every way to make the Flow Hands on the table longer, and then to lay new ones."""
        if flow == len(self.flows):
            yield from self.new(0, hand, plays)
            return
        name, low, top = self.flows[flow]
        for down in range(run(hand, low - 1, -1), -1, -1):
            for up in range(run(hand, top + 1, 1), -1, -1):
                cards = (*range(low - down, low), *range(top + 1, top + 1 + up))
                more = (Play(f"add {name} {spelled(cards)}", cards),) if cards else ()
                yield from self.longer(flow + 1, minus(hand, cards), plays + more)

    def new(self, low: int, hand: Hand, plays: tuple[Play, ...]) -> Iterator[tuple[tuple[Play, ...], Hand]]:
        """Every way to lay new Flow Hands that begin at this kind or a later one."""
        while low < 14 and not (hand[low] and hand[low + 1] and hand[low + 2]):
            low += 1
        if low >= 14:
            yield plays, hand
            return
        for length in range(run(hand, low, 1), 2, -1):
            cards = tuple(range(low, low + length))
            high = sum(card >= RK for card in cards) >= 2
            play = Play(f"meld flow {spelled(cards)}", cards, 15 if high else 0)
            yield from self.new(low, minus(hand, cards), (*plays, play))
        yield from self.new(low + 1, hand, plays)

    # ---- what is left -----------------------------------------------------------------------------

    def finished(self, plays: tuple[Play, ...], left: Hand, spare: int | None) -> Plan:
        """The plan with these Flow Hands, and the best of the rest."""
        rest = [*self.numbers(left), *self.others(left)]
        for play in rest:
            left = minus(left, play.cards)
        every = sorted((*plays, *rest), key=self.order)
        if every and self.forbidden(every[0]):
            return NOTHING
        if self.must is not None and not every:
            return NOTHING
        doubled = sorted((play.doubles for play in every), reverse=True)[: left[ER]]
        doubled = [points for points in doubled if points >= ENERGY]
        left = minus(left, (ER,) * len(doubled))
        if spare is not None:
            left = plus(left, [FACES[spare]])
        points = sum(play.points + play.bonus for play in every) + sum(doubled)
        return Plan(points + self.keeping(left, points), tuple(self.moves(every, doubled)), left)

    def keeping(self, left: Hand, points: int) -> float:
        """What the cards that are left in hand cost in the end; if it is only one, the round is over."""
        cards = sum(left)
        if cards == 1:
            return self.ending.worth if points >= self.ending.needed else LOST
        return (
            sum(number * (SPARED.get(kind, 0.0) - RISK * POINTS[kind]) for kind, number in enumerate(left))
            - TEMPO * cards
        )

    def order(self, play: Play) -> tuple[bool, bool]:
        """The card from the River goes first, and a new meld before what it allows."""
        return self.must not in play.cards, not play.new

    def forbidden(self, first: Play) -> bool:
        """Whether this can't be the first play: the River card is missing, or it has no meld of its own to stand on."""
        return (self.must is not None and self.must not in first.cards) or not (first.new or self.laid)

    def moves(self, plays: Iterable[Play], doubled: list[int]) -> Iterator[str]:
        """The plays as moves, with their Energy Runes."""
        runes = Counter(doubled)
        for play in plays:
            plus = runes[play.doubles] > 0
            runes[play.doubles] -= plus
            yield f"{play.move} +" if plus else play.move

    def numbers(self, hand: Hand) -> Iterator[Play]:
        """Number Cards of a Kind."""
        for kind in range(RR):
            cards = (kind,) * hand[kind]
            if cards and f"kind {FACES[kind]}" in self.grows:
                yield Play(f"add {self.grows[f'kind {FACES[kind]}']} {spelled(cards)}", cards)
            elif len(cards) >= 3:
                yield Play(f"meld kind {spelled(cards)}", cards)

    def others(self, hand: Hand) -> Iterator[Play]:
        """Runes and kings."""
        for name, cards in best_of_runes(hand[RR:CR], self.open):
            if name in self.grows:
                yield Play(f"add {self.grows[name]} {spelled(cards)}", cards)
            else:
                yield Play(f"meld {name} {spelled(cards)}", cards, BONUS[name])


Melds = tuple[tuple[str, tuple[int, ...]], ...]  # types, each with its cards


@lru_cache(maxsize=1 << 16)
def best_of_runes(held: Hand, open: tuple[str, ...]) -> Melds:
    """The best melds of runes and kings from so many RR, BR, SR, RK, BK; the `open` types are on the table already."""
    return max(splits(held, open), key=worth_of)


def worth_of(melds: Melds) -> float:
    """What the melds bring, with what it spares to be rid of their cards."""
    return sum(
        BONUS[name] + sum((1 + RISK) * POINTS[card] + TEMPO for card in cards) for name, cards in melds
    )


def splits(held: Hand, open: tuple[str, ...]) -> Iterator[Melds]:
    """The ways to share out runes and kings between a Kingdom, a Balance, a Red and a Blue Hand."""
    red, blue, swap, red_king, blue_king = held
    for kings in product(range(red_king + 1), range(blue_king + 1)):
        kingdom = (RK,) * kings[0] + (BK,) * kings[1]
        if kingdom and "kingdom" not in open and min(kings) < 2:
            continue
        more_red, more_blue = red_king - kings[0], blue_king - kings[1]
        for runes, pairs in product(range(min(red, blue) + 1), range(min(more_red, more_blue) + 1)):
            swaps = swap if runes + pairs or "balance" in open else 0
            balance = (RR,) * runes + (BR,) * runes + (SR,) * swaps + (RK,) * pairs + (BK,) * pairs
            if balance and "balance" not in open and len(balance) < 3:
                continue
            blues = (BR,) * (blue - runes) + (BK,) * (more_blue - pairs)
            for with_kings in range(more_red - pairs + 1):
                reds = (RR,) * (red - runes) + (RK,) * with_kings
                types = {"kingdom": kingdom, "balance": balance, "red": reds, "blue": blues}
                yield tuple(
                    (name, cards)
                    for name, cards in types.items()
                    if len(cards) >= 3 or (cards and name in open)
                )


# ---- hands ----------------------------------------------------------------------------------------


def hand_of(faces: Iterable[str]) -> Hand:
    """So many cards of each kind."""
    counts = Counter(faces)
    return tuple(counts[face] for face in FACES)


def plus(hand: Hand, faces: Iterable[str]) -> Hand:
    return tuple(map(sum, zip(hand, hand_of(faces), strict=True)))


def minus(hand: Hand, cards: Iterable[int]) -> Hand:
    left = list(hand)
    for card in cards:
        left[card] -= 1
    return tuple(left)


def run(hand: Hand, kind: int, step: int) -> int:
    """How many kinds in a row are held, from this one on."""
    length = 0
    while 0 <= kind < 16 and hand[kind]:
        length, kind = length + 1, kind + step
    return length


def spelled(cards: Iterable[int]) -> str:
    return " ".join(FACES[card] for card in cards)


def is_meld(cards: tuple[int, ...]) -> bool:
    """Whether these three cards, in order, are a meld."""
    kinds = set(cards)
    flow = cards == tuple(range(cards[0], cards[0] + 3))
    alike = len(kinds) == 1 and cards[0] < RR
    balance = cards in ((RR, BR, SR), (SR, RK, BK))
    return flow or alike or balance or kinds <= {RR, RK} or kinds <= {BR, BK}


TRIPLES = {cards for cards in combinations_with_replacement(range(16), 3) if is_meld(cards)}
