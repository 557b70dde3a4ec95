"""Cambio in words: how its moves are told and spelled."""

from __future__ import annotations

from lanplay.engine.words import EXCHANGED, MOVED, SHOWN
from lanplay.speech.speech import Speech
from lanplay.speech.spell import card
from lanplay.speech.tale import Tale, place, seen, target


def call(tale: Tale) -> list[str]:
    return [f"{tale.does('call')} Cambio."]


def swap(tale: Tale) -> list[str]:
    out, into = tale.take(MOVED, "hand"), tale.take(MOVED, "", "hand")
    if not out or not into:
        return []
    put = tale.cast.the(into[5], "the drawn card")
    away = f"{tale.verb('discard')} {tale.cast.the(out[5])}"
    return [f"{tale.does('put')} {put} at {target(tale.cast, into)} and {away}."]


def use(tale: Tale) -> list[str]:
    """A drawn card discarded for its power, before or after it comes to the pile; else the common words do."""
    fact = tale.take(MOVED, target="up")
    if fact:
        return [f"{tale.does('use')} {tale.cast.the(fact[5])}."]
    return [] if any(fact[0] == MOVED for fact in tale.facts) else [f"{tale.does('use')} the card."]


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


SPEECH = Speech(
    usage=(
        "Your cards lie at 1, 2, 3 and so on; a card of Bob at seat B is B3.",
        "draw or take a card, then swap 2 to keep it at 2, or discard. cambio calls: all others have one more turn.",
        "Powers: peek 1 (an own card), spy B3, look B3 (any card, A2 too), switch 2 B3, or pass.",
        "snap 2 as soon as a card like yours is discarded. give 1 hands a card to the player whose card you snapped.",
    ),
    zones={"up": "the card in use"},
    sentences={
        "cambio": call,
        "swap": swap,
        "discard": use,
        "peek": look,
        "spy": look,
        "look": look,
        "switch": switch,
        "snap": snap,
        "give": give,
    },
)
