"""What a finished game's record proves: that it was dealt from everybody's secrets, and is whole and signed."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field
from typing import get_args

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from lanplay.engine.cards import Deck
from lanplay.engine.shuffle import seeded
from lanplay.engine.words import SEATS, Card, letters
from lanplay.record.proof import HOST, WHYS, Chain, Why, commitment, master, of_host, signed
from lanplay.record.replay import Check, Decks, Replay, deck_of
from lanplay.record.text import Record, read

WORDS = frozenset(("table", "signer", "commitment", "secret", "left-out", "head", "signature"))
LENGTHS = {"signature": 64}  # bytes; all other values have 32


class Unproved(Exception):
    """The record holds no proof; the text is why."""


@dataclass
class Claims:
    """The lines of a record that are to prove it, by the words they begin with; nothing of it is checked yet."""

    lines: list[str]  # of the whole record, as they stand
    table: str = ""
    signer: bytes = b""
    commitments: dict[str, bytes] = field(default_factory=dict)  # by a seat's letter, or `host`
    secrets: dict[str, bytes] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    head: bytes = b""
    signature: bytes = b""
    end: int = 0  # how many lines there are up to the host's secret

    def add(self, number: int, word: str, rest: str) -> None:
        """A line of the proof. Raises Check if it can't be read or stands there twice."""
        who, _, value = (
            rest.partition(" ") if word in ("commitment", "secret", "left-out") else ("", "", rest)
        )
        where = f"line {number}: {word}{f' {who}' * bool(who)}"
        if who not in ("", HOST, *SEATS):
            raise Check(f"line {number}: {word} names no seat")
        if self.has(word, who):
            raise Check(f"{where} stands there twice")
        if word == "table":
            self.table = value
        elif word == "left-out":
            if value not in get_args(Why):
                raise Check(f"{where} can't be read")
            self.left_out[who] = value
        else:
            self.keep(word, who, raw(where, value, LENGTHS.get(word, 32)))
        if (word, who) == ("secret", HOST):
            self.end = number

    def has(self, word: str, who: str) -> bool:
        there: dict[str, Collection[str]] = {
            "commitment": self.commitments,
            "secret": self.secrets,
            "left-out": self.left_out,
        }
        return who in there[word] if word in there else bool(getattr(self, word))

    def keep(self, word: str, who: str, value: bytes) -> None:
        if word == "commitment":
            self.commitments[who] = value
        elif word == "secret":
            self.secrets[who] = value
        else:
            setattr(self, word, value)

    def master(self) -> bytes:
        """The secret of which all shuffles follow."""
        return master((line for line in self.lines[: self.end - 1]), self.secrets[HOST])


def raw(where: str, text: str, length: int) -> bytes:
    """Bytes from their hexadecimal spelling."""
    if not re.fullmatch(f"[0-9a-f]{{{2 * length}}}", text):
        raise Check(f"{where} is not {length} bytes in hexadecimal")
    return bytes.fromhex(text)


def claims_of(text: str) -> Claims:
    """The proof that a record's text holds. Raises Unproved if it holds none, Check if it can't be read."""
    claims = Claims(text.split("\n")[:-1])
    for number, line in enumerate(claims.lines, 1):
        word, _, rest = line.partition(" ")
        if word in WORDS:
            claims.add(number, word, rest)
    if HOST not in claims.commitments:
        raise Unproved(
            "no proof is in it: its deals came from a number that somebody chose, or it was not written by a table"
        )
    if HOST not in claims.secrets:
        raise Unproved("its game was not played to the end, when the host shows its secret")
    return claims


