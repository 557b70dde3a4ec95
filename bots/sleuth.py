"""Reckons from questions and answers who has which card, and asks for the likeliest."""

from __future__ import annotations

from lanplay.bot import Bot, View

ROUNDS = 12  # of balancing; more change the chances by less than a hundredth

Chances = dict[str, dict[str, float]]  # by the card, then by the seat


class Sleuth(Bot):
    """For Not at Home: reckons from what was asked and answered who may have which card, and asks for the likeliest."""

    games = ("not-at-home",)

    def act(self, view: View) -> str:
        """A card that is known to be there is certain to be got; else it takes the best chance."""
        sure = [f"ask {seat} {face}" for seat in view.others for face in view.zone(f"hand {seat}")]
        asks = [move for move in sure if move in view.moves] or self.likeliest(view)
        return self.rng.choice(asks)

    def likeliest(self, view: View) -> list[str]:
        """The questions with the best chance."""
        chance = self.reckoned(view)

        def hope(move: str) -> float:
            _, seat, face = move.split()
            return chance.get(face, {}).get(seat, 0.0)

        best = max(map(hope, view.moves))
        return [move for move in view.moves if hope(move) == best]

    def reckoned(self, view: View) -> Chances:
        """For each card of which the place is not known: the chance of each other seat to have it.

        Each must be in some hand, so its chances add up to 1; and those of a seat to its number of unknown cards. From even
        chances, with none where a card can't be, both are brought about in turn until they hold (Sinkhorn's balancing).
        """
        room = {seat: view.zone(f"hand {seat}").count("??") for seat in view.others}
        barred = {seat: view.barred(f"hand {seat}") for seat in room}
        chance: Chances = {
            face: {seat: 1.0 for seat, cards in room.items() if cards and face not in barred[seat]}
            for face, number in view.unseen.items()
            if number
        }
        for _ in range(ROUNDS):
            for seat, cards in room.items():
                scale([of for of in chance.values() if seat in of], seat, cards)
            for of in chance.values():
                total = sum(of.values())
                for seat in of:
                    of[seat] /= total
        return chance


def scale(chances: list[dict[str, float]], seat: str, total: float) -> None:
    """Let the chances of a seat add up to this."""
    factor = total / sum(of[seat] for of in chances) if chances else 0.0
    for of in chances:
        of[seat] *= factor
