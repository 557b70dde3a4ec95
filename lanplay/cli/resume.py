"""`lanplay host --resume`: which table was left, and how it was opened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from lanplay.cli import USAGE, Failure
from lanplay.cli.plan import Plan
from lanplay.games import find
from lanplay.net.book import Book, tables
from lanplay.record.journal import Journal, JournalError
from lanplay.record.resume import whole_steps
from lanplay.record.text import RecordError

NEWEST = "newest"  # --resume without a file


class Left:
    """A table that was left in mid-game, ready to go on: its record is held."""

    def __init__(self, book: Book, record: Path) -> None:
        """Raises JournalError if another host writes the record, Failure if it can't go on."""
        setup = book.setup
        try:
            self.journal, self.text = Journal.again(record, whole_steps)
        except RecordError as error:
            raise Failure(f"{record} can't be resumed: {error}.", USAGE) from error
        rules = find(setup["rules"])
        kept = ("rules", "record", "table", "ties")  # beside the words of the command
        words = {name: value for name, value in setup.items() if name not in kept}
        words.update(assignments=tuple(words["assignments"]), bots=tuple(words["bots"]))
        self.plan = Plan(rules=rules, record=record, **words)
        self.table, self.table_id, self.seated = str(setup["table"]), book.path.stem, book.seated
        self.removed = book.removed
        self.ties = bytes.fromhex(setup["ties"])


def left(record: str) -> Left:
    """The table with this record, or the one that was left last. Raises Failure if there is none."""
    if record != NEWEST:
        path = Path(record).resolve()
        for book in books():
            if book.setup.get("record") == str(path):
                return opened(book, path)
        raise Failure(
            f"{record} can't be resumed: no table of this user on this machine wrote it. "
            f"To see what was played: lanplay replay {record}",
            USAGE,
        )
    for book in books():
        path = Path(book.setup.get("record", ""))
        if book.setup and path.is_file() and unfinished(path):
            try:
                return opened(book, path)
            except JournalError:  # that table is open
                continue
    raise Failure("No table was left in mid-game. Host one: lanplay host cambio", USAGE)


def opened(book: Book, path: Path) -> Left:
    if not unfinished(path):
        raise Failure(f"That game is over. To see it again: lanplay replay {path}", USAGE)
    return Left(book, path)


def unfinished(path: Path) -> bool:
    """The record holds a game that can go on. One that lacks only its last lines can."""
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return False
    ended = any(line.startswith("result ") for line in lines)
    proved = any(line.startswith("signature ") for line in lines)
    honest = any(line.startswith("commitment ") for line in lines)
    return bool(lines) and not (ended and (proved or not honest))


def books() -> Iterator[Book]:
    """What is remembered of this user's tables, the latest first."""
    files = sorted(tables().glob("*.book"), key=lambda file: file.stat().st_mtime, reverse=True)
    for file in files:
        book = Book(file.stem)
        book.close()
        yield book
