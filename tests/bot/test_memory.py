"""The SDK's memory: never wrong, never knowing what the seat was not told, and enough to deal the rest."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lanplay.bot.memory import Memory
from lanplay.engine.words import GONE, HIDDEN
from lanplay.games import find
from tests.games.play import EVERY_GAME, games, walk


@pytest.mark.parametrize("name", EVERY_GAME)
@given(data=st.data())
def test_what_is_remembered_lies_there_and_samples_agree_with_it(name: str, data: st.DataObject) -> None:
    game = data.draw(games(find(name)))
    rng = random.Random(data.draw(st.integers(0, 2**32)))
    me = data.draw(st.sampled_from(range(game.seats)))
    memory, told = Memory(me, game.zones), 0
    for _ in walk(game, rng, 80):
        log = game.log or []
        memory.take([fact if fact[6] >> me & 1 else (*fact[:5], HIDDEN, fact[6]) for fact in log[told:]])
        told = len(log)
        for mine, there in zip(memory.lay, game.table.lay, strict=True):
            pairs = list(zip(mine, there, strict=True)) if GONE in mine + there else []
            assert all(face in (card, HIDDEN) for face, card in pairs)
            assert not Counter(face for face in mine if face >= 0) - Counter(there)
        view = game.view(me)
        seen = [face for cards in view.lay for face in cards if face >= 0]
        assert not Counter(seen) - Counter(face for cards in memory.lay for face in cards)
    dealt = memory.sample(rng)
    assert Counter(card for cards in dealt for card in cards if card != GONE) == Counter(
        game.zones.deck.cards
    )
    for mine, guess in zip(memory.lay, dealt, strict=True):
        assert all(face in (card, HIDDEN) for face, card in zip(mine, guess, strict=True))
