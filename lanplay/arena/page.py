"""A match's result as one page of HTML: all of the text report, with charts. It loads nothing, and runs no script."""

from __future__ import annotations

import math
import platform
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path

from lanplay import __version__
from lanplay.arena import report
from lanplay.arena.charts import Bin, Point, bars, binned, figure, histograms, table, ways
from lanplay.arena.result import Result, Standing
from lanplay.bot.health import STEPS, Health
from lanplay.engine.words import SEATS
from lanplay.games import find

NORMAL = 1.96  # standard deviations to each side that hold 95 %
TIMES = 10  # steps of a time that make a bin


def html(result: Result, records: Path | None = None) -> str:
    """The whole page. `result` has games, and `records` is the folder of their records."""
    title = f"{', '.join(result.spec.labels)}: {find(result.spec.game).title}"
    ranking = result.ranking()
    parts = [
        f"<h1>{escape(title)}</h1><p>{escape(report.headline(result))}.</p>",
        f"<h2>Ranking</h2>{standings(result, ranking)}<p>{escape(report.MEANS)}</p>",
        *[f"<p><strong>{escape(sentence)}</strong></p>" for sentence in report.verdict(result, ranking)],
        f"<h2>Charts</h2>{''.join(charts(result))}",
        f'<h2>Bots</h2><div id="bots">{health(result)}</div>',
        f"<h2>Games</h2>{games(result)}",
        f"<h2>Again</h2>{again(result, records)}",
    ]
    body = "\n".join(parts)
    style = (Path(__file__).with_name("page.css")).read_text(encoding="utf-8")
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f'<meta name="color-scheme" content="light dark"><title>{escape(title)}</title>'
        f"<style>{style}</style></head>\n<body><main>\n{body}\n</main></body></html>\n"
    )


def standings(result: Result, ranking: Sequence[Standing]) -> str:
    """The ranking."""
    called = dict(zip(result.spec.entries, result.spec.labels, strict=True))
    rows = [
        (
            called[one.bot],
            f"{one.share:.1%} ± {one.interval:.1%}",
            f"{report.signed(one.elo)} ({report.signed(one.elo_low)} to {report.signed(one.elo_high)})",
            f"{one.points:.1f}",
            "" if one.better is None else f"{one.better:.1%}",
            str(one.seats),
        )
        for one in ranking
    ]
    return table(("bot", "wins per seat", "Elo", "points", "better", "seats"), rows)


# ---- charts -----------------------------------------------------------------------------------------------


def charts(result: Result) -> Iterator[str]:
    """One after another."""
    yield shares(result)
    yield points(result)
    yield seats(result)
    yield times(result)
    yield lengths(result)


