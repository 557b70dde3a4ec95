"""What a seat is told of a game: facts, status, snapshot, secrets and the length they are padded to."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Literal, NamedTuple

from lanplay.engine.game import Game
from lanplay.engine.table import Zones
from lanplay.engine.words import (
    ACTED,
    GONE,
    HIDDEN,
    MOVED,
    SEATS,
    SHOWN,
    SPECTATOR,
    Card,
    Moves,
    Seat,
    Told,
    letters,
)
from lanplay.wire.codec import encode_secret
from lanplay.wire.messages import (
    Face,
    RecordPart,
    Secret,
    Snapshot,
    Start,
    Status,
    Update,
    WireFact,
    ZoneOnWire,
)

Asks = Literal["act", "react", "may"]
Pace = Literal["clock", "lockstep"]
WITH_FACE = (MOVED, SHOWN, ACTED)
LONGEST_FACE = "??"  # no card of any game is spelled with more letters
LONGEST_MOVE = 16 * "?"  # nor a move of which only its player hears the text
PART = 48_000  # letters of a record in one message
BLOCK = 32  # secrets are filled up to a multiple of so many bytes


class Telling(NamedTuple):
    """A message, what of it only one seat may know, and the length to fill that up to."""

    message: Update | Snapshot
    secret: Secret | None
    pad: int


def start(zones: Zones, pace: Pace) -> Start:
    """What a view is folded over."""
    places = [
        ZoneOnWire(name, eyes, zone in zones.numbered)
        for zone, (name, eyes) in enumerate(zip(zones.names, zones.eyes, strict=True))
    ]
    return Start(0, places, [zones.deck.faces[card] for card in zones.deck.cards], pace)


class Story(NamedTuple):
    """What happened after a step, as far as it is the same for all who were told so far."""

    facts: list[Told]
    public: list[WireFact]
    rounds: list[dict[str, Any]]
    status: Status
    head: bytes


def story(game: Game, since: int, left: float | None, held: Seat | None = None, head: bytes = b"") -> Story:
    """All that happened after step `since` (-1: from the deal on). `head`: of the record's chain."""
    facts = game.facts(since)
    ended = [game.round_object(round_) for round_ in game.rounds[game.rounds_at(since) :]]
    return Story(facts, to_all(game, facts), ended, status(game, left, held), head)


def update(game: Game, story: Story, seat: Seat, asks: Asks | None) -> Telling:
    """The story as it is told to one seat (or SPECTATOR)."""
    message = Update(0, game.accepted, story.public, story.status, story.rounds, asks, story.head)
    if seat == SPECTATOR:
        return Telling(message, None, 0)
    secret = Secret(legal(game, seat, asks), faces_for(game, story.facts, seat))
    moves = sum(fact[0] == ACTED for fact in story.facts if sealed_for(fact, seat))
    cards = len(secret.faces) - moves
    return Telling(message, secret, update_length(game.table.widest(seat), cards, moves))


def record(text: str) -> list[RecordPart]:
    """The record of a game that is over, in parts that fit into a message whatever letters they hold."""
    cuts = range(0, len(text), PART)
    return [RecordPart(0, number, len(cuts), text[cut : cut + PART]) for number, cut in enumerate(cuts, 1)]


def legal(game: Game, seat: Seat, asks: Asks | None) -> list[str]:
    """The moves that a seat may answer with."""
    return list(map(str, game.reactions(seat) if asks == "react" else game.legal(seat)))


@lru_cache(4096)
def update_length(widest: Moves, cards: int, moves: int) -> int:
    """The length for the secret of an update."""
    return padded(Secret(list(map(str, widest)), [LONGEST_FACE] * cards + [LONGEST_MOVE] * moves))


def snapshot(
    game: Game,
    names: dict[Seat, str],
    seat: Seat,
    asks: Asks | None,
    left: float | None,
    held: Seat | None = None,
    head: bytes = b"",
) -> Telling:
    """The whole position, for a seat (or SPECTATOR) that knows nothing of it."""
    public, everything = game.state(SPECTATOR), lay(game, SPECTATOR)
    object_, now = game.object(names, SPECTATOR), status(game, left, held)
    message = Snapshot(0, game.accepted, object_, everything, now, asks, head)
    if seat == SPECTATOR:
        return Telling(message, None, 0)
    secret = Secret(legal(game, seat, asks), [], game.state(seat), lay(game, seat))
    longest: list[list[Face]] = [
        [LONGEST_FACE if face is None else face for face in zone] for zone in everything
    ]
    return Telling(
        message, secret, padded(Secret(list(map(str, game.table.widest(seat))), [], public, longest))
    )


def padded(longest: Secret) -> int:
    """The length for a secret that can't get longer than this one."""
    return -(-len(encode_secret(longest)) // BLOCK) * BLOCK


def lay(game: Game, seat: Seat) -> list[list[Face]]:
    """How the zones lie before a seat (or SPECTATOR): None for a covered card, an empty text for an empty place."""
    return spelled(game, game.view(seat).lay)


def spelled(game: Game, lay: Sequence[Sequence[Card]]) -> list[list[Face]]:
    """Zones as they are told."""
    faces = {HIDDEN: None, GONE: "", **dict(enumerate(game.zones.deck.faces))}
    return [[faces[card] for card in zone] for zone in lay]


def status(game: Game, left: float | None = None, held: Seat | None = None) -> Status:
    """What is told beside the cards; the same to all."""
    table = game.table
    anybody = any(table.anytime(seat) is not None for seat in range(game.seats))
    return Status(
        round=table.round,
        over=game.over,
        must_act=letters(game.must_act),
        prompt=table.ask.__doc__ or "",
        open=anybody,
        aim=table.aim,
        totals=game.by_letter(game.totals),
        winners=None if game.winners is None else letters(game.winners),
        table=table.public(),
        left=left,
        held=None if held is None else SEATS[held],
    )


def face_of(game: Game, fact: Told) -> Face:
    """The face of a fact in the spelling of the notation; None if nobody is ever told it."""
    kind, face = fact[0], fact[5]
    if kind not in WITH_FACE or face == HIDDEN:
        return None
    return str(face) if kind == ACTED else game.zones.deck.faces[face]


def to_all(game: Game, facts: Sequence[Told]) -> list[WireFact]:
    """The facts as a spectator is told them."""
    seen = 1 << SPECTATOR
    return [(*fact[:5], face_of(game, fact) if fact[6] & seen else None, fact[6]) for fact in facts]


def faces_for(game: Game, facts: Sequence[Told], seat: Seat) -> list[str]:
    """The faces that this seat sees and the spectators do not, in the order of the facts."""
    faces = [face_of(game, fact) for fact in facts if sealed_for(fact, seat)]
    return [face for face in faces if face is not None]


def sealed_for(fact: Told, seat: Seat) -> bool:
    """This seat sees the face, and the spectators do not."""
    return bool(fact[6] >> seat & 1) and not fact[6] >> SPECTATOR & 1
