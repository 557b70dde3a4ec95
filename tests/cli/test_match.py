"""`lanplay match`: what it prints, what it says to wrong words, and how it ends."""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from lanplay.bot.load import house_bots
from lanplay.cli import cli
from tests.cli.run import SECONDS, lanplay, running

posix = pytest.mark.skipif(os.name == "nt", reason="POSIX signals and terminals")


def match(*words: str) -> Result:
    return CliRunner().invoke(cli, ["match", *words])


def refused(result: Result, code: int = 2) -> str:
    """What it says, in one line."""
    assert result.exit_code == code, result.output
    assert result.stderr.count("\n") == 1
    return result.stderr


# ---- the report -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("games", ["1", "20"])
@pytest.mark.parametrize(
    "bots",
    [
        ("cambio", "memory", "random"),
        ("cambio52", "memory", "LONG", "LONG", "random", "random", "memory", "OTHER", "random"),
        ("cambio-rummy", "melder", "random", "--set", "target=60"),
        ("not-at-home", "sleuth", "random", "random", "--sprt", "0,400"),
        ("not-at-home", "random", "random", "random"),
    ],
    ids=lambda bots: bots[0] if isinstance(bots, tuple) else bots,
)
def test_it_fits_in_80_columns_and_is_no_nonsense(bots: tuple[str, ...], games: str, tmp_path: Path) -> None:
    """With names of any length, and a bot in several seats."""
    for name in ("LONG", "OTHER"):
        shutil.copy(house_bots()["random"], tmp_path / f"a-bot-with-a-name-as-long-as-that-{name}.py")
    words = [
        str(tmp_path / f"a-bot-with-a-name-as-long-as-that-{word}.py") if word in ("LONG", "OTHER") else word
        for word in bots
    ]
    shown = match(*words, "--games", games)
    assert shown.exit_code == 0
    assert shown.stderr == ""
    for line in shown.stdout.splitlines():
        assert len(line) <= 80 or str(tmp_path) in line, line
        assert line == line.rstrip()
    assert not re.search(r"nan|inf\b|[-−]0(\.0+)?\b(?!\.)", shown.stdout.replace("a-bot", "").lower())
    assert "\x1b" not in shown.stdout


def test_the_columns_stand_below_their_names(tmp_path: Path) -> None:
    shown = match("cambio", "memory", "random", "random", "--games", "30").stdout.splitlines()
    head = next(n for n, line in enumerate(shown) if "wins per seat" in line)
    ends = [found.end() for found in re.finditer(r"wins per seat|Elo|points|better", shown[head])]
    cells = r"[\d.]+% ± [\d.]+%|[+-]\d+ \([+-]\d+ to [+-]\d+\)|[\d.]+$|[\d.]+%$|[\d.]+(?=  |$)"
    row = [found.end() for found in re.finditer(cells, shown[head + 1])]
    assert row[:2] == ends[:2]
    assert row[-1] == ends[-1]


def test_what_it_says_plays_it_again(tmp_path: Path) -> None:
    """The commands of the report, pasted into a shell."""
    options = ["--seed", "7", "--set", "rounds=2", "--sprt", "0,300", "--sprt-alpha", "0.1"]
    first = match("cambio", "memory", "random", "random", *options).stdout
    block = first[first.index("Again, seed 7:\n") : first.index("To step")]
    command = "\n".join(block.splitlines()[1:])
    assert "--sprt 0,300 --sprt-alpha 0.1" in command.replace(" \\\n      ", " ")
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    again = subprocess.run(
        ["sh", "-c", f"{command.rstrip()} --records '{tmp_path}'"],
        capture_output=True,
        text=True,
        timeout=SECONDS,
        check=True,
        env={**os.environ, "PATH": path},
    ).stdout
    assert again.splitlines()[:5] == first.splitlines()[:5]
    file = re.search(r"lanplay replay (\S+\.rec)", again.replace(" \\\n      ", " "))
    assert file is not None
    assert CliRunner().invoke(cli, ["replay", file[1], "--check"]).exit_code == 0


def test_a_sequential_test_ends_the_match() -> None:
    shown = match("cambio", "memory", "random", "--sprt", "0,200")
    assert re.search(
        r"SPRT: memory is stronger than random by 200 Elo or more, rather than by 0 or less \(LLR [34]\.\d\d, "
        r"bounds -2\.94, 2\.94\) after \d+ blocks\.",
        " ".join(shown.stdout.split()),
    )
    assert "lean that way" in shown.stdout
    assert "memory is better than" not in shown.stdout
    found = json.loads(match("cambio", "random", "memory", "--sprt", "0,200", "--json").stdout)
    assert found["sprt"]["decision"] == "not stronger"
    assert found["sprt"]["llr"] <= found["sprt"]["lower"]
    assert found["complete"] is True
    assert found["games"] < 100