def shares(result: Result) -> str:
    """How the shares of the wins went."""
    labels = result.spec.labels
    lines = {label: way(result, entry) for entry, label in enumerate(labels)}
    told = (
        f"After {result.blocks} blocks: "
        + ", ".join(f"{label} {line[-1].y:.1%}" for label, line in lines.items())
        + ". The bands hold 95 % at each number of blocks by itself, not at whichever looks best."
    )
    columns = list(zip(*lines.values(), strict=True))
    some = columns[:: max(1, len(columns) // 20)]
    rows = [
        (f"{row[0].x:.0f}", *(f"{point.y:.1%} ± {point.half:.1%}" for point in row))
        for row in [*some, columns[-1]]
    ]
    drawn = ways(lines, 1 / len(result.spec.bots))
    return figure("shares", "Wins per seat, block by block", told, drawn, ("blocks", *labels), rows)


def way(result: Result, entry: int) -> list[Point]:
    """The share of an entry along the match. As in the ranking, a block that each bot alone has won is added to the bars."""
    own, sure = result.spec.bots.count(result.spec.entries[entry]), len(result.spec.entries)
    line = []
    for step in result.tally.path:
        blocks, prior = step.blocks + sure, 1 / own
        mean = (step.shares[entry] + prior) / blocks
        spread = max(0.0, (step.squares[entry] + prior * prior) / blocks - mean * mean)
        line.append(Point(step.blocks, step.shares[entry] / step.blocks, NORMAL * math.sqrt(spread / blocks)))
    return line


def points(result: Result) -> str:
    """How many points each bot had at the end of games."""
    columns = dict(zip(result.spec.labels, result.tally.points, strict=True))
    low, high = min(map(min, columns.values())), max(map(max, columns.values()))
    found = {label: binned(column, low, high) for label, column in columns.items()}
    told = "In a game: " + ", ".join(
        f"{label} {result.tally.mean_points(entry):.1f} on average" for entry, label in enumerate(columns)
    )
    return histogram("points", "Points", f"{told}.", found, "points")


def seats(result: Result) -> str:
    """Whether it matters where one sits."""
    values = {SEATS[seat]: share for seat, share in enumerate(result.seat_shares())}
    told = (
        f"Each seat's part of all wins: {', '.join(f'{seat} {share:.1%}' for seat, share in values.items())}."
    )
    rows = [(seat, f"{share:.2%}") for seat, share in values.items()]
    return figure("seats", "Seats", told, bars(values, 1 / len(values)), ("seat", "of all wins"), rows)


def times(result: Result) -> str:
    """How long the bots think."""
    healths = dict(zip(result.spec.labels, result.tally.health.values(), strict=True))
    found = {label: spread_out(health) for label, health in healths.items()}
    told = "; ".join(
        f"{label} within {report.ms(health.quantile(0.5))} half the time, {report.ms(health.quantile(0.99))} 99 %"
        for label, health in healths.items()
    )
    drawn = histograms(found, lambda step: report.ms(math.exp(step / STEPS)))
    rows = [
        (f"{report.ms(math.exp(low / STEPS))}", *often)
        for low, often in columns(found).items()
    ]  # fmt: skip
    return figure("times", "Time to answer", f"{told}.", drawn, ("from", *found), rows)


def spread_out(health: Health) -> list[Bin]:
    """How often a bot took how long, by the logarithm of the time."""
    often: dict[int, int] = {}
    for step, number in health.times.items():
        often[step // TIMES] = often.get(step // TIMES, 0) + number
    return [Bin(step * TIMES, (step + 1) * TIMES, number) for step, number in sorted(often.items())]


def lengths(result: Result) -> str:
    """How long games are."""
    tally = result.tally
    found = {"games": binned(tally.lengths, min(tally.lengths), max(tally.lengths))}
    told = (
        f"{tally.actions / tally.games:.1f} actions on average, {min(tally.lengths)} to {max(tally.lengths)}."
    )
    return histogram("lengths", "Length of games", told, found, "actions")


def histogram(name: str, title: str, told: str, found: Mapping[str, Sequence[Bin]], unit: str) -> str:
    drawn = histograms(found, lambda value: f"{value:.0f}")
    rows = [(f"{low:.0f}", *often) for low, often in columns(found).items()]
    return figure(name, title, told, drawn, (f"{unit} from", *found), rows)


def columns(found: Mapping[str, Sequence[Bin]]) -> dict[float, list[str]]:
    """How often, by where the bins begin."""
    begins = sorted({one.low for column in found.values() for one in column})
    often = [{one.low: one.often for one in column} for column in found.values()]
    return {low: [str(column.get(low, 0)) for column in often] for low in begins}


# ---- the rest ---------------------------------------------------------------------------------------------


def health(result: Result) -> str:
    """How the bots behaved."""
    healths = dict(zip(result.spec.labels, result.tally.health.values(), strict=True))
    rows = [
        (
            label,
            str(one.times.total()),
            report.ms(one.quantile(0.5)),
            report.ms(one.quantile(0.99)),
            str(one.strikes),
            "; ".join([*report.slow(one), *report.faults(one)]) or "none",
        )
        for label, one in healths.items()
    ]
    return table(("bot", "answers", "half within", "99 % within", "faults", "which"), rows)


def games(result: Result) -> str:
    """How the games were."""
    told = [f"<dt>{escape(name)}</dt><dd>{escape(text)}</dd>" for name, text in report.facts(result)]
    return f"<dl>{''.join(told)}</dl>"


def again(result: Result, records: Path | None) -> str:
    """The seed, the versions, and the commands."""
    rules = find(result.spec.game)
    options = ", ".join(f"{name}={value}" for name, value in result.spec.table_options().values().items())
    play, replay = (
        "\n".join(report.again(words))
        for words in (result.spec.words(), report.replay_words(result, records))
    )
    told = "To step through a game" if records else "To step through a game, add --records DIR to that, then"
    return (
        f"<p>lanplay {__version__}, rules {rules.version} of {rules.name}, "
        f"Python {platform.python_version()}.</p><p>Options: {escape(options)}.</p>"
        f"<p>Again, seed {result.spec.seed}:</p><pre>{escape(play)}</pre>"
        f"<p>{told}:</p><pre>{escape(replay)}</pre>"
    )
