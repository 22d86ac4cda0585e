"""What concerns a person in all their games: GAMES and LINK, LANGUAGE, TIMEZONE and NAME, EXPORT."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from judge.mail.commands import Command
from judge.mail.identity import address, placeholder
from judge.mail.senders import mailbox_key, same_mailbox
from judge.mail.verbs import Role
from judge.play import naming
from judge.play.answering import stored
from judge.play.filing import file_state
from judge.play.judge import Judge, lay_out, rules_of
from judge.play.people import known, person_of, seats_of, sendable, set_reader, wishes_of
from judge.play.posting import write_to_person, write_to_stranger
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.store import games, outbox, people
from judge.store.games import Game, Seat
from judge.store.people import Person

#: So many seats one mail tells of.
MOST_SEATS = 100
#: Reply addresses go to an address that nothing is proved of once in this time.
LINKS_EVERY = timedelta(hours=24)
#: Everything that is kept about somebody goes out once in this time.
EXPORT_EVERY = timedelta(hours=12)
#: What people call the languages that our mails are written in.
_LANGUAGES: Mapping[str, str] = {
    **dict.fromkeys(("en", "english", "英語", "英语", "eng"), "en"),
    **dict.fromkeys(("ja", "jp", "japanese", "日本語", "にほんご", "日语", "日語", "日文"), "ja"),
    **dict.fromkeys(("zh", "zh-hans", "zh-cn", "cn", "chinese", "simplified", "simplified chinese", "中文", "汉语", "简体",
                     "简体中文", "中文(简体)", "中国語", "簡体字", "中国語(簡体字)"), "zh-Hans"),
    **dict.fromkeys(("zh-hant", "zh-tw", "zh-hk", "tw", "traditional", "traditional chinese", "繁體", "繁體中文",
                     "中文(繁體)", "繁体中文", "繁体字", "中国語(繁体字)", "漢語"), "zh-Hant"),
}  # fmt: skip
#: What people call time zones besides their names in the zone database and the cities in these.
_ZONES: Mapping[str, str] = {
    **dict.fromkeys(("jst", "japan", "日本", "東京", "日本時間"), "Asia/Tokyo"),
    **dict.fromkeys(("北京", "上海", "北京时间", "中国", "中国时间", "beijing", "china"), "Asia/Shanghai"),
    **dict.fromkeys(("台北", "臺北", "台灣", "臺灣", "taiwan", "台北時間"), "Asia/Taipei"),
    **dict.fromkeys(("香港", "hkt"), "Asia/Hong_Kong"),
    **dict.fromkeys(("utc", "gmt", "z", "世界時", "協定世界時"), "UTC"),
}  # fmt: skip
#: what people write who want no name any more
_NAMELESS = frozenset({"off", "none", "削除", "取消", "删除", "刪除"})
_OFFSET = re.compile(r"(?:utc|gmt)?\s*([+-])\s*(\d{1,2})(?::?00)?\Z")


# what is known of one's games


def list_mine(act: Act, _: Command) -> Sequence[Answer]:
    """All seats of a person, with the deadline, what they owe, and the address to answer to."""
    person = person_of(act)
    found = seats_of(act.judge, person.mailbox)
    seats = sorted(found, key=lambda pair: (pair[0].state == "ended", pair[0].name))[:MOST_SEATS]
    return [
        Answer(
            "games",
            {
                "seats": [_row(act.judge, game, seat) for game, seat in seats],
                "waiting": [
                    [game.name, game.variant, list(one.powers)] for game, one in wishes_of(act.judge, person.mailbox)
                ],
                "watched": [games.by_id(act.judge.store, one).name for one in people.observed(act.judge.store, person.id)],
                "links": _links(seats),
            },
        )
    ]


def _links(seats: Sequence[tuple[Game, Seat]]) -> list[list[Any]]:
    return [[seat.id, game.name, seat.power, seat.generation] for game, seat in seats]


def _row(judge: Judge, game: Game, seat: Seat) -> dict[str, Any]:
    phase = games.open_phase(judge.store, game.id)
    owed: str = "nothing"
    missing = 0
    if phase is not None and seat.power != games.MASTER:
        state = file_state(judge.store, lay_out(game, phase), seat.power)
        missing = len(state.missing) + state.open_count
        owed = "nothing" if state.owed is None else "complete" if state.complete else "missing"
    return {
        "game": game.name,
        "variant": game.variant,
        "power": seat.power,
        "state": game.state,
        "phase": phase.name if phase else None,
        "deadline": phase.deadline if phase else None,
        "owed": owed,
        "missing": missing,
        "address": address(game.name, placeholder(seat.id), judge.domain, judge.separator),
    }


def link(act: Act, command: Command) -> Sequence[Answer]:
    """The reply addresses of all seats of an address, to that address alone. Who asks for another's is told nothing."""
    person = act.person or (person_of(act) if act.seat is not None else None)
    own = person.address if person is not None else act.address
    wanted = sendable(command.argument) if command.argument else own
    if wanted is None:
        raise NotDone("link.no-address")
    if person is not None and same_mailbox(wanted, person.address):
        return [_addresses(act.judge, person.mailbox)]
    _send_links(act, wanted)
    if same_mailbox(wanted, act.address) and seats_of(act.judge, mailbox_key(wanted) or ""):
        return []  # the mail with the addresses is the answer
    return [Answer("link-sent", {"own": same_mailbox(wanted, act.address)})]


