"""The lines of a hand-made record that make it a rule test: what must hold here, and what must be refused."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lanplay.engine.game import Game
from lanplay.engine.words import SEATS, Refusal, Seat, letters, seat_of
from lanplay.record.text import Item, RecordError

CODES = frozenset(
    """syntax over closed not-your-turn wrong-step no-such-target protected no-such-card not-a-meld
    not-an-extension needs-own-meld river-card-first keep-a-card late""".split()  # noqa: SIM905 - reads better
)
Check = Callable[[Game, list[str]], str | None]


def failure(game: Game, item: Item) -> str | None:
    """Why this line does not hold, or None if it does. Raises RecordError if the line can't be read."""
    words = item.words.split()
    try:
        if item.kind == "!":
            return must_refuse(game, words)
        if item.kind == "result":
            return result(game, words)
        return holds(game, words)
    except (ValueError, IndexError) as error:
        raise RecordError(f"{item.kind} {item.words} can't be read: {error}", item.line) from error


def seated(game: Game, letter: str) -> Seat:
    seat = seat_of(letter.upper())
    if seat >= game.seats:
        raise ValueError(f"nobody sits at {letter}")
    return seat


def differs(what: str, there: object, wanted: object) -> str | None:
    """A sentence if they are not the same."""
    return None if there == wanted else f"{what}: {plain(there)}, not {plain(wanted)}"


def plain(value: object) -> str:
    if isinstance(value, str):
        return value
    return " ".join(map(str, value)) or "none" if isinstance(value, list | tuple) else str(value)


# ---- `! B snap 2 closed` --------------------------------------------------------------------------


def must_refuse(game: Game, words: list[str]) -> str | None:
    code = words.pop() if words[-1] in CODES else None
    seat, text = seated(game, words[0]), " ".join(words[1:])
    try:
        refusal = game.refusal(seat, game.read(text))
    except Refusal as unreadable:
        refusal = unreadable
    if refusal is None:
        return f"{words[0]} {text} is accepted, and should be refused"
    return differs(f"{words[0]} {text} is refused", refusal.code, code or refusal.code)


# ---- `? …` ----------------------------------------------------------------------------------------


def holds(game: Game, words: list[str]) -> str | None:
    if words[0] in OF_GAME:
        return OF_GAME[words[0]](game, words[1:])
    seat = seated(game, words[0])
    if words[1] not in OF_SEAT:
        raise ValueError(f"a seat has {', '.join(OF_SEAT)}")
    return OF_SEAT[words[1]](game, seat, words[2:])


def legal(game: Game, seat: Seat, words: list[str]) -> str | None:
    """`? A legal draw take cambio`: exactly these; an action begins at each verb."""
    moves: list[list[str]] = []
    for word in words:
        if word.lower() in game.rules.verbs:
            moves.append([])
        moves[-1].append(word)
    try:
        wanted = sorted({str(game.read(" ".join(move))) for move in moves})
    except Refusal as refusal:
        raise ValueError(refusal.sentence) from refusal
    return differs(f"legal for {SEATS[seat]}", sorted(map(str, game.legal(seat))), wanted)


def hand(game: Game, seat: Seat, words: list[str]) -> str | None:
    """`? A hand 7c -- 3s`: slot by slot, or card by card; `??` is any card."""
    cards = in_order(game.state()["hands"][SEATS[seat]])
    while words and words[-1] == "--":
        words.pop()
    same = len(cards) == len(words) and all(
        want in (card, "??") if card != "--" else want == "--"
        for card, want in zip(cards, words, strict=True)
    )
    return None if same else differs(f"hand of {SEATS[seat]}", cards, words)


def in_order(cards: dict[str, str] | list[str]) -> list[str]:
    """A hand as a row: slots that are empty as `--`."""
    if isinstance(cards, list):
        return cards
    return [cards.get(str(slot), "--") for slot in range(1, max(map(int, cards), default=0) + 1)]


def sees(game: Game, seat: Seat, words: list[str]) -> str | None:
    """`? A sees B2 3c`: the seat may know this now; `??`: and may not."""
    place, wanted = words
    owner = SEATS[seated(game, place[0])]
    there = game.state(seat)["hands"][owner].get(place[1:], "no card")
    return differs(f"{SEATS[seat]} sees {place}", there, wanted)


def points(game: Game, words: list[str]) -> str | None:
    """`? points A 12 B 3`: of the round last counted."""
    if not game.rounds:
        return "no round has been counted"
    return numbers("points", game.by_letter(game.rounds[-1].points), words)


def numbers(what: str, there: dict[str, int], words: Sequence[str]) -> str | None:
    wanted = {seat.upper(): int(number) for seat, number in zip(words[::2], words[1::2], strict=True)}
    if not wanted or not wanted.keys() <= there.keys():
        raise ValueError("seats and numbers, such as A 12 B 3")
    return differs(what, {seat: there[seat] for seat in wanted}, wanted)


def winner(game: Game, words: list[str]) -> str | None:
    """`? winner B`: of the game if it is over, else of the last round."""
    if not game.rounds:
        return "no round has been counted"
    winners = game.rounds[-1].winners if game.winners is None else game.winners
    return differs("winner", letters(winners), sorted(word.upper() for word in words))


def over(game: Game, words: list[str]) -> str | None:
    return None if game.over else "the game is not over"


def turn(game: Game, words: list[str]) -> str | None:
    """`? turn A`: the player in turn; nobody is in the first peek, in the closing window, and when over."""
    seat = None if game.over else game.table.in_turn()
    return differs("turn", "nobody" if seat is None else SEATS[seat], words[0].upper())


def top(game: Game, words: list[str]) -> str | None:
    """`? discard 7c`: the top of the pile, or the newest of the River."""
    state = game.state()
    pile: list[str] = state.get("discard", state.get("river", []))
    return differs("discard", pile[-1] if pile else "--", words[0])


def left(game: Game, words: list[str]) -> str | None:
    """`? deck 38`: cards left."""
    state = game.state()
    return differs("deck", state.get("deck", state.get("pile")), int(words[0]))


def row(name: str) -> Check:
    """A row of cards of the state, whole: `? river 5 BR 7`."""

    def same(game: Game, words: list[str]) -> str | None:
        return differs(name, game.state()[name], [word for word in words if word != "--"])

    return same


def score(game: Game, words: list[str]) -> str | None:
    return numbers("score", game.state()["score"], words)


OF_GAME: dict[str, Check] = {
    "points": points,
    "winner": winner,
    "over": over,
    "turn": turn,
    "discard": top,
    "deck": left,
    "river": row("river"),
    "exploded": row("exploded"),
    "score": score,
}
OF_SEAT = {"legal": legal, "hand": hand, "sees": sees}


# ---- `result A 12 B 3 winner B` -------------------------------------------------------------------


def result(game: Game, words: list[str]) -> str | None:
    if not game.over:
        return "the record has a result, but the game is not over"
    return differs("result", result_of(game), " ".join(words))


def result_of(game: Game) -> str:
    """All totals, then `winner` and every winner in seat order."""
    totals = [f"{seat} {total}" for seat, total in game.by_letter(game.totals).items()]
    return " ".join([*totals, "winner", *letters(game.winners or ())])
