"""Matches: duplicate deals, the same numbers however they are played, and what they prove."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lanplay.arena import MatchError, MatchSpec, Result, run_match
from lanplay.arena.crew import play_blocks
from lanplay.arena.game import Played, secret
from lanplay.arena.lan import play as play_over_lan
from lanplay.arena.report import as_csv, command, text
from lanplay.arena.spec import unique
from lanplay.bot.lan import Sitter
from lanplay.bot.load import house_bots
from lanplay.net.errors import HostGone
from lanplay.record.replay import Replay
from lanplay.record.text import read
from lanplay.room.people import People, Person


def numbers(spec: MatchSpec) -> dict[str, Any]:
    return {key: value for key, value in run_match(spec).object().items() if key != "health"}


def first(spec: MatchSpec) -> list[Played]:
    """The first deal in all rotations."""
    return next(play_blocks(spec, range(1)))


@pytest.mark.parametrize("jobs", [2, 3])
def test_jobs_do_not_change_the_numbers(jobs: int) -> None:
    spec = MatchSpec("cambio", ("memory", "random", "random"), 24, seed=5)
    assert numbers(replace(spec, jobs=jobs)) == numbers(spec)


def test_a_bot_that_is_slow_to_load_is_loaded_once_in_a_process(tmp_path: Path) -> None:
    """However many chunks it plays there."""
    bot, loads = tmp_path / "heavy.py", tmp_path / "loads"
    source = f"import os\nwith open({str(loads)!r}, 'a') as file:\n    file.write(f'{{os.getpid()}} ')\n"
    bot.write_text(house_bots()["random"].read_text(encoding="utf-8") + source, encoding="utf-8")
    spec = MatchSpec("cambio", (str(bot), "random"), 200, jobs=2)
    loads.unlink()
    run_match(spec)
    there = Counter(loads.read_text().split())
    assert there.pop(str(os.getpid())) < 4
    assert set(there.values()) == {1}


def test_bots_whose_names_look_the_same_are_told_apart_as_in_a_room() -> None:
    people = People(2)
    people.add(Person(b"a", "Ann", "bot", 0))
    assert (
        unique("\uff21\uff4e\uff4e", ["Ann"]) == people.unique("\uff21\uff4e\uff4e") != "\uff21\uff4e\uff4e"
    )


def test_another_seed_gives_other_games() -> None:
    one, other = (first(MatchSpec("cambio", ("memory", "random"), 2, seed=seed)) for seed in (1, 2))
    assert one[0].record != other[0].record


@pytest.mark.parametrize("game", ["cambio", "cambio52", "cambio-rummy", "not-at-home"])
@pytest.mark.parametrize("seats", [3, 6])
def test_the_same_bot_everywhere_gets_exactly_its_share(game: str, seats: int) -> None:
    bots = ("random",) * seats
    result = run_match(MatchSpec(game, bots, 6, options={"max_turns": 60}))
    (only,) = result.ranking()
    assert sum(result.seat_shares()) == pytest.approx(1, abs=1e-12)
    assert only.share == pytest.approx(1 / len(bots), abs=1e-12)
    assert only.interval == pytest.approx(0, abs=1e-12)


@pytest.mark.parametrize(
    ("game", "bot", "seats", "deals", "options"),
    [
        ("cambio", "memory", 3, 10, {}),
        ("cambio52", "memory", 4, 5, {}),
        ("cambio-rummy", "melder", 2, 3, {"target": 60}),
        ("cambio-rummy", "random", 4, 2, {"max_rounds": 3}),
        ("not-at-home", "sleuth", 3, 4, {}),
    ],
)
def test_equal_bots_of_different_names_get_exactly_their_shares(
    game: str, bot: str, seats: int, deals: int, options: dict[str, int | str], tmp_path: Path
) -> None:
    """What happens to a bot in a deal happens to its equal in another rotation of it: so no seat and no place counts."""
    source = house_bots()[bot].read_text(encoding="utf-8")
    bots = [tmp_path / f"equal{number}.py" for number in range(seats)]
    for file in bots:
        file.write_text(source, encoding="utf-8")
    result = run_match(MatchSpec(game, tuple(map(str, bots)), deals * seats, options=options))
    ranking = result.ranking()
    assert [standing.share for standing in ranking] == pytest.approx([1 / seats] * seats, abs=1e-12)
    assert len({round(standing.points, 9) for standing in ranking}) == 1
    assert [standing.elo for standing in ranking] == pytest.approx([0] * seats, abs=1e-6)
    assert all(share == pytest.approx((1 / seats,) * seats) for share in result.tally.shares)
    assert "nan" not in text(result)
    assert "-0 " not in text(result)


def test_games_are_rounded_up_to_whole_blocks_and_every_bot_sits_everywhere() -> None:
    result = run_match(MatchSpec("cambio", ("memory", "random", "random"), 4))
    assert result.games == 6
    assert sorted(game.bots for game in first(MatchSpec("cambio", ("random",) * 3, 1))) == [
        (0, 1, 2),
        (1, 2, 0),
        (2, 0, 1),
    ]


def both(spec: MatchSpec, rotation: int = 1) -> tuple[Played, Played]:
    """The same game in this process and over the LAN; the record of the second without its times."""
    seats = len(spec.bots)
    order = [(seat + rotation) % seats for seat in range(seats)]
    there = play_over_lan(spec.pairing(), order, secret(spec.seed, "deal", 0))
    record = re.sub(r" @[0-9.]+$", "", there.record, flags=re.MULTILINE)
    return first(spec)[rotation], replace(there, record=record)


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
@pytest.mark.parametrize("seats", [2, 4, 8])
def test_over_the_lan_the_same_seed_gives_the_same_record(game: str, seats: int) -> None:
    bots = (("memory", "random") * 4)[:seats]
    here, there = both(MatchSpec(game, bots, 1, seed=seats, options={"rounds": 2, "max_turns": 60}))
    assert there.record == here.record
    assert there.winners == here.winners
    for _ in (replay := Replay(read(there.record))).play():
        pass
    assert replay.game.over


WILD = """
from lanplay.bot import Bot

