"""Card games between terminals on a local network."""

__version__ = "0.1.0"
