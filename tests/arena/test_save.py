"""Matches that are ended before their end: they go on from there and come out the same, or say why they can't."""

from __future__ import annotations

import errno
import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lanplay.arena import Interrupted, MatchError, MatchSpec, Result, Sprt, run_match
from lanplay.arena import save as saving
from lanplay.bot.load import house_bots

SPEC = MatchSpec("cambio", ("memory", "random", "random"), 30, seed=4)


def numbers(result: Result) -> dict[str, Any]:
    """All but the times."""
    return {key: value for key, value in result.object().items() if key != "health"}


def interrupted(spec: MatchSpec, blocks: int, **more: Any) -> Interrupted:
    """The match, ended by Ctrl-C after so many blocks."""

    def stop(result: Result) -> None:
        if result.blocks >= blocks:
            raise KeyboardInterrupt

    with pytest.raises(Interrupted) as found:
        run_match(spec, stop, **more)
    return found.value


def own(tmp_path: Path, name: str = "mine") -> str:
    """A bot in a file."""
    file = tmp_path / f"{name}.py"
    file.write_text(house_bots()["random"].read_text(encoding="utf-8"), encoding="utf-8")
    return str(file)


def places(home: Path) -> list[Path]:
    return list((home / "matches").iterdir())


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_match_goes_on_after_ctrl_c_and_comes_out_the_same(jobs: int, home: Path) -> None:
    whole = numbers(run_match(SPEC))
    assert places(home) == []
    stopped = interrupted(SPEC, 3)
    assert (stopped.result.games, stopped.trouble, stopped.result.over) == (9, "", False)
    interrupted(replace(SPEC, jobs=jobs), 6, resume=True)
    heard: list[int] = []
    resumed = run_match(replace(SPEC, jobs=jobs), lambda result: heard.append(result.blocks), resume=True)
    assert heard[0] >= 6
    assert numbers(resumed) == whole
    assert places(home) == []


def test_a_sequential_test_ends_at_the_same_block_however_it_is_played() -> None:
    spec = MatchSpec("cambio", ("memory", "random"), 1000, sprt=Sprt(0, 100))
    whole = run_match(spec)
    assert whole.test is not None
    assert whole.test.decision == "stronger"
    assert 5 < whole.blocks < 100
    interrupted(spec, 4)
    assert (
        numbers(run_match(spec, resume=True)) == numbers(run_match(replace(spec, jobs=2))) == numbers(whole)
    )


