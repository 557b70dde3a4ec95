"""Looking for tables on the LAN: by mDNS and by asking all, and then asking each that was heard of what it is."""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections import Counter
from collections.abc import Iterable, Sequence
from contextlib import suppress
from functools import partial
from typing import Any, NamedTuple

from lanplay.net import broadcast, pairing
from lanplay.net.interfaces import Interface, interfaces, on_lan
from lanplay.net.pairing import About, PairingError, Question
from lanplay.wire.messages import VERSION

SECONDS = 1.5  # that a search takes
ASKED = (0.0, 0.25, 0.7)  # seconds at which all are asked: Wi-Fi loses broadcasts
PLACES = 64  # looked at in one search
EACH = 8  # of them at one address
AT_ONCE = 16
BUSY = (
    0.15,
    0.3,
    0.3,
)  # seconds until a table that has not answered is asked again: too many may ask it at once

Place = tuple[str, int]


class Sighting(NamedTuple):
    """A pairing port that answers, and what it says of its table. Nothing of it is proved."""

    address: str
    port: int
    about: About


def search(
    also: Iterable[Place] = (),
    seconds: float = SECONDS,
    found: Sequence[Interface] | None = None,
    asked_at: int = broadcast.PORT,
) -> list[Sighting]:
    """All tables that answer within `seconds`: those on the LAN, and `also` those at these places.

    Whoever announces a table without answering as one is left out, and so is who announces too many.
    """
    used = on_lan(interfaces() if found is None else found)
    logging.getLogger("zeroconf").propagate = False  # its warnings are no lines for a terminal
    return asyncio.run(Search(used, asked_at).run(list(also), seconds))


class Search:
    """One search, in a loop of its own."""

    def __init__(self, used: Sequence[Interface], asked_at: int) -> None:
        self.used, self.asked_at = used, asked_at
        self.nonce = secrets.token_bytes(16)
        self.places: set[Place] = set()
        self.at: Counter[str] = Counter()
        self.tasks: set[asyncio.Task[None]] = set()
        self.sightings: list[Sighting] = []
        self.free = asyncio.Semaphore(AT_ONCE)

    async def run(self, also: list[Place], seconds: float) -> list[Sighting]:
        for address, port in also:
            self.seen(address, port)
        ways = [asyncio.ensure_future(self.ask_all()), *map(asyncio.ensure_future, self.browse())]
        if not self.used:
            seconds = min(seconds, 0.5)
            await self.answers(seconds)
        else:
            await asyncio.sleep(seconds)
        for task in (*ways, *self.tasks):
            task.cancel()
        await asyncio.gather(*ways, *self.tasks, return_exceptions=True)
        return self.sightings

    async def answers(self, seconds: float) -> None:
        """Until all that were asked have answered."""
        if self.tasks:
            await asyncio.wait(self.tasks, timeout=seconds)

    def seen(self, address: str, port: int) -> None:
        """A table is said to be there: ask it, if it is not one too many."""
        if (address, port) in self.places or len(self.places) >= PLACES or self.at[address] >= EACH:
            return
        self.places.add((address, port))
        self.at[address] += 1
        task = asyncio.ensure_future(self.look(address, port))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def look(self, address: str, port: int) -> None:
        for wait in BUSY:
            async with self.free:
                with suppress(OSError, PairingError, EOFError):
                    self.sightings.append(Sighting(address, port, await about(address, port)))
                    return
            await asyncio.sleep(wait)

    # ---- the ways to hear of tables -------------------------------------------------------------------

    async def ask_all(self) -> None:
        """By broadcast, on every interface, a few times."""
        loop = asyncio.get_running_loop()
        ways: list[tuple[asyncio.DatagramTransport, tuple[Any, ...]]] = []
        try:
            for interface in self.used:
                for outlet, there in broadcast.asking(interface, self.asked_at):
                    hearing = partial(Hearing, self, interface)
                    transport, _ = await loop.create_datagram_endpoint(hearing, sock=outlet)
                    ways.append((transport, there))
            for before, at in zip((0.0, *ASKED), ASKED, strict=False):
                await asyncio.sleep(at - before)
                for transport, there in ways:
                    transport.sendto(broadcast.question(self.nonce), there)
            await asyncio.Event().wait()
        finally:
            for transport, _ in ways:
                transport.close()

    def browse(self) -> Iterable[Any]:
        """By mDNS, on every interface."""
        return [self.browse_on(interface) for interface in self.used]

    async def browse_on(self, interface: Interface) -> None:
        from lanplay.net.mdns import Browser  # noqa: PLC0415 - a fifth of a second, while others are asked

        await asyncio.sleep(0.05)  # the first question is on its way before that
        browser = Browser(interface, self.seen)  # an interface without multicast ends this way only
        try:
            await asyncio.Event().wait()
        finally:
            await browser.close()


class Hearing(asyncio.DatagramProtocol):
    """Hears the answers to a question on one interface."""

    def __init__(self, search: Search, interface: Interface) -> None:
        self.search, self.interface = search, interface

    def datagram_received(self, data: bytes, address: tuple[Any, ...]) -> None:
        here, there = broadcast.heard(data, self.search.nonce), broadcast.source(address)
        if here and self.interface.reaches(there):
            self.search.seen(self.interface.scope(there) if "%" in there else there, here.port)

    def error_received(self, error: Exception) -> None:
        """Nobody is there, or the network is not."""


async def about(address: str, port: int) -> About:
    """What a pairing port says of its table. Raises OSError, EOFError or PairingError."""
    reader, writer = await asyncio.open_connection(address, port)
    try:
        writer.write(pairing.encode(Question(VERSION)))
        length = int.from_bytes(await reader.readexactly(2), "big")
        if length > pairing.MAX_FRAME:
            raise PairingError("This is no table.")
        told: About = pairing.decode(await reader.readexactly(length), About)
        return told
    finally:
        writer.close()
