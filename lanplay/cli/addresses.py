"""The addresses under which other machines may reach this one."""

from __future__ import annotations

import socket
import struct
import sys
from collections.abc import Iterator
from contextlib import suppress

OUTSIDE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # reserved; nothing is sent there
SIOCGIFADDR = 0x8915


def addresses() -> list[str]:
    """IPv4 first, the one that leads out of the machine before all; the local machine's own are left out."""
    found = [*leading_out(), *of_interfaces(), *of_name()]
    usable = [address for address in found if not address.startswith(("127.", "169.254.", "fe80", "::1"))]
    return sorted(dict.fromkeys(usable), key=lambda address: ":" in address)


def leading_out() -> Iterator[str]:
    """The address that a packet to far away would have."""
    for family, far in OUTSIDE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            yield probe.getsockname()[0]


def of_interfaces() -> Iterator[str]:
    """The IPv4 address of each interface, where the system says so (Linux)."""
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415 - not on Windows

    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        for _, name in socket.if_nameindex():
            with suppress(OSError):
                answer = fcntl.ioctl(probe.fileno(), SIOCGIFADDR, struct.pack("256s", name.encode()[:15]))
                yield socket.inet_ntoa(answer[20:24])


def of_name() -> Iterator[str]:
    """What the machine's own name stands for."""
    with suppress(OSError):
        for *_, place in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_DGRAM):
            yield str(place[0]).partition("%")[0]
