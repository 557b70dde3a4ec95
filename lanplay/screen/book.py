"""The rule book at the table: whole if it is short, else by its parts, clauses and words."""

from __future__ import annotations

from collections.abc import Sequence

PAGE = 40  # lines of a book that is shown whole
FOUND = 8  # clauses that are shown for a word


def looked_up(book: str, words: str) -> list[str]:
    """What to show for `rules`, and for `rules` with words: `all`, a part (`3`), a clause (`R3.3`), or any word."""
    lines = book.splitlines()
    if words.lower() == "all" or (not words and len(lines) <= PAGE):
        return lines
    if not words:
        return headings(lines)
    return clause(lines, words) or part(lines, words) or about(lines, words) or [unknown(words)]


def headings(lines: Sequence[str]) -> list[str]:
    """The title and the parts."""
    heads = [line.lstrip("# ") for line in lines if line.startswith("#")]
    return [*heads, "Type rules 3 for a part, rules with the number of a clause or a word, or rules all."]


def part(lines: Sequence[str], number: str) -> list[str]:
    """A part of the book with all its clauses."""
    starts = [at for at, line in enumerate(lines) if line.startswith("## ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        if lines[start].startswith(f"## {number}."):
            return [line for line in lines[start:end] if line.strip()]
    return []


def clauses(lines: Sequence[str]) -> list[list[str]]:
    """Every clause with the lines that belong to it."""
    found: list[list[str]] = []
    open_ = False
    for line in lines:
        if line.startswith("- "):
            found.append([line.removeprefix("- ")])
        elif open_ and line.startswith("  "):
            found[-1].append(line.strip())
        open_ = line.startswith(("- ", "  ")) and bool(found)
    return found


def clause(lines: Sequence[str], number: str) -> list[str]:
    """The clause with this number."""
    return next((found for found in clauses(lines) if found[0].lower().startswith(f"{number.lower()} ")), [])


def about(lines: Sequence[str], words: str) -> list[str]:
    """The first clauses in which these words stand."""
    found = [whole for whole in clauses(lines) if words.lower() in " ".join(whole).lower()]
    more = [f"And {len(found) - FOUND} more clauses: type more of the words, or rules all."]
    return [line for whole in found[:FOUND] for line in whole] + more * (len(found) > FOUND)


def unknown(words: str) -> str:
    return f"The rule book says nothing of {words}. Type rules for what it holds."
