"""What can go wrong between host and peer; each text is a sentence that says what to do."""

from __future__ import annotations


class NetError(Exception):
    """Any of them."""


class NoTable(NetError):
    """Nobody answers there, or there is no table at all."""


class HostGone(NetError):
    """The host was there and has not been heard for a while."""


class Refused(NetError):
    """The host does not let this peer in, or not stay; `code` as in PROTOCOL.md."""

    def __init__(self, code: str, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class CodeNeeded(Refused):
    """The table asks for its join code."""


class WrongCode(Refused):
    """The join code was another one."""


class HostChanged(Refused):
    """The host at this address is not the one that was known there."""


class PortTaken(NetError):
    """Something else listens on the port."""
