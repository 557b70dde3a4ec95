"""Cambio Rummy in words: how its moves are told, how the table looks, what a move is worth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lanplay.engine.words import MOVED, SEATS, SHOWN, SHUFFLED, Move, Refusal
from lanplay.games.rummy.cards import FACES, cards_of, faces
from lanplay.games.rummy.melds import Part, added_part, first_part, high
from lanplay.games.rummy.moves import GRAMMAR, KIND, TYPES
from lanplay.speech.cast import Cast
from lanplay.speech.speech import Scene, Speech, spelled_out
from lanplay.speech.spell import card, count
from lanplay.speech.tale import Tale

NAMES = ("Kingdom", "Flow Hand", "Hand of Balance", "Red Hand", "Blue Hand", "Cards of a Kind")

USAGE = (
    "draw takes a card from the draw pile. river 3 takes the River from card 3 on; card 3 must be melded at once.",
    "meld flow 3 4 5 lays down a meld: kingdom, flow, balance, red, blue or kind. add M2 6 adds cards to M2.",
    "+ at the end of either plays an Energy Rune with it: points are doubled. discard 9 ends your turn.",
    "chaos P1 explodes the first play of another player's turn, if you hold a Chaos Rune.",
    "Cards in Power Flow Order: 1 to 9, RR BR SR (Red, Blue, Swap Rune), RK BK (Red, Blue King), "
    "CR (Chaos Rune), ER (Energy Rune).",
)


def sorted_hand(faces: Sequence[str]) -> str:
    """In Power Flow Order."""
    return spelled_out(sorted(faces, key=order))


def order(face: str) -> int:
    return FACES.index(face) if face in FACES else -1


# ---- what happened ----------------------------------------------------------------------------------


def draw(tale: Tale) -> list[str]:
    rebuilt = ["The exploded cards are shuffled: they are the new draw pile."] if tale.take(SHUFFLED) else []
    fact = tale.take(MOVED, "deck")
    return [*rebuilt, f"{tale.does('draw')} {tale.cast.the(fact[5])}."] if fact else []


def no_draw(tale: Tale) -> list[str]:
    return [f"{tale.does('pass')}: there is no card to draw."]


def river(tale: Tale) -> list[str]:
    faces = tale.faces(tale.take_all(MOVED, "river"))[::-1]
    if not faces:
        return []
    if len(faces) == 1:
        return [f"{tale.does('take')} the {card(faces[0])} from the River. It must be melded at once."]
    taken = f"{tale.does('take')} {count(len(faces), 'card')} from the River: {spelled_out(faces)}."
    return [f"{taken} The {card(faces[0])} must be melded at once."]


def meld(tale: Tale) -> list[str]:
    move, cards = GRAMMAR.read(tale.move), tale.take_all(MOVED, target="laid")
    part = played(move)
    if not cards or not part:
        return []
    plays = tale.after.get("plays")
    name = f"{plays[-1]['meld']}, " if plays else ""
    what = f"{'High ' * high(move.args[0], part.cards)}{NAMES[move.args[0]]}"
    article = "" if move.args[0] == KIND else "a "
    return [f"{tale.does('lay')} down {name}{article}{what}: {named(part)}{worth(part)}."]


def add(tale: Tale) -> list[str]:
    move, cards = GRAMMAR.read(tale.move), tale.take_all(MOVED, target="laid")
    part = played(move)
    if not cards or not part:
        return []
    name = move.split()[1]
    grown = found(tale.after or tale.before, name)
    whose = f" ({owned(tale.cast, grown)})" if grown else ""
    return [f"{tale.does('add')} {named(part)} to {name}{whose}{worth(part)}."]


def discard(tale: Tale) -> list[str]:
    fact = tale.take(MOVED, target="last")
    if not fact:
        return []
    tale.take_all(SHOWN)
    last = tale.cast.the(fact[5], "the last card")
    return [f"{tale.does('go')} out: {last} is laid face down."]


def chaos(tale: Tale) -> list[str]:
    rune = tale.take(MOVED, "hand", "exploded")
    gone, back = tale.take_all(MOVED, "laid", "exploded"), tale.take_all(MOVED, "laid", "hand")
    if not rune or not gone:
        return []
    name = tale.words[1]
    where = next((play["meld"] for play in tale.before.get("plays", []) if play["id"] == name), "")
    target = f"{name} in {where}" if where else name
    fate = f" {where} is gone." if where and tale.after and not found(tale.after, where) else ""
    out = f"These cards are out of the round: {spelled_out(tale.faces(gone))}."
    lines = [f"{tale.does('explode')} {target} with a Chaos Rune.{fate} {out}"]
    if back:
        owner = tale.cast.zone(back[0][3])
        lines.append(f"Without them these go back to {owner}: {spelled_out(tale.faces(back))}.")
    return lines


# ---- how things stand -------------------------------------------------------------------------------


def board(scene: Scene) -> list[str]:
    """The piles, each player with points and melds, what was played in this turn."""
    table = scene.table
    lines = [f"The draw pile: {count(len(scene.faces('deck')), 'card')}.", stream(scene)]
    if scene.faces("exploded"):
        lines.append(f"Exploded: {' '.join(sorted(scene.faces('exploded'), key=order))}.")
    for letter in scene.totals:
        lines += player(scene, letter)
    for play in table.get("plays", []):
        lines.append(f"{play['id']}, played in this turn: {in_short(play)} in {play['meld']}.")
    if table.get("must_play"):
        lines.append(f"The {card(table['must_play'])} from the River must be melded now.")
    return lines


def stream(scene: Scene) -> str:
    """The River with its positions."""
    cards = [f"({number}) {face}" for number, face in enumerate(scene.faces("river"), 1)]
    return f"The River, oldest first: {', '.join(cards) or 'no cards'}."


def player(scene: Scene, letter: str) -> list[str]:
    """A player's points and cards, and the melds they laid."""
    seat = SEATS.index(letter)
    laid = count(scene.table.get("score", {}).get(letter, 0), "point")
    lines = [
        f"{scene.cast.titled(seat)}: {count(len(scene.hand(letter)), 'card')} in hand, {laid} on the table."
    ]
    own = [meld for meld in scene.table.get("melds", []) if meld["by"] == letter]
    return lines + [f"  {meld['id']}, {title(meld)}: {contents(scene.cast, meld)}." for meld in own]


