"""What is asked about before it is done: an answer whose ``yes`` is the line that confirms it, which a YES in answer to the
mail stands for."""

from __future__ import annotations

from judge.mail import confirmations
from judge.mail.commands import Command, parse
from judge.mail.reading import Incoming
from judge.store import Store, outbox
from judge.store.games import Seat


def confirmed(store: Store, seat: Seat, incoming: Incoming) -> list[Command]:
    """The commands that a mail says YES to: those that the mail it answers asked about. A NO beside it takes it back."""
    said = [one.yes for one in confirmations.find(incoming.own_lines)[0] if not one.numbers]
    if not said or not all(said) or incoming.in_reply_to is None:
        return []
    answers = outbox.args_of(store, seat.game_id, seat.power, incoming.in_reply_to).get("answers", ())
    lines = dict.fromkeys(one["args"]["yes"] for one in answers if "yes" in one["args"])
    return [command for command in map(parse, lines) if command is not None]
