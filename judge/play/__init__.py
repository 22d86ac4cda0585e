"""What happens in a game: a mail is taken in, a deadline passes, a game begins.

One function an event, one transaction an event; ``now`` is always an argument.
"""

from judge.play.judge import Judge

__all__ = ["Judge"]
