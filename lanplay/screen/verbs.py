"""What well-known verbs are told as. A verb that is not here is told as it was said, with the bare facts after it."""

from __future__ import annotations

from collections.abc import Mapping

from lanplay.engine.words import MOVED, SHUFFLED
from lanplay.speech.tale import Sentence, Tale, shuffled


def draw(tale: Tale) -> list[str]:
    fact = tale.take(MOVED)
    if not fact:
        return []
    what = tale.cast.face(fact[5])
    drawn = f" {tale.cast.the(fact[5])}" if what else ""
    source = "" if drawn and tale.seat == tale.cast.me else f" from {tale.cast.zone(fact[1])}"
    return [f"{tale.does('draw')}{drawn}{source}."]


def take(tale: Tale) -> list[str]:
    fact = tale.take(MOVED)
    return [f"{tale.does('take')} {tale.cast.the(fact[5])} from {tale.cast.zone(fact[1])}."] if fact else []


def discard(tale: Tale) -> list[str]:
    fact = tale.take(MOVED)
    return [f"{tale.does('discard')} {tale.cast.the(fact[5])}."] if fact else []


def decline(tale: Tale) -> list[str]:
    return [f"{tale.does('pass')}."]


SENTENCES: dict[str, Sentence] = {"draw": draw, "take": take, "discard": discard, "pass": decline}


def told(tale: Tale, own: Mapping[str, Sentence]) -> list[str]:
    """One action, line by line; `own` are the sentences of the game itself."""
    untold = tale.facts[:]
    verb = tale.words[0] if tale.words else ""
    lines = own[verb](tale) if verb in own else []
    if not lines:
        tale.facts = untold
    first = [shuffled(tale.cast, fact) for fact in tale.take_all(SHUFFLED)]
    return first + (lines or common(tale)) + tale.rest()


def common(tale: Tale) -> list[str]:
    """As other games would tell it; as it was said, if none would."""
    untold = tale.facts[:]
    sentence = SENTENCES.get(tale.words[0]) if tale.words else None
    lines = sentence(tale) if sentence else []
    if not lines:
        tale.facts = untold
        said = f": {tale.move}." if tale.move else f" {tale.verb('make')} a move."
        lines = [tale.who + said]
    return lines
