"""The peer's part in an honest deck: it brings its share, keeps what it was told, and checks it all in the end. No I/O."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterator
from typing import NamedTuple

from lanplay.engine.words import SEATS, SPECTATOR, Seat, seat_of
from lanplay.record.proof import HOST, commitment
from lanplay.record.replay import Check
from lanplay.record.text import RecordError
from lanplay.record.verify import Claims, Proved, Unproved, verify
from lanplay.room.heard import Heard, rewritten
from lanplay.wire import messages as wire

MOST = 256  # parts of a record that are kept
PATIENCE = 3.0  # seconds from the end of the game until the host must have sent its record


class Verdict(NamedTuple):
    """Whether the deal is proved, in a line for people."""

    proved: bool
    line: str


NOTHING_SHOWN = "the host has not shown its secret and its record"
SILENT = Verdict(False, f"The deal is not proved: {NOTHING_SHOWN}.")


class Witness:
    """Answers what the host asks for the joint secret, and gives a verdict when the game is over.

    `hear` takes every message of the host and gives what is to be said; `verdict` is set with the record's last part.
    """

    def __init__(self, table_id: str, random: Callable[[int], bytes] = secrets.token_bytes) -> None:
        """`random` gives as many random bytes."""
        self.table_id, self.random = table_id, random
        self.seat: Seat = SPECTATOR
        self.asked = False  # whether the table is one whose deals can be proved
        self.secret: bytes | None = None  # this seat's share
        self.revealed = False
        self.joint: wire.Joint | None = None  # as it was told last
        self.faults: list[str] = []
        self.log: list[Heard] = []
        self.status: wire.Status | None = None
        self.parts: dict[int, str] = {}
        self.verdict: Verdict | None = None

    def hear(self, message: wire.FromHost, secret: wire.Secret | None = None) -> list[wire.FromPeer]:
        """A message of the host, with what was sealed in it; gives the answers."""
        if isinstance(message, wire.Welcome):
            self.seat = seat_of(message.seat) if message.seat else SPECTATOR
            self.asked = not message.seeded
        elif isinstance(message, wire.Update):
            before = self.log[-1].step if self.log else -1
            faces = secret.faces if secret else ()
            self.log.append(Heard(before, message.step, message.head, message.facts, faces))
            self.status = message.status
        elif isinstance(message, wire.Snapshot):
            lay = (secret.lay if secret else None) or message.lay
            self.log.append(Heard(message.step, message.step, message.head, lay=lay))
            self.status = message.status
        elif isinstance(message, wire.Joint):
            return self.share(message)
        elif isinstance(message, wire.RecordPart):
            self.collect(message)
        elif isinstance(message, wire.Closed) and self.waits:
            self.verdict = self.silence()
        return []

    @property
    def waits(self) -> bool:
        """The game is over, and the record that proves the deal has not come."""
        return self.asked and self.verdict is None and self.status is not None and self.status.over

    # ---- the joint secret -------------------------------------------------------------------------

    @property
    def letter(self) -> str | None:
        return SEATS[self.seat] if self.seat != SPECTATOR else None

    @property
    def own(self) -> bytes:
        """What this seat commits to."""
        return commitment(self.table_id, self.letter or "", self.secret or b"")

    def share(self, joint: wire.Joint) -> list[wire.FromPeer]:
        """The next stage of the joint secret."""
        before, self.joint = self.joint, joint
        if before:
            self.note(changed(before, joint))
        self.note(unkept(self.table_id, joint))
        letter = self.letter
        if letter is None or letter in joint.left_out:
            return []
        if joint.stage == "commit":
            if self.secret is None or self.revealed:  # a secret that others know is of no use
                self.secret, self.revealed = self.random(32), False
            return [wire.Commit(self.own)]
        if joint.stage == "reveal" and self.secret and joint.commitments.get(letter) == self.own:
            self.revealed = True
            return [wire.Reveal(self.secret)]
        return []

    def note(self, faults: Iterator[str]) -> None:
        self.faults += [fault for fault in faults if fault not in self.faults]

    # ---- the verdict ------------------------------------------------------------------------------

    def collect(self, message: wire.RecordPart) -> None:
        """A part of the record; with the last of them it can be judged."""
        if 1 <= message.part <= message.parts <= MOST:
            self.parts[message.part] = message.text
        if len(self.parts) == message.parts:
            self.verdict = self.judge("".join(text for _, text in sorted(self.parts.items())))
            self.parts.clear()

    def judge(self, text: str) -> Verdict:
        """Whether this record proves the deal, and agrees with all that was told here."""
        try:
            proved = verify(text)
        except (Check, Unproved, RecordError) as error:
            self.note(iter([f"the record does not check: {error}"]))
            return self.failed()
        self.note(self.against(proved))
        if self.faults:
            return self.failed()
        return Verdict(True, f"The deal is proved: {proved.made_of}. All that was told here agrees with it.")

    def failed(self) -> Verdict:
        return Verdict(False, f"The deal is not proved: {'; '.join(self.faults)}.")

    def silence(self) -> Verdict:
        """The game is over, and no record came."""
        self.note(iter([NOTHING_SHOWN]))
        return self.failed()

    def against(self, proved: Proved) -> Iterator[str]:
        """Where the record is not what was told before."""
        if proved.claims.table != self.table_id:
            yield "the record is that of another table"
        yield from self.own_share(proved.claims)
        yield from told_otherwise(self.joint, proved.claims)
        yield from rewritten(proved, self.log, self.seat)
        if self.status and self.status.winners != proved.winners:
            yield "the record has other winners than were told"

    def own_share(self, claims: Claims) -> Iterator[str]:
        """The own secret is in it, if it was shown or could have been."""
        if self.secret is not None and claims.secrets.get(self.letter or "") != self.secret:
            yield f"the secret of seat {self.letter}, which is yours, was left out"


# ---- what was told of the joint secret ----------------------------------------------------------------


def changed(before: wire.Joint, now: wire.Joint) -> Iterator[str]:
    """What was told once, and is now told otherwise."""
    if now.host != before.host:
        yield "the host changed its commitment"
    if now.signer != before.signer:
        yield "the host changed its key for signing"
    for seat, value in before.commitments.items():
        if now.commitments.get(seat) != value:
            yield f"the commitment of seat {seat} was changed"


def unkept(table_id: str, joint: wire.Joint) -> Iterator[str]:
    """Secrets that are not those which were committed to."""
    for seat, secret in joint.secrets.items():
        if joint.commitments.get(seat) != commitment(table_id, seat, secret):
            yield f"the secret of seat {seat} is not the one it committed to"


def told_otherwise(joint: wire.Joint | None, claims: Claims) -> Iterator[str]:
    """Where the record's commitments, secrets and keys are not those that were told before the deal."""
    if joint is None:
        return
    yield from the_host(joint, claims)
    yield from the_seats(joint, claims)


def the_host(joint: wire.Joint, claims: Claims) -> Iterator[str]:
    if claims.commitments.get(HOST) != joint.host:
        yield "the host changed its commitment"
    if claims.signer != joint.signer:
        yield "the record is signed with another key than the host's"


def the_seats(joint: wire.Joint, claims: Claims) -> Iterator[str]:
    for seat, value in joint.commitments.items():
        if claims.commitments.get(seat) != value:
            yield f"the commitment of seat {seat} was changed"
    for seat, value in joint.secrets.items():
        if claims.secrets.get(seat) != value:
            yield f"the secret of seat {seat} was left out"
    for seat in claims.left_out:
        if joint.stage == "dealt" and seat not in joint.left_out:
            yield f"seat {seat} was left out, and nobody was told"
