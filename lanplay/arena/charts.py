"""Charts as inline SVG: each with a title, a sentence that tells it, and the numbers as a table."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from html import escape
from typing import NamedTuple

WIDTH, HEIGHT = 640, 240
LEFT, RIGHT, TOP, BOTTOM = 52, 564, 14, 204  # of the plot; names of lines stand to its right
BINS = 24

Row = Sequence[str]


class Point(NamedTuple):
    """A place on a line, with how far it may be off."""

    x: float
    y: float
    half: float


class Bin(NamedTuple):
    """How often something came out from `low` to `high`."""

    low: float
    high: float
    often: int


class Scale(NamedTuple):
    """From values to places."""

    low: float
    high: float
    start: float
    stop: float

    def __call__(self, value: float) -> float:
        part = (value - self.low) / ((self.high - self.low) or 1)
        return self.start + part * (self.stop - self.start)


def figure(name: str, title: str, told: str, drawn: str, head: Row, rows: Iterable[Row]) -> str:
    """A chart: `drawn` is SVG, `told` what it shows in a sentence, and the table has its numbers."""
    return (
        f'<figure id="{name}"><figcaption><h3>{escape(title)}</h3><p>{escape(told)}</p></figcaption>'
        f'<svg viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(title)}. {escape(told)}">{drawn}</svg>'
        f"<details><summary>The numbers</summary>{table(head, rows)}</details></figure>"
    )


def table(head: Row, rows: Iterable[Row]) -> str:
    """The first column names the row."""
    columns = "".join(f'<th scope="col">{escape(cell)}</th>' for cell in head)
    body = "".join(
        f'<tr><th scope="row">{escape(first)}</th>{"".join(f"<td>{escape(cell)}</td>" for cell in rest)}</tr>'
        for first, *rest in rows
    )
    return f'<div class="wide"><table><thead><tr>{columns}</tr></thead><tbody>{body}</tbody></table></div>'


def ways(lines: Mapping[str, Sequence[Point]], even: float) -> str:
    """Lines with their bands, and the level of equals."""
    across = Scale(0, max((line[-1].x for line in lines.values() if line), default=1), LEFT, RIGHT)
    late = [point for line in lines.values() for point in line if point.x >= across.high / 20]
    low = min([even, *(point.y - point.half for point in late)])
    up = Scale(*span(low, max([even, *(point.y + point.half for point in late)])), BOTTOM, TOP)
    drawn = [axes(across, up, lambda x: f"{x:.0f}", lambda y: f"{y:.0%}"), level(up(even))]
    drawn += [band(n, line, across, up) for n, line in enumerate(lines.values())]
    drawn += [path(n, line, across, up) for n, line in enumerate(lines.values())]
    ends = apart([*(up(within(line[-1].y, up)) for line in lines.values()), up(even)])
    for n, (label, y) in enumerate(zip([*lines, "equal"], ends, strict=True)):
        kind = f' class="name c{n}"' if n < len(lines) else ""
        drawn.append(f'<text{kind} x="{RIGHT + 4}" y="{y + 4:.1f}">{escape(short(label))}</text>')
    return "".join(drawn)


def span(low: float, high: float) -> tuple[float, float]:
    """The ends of an axis of shares: four whole steps that hold both."""
    for step in (0.01, 0.02, 0.05, 0.1, 0.2):
        begin = max(0, math.floor(low / step + 1e-9)) * step
        if begin + 4 * step >= min(high, 1):
            return begin, begin + 4 * step
    return 0, 1


def within(value: float, scale: Scale) -> float:
    return max(scale.low, min(scale.high, value))


def short(label: str) -> str:
    return label if len(label) <= 9 else f"{label[:8]}…"


def apart(places: Sequence[float]) -> list[float]:
    """Places for names at the ends of lines, so that none covers another."""
    order = sorted(range(len(places)), key=places.__getitem__)
    found, last = [0.0] * len(places), -math.inf
    for n in order:
        last = found[n] = max(places[n], last + 14)
    over = max(0.0, last - BOTTOM)
    return [place - over for place in found]


def band(n: int, line: Sequence[Point], across: Scale, up: Scale) -> str:
    """How far a line may be off."""
    ends = [(point.x, point.y + point.half) for point in line]
    ends += [(point.x, point.y - point.half) for point in reversed(line)]
    return f'<polygon class="band f{n}" points="{places(ends, across, up)}"/>'


def path(n: int, line: Sequence[Point], across: Scale, up: Scale) -> str:
    ends = [(point.x, point.y) for point in line]
    return f'<polyline class="line s{n}" points="{places(ends, across, up)}"/>'


def places(points: Iterable[tuple[float, float]], across: Scale, up: Scale) -> str:
    return " ".join(f"{across(x):.1f},{up(within(y, up)):.1f}" for x, y in points)


def bars(values: Mapping[str, float], even: float) -> str:
    """A bar each, and the level of equals."""
    up = Scale(*span(0, max([even, *values.values()])), BOTTOM, TOP)
    step = (RIGHT - LEFT) / max(1, len(values))
    drawn = [axes(Scale(0, 1, LEFT, RIGHT), up, None, lambda y: f"{y:.0%}"), level(up(even))]
    drawn.append(f'<text x="{RIGHT + 4}" y="{up(even) + 4:.1f}">equal</text>')
    for n, (label, value) in enumerate(values.items()):
        x, y = LEFT + step * (n + 0.2), up(value)
        drawn.append(
            f'<rect class="f0" x="{x:.1f}" y="{y:.1f}" width="{step * 0.6:.1f}" height="{BOTTOM - y:.1f}"/>'
        )
        middle = x + step * 0.3
        drawn.append(f'<text class="mid" x="{middle:.1f}" y="{BOTTOM + 16}">{escape(label)}</text>')
        drawn.append(f'<text class="mid on" x="{middle:.1f}" y="{y - 4:.1f}">{value:.1%}</text>')
    return "".join(drawn)


def histograms(columns: Mapping[str, Sequence[Bin]], named: Callable[[float], str]) -> str:
    """How often values came out, a row each, over the same axis."""
    bins = [one for column in columns.values() for one in column]
    low, high = min((one.low for one in bins), default=0), max((one.high for one in bins), default=1)
    across = Scale(low, high, LEFT, RIGHT)
    each = (BOTTOM - TOP) / max(1, len(columns))
    drawn = [axes(across, None, named, None)]
    for n, (label, column) in enumerate(columns.items()):
        floor = TOP + each * (n + 1)
        up = Scale(0, max((one.often for one in column), default=1), floor, floor - each * 0.9)
        for one in column:
            x, y = across(one.low), up(one.often)
            wide = max(1.0, across(one.high) - x - 1)
            drawn.append(
                f'<rect class="f{n}" x="{x:.1f}" y="{y:.1f}" width="{wide:.1f}" height="{floor - y:.1f}"/>'
            )
        drawn.append(f'<line class="axis" x1="{LEFT}" x2="{RIGHT}" y1="{floor:.1f}" y2="{floor:.1f}"/>')
        drawn.append(
            f'<text class="name c{n}" x="{RIGHT + 4}" y="{floor - 4:.1f}">{escape(short(label))}</text>'
        )
    return "".join(drawn)


def axes(
    across: Scale,
    up: Scale | None,
    x_named: Callable[[float], str] | None,
    y_named: Callable[[float], str] | None,
) -> str:
    """The lines below and to the left, with some values."""
    drawn = [f'<line class="axis" x1="{LEFT}" x2="{RIGHT}" y1="{BOTTOM}" y2="{BOTTOM}"/>']
    for part in range(5):
        if x_named:
            value = across.low + (across.high - across.low) * part / 4
            drawn.append(
                f'<text class="mid" x="{across(value):.1f}" y="{BOTTOM + 16}">{x_named(value)}</text>'
            )
        if up and y_named:
            value = up.low + (up.high - up.low) * part / 4
            drawn.append(
                f'<line class="grid" x1="{LEFT}" x2="{RIGHT}" y1="{up(value):.1f}" y2="{up(value):.1f}"/>'
            )
            drawn.append(f'<text class="end" x="{LEFT - 6}" y="{up(value) + 4:.1f}">{y_named(value)}</text>')
    return "".join(drawn)


def level(y: float) -> str:
    """Where all are who are equal."""
    return f'<line class="level" x1="{LEFT}" x2="{RIGHT}" y1="{y:.1f}" y2="{y:.1f}"/>'


def binned(values: Mapping[int, int], low: int, high: int) -> list[Bin]:
    """Whole numbers from `low` to `high`, in at most so many bins of the same whole width."""
    width = max(1, math.ceil((high - low + 1) / BINS))
    often = dict.fromkeys(range((high - low) // width + 1), 0)
    for value, times in values.items():
        often[(value - low) // width] += times
    return [Bin(low + n * width, low + (n + 1) * width, times) for n, times in often.items()]
