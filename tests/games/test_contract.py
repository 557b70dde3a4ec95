"""The laws that every game passes: a new game gets them for nothing."""

from __future__ import annotations

import copy
import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lanplay.engine.game import Game
from lanplay.engine.shuffle import seeded
from lanplay.engine.view import Fold, View, covered
from lanplay.engine.words import GONE, HIDDEN, SPECTATOR, Refusal, Seat
from lanplay.games import find
from lanplay.record import write
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room import telling
from lanplay.wire.codec import encode, encode_secret
from tests.games.play import EVERY_GAME, games, walk

every_game = pytest.mark.parametrize("name", EVERY_GAME)
some = settings(max_examples=40)
few = settings(max_examples=25)
seeds = st.integers(0, 2**32)


def begun(name: str, data: st.DataObject, steps: int) -> tuple[Game, random.Random]:
    """A game somewhere in the middle, and dice to go on with."""
    game = data.draw(games(find(name)))
    rng = random.Random(data.draw(seeds))
    for _ in walk(game, rng, rng.randrange(steps)):
        pass
    return game, rng


@every_game
@some
@given(data=st.data())
def test_cards_are_conserved(name: str, data: st.DataObject) -> None:
    game, rng = begun(name, data, 2)
    for _ in walk(game, rng, 120):
        table = game.table
        lying = Counter(card for cards in table.lay for card in cards if card != GONE)
        assert lying == Counter(table.zones.deck.cards)
        for zone, slots in table.slots.items():
            held = {place for place, card in enumerate(table.lay[zone]) if card != GONE}
            assert held == {place for place in range(slots.bit_length()) if slots >> place & 1}


@every_game
@few
@given(data=st.data())
def test_the_same_seed_and_moves_give_the_same_facts(name: str, data: st.DataObject) -> None:
    game = data.draw(games(find(name)))
    other = Game(game.rules, game.seats, game.options, game.shuffler)
    for seat, move in walk(game, random.Random(data.draw(seeds)), 150):
        other.play(seat, move)
    assert other.log == game.log
    assert other.state() == game.state()


@every_game
@some
@given(data=st.data())
def test_a_view_is_the_fold_of_what_was_told_and_agrees_with_the_table(
    name: str, data: st.DataObject
) -> None:
    game, rng = begun(name, data, 2)
    readers = [*range(game.seats), SPECTATOR]
    masked = {seat: View(seat, Fold(game.zones, seat)) for seat in readers}
    told = 0
    for _ in walk(game, rng, 100):
        facts = game.log or []
        for seat in readers:
            masked[seat].fold.take(
                [fact if fact[6] >> seat & 1 else (*fact[:5], HIDDEN, fact[6]) for fact in facts[told:]]
            )
            assert masked[seat].lay == game.view(seat).lay
            agrees(game, masked[seat])
        told = len(facts)


def agrees(game: Game, view: View) -> None:
    """The view shows no more than lies there, covers what it must, and no place is missing."""
    shown = {(zone, at) for zone, at, _, eyes in view.fold.shown if eyes >> view.seat & 1}
    for zone, (seen, there) in enumerate(zip(view.lay, game.table.lay, strict=True)):
        assert len(seen) == len(there)
        if view.sees[zone] and zone not in game.table.slots:
            assert Counter(seen) == Counter(there)
            continue
        for place, (face, card) in enumerate(zip(seen, there, strict=True)):
            assert (face == GONE) == (card == GONE)
            assert face == card or (face == HIDDEN and (zone, place) not in shown)


@every_game
@some
@given(data=st.data())
def test_a_seat_cannot_tell_apart_worlds_that_differ_in_what_it_may_not_know(
    name: str, data: st.DataObject
) -> None:
    game, rng = begun(name, data, 80)
    me = data.draw(st.sampled_from([*range(game.seats), SPECTATOR]))
    other = twin(game)
    mix_what_is_hidden(other, me, rng)
    assert told(game, me, game.accepted) == told(other, me, other.accepted)
    if game.over:
        return
    for seat in game.must_act:
        both = sorted(set(game.legal(seat)) & set(other.legal(seat)))
        if seat != me and both:
            compare_after(game, other, me, seat, rng.choice(both))
            return


def compare_after(game: Game, other: Game, me: Seat, seat: Seat, move: str) -> None:
    """Another seat moves in both worlds: unless it showed me something that differs, I hear the same."""
    before = game.accepted
    game.play(seat, move)
    other.play(seat, move)
    mine, theirs = told(game, me, before), told(other, me, before)
    if faces(game, me, before) == faces(other, me, before):
        assert mine == theirs


def twin(game: Game) -> Game:
    """The same game, to be played on by itself."""
    other = copy.copy(game)
    other.log, other.steps, other.told = list(game.log or []), list(game.steps), None
    other.ended, other.offered = list(game.ended), {}
    other.table = game.table.copy()
    other.table.log = other.log
    return other


