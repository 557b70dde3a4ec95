"""The SDK's memory: never wrong, forgetting nothing, knowing nothing untold, and enough to deal the rest."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.bot.memory import Lore, Memory, deal
from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.engine.words import ANY, GONE, HIDDEN, MOVED, ROUND, SHOWN, SHUFFLED, TOP, Told, masked
from lanplay.games import find
from tests.games.play import EVERY_GAME, games, walk


class Truth:
    """Who has seen which card since it was last shuffled, from the unmasked facts of a game whose cards all differ."""

    def __init__(self) -> None:
        self.seen: Counter[int] = Counter()

    def take(self, facts: list[Told]) -> None:
        for kind, source, _, target, _, face, eyes in facts:
            if kind in (MOVED, SHOWN):
                self.seen[face] |= eyes
            elif kind == ROUND:
                self.seen.clear()
            elif kind == SHUFFLED and source != target:
                for card in face:
                    self.seen[card] = 0


def check(memory: Memory, game: Game, truth: Truth) -> None:
    """Everything that the memory says of the table is so, and nothing is forgotten."""
    hidden: Counter[int] = Counter()
    pools = {}
    for lores, cards in zip(memory.lay, game.table.lay, strict=True):
        for lore, card in zip(lores, cards, strict=True):
            assert (lore is None) == (card == GONE)
            if lore is not None:
                assert lore.seen == truth.seen[card]
                assert lore.card == (card if truth.seen[card] & memory.bit else HIDDEN)
            if lore is not None and lore.card == HIDDEN:
                assert lore.pool[card] == 1
                assert not lore.barred >> card & 1
                hidden[id(lore.pool)] += 1
                pools[id(lore.pool)] = lore.pool
    assert hidden == {number: sum(pool.values()) for number, pool in pools.items()}


ONE_OF_EACH = [
    name for name in EVERY_GAME if max(Counter(find(name).deck(find(name).defaults).cards).values()) == 1
]


@pytest.mark.parametrize("name", ONE_OF_EACH)
@given(data=st.data())
def test_what_is_remembered_lies_there_and_samples_agree_with_it(name: str, data: st.DataObject) -> None:
    game = data.draw(games(find(name)))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    memories, truth, told = [Memory(seat, game.zones) for seat in range(game.seats)], Truth(), 0
    for _ in walk(game, rng, 80):
        facts = (game.log or [])[told:]
        told += len(facts)
        truth.take(facts)
        for memory in memories:
            memory.take([masked(fact, memory.seat) for fact in facts])
            check(memory, game, truth)
    for memory in memories:
        agrees(memory, game, memory.sample(rng))


def agrees(memory: Memory, game: Game, dealt: list[list[int]]) -> None:
    """A deal that could be the table, for all that this seat knows."""
    cards = Counter(card for places in dealt for card in places if card != GONE)
    assert cards == Counter(game.zones.deck.cards)
    for lores, guesses in zip(memory.lay, dealt, strict=True):
        for lore, guess in zip(lores, guesses, strict=True):
            assert (lore is None) == (guess == GONE)
            if lore is not None and lore.card != HIDDEN:
                assert guess == lore.card
            elif lore is not None:
                assert lore.pool[guess]
                assert not lore.barred >> guess & 1
    twin = game.table.copy()
    twin.lay = dealt
    assert twin.legal(memory.seat) == game.table.legal(memory.seat)


def cambio(*moves: str, seed: int = 1, **options: str) -> tuple[Game, list[Memory]]:
    rules = find("cambio")
    game = Game(rules, 2, rules.defaults.read(options), seeded(b"%d" % seed))
    for move in moves:
        game.play("AB".index(move[0]), move[2:])
    memories = [Memory(seat, game.zones) for seat in range(2)]
    for memory in memories:
        memory.take([masked(fact, memory.seat) for fact in game.log or []])
    return game, memories


def lore(memory: Memory, hand: str, place: int) -> Lore:
    found = memory.lay[memory.zone[f"hand {hand}"]][place]
    assert found is not None
    return found


def test_a_wrong_snap_tells_everybody_what_the_card_is_not() -> None:
    game, memories = cambio("A pass", "B pass", "A draw", "A swap 2", "B snap 1")
    top = game.zones.deck.faces[game.table.lay[1][-1]]
    for memory in memories:
        barred = {
            face for card, face in enumerate(memory.faces[:-1]) if lore(memory, "B", 1).barred >> card & 1
        }
        assert barred == {top[0] + suit for suit in "cdhs"}
        assert all(not lore(memory, "B", other).barred for other in (2, 3, 4, 5))
        assert lore(memory, "B", 1).card == HIDDEN


def test_what_a_card_is_not_goes_with_it() -> None:
    moves = ["A pass", "B pass", "A draw", "A swap 2", "B snap 1", "B draw", "B swap 2"]
    game, (mine, _) = cambio(*moves)
    barred = lore(mine, "B", 1).barred
    mine.take(
        [("exchanged", game.zones.names.index("hand B"), 1, game.zones.names.index("hand A"), 3, HIDDEN, 0)]
    )
    assert lore(mine, "A", 3).barred == barred
    assert not lore(mine, "B", 1).barred


def test_after_a_reshuffle_it_is_known_which_cards_are_in_the_deck() -> None:
    rules = find("cambio")
    game = Game(rules, 8, rules.defaults, seeded(b"reshuffle"))
    memory, told = Memory(0, game.zones), 0
    while not any(fact[0] == SHUFFLED and fact[1] == 1 for fact in (game.log or [])[told:]):
        told = len(game.log or [])
        memory.take([masked(fact, 0) for fact in game.facts(game.accepted - 1 if game.accepted else -1)])
        seat = game.must_act[0]
        game.play(seat, next(move for move in ("pass", "draw", "swap 1") if move in game.legal(seat)))
    pile = set(game.table.lay[1])
    memory.take([masked(fact, 0) for fact in game.facts(game.accepted - 1)])
    deck = set(game.table.lay[0])
    for lores in memory.lay[3:]:
        for one in lores:
            if one is not None and one.card == HIDDEN and one.pool is not memory.lay[0][-1].pool:  # type: ignore[union-attr]
                assert not {card for card, count in one.pool.items() if count} & deck
    assert not pile & deck


def test_a_break_leaves_what_lies_open() -> None:
    game, (memory, _) = cambio("A peek 1 2", "B pass", "A draw")
    memory.recall(game.view(0).lay)
    assert lore(memory, "A", 1).card == HIDDEN
    held = memory.lay[memory.zone["held A"]][0]
    assert held is not None
    assert held.card == game.table.lay[memory.zone["held A"]][0]
    agrees(memory, game, memory.sample(random.Random(1)))


def test_cards_that_leave_a_hand_without_places_are_not_taken_for_known_ones() -> None:
    """Of a hand that its owner keeps in an order of their own, one card goes unseen: it may have been any."""
    _, (memory, _) = cambio()
    hand, pile = memory.zone["held B"], memory.zone["pile"]
    memory.take([(MOVED, 0, TOP, hand, TOP, 7, 0b11), (MOVED, 0, TOP, hand, TOP, HIDDEN, 0b10)])
    memory.take([(MOVED, hand, ANY, memory.zone["held A"], TOP, HIDDEN, 0)])
    left = memory.lay[hand][0]
    assert left is not None
    assert left.card == HIDDEN
    assert left.pool[7] == 1
    memory.take([(MOVED, hand, ANY, pile, TOP, 7, 0xFFFF)])
    assert memory.lay[pile][-1].card == 7  # type: ignore[union-attr]
    assert sum(memory.unseen().values()) == sum(map(len, memory.hidden().values()))


@given(
    st.lists(st.sets(st.integers(0, 5), max_size=5), min_size=6, max_size=6),
    st.permutations(range(6)),
    st.integers(),
)
def test_a_deal_that_hardly_exists_is_found(bars: list[set[int]], one: list[int], seed: int) -> None:
    barred = [sum(1 << card for card in bad if card != one[at]) for at, bad in enumerate(bars)]
    cards = list(range(6))
    deal(cards, barred, random.Random(seed))
    assert sorted(cards) == list(range(6))
    assert not any(bits >> cards[at] & 1 for at, bits in enumerate(barred))


def test_deals_are_even() -> None:
    """Place 0 can't hold card 0: all other deals are equally likely."""
    rng, seen = random.Random(3), Counter[tuple[int, ...]]()
    for _ in range(4000):
        cards = [0, 1, 2]
        deal(cards, [1, 0, 0], rng)
        seen[tuple(cards)] += 1
    assert set(seen) == {(1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)}
    assert all(880 < count < 1120 for count in seen.values())
