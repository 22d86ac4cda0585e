"""What goes to the relay: frozen bytes with the reader's own token put in, and the envelope around them."""

from __future__ import annotations

from judge.mail.compose import finish, wire_address
from judge.mail.identity import PLACEHOLDER, bounce_address, person_address, placeholder
from judge.play.judge import Judge
from judge.store import games
from judge.store.outbox import Line


def wire_bytes(judge: Judge, line: Line, *, eight_bit: bool) -> bytes:
    """The bytes of a ready line as they travel. The token exists here and on the wire only, never in the store. ``links``
    of an answer are seats of the reader, (id, game, power, generation) each, whose addresses it names.

    ``eight_bit``: the relay offers 8BITMIME.

    :raises ValueError: the line is not frozen yet.
    """
    if line.frozen is None:
        raise ValueError(f"outgoing mail {line.id} is not rendered yet")
    token = PLACEHOLDER
    if line.game_id is not None and line.power:
        game = games.by_id(judge.store, line.game_id)
        token = judge.keys.token(game.name, line.power, line.generation)
    elif line.person is not None:
        token = judge.keys.person_token(line.person, line.generation)
    frozen = line.frozen
    for answer in line.args.get("answers", ()):
        for number, name, power, generation in answer["args"].get("links", ()):
            frozen = frozen.replace(placeholder(number).encode(), judge.keys.token(name, power, generation).encode())
    return finish(frozen, token, eight_bit=eight_bit)


def envelope(judge: Judge, line: Line) -> tuple[str, str]:
    """Sender and recipient of the envelope.

    The sender is an address of its own for each seat and each of its players (the line's generation tells which, as for
    the token), so that whatever comes back is known as a failure of that seat's mail; a mail to a stranger has the empty
    sender, so that its failure comes back to nobody.
    """
    if line.person is not None:
        token = judge.keys.person_bounce_token(line.person, line.generation)
        back = person_address(line.person, f"b-{token}", judge.domain, judge.separator)
        return back, wire_address(line.address)
    if line.game_id is None or not line.power:
        return "", wire_address(line.address)
    game = games.by_id(judge.store, line.game_id)
    token = judge.keys.bounce_token(game.name, line.power, line.generation)
    return bounce_address(game.name, token, judge.domain, judge.separator), wire_address(line.address)
