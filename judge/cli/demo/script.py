"""A recorded game becomes letters: who writes what, when, from which program, and what goes wrong on the way.

Pure: the same recording and seed give the same script. However it is told, what counts at each deadline are the recorded
orders, but for those that may be left out without changing anything.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from random import Random

from judge.cli.demo.cast import PLAYERS, Player
from judge.cli.demo.letters import Letter, Turn
from judge.cli.demo.mistakes import another_order, faulty_line, forgotten, misspelt, units_of
from judge.cli.demo.recording import RecordedPhase
from judge.cli.demo.rules import goes_to_the_end
from judge.cli.demo.shapes import SHAPES
from judge.cli.demo.spelling import BY_NAME, Writer, arrange
from judge.notation import parse_canonical
from judge.rules.board import Board
from judge.rules.houserules import HouseRules
from judge.rules.orders import Order

#: how long a phase lasts, and when in it letters come
DAY = timedelta(hours=24)
AWAY, LATE = timedelta(minutes=8), timedelta(minutes=20)
FIRST, SECOND, THIRD = timedelta(hours=4), timedelta(hours=11), timedelta(hours=19)
LAST_MINUTE = timedelta(hours=23, minutes=59)

#: what the powers do in a movement, dealt out anew each time
ROLES = ("plain", "corrected", "faulty", "split", "cleared", "fixed", "plain")
#: units that are left without an order in one movement, at most
FORGOTTEN = 2
#: what a mailbox says by itself
AWAY_LINES = ("Thank you for your mail. I am out of the office until further notice and read no mail.",)
#: styles that can put several orders on a line
ONE_LINE = ("canonical", "short", "small letters")


@dataclass
class _Desk:
    """One power at work on one phase."""

    player: Player
    recorded: RecordedPhase
    board: Board
    random: Random
    orders: list[str]
    writer: Writer
    style: str
    programs: Sequence[str]
    letters: list[Letter] = field(default_factory=list)

    def line(self, order: Order) -> str:
        """One order in this player's hand."""
        kind = self.recorded.kind
        return self.writer.write(order, retreat=kind == "R", remove=kind == "A", nation=self.random.random() < 0.3)

    def lines(self, texts: Iterable[str]) -> list[str]:
        """Canonical orders in this player's hand."""
        return [self.line(parse_canonical(text, self.board)) for text in texts]

    def program(self) -> str:
        """One of the player's mail programs."""
        return self.random.choice(self.programs)

    def dressed(self, lines: Sequence[str]) -> tuple[str, ...]:
        """Lines of a letter between a greeting and a closing."""
        greeting, closing = self.random.choice(self.player.greetings), self.random.choice(self.player.closings)
        top = [greeting, ""] if greeting else []
        return (*top, *lines, *(["", closing] if closing else []))

    def arranged(self, texts: Sequence[str]) -> list[str]:
        """Canonical orders as a list in this player's hand."""
        one_line = self.style in ONE_LINE and self.recorded.kind == "M" and self.random.random() < 0.15
        return arrange(self.lines(texts), self.player.power, self.random, one_line=one_line)


def write_script(recording: Sequence[RecordedPhase], board: Board, rules: HouseRules, seed: int) -> tuple[Turn, ...]:
    """The letters of all phases. The same arguments give the same letters."""
    random = Random(seed)
    turns = []
    late: list[Letter] = []
    for number, recorded in enumerate(recording):
        turn, late = _turn(number, recorded, board, rules, random, late)
        turns.append(turn)
    # what is late for the last phase may come when the game is over
    if goes_to_the_end(recording, rules):
        late = [replace(letter, kind="over") for letter in late]
    turns.append(Turn("", tuple(late)))
    return tuple(turns)


def _turn(
    number: int, recorded: RecordedPhase, board: Board, rules: HouseRules, random: Random, late: Sequence[Letter]
) -> tuple[Turn, list[Letter]]:
    """The letters of one phase, and those that come too late for it: they are sent in the next."""
    left_out = forgotten(recorded, board, rules, random, random.randint(0, FORGOTTEN))
    desks = _desks(recorded, board, random, left_out)
    roles = list(ROLES) if recorded.kind == "M" else [random.choice(("plain", "corrected", "faulty")) for _ in desks]
    random.shuffle(roles)
    for desk, role in zip(desks, roles, strict=False):
        _play_role(desk, role)
    letters = [*late, *(letter for desk in desks for letter in desk.letters)]
    letters = _handed_over_twice(number, letters, random)
    letters += _beside_the_point(number, recorded, board, random, desks)
    missed = sorted(text for _, text in left_out)
    return Turn(recorded.phase, tuple(sorted(letters, key=_moment)), tuple(missed)), _too_late(
        number, recorded, random, desks, sorted(left_out)
    )


