"""The rule books, clause by clause: every record under tests/rules plays through, and each clause has one."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from lanplay.games import registry
from lanplay.record.replay import Replay
from lanplay.record.text import read

TESTS = Path(__file__).parents[1]
RECORDS = sorted((TESTS / "rules").glob("*/*.rec"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_the_record_checks(path: Path) -> None:
    replay = Replay(read(path.read_text(encoding="utf-8")))
    for _ in replay.play():
        for seat in range(replay.game.seats):
            replay.object(seat)
    assert re.search(r"^[?!] |^result ", path.read_text(encoding="utf-8"), re.MULTILINE), "it expects nothing"


@pytest.mark.parametrize("name", sorted(registry()))
def test_every_clause_of_the_rule_book_has_a_record(name: str) -> None:
    book = (TESTS.parent / "seeds" / registry()[name].book).read_text(encoding="utf-8")
    clauses = re.findall(r"\b([A-Z]\d+\.\d+) ", "\n".join(re.findall(r"^[-|] .*", book, re.MULTILINE)))
    letter = Counter(clause[0] for clause in clauses).most_common(1)[0][0]  # other books are only referred to
    wanted = {clause for clause in clauses if clause[0] == letter}
    proved = {path.stem.split("-")[0] for path in RECORDS if path.parent.name == name}
    assert wanted <= proved, f"no record for {sorted(wanted - proved)}"
