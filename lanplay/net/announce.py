"""Telling the LAN of a table, in a thread of its own that the table never waits for."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from lanplay.net import broadcast
from lanplay.net.interfaces import Interface, interfaces, on_lan

if TYPE_CHECKING:
    from zeroconf.asyncio import AsyncZeroconf

LOOK = 5.0  # seconds after which the interfaces are looked at again: Wi-Fi comes and goes
ANSWERS = 20  # a second, to whoever asks
FAREWELL = 0.8  # seconds for the goodbyes


class Announcer:
    """Announces a table by mDNS and answers questions, on the interfaces of the LAN, until `stop()`.

    `notice` gets a sentence if others can't find the table; the table itself is not touched by that.
    """

    def __init__(
        self,
        table: str,
        table_id: str,
        port: int,
        bind: str = "",
        notice: Callable[[str], None] = lambda sentence: None,
        found: Callable[[], Sequence[Interface]] = interfaces,
        asked_at: int = broadcast.PORT,
    ) -> None:
        self.table, self.table_id, self.port, self.bind = table, table_id, port, bind
        self.notice, self.found, self.asked_at = notice, found, asked_at
        self.used: list[Interface] = []
        self.engines: list[AsyncZeroconf] = []
        self.ears: list[asyncio.DatagramTransport] = []
        self.noticed = ""
        self.loop: asyncio.AbstractEventLoop | None = None
        self.task: asyncio.Task[None] | None = None
        self.thread = threading.Thread(target=self.run, name="lanplay announcer", daemon=True)

    def start(self) -> None:
        self.thread.start()

    def stop(self) -> None:
        """Say goodbye, for no longer than a moment."""
        if self.loop and self.task:
            with suppress(RuntimeError):  # it has ended by itself
                self.loop.call_soon_threadsafe(self.task.cancel)
            self.thread.join(FAREWELL)

    def run(self) -> None:
        logging.getLogger("zeroconf").addHandler(logging.NullHandler())
        logging.getLogger("zeroconf").propagate = False  # its warnings are no lines for a host's screen
        try:
            asyncio.run(self.main())
        except asyncio.CancelledError:
            pass
        except Exception as error:
            self.say(f"{type(error).__name__}: {error}")

    async def main(self) -> None:
        self.loop, self.task = asyncio.get_running_loop(), asyncio.current_task()
        try:
            while True:
                used = on_lan(self.found(), self.bind)
                if used != self.used or not used:
                    await self.renew(used)
                await asyncio.sleep(LOOK)
        finally:
            await self.hush()

    async def renew(self, used: list[Interface]) -> None:
        """Announce on these interfaces, and on no others any more."""
        await self.hush()
        self.used = used
        if not used:
            return self.say("this machine is on no network that they could come from")
        failures = [*await self.listen(used), *await self.announce(used)]
        if not self.ears and not self.engines:
            self.say("; ".join(dict.fromkeys(failures)))
        return None

    def say(self, why: str) -> None:
        """Once, why others can't find this table."""
        if not self.noticed:
            self.noticed = f"Others can't find this table by themselves ({why}). They can join by address."
            self.notice(f"{self.noticed} lanplay doctor tells more.")

    async def listen(self, used: list[Interface]) -> list[str]:
        """Answer questions; gives what went wrong."""
        assert self.loop
        try:
            for ear in broadcast.listening(used, self.asked_at):
                transport, _ = await self.loop.create_datagram_endpoint(lambda: Answering(self), sock=ear)
                self.ears.append(transport)
        except OSError as error:
            return [f"UDP port {self.asked_at}: {error.strerror or error}"]
        return []

    async def announce(self, used: list[Interface]) -> list[str]:
        """Announce by mDNS; gives what went wrong."""
        from lanplay.net import mdns  # noqa: PLC0415 - a fifth of a second, which opening a table need not wait for

        failures = []
        for interface in used:
            try:
                engine = mdns.engine(interface)
                self.engines.append(engine)
                await mdns.announce(engine, mdns.service(interface, self.table, self.table_id, self.port))
            except Exception as error:
                failures.append(f"multicast on {interface.name}: {error}")
        return failures

    async def hush(self) -> None:
        """Goodbye on every interface, all at once."""
        for ear in self.ears:
            ear.close()
        engines, self.engines, self.ears = self.engines, [], []
        await asyncio.gather(*(engine.async_close() for engine in engines), return_exceptions=True)


class Answering(asyncio.DatagramProtocol):
    """Answers those who ask on the interfaces of the announcer, and not too many."""

    def __init__(self, announcer: Announcer) -> None:
        self.announcer = announcer
        self.second, self.answered = 0, 0

    def connection_made(self, transport: Any) -> None:
        self.transport: asyncio.DatagramTransport = transport

    def datagram_received(self, data: bytes, address: tuple[Any, ...]) -> None:
        announcer, second = self.announcer, int(time.monotonic())
        if second != self.second:
            self.second, self.answered = second, 0
        if self.answered >= ANSWERS:
            return
        there = broadcast.source(address)
        reply = broadcast.answer(data, announcer.port, announcer.table_id)
        if reply and any(one.reaches(there) for one in announcer.used):
            self.answered += 1
            self.transport.sendto(reply, address)

    def error_received(self, error: Exception) -> None:
        """The asker has gone."""
