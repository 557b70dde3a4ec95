"""Words and files that no one sane would give, and what is said to them."""

from __future__ import annotations

import pytest

from tests.cli.run import lanplay


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("replay", "/dev/zero"), 2, "too large"),
        (("verify", "/dev/zero"), 2, "too large"),
        (("join", "a..b"), 3, "What can be joined"),
        (("join", "x" * 70), 3, "What can be joined"),
        (("match", "cambio", "random", "random", "--games", "9" * 20), 2, "whole number"),
        (("match", "cambio", "random", "random", "--seed", "9" * 30), 2, "whole number"),
        (("host", "cambio", "--turn-time", "nan"), 2, "number of seconds"),
        (("host", "cambio", "--grace", "1e300"), 2, "604800"),
    ],
)
def test_it_is_told_in_a_line(words: tuple[str, ...], code: int, said: str) -> None:
    done = lanplay(*words)
    assert done.code == code
    assert said in done.err
    assert done.err.count("\n") == 1


@pytest.mark.parametrize(
    ("where", "code", "said"),
    [
        ("> /dev/full", 2, "lanplay: The output can't be written: no space is left there.\n"),
        (">&-", 0, ""),
        ("<&-", 0, ""),
        ("<&- >&- 2>&-", 0, ""),
    ],
)
def test_streams_that_are_closed_or_full(where: str, code: int, said: str) -> None:
    done = lanplay("games", before=("sh", "-c", f'exec "$@" {where}', "sh"))
    assert (done.code, done.err) == (code, said)
