"""Which interfaces are used, on systems of every kind, and what doctor makes of them."""

from __future__ import annotations

import socket
from types import SimpleNamespace
from typing import Any

import pytest
from msgspec.structs import replace

from lanplay.net import interfaces as net
from lanplay.net import surroundings
from lanplay.net.advice import Finding, findings
from lanplay.net.interfaces import Interface, addresses, described, on_lan, usable, why_not
from lanplay.net.surroundings import Surroundings, gather

LAN = Interface("eth0", 2, ("192.168.1.20/24", "fd00::20/64", "fe80::20/64"))
WIFI = Interface("wlan0", 3, ("10.0.0.7/8",))
LOOP = Interface("lo", 1, ("127.0.0.1/8", "::1/128"), loopback=True)
DOCKER = Interface("docker0", 4, ("172.17.0.1/16",))
VPN = Interface("tun0", 5, ("10.8.0.2/24",), point_to_point=True)
ALL = (LOOP, DOCKER, VPN, LAN, WIFI)


@pytest.mark.parametrize(
    "name",
    [
        "eth0",
        "enp3s0",
        "wlan0",
        "wlp2s0",
        "en0",
        "bond0",
        "br0",
        "br-lan",
        "Wi-Fi",
        "Ethernet",
        "Ethernet 2",
        "usb0",
    ],
)
def test_interfaces_of_a_lan(name: str) -> None:
    assert why_not(replace(LAN, name=name)) is None


@pytest.mark.parametrize(
    "name",
    [
        *(
            "docker0",
            "br-0123456789ab",
            "veth1a2b3c4",
            "virbr0",
            "vboxnet0",
            "vmnet8",
            "lxdbr0",
            "cali123abc",
        ),
        *("vEthernet (WSL (Hyper-V firewall))", "vEthernet (Default Switch)", "VirtualBox Host-Only Network"),
        *("tun0", "wg0", "utun3", "ppp0", "tailscale0", "nordlynx", "ProtonVPN", "OpenVPN TAP-Windows6"),
        *("awdl0", "llw0"),
    ],
)
def test_interfaces_of_vpns_containers_and_makers(name: str) -> None:
    assert "by its name" in (why_not(replace(LAN, name=name)) or "")


@pytest.mark.parametrize(
    ("interface", "why"),
    [
        (LOOP, "does not leave"),
        (replace(LAN, up=False), "down"),
        (replace(LAN, addresses=()), "no address"),
        (replace(LAN, addresses=("169.254.3.4/16",)), "no address from the network"),
        (replace(LAN, point_to_point=True), "VPN"),
    ],
)
def test_why_an_interface_is_not_used(interface: Interface, why: str) -> None:
    assert why in (why_not(interface) or "")


def test_an_interface_with_ipv6_alone_is_used() -> None:
    assert why_not(replace(LAN, addresses=("fe80::20/64",))) is None


def test_bind_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    assert usable(ALL) == usable(ALL, "0.0.0.0") == usable(ALL, "::") == [LAN, WIFI]
    assert usable(ALL, "10.8.0.2") == [VPN]
    assert usable(ALL, "fe80::20%eth0") == [replace(LAN, addresses=("fe80::20/64",))]
    assert usable(ALL, "fe80::20%wlan0") == usable(ALL, "10.1.1.1") == usable(ALL, "anna.local") == []
    monkeypatch.setenv("LANPLAY_LAN", "tun0,wlan0")
    assert on_lan(ALL) == [VPN, WIFI]
    assert on_lan(ALL, "192.168.1.20") == []
    monkeypatch.setenv("LANPLAY_LAN", "off")
    assert on_lan(ALL) == []
    monkeypatch.delenv("LANPLAY_LAN")
    assert on_lan(ALL) == [LAN, WIFI]


def test_addresses_for_people(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net, "leading_out", lambda: ["10.8.0.2", "10.0.0.7"])
    assert addresses(ALL) == ["10.0.0.7", "192.168.1.20", "fd00::20"]


@pytest.mark.parametrize(
    ("address", "reached"),
    [
        *(("192.168.1.99", True), ("192.168.2.99", False), ("fd00::99", True), ("fd01::99", False)),
        *(("fe80::9%eth0", True), ("fe80::9%2", True), ("fe80::9%wlan0", False), ("fe80::9", False)),
        *(("anna", False), ("", False)),
    ],
)
def test_what_is_on_this_link(address: str, reached: bool) -> None:
    assert LAN.reaches(address) is reached


