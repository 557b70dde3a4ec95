"""Plays the first move, and writes down all that it is told in a file, the first argument."""

import json
import sys
from pathlib import Path

with Path(sys.argv[1]).open("a") as kept:
    for line in sys.stdin:
        kept.write(line)
        kept.flush()
        asked = json.loads(line)
        if "ask" in asked:
            print(
                json.dumps({"id": asked["id"], "move": asked["moves"][0] if asked["ask"] == "act" else None})
            )
