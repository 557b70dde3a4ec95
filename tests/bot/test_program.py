"""Bots that are programs: whatever they do, each verdict is told apart, nothing hangs, and nothing is left behind."""

from __future__ import annotations

import json
import os
import queue
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lanplay.arena import MatchSpec
from lanplay.arena.game import Played, play
from lanplay.bot import clock
from lanplay.bot.clock import Clock, Fault, Limits, limits
from lanplay.bot.load import BotError, load
from lanplay.bot.process import Process, running
from lanplay.bot.programs import called
from tests.bots.programs import HERE, word
from tests.games.play import EVERY_GAME

pytestmark = pytest.mark.skipif(os.name == "nt", reason="POSIX processes")

PATIENT = Limits(1000, 1000, 1000)  # longer than a test may take: what is noticed is not noticed by the clock
HASTY = Limits(0, 0.1, 0)  # for those that never answer
FINE = "random"


def played(*bots: str, game: str = "cambio", limits: Limits = PATIENT) -> Played:
    options = {"max_turns": 60} if game != "not-at-home" else {}
    spec = MatchSpec(game, bots, 1, options={**options}, limits=limits)
    return play(spec.pairing(), range(len(bots)), b"a deal")


@pytest.fixture(autouse=True)
def nothing_is_left() -> Iterator[None]:
    yield
    assert not running


