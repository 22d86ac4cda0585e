"""Every verb of the table over SMTP to `judge serve` as it runs: said by each who may say it, and answered by mail."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from judge import settings
from judge.mail.identity import Keys
from judge.mail.verbs import VERBS, Verb
from judge.play import rulings, setup, turn
from judge.play.judge import Judge, judge_of
from judge.play.verbs import BUILT_IN
from judge.store import Store, games
from judge.variants import load_rules

Post = Any
pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

#: a mail for each verb, kept beside the tests of what they do
SAID: dict[str, Any] = tomllib.loads((Path(__file__).parents[1] / "play/data/verbs.toml").read_text("utf-8"))
POWERS = ("Austria", "England", "France", "Germany", "Italy", "Russia", "Turkey")
MIA = "mia@example.net"
CASES = [
    pytest.param(verb, role, id=f"{verb.name}-{role}")
    for verb in VERBS
    for role in ("anyone", "player", "master")
    if role in verb.who and (verb.name not in BUILT_IN or role != "anyone")
]


def said(verb: Verb, role: str, game: str) -> str:
    found = SAID[verb.name]
    text = found if isinstance(found, str) else found.get(role) or next(iter(found.values()))
    return str(text).replace("spring42", game).replace("\n", "\r\n")


@contextmanager
def beside(post: Post) -> Iterator[Judge]:
    """The judge's database, worked on while the server runs, as the commands of the shell do."""
    chosen = settings.load(post.home, {})
    store = Store.open(chosen.database_path)
    try:
        yield judge_of(store, Keys(settings.load_key(chosen)), chosen)
    finally:
        store.close()


def game_in(post: Post, name: str, state: str) -> dict[str, str]:
    """Make a game in that state; the reply addresses of its seats."""
    now = datetime.now(UTC)
    players = {power: f"{power.lower()}@example.org" for power in POWERS}
    with beside(post) as judge:
        rules = load_rules("standard")
        setup.create_game(judge, name, rules=rules, players=players, master="ana@example.org", now=now)
        if state != "forming":
            setup.start_game(judge, name, now)
        if state == "ended":
            rulings.change_rules(judge, name, [("victory.end.turn", "F1901")], who="Ana", now=now)
            while games.get(judge.store, name).state == "running":
                turn.run_phase(judge, name, now)
        game = games.get(judge.store, name)
        return {power: judge.reply_address(name, games.seat(judge.store, game.id, power)) for power in (*POWERS, "master")}


async def known(post: Post) -> str:
    """A judge that serves and knows Mia; her reply address."""
    if post.process is None:
        await post.start("autumn7", "--set", "powers.assign=best-ranks")
        _, [(_, asked)] = await post.write("LANGUAGE English")
        post.own = asked["Reply-To"]
        await post.write("YES", to=post.own, answering=asked)
    return str(post.own)


@pytest.mark.parametrize(("verb", "role"), CASES)
async def test_a_verb_is_answered_in_one_mail(post_of_all: Post, verb: Verb, role: str) -> None:
    post = post_of_all
    own = await known(post)
    state = next(one for one in ("running", "forming", "ended") if one in verb.when)
    name = re.sub("[^a-z]", "", f"{verb.name}{role}".lower())[:20]
    seats = game_in(post, name, state)
    await post.quiet()
    if role == "anyone":
        sender, to = MIA, own
    else:
        power = "France" if role == "player" else "master"
        sender, to = f"{power.lower().replace('master', 'ana')}@example.org", seats[power]
    replies, mails = await post.write(said(verb, role, name), sender=sender, to=to)
    assert "250 2.0.0" in replies
    answers = [mail for _, mail in mails if sender in mail["To"] and mail["Auto-Submitted"].startswith("auto-")]
    # the file of EXPORT goes to the address that is kept, whatever the answer says
    assert len(answers) == (2 if verb.name == "EXPORT" and role != "anyone" else 1), [
        (mail["To"], mail["Subject"]) for _, mail in mails
    ]
    assert post.text_of(answers[0]).strip()
    stored = dict(post.rows("SELECT message_id, args FROM outbox"))
    assert all('"verb.' not in stored[mail["Message-ID"].strip()] for mail in answers), "understood, and theirs to say"
