"""The floor every game stands on: cards in zones, asks, facts and the eyes that saw them. No I/O, no clock, no dice."""
