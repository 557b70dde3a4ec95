"""Every message of the protocol, with its fields (PROTOCOL.md says the same to who writes another client).

A message is one MessagePack map with a `type`. Peers send what `FromPeer` lists, the host what `FromHost`
lists. Seats are letters `A` to `H`, cards and moves the texts of the notation.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

VERSION = 1

Name = Annotated[str, Meta(min_length=1, max_length=24)]
Key = Annotated[bytes, Meta(min_length=32, max_length=32)]
ActId = Annotated[bytes, Meta(min_length=8, max_length=16)]
Count = Annotated[int, Meta(ge=0, le=2**53)]
MoveText = Annotated[str, Meta(min_length=1, max_length=400)]
ChatText = Annotated[str, Meta(min_length=1, max_length=200)]
SeatName = Annotated[str, Meta(pattern="^[A-H]$")]
Face = str | None  # a card, a move, or None where the eyes of the reader do not see it

# kind, source zone, place, target zone, place, face, eyes: see lanplay.engine.words.Fact
WireFact = tuple[str, int, int, int, int, Face, int]


# ---- from a peer to the host ----------------------------------------------------------------------


class FromPeerMessage(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """What a peer may say. Fields that are not listed are refused."""


class Hello(FromPeerMessage, frozen=True, tag="hello"):
    """The first message on every connection: who is there and what for.

    `key` is a fresh X25519 public key for this connection. `since` is the last step this peer has taken in
    of the game it comes back to; None: it knows nothing and wants the snapshot.
    """

    version: Count
    name: Name
    role: Literal["sit", "watch"]
    kind: Literal["person", "bot"]
    key: Key
    since: Count | None = None


class Act(FromPeerMessage, frozen=True, tag="act"):
    """A move. `id` is random and new for each move; a repeat gets the same answer and is not done twice.

    `step` is the step of the update that the move answers, `aim` the aim told in it.
    """

    id: ActId
    move: MoveText
    step: Count
    aim: Count


class Decline(FromPeerMessage, frozen=True, tag="decline"):
    """Nothing from this seat, out of turn, after this step: the others need not wait for it."""

    step: Count


class CatchUp(FromPeerMessage, frozen=True, tag="catch-up"):
    """A number was missing in the stream: tell again what came after this step (None: everything).

    The answer begins with `start` if the game has begun; updates before that cannot be used.
    """

    since: Count | None


class Chat(FromPeerMessage, frozen=True, tag="chat"):
    """A word to everybody at the table."""

    text: ChatText


class Ping(FromPeerMessage, frozen=True, tag="ping"):
    """Is the other program awake? To be answered with pong."""


class Pong(FromPeerMessage, frozen=True, tag="pong"):
    """Awake."""


class Leave(FromPeerMessage, frozen=True, tag="leave"):
    """Going away for good: no need to wait for this seat."""


class Commit(FromPeerMessage, frozen=True, tag="commit"):
    """This seat's share of the joint secret, as a hash: it binds itself before it sees what others bring."""

    commitment: Key


class Reveal(FromPeerMessage, frozen=True, tag="reveal"):
    """The secret that this seat has committed to."""

    secret: Key


FromPeer = Hello | Act | Decline | CatchUp | Chat | Commit | Reveal | Ping | Pong | Leave


# ---- from the host to a peer ----------------------------------------------------------------------


class FromHostMessage(Struct, frozen=True, tag_field="type"):
    """What the host may say. Fields that a peer does not know are to be ignored."""


class Welcome(FromHostMessage, frozen=True, tag="welcome"):
    """The answer to hello: what is played here and as whom. `key` is the host's half for sealing."""

    version: int
    table: str
    game: str
    options: dict[str, int | str]
    size: int  # how many seats the game waits for
    seat: SeatName | None  # None: looks on
    key: Key
    seeded: bool  # the deal comes from a seed that somebody chose: a table for tests


class Sitting(Struct, frozen=True):
    """One seat of the lobby."""

    seat: SeatName
    name: str
    kind: Literal["person", "bot"]
    here: bool  # False: away, the connection is lost or silent


class Seats(FromHostMessage, frozen=True, tag="seats"):
    """Who sits where; sent again whenever it changes."""

    n: int
    seats: list[Sitting]
    watching: int
    started: bool


class ZoneOnWire(Struct, frozen=True):
    """A place where cards may lie. `eyes`: bit n: seat n sees the faces there; bit 15: the spectators do."""

    name: str
    eyes: int
    numbered: bool


class Joint(FromHostMessage, frozen=True, tag="joint"):
    """How far the joint secret has come of which all shuffles will follow; sent again when it is a stage further.

    `commit`: seats are to commit, `reveal`: to reveal, in `left` seconds; `dealt`: the cards are shuffled with it. `host` is
    the host's commitment, `signer` its Ed25519 public key. `left_out` are those whose secrets are not in it.
    """

    stage: Literal["commit", "reveal", "dealt"]
    left: float | None
    signer: Key
    host: Key
    commitments: dict[SeatName, Key]  # from `reveal` on
    secrets: dict[SeatName, Key]  # from `dealt` on
    left_out: dict[SeatName, Literal["silent", "wrong"]]


