"""FORGET: in no byte of the database is an address or a name of somebody who is forgotten, the games stay as they were, and
one changed byte of what was redacted is found as before."""

from __future__ import annotations

import json
import re
import sqlite3
import tomllib
from datetime import timedelta
from email.message import Message
from pathlib import Path
from typing import Any

import pytest

from judge.mail.identity import Keys
from judge.play import Judge, export, forgetting, outgoing, seats, setup, turn, verify
from judge.play.judge import open_table
from judge.store import Store, games, outbox, people, redacting, seals
from judge.variants import load_board, load_rules, with_key

#: stories of many mails, each in a game of its own
pytestmark = pytest.mark.slow

Desk = Any
NAME = "autumn"
PLAYED = ("England", "France", "Germany", "Russia")
CAMILLE = "camille@mail.example.net"
WHO = "Camille Martin"
STRANGE = "c.martin@work.example"
JUDGE = "judge@judge.example.org"


def at(power: str) -> str:
    return CAMILLE if power == "France" else f"{power.lower()}@example.net"


def text_of(message: Message) -> str:
    part = next(part for part in message.walk() if part.get_content_type() == "text/plain")
    return " ".join(part.get_payload(decode=True).decode().split())  # type: ignore[union-attr]


def make(desk: Desk) -> None:
    board, rules = load_board(), load_rules("standard")
    for key, value in (("powers.addresses", "shown"), ("powers.assign", "preference")):
        rules = with_key(rules, key, value, board)
    players = {power: at(power) for power in PLAYED}
    setup.create_game(desk.judge, NAME, rules=rules, players=players, now=desk.now, wishes=[(at("Italy"), ["Italy"])],
                      master="ana@example.net")  # fmt: skip
    setup.start_game(desk.judge, NAME, desk.now, "5f0c", "chosen")
    desk.work()
    desk.receive()


def write(desk: Desk, power: str, body: str, **more: Any) -> Message | None:
    name = WHO if power == "France" else power
    sender = more.pop("sender", at(power))
    headers = {"From": f"{name} <{sender}>", "Message-ID": f"<{desk.count}.{sender}>"} | more.pop("headers", {})
    to = more.pop("to", None) or desk.reply_to(power, NAME)
    kept = desk.deliver(*desk.write(power, body, to=to, sender=sender, headers=headers, **more))
    assert kept is not None
    desk.work()
    got = [one for one in desk.receive() if one["To"] == sender]
    return got[-1] if got else None


def run(desk: Desk) -> None:
    phase = games.open_phase(desk.judge.store, games.get(desk.judge.store, NAME).id)
    desk.now = phase.deadline + timedelta(minutes=1)
    turn.run_phase(desk.judge, NAME, desk.now)
    desk.work()
    desk.receive()