def _addresses(judge: Judge, mailbox: str) -> Answer:
    seats = [pair for pair in seats_of(judge, mailbox) if pair[0].state != "ended"][:MOST_SEATS]
    rows = [_row(judge, game, seat) for game, seat in seats]
    return Answer("addresses", {"seats": rows, "links": _links(seats)})


def _send_links(act: Act, wanted: str) -> None:
    """One mail a day to the registered address, as it was registered, if anybody plays by it."""
    key = mailbox_key(wanted) or ""
    seats = seats_of(act.judge, key)
    person = known(act.judge, wanted)
    if not seats:
        return
    to = person.address if person is not None and person.state == "confirmed" else seats[0][1].address or ""
    last = outbox.last_to(act.judge.store, to, "links")
    if last is not None and act.now - last < LINKS_EVERY:
        return
    args = {"answers": stored([_addresses(act.judge, key)])}
    extra = f"links {act.mail.id}"
    if person is not None and person.state == "confirmed":
        write_to_person(act.judge, person, "links", args, act.now, extra=extra)
    else:
        reader = {"language": seats[0][1].language, "timezone": seats[0][1].timezone}
        write_to_stranger(act.judge, to, "links", args, act.now, extra=extra, **reader)


# how one is written to


def language_named(text: str) -> str | None:
    """``"日本語"`` -> ``"ja"``: one of the languages of our mails, or ``None``."""
    return _LANGUAGES.get(" ".join(text.casefold().replace("（", "(").replace("）", ")").split()))


def zone_named(text: str) -> str | None:
    """``"Tokyo"``, ``"asia/tokyo"``, ``"UTC+9"``, ``"東京"`` -> a name of the zone database, or ``None``."""
    folded = " ".join(text.casefold().split())
    offset = _OFFSET.match(folded)
    if offset is not None:
        hours = int(offset[2])
        if hours > (14 if offset[1] == "+" else 12):
            return None
        # POSIX counts to the west
        return f"Etc/GMT{'-' if offset[1] == '+' else '+'}{hours}" if hours else "UTC"
    return _ZONES.get(folded) or _zones().get(folded.replace(" ", "_"))


@cache
def _zones() -> Mapping[str, str]:
    """Names of zones, and the places in them that are named once, in lower case -> the zone."""
    found: dict[str, str] = {}
    for name in sorted(available_timezones()):
        if name.startswith(("posix/", "right/", "Etc/", "SystemV/")):
            continue
        last = name.rpartition("/")[2].casefold()
        if "/" in name:
            found.setdefault(last, name)
    found.update({name.casefold(): name for name in available_timezones() if not name.startswith(("posix/", "right/"))})
    return found


