"""What this machine is and where it is plugged in, gathered for `lanplay doctor`; advice.py says what it means."""

from __future__ import annotations

import os
import platform
import secrets
import socket
import struct
import time
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import IPv4Interface, IPv6Interface
from pathlib import Path
from typing import Literal

from msgspec import Struct

from lanplay.net import broadcast, tickets
from lanplay.net.door import listen
from lanplay.net.find import PORT
from lanplay.net.interfaces import Interface, interfaces, leading_out

GROUP = (
    "239.255.71.80"  # for trials within a site (RFC 2365); a group of IPv6 for the same: nobody else listens
)
GROUP6 = "ff02::4c50"
PATIENCE = 0.3  # seconds for a datagram to come back
WSL = Path("/proc/sys/kernel/osrelease")
CONTAINERS = {"/.dockerenv": "Docker", "/run/.containerenv": "Podman"}
FIREWALLS = {"/etc/ufw/ufw.conf": ("ufw", "ENABLED=yes"), "/run/firewalld": ("firewalld", "")}

Use = Literal["free", "a table of yours", "another program"]


class Surroundings(Struct, frozen=True):
    """All that advice is drawn from. `heard` tells by interface whether a group or all hear what is sent there."""

    system: str  # Linux, Windows, Darwin
    interfaces: tuple[Interface, ...]
    wsl: bool = False
    container: str | None = None
    firewalls: tuple[str, ...] = ()
    port: Use = "free"
    questions: bool = True  # the UDP port can be listened at
    multicast: Mapping[str, bool] = {}
    broadcast: Mapping[str, bool] = {}
    leads_out: tuple[str, ...] = ()  # the addresses that packets to far away would have


def gather() -> Surroundings:
    """This machine as it is now. Takes a second at most; nothing is sent to anybody but itself."""
    found = tuple(interfaces())
    up = [one for one in found if one.up and one.addresses]
    return Surroundings(
        platform.system(),
        found,
        wsl="microsoft" in text_of(WSL).lower(),
        container=container(),
        firewalls=tuple(firewalls()),
        port=use_of_port(),
        questions=can_be_asked(),
        multicast={one.name: hears(multicast(one)) for one in up},
        broadcast={one.name: hears(to_all(one)) for one in up},
        leads_out=tuple(leading_out()),
    )


def text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def container() -> str | None:
    """What this runs in, if it is a container."""
    named = (name for path, name in CONTAINERS.items() if Path(path).exists())
    return next(named, os.environ.get("container"))  # noqa: SIM112 - as systemd has it


def firewalls() -> list[str]:
    """Those that are on, as far as that can be seen without being root."""
    return [
        name
        for path, (name, sign) in FIREWALLS.items()
        if (sign and sign in text_of(Path(path))) or (not sign and Path(path).exists())
    ]


def use_of_port() -> Use:
    if any(ticket.port == PORT for ticket in tickets.here()):
        return "a table of yours"
    try:
        listen("", PORT).close()
    except OSError:
        return "another program"
    return "free"


def can_be_asked() -> bool:
    try:
        for ear in broadcast.listening([]):
            ear.close()
    except OSError:
        return False
    return True


# ---- does it come back? -------------------------------------------------------------------------------

Trial = tuple[socket.socket, socket.socket, tuple[object, ...]] | None  # ear, outlet, and where to send


def hears(trial: Trial) -> bool:
    """Whether what is sent comes back. Closes the sockets."""
    if trial is None:
        return False
    ear, outlet, there = trial
    sent, until = secrets.token_bytes(16), time.monotonic() + PATIENCE
    with ear, outlet, suppress(OSError):  # TimeoutError among them
        outlet.sendto(sent, there)
        while (left := until - time.monotonic()) > 0:
            ear.settimeout(left)
            if ear.recv(64) == sent:
                return True
    return False


def multicast(interface: Interface) -> Trial:
    """To a group of our own, by IPv4, or by IPv6 where there is nothing else."""
    with suppress(OSError):
        for at in interface.at():
            if isinstance(at, IPv4Interface):
                return multicast4(str(at.ip))
        return multicast6(interface)
    return None


def multicast4(address: str) -> Trial:
    ear = broadcast.ear(socket.AF_INET, "", 0)
    member = socket.inet_aton(GROUP) + socket.inet_aton(address)
    ear.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP, member)
    outlet = broadcast.outlet(address, 0)
    outlet.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, socket.inet_aton(address))
    return ear, outlet, (GROUP, ear.getsockname()[1])


def multicast6(interface: Interface) -> Trial:
    here = next(at for at in interface.at() if isinstance(at, IPv6Interface))
    ear = broadcast.ear(socket.AF_INET6, "::", 0)
    member = socket.inet_pton(socket.AF_INET6, GROUP6) + struct.pack("@I", interface.index)
    ear.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_JOIN_GROUP, member)
    outlet = broadcast.outlet(str(here.ip), interface.index)
    return ear, outlet, (GROUP6, ear.getsockname()[1], 0, interface.index)


def to_all(interface: Interface) -> Trial:
    """To the broadcast address, which IPv4 alone has."""
    with suppress(OSError):
        for at in interface.at():
            if isinstance(at, IPv4Interface) and at.network.prefixlen < 31:
                ear = broadcast.ear(socket.AF_INET, "", 0)
                there = (str(at.network.broadcast_address), ear.getsockname()[1])
                return ear, broadcast.outlet(str(at.ip), 0), there
    return None
