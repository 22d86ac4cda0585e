"""What the answer to a mail in the classic judge's style teaches."""

from __future__ import annotations

from judge.mail.reading import Incoming
from judge.render.commonfacts import Answer


def taught(incoming: Incoming) -> list[Answer]:
    """The answer that says what an old command is in this judge's words; nothing of the mail's own is in it."""
    return [Answer("old-style", {"codes": list(incoming.old)})] if incoming.old else []
