"""The terminal: what happened and how things stand, in plain words. View to text is pure; only `session` does I/O."""
