"""Facts -> a mail's subject, text and HTML, by the templates and in the reader's language.

One template a mail and form (``receipt.subject.j2``, ``receipt.txt.j2``, ``receipt.html.j2``), the text and HTML ones over
one base a form. Sentences that several forms need are macros of ``say/*.j2``, so that each stands once.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from urllib.parse import quote

from jinja2 import BaseLoader, ChoiceLoader, Environment, FileSystemLoader, StrictUndefined, pass_context
from jinja2.runtime import Context, Macro
from jinja2.sandbox import SandboxedEnvironment
from markupsafe import Markup

from judge.errors import NotFound
from judge.notation import parse_canonical
from judge.render import answers, catalogue, failurewords, notes, problems, reasons, refusals, resultwords, verbwords
from judge.render.answers import directing, motions
from judge.render.facts import (
    AnswerFacts,
    Common,
    ConfirmFacts,
    EndFacts,
    Facts,
    ForwardFacts,
    HelpFacts,
    MasterFacts,
    NoticeFacts,
    PressFacts,
    ReceiptFacts,
    ResultFacts,
    RulesFacts,
    StartFacts,
    TooEarlyFacts,
    Why,
)
from judge.render.layout import behind_marks, beside, full_end, grid, grouped, harmless, one_line, pad, tidy, width, wrap
from judge.render.manual import examples
from judge.render.ruleswords import RuleSection, changed_sentence, sections
from judge.render.standings import end_view
from judge.render.view import example_move, receipt_view, result_view, rules_view, start_view
from judge.render.words import Words, by_province
from judge.resources import data_dir
from judge.rules.board import Board
from judge.rules.houserules import HouseRules, Key
from judge.rules.position import Phase, Position
from judge.variants.keytext import typed
from judge.variants.names import Names, load_names

#: bytes of an HTML part beyond which large mail services cut it
HTML_LIMIT = 100_000
#: characters of a subject: beyond, phones and lists show no more, and the encoded header grows long
SUBJECT_LIMIT = 140

_TEMPLATES: dict[type, str] = {
    StartFacts: "start",
    ReceiptFacts: "receipt",
    ResultFacts: "result",
    EndFacts: "end",
    PressFacts: "press",
    TooEarlyFacts: "too_early",
    NoticeFacts: "notice",
    RulesFacts: "rules",
    MasterFacts: "master",
    HelpFacts: "help",
    AnswerFacts: "answer",
    ConfirmFacts: "confirm",
    ForwardFacts: "forward",
}


@dataclass(frozen=True, slots=True)
class Rendered:
    """A mail's content: ``subject`` one line; ``text`` lines of at most 72 columns; ``html`` a whole document."""

    subject: str
    text: str
    html: str


def render(facts: Facts, language: str = "en", timezone: str = "UTC", *, own_templates: Path | None = None) -> Rendered:
    """Make the mail that says ``facts``.

    ``language``: ``en``, ``ja``, ``zh-Hans``, ``zh-Hant``; one that has no catalogue is written in English.
    ``timezone``: the reader's, by its name in the zone database (``Europe/Paris``). ``own_templates``: an operator's
    folder laid over ours, templates and ``locale/``; its files run in the sandbox.

    :raises jinja2.TemplateError: a template (an operator's own) is faulty.
    """
    environment = _environment(language, own_templates)
    common: Common | None = getattr(facts, "common", None)
    words = _words(facts, common, language, timezone, own_templates)
    values: dict[str, object] = {"f": facts, "c": common, "w": words, "language": language, "v": _view(facts, words)}
    values["answers"] = answers.sections(getattr(facts, "answers", ()), words, common)
    values["note"] = directing.note(common.comment, words) if common and common.comment else None
    values["say"] = _Say(environment, values)
    name = _TEMPLATES[type(facts)]
    subject = one_line(environment.get_template(f"{name}.subject.j2").render(values), SUBJECT_LIMIT)
    values["subject"] = subject
    text = tidy(environment.get_template(f"{name}.txt.j2").render(values))
    html = environment.get_template(f"{name}.html.j2").render(values)
    return Rendered(subject, text, _squeeze(html))


class _Say:
    """The macros of ``say/*.j2`` as ``say.NAME(...)``, for every template of one mail.

    They give plain text, whoever calls them: Jinja would take what a macro says for safe HTML when an HTML template
    calls it (it goes by the caller, not by the file that the macro stands in). Called through here, an HTML template
    escapes it like any other value.
    """

    def __init__(self, environment: Environment, values: Mapping[str, object]) -> None:
        values = {**values, "say": self}
        modules = (environment.get_template(name).make_module(values) for name in _say_files(environment))
        self._names = {name: found for module in modules for name, found in vars(module).items()}

    def __getattr__(self, name: str) -> object:
        try:
            found = self._names[name]
        except KeyError:
            raise AttributeError(name) from None
        if not isinstance(found, Macro):
            return found
        return lambda *args, **kwargs: str(found(*args, **kwargs))