def play(desk: Desk) -> None:
    """A game in which Camille plays France, to its end; in mails of others she is named too."""
    make(desk)
    setup.create_game(desk.judge, "spring44", rules=load_rules("standard"), now=desk.now)
    write(desk, "master", "SET victory.end.turn=F1901", sender="ana@example.net")
    write(desk, "France", f"A PAR-BUR\nF BRE-MAO\nA MAR S A PAR-BUR\n\nYours, {WHO}\n-- \n{WHO}\n{CAMILLE}, +33 1 23 45")
    write(desk, "France", f"A PRIS H\nPRESS TO ENGLAND\nCall me Camille, or write to {CAMILLE}!\nEND")
    write(desk, "France", "MAIL RESULTS")
    write(desk, "England", f"F LON-NTH\nPRESS TO FRANCE GERMANY\nDear {WHO}, together? Spain <{CAMILLE}> may know.\nEND")
    write(desk, "Germany", f"On Tuesday {WHO} <{CAMILLE}> wrote:\n> hello\n\nF KIE-DEN")
    write(desk, "France", "A MAR-SPA\nA PAR-BUR", sender=STRANGE)
    asked = next(one for one in reversed(desk.sent) if "YES" in text_of(one) and one["To"] == CAMILLE)
    write(desk, "France", "YES 1", answering=asked)
    write(desk, "France", "A MAR-\nF BRE-\nF1901M\nF BRE-ENG\nDRAW")
    write(desk, "Russia", "A WAR-GAL\nA WAR-UKR")
    write(desk, "France", "ABSENCE 2027-01-02..2027-01-05")
    write(desk, "France", "TIMEZONE Tokyo")
    write(desk, "France", "EXPORT")
    write(desk, "master", "STATUS", sender="ana@example.net")
    write(desk, "France", "A PAR-BUR", headers={"From": f"=?utf-8?q?Camille_Martin?= <{CAMILLE.upper()}>"})
    desk.post("Is anybody there?", to="postmaster@judge.example.org", sender=CAMILLE)
    (asked,) = desk.post("OBSERVE spring44", "France", to=JUDGE, sender=CAMILLE)
    desk.post("YES", "France", to=asked["Reply-To"], sender=CAMILLE, answering=asked)
    desk.post("STANDBY spring44", "France", to=asked["Reply-To"], sender=CAMILLE)
    setup.create_game(
        desk.judge, "spring45", rules=with_key(load_rules("standard"), "powers.takeover", "open", load_board()), now=desk.now
    )
    setup.start_game(desk.judge, "spring45", desk.now)
    desk.post("STANDBY spring45", "France", to=asked["Reply-To"], sender=CAMILLE)
    run(desk)
    write(desk, "France", "A BUR-BEL\nF MAO-SPA/SC")
    while games.get(desk.judge.store, NAME).state == "running":
        run(desk)
    write(desk, "France", "STATEMENT\nIt was a pleasure.\nEND")


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory, desk_class: Any) -> tuple[Path, Any]:
    path = tmp_path_factory.mktemp("forgotten") / "judge.db"
    desk = desk_class(Judge(Store.open(path), Keys(b"k" * 32), "judge.example.org", operator="operator@example.com"))
    play(desk)
    desk.judge.store.close()
    return path, desk


@pytest.fixture
def over(database: tuple[Path, Any], tmp_path: Path, desk_class: Any) -> Any:
    """The game after its end; a copy of its own."""
    path, played = database
    (tmp_path / "judge.db").write_bytes(path.read_bytes())
    judge = Judge(Store.open(tmp_path / "judge.db"), Keys(b"k" * 32), "judge.example.org", operator="operator@example.com")
    desk = desk_class(judge, now=played.now + timedelta(hours=1), sent=list(played.sent), count=played.count)
    yield desk
    judge.store.close()


def game(desk: Desk) -> Any:
    return games.get(desk.judge.store, NAME)


def faults(desk: Desk) -> list[str]:
    return [str(one) for one in verify.verify_game(desk.judge, game(desk))]


def camille(desk: Desk) -> Any:
    return people.of_mailbox(desk.judge.store, CAMILLE)


def orders(desk: Desk) -> list[tuple[Any, ...]]:
    return [tuple(row.values()) for row in desk.judge.store.rows("SELECT phase_id, power, slot, text, state FROM orders")]


def bytes_on_disk(desk: Desk) -> bytes:
    """Every byte of the database's files."""
    folder = desk.judge.store.path.parent
    return b"".join(path.read_bytes() for path in sorted(folder.glob("judge.db*")))


def forgotten(desk: Desk) -> Any:
    return forgetting.forget(desk.judge, camille(desk), desk.now)


def test_there_is_something_to_forget(over: Desk) -> None:
    found = bytes_on_disk(over)
    assert found.count(CAMILLE.encode()) > 20 and found.count(WHO.encode()) > 5 and STRANGE.encode() in found
    assert faults(over) == []


def test_in_no_byte_is_an_address_or_a_name(over: Desk) -> None:
    before = orders(over)
    done = forgotten(over)
    found = bytes_on_disk(over).lower()
    for needle in (CAMILLE, WHO, STRANGE, "mail.example.net", "+33 1 23 45"):
        assert needle.lower().encode() not in found, needle
    assert done.pseudonym.encode() in found and done.games == (NAME,) and done.mails > 8
    assert orders(over) == before
    shown = over.show(NAME)
    assert next(one for one in shown["seats"] if one["power"] == "France")["address"] is None
    assert next(one for one in shown["seats"] if one["power"] == "England")["address"] == at("England")


