"""The command line. Nothing heavy is imported here: each command's module is loaded when it is called."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from lanplay import __version__

COMMANDS = {  # name → the module it stands in, and what it does
    "play": ("table", "Host a table and sit down at it: the quick start."),
    "host": ("table", "Host a table on the LAN."),
    "list": ("lists", "List the tables on this machine and the LAN."),
    "join": ("join", "Take a seat at a table, or look on."),
    "demo": ("demo", "Watch a whole game that bots play on this machine."),
    "bot": ("bots", "Let a scripted player take a seat."),
    "match": ("matches", "Let bots play many games against each other."),
    "bots": ("bots", "List the scripted players; write and check one of your own."),
    "games": ("games", "List the games with their options."),
    "rules": ("games", "Show the rule book of a game."),
    "doctor": ("doctor", "Tell what may keep others from joining."),
    "replay": ("replay", "Step through the record of a game."),
    "verify": ("verify", "Prove the deal of a finished game from its record."),
}
FUNCTIONS = {"list": "list_"}
INTERNAL, USAGE, INTERRUPTED = 1, 2, 130


@dataclass
class Settings:
    """What -q and -v say, before or after the command."""

    quiet: bool = False
    verbose: bool = False


class Failure(click.ClickException):
    """What went wrong and what to do, in one line, and the exit code that says so to programs."""

    def __init__(self, sentence: str, exit_code: int) -> None:
        super().__init__(sentence)
        self.code = exit_code


class Lanplay(click.Group):
    """All commands, loaded when they are needed; errors in one line."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(
            import_module(f"lanplay.cli.{COMMANDS[cmd_name][0]}"), FUNCTIONS.get(cmd_name, cmd_name)
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl([(name, does) for name, (_, does) in COMMANDS.items()])

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        known(args[0], COMMANDS, "lanplay", ctx)
        return super().resolve_command(ctx, args)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            result = super().invoke(ctx)
            sys.stdout.flush()
        except BrokenPipeError:  # the reader at the other end of the pipe has seen enough
            no_output()
            return 0
        except OSError as error:
            if error.errno != errno.ENOSPC or error.filename is not None:
                raise
            no_output()
            raise Failure("The output can't be written: no space is left there.", USAGE) from error
        return result

    def main(self, args: Any = None, prog_name: str | None = None, **extra: Any) -> Any:  # type: ignore[override]
        """Run, and exit with the code of what happened."""
        extra.pop("standalone_mode", None)
        settings = Settings()
        streams()
        try:
            code = super().main(args, prog_name or "lanplay", standalone_mode=False, obj=settings, **extra)
        except (click.Abort, KeyboardInterrupt):
            code = INTERRUPTED
        except click.ClickException as error:
            code = tell(error.format_message(), code_of(error), help_for(error))
        except Exception as error:
            code = ended_by(error)
            if code is None and settings.verbose:
                raise
            if code is None:
                why = f"{type(error).__name__}: {error}"
                code = tell(f"Something is wrong in lanplay itself ({why}). Add -v to see where.", INTERNAL)
        sys.exit(code if isinstance(code, int) else 0)


def streams() -> None:
    """There are three, also if who started this has closed some, and no letter is one that can't be printed."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open(mode, encoding="utf-8"))  # noqa: SIM115 - to the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # on a terminal that lacks a letter


def no_output() -> None:
    """Nothing more can be printed; what waits goes nowhere, so that the end of the program does not stumble over it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def known(name: str, commands: Iterable[str], above: str, ctx: click.Context) -> None:
    """A command that there is, or a Failure with what may be meant."""
    if name not in commands and not name.startswith("-") and not ctx.resilient_parsing:
        near = get_close_matches(name, commands, n=1)
        hint = f"Did you mean {near[0]}?" if near else f"See {above} --help."
        raise Failure(f"There is no command {name!r}. {hint}", USAGE)


def ended_by(error: BaseException | None) -> int | None:
    """The exit code, if this went wrong only because the program was told to end and everything was being closed."""
    while error:
        if isinstance(error, SystemExit):
            return error.code if isinstance(error.code, int) else INTERNAL
        if isinstance(error, KeyboardInterrupt):
            return INTERRUPTED
        error = error.__context__
    return None


def tell(sentence: str, code: int, more: str = "") -> int:
    """Say what went wrong, in one line, which a terminal shows broken between words; gives the exit code back."""
    from lanplay.screen.terminal import width  # noqa: PLC0415 - only when something went wrong
    from lanplay.speech.spell import printed  # noqa: PLC0415

    line = " ".join(f"lanplay: {sentence}{more}".split())
    click.echo(printed([line], width(sys.stderr)), err=True, nl=False)
    return code


def code_of(error: click.ClickException) -> int:
    return error.code if isinstance(error, Failure) else error.exit_code


def help_for(error: click.ClickException) -> str:
    """Where to read on after a wrong word."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    return f" (See {context.command_path} --help.)" if context else ""


def loudness(ctx: click.Context, option: click.Parameter, value: bool) -> None:
    """Note -q or -v, wherever it stands."""
    if value and isinstance(ctx.obj, Settings):
        setattr(ctx.obj, str(option.name), True)


def loudness_options() -> list[click.Option]:
    """-q and -v."""
    helps = {"quiet": "Print only what was asked for.", "verbose": "Say more about what goes wrong."}
    return [
        click.Option(
            [f"-{name[0]}", f"--{name}"], is_flag=True, expose_value=False, callback=loudness, help=help_
        )
        for name, help_ in helps.items()
    ]


@click.group(
    cls=Lanplay,
    params=loudness_options(),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog='Completion for bash: eval "$(_LANPLAY_COMPLETE=bash_source lanplay)" (or zsh_source, fish_source).',
)
@click.version_option(__version__, prog_name="lanplay", message="%(prog)s %(version)s")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Card games between terminals on a local network.

    \b
    Examples:
      lanplay demo                          watch a game
      lanplay play cambio --bot memory      play against a bot
      lanplay host cambio --seats 4         host a table for four
      lanplay join 192.168.1.20             join a table
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())
