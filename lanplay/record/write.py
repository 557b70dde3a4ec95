"""Writing a record as the game goes on: one text for each action, which may be appended as it is."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lanplay.engine.game import Game
from lanplay.engine.words import SEATS, Move, Seat
from lanplay.record.expect import result_of
from lanplay.record.text import VERSION


def header(game: Game, names: Mapping[Seat, str], proof: Sequence[str] = ()) -> str:
    """What is played, by whom, and the first deal. `proof`: the lines that tell how the deck came about."""
    lines = [f"lanplay-record {VERSION}", f"rules {game.rules.version}", f"game {game.rules.name}"]
    lines += [f"option {name} {value}" for name, value in game.options.changed(game.rules.defaults).items()]
    lines += [f"seat {SEATS[seat]} {names[seat]}" for seat in range(game.seats)]
    return text([*lines, *proof, *deals(game, -1, 0)])


def action(game: Game, seat: Seat, move: Move, at: float | None = None) -> str:
    """The last action of the game: the deals it caused before it, and the result after it if the game is over.

    `at`: seconds since the start.
    """
    time = "" if at is None else f" @{at:.3f}"
    lines = [*deals(game, game.accepted - 1, game.accepted), f"{SEATS[seat]} {move}{time}"]
    return text(lines) + (end(game) if game.over else "")


def end(game: Game) -> str:
    """How the game ended; its last line but for what proves it."""
    return text([f"result {result_of(game)}"])


def deals(game: Game, since: int, until: int) -> list[str]:
    """A deck line for each shuffle in these steps."""
    faces = game.zones.deck.faces
    return ["deck " + " ".join(faces[card] for card in deal) for deal in game.deals(since, until)]


def whole(game: Game, names: Mapping[Seat, str], moves: list[tuple[Seat, Move]]) -> str:
    """The record of a game that was played without writing, from its moves."""
    lines = [header(game, names)]
    for step, (seat, move) in enumerate(moves, 1):
        lines.append(text([*deals(game, step - 1, step), f"{SEATS[seat]} {move}"]))
    return "".join(lines) + (end(game) if game.over else "")


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)