@lru_cache(maxsize=32)
def _say_files(environment: Environment) -> tuple[str, ...]:
    return tuple(name for name in environment.list_templates(extensions=["j2"]) if name.startswith("say/"))


def _squeeze(html: str) -> str:
    """No indentation and no blank lines: a mail's HTML is not for reading, and mail programs count its bytes."""
    return "\n".join(line for line in (raw.strip() for raw in harmless(html).split("\n")) if line) + "\n"


def _words(facts: Facts, common: Common | None, language: str, timezone: str, own_templates: Path | None) -> Words:
    now = common.now if common else facts.now  # type: ignore[union-attr]
    messages = _catalogue(language, own_templates)
    if common is None:
        board: Board | None = getattr(facts, "board", None)
        return Words(messages, timezone, now, board, _names(board.name) if board else None)
    return Words(messages, timezone, now, common.board, _names(common.board.name), common.rules)


def _names(board: str) -> Names | None:
    """The names of a board that ``games/`` has; another is printed by the names that it carries itself."""
    try:
        return load_names(board)
    except NotFound:
        return None


def _view(facts: Facts, words: Words) -> object:
    """What the template needs beyond the facts."""

    def sentence(why: Why) -> str:
        return say(why, facts, words)

    if isinstance(facts, StartFacts):
        return start_view(facts, words)
    if isinstance(facts, ResultFacts):
        after = facts.adjudication.position
        return result_view(facts, words, sentence, _suggester(facts.common.board, after, after.phase, words))
    if isinstance(facts, ReceiptFacts):
        return receipt_view(
            facts, words, sentence, _suggester(facts.common.board, facts.position, facts.position.phase, words)
        )
    if isinstance(facts, EndFacts):
        return end_view(facts, words)
    if isinstance(facts, RulesFacts | MasterFacts):
        return rules_view(facts, words)
    return None


def say(why: Why, facts: Facts, words: Words) -> str:
    """The sentence of a reason of the rules or of a reading problem.

    A code that this version does not know (it was stored by a later one) is said as it is: a mail without one sentence
    is better than no mail.
    """
    common: Common | None = getattr(facts, "common", None)
    rules = common.rules if common else None
    if why.code in notes.SENTENCES:
        said, rule = notes.sentence(why.code, why.args, words), getattr(why, "rule", None)
        return said if rule is None else reasons.with_rule(f"{said}.", rule, words, rules)
    if why.code in problems.SENTENCES or why.code in reasons.SENTENCES:
        return problems.sentence(why, words, rules)  # type: ignore[arg-type]
    return why.code


def _suggester(board: Board, position: Position, phase: Phase, words: Words) -> Callable[[str], str]:
    """Canonical text of a suggested order -> the reader's words; what is no canonical order stays as it is."""
    units = by_province(position)

    def suggest(text: str) -> str:
        try:
            order = parse_canonical(text, board)
        except ValueError:
            return text
        return words.order(order, units, phase)

    return suggest


# ---------------------------------------------------------------------- the environment


def _folders(own_templates: Path | None) -> tuple[Path, ...]:
    ours = data_dir("templates")
    return (own_templates, ours) if own_templates else (ours,)


def _catalogue(language: str, own_templates: Path | None) -> catalogue.Catalogue:
    return catalogue.load(language, tuple(folder / "locale" for folder in _folders(own_templates)))


