"""What befalls a host without anybody's fault, or by people who only come and go: each table lives through it."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from lanplay.net import book, traffic
from lanplay.net.keys import Keys
from tests.net.fake import eventually
from tests.net.raw import Raw, Table


@pytest.fixture
def table(monkeypatch: pytest.MonkeyPatch) -> Iterator[Table]:
    monkeypatch.setattr(traffic, "GOODBYE", 0.02)
    with Table(size=2).open() as table:
        yield table


@pytest.fixture
def ann(table: Table) -> Raw:
    return table.join("Ann")


@pytest.fixture
def ben(table: Table, ann: Raw) -> Raw:
    return table.join("Ben")


# ---- many who pair --------------------------------------------------------------------------------


def test_a_flood_of_pairings_pushes_out_nobody_who_came(
    table: Table, ann: Raw, ben: Raw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(book, "MOST", 32)
    zoe, never = table.join("Zoe", "watch"), table.enter("Never")
    guests = table.host.book.guests

    def pour() -> None:
        for _ in range(300):
            table.host._admit(Keys.new().public)

    pouring = [threading.Thread(target=pour) for _ in range(2)]
    for one in pouring:
        one.start()
    table.play_on(ann, ben)
    for one in pouring:
        one.join()
    eventually(lambda: len(guests) <= 32)
    assert {one.keys.public for one in (ann, ben, zoe)} <= guests.keys()
    assert never.keys.public not in guests
    assert len(table.host.book.path.read_bytes().split(b"\n\n")) < 10  # who only pairs is not written down
    for peer in (ann, ben, zoe):  # a new connection under the same key
        peer.again()
        peer.join()
    table.play_on(ann, ben)
    assert zoe.stream.closed is None
