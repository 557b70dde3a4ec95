"""The other end of the lines for bots in Python: `python -m lanplay.bot.stdio BOT` is what `apart:BOT` starts."""

from __future__ import annotations

import base64
import json
import os
import pickle
import sys
from collections.abc import Iterator
from typing import IO, Any

from lanplay.bot.bot import Bot
from lanplay.bot.facts import Fact
from lanplay.bot.load import BotError, load
from lanplay.bot.player import described
from lanplay.bot.view import Info, View
from lanplay.engine.words import Told

USAGE = 2
NOTHING = {"source": "", "target": "", "face": ""}


class Seated:
    """The bot, and what it is asked line by line."""

    def __init__(self, kind: type[Bot], info: Info, bot: Bot) -> None:
        self.kind, self.info, self.bot = kind, info, bot
        self.told: list[Told] = []  # since the bot last looked

    def answer(self, question: dict[str, Any]) -> dict[str, Any]:
        """The answer to a question, as JSON can say it."""
        memory, points, moves, status, told = unpickled(question)
        self.told += told
        try:
            self.hear(question)
            if question["ask"] == "react" and self.kind.react is Bot.react and not memory.matching():
                return {"move": None}
            view, self.told = View(self.info, memory, points, moves, status, self.told), []
            said: object = self.bot.act(view) if question["ask"] == "act" else self.bot.react(view)
        except Exception as error:  # whatever the author's code does; it is told where it counts
            return {"error": described(error, self.kind)}
        return {"move": said if said is None or isinstance(said, str) else [type(said).__name__]}

    def hear(self, message: dict[str, Any]) -> None:
        """What happened, fact by fact."""
        if self.kind.hear is not Bot.hear:
            for told in message["facts"]:
                self.bot.hear(Fact(**{**NOTHING, **told, "eyes": tuple(told.get("eyes", ()))}))


def unpickled(message: dict[str, Any]) -> Any:
    if "pickled" not in message:
        raise SystemExit("a bot in Python is seated with apart:mine.py, not exec:")
    return pickle.loads(base64.b64decode(message["pickled"]))  # noqa: S301 - from lanplay, which has started this


def play(kind: type[Bot], hello: dict[str, Any], asked: Iterator[dict[str, Any]], answers: IO[str]) -> None:
    """From the hello to the end of the game, or of the lines."""
    info, rng = unpickled(hello)
    bot = kind()
    bot.rng, bot.info = rng, info
    bot.setup(info)
    seated = Seated(kind, info, bot)
    for message in asked:
        if "end" in message:
            seated.hear(message)
            bot.end(message["end"])
            return
        json.dump({"id": message["id"], **seated.answer(message)}, answers)
        answers.write("\n")
        answers.flush()


def main(bot: str) -> int:
    """What the bot prints goes to standard error, whoever prints it: standard output is for the answers."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w", encoding="utf-8")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    asked = map(json.loads, sys.stdin)
    try:
        hello = next(asked)
        kind = load(bot, hello["game"])
    except BotError as error:
        sys.stderr.write(f"{error}\n")
        return USAGE
    try:
        play(kind, hello, asked, answers)
    except Exception as error:
        sys.stderr.write(f"{described(error, kind)}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
