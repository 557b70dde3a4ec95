"""Join codes: three words that people can read out to each other (33 bits; SPAKE2 leaves one guess a try)."""

from __future__ import annotations

import secrets
from functools import cache

from mnemonic import Mnemonic

WORDS = 3
OPEN = "open-open-open"  # the code of tables where anyone may sit down


@cache
def words() -> dict[str, str]:
    """The 2,048 words of BIP-39, by their first four letters, which tell them apart."""
    return {word[:4]: word for word in Mnemonic("english").wordlist}


def new() -> str:
    """A join code, such as `amber-violin-garden`."""
    return "-".join(secrets.choice(list(words().values())) for _ in range(WORDS))


def read(typed: str) -> str:
    """The code somebody typed: any case, blanks or hyphens between, the first four letters of each word are enough.

    Raises ValueError, with a sentence, for what can be no code.
    """
    parts = typed.lower().replace("-", " ").split()
    if len(parts) != WORDS:
        raise ValueError(f"A join code is {WORDS} words, such as {'-'.join(list(words().values())[7:10])}.")
    for part in parts:
        if len(part) < 3 or not words().get(part[:4], "").startswith(part[:4]):
            raise ValueError(f"{part[:20]!r} is no word of a join code; look again at the host's screen.")
    return "-".join(words()[part[:4]] for part in parts)
