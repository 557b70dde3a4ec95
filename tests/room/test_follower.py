"""What a peer makes of a host that tells what can't be."""

from __future__ import annotations

from collections.abc import Callable

import msgspec
import pytest

from lanplay.room.follower import Garbled
from lanplay.wire import messages as wire
from tests.room.table import Around

Spoil = Callable[[wire.Update], wire.Update]


def with_fact(*fact: object) -> Spoil:
    return lambda update: msgspec.structs.replace(update, facts=[fact])


@pytest.mark.parametrize(
    "spoil",
    [
        with_fact("moved", 1, -1, 0, -1, "2s", 0xFFFF),  # from an empty pile
        with_fact("moved", 0, -1, 99, -1, None, 0),
        with_fact("moved", 0, -1, 1, -1, "Zz", 0xFFFF),
        with_fact("moved", 3, 99, 1, -1, "2s", 0xFFFF),
        with_fact("shuffled", 99, 0, 0, -1, None, 0),
    ],
)
def test_facts_that_do_not_fit_are_told_as_the_hosts_fault(spoil: Spoil) -> None:
    around = Around()
    around.join("Ann")
    around.join("Ben")
    peer = around.key("A")
    update = next(got for got in reversed(around.got[peer]) if isinstance(got, wire.Update))
    with pytest.raises(Garbled, match="not to be trusted"):
        around.followers[peer].take(spoil(update))


@pytest.mark.parametrize("lay", [[], [["Zz"]], [[None]] * 99])
def test_so_are_snapshots(lay: list[list[str | None]]) -> None:
    around = Around()
    around.join("Ann")
    around.join("Ben")
    follower = around.followers[around.key("A")]
    assert follower.status
    with pytest.raises(Garbled, match="not to be trusted"):
        follower.take(wire.Snapshot(9, 9, {"rounds": []}, lay, follower.status, None))