def _language(_: Act, command: Command) -> str:
    language = language_named(command.argument)
    if language is None:
        raise NotDone("language.unknown")
    return language


def _zone(_: Act, command: Command) -> str:
    zone = zone_named(command.argument)
    if zone is None:
        raise NotDone("timezone.unknown")
    return zone


def set_language(act: Act, command: Command) -> Sequence[Answer]:
    """The language of all mails to a person."""
    language = _language(act, command)
    changed = set_reader(act.judge, person_of(act), language=language, now=act.now)
    return [Answer("reader", {"language": language, "timezone": None, "changed": changed})]


def set_timezone(act: Act, command: Command) -> Sequence[Answer]:
    """The time zone of all mails to a person."""
    zone = _zone(act, command)
    changed = set_reader(act.judge, person_of(act), timezone=zone, now=act.now)
    return [Answer("reader", {"language": None, "timezone": zone, "changed": changed})]


def _name(_: Act, command: Command) -> str:
    if re.match(r"\W*(?:name|名前|名字|名稱)\s*[:：]", command.line, re.IGNORECASE):
        raise NotDone("name.form", example=f"NAME {command.argument}".strip()[:60])
    if not command.argument or command.argument.casefold() in _NAMELESS:
        return ""
    name = naming.clean_name(command.argument)
    if name is None:
        raise NotDone("name.cannot", most=naming.LONGEST)
    return name


def _name_asked(act: Act, command: Command) -> str:
    return _name(act, command) or ("OFF" if command.argument else "")


def set_name(act: Act, command: Command) -> Sequence[Answer]:
    """What a person is called, where the house rules let players know; the verb alone asks what it is."""
    name = _name(act, command)
    person = people.load(act.judge.store, person_of(act).id)  # an earlier line of the same mail may have set it
    if not command.argument:
        return [Answer("name", {"name": person.name, "changed": None, **_told_in(act, person)})]
    if name and name != person.name and (where := naming.taken_in(act.judge, person, name)) is not None:
        raise NotDone("name.taken", game=where)
    people.set_name(act.judge.store, person.id, name)
    return [Answer("name", {"name": name, "changed": name != person.name, **_told_in(act, person)})]


def _told_in(act: Act, person: Person) -> dict[str, Any]:
    """The games of a person that are not over, by whether the players are told names there."""
    found: dict[str, list[str]] = {"open": [], "end": [], "never": []}
    for game, seat in seats_of(act.judge, person.mailbox)[:MOST_SEATS]:
        if game.state != "ended" and seat.power != games.MASTER:
            told = found[rules_of(game).powers_names]
            told += [] if game.name in told else [game.name]
    return found


def export(act: Act, _: Command) -> Sequence[Answer]:
    """All that is kept about a person, in a file: in a mail outside of any game, which is not kept for ever."""
    person = person_of(act)
    last = people.last_export(act.judge.store, person.id)
    if last is not None and act.now - last < EXPORT_EVERY:
        raise NotDone("export.too-often")
    people.exported(act.judge.store, person.id, act.now)
    answer = Answer("export", {"person": person.id})
    if act.seat is None:
        return [answer]
    write_to_person(act.judge, person, "answer", {"answers": stored([answer])}, act.now, extra=f"export {act.mail.id}")
    return [Answer("export-sent", {})]


_VERBS: Mapping[str, Doer] = {
    "EXPORT": export,
    "GAMES": list_mine,
    "LINK": link,
    "LANGUAGE": set_language,
    "TIMEZONE": set_timezone,
    "NAME": set_name,
}
_ROLES: tuple[Role, ...] = ("anyone", "player", "master")
DOERS: Mapping[tuple[str, Role], Doer] = {(verb, role): doer for verb, doer in _VERBS.items() for role in _ROLES}
CHECKS = {"LANGUAGE": _language, "TIMEZONE": _zone, "NAME": _name_asked}
