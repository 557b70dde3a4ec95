"""Matches: duplicate deals, the same numbers however they are played, and what they prove."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from lanplay.arena import MatchSpec, run_match
from lanplay.arena.game import Played, secret
from lanplay.arena.lan import play as play_over_lan
from lanplay.arena.match import play_blocks
from lanplay.arena.report import as_csv, text
from lanplay.record.replay import Replay
from lanplay.record.text import read


def numbers(spec: MatchSpec) -> dict[str, Any]:
    return {key: value for key, value in run_match(spec).object().items() if key != "health"}


def first(spec: MatchSpec) -> list[Played]:
    """The first deal in all rotations."""
    return next(play_blocks(spec, range(1)))


def test_jobs_do_not_change_the_numbers() -> None:
    bots = ("memory", "random", "random")
    assert numbers(MatchSpec("cambio", bots, 24, seed=5)) == numbers(
        MatchSpec("cambio", bots, 24, seed=5, jobs=2)
    )


def test_another_seed_gives_other_games() -> None:
    one, other = (first(MatchSpec("cambio", ("memory", "random"), 2, seed=seed)) for seed in (1, 2))
    assert one[0].record != other[0].record


@pytest.mark.parametrize("bots", [("memory",) * 2, ("random",) * 3])
def test_the_same_bot_everywhere_gets_exactly_its_share(bots: tuple[str, ...]) -> None:
    (only,) = run_match(MatchSpec("cambio", bots, 12)).ranking()
    assert only.share == pytest.approx(1 / len(bots), abs=1e-12)
    assert only.interval == pytest.approx(0, abs=1e-12)


def test_games_are_rounded_up_to_whole_blocks_and_every_bot_sits_everywhere() -> None:
    result = run_match(MatchSpec("cambio", ("memory", "random", "random"), 4))
    assert result.games == 6
    assert sorted(game.bots for game in first(MatchSpec("cambio", ("random",) * 3, 1))) == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
    ]


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
@pytest.mark.parametrize("seats", [2, 4, 8])
def test_over_the_lan_the_same_seed_gives_the_same_record(game: str, seats: int) -> None:
    spec = MatchSpec(
        game, (("memory", "random") * 4)[:seats], 1, seed=seats, options={"rounds": 2, "max_turns": 60}
    )
    order = [(seat + 1) % seats for seat in range(seats)]
    here, there = first(spec)[1], play_over_lan(spec.pairing(), order, secret(seats, "deal", 0))
    assert re.sub(r" @[0-9.]+$", "", there.record, flags=re.MULTILINE) == here.record
    assert there.winners == here.winners
    for _ in (replay := Replay(read(there.record))).play():
        pass
    assert replay.game.over


def test_records_are_written_and_replay(tmp_path: Path) -> None:
    run_match(MatchSpec("cambio", ("memory", "random"), 4), records=tmp_path)
    files = sorted(tmp_path.glob("*.rec"))
    assert len(files) == 4
    for file in files:
        list(Replay(read(file.read_text(encoding="utf-8"))).play())


def test_the_report_says_who_is_better_and_how_to_play_it_again() -> None:
    result = run_match(MatchSpec("cambio", ("random", "memory"), 40, seed=9))
    report = text(result)
    assert "memory is better than random" in report
    assert "lanplay match cambio random memory --games 40 --seed 9" in report
    assert "nan" not in report.lower()
    assert as_csv(result).splitlines()[0].startswith("bot,seats,share,interval,points,elo")


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "cambi"}, "did you mean cambio"),
        ({"bots": ("memory",)}, "for 2 to 8 players"),
        ({"bots": ("memory", "nobody")}, "there is no bot"),
        ({"options": {"joker": 100}}, "joker cannot be"),
    ],
)
def test_a_match_that_cannot_be_played_says_why(fields: dict[str, Any], why: str) -> None:
    wanted = {"game": "cambio", "bots": ("memory", "random"), **fields}
    with pytest.raises((ValueError, LookupError), match=why):
        MatchSpec(**wanted)