@dataclass(frozen=True)
class Proved:
    """A record that proves itself, played to its end. `heads[n]` is the head after line n + 1."""

    claims: Claims
    record: Record
    replay: Replay
    heads: Sequence[bytes]

    def heads_at(self, step: int) -> Sequence[bytes]:
        """The heads after action `step` (0: before the first) and before the next one."""
        actions = [0, *(item.line - 1 for item in self.record.items if item.kind in SEATS), len(self.heads)]
        return self.heads[actions[step] : actions[step + 1]] if step < len(actions) - 1 else ()

    @property
    def winners(self) -> list[str]:
        """Who won the game, by letters."""
        return letters(self.replay.game.winners or ())

    @property
    def shared(self) -> list[str]:
        """The seats of whose secrets the deck came, by letters."""
        return sorted(set(self.claims.secrets) - {HOST})

    @property
    def made_of(self) -> str:
        """Of whose secrets the deck was made, in words."""
        left = [
            f"seat {who} {WHYS[why]} and was left out" for who, why in sorted(self.claims.left_out.items())
        ]
        seats = f"seats {' '.join(self.shared)} and the host" if self.shared else "the host alone"
        return "; ".join([f"all shuffles come from the secrets of {seats}", *left])


def verify(text: str) -> Proved:
    """Prove the deal and the chain of a finished game's record.

    Raises RecordError if the text is no record, Unproved if no proof is in it, Check where something is not as it should
    be: a commitment, a deck, a move, the result, the chain, the signature.
    """
    record = read(text)
    claims = claims_of(text)
    for why in wrong_shares(claims, [SEATS[seat] for seat in record.names]):
        raise Check(why)
    replay = Replay(record, ProvedDecks(deck_of(record), claims.master()))
    for _ in replay.play():
        pass
    if not replay.game.over:
        raise Check("the host's secret is shown, but the game is not over")
    return Proved(claims, record, replay, chained(claims))


def wrong_shares(claims: Claims, seats: Sequence[str]) -> Iterator[str]:
    """What is wrong with commitments and secrets."""
    for who in (HOST, *seats):
        whose = "the host" if who == HOST else f"seat {who}"
        secret = claims.secrets.get(who)
        if secret is None and who not in claims.left_out:
            yield f"{whose} was left out, and no line says so"
        elif secret is not None and claims.commitments.get(who) != commitment(claims.table, who, secret):
            yield f"{whose} committed to another secret than the one that was used"
        elif secret is not None and who in claims.left_out:
            yield f"{whose} is said to be left out, and its secret is there"


class ProvedDecks(Decks):
    """Deals what the record says, if it is what the secrets give."""

    def __init__(self, deck: Deck, secret: bytes) -> None:
        super().__init__(deck)
        self.shuffled = seeded(secret)

    def __call__(self, cards: Sequence[Card], round_: int, number: int) -> list[Card]:
        """As Decks. Raises Check too."""
        line = self.lines[0].line if self.lines else self.line
        dealt = super().__call__(cards, round_, number)
        if dealt != self.shuffled(cards, round_, number):
            raise Check(
                f"line {line}: this deck is not what the secrets give (round {round_}, shuffle {number + 1})"
            )
        return dealt


def chained(claims: Claims) -> list[bytes]:
    """The heads of all lines that are in the chain. Raises Check if its end is not the one that the host signed."""
    chain = Chain(claims.table, claims.secrets[HOST])
    heads = list(chain.heads(claims.lines[: claims.end]))
    if claims.head != chain.head:
        raise Check(
            "the lines of the record do not give the head of its chain: some were changed or left out"
        )
    try:
        Ed25519PublicKey.from_public_bytes(claims.signer).verify(
            claims.signature, signed(claims.table, claims.head)
        )
    except (InvalidSignature, ValueError) as error:
        raise Check(
            "the host has not signed this record: its signature is another's or another head's"
        ) from error
    wanted = [
        of_host(claims.secrets[HOST]),
        f"head {claims.head.hex()}",
        f"signature {claims.signature.hex()}",
    ]
    if claims.lines[claims.end - 1 :] != wanted:
        raise Check("something stands after the end of the chain, which the host did not sign")
    return heads
