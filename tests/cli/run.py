"""lanplay in processes of its own, as a shell would start it."""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

SECONDS = 40  # that anything may take


class Done(NamedTuple):
    code: int
    out: str
    err: str


def lanplay(*words: str, stdin: str | None = None, before: Sequence[str] = (), **environment: str) -> Done:
    """Run it to its end; `before` is what starts it elsewhere."""
    done = subprocess.run(
        [*before, sys.executable, "-m", "lanplay", *words],
        input=stdin or "",
        capture_output=True,
        encoding="utf-8",
        timeout=SECONDS,
        env={**os.environ, **environment},
        check=False,
    )
    assert "Traceback" not in done.stderr
    return Done(done.returncode, done.stdout, done.stderr)


class Program:
    """lanplay while it runs: lines can be read and typed."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self.process = process
        self.lines: queue.Queue[str | None] = queue.Queue()
        self.seen: list[str] = []
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            self.lines.put(line.rstrip("\n"))
        self.lines.put(None)

    def until(self, part: str) -> str:
        """The next line with this in it."""
        with suppress(queue.Empty):
            while (line := self.lines.get(timeout=SECONDS)) is not None:
                self.seen.append(line)
                if part in line:
                    return line
        raise AssertionError(f"{part!r} never came; there was {self.seen}")

    def event(self, kind: str) -> dict[str, Any]:
        """The next JSON event of this kind."""
        found: dict[str, Any] = json.loads(self.until(f'"event": "{kind}"'))
        return found

    def type(self, line: str) -> None:
        assert self.process.stdin
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self, signal: int | None = None) -> Done:
        """Wait for its end, or bring it about."""
        if signal is not None:
            self.process.send_signal(signal)
        code = self.process.wait(timeout=SECONDS)
        self.reader.join(timeout=SECONDS)
        while not self.lines.empty():
            self.seen.append(self.lines.get() or "")
        assert self.process.stderr
        err = self.process.stderr.read()
        assert "Traceback" not in err
        return Done(code, "\n".join(self.seen), err)


@contextmanager
def running(*words: str, before: Sequence[str] = (), **environment: str) -> Iterator[Program]:
    """Start it; it is killed if it has not ended by itself."""
    process = subprocess.Popen(
        [*before, sys.executable, "-m", "lanplay", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        bufsize=1,
        env={**os.environ, **environment},
    )
    with process:
        program = Program(process)
        try:
            yield program
        finally:
            if process.poll() is None:
                process.kill()
