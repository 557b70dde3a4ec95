"""Games on disk: reading, replaying and writing records (notation.md), which are the host's journals too."""
