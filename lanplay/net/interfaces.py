"""The interfaces of this machine: which of them others on the LAN can reach, and why not the rest."""

from __future__ import annotations

import os
import re
import socket
import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from ipaddress import IPv4Interface, IPv6Address, IPv6Interface, ip_address, ip_interface
from typing import Any

import psutil
from msgspec import Struct
from msgspec.structs import replace

OUTSIDE = {socket.AF_INET: "192.0.2.1", socket.AF_INET6: "2001:db8::1"}  # reserved; nothing is sent there
NOT_LAN = {  # by name, since no system says what an interface is for
    "a VPN": r"(tun|wg|ppp|utun|ipsec|gpd|nordlynx|proton|tailscale|ts|cscotun)\d*"
    r"|.*(vpn|wireguard|tailscale|tap-windows|wintun).*",
    "for containers or virtual machines": r"(docker|podman|cni|lxcbr|lxdbr|virbr|vmnet|vboxnet|vnet|bridge1)\d*"
    r"|br-[0-9a-f]{12}|veth[0-9a-f]{6,}.*|cali[0-9a-f]+|(flannel|cilium).*|vethernet \((wsl|default switch|nat|docker).*"
    r"|.*(virtualbox|vmware).*",
    "only for the devices of one maker": r"(awdl|llw|anpi|ap)\d+",
}

Address = IPv4Interface | IPv6Interface


class Interface(Struct, frozen=True):
    """An interface as the system describes it. `index` is 0 where that is not known."""

    name: str
    index: int = 0
    addresses: tuple[str, ...] = ()  # with the length of the network, without a scope: 192.168.1.20/24
    up: bool = True
    loopback: bool = False
    point_to_point: bool = False
    multicast: bool = True

    def at(self) -> list[Address]:
        """Its addresses, each in its network."""
        return [ip_interface(address) for address in self.addresses]

    def scoped(self, at: Address) -> str:
        """One of its addresses as programs on this machine write it."""
        return self.scope(str(at.ip)) if isinstance(at, IPv6Interface) and at.is_link_local else str(at.ip)

    def scope(self, address: str) -> str:
        """A link-local address on this interface; Windows knows interfaces by number only."""
        return f"{address.partition('%')[0]}%{self.index if sys.platform == 'win32' else self.name}"

    def reaches(self, address: str) -> bool:
        """Whether an address lies in one of its networks, and so on this link."""
        with suppress(ValueError):
            there = ip_address(address)
            if isinstance(there, IPv6Address) and there.is_link_local:
                return there.scope_id in (self.name, str(self.index))
            return any(there in here.network for here in self.at())
        return False


def interfaces() -> list[Interface]:
    """All of this machine, as the system describes them now."""
    states = psutil.net_if_stats()
    return [described(name, found, states.get(name)) for name, found in sorted(psutil.net_if_addrs().items())]


def described(name: str, found: Iterable[Any], state: Any) -> Interface:
    """An interface from what psutil says of it: `snicaddr`s, and `snicstats` or None."""
    flags = state.flags.split(",") if state and state.flags else []
    index = 0
    with suppress(OSError):
        index = socket.if_nametoindex(name)
    addresses = tuple(spelled(one.address, one.netmask) for one in found if one.family in OUTSIDE)
    return Interface(
        name,
        index,
        addresses,
        up=state is None or state.isup,
        loopback="loopback" in flags or any(ip_interface(text).is_loopback for text in addresses),
        point_to_point="pointopoint" in flags,
        multicast="multicast" in flags or not flags,  # Windows tells no flags
    )


def spelled(address: str, mask: str | None) -> str:
    """An address with the length of its network; systems that name no mask have the usual one."""
    address = address.partition("%")[0]
    long = bin(int(ip_address(mask))).count("1") if mask else 64 if ":" in address else 32
    return f"{address}/{long}"


# ---- which of them are used ---------------------------------------------------------------------------


def why_not(interface: Interface) -> str | None:
    """Why others on the LAN would not come in there, as the end of a sentence; None if they would."""
    if not interface.up:
        return "it is down"
    if interface.loopback:
        return "it does not leave this machine"
    for kind, names in NOT_LAN.items():
        if re.fullmatch(names, interface.name.lower()):
            return f"by its name it is {kind}"
    if not interface.addresses:
        return "it has no address"
    if interface.point_to_point:
        return "it leads to one other machine only, as VPNs do"
    if all(isinstance(at, IPv4Interface) and at.is_link_local for at in interface.at()):
        return "it got no address from the network"
    return None


def usable(found: Sequence[Interface], bind: str = "") -> list[Interface]:
    """The interfaces on which a table is announced: those of the LAN, or the one that was asked for, whatever it is.

    Of an interface that was asked for by an address, only that address remains.
    """
    if unbound(bind):
        return [one for one in found if why_not(one) is None]
    with suppress(ValueError):
        address, _, scope = bind.partition("%")
        wanted = ip_address(address)
        bound = [
            replace(one, addresses=(str(at),))
            for one in found
            for at in one.at()
            if at.ip == wanted and scope in ("", one.name, str(one.index))
        ]
        return bound[:1]
    return []


def on_lan(found: Sequence[Interface], bind: str = "") -> list[Interface]:
    """Where tables are announced and looked for: as `usable` says, or LANPLAY_LAN (names of interfaces, or `off`)."""
    names = named()
    chosen = usable(found, bind) if not names or not unbound(bind) else found
    return [one for one in chosen if not names or one.name in names]


def named() -> list[str]:
    """The interfaces that LANPLAY_LAN names."""
    names = os.environ.get("LANPLAY_LAN", "")
    return names.split(",") if names else []


def unbound(bind: str) -> bool:
    """Whether --bind names no address in particular."""
    return bind in ("", "*", "0.0.0.0", "::")  # noqa: S104 - compared, not bound


# ---- what people type ---------------------------------------------------------------------------------


def addresses(found: Sequence[Interface] | None = None) -> list[str]:
    """The addresses under which others may reach this machine: IPv4 first, before all the one that leads out of it.

    Left out are those that only work with a scope, which is another one on each machine.
    """
    used = usable(interfaces() if found is None else found)
    known = [str(at.ip) for one in used for at in one.at() if not at.is_link_local]
    first = [address for address in leading_out() if address in known]
    return sorted(dict.fromkeys([*first, *known]), key=lambda address: ":" in address)


def leading_out() -> Iterator[str]:
    """The address that a packet to far away would have."""
    for family, far in OUTSIDE.items():
        with suppress(OSError), socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect((far, 9))
            yield probe.getsockname()[0]
