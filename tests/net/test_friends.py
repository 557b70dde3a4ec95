"""Who was let in by code once needs none again at any table of that host, and is not taken in by another host."""

from __future__ import annotations

from pathlib import Path

import pytest

from lanplay.net import find, friends, known
from lanplay.net.errors import CodeNeeded, HostChanged, Refused, WrongCode
from lanplay.net.friends import Friends
from lanplay.net.host import Host
from lanplay.net.pairing import Question
from lanplay.net.peer import Peer
from tests.net.fake import FakeRoom, greeted


def opened(table_id: str | None = None, open_: bool = False) -> Host:
    return Host(FakeRoom(), table="t", game="fake", port=0, bind="127.0.0.1", open=open_, table_id=table_id)


def asked(host: Host) -> find.Found:
    """The table as it is found on the LAN, without a ticket."""
    return find.ask("127.0.0.1", host.port)


def paired(host: Host) -> None:
    """A first time, by code."""
    invitation = find.pair(asked(host), host.code, "Ben")
    invitation.identity.release()
    assert invitation.grant.friend
    assert invitation.grant.friend.host == asked(host).host


def test_a_host_that_was_met_asks_for_no_code_again() -> None:
    with opened() as host:
        with pytest.raises(CodeNeeded):
            find.pair(asked(host))
        paired(host)
        again = find.pair(asked(host), None, "Ben")
        assert (again.how, again.grant.friend) == ("known", None)
        greeted(Peer.connect(again, "Ben"))
        other = find.pair(asked(host), None, "Ben")  # another terminal: another seat
        assert other.identity.keys != again.identity.keys
        greeted(Peer.connect(other, "Ben"))
        other.identity.release()
        again.identity.release()
        assert host.door.failures == 0


def test_neither_does_its_next_table_nor_the_same_one_opened_again() -> None:
    with opened() as host:
        paired(host)
        mine = find.pair(asked(host), None, "Ben")
        greeted(Peer.connect(mine, "Ben")).close()  # who has come is remembered
    for table_id, same in ((host.table_id, True), (None, False)):
        with opened(table_id) as later:
            back = find.pair(asked(later), None, "Ben")
            back.identity.release()
            assert back.how == "known"
            assert (back.identity.keys == mine.identity.keys) is same  # and so the seat
            assert (back.grant.secret == mine.grant.secret) is same


def test_a_code_that_is_given_is_used() -> None:
    with opened() as host:
        paired(host)
        wrong = "able-able-able" if host.code != "able-able-able" else "about-about-about"
        with pytest.raises(WrongCode):
            find.pair(asked(host), wrong)


def test_a_host_that_has_forgotten_asks_for_its_code() -> None:
    with opened() as host:
        paired(host)
        host.door.friends.forget()
        with pytest.raises(CodeNeeded, match="does not know this machine any more"):
            find.pair(asked(host))
        paired(host)
        assert find.pair(asked(host)).how == "known"


def test_an_open_table_of_a_host_that_has_forgotten_is_open() -> None:
    with opened() as host:
        paired(host)
    with opened(open_=True) as host:
        assert find.pair(asked(host)).how == "known"
        host.door.friends.forget()
        invitation = find.pair(asked(host))
        assert (invitation.how, invitation.grant.friend) == (
            "open",
            None,
        )  # nothing was proved: nothing is remembered


def test_who_poses_as_a_host_that_was_met_is_refused_loudly(monkeypatch: pytest.MonkeyPatch) -> None:
    with opened() as host:
        paired(host)
        false = asked(host)
        monkeypatch.setattr(Friends, "token", lambda self, name: "00" * 32)  # it can't know the right one
        with pytest.raises(HostChanged, match=r"IS NOT THE ONE IT SAYS IT IS") as refused:
            find.pair(false)
        path = known.friend_path(false.host)
        assert str(path) in str(refused.value)
        assert path.exists()
        path.unlink()  # as it was told
        with pytest.raises(CodeNeeded):
            find.pair(false)
        assert host.door.failures == 0  # it was no guess at the code


def test_a_name_that_is_no_friends_is_refused() -> None:
    with opened() as host, find.call("127.0.0.1", host.port) as line:
        line.send(Question(1, "known", bytes(33), "ab" * 16))
        with pytest.raises(Refused, match="does not know this machine"):
            find.answer(line, Question(1), Question, "127.0.0.1", host.port)


def test_what_is_remembered_is_private_and_bounded(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(friends, "REMEMBERED", 3)
    mine = Friends()
    first, *others = [mine.befriend() for _ in range(4)]
    with mine.path.open("ab") as file:
        file.write(b'{"name": "torn')
    monkeypatch.setattr(friends, "REMEMBERED", 4)
    assert mine.token(first.name) is None
    assert [Friends().token(one.name) for one in others] == [one.token for one in others]
    assert mine.token("") is None
    files = [path for path in (home / "host").iterdir() if path.suffix != ".lock"]
    assert {path.stat().st_mode & 0o077 for path in files} == {0}
    (home / "host" / "itself.json").unlink()  # another host: its friends are of the one before
    assert Friends().host != mine.host
    assert mine.token(others[0].name) is None
