"""Tables found and joined by name, over the loopback interface; the commands that tell what is there."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lanplay.cli.doctor import lines, terminal
from lanplay.cli.lists import described
from lanplay.cli.lists import lines as rows
from lanplay.net.advice import Finding
from lanplay.net.find import Found
from tests.cli.run import Done, lanplay, running

ANNA = Found("Anna's table", "cambio", "10.0.0.1", 47800, "cafe", seats=4, taken=1)


@pytest.fixture
def away(home: Path) -> dict[str, str]:
    """Somebody on another machine."""
    return {"LANPLAY_HOME": str(home / "elsewhere"), "LANPLAY_LAN": "lo"}


def listed(away: dict[str, str], name: str) -> dict[str, Any]:
    """The table of this name in the list, once it is there."""
    for _ in range(5):
        done = lanplay("list", "--json", **away)
        found = [one for one in json.loads(done.out)["tables"] if one["table"] == name]
        if found:
            return dict(found[0])
    raise AssertionError(done)


def test_a_table_is_listed_joined_by_name_and_gone(away: dict[str, str]) -> None:
    name = "A table for test_lan"
    with running("host", "cambio", "--port", "0", "--json", "--name", name, LANPLAY_LAN="lo") as table:
        event = table.event("open")
        found = listed(away, name)
        assert found["where"] == f"127.0.0.1:{event['port']}"
        assert (found["seats"], found["free"], found["open"], found["here"]) == (2, 2, False, False)
        assert f"Cambio at {name}" in lanplay("join", name.upper(), "--code", event["code"], **away).out
        assert f"Cambio at {name}" in lanplay("join", name, **away).out  # no code again
        table.type("quit")
        assert table.end().code == 0
    gone = lanplay("join", name, **away)
    assert (gone.code, gone.err.count("\n")) == (3, 1)
    assert "lanplay list" in gone.err


def test_who_does_not_announce_is_not_found(away: dict[str, str]) -> None:
    words = ("host", "cambio", "--port", "0", "--json", "--name", "Hidden", "--no-announce")
    with running(*words, LANPLAY_LAN="lo") as table:
        table.event("open")
        assert "Hidden" not in lanplay("list", **away).out


def test_a_table_bound_to_one_address_is_joined_on_this_machine() -> None:
    with running(
        "host", "cambio", "--port", "0", "--json", "--bind", "127.0.0.2", "--bot", "random"
    ) as table:
        event = table.event("open")
        assert event["addresses"] == ["127.0.0.2"]
        assert table.event("joined")["name"] == "random"
        assert "Cambio at" in lanplay("join", "--name", "Ann", stdin="quit\n").out


def test_no_table_anywhere() -> None:
    def one_line(done: Done) -> bool:
        return done.code == 3 and done.err.count("\n") == 1 and "lanplay host" in done.err

    assert one_line(lanplay("list"))
    assert one_line(lanplay("join"))
    assert one_line(lanplay("bot", "random"))
    empty = lanplay("list", "--json")
    assert (empty.code, empty.out, empty.err) == (3, '{"tables": []}\n', "")


# ---- what is shown ------------------------------------------------------------------------------------


def test_tables_in_columns() -> None:
    ben = ANNA._replace(table="Ben", address="fe80::1%eth0", port=99, open=True, seats=0)
    mine = ANNA._replace(table="Mine", token="x", taken=9)
    assert rows([ANNA, ben, mine]) == [
        "Anna's table  cambio  3 of 4 seats free  join code        10.0.0.1",
        "Ben           cambio  seats not told     open to anyone   [fe80::1%eth0]:99",
        "Mine          cambio  0 of 4 seats free  on this machine  10.0.0.1",
        'To join one: lanplay join "Anna\'s table"',
    ]
    assert rows([ANNA, ANNA])[-1] == "To join one: lanplay join 10.0.0.1"
    assert described(ben)["free"] is None


def test_doctor() -> None:
    done = lanplay("doctor")
    assert done.code == 0
    assert "port 47800" in done.out
    told = json.loads(lanplay("doctor", "--json").out)
    assert told.keys() == {"ok", "findings", "surroundings"}
    assert all(one.keys() == {"weight", "subject", "says", "todo"} for one in told["findings"])
    assert told["ok"] == ("TROUBLE" not in done.out)


def test_troubles_come_last() -> None:
    found = [Finding("trouble", "a", "is bad", "Mend it."), Finding("fine", "b", "is good")]
    assert lines(found) == ["ok      b: is good.", "TROUBLE a: is bad.", "        Mend it."]
    assert lines(found[1:])[-1] == "Nothing here keeps others from joining."


@pytest.mark.parametrize(
    ("term", "encoding", "is_terminal", "weight"),
    [
        ("xterm", "utf-8", True, "fine"),
        ("xterm", "cp1252", True, "note"),
        ("dumb", "UTF8", True, "note"),
        ("dumb", "cp1252", False, "fine"),
        ("xterm", None, True, "note"),
    ],
)
def test_terminals(term: str, encoding: str | None, is_terminal: bool, weight: str) -> None:
    (found,) = terminal({"TERM": term}, encoding, is_terminal)
    assert found.weight == weight
