"""DNS-SD by python-zeroconf: a service instance a table and interface, with that interface's addresses only."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv4Interface

from zeroconf import ServiceStateChange, Zeroconf
from zeroconf.asyncio import AsyncServiceBrowser, AsyncServiceInfo, AsyncZeroconf

from lanplay.net.interfaces import Interface
from lanplay.wire.messages import VERSION

SERVICE = "_lanplay._tcp.local."
LABEL = 63  # bytes at most
NAMES = 64  # heard of in one search: more than a LAN has tables
ANSWER = 1500  # milliseconds to hear where a named service is


def engine(interface: Interface) -> AsyncZeroconf:
    """mDNS on one interface. Raises OSError if it has none."""
    four = [str(at.ip) for at in interface.at() if isinstance(at, IPv4Interface)]
    six = any(not isinstance(at, IPv4Interface) for at in interface.at())
    ways: list[str | int] = [*four, *([interface.index] if six and not interface.loopback else [])]
    if not ways:
        raise OSError(f"{interface.name} has no address")
    try:
        return AsyncZeroconf(interfaces=ways)
    except RuntimeError as error:  # an address that has just gone
        raise OSError(str(error)) from error


def service(interface: Interface, table: str, table_id: str, port: int) -> AsyncServiceInfo:
    """What is announced on one interface. The instance is named for people, and for no other table."""
    name = table.replace(".", " ").encode()[: LABEL - len(table_id) - 1].decode(errors="ignore").strip()
    return AsyncServiceInfo(
        SERVICE,
        f"{name} {table_id}.{SERVICE}",
        port,
        properties={"v": str(VERSION), "id": table_id},
        server=f"lanplay-{table_id}.local.",
        addresses=[packed(str(at.ip)) for at in interface.at()],
    )


def packed(address: str) -> bytes:
    return socket.inet_pton(socket.AF_INET6 if ":" in address else socket.AF_INET, address)


async def announce(mdns: AsyncZeroconf, info: AsyncServiceInfo) -> None:
    """Say that the table is there. The name is this table's alone, so nobody is asked whether it is taken."""
    await (await mdns.async_register_service(info, cooperating_responders=True))


class Browser:
    """Calls `seen(address, port)` for each address at which a table is said to be on one interface."""

    def __init__(self, interface: Interface, seen: Callable[[str, int], None]) -> None:
        """Begins at once. Raises OSError."""
        self.interface, self.seen = interface, seen
        self.names: set[str] = set()
        self.tasks: set[asyncio.Task[None]] = set()
        self.mdns = engine(interface)
        self.browser = AsyncServiceBrowser(self.mdns.zeroconf, SERVICE, handlers=[self.changed])

    def changed(
        self, zeroconf: Zeroconf, service_type: str, name: str, state_change: ServiceStateChange
    ) -> None:
        if state_change is ServiceStateChange.Removed or name in self.names or len(self.names) >= NAMES:
            return
        self.names.add(name)
        task = asyncio.ensure_future(self.resolve(zeroconf, name))
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def resolve(self, zeroconf: Zeroconf, name: str) -> None:
        """Where a service is; addresses that this interface does not reach are no table's."""
        info = AsyncServiceInfo(SERVICE, name)
        with suppress(Exception):  # whatever a stranger's record makes of the library is no table
            await info.async_request(zeroconf, ANSWER)
        for text in info.parsed_addresses():
            address = self.interface.scope(text) if text.startswith("fe80") else text
            if info.port and self.interface.reaches(address):
                self.seen(address, info.port)

    async def close(self) -> None:
        for task in self.tasks:
            task.cancel()
        await self.browser.async_cancel()
        await self.mdns.async_close()