def _moment(letter: Letter) -> timedelta:
    return letter.at


def _desks(recorded: RecordedPhase, board: Board, random: Random, left_out: frozenset[tuple[str, str]]) -> list[_Desk]:
    whose = {u.province: u.power for u in units_of(recorded)}
    desks = []
    for power in board.powers:
        orders = [text for text in recorded.orders_of(power) if (power, text) not in left_out]
        if orders:
            random.shuffle(orders)
            desks.append(_desk(power, recorded, board, random, orders, whose))
    return desks


def _desk(
    power: str, recorded: RecordedPhase, board: Board, random: Random, orders: list[str], whose: dict[str, str]
) -> _Desk:
    player = PLAYERS.get(power) or Player(power, power, f"{power.lower()}@players.example", 0, tuple(SHAPES), tuple(BY_NAME))
    style = random.choice(player.styles)
    writer = Writer(board, BY_NAME[style], power, whose)
    return _Desk(player, recorded, board, random, orders, writer, style, player.programs)


# ---- how a power gives its orders ------------------------------------------------------------------------------------


def _play_role(desk: _Desk, role: str) -> None:
    """Write the letters of one power. After the last of them the recorded orders are on file."""
    {
        "plain": _plain,
        "split": _split,
        "corrected": _corrected,
        "cleared": _cleared,
        "faulty": _faulty,
        "fixed": _fixed,
    }[role](desk)


def _plain(desk: _Desk, at: timedelta | None = None) -> None:
    when = at or desk.random.choice((FIRST, SECOND, THIRD, LAST_MINUTE))
    desk.letters.append(_letter(desk, "orders", when, desk.arranged(desk.orders)))


def _split(desk: _Desk) -> None:
    half = (len(desk.orders) + 1) // 2
    desk.letters.append(_letter(desk, "orders", FIRST, desk.arranged(desk.orders[:half])))
    if desk.orders[half:]:
        desk.letters.append(_letter(desk, "orders", SECOND, desk.arranged(desk.orders[half:])))


def _corrected(desk: _Desk) -> None:
    """Some orders are given otherwise first; the second letter holds only what changes."""
    wrong = _wrong_orders(desk, desk.random.randint(1, 2))
    if not wrong:
        return _plain(desk)
    first = [desk.line(wrong[text]) if text in wrong else desk.lines([text])[0] for text in desk.orders]
    desk.letters.append(_letter(desk, "wrong", FIRST, arrange(first, desk.player.power, desk.random)))
    when = desk.random.choice((SECOND, THIRD, LAST_MINUTE))
    answers = desk.random.choice(("turn", "receipt"))
    # of several removals the judge could not know which one a single new one stands for, so they are all said again
    again = desk.orders if desk.recorded.kind == "A" else list(wrong)
    desk.letters.append(_letter(desk, "correction", when, desk.arranged(again), answers=answers))
    return None


def _cleared(desk: _Desk) -> None:
    """Everything is taken back with CLEAR and given anew."""
    wrong = _wrong_orders(desk, len(desk.orders))
    if not wrong:
        return _plain(desk)
    desk.letters.append(_letter(desk, "wrong", FIRST, [desk.line(order) for order in wrong.values()]))
    lines = ["CLEAR", *desk.arranged(desk.orders)]
    desk.letters.append(_letter(desk, "cleared", THIRD, lines, answers="receipt"))
    return None


def _faulty(desk: _Desk) -> None:
    """A line that cannot be used stands beside good ones, which it must not harm."""
    fault = faulty_line(desk.recorded, desk.player.power, desk.board, desk.writer, desk.random)
    if fault is None:
        return _plain(desk)
    lines = desk.lines(desk.orders)
    # before the good line for the same unit, so that the good one is the last
    lines.insert(0, fault)
    desk.letters.append(_letter(desk, "faulty", desk.random.choice((FIRST, THIRD)), lines, faults=(fault,)))
    return None


def _fixed(desk: _Desk) -> None:
    """A name is misspelt in the first letter; after the receipt has said so, the second has it right."""
    lines = desk.lines(desk.orders)
    # one good line at least stays beside it
    for index, text in enumerate(desk.orders if len(desk.orders) > 1 else ()):
        order = parse_canonical(text, desk.board)
        bad = misspelt(lines[index], desk.writer, getattr(order, "at", ""), desk.random)
        if bad is not None:
            first = [*lines[:index], bad, *lines[index + 1 :]]
            desk.letters.append(_letter(desk, "faulty", FIRST, first, faults=(bad,)))
            desk.letters.append(_letter(desk, "correction", SECOND, [lines[index]], answers="receipt"))
            return None
    return _plain(desk, FIRST)