def test_the_game_is_verified_as_before(over: Desk) -> None:
    forgotten(over)
    assert faults(over) == []
    (line,) = verify.redactions(over.judge, game(over))
    assert "redacted at the player's wish (forgotten-" in line and "mails that came in" in line
    assert not verify._unread(over.judge, game(over))  # each is still read as it was


REDACTED = {
    "a mail of theirs": "UPDATE raws SET bytes = CAST(replace(CAST(bytes AS TEXT), 'A PAR-BUR', 'A PAR-PIC') AS BLOB)"
    " WHERE id = (SELECT raw_id FROM inbox WHERE power = 'France' AND game = 'autumn' ORDER BY id LIMIT 1)",
    "where it came from": "UPDATE raws SET envelope_from = 'x' || envelope_from"
    " WHERE id = (SELECT raw_id FROM inbox WHERE power = 'France' AND game = 'autumn' ORDER BY id LIMIT 1)",
    "press of others": "UPDATE press SET text = replace(text, 'together', 'never') WHERE sender = 'England'",
    "the text of a mail to them": "UPDATE outbox SET body = body || '.' WHERE id ="
    " (SELECT max(id) FROM outbox WHERE power = 'France' AND event = 'result')",
    "the head of a mail to them": "UPDATE outbox SET frozen = CAST('x' || CAST(frozen AS TEXT) AS BLOB) WHERE id ="
    " (SELECT max(id) FROM outbox WHERE power = 'France' AND event = 'result')",
    "what the log says of it": "UPDATE log SET facts = replace(facts, 'forgotten-', 'forgotten_') WHERE what = 'redacted'",
}


@pytest.mark.parametrize("what", REDACTED)
def test_one_changed_byte_of_what_was_redacted_is_found(over: Desk, what: str) -> None:
    forgotten(over)
    with sqlite3.connect(over.judge.store.path) as other:
        assert other.execute(REDACTED[what]).rowcount == 1
    other.close()
    assert any(one.startswith("bytes: ") for one in faults(over))


def test_what_was_changed_before_is_not_made_good(over: Desk) -> None:
    store = over.judge.store
    row = store.row("SELECT raw_id FROM inbox WHERE power = 'France' AND game = 'autumn' ORDER BY id LIMIT 1")
    with store.transaction():
        store.run(
            "UPDATE raws SET bytes = CAST(replace(CAST(bytes AS TEXT), 'A PAR-BUR', 'A PAR-PIC') AS BLOB) WHERE id = ?",
            row["raw_id"],
        )
        store.run("UPDATE outbox SET body = body || '!' WHERE id = (SELECT max(id) FROM outbox WHERE event = 'result'"
                  " AND power = 'France')")  # fmt: skip
    before = len(faults(over))
    forgotten(over)
    assert before >= 2 and len(faults(over)) >= 2


def test_every_sealed_table_knows_its_seal() -> None:
    assert set(redacting.SEALED_WITH) == {table for tables in seals.PARTS.values() for table in tables}


# by mail


def test_it_is_asked_at_the_registered_address_and_done_after_the_last_mail(over: Desk) -> None:
    told = write(over, "France", "FORGET")
    (question,) = [one for one in over.sent[-2:] if "one word “YES”" in text_of(one)]
    assert told is not None and question["To"] == CAMILLE and "pseudonym" in text_of(question)
    again = write(over, "France", "forget me")
    assert again is not None and "asked that" in text_of(again)
    assert redacting.wished(over.judge.store) == []
    (farewell,) = over.post("YES", "France", to=question["Reply-To"], sender=CAMILLE, answering=question)
    assert "my last mail to you" in text_of(farewell)
    assert forgetting.forget_who_wished_it(over.judge, over.now) == 1
    assert CAMILLE.encode() not in bytes_on_disk(over) and WHO.encode() not in bytes_on_disk(over)
    assert faults(over) == []
    assert over.deliver(*over.write("France", "STATUS", to=question["Reply-To"], sender=CAMILLE)) is None
    assert forgetting.forget_who_wished_it(over.judge, over.now) == 0


