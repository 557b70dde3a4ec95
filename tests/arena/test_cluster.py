"""A match on a cluster: a real scheduler and real workers in processes of their own."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from lanplay.arena import MatchError, MatchSpec, run_match
from lanplay.arena.cluster import absolute, play_checked, whole_path
from tests.cli.run import lanplay

pytest.importorskip("distributed", reason="needs the extra lanplay[cluster]")

SPEC = MatchSpec("cambio", ("memory", "random"), 60, seed=6)


@contextmanager
def started(module: str, *words: str, says: str) -> Iterator[str]:
    """A part of a cluster, and the line with which it says that it is there."""
    code = f"from distributed.cli.{module} import main; main()"
    with subprocess.Popen(
        [sys.executable, "-c", code, *words], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stderr
        try:
            yield next(line for line in process.stderr if says in line)
        finally:
            process.terminate()
            process.communicate(timeout=20)


def test_workers_play_the_same_match(tmp_path: Path) -> None:
    words = ["match", "cambio", "memory", "random", "--games", "60", "--seed", "6", "--json"]
    with started(
        "dask_scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", says="Scheduler at:"
    ) as line:
        address = line.split()[-1]
        with started(
            "dask_worker", address, "--nthreads", "1", "--no-dashboard", "--no-nanny", says="Registered to:"
        ):
            there = lanplay(*words, "--cluster", address, "--records", str(tmp_path / "there"))
    assert there.err == ""
    run_match(SPEC, records=tmp_path / "here")
    for here in (tmp_path / "here").glob("*.rec"):
        assert (tmp_path / "there" / here.name).read_text() == here.read_text()


def test_a_worker_with_other_code_says_so(tmp_path: Path) -> None:
    """Called as a worker calls it."""
    asked, identity = absolute(SPEC), SPEC.identity()
    assert len(play_checked(asked, identity, range(2), False).blocks) == 2
    for changed, why in (
        ({"version": "0"}, "another version"),
        ({"sources": {"memory": "0", "random": "0"}}, "other bots: copy the same files"),
    ):
        with pytest.raises(MatchError, match=why):
            play_checked(asked, {**identity, **changed}, range(2), False)
    mine = tmp_path / "mine.py"
    mine.write_text("from lanplay.bot import Bot\nclass Mine(Bot):\n    def act(self, view): return ''\n")
    asked = absolute(replace(SPEC, bots=(str(mine), "random")))
    mine.unlink()
    with pytest.raises(MatchError, match="a worker of the cluster can't play: there is no file"):
        play_checked(asked, identity, range(2), False)


def test_files_are_named_by_whole_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However a bot is started; names of house bots stay."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "my bot.py").write_text("")
    (tmp_path / "run.sh").write_text("")
    named = [
        "memory",
        "my bot.py",
        "my bot.py:Mine",
        "exec:sh run.sh --fast",
        f"{tmp_path}/run.sh",
        "gone.py",
    ]
    there = str(tmp_path)
    assert [whole_path(bot) for bot in named] == [
        "memory",
        f"{there}/my bot.py",
        f"{there}/my bot.py:Mine",
        f"exec:sh {there}/run.sh --fast",
        f"{there}/run.sh",
        "gone.py",
    ]


def test_nobody_there_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lanplay.arena.cluster.PATIENCE", 1)
    with pytest.raises(MatchError, match="no dask scheduler answers at"):
        run_match(SPEC, cluster="tcp://127.0.0.1:1")


def test_a_missing_extra_is_told_in_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(MatchError, match=r"install it with pip install 'lanplay\[cluster\]'"):
        run_match(SPEC, cluster="tcp://127.0.0.1:1")
