"""The host without I/O: seats, lobby, options, clock and record around a table. Time is an argument."""
