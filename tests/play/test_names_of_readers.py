"""What people call a language and a time zone."""

from __future__ import annotations

import pytest

from judge.play.verbs.personal import language_named, zone_named


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("English", "en"), ("JAPANESE", "ja"), ("日本語", "ja"), ("中文", "zh-Hans"), ("简体中文", "zh-Hans"),
        ("中文（繁體）", "zh-Hant"), ("zh-TW", "zh-Hant"), ("Traditional  Chinese", "zh-Hant"),
        ("Klingon", None), ("", None),
    ],
)  # fmt: skip
def test_a_language(text: str, language: str | None) -> None:
    assert language_named(text) == language


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("Tokyo", "Asia/Tokyo"), ("asia/tokyo", "Asia/Tokyo"), ("東京", "Asia/Tokyo"), ("New York", "America/New_York"),
        ("UTC+9", "Etc/GMT-9"), ("utc -5", "Etc/GMT+5"), ("+08:00", "Etc/GMT-8"), ("GMT", "UTC"), ("UTC+0", "UTC"),
        ("UTC+15", None), ("Atlantis", None), ("../../etc/passwd", None), ("posix/Europe/Paris", None),
    ],
)  # fmt: skip
def test_a_time_zone(text: str, zone: str | None) -> None:
    assert zone_named(text) == zone
