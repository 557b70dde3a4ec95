"""Before play: which table this is, who sits there, who comes and goes."""

from __future__ import annotations

from collections.abc import Sequence

from lanplay.engine.words import SEATS, Seat
from lanplay.games import UnknownGame, find
from lanplay.record.proof import WHYS
from lanplay.speech.cast import Cast
from lanplay.speech.spell import count, listed
from lanplay.wire.messages import Joint, Sitting, Welcome

SEEDED = "This table is for tests: its deals come from a number that somebody chose. Who knows it knows all the cards."


def greeting(welcome: Welcome) -> list[str]:
    """What is played here, and as whom."""
    place = f"You sit at {welcome.seat}." if welcome.seat else "You look on."
    lines = [f"{title(welcome.game)} at {welcome.table}, {count(welcome.size, 'seat')}. {place}"]
    options = changes(welcome)
    if options:
        lines.append(f"Options: {', '.join(options)}.")
    return lines + [SEEDED] * welcome.seeded


def title(game: str) -> str:
    """The game's name for people, if this lanplay knows the game."""
    try:
        return find(game).title
    except UnknownGame:
        return game


def changes(welcome: Welcome) -> list[str]:
    """The options that are not as usual; all of them, if this lanplay does not know the game."""
    try:
        usual = find(welcome.game).defaults.values()
    except UnknownGame:
        usual = {}
    return [f"{name} {value}" for name, value in welcome.options.items() if usual.get(name) != value]


def out_of_turn(game: str) -> frozenset[str]:
    """The verbs of moves out of turn, if this lanplay knows the game."""
    try:
        verbs: frozenset[str] = getattr(find(game).table, "out_of_turn", frozenset())
    except UnknownGame:
        return frozenset()
    return verbs


def seated(sitting: Sequence[Sitting], me: Seat) -> list[str]:
    """Who sits here already."""
    people = [described(one, me) for one in sitting]
    return [f"At the table: {listed(people)}."] if people else ["Nobody sits here yet."]


def described(one: Sitting, me: Seat) -> str:
    """`Ann (A)`, `Bob (B, you)`, `Memory (C, a bot)`."""
    you = ", you" if SEATS.index(one.seat) == me else ", a bot" if one.kind == "bot" else ""
    return f"{one.name} ({one.seat}{you})" + ("" if one.here else ", who is away")


def changed(before: Sequence[Sitting], after: Sequence[Sitting], me: Seat) -> list[str]:
    """Who came, went, is away or is back."""
    then, now = {one.name: one for one in before}, {one.name: one for one in after}
    lines = [f"{name} has left." for name in then if name not in now]
    for name, one in now.items():
        old = then.get(name)
        if old is None:
            lines.append(f"{described(one, me)} sits down.")
        elif old.here != one.here:
            lines.append(f"{name} is back." if one.here else f"{name} is away; the seat is kept.")
        elif old.seat != one.seat:
            lines.append(f"{name} now sits at {one.seat}.")
    return lines


def left_out(joint: Joint, cast: Cast) -> list[str]:
    """Who took no part in the secret of the deals, once they are made."""
    if joint.stage != "dealt":
        return []
    return [
        f"{cast.titled(SEATS.index(seat))} {WHYS[why]}: the deck is shuffled without that seat's secret."
        for seat, why in joint.left_out.items()
    ]


def missing(sitting: Sequence[Sitting], size: int) -> list[str]:
    """How many are still waited for."""
    free = size - len(sitting)
    return [f"Waiting for {free} more."] if free > 0 else []
