"""The demonstration as steps: players read their mail and write, the clock is moved, and what came of it is compared.

The steps are for `judge.server.rehearsal`; nothing here waits or talks to a network. What the judge stored is read over a
connection of our own.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import groupby
from random import Random

from judge.cli.demo.cast import PLAYERS
from judge.cli.demo.letters import REFUSED, Letter, Turn
from judge.cli.demo.mailboxes import Mailboxes, Received
from judge.cli.demo.players import Mail, write_mail
from judge.cli.demo.recording import RecordedPhase, Snapshot, differences, snapshot
from judge.cli.demo.script import DAY, LATE
from judge.play.judge import lay_out
from judge.server.rehearsal import MoveTo, Script, Send, Settle
from judge.store import Store, codec, games, outbox
from judge.store.games import PhaseRow

#: how far the clock is moved at the end while mails that were put off still wait, and how often at most
PATIENCE, MOST_WAITS = timedelta(minutes=5), 100


@dataclass(frozen=True, slots=True)
class Sent:
    """A letter that was sent: its mail, and the door's reply to each copy."""

    letter: Letter
    mail: Mail
    codes: tuple[int, ...]

    @property
    def taken(self) -> bool:
        """Whether the door took it."""
        return self.codes[0] == 250


@dataclass
class Course:
    """How it went: everything sent, the position after each phase, and what was not as it should be."""

    sent: list[Sent] = field(default_factory=list)
    played: list[tuple[str, Snapshot]] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)


class Conductor:
    """Leads the players through the game ``game``, whose judge keeps its things in ``store``.

    ``to_the_end``: the game must be over after the last recorded phase, and not before.
    """

    def __init__(
        self,
        store: Store,
        game: str,
        recording: Sequence[RecordedPhase],
        turns: Sequence[Turn],
        boxes: Mailboxes,
        start: datetime,
        random: Random,
        progress: Callable[[str], None],
        *,
        to_the_end: bool,
    ) -> None:
        self._store, self._game = store, game
        self._recording, self._turns = recording, turns
        self._boxes = boxes
        self._start = start
        self._random = random
        self._progress = progress
        self._to_the_end = to_the_end
        self._latest: dict[str, str] = {}
        self.course = Course()

    def play(self) -> Script[Course]:
        """The whole game, phase after phase, until it ends or something is not as recorded."""
        yield Settle()
        self._compare_start()
        for number, turn in enumerate(self._turns):
            if self.course.faults:
                break
            opened = self._start + number * DAY
            yield from self._letters(turn, opened)
            if number < len(self._recording):
                self._progress(turn.phase)
                yield MoveTo(opened + DAY)
                self._compare(number)
        yield from self._wait_for_the_last_mails()
        return self.course

    # ---- letters -----------------------------------------------------------------------------------------------------

    def _letters(self, turn: Turn, opened: datetime) -> Script[None]:
        for at, letters in groupby(turn.letters, key=lambda letter: letter.at):
            yield MoveTo(opened + at)
            for letter in list(letters):
                yield from self._send(letter, opened + at)
            yield Settle()

    def _send(self, letter: Letter, now: datetime) -> Script[None]:
        answered = self._answered(letter)
        if answered is None:
            self.course.faults.append(f"{letter.about}: {letter.power} has no mail that asks for orders")
            return
        player = PLAYERS[letter.power]
        mail = write_mail(letter, player, answered, len(self.course.sent) + 1, now, self._random)
        self._boxes.keep_sent(letter.power, mail.raw)
        codes = []
        for _ in range(letter.copies):
            reply = yield Send(mail.sender, mail.recipient, mail.raw)
            codes.append(reply.code if reply else 0)
        wanted = 550 if letter.kind in REFUSED else 250
        if set(codes) != {wanted}:
            self.course.faults.append(f"{letter.about}: {letter.power}'s mail ({letter.kind}) was answered {codes}")
        self.course.sent.append(Sent(letter, mail, tuple(codes)))
        self._latest[letter.power] = mail.message_id

    def _answered(self, letter: Letter) -> Received | None:
        """The mail in the player's box that this letter answers."""
        if letter.answers == "receipt":
            receipt = self._boxes.answer_to(letter.power, self._latest.get(letter.power, ""))
            if receipt is not None:
                return receipt
        return self._boxes.about(letter.power, letter.about)

    def _wait_for_the_last_mails(self) -> Script[None]:
        now = self._start + len(self._recording) * DAY + LATE
        for wait in range(1, MOST_WAITS):
            yield MoveTo(now + wait * PATIENCE)
            if not outbox.counts(self._store)["waiting"]:
                return
        self.course.faults.append("mails still wait in the judge's outbox")

    # ---- positions ---------------------------------------------------------------------------------------------------

    def _compare_start(self) -> None:
        game = games.get(self._store, self._game)
        begun, first = games.phases(self._store, game.id)[0], self._recording[0]
        position = snapshot(codec.position_from_text(begun.position))
        if begun.name != first.phase or position.units != first.before.units or position.owners != first.before.owners:
            self.course.faults.append(f"{first.phase}: the recording does not begin with the start of the game")

    def _compare(self, number: int) -> None:
        """Compare what the phase that has just run led to with the recording."""
        recorded = self._recording[number]
        game = games.get(self._store, self._game)
        phases = games.phases(self._store, game.id)
        row = phases[number] if number < len(phases) else None
        if row is None or row.name != recorded.phase or row.state != "processed":
            now = games.open_phase(self._store, game.id)
            found = row.name if row is not None and row.name != recorded.phase else f"not run, {now.name if now else 'over'}"
            self.course.faults.append(f"{recorded.phase}: the judge has {found} here")
            return
        played = self._position_after(row, phases[number + 1 :])
        self.course.played.append((recorded.phase, played))
        self.course.faults += [f"{recorded.phase}: {fault}" for fault in differences(recorded, played)]
        over = self._to_the_end and number + 1 == len(self._recording)
        if over != (game.state == "ended"):
            self.course.faults.append(f"{recorded.phase}: the game is {game.state} after it")

    def _position_after(self, row: PhaseRow, following: Sequence[PhaseRow]) -> Snapshot:
        if following:
            return snapshot(codec.position_from_text(following[0].position))
        board = lay_out(games.by_id(self._store, row.game_id), row).board
        return snapshot(codec.adjudication_from_text(row.result or "", board).position)
