"""A match's result as people read it: 80 columns, in plain words."""

from __future__ import annotations

import csv
import io
import shlex
from collections.abc import Iterator
from pathlib import Path
from textwrap import wrap

from lanplay.arena.result import Result, Standing
from lanplay.arena.sprt import Sprt, Test
from lanplay.bot.health import SLOW, Health
from lanplay.engine.words import SEATS
from lanplay.speech.spell import count, plain

DECIDED = 0.975  # a likelihood at which one bot is called better than another
WIDE = 80
ENOUGH = 50  # blocks, for a factor that is right within a fifth
LEAN = "The match ended when this was decided, so shares and Elo lean that way: their ± is for matches of fixed length."
MEANS = (
    "± and the range of Elo hold 95 %; Elo is against the average bot here; "
    "better: how likely a bot is stronger than the next."
)


def text(result: Result, records: Path | None = None) -> str:
    """The ranking, what it proves, how the bots and the games behaved, and how to play it again."""
    if not result.games:
        return "Nothing was played."
    ranking = result.ranking()
    lines = [
        *wrap(headline(result), WIDE),
        "",
        *table(result, ranking),
        *wrap(MEANS, WIDE),
        "",
        *[line for sentence in verdict(result, ranking) for line in wrap(sentence, WIDE)],
        "",
        *bots(result),
        "",
        *[line for name, told in facts(result) for line in under(name, told)],
        "",
        f"Again, seed {result.spec.seed}:",
        *indented(again(result.spec.words())),
        "To step through a game:" if records else "To step through a game, add --records DIR to that, then:",
        *indented(again(replay_words(result, records))),
    ]
    return plain_lines(lines)


def plain_lines(lines: list[str]) -> str:
    return "\n".join(plain(line).rstrip() for line in lines)


def headline(result: Result) -> str:
    """What was played."""
    blocks, seats = count(result.blocks, "block"), len(result.spec.bots)
    games = f"{count(result.games, 'game')} of {result.spec.game} in {blocks}"
    played = f"{games}: each deal in all {seats} rotations of the seats"
    whole = result.spec.blocks * seats
    most = "at most " if result.test else ""
    return played if result.over else f"Interrupted after {played}; {most}{whole} games were wanted"


# ---- who is better --------------------------------------------------------------------------------------


def table(result: Result, ranking: list[Standing]) -> list[str]:
    """The ranking."""
    called = dict(zip(result.spec.entries, result.spec.labels, strict=True))
    wide = max(3, *(len(label) for label in called.values()))
    head = f"   {'bot':<{wide}} {'wins per seat':>15}  {'Elo':>22}  {'points':>7}  better"
    rows = [row(place, one, called[one.bot], wide) for place, one in enumerate(ranking, 1)]
    return [head, *rows]


def row(place: int, standing: Standing, label: str, wide: int) -> str:
    elo = f"{signed(standing.elo)} ({signed(standing.elo_low)} to {signed(standing.elo_high)})"
    share = f"{standing.share:.1%} ± {standing.interval:.1%}"
    better = "" if standing.better is None else f"{standing.better:.1%}"
    return f"{place:2} {label:<{wide}} {share:>15}  {elo:>22}  {standing.points:>7.1f}  {better:>6}"


def signed(elo: float) -> str:
    """A whole number with its sign; never -0."""
    return f"{round(elo):+d}"


def verdict(result: Result, ranking: list[Standing]) -> list[str]:
    """Who is better, in sentences."""
    called = dict(zip(result.spec.entries, result.spec.labels, strict=True))
    if result.test:
        first, second = result.spec.labels[:2]
        decided = [LEAN] if result.test.decision else []
        return [sprt_line(result.test, first, second, result.blocks), errors_line(result.test.sprt), *decided]
    if len(ranking) == 1:
        return [f"{called[ranking[0].bot]} plays against itself: nobody can be better."]
    best, next_ = ranking[:2]
    one, other = called[best.bot], called[next_.bot]
    if best.better is not None and best.better >= DECIDED:
        shares = f"{best.share:.1%} of the games a seat, against {next_.share:.1%}"
        return [f"{one} is better than {other}: it wins {shares}."]
    return [f"Not decided: {one} is ahead of {other}, which may be chance. More games will tell."]


def sprt_line(test: Test, first: str, second: str, blocks: int) -> str:
    """Where a sequential test stands, in a sentence."""
    lower, upper = test.sprt.bounds
    numbers = f"(LLR {test.llr:.2f}, bounds {lower:.2f}, {upper:.2f}) after {count(blocks, 'block')}"
    more, less = f"by {test.sprt.elo1:g} Elo or more", f"by {test.sprt.elo0:g} or less"
    said = {
        "stronger": f"{first} is stronger than {second} {more}, rather than {less}",
        "not stronger": f"{first} is not stronger than {second} {more}, rather {less}",
        None: f"not decided whether {first} is stronger than {second} {more}, or {less}",
    }
    return f"SPRT: {said[test.decision]} {numbers}."


