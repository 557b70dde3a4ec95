"""What a peer was told of a game, held against the game as its record has it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import NamedTuple

from lanplay.engine.game import Game
from lanplay.engine.view import Fold, View
from lanplay.engine.words import SPECTATOR, Seat
from lanplay.record.verify import Proved
from lanplay.room import telling
from lanplay.wire.messages import Face, WireFact


class Heard(NamedTuple):
    """What one message told: an update by its facts, a snapshot by how the cards `lay`."""

    since: int  # the step before it; -1: the deal was told too
    step: int
    head: bytes
    facts: Sequence[WireFact] = ()
    faces: Sequence[str] = ()
    lay: Sequence[Sequence[Face]] | None = None


def rewritten(proved: Proved, log: Iterable[Heard], seat: Seat) -> Iterator[str]:
    """The first step at which the record is not what this seat (or SPECTATOR) was told, and the first with another head."""
    game, heads = proved.replay.game, set[str]()
    for heard in log:
        wrong = differs(game, heard, seat) if heard.step <= game.accepted else "the record ends before it"
        if not heads and heard.head not in proved.heads_at(heard.step):
            heads.add(f"the history up to step {heard.step} was rewritten after it was told")
        if wrong:
            yield f"at step {heard.step} {wrong}"
            break
    yield from heads


def differs(game: Game, heard: Heard, seat: Seat) -> str:
    """What the message told that is not so in the game; empty if all of it is."""
    if heard.lay is not None:
        pairs = [
            pair
            for there, told in zip_longest(lay_at(game, seat, heard.step), heard.lay, fillvalue=())
            for pair in zip_longest(there, told, fillvalue="")
        ]
        return difference(pairs)
    facts = (game.log or [])[game.steps[heard.since] if heard.since >= 0 else 0 : game.steps[heard.step]]
    public = telling.to_all(game, facts)
    if [(*fact[:5], fact[6]) for fact in public] != [(*fact[:5], fact[6]) for fact in heard.facts]:
        return "other things were told than the record has"
    faces = telling.faces_for(game, facts, seat) if seat != SPECTATOR else []
    open_to_all = [(fact[5], told[5]) for fact, told in zip(public, heard.facts, strict=True)]
    return difference([*open_to_all, *zip_longest(faces, heard.faces, fillvalue="")])


def difference(pairs: Iterable[tuple[Face, Face]]) -> str:
    """The first face, in the record and as it was told, that is not the same."""
    for there, told in pairs:
        if there != told:
            return f"{told or '??'} was told, and the record has {there or '??'}"
    return ""


def lay_at(game: Game, seat: Seat, step: int) -> list[list[Face]]:
    """How the zones lay before a seat after this step."""
    fold = Fold(game.zones)
    fold.take((game.log or [])[: game.steps[step]])
    return telling.spelled(game, View(seat, fold).lay)
