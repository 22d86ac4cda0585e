"""judge: a play-by-mail Diplomacy judge. Rooms and their order: see README, "For contributors"."""

__version__ = "0.1.0"
