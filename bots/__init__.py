"""House bots: the opponents that come with lanplay, and examples to copy."""
