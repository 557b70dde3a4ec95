"""Programs that a command starts: bots in processes of their own, stopped and reaped with it."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress

from lanplay.cli.failures import DISCONNECTED

GRACE = 1.0  # seconds to end when told to


class Helpers:
    """Bots that play at a table of this machine. None outlives `stop()`."""

    def __init__(self, notice: Callable[[str], None]) -> None:
        """`notice` hears of a bot that ends with an error."""
        self.notice = notice
        self.processes: list[subprocess.Popen[bytes]] = []
        self.watches: list[threading.Thread] = []
        self.stopping = False
        # What a bot complains of goes to standard error; else its last line is in the notice.
        self.complain = True

    def seat(self, bot: str, where: str, name: str | None = None) -> None:
        """Start a bot that joins the table at this address."""
        called = ["--name", name] if name else []
        # -P: a bot.py, random.py … in the folder that this was started in is not taken for a module
        process = subprocess.Popen(  # noqa: S603 - our own program
            [
                sys.executable,
                "-P",
                "-m",
                "lanplay",
                "bot",
                bot,
                where,
                "--quiet",
                "--with-stdin",
                *called,
            ],
            stdin=subprocess.PIPE,  # closed when this process ends, however it ends: the bot then ends too
            stdout=subprocess.DEVNULL,
            stderr=None if self.complain else subprocess.PIPE,
            start_new_session=True,  # Ctrl-C is for the command, which then stops the bots
        )
        self.processes.append(process)
        self.watches.append(threading.Thread(target=self.watch, args=(bot, process), daemon=True))
        self.watches[-1].start()

    def watch(self, bot: str, process: subprocess.Popen[bytes]) -> None:
        why = complaint(process)
        code = process.wait()
        if code in (0, DISCONNECTED) or self.stopping:  # the host knows whom it has removed
            return
        with suppress(BrokenPipeError):  # the reader has seen enough: the host's own thread ends the command
            self.notice(f"The bot {bot} has ended with an error (exit code {code}). {why}".rstrip())

    def stop(self) -> None:
        """End all of them, and wait for it."""
        self.stopping = True
        for process in self.processes:
            with suppress(OSError):
                process.terminate()
            if process.stdin:
                process.stdin.close()
        for process in self.processes:
            reap(process)
        for watch in self.watches:  # a thread that prints while Python ends brings it down
            watch.join(GRACE)


def complaint(process: subprocess.Popen[bytes]) -> str:
    """The last line that the program wrote to its standard error, if that was to be read; comes when it ends."""
    if process.stderr is None:
        return ""
    with process.stderr as lines:
        last = deque(lines, maxlen=1)
    return last[0].decode("utf-8", "replace").strip() if last else ""


def reap(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
