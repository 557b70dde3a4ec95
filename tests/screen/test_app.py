"""The full screen as it runs: Textual on one side, a real host on loopback on the other."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from typing import Any, cast

import pytest
from textual.pilot import Pilot

from lanplay.games import find as find_game
from lanplay.net import door
from lanplay.net.errors import HostGone
from lanplay.net.find import find, pair
from lanplay.net.host import Host
from lanplay.net.keys import signing_key
from lanplay.net.peer import Peer
from lanplay.record.proof import Pledge
from lanplay.room.follower import Follower
from lanplay.room.room import Room
from lanplay.screen.full import client as client_module
from lanplay.screen.full.app import INTERRUPTED, FullScreen
from lanplay.screen.full.client import Client
from lanplay.screen.full.mode import FullMode

SECONDS = 20.0  # that anything may take


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(door, "GRID", 0.001)
    monkeypatch.setattr(client_module, "REACTION", 0.0)
    monkeypatch.setattr(client_module, "END", 0.0)


@contextmanager
def hosted(game: str = "cambio", size: int = 2, port: int = 0, **options: Any) -> Iterator[Host]:
    rules, pledge = find_game(game), Pledge.new("c0ffee", signing_key())
    room = Room(
        rules,
        rules.defaults.read(options),
        size,
        table="t",
        ties=b"ties",
        pledge=pledge,
        journal=lambda _: None,
    )
    with Host(room, table="t", game=game, port=port, bind="127.0.0.1", table_id="c0ffee") as host:
        yield host


def peer(host: Host, name: str) -> Peer:
    return Peer.connect(pair(find(f"127.0.0.1:{host.port}")[0], name=name), name)


class Hands:
    """What a person does at the keyboard, and sees."""

    def __init__(self, app: FullScreen, pilot: Pilot[int], other: Callable[[], object]) -> None:
        self.app, self.pilot, self.other = app, pilot, other

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)

    async def type(self, text: str) -> None:
        await self.pilot.press(*("space" if letter == " " else letter for letter in text), "enter")

    @property
    def screen(self) -> str:
        """All that is drawn just now."""
        rows = self.app.screen._compositor.render_strips()
        return "\n".join(row.text.rstrip() for row in rows)

    async def until(self, what: str | Callable[[], object]) -> None:
        """Wait for a text on the screen, or for anything."""
        end = time.monotonic() + SECONDS
        while not (what in self.screen if isinstance(what, str) else what()):
            self.other()
            assert time.monotonic() < end, f"{what} never came:\n{self.screen}"
            await self.pilot.pause(0.02)


@asynccontextmanager
async def seated(
    host: Host, name: str = "Ann", other: Callable[[], object] = bool, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Hands]:
    """Somebody at the full screen of this host's table."""
    with peer(host, name) as own:
        app = FullScreen(Client(own, FullMode(), []))
        async with app.run_test(size=size) as pilot:
            yield Hands(app, pilot, other)


class Bob:
    """Declines, draws and discards whenever he is asked."""

    def __init__(self, host: Host) -> None:
        self.peer = peer(host, "B[b]ob[/b]")
        self.follower = Follower()

    def play(self) -> None:
        while told := self.peer.receive(0):
            self.follower.take(told.message, told.secret)
        follower = self.follower
        if follower.asks == "act" and follower.status:
            move = next(move for move in ("pass", "draw", "swap 1") if move in follower.legal)
            self.peer.act(move, follower.step or 0, follower.status.aim)
            follower.asks = None


def test_a_whole_game_by_keys() -> None:
    async def play(host: Host) -> None:
        bob = Bob(host)
        async with seated(host, other=bob.play) as ann:
            follower = ann.app.client.mode.follower
            await ann.until("peek 1 2")
            assert "B[b]ob[/b] (A)" in ann.screen
            await ann.press("down", "enter")  # peek 1 2
            await ann.until("You look at B1")
            for turn in range(3):
                await ann.until(lambda: follower.asks == "act" and "draw" in follower.legal)
                await ann.until("2 draw")
                await (ann.type("2") if turn else ann.type("draw"))
                await ann.until("1 swap 1")
                await ann.press("down", "down", "up", "enter")
                await ann.until("You put")
            await ann.until("The deal is proved")
            assert ann.app.return_value is None
            await ann.press("enter")
            await ann.until(lambda: ann.app.return_value is not None)
            assert ann.app.return_value == 0
            assert any(line.startswith("The game is over.") for line in ann.app.client.last)
        bob.peer.close()

    with hosted(max_turns=6, snap_window=0) as host:
        asyncio.run(play(host))


