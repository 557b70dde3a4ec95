"""What commands share: their help with examples first, and the kinds of words that follow them."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from lanplay.cli import Settings, known, loudness_options

if TYPE_CHECKING:
    from lanplay.bot.clock import Limits
    from lanplay.engine.game import Rules
    from lanplay.engine.options import Options

Function = Callable[..., Any]


class Command(click.Command):
    """A command whose help begins with examples."""

    def __init__(self, *args: Any, examples: str, **more: Any) -> None:
        super().__init__(*args, **more)
        self.examples = examples
        self.params += loudness_options()

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Examples"):
            for line in self.examples.strip().splitlines():
                formatter.write(f"{'':{formatter.current_indent}}{line.strip()}\n")
        formatter.write_paragraph()
        super().format_help(ctx, formatter)


def command(examples: str, **more: Any) -> Callable[[Function], Command]:
    """Makes a command of a function; `examples` one a line."""
    return click.command(cls=Command, examples=examples, **more)


class Family(Command, click.Group):
    """A command with others below it, which does something by itself, too."""

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known(args[0], self.commands, f"lanplay {self.name}", ctx)
        return super().resolve_command(ctx, args)


def family(examples: str, **more: Any) -> Callable[[Function], Family]:
    """Makes a command of a function, to which others can be added."""
    return click.group(cls=Family, examples=examples, invoke_without_command=True, **more)


def as_json(value: Any) -> None:
    """Print one object in one line."""
    click.echo(json.dumps(value, ensure_ascii=False))


def settings() -> Settings:
    """What -q and -v say."""
    found = click.get_current_context().find_object(Settings)
    return found or Settings()


json_option = click.option("--json", "json_", is_flag=True, help="Print JSON for programs.")


class Whole(click.IntRange):
    """A whole number in a range; a wrong one is answered in plain words."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """The number, or a usage error."""
        try:
            number: int = super().convert(value, param, ctx)
        except click.BadParameter:
            span = f"from {self.min:.0f}" + (" on" if self.max is None else f" to {self.max:.0f}")
            self.fail(f"it is a whole number {span}, not {str(value)[:40]!r}.", param, ctx)
        return number


class Name(click.types.StringParamType):
    """What somebody or something is called; a name that shows nothing, or too much, is a wrong one."""

    def __init__(self, longest: int) -> None:
        self.longest = longest

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The name without what could spoil a screen, or a usage error."""
        from lanplay.speech.spell import plain  # noqa: PLC0415 - only when something is named

        shown = " ".join(plain(str(value)).split())
        if not shown.strip("# "):
            self.fail("a name needs something that can be seen, such as a letter.", param, ctx)
        if len(shown) > self.longest:
            self.fail(f"a name has at most {self.longest} characters.", param, ctx)
        return shown


PERSON, TABLE = Name(24), Name(40)  # as long as they may be on the wire, and where tables are listed


def read_limits(ctx: click.Context, param: click.Parameter, value: str) -> Limits:
    """Three numbers of seconds."""
    from lanplay.bot.clock import limits  # noqa: PLC0415 - only for bots

    try:
        return limits(value)
    except ValueError as error:
        raise click.BadParameter(sentence(error), ctx, param) from error


def bot_time(usual: Limits) -> Callable[[Function], Function]:
    """--bot-time, as `limits`."""
    return click.option(
        "--bot-time",
        "limits",
        metavar="START/MOVE/BANK",
        default=str(usual),
        show_default=True,
        callback=read_limits,
        help="Seconds that a bot in a process of its own has to start, for each answer, and in reserve for the game.",
    )


SEEDS = (-(2**53), 2**53)  # whole in any language's numbers


class Seconds(click.FloatRange):
    """A number of seconds, at most a week."""

    def __init__(self, least: float) -> None:
        super().__init__(least, 7 * 86400)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """The number, or a usage error."""
        number: float = super().convert(value, param, ctx)
        if math.isnan(number):
            self.fail("it is a number of seconds.", param, ctx)
        return number


# ---- games and their options --------------------------------------------------------------------------


def found_game(ctx: click.Context, param: click.Parameter, value: str | None) -> Rules | None:
    """The game of this name."""
    from lanplay.games import UnknownGame, find  # noqa: PLC0415 - only when a game is named

    try:
        return find(value) if value else None
    except UnknownGame as error:
        raise click.UsageError(sentence(error), ctx) from error


def complete_game(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    from lanplay.games import registry  # noqa: PLC0415 - only when the shell asks

    games = registry().items()
    return [CompletionItem(name, help=rules.title) for name, rules in games if name.startswith(incomplete)]


def game_argument(required: bool = True) -> Callable[[Function], Function]:
    """GAME, as `rules`."""
    name = "GAME" if required else "[GAME]"
    return click.argument(
        "rules", metavar=name, required=required, callback=found_game, shell_complete=complete_game
    )


def complete_setting(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """OPTION= and then its words, if the game is known already."""
    from lanplay.games import registry  # noqa: PLC0415 - only when the shell asks

    named = [
        registry()[word] for word in ctx.args if word in registry()
    ]  # click stops at the unfinished --set
    rules = ctx.params.get("rules") or next(iter(named), None)
    described = rules.defaults.described() if rules else ()
    name, equals, _ = incomplete.partition("=")
    if equals:
        words = next((option.words for option in described if option.name == name), ())
        return [CompletionItem(f"{name}={word}") for word in words]
    return [
        CompletionItem(f"{option.name}=", help=option.description)
        for option in described
        if option.name.startswith(incomplete)
    ]


def complete_bot(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """The bots that can be named, and files."""
    from lanplay.bot.load import installed  # noqa: PLC0415 - only when the shell asks

    named = [
        CompletionItem(name, help=does) for name, does in installed().items() if name.startswith(incomplete)
    ]
    return named or [CompletionItem(incomplete, type="file")]


set_option = click.option(
    "--set",
    "assignments",
    metavar="OPTION=VALUE",
    multiple=True,
    shell_complete=complete_setting,
    help="Set an option of the game (lanplay games lists them). Repeatable.",
)


def options_of(rules: Rules, assignments: Sequence[str], **usual: Any) -> Options:
    """The game's options as set on the command line. A wrong one ends in a usage error."""
    from lanplay.engine.options import OptionError  # noqa: PLC0415 - only when a game is set up

    words = dict(usual)
    for assignment in assignments:
        name, equals, value = assignment.partition("=")
        if not equals:
            raise wrong(f"{assignment!r} sets nothing: write OPTION=VALUE, such as rounds=3.")
        words[name.strip()] = value.strip()
    try:
        return rules.defaults.read(words)
    except OptionError as error:
        raise wrong(sentence(error)) from error


def sentence(error: Exception) -> str:
    """The text of an error as a whole sentence; no full stop after what follows a colon, which may be a command."""
    text = str(error)
    whole = text.endswith((".", "?", "!")) or ": " in text
    return text[:1].upper() + text[1:] + "." * (not whole)


def wrong(text: str) -> click.UsageError:
    """A wrong word on the command line."""
    return click.UsageError(text, click.get_current_context())
