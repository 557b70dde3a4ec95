"""Answers every question that must be answered with the same object, the first argument."""

import json
import sys

for line in sys.stdin:
    asked = json.loads(line)
    if "ask" in asked:
        print(
            json.dumps(
                {"id": asked["id"], **(json.loads(sys.argv[1]) if asked["ask"] == "act" else {"move": None})}
            )
        )