def errors_line(sprt: Sprt) -> str:
    """What the test promises."""
    alpha, beta = (f"{100 * error:.3g} %" for error in (sprt.alpha, sprt.beta))
    return (
        f"Such a test errs in about {alpha} of cases if {sprt.elo0:g} or less is true, and in about {beta} if "
        f"{sprt.elo1:g} or more is; in between it may come out either way."
    )


# ---- how bots and games behaved ---------------------------------------------------------------------------


def bots(result: Result) -> list[str]:
    """A line a bot: how long it thinks, and what it did wrong."""
    labels = result.spec.labels
    wide = max(3, *(len(label) for label in labels))
    lines = [f"   {'bot':<{wide}} {'answers':>9}  {'half within':>11}  {'99 % within':>11}  {'faults':>7}"]
    for label, health in zip(labels, result.tally.health.values(), strict=True):
        p50, p99 = (ms(health.quantile(part)) for part in (0.5, 0.99))
        lines.append(
            f"   {label:<{wide}} {health.times.total():>9}  {p50:>11}  {p99:>11}  {health.strikes:>7}"
        )
        lines += [line for told in (*slow(health), *faults(health)) for line in under("", told)]
    return lines


def slow(health: Health) -> Iterator[str]:
    """Answers that would have been too late, if the bot had been held to a time."""
    if health.slow:
        yield f"{count(health.slow, 'answer')} took longer than {SLOW:.0f} s"


def faults(health: Health) -> Iterator[str]:
    """Each kind of fault, and what the first was."""
    for kind, often in sorted(health.faults.items()):
        yield f"{count(often, 'time')} {kind}; first it {health.whys.get(kind, '?')}"


def ms(seconds: float | None) -> str:
    if seconds is None:
        return "-"
    return f"{seconds * 1000:.2g} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms"


def facts(result: Result) -> Iterator[tuple[str, str]]:
    """How the games were, each with its name."""
    tally = result.tally
    lengths = (
        f"{tally.actions / tally.games:.1f} actions on average, {min(tally.lengths)} to {max(tally.lengths)}"
    )
    yield "games", f"{lengths}; {count(tally.ties, 'tie')}; {tally.capped} cut short by a limit"
    seats = [f"{SEATS[seat]} {share:.1%}" for seat, share in enumerate(result.seat_shares())]
    yield "seats", f"{', '.join(seats)} of the wins"
    if saved := saving(result):
        yield "deals", saved
    named = {"longest": tally.longest, "cut short": tally.first_capped, "fault": tally.first_fault}
    for name, where in named.items():
        if where:
            length = f", {where.number} actions" if name == "longest" else ""
            yield name, f"deal {where.deal} in rotation {where.rotation}{length}: {where.name}"


def saving(result: Result) -> str:
    """What the duplicate deals have saved, once there are enough of them to tell."""
    if result.blocks < ENOUGH:
        return ""
    parts = [
        f"{factor:.1f} in {what}"
        for factor, what in zip(result.saved(), ("wins", "points"), strict=True)
        if factor is not None
    ]
    return f"one of these games proves as much as {' and '.join(parts)} without rotation" if parts else ""


# ---- how to play it again -----------------------------------------------------------------------------------


def command(result: Result) -> str:
    """What plays the match again."""
    return shlex.join(result.spec.words())


def replay_words(result: Result, records: Path | None) -> list[str]:
    """What steps through the game that one may want to see: the first with a fault, or cut short, or the longest."""
    tally = result.tally
    where = tally.first_fault or tally.first_capped or tally.longest
    return ["lanplay", "replay", f"{records or 'DIR'}/{where.name if where else ''}"]


def again(words: list[str]) -> list[str]:
    """A command as lines that can be pasted into a shell."""
    lines = [""]
    for word in map(shlex.quote, words):
        if lines[-1] and len(lines[-1]) + len(word) > WIDE - 8:
            lines[-1] += " \\"
            lines.append("  ")
        lines[-1] += word if lines[-1] in ("", "  ") else f" {word}"
    return lines


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def under(name: str, told: str) -> list[str]:
    """A name, and beside it what there is to say."""
    blank = " " * 13
    return wrap(told, WIDE, initial_indent=f"   {name:<9} ", subsequent_indent=blank)


def as_csv(result: Result) -> str:
    """The ranking, a line a bot."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(Standing._fields)
    writer.writerows(result.ranking())
    return out.getvalue()
