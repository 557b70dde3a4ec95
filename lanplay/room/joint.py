"""How host and seats come to one secret for all shuffles, so that nobody can choose a deck. At the host, without I/O."""

from __future__ import annotations

from collections.abc import Collection
from typing import Self

from lanplay.engine.words import SEATS, Seat
from lanplay.record.proof import Pledge, Shares, Why, commitment
from lanplay.wire.messages import Commit, Joint, Reveal

SECONDS = 5.0  # for each of the two answers of a seat


class Drawing:
    """Seats commit to secrets, and only then reveal them; who does not in time, or reveals another, is left out.

    `dealt` is set when nothing more is waited for. `due` is when who has not answered is left out.
    """

    def __init__(self, pledge: Pledge, seats: Collection[Seat], now: float) -> None:
        self.pledge = pledge
        self.waiting = [SEATS[seat] for seat in sorted(seats)]
        self.commitments: dict[str, bytes] = {}
        self.secrets: dict[str, bytes] = {}
        self.left_out: dict[str, Why] = {}
        self.revealing = self.dealt = False
        self.due = now + SECONDS

    @classmethod
    def again(cls, pledge: Pledge, shares: Shares) -> Self:
        """Of a game that goes on after a break: all is dealt."""
        drawing = cls(pledge, (), 0.0)
        drawing.commitments.update(shares.commitments)
        drawing.secrets.update(shares.secrets)
        drawing.left_out.update(shares.left_out)
        drawing.revealing = drawing.dealt = True
        return drawing

    @property
    def shares(self) -> Shares:
        return Shares(self.commitments, self.secrets, self.left_out)

    def take(self, seat: Seat, message: Commit | Reveal, now: float) -> bool:
        """What a seat brings, if it is waited for: only its first word counts. Gives whether the next stage has come."""
        letter = SEATS[seat]
        if letter not in self.waiting or self.revealing != isinstance(message, Reveal):
            return False
        self.waiting.remove(letter)
        if isinstance(message, Commit):
            self.commitments[letter] = message.commitment
        elif commitment(self.pledge.table_id, letter, message.secret) == self.commitments[letter]:
            self.secrets[letter] = message.secret
        else:
            self.left_out[letter] = "wrong"
        return self.look(now)

    def look(self, now: float) -> bool:
        """Gives whether the next stage has come: all have answered, or the time for it is over."""
        if self.dealt or (self.waiting and now < self.due):
            return False
        self.left_out.update(dict.fromkeys(self.waiting, "silent"))
        self.waiting = [] if self.revealing else sorted(self.commitments)
        self.dealt = self.revealing or not self.waiting
        self.revealing, self.due = True, now + SECONDS
        return True

    def message(self, now: float) -> Joint:
        """How far it has come."""
        return Joint(
            "dealt" if self.dealt else "reveal" if self.revealing else "commit",
            None if self.dealt else max(0.0, self.due - now),
            self.pledge.signer,
            self.pledge.commitment,
            dict(sorted(self.commitments.items())) if self.revealing else {},
            dict(sorted(self.secrets.items())) if self.dealt else {},
            dict(sorted(self.left_out.items())),
        )
