"""A person at the full screen, without the screen: what keys do, and what is kept in sight. Time is an argument."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from lanplay.screen.full.keys import Keys
from lanplay.screen.full.menu import ASIDE, Basis, Menu, Row, completed
from lanplay.screen.full.mode import FullMode
from lanplay.screen.line import TOLD
from lanplay.screen.talk import BACK, LOST, Connection, Seen, Talk
from lanplay.speech.spell import plain
from lanplay.wire.messages import FromHost, Refused, Status

REACTION = 0.2  # seconds: nobody answers to what has been on the screen for less
END = 1.0  # seconds that the end is in sight at least
KEPT = 2000  # lines of what happened
# words with long answers, and the titles of these
PAGES = {"help": "Help", "?": "Help", "rules": "The rules", "repeat": "Since your move"}
CHANGED = "That has just changed: look again."
OVER = "The game is over. Enter leaves."
BUSY = "Your last move is not answered yet."


class Known(NamedTuple):
    """How things stood, and since when."""

    since: float
    seen: Seen


class Client(Talk):
    """Keys come in, moves go out over the connection; `log`, `menu`, `keys`, `page` and `note` are to be drawn.

    A key press is meant for what stood on the screen a moment before: a move is sent as an answer to that, so the host
    can tell that it came too late, and what has only just changed is not chosen.
    """

    mode: FullMode

    def __init__(self, peer: Connection, mode: FullMode, before: list[str]) -> None:
        """`before`: lines to begin with."""
        self.log: deque[str] = deque(maxlen=KEPT)
        self.last: list[str] = []  # what was told since the game was over
        self.refused = False  # what is told next is why a move was not done
        super().__init__(peer, mode, self.told)
        self.menu, self.keys = Menu(), Keys()
        self.known: deque[Known] = deque(maxlen=50)
        self.status: Status | None = None  # what the clock was set by
        self.until: float | None = None  # when the time to think is over
        self.title = ""
        self.page: list[str] = []  # shown in place of what happened
        self.note = ""  # said once, until the next key
        self.text = ""  # what stands in the input
        self.zoom = ""  # `table` or `log`: the part that is shown large
        self.scrolled = 0  # lines: up from the end of what happened, else down from the top
        self.over_since = 0.0
        self.left = False
        self.gone = False  # the player wants to go
        self.told(before)

    def told(self, lines: list[str]) -> None:
        """Something happened: it is shown."""
        if self.mode.ending or self.over:
            self.last += lines
        self.log.extend(plain(line) for line in lines if line not in (LOST, BACK))
        if self.refused and lines:
            self.note, self.refused = plain(lines[0]), False

    def put_off(self, message: FromHost) -> bool:
        self.refused = isinstance(message, Refused)
        return False

    @property
    def over(self) -> bool:
        """All is told."""
        return self.mode.end == "over"

    # ---- the host ---------------------------------------------------------------------------------------

    def hear_all(self, now: float) -> None:
        """Take in what has come. Raises HostGone when the host does not come back."""
        if self.mode.end is None:
            self.look()
        if not self.over:
            self.over_since = now
        else:
            self.leave()  # nobody has to wait while the end is looked at
        if self.lost and not self.peer.away:
            self.lost, self.note = False, ""
        self.refresh(now)

    def leave(self) -> None:
        """The seat is given up; what is on the screen stays there."""
        if not self.left and self.mode.end != "closed":
            self.peer.leave()
        self.left = True

    def refresh(self, now: float) -> None:
        """What can be done now."""
        status, seen = self.mode.follower.status, self.seen
        if not self.known or self.known[-1].seen != seen:
            self.known.append(Known(now, seen))
        if status is not self.status:
            self.status = status
            self.until = now + status.left if status and status.left is not None else None
        turn, aside = self.mode.sides if status and not status.over else ([], [])
        quick = [move for move in turn if self.aimed([move])]  # the window in which all are asked for a snap
        self.keys.offer(aside or quick, now)
        aim = status.aim if status else 0
        ask = (status.round, status.prompt, bool(turn), aim if self.aimed(turn) else 0) if status else None
        self.menu.offer(self.mode.choice, turn, aside, Basis(ask, aim), now)

    def aimed(self, turn: list[str]) -> bool:
        """Some of these moves are meant for what lies there just now."""
        return any(move.split()[0] in self.mode.offer.reactions for move in turn)

    def meant(self, now: float) -> Seen:
        """What the player had seen when a key was pressed."""
        before = [known.seen for known in self.known if known.since <= now - REACTION]
        return before[-1] if before else self.seen

    # ---- keys -------------------------------------------------------------------------------------------

    def typed(self, text: str, now: float) -> None:
        """The input has changed."""
        self.text, self.note = text, ""
        self.menu.typed(text, now)

    def enter(self, now: float) -> None:
        """Do what is marked, or what is typed."""
        self.note = ""
        if self.menu.cursor is not None:
            self.choose(self.menu.rows[self.menu.cursor], now)
        elif self.menu.number and not self.mode.legal(self.text):
            self.number(now)
        elif self.menu.text:
            self.write(self.menu.text, now)
        elif self.over:
            self.gone = now - self.over_since > END
        elif self.menu.rows:
            self.note = "Nothing is marked: choose with the arrow keys, or type."

    def choose(self, row: Row, now: float) -> None:
        """A row of the list."""
        if self.menu.since > now - REACTION:
            self.menu.cursor, self.note = None, CHANGED
        elif row.group:
            self.clear()
            self.menu.open(row.group, now)
        else:
            self.act(row.move, now)

    def number(self, now: float) -> None:
        row, rows = self.menu.numbered(), self.menu.rows
        if row:
            self.choose(row, now)
        elif self.menu.numbers != rows:
            self.note = f"The list has changed since you typed {self.menu.number}: look again."
            self.clear()
        else:
            self.note = f"There is no number {self.menu.number} in the list."

    def write(self, text: str, now: float) -> None:
        """Something typed: a word, or a move."""
        word = text.partition(" ")[0].lower()
        if self.mode.legal(text) or word not in {*self.mode.words, *TOLD}:
            self.act(text, now)
        elif word in TOLD and (self.lost or self.over):
            self.note = LOST if self.lost else OVER
        else:
            self.word(word, text, now)

    def word(self, word: str, text: str, now: float) -> None:
        reply = self.mode.say(text)
        if word in PAGES and len(reply.lines) > 1:
            self.turn_to(PAGES[word], [plain(line) for line in reply.lines])
            reply = reply._replace(lines=[])
        elif word not in PAGES:
            self.page = []
        self.clear()
        self.do(reply, self.meant(now))

    def act(self, move: str, now: float, aside: bool = False) -> None:
        """A move goes to the host, unless one is on its way; one `aside` leaves alone what is being typed or chosen."""
        if self.over:
            self.note = OVER
        elif self.mode.busy:
            self.note = LOST if self.lost else BUSY
        elif not aside and self.meant(now).aim != self.seen.aim:  # such as take: another card lies there
            self.menu.cursor, self.note = None, CHANGED
        else:
            reply = self.mode.say(move)
            self.note = " ".join(reply.lines)
            if reply.move and not aside:
                self.page, self.scrolled = [], 0
                self.clear()
                self.menu.open("", now)
            self.do(reply._replace(lines=[]), self.meant(now))

    def react(self, key: int, now: float) -> None:
        """A function key: something out of turn."""
        self.note = ""
        move = self.keys.move(key, now - REACTION)
        if move:
            self.act(move, now, aside=True)
        elif key in self.keys.moves:
            self.note = CHANGED

    def let_stand(self, now: float) -> None:
        """`ok`."""
        status, before = self.mode.follower.status, self.meant(now)
        if status and status.held and before.step != self.mode.follower.step:
            self.note = CHANGED
        else:
            reply = self.mode.say("ok")
            self.note = " ".join(reply.lines)
            self.do(reply._replace(lines=[]), before)

    def complete(self, now: float) -> None:
        """Tab: what is typed is completed; with nothing typed, the moves out of turn are listed."""
        self.note = ""
        if self.text.strip():
            words = [*self.mode.words, *(f"{word} " if word == "say" else word for word in TOLD)]
            self.text = completed(self.text, self.menu.legal, words)
            self.menu.typed(self.text, now)
        else:
            self.menu.open("" if self.menu.opened == ASIDE or not self.menu.aside else ASIDE, now)
            self.refresh(now)

    def back(self, now: float) -> None:
        """Esc: one step back from whatever was opened, marked or typed."""
        self.note = ""
        if self.page or self.zoom:
            self.page, self.zoom, self.scrolled = [], "", 0
        elif not self.menu.back(now) and self.text:
            self.clear()
            self.menu.typed("", now)

    def clear(self) -> None:
        self.text = ""
        self.menu.text = ""
        self.menu.numbers = None

    # ---- what is in sight -------------------------------------------------------------------------------

    def help(self, now: float) -> None:
        """F1: whatever is being typed stays."""
        self.note = ""
        self.turn_to(PAGES["help"], [plain(line) for line in self.mode.help()])

    def turn_to(self, title: str, page: list[str]) -> None:
        """Show a page."""
        self.title, self.page, self.zoom, self.scrolled = title, page, "", 0

    def show_large(self, part: str) -> None:
        """`table` or `log`; a second time, all again."""
        self.zoom, self.page, self.scrolled = "" if self.zoom == part else part, [], 0

    def scroll(self, pages: int, size: int) -> None:
        """PgUp is -1. What happened is read from its end, all else from its top."""
        from_top = bool(self.page) or self.zoom == "table"
        self.scrolled = max(self.scrolled + (pages if from_top else -pages) * max(size, 1), 0)