def test_what_is_on_its_way_goes_first_but_not_for_ever(over: Desk) -> None:
    person = camille(over)
    with over.judge.store.transaction():
        forgetting.wish(over.judge, person, over.now)
    over.deliver(*over.write("France", "STATUS", to=over.reply_to("France", NAME), sender=CAMILLE))
    over.work()
    assert forgetting.forget_who_wished_it(over.judge, over.now) == 0
    assert forgetting.forget_who_wished_it(over.judge, over.now + timedelta(hours=25)) == 1
    assert all(line.address != CAMILLE for line in outbox.due(over.judge.store, over.now + timedelta(days=9), 99))
    for line in outbox.due(over.judge.store, over.now + timedelta(days=9), 99):
        outgoing.wire_bytes(over.judge, line, eight_bit=True)


def test_at_the_judges_own_address(over: Desk) -> None:
    (asked,) = over.post("GAMES", "France", to=JUDGE, sender=CAMILLE)
    (games_mail,) = over.post("YES", "France", to=asked["Reply-To"], sender=CAMILLE, answering=asked)
    (question,) = over.post("FORGET", "France", to=games_mail["Reply-To"], sender=CAMILLE, answering=games_mail)
    assert "pseudonym" in text_of(question)
    (no,) = over.post("NO", "France", to=question["Reply-To"], sender=CAMILLE, answering=question)
    assert "Nothing is done" in text_of(no)
    assert redacting.wished(over.judge.store) == []
    (unproved,) = over.post("FORGET", "Eve", to=JUDGE, sender=CAMILLE)
    assert "from your own address" in text_of(unproved)
    (twice,) = over.post("FORGET", "France", to=games_mail["Reply-To"], sender=CAMILLE, answering=games_mail)
    over.post("YES", "France", to=twice["Reply-To"], sender=CAMILLE, answering=twice)
    assert [one.person_id for one in redacting.wished(over.judge.store)] == [camille(over).id]
    (third,) = over.post("FORGET", "France", to=games_mail["Reply-To"], sender=CAMILLE, answering=games_mail)
    assert "my last mail" in text_of(third) and len(redacting.wished(over.judge.store)) == 1


def test_who_still_plays_is_told_where(desk: Desk) -> None:
    answer = desk.mail("France", "FORGET")
    assert "spring42" in text_of(answer) and "RESIGN" in text_of(answer)
    with desk.judge.store.transaction():
        person = forgetting.person_at(desk.judge, "france@example.org", desk.now)
    with pytest.raises(forgetting.StillPlays):
        forgetting.forget(desk.judge, person, desk.now)


def test_a_wish_lapses_with_a_new_seat(over: Desk) -> None:
    with over.judge.store.transaction():
        forgetting.wish(over.judge, camille(over), over.now)
    setup.create_game(over.judge, "spring43", rules=load_rules("standard"), players={"France": CAMILLE}, now=over.now)
    assert forgetting.forget_who_wished_it(over.judge, over.now) == 0
    assert redacting.wished(over.judge.store) == [] and camille(over) is not None


def test_who_was_replaced_and_who_came_are_told_apart(desk: Desk) -> None:
    """A player who left a game that goes on is forgotten; of the one who came after nothing is."""
    desk.mail("France", "A PAR-BUR\nF BRE-MAO\nA MAR-SPA")
    desk.mail("France", "RESIGN YES")
    desk.now += timedelta(hours=1)
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    with desk.judge.store.transaction():
        seats.replace(desk.judge, table, "France", "zoe@example.com", who="operator", why=None, now=desk.now)
    desk.work()
    desk.receive()
    desk.mail("France", "A PAR-GAS", headers={"Message-ID": "<1@example.com>"})
    with desk.judge.store.transaction():
        person = people.of_mailbox(desk.judge.store, "france@example.org") or people.add(
            desk.judge.store, "france@example.org", "france@example.org", language="en", timezone="UTC", state="confirmed",
            now=desk.now,
        )  # fmt: skip
    forgetting.forget(desk.judge, person, desk.now)
    found = bytes_on_disk(desk)
    assert b"france@example.org" not in found and b"zoe@example.com" in found
    assert sorted(desk.held("France")) == ["A MAR-SPA", "A PAR-GAS", "F BRE-MAO"]
    assert [str(one) for one in verify.verify_game(desk.judge, games.get(desk.judge.store, "spring42"))] == []


