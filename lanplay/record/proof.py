"""The honest deck: commitments, the master secret, the chain over a record's lines (PROTOCOL.md, "The honest deck")."""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Literal, NamedTuple, Self

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from lanplay.engine.words import SEATS, Seat

HOST = "host"
START = bytes(32)  # the head before the first line
WHYS = {"silent": "did not answer in time", "wrong": "showed another secret than it had committed to"}
MASTER_WORDS = ("seat", "table", "signer", "commitment", "secret", "left-out")
Why = Literal["silent", "wrong"]  # it did not answer in time; it revealed something else than it committed to


class Pledge(NamedTuple):
    """What a host deals honestly with: the id of its table, a secret of 32 bytes for one game, its key for signing."""

    table_id: str
    secret: bytes
    key: Ed25519PrivateKey

    @classmethod
    def new(cls, table_id: str, key: Ed25519PrivateKey) -> Pledge:
        return cls(table_id, secrets.token_bytes(32), key)

    @property
    def signer(self) -> bytes:
        """The public half of the key."""
        return self.key.public_key().public_bytes_raw()

    @property
    def commitment(self) -> bytes:
        return commitment(self.table_id, HOST, self.secret)


class Shares(NamedTuple):
    """What the seats brought to the joint secret, by their letters, and who was left out and why."""

    commitments: Mapping[str, bytes]
    secrets: Mapping[str, bytes]
    left_out: Mapping[str, Why]


def shares_of(text: str) -> Shares:
    """What stands of the seats' shares in a record that this program wrote."""
    found: dict[str, dict[str, str]] = {"commitment": {}, "secret": {}, "left-out": {}}
    for line in text.split("\n")[:-1]:
        word, _, rest = line.partition(" ")
        who, _, value = rest.partition(" ")
        if word in found and who in SEATS:
            found[word][who] = value
    commitments, secrets = (
        {who: bytes.fromhex(value) for who, value in found[word].items()} for word in ("commitment", "secret")
    )
    left_out: dict[str, Why] = {
        who: "wrong" if value == "wrong" else "silent" for who, value in found["left-out"].items()
    }
    return Shares(commitments, secrets, left_out)


def commitment(table_id: str, who: str, secret: bytes) -> bytes:
    """The hash under which `who`, a seat's letter or `host`, binds itself to a secret of 32 bytes."""
    return sha256(f"lanplay 1 commitment\ntable {table_id}\n{who} {secret.hex()}\n".encode()).digest()


def header(pledge: Pledge, shares: Shares) -> list[str]:
    """The lines of a record's header that tell how its deck came about; all but the host's secret."""
    return [
        f"table {pledge.table_id}",
        f"signer {pledge.signer.hex()}",
        f"commitment {HOST} {pledge.commitment.hex()}",
        *(f"commitment {who} {value.hex()}" for who, value in sorted(shares.commitments.items())),
        *(f"secret {who} {value.hex()}" for who, value in sorted(shares.secrets.items())),
        *(f"left-out {who} {why}" for who, why in sorted(shares.left_out.items())),
    ]


def master(lines: Iterable[str], secret: bytes) -> bytes:
    """The secret of which all shuffles follow: from the MASTER_WORDS lines of a record and the host's secret."""
    bound = [line for line in lines if line.partition(" ")[0] in MASTER_WORDS]
    return sha256(
        "".join(f"{line}\n" for line in ["lanplay 1 master", *bound, of_host(secret)]).encode()
    ).digest()


def of_host(secret: bytes) -> str:
    """The line that shows the host's secret, when the game is over."""
    return f"secret {HOST} {secret.hex()}"


def signed(table_id: str, head: bytes) -> bytes:
    """What the host signs when the game is over."""
    return f"lanplay 1 head\ntable {table_id}\nhead {head.hex()}\n".encode()


class Chain:
    """A hash over the lines of a record, each with all before it.

    The host's secret is its key: a head is told while the game goes on, and without a key somebody could try out which
    hidden card or short deck gives it.
    """

    def __init__(self, table_id: str, secret: bytes) -> None:
        self.key = sha256(f"lanplay 1 chain\ntable {table_id}\n{of_host(secret)}\n".encode()).digest()
        self.head = START

    def add(self, line: str) -> bytes:
        """The head with one more line."""
        self.head = hmac.digest(self.key, self.head + line.encode(), "sha256")
        return self.head

    def heads(self, lines: Iterable[str]) -> Iterator[bytes]:
        """The head after each of these lines."""
        return map(self.add, lines)


class Proof:
    """What a host proves a record with while it writes it: the text, the master secret, the head of its chain.

    `header` are the lines for the record's header. Raises ValueError if the secret is not what they commit the host to.
    """

    def __init__(self, pledge: Pledge, header: Sequence[str], seats: Iterable[str]) -> None:
        """`seats`: the record's lines that name them."""
        if f"commitment {HOST} {pledge.commitment.hex()}" not in header:
            raise ValueError("the host's secret is not the one that it committed to")
        self.pledge, self.header = pledge, header
        self.master = master([*seats, *header], pledge.secret)
        self.chain = Chain(pledge.table_id, pledge.secret)
        self.texts: list[str] = []

    @classmethod
    def begin(cls, pledge: Pledge, shares: Shares, names: Mapping[Seat, str]) -> Self:
        """Of a game that is to be dealt to these seats."""
        seats = [f"seat {SEATS[seat]} {name}" for seat, name in sorted(names.items())]
        return cls(pledge, header(pledge, shares), seats)

    @classmethod
    def again(cls, pledge: Pledge, text: str) -> Self:
        """Of a game that goes on after a break, from its record so far."""
        lines = [line for line in text.split("\n")[:-1] if line.partition(" ")[0] in MASTER_WORDS]
        seats = [line for line in lines if line.startswith("seat ")]
        proof = cls(pledge, [line for line in lines if line not in seats], seats)
        proof.add(text)
        return proof

    @property
    def text(self) -> str:
        """The record so far."""
        return "".join(self.texts)

    @property
    def head(self) -> bytes:
        return self.chain.head

    def write(self, text: str) -> str:
        """Take in whole lines of the record; gives what is to be appended to it: after the result, the proof too."""
        self.add(text)
        over = text.rpartition("\n")[0].rpartition("\n")[2].startswith("result ")
        return text + (self.close() if over else "")

    def add(self, text: str) -> None:
        self.texts.append(text)
        for line in text.split("\n")[:-1]:
            self.chain.add(line)

    def close(self) -> str:
        """The game is over: the host's secret, the head over all lines, its signature."""
        secret = f"{of_host(self.pledge.secret)}\n"
        self.add(secret)
        signature = self.pledge.key.sign(signed(self.pledge.table_id, self.head))
        self.texts.append(f"head {self.head.hex()}\nsignature {signature.hex()}\n")
        return secret + self.texts[-1]
