"""Remembers, reckons with averages, snaps what it knows."""

from __future__ import annotations

from lanplay.bot import Bot, View, best_snap

CALL = {2: 5.0, 3: 4.0, 4: 3.0, 5: 2.0, 6: 1.0, 7: 0.0, 8: -1.0}  # expected own points at which it calls
PEEK = 2.0  # what knowing one more own card is worth


class Memory(Bot):
    """Remembers every card it saw, gets rid of dear ones, and calls when its own points are low."""

    def act(self, view: View) -> str:
        verbs = {move.split(maxsplit=1)[0] for move in view.moves}
        if "draw" in verbs or "take" in verbs or "cambio" in verbs:
            return self.turn(view)
        if view.held is not None and ("swap" in verbs or "discard" in verbs):
            return self.place(view)
        for verb, choose in (("switch", self.switch), ("give", self.give), ("peek", self.look_at_own)):
            if verb in verbs:
                return choose(view)
        if "look" in verbs or "spy" in verbs:
            return self.look(view)
        return best_snap(view) or ("pass" if "pass" in view.moves else view.moves[0])

    # ---- a turn -----------------------------------------------------------------------------------

    def turn(self, view: View) -> str:
        """Call, take or draw."""
        mine = view.hand(view.seat)
        total = sum(view.worth(face) for face in mine.values())
        if "cambio" in view.moves and total <= CALL[len(view.seats)]:
            return "cambio"
        if "take" in view.moves and mine and view.top is not None and self.wants(view, view.top):
            return "take"
        return next(move for move in ("draw", "take", "pass", "cambio") if move in view.moves)

    def wants(self, view: View, face: str) -> bool:
        """The top of the pile helps more than a card from the deck can be hoped to."""
        return self.gain(view, face) >= max(3.0, view.average - view.worth(face))

    def gain(self, view: View, face: str) -> float:
        """How much the hand gets cheaper by swapping this card in where it helps most."""
        return max((view.worth(old) for old in view.hand(view.seat).values()), default=0.0) - view.worth(face)

    def place(self, view: View) -> str:
        """Swap the held card in where it helps most, or discard it."""
        assert view.held is not None
        best = (
            max(
                (view.worth(face) - view.worth(view.held) + (PEEK if face == "??" else 0.0), place)
                for place, face in view.hand(view.seat).items()
            )
            if view.hand(view.seat)
            else (0.0, "")
        )
        if "discard" in view.moves and best[0] <= self.use(view, view.held):
            return "discard"
        swaps = [move for move in view.moves if move.startswith("swap")]
        wanted = f"swap {best[1][1:]}"
        return wanted if wanted in swaps else (swaps or view.moves)[0]

    def use(self, view: View, face: str) -> float:
        """What discarding this card for its ability is worth."""
        unknown = [place for place, card in view.hand(view.seat).items() if card == "??"]
        if face[0] in "78":
            return PEEK if unknown else 0.0
        if face[0] in "JQK":
            return max(0.0, self.best_switch(view)[0])
        return 0.0

    # ---- abilities --------------------------------------------------------------------------------

    def look_at_own(self, view: View) -> str:
        """Two at the start, else one that is not known."""
        unknown = [place[1:] for place, face in view.hand(view.seat).items() if face == "??"]
        if len(unknown) > 1 and f"peek {unknown[0]} {unknown[1]}" in view.moves:
            return f"peek {unknown[0]} {unknown[1]}"
        return next((f"peek {place}" for place in unknown if f"peek {place}" in view.moves), view.moves[0])

    def look(self, view: View) -> str:
        """Own unknown cards first, then the others' that nobody knows here."""
        looks = [move for move in view.moves if move.startswith(("look", "spy"))]
        unknown = [move for move in looks if move.split()[1] not in view.known]
        own = [move for move in unknown if move.split()[1][0] == view.seat]
        return (own or unknown or looks or view.moves)[0]

    def best_switch(self, view: View) -> tuple[float, str]:
        """The exchange that helps most, and how much: one's dearest card for the cheapest other."""
        mine = view.hand(view.seat)
        others = {place: face for seat in view.others for place, face in view.hand(seat).items()}
        if not mine or not others:
            return (0.0, "")
        dear = max(mine, key=lambda place: view.worth(mine[place]))
        cheap = min(others, key=lambda place: view.worth(others[place]))
        return view.worth(mine[dear]) - view.worth(others[cheap]), f"switch {dear[1:]} {cheap}"

    def switch(self, view: View) -> str:
        """The best exchange that is offered; none if it only hurts and may be declined."""
        hands = {place: face for seat in view.seats for place, face in view.hand(seat).items()}
        offered = []
        for move in view.moves:
            if move.startswith("switch"):
                _, mine, other = move.split()
                gain = view.worth(hands[f"{view.seat}{mine}"]) - view.worth(hands[other])
                offered.append((gain, move))
        gain, move = max(offered)
        return "pass" if gain <= 0 and "pass" in view.moves else move

    def give(self, view: View) -> str:
        """The dearest card."""
        mine = view.hand(view.seat)
        return max(view.moves, key=lambda move: view.worth(mine.get(f"{view.seat}{move[5:]}", "??"))
                   if move.startswith("give") else -99.0)  # fmt: skip
