"""Names that come over the network, made fit to be shown."""

from __future__ import annotations

import unicodedata

LONGEST = 40
UNSAFE = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})


def cleaned(text: str, otherwise: str = "a table") -> str:
    """A name without control, escape and bidi characters, on one line and not too long; `otherwise` if nothing is left."""
    blanks = "".join(" " if char in "\t\n" else char for char in text[: 4 * LONGEST])
    kept = "".join(char for char in blanks if unicodedata.category(char) not in UNSAFE)
    return " ".join(kept.split())[:LONGEST].strip() or otherwise
