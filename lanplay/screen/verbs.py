"""What well-known verbs are told as. A verb that is not here is told as it was said, with the bare facts after it."""

from __future__ import annotations

from collections.abc import Mapping

from lanplay.engine.words import EXCHANGED, MOVED, SHOWN, SHUFFLED
from lanplay.speech.spell import card
from lanplay.speech.tale import Sentence, Tale, place, seen, shuffled, target


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


def swap(tale: Tale) -> list[str]:
    out, into = tale.take(MOVED, "hand"), tale.take(MOVED, "", "hand")
    if not out or not into:
        return []
    put = tale.cast.the(into[5], "the drawn card")
    away = f"{tale.verb('discard')} {tale.cast.the(out[5])}"
    return [f"{tale.does('put')} {put} at {target(tale.cast, into)} and {away}."]


def discard(tale: Tale) -> list[str]:
    fact = tale.take(MOVED, target="up")
    if fact:
        return [f"{tale.does('use')} {tale.cast.the(fact[5])}."]
    fact = tale.take(MOVED)
    return (
        [f"{tale.does('discard')} {tale.cast.the(fact[5])}."] if fact else [f"{tale.does('use')} the card."]
    )


def look(tale: Tale) -> list[str]:
    return seen(tale.cast, tale.take_all(SHOWN), "look at")


def switch(tale: Tale) -> list[str]:
    fact = tale.take(EXCHANGED)
    return [f"{tale.does('switch')} {place(tale.cast, fact)} with {target(tale.cast, fact)}."] if fact else []


def snap(tale: Tale) -> list[str]:
    right = tale.take(MOVED, "hand", "pile")
    if right:
        return [f"{tale.does('snap')} {place(tale.cast, right)}, and it matches: {card_of(tale, right[5])}."]
    shown, penalty = tale.take(SHOWN), tale.take(MOVED, "", "hand")
    which = f", {card_of(tale, shown[5])}," if shown else ""
    price = f" {tale.who} {tale.verb('get')} a penalty card, {target(tale.cast, penalty)}." if penalty else ""
    return [f"{tale.does('snap')} {tale.named(tale.words[-1])}{which} and it does not match.{price}"]


def card_of(tale: Tale, number: int) -> str:
    return card(tale.cast.face(number) or "a card")


def give(tale: Tale) -> list[str]:
    fact = tale.take(MOVED, "hand", "hand")
    owner = tale.cast.owner(fact[3]) if fact else None
    if not fact or owner is None:
        return []
    gift = tale.cast.the(fact[5], place(tale.cast, fact))
    return [f"{tale.does('give')} {gift} to {tale.cast.whom(owner)}: it lies at {target(tale.cast, fact)}."]


def decline(tale: Tale) -> list[str]:
    return [f"{tale.does('pass')}."]


def call(tale: Tale) -> list[str]:
    return [f"{tale.does('call')} Cambio."]


SENTENCES: dict[str, Sentence] = {
    "draw": draw,
    "take": take,
    "swap": swap,
    "discard": discard,
    "peek": look,
    "spy": look,
    "look": look,
    "switch": switch,
    "snap": snap,
    "give": give,
    "pass": decline,
    "cambio": call,
}


def told(tale: Tale, own: Mapping[str, Sentence]) -> list[str]:
    """One action, line by line; `own` are the sentences of the game itself."""
    untold = tale.facts[:]
    verb = tale.words[0] if tale.words else ""
    lines = own[verb](tale) if verb in own else []
    if lines:
        return lines + tale.rest()
    tale.facts = untold
    first = [shuffled(tale.cast, fact) for fact in tale.take_all(SHUFFLED)]
    return first + common(tale) + tale.rest()


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