def test_a_match_that_was_killed_goes_on(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By SIGKILL, which lets nobody tidy up; nor does any of its processes go on alone."""
    spec = MatchSpec("cambio", ("memory", "random"), 3000, seed=8, jobs=2)
    words = ["match", "cambio", "memory", "random", "--games", "3000", "--seed", "8", "--jobs", "2"]
    with subprocess.Popen([sys.executable, "-m", "lanplay", *words], start_new_session=True) as process:
        limit = time.monotonic() + 40
        while not list((home / "matches").glob("*.state")):
            assert time.monotonic() < limit
            time.sleep(0.05)
        process.kill()
        process.wait(timeout=10)
        while still_there(process.pid):
            assert time.monotonic() < limit
            time.sleep(0.05)
    there = interrupted(spec, 1, resume=True).result.games
    assert there > 0
    more = replace(spec, games=max(there, 60))
    resumed = run_match(more, resume=True)
    monkeypatch.setenv("LANPLAY_HOME", str(home / "other"))
    assert numbers(run_match(more)) == numbers(resumed)


def still_there(group: int) -> bool:
    """Whether a process of the group still runs."""
    done = subprocess.run(
        ["ps", "-eo", "pgid=,stat="], capture_output=True, text=True, check=True, timeout=10
    )
    found = [line.split() for line in done.stdout.splitlines()]
    return any(int(pgid) == group and not state.startswith("Z") for pgid, state in found)


def test_without_resume_it_begins_anew_and_what_was_saved_stays_until_that_is_played(home: Path) -> None:
    interrupted(SPEC, 5)
    (saved,) = (home / "matches").glob("*.state")
    before = saved.read_bytes()
    assert interrupted(SPEC, 2).result.blocks == 2
    assert saved.read_bytes() == before
    assert interrupted(SPEC, 5, resume=True).result.blocks == 5


def test_with_resume_and_nothing_saved_it_begins() -> None:
    assert run_match(replace(SPEC, games=3), resume=True).games == 3


def test_a_bot_that_has_changed_is_told(tmp_path: Path) -> None:
    spec = replace(SPEC, bots=(own(tmp_path), "random", "random"))
    interrupted(spec, 2)
    Path(spec.bots[0]).write_text(Path(spec.bots[0]).read_text() + "\n# better\n")
    with pytest.raises(
        MatchError, match=r"the bot .*mine\.py has changed since the match was begun: leave --res"
    ):
        run_match(spec, resume=True)
    assert run_match(spec).over


def test_another_version_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    interrupted(SPEC, 2)
    monkeypatch.setattr("lanplay.arena.spec.__version__", "99.0")
    with pytest.raises(MatchError, match=r"another version of lanplay \(.*, and this is 99\.0\)"):
        run_match(SPEC, resume=True)


def test_a_damaged_state_is_told_and_can_be_left_behind(home: Path) -> None:
    interrupted(SPEC, 2)
    (saved,) = (home / "matches").glob("*.state")
    saved.write_bytes(saved.read_bytes()[:-9])
    with pytest.raises(MatchError, match="damaged"):
        run_match(SPEC, resume=True)
    assert run_match(SPEC).over


def test_two_processes_that_play_the_same_match_do_not_share_a_place(home: Path) -> None:
    with saving.Save(SPEC) as held:
        other = interrupted(SPEC, 2)
        assert "being played by another process" in other.trouble
        with pytest.raises(MatchError, match="being played by another process"):
            run_match(SPEC, resume=True)
        assert held.trouble == ""
    assert interrupted(SPEC, 2).trouble == ""


def test_a_full_disk_does_not_end_a_match(monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(saving, "write_whole", full)
    assert "No space left" in interrupted(SPEC, 3).trouble
    assert run_match(SPEC).over


# ---- among records ----------------------------------------------------------------------------------------


def test_records_of_a_match_that_went_on_are_those_of_a_whole_one(tmp_path: Path) -> None:
    run_match(SPEC, records=tmp_path / "whole")
    interrupted(SPEC, 4, records=tmp_path / "parts")
    for _ in range(2):  # the second time there is nothing more to play
        assert run_match(SPEC, records=tmp_path / "parts", resume=True).games == 30
    texts = [
        {file.name: file.read_text() for file in (tmp_path / folder).glob("*.rec")}
        for folder in ("whole", "parts")
    ]
    assert texts[0] == texts[1]
    assert len(texts[0]) == 30


def test_games_can_be_added_to_records(tmp_path: Path) -> None:
    run_match(replace(SPEC, games=9), records=tmp_path)
    added = run_match(SPEC, records=tmp_path, resume=True)
    assert numbers(added) == numbers(run_match(SPEC))
    with pytest.raises(MatchError, match="30 games were played already"):
        run_match(replace(SPEC, games=9), records=tmp_path, resume=True)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({}, "never overwritten: add --resume to go on with it"),
        ({"seed": 5}, r"another \(seed 4\): begin anew with other --records"),
        ({"bots": ("random", "memory", "random")}, r"another \(bots memory random random\)"),
        ({"options": {"rounds": 3}}, "other options"),
        ({"sprt": Sprt(0, 25)}, "without --sprt"),
        ({"over_lan": True}, "without --over-lan"),
    ],
)
def test_records_of_one_match_are_not_mixed_with_those_of_another(
    changed: dict[str, Any], why: str, tmp_path: Path
) -> None:
    run_match(replace(SPEC, games=3), records=tmp_path)
    before = {file: file.read_bytes() for file in tmp_path.iterdir()}
    with pytest.raises(MatchError, match=why):
        run_match(replace(SPEC, **changed), records=tmp_path, resume=bool(changed))
    assert {file: file.read_bytes() for file in tmp_path.iterdir()} == before


def test_two_matches_at_once_do_not_write_into_one_folder(tmp_path: Path) -> None:
    with (
        saving.Save(SPEC, tmp_path),
        pytest.raises(MatchError, match="another match is being written into"),
    ):
        run_match(replace(SPEC, seed=9), records=tmp_path)


def test_records_that_are_nobodys_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "00001-1.rec").write_text("mine")
    for resume in (False, True):
        with pytest.raises(MatchError, match="choose another with --records"):
            run_match(SPEC, records=tmp_path, resume=resume)
    assert (tmp_path / "00001-1.rec").read_text() == "mine"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full")
def test_a_record_that_cannot_be_written_ends_the_match_and_later_it_goes_on(tmp_path: Path) -> None:
    (tmp_path / "00003-2.rec").symlink_to("/dev/full")
    file = tmp_path / "00003-2.rec"
    file.rename(tmp_path / "later")
    interrupted(SPEC, 1, records=tmp_path)
    (tmp_path / "later").rename(file)
    with pytest.raises(MatchError, match=r"00003-2\.rec can't be written \(No space left .*--resume goes on"):
        run_match(SPEC, records=tmp_path, resume=True)
    file.unlink()
    assert numbers(run_match(SPEC, records=tmp_path, resume=True)) == numbers(run_match(SPEC))


def test_ctrl_c_in_the_middle_of_counting_waits_until_the_block_is_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half a block would make all that follows wrong."""
    add, heard = Result.add, []

    def slowly(result: Result, games: Any) -> None:
        if result.blocks == 2:
            signal.raise_signal(signal.SIGINT)
        add(result, games)
        heard.append(result.games)

    monkeypatch.setattr(Result, "add", slowly)
    with pytest.raises(Interrupted) as stopped:
        run_match(SPEC)
    assert heard[-1] == stopped.value.result.games == 9
