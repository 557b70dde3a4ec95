"""Lines of styled text: what is drawn, before anything draws it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size

from lanplay.speech.spell import NAMED, broken, plain

RED, BLUE = ("d", "h", "Xr"), ("BR", "BK")  # by how a card's spelling ends


class Span(NamedTuple):
    """Some letters, and how they look: words of `bold dim reverse red blue`."""

    text: str
    style: str = ""


Line = tuple[Span, ...]
EMPTY: Line = ()


def line(text: str, style: str = "") -> Line:
    """A line that looks the same all along. Nothing in it can steer a terminal."""
    return (Span(plain(text), style),)


def bare(spans: Line) -> str:
    """The letters alone."""
    return "".join(span.text for span in spans)


def width_of(spans: Line) -> int:
    """In cells of the terminal."""
    return sum(cell_len(span.text) for span in spans)


def fitted(spans: Line, width: int) -> Line:
    """Exactly so wide: cut off, or filled up with blanks."""
    left, found = width, []
    for span in spans:
        size = cell_len(span.text)
        found.append(span if size <= left else Span(set_cell_size(span.text, left), span.style))
        left -= min(size, left)
    return (*found, Span(" " * left)) if left else tuple(found)


def wrapped(text: str, width: int) -> list[str]:
    """One line of text, broken between words, or within them if nothing else helps."""
    lines = broken(plain(text), width).split("\n")
    return [part for one in lines for part in pieces(one, width)]


def pieces(text: str, width: int) -> Iterator[str]:
    """Words that are wider than a line are cut."""
    while cell_len(text) > width > 1:
        cut = next(n for n in range(1, len(text) + 1) if cell_len(text[:n]) > width) - 1
        yield text[:cut]
        text = text[cut:]
    yield text


def bar(left: str, right: str, width: int, style: str = "reverse") -> Line:
    """A line over the whole width, with something at its right end."""
    right = plain(right)
    room = max(width - cell_len(right), 0)
    return (Span(set_cell_size(plain(left), room), style), Span(set_cell_size(right, width - room), style))


# ---- cards --------------------------------------------------------------------------------------------


def colour(face: str) -> str:
    """A second sign of what is written anyway: nobody has to see it."""
    if face in NAMED:
        return "red" if "ed " in NAMED[face] else "blue" if face in BLUE else ""
    return "red" if face.endswith(RED) and len(face) == 2 else ""


def card(face: str) -> Span:
    """A card as it is spelled in moves; `??` is covered."""
    return Span(face, "dim" if face in ("??", "--") else f"bold {colour(face)}".rstrip())


class Marker:
    """Marks the cards in a text, where a word is certain to be one: not numbers."""

    def __init__(self, faces: Collection[str]) -> None:
        marked = sorted((re.escape(face) for face in faces if not face.isdigit()), key=len, reverse=True)
        self.card = re.compile(rf"\b({'|'.join(marked)})\b") if marked else None

    def __call__(self, text: str, style: str = "") -> Line:
        """The text, which has been broken into lines already."""
        if not self.card:
            return (Span(text, style),)
        return tuple(
            Span(part, f"{style} {card(part).style}".strip() if n % 2 else style)
            for n, part in enumerate(self.card.split(text))
            if part
        )


def joined(parts: Iterable[Line], gap: str = "  ") -> Line:
    """One line of several, with a gap between them."""
    found: list[Span] = []
    for part in parts:
        found += [Span(gap)] * bool(found) + list(part)
    return tuple(found)


def flowing(parts: Iterable[Line], width: int, first: Line = EMPTY, gap: str = "  ") -> list[Line]:
    """Parts one after another, in as many lines as they need; those after the first are set in by two blanks."""
    lines: list[list[Line]] = [[first] if first else []]
    used = width_of(first)
    for part in parts:
        size = width_of(part) + len(gap) * bool(lines[-1])
        if lines[-1] and used + size > width:
            lines.append([(Span("  "), *part)])
            used, size = 2, width_of(part)
        else:
            lines[-1].append(part)
        used += size
    return [joined(one, gap) for one in lines]
