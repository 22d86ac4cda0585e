"""One performance of the demonstration: the judge's home is made, the game is played, everything is checked."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from random import Random

from judge import settings
from judge.cli.demo.cast import PLAYERS
from judge.cli.demo.checking import check_mailboxes, check_outcomes
from judge.cli.demo.conduct import Conductor, Course
from judge.cli.demo.letters import Turn
from judge.cli.demo.mailboxes import Mailboxes
from judge.cli.demo.recording import RecordedPhase, load
from judge.cli.demo.report import Facts
from judge.cli.demo.rules import goes_to_the_end, house_rules
from judge.cli.demo.script import write_script
from judge.mail.identity import Keys
from judge.play import Judge, setup
from judge.rules.board import Board
from judge.rules.houserules import HouseRules
from judge.server import logs
from judge.server.rehearsal import HOST, rehearse
from judge.settings import HostPort, Settings
from judge.store import Store, codec, games, inbox, outbox
from judge.variants import load_board

GAME = "demo"
DOMAIN = "judge.example"
SCHEDULE = "every 24 h"
NOTE = "# Made by `judge demo`. Its key follows from the seed, so take it for nothing but looking at.\n\n"
#: the first mail goes out at this instant
START = datetime(2026, 3, 2, 20, tzinfo=UTC)


def perform(folder: Path, recording: Path, seed: int, *, kept: bool, progress: Callable[[str, float], None]) -> Facts:
    """Play the recorded game in ``folder`` (mailboxes in ``players``, the judge in ``judge``). Returns what to report.

    :raises BadInput: the recording cannot be read.
    """
    recorded = load(recording)
    board, rules = load_board(), house_rules()
    to_the_end = goes_to_the_end(recorded, rules)
    progress("writing the script", 0)
    turns = write_script(recorded, board, rules, seed)
    boxes = Mailboxes(folder / "players", PLAYERS.values())
    random = Random(seed + 1)
    home = folder / "judge"
    done = 0

    def show(phase: str) -> None:
        nonlocal done
        progress(phase, done / len(recorded))
        done += 1

    with ExitStack() as stack:
        conductor: list[Conductor] = []

        def prepare(relay_port: int) -> tuple[Settings, bytes]:
            chosen, key = make_home(home, relay_port, random)
            stack.enter_context(_logging_to(home / "judge.log"))
            store = Store.open(chosen.database_path)
            stack.callback(store.close)
            start_game(Judge(store, Keys(key), chosen.domain, chosen.separator), rules)
            conductor.append(Conductor(store, GAME, recorded, turns, boxes, START, random, show, to_the_end=to_the_end))
            return chosen, key

        course = rehearse(boxes, prepare, lambda: conductor[0].play(), start=START, random=Random(seed + 2).random)
    store = Store.open(home / "judge.db")
    try:
        return _facts(store, board, recorded, turns, boxes, course, folder if kept else None)
    finally:
        store.close()


def make_home(home: Path, relay_port: int, random: Random) -> tuple[Settings, bytes]:
    """The judge's folder, as ``judge init`` makes it, but for a key that follows from the seed. Returns settings and key."""
    key = random.randbytes(settings.KEY_BYTES)
    text = settings.example(DOMAIN, HostPort(HOST, 0), HostPort(HOST, relay_port))
    settings.write_home(home, NOTE + text, key)
    # no environment: a setting of another judge on this machine must not get in here
    chosen = settings.load(home, {})
    return chosen, settings.load_key(chosen)


def start_game(judge: Judge, rules: HouseRules) -> None:
    """Make the game with its seven players, and start it. It never runs early: each phase lasts its whole day."""
    players = {player.power: player.address for player in PLAYERS.values()}
    setup.create_game(judge, GAME, rules=rules, schedule=SCHEDULE, early=False, players=players, now=START)
    setup.start_game(judge, GAME, START)


@contextmanager
def _logging_to(path: Path) -> Iterator[None]:
    """The server's log goes to a file, as its operator would keep it; nothing of it to the terminal."""
    root = logging.getLogger()
    with path.open("a", encoding="utf-8") as file:
        handler = logs.to_stream(file)
        try:
            yield
        finally:
            root.removeHandler(handler)


def _facts(
    store: Store,
    board: Board,
    recorded: Sequence[RecordedPhase],
    turns: Sequence[Turn],
    boxes: Mailboxes,
    course: Course,
    folder: Path | None,
) -> Facts:
    """Check everything that can only be checked at the end, and gather what the report tells."""
    faults = list(course.faults)
    if not faults:
        # a game that went another way stopped early; its mails would only repeat that
        phases = [one.phase for one in recorded]
        game = games.get(store, GAME)
        opened = games.open_phase(store, game.id)
        faults += check_mailboxes(boxes.received, phases, opened.name if opened else phases[-1], course.sent)
        faults += check_outcomes(course.sent, inbox.outcome_counts(store))
        faults += [f"a mail for {stray}, who does not play" for stray in boxes.strays]
        faults += _stuck(store)
    ending = games.get(store, GAME).ending
    return Facts(
        powers=board.powers,
        played=course.played,
        end=codec.end_from_text(ending) if ending else None,
        sent=course.sent,
        received=boxes.received,
        put_off=boxes.put_off,
        forgotten=sum(len(turn.missing) for turn in turns),
        game=GAME,
        folder=folder,
        faults=faults,
    )


def _stuck(store: Store) -> list[str]:
    """Mails that the judge could not read or send."""
    incoming, outgoing = inbox.counts(store), outbox.counts(store)
    stuck = {
        "waiting to be read": incoming["waiting"],
        "set aside": incoming["set_aside"],
        "waiting to be sent": outgoing["waiting"],
        "parked": outgoing["parked"],
    }
    return [f"{count} mails {what}" for what, count in stuck.items() if count]
