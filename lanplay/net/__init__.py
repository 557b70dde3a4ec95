"""The network floor, and the only importer of ZeroMQ: a host, its peers, how they find and come to trust each other.

Import from the modules; this one loads nothing. PROTOCOL.md in `lanplay.wire` says what goes over the wire.

**The host's side** (`lanplay.net.host`)::

    host = Host(room, table="Anna's table", game="cambio", port=47800, open=False,
                on_code=print, notice=print)     # binds at once; PortTaken says which port and what to do
    with host:                                   # start() runs the loop in a thread, stop() ends it
        host.code                                # "amber-violin-garden", to be shown; on_code tells a new one
        host.port                                # the pairing port, what people type; host.game_port: the game's
        host.table_id                            # names the table for ever: give it back to resume
        host.call(room.start, now).result()      # runs between two messages; the Sends it returns are sent
        host.wait()                              # until the loop ends; raises what ended it

`room` is what `host.Room` says: receive, lost, tick, wake; each returns `lanplay.wire.send.Send`s. Times are those of
`time.monotonic`. `Host(room, ..., table_id=old)` takes up the ports and the paired peers of that table again. `on_code`
and `notice` (a sentence for the host's screen) are called from the loop's thread. An exception in the room ends the
loop: a table that is wrong must not go on.

**The peer's side** (`lanplay.net.find`, `lanplay.net.peer`)::

    tables = find(where)                         # [Found]: name, game, address, port; NoTable if there is none
    invitation = pair(tables[0], code=None)      # CodeNeeded: ask for it and try again; WrongCode; HostChanged
    peer = Peer.connect(invitation, name="Ben", role="sit", kind="person")   # Refused, HostGone
    peer.welcome                                 # the host's Welcome (again after each reconnection)
    told = peer.receive(timeout)                 # Told(message, secret), or None when the time is over
    id = peer.act("draw", step, aim)             # answered by Accepted or Refused with this id, sooner or later
    peer.decline(step); peer.leave(); peer.close()

`receive` answers pings, opens what is sealed, asks again when a number is missing, and comes back by itself after a
break: then the caller sees Welcome, and whatever the room tells who says hello. `Closed` is told once, as the last
message; after it, and when the host stays away for longer than `patience`, `receive` raises HostGone. Nothing happens
between calls: no thread runs here. To wait for the keyboard as well::

    while True:
        while told := peer.receive(0):
            ...
        for file in peer.wait(sys.stdin, timeout=1.0):   # or put peer.fileno() into a loop of your own
            ...

The descriptor is edge-triggered and changes when the peer reconnects: ask for it each time, and call `receive(0)` until
it gives None after every wake-up and after everything sent.

**Failures** (`lanplay.net.errors`): all are `NetError`s, whose text is a sentence that says what to do. NoTable and
HostGone (nobody there), Refused with its subclasses WrongCode, CodeNeeded and HostChanged (`code` says why), PortTaken.

**Where things lie** (`lanplay.net.keys`, `lanplay.net.tickets`): keys, known hosts and paired peers in the user's data
folder, tickets for this machine in its runtime folder, all 0600; the environment variable LANPLAY_HOME moves both.
"""
