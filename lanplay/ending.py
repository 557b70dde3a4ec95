"""What is raised when the program is told to end."""


class Ending(SystemExit):
    """The program is told to end. It never comes from a bot's own code, and is never taken for a fault of it."""
