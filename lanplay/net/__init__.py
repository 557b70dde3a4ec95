"""The network floor, and the only importer of ZeroMQ: a host, its peers, how they find and come to trust each other.

Import from the modules; this one loads nothing. `lanplay/wire/PROTOCOL.md` says what goes over the wire.

**The host's side** (`lanplay.net.host`)::

    host = Host(room, table="Anna's table", game="cambio", port=47800, open=False,
                on_code=print, notice=print)    # binds at once; PortTaken says which port, and what to do
    with host:                                  # start() runs the loop in a thread, stop() ends it
        host.code                               # "abandon-ability-able", to be shown; None: open to anyone
        host.port                               # the pairing port, which people type; host.game_port: the game's
        host.table_id                           # names the table for ever: give it back to open it again
        host.call(room.start, now).result()     # runs between two messages; if it returns Sends, they are sent
        host.wait()                             # until the loop ends; raises what ended it

`room` is what `lanplay.net.traffic.Room` says: receive, lost, tick, wake; each returns `lanplay.wire.send.Send`s. Times are
those of `time.monotonic`. `Host(room, ..., table_id=old)` takes up the ports, the keys and the paired peers of that table
again. `on_code` hears of a new code after ten wrong ones, `notice` gets sentences for the host's screen; both are called
from other threads. An exception in the room ends the loop: a table that is wrong must not go on.

**The peer's side** (`lanplay.net.find`, `lanplay.net.peer`)::

    tables = find(where)                        # [Found]: those here, else on the LAN, of this name or at this address
    tables = on_lan()                           # all that answer, in a second and a half
    invitation = pair(tables[0], code, name)    # CodeNeeded: ask for it and try again; WrongCode; HostChanged
    with Peer.connect(invitation, name="Ben", role="sit", kind="person") as peer:    # Refused, HostGone
        peer.welcome                            # the host's last Welcome
        told = peer.receive(timeout)            # Told(message, secret), or None when the time is over
        act = peer.act("draw", step, aim)       # Accepted or Refused with this id will be the answer
        peer.decline(step)
        peer.leave()

`invitation.how` says who vouches for the host: `ticket` this machine, `code` whoever showed the code, `known` an earlier
pairing by code with the same host, `open` nobody.
`receive` answers pings, opens what is sealed, asks again when a number is missing, and comes back by itself after a break:
then the caller is told Welcome, and whatever the room tells who says hello. `Closed` is told once, as the last message;
after it, and when the host has been silent for `patience` seconds, `receive` raises HostGone. Nothing happens between calls,
since no thread runs here; a caller who thinks for more than six seconds is away until its next call. To wait for the
keyboard as well::

    while True:
        while told := peer.receive(0):
            ...
        for file in peer.wait(sys.stdin, timeout=1.0):
            ...

In a loop of the caller's own, `peer.fileno()` is edge-triggered, and another one after each new connection: ask for it each
time, and call `receive(0)` until it gives None after every wake-up, after everything that was said, and once a second.

**Failures** (`lanplay.net.errors`): all are `NetError`s, whose text is a sentence that says what to do. NoTable and
HostGone (nobody there), Refused with its subclasses WrongCode, CodeNeeded and HostChanged (`code` says why), PortTaken.

**On the LAN** (`lanplay.net.announce`, `search`, `interfaces`): `Announcer(table, table_id, port, bind)` tells of a table
between `start()` and `stop()`, in a thread of its own, and never stops the table; `search()` gives what answers. LANPLAY_LAN
names the interfaces to use in place of those chosen, with commas between; `off`: none.

**Where things lie**: a peer's keys (`seats`), the hosts it has met (`hosts`), what this user is as a host (`host`) and its
tables (`tables`) in the user's data folder, tickets in its runtime folder; all are for that user's eyes only. LANPLAY_HOME
moves both.
"""
