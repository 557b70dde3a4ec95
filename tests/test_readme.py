"""The README does what it says: its blocks are executed in a copy of the checkout, in order, but for the test command."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest

from lanplay.arena.game import secret
from lanplay.screen.full.entry import HINT
from lanplay.screen.full.picture import Size
from tests.cli.run import running
from tests.screen.full import Player
from tests.screen.tables import Table

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(sh|python)\n(.*?)```", README, re.DOTALL)
SKIP = shutil.ignore_patterns(
    ".git", ".venv", "venv", ".*_cache", "__pycache__", ".hypothesis", "build", "dist"
)


def run(line: str, folder: Path, environment: dict[str, str], typed: str) -> str:
    """A line of a block, as typed in a terminal: what is typed into it, and then nothing more."""
    done = subprocess.run(
        ["bash", "-c", line],
        cwd=folder,
        env=environment,
        input=typed,
        capture_output=True,
        text=True,
        timeout=200,
        check=False,
    )
    assert done.returncode == 0, f"{line}\n{done.stdout}\n{done.stderr}"
    return done.stdout


def hosting(line: str, folder: Path, environment: dict[str, str]) -> subprocess.Popen[str]:
    """A host that goes on in the background, once it has said how to join."""
    pipe = subprocess.PIPE
    host = subprocess.Popen(
        ["bash", "-c", f"exec {line}"], cwd=folder, env=environment, text=True, stdin=pipe, stdout=pipe
    )
    assert host.stdout
    assert any("lanplay join" in host.stdout.readline() for _ in range(30))
    return host


def samples() -> list[list[str]]:
    """The texts that are set in by four blanks, without those."""
    found = re.findall(r"(?:^    .*\n)+", README, re.MULTILINE)
    return [[line[4:] for line in sample.splitlines()] for sample in found]


def test_the_picture_is_what_is_drawn() -> None:
    """The same game, at the full screen."""
    deal = secret(secret(577, "deal", 0), "deck")
    table = Table("Ann", "Bob", seed=deal)
    ann = Player(table)
    ann.client.log.clear()
    ann.enter("peek 1 3")
    ann.other("Bob", "peek 1 2")
    ann.enter("draw")
    ann.seen()
    for _ in range(3):
        ann.client.menu.step(1)
    *rows, foot = ann.shows(Size(76, 14))
    assert samples()[1] == [*rows, f" {HINT}", foot]


def test_the_sample_is_what_is_printed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("LANPLAY_HOME", str(tmp_path))
    lines = [line.strip() for line in samples()[0]]
    typed = ["peek 1 3", "draw", "swap 3"]
    with running("host", "cambio", "--seed", "577", "--port", "0", "--json") as table:
        where = f"127.0.0.1:{table.event('open')['port']}"
        with running("join", where, "--name", "Ann") as ann:
            ann.until("Waiting for 1 more.")
            with running("join", where, "--name", "Bob") as bob:
                for word, then in zip(typed, ("Waiting for Bob.", "1: swap 1", "You may: snap"), strict=True):
                    ann.type(word)
                    ann.until(then)
                    bob.type({"peek 1 3": "peek 1 2", "swap 3": "snap 1"}.get(word, ""))
                ann.until("Bob snaps B1")
    told = [line for line in lines if line not in typed]
    assert " ".join(told) in " ".join(ann.seen)


@pytest.mark.timeout(360)
def test_the_readme_can_be_followed(tmp_path: Path) -> None:
    folder = tmp_path / "lanplay"
    shutil.copytree(ROOT, folder, ignore=SKIP)
    path = f"{folder / '.venv' / 'bin'}{os.pathsep}{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "LANPLAY_HOME": str(tmp_path / "home")}
    host: subprocess.Popen[str] | None = None
    seen = []
    for kind, block in BLOCKS:
        if kind == "python":
            name = re.match(r"# (\S+)\n", block)
            assert name
            (folder / name[1]).write_text(block, encoding="utf-8")
            continue
        for line in block.strip().splitlines():
            seen.append(line.split()[1] if line.startswith("lanplay") else line.split()[0])
            if line.startswith("lanplay host"):
                host = hosting(line, folder, environment)
            else:
                run(line, folder, environment, typed="quit\n")
    assert host is not None
    host.send_signal(signal.SIGINT)
    host.communicate(timeout=10)
    assert host.returncode == 130
    for wanted in ("python3", "play", "host", "list", "join", "rules", "games", "match", "replay"):
        assert wanted in seen
