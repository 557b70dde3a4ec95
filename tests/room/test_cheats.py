"""Each way in which a host could cheat, and what the witnesses say of it in the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from msgspec import structs

from lanplay.record.proof import Chain, Pledge, commitment
from lanplay.record.verify import verify
from lanplay.room.joint import SECONDS
from lanplay.room.witness import SILENT, Witness
from lanplay.wire import messages as wire
from lanplay.wire.send import Send
from tests.room.honest import KEY, TABLE, Honest, short, silent_at


def cheating(change: Callable[[Honest, Send], Send]) -> Honest:
    """A game at which the host sends other things than its room says."""
    around = short("Ann", size=2)
    around.change = lambda send: change(around, send)
    around.join("Bob")
    return around.play()


def faults(around: Honest, seat: str = "A") -> str:
    verdict = around.verdict(seat)
    assert not verdict.proved
    assert verdict.line.startswith("The deal is not proved: ")
    return verdict.line.removeprefix("The deal is not proved: ")


def joint(send: Send, stage: str, **changes: Any) -> Send:
    """The message of that stage, changed."""
    if isinstance(send.message, wire.Joint) and send.message.stage == stage:
        return send._replace(message=structs.replace(send.message, **changes))
    return send


def test_a_host_that_swaps_its_commitment_once_it_has_seen_the_others() -> None:
    around = cheating(lambda around, send: joint(send, "reveal", host=bytes(32)))
    assert "the host changed its commitment" in faults(around)


def test_a_host_that_deals_with_another_secret_than_it_committed_to() -> None:
    around = silent_at(wire.Reveal)
    drawing = around.room.drawing
    assert drawing
    told = drawing.pledge.commitment
    drawing.pledge = Pledge(TABLE, b"luck" * 8, KEY)
    around.change = lambda send: joint(send, "dealt", host=told)
    around.tick(SECONDS)
    around.play()
    assert verify(around.record).claims.table == TABLE  # by itself the record is in order
    assert faults(around) == "the host changed its commitment."


def test_a_host_that_signs_with_another_key() -> None:
    around = cheating(lambda around, send: joint(send, "dealt", signer=bytes(32)))
    assert "the host changed its key for signing; the record is signed with another key" in faults(around)


def test_a_host_that_swaps_a_seats_commitment() -> None:
    def swap(around: Honest, send: Send) -> Send:
        return joint(send, "reveal", commitments={"A": bytes(32), "B": bytes(32)})

    around = short("Ann", size=2)
    around.change = lambda send: swap(around, send)
    around.join("Bob")
    assert not [witness for witness in around.witnesses.values() if witness.revealed]  # and nobody reveals
    around.tick(SECONDS)
    around.play()
    assert "the commitment of seat B was changed" in faults(around)


def test_a_host_that_swaps_a_seats_share_once_all_are_shown() -> None:
    around = silent_at(wire.Reveal)
    drawing = around.room.drawing
    assert drawing
    told = dict(drawing.commitments)
    drawing.commitments["B"], drawing.secrets["B"] = commitment(TABLE, "B", bytes(32)), bytes(32)
    drawing.waiting.clear()
    around.change = lambda send: joint(send, "dealt", commitments=told)
    around.tick(0)
    around.play()
    assert verify(around.record).shared == ["A", "B"]
    assert "the commitment of seat B was changed" in faults(around)


def test_a_host_that_leaves_out_a_seat() -> None:
    around = silent_at(wire.Reveal)
    drawing = around.room.drawing
    assert drawing
    drawing.secrets.clear()
    drawing.left_out["A"] = "silent"
    around.tick(SECONDS)
    around.play()
    assert "the secret of seat A, which is yours, was left out" in faults(around)


def test_a_host_that_leaves_out_a_seat_and_does_not_tell() -> None:
    def hide(around: Honest, send: Send) -> Send:
        return joint(send, "dealt", left_out={}, secrets={"A": around.witness("A").secret, "B": bytes(32)})

    around = silent_at(wire.Reveal)
    around.change = lambda send: hide(around, send)
    around.tick(SECONDS)
    around.play()
    told = faults(around)
    assert "the secret of seat B is not the one it committed to" in told
    assert "the secret of seat B was left out; seat B was left out, and nobody was told" in told


def test_a_host_that_shows_another_card() -> None:
    def lie(around: Honest, send: Send) -> Send:
        if send.secret and send.secret.faces and around.room.game and around.room.game.accepted == 1:
            faces = ["Xb" if face != "Xb" else "Xr" for face in send.secret.faces]
            return send._replace(secret=structs.replace(send.secret, faces=faces))
        return send

    around = short("Ann", size=2)
    around.change = lambda send: lie(around, send)
    around.join("Bob")
    around.act("A", "peek 1 2")
    around.play()
    assert "at step 1 X" in faults(around)
    assert " was told, and the record has " in faults(around)
    assert around.verdict("B").proved


@pytest.mark.parametrize("what", ["acted", "moved"])
def test_a_host_that_tells_of_other_things(what: str) -> None:
    def lie(around: Honest, send: Send) -> Send:
        if isinstance(send.message, wire.Update) and send.message.step == 5:
            facts = [fact for fact in send.message.facts if fact[0] != what]
            return send._replace(message=structs.replace(send.message, facts=facts))
        return send

    assert "at step 5 other things were told than the record has" in faults_of_update(lie)


def faults_of_update(lie: Callable[[Honest, Send], Send]) -> str:
    """What a witness that hears no more than the host's messages says."""
    around = short().play()
    witness = Witness(TABLE)
    witness.secret, witness.revealed = around.witness("B").secret, True
    for send in around.sends:
        if send.peer == around.key("B"):
            changed = lie(around, send)
            if not isinstance(changed.message, wire.Joint):
                witness.hear(changed.message, changed.secret)
    assert witness.verdict
    assert not witness.verdict.proved
    return witness.verdict.line


