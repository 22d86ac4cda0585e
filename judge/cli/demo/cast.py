"""The seven players of the demonstration: their addresses, clocks, mail programs, and how each of them writes."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType


@dataclass(frozen=True, slots=True)
class Player:
    """One player. ``zone``: hours ahead of UTC; ``programs``: names in ``shapes.SHAPES``; ``styles``: in ``spelling``."""

    power: str
    name: str
    address: str
    zone: int
    programs: tuple[str, ...]
    styles: tuple[str, ...]
    greetings: tuple[str, ...] = ("",)
    closings: tuple[str, ...] = ("",)


_CAST = (
    Player(
        "Austria",
        "Anneke Vogt",
        "anneke.vogt@players.example",
        1,
        ("Apple Mail", "Foxmail", "The Bat!"),
        ("typographer's dashes", "names", "short"),
        ("", "Hello,"),
        ("", "Anneke"),
    ),
    Player(
        "England",
        "Edwin Harlow",
        "edwin.harlow@players.example",
        0,
        ("Outlook", "iPhone", "Mutt"),
        ("names", "in words", "canonical"),
        ("Dear judge,", "Good evening,"),
        ("Kind regards", "Edwin"),
    ),
    Player(
        "France",
        "Camille Roux",
        "camille.roux@players.example",
        1,
        ("Gmail", "Mutt", "Hotmail"),
        ("short", "canonical", "arrows in ASCII"),
        ("Hi judge, here are my orders.", "Bonjour,", ""),
        ("Camille", "Merci !", ""),
    ),
    Player(
        "Germany",
        "Jörg Weißhaupt",
        "joerg.weisshaupt@players.example",
        1,
        ("Thunderbird", "Outlook (text)"),
        ("short", "names", "moves to"),
        ("Hallo,", "Guten Abend,"),
        ("Viele Grüße", "Jörg"),
    ),
    Player(
        "Italy",
        "Livia Contarelli",
        "livia.contarelli@players.example",
        1,
        ("iPhone", "Hotmail", "Gmail"),
        ("small letters", "arrows", "in words"),
        ("", "Ciao!"),
        ("", "Livia"),
    ),
    Player(
        "Russia",
        "Daria Orlitskaya",
        "daria.orlitskaya@players.example",
        3,
        ("The Bat!", "Thunderbird", "Gmail"),
        ("arrows in ASCII", "canonical", "moves to"),
        ("", "Hello judge,"),
        ("", "Daria"),
    ),
    Player(
        "Turkey",
        "守高 健三",
        "kenzo.moritaka@players.example",
        9,
        ("Becky!", "Foxmail", "Mutt"),
        ("canonical", "short", "arrows"),
        ("お世話になっております。守高です。", ""),
        ("以上です。", "よろしくお願いします。"),
    ),
)

#: power -> who plays it
PLAYERS: Mapping[str, Player] = MappingProxyType({player.power: player for player in _CAST})
