"""What a record proves by itself, and every line of it that somebody might change."""

from __future__ import annotations

import re
import stat
from functools import cache
from pathlib import Path

import pytest

from lanplay.record import verify as module
from lanplay.record.journal import JournalError
from lanplay.record.kept import Kept
from lanplay.record.proof import Chain, Pledge, Proof, commitment, signed
from lanplay.record.replay import Check, Replay
from lanplay.record.text import RecordError, read
from lanplay.record.verify import Unproved, verify
from tests.room.honest import KEY, TABLE, short

RULES = Path(__file__).parent.parent / "rules" / "cambio"


@cache
def record() -> str:
    """Of a short game of Ann and Bob."""
    return short().play().record


def ended(lines: list[str]) -> str:
    """These lines with a chain over them, signed by the host."""
    kept = [line for line in lines if not line.startswith(("head ", "signature "))]
    secret = next(line for line in kept if line.startswith("secret host ")).split()[-1]
    chain = Chain(TABLE, bytes.fromhex(secret))
    for line in kept:
        chain.add(line)
    signature = KEY.sign(signed(TABLE, chain.head)).hex()
    return "\n".join([*kept, f"head {chain.head.hex()}", f"signature {signature}", ""])


def changed(pattern: str, new: str, again: bool) -> str:
    """The record with the first line of this pattern changed; `again`: the host chains and signs it anew."""
    text, count = re.subn(pattern, new, record(), count=1, flags=re.MULTILINE)
    assert count == 1
    return ended(text.splitlines()) if again else text


def why(text: str) -> str:
    with pytest.raises(Check) as error:
        verify(text)
    return str(error.value)


def test_a_record_as_it_was_written_is_proved() -> None:
    proved = verify(record())
    assert proved.shared == ["A", "B"]
    assert proved.winners == record().split("winner ")[1].split("\n")[0].split()
    assert proved.made_of == "all shuffles come from the secrets of seats A B and the host"
    assert proved.heads[-1].hex() in record()
    assert ended(record().splitlines()) == record()


def test_each_step_has_its_heads() -> None:
    proved = verify(record())
    steps = [proved.heads_at(step) for step in range(proved.replay.game.accepted + 2)]
    assert [head for heads in steps for head in heads] == proved.heads
    assert all(steps[:-1])
    assert steps[-1] == ()


@pytest.mark.parametrize("number", range(len(record().splitlines())))
def test_no_line_can_be_left_out_or_moved(number: int) -> None:
    lines = record().splitlines()
    for text in (
        [*lines[:number], *lines[number + 1 :]],
        [*lines[:number], *lines[number : number + 2][::-1], *lines[number + 2 :]],
        [*lines[:number], "# nothing", *lines[number:]],
    ):
        if text != lines:
            with pytest.raises((Check, RecordError, Unproved)):
                verify("\n".join([*text, ""]))


OTHER = "ab" * 32


@pytest.mark.parametrize(
    ("pattern", "new", "told"),
    [
        ("^commitment host .*", f"commitment host {OTHER}", "the host committed to another secret"),
        ("^commitment B .*", f"commitment B {OTHER}", "seat B committed to another secret"),
        ("^secret host .*", f"secret host {OTHER}", "the host committed to another secret"),
        ("^secret A .*", f"secret A {OTHER}", "seat A committed to another secret"),
        ("^secret B .*\n", "", "seat B was left out, and no line says so"),
        ("^secret B .*", "left-out B silent", "this deck is not what the secrets give (round 1, shuffle 1)"),
        ("^secret B (.*)", r"secret B \1\nleft-out B wrong", "seat B is said to be left out, and"),
        ("^seat B Bob", "seat B Rob", "this deck is not what the secrets give"),
        ("^table .*", "table 0ther", "committed to another secret"),
        ("^signer .*", f"signer {OTHER}", "this deck is not what the secrets give"),
        (r"^deck (\S+) (\S+)", r"deck \2 \1", "this deck is not what the secrets give"),
        (r"^secret A ", "secret C ", "seat A was left out, and no line says so"),
        ("^secret A .*", "secret A 12", "secret A is not 32 bytes in hexadecimal"),
        ("^secret A ", "secret Z ", "secret names no seat"),
        ("^(secret A .*)", r"\1\n\1", "secret A stands there twice"),
        ("^(table .*)", r"\1\n\1", "table stands there twice"),
        ("^secret A .*", "left-out A asleep", "left-out A can't be read"),
        (r"^result A (\S+)", r"result A \g<1>9", "result: "),
    ],
)
def test_a_host_that_writes_another_record_is_found_out(pattern: str, new: str, told: str) -> None:
    assert told in why(changed(pattern, new, again=True))


