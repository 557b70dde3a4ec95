"""The rule book at the table: whole if it is short, else by its parts, clauses and words; each clause in one line."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

PAGE = 24  # clauses of a book that is shown whole
FOUND = 6  # clauses that are shown for a word
CLAUSE = re.compile(r"[A-Z]+[0-9]+\.[0-9]+ ")
MORE = "Type rules 3 for a part, rules with the number of a clause or a word, or rules all."


def looked_up(book: str, words: str) -> list[str]:
    """What to show for `rules`, and for `rules` with words: `all`, a part (`3`), a clause (`R3.3`), or any word."""
    lines = list(joined(book))
    if words.lower() == "all" or (not words and len(lines) <= PAGE):
        return [bare(line) for line in lines]
    if not words:
        return [*(bare(line) for line in lines if line.startswith("#")), MORE]
    found = clause(lines, words) or part(lines, words) or (about(lines, words) if not words.isdigit() else [])
    return [bare(line) for line in found] or [f"The rule book says nothing of {words}. {MORE}"]


def joined(book: str) -> Iterator[str]:
    """The lines of the book, each with those that only go on; the terminal breaks them where it likes."""
    whole = ""
    for line in book.splitlines():
        text = line.strip()
        if whole and line.startswith("  ") and not text.startswith("- "):
            whole += f" {text}"
            continue
        if whole:
            yield whole
        whole = line.rstrip()
    if whole:
        yield whole


def bare(line: str) -> str:
    """Without the marks of the text's form."""
    text = re.sub(r"^#+ |^- ", "", line)
    return re.sub(r"\*\*|`", "", text.replace("**R**", "[R]"))


def number(line: str) -> str:
    """Of the clause that begins here: `R3.3`; empty if none does."""
    found = CLAUSE.match(bare(line))
    return found[0].strip() if found else ""


def clause(lines: Sequence[str], wanted: str) -> list[str]:
    """The clause with this number, with the list that belongs to it."""
    starts = [at for at, line in enumerate(lines) if number(line).lower() == wanted.lower()]
    return [lines[at] for start in starts for at in range(start, after(lines, start))]


def after(lines: Sequence[str], start: int) -> int:
    """Where the clause that begins here has ended."""
    end = start + 1
    while end < len(lines) and lines[end].startswith("  "):
        end += 1
    return end


def part(lines: Sequence[str], wanted: str) -> list[str]:
    """A part of the book with all its clauses."""
    starts = [at for at, line in enumerate(lines) if line.startswith("## ")]
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=False):
        if lines[start].startswith(f"## {wanted}."):
            return list(lines[start:end])
    return []


def about(lines: Sequence[str], words: str) -> list[str]:
    """The first clauses in which these words stand."""
    said = re.compile(rf"\b{re.escape(words)}", re.IGNORECASE)
    found = [line for line in lines if number(line) and said.search(bare(line))]
    rest = len(found) - FOUND
    return found[:FOUND] + [f"In so many more clauses too: {rest}. Type more of the words."] * (rest > 0)