class Wild(Bot):
    def setup(self, info):
        self.heard = []
    def hear(self, fact):
        self.heard.append((fact, self.rng.random()))
    def act(self, view):
        if self.rng.random() < 0.25:
            raise RuntimeError(f"{len(self.heard)} facts")
        return self.rng.choice([move for move in view.moves if move != "cambio"] + ["nonsense"])
    def react(self, view):
        deal = view.sample(self.rng)
        return self.rng.choice(view.moves) if self.rng.random() < 0.1 and view.top in deal["pile"] else None
"""


@pytest.mark.parametrize("game", ["cambio", "cambio52"])
def test_whatever_a_bot_does_it_does_the_same_over_the_lan(game: str, tmp_path: Path) -> None:
    """Dice, facts, samples, claims that collide, crashes, answers that are no moves, and the bench."""
    (tmp_path / "wild.py").write_text(WILD)
    here, there = both(
        MatchSpec(game, (str(tmp_path / "wild.py"),) * 4, 1, options={"rounds": 3, "max_turns": 80})
    )
    assert there.record == here.record
    assert [health.whys for health in there.health] == [health.whys for health in here.health]
    assert sum(health.benched for health in here.health) > 1


def test_a_match_over_the_lan_has_the_same_numbers() -> None:
    spec = MatchSpec("cambio", ("memory", "random"), 4)
    assert numbers(replace(spec, over_lan=True, jobs=2)) == numbers(spec)


def test_a_bot_that_is_lost_ends_a_match_over_the_lan(monkeypatch: pytest.MonkeyPatch) -> None:
    def lost(sitter: Sitter) -> None:
        if sitter.follower.step and sitter.follower.step > 3:
            raise HostGone("lost")
        answer(sitter)

    answer = Sitter.answer
    monkeypatch.setattr(Sitter, "answer", lost)
    spec = MatchSpec("cambio", ("memory", "memory"), 1)
    with pytest.raises(HostGone):
        play_over_lan(spec.pairing(), [0, 1], b"deal")


def test_a_process_that_dies_is_told(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(
        "import os\nfrom lanplay.bot import Bot\nclass Dies(Bot):\n    def act(self, view): os._exit(1)\n"
    )
    with pytest.raises(MatchError, match="ended its whole process"):
        run_match(MatchSpec("cambio", (str(tmp_path / "dies.py"), "random"), 8, jobs=2))


SLOW = "import time\nfrom lanplay.bot import Bot\nclass Slow(Bot):\n    def act(self, view): time.sleep(60)\n"


def test_a_match_that_is_broken_off_leaves_no_process(tmp_path: Path) -> None:
    """Ctrl-C in the middle of a think of a minute."""
    (tmp_path / "slow.py").write_text(
        SLOW.replace("time.sleep(60)", "print('thinks', flush=True) or time.sleep(60)")
    )
    words = ["match", "cambio", str(tmp_path / "slow.py"), "random", "--games", "8", "--jobs", "2"]
    with subprocess.Popen(
        [sys.executable, "-m", "lanplay", *words], stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr
        assert process.stderr.readline().startswith("thinks")  # both may say so at once
        process.send_signal(signal.SIGINT)  # to the command alone, not to its children
        assert process.wait(timeout=10) == 130
        assert "Traceback" not in process.stderr.read()  # which ends when nobody holds it open any more


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


def test_what_plays_a_match_again_has_all_that_was_set() -> None:
    spec = MatchSpec(
        "cambio", ("memory", "random"), 2, seed=-3, options={"joker": -1, "queen_power": "blind-switch"}
    )
    words = command(Result(spec))
    assert words == (
        "lanplay match cambio memory random --games 2 --seed -3 --set joker=-1 --set queen_power=blind-switch"
    )


def test_names_at_the_table_are_those_that_a_room_gives() -> None:
    bots = ("memory", "random", "memory", "memory")
    assert list(MatchSpec("cambio", bots).names()) == ["memory", "random", "memory 2", "memory 3"]


def test_progress_counts_games() -> None:
    heard: list[int] = []
    run_match(MatchSpec("cambio", ("random", "random"), 5), lambda result: heard.append(result.games))
    assert heard == [0, 2, 4, 6]


@pytest.mark.parametrize(
    ("game", "seats", "options", "capped"),
    [
        ("cambio", 2, {"max_turns": 2}, True),
        ("cambio", 2, {}, False),
        ("cambio-rummy", 2, {"max_turns": 2, "max_rounds": 3}, True),
        (
            "cambio-rummy",
            2,
            {"max_turns": 2, "target": 1},
            True,
        ),  # goes on until max_rounds, which nobody set
        ("cambio-rummy", 2, {"max_rounds": 1, "target": 100000}, True),
        ("cambio-rummy", 2, {"target": 1}, False),
        ("cambio-rummy", 2, {"target": 1, "max_rounds": 50}, False),
        ("not-at-home", 3, {"max_turns": 2}, True),
        ("not-at-home", 3, {}, False),
        ("not-at-home", 3, {"max_turns": 0}, False),
    ],
)
def test_games_that_a_limit_ends_are_counted_as_capped(
    game: str, seats: int, options: dict[str, int | str], capped: bool
) -> None:
    result = run_match(MatchSpec(game, ("random",) * seats, seats, options=options))
    assert result.tally.capped == (result.games if capped else 0)


def test_the_json_is_stable() -> None:
    found = run_match(MatchSpec("cambio", ("memory", "random"), 4)).object()
    assert list(found) == [
        "version", "game", "bots", "seed", "options", "complete", "games", "blocks", "ranking",
        "sprt", "saved", "actions", "ties", "capped", "seat_shares", "health",
    ]  # fmt: skip
    assert list(found["ranking"][0]) == [
        "bot", "seats", "share", "interval", "points", "elo", "elo_low", "elo_high", "better"
    ]  # fmt: skip
    assert list(found["health"]["memory"]) == ["answers", "p50_ms", "p99_ms", "slow", "faults", "why"]
    json.dumps(found)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"game": "cambi"}, "did you mean cambio"),
        ({"bots": ("memory",)}, "for 2 to 8 players"),
        ({"bots": ("memory", "nobody")}, "there is no bot"),
        ({"game": "cambio-rummy"}, "memory doesn't play cambio-rummy, only cambio and cambio52"),
        ({"options": {"joker": 100}}, "the option joker can't be"),
        ({"games": 0}, "at least one game"),
    ],
)
def test_a_match_that_cannot_be_played_says_why(fields: dict[str, Any], why: str) -> None:
    wanted = {"game": "cambio", "bots": ("memory", "random"), **fields}
    with pytest.raises((ValueError, LookupError), match=why):
        MatchSpec(**wanted)
