"""How a mail's lines were read when it was taken in, and how they are read today: the same lines, the same board, the same
earlier mails, so that only the reader itself can make a difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from judge import __version__
from judge.mail.commands import take_blocks
from judge.mail.reading import Incoming, read
from judge.notation import Reading, write
from judge.play import later, proxy
from judge.play.judge import Judge, Table, lay_out
from judge.play.listlines import Found
from judge.play.orderlines import order_lines
from judge.store import games, inbox, mastering, outbox, readings
from judge.store.games import PhaseRow
from judge.store.inbox import StoredMail
from judge.store.proxies import Handed
from judge.store.readings import Line, StoredReading


def remember(
    judge: Judge,
    table: Table,
    mail: StoredMail,
    power: str,
    read_as: Sequence[Reading],
    lent: Sequence[Handed],
    lists: Found,
) -> None:
    """Write down how a mail was read for the table's phase, inside its transaction; and the ranked lists in it."""
    one = StoredReading(
        inbox_id=mail.id,
        phase_id=table.phase.id,
        power=power,
        sent_up_to=outbox.latest_text(judge.store, mail.recipient.game or "", mail.recipient.power or ""),
        lent=tuple((handed.power, handed.place, handed.proxy) for handed in lent),
        lines=_lines(read_as) + _lists(lists),
        version=__version__,
    )
    readings.keep(judge.store, one)


def today(judge: Judge, then: StoredReading) -> tuple[Line, ...]:
    """The same mail as it is read now, from its stored bytes and with what its writer could quote then."""
    phase = games.phase(judge.store, then.phase_id)
    game = games.by_id(judge.store, phase.game_id)
    mail = inbox.load(judge.store, then.inbox_id)
    table = lay_out(game, _as_it_was(judge, phase, mail))
    incoming = _incoming(judge, mail, then)
    own = incoming.own_lines
    if mail.recipient.game != game.name:
        said = [line for name, lines in incoming.other_games if name == game.name for line in lines]
        own = tuple(take_blocks(said)[1])
    split = later.split(own, table, then.power)
    read_as = proxy.read_all(table, then.power, order_lines(split.now), [Handed(*one) for one in then.lent])
    return _lines(read_as) + _lists(split.listed)


def _as_it_was(judge: Judge, phase: PhaseRow, mail: StoredMail) -> PhaseRow:
    """The phase with the position that it had when a mail was taken in: it may have been corrected since."""
    taken_in = inbox.handled_at(judge.store, mail.id)
    later_ones = [one for one in mastering.corrections(judge.store, phase.id) if taken_in is None or taken_in <= one.at]
    return replace(phase, position=later_ones[0].before) if later_ones else phase


def _incoming(judge: Judge, mail: StoredMail, then: StoredReading) -> Incoming:
    """A seat's mail, understood with the texts that its writer had then."""
    to = mail.recipient
    game = games.find(judge.store, to.game or "")
    sent = outbox.sent_texts(judge.store, game.id, to.power or "", up_to=then.sent_up_to) if game else []
    own = [f"{to.game}@{judge.domain}", f"judge@{judge.domain}"]
    return read(mail.raw, sent=sent, own_addresses=own, domain=judge.domain, sender_judged=True)


def _lines(read_as: Sequence[Reading]) -> tuple[Line, ...]:
    """What of the readings is an order, or nearly one."""
    return tuple(
        (reading.line, reading.kind, tuple(write(order) for order in reading.legal))
        for reading in read_as
        if reading.kind != "not-an-order"
    )


def _lists(found: Found) -> tuple[Line, ...]:
    """The ranked lists of a mail: phase and head, and the orders."""
    return tuple((f"{phase} {ranked.stored()[0]}", "list", ranked.orders) for phase, ranked in found.lists)
