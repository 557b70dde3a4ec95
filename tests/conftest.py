"""What all tests share: the hypothesis profile, and a home that is not the user's."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

settings.register_profile(
    "lanplay",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
settings.load_profile("lanplay")


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keys, tickets and records of a test stay in its own folder."""
    monkeypatch.setenv("LANPLAY_HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LANPLAY_LAN", "off")  # nobody outside the test finds its tables, nor it theirs
    return tmp_path / "home"
