"""Line mode: a whole client in lines of text, without I/O. Messages and typed lines go in, lines to print come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from lanplay.engine.words import SEATS, SPECTATOR, Told
from lanplay.games import speech_of
from lanplay.room.follower import Follower
from lanplay.room.witness import SILENT, Verdict
from lanplay.screen import lobby
from lanplay.screen.board import board, waiting
from lanplay.screen.book import looked_up
from lanplay.screen.choice import Choice, respelled
from lanplay.screen.offer import Offer
from lanplay.screen.result import final
from lanplay.screen.story import Story
from lanplay.speech.cast import Cast
from lanplay.speech.speech import COMMON, Scene, Speech
from lanplay.speech.spell import listed
from lanplay.wire import messages as wire

Word = Callable[[str], list[str]]  # what follows a word that was typed → what to print
End = Literal["over", "left", "closed"]
LONGEST, LONGEST_WORD = 400, 200  # letters of a move and of what is said; the host takes no more
TOLD = ("say", "ok")  # what is typed to the others at the table

HELP = """Type a move as it is spelled, or the number of one that is listed; capital letters don't matter.
? shows the table.
moves lists what you can do now. moves with a word of a move lists a part of it.
repeat says what has happened since your move.
rules shows the rule book. rules 3 shows a part of it, and so does rules with any word.
say hello says hello to everybody at the table. ok lets a move stand that waits for you.
help says this. quit leaves the table."""


class Reply(NamedTuple):
    """What to do about a typed line."""

    lines: list[str]
    move: str = ""  # to be sent
    word: wire.Chat | wire.Decline | None = None  # to be sent as well


class LineMode:
    """One player's, or spectator's, side of a table.

    `hear` takes each message and gives the lines to print; `say` takes what was typed. `end` is set when there is no
    more to come, and `closed` is then why the host closed the connection, if it did.
    """

    def __init__(
        self, book: Callable[[str], str] = lambda game: "", words: Mapping[str, Word] | None = None
    ) -> None:
        """`book` finds the rule book of a game; `words` are further words that can be typed."""
        self.follower = Follower()
        self.story: Story | None = None
        self.speech: Speech = COMMON
        self.offer = Offer()
        self.recent: list[str] = []  # what was told since the last move
        self.busy = False  # a move is on its way
        self.due = 0  # the step that what was accepted has led to; its news may still be on its way
        self.end: End | None = None
        self.closed: wire.Closed | None = None
        self.book = book
        self.words: dict[str, Word] = {
            "?": self.table,
            "help": self.help,
            "moves": self.moves,
            "repeat": self.repeat,
            "rules": self.rules,
            "quit": self.quit,
            **(words or {}),
        }

    # ---- what the host says -----------------------------------------------------------------------

    def hear(
        self, message: wire.FromHost, secret: wire.Secret | None = None, verdict: Verdict | None = None
    ) -> list[str]:
        """Take in a message, and what is to be said of the deal, if that is known now; the lines that it tells."""
        before = self.follower.welcome, self.follower.sitting
        facts = self.follower.take(message, secret)
        if self.story:
            self.story.cast = self.cast
        lines = self.heard(message, facts, *before)
        if verdict:
            lines += self.judged(verdict)
        self.recent += lines
        return lines

    def heard(
        self,
        message: wire.FromHost,
        facts: list[Told],
        welcome: wire.Welcome | None,
        sitting: list[wire.Sitting],
    ) -> list[str]:
        if isinstance(message, wire.Welcome):
            return self.welcomed(message, welcome)
        if isinstance(message, wire.Joint):
            return lobby.left_out(message, self.cast)
        if isinstance(message, wire.Seats):
            return self.seats(message, sitting)
        if isinstance(message, wire.Update):
            assert self.story
            return self.story.tell(facts, message.rounds, message.status) + self.now()
        if isinstance(message, wire.Snapshot):
            assert self.story
            self.story.resume(self.follower.view, len(self.follower.rounds), message.status)
            shown = self.board()
            return shown + [
                line for line in self.now() if not line.startswith("Waiting for ") and line not in shown
            ]
        if isinstance(message, wire.Start):
            self.story = self.story or Story(self.cast, self.speech)
        return self.answered(message)

    def answered(self, message: wire.FromHost) -> list[str]:
        """What became of a move, or of the connection."""
        if isinstance(message, wire.Accepted):
            self.busy, self.offer.asked, self.due = False, None, message.step
        elif isinstance(message, wire.Refused):
            self.busy = False
            return [self.refusal(message), *self.offer.again()]
        elif isinstance(message, wire.Closed):
            self.closed = message
            self.end = self.end or "closed"
        elif isinstance(message, wire.Said):
            return [f"{message.name} says: {message.text}"]
        elif isinstance(message, wire.Notice):
            return [message.sentence]
        return []

    @property
    def cast(self) -> Cast:
        """The names as they are now."""
        names = {SEATS.index(one.seat): one.name for one in self.follower.sitting}
        return Cast(self.follower.seat, names, self.follower.zones, self.speech.zones)

    @property
    def choice(self) -> Choice:
        """What can be done now."""
        status, view = self.follower.status, self.follower.view
        table, totals = (status.table, status.totals) if status else ({}, {})
        return Choice(Scene(self.cast, view, table, totals), self.speech, self.follower.legal)

    def welcomed(self, message: wire.Welcome, before: wire.Welcome | None) -> list[str]:
        self.speech = speech_of(message.game)
        self.offer.reactions |= lobby.out_of_turn(message.game)
        if before is None:
            return lobby.greeting(message)
        return [f"You now sit at {message.seat}."] if before.seat != message.seat else []

    def seats(self, message: wire.Seats, before: list[wire.Sitting]) -> list[str]:
        """Who sits here: all of them at first, then who came and went."""
        me, size = self.follower.seat, self.follower.welcome.size if self.follower.welcome else 0
        lines = lobby.changed(before, message.seats, me) if before else lobby.seated(message.seats, me)
        return lines if message.started or not lines else lines + lobby.missing(message.seats, size)

    def now(self) -> list[str]:
        """What is to be done now."""
        status = self.follower.status
        if status is None:
            return []
        if status.over:
            if self.follower.welcome and self.follower.welcome.seeded:
                self.end = "over"
            return final(self.cast, status.totals, status.winners or [], len(self.follower.rounds))
        if status.held:
            return self.held(status.held, status.left or 0.0)
        people = {one.seat for one in self.follower.sitting if one.kind == "person"}
        return self.offer.look(status, self.follower.asks, self.choice, people)

    def held(self, seat: str, left: float) -> list[str]:
        """Somebody's last move waits, so that the others may object."""
        mover = SEATS.index(seat)
        if mover == self.follower.seat:
            return ["Your last move waits a moment: the others may have something to say to it."]
        if self.follower.seat == SPECTATOR:
            return []
        may = listed([*self.follower.legal, "ok, to let it stand"], "or")
        return [
            f"{self.cast.name(mover)} is about to move on, in {max(1, round(left))} s. You can type {may}."
        ]

    @property
    def ending(self) -> bool:
        """The game is over; only whether its deal is proved is still to be told."""
        return self.end is None and self.follower.status is not None and self.follower.status.over

    def judged(self, verdict: Verdict = SILENT) -> list[str]:
        """Whether the deal is proved: the last that is told."""
        self.end = "over"
        return [verdict.line]

    def refusal(self, refused: wire.Refused) -> str:
        clause = f" ({refused.clause})" if refused.clause else ""
        unread = refused.code == "syntax"
        near = self.offer.near(refused.move, self.follower.legal, self.words) if unread else ""
        return f"{refused.sentence}{clause}{near}"

    # ---- what is typed ----------------------------------------------------------------------------

    def say(self, text: str) -> Reply:
        """Something was typed."""
        text = " ".join(text.split())
        word, _, rest = text.partition(" ")
        if not text:
            return Reply([])
        if word.lower() in TOLD and not self.legal(text):
            return self.told(word.lower(), rest)
        if word.lower() in self.words and not self.legal(text):
            return Reply(self.words[word.lower()](rest))
        if text.isascii() and text.isdigit():
            return self.chosen(int(text))
        return self.moved(text)

    def told(self, word: str, rest: str) -> Reply:
        """A word to the others, or to the host."""
        status = self.follower.status
        if word == "say":
            return (
                Reply([], word=wire.Chat(rest[:LONGEST_WORD]))
                if rest
                else Reply(["Say what? Such as: say hello"])
            )
        if status is None or not status.held:
            return Reply(["Nothing waits for you just now."])
        return Reply(["You let it stand."], word=wire.Decline(self.follower.step or 0))

    def chosen(self, number: int) -> Reply:
        """One of the moves that were listed with numbers."""
        if 1 <= number <= len(self.offer.listed):
            return self.moved(self.offer.listed[number - 1])
        why = (
            f"There is no number {number} in the list."
            if self.offer.listed
            else "No moves have numbers just now."
        )
        return Reply([f"{why} Type moves to see what you can do.", *self.offer.again()])

    def moved(self, text: str) -> Reply:
        """A move, for the host to judge."""
        if self.follower.status is None:
            return Reply(["The game has not begun. Type help for the words that work now."])
        if self.follower.welcome and self.follower.welcome.seat is None:
            return Reply(["You look on: moves are made by those who sit. Type help for what you can do."])
        if len(text) > LONGEST:
            return Reply(["That is too long for a move.", *self.offer.again()])
        self.busy, self.recent = True, []
        return Reply([], respelled(text, self.follower.legal, self.follower.numbers))

    def legal(self, text: str) -> bool:
        return text.lower() in (move.lower() for move in self.follower.legal)

    def too_early(self, text: str) -> bool:
        """A line of a script that waits for its turn: it is a move, and nothing is asked of this seat yet."""
        word = (text.split() or [""])[0].lower()
        words = {*self.words, *TOLD}
        if (self.follower.step or 0) < self.due:
            return word not in words
        return self.follower.asks != "act" and word not in words and not self.legal(" ".join(text.split()))

    # ---- the words --------------------------------------------------------------------------------

    def help(self, rest: str = "") -> list[str]:
        further = [word for word in self.words if word not in LineMode().words]
        lines = HELP.splitlines() + ([f"As the host you can also type {listed(further)}."] if further else [])
        if self.speech.usage:
            return [*lines, "In this game:", *self.speech.usage]
        verbs = sorted(self.offer.verbs)
        return lines + ([f"Moves of this game begin with {listed(verbs, 'or')}."] if verbs else [])

    def table(self, rest: str = "") -> list[str]:
        """The table, and what is asked."""
        if self.follower.status is None:
            return lobby.seated(self.follower.sitting, self.follower.seat)
        return self.board() + self.offer.again()

    def board(self) -> list[str]:
        status = self.follower.status
        assert status
        lately = self.story.lately if self.story else ()
        return board(self.choice.scene, self.speech, status, len(self.follower.rounds), list(lately))

    def moves(self, rest: str = "") -> list[str]:
        if not self.follower.legal:
            status = self.follower.status
            waits = [waiting(self.cast, status.must_act)] if status else []
            return ["There is nothing to do just now.", *waits]
        lines, listed = self.choice.chosen(rest)
        self.offer.listed = listed or self.offer.listed
        return lines

    def repeat(self, rest: str = "") -> list[str]:
        return self.recent or ["Nothing has happened since your move."]

    def rules(self, rest: str = "") -> list[str]:
        """The rule book, or what it says about what was typed."""
        book = self.book(self.follower.welcome.game if self.follower.welcome else "")
        return looked_up(book, rest) if book else ["The rule book of this game is not here."]

    def quit(self, rest: str = "") -> list[str]:
        self.end = "left"
        return ["You leave the table."]
