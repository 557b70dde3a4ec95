"""Writes without end, and never a line."""

import os

while True:
    os.write(1, b"0" * 65536)
