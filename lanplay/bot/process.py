"""A program in a process of its own that is spoken to in lines: whatever it does, it blocks and outlives nobody."""

from __future__ import annotations

import atexit
import json
import os
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from typing import IO, Any

from lanplay.bot.clock import Fault
from lanplay.speech.spell import plain

GRACE = 1.0  # seconds to end by itself after its input has; and for its last words, after it has ended itself
FLOOD = 250_000  # letters that are no answer to a question, after which none is waited for
SHOWN = 64_000  # letters of what it says beside its answers that are passed on
LINE = 300  # letters of one such line
CHUNK = 65_536

# Stays in the program's process group for as long as the pipe $1 is open at its other end, which is with whoever
# started the program; and when that has ended, in whatever way, ends the whole group.
GUARD = '( { read -r _; kill -KILL 0; } </dev/fd/"$1" >/dev/null 2>&1 & ); shift; exec "$@"'

running: set[Process] = set()


class Process:
    """A program that runs. Questions go in, each with an id; of what comes out, lines that answer the last one count.

    Threads write, read and wait: a program that does not read, writes without end or has ended stops none of them, nor
    `ask` for longer than it may take.
    """

    def __init__(self, command: Sequence[str], show: Callable[[str], None]) -> None:
        """`show` hears the lines that the program says beside its answers, up to a limit. Raises Fault."""
        self.show, self.shown = show, 0
        self.last = b""  # of the lines on standard error
        self.state = threading.Condition()
        self.outbox: deque[bytes] = deque()
        self.closing = False
        self.asked = -1  # the id of the question that waits
        self.answer: dict[str, Any] | None = None  # what was said to it
        self.flood = 0  # letters beside answers since it was asked
        self.mute = self.drained = False  # its output has ended; and its standard error
        self.code: int | None = None
        self.process, self.lifeline = started(command)
        running.add(self)
        pumps = (self.write, self.listen, self.drain, self.wait)
        self.threads = [threading.Thread(target=pump, daemon=True) for pump in pumps]
        for thread in self.threads:
            thread.start()

    def tell(self, message: dict[str, Any]) -> None:
        """Put a line on its way."""
        with self.state:
            self.outbox.append(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            self.state.notify_all()

    def ask(self, message: dict[str, Any], seconds: float) -> dict[str, Any]:
        """The answer to a question; `message["id"]` is its id. Raises Fault: `late`, `crashed`, `silent` or `nonsense`."""
        with self.state:
            self.asked, self.answer, self.flood = message["id"], None, 0
            self.tell(message)
            self.state.wait_for(self.settled, seconds)
            if self.code is not None or self.mute:  # why, and what it said before, is still to be read
                self.state.wait_for(lambda: self.answer or self.ended, GRACE)
            self.asked = -1
            if self.answer is None:
                raise self.fault(seconds)
            return self.answer

    def settled(self) -> bool:
        return self.answer is not None or self.flood > FLOOD or self.mute or self.code is not None

    @property
    def ended(self) -> bool:
        """It has ended, and all that it said is read."""
        return self.code is not None and self.mute and self.drained

    def fault(self, seconds: float) -> Fault:
        """Why there is no answer."""
        if self.code is not None:
            said = f": {readable(self.last)}" if self.last else ""
            return Fault("crashed", f"crashed: its program ended ({ending(self.code)}){said}", final=True)
        if self.mute:
            return Fault("silent", "closed its standard output", final=True)
        if self.flood > FLOOD:
            return Fault("nonsense", f"wrote more than {FLOOD:,} letters and no answer")
        return Fault("late", f"gave no answer within {seconds:.3g} s (are its lines flushed?)")

    # ---- the pumps --------------------------------------------------------------------------------

    def write(self) -> None:
        """All that it is told, however slowly it reads."""
        assert self.process.stdin
        with suppress(OSError, ValueError):
            while True:
                with self.state:
                    self.state.wait_for(lambda: self.outbox or self.closing)
                    if not self.outbox:
                        break
                    line = self.outbox.popleft()
                while line:
                    line = line[self.process.stdin.write(line) :]
        with suppress(OSError):
            self.process.stdin.close()

    def listen(self) -> None:
        """Its answers, and what it prints beside them."""
        assert self.process.stdout
        for line in lines(self.process.stdout, self.heard):
            if not self.answered(line):
                self.log(line)
        with self.state:
            self.mute = True
            self.state.notify_all()

    def heard(self, letters: int) -> None:
        """Count what comes, and let nothing more come until the next question if it is far too much."""
        with self.state:
            self.flood += letters
            if self.flood > FLOOD:
                self.state.notify_all()
                self.state.wait_for(lambda: self.flood <= FLOOD or self.closing)

    def answered(self, line: bytes) -> bool:
        """Whether this is an answer: to the question that waits, or, too late, to one before it."""
        try:
            said = json.loads(line) if line.lstrip().startswith(b"{") else None
        except (ValueError, RecursionError):
            return False
        if not isinstance(said, dict) or "id" not in said:
            return False
        with self.state:
            if self.answer is None and said["id"] == self.asked and not isinstance(said["id"], bool):
                self.answer = said
                self.state.notify_all()
        return True

    def drain(self) -> None:
        """Its standard error."""
        assert self.process.stderr
        for line in lines(self.process.stderr):
            self.last = line if line.strip() else self.last
            self.log(line)
        with self.state:
            self.drained = True
            self.state.notify_all()

    def log(self, line: bytes) -> None:
        """Pass a line on, unless it was enough."""
        if self.shown < SHOWN and (text := readable(line)):
            self.shown += len(text)
            self.show(text if self.shown < SHOWN else "… (what it says from here on is not shown)")

    def wait(self) -> None:
        """Until it has ended. What it has started ends with it: its output would never end otherwise."""
        code = self.process.wait()
        kill(self.process)
        with self.state:
            self.code, early = code, not self.closing
            self.state.notify_all()
        if early:  # told at once, though nothing may be asked of it for long
            self.show(f"its program has ended ({ending(code)})")

    # ---- the end ----------------------------------------------------------------------------------

    def close(self, grace: float = GRACE, last: dict[str, Any] | None = None) -> None:
        """Tell it a last thing, end its input, give it this time to end, and then end it with all that it has started."""
        with self.state:
            if last:
                self.tell(last)
            self.closing = True
            self.state.notify_all()
            self.state.wait_for(lambda: self.code is not None, grace)
            if self.code is None:
                kill(self.process)
        if self.lifeline is not None:
            os.close(self.lifeline)
            self.lifeline = None
        for thread in self.threads:
            thread.join(GRACE)
        for pipe in (self.process.stdout, self.process.stderr):
            if pipe and not any(thread.is_alive() for thread in self.threads):
                pipe.close()
        running.discard(self)


def started(command: Sequence[str]) -> tuple[subprocess.Popen[bytes], int | None]:
    """The process, and the end of the pipe that keeps it alive. Raises Fault."""
    # A bot in Python that keeps its lines back would be late until somebody told its author.
    environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
    posix = os.name == "posix"
    ours, theirs = os.pipe() if posix else (None, None)
    ours, theirs = theirs, ours
    guarded = ["/bin/sh", "-c", GUARD, "sh", str(theirs), *command] if posix else list(command)
    try:
        process = subprocess.Popen(  # noqa: S603 - the program that the user has named
            guarded,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=environment,
            start_new_session=posix,  # Ctrl-C is for who started it, who then ends it
            pass_fds=[] if theirs is None else [theirs],
        )
    except OSError as error:
        if ours is not None:
            os.close(ours)
        raise Fault("crashed", f"crashed: it can't be started ({error.strerror})", final=True) from error
    finally:
        if theirs is not None:
            os.close(theirs)
    return process, ours


def lines(pipe: IO[bytes], heard: Callable[[int], None] = lambda letters: None) -> Iterator[bytes]:
    """Lines as they come. Of one that is longer than any answer only the beginning."""
    left = b""
    with suppress(OSError, ValueError):
        while chunk := pipe.read(CHUNK):
            heard(len(chunk))
            *whole, left = (left + chunk).split(b"\n")
            yield from whole
            left = left[:CHUNK]
    if left:
        yield left


def readable(line: bytes) -> str:
    """The beginning of a line, safe to be shown."""
    return plain(line[:LINE].decode(errors="replace").strip())


def kill(process: subprocess.Popen[bytes]) -> None:
    """End it and its children."""
    with suppress(OSError):
        if os.name == "posix":
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()


def ending(code: int) -> str:
    """How a process ended, in words."""
    if code >= 0:
        return f"exit code {code}"
    return signal.Signals(-code).name if -code in set(signal.Signals) else f"signal {-code}"


def show_on_stderr(name: str) -> Callable[[str], None]:
    """Passes on what a program says, under its name."""

    def show(line: str) -> None:
        with suppress(OSError, ValueError):  # nobody reads it any more
            sys.stderr.write(f"{name}: {line}\n")
            sys.stderr.flush()

    return show


@atexit.register
def end_all() -> None:
    """Nothing is left behind."""
    for process in list(running):
        process.close(grace=0)