class Start(FromHostMessage, frozen=True, tag="start"):
    """The game begins (or goes on, for who comes back): what a view is folded over."""

    n: int
    zones: list[ZoneOnWire]
    deck: list[str]  # every card of the game, in standard order
    pace: Literal["clock", "lockstep"]  # lockstep: only bots sit here, and each is asked in turn


class Status(Struct, frozen=True):
    """What is told beside the cards; all may know it."""

    round: int
    over: bool
    must_act: list[SeatName]
    prompt: str  # what the seats in must_act are asked, in words
    open: bool  # something may be done out of turn just now
    aim: int  # what an out-of-turn move would be aimed at
    totals: dict[str, int]
    winners: list[SeatName] | None
    table: dict[str, Any]  # the fields of `state` in notation.md that are not cards, such as caller
    left: float | None  # seconds until the default move is made for who has not answered
    held: SeatName | None = None  # whose move waits, so that others may object to it


class Update(FromHostMessage, frozen=True, tag="update"):
    """What happened since the last message, and what is asked now.

    `step` counts the accepted actions. `rounds` are the rounds that ended just now. `asks` says what is
    wanted of the receiver: `act` (it must), `react` (in lockstep: act or decline), `may` (something is open
    to it) or None. `sealed` is a `Secret` for the receiver's eyes, empty for spectators, always the last field.
    """

    n: int
    step: int
    facts: list[WireFact]
    status: Status
    rounds: list[dict[str, Any]]
    asks: Literal["act", "react", "may"] | None
    head: bytes = b""  # of the record's chain, or empty if it has none
    sealed: bytes = b""


class Snapshot(FromHostMessage, frozen=True, tag="snapshot"):
    """The whole position, as the object of notation.md that a spectator would get, and how the zones lie.

    `sealed` (the last field) holds a `Secret` whose `state` and `lay` take the place of the public ones.
    """

    n: int
    step: int
    object: dict[str, Any]
    lay: list[list[str | None]]  # zone by zone; None: face down; "": an empty numbered place
    status: Status
    asks: Literal["act", "react", "may"] | None
    head: bytes = b""
    sealed: bytes = b""


class Secret(Struct, frozen=True, omit_defaults=True):
    """What only one seat may know; sent sealed.

    `faces`: one for each fact of the update that this seat sees and the spectators do not, in their order.
    `legal`: every move the seat may make now (asked to `react`: out of turn).
    """

    legal: list[str]
    faces: list[str] = []
    state: dict[str, Any] | None = None
    lay: list[list[str | None]] | None = None


class Accepted(FromHostMessage, frozen=True, tag="accepted"):
    """The move with this id was done, and is in the record."""

    id: ActId
    step: int


class Refused(FromHostMessage, frozen=True, tag="refused"):
    """The move with this id was not done; nothing has changed. `code` as in notation.md, and `late`."""

    id: ActId
    code: str
    clause: str | None
    sentence: str
    move: str


class Said(FromHostMessage, frozen=True, tag="said"):
    """A word of somebody at the table; `seat` is None for who looks on."""

    name: str
    seat: SeatName | None
    text: str


class Notice(FromHostMessage, frozen=True, tag="notice"):
    """Something about the table that is no part of the game: what it is, and a sentence for people."""

    code: Literal["paused", "resumed", "removed", "slow-down"]
    sentence: str


class RecordPart(FromHostMessage, frozen=True, tag="record"):
    """The game is over, and this is part number `part` of `parts` of its record, with all that proves the deal."""

    n: int
    part: int  # from 1
    parts: int
    text: str


class HostPing(FromHostMessage, frozen=True, tag="ping"):
    """Is the other program awake? To be answered with pong."""


class HostPong(FromHostMessage, frozen=True, tag="pong"):
    """Awake."""


class Closed(FromHostMessage, frozen=True, tag="closed"):
    """The host ends this connection, and why. The last message."""

    code: Literal["version", "full", "started", "name", "removed", "protocol", "ended", "replaced"]
    sentence: str


FromHost = (
    Welcome
    | Seats
    | Joint
    | Start
    | Update
    | Snapshot
    | Accepted
    | Refused
    | Said
    | Notice
    | RecordPart
    | HostPing
    | HostPong
    | Closed
)

SEALED = (Update, Snapshot)
Numbered = Seats | Start | Update | Snapshot | RecordPart
NUMBERED = (
    Seats,
    Start,
    Update,
    Snapshot,
    RecordPart,
)  # the stream: their `n` counts 1, 2, 3 ... on each connection