def test_what_systems_say_is_understood() -> None:
    def address(family: int, text: str, mask: str | None) -> Any:
        return SimpleNamespace(family=family, address=text, netmask=mask)

    found = [
        address(socket.AF_INET, "192.168.1.20", "255.255.255.0"),
        address(socket.AF_INET6, "fe80::20%eth0", "ffff:ffff:ffff:ffff::"),
        address(socket.AF_INET6, "fd00::20", None),  # Windows
        address(-1, "02:fc:00:00:00:01", None),
    ]
    up = SimpleNamespace(isup=True, flags="up,broadcast,running,multicast")
    assert described("nowhere9", found, up) == Interface(
        "nowhere9", 0, ("192.168.1.20/24", "fe80::20/64", "fd00::20/64")
    )
    assert described("nowhere9", [], None).multicast
    down = SimpleNamespace(isup=False, flags="pointopoint")
    assert described("nowhere9", [], down) == Interface("nowhere9", 0, (), False, False, True, False)


def test_this_machine_has_a_loopback() -> None:
    (loop,) = usable(net.interfaces(), "127.0.0.1")
    assert loop.loopback
    assert loop.reaches("127.0.0.1")


# ---- doctor -------------------------------------------------------------------------------------------

FINE = Surroundings("Linux", (LOOP, LAN), multicast={"eth0": True}, broadcast={"eth0": True})


def about(subject: str, here: Surroundings) -> Finding:
    return next(one for one in findings(here) if one.subject == subject)


def test_nothing_is_in_the_way_of_a_plain_machine() -> None:
    assert {one.weight for one in findings(FINE) if one.subject != "lo"} == {"fine"}
    assert not any(one.subject in ("WSL", "container", "VPN", "Wi-Fi") for one in findings(FINE))


def test_wsl() -> None:
    nat = Interface("eth0", 2, ("172.29.1.7/20",))
    found = about("WSL", replace(FINE, wsl=True, interfaces=(LOOP, nat)))
    assert (found.weight, "networkingMode=mirrored" in found.todo) == ("trouble", True)
    assert not any(one.subject == "WSL" for one in findings(replace(FINE, wsl=True)))  # mirrored


def test_containers() -> None:
    bridged = replace(FINE, container="Docker", interfaces=(LOOP, replace(LAN, addresses=("172.17.0.2/16",))))
    assert about("container", bridged).weight == "trouble"
    assert about("container", replace(FINE, container="Docker")).weight == "note"
    assert "--network host" in about("container", bridged).todo


def test_no_network() -> None:
    found = about("network", replace(FINE, interfaces=(LOOP, VPN)))
    assert (found.weight, "--bind" in found.todo) == ("trouble", True)


def test_a_vpn_that_takes_everything() -> None:
    here = replace(FINE, interfaces=(LOOP, LAN, VPN), leads_out=("10.8.0.2",))
    assert "tun0" in about("VPN", here).says
    assert not any(one.subject == "VPN" for one in findings(replace(here, leads_out=("192.168.1.20",))))


def test_client_isolation() -> None:
    found = about("Wi-Fi", replace(FINE, interfaces=(LOOP, WIFI)))
    assert "client isolation" in found.says
    assert "hotspot" in found.todo


@pytest.mark.parametrize(
    ("group", "everyone", "weight", "says"),
    [
        (True, False, "fine", "hears multicast, which is enough"),
        (False, True, "fine", "hears broadcast, which is enough"),
        (False, False, "trouble", "neither"),
    ],
)
def test_ways_that_are_blocked(group: bool, everyone: bool, weight: str, says: str) -> None:
    here = replace(FINE, multicast={"eth0": group}, broadcast={"eth0": everyone})
    found = [one for one in findings(here) if one.subject == "eth0"][-1]
    assert found.weight == weight
    assert says in found.says


def test_ports_that_are_taken() -> None:
    assert about("port 47800", replace(FINE, port="another program")).weight == "trouble"
    assert "--port 0" in about("port 47800", replace(FINE, port="a table of yours")).says
    assert about("UDP port 47800", replace(FINE, questions=False)).weight == "note"


@pytest.mark.parametrize(
    ("system", "seen", "todo"),
    [
        ("Linux", ("ufw",), "ufw allow from 192.168.1.0/24"),
        ("Linux", ("firewalld",), "--add-source=192.168.1.0/24"),
        ("Windows", (), "private networks"),
        ("Darwin", (), "macOS asks"),
    ],
)
def test_firewalls(system: str, seen: tuple[str, ...], todo: str) -> None:
    found = about("firewall", replace(FINE, system=system, firewalls=seen))
    assert (found.weight, todo in found.todo) == ("note", True)


def test_gathering_for_real(monkeypatch: pytest.MonkeyPatch) -> None:
    here = gather()
    loop = next(one.name for one in here.interfaces if one.loopback)
    assert here.multicast[loop]  # sent and heard, on loopback as on any other
    assert here.broadcast[loop]
    assert here.questions
    assert findings(here)
    monkeypatch.setattr(surroundings, "PATIENCE", 0.01)
    with socket.create_server(("", 0)) as taken:
        monkeypatch.setattr(surroundings, "PORT", taken.getsockname()[1])
        assert gather().port == "another program"
