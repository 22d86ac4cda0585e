"""Somebody unknown becomes a player by mail alone, over SMTP to `judge serve` as it runs."""

from __future__ import annotations

import json
import re

import pytest

pytestmark = pytest.mark.slow


async def test_an_unknown_person_joins_a_game_by_mail_alone(post):
    await post.start("autumn7", "--set", "powers.assign=best-ranks")
    _, [(_, listed)] = await post.write("LIST")
    assert "autumn7" in post.text_of(listed)
    _, [(envelope, asked)] = await post.write("参加 autumn7 フランス")
    assert post.rows("SELECT count(*) FROM wishes") == [(0,)]
    assert re.fullmatch(r"judge\+1\.b-[a-z2-7]{16}@judge\.example\.org", envelope)
    own = asked["Reply-To"]
    assert re.fullmatch(r"judge\+1\.[a-z2-7]{16}@judge\.example\.org", own)
    assert "参加" in post.text_of(asked) or "YES" in post.text_of(asked)
    refused, none = await post.write("YES", to=own.replace(own[8], "a" if own[8] != "a" else "b", 1), answering=asked)
    assert "550" in refused and none == []
    _, [(_, done)] = await post.write("はい", to=own, answering=asked)
    assert "フランス" in post.text_of(done)
    assert post.rows("SELECT address, powers FROM wishes") == [("mia@example.net", '["France"]')]
    token = re.search(r"\.([a-z2-7]{16})@", own)[1]
    log = (post.home / "log").read_text()
    assert token not in log and "mia@" not in log
    assert all(token.encode() not in row[0] for row in post.rows("SELECT bytes FROM raws"))


async def test_a_player_gets_the_lost_address_back_and_orders_by_it(post):
    seats = ["--seat=France=mia@example.net", "--seat=Italy=leo@example.net"]
    await post.start("spring42", "--schedule", "every 9 days", *seats, "--start", "--json")
    await post.quiet()
    _, got = await post.write("LINK mia@example.net", sender="eve@evil.example")
    links = next(mail for _, mail in got if mail["To"] == "mia@example.net")
    eve = next(mail for _, mail in got if mail["To"] == "eve@evil.example")
    assert "+" not in post.text_of(eve).replace("UTC+9", "")
    seat = re.search(r"spring42\+[a-z2-7]{16}@judge\.example\.org", post.text_of(links))[0]
    _, [(_, receipt)] = await post.write("A Par - Bur", to=seat)
    assert "PAR" in post.text_of(receipt).upper()
    shown = json.loads(await post.run("--home", str(post.home), "game", "show", "spring42", "--json"))
    assert next(one["orders"] for one in shown["seats"] if one["power"] == "France") == ["A PAR-BUR"]