def test_refusals_resizing_and_leaving() -> None:
    async def play(host: Host) -> None:
        with peer(host, "Bob") as bob:
            async with seated(host, other=partial(bob.receive, 0)) as ann:
                await ann.until("peek 1 2")
                await ann.type("swap 1")
                await ann.until("Not now:")
                for size in ((60, 20), (200, 50), (40, 10), (80, 24)):
                    await ann.pilot.resize_terminal(*size)
                    await ann.until("YOUR MOVE")
                    assert len(ann.screen.splitlines()) == size[1]
                await ann.until("Ann (B, you)")
                await ann.type("say [red]hello[/]")
                await ann.until("Ann says: [red]hello[/]")
                await ann.press("f1")
                await ann.until("F5 to F9")
                await ann.press("escape", "p", "a", "tab")
                assert ann.app.input.value == "pass"
                await ann.press("ctrl+c")
                assert ann.app.return_value == INTERRUPTED

    with hosted() as host:
        asyncio.run(play(host))


def test_keys_are_taken_in_the_order_in_which_they_were_pressed() -> None:
    async def play(host: Host) -> None:
        with peer(host, "Bob") as bob:
            async with seated(host, other=partial(bob.receive, 0)) as ann:
                await ann.until("peek 1 2")
                for key in (
                    "p",
                    "x",
                    "backspace",
                    "a",
                    "s",
                    "s",
                    "enter",
                    "down",
                ):  # without a pause between them
                    ann.app.simulate_key(key)
                await ann.until("You pass.")

    with hosted() as host:
        asyncio.run(play(host))


def test_a_host_that_drops_and_comes_back(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play(host: Host) -> None:
        with peer(host, "Bob") as bob:
            async with seated(host, other=partial(bob.receive, 0)) as ann:
                await ann.until("peek 1 2")
                own = ann.app.client.peer
                assert isinstance(own, Peer)
                monkeypatch.setattr(Peer, "away", True)
                await ann.until("The host is not heard")
                await ann.press(*"pass")
                own.link.close()
                own._dial()
                monkeypatch.undo()
                await ann.until(lambda: "The host is not heard" not in ann.screen)
                await ann.press("enter")
                await ann.until("You pass.")

    with hosted() as host:
        asyncio.run(play(host))


def test_a_host_that_ends_and_one_that_is_gone() -> None:
    async def closed(host: Host) -> None:
        async with seated(host) as ann:
            await ann.until("Waiting for 1 more")
            host.call(lambda: cast(Any, host.room).kick(0, time.monotonic())).result(5)
            await ann.until(lambda: ann.app.return_value is not None)
            assert ann.app.client.mode.end == "closed"

    async def gone(host: Host) -> None:
        with peer(host, "Ann") as own:
            app = FullScreen(Client(own, FullMode(), []))

            def receive(timeout: float | None = 0) -> None:
                raise HostGone("Nobody there.")

            own.receive = receive  # type: ignore[method-assign]
            with pytest.raises(HostGone):
                async with app.run_test() as pilot:
                    await pilot.pause(0.5)
            assert isinstance(app.failure, HostGone)

    for what in (closed, gone):
        with hosted() as host:
            asyncio.run(what(host))


def test_no_colour_if_none_is_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    async def colours(host: Host) -> set[bool]:
        with peer(host, "Bob") as bob:
            async with seated(host, other=partial(bob.receive, 0)) as ann:
                await ann.until("Your hand (")
                rows = ann.app.screen._compositor.render_strips()
                filters = ann.app._filters
                for one in filters:
                    rows = [row.apply_filter(one, ann.app.screen.background_colors[1]) for row in rows]
                styles = [part.style for row in rows for part in row if part.style]
                return {bool(style.color and not style.color.is_default) for style in styles}

    with hosted("cambio-rummy") as host:
        assert asyncio.run(colours(host)) == {True, False}
    monkeypatch.setenv("NO_COLOR", "1")
    with hosted("cambio-rummy") as host:
        assert asyncio.run(colours(host)) == {False}