def test_a_move_that_was_changed_breaks_the_chain_or_the_rules() -> None:
    text = re.sub(r" @[0-9.]+", " @9.999", record(), count=1)
    assert "some were changed or left out" in why(text)


def test_a_signature_of_another_or_over_another_head_is_none() -> None:
    forged = KEY.sign(signed(TABLE, bytes(32))).hex()
    for new in (forged, "00" * 64):
        assert "the host has not signed this record" in why(
            changed("^signature .*", f"signature {new}", again=False)
        )


def test_what_stands_after_the_end_was_not_signed() -> None:
    assert "something stands after the end" in why(record() + "# more\n")


def test_the_hosts_secret_is_shown_when_the_game_is_over() -> None:
    lines = [line for line in record().splitlines() if not line.startswith("result ")]
    del lines[-4]  # the last action
    assert "the game is not over" in why(ended(lines))


def test_records_without_a_proof_say_why() -> None:
    for rule in sorted(RULES.glob("*.rec"))[:3]:
        with pytest.raises(Unproved, match="no proof is in it"):
            verify(rule.read_text(encoding="utf-8"))
    with pytest.raises(Unproved, match="not played to the end"):
        verify(record().split("secret host")[0])
    with pytest.raises(RecordError):
        verify("hm")


def test_a_record_with_a_proof_replays_as_one_without() -> None:
    replay = Replay(read(record()))
    for _ in replay.play():
        pass
    assert replay.game.over
    assert set(module.WORDS).isdisjoint(item.kind for item in replay.record.items)


def test_a_proof_gives_what_is_to_be_written() -> None:
    around = short()
    proof = around.room.ledger.proof
    assert isinstance(proof, Proof)
    assert proof.write("A pass\n") == "A pass\n"
    assert proof.write("B pass\nresult A 1 B 2 winner B\n").startswith(
        "B pass\nresult A 1 B 2 winner B\nsecret host "
    )
    assert commitment(TABLE, "A", bytes(32)) != commitment(TABLE, "B", bytes(32))
    assert commitment(TABLE, "A", bytes(32)) != commitment("other", "A", bytes(32))


def test_a_host_goes_on_from_what_it_has_written() -> None:
    for cut in (record().index("secret host"), record().rindex("\n", 0, record().index("result ") - 1) + 1):
        text = record()[:cut]
        proof = Proof.again(Pledge(TABLE, b"host" * 8, KEY), text)
        assert proof.text == text
        assert proof.master == verify(record()).claims.master()
    rest = record()[cut : record().index("secret host")]
    assert proof.text + proof.write(rest) == record()
    with pytest.raises(ValueError, match="is not the one"):
        Proof.again(Pledge(TABLE, bytes(32), KEY), text)


# ---- the host's secret on disk --------------------------------------------------------------------


def test_a_secret_outlives_its_host_and_only_its_user_reads_it(tmp_path: Path) -> None:
    record = tmp_path / "game.rec"
    secret = Kept(record).secret()
    assert len(secret) == 32
    assert Kept(record).secret() == secret
    (file,) = tmp_path.iterdir()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    Kept(record).forget()
    assert not list(tmp_path.iterdir())
    assert Kept(record).secret() != secret


def test_a_torn_secret_is_none_and_a_folder_that_is_not_there_is_said(tmp_path: Path) -> None:
    kept = Kept(tmp_path / "game.rec")
    kept.path.write_bytes(b"half")
    assert len(kept.secret()) == 32
    with pytest.raises(JournalError, match="choose another place"):
        Kept(tmp_path / "none" / "game.rec").secret()
