"""Every verb said by everybody at every time: it is carried out where the table says so, refused with the reason where not,
and a refused one changes nothing."""

from __future__ import annotations

import shutil
import tomllib
from datetime import UTC, datetime, timedelta
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from judge.mail.commands import Command
from judge.mail.identity import Keys
from judge.mail.verbs import VERBS, Verb
from judge.play import Judge, rulings, setup, turn, writing
from judge.play.verbs import BUILT_IN, DOERS
from judge.play.verbs.acting import Act, NotDone
from judge.render.commonfacts import Answer
from judge.store import Store, games, outbox
from judge.variants import load_rules

Desk = Any
STATES = ("forming", "running", "ended")
ROLES = ("player", "master")
NOON = datetime(2026, 12, 1, 12, tzinfo=UTC)
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
SAID: dict[str, Any] = tomllib.loads((Path(__file__).parent / "data" / "verbs.toml").read_text("utf-8"))
#: HELP with a chapter is an answer; the manual as a whole is older than the answers
ANSWERED = [verb for verb in VERBS if verb.name not in BUILT_IN or verb.name == "HELP"]
CELLS = [
    pytest.param(verb, role, state, id=f"{verb.name}-{role}-{state}")
    for verb, role, state in product(ANSWERED, ROLES, STATES)
]
#: what a refused verb may leave behind: the mail itself and how it was read, its answer with the commitment of it, how many
#: answers there were, and the seals of all this
PASSING = frozenset({"raws", "inbox", "readings", "outbox", "seats", "commitments", "seals", "sqlite_sequence"})


def said(verb: Verb, role: str) -> str:
    found = SAID[verb.name]
    return str(found if isinstance(found, str) else found.get(role) or next(iter(found.values())))


def test_every_verb_has_a_mail_and_no_mail_is_of_none() -> None:
    assert set(SAID) == {verb.name for verb in VERBS}


def test_every_verb_is_carried_out_for_everybody_who_may_say_it() -> None:
    wanted = {(verb.name, role) for verb in ANSWERED for role in verb.who}
    # a game's rules are told with its orders; outside of any game they are an answer like others
    assert set(DOERS) == wanted | {("RULES", "anyone")}


@pytest.fixture(scope="session")
def in_state(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """A database with a game in each state, which has a master."""
    folder = tmp_path_factory.mktemp("states")
    paths = {state: folder / f"{state}.db" for state in STATES}
    judge = Judge(Store.open(paths["forming"]), Keys(b"k" * 32), "judge.example.org")
    setup.create_game(
        judge,
        "spring42",
        rules=load_rules("standard"),
        players={power: f"{power.lower()}@example.org" for power in POWERS},
        master="ana@example.org",
        now=NOON,
    )
    judge.store.close()
    shutil.copy(paths["forming"], paths["running"])
    judge = Judge(Store.open(paths["running"]), Keys(b"k" * 32), "judge.example.org")
    setup.start_game(judge, "spring42", NOON)
    judge.store.close()
    shutil.copy(paths["running"], paths["ended"])
    judge = Judge(Store.open(paths["ended"]), Keys(b"k" * 32), "judge.example.org")
    rulings.change_rules(judge, "spring42", [("victory.end.turn", "F1901")], who="Ana", now=NOON)
    while games.get(judge.store, "spring42").state == "running":
        turn.run_phase(judge, "spring42", NOON + timedelta(hours=1))
    judge.store.close()
    for path in paths.values():
        _send_all(path)
    return paths


def _send_all(path: Path) -> None:
    """Render and send what has been written so far: once, and not in every test."""
    judge = Judge(Store.open(path), Keys(b"k" * 32), "judge.example.org")
    now = NOON + timedelta(hours=2)
    while writing.freeze_next(judge, now) is not None:
        pass
    for line in outbox.due(judge.store, now + timedelta(days=9), 9999):
        outbox.sent(judge.store, line.id, now, "250 ok")
    judge.store.close()


@pytest.fixture
def at(desk: Desk, in_state: dict[str, Path], tmp_path: Path) -> Any:
    """``at(state)``: the desk of a judge whose game is in that state."""

    def bring(state: str) -> Desk:
        desk.judge.store.close()
        shutil.copy(in_state[state], tmp_path / "judge.db")
        desk.judge = Judge(Store.open(tmp_path / "judge.db"), desk.judge.keys, "judge.example.org")
        desk.now = NOON + timedelta(hours=2)
        return desk

    return bring


def write(desk: Desk, role: str, body: str) -> list[dict[str, Any]]:
    """Somebody says it; gives the stored answers to it."""
    who = "France" if role == "player" else "master"
    before = outbox.counts(desk.judge.store)
    latest = max((line.id for line in outbox.due(desk.judge.store, desk.now + timedelta(days=9), 9999)), default=0)
    assert before is not None
    assert desk.deliver(*desk.write(who, body, to=desk.reply_to(who))) is not None
    desk.work()
    answers: list[dict[str, Any]] = []
    for line in outbox.due(desk.judge.store, desk.now + timedelta(days=9), 9999):
        if line.id > latest and line.power == who:
            answers += line.args.get("answers", ())
    return answers


def dump(desk: Desk) -> dict[str, list[Any]]:
    """All that is stored but what every mail leaves behind."""
    rows = desk.judge.store.rows
    tables = [row["name"] for row in rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    kept = [name for name in tables if name not in PASSING]
    return {name: [tuple(row.values()) for row in rows("SELECT * FROM " + name)] for name in kept}  # noqa: S608 (our own)


@pytest.mark.parametrize(("verb", "role", "state"), CELLS)
def test_a_verb_is_carried_out_where_the_table_says_so(at: Any, verb: Verb, role: str, state: str) -> None:
    desk = at(state)
    before = dump(desk)
    refused = [one["args"] for one in write(desk, role, said(verb, role)) if one["code"] == "refused"]
    codes = [one["code"] for one in refused if one["code"].startswith("verb.")]
    if role in verb.who and state in verb.when:
        assert not codes
    else:
        assert len(codes) == 1 and codes[0] == (f"verb.not-{state}" if role in verb.who else codes[0])
        assert refused[0]["args"] == {"verb": verb.name}
        assert dump(desk) == before


@pytest.mark.parametrize("verb", [v for v in ANSWERED if "anyone" not in v.who], ids=lambda v: v.name)
def test_a_verb_of_a_seat_is_not_for_the_judges_own_address(desk: Desk, verb: Verb) -> None:
    before = dump(desk)
    desk.deliver(*desk.write("Stranger", said(verb, "player"), to="judge@judge.example.org"))
    desk.work()
    (line,) = [one for one in outbox.due(desk.judge.store, desk.now + timedelta(days=9), 99) if one.event == "answer"]
    assert [one["args"]["code"] for one in line.args["answers"]][:1] in (["verb.player-only"], ["verb.master-only"])
    assert dump(desk) == before


def test_what_finds_out_late_that_it_cannot_be_done_leaves_nothing(at: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    def halfway(act: Act, _: Command) -> list[Answer]:
        assert act.game is not None
        games.log(act.judge.store, act.game.id, "France", "half", {}, act.now)
        raise NotDone("verb.too-often", verb="SUMMARY", most=0)

    monkeypatch.setitem(DOERS, ("SUMMARY", "player"), halfway)  # type: ignore[arg-type]
    desk = at("running")
    before = dump(desk)
    answers = write(desk, "player", "SUMMARY\nSHOW")
    assert [one["code"] for one in answers] == ["refused", "show"]
    assert dump(desk) == before