def mix_what_is_hidden(game: Game, me: Seat, rng: random.Random) -> None:
    view = game.view(me)
    lay = game.table.lay
    places = [
        (zone, place)
        for zone, cards in enumerate(lay)
        for place, card in enumerate(cards)
        if card != GONE and view.lay[zone][place] == HIDDEN
    ]
    cards = [lay[zone][place] for zone, place in places]
    rng.shuffle(cards)
    for (zone, place), card in zip(places, cards, strict=True):
        lay[zone][place] = card
    game.table.recount()
    fold = view.fold
    fold.lay[:] = [cards[:] if seen else covered(cards) for seen, cards in zip(fold.seen, lay, strict=True)]


def told(game: Game, me: Seat, since: int) -> list[object]:
    """All that goes to this seat for what happened after a step, as bytes before sealing, and the sealed length."""
    names = dict.fromkeys(range(game.seats), "x")
    tellings = [
        telling.update(game, telling.story(game, since, None), me, None),
        telling.snapshot(game, names, me, None, None),
    ]
    return [
        (encode(t.message), None if t.secret is None else encode_secret(t.secret), t.pad) for t in tellings
    ]


def faces(game: Game, me: Seat, since: int) -> list[object]:
    return [fact[5] for fact in game.facts(since) if fact[6] >> me & 1]


@every_game
@some
@given(data=st.data())
def test_what_is_sealed_fits_into_its_padding(name: str, data: st.DataObject) -> None:
    game, rng = begun(name, data, 2)
    names = dict.fromkeys(range(game.seats), "x")
    for _ in walk(game, rng, 60):
        for seat in range(game.seats):
            for t in (
                telling.update(game, telling.story(game, game.accepted - 1, None), seat, None),
                telling.snapshot(game, names, seat, None, None),
            ):
                assert t.secret is not None
                assert len(encode_secret(t.secret)) <= t.pad


@every_game
@few
@given(data=st.data())
def test_copies_share_nothing_that_changes(name: str, data: st.DataObject) -> None:
    game, rng = begun(name, data, 60)
    before = picture(game)
    state = rng.getstate()
    played = []
    for _ in range(2):
        other = twin(game)
        rng.setstate(state)
        list(walk(other, rng, 40))
        played.append(picture(other))
    assert picture(game) == before
    assert played[0] == played[1]


def picture(game: Game) -> str:
    table = game.table
    return repr(
        (table.lay, table.slots, [getattr(table, name) for name in table.values if name != "shuffler"])
    )


@every_game
@few
@given(data=st.data())
def test_listed_moves_are_accepted_and_others_refused_with_a_reason_and_without_a_trace(
    name: str, data: st.DataObject
) -> None:
    game, rng = begun(name, data, 60)
    vocabulary = sorted(
        {str(move) for seat in range(game.seats) for move in game.legal(seat)}
        | {"pass", "draw"} & game.rules.verbs
    )
    for _ in walk(game, rng, 25):
        vocabulary += [move for move in map(str, game.legal(rng.randrange(game.seats))) if rng.random() < 0.2]
        before = picture(game), len(game.log or [])
        for seat in range(game.seats):
            for move in rng.sample(vocabulary, min(8, len(vocabulary))):
                refused(game, seat, move)
        assert (picture(game), len(game.log or [])) == before
        for seat in range(game.seats):
            for move in rng.sample(game.legal(seat), min(2, len(game.legal(seat)))):
                twin(game).play(seat, str(move))


def refused(game: Game, seat: Seat, move: str) -> None:
    refusal = game.refusal(seat, game.read(move))
    assert (refusal is None) == (move in game.legal(seat))
    if refusal:
        assert refusal.code not in ("syntax", "late")
        assert refusal.sentence.endswith((".", ")"))
        with pytest.raises(Refusal):
            game.play(seat, move)


@every_game
@some
@given(data=st.data())
def test_somebody_can_always_move_until_random_play_ends(name: str, data: st.DataObject) -> None:
    game, rng = begun(name, data, 2)
    for _ in walk(game, rng, 10_000):
        assert game.over or all(game.legal(seat) for seat in game.must_act)
        assert game.over == (not game.must_act)
        for seat in game.must_act:
            assert game.table.default(seat) in game.legal(seat)
    assert game.over


@every_game
@few
@given(data=st.data())
def test_replaying_the_record_gives_the_same_game(name: str, data: st.DataObject) -> None:
    game, rng = data.draw(games(find(name))), random.Random(data.draw(seeds))
    names = {seat: f"Player {seat}" for seat in range(game.seats)}
    text, objects = write.header(game, names), [game.object(names)]
    for seat, _ in walk(game, rng, 300):
        move = next(fact[5] for fact in game.facts(game.accepted - 1) if fact[0] == "acted")
        text += write.action(game, seat, move, 1.5)
        objects.append(game.object(names))
    replay = Replay(read(text))
    assert [replay.object() for _ in replay.play()] == objects


@every_game
def test_every_number_of_players_can_play(name: str) -> None:
    rules = find(name)
    for seats in range(10):
        if seats in rules.seats:
            assert Game(rules, seats, rules.defaults, seeded(b"")).must_act
        else:
            with pytest.raises(ValueError, match="is for"):
                Game(rules, seats, rules.defaults, seeded(b""))