def test_a_page_is_written_whole(tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    page.write_text("before")
    done = match("cambio", "memory", "random", "--games", "4", "--report", str(page))
    assert done.exit_code == 0
    assert done.stderr == f"The page with charts is {page}\n"
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")
    assert list(tmp_path.iterdir()) == [page, tmp_path / "home"] or {
        file.name for file in tmp_path.iterdir()
    } == {"page.html", "home"}


@posix
def test_a_page_goes_into_a_pipe_and_where_a_link_leads_which_stay_what_they_are(tmp_path: Path) -> None:
    pipe, link, page = tmp_path / "pipe", tmp_path / "link", tmp_path / "page.html"
    os.mkfifo(pipe)
    link.symlink_to(page)
    with subprocess.Popen(["cat", pipe], stdout=subprocess.PIPE) as reader:
        match("cambio", "memory", "random", "--games", "2", "--report", str(pipe))
        said, _ = reader.communicate(timeout=SECONDS)
    match("cambio", "memory", "random", "--games", "2", "--report", str(link))
    assert said.startswith(b"<!DOCTYPE html>")
    assert pipe.is_fifo()
    assert link.is_symlink()
    assert page.read_text(encoding="utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.skipif(os.name == "nt" or os.getuid() == 0, reason="whom a folder can keep out")
def test_a_page_that_cannot_be_written_does_not_cost_the_result(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    done = match("cambio", "memory", "random", "--games", "4", "--report", str(tmp_path / "page.html"))
    tmp_path.chmod(0o700)
    assert "can't be written" in refused(done)
    assert "4 games of cambio" in done.stdout


# ---- wrong words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["--games", "0"], "it is a whole number from 1 to 1000000000, not '0'"),
        (["--games", "many"], "it is a whole number from 1 to 1000000000, not 'many'"),
        (["--sprt", "25"], "it is two numbers of Elo, such as 0,25, not '25'"),
        (["--sprt", "a,b"], "it is two numbers of Elo, such as 0,25, not 'a,b'"),
        (["--sprt", "25,0"], "the first is the smaller: 0,25"),
        (["--sprt", "nan,25"], "between -2000 and 2000"),
        (["--sprt", "0,25", "--sprt-alpha", "1"], "below 0.5"),
        (["--sprt-alpha", "0.1"], "go with --sprt"),
        (["--sprt-beta", "x"], "--sprt-beta"),
        (["--report", "nowhere/page.html"], "There is no folder nowhere for the page"),
        (["--repot", "page.html"], "--report"),
        (["--records", "/dev/null/records"], "choose another with --records"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_word_is_answered_in_a_line(words: list[str], why: str) -> None:
    assert why in refused(match("cambio", "memory", "random", *words))


def test_a_bot_is_not_tested_against_itself() -> None:
    assert "here is only one" in refused(match("cambio", "memory", "memory", "--sprt", "0,25"))


def test_records_are_not_overwritten(tmp_path: Path) -> None:
    words = ("cambio", "random", "random", "--games", "2", "--records", str(tmp_path))
    assert match(*words).exit_code == 0
    assert "a record is never overwritten: add --resume" in refused(match(*words))
    assert match(*words, "--resume").stderr == "It goes on after 2 games.\n"
    assert match(*words[:-2], "--resume").stderr == "Nothing is saved of this match: it begins.\n"


def test_a_cluster_that_is_not_there_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    said = refused(match("cambio", "random", "random", "--cluster", "10.0.0.1:8786"), 3)
    assert "pip install 'lanplay[cluster]'" in said


# ---- how it ends ------------------------------------------------------------------------------------------

LONG = ("match", "cambio", "random", "memory", "random", "--games", "100000", "--seed", "12")


@posix
@pytest.mark.parametrize("more", [(), ("--jobs", "2"), ("--over-lan",)], ids=" ".join)
def test_ctrl_c_shows_what_was_played_and_how_to_go_on(more: tuple[str, ...], tmp_path: Path) -> None:
    """And the next run does go on."""
    folder = tmp_path / "records"
    with running(*LONG, *more, "--records", str(folder)) as program:
        wait_for(folder / "00001-3.rec")
        done = program.end(signal.SIGINT)
    assert done.code == 130
    assert done.out.startswith("Interrupted after ")
    assert "300000" not in done.out
    assert done.err == "lanplay: interrupted. The same command with --resume goes on from here.\n"
    played = int(done.out.split()[2])
    rest = lanplay(
        *(str(played + 3) if word == "100000" else word for word in LONG),
        *(*more, "--records", str(folder), "--resume", "--json"),
    )
    assert json.loads(rest.out)["games"] == played + 3
    assert json.loads(rest.out)["complete"] is True
    assert rest.err == f"It goes on after {played} games.\n"


def wait_for(file: Path) -> None:
    """Until it is there."""
    code = f"import os, time\nwhile not os.path.exists({str(file)!r}): time.sleep(0.05)"
    subprocess.run([sys.executable, "-c", code], timeout=SECONDS, check=True)


@posix
def test_on_a_terminal_it_shows_how_far_it_is_and_wipes_that_away() -> None:
    import pty  # noqa: PLC0415 - not on Windows

    mine, its = pty.openpty()
    with subprocess.Popen(
        [sys.executable, "-m", "lanplay", "match", "cambio", "random", "random", "--games", "200"],
        stdout=subprocess.PIPE,
        stderr=its,
        env={**os.environ, "TERM": "xterm", "COLUMNS": "70"},
    ) as process:
        out, _ = process.communicate(timeout=SECONDS)
    os.close(its)
    shown = b""
    try:
        while part := os.read(mine, 4096):
            shown += part
    except OSError:  # the other end is closed
        pass
    os.close(mine)
    lines = shown.decode().split("\r")
    assert re.search(r"[#.]{20} \d+ of 200 games, [\d.e+]+/s, \d+:\d\d min left", shown.decode())
    assert max(map(len, lines)) <= 69
    assert lines[-1] == ""
    assert lines[-2].strip() == ""
    assert out.startswith(b"200 games of cambio")
