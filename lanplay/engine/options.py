"""Options: what the host may set before play. A game lists them as a Struct; everything else is read off it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, Literal, NamedTuple, Self, get_args, get_type_hints

from msgspec import Meta, Struct, structs

Value = int | str
YesNo = Literal["yes", "no"]
NUMBER = re.compile(r"-?[0-9]{1,9}")


class OptionError(ValueError):
    """An option that does not exist or cannot have this value, and what can be said instead."""


class Option(NamedTuple):
    """One option as it is shown to people. `low` and `high` for numbers, `words` for the others."""

    name: str
    default: Value
    low: int | None
    high: int | None
    words: tuple[str, ...]
    description: str
    clause: str

    @property
    def range(self) -> str:
        """The values it can have, in words: `-99 to 99`, `yes or no`."""
        return f"{self.low} to {self.high}" if not self.words else " or ".join(self.words)

    def read(self, value: Value) -> Value:
        """The value, or OptionError: whole numbers within the range, or one of the words in any case."""
        if self.words:
            word = str(value).strip().lower()
            if word in self.words:
                return word
        elif NUMBER.fullmatch(str(value)) and (self.low or 0) <= int(value) <= (self.high or 0):
            return int(value)
        raise OptionError(
            f"the option {self.name} can't be {str(value)[:40]!r}: it can be {self.range} (default {self.default})"
        )


class Options(Struct, frozen=True, kw_only=True):
    """The base of every game's options. An object of it is a set of values; a game's defaults are one."""

    def described(self) -> tuple[Option, ...]:
        """Every option, in the order of the rule book, with these values as the defaults."""
        hints = get_type_hints(type(self), include_extras=True)
        return tuple(_option(name, value, hints[name]) for name, value in self.values().items())

    def read(self, words: Mapping[str, Value]) -> Self:
        """These values but for what `words` says, as typed after --set or found in a record. Raises OptionError."""
        known = {option.name: option for option in self.described()}
        for name in words:
            if name not in known:
                raise OptionError(_unknown(name, known))
        return structs.replace(self, **{name: known[name].read(value) for name, value in words.items()})

    def values(self) -> dict[str, Value]:
        """All of them by name."""
        return structs.asdict(self)

    def changed(self, defaults: Options) -> dict[str, Value]:
        """Those that differ from these defaults."""
        usual = defaults.values()
        return {name: value for name, value in self.values().items() if value != usual[name]}


def number(low: int, high: int, clause: str, description: str) -> Meta:
    """Marks an option that is a whole number."""
    return Meta(ge=low, le=high, description=description, extra={"clause": clause})


def word(clause: str, description: str) -> Meta:
    """Marks an option that is one of some words, a Literal."""
    return Meta(description=description, extra={"clause": clause})


def _option(name: str, default: Value, hint: Any) -> Option:
    kind, meta = get_args(hint)
    return Option(name, default, meta.ge, meta.le, get_args(kind), meta.description, meta.extra["clause"])


def _unknown(name: str, known: Mapping[str, Option]) -> str:
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]}?" if near else f"the options are {', '.join(sorted(known))}"
    return f"there is no option {name[:40]!r}: {hint}"
