"""Folders that ship with the package: the rule books and the house bots."""

from __future__ import annotations

from pathlib import Path


def folder(name: str) -> Path:
    """`seeds` or `bots`: inside the installed package, or at the top of a checkout."""
    package = Path(__file__).parent
    installed = package / name
    return installed if installed.is_dir() else package.parent / name
