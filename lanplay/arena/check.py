"""A bot before every situation that its games have, the rare ones too: what it does wrong, and how to see it again."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import cycle, islice
from typing import Any

from lanplay.arena.game import Played, Seated, play, secret
from lanplay.arena.report import command, ms
from lanplay.arena.result import Result
from lanplay.arena.spec import MatchSpec
from lanplay.bot.bot import Bot, seeded
from lanplay.bot.clock import Limits
from lanplay.bot.health import Health
from lanplay.bot.load import house_bots, load, plays
from lanplay.bot.programs import APART, named
from lanplay.bot.view import View
from lanplay.engine.game import Rules
from lanplay.engine.options import Option, Value
from lanplay.engine.words import ACTED, MOVED, SEATS, Move, Seat
from lanplay.games import find, registry
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room.pace import Question
from lanplay.speech.spell import count

STRICT = Limits(10, 5, 0)  # nothing in reserve: a bot that needs it is told so
MOST = {"rounds": 2, "max_rounds": 3, "target": 120}  # so that a game does not take long
TURNS = (60, 60, 7, 60, 1, 60)  # max_turns, mix by mix: few turns leave little to see of the other options
ENOUGH = 3  # situations of a game in which a bot was benched: the rest of them is not tried
RARELY = 0.05  # of the turns in which dice move for all, a round is called
PRINTS = "it prints"
DICE = "is every random choice made with its own dice (self.rng, seed)?"
BREAK = 12  # facts after which the connection breaks again


@dataclass
class Found:
    """What one situation has shown. `wrong` are sentences, `again` is the command that plays it again, if a match can."""

    game: str
    title: str
    wrong: list[str]
    hints: list[str] = field(default_factory=list)
    health: Health = field(default_factory=Health)
    again: str = ""
    record: str = ""
    offered: list[int] = field(default_factory=list)  # how many moves, each time that it had to make one

    @property
    def line(self) -> str:
        """How the bot did, in words."""
        p50 = self.health.quantile(0.5)
        times = f", half of them within {ms(p50)}" if p50 else ""
        return f"{self.game}, {self.title}: {count(self.health.times.total(), 'answer')}{times}"

    def object(self) -> dict[str, Any]:
        """The same for programs."""
        return {
            "game": self.game,
            "situation": self.title,
            "ok": not self.wrong,
            "wrong": self.wrong,
            "hints": self.hints,
            "faults": dict(self.health.faults),
            "answers": self.health.times.total(),
            "one_move_only": self.offered.count(1),
            "longest_list": max(self.offered, default=0),
            "again": self.again,
        }


Seen = tuple[Played, list[str], list[str]]  # a game, what is wrong, and what is worth a hint
Trial = Callable[[MatchSpec, Sequence[int]], Seen]


@dataclass(frozen=True)
class Situation:
    """What is played, with the bot in the first place of the match, and what is looked at."""

    title: str
    spec: MatchSpec
    trial: Trial
    rotation: int = 0  # by so many seats

    def found(self) -> Found:
        """Play it."""
        places = len(self.spec.bots)
        order = [(seat + self.rotation) % places for seat in range(places)]
        seat = order.index(0)
        with printed() as said:
            played, wrong, hints = self.trial(self.spec, order)
        replay, offered = replayed(played.record, seat)
        health = played.health[seat]
        again = "" if self.trial in (rejoins, driven) else command(Result(self.spec))
        hints = [*hints, *snaps(replay, seat), *said()]
        return Found(self.spec.game, self.title, wrong, hints, health, again, played.record, offered)


def check(bot: str, games: Sequence[str] = (), limits: Limits = STRICT) -> Iterator[Found]:
    """Every situation of these games, or of all that the bot plays, one after another. Raises BotError.

    A bot in Python plays in a process of its own, so that it can't take the check down or hold it up. Of a game in which
    it was benched three times, or once because it was late, the rest is left out.
    """
    kind = load(bot)
    for game in games or plays(kind) or sorted(registry()):
        load(bot, game)
        benched = 0
        for situation in situations(bot, game, limits):
            if benched < ENOUGH:
                yield (found := situation.found())
                benched += found.health.benched * (ENOUGH if "late" in found.health.faults else 1)


def situations(bot: str, game: str, limits: Limits) -> Iterator[Situation]:
    """All that there is to try of a game."""
    rules, own = find(game), None if named(bot) else bot
    apart = bot if named(bot) else f"{APART}{bot}"
    others = cycle([name for name in sorted(house_bots()) if game in (plays(load(name)) or (game,))])
    fewest = rules.seats[0]

    def spec(seats: int, seed: int, **options: Value) -> MatchSpec:
        bots = (apart, *islice(others, seats - 1))
        return MatchSpec(game, bots, 1, seed, options=options, limits=limits)

    for seats in rules.seats:
        yield Situation(f"{seats} players", spec(seats, seats), faultless, rotation=seats // 2)
    for number, options in enumerate(spread(rules), 1):
        seats = rules.seats[number % len(rules.seats)]
        yield Situation(
            f"options, mix {number}", spec(seats, number, **options), faultless, rotation=number % seats
        )
    everywhere = replace(spec(fewest, 1), bots=(apart,) * fewest)
    yield Situation("against itself", everywhere, ends)
    yield Situation("after a broken connection", spec(fewest, 4), rejoins)
    for seats, seed in ((fewest, 17), (rules.seats[-1], 21)):  # with long lists of moves, and lists of one
        yield Situation(f"moves of others' making, {seats} players", spec(seats, seed), driven)
    yield Situation("the same deal twice", spec(fewest, 2), partial(repeats, own))
    if own:
        yield Situation("what it is shown", spec(fewest, 3), partial(respects, own))


def spread(rules: Rules) -> Iterator[dict[str, Value]]:
    """Options in so many mixes that each has each of its words, and the ends of its range, in one of them."""
    choices = {option.name: values(option) for option in rules.defaults.described()}
    for mix in range(max(map(len, choices.values()))):
        mixed = {
            name: of[(mix + place * (mix // len(of))) % len(of)]
            for place, (name, of) in enumerate(choices.items())
        }
        yield rules.defaults.read(mixed).changed(rules.defaults)


def values(option: Option) -> Sequence[Value]:
    """All words; the ends of a range, as far as a game ends within them, what is usual, and 0."""
    if option.words:
        return option.words
    low, high = option.low or 0, min(option.high or 0, MOST.get(option.name, option.high or 0))
    near = {low, high, min(int(option.default), high), max(low, 0)}
    return TURNS if option.name == "max_turns" else sorted(near - {0} if option.name in MOST else near)


# ---- what is looked at --------------------------------------------------------------------------------


def deal(spec: MatchSpec) -> bytes:
    """The first of the match."""
    return secret(spec.seed, "deal", 0)


def faultless(spec: MatchSpec, order: Sequence[int]) -> Seen:
    """It does all that it is asked."""
    played = play(spec.pairing(), order, deal(spec))
    seat = order.index(0)
    return played, faults(played.health[seat]), []


def faults(health: Health) -> list[str]:
    """A sentence for each kind of fault."""
    return [
        f"{kind}, {count(often, 'time')}: it {health.whys[kind]}" for kind, often in health.faults.items()
    ]


def ends(spec: MatchSpec, order: Sequence[int]) -> Seen:
    """Nobody but this bot has to end the game."""
    played, wrong, hints = faultless(spec, order)
    if played.capped and not wrong:
        wrong.append(f"the game does not end: a limit ended it after {count(played.actions, 'action')}")
    return played, wrong, hints


def rejoins(spec: MatchSpec, order: Sequence[int]) -> Seen:
    """Again and again it comes back with nothing but the position as it lies then."""
    played = play(spec.pairing(), order, deal(spec), Breaking)
    return played, faults(played.health[order.index(0)]), []


class Breaking(Seated):
    """Bots whose connections break, and are there again when they are asked."""

    def hear(self, seat: Seat) -> None:
        before = self.told[seat] // BREAK
        super().hear(seat)
        if self.told[seat] // BREAK > before:
            self.players[seat].memory.recall(self.game.view(seat).lay)


def driven(spec: MatchSpec, order: Sequence[int]) -> Seen:
    """Other moves are made than it says, as for who was late: it comes where it would not have gone by itself."""
    played = play(spec.pairing(), order, deal(spec), Driven)
    return played, faults(played.health[order.index(0)]), []


class Driven(Seated):
    """Bots that are asked at each move, though all moves come from dice: each verb as often, and rarely the last word."""

    def answer(self, seat: Seat, question: Question) -> Move | None:
        said = super().answer(seat, question)
        if question == "react" or said is None:
            return None
        moves = self.game.legal(seat)
        verbs: dict[str, list[Move]] = {}
        for move in moves:
            verbs.setdefault(move.split()[0], []).append(move)
        rng = seeded(b"driven", self.game.accepted * self.game.seats + seat)
        if len(verbs) > 1 and rng.random() > RARELY:
            verbs.pop("cambio", None)
        return rng.choice(verbs[rng.choice(sorted(verbs))])


def repeats(own: str | None, spec: MatchSpec, order: Sequence[int]) -> Seen:
    """The same seed, the same game: also in a process in which it has played before."""
    played, wrong, hints = faultless(spec, order)
    if "late" in played.health[order.index(0)].faults:
        return played, wrong, hints
    if play(spec.pairing(), order, deal(spec)).record != played.record:
        wrong.append(f"the same seed gives another game: {DICE}")
    elif own and not wrong:  # what it did apart it can do here: it takes nothing down
        here = replace(spec, bots=(own, *spec.bots[1:])).pairing()
        play(here, order, b"another deal")
        if play(here, order, deal(spec)).record != played.record:
            wrong.append("it plays otherwise after another game: what does it keep in its class or module?")
    return played, wrong, hints


def respects(own: str, spec: MatchSpec, order: Sequence[int]) -> Seen:
    """It leaves the view as it was."""
    played, wrong, hints = faultless(spec, order)
    if not wrong:
        here = replace(spec, bots=(own, *spec.bots[1:])).pairing()
        changed: set[str] = set()
        kinds = [watched(here.kinds[0], changed), *here.kinds[1:]]
        play(replace(here, kinds=kinds), order, deal(spec))
        wrong += [f"it changes what it is shown: view.{name}" for name in sorted(changed)]
    return played, wrong, hints


def watched(kind: type[Bot], changed: set[str]) -> type[Bot]:
    """The same bot; what it changes is noted."""

    def watching(ask: Callable[[Bot, View], str | None]) -> Callable[[Bot, View], str | None]:
        def asked(self: Bot, view: View) -> str | None:
            before = looks(view)
            try:
                return ask(self, view)
            finally:
                after = looks(view)
                changed.update(name for name, value in before.items() if value != after[name])

        return asked

    own = {"act": watching(kind.act), "__module__": kind.__module__}
    if kind.react is not Bot.react:
        own["react"] = watching(kind.react)
    return type(kind.__name__, (kind,), own)


def looks(view: View) -> dict[str, Any]:
    """All of a view that could be changed."""
    memory = [[lore and (lore.card, lore.barred, lore.seen) for lore in places] for places in view.memory.lay]
    hands = {seat: view.hand(seat) for seat in view.seats} if view.memory.zones.numbered else {}
    return deepcopy(
        {
            "moves": view.moves,
            "known": view.known,
            "facts": view.facts,
            "public": view.public,
            "unseen": view.unseen,
            "hand": hands,
            "memory": memory,
        }
    )


@contextlib.contextmanager
def printed() -> Iterator[Callable[[], list[str]]]:
    """Keeps what a bot prints; gives a hint of it."""
    kept = io.StringIO()

    def hint() -> list[str]:
        lines = kept.getvalue().splitlines()
        return [f"{PRINTS} {count(len(lines), 'line')}: {lines[0]:.60}"] if lines else []

    with contextlib.redirect_stderr(kept):
        yield hint


def replayed(record: str, seat: Seat) -> tuple[Replay, list[int]]:
    """A game, played again; and how many moves this seat was offered whenever it had to make one."""
    replay, offered = Replay(read(record)), []
    for _ in replay.play():
        if seat in replay.game.must_act:
            offered.append(len(replay.game.legal(seat)))
    return replay, offered


def snaps(replay: Replay, seat: Seat) -> list[str]:
    """A hint, if most of its snaps were wrong."""
    log = replay.game.log or []
    tried = [
        at for at, fact in enumerate(log) if fact[:2] == (ACTED, seat) and str(fact[5]).startswith("snap")
    ]
    right = sum(snapped(log, at, replay) for at in tried)
    if 2 * right >= len(tried):
        return []
    return [
        f"of {count(len(tried), 'snap')} {len(tried) - right} {'was' if len(tried) - right == 1 else 'were'} wrong"
    ]


def snapped(log: Sequence[Any], at: int, replay: Replay) -> bool:
    """Whether the card that moves first after this snap is the one that was meant."""
    _, seat, _, _, _, move, _ = log[at]
    place = str(move)[5:]
    own = place.isdecimal()
    names = replay.game.zones.names
    hand = f"hand {SEATS[seat] if own else place[0]}"
    moved = next((fact for fact in log[at + 1 :] if fact[0] == MOVED), None)
    return moved is not None and (names[moved[1]], moved[2]) == (hand, int(place if own else place[1:]))
