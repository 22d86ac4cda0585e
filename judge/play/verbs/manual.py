"""HELP with a chapter of the manual, or with a verb: the chapter that it stands in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from judge.mail.commands import Command
from judge.mail.commands import parse as parse_command
from judge.mail.verbs import VERBS, Role, Topic
from judge.play.verbs.acting import Act, Doer, NotDone
from judge.render.commonfacts import Answer
from judge.render.verbwords import TOPICS


def topics_for(role: Role) -> list[Topic]:
    """The chapters that have something for ``role``, in the manual's order."""
    there = {verb.topic for verb in VERBS if role in verb.who}
    return sorted(there, key=list(TOPICS).index)


def chapter(act: Act, command: Command) -> Sequence[Answer]:
    """The chapter that is named; one that there is not is answered with those there are."""
    topics = topics_for(act.role)
    said = command.argument.casefold().split()[0] if command.argument else ""
    topic = next((one for one in topics if one == said), None) or _topic_of_verb(command.argument, act.role)
    if topic is None:
        raise NotDone("help.no-chapter", text=command.argument[:60], chapters=[f"HELP {one.upper()}" for one in topics])
    verbs = [verb.name for verb in VERBS if verb.topic == topic and act.role in verb.who]
    others = [one for one in topics if one != topic]
    return [Answer("chapter", {"topic": topic, "role": act.role, "verbs": verbs, "others": others})]


def _topic_of_verb(words: str, role: Role) -> Topic | None:
    """The chapter of the verb that ``words`` begin with, if ``role`` may say it."""
    found = parse_command(words)
    name = found.name if found else " ".join(words.upper().split())
    return next((verb.topic for verb in VERBS if verb.name == name and role in verb.who), None)


DOERS: Mapping[tuple[str, Role], Doer] = {
    ("HELP", "anyone"): chapter,
    ("HELP", "player"): chapter,
    ("HELP", "master"): chapter,
}
