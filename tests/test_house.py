"""The house rules: format, lint, types, floors, and what the wheel carries."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
BIN = Path(sys.executable).parent


@pytest.mark.timeout(240)
@pytest.mark.parametrize(
    "command",
    [("ruff", "format", "--check", "."), ("ruff", "check", "."), ("mypy",), ("lint-imports",)],
    ids=lambda command: " ".join(command[:2]),
)
def test_the_house_is_in_order(command: tuple[str, ...]) -> None:
    done = subprocess.run(
        [BIN / command[0], *command[1:]], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.timeout(240)
def test_the_wheel_carries_rule_books_and_bots(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", tmp_path, ROOT],
        check=True,
        capture_output=True,
    )
    names = zipfile.ZipFile(next(tmp_path.glob("*.whl"))).namelist()
    for wanted in (
        "lanplay/seeds/cambio.md",
        "lanplay/bots/memory.py",
        "lanplay/py.typed",
        "lanplay/cli/__init__.py",
    ):
        assert wanted in names
    assert not [name for name in names if name.startswith(("bots/", "seeds/", "tests/"))]
