"""What host and peer remember on disk, and how much of it."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from lanplay.net import friends, known
from lanplay.net import home as keeping
from lanplay.net.book import Book, Guest, Page, Ports, Seated
from lanplay.net.friends import Friends
from lanplay.net.home import hold, home, prune, write_private
from lanplay.net.host import Host
from lanplay.net.keys import Keys


def test_a_book_survives_a_torn_line_and_forgets_who_was_removed() -> None:
    first, keys = Book("cafe"), Keys.new()
    first.write(Page(keys))
    first.write(Page(guest=Guest(b"a" * 32, b"1" * 32)))
    first.write(Page(guest=Guest(b"b" * 32, b"2" * 32)))
    first.write(Page(guest=Guest(b"a" * 32, None)))
    with first.path.open("ab") as file:
        file.write(b'{"guest": {"key')
    first.close()
    first.write(Page(guest=Guest(b"c" * 32, b"3" * 32)))  # too late
    second = Book("cafe")
    second.write(Page(guest=Guest(b"d" * 32, b"4" * 32)))
    third = Book("cafe")
    assert third.keys == keys
    assert third.guests == {b"b" * 32: b"2" * 32, b"d" * 32: b"4" * 32}
    second.close()
    third.close()
    with pytest.raises(ValueError, match="no id"):
        Book("../x")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no disk that is always full")
def test_a_full_disk_does_not_stop_a_table_and_its_pages_are_written_later() -> None:
    book = Book("f0011")
    file, book.file = book.file, os.open("/dev/full", os.O_WRONLY)
    book.write(Page(guest=Guest(b"a" * 32, b"s" * 32)))
    os.close(book.file)
    book.file = file
    assert not Book("f0011").guests
    book.write(Page(guest=Guest(b"b" * 32, b"t" * 32)))
    assert set(Book("f0011").guests) == {b"a" * 32, b"b" * 32}
    book.close()


def test_what_was_not_used_for_long_is_thrown_away_but_not_the_last_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "FEW", 3)
    for number in range(8):
        path = tmp_path / f"{number}.json"
        write_private(path, Keys.new())
        os.utime(path, (number, number))  # all as old as if the clock had leapt ahead
    held = hold(tmp_path / "0.json")
    assert held is not None
    prune(tmp_path, "*.json")
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "0.json",
        "0.lock",
        "5.json",
        "6.json",
        "7.json",
    ]
    os.close(held)
    for number in range(2000):
        (tmp_path / f"n{number}.json").touch()
    prune(tmp_path, "*.json")
    assert len(list(tmp_path.iterdir())) == keeping.MANY


def test_a_key_at_a_table_is_not_thrown_away_while_it_is_in_use(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keeping, "FEW", 0)
    monkeypatch.setattr(keeping, "KEPT", -1.0)
    used = known.identity("cafe", "Ann")
    left = known.identity("cafe", "Ben")
    left.release()
    known.identity("cafe", "Cid").release()
    assert len(list((home() / "seats").glob("*.json"))) == 2  # of Ann and Cid
    assert known.identity("cafe", "Ann").keys != used.keys  # the first is another's
    used.release()
    assert known.identity("cafe", "Ann").keys == used.keys


def test_a_lock_that_was_thrown_away_meanwhile_holds_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, beside = tmp_path / "x.json", tmp_path / "x.lock"

    def lock(file: int, locks: list[int] = []) -> None:  # noqa: B006 - counts the calls
        locks.append(file)
        if len(locks) == 1:
            beside.unlink()  # by another process, between opening and locking

    monkeypatch.setattr(keeping, "lock", lock)
    held = hold(path)
    assert held is not None
    assert os.path.samestat(os.fstat(held), beside.stat())
    os.close(held)


def test_a_drive_without_locks_is_said_and_not_tried_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    def lock(file: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(keeping, "lock", lock)
    with pytest.raises(OSError, match=r"No locks available: .*seats"):
        known.identity("cafe", "Ann")


def test_an_open_table_is_not_thrown_away_and_old_ones_are(
    host: Host, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(keeping, "FEW", 0)
    old = Book("dead")
    old.close()
    for path in (old.path, host.book.path):
        os.utime(path, (1, 1))
    Book("cafe").close()
    assert not old.path.exists()
    assert host.book.path.exists()


# ---- many guests ----------------------------------------------------------------------------------


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_many_who_pair_drop_neither_who_plays_nor_who_is_here_nor_who_was_just_here(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("lanplay.net.book.MOST", 80)
    book = Book("cafe")
    plays, here, was_here, was_there, paired = map(key, range(5))
    for number, guest in enumerate((plays, here, was_there, was_here)):
        book.admit(guest)
        book.saw(guest, float(number))
    book.write(Page(seated=[Seated(plays, "Ann", "person")]))
    book.admit(paired)
    secret = book.guests[plays]
    dropped = []
    for number in range(5, 500):
        book.admit(key(number))
        dropped += book.trim({here})
        assert len(book.guests) <= 80
    assert {plays, here, was_there, was_here} <= book.guests.keys()
    assert book.admit(plays) == secret
    assert dropped[0] == paired
    for number in range(1000, 1200):  # these come, and go at once
        book.admit(key(number))
        book.saw(key(number), float(number))
        dropped += book.trim({here})
    assert was_there in dropped
    assert {plays, here, key(1199)} <= book.guests.keys()
    book.close()
    again = Book("cafe")
    assert again.guests[plays] == secret
    assert key(499) not in again.guests  # only who comes is written down
    again.close()


def test_a_book_that_has_grown_long_is_written_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    book, keys = Book("cafe"), Keys.new()
    monkeypatch.setattr("lanplay.net.book.MOST", 40)
    book.write(Page(keys, Ports(1, 2), setup={"table": "t"}))
    book.write(Page(guest=Guest(key(0), None)))
    for number in range(1, 500):
        book.admit(key(number))
        book.saw(key(number), float(number))
        book.trim(())
        if number % 2:
            book.write(Page(dropped=key(number)))
    assert len(book.path.read_bytes().split(b"\n\n")) < 200
    book.close()
    again = Book("cafe")
    assert (again.keys, again.ports, again.setup, again.removed) == (
        keys, Ports(1, 2), {"table": "t"}, {key(0)},
    )  # fmt: skip
    assert book.guests.items() <= again.guests.items()
    assert len(again.guests) < 100
    assert key(498) in again.guests
    assert key(499) not in again.guests
    again.close()
    assert book.path.stat().st_mode & 0o077 == 0


def test_many_friends_do_not_make_the_file_grow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends, "REMEMBERED", 10)
    monkeypatch.setattr(friends, "LONG", 5000)
    mine = Friends()
    for _ in range(100):
        last = mine.befriend()
        assert mine.token(last.name) == last.token
    assert mine.path.stat().st_size <= 5200
    assert mine.path.stat().st_mode & 0o077 == 0
