"""The input line: every key goes through here one after the other, in the order in which they were pressed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from textual import events
from textual.binding import Binding
from textual.widgets import Input

HINT = "a move, its number, or say …"


class Entry(Input):
    """What is typed, and all keys that do something: `keys` by their names, `typed` after each change.

    Textual would do its bindings apart from what is typed, so that Enter could overtake the letters before it.
    """

    def __init__(self, keys: Mapping[str, Callable[[], None]], typed: Callable[[str], None]) -> None:
        super().__init__(id="input", placeholder=HINT, select_on_focus=False, compact=True)
        self.keys, self.typed = keys, typed
        self.editing = {key: one.action for one in edits() for key in one.key.split(",")}

    async def _on_key(self, event: events.Key) -> None:
        event.stop()
        event.prevent_default()
        if event.key in ("left", "right") and self.value:
            await self.run_action(self.editing[event.key])
        elif event.key in self.keys:
            self.keys[event.key]()
        elif event.is_printable and event.character:
            self.insert_text_at_cursor(event.character)
            self.typed(self.value)
        elif event.key in self.editing:
            await self.run_action(self.editing[event.key])
            self.typed(self.value)

    def _on_paste(self, event: events.Paste) -> None:
        event.stop()
        event.prevent_default()
        self.insert_text_at_cursor(" ".join(event.text.split()))
        self.typed(self.value)

    def set_to(self, text: str) -> None:
        """Show another text."""
        if self.value != text:
            self.value = text
            self.cursor_position = len(text)


def edits() -> list[Binding]:
    """What Input can do with keys."""
    return [
        one for one in Input.BINDINGS if isinstance(one, Binding) and one.action not in ("submit", "copy")
    ]
