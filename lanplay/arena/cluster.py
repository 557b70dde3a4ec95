"""A match on more machines than one: chunks of its blocks are handed to a dask scheduler, whose workers play them."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import contextmanager
from dataclasses import replace
from importlib import import_module
from typing import Any

from lanplay.arena.crew import FAR, Crew, Done, Pending, play_chunk, ready
from lanplay.arena.spec import MatchError, MatchSpec, files

PATIENCE = 10  # seconds in which a scheduler answers and has a worker


class NoCluster(MatchError):
    """Nobody is there to play; the text says what to do."""


@contextmanager
def cluster(spec: MatchSpec, address: str, records: bool) -> Iterator[Crew]:
    """The workers of the scheduler at this address, as many as there are at any time.

    Raises NoCluster if there is none, MatchError if a worker has another lanplay or other bots.
    """
    client = connected(address)
    try:
        asked, identity = absolute(spec), spec.identity()

        def submit(numbers: range) -> Pending:
            pending: Pending = client.submit(play_checked, asked, identity, numbers, records, pure=False)
            return Answer(pending)

        yield Crew(submit, lambda: max(1, sum(client.nthreads().values())), FAR)
    finally:
        client.close(timeout=1)


def connected(address: str) -> Any:
    """A client of the scheduler at this address, which has a worker."""
    try:
        distributed: Any = import_module("distributed")
    except ImportError as error:
        raise NoCluster(
            "--cluster needs dask.distributed: install it with pip install 'lanplay[cluster]'"
        ) from error
    for name in ("distributed", "distributed.client", "distributed.comm", "tornado"):
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)  # what goes wrong is told in a sentence
    try:
        client = distributed.Client(address, timeout=PATIENCE)
    except (OSError, ValueError) as error:
        raise NoCluster(
            f"no dask scheduler answers at {address}: start one with dask scheduler, "
            "and workers with dask worker ADDRESS"
        ) from error
    try:
        client.wait_for_workers(1, timeout=PATIENCE)
    except TimeoutError as error:
        client.close(timeout=1)
        raise NoCluster(
            f"the scheduler at {address} has no workers: start one with dask worker {address}"
        ) from error
    return client


class Answer:
    """A chunk that a worker plays."""

    def __init__(self, pending: Pending) -> None:
        self.pending = pending

    def result(self) -> Done:
        """What was played. Raises MatchError if the worker can't play it, or is lost again and again."""
        scheduler: Any = import_module("distributed.scheduler")
        try:
            return self.pending.result()
        except scheduler.KilledWorker as error:
            raise MatchError("a bot has ended its worker's process; play it alone to see why") from error
        except (CancelledError, OSError) as error:
            raise NoCluster(
                "the scheduler is gone: once it is there again, --resume goes on with the match"
            ) from error


def absolute(spec: MatchSpec) -> MatchSpec:
    """The same match for a process in another folder."""
    return replace(spec, bots=tuple(map(whole_path, spec.bots)), sprt=None)


def whole_path(bot: str) -> str:
    """A bot's name with whole paths of the files in it."""
    for file in files(bot):
        if str(file) in bot:
            bot = bot.replace(str(file), str(file.resolve()), 1)
    return bot


def play_checked(spec: MatchSpec, identity: dict[str, Any], numbers: range, records: bool) -> Done:
    """Play a chunk in a worker, if it is the same lanplay with the same bots."""
    stamp = repr(identity)
    if not ready(spec, stamp):
        check(spec, identity)
    return play_chunk(spec, numbers, records, stamp)


def check(spec: MatchSpec, identity: dict[str, Any]) -> None:
    """Raises MatchError if this process would play another match."""
    try:
        here = spec.identity()
    except (LookupError, OSError) as error:
        raise MatchError(f"a worker of the cluster can't play: {error}") from error
    named = {"version": "version of lanplay", "rules": "version of the game's rules"}
    for name, what in named.items():
        if here[name] != identity[name]:
            raise MatchError(
                f"a worker of the cluster has another {what} ({here[name]}, and here is {identity[name]}): "
                "install the same there"
            )
    if here["options"] != identity["options"]:
        raise MatchError(
            "a worker of the cluster has other options of the game: install the same lanplay there"
        )
    if list(here["sources"].values()) != list(identity["sources"].values()):
        raise MatchError(
            "a worker of the cluster has other bots: copy the same files to the same paths there"
        )
