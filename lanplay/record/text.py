"""The lines of a record: from text to header and items, and back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lanplay.engine.game import Rules
from lanplay.engine.options import OptionError, Options
from lanplay.engine.words import SEATS, Seat
from lanplay.games import UnknownGame, find

VERSION = "1"
COMMENT = re.compile(r"(^|\s)#.*$")
TIME = re.compile(r"\s@([0-9]+(?:\.[0-9]+)?)$")
HEADER = ("rules", "game", "option", "seat")


class RecordError(ValueError):
    """A text that is no record, or not one of this version; `line` counts from 1, 0 for the whole of it."""

    def __init__(self, why: str, line: int = 0) -> None:
        super().__init__(f"line {line}: {why}" if line else why)
        self.line = line


class Item(NamedTuple):
    """One line after the header: `kind` is `deck`, `result`, `!`, `?` or, for an action, its seat's letter."""

    line: int
    kind: str
    words: str
    at: float | None = None  # seconds since the start, if an action has them


@dataclass
class Record:
    """What a record says, not yet played."""

    rules: Rules
    options: Options
    names: dict[Seat, str]
    items: list[Item] = field(default_factory=list)
    torn: bool = False  # the last line had no end and was left out


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers; comments and a torn last line are left out."""
    for number, line in enumerate(text.removeprefix("\ufeff").split("\n")[:-1], 1):
        words = COMMENT.sub("", line).strip()
        if words:
            yield number, words


def read(text: str) -> Record:
    """A record from its text. Raises RecordError; whether the actions can be played is not looked at."""
    lines = lines_of(text)
    number, first = next(lines, (0, ""))
    word, _, version = first.partition(" ")
    if word != "lanplay-record":
        raise RecordError("this is no record: it does not begin with lanplay-record", number)
    if version.strip() != VERSION:
        raise RecordError(
            f"this record has version {version.strip()!r}, this lanplay reads {VERSION}", number
        )
    header = Header()
    items: list[Item] = []
    for number, line in lines:
        word, _, rest = line.partition(" ")
        if word in HEADER:
            if any(item.kind != "deck" for item in items):
                raise RecordError(f"{word} belongs to the header, before the first action", number)
            header.add(number, word, rest.strip())
        elif (item := item_of(number, word, rest.strip())) is not None:
            items.append(item)
    return header.record(items, torn=not text.endswith("\n"))


def item_of(line: int, word: str, rest: str) -> Item | None:
    """The item in this line, or None for a line that a reader may skip."""
    if word in ("deck", "result", "!", "?"):
        return Item(line, word, rest)
    if len(word) > 1 or not word.isalpha():
        if word.isalpha() or re.fullmatch(r"[a-z][a-z-]*", word):
            return None
        raise RecordError(f"{word[:40]!r} begins no line of a record", line)
    if word.upper() not in SEATS:
        raise RecordError(f"there is no seat {word!r}", line)
    time = TIME.search(f" {rest}")
    action = TIME.sub("", f" {rest}").strip()
    return Item(line, word.upper(), action, float(time[1]) if time else None)


class Header:
    """The lines that say what is played and by whom, in any order but for the seats."""

    def __init__(self) -> None:
        self.game = self.rules = ""
        self.options: dict[str, str] = {}
        self.names: dict[Seat, str] = {}
        self.line = 0

    def add(self, line: int, word: str, rest: str) -> None:
        self.line = line
        first, _, more = rest.partition(" ")
        if word == "seat":
            self.seat(line, first.upper(), more.strip())
        elif word == "option":
            if not more or first in self.options:
                raise RecordError("an option is named once, with one value: option joker -1", line)
            self.options[first] = more.strip()
        elif not rest or more or getattr(self, word):
            raise RecordError(f"there is one {word} line, with one word", line)
        else:
            setattr(self, word, rest)

    def seat(self, line: int, letter: str, name: str) -> None:
        if len(self.names) == len(SEATS) or letter != SEATS[len(self.names)] or not name:
            raise RecordError("seats are named in order, A first, each with a name: seat A Ann", line)
        self.names[len(self.names)] = name

    def record(self, items: list[Item], torn: bool) -> Record:
        """The record with these items. Raises RecordError if the header does not describe a game."""
        if not self.game:
            raise RecordError("this record does not say which game was played: game cambio")
        try:
            rules = find(self.game)
            options = rules.defaults.read(self.options)
        except (UnknownGame, OptionError) as error:
            raise RecordError(str(error), self.line) from error
        if self.rules not in ("", str(rules.version)):
            raise RecordError(
                f"this record was made under version {self.rules} of the rules of {rules.title}; "
                f"this lanplay plays version {rules.version}"
            )
        if len(self.names) not in rules.seats:
            raise RecordError(
                f"{rules.title} is for {rules.seats[0]} to {rules.seats[-1]} players, "
                f"and this record has {len(self.names)} seats"
            )
        return Record(rules, options, self.names, items, torn)
