"""Cambio Rummy: complete lists, and what they cost. What a record can prove stands in tests/rules/cambio-rummy."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from itertools import product
from statistics import median

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.games import find
from lanplay.games.rummy import Rummy
from lanplay.games.rummy.asks import PLAY
from lanplay.games.rummy.cards import COPIES, DECK, KINDS, ONE, Count, cards_of, count_of, of, present, size
from lanplay.games.rummy.melds import ANY_KIND, extended, fits, new_melds
from lanplay.games.rummy.moves import TYPES, addition, new_meld
from lanplay.games.rummy.table import EXPLODED, LAID, STREAM
from lanplay.games.rummy.widest import longest
from lanplay.room import telling
from lanplay.wire.codec import encode_secret
from lanplay.wire.messages import Secret
from tests.games.play import walk

RULES = find("cambio-rummy")


def positions(seed: int, steps: int = 400, **options: int) -> Iterator[tuple[Game, Rummy]]:
    """The positions of a random game."""
    rng = random.Random(seed)
    words = {"max_turns": 60, "max_rounds": 3, "target": 100000, **options}
    game = Game(RULES, 2 + seed % 5, RULES.defaults.read(words), seeded(b"%d" % seed))
    for _ in walk(game, rng, steps):
        assert isinstance(game.table, Rummy)
        if not game.over:
            yield game, game.table


def hand_of(table: Rummy, seed: int, cards: int) -> Rummy:
    """The position with so many more cards of the draw pile in the hand of the player in turn, who is to play."""
    twin = table.copy()
    rng = random.Random(seed)
    rng.shuffle(twin.lay[0])
    twin.ask, twin.must = PLAY, ANY_KIND
    hand = twin.lay[twin.hands[twin.turn]]
    while len(hand) < cards and twin.lay[0]:
        hand.append(twin.lay[0].pop())
    twin.recount()
    return twin


# ---- the deck -------------------------------------------------------------------------------------


def test_r1_2_the_deck() -> None:
    assert len(DECK.cards) == sum(COPIES) == 122
    assert [DECK.faces[card] for card in DECK.cards][70:92] == ["9", "9", *["RR"] * 10, *["BR"] * 10]


@given(st.lists(st.sampled_from(DECK.cards), max_size=60))
def test_cards_are_counted_by_kind(cards: list[int]) -> None:
    count = count_of(cards)
    assert [of(count, kind) for kind in KINDS] == [min(15, cards.count(kind)) for kind in KINDS]
    assert present(count) == sum(1 << kind for kind in set(cards))
    assert len(cards_of(count)) == size(count)


def test_more_cards_of_a_kind_than_there_are_can_be_named_and_nobody_has_them() -> None:
    game = Game(RULES, 2, RULES.defaults, seeded(b""))
    game.play(0, "draw")
    move = game.read("meld kind" + 20 * " 5")
    assert move == "meld kind" + 20 * " 5"
    refusal = game.refusal(0, move)
    assert refusal
    assert refusal.code == "no-such-card"


def test_r8_1_bots_are_told_what_cards_count() -> None:
    assert RULES.worth
    worth = dict(zip(DECK.faces, RULES.worth(RULES.defaults), strict=True))
    assert (worth["1"], worth["9"], worth["SR"], worth["RK"], worth["BK"], worth["CR"]) == (
        1,
        9,
        10,
        -2,
        13,
        0,
    )


# ---- complete lists -------------------------------------------------------------------------------


def parts(held: Count) -> Iterator[Count]:
    """Every choice from these cards, by the rules of arithmetic alone."""
    for numbers in product(*(range(of(held, kind) + 1) for kind in KINDS)):
        yield sum(number * one for number, one in zip(numbers, ONE, strict=True))


def every_play(table: Rummy, held: Count) -> set[str]:
    """Every play that the clauses allow, found by trying all choices of cards for all melds."""
    cards, found = size(held), set()
    for chosen, energy in product(parts(held), (False, True)):
        together = chosen + energy * ONE[-1]
        if energy > of(held, 15) - of(chosen, 15) or size(together) >= cards:
            continue
        if table.must >= 0 and not of(chosen, table.must):
            continue
        found |= {str(new_meld(n, chosen, energy)) for n in range(len(TYPES)) if fits(n, chosen)}
        if size(chosen) and not (energy and size(chosen) > 1):
            found |= {
                str(addition(meld.number, chosen, energy))
                for meld in table.open_melds(table.turn)
                if fits(meld.type, meld.cards + chosen)
            }
    return found


@pytest.mark.parametrize("seed", range(12))
def test_r4_every_play_is_listed_once(seed: int) -> None:
    tried = 0
    for number, (_, table) in enumerate(positions(seed)):
        if number % 5 or table.ask is not PLAY or len(table.lay[table.hands[table.turn]]) > 11:
            continue
        plays = [str(move) for move in table.legal(table.turn) if move.verb != "discard"]
        assert len(plays) == len(set(plays))
        assert set(plays) == every_play(table, table.holds[table.turn])
        tried += 1
    assert tried


@pytest.mark.parametrize("hand", ["RR RR BR BR SR RK RK BK BK ER", "1 1 1 1 2 3 ER", "RK BK CR ER ER 9 RR"])
def test_r4_every_play_from_a_rich_hand(hand: str) -> None:
    table = next(iter(positions(0)))[1].copy()
    table.ask, table.must = PLAY, ANY_KIND
    table.lay[table.hands[table.turn]][:] = [DECK.faces.index(face) for face in hand.split()]
    table.recount()
    plays = {str(move) for move in table.legal(table.turn) if move.verb != "discard"}
    assert plays == every_play(table, table.holds[table.turn])


@pytest.mark.parametrize("seed", range(30))
def test_r3_3_the_river_is_offered_where_a_first_play_exists(seed: int) -> None:
    for _, table in positions(seed):
        me, river = table.turn, table.river()
        if table.ask is PLAY:
            continue
        offered = {move.args[0] for move in table.river_moves(me)}
        for position in range(1, len(river) + 1):
            held = table.holds[me] + sum(ONE[card] for card in river[position - 1 :])
            room, must = size(held) - 1, river[position - 1]
            plays = [*new_melds(held, present(held), room, must)]
            for meld in table.open_melds(me):
                if held & meld.grows_by:
                    plays += extended(meld, held, present(held), room, must, of(held, 15))
            assert (position in offered) == bool(plays)


# ---- what is sealed -------------------------------------------------------------------------------


def told(moves: list[str]) -> int:
    return len(encode_secret(Secret(moves, [])))


@pytest.mark.parametrize("seed", range(20))
def test_no_hand_has_a_longer_list_than_is_filled_up_to(seed: int) -> None:
    for number, (_, table) in enumerate(positions(seed, 120)):
        twin = hand_of(table, number, random.Random(number).choice([2, 5, 8, 12, 20, 40]))
        legal, widest = twin.legal(twin.turn), twin.widest(twin.turn)
        assert told(list(map(str, legal))) <= told(list(map(str, widest)))


RICH = [
    "RR RR BR BR SR RK RK BK BK ER",
    "RR RR RR BR BR BR SR SR RK RK BK ER",
    "9 RR BR SR RK BK CR ER",
    "7 7 7 7 7 7 7 7 ER",
]


@pytest.mark.parametrize(
    "hand", [*RICH, " ".join(RICH[:3]), " ".join(DECK.faces[card] for card in DECK.cards)]
)
def test_not_even_a_hand_that_is_made_for_it(hand: str) -> None:
    held = count_of(DECK.faces.index(face) for face in hand.split())
    moves = list(map(str, new_melds(held, present(held), size(held) - 1)))
    assert told(moves) <= told(["?" * longest(size(held), ())])


def test_the_length_depends_on_the_number_of_cards_and_the_melds_alone() -> None:
    for number, (_, table) in enumerate(positions(3)):
        one, other = hand_of(table, number, 12), hand_of(table, number + 1, 12)
        if len(one.lay[one.hands[one.turn]]) == 12:
            assert one.widest(one.turn) == other.widest(other.turn)


# ---- what others may know -------------------------------------------------------------------------


def test_r7_3_the_last_card_is_told_to_its_player_alone() -> None:
    gone_out = [seed for seed in range(60) if goes_out(seed)]
    assert len(gone_out) > 10


def goes_out(seed: int) -> bool:
    """The first round of a random game ends with a card laid face down, and is told so."""
    for game, table in positions(seed, max_rounds=1, max_turns=0):
        seat = table.turn
        if table.ask is not PLAY or len(table.lay[table.hands[seat]]) != 1:
            continue
        before = game.accepted
        game.play(seat, str(game.legal(seat)[0]))
        by_kind = {fact[0]: fact for fact in reversed(game.facts(before))}
        assert by_kind["acted"][6] == by_kind["moved"][6] == 1 << seat
        assert game.state(15)["river"][-1] == "??" != game.state(seat)["river"][-1]
        for since in range(before, before - 8, -1):
            sent = telling.update(game, telling.story(game, since, None), seat, None)
            assert sent.secret
            assert len(encode_secret(sent.secret)) <= sent.pad
        return True
    return False


def test_r5_1_who_may_be_asked_for_a_chaos_rune_is_seen_by_all() -> None:
    for _, table in positions(5):
        asked = [seat for seat in range(len(table.hands)) if table.anytime(seat)]
        others = [seat for seat in range(len(table.hands)) if seat != table.turn]
        assert asked == (others if table.plays else [])


def test_r5_7_a_discard_waits_while_a_play_lies_there() -> None:
    for _, table in positions(6, chaos_window=5):
        for move in table.legal(table.turn) if table.asked else ():
            wait = table.ask.hold(table, table.turn, move)
            assert wait == (5 if move.verb == "discard" and table.plays else 0)


# ---- laws and costs -------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(10))
def test_scores_and_melds_agree_with_what_lies_there(seed: int) -> None:
    for _, table in positions(seed):
        parts = [part for meld in table.melds for part in meld.parts]
        for seat, score in enumerate(table.scores):
            assert score == sum(part.points + part.bonus for part in parts if part.by == seat)
        assert sorted(table.lay[LAID]) == sorted(
            card for part in parts for card in cards_of(part.cards + part.energy * ONE[15])
        )
        assert all(fits(meld.type, meld.cards) for meld in table.melds)
        assert table.holds == tuple(count_of(table.lay[hand]) for hand in table.hands)
        assert len(table.lay[STREAM]) + len(table.lay[EXPLODED]) <= 122


@settings(max_examples=5)
@given(st.integers(0, 1000))
def test_lists_are_quick(seed: int) -> None:
    """Under 2 ms for a hand of 12, under 20 ms for 40 cards, at the median."""
    for cards, limit in ((12, 0.002), (40, 0.02)):
        times = []
        for number, (_, table) in enumerate(positions(seed, 60)):
            twin = hand_of(table, number, cards)
            start = time.perf_counter()
            twin.legal(twin.turn)
            times.append(time.perf_counter() - start)
        assert median(times) < limit


@pytest.mark.parametrize(
    ("typed", "spelled"),
    [
        ("MELD FLOW 5 3 4", "meld flow 3 4 5"),
        ("Meld Kind 5 5 5 +", "meld kind 5 5 5 +"),
        ("add m2 6", "add M2 6"),
        ("Chaos p1", "chaos P1"),
        ("RIVER 3", "river 3"),
    ],
)
def test_letter_case_of_types_melds_and_plays_does_not_matter(typed: str, spelled: str) -> None:
    assert find("cambio-rummy").read(typed) == spelled
