"""The host's own screen: who comes and goes and what is played, no more than a spectator sees."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from lanplay.engine.game import Game
from lanplay.engine.words import ACTED, SEATS, SPECTATOR, Seat, letters, masked
from lanplay.games import speech_of
from lanplay.record.proof import WHYS
from lanplay.room.telling import status
from lanplay.screen.result import final
from lanplay.screen.story import Story
from lanplay.speech.cast import Cast
from lanplay.speech.spell import listed

Event = Mapping[str, Any]


class Chronicle:
    """Tells a room's events and each step of its game as they happen, as lines to print or as events for programs."""

    def __init__(self, lines: Callable[[list[str]], None], event: Callable[[Event], None]) -> None:
        """`lines` gets what people read, `event` what programs read; one of them may do nothing."""
        self.lines, self.event = lines, event
        self.story: Story | None = None
        self.step, self.rounds = -1, 0
        self.over = False  # who leaves now is no news

    def happened(self, event: Event) -> None:
        """Something about the people at the table, or the record."""
        self.event(event)
        if not self.over:
            self.lines(in_words(event, begun=self.story is not None))

    def played(self, game: Game, names: Mapping[Seat, str]) -> None:
        """All that the game has done since the last time."""
        facts = [masked(fact, SPECTATOR) for fact in game.facts(self.step)]
        ended = [game.round_object(round_) for round_ in game.rounds[self.rounds :]]
        if self.story is None:
            self.story = self.begun(game, names)
        self.lines(self.story.tell(facts, ended, status(game)))
        for event in self.events(game, facts, ended):
            self.event(event)
        self.step, self.rounds = game.accepted, len(game.rounds)
        if game.over:
            self.over = True
            totals, winners = game.by_letter(game.totals), letters(game.winners or ())
            self.lines(final(self.story.cast, totals, winners, self.rounds))
            self.event({"event": "over", "totals": totals, "winners": winners})

    def begun(self, game: Game, names: Mapping[Seat, str]) -> Story:
        speech = speech_of(game.rules.name)
        return Story(Cast(SPECTATOR, names, game.zones, speech.zones), speech)

    def goes_on(self, game: Game, names: Mapping[Seat, str]) -> None:
        """The game was played so far already, and told."""
        self.story = self.begun(game, names)
        self.story.resume(game.view(SPECTATOR), len(game.rounds), status(game))
        self.step, self.rounds = game.accepted, len(game.rounds)

    def events(self, game: Game, facts: list[Any], ended: list[dict[str, Any]]) -> Iterator[Event]:
        """The moves, as far as all hear them, and the rounds that ended."""
        step = max(self.step, 0)
        for kind, seat, _, _, _, move, _ in facts:
            if kind == ACTED:
                step += 1
                said = move if isinstance(move, str) else None
                yield {"event": "move", "step": step, "seat": SEATS[seat], "move": said}
        for number, round_ in enumerate(ended, self.rounds + 1):
            yield {"event": "round", "round": number, **round_}


def in_words(event: Event, begun: bool) -> list[str]:
    """An event of a room as people read it. When the game has begun, seats are kept."""
    name, seat = event.get("name", ""), event.get("seat")
    bot = ", a bot," if event.get("kind") == "bot" else ""
    if begun and seat and event["event"] in ("joined", "left"):
        return [f"{name} is back." if event["event"] == "joined" else f"{name} is away; the seat is kept."]
    if event["event"] == "joined":
        return [f"{name}{bot} sits down at {seat}." if seat else f"{name} looks on."]
    if event["event"] in ("left", "removed"):
        return [f"{name} has left." if event["event"] == "left" else f"You have removed {name}."]
    if event["event"] == "started":
        return [
            f"The game begins: {listed([f'{name} ({letter})' for letter, name in event['seats'].items()])}."
        ]
    if event["event"] == "dealt":
        return [
            f"Seat {letter} {WHYS[why]}: the deck is shuffled without its secret."
            for letter, why in event["left_out"].items()
        ]
    if event["event"] == "paused":
        return [f"The game stands still until its record can be written: {event['why']}."]
    return ["The game goes on."] if event["event"] == "resumed" else []
