"""Remembers, reckons with averages, snaps what it knows."""

from __future__ import annotations

from lanplay.bot import Bot, View, best_snap

CALL = {2: 5.0, 3: 3.0, 4: 2.0, 5: 1.0, 6: 0.0, 7: -0.5, 8: -1.0}  # own points at which it calls, by players
SEEN = 2.0  # what it is worth to know one more card of one's own
CHOICE = 1.0  # what it is worth to look at a card before switching


class Memory(Bot):
    """For Cambio: remembers every card it saw, gets rid of dear ones, and calls when its own points are low."""

    games = ("cambio", "cambio52")

    def act(self, view: View) -> str:
        """Each question has verbs of its own; what is left is the closing window, and having no choice."""
        questions = {
            "draw": self.turn,
            "take": self.turn,
            "cambio": self.turn,
            "swap": self.place,
            "switch": self.switch,
            "give": self.give,
            "peek": self.peek,
            "look": self.look,
            "spy": self.look,
        }
        for move in view.moves:
            answer = questions.get(move.split()[0])
            if answer:
                return answer(view)
        return best_snap(view) or ("pass" if "pass" in view.moves else view.moves[0])

    # ---- a turn -----------------------------------------------------------------------------------

    def turn(self, view: View) -> str:
        """Call, take or draw."""
        if "cambio" in view.moves and self.calls(view):
            return "cambio"
        if "take" in view.moves and view.top and self.takes(view, view.top):
            return "take"
        return next(move for move in ("draw", "take", "pass", "cambio") if move in view.moves)

    def calls(self, view: View) -> bool:
        """Whether its own cards count little enough."""
        mine = sum(self.hand(view).values())
        if mine > CALL[len(view.seats)]:
            return False
        return mine < min(sum(map(view.expected, view.hand(seat))) for seat in view.others)

    def takes(self, view: View, face: str) -> bool:
        """Whether swapping this card in brings more than a card from the deck can be hoped to bring."""
        cost, _ = self.worst(view)
        gain = cost - view.worth(face)
        if gain <= 0:
            return False
        uses = {rank: self.use(view, rank) for rank in {face[0] for face in view.unseen}}
        hopes = [count * max(cost - view.worth(face), uses[face[0]]) for face, count in view.unseen.items()]
        return gain * view.unseen.total() > sum(hopes)

    def place(self, view: View) -> str:
        """Swap the held card in where it helps most, or discard it."""
        held, (cost, place) = view.held or "??", self.worst(view)
        if "discard" in view.moves and cost - view.worth(held) <= self.use(view, held[0]):
            return "discard"
        return f"swap {place[1:]}"

    def worst(self, view: View) -> tuple[float, str]:
        """The own card that it would rather lose than any other, and what it costs: more if it is not known."""
        costs = [
            (points + (0.0 if place in view.known else SEEN), place)
            for place, points in self.hand(view).items()
        ]
        return max(costs, default=(-99.0, ""))

    def use(self, view: View, rank: str) -> float:
        """What discarding a card of this rank for its ability brings."""
        mine = self.hand(view)
        if rank in "78" and any(place not in view.known for place in mine):
            return SEEN
        others = [view.expected(place) for seat in self.within(view) for place in view.hand(seat)]
        if rank in "JQK" and mine and others:
            return max(0.0, max(mine.values()) - min(others)) + (CHOICE if rank != "J" else 0.0)
        return 0.0

    # ---- abilities --------------------------------------------------------------------------------

    def peek(self, view: View) -> str:
        """Two unknown cards at the start, else one."""
        unknown = [place[1:] for place in view.hand(view.seat) if place not in view.known]
        wanted = [f"peek {' '.join(unknown[:2])}", *(f"peek {place}" for place in unknown)]
        return next((move for move in wanted if move in view.moves), view.moves[0])

    def look(self, view: View) -> str:
        """At an own unknown card, else at another's."""
        looks = [move for move in view.moves if move != "pass" and not move.startswith("snap")]
        unknown = [move for move in looks if move.split()[1] not in view.known]
        own = [move for move in unknown if view.seat in move]
        return (own or unknown or looks)[0]

    def switch(self, view: View) -> str:
        """The exchange that helps most; none if it only hurts and may be declined."""
        offered = [(self.helps(view, move), move) for move in view.moves if move.startswith("switch")]
        best, move = max(offered)
        return "pass" if best <= 0 and "pass" in view.moves else move

    def helps(self, view: View, switch: str) -> float:
        _, mine, other = switch.split()
        return view.expected(view.seat + mine) - view.expected(other)

    def give(self, view: View) -> str:
        """The dearest card."""
        gifts = [move for move in view.moves if move.startswith("give")]
        return max(gifts, key=lambda move: view.expected(view.seat + move[5:]))

    # ---- what lies where --------------------------------------------------------------------------

    def hand(self, view: View) -> dict[str, float]:
        """What each own card counts, as far as it is known."""
        return {place: view.expected(place) for place in view.hand(view.seat)}

    def within(self, view: View) -> list[str]:
        """Whose cards may be touched."""
        protected = view.caller if view.info.options["caller_protected"] == "yes" else None
        return [seat for seat in view.others if seat != protected]
