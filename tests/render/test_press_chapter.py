"""The chapter of the manual about press tells what the house rules allow, and nothing else."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from judge.render.answers.manual import chapter
from judge.render.answers.pieces import Says
from judge.rules.houserules import STANDARD

CASES: dict[tuple[str, str], tuple[list[str], list[str]]] = {
    ("player", "both"): (["PRESS TO FRANCE RUSSIA", "BROADCAST", "GREY PRESS TO", "PRESS TO MASTER"], []),
    ("player", "white"): (["PRESS TO FRANCE RUSSIA", "signed with its sender's power", "PRESS TO MASTER"], ["GREY"]),
    ("player", "grey"): (["PRESS TO FRANCE RUSSIA", "does not say which power", "PRESS TO MASTER"], ["GREY"]),
    ("player", "none"): (["passes on no press", "PRESS TO MASTER"], ["BROADCAST", "GREY", "FRANCE"]),
    ("master", "none"): (["PRESS TO FRANCE RUSSIA", "BROADCAST"], ["GREY", "PRESS TO MASTER"]),
}


@pytest.mark.parametrize(("role", "kinds"), CASES)
def test_the_chapter_follows_the_rules(role: str, kinds: str) -> None:
    there, absent = CASES[role, kinds]
    common: Any = SimpleNamespace(rules=replace(STANDARD, press_kinds=kinds), early=True)
    words: Any = SimpleNamespace(translate=lambda text: text)
    section = chapter({"topic": "talk", "role": role, "verbs": ["STATEMENT"], "others": []}, words, common)
    said = " ".join(piece.text for piece in section.pieces if isinstance(piece, Says))
    assert all(one in said for one in there) and not any(one in said for one in absent)
