"""Machines and networks of our own: network namespaces, joined by bridges in a namespace that is the cables."""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.cli.run import Done, Program, lanplay, running


def run(*words: str) -> None:
    subprocess.run(words, check=True, capture_output=True, text=True)


class Machine:
    """A computer with a home of its own, and the networks it is plugged into."""

    def __init__(self, world: World, name: str, ipv6: bool) -> None:
        self.world, self.space, self.home = world, f"{world.prefix}-{name}", world.folder / name
        world.add(self.space)
        for where in ("all", "default"):
            self.does("sysctl", "-qw", f"net.ipv6.conf.{where}.accept_dad=0")
            self.does("sysctl", "-qw", f"net.ipv6.conf.{where}.disable_ipv6={int(not ipv6)}")
        self.does("ip", "link", "set", "lo", "up")
        self.ports: dict[str, str] = {}

    @property
    def before(self) -> Sequence[str]:
        return ("ip", "netns", "exec", self.space)

    def does(self, *words: str) -> None:
        run(*self.before, *words)

    def plug(self, network: str, interface: str, address: str | None = None) -> Machine:
        """A cable into a network; without an address it gets only what IPv6 gives by itself."""
        port = self.ports[interface] = self.world.port(network)
        inside = ("netns", self.world.cables, "type", "veth", "peer", "name", interface, "netns", self.space)
        run("ip", "link", "add", port, *inside)
        run("ip", "-n", self.world.cables, "link", "set", port, "master", network, "up")
        self.give(interface, address)
        return self

    def pretend(self, interface: str, address: str) -> None:
        """An interface that leads nowhere, such as those of containers and VPNs."""
        self.does("ip", "link", "add", interface, "type", "bridge")
        self.give(interface, address)

    def give(self, interface: str, address: str | None) -> None:
        if address:
            self.does("ip", "addr", "add", address, "brd", "+", "dev", interface)
        self.does("ip", "link", "set", interface, "up")

    def lanplay(self, *words: str, stdin: str | None = None) -> Done:
        return lanplay(*words, stdin=stdin, before=self.before, LANPLAY_HOME=str(self.home), LANPLAY_LAN="")

    @contextmanager
    def running(self, *words: str) -> Iterator[Program]:
        with running(*words, before=self.before, LANPLAY_HOME=str(self.home), LANPLAY_LAN="") as program:
            yield program

    @contextmanager
    def hosting(self, *words: str) -> Iterator[tuple[Program, dict[str, Any]]]:
        """A table, and what it said when it was opened."""
        with self.running("host", "cambio", "--json", *words) as table:
            try:
                yield table, table.event("open")
            finally:
                if table.process.poll() is None:
                    table.end(signal.SIGTERM)


class World:
    """All of it; nothing is left of it in the end."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.prefix = folder, f"lanplay{os.getpid()}"
        self.spaces: list[str] = []
        self.ports = 0
        self.cables = f"{self.prefix}-cables"
        self.add(self.cables)

    def add(self, space: str) -> None:
        run("ip", "netns", "add", space)
        self.spaces.append(space)

    def network(self, name: str) -> None:
        """A switch. It floods multicast, as the cheap ones do."""
        run(*("ip", "-n", self.cables, "link", "add", name, "type", "bridge", "mcast_snooping", "0"))
        run("ip", "-n", self.cables, "link", "set", name, "up")

    def port(self, network: str) -> str:
        self.ports += 1
        return f"{network}{self.ports}"

    def without_multicast(self) -> None:
        """From now on no switch passes on what is for a group; broadcasts still are."""
        for number in range(1, self.ports + 1):
            for network in ("lan", "wifi"):
                words = ("link", "set", f"{network}{number}", "type", "bridge_slave", "mcast_flood", "off")
                subprocess.run(("ip", "-n", self.cables, *words), check=False, capture_output=True)

    def machine(self, name: str, ipv6: bool = True) -> Machine:
        return Machine(self, name, ipv6)

    def end(self) -> None:
        for space in self.spaces:
            run("ip", "netns", "del", space)
