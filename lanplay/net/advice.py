"""What may keep others from joining, drawn from a description of the surroundings alone."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Interface
from typing import Literal

from msgspec import Struct

from lanplay.net.find import PORT
from lanplay.net.interfaces import Interface, usable, why_not
from lanplay.net.surroundings import Surroundings

Weight = Literal["fine", "note", "trouble"]
WIRELESS = ("wl", "wi-fi", "wifi", "wlan", "airport")


class Finding(Struct, frozen=True):
    """One thing that was looked at. `todo` says what to do about it, if there is something."""

    weight: Weight
    subject: str
    says: str
    todo: str = ""


def findings(here: Surroundings) -> list[Finding]:
    """All of them, in the order in which they are best read."""
    kinds = (networks, places, ports, firewalls, ways, wireless)
    return [finding for kind in kinds for finding in kind(here)]


def networks(here: Surroundings) -> Iterator[Finding]:
    """Which interfaces are used, and why not the others."""
    used = usable(here.interfaces)
    for one in used:
        spelled = ", ".join(one.scoped(at) for at in one.at())
        yield Finding("fine", one.name, f"others can come in here, at {spelled}")
    if not used:
        yield Finding(
            "trouble",
            "network",
            "no interface of this machine leads to a LAN",
            "Plug in a cable or join a Wi-Fi network. If one below is the right one after all, say so: "
            "lanplay host GAME --bind ADDRESS",
        )
    for one in here.interfaces:
        why = why_not(one)
        if why:
            yield Finding("note", one.name, f"not used: {why}")
    yield from around(here, used)


def around(here: Surroundings, used: list[Interface]) -> Iterator[Finding]:
    """A VPN that takes all packets may keep the LAN out."""
    for one in here.interfaces:
        vpn = one not in used and not one.loopback
        if vpn and used and any(str(at.ip) in here.leads_out for at in one.at()):
            yield Finding(
                "note",
                "VPN",
                f"what leaves this machine goes through {one.name}; such programs can keep the local network out",
                "If others can't join, allow local network access in the VPN's settings, or turn it off.",
            )


def places(here: Surroundings) -> Iterator[Finding]:
    """Machines within machines."""
    apart = behind(here)
    if here.wsl and apart:
        yield Finding(
            "trouble",
            "WSL",
            "WSL has a network of its own behind Windows, which others on the LAN can't reach",
            "Put networkingMode=mirrored under [wsl2] in the file .wslconfig of your Windows user folder, "
            "then run wsl --shutdown. Or install lanplay in Windows itself. Joining others works as it is: "
            "lanplay join ADDRESS",
        )
    if here.container:
        yield Finding(
            "trouble" if apart else "note",
            "container",
            f"this runs in a container ({here.container}), which others on the LAN reach only if it shares the network "
            "of its machine",
            "Start the container with --network host.",
        )


def behind(here: Surroundings) -> bool:
    """All its addresses are of 172.16.0.0/12, from which WSL and Docker give theirs, and LANs seldom do."""
    four = [at for one in usable(here.interfaces) for at in one.at() if isinstance(at, IPv4Interface)]
    return all(int(at.ip) >> 20 == 0xAC1 for at in four)


def ports(here: Surroundings) -> Iterator[Finding]:
    """Whether tables can be opened where they are looked for."""
    if here.port == "another program":
        yield Finding(
            "trouble",
            f"port {PORT}",
            "another program listens there",
            "Use another: lanplay host GAME --port 0. Then people type the port as well.",
        )
    else:
        use = "is free" if here.port == "free" else "has a table of yours; for a second one use --port 0"
        yield Finding("fine", f"port {PORT}", use)
    if not here.questions:
        yield Finding("note", f"UDP port {PORT}", "is taken: tables are found by multicast only")


def firewalls(here: Surroundings) -> Iterator[Finding]:
    """What to tell a firewall. A table has two ports, and one of them is another each time."""
    found = [str(at.network) for one in usable(here.interfaces) for at in one.at() if not at.is_link_local]
    lan = found[0] if found else "192.168.1.0/24"
    todo = {
        "ufw": f"If others can't join: sudo ufw allow from {lan}",
        "firewalld": f"If others can't join: sudo firewall-cmd --zone=trusted --add-source={lan}",
        "Windows": "When Windows asks, allow Python on private networks; and see in the network's settings that "
        "it is a private one.",
        "Darwin": "When macOS asks whether Python may accept connections and find devices on the local network, allow it.",
    }
    names = [*here.firewalls, *([here.system] if here.system in todo else [])]
    for name in names:
        called = {"Windows": "the firewall of Windows", "Darwin": "the firewall of macOS"}.get(name, name)
        yield Finding("note", "firewall", f"{called} may keep others out", todo[name])
    if not names:
        yield Finding("fine", "firewall", "none was seen here; one may still be set up by hand")


def ways(here: Surroundings) -> Iterator[Finding]:
    """Whether what is sent to a group or to all comes back: if not even that, nobody else hears it."""
    for one in usable(here.interfaces):
        group, everyone = here.multicast.get(one.name, False), here.broadcast.get(one.name, False)
        if group and everyone:
            yield Finding("fine", one.name, "sends and hears multicast and broadcast")
        elif group or everyone:
            works, other = ("multicast", "broadcast") if group else ("broadcast", "multicast")
            yield Finding(
                "fine", one.name, f"sends and hears {works}, which is enough; {other} does not work"
            )
        else:
            yield Finding(
                "trouble",
                one.name,
                "hears neither multicast nor broadcast: tables are not found by themselves",
                "A firewall on this machine may stop UDP. Joining by address may work: lanplay join ADDRESS",
            )


def wireless(here: Surroundings) -> Iterator[Finding]:
    """What no machine can see of its Wi-Fi by itself."""
    names = [one.name for one in usable(here.interfaces) if one.name.lower().startswith(WIRELESS)]
    if names:
        yield Finding(
            "note",
            "Wi-Fi",
            f"guest networks keep their machines from each other (client isolation), and {names[0]} can't see whether "
            "this one does",
            "If all is fine on both machines and they still can't reach each other: use the main network, a cable, or the "
            "hotspot of a phone.",
        )
