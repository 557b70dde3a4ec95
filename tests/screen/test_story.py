"""What is told of a game: nice where the verbs are known, complete where they are not, and never too much."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

from lanplay.engine.cards import standard
from lanplay.engine.table import Zones
from lanplay.engine.words import (
    ACTED,
    ANY,
    EVERYONE,
    EXCHANGED,
    HIDDEN,
    MOVED,
    NO_ONE,
    ROUND,
    SHOWN,
    SHUFFLED,
    SPECTATOR,
    TOP,
    Seat,
    Told,
    masked,
)
from lanplay.games import speech_of
from lanplay.record.replay import Check, Replay
from lanplay.record.text import read
from lanplay.room.telling import status
from lanplay.screen.story import Story
from lanplay.speech.cast import Cast

RULES = Path(__file__).parent.parent / "rules"
RECORDS = sorted(RULES.glob("*/*.rec"))
FACE = re.compile(r"\(([0-9A-Zcdhsrb]{2})\)")
UNTOLD = re.compile(r"(?!Totals)(You|[A-Z][a-z]+)(: (?!\d+ cards?\.$)| makes? a move)")
BARE = re.compile(r"change places|a card goes|goes from", re.IGNORECASE)


class Step(NamedTuple):
    """What one reader is told of one action, and the cards that this reader may know by it."""

    lines: list[str]
    facts: list[Told]
    known: set[str]


def told(record: Path | str, seat: Seat) -> list[Step]:
    played = Replay(read(record.read_text(encoding="utf-8") if isinstance(record, Path) else record))
    game = played.game
    speech = speech_of(game.rules.name)
    story = Story(Cast(seat, played.record.names, game.zones, speech.zones), speech)
    steps: list[Step] = []
    since, rounds = -1, 0
    for _ in played.play():
        facts = [masked(fact, seat) for fact in game.facts(since)]
        ended = [game.round_object(round_) for round_ in game.rounds[rounds:]]
        steps.append(Step(story.tell(facts, ended, status(game)), facts, known(game.zones, facts)))
        since, rounds = game.accepted, len(game.rounds)
    return steps


def known(zones: Zones, facts: list[Told]) -> set[str]:
    """The faces in these facts, and those that were named aloud."""
    faces = {zones.deck.faces[fact[5]] for fact in facts if isinstance(fact[5], int) and fact[5] >= 0}
    return faces.union(*(fact[5].split() for fact in facts if isinstance(fact[5], str)))


def lines(record: Path | str, seat: Seat) -> list[str]:
    return [line for step in told(record, seat) for line in step.lines]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: f"{record.parent.name}-{record.stem}")
def test_everybody_is_told_every_action_in_words_and_no_card_that_they_may_not_know(record: Path) -> None:
    for seat in (0, 1, SPECTATOR):
        for step in told(record, seat):
            assert len(step.lines) >= sum(fact[0] == ACTED for fact in step.facts)
            assert not [line for line in step.lines if UNTOLD.match(line) or BARE.search(line)]
            counted = any("is over" in line for line in step.lines)
            last = next((n for n, line in enumerate(step.lines) if "is over" in line), 0)
            assert not [line for line in step.lines[:last] if "All can see" in line or "You see" in line]
            assert counted or {face for line in step.lines for face in FACE.findall(line)} <= step.known


@pytest.mark.parametrize("game", ["cambio", "cambio52", "cambio-rummy", "not-at-home"])
def test_who_was_away_is_told_all_of_it_at_once(game: str) -> None:
    played = Replay(read((RULES.parent / "golden" / f"{game}.rec").read_text(encoding="utf-8")))
    assert list(played.play())
    speech = speech_of(game)
    story = Story(Cast(1, played.record.names, played.game.zones, speech.zones), speech)
    facts = [masked(fact, 1) for fact in played.game.facts(-1)]
    ended = [played.game.round_object(round_) for round_ in played.game.rounds]
    said = story.tell(facts, ended, status(played.game))
    assert len(said) > sum(fact[0] == ACTED for fact in facts)
    assert sum(bool(re.fullmatch(r"Round \d+ is over\..*", line)) for line in said) == len(ended)
    assert not [line for line in said if UNTOLD.match(line) or BARE.search(line)]


def rule(name: str) -> Path:
    return next(RULES.glob(f"*/{name}.rec"))


def test_a_private_card_is_told_to_its_player_alone() -> None:
    ann, bob = lines(rule("C2.4-look-at-two"), 0), lines(rule("C2.4-look-at-two"), 1)
    mine = [line for line in ann if line.startswith("You look at A")]
    assert len(mine) == 2
    assert all(FACE.search(line) for line in mine)
    assert "Ann looks at A1 and A3." in bob or any(line.startswith("Ann looks at A") for line in bob)
    assert not [line for line in bob if line.startswith("Ann looks at A") and FACE.search(line)]


@pytest.mark.parametrize(
    ("record", "seat", "line"),
    [
        ("C1.1-lowest-total-wins", 0, "You call Cambio."),
        ("C1.1-lowest-total-wins", 1, "You draw the 6 of clubs (6c)."),
        ("C1.1-lowest-total-wins", 0, "Bob draws from the deck."),
        ("C1.1-lowest-total-wins", 0, "Bob discards the 6 of clubs (6c)."),
        ("C1.1-lowest-total-wins", 1, "Round 1 is over. Ann called."),
        ("C1.1-lowest-total-wins", 1, "Ann wins the round."),
        ("C5.5-red-king-looks-twice-then-switches", 1, "Ann switches A4 with B1."),
        ("C3.9-reshuffle-for-a-penalty", 0, "The pile is shuffled into the deck."),
        ("D6.5-snapper-gives-a-card", 0, "Bob gives B3 to you: it lies at A2."),
        ("D5.10-power-used-first", 1, "Ann uses the 7 of hearts (7h)."),
        ("D5.10-power-used-first", 1, "The 7 of hearts (7h) goes to the pile."),
        ("D3.6-take-a-power-card-for-its-power", 1, "You use the card."),
        (
            "D6.3-wrong-card-of-another",
            1,
            "Cem snaps A2, 3 of clubs (3c), and it does not match. Cem gets a penalty card, C5.",
        ),
        ("R5.3-against-added-cards", 1, "The River begins with the 9."),
        ("R3.2-all-five", 1, "Ann draws a card."),
        ("R3.2-all-five", 1, "You draw the 2."),
        (
            "R3.2-all-five",
            0,
            "You take 5 cards from the River: 3, Blue Rune (BR), 7, 8, Swap Rune (SR). The 3 must be melded at once.",
        ),
        ("R5.2-the-whole-meld-goes", 1, "Ann lays down M1, a Flow Hand: 3, 4, 5 for 12 points."),
        ("R5.2-the-whole-meld-goes", 0, "You add 6 to M1 (your Flow Hand) for 6 points."),
        (
            "R5.2-the-whole-meld-goes",
            0,
            "Bob explodes P1 in M1 with a Chaos Rune. M1 is gone. These cards are out of the round: 3, 4, 5, 6, 7.",
        ),
        (
            "R5.3-what-no-longer-fits-goes-back",
            0,
            "Without them these go back to your hand: 7, Energy Rune (ER), 8.",
        ),
        (
            "R6.1-doubled",
            SPECTATOR,
            "Ann lays down M1, a Red Hand: Red Rune (RR), Red Rune (RR), Red King (RK) for 36 points, "
            "doubled by an Energy Rune, and a bonus of 5.",
        ),
        (
            "R4.3-high",
            1,
            "Ann lays down M1, a High Flow Hand: Swap Rune (SR), Red King (RK), Blue King (BK) "
            "for 21 points and a bonus of 15.",
        ),
        ("R7.3-any-card-may-be-the-last", 1, "Ann goes out: the last card is laid face down."),
        ("R7.3-any-card-may-be-the-last", 1, "Ann (A): 24 points, out of cards."),
        (
            "R9.1-empty-again-after-the-rebuilt-pile",
            1,
            "The exploded cards are shuffled: they are the new draw pile.",
        ),
        ("R9.1-empty-again-after-the-rebuilt-pile", 1, "Ann passes: there is no card to draw."),
        ("N2.6-out-and-not-asked", 1, "Ann asks you for the jack of spades (Js): you hand it over."),
        ("N2.6-out-and-not-asked", 1, "You have no cards left."),
        ("N2.6-out-and-not-asked", 2, "Bob has no cards left."),
        ("N3.1-equal-numbers-share-the-win", 0, "You ask Bob for the 3 of clubs (3c): not at home."),
        ("N3.1-equal-numbers-share-the-win", 1, "Ann, Cem, Dot and you share the round."),
        ("N1.1-all-52-cards-win", 1, "Ann (A): 52 cards: all cards."),
    ],
)
def test_well_known_verbs_are_told_in_sentences(record: str, seat: Seat, line: str) -> None:
    assert line in lines(rule(record), seat)


def test_a_round_is_told_before_the_next_begins() -> None:
    story = lines(rule("C1.3-three-rounds-go-round-the-table"), SPECTATOR)
    heads = [line for line in story if line.startswith("Round ")]
    assert [head.partition(" ")[2][:10].split(".")[0] for head in heads][:4] == [
        "1 begins",
        "1 is over",
        "2 begins",
        "2 is over",
    ]
    assert all(first != second for first, second in pairwise(heads))


# ---- a game that nobody has heard of ------------------------------------------------------------------


def market() -> tuple[Zones, dict[str, int]]:
    zones = Zones(standard(0))
    names = {name: zones.add(name, EVERYONE) for name in ("deck", "stall")}
    for seat in "AB":
        names[f"hand {seat}"] = zones.add(f"hand {seat}", 1 << "AB".index(seat))
        names[f"row {seat}"] = zones.add(f"row {seat}", NO_ONE, numbered=True)
    return zones, names


def strange(me: Seat) -> list[str]:
    zones, at = market()
    facts: list[Told] = [
        (ROUND, 0, 1, 0, 0, HIDDEN, NO_ONE),
        (MOVED, at["deck"], TOP, at["hand A"], TOP, 3, 1),
        (MOVED, at["deck"], TOP, at["hand A"], TOP, 4, 1),
        (MOVED, at["deck"], TOP, at["hand B"], TOP, 5, 2),
        (ACTED, 0, 0, 0, 0, "barter 4c B2", EVERYONE),
        (MOVED, at["hand A"], ANY, at["row A"], TOP, 3, 1),
        (MOVED, at["row A"], 1, at["row B"], TOP, 3, NO_ONE),
        (EXCHANGED, at["row A"], 1, at["row B"], 1, HIDDEN, NO_ONE),
        (SHOWN, at["row B"], 1, at["row B"], 1, 7, 1),
        (SHUFFLED, at["stall"], 0, at["stall"], TOP, (), NO_ONE),
        (ACTED, 1, 0, 0, 0, "hide 4c", 2),
    ]
    return Story(Cast(me, {0: "Ann", 1: "Bob"}, zones)).tell([masked(fact, me) for fact in facts])


def test_an_unknown_game_is_told_fact_by_fact() -> None:
    assert strange(0) == [
        "Round 1 begins.",
        "You: 2 cards.",
        "Bob: 1 card.",
        "Your hand: 4 of clubs (4c), 5 of clubs (5c).",
        "The stall is shuffled.",
        "You: barter 4c B2.",
        "The 4 of clubs (4c) goes from your hand to A1.",
        "A card goes from A1 to B1.",
        "A1 and B1 change places.",
        "You see B1: 8 of clubs (8c).",
        "Bob makes a move.",
    ]


def test_the_others_hear_less_of_it() -> None:
    assert strange(1)[1:] == [
        "Ann: 2 cards.",
        "You: 1 card.",
        "Your hand: 6 of clubs (6c).",
        "The stall is shuffled.",
        "Ann: barter 4c B2.",
        "A card goes from Ann's hand to A1.",
        "A card goes from A1 to B1.",
        "A1 and B1 change places.",
        "Ann sees B1.",
        "You: hide 4c.",
    ]


def test_a_known_verb_with_other_facts_is_told_as_it_was_said() -> None:
    zones, at = market()
    facts: list[Told] = [
        (ROUND, 0, 1, 0, 0, HIDDEN, NO_ONE),
        (ACTED, 0, 0, 0, 0, "take 2", EVERYONE),
        (SHUFFLED, at["stall"], 0, at["deck"], TOP, (), NO_ONE),
    ]
    assert Story(Cast(1, {0: "Ann", 1: "Bob"}, zones)).tell(facts)[1:] == [
        "The stall is shuffled into the deck.",
        "Ann: take 2.",
    ]


def test_what_does_not_check_is_not_told() -> None:
    with pytest.raises(Check):
        lines("lanplay-record 1\ngame cambio\nseat A Ann\nseat B Bob\ndeck 2c\nA draw\n", 0)
