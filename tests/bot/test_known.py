"""What the SDK says of the table is so, in random games of every game, and its deals agree with it and the past."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.arena.game import Pairing, play
from lanplay.bot import Bot, View
from lanplay.bot.memory import Memory, deal
from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.engine.words import (
    ACTED,
    ANY,
    EVERYONE,
    GONE,
    HIDDEN,
    MOVED,
    ROUND,
    SEATS,
    SHOWN,
    SHUFFLED,
    TOP,
    Card,
    Told,
    masked,
)
from lanplay.games import find
from tests.games.play import EVERY_GAME, games, walk


class Seen:
    """How many cards of each face must lie in each zone without places, for all that one seat has seen."""

    def __init__(self, seat: int, game: Game) -> None:
        self.bit, self.game = 1 << seat, game
        self.known: dict[int, Counter[Card]] = {}
        self.sizes: Counter[int] = Counter()

    def take(self, facts: list[Told]) -> None:
        for kind, source, at, target, _, face, eyes in facts:
            if kind == MOVED:
                self.moved(source, target, face if eyes & self.bit else HIDDEN)
            elif kind == SHOWN and eyes & self.bit and source not in self.game.zones.numbered:
                shown = self.known[source] if at else Counter[Card]()
                self.known[source] = shown + Counter([face])
            elif kind == SHUFFLED:
                self.known[source], self.known[target] = Counter(), Counter()
                self.sizes[target], self.sizes[source] = (
                    len(face),
                    self.sizes[source] if source == target else at,
                )
            elif kind == ROUND:
                self.known = {zone: Counter() for zone in range(len(self.game.zones.names))}
                self.sizes = Counter({0: len(self.game.zones.deck.cards)})

    def moved(self, source: int, target: int, face: Card) -> None:
        if self.sizes[source] == 1 and self.known[source]:
            (face,) = self.known[source]
        if face == HIDDEN:
            self.known[source] = Counter()
        else:
            self.known[source] -= Counter([face])
            self.known[target][face] += 1
        self.sizes[source] -= 1
        self.sizes[target] += 1


def check(memory: Memory, game: Game, seen: Seen) -> None:
    """Nothing known is wrong, nothing seen is forgotten, and what is hidden is one of its pool."""
    hidden: Counter[Card] = Counter()
    for zone, (lores, cards) in enumerate(zip(memory.lay, game.table.lay, strict=True)):
        known = Counter(lore.card for lore in lores if lore and lore.card != HIDDEN)
        true = Counter(card for card in cards if card != GONE)
        assert not known - true
        assert len([lore for lore in lores if lore]) == true.total()
        if zone in memory.loose:
            assert known == seen.known[zone]
        else:
            assert all(lore.card in (card, HIDDEN) for lore, card in zip(lores, cards, strict=True) if lore)
        unknown = [lore for lore in lores if lore and lore.card == HIDDEN]
        for card in true - known:
            assert any(lore.pool.get(card) and not lore.barred >> card & 1 for lore in unknown)
        hidden += true - known
    assert Counter({card: number for card, number in memory.unseen().items() if number}) == hidden


def agrees(memory: Memory, dealt: list[list[Card]]) -> None:
    """All cards are there, and none where it is known not to be."""
    cards = [card for places in dealt for card in places if card != GONE]
    assert Counter(cards) == Counter(memory.zones.deck.cards)
    for lores, guesses in zip(memory.lay, dealt, strict=True):
        for lore, guess in zip(lores, guesses, strict=True):
            assert (lore is None) == (guess == GONE)
            if lore:
                assert guess == lore.card or (lore.card == HIDDEN and not lore.barred >> guess & 1)


@pytest.mark.parametrize("name", EVERY_GAME)
@settings(max_examples=40)
@given(data=st.data())
def test_known_is_so_and_samples_agree(name: str, data: st.DataObject) -> None:
    game = data.draw(games(find(name)))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    seat = rng.randrange(game.seats)
    memory, seen, told = Memory(seat, game.zones), Seen(seat, game), 0
    for _ in walk(game, rng, 100):
        facts = (game.log or [])[told:]
        told += len(facts)
        memory.take([masked(fact, seat) for fact in facts])
        seen.take(facts)
        check(memory, game, seen)
    agrees(memory, memory.sample(rng))


@pytest.mark.parametrize("seed", range(4))
def test_a_sample_could_have_been_the_deal(seed: int) -> None:
    """Dealt as the sample says, every question of the past would have had the same answer (Not at Home)."""
    rules = find("not-at-home")
    game = Game(rules, 3 + seed, rules.defaults, seeded(b"past"))
    rng, memory = random.Random(seed), Memory(seed % 3, game.zones)
    for _ in walk(game, rng, 60 if seed else 110):
        pass
    log = game.log or []
    memory.take([masked(fact, memory.seat) for fact in log])
    barred = 0
    for _ in range(5):
        hands = [set(cards) for cards in memory.sample(rng)[1:]]
        for kind, source, _, target, _, face, _ in reversed([fact for fact in log if fact[1]]):
            if kind == MOVED:
                hands[target - 1].remove(face)
                hands[source - 1].add(face)
        assert all(len(hand) in (52 // game.seats, -(-52 // game.seats)) for hand in hands)
        barred += replayed(log, hands)
    assert barred


def replayed(log: list[Told], hands: list[set[Card]]) -> int:
    """Plays the past again with these hands, and counts the misses."""
    faces, misses = find("not-at-home").deck(find("not-at-home").defaults).faces, 0
    for fact, then in zip(log, [*log[1:], ("end",)], strict=True):
        if fact[0] == ACTED:
            _, other, face = str(fact[5]).split()
            card = faces.index(face)
            assert card not in hands[fact[1]]
            assert (card in hands[SEATS.index(other)]) == (then[0] == MOVED)
            if then[0] == MOVED:
                hands[SEATS.index(other)].remove(card)
                hands[fact[1]].add(card)
            misses += then[0] != MOVED
    return misses


def test_a_hand_that_is_shown_need_not_lie_as_it_was_remembered() -> None:
    """Of two alike cards one was seen, the other leaves: which of them is left does not matter, until it is shown."""
    rules = find("cambio-rummy")
    game = Game(rules, 2, rules.defaults, seeded(b"shown"))
    memory = Memory(0, game.zones)
    memory.take([masked(fact, 0) for fact in game.log or []])
    hand, river = memory.zone["hand B"], memory.zone["river"]
    truth = game.table.lay[hand]
    three = truth[0]
    memory.take(
        [(MOVED, hand, ANY, river, TOP, three, EVERYONE), (MOVED, river, TOP, hand, TOP, three, EVERYONE)]
    )
    rest = [*truth[1:], three]
    memory.take([(SHOWN, hand, at, hand, at, card, EVERYONE) for at, card in enumerate(rest[::-1])])
    assert [lore and lore.card for lore in memory.lay[hand]] == rest[::-1]


def test_the_last_card_of_a_hand_is_known_if_it_was() -> None:
    """B takes back what the river began with, lays all else, and puts it face down."""
    rules = find("cambio-rummy")
    game = Game(rules, 2, rules.defaults, seeded(b"last"))
    memory = Memory(0, game.zones)
    memory.take([masked(fact, 0) for fact in game.log or []])
    hand, river, last = (memory.zone[name] for name in ("hand B", "river", "last"))
    begun = game.table.lay[river][0]
    memory.take([(MOVED, river, TOP, hand, TOP, begun, EVERYONE)])
    memory.take([(MOVED, hand, ANY, river, TOP, card, EVERYONE) for card in game.table.lay[hand]])
    memory.take([(MOVED, hand, ANY, last, TOP, HIDDEN, 0b10)])
    assert [lore and lore.card for lore in memory.lay[last]] == [begun]
    assert memory.unseen()[begun] == rules.deck(rules.defaults).cards.count(begun) - sum(
        lore.card == begun for lore in memory.cards()
    )


def test_cards_that_a_hand_can_t_hold_are_told() -> None:
    told: list[tuple[str, str, set[str]]] = []

    class Asks(Bot):
        def act(self, view: View) -> str:
            told.extend((view.seat, seat, view.barred(f"hand {seat}")) for seat in view.others)
            return view.moves[0]

    rules = find("not-at-home")
    play(Pairing(rules, rules.defaults.read({"max_turns": 3}), [Asks] * 3, "abc"), range(3), b"barred")
    assert told[0] == ("A", "B", set())
    assert any(bars for _, _, bars in told)


def test_a_tight_deal_is_mended() -> None:
    """Each place but the last two can hold its own card alone."""
    every = (1 << 40) - 1
    barred = [every ^ 1 << at for at in range(38)] + [0, 0]
    cards = list(range(40))
    deal(cards, barred, random.Random(1))
    assert cards[:38] == list(range(38))
    with pytest.raises(ValueError, match="no deal"):
        deal([0, 1], [1, 1], random.Random(1))
