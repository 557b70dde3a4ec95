"""How things stand: the cards as the reader sees them, whose turn it is, what has been counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.words import GONE, SEATS, Card, Zone
from lanplay.screen.result import sums
from lanplay.speech.cast import Cast
from lanplay.speech.speech import Scene, Speech
from lanplay.speech.spell import capital, card, count, listed
from lanplay.wire.messages import Status

MANY = 20  # cards of a pile that are named


def board(scene: Scene, speech: Speech, status: Status, rounds: int, lately: Sequence[str] = ()) -> list[str]:
    """The whole table, line by line; `lately` are the last events."""
    cast = scene.cast
    lines = [f"Round {status.round}. {waiting(cast, status.must_act)}"]
    lines += table(scene, speech) + own_hand(scene, speech)
    lines += ["Lately:", *lately] if lately else []
    return lines + (sums(cast, status.totals) if rounds else [])


def table(scene: Scene, speech: Speech) -> list[str]:
    """All that lies there, but for the reader's hand where the game has words of its own for the table."""
    return list(speech.board(scene)) if speech.board else places_and_fields(scene, speech)


def own_hand(scene: Scene, speech: Speech) -> list[str]:
    """The reader's hand, where `table` leaves it out."""
    faces = scene.own() if speech.board else []
    return [f"Your hand, {count(len(faces), 'card')}: {speech.hand(faces)}."] * bool(faces)


def places_and_fields(scene: Scene, speech: Speech) -> list[str]:
    """A table of a game that has no words of its own for it."""
    cast, lay = scene.cast, scene.view.lay
    lines = [line for zone in range(len(lay)) for line in zone_line(cast, speech, zone, lay[zone])]
    return lines + [line for name, value in scene.table.items() for line in more(cast, name, value)]


def waiting(cast: Cast, letters: Sequence[str]) -> str:
    """Whom the game waits for."""
    seats = [SEATS.index(letter) for letter in letters]
    if not seats:
        return "The game is over."
    if seats == [cast.me]:
        return "It is your move."
    return f"Waiting for {cast.all_of(seats)}."


def zone_line(cast: Cast, speech: Speech, zone: Zone, cards: Sequence[Card]) -> list[str]:
    """One place with its cards; nothing for an empty one that belongs to nobody or is no hand."""
    owner, kind = cast.owner(zone), cast.kind(zone)
    if zone in cast.zones.numbered:
        cards = cards[1:]
    if owner is None:
        return [f"{capital(cast.zone(zone))}: {pile(cast, cards)}."] if cards else []
    if kind == "hand":
        inside = places(cast, zone, cards) if zone in cast.zones.numbered else loose(cast, speech, cards)
        return [f"{cast.titled(owner)}: {inside}."]
    if kind == "held":
        return [f"{cast.does(owner, 'hold')} {cast.the(cards[0])}."] if cards else []
    return [f"{capital(cast.zone(zone))}: {loose(cast, speech, cards)}."] if cards else []


def pile(cast: Cast, cards: Sequence[Card]) -> str:
    """A pile that belongs to nobody: how many, and those that lie open, the last on top."""
    faces = [cast.face(number) or "??" for number in cards]
    size = count(len(cards), "card")
    if cards[-1] < 0:
        return size
    if len(cards) == 1:
        return card(faces[0])
    below = " ".join(reversed(faces[-MANY:-1]))
    return f"{size}, {card(faces[-1])} on top, below it {below}{' …' if len(cards) > MANY else ''}"


def places(cast: Cast, zone: Zone, cards: Sequence[Card]) -> str:
    """Numbered places: `A1 and A3 covered, A2 7 of clubs (7c)`."""
    covered = [
        cast.place(zone, at) for at, number in enumerate(cards, 1) if number not in (GONE,) and number < 0
    ]
    open_ = [
        f"{cast.place(zone, at)} {card(cast.face(number) or '')}"
        for at, number in enumerate(cards, 1)
        if number >= 0
    ]
    return ", ".join(open_ + [f"{listed(covered)} covered"] * bool(covered)) or "no cards"


def loose(cast: Cast, speech: Speech, cards: Sequence[Card]) -> str:
    """A hand in no order: the cards that are known, and how many are not."""
    known = [face for number in cards if (face := cast.face(number))]
    covered = len(cards) - len(known)
    said = [speech.hand(known)] * bool(known) + [count(covered, "covered card")] * bool(covered)
    return ", ".join(said) or "no cards"


def more(cast: Cast, name: str, value: Any) -> list[str]:
    """A field of the table that is no card; nothing if it is empty, or no more than a yes or no."""
    if value is None or isinstance(value, bool) or value in ([], {}):
        return []
    if name == "caller":
        return [f"{cast.who(SEATS.index(value))} called."]
    return [f"{capital(name.replace('_', ' '))}: {shown(value)}."]


def shown(value: Any) -> str:
    """Any plain value in words."""
    if isinstance(value, Mapping):
        return ", ".join(
            f"{key} {shown(inner)}"
            for key, inner in value.items()
            if inner not in (None, [], {}) and inner is not False
        )
    if isinstance(value, list):
        return (" " if all(isinstance(inner, str) for inner in value) else "; ").join(map(shown, value))
    return str(value)