def contents(cast: Cast, meld: Mapping[str, Any]) -> str:
    """All the cards, and if it has grown, how."""
    said = "; ".join(parts(cast, meld))
    return said if len(meld["parts"]) == 1 else f"{' '.join(all_cards(meld))}. Laid {said}"


def parts(cast: Cast, meld: Mapping[str, Any]) -> list[str]:
    """What was laid first and what was added, by whom, with the points."""
    said = []
    for n, part in enumerate(meld["parts"]):
        seat = SEATS.index(part["by"])
        who = f"{cast.whom(seat)} added " if n else ""
        bonus = f" and bonus {part['bonus']}" if part["bonus"] else ""
        said.append(f"{who}{in_short(part)}, {count(part['points'], 'point')}{bonus}")
    return said


def in_short(part: Mapping[str, Any]) -> str:
    return " ".join([*part["cards"], *["with an Energy Rune"] * part["energy"]])


def title(meld: Mapping[str, Any]) -> str:
    return f"{'High ' * meld['high']}{NAMES[TYPES.index(meld['type'])]}"


def owned(cast: Cast, meld: Mapping[str, Any]) -> str:
    """`your Flow Hand`."""
    return f"{cast.whose(SEATS.index(meld['by']))} {title(meld)}"


def found(table: Mapping[str, Any], name: str) -> Mapping[str, Any] | None:
    """The meld of this name, if it lies there."""
    return next((meld for meld in table.get("melds", []) if meld["id"] == name), None)


# ---- what can be done -------------------------------------------------------------------------------


def note(scene: Scene, words: str) -> str:
    """What a play brings, which cards the River gives, which meld is meant."""
    verb, *rest = words.split()
    if verb == "add" and len(rest) == 1:
        meld = found(scene.table, rest[0])
        return f"{owned(scene.cast, meld)} {' '.join(all_cards(meld))}" if meld else ""
    if verb == "river" and rest:
        cards = scene.faces("river")[int(rest[0]) - 1 :]
        return f"takes {' '.join(cards[:8])}{f' and {len(cards) - 8} more' if len(cards) > 8 else ''}"
    if verb == "chaos" and rest:
        plays = [play for play in scene.table.get("plays", []) if play["id"] == rest[0]]
        return f"explodes {in_short(plays[0])} in {plays[0]['meld']}" if plays else ""
    return count(value(words), "point") if verb in ("meld", "add") and len(rest) > 1 else ""


def all_cards(meld: Mapping[str, Any]) -> list[str]:
    return sorted((face for part in meld["parts"] for face in part["cards"]), key=order)


def value(text: str) -> int:
    """The points that a play brings at once, with its bonus."""  # R8.1 R8.2
    try:
        part = played(GRAMMAR.read(text))
    except Refusal:
        return 0
    return part.points + part.bonus if part else 0


def played(move: Move) -> Part | None:
    """The cards of a play with what they are worth; None if the move is no play."""
    if move.verb not in ("meld", "add"):
        return None
    what, cards, energy = move.args
    if move.verb == "meld":
        return first_part(0, what, cards, bool(energy))
    return added_part(0, cards, bool(energy))


def named(part: Part) -> str:
    return spelled_out(faces(cards_of(part.cards)))


def worth(part: Part) -> str:
    """` for 24 points, doubled by an Energy Rune, and a bonus of 10`."""
    said = f" for {count(part.points, 'point')}"
    said += ", doubled by an Energy Rune," * part.energy
    return said + f" and a bonus of {part.bonus}" if part.bonus else said.rstrip(",")


def ended(points: int, hand: Sequence[str]) -> str:
    left = f"in hand {sorted_hand(hand)}" if hand else "out of cards"
    return f"{count(points, 'point')}, {left}"


SPEECH = Speech(
    usage=USAGE,
    zones={
        "deck": "the draw pile",
        "river": "the River",
        "laid": "the table",
        "exploded": "the exploded cards",
        "last": "the end of the River",
    },
    sentences={
        "draw": draw,
        "pass": no_draw,
        "river": river,
        "meld": meld,
        "add": add,
        "discard": discard,
        "": discard,
        "chaos": chaos,
    },
    hand=sorted_hand,
    board=board,
    note=note,
    value=value,
    ended=ended,
)
