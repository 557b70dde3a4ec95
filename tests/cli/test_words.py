"""What is typed after `lanplay`: help, wrong words, and the commands that open no table."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lanplay import __version__
from lanplay.cli import COMMANDS, cli
from lanplay.cli.games import lines, spaced
from lanplay.engine.game import Rules
from lanplay.games import registry
from lanplay.net.errors import Refused
from lanplay.speech.spell import printed
from tests.cli.run import lanplay
from tests.room.honest import short

RECORD = Path(__file__).parent.parent / "rules" / "cambio" / "C1.1-lowest-total-wins.rec"
HEAD = "lanplay-record 1\ngame cambio\nseat A Ann\nseat B Bob\n"


def run(*words: str, stdin: str | None = None) -> Result:
    return CliRunner().invoke(cli, words, input=stdin)


def one_line(result: Result, code: int) -> str:
    """The error, which is one line that does not look like a crash."""
    assert result.exit_code == code, result.output
    assert result.stderr.count("\n") == 1
    assert result.stderr.startswith("lanplay: ")
    return result.stderr.removeprefix("lanplay: ").strip()


# ---- version, help, completion ------------------------------------------------------------------------


def test_version() -> None:
    assert run("--version").output == f"lanplay {__version__}\n"


def test_the_command_line_loads_nothing_heavy() -> None:
    code = "import sys, lanplay.cli; print(*sys.modules)"
    loaded = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=30
    )
    heavy = {
        "zmq",
        "msgspec",
        "msgpack",
        "cryptography",
        "spake2",
        "asyncio",
        "lanplay.games",
        "lanplay.engine",
    }
    assert not heavy & set(loaded.stdout.split())


def test_alone_it_shows_how_to_begin() -> None:
    alone = run()
    assert alone.exit_code == 0
    assert alone.output == run("--help").output == run("-h").output
    assert all(name in alone.output for name in COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_begins_with_examples(command: str) -> None:
    shown = run(command, "--help")
    assert shown.exit_code == 0
    assert shown.output.startswith(f"Examples:\n  lanplay {command}")
    assert "Usage: " in shown.output
    assert "--quiet" in shown.output


def test_the_shell_completes_games_options_and_bots() -> None:
    def complete(words: str) -> str:
        return lanplay(
            _LANPLAY_COMPLETE="bash_complete", COMP_WORDS=words, COMP_CWORD=str(words.count(" "))
        ).out

    assert "plain,cambio52" in complete("lanplay rules ca")
    assert "plain,host" in complete("lanplay h")
    assert "plain,snap_others=" in complete("lanplay host cambio --set snap_o")
    assert "tie=shared" in complete("lanplay host cambio --set tie=s")
    assert "plain,memory" in complete("lanplay bot me")


# ---- wrong words --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["hots"], "There is no command 'hots'. Did you mean host?"),
        (["xyzzy"], "There is no command 'xyzzy'. See lanplay --help."),
        (["rules", "cambioo"], "There is no game 'cambioo': did you mean cambio?"),
        (["rules", "chess"], "There is no game 'chess': the games are"),
        (["rules"], "Missing argument 'GAME'"),
        (["games", "--jsno"], "--json"),
        (["--verison"], "--version"),
        (["host", "cambio", "--set", "jokr=1"], "There is no option 'jokr': did you mean joker?"),
        (
            ["host", "cambio", "--set", "jokers=9"],
            "The option jokers can't be '9': it can be 0 to 2 (default 2)",
        ),
        (["host", "cambio", "--set", "jokers"], "'jokers' sets nothing: write OPTION=VALUE"),
        (["host", "cambio", "--seats", "9"], "Cambio is for 2 to 8 players, not for 9."),
        (["host", "cambio", "--bot", "memroy"], "There is no bot 'memroy': did you mean memory?"),
        (
            ["host", "cambio", "--seats", "2", "--bot", "random", "--bot", "random", "--bot", "random"],
            "There are 2 seats, not enough for 3 bots.",
        ),
        (
            ["play", "cambio", "--seats", "2", "--bot", "random", "--bot", "random"],
            "There are 2 seats, not enough for 2 bots and you.",
        ),
        (
            ["host", "cambio", "--bind", "192.0.2.200"],
            "The address 192.0.2.200:0 can't be used for the game (",
        ),
        (["host", "cambio", "--away", "sleep"], "'wait', 'skip'"),
        (["match", "cambio", "random"], "Cambio is for 2 to 8 players, not for 1 bot."),
        (["match", "cambio", "random", "--jobs", "x"], "'--jobs': it is a whole number from 1 on, not 'x'."),
        (["host", "cambio", "--port", "99999"], "it is a whole number from 0 to 65535, not '99999'."),
        (["match", "cambio", "random", "nobody.py"], "There is no file nobody.py."),
        (["replay", "nowhere.rec"], "nowhere.rec can't be read: No such file or directory."),
        (["replay", str(RECORD), "--as", "X"], "There is no seat 'X'"),
        (["replay", str(RECORD), "--as", "D"], "Nobody sits at D in this record."),
        (["join", "a:b:c:99999999"], ""),
    ],
    ids=lambda value: " ".join(value)[:40] if isinstance(value, list) else "",
)
def test_a_wrong_word_is_answered_in_a_line(words: list[str], why: str) -> None:
    result = run(*words)
    said = one_line(result, 3 if words[0] == "join" else 2)
    assert why in said


@pytest.mark.parametrize(
    ("where", "why"),
    [
        (None, "No table was found on this machine or the LAN."),
        ("127.0.0.1:9", "No table answers at 127.0.0.1:9"),
        ("[::1", "is no address"),
    ],
)
@pytest.mark.parametrize("command", [["join"], ["bot", "random"]])
def test_no_table(command: list[str], where: str | None, why: str) -> None:
    assert why in one_line(run(*command, *([where] if where else [])), 3)


def test_an_error_of_lanplay_itself_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken() -> None:
        raise RuntimeError("all is lost\nand more")

    monkeypatch.setattr("lanplay.cli.games.registry", broken)
    said = one_line(run("games"), 1)
    assert (
        said
        == "Something is wrong in lanplay itself (RuntimeError: all is lost and more). Add -v to see where."
    )
    assert isinstance(run("games", "-v").exception, RuntimeError)
    assert isinstance(run("-v", "games").exception, RuntimeError)


def test_a_sentence_of_a_host_cannot_steer_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(where: str | None) -> None:
        raise Refused("full", "Go\x1b[2J away\u202e.\nNow")

    monkeypatch.setattr("lanplay.cli.join.find", refused)
    assert one_line(run("join"), 4) == "Go[2J away. Now."


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = f"{sys.executable} -m lanplay rules cambio | head -n 1"
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.returncode == 0
    assert done.stderr == ""


@pytest.mark.skipif(os.name == "nt", reason="POSIX locales")
def test_a_terminal_that_knows_only_ascii_is_served() -> None:
    done = lanplay("rules", "cambio", PYTHONIOENCODING="ascii", LC_ALL="C")
    assert done.code == 0
    assert "C1.1" in done.out


# ---- games and rules ----------------------------------------------------------------------------------


def test_games_are_listed_with_their_options() -> None:
    shown = run("games").output
    assert "cambio: Cambio, 2 to 8 players" in shown
    assert "cambio52: Cambio, 52 cards, 2 to 8 players" in shown
    line = next(line for line in shown.splitlines() if line.startswith("  red_king "))
    assert line.split()[:5] == ["red_king", "25", "-99", "to", "99"]
    assert line.endswith("(C4.2)")


@pytest.mark.parametrize("rules", registry().values(), ids=lambda rules: str(rules.name))
def test_options_fit_a_narrow_terminal(rules: Rules) -> None:
    wide = lines(rules)
    narrow = printed(lines(rules, 80), 80)
    assert max(map(len, narrow.splitlines())) <= 80
    assert " ".join(narrow.split()) == " ".join(" ".join(wide).split())


def test_one_game_as_json() -> None:
    (game,) = json.loads(run("games", "cambio52", "--json").output)["games"]
    assert game["game"] == "cambio52"
    assert game["players"] == {"min": 2, "max": 8}
    options = {option["name"]: option for option in game["options"]}
    assert options["joker"] | {"description": ""} == {
        "name": "joker",
        "default": 0,
        "low": -99,
        "high": 99,
        "words": [],
        "description": "",
        "clause": "C4.2",
        "range": "-99 to 99",
    }
    assert options["tie"]["words"] == ["caller-loses", "shared"]


def test_rules_are_the_rule_book() -> None:
    text = (Path(__file__).parents[2] / "seeds" / "cambio.md").read_text(encoding="utf-8")
    assert run("rules", "cambio").output == text
    assert " ".join(printed(spaced(text), 80).split()) == " ".join(text.split())  # as on a terminal
    assert json.loads(run("rules", "cambio", "--json").output) == {
        "game": "cambio",
        "title": "Cambio",
        "text": text,
    }


# ---- records ------------------------------------------------------------------------------------------


def test_a_record_is_told() -> None:
    shown = run("replay", str(RECORD)).output.splitlines()
    assert shown[0] == "Round 1 begins."
    assert "Bob draws the 6 of clubs (6c) from the deck." in shown
    assert shown[-1] == "The game is over. Ann wins."


def test_a_record_is_told_as_a_seat_saw_it() -> None:
    shown = run("replay", str(RECORD), "--as", "a").output
    assert "Bob draws from the deck." in shown
    assert "You call Cambio." in shown
    assert shown.endswith("The game is over. You win.\n")


def test_positions_as_json() -> None:
    steps = [json.loads(line) for line in run("replay", str(RECORD), "--steps").output.splitlines()]
    assert [step["accepted"] for step in steps] == list(range(len(steps)))
    whole = json.loads(run("replay", str(RECORD), "--json").output)
    assert whole == steps[-1]
    assert whole["winners"] == ["A"]
    hidden = json.loads(run("replay", str(RECORD), "--steps", "--as", "B").output.splitlines()[0])
    assert set(hidden["state"]["hands"]["B"].values()) == {"??"}


def test_a_record_from_standard_input() -> None:
    assert (
        run("replay", "-", "--check", stdin=RECORD.read_text(encoding="utf-8")).output
        == "- checks: 6 actions.\n"
    )


@pytest.mark.parametrize(
    ("text", "code", "why"),
    [
        ("nonsense\n", 2, "does not begin with lanplay-record"),
        (HEAD + "A pass\n", 2, "no deck line"),
        (HEAD.replace("cambio", "cambio9") + "deck 2c\n", 2, "there is no game"),
        ("lanplay-record 1\nrules 99\n" + HEAD[17:] + "deck 2c\n", 2, "version"),
        (HEAD + "deck 2c\nA draw\n", 6, "line 6: A draw is refused"),
        (HEAD + "deck 2c\nA pass\n? A legal draw\n", 6, "line 7: legal for A"),
    ],
)
def test_a_record_that_does_not_check(tmp_path: Path, text: str, code: int, why: str) -> None:
    file = tmp_path / "game.rec"
    file.write_text(text, encoding="utf-8")
    for words in ([], ["--check"], ["--json"], ["--steps"], ["--as", "A"]):
        result = run("replay", str(file), *words)
        assert why in one_line(result, code)
    if code == 6:
        shown = json.loads(run("replay", str(file), "--json").stdout)
        assert (shown["refused"] is None) == ("legal" in why)


def test_a_record_that_is_no_text(tmp_path: Path) -> None:
    file = tmp_path / "game.rec"
    file.write_bytes(b"\xff\xfe\x00")
    assert "it is not UTF-8 text" in one_line(run("replay", str(file)), 2)


# ---- bots and matches ---------------------------------------------------------------------------------


def test_bots_are_listed() -> None:
    shown = run("bots").output
    assert "memory" in shown
    named = {bot["name"]: bot["does"] for bot in json.loads(run("bots", "--json").output)["bots"]}
    assert named["random"].startswith("Any move")


@pytest.mark.parametrize(
    "words", [["match", "cambio-rummy", "memory", "random"], ["play", "cambio-rummy", "--bot", "memory"]]
)
def test_a_bot_is_not_seated_at_a_game_that_it_does_not_play(words: list[str]) -> None:
    assert "The bot memory doesn't play cambio-rummy, only cambio and cambio52." in one_line(run(*words), 2)


def test_a_match_and_its_records(tmp_path: Path) -> None:
    words = ["match", "cambio", "random", "memory", "--games", "4", "--set", "rounds=1"]
    shown = run(*words, "--json", "--records", str(tmp_path))
    assert json.loads(shown.output)["games"] == 4
    records = sorted(tmp_path.glob("*.rec"))
    assert len(records) == 4
    assert run("replay", str(records[0]), "--check").exit_code == 0
    assert "4 games of cambio" in run(*words).output
    assert run(*words, "--csv").output.count("\n") == 3


# ---- verify -------------------------------------------------------------------------------------------


def test_a_record_is_proved(tmp_path: Path) -> None:
    file = tmp_path / "game.rec"
    file.write_text(short().play().record, encoding="utf-8")
    done = run("verify", str(file))
    assert done.exit_code == 0
    assert done.output.startswith(
        f"{file} is proved: all shuffles come from the secrets of seats A B and the host. "
    )
    assert run("verify", str(file), "-q").output == ""
    proof = json.loads(run("verify", "-", "--json", stdin=file.read_text(encoding="utf-8")).output)
    assert proof["proved"] is True
    assert proof.keys() == {"proved", "game", "table", "seats", "left_out", "accepted", "signer", "head"}


def test_a_record_that_is_not_proved_says_why() -> None:
    changed = short().play().record.replace(" @0.", " @9.", 1)
    assert one_line(run("verify", "-", stdin=changed), 6).startswith("- does not prove its deal: ")
    told = run("verify", "-", "--json", stdin=changed)
    assert json.loads(told.stdout)["proved"] is False
    without = one_line(run("verify", str(RECORD)), 6)
    assert "can't be proved: no proof is in it" in without
    assert "no record" in one_line(run("verify", "-", stdin="hm\n"), 2)
    assert "can't be read" in one_line(run("verify", "nowhere.rec"), 2)


# ---- names --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "command",
    [["host", "cambio"], ["play", "cambio"], ["join"], ["join", "--watch"], ["bot", "memory"]],
    ids=" ".join,
)
@pytest.mark.parametrize(
    ("name", "why"),
    [
        *[(name, "can be seen") for name in ("", "  ", "\t\x1b", "\u200b\u2066", "\u3164", "#")],
        ("x" * 41, "at most"),
    ],
    ids=ascii,
)
def test_a_name_that_shows_nothing_or_too_much_is_refused(command: list[str], name: str, why: str) -> None:
    assert why in one_line(run(*command, "--name", name), 2)


# ---- folders ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("what", ["run", "tables", "host", "signing.json"])
@pytest.mark.parametrize("command", ["host", "play"])
def test_a_folder_that_can_not_be_used_is_named_in_one_line(home: Path, command: str, what: str) -> None:
    home.mkdir()
    if what == "signing.json":
        (home / what).mkdir()
    else:
        (home / what).write_text("in the way")
    said = one_line(run(command, "cambio", "--port", "0"), 2)
    assert said.startswith(str(home / what))
    assert "LANPLAY_HOME" in said
    assert not list((home / "records").iterdir())
