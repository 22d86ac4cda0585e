"""By which rules the recorded game is played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace

from judge.cli.demo.recording import RecordedPhase
from judge.rules.houserules import HouseRules
from judge.variants import load_rules

#: the rules of the recorded game, and the preset that says how this one ends: after Fall 1910, when most units win. Under
#: the rest of that preset (JP-21, retreats into stand-offs) three phases came out otherwise than recorded.
RULES, ENDING = "standard", "japan-1910"


def house_rules() -> HouseRules:
    """The rules that the game is played by: `RULES`, with everything about victory as in `ENDING`."""
    ending = load_rules(ENDING)
    victory = {key.name: getattr(ending, key.name) for key in fields(ending) if key.name.startswith("victory_")}
    return replace(load_rules(RULES), name=f"{RULES}, ends as {ENDING}", **victory)


def goes_to_the_end(recording: Sequence[RecordedPhase], rules: HouseRules) -> bool:
    """Whether the recording holds the year in which the rules end the game, so that it must be over after it."""
    return recording[-1].phase[1:-1] >= rules.victory_end_turn[1:]
