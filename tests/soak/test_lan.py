"""Tables found and joined between machines on networks of their own (Linux, as root: pytest -m netns tests/soak)."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.soak.networks import Machine, World

pytestmark = [pytest.mark.netns, pytest.mark.timeout(120)]
OPENING = 1.5  # seconds until a table has been announced in every way


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    world = World(tmp_path)
    world.network("lan")
    yield world
    world.end()


@pytest.fixture
def anna(world: World) -> Machine:
    return world.machine("anna").plug("lan", "eth0", "10.9.1.1/24")


@pytest.fixture
def ben(world: World) -> Machine:
    return world.machine("ben").plug("lan", "eth0", "10.9.1.2/24")


def listed(machine: Machine) -> list[dict[str, Any]]:
    done = machine.lanplay("list", "--json")
    tables: list[dict[str, Any]] = json.loads(done.out)["tables"]
    assert done.code == (0 if tables else 3), done.err
    return tables


def wheres(machine: Machine) -> list[str]:
    return [table["where"] for table in listed(machine)]


def test_a_game_by_name_and_code_over_the_lan(anna: Machine, ben: Machine) -> None:
    with anna.hosting("--name", "Anna's table", "--set", "max_turns=2") as (table, event):
        time.sleep(OPENING)
        (found,) = listed(ben)
        assert found["table"] == "Anna's table"
        assert (found["seats"], found["taken"], found["open"], found["here"]) == (2, 0, False, False)
        assert (found["where"], found["port"]) == ("10.9.1.1", 47800)
        none = ben.lanplay("join", "Anna's table")
        assert (none.code, none.err.count("\n")) == (4, 1)
        joined = ben.lanplay("join", "anna's TABLE", "--code", event["code"])
        assert "Cambio at Anna's table" in joined.out
        with ben.running("bot", "random", "--name", "One") as one:  # the only table, and no code any more
            table.event("joined")
            two = ben.lanplay("bot", "random", "Anna's table", "--name", "Two")
            assert (two.code, one.end().code) == (0, 0)
        assert table.end().code == 0
    assert wheres(ben) == []


def test_the_next_table_of_a_host_needs_no_code_of_who_knew_one(anna: Machine, ben: Machine) -> None:
    with anna.hosting("--port", "0") as (_, event):
        where = f"10.9.1.1:{event['port']}"
        assert ben.lanplay("join", where, "--code", event["code"]).code == 0
    with anna.hosting("--port", "0") as (_, event):
        assert ben.lanplay("join", f"10.9.1.1:{event['port']}", "--name", "Ben").code == 0
    (anna.home / "host" / "friends").unlink()
    with anna.hosting("--port", "0") as (_, event):
        asked = ben.lanplay("join", f"10.9.1.1:{event['port']}", "--name", "Ben")
        assert asked.code == 4
        assert "does not know this machine any more" in asked.err


def test_each_network_is_told_the_address_on_it(world: World, anna: Machine, ben: Machine) -> None:
    world.network("wifi")
    anna.plug("wifi", "wlan0", "10.9.2.1/24")
    anna.pretend("docker0", "172.17.0.1/16")
    anna.pretend("tun0", "10.8.0.1/24")
    cleo = world.machine("cleo").plug("wifi", "wlan0", "10.9.2.3/24")
    with anna.hosting() as (_, event):
        assert event["addresses"] == ["10.9.1.1", "10.9.2.1"]
        time.sleep(OPENING)
        assert wheres(ben) == ["10.9.1.1"]
        assert wheres(cleo) == ["10.9.2.1"]
        with_code = ("join", "--code", event["code"])
        assert "Cambio at" in ben.lanplay(*with_code).out
        assert "Cambio at" in cleo.lanplay(*with_code).out
    with anna.hosting("--bind", "10.9.2.1") as (_, event):
        time.sleep(OPENING)
        assert event["addresses"] == ["10.9.2.1"]
        assert wheres(ben) == []
        assert wheres(cleo) == ["10.9.2.1"]
        assert "Cambio at" in anna.lanplay("join").out  # the ticket knows the address
    with anna.hosting("--no-announce") as (_, event):
        time.sleep(OPENING)
        assert wheres(ben) == wheres(cleo) == []
        assert "Cambio at" in ben.lanplay("join", "10.9.1.1", "--code", event["code"]).out


@pytest.mark.parametrize("ipv6", [False, True])
def test_without_multicast(world: World, ipv6: bool) -> None:
    anna = world.machine("anna", ipv6).plug("lan", "eth0", "10.9.1.1/24")
    ben = world.machine("ben", ipv6).plug("lan", "eth0", "10.9.1.2/24")
    world.without_multicast()
    with anna.hosting() as (_, event):
        time.sleep(OPENING)
        assert wheres(ben) == ["10.9.1.1"]
        assert "Cambio at" in ben.lanplay("join", "--code", event["code"]).out


def test_without_ipv4(world: World) -> None:
    anna, ben = (world.machine(name).plug("lan", "eth0") for name in ("anna", "ben"))
    with anna.hosting() as (_, event):
        time.sleep(OPENING)
        (where,) = wheres(ben)
        assert where.startswith("fe80::")
        assert where.endswith("%eth0")
        assert "Cambio at" in ben.lanplay("join", "--code", event["code"]).out
        assert "Cambio at" in ben.lanplay("join", where).out


def test_a_host_that_vanishes(anna: Machine, ben: Machine, world: World) -> None:
    with anna.hosting() as (table, _):
        time.sleep(OPENING)
        assert wheres(ben) == ["10.9.1.1"]
        table.end(signal.SIGKILL)
        assert wheres(ben) == []
    with anna.hosting("--port", "0", "--name", "Gone") as (_, event):
        time.sleep(OPENING)
        assert len(wheres(ben)) == 1
        anna.does("ip", "link", "set", "eth0", "down")
        begun = time.monotonic()
        assert wheres(ben) == []
        gone = ben.lanplay("join", f"10.9.1.1:{event['port']}", "--code", event["code"])
        assert (gone.code, gone.err.count("\n")) == (3, 1)
        assert time.monotonic() - begun < 15
        anna.does("ip", "link", "set", "eth0", "up")  # and it comes back
        until = time.monotonic() + 20
        while not wheres(ben):
            assert time.monotonic() < until


def test_names_that_collide(anna: Machine, ben: Machine, world: World) -> None:
    cleo = world.machine("cleo").plug("lan", "eth0", "10.9.1.3/24")
    with anna.hosting("--name", "Cards"), cleo.hosting("--name", "cards", "--open"):
        time.sleep(OPENING)
        assert sorted(wheres(ben)) == ["10.9.1.1", "10.9.1.3"]
        done = ben.lanplay("join", "Cards")
        assert (done.code, done.err.count("\n")) == (2, 1)
        assert "10.9.1.1" in done.err
        assert "10.9.1.3" in done.err
        assert "Cambio at cards" in ben.lanplay("join", "10.9.1.3").out
        assert "Cambio at Cards" in anna.lanplay("join", "Cards").out  # one's own machine comes first


def test_nobody_is_there(ben: Machine) -> None:
    for words in (("list",), ("join",), ("bot", "random"), ("join", "Anna's")):
        done = ben.lanplay(*words)
        assert (done.code, done.err.count("\n")) == (3, 1), done.err


def test_doctor_on_ipv6_alone_and_behind_a_firewall(world: World, anna: Machine, ben: Machine) -> None:
    cleo = world.machine("cleo").plug("lan", "eth0")
    assert says(cleo, "eth0") == ["fine", "fine"]
    assert "hears multicast, which is enough" in cleo.lanplay("doctor").out
    assert says(anna, "eth0") == ["fine", "fine"]
    with anna.hosting() as (_, event):
        time.sleep(OPENING)
        assert says(anna, "port 47800") == ["fine"]
        block(anna, "udp")
        assert says(anna, "eth0") == ["fine", "trouble"]
        assert wheres(ben) == []
        assert "Cambio at" in ben.lanplay("join", "10.9.1.1", "--code", event["code"]).out
    with ben.hosting("--port", "47801"):
        block(ben, "tcp")  # it is announced, and can't be reached
        time.sleep(OPENING)
        begun = time.monotonic()
        assert wheres(cleo) == []
        assert time.monotonic() - begun < 6


def says(machine: Machine, subject: str) -> list[str]:
    """What doctor makes of something."""
    told = json.loads(machine.lanplay("doctor", "--json").out)
    return [one["weight"] for one in told["findings"] if one["subject"] == subject]


def block(machine: Machine, protocol: str) -> None:
    for tables in ("iptables", "ip6tables"):
        machine.does(tables, "-A", "INPUT", "-p", protocol, "-j", "DROP")
