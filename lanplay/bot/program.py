"""A bot that is a program of its own, in any language: the lines of STDIO.md, on its standard input and output."""

from __future__ import annotations

import base64
import pickle
from typing import Any, ClassVar

from lanplay.bot.bot import Bot
from lanplay.bot.clock import LIMITS, Clock, Fault, Limits
from lanplay.bot.facts import Fact
from lanplay.bot.process import Process, show_on_stderr
from lanplay.bot.view import Info, View

VERSION = 1


class Program(Bot):
    """Asks a process. One process plays one game in one seat; `programs.program` makes a class of a command."""

    command: ClassVar[tuple[str, ...]] = ()
    limits: ClassVar[Limits] = LIMITS
    pickles = False  # lanplay's own other end gets the view itself, not only what can be said of it in JSON
    process: Process | None = None

    def setup(self, info: Info) -> None:
        """Start it. Its time runs from the first question on."""
        self.clock, self.facts, self.number = Clock(self.limits), list[Fact](), 0
        # Before a seed is drawn: the dice of a class are the same everywhere.
        own = self.pickled(info, self.rng)
        self.process = Process(self.command, show_on_stderr(info.names[info.seat]))
        self.process.tell(hello(info, self.limits, self.rng.getrandbits(48)) | own)

    def pickled(self, *things: Any) -> dict[str, str]:
        return {"pickled": base64.b64encode(pickle.dumps(things)).decode()} if self.pickles else {}

    def hear(self, fact: Fact) -> None:
        self.facts.append(fact)

    def act(self, view: View) -> str:
        return self.ask("act", view)  # type: ignore[return-value] # None is a fault

    def react(self, view: View) -> str | None:
        return self.ask("react", view)

    def ask(self, question: str, view: View) -> str | None:
        """What it says. Raises Fault."""
        assert self.process
        self.number += 1
        asked = {"id": self.number, "ask": question, "moves": view.moves, **shown(view), "facts": self.told()}
        pickled = self.pickled(view.memory, view._points, view.moves, view._status, view._told)
        seconds = self.clock.begin()
        try:
            answer = self.process.ask({**asked, "bank": round(self.clock.bank, 3), **pickled}, seconds)
        finally:
            self.clock.end()
        if "error" in answer:
            raise Fault("crashed", f"crashed: {answer['error']!s:.300}")
        move = answer.get("move", answer)
        if move is not None and not isinstance(move, str):
            raise Fault("nonsense", f"answered {answer!r:.100} in place of a move")
        return move

    def told(self) -> list[dict[str, Any]]:
        """What happened since it was last told."""
        facts, self.facts = self.facts, []
        return [described(fact) for fact in facts]

    def end(self, result: dict[str, Any]) -> None:
        """Tell it, and let it end by itself."""
        process, self.process = self.process, None
        if process:
            process.close(last={"end": result, "facts": self.told()})

    def close(self) -> None:
        """The process ends at once."""
        process, self.process = self.process, None
        if process:
            process.close(grace=0)


def hello(info: Info, limits: Limits, seed: int) -> dict[str, Any]:
    """The first line: all that a bot is told before the first deal. From the seed of its dice no card follows."""
    return {
        "hello": "lanplay-bot",
        "version": VERSION,
        "game": info.game,
        "seat": info.seat,
        "seats": list(info.names),
        "names": info.names,
        "options": info.options,
        "worth": info.worth,
        "seed": seed,
        "time": limits._asdict(),
    }


def shown(view: View) -> dict[str, Any]:
    """What a bot looks at, as a View tells it."""
    memory, by_place = view.memory, numbered(view)
    hands = {seat: view.hand(seat) for seat in view.seats if f"hand {seat}" in by_place}
    places = [place for hand in hands.values() for place in hand]
    loose = [f"hand {seat}" for seat in view.seats if seat not in hands]
    zones = {name: view.zone(name) for name in memory.zones.names[1:] if name not in by_place}
    barred = {place: sorted(view.barred(place)) for place in [*places, *loose]}
    return {
        "prompt": view.prompt,
        "round": view.round,
        "turn": view.turn,
        "asked": view.asked,
        "open": view.open,
        "caller": view.caller,
        "totals": view.totals,
        "table": view.public,
        "top": view.top,
        "held": view.held,
        "deck": len(memory.lay[0]),
        "counts": view.counts,
        "hands": hands,
        "zones": zones,
        "known": view.known,
        "matching": view.matching,
        "unseen": dict(view.unseen),
        "average": view.average,
        "expected": {place: view.expected(place) for place in places},
        "seen": {place: view.seen_by(place) for place in places},
        "barred": {place: faces for place, faces in barred.items() if faces},
    }


def numbered(view: View) -> set[str]:
    """The names of the zones with numbered places."""
    zones = view.memory.zones
    return {zones.names[zone] for zone in zones.numbered}


def described(fact: Fact) -> dict[str, Any]:
    """A fact, without what it does not have."""
    return {name: value for name, value in fact._asdict().items() if value}
