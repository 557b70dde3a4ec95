"""What the host of a Cambio table may set, and what the 52-card game sets otherwise."""

from __future__ import annotations

from typing import Annotated, Literal

from lanplay.engine.options import Options, YesNo, number, word


class CambioOptions(Options, frozen=True, kw_only=True):
    """Every option of both games; the defaults are those of `cambio`."""

    rounds: Annotated[int, number(1, 99, "C1.1", "rounds in one game")] = 1
    jokers: Annotated[int, number(0, 2, "C2.1", "jokers in the deck")] = 2
    first_peek: Annotated[
        Literal["choose", "bottom"],
        word("C2.4", "before the first draw: look at two own cards of your choice, or at the bottom two"),
    ] = "choose"
    starter: Annotated[YesNo, word("C2.3", "the top card of the deck is turned up to begin the pile")] = "no"
    plain_discard: Annotated[YesNo, word("C3.3", "a drawn card without an ability may be discarded")] = "yes"
    discard_powers: Annotated[
        YesNo, word("C3.6", "a card taken from the pile may be used for its ability")
    ] = "no"
    power_first: Annotated[
        YesNo, word("C5.10", "the ability comes first, then the card goes on the pile")
    ] = "no"
    must_use: Annotated[YesNo, word("C5.6", "an ability that was triggered has to be used")] = "yes"
    ace: Annotated[int, number(-99, 99, "C4.2", "points of an ace")] = 1
    jack: Annotated[int, number(-99, 99, "C4.2", "points of a jack")] = 10
    queen: Annotated[int, number(-99, 99, "C4.2", "points of a queen")] = 10
    joker: Annotated[int, number(-99, 99, "C4.2", "points of a joker")] = 0
    black_king: Annotated[int, number(-99, 99, "C4.2", "points of the kings of clubs and spades")] = -2
    red_king: Annotated[int, number(-99, 99, "C4.2", "points of the kings of hearts and diamonds")] = 25
    queen_power: Annotated[
        Literal["look-switch", "blind-switch"],
        word("C5.4", "the queen: look at a card, then switch two; or only switch"),
    ] = "look-switch"
    king_power: Annotated[
        Literal["look-two-switch", "look-switch-that"],
        word("C5.5", "the king: look at two cards, then switch any; or look at one and switch that one"),
    ] = "look-two-switch"
    snap_others: Annotated[YesNo, word("C6.1", "the cards of other players may be snapped too")] = "no"
    snap_chain: Annotated[YesNo, word("C6.4", "a snapped card may be snapped again")] = "no"
    wrong_snap_shows: Annotated[YesNo, word("C6.3", "a card that was snapped wrongly is seen by all")] = "no"
    caller_protected: Annotated[
        YesNo, word("C5.7", "nobody may touch the cards of the player who called, who may not snap")
    ] = "yes"
    tie: Annotated[
        Literal["caller-loses", "shared"],
        word("C7.4", "equal totals: the caller loses and the cards decide; or all share the win"),
    ] = "caller-loses"
    max_turns: Annotated[
        int, number(0, 100000, "C7.6", "turns of all players after which a round ends; 0: no limit")
    ] = 0
    snap_window: Annotated[
        int, number(0, 60, "C7.7", "seconds to snap after the last turn, before the round is counted")
    ] = 3


CAMBIO = CambioOptions()
CAMBIO52 = CambioOptions(
    jokers=0,
    first_peek="bottom",
    starter="yes",
    plain_discard="no",
    discard_powers="yes",
    power_first="yes",
    jack=11,
    queen=12,
    black_king=13,
    red_king=-1,
    queen_power="blind-switch",
    king_power="look-switch-that",
    snap_others="yes",
    snap_chain="yes",
    wrong_snap_shows="yes",
    caller_protected="no",
    tie="shared",
)