@pytest.fixture
def pids(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where programs write the processes they have started."""
    monkeypatch.setenv("PIDS", str(tmp_path / "pids"))
    return tmp_path / "pids"


def gone(pids: Path) -> bool:
    """Whether all these processes end, soon."""
    until = time.monotonic() + 20
    left = {int(pid) for pid in pids.read_text().split()}
    assert left
    while left and time.monotonic() < until:
        left = {pid for pid in left if alive(pid)}
        time.sleep(0.02)
    return not left


def alive(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# ---- bots that play -----------------------------------------------------------------------------------


@pytest.mark.parametrize("game", EVERY_GAME)
def test_four_lines_of_shell_play_every_game(game: str) -> None:
    game_ = played(word("four.sh"), *[FINE] * (2 if game == "not-at-home" else 1), game=game)
    assert game_.health[0].whys == {}
    assert game_.health[0].times
    assert game_.winners


@pytest.mark.parametrize("program", ["loud.py", "chatty.py"])
def test_what_is_no_answer_is_log(program: str, capfd: pytest.CaptureFixture[str]) -> None:
    """All of standard error is read, a little of it shown, and nothing of either output is taken for an answer."""
    game = played(FINE, word(program))
    assert game.health[1].whys == {}
    told = capfd.readouterr()
    assert told.out == ""
    assert 0 < len(told.err) < 1_000_000
    assert "\x1b" not in told.err
    assert told.err.startswith(("chatty: I think…", "loud: xxx"))


def test_it_is_told_what_it_may_know_and_nothing_else(tmp_path: Path) -> None:
    file = tmp_path / "told"
    game = played(word("keeps.py", str(file)), FINE)
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    assert list(lines[0])[:2] == ["hello", "version"]
    assert "end" in lines[-1]
    assert lines[-1]["end"]["totals"] == dict(zip("AB", game.points, strict=True))
    questions = lines[1:-1]
    assert [asked["id"] for asked in questions] == list(range(1, len(questions) + 1))
    assert all(list(asked)[:3] == ["id", "ask", "moves"] and asked["moves"] for asked in questions)
    acted = [fact for line in lines[1:] for fact in line["facts"] if fact["kind"] == "acted"]
    assert len(acted) == game.actions  # each is told, once, and before what follows from it is asked
    first = questions[0]
    assert set(first["known"]) == set()
    assert first["hands"]["A"] == dict.fromkeys(["A1", "A2", "A3", "A4"], "??")
    assert sum(first["unseen"].values()) == 54 - len(first["zones"]["pile"])
    for asked in questions:
        known = len(asked["known"])
        assert sum(asked["unseen"].values()) + known + len(asked["zones"]["pile"]) <= 54


# ---- bots that do not ---------------------------------------------------------------------------------

BAD = [
    (word("endless.py"), {"nonsense": 5}, "wrote more than 250,000 letters", PATIENT),
    (word("lines.sh"), {"nonsense": 5}, "wrote more than 250,000 letters", PATIENT),
    (word("deaf.sh"), {"late": 5}, "gave no answer within 0.1 s", HASTY),
    (word("shut.sh"), {"silent": 1}, "closed its standard output", PATIENT),
    (word("exits.sh"), {"crashed": 1}, "(exit code 3): no such file: weights", PATIENT),
    (word("says.py", '{"move": "dance"}'), {"illegal": 5}, "answered 'dance' to peek 1 2", PATIENT),
    (word("says.py", '{"move": null}'), {"silent": 5}, "answered nothing to peek 1 2", PATIENT),
    (word("says.py", '{"move": 7}'), {"nonsense": 5}, "in place of a move", PATIENT),
    (word("says.py", "{}"), {"nonsense": 5}, "in place of a move", PATIENT),
    (word("says.py", '{"error": "no idea"}'), {"crashed": 5}, "crashed: no idea", PATIENT),
    ("exec:sh -c 'kill -SEGV $$'", {"crashed": 1}, "(SIGSEGV)", PATIENT),
]


@pytest.mark.parametrize(("bot", "faults", "why", "limits"), BAD, ids=[bad[0][-30:] for bad in BAD])
def test_each_verdict_is_told_apart_and_the_others_play_on(
    bot: str, faults: dict[str, int], why: str, limits: Limits
) -> None:
    game = played(bot, FINE, FINE, limits=limits)
    assert game.health[0].faults == faults
    assert why in next(iter(game.health[0].whys.values()))
    assert not game.health[1].faults
    assert game.record == played(word("says.py", '{"move": "dance"}'), FINE, FINE).record.replace(
        "says", called(bot)
    )  # all play the default moves, and the dice of the others are not touched


def test_the_end_of_a_program_is_noticed_though_its_child_holds_the_pipe(pids: Path) -> None:
    game = played(word("orphans.sh"), FINE)
    assert game.health[0].faults == {"crashed": 1}
    assert gone(pids)


def test_the_end_of_a_program_is_told_at_once(pids: Path) -> None:
    """Though no question is open, and none will come."""
    told: queue.Queue[str] = queue.Queue()
    process = Process(["sh", "-c", "exit 3"], told.put)
    assert told.get(timeout=20) == "its program has ended (exit code 3)"
    process.close()
    quiet: queue.Queue[str] = queue.Queue()
    Process(["cat"], quiet.put).close()
    assert quiet.empty()


def test_a_late_answer_is_not_taken_for_the_next() -> None:
    process = Process([sys.executable, str(HERE / "behind.py")], lambda line: None)
    try:
        with pytest.raises(Fault, match="no answer within") as late:
            process.ask({"id": 1, "ask": "act", "moves": ["pass"]}, 0.05)
        assert late.value.kind == "late"
        assert process.ask({"id": 2, "ask": "act", "moves": ["draw"]}, 50) == {"id": 2, "move": "draw"}
    finally:
        process.close(grace=0)


def test_a_full_pipe_blocks_nobody() -> None:
    process = Process(["sleep", "1000"], lambda line: None)
    try:
        for number in range(3):
            with pytest.raises(Fault, match="no answer within"):
                process.ask({"id": number, "much": "x" * 1_000_000}, 0.05)
    finally:
        process.close(grace=0)


def test_a_bot_leaves_no_process_when_the_game_is_over(pids: Path) -> None:
    game = played(word("parent.sh"), FINE)
    assert game.health[0].whys == {}
    assert gone(pids)


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("jobs", ["1", "2"])
def test_a_bot_leaves_no_process_however_its_match_ends(pids: Path, how: signal.Signals, jobs: str) -> None:
    words = ["match", "cambio", word("parent.sh"), word("deaf.sh"), "--games", "4", "--jobs", jobs]
    with subprocess.Popen([sys.executable, "-m", "lanplay", *words], stderr=subprocess.DEVNULL) as match:
        until = time.monotonic() + 30
        while not (pids.is_file() and len(pids.read_text().split()) >= 2) and time.monotonic() < until:
            time.sleep(0.02)
        match.send_signal(how)
        match.wait(timeout=20)
    assert gone(pids)


# ---- the same class in a process of its own -----------------------------------------------------------

WILD = """
from lanplay.bot import Bot
class Wild(Bot):
    def setup(self, info):
        self.heard = []
    def hear(self, fact):
        self.heard.append((fact, self.rng.random()))
    def act(self, view):
        print("thinking")
        if self.rng.random() < 0.02:
            raise RuntimeError(f"{len(self.heard)} facts, {len(view.facts)} since the last question")
        fine = [move for move in view.moves if move != "cambio"]
        return self.rng.choice(fine) if self.rng.random() < 0.98 else f"{len(view.facts)} facts"
    def react(self, view):
        deal = view.sample(self.rng)
        return self.rng.choice(view.moves) if self.rng.random() < 0.1 and view.top in deal["pile"] else None
    def end(self, result):
        print("Heard:", len(self.heard), "facts", result)
"""


@pytest.mark.parametrize("game", ["cambio", "cambio-rummy", "not-at-home"])
def test_a_class_does_the_same_in_a_process_of_its_own(
    game: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "wild.py").write_text(WILD)
    wild = str(tmp_path / "wild.py")
    here, said = played(wild, FINE, wild, game=game), capfd.readouterr()
    apart, heard = played(f"apart:{wild}", FINE, f"apart:{wild}", game=game), capfd.readouterr()
    assert apart.record == here.record
    assert [health.whys for health in apart.health] == [health.whys for health in here.health]
    ends, heard_ends = (
        {line[line.index("Heard") :] for line in told.err.splitlines() if "facts {" in line}
        for told in (said, heard)
    )
    assert heard_ends
    assert heard_ends <= ends  # a benched one hears the end only here: apart it has ended itself


def test_house_bots_play_the_same_apart() -> None:
    assert played("apart:memory", "memory").record == played("memory", "memory").record


def test_a_class_that_takes_its_process_down_takes_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "dies.py").write_text(
        "import os\nfrom lanplay.bot import Bot\nclass Dies(Bot):\n    def act(self, view): os._exit(9)\n"
    )
    game = played(f"apart:{tmp_path / 'dies.py'}", FINE)
    assert game.health[0].faults == {"crashed": 1}
    assert "exit code 9" in game.health[0].whys["crashed"]
    game = played("apart:melder", FINE)
    assert "the bot melder doesn't play cambio" in game.health[0].whys["crashed"]


# ---- names and times ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("exec:", "say which program"),
        ("exec:no-such-program --x", "the program no-such-program is not there"),
        (f"exec:{HERE / '__init__.py'}", "is not executable: chmod"),
        ("exec:'half", "can't be read"),
        ("apart:nobody", "there is no bot 'nobody'"),
        ("apart:missing.py", "there is no bot"),
        ("apart:exec:true", "there is no bot"),
    ],
)
def test_a_program_that_is_not_there_is_told(name: str, why: str) -> None:
    with pytest.raises(BotError, match=why):
        load(name)


def test_it_is_called_after_its_own_file() -> None:
    assert called(word("four.sh")) == "four"
    assert called(f"exec:sh -e {shlex.quote(str(HERE / 'four.sh'))} --deep") == "four"
    assert called("apart:memory") == "memory"
    assert called("apart:a/mine.py:Two") == "mine"
    assert called("exec:sleep 3") == "sleep"


@pytest.mark.parametrize(
    "text", ["", "1", "1/2", "1/2/3/4", "1/0/1", "-1/1/1", "a/b/c", "1/nan/1", "1/1/inf"]
)
def test_times_that_cannot_be_meant_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="START/MOVE/BANK"):
        limits(text)
    assert limits("10/5/60") == Limits(10, 5, 60)
    assert str(limits("10/0.5/60")) == "10/0.5/60"


def test_the_bank_pays_for_what_is_beyond_a_move(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr("lanplay.bot.clock.time", Now(now))
    clock = Clock(Limits(10, 5, 60))
    for takes, within in [(14, 75), (4, 65), (15, 65), (80, 55), (3, 5)]:
        assert clock.begin() == within
        now[0] += takes
        clock.end()
    assert clock.bank == 0


class Now:
    def __init__(self, now: list[Any]) -> None:
        self.now = now

    def monotonic(self) -> float:
        return float(self.now[0])


# ---- the contract -------------------------------------------------------------------------------------

CONTRACT = (Path(clock.__file__).parent / "STDIO.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("language", ["sh", "python"])
def test_the_examples_of_the_contract_play(language: str, tmp_path: Path) -> None:
    (block,) = re.findall(rf"```{language}\n(.*?)```", CONTRACT, re.DOTALL)
    (tmp_path / "bot").write_text(block)
    starts = sys.executable if language == "python" else "sh"
    for game in ("cambio", "not-at-home"):
        done = played(f"exec:{starts} {tmp_path / 'bot'}", FINE, FINE, game=game)
        assert done.health[0].whys == {}
        assert done.record == played(word("four.sh"), FINE, FINE, game=game).record.replace("four", "bot")
    assert (HERE / "four.sh").read_text() == block or language == "python"


def test_the_contract_lists_every_field(tmp_path: Path) -> None:
    played(word("keeps.py", str(tmp_path / "told")), FINE)
    hello, *questions, end = map(json.loads, (tmp_path / "told").read_text().splitlines())
    for title, line in [("Hello", hello), ("Questions", questions[-1])]:
        section = CONTRACT.partition(f"### {title}\n")[2].partition("\n#")[0]
        rows = re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        assert sorted(re.findall(r"`(\w+)`", " ".join(rows))) == sorted(line)
    assert set(end) == {"end", "facts"}
    kinds = {fact["kind"] for question in questions for fact in question["facts"]}
    assert kinds <= set(re.findall(r"`(\w+)`", CONTRACT.partition("### Facts")[2].partition("###")[0]))
