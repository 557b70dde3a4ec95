"""A match: every deal in all rotations of the seats, the same whoever plays it and however often it is interrupted."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import AbstractContextManager, closing
from pathlib import Path

from lanplay.arena.crew import Crew, in_order, play_blocks, processes, undisturbed
from lanplay.arena.game import Played
from lanplay.arena.result import Result
from lanplay.arena.save import Save, reason
from lanplay.arena.spec import MatchError, MatchSpec
from lanplay.arena.tally import record_name

Progress = Callable[[Result], None]


class Interrupted(KeyboardInterrupt):
    """Ctrl-C: `result` is how far it came; `trouble` says why it can't be resumed, if so."""

    def __init__(self, result: Result, trouble: str) -> None:
        super().__init__()
        self.result, self.trouble = result, trouble


def run_match(
    spec: MatchSpec,
    progress: Progress = lambda result: None,
    records: Path | None = None,
    resume: bool = False,
    cluster: str = "",
) -> Result:
    """Play the match. `progress` hears of each block; the record of each game is written into `records`.

    With `resume` it goes on where an earlier run of the same match was ended, whichever way. `cluster` is the address of
    a dask scheduler whose workers play. Raises MatchError if it can't go on, Interrupted at Ctrl-C.
    """
    with Save(spec, records, resume) as save:
        result = Result(spec, save.tally)
        try:
            play_on(result, save, progress, cluster)
        except KeyboardInterrupt:
            raise Interrupted(result, save.trouble) from None
        save.done()
    return result


def play_on(result: Result, save: Save, progress: Progress, cluster: str) -> None:
    """Play to the end, and save how far it came, however it ends."""
    progress(result)
    try:
        if result.over:
            return
        numbers = range(result.blocks, result.spec.blocks)
        with closing(played(result.spec, numbers, save.records is not None, cluster)) as blocks:
            for games in blocks:
                with undisturbed():
                    count(result, games, save)
                progress(result)
                if result.over:
                    break
    finally:
        with undisturbed():
            save.keep(result.tally, now=True)


def count(result: Result, games: Sequence[Played], save: Save) -> None:
    """A block is played."""
    if save.records:
        write(save.records, result.blocks, games)
    result.add(games)
    save.keep(result.tally)


def write(records: Path, block: int, games: Sequence[Played]) -> None:
    """The records of a block."""
    for rotation, game in enumerate(games):
        file = records / record_name(block, rotation)
        try:
            file.write_text(game.record, encoding="utf-8")
        except OSError as error:
            raise MatchError(
                f"{file} can't be written ({reason(error)}): the match ends here; once it can, --resume goes on"
            ) from error


def played(
    spec: MatchSpec, numbers: range, records: bool, cluster: str
) -> Generator[list[Played], None, None]:
    """These blocks in order, whoever plays them."""
    if not cluster and min(spec.jobs, len(numbers)) <= 1:
        yield from play_blocks(spec, numbers)
        return
    with crew(spec, len(numbers), records, cluster) as playing:
        yield from in_order(numbers, playing)


def crew(spec: MatchSpec, blocks: int, records: bool, address: str) -> AbstractContextManager[Crew]:
    """Who plays."""
    if not address:
        return processes(spec, min(spec.jobs, blocks), records)
    from lanplay.arena.cluster import cluster  # noqa: PLC0415 - only when it is asked for

    return cluster(spec, address, records)
