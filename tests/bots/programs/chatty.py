"""Prints what is no answer beside its answers: words, JSON, half a line, bytes that are no text, an escape code."""

import json
import sys

for line in sys.stdin:
    asked = json.loads(line)
    if "ask" not in asked:
        continue
    print("I think…\n42\n[]\n{\n{}\n" + '{"move": "draw"}')
    sys.stdout.flush()
    sys.stdout.buffer.write(b"\xff\xfe\x1b[2J\n\n")
    sys.stdout.flush()
    print(json.dumps({"id": asked["id"], "move": asked["moves"][0] if asked["ask"] == "act" else None}))