def test_a_host_that_shows_a_card_to_all_that_was_another() -> None:
    def lie(around: Honest, send: Send) -> Send:
        if isinstance(send.message, wire.Update):
            facts = [
                (*fact[:5], "??", fact[6]) if fact[0] == "moved" and fact[5] else fact
                for fact in send.message.facts
            ]
            return send._replace(message=structs.replace(send.message, facts=facts))
        return send

    assert " ?? was told, and the record has " in faults_of_update(lie)


def test_a_snapshot_that_is_not_what_lay_there() -> None:
    around = short()
    around.act("A", "pass")
    watcher = b"Eve".ljust(32)

    def lie(send: Send) -> Send:
        if isinstance(send.message, wire.Snapshot):
            lay = [list(zone) for zone in send.message.lay]
            lay[0] = lay[0][:-1]
            return send._replace(message=structs.replace(send.message, lay=lay))
        return send

    around.change = lie
    around.join("Eve", role="watch", peer=watcher)
    around.change = lambda send: send
    around.play()
    verdict = around.witnesses[watcher].verdict
    assert verdict
    assert verdict.line.startswith("The deal is not proved: at step 1 ")


def test_a_host_that_shuffles_otherwise() -> None:
    around = silent_at(wire.Reveal)
    around.room.deal, deal = (lambda secret, now: deal(b"stacked", now)), around.room.deal  # type: ignore[method-assign]
    around.tick(SECONDS)
    around.play()
    assert "this deck is not what the secrets give (round 1, shuffle 1)" in faults(around)


def rewriting(around: Honest, old: str, new: str) -> None:
    """When the game is over the host writes another history, with a chain and a signature of its own."""
    proof = around.room.ledger.proof
    assert proof
    close = proof.close

    def closed() -> str:
        text = proof.text.replace(old, new)
        assert text != proof.text
        proof.texts[:] = []
        proof.chain = Chain(TABLE, proof.pledge.secret)
        proof.add(text)
        return close()

    proof.close = closed  # type: ignore[method-assign]


def test_a_host_that_rewrites_history() -> None:
    around = short()
    around.act("A", "pass")
    around.act("B", "pass")
    rewriting(around, "\nB pass @0.1", "\nB pass @0.0")
    around.play()
    assert faults(around) == "the history up to step 2 was rewritten after it was told."
    assert around.room.ledger.proof
    assert verify(around.room.ledger.proof.text)  # nobody could see it from the record alone


def test_a_host_that_signs_another_head() -> None:
    around = short()
    around.change = signed_otherwise
    around.play()
    assert "the host has not signed this record" in faults(around)


def signed_otherwise(send: Send) -> Send:
    if isinstance(send.message, wire.RecordPart):
        lines = send.message.text.splitlines()
        lines[-1] = f"signature {KEY.sign(b'another head').hex()}"
        return send._replace(message=structs.replace(send.message, text="\n".join(lines) + "\n"))
    return send


def test_a_host_that_shows_the_record_of_another_table() -> None:
    verdict = Witness("0ther").judge(short().play().record)
    assert verdict.line == "The deal is not proved: the record is that of another table."


def test_a_host_that_ends_the_record_early_or_names_other_winners() -> None:
    around = short().play()
    witness = around.witness("A")
    assert witness.status
    witness.verdict, witness.status = None, structs.replace(witness.status, winners=["B", "A"])
    witness.log.append(witness.log[-1]._replace(step=99))
    line = witness.judge(around.record).line
    assert "at step 99 the record ends before it" in line
    assert "the record has other winners than were told" in line


def test_a_host_that_closes_without_a_word() -> None:
    around = short()
    around.change = lambda send: (
        send._replace(message=wire.HostPing()) if isinstance(send.message, wire.RecordPart) else send
    )
    around.play()
    assert around.witness("A").verdict is None
    assert around.witness("A").waits
    around.deliver([Send(around.key("A"), wire.Closed("ended", "Over."))])
    assert around.verdict("A") == SILENT


def test_a_record_in_no_parts_or_too_many_is_not_waited_for() -> None:
    witness = Witness(TABLE)
    for part, parts in ((0, 2), (3, 2), (1, 10**9)):
        witness.hear(wire.RecordPart(1, part, parts, ""))
    assert witness.verdict is None
    assert not witness.parts
