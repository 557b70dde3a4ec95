"""Names that come over the network, made fit to be shown."""

from __future__ import annotations

from lanplay.speech.spell import plain

LONGEST = 40


def cleaned(text: str, otherwise: str = "a table") -> str:
    """A name without control, escape and bidi characters, on one line and not too long; `otherwise` if nothing is left."""
    return " ".join(plain(text[: 4 * LONGEST]).split())[:LONGEST].strip() or otherwise
