"""A table on 127.0.0.1, and a quick pairing port."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lanplay.net import door, traffic
from lanplay.net.host import Host
from tests.net.fake import FakeRoom, peers


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(door, "GRID", 0.001)
    monkeypatch.setattr(door, "AFTER_FAILURE", 0.001)
    yield
    while peers:
        peers.pop().close()


@pytest.fixture
def room() -> FakeRoom:
    return FakeRoom()


@pytest.fixture
def host(room: FakeRoom) -> Iterator[Host]:
    with Host(room, table="Anna's table", game="fake", port=0, bind="127.0.0.1") as host:
        yield host
    host.wait(0)


@pytest.fixture
def quick_pings(monkeypatch: pytest.MonkeyPatch) -> None:
    """To be asked for before the host."""
    monkeypatch.setattr(traffic, "PING", 0.1)
    monkeypatch.setattr(traffic, "IDLE", 0.01)
