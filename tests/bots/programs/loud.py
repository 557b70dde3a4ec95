"""Writes 100 MB to standard error before each of its first answers, and plays."""

import json
import sys

for number, line in enumerate(sys.stdin):
    if number < 2:
        for _ in range(1600):
            sys.stderr.write("x" * 65535 + "\n")
    asked = json.loads(line)
    if "ask" in asked:
        print(json.dumps({"id": asked["id"], "move": asked["moves"][0] if asked["ask"] == "act" else None}))
