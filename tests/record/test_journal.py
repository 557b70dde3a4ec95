"""A record while it is written."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from lanplay.record.journal import Journal, JournalError


def test_a_closed_record_does_not_write_into_the_file_that_has_its_number_now(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "a.rec")
    journal.append("one\n")
    journal.close()
    other = os.open(tmp_path / "b", os.O_CREAT | os.O_RDWR)
    assert other == journal.file
    with pytest.raises(JournalError, match="closed"):
        journal.append("two\n")
    journal.close()  # again does nothing: it would close the other one
    os.fstat(other)
    os.close(other)
    assert (tmp_path / "a.rec").read_text() == "one\n"
    assert (tmp_path / "b").read_text() == ""
