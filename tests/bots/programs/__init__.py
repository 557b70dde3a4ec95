"""Bots that are programs; most of them are broken, each in its own way."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path

HERE = Path(__file__).parent


def word(program: str, *words: str) -> str:
    """What names one of them as a bot."""
    starts = [sys.executable] if program.endswith(".py") else ["sh"]
    return f"exec:{shlex.join([*starts, str(HERE / program), *words])}"
