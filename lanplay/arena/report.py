"""A match's result as people read it."""

from __future__ import annotations

import csv
import io
import shlex

from lanplay.arena.result import Result, Standing
from lanplay.bot.clock import LIMITS
from lanplay.bot.health import SLOW, Health
from lanplay.engine.words import SEATS
from lanplay.speech.spell import count

SURE = 0.975  # a likelihood at which one bot is called better than another


def text(result: Result) -> str:
    """The ranking, what it proves, how the bots and the games behaved, and how to play it again."""
    ranking = result.ranking()
    deals, seats = len(result.blocks), len(result.spec.bots)
    wide = max(3, *(len(standing.bot) for standing in ranking))
    lines = [
        f"{count(result.games, 'game')} of {result.spec.game}: {count(deals, 'deal')} in all {seats} rotations of the seats",
        "",
        f"   {'bot':<{wide}} {'wins per seat':>15}  {'Elo':>22}  {'points':>7}  better than the next",
        *[row(place, standing, wide) for place, standing in enumerate(ranking, 1)],
        "",
        verdict(ranking),
        "",
        *[health_line(bot, health) for bot, health in result.health.items()],
        games_line(result),
        f"Again: {command(result)}",
        "With --records DIR each game is written; lanplay replay DIR/00001-1.rec steps through one.",
    ]
    return "\n".join(lines)


def row(place: int, standing: Standing, wide: int) -> str:
    elo = f"{standing.elo:+.0f} ({standing.elo_low:+.0f} to {standing.elo_high:+.0f})"
    share = f"{standing.share:.1%} ± {standing.interval:.1%}"
    better = "" if standing.better is None else f"{standing.better:.1%}"
    line = f"{place:2} {standing.bot:<{wide}} {share:>15}  {elo:>22}  {standing.points:>7.1f}  {better}"
    return line.rstrip()


def verdict(ranking: list[Standing]) -> str:
    """Who is better, in a sentence."""
    if len(ranking) == 1:
        return f"{ranking[0].bot} plays against itself: nobody can be better."
    best, next_ = ranking[:2]
    if best.better is not None and best.better >= SURE:
        shares = f"{best.share:.1%} of the games a seat, against {next_.share:.1%}"
        return f"{best.bot} is better than {next_.bot}: it wins {shares}."
    return f"Not decided: {best.bot} is ahead of {next_.bot}, which may be chance. More games will tell."


def health_line(bot: str, health: Health) -> str:
    p50, p99 = health.quantile(0.5), health.quantile(0.99)
    times = f"half of its answers within {ms(p50)}, 99 % within {ms(p99)}" if p50 and p99 else "never asked"
    faults = "; ".join(
        f"{count(often, 'time')} {kind} (first it {health.whys[kind]})"
        for kind, often in sorted(health.faults.items())
    )
    slow = f"; {count(health.slow, 'answer')} took longer than {SLOW:.0f} s" if health.slow else ""
    return f"{bot}: {times}{slow}; {faults or 'no faults'}"


def ms(seconds: float) -> str:
    return f"{seconds * 1000:.2g} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def games_line(result: Result) -> str:
    seats = ", ".join(f"{SEATS[n]} {wins / result.games:.1%}" for n, wins in enumerate(result.seat_wins))
    return (
        f"Games: {result.actions / result.games:.1f} actions on average, {count(result.ties, 'tie')}, "
        f"{result.capped} cut short by a limit; wins by seat {seats}"
    )


def command(result: Result) -> str:
    """What plays the match again."""
    spec = result.spec
    words = ["lanplay", "match", spec.game, *spec.bots, "--games", str(spec.games), "--seed", str(spec.seed)]
    for name, value in spec.options.items():
        words += ["--set", f"{name}={value}"]
    if spec.limits != LIMITS:
        words += ["--bot-time", str(spec.limits)]
    return shlex.join([*words, *(["--over-lan"] if spec.over_lan else [])])


def as_csv(result: Result) -> str:
    """The ranking, a line a bot."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Standing._fields)
    writer.writerows(result.ranking())
    return out.getvalue()
