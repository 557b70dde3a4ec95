"""The whole screen as lines, for any size: the table, what happened, what can be done. Nothing here draws or waits."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from lanplay.engine.words import SEATS
from lanplay.screen import lobby
from lanplay.screen.full.client import OVER, Client
from lanplay.screen.full.menu import ASIDE, Menu
from lanplay.screen.full.table import Drawn, whose
from lanplay.screen.full.text import (
    EMPTY,
    Line,
    Marker,
    Span,
    bar,
    fitted,
    flowing,
    line,
    width_of,
    wrapped,
)
from lanplay.screen.talk import LOST
from lanplay.speech.spell import plain

WIDE = 116  # columns from which on the table and what happened lie side by side
LEAST_LOG = 4  # lines of what happened that are in sight if there is any room
WAITS = "Checking how the cards were dealt …"


class Picture(NamedTuple):
    """`lines` fill all the screen but its last two rows: the input, and `foot`."""

    lines: list[Line]
    foot: Line


class Size(NamedTuple):
    """Of the terminal, in cells."""

    width: int
    height: int


def picture(client: Client, size: Size, now: float) -> Picture:
    """What the screen shows at this moment."""
    below = [*hand(client, size), *doing(client, size)][: max(size.height - 5, 0)]
    room = max(size.height - 3 - len(below), 0)
    lines = [head(client, size.width, now), *above(client, size.width, room), *below]
    return Picture([fitted(one, size.width) for one in lines], foot(client, size.width))


# ---- the top --------------------------------------------------------------------------------------------


def head(client: Client, width: int, now: float) -> Line:
    """Which game, which round, whose move, how much time is left."""
    follower = client.mode.follower
    welcome, status = follower.welcome, follower.status
    title = lobby.title(welcome.game) if welcome else "lanplay"
    if status is None:
        table = f" at {welcome.table}" if welcome else ""
        return bar(f" {title}{table}", "waiting for players ", width)
    turn = WAITS if client.mode.ending else whose(client.mode.cast, status)
    left = "" if client.until is None or status.over else f"  {clock(client.until - now)}"
    return bar(f" {title}, round {status.round}", f"{turn}{left} ", width, style=loud(turn))


def loud(turn: str) -> str:
    return "bold reverse" if turn.isupper() else "reverse"


def clock(seconds: float) -> str:
    """`0:42`."""
    whole = max(math.ceil(seconds), 0)
    return f"{whole // 60}:{whole % 60:02}"


# ---- the table and what happened ------------------------------------------------------------------------


def above(client: Client, width: int, room: int) -> list[Line]:
    """A page, one part that is shown large, or the table and what happened."""
    if client.page:
        return paged(client, client.title, page_lines(client.page, width), width, room)
    if client.zoom == "table":
        return paged(client, "The table", seats(client, width), width, room)
    if client.zoom == "log" or room < 3:
        return happened(client, width, room)
    if width >= WIDE:
        return beside(client, width, room)
    drawn = seats(client, width)
    most = max(room - LEAST_LOG - 1, room // 2)
    shown = cut(drawn, most, width)
    return [*shown, *happened(client, width, room - len(shown))]


def beside(client: Client, width: int, room: int) -> list[Line]:
    """The table on the left, what happened on the right."""
    left = width * 11 // 20
    table = cut(seats(client, left - 2), room, left - 2)
    log = happened(client, width - left, room)
    table += [EMPTY] * (room - len(table))
    return [(*fitted(one, left), *other) for one, other in zip(table, log, strict=True)]


def cut(lines: list[Line], most: int, width: int) -> list[Line]:
    """So many lines; that there are more is said."""
    if len(lines) <= most:
        return lines
    rest = len(lines) - most + 1
    return [*lines[: most - 1], line(f"  … {rest} more lines: F2 shows them", "dim")]


def seats(client: Client, width: int) -> list[Line]:
    """The table; before the game, who sits there."""
    mode = client.mode
    follower = mode.follower
    if follower.status is None:
        text = lobby.seated(follower.sitting, follower.seat)
        text += lobby.missing(follower.sitting, follower.welcome.size if follower.welcome else 0)
        return [line(f"  {part}") for one in text for part in wrapped(one, width - 2)]
    drawn = Drawn(mode.choice.scene, mode.speech, follower.status, follower.sitting)
    return drawn.lines(width)


def happened(client: Client, width: int, room: int) -> list[Line]:
    """The last of what happened, or what was scrolled to; exactly so many lines."""
    if room < 1:
        return []
    marker = Marker(client.mode.follower.zones.deck.faces)
    lines: list[Line] = []
    wanted = room - 1 + client.scrolled
    for text in reversed(client.log):
        first, *rest = wrapped(text, width - 4)
        lines += [(Span("    "), *marker(part.lstrip())) for part in reversed(rest)]
        lines.append((Span("  "), *marker(first)))
        if len(lines) >= wanted:
            break
    top = min(len(lines), wanted)
    client.scrolled = below = max(top - room + 1, 0)
    shown = lines[below:top][::-1]
    more = f"{below} more below " if below else ""
    return [bar(" What happened", more, width, "underline"), *shown, *[EMPTY] * (room - 1 - len(shown))]


def page_lines(page: Sequence[str], width: int) -> list[Line]:
    found: list[Line] = []
    for text in page:
        first, *rest = wrapped(text, width - 4)
        found += [line(f"  {first}"), *(line(f"    {part.lstrip()}") for part in rest)]
    return found


def paged(client: Client, title: str, lines: list[Line], width: int, room: int) -> list[Line]:
    """A part of something long, under its title."""
    size = max(room - 1, 1)
    top = min(client.scrolled, max(len(lines) - size, 0))
    client.scrolled = top
    shown = lines[top : top + size]
    where = f"{top + 1} to {top + len(shown)} of {len(lines)} (PgUp, PgDn)  " if len(lines) > size else ""
    return [
        bar(f" {title}", f"{where}Esc: back ", width, "underline"),
        *shown,
        *[EMPTY] * (size - len(shown)),
    ][:room]


# ---- what can be done -------------------------------------------------------------------------------------


def hand(client: Client, size: Size) -> list[Line]:
    """The player's own cards."""
    mode = client.mode
    status = mode.follower.status
    if status is None:
        return []
    lines = Drawn(mode.choice.scene, mode.speech, status, mode.follower.sitting).hand(size.width - 1)
    return [(Span(" "), *one) for one in lines]