# EXPORT: the other side of it


def exported(desk: Desk) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(export.as_json(desk.judge, camille(desk).id))
    return found


#: every column of the schema: where EXPORT has it, or why it has not (``-``). ``*``: all columns that are not named
IN_EXPORT: dict[str, dict[str, str]] = tomllib.loads((Path(__file__).parent / "data" / "export.toml").read_text("utf-8"))


def columns(store: Store) -> dict[str, list[str]]:
    tables = [row["name"] for row in store.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        table: [row["name"] for row in store.rows("SELECT name FROM pragma_table_info(?)", table)]
        for table in tables
        if table not in ("_sqlite_migrations", "sqlite_sequence")
    }


def test_each_column_is_exported_or_it_is_said_why_not(over: Desk) -> None:
    there = columns(over.judge.store)
    assert set(IN_EXPORT) == set(there)
    for table, names in there.items():
        said = set(IN_EXPORT[table])
        assert said <= {*names, "*"}, table
        assert "*" in said or said == set(names), (table, set(names) - said)
        assert all(why.startswith("- ") for name, why in IN_EXPORT[table].items() if name == "*"), table
        assert all(len(why) >= 4 for why in IN_EXPORT[table].values())


def found_at(value: Any, path: list[str]) -> list[Any]:
    if not path:
        return [value]
    name = path[0].removesuffix("[]")
    inner = value[name]
    return [one for part in (inner if path[0].endswith("[]") else [inner]) for one in found_at(part, path[1:])]


PATHS = sorted({path for columns in IN_EXPORT.values() for path in columns.values() if not path.startswith("- ")})


@pytest.mark.parametrize("path", PATHS)
def test_what_is_said_to_be_exported_is(whole: dict[str, Any], path: str) -> None:
    assert found_at(whole, path.split(".")), "nothing of it: let Camille do something that brings it about"


@pytest.fixture(scope="module")
def whole(database: tuple[Path, Any], tmp_path_factory: pytest.TempPathFactory, desk_class: Any) -> dict[str, Any]:
    path = tmp_path_factory.mktemp("exported") / "judge.db"
    path.write_bytes(database[0].read_bytes())
    desk = desk_class(Judge(Store.open(path), Keys(b"k" * 32), "judge.example.org"), now=database[1].now)
    found = exported(desk)
    desk.judge.store.close()
    return found


def test_nothing_of_others_is_exported(whole: dict[str, Any]) -> None:
    text = json.dumps(whole, ensure_ascii=False)
    assert "WAR-GAL" not in text  # an order of Russia that no result of a phase told
    (seat,) = whole["seats"]
    assert all(one["sender"] is None for one in seat["press_received"] if one["kind"] == "grey")
    assert not re.search(r"[+.](?!x{16}|tokenplac)[a-z2-7]{16}@", text)


def test_who_left_a_seat_gets_what_was_theirs(desk: Desk) -> None:
    desk.mail("France", "A PAR-BUR")
    desk.mail("France", "RESIGN YES")
    desk.now += timedelta(hours=1)
    table = open_table(desk.judge.store, games.get(desk.judge.store, "spring42"))
    with desk.judge.store.transaction():
        seats.replace(desk.judge, table, "France", "zoe@example.com", who="operator", why=None, now=desk.now)
        person = people.add(
            desk.judge.store, "france@example.org", "france@example.org", language="en", timezone="UTC", state="confirmed",
            now=desk.now,
        )  # fmt: skip
    desk.work()
    desk.mail("France", "F BRE-ENG")
    (seat,) = export.of_person(desk.judge, person)["seats"]
    assert [one["text"] for one in seat["orders"]] == ["A PAR-BUR"] and seat["until"] is not None
    assert "zoe@" not in json.dumps(export.of_person(desk.judge, person), default=str)