@lru_cache(maxsize=32)
def _environment(language: str, own_templates: Path | None) -> Environment:
    """One environment a language, templates compiled once a process."""
    loader: BaseLoader = ChoiceLoader([FileSystemLoader(folder) for folder in _folders(own_templates)])
    # an operator's files run in the sandbox; our own are as much code as this line, and the sandbox costs a third
    kind = SandboxedEnvironment if own_templates else Environment
    environment = kind(
        loader=loader,
        autoescape=lambda name: bool(name) and ".html" in str(name),
        undefined=StrictUndefined,
        extensions=["jinja2.ext.i18n", "jinja2.ext.do"],
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=False,
        auto_reload=False,
        cache_size=-1,
    )
    environment.policies["ext.i18n.trimmed"] = True
    messages = _catalogue(language, own_templates)
    environment.install_gettext_callables(  # type: ignore[attr-defined]
        messages.gettext, messages.ngettext, newstyle=True, pgettext=messages.pgettext, npgettext=messages.npgettext
    )
    environment.filters.update(
        wrapped=_wrapped,
        shell_line=_shell_line,
        beside=beside,
        pad=pad,
        columns=width,
        full_end=full_end,
        room=_room,
        quoted=one_line,
        behind_marks=behind_marks,
        grid=grid,
        grouped=grouped,
        sentence_case=sentence_case,
        place_name=_place_name,
        power_name=_power_name,
        phase_name=_phase_name,
        province_name=_province_name,
    )
    environment.tests["has_coast"] = lambda location: "/" in location
    environment.globals.update(
        mailto=mailto,
        example_move=example_move,
        examples=examples,
        rule_sentence=rule_sentence,
        outcome_word=resultwords.outcome,
        topics=verbwords.TOPICS,
        chapters=verbwords.CHAPTERS,
        refusal=refusals.sentence,
        failure_reason=failurewords.reason,
        motion_what=motions.what,
        motion_tally=motions.how_it_goes,
        motion_rule=motions.rule,
        paused_sentence=directing.paused_sentence,
        changes_in_words=directing.changes_in_words,
    )
    return environment


def _wrapped(text: str, first: str = "", rest: str | None = None) -> str:
    """Filter: ``text`` in lines of 72 columns, the first beginning with ``first``, the others with ``rest``."""
    return _wrap(str(text), first, rest)


@lru_cache(maxsize=2048)
def _wrap(text: str, first: str, rest: str | None) -> str:
    """Most sentences are the same in all mails, and measuring their characters is what a mail's text costs most."""
    return "\n".join(wrap(text, first=first, rest=rest))


def _shell_line(text: str, indent: str) -> str:
    """Filter: a line for a shell, in lines of 72 columns that can be copied as they stand: broken between words alone."""
    lines = [indent]
    for word in map(shlex.quote, shlex.split(text)):
        if lines[-1].strip() and width(lines[-1]) + width(word) > 70:
            lines.append(indent + "  ")
        lines[-1] += word + " "
    return "\\\n".join(lines).rstrip()


def _room(labels: Iterable[str], least: int) -> int:
    """Filter: the width of a column that holds all ``labels`` and a gap, at least ``least``."""
    return max([least, *(width(label) + 2 for label in labels)])


@pass_context
def _place_name(context: Context, location: str) -> str:
    """Filter: a location in the reader's words."""
    words: Words = context["w"]
    return words.place(location)


@pass_context
def _province_name(context: Context, location: str) -> str:
    """Filter: a location in the reader's words, without its coast."""
    words: Words = context["w"]
    return words.province(location)


@pass_context
def _power_name(context: Context, power: str) -> str:
    """Filter: a power in the reader's words."""
    words: Words = context["w"]
    return words.power(power)


@pass_context
def _phase_name(context: Context, phase: str) -> str:
    """Filter: a phase in the reader's words."""
    words: Words = context["w"]
    return words.phase(phase)


def sentence_case(text: str) -> str:
    """The first letter large: a sentence that begins with a word of ours."""
    return text[:1].upper() + text[1:]


def in_words(rules: HouseRules, board: Board, language: str, now: datetime) -> tuple[RuleSection, ...]:
    """All house rules by matter, as the players of a game read them. ``now`` decides how dates are written."""
    return sections(rules, board, Words(_catalogue(language, None), "UTC", now, board, _names(board.name), rules))


def meanings(key: Key, rules: HouseRules, board: Board, now: datetime) -> dict[str, str]:
    """What each value that a key can be given by a word (``any-route``, ``true``) means, as its players would read it."""
    words = Words(_catalogue("en", None), "UTC", now, board, _names(board.name), rules)
    values: tuple[object, ...] = (True, False) if key.kind == "flag" else key.values
    return {typed(value): changed_sentence(key.name, value, rules, board, words) for value in values}


def rule_sentence(key: str, value: object, common: Common, words: Words) -> str:
    """A house rule of the game in the reader's words, as it reads with another value."""
    return changed_sentence(key, value, common.rules, common.board, words)


def mailto(address: str, subject: str, body: str = "") -> Markup:
    """A ``mailto:`` link (RFC 6068), everything percent-encoded: safe inside an attribute as it is."""
    local, _, domain = address.rpartition("@")
    subject = one_line(subject, SUBJECT_LIMIT)
    link = f"mailto:{quote(local, safe='')}@{quote(domain, safe='')}?subject={quote(subject, safe='')}"
    if body:
        link += "&amp;body=" + quote(harmless(body).replace("\n", "\r\n"), safe="")
    return Markup(link)
