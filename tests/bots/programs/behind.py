"""Answers its first question only after it has heard the second, and with a move that nobody offers."""

import json
import sys

first = True
for line in sys.stdin:
    asked = json.loads(line)
    if "ask" not in asked:
        continue
    if first:
        first = False
        continue
    print(json.dumps({"id": 1, "move": "too late"}))
    print(json.dumps({"id": asked["id"], "move": asked["moves"][0] if asked["ask"] == "act" else None}))
