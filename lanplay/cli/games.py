"""`lanplay games` and `lanplay rules`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from lanplay.cli.common import as_json, command, game_argument, json_option
from lanplay.engine.game import Rules
from lanplay.engine.options import Option
from lanplay.games import registry
from lanplay.resources import folder
from lanplay.screen.book import joined
from lanplay.screen.terminal import width
from lanplay.speech.spell import printed


@command(
    """
    lanplay games             every game with all its options
    lanplay games cambio52    one of them
    lanplay games --json
    """
)
@game_argument(required=False)
@json_option
def games(rules: Rules | None, json_: bool) -> None:
    """List the games: players and options, with the default, the range and the clause of the rule book.

    Options are set with --set where a table is opened: lanplay host cambio --set rounds=3
    """
    chosen = [rules] if rules else [known for _, known in sorted(registry().items())]
    if json_:
        as_json({"games": [described(one) for one in chosen]})
    else:
        click.echo("\n".join(printed(lines(one, width()), width()) for one in chosen), nl=False)


def described(rules: Rules) -> dict[str, Any]:
    """A game as JSON."""
    return {
        "game": rules.name,
        "title": rules.title,
        "version": rules.version,
        "players": {"min": rules.seats[0], "max": rules.seats[-1]},
        "options": [
            {**option._asdict(), "words": list(option.words), "range": option.range}
            for option in rules.defaults.described()
        ],
    }


def lines(rules: Rules, width: int = 0) -> list[str]:
    """A game for people. What the options are about goes below each where the terminal is too narrow (0: any width)."""
    options = rules.defaults.described()
    rows = [(option.name, str(option.default), option.range) for option in options]
    wide = [max(map(len, column)) for column in zip(*rows, strict=True)]
    head = f"{rules.name}: {rules.title}, {rules.seats[0]} to {rules.seats[-1]} players"
    columns = [
        "  ".join(["", *(f"{word:{size}}" for word, size in zip(row, wide, strict=True))]) for row in rows
    ]
    beside = [f"{row}  {about(option)}" for row, option in zip(columns, options, strict=True)]
    if not 0 < width < max(map(len, beside)):
        return [head, *beside]
    below = [(row.rstrip(), f"    {about(option)}") for row, option in zip(columns, options, strict=True)]
    return [head, *(line for pair in below for line in pair)]


def about(option: Option) -> str:
    return f"{option.description} ({option.clause})"


@command(
    """
    lanplay rules cambio
    lanplay rules cambio52 > rules.md
    """
)
@game_argument()
@json_option
def rules(rules: Rules, json_: bool) -> None:
    """Show the rule book of a game, on a terminal page by page. Clauses are numbered; refusals and options name them."""
    text = book(rules)
    if json_:
        as_json({"game": rules.name, "title": rules.title, "text": text})
    elif width():
        click.echo_via_pager(printed(spaced(text), width()))
    else:
        click.echo(text, nl=False)


def spaced(book: str) -> Iterator[str]:
    """The rule book for a terminal: each clause a line, which the terminal breaks, and room above each part."""
    for line in joined(book):
        if line.startswith("## "):
            yield ""
        yield line


def book(rules: Rules) -> str:
    """The text of a rule book."""
    return (folder("seeds") / rules.book).read_text(encoding="utf-8")


def book_of(game: str) -> str:
    """The same by the game's name; nothing, if this lanplay does not have it."""
    try:
        return book(registry()[game])
    except (KeyError, OSError):
        return ""
