"""A match on disk while it goes on: whoever ends it, it can go on from there and come out the same."""

from __future__ import annotations

import hashlib
import os
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import msgspec

from lanplay.arena.spec import MatchError, MatchSpec, files
from lanplay.arena.tally import Tally, restored
from lanplay.files import write_whole
from lanplay.net.home import home, locked, private_folder

EVERY = 2.0  # seconds between two savings
FORMAT = 1


class Saved(msgspec.Struct):
    """What is on disk: what was played, and how far."""

    identity: dict[str, Any]
    tally: Tally
    format: int = FORMAT


class Save:
    """The place on disk of one match: `match.state` among its records, or a file of the user's that goes with its end.

    `tally` is where the match goes on: at nothing, or with `resume` where an earlier run was ended. One process at a time
    has it; another that plays the same match without records does so without a place.
    Raises MatchError if there is a match already which this one must not go on with.
    """

    def __init__(self, spec: MatchSpec, records: Path | None = None, resume: bool = False) -> None:
        self.records, self.identity, self.lock = records, spec.identity(), -1
        self.tally = Tally(spec.entries, len(spec.bots))
        self.trouble = ""  # why it can't go on later
        self.ahead, self.at = 0, time.monotonic()
        try:
            self.path = state_in(records) if records else state_of(spec, self.identity)
            self.hold()
            self.begin(spec, resume)
        except OSError as error:
            self.close()
            if records:
                raise MatchError(
                    f"{records} can't be written ({reason(error)}); choose another with --records"
                ) from error
            self.trouble = f"the user's folder can't be written ({reason(error)})"
        except BaseException:
            self.close()
            raise

    def hold(self) -> None:
        """Nobody else writes here from now on, until this process ends."""
        lock = locked(self.path.with_name(f".{self.path.stem}.lock"))
        if lock is not None:
            self.lock = lock
        elif self.records:
            raise MatchError(
                f"another match is being written into {self.records}; choose another with --records"
            )
        else:
            self.trouble = "the same match is being played by another process"

    def begin(self, spec: MatchSpec, resume: bool) -> None:
        """Look at what is there."""
        saved = self.read(resume) if self.lock >= 0 else None
        if self.records and not resume and (saved or next(self.records.glob("*.rec"), None)):
            raise MatchError(
                f"{self.records} holds the records of a match, and a record is never overwritten: "
                "add --resume to go on with it, or choose another with --records"
            )
        if self.records and resume and not saved and next(self.records.glob("*.rec"), None):
            raise MatchError(
                f"{self.records} holds records, but not how far their match got: choose another with --records"
            )
        if resume and self.lock < 0:
            raise MatchError(f"{self.trouble}: end that one first")
        if saved and resume:
            self.go_on(saved, spec)
        elif saved and saved.identity == self.identity:
            self.ahead = saved.tally.blocks  # the same games: until they are played again, they stay

    def read(self, strict: bool) -> Saved | None:
        """What was saved here, if anything."""
        if not self.path.exists():
            return None
        try:
            saved = msgspec.msgpack.decode(self.path.read_bytes(), type=Saved, dec_hook=restored)
            if saved.format != FORMAT:
                raise msgspec.ValidationError
        except msgspec.MsgspecError as error:
            if strict or self.records:
                raise MatchError(f"{self.path} is damaged, or of another version: {self.anew()}") from error
            return None
        return saved

    def go_on(self, saved: Saved, spec: MatchSpec) -> None:
        """From there, if nothing has changed that the numbers follow from."""
        if difference := differs(saved.identity, self.identity):
            raise MatchError(f"{difference}: {self.anew()}")
        if saved.tally.blocks > spec.blocks:
            raise MatchError(f"{saved.tally.games} games were played already: set --games to that or more")
        self.tally, self.ahead = saved.tally, saved.tally.blocks

    def anew(self) -> str:
        return "begin anew with other --records" if self.records else "leave --resume out, and it begins anew"

    # ---- while it is played -------------------------------------------------------------------------

    def keep(self, tally: Tally, now: bool = False) -> None:
        """Save how far it is, every few seconds, or `now`. A full disk does not end the match."""
        waits = time.monotonic() < self.at + EVERY and not now
        if self.lock < 0 or waits or tally.blocks <= self.ahead:
            return
        try:
            write_whole(self.path, msgspec.msgpack.encode(Saved(self.identity, tally)))
            self.trouble, self.ahead = "", tally.blocks
        except OSError as error:
            self.trouble = f"{self.path} can't be written ({reason(error)})"
        self.at = time.monotonic()

    def done(self) -> None:
        """It is over. What lies among records stays, so that more games can be added."""
        if self.lock >= 0 and not self.records:
            with suppress(OSError):  # some systems keep a file that is open
                self.path.unlink(missing_ok=True)
                self.path.with_name(f".{self.path.stem}.lock").unlink(missing_ok=True)

    def close(self) -> None:
        if self.lock >= 0:
            os.close(self.lock)
            self.lock = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def state_in(records: Path) -> Path:
    """Among the records."""
    records.mkdir(parents=True, exist_ok=True)
    return records / "match.state"


def state_of(spec: MatchSpec, identity: dict[str, Any]) -> Path:
    """In the user's folder, by what is asked for; not by the code, whose changes are told."""
    asked = {name: value for name, value in identity.items() if name not in ("version", "rules", "sources")}
    asked["at"] = [str(file.resolve()) for bot in spec.entries for file in files(bot)]
    key = hashlib.sha256(repr(sorted(asked.items())).encode()).hexdigest()[:20]
    return private_folder(home() / "matches") / f"{key}.state"


def differs(saved: dict[str, Any], wanted: dict[str, Any]) -> str:
    """Why the one match is not the other, in words; nothing if it is."""
    for bot, source in wanted["sources"].items():
        if saved["sources"].get(bot, source) != source:
            return f"the bot {bot} has changed since the match was begun"
    for name, told in (("version", "version of lanplay"), ("rules", "version of the game's rules")):
        if saved[name] != wanted[name]:
            return f"it was begun with another {told} ({saved[name]}, and this is {wanted[name]})"
    other = [name for name in wanted if saved.get(name) != wanted[name]]
    return (
        f"the match there was another ({', '.join(spoken(name, saved) for name in other)})" if other else ""
    )


def spoken(name: str, saved: dict[str, Any]) -> str:
    """A part of what was saved, as it was typed."""
    value = saved.get(name)
    if name == "options":
        return "other options"
    if name == "limits":
        return f"--bot-time {value}"
    if name == "sprt":
        return f"--sprt {value[0]:g},{value[1]:g}" if value else "without --sprt"
    if name == "over_lan":
        return "with --over-lan" if value else "without --over-lan"
    return f"{name} {' '.join(value) if isinstance(value, list) else value}"


def reason(error: OSError) -> str:
    return error.strerror or str(error)
