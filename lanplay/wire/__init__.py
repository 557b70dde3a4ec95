"""What goes over the wire, without a socket: messages, their bytes, the sealing of secrets (PROTOCOL.md)."""