def doing(client: Client, size: Size) -> list[Line]:
    """What is asked, the list, and what can be done out of turn."""
    status, menu = client.mode.follower.status, client.menu
    if status is None or status.over:
        return []
    prompt = asked(client, size.width)
    most = max(size.height // 3, 3)
    return [*prompt, *listed(menu, size.width, most), *aside(client, size.width)]


def asked(client: Client, width: int) -> list[Line]:
    """The question, in words."""
    status, menu = client.mode.follower.status, client.menu
    assert status
    if menu.text and not menu.number and menu.rows:
        title = "With what you have typed:"
    elif menu.opened == ASIDE:
        title = "Out of turn (Esc: back):"
    elif menu.opened:
        title = f"{menu.opened} … (Esc: back)"
    elif menu.turn:
        title = status.prompt
    elif others_wait(client):
        title = f"{client.mode.cast.name(SEATS.index(status.held or 'A'))} is about to move on."
    else:
        return []
    return [(Span(" "), Span(part, "bold")) for part in wrapped(title, width - 2)]


def others_wait(client: Client) -> bool:
    """Somebody else's move waits for what this player may say to it."""
    status, own = client.mode.follower.status, letter(client)
    return bool(status and status.held and own and status.held != own)


def listed(menu: Menu, width: int, most: int) -> list[Line]:
    """The rows in columns, numbered; `>` before the one that is marked. Those around the mark, if there are many."""
    rows = menu.rows
    digits = len(str(len(rows)))
    cells = [
        (
            Span("> " if n == menu.cursor else "  ", "bold"),
            Span(f"{n + 1:{digits}} {plain(row.label)}", "bold reverse" if n == menu.cursor else ""),
        )
        for n, row in enumerate(rows)
    ]
    across = columns(cells, width)
    down = math.ceil(len(cells) / across) if cells else 0
    menu.down = max(down, 1)
    lines = [grid_line(cells[n::down], width // across) for n in range(down)]
    if down <= most:
        return lines
    at = (menu.cursor or 0) % down
    top = min(max(at - most // 2, 0), down - most + 1)
    rest = f"  … {top} before, {down - top - most + 1} after: arrow keys, or type a part of a move"
    return [*lines[top : top + most - 1], line(rest, "dim")]


def columns(cells: Sequence[Line], width: int) -> int:
    """How many columns there is room for."""
    widest = max(map(width_of, cells), default=1) + 2
    return max(width // widest, 1)


def grid_line(cells: Sequence[Line], each: int) -> Line:
    return tuple(span for cell in cells for span in fitted(cell, each))


def aside(client: Client, width: int) -> list[Line]:
    """What is one key away, and what waits for it."""
    keys = client.keys
    parts = [
        (Span(f"F{key} ", "bold"), Span(client.mode.choice.note(move))) for key, move in keys.moves.items()
    ]
    parts += [(Span("F4 ", "bold"), Span("let it stand"))] * others_wait(client)
    more = len(client.menu.aside) - len(keys.moves)
    parts += [(Span("Tab ", "bold"), Span(f"and {more} more"))] * (more > 0)
    return flowing(parts, width, (Span(" Out of turn:", "bold"),)) if parts else []


def letter(client: Client) -> str | None:
    welcome = client.mode.follower.welcome
    return welcome.seat if welcome else None


# ---- the last row -----------------------------------------------------------------------------------------


def foot(client: Client, width: int) -> Line:
    """What must be known at once, else which keys there are."""
    if client.lost:
        return bar(f" {LOST}", "", width, "bold reverse")
    if client.note:
        return bar(f" {client.note}", "", width, "bold")
    if client.over:
        return bar(f" {OVER}", "PgUp: what happened ", width, "bold")
    if client.mode.busy:
        return bar(" …", "", width, "dim")
    return bar(" F1 help  F2 table  F3 what happened  Tab complete  quit", "", width, "dim")
