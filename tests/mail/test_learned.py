"""What a first mail tells of its writer's language and time zone."""

from __future__ import annotations

import pytest

from judge.mail.learned import language_of, zone_of

MAIL = b"From: mia@example.org\r\n%s%s\r\n\r\nbody\r\n"


def mail(headers: str = "", date: str = "Tue, 01 Dec 2026 22:00:00 +0000") -> bytes:
    date = "" if headers.startswith("Date") else f"Date: {date}\r\n"
    return MAIL % (date.encode(), (headers or "X-Nothing: 1").encode())


LANGUAGES = [
    ("English words", "", "LIST", "en"),
    ("kana", "Content-Language: en", "参加します", "ja"),
    ("simplified characters", "", "加入游戏", "zh-Hans"),
    ("traditional characters", "", "加入遊戲", "zh-Hant"),
    ("characters of both, by the charset", "Content-Type: text/plain; charset=iso-2022-jp", "参加 spring42", "ja"),
    ("characters of both, by the charset of Taiwan", "Content-Type: text/plain; charset=Big5", "加入 spring42", "zh-Hant"),
    ("characters of both, by the header", "Content-Language: zh-TW", "加入 spring42", "zh-Hant"),
    ("characters of both alone", "", "加入 spring42", "zh-Hans"),
    ("characters of both, from Japan's time", "Date: Tue, 01 Dec 2026 22:00:00 +0900", "参加 spring42", "ja"),
    ("simplified ones, from Japan's time", "Date: Tue, 01 Dec 2026 22:00:00 +0900", "报名 spring42", "zh-Hans"),
    ("English words, Japanese header", "Content-Language: ja-JP", "LIST", "ja"),
    ("English words, Japanese charset", "Content-Type: text/plain; charset=Shift_JIS", "LIST", "ja"),
    ("a language that we do not write", "Content-Language: fr", "LIST", "en"),
    ("no text at all", "", "", "en"),
]


@pytest.mark.parametrize(("headers", "words", "language"), [row[1:] for row in LANGUAGES], ids=[row[0] for row in LANGUAGES])
def test_the_language_of_a_first_mail(headers: str, words: str, language: str) -> None:
    assert language_of(mail(headers), words) == language


ZONES = [
    ("Tokyo", "Tue, 01 Dec 2026 22:00:00 +0900", "ja", "Asia/Tokyo"),
    ("nine hours, in English", "Tue, 01 Dec 2026 22:00:00 +0900", "en", "Etc/GMT-9"),
    ("Shanghai", "Tue, 01 Dec 2026 22:00:00 +0800", "zh-Hans", "Asia/Shanghai"),
    ("Taipei", "Tue, 01 Dec 2026 22:00:00 +0800", "zh-Hant", "Asia/Taipei"),
    ("west", "Tue, 01 Dec 2026 22:00:00 -0500", "en", "Etc/GMT+5"),
    ("half an hour", "Tue, 01 Dec 2026 22:00:00 +0530", "en", "Asia/Kolkata"),
    ("no such offset", "Tue, 01 Dec 2026 22:00:00 +0917", "en", "UTC"),
    ("beyond the world", "Tue, 01 Dec 2026 22:00:00 +2359", "en", "UTC"),
    ("UTC", "Tue, 01 Dec 2026 22:00:00 +0000", "ja", "UTC"),
    ("an unknown zone", "Tue, 01 Dec 2026 22:00:00 -0000", "ja", "UTC"),
    ("no date", "yesterday", "ja", "UTC"),
]


@pytest.mark.parametrize(("date", "language", "zone"), [row[1:] for row in ZONES], ids=[row[0] for row in ZONES])
def test_the_zone_of_a_first_mail(date: str, language: str, zone: str) -> None:
    assert zone_of(mail(date=date), language) == zone


def test_any_bytes_will_do() -> None:
    for raw in (b"", b"\xff\xfe\x00", b"Date: \xff\r\n\r\n", b"Content-Type: text/plain; charset=\xff\r\n\r\n"):
        assert language_of(raw, "\udcff") == "en"
        assert zone_of(raw, "en") == "UTC"
