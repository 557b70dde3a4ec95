"""A match's result as people read it."""

from __future__ import annotations

import csv
import io
import shlex

from lanplay.arena.result import Result, Standing, healthy


def text(result: Result) -> str:
    """The ranking, what it proves, how the bots and the games behaved, and how to play it again."""
    ranking = result.ranking()
    lines = [
        f"{result.games} games of {result.game}: {len(result.blocks)} deals, each in {len(result.bots)} rotations",
        "",
        f"   {'bot':<20} {'wins per seat':>18}  {'Elo':>22}  {'points':>8}  better than the next",
        *[row(place, standing) for place, standing in enumerate(ranking, 1)],
        "",
        verdict(ranking),
        "",
        *[health_line(bot, healthy(seen)) for bot, seen in result.health.items()],
        games_line(result),
        f"Again: {command(result)}",
    ]
    return "\n".join(lines)


def row(place: int, standing: Standing) -> str:
    elo = "-"
    if standing.elo is not None:
        elo = f"{standing.elo:+.0f}"
        if standing.elo_low is not None and standing.elo_high is not None:
            elo += f" ({standing.elo_low:+.0f} to {standing.elo_high:+.0f})"
    share = f"{standing.share:.1%} ± {standing.interval:.1%}"
    better = "" if standing.better is None else f"{standing.better:.1%}"
    return f"{place:2} {standing.bot:<20} {share:>18}  {elo:>22}  {standing.points:>8.1f}  {better}"


def verdict(ranking: list[Standing]) -> str:
    """Who is better, in a sentence."""
    if len(ranking) == 1:
        return f"{ranking[0].bot} plays against itself: nobody can be better."
    best, next_ = ranking[:2]
    if best.better is not None and best.better >= 0.975:
        shares = f"it wins {best.share:.1%} of its games, {next_.bot} {next_.share:.1%}"
        return f"{best.bot} is better than {next_.bot}: {shares}."
    return f"Not decided: {best.bot} is ahead of {next_.bot}, which may be chance. More games will tell."


def health_line(bot: str, health: dict[str, object]) -> str:
    faults = health["faults"]
    what = (
        ", ".join(f"{count} {kind}" for kind, count in faults.items())
        if isinstance(faults, dict) and faults
        else "no faults"
    )
    why = f" (first: {health['why']})" if health["why"] else ""
    return f"{bot}: {health['p50_ms']:.2f} ms at the median, {health['p99_ms']:.2f} ms at the 99th percentile, {what}{why}"


def games_line(result: Result) -> str:
    seats = ", ".join(f"{'ABCDEFGH'[n]} {wins / result.games:.1%}" for n, wins in enumerate(result.seat_wins))
    return (
        f"Games: {result.actions / result.games:.1f} actions on average, {result.ties} ties, "
        f"{result.capped} ended by max_turns; wins by seat {seats}"
    )


def command(result: Result) -> str:
    """What plays the match again."""
    options = [
        word
        for name, value in result.options.items()
        for word in ("--set", f"{name}={value}")
        if name == "max_turns"
    ]
    words = [
        "lanplay",
        "match",
        result.game,
        *result.bots,
        "--games",
        str(result.games),
        "--seed",
        str(result.seed),
    ]
    return shlex.join([*words, *options])


def as_csv(result: Result) -> str:
    """The ranking, a line a bot."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Standing._fields)
    writer.writerows(result.ranking())
    return out.getvalue()
