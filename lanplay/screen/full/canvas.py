"""Rows of text on the terminal. Only those that have changed are drawn again: what is being copied stays marked."""

from __future__ import annotations

from functools import cache

from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip
from textual.widget import Widget

from lanplay.screen.full.text import Line

style_of = cache(Style.parse)


class Canvas(Widget):
    """Shows lines as they are: nothing in them is taken for markup."""

    rows: list[Line] = []  # noqa: RUF012 - replaced, never changed

    def show(self, rows: list[Line]) -> None:
        """Other lines from now on."""
        before, self.rows = self.rows, rows
        longer = max(len(before), len(rows))
        changed = [y for y in range(longer) if before[y : y + 1] != rows[y : y + 1]]
        if changed:
            self.refresh(*(Region(0, y, self.size.width, 1) for y in changed))

    def render_line(self, y: int) -> Strip:
        """One row, as wide as this is."""
        spans = self.rows[y] if y < len(self.rows) else ()
        strip = Strip([Segment(span.text, style_of(span.style)) for span in spans])
        return strip.adjust_cell_length(self.size.width)
