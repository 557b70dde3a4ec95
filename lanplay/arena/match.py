"""A match: every deal in all rotations of the seats, spread over processes, the same for any number of them."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from pathlib import Path

from lanplay.arena.game import Play, Played, play, secret
from lanplay.arena.result import Result
from lanplay.arena.spec import MatchSpec

CHUNK = 64  # games that a process plays, at most, before it tells

Progress = Callable[[int, int], None]


class MatchError(RuntimeError):
    """The match can't go on; the text says why."""


def run_match(
    spec: MatchSpec,
    progress: Progress = lambda done, total: None,
    records: Path | None = None,
) -> Result:
    """Play the match. `progress` hears the games played and their number; each record is written into `records`.

    Raises MatchError if a bot takes its whole process down.
    """
    result = Result(spec)
    if records:
        records.mkdir(parents=True, exist_ok=True)
    for block, games in enumerate(blocks(spec)):
        result.add(games)
        for rotation, game in enumerate(games if records else ()):
            file = (records or Path()) / f"{block + 1:05d}-{rotation + 1}.rec"
            file.write_text(game.record, encoding="utf-8")
        progress(result.games, spec.blocks * len(spec.bots))
    return result


def blocks(spec: MatchSpec) -> Iterator[list[Played]]:
    """The blocks in order, whoever plays them."""
    jobs = min(spec.jobs, spec.blocks)
    if jobs <= 1:
        yield from play_blocks(spec, range(spec.blocks))
        return
    chunk = max(1, min(CHUNK // len(spec.bots), -(-spec.blocks // jobs)))
    chunks = [range(start, min(start + chunk, spec.blocks)) for start in range(0, spec.blocks, chunk)]
    # In a thread, where no Ctrl-C comes between a process and the list of those that are to be ended.
    with processes(jobs) as pool, ThreadPoolExecutor(1) as starter:
        for played in starter.submit(pool.map, play_chunk, [spec] * len(chunks), chunks).result():
            yield from played


@contextmanager
def processes(jobs: int) -> Iterator[ProcessPoolExecutor]:
    """Processes that end at once when the match is broken off, in whichever way."""
    before = multiprocessing.active_children()
    pool = ProcessPoolExecutor(jobs, multiprocessing.get_context("spawn"), interruptible)
    try:
        yield pool
    except BrokenProcessPool as error:
        raise MatchError("a bot has ended its whole process; play it alone to see why") from error
    except BaseException:
        for child in multiprocessing.active_children():
            if child not in before:
                child.terminate()
        raise
    finally:
        pool.shutdown(cancel_futures=True)


def interruptible() -> None:
    """Ctrl-C ends a worker without a word: the parent says what there is to say. Nor does it outlive the parent."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    threading.Thread(target=end_with_parent, daemon=True).start()


def end_with_parent() -> None:
    """However the parent ends: a worker would wait for its next games for ever."""
    if parent := multiprocessing.parent_process():
        parent.join()
        os._exit(1)


def play_chunk(spec: MatchSpec, numbers: range) -> list[list[Played]]:
    return list(play_blocks(spec, numbers))


def play_blocks(spec: MatchSpec, numbers: range) -> Iterator[list[Played]]:
    """These deals, each in every rotation."""
    pairing, run, count = spec.pairing(), runner(spec), len(spec.bots)
    rotations = [[(seat + turn) % count for seat in range(count)] for turn in range(count)]
    for block in numbers:
        deal = secret(spec.seed, "deal", block)
        yield [run(pairing, order, deal) for order in rotations]


def runner(spec: MatchSpec) -> Play:
    """What plays the games of this match."""
    if not spec.over_lan:
        return play
    from lanplay.arena import lan  # noqa: PLC0415 - ZeroMQ only when it is wanted

    return lan.play
