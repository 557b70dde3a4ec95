"""What the host of a Cambio Rummy table may set."""

from __future__ import annotations

from typing import Annotated

from lanplay.engine.options import Options, number


class RummyOptions(Options, frozen=True, kw_only=True):
    """Every option, in the order of the rule book."""

    target: Annotated[int, number(1, 100000, "R1.1", "points that win the game")] = 333
    chaos_window: Annotated[
        int, number(0, 60, "R5.7", "seconds to play a Chaos Rune after a play, before the discard counts")
    ] = 3
    max_rounds: Annotated[int, number(0, 999, "R10.2", "rounds after which the game ends; 0: no limit")] = 0
    max_turns: Annotated[
        int, number(0, 100000, "R10.2", "turns of all players after which a round ends; 0: no limit")
    ] = 0