def _wrong_orders(desk: _Desk, most: int) -> dict[str, Order]:
    """Canonical order -> another one in its place, for ``most`` of a power's orders; never two removals of one unit."""
    wrong: dict[str, Order] = {}
    for text in desk.orders:
        if len(wrong) == most:
            break
        order = parse_canonical(text, desk.board)
        other = another_order(order, desk.player.power, desk.recorded, desk.board, desk.random)
        if other is not None and other not in wrong.values():
            wrong[text] = other
    return wrong


def _letter(
    desk: _Desk,
    kind: str,
    at: timedelta,
    lines: Sequence[str],
    *,
    answers: str = "turn",
    faults: tuple[str, ...] = (),
) -> Letter:
    program = desk.program()
    if program == "The Bat!" and answers == "receipt":
        answers = "nothing"
    return Letter(
        power=desk.player.power,
        kind=kind,  # type: ignore[arg-type]
        at=at,
        about=desk.recorded.phase,
        lines=desk.dressed(lines),
        program=program,
        answers=answers,  # type: ignore[arg-type]
        faults=faults,
    )


# ---- what else happens -----------------------------------------------------------------------------------------------


def _handed_over_twice(number: int, letters: Sequence[Letter], random: Random) -> list[Letter]:
    """Every other phase one mail is sent twice, as by a program that lost the answer to the first time."""
    found = list(letters)
    plain = [index for index, letter in enumerate(found) if letter.kind in ("orders", "correction", "faulty")]
    if number % 2 == 0 and plain:
        index = random.choice(plain)
        found[index] = replace(found[index], copies=2)
    return found


def _beside_the_point(
    number: int, recorded: RecordedPhase, board: Board, random: Random, desks: Sequence[_Desk]
) -> list[Letter]:
    """Letters that change nothing: commands, machines, strangers, and mail that was overtaken on its way."""
    letters: list[Letter] = []
    if not desks:
        return letters
    desk = random.choice(desks)
    other = [desk.line(order) for order in _wrong_orders(desk, 2).values()] or desk.lines(desk.orders)
    if number % 3 == 0:
        letters.append(_letter(desk, "forged", timedelta(hours=9), other))
    if number % 6 == 1:
        letters.append(_letter(desk, "unknown", timedelta(hours=10), other))
    if number % 5 == 3:
        letters.append(_letter(desk, "no-token", timedelta(hours=6), other))
    if number % 4 == 1:
        letters.append(_letter(desk, "command", timedelta(hours=13), ["STATUS"]))
    if number % 3 == 2:
        letters.append(replace(_letter(desk, "away", AWAY, ()), lines=AWAY_LINES))
    if number % 4 == 2:
        letters += _overtaken(random.choice(desks))
    return letters


def _overtaken(desk: _Desk) -> list[Letter]:
    """A mail with other orders, written before those that are held, arrives after them."""
    early = [letter for letter in desk.letters if letter.at <= THIRD]
    wrong = _wrong_orders(desk, 2)
    if not early or not wrong:
        return []
    at = timedelta(hours=21)
    lines = [desk.line(order) for order in wrong.values()]
    return [replace(_letter(desk, "overtaken", at, lines), written_before=at - timedelta(hours=1), program=_threaded(desk))]


def _too_late(
    number: int,
    recorded: RecordedPhase,
    random: Random,
    desks: Sequence[_Desk],
    left_out: Sequence[tuple[str, str]],
) -> list[Letter]:
    """Orders that come after the deadline: somebody's change of mind, or what somebody forgot. They answer the mail of
    the phase that is over, so that nothing of them may count for the next."""
    if number % 2 == 0 or not desks:
        return []
    forgetful = {power for power, _ in left_out}
    desk = random.choice([d for d in desks if d.player.power in forgetful] or list(desks))
    lines = desk.lines([text for power, text in left_out if power == desk.player.power])
    if not lines:
        lines = [desk.line(order) for order in _wrong_orders(desk, 2).values()] or desk.lines(desk.orders)
    return [replace(_letter(desk, "late", LATE, lines), program=_threaded(desk))]


def _threaded(desk: _Desk) -> str:
    """A program that names the mail it answers."""
    return desk.random.choice([program for program in desk.programs if program != "The Bat!"])
