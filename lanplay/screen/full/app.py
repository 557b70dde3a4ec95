"""The full screen itself: draws the picture, and hands on keys. All that is decided is decided in `client`."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType

from lanplay.screen.full.canvas import Canvas
from lanplay.screen.full.client import Client
from lanplay.screen.full.entry import Entry
from lanplay.screen.full.keys import KEYS
from lanplay.screen.full.picture import Size, picture

LOOK = 0.25  # seconds after which the connection and the clock are looked at, though nothing came
OFTEN = 0.03  # the same, where nothing tells when something has come
INTERRUPTED = 130
ENDS = {"SIGINT": INTERRUPTED, "SIGTERM": 143, "SIGHUP": 129}


class FullScreen(App[int]):
    """One table on the whole terminal, until the player leaves or the host closes. Gives the exit code."""

    ENABLE_COMMAND_PALETTE = False
    CSS = """
    Screen { background: ansi_default; color: ansi_default; layers: base; overflow: hidden; }
    #picture { height: 1fr; background: ansi_default; color: ansi_default; }
    #input, #input:focus { height: 1; border: none; padding: 0 1; background: ansi_default; color: ansi_default; }
    #foot { height: 1; background: ansi_default; color: ansi_default; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c,ctrl+q", "interrupt", show=False, priority=True),
    ]

    def __init__(self, client: Client, notices: Callable[[], list[str]] = list) -> None:
        """`notices`: lines that came from elsewhere since the last time."""
        super().__init__(ansi_color=True)
        self.client, self.notices = client, notices
        self.above, self.foot = Canvas(id="picture"), Canvas(id="foot")
        self.input = Entry(self.keys(), self.typed)
        self.failure: Exception | None = None
        self.read_from: int | None = None
        self.animation_level = "none"

    def compose(self) -> ComposeResult:
        yield self.above
        yield self.input
        yield self.foot

    def on_mount(self) -> None:
        self.input.cursor_blink = False
        self.input.focus()
        loop = asyncio.get_running_loop()
        for name, code in ENDS.items():
            with suppress(AttributeError, NotImplementedError, ValueError, RuntimeError):
                loop.add_signal_handler(getattr(signal, name), self.leave, code)
        self.set_interval(LOOK, self.tick)
        self.look()

    def on_unmount(self) -> None:
        self.watch_reading(None)

    # ---- the connection ---------------------------------------------------------------------------------

    def tick(self) -> None:
        """Look, though nothing has come. A new connection may have the old one's descriptor, and not be watched."""
        self.watch_reading(None)
        self.look()

    def look(self) -> None:
        """Take in what has come, and draw."""
        if self.failure or self.return_value is not None:
            return
        try:
            self.client.told(self.notices())
            self.client.hear_all(monotonic())
            self.watch_reading(self.client.peer.fileno() if self.client.mode.end is None else None)
            self.client.hear_all(monotonic())  # the descriptor tells only what comes after it was asked for
        except Exception as error:  # whatever it is, the terminal is given back first
            self._handle_exception(error)
            return
        if self.client.mode.end in ("left", "closed") or self.client.gone:
            self.leave(0)
        self.draw()

    def watch_reading(self, descriptor: int | None) -> None:
        """Look when the connection has something. It has another descriptor after each break."""
        if descriptor == self.read_from:
            return
        loop = asyncio.get_running_loop()
        try:
            if self.read_from is not None:
                loop.remove_reader(self.read_from)
            if descriptor is not None:
                loop.add_reader(descriptor, self.look)
        except NotImplementedError:  # a loop that can't, as on Windows
            if self.read_from is None:
                self.set_interval(OFTEN, self.look)
        self.read_from = descriptor

    def leave(self, code: int) -> None:
        """Give the terminal back."""
        if self.return_value is None:
            self.exit(code)

    def _handle_exception(self, error: Exception) -> None:
        """An error of any kind: the terminal is restored, and the caller hears of it, in a line of its own."""
        self.failure = self.failure or error
        self._exception = self._exception or error
        self._exception_event.set()
        self.leave(1)

    # ---- the screen -------------------------------------------------------------------------------------

    def draw(self) -> None:
        if not self.is_running or self.return_value is not None:
            return
        shown = picture(self.client, Size(self.size.width, self.size.height), monotonic())
        self.above.show(shown.lines)
        self.foot.show([shown.foot])

    def on_resize(self) -> None:
        self.draw()

    # ---- keys -------------------------------------------------------------------------------------------

    def keys(self) -> dict[str, Callable[[], None]]:
        """What each key does."""
        client = self.client
        reactions = {f"f{key}": partial(client.react, key) for key in KEYS}
        timed: dict[str, Callable[[float], None]] = {
            "enter": client.enter,
            "tab": client.complete,
            "shift+tab": client.complete,
            "escape": client.back,
            "f4": client.let_stand,
            "f1": client.help,
            **reactions,
        }
        return {
            **{key: partial(self.do, does) for key, does in timed.items()},
            "up": lambda: self.mark(-1),
            "down": lambda: self.mark(1),
            "left": lambda: self.mark(-client.menu.down),
            "right": lambda: self.mark(client.menu.down),
            "pageup": lambda: self.scroll(-1),
            "pagedown": lambda: self.scroll(1),
            "f2": lambda: self.show_large("table"),
            "f3": lambda: self.show_large("log"),
            "ctrl+d": self.end_of_input,
            "ctrl+l": self.draw_anew,
        }

    def do(self, what: Callable[[float], None]) -> None:
        """Something that may send, or change what is typed."""
        try:
            what(monotonic())
        except Exception as error:
            self._handle_exception(error)
        self.input.set_to(self.client.text)
        self.look()

    def typed(self, text: str) -> None:
        self.client.typed(text, monotonic())
        self.draw()

    def mark(self, by: int) -> None:
        self.client.menu.step(by)
        self.draw()

    def scroll(self, pages: int) -> None:
        self.client.scroll(pages, self.size.height // 3)
        self.draw()

    def show_large(self, part: str) -> None:
        self.client.show_large(part)
        self.draw()

    def draw_anew(self) -> None:
        """Something else has written on the terminal."""
        self.screen.refresh(layout=True)

    def end_of_input(self) -> None:
        if not self.input.value:
            self.leave(0)

    def action_interrupt(self) -> None:
        self.leave(INTERRUPTED)


def play(client: Client, notices: Callable[[], list[str]] = list) -> int:
    """Play on the whole terminal; gives the exit code. Raises what went wrong, such as HostGone."""
    before = {name: signal.getsignal(getattr(signal, name)) for name in ENDS if hasattr(signal, name)}
    app = FullScreen(client, notices)
    try:
        code = app.run(mouse=False)
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
        client.leave()
    if app.failure:
        raise app.failure
    return code or 0
