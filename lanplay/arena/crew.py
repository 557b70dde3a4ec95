"""Who plays the blocks of a match: this process, several, or another engine's; they come back in their order."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from dataclasses import replace
from multiprocessing.connection import wait
from types import FrameType
from typing import NamedTuple, Protocol

from lanplay.arena.game import Pairing, Play, Played, play, secret
from lanplay.arena.spec import MatchError, MatchSpec

MASKS = hasattr(signal, "pthread_sigmask")  # not on Windows
LOCAL, FAR = 0.25, 1.5  # seconds that a chunk of blocks shall take, in a process here and elsewhere


class Done(NamedTuple):
    """A chunk that was played, and the seconds that it took."""

    seconds: float
    blocks: list[list[Played]]


class Pending(Protocol):
    """A chunk that somebody plays."""

    def result(self) -> Done: ...


class Crew(NamedTuple):
    """Who plays chunks: `width()` at a time, each about `seconds` long."""

    submit: Callable[[range], Pending]
    width: Callable[[], int]
    seconds: float


def in_order(numbers: range, crew: Crew) -> Iterator[list[Played]]:
    """The blocks of these numbers, one after another, however long each takes.

    Only a few chunks are under way: what is played and can't be counted yet takes little room.
    """
    size, following, under_way = 1, numbers.start, deque[Pending]()
    while under_way or following < numbers.stop:
        width = crew.width()
        while following < numbers.stop and len(under_way) < 2 * width:
            some = min(size, max(1, (numbers.stop - following) // width))
            under_way.append(crew.submit(range(following, following + some)))
            following += some
        done = under_way.popleft().result()
        size = grown(size, len(done.blocks) / max(done.seconds, 1e-6) * crew.seconds)
        yield from done.blocks


def grown(size: int, fitting: float) -> int:
    """The next chunk's size: nearer to what fits, but not many times the last."""
    return max(1, min(round(fitting), size * 4))


# ---- processes on this machine --------------------------------------------------------------------------


@contextmanager
def processes(spec: MatchSpec, jobs: int, records: bool) -> Iterator[Crew]:
    """Processes that end at once when the match is broken off, in whichever way."""
    before = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), begun)

    def submit(numbers: range) -> Pending:
        # No Ctrl-C between a process and the list of those that are to be ended, nor into one that is just beginning.
        with undisturbed(), blocked():
            return pool.submit(play_chunk, spec, numbers, records)

    try:
        yield Crew(submit, lambda: jobs, LOCAL)
    except BrokenProcessPool as error:
        raise MatchError("a bot has ended its whole process; play it alone to see why") from error
    except BaseException:
        for child in multiprocessing.active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def begun() -> None:
    """Ctrl-C ends a worker without a word: the parent says what there is to say. Nor does it outlive its parent."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    if MASKS:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
    if parent := multiprocessing.parent_process():
        threading.Thread(target=end_with, args=(parent.sentinel,), daemon=True).start()


def end_with(sentinel: int) -> None:
    wait([sentinel])
    os._exit(1)


@contextmanager
def blocked() -> Iterator[None]:
    """Processes that begin meanwhile hear of Ctrl-C only when they can take it."""
    if not MASKS:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def undisturbed() -> Iterator[None]:
    """Ctrl-C, or being told to end, waits until this is done."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    came: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        came.append(number)

    names = [name for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = [(number, signal.signal(number, note)) for number in (getattr(signal, name) for name in names)]
    try:
        yield
    finally:
        for number, handler in before:
            signal.signal(number, handler)
        for number in came:
            signal.raise_signal(number)


# ---- playing --------------------------------------------------------------------------------------------


READY: list[tuple[MatchSpec, str, Pairing]] = []  # of the match that this process plays chunks of


def ready(spec: MatchSpec, stamp: str = "") -> bool:
    """Whether the bots of this match are loaded; `stamp` tells their versions apart."""
    return bool(READY) and READY[0][:2] == (spec, stamp)


def play_chunk(spec: MatchSpec, numbers: range, records: bool, stamp: str = "") -> Done:
    """Play these blocks; their records come along only if they are wanted. Bots are loaded once in a process."""
    if not ready(spec, stamp):
        READY[:] = [(spec, stamp, spec.pairing())]
    begun = time.perf_counter()
    blocks = [
        games if records else [replace(game, record="") for game in games]
        for games in play_blocks(spec, numbers, READY[0][2])
    ]
    return Done(time.perf_counter() - begun, blocks)


def play_blocks(
    spec: MatchSpec, numbers: range, pairing: Pairing | None = None
) -> Generator[list[Played], None, None]:
    """These deals, each in every rotation."""
    pairing, run, count = pairing or spec.pairing(), runner(spec), len(spec.bots)
    rotations = [[(seat + by) % count for seat in range(count)] for by in range(count)]
    for block in numbers:
        deal = secret(spec.seed, "deal", block)
        yield [run(pairing, order, deal) for order in rotations]


def runner(spec: MatchSpec) -> Play:
    """What plays the games of this match."""
    if not spec.over_lan:
        return play
    from lanplay.arena import lan  # noqa: PLC0415 - ZeroMQ only when it is wanted

    return lan.play
